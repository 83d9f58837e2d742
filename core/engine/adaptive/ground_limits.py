"""Steepest slopes and highest edges that the controllers step on.

Nothing else limits a ground.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GroundLimits:
    """Limits of the ground along a path, for a body of the reference size.

    Source: the validation of the forward walk (docs/adaptive-figures.md). Most bodies walk on
    fields of at most 0.2 m, 1 m apart, on slopes of 0.2 up and down, on stairs of 0.1 m up and
    down, and six of ten on boxes of up to 0.1 m.

    Args:
        max_step_up, max_step_down: largest difference of the heights of two places that are
            `foot_length` apart [m].
        max_slope: steepest climb, without unit. Edges do not count as such: it is that of the
            ground averaged over `slope_length`, as stairs are as steep as a line along them.
        foot_length: of the body of the reference size, which is human [m].
        slope_length: about two steps of the forward walk [m], a multiple of `foot_length`.
    """

    max_step_up: float = 0.1
    max_step_down: float = 0.102
    max_slope: float = 0.2
    foot_length: float = 0.3
    slope_length: float = 1.2


LIMITS = GroundLimits()
