"""When a body goes over from one gait to another: with a foot that has just come down, and not before."""
from __future__ import annotations

from dataclasses import dataclass, replace

from ....slip.command import Gait, StepWish
from .phase_machine import Stepping

FRESH = 1.5           # looks for which a foot has just come down


@dataclass
class GaitChange:
    """Remembers the gait that a body is in: a walk, also where it stands, or one with flights."""

    gait: Gait = "walk"
    ended: bool = False               # one with flights, with the last look

    def of(self, wish: StepWish, stepping: Stepping, time: float) -> StepWish:
        """The wish with the gait that can be had now.

        Args:
            time: s, now.
        """
        before = self.gait
        fresh = stepping.support == "single" and time - stepping.since < FRESH * stepping.step
        can = wish.flies and (wish.gait != "hop" or stepping.stance == wish.hops_on)
        if fresh or stepping.support == "double":
            self.gait = wish.gait if can and (fresh or wish.gait == before) else "walk"
        self.ended = before not in ("walk", self.gait)
        if self.gait == "walk":
            return replace(wish, gait="walk", steps=None) if wish.flies else wish
        return wish if wish.gait == self.gait else replace(wish, gait=self.gait)
