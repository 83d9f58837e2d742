"""Whether a body has the time to roll from foot to foot, or has to catch itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....slip.planner import ALARM_COST


@dataclass
class DoubleSupportPolicy:
    """Remembers the phase in which a body began to hurry on rough ground.

    There the cost falls at once where no time on both feet is asked for; asked for it again, and so
    on from look to look, the search for a preview is thrown off its optimum.
    """

    alarm_phase_start: float = -np.inf  # s, when that phase began

    def allows_double_support(self, cost: float, phase_start: float, is_rough: bool) -> bool:
        """Whether there is time.

        Args:
            cost: of the last preview; infinite where none is known,
                as on rough ground when a foot has just come down.
            phase_start: s, when the present phase began.
            is_rough: whether the ground is anything but level.
        """
        if is_rough and ALARM_COST <= cost < np.inf:
            self.alarm_phase_start = phase_start
        return cost < ALARM_COST and self.alarm_phase_start != phase_start
