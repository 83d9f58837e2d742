"""Whether a body has time for double support, or has to catch itself with the next step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....slip.planner import PREVIEW_SEARCH


@dataclass
class DoubleSupportPolicy:
    """Decides whether previews plan double support; on rough ground once and for all in a phase.

    On rough ground the cost falls as soon as double support is no longer required. If it were
    required again at the next control step, and so on, the search would lose its optimum.

    Attributes:
        alarm_phase_start: start of the last phase in which double support was given up [s].
    """

    alarm_phase_start: float = -np.inf

    def allows_double_support(self, cost: float, phase_start: float, is_rough: bool) -> bool:
        """Return whether there is time for double support.

        Args:
            cost: cost of the last preview; infinite where it is unknown, as on rough ground just
                after a foot has landed.
            phase_start: time at which the current phase began [s].
            is_rough: whether the ground is not level.
        """
        if is_rough and PREVIEW_SEARCH.alarm_cost <= cost < np.inf:
            self.alarm_phase_start = phase_start
        return cost < PREVIEW_SEARCH.alarm_cost and self.alarm_phase_start != phase_start
