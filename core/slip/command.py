"""Goals of the next two steps, section 5.1 and table 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

Gait = Literal["stand", "walk", "run", "hop"]
HeightFunction = Callable[[Array], Array]
FootholdDistance = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class IncomingProjectile:
    """Projectile to dodge, on a straight line."""

    place: Array  # (3,) [m] current position
    velocity: Array  # (3,) [m/s]
    distance: float  # D of equation 31 [m], to keep from the CoM
    # Whether it must be passed on one side: a projectile at the height of the body cannot be
    # avoided by lowering the CoM a little
    needs_side_pass: bool = False

    def measure_closest_distance(self, com: Array) -> float:
        """Return the smallest distance from a body at rest with its CoM at `com` (3,) [m]."""
        offset = self.place - com
        closest_time = max(
            -float(offset @ self.velocity) / max(float(self.velocity @ self.velocity), 1e-12), 0.0
        )
        return float(np.linalg.norm(offset + closest_time * self.velocity))


@dataclass(frozen=True)
class UnevenSteps:
    """Goals of two steps of different lengths, as in front of a gap."""

    foot_place: Array  # (2,) [m] of the next touchdown; only its part along `direction` is used
    body_advances: tuple[float, float]  # [m] advance of the CoM in each step
    # [s] by which each step and its flight last longer than `StepGoal.step_time`
    extra_times: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class StepGoal:
    """Goals of a preview."""

    gait: Gait = "stand"  # sequence of phases, figure 4; a hop is a run on one leg
    step_length: float = 0.0  # d_step [m]
    step_time: float = 0.6  # T_step [s]
    direction: float = 0.0  # d [rad], direction of travel
    # alpha_d [rad] of the pelvis; within a few tenths of a radian of the current heading
    heading: float = 0.0
    hop_height: float | None = None  # h_d [m], rise of the CoM in flight; None for no goal
    # Ground height [m] at positions, (..., 2) -> (...,); NaN where there is no ground. None
    # for level ground
    ground_height: HeightFunction | None = None
    # Distance [m] from the nearest foothold, of centers of soles (..., 2) with headings (...,);
    # None where the foot can stand anywhere
    foothold_distance: FootholdDistance | None = None
    projectile: IncomingProjectile | None = None
    # Whether heels rise before lift-off in a walk too, as in steps down
    allows_heel_rise: bool = False
    # [m] rise of the CoM above take-off in the flight of the first step, which is longer for it
    leap_height: float | None = None
    uneven_steps: UnevenSteps | None = None  # replaces `step_length`
    hop_leg: int = 0  # foot of a hop: 0 left, 1 right

    @property
    def has_flight(self) -> bool:
        """Whether each step ends with a flight."""
        return self.gait in ("run", "hop")

    def compute_next_side(self, side: float) -> float:
        """Return the side of the next touchdown after one of `side` (1 left, -1 right)."""
        return side if self.gait == "hop" else -side
