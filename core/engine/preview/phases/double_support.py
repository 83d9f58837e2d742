"""Whether a body has the time to roll from foot to foot, or has to catch itself."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....slip.planner import ALARM


@dataclass
class Haste:
    """Remembers the phase in which a body began to hurry on rough ground.

    There the cost falls at once where no time on both feet is asked for; asked for it again, and so on from look to look, the
    search for a preview is thrown off its optimum.
    """

    since: float = -np.inf    # s, when that phase began

    def is_calm(self, cost: float, since: float, rough: bool) -> bool:
        """Whether there is time.

        Args:
            cost: of the last preview; infinite where none is known, as on rough ground when a foot has just come down.
            since: s, when the present phase began.
            rough: whether the ground is anything but level.
        """
        if rough and ALARM <= cost < np.inf:
            self.since = since
        return cost < ALARM and self.since != since
