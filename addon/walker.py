"""What of the character counts for what is in its way."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.clip import QuadrupedStyle, Style, builtin_style, quadruped_style
from ..core.engine.hurdling import highest_bar
from ..core.task import Path
from .chosen import Chosen

EARTH = 9.81          # m/s^2


@dataclass(frozen=True)
class Walker:
    """Length of its legs in m, and what it was asked for; gravity in m/s^2."""

    leg_length: float
    path: Path
    style: Chosen
    gravity: float

    @property
    def manner(self) -> Style:
        """The style with all that is mixed in and turned."""
        return self.style.made

    def natural_speed(self) -> float:
        """Speed in m/s that the style goes at on such legs (Froude)."""
        return natural_speed(self.leg_length, self.manner, self.gravity)

    def leaping_speed(self) -> float:
        """The same of a run, for a style that can run; of a walk otherwise."""
        runs = self.manner.cycles[-1].duty < 0.5
        return natural_speed(self.leg_length, builtin_style("run" if runs else "walk"), self.gravity)

    def walks_at(self, speed: float) -> bool:
        """Whether a foot is always on the ground at a speed in m/s."""
        return self.manner.at(speed / float(np.sqrt(self.gravity * self.leg_length))).walks

    def passes_over(self, speed: float) -> float:
        """The highest hurdle that it can pass over at a speed in m/s, m."""
        return highest_bar(self.manner, speed, self.leg_length, self.gravity)

    def leaps_over(self) -> float:
        """The highest hurdle that it could leap over if it ran, m."""
        run = builtin_style("run")
        return highest_bar(run, natural_speed(self.leg_length, run, self.gravity), self.leg_length, self.gravity)


def own_speed(on_earth: float, gravity: float, style: QuadrupedStyle) -> float:
    """Speed in m/s that a body goes at of itself under a gravity in m/s^2, by the one that it has on earth (Froude).

    Args:
        style: of a body on four legs, which goes at a speed of its own; the natural one for others.
    """
    times = style.preferred / quadruped_style("natural").preferred
    return times * on_earth * float(np.sqrt(gravity / EARTH))


def natural_speed(leg_length: float, style: Style, gravity: float) -> float:
    """Speed in m/s that a style goes at on legs of a length (Froude)."""
    return style.preferred * float(np.sqrt(gravity * leg_length))
