"""What a body does in place of steps where no walk leads on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ....geometry.curves import evaluate_quintic
from ....geometry.planar import heading_axes, wrap_angle
from ....simulate import BodyState, ControlReference, Gains, PhysicsState, SimulatedBody
from ....slip.phases import MIN_PENDULUM_HEIGHT
from ..feet.heel_off import MIN_ANKLE_FLEXION, measure_distance_past_ball

Array = NDArray[np.float64]

FOLLOW_STIFFNESS = 60.0  # 1/s^2, stiffness with which heights, headings and ways are followed
CAPTURE_GAIN = 2.0  # how much faster than it would fall by itself the body goes back over its feet
HEEL_RISE_LEAD = 0.05  # m that the body may be behind the ball of a foot whose heel rises
MAX_STAGE_TIME = 2.5  # s of a stage, after which a maneuver is given up
# Arms that keep off the thighs turn a body that squats or climbs, and it falls
LEDGE_GAINS = Gains(arm_avoidance=0.0)


class Maneuver(Protocol):
    """Done once, from a step on until the body stands on both feet."""

    def compute_reference(self, state: PhysicsState, now: BodyState) -> ControlReference | None:
        """What to do now; None once the body stands."""
        ...


@dataclass
class StagedManeuver:
    """A body at a ledge.

    Args:
        stance_foot: foot that stands before the edge, 0 left, 1 right.
        edge: (2,) m, of the ledge.
        heading: rad, across it.
        height_beyond: height of the ground there, m.
        gravity: m/s^2.
    """

    body: SimulatedBody
    stance_foot: int
    edge: Array
    heading: float
    height_beyond: float
    gravity: float
    stage: str = ""
    stage_start: float = 0.0  # s, when the stage began, and
    # place and velocity of the centre of mass then, and
    begin_com_state: Array = field(default_factory=lambda: np.zeros(6))
    begin_feet: Array = field(default_factory=lambda: np.zeros((2, 3)))  # where the feet were

    def enter_stage(self, stage: str, state: PhysicsState, now: BodyState) -> None:
        """The next stage begins."""
        self.stage = stage
        self.stage_start = state.time
        self.begin_com_state = np.append(now.com, now.com_velocity)
        self.begin_feet = now.foot_frames.place.copy()

    def is_stuck(self, state: PhysicsState) -> bool:
        """Whether a stage lasts longer than any that comes to something."""
        return state.time - self.stage_start > MAX_STAGE_TIME

    @property
    def axes(self) -> Array:
        """Directions across the edge and along it to the left. (2, 2)."""
        return heading_axes(self.heading)

    @property
    def standing_height(self) -> float:
        """Height of the standing body's centre of mass, m."""
        return self.body.com_height

    def measure_loads(self, state: PhysicsState) -> Array:
        """On the feet, body weights. (2,)."""
        return np.array([foot.normal for foot in state.foot_loads]) / self.body.weight

    def compute_turn_acceleration(self, now: BodyState) -> float:
        """Angular acceleration of the pelvis toward the heading, rad/s^2."""
        return float(
            FOLLOW_STIFFNESS * wrap_angle(self.heading - now.heading)
            - 2 * np.sqrt(FOLLOW_STIFFNESS) * now.heading_rate
        )

    def compute_capture_point(self, now: BodyState, level: float) -> Array:
        """Capture point of the body on ground of that height. (2,)."""
        return np.asarray(
            now.com[:2] + now.com_velocity[:2] / self.compute_pendulum_rate(now, level)
        )

    def compute_capture_acceleration(self, now: BodyState, goal: Array, level: float) -> Array:
        """Acceleration along the ground (2,) with which the body comes to rest over a goal (2,).

        Args:
            level: of the ground that bears it, m.
        """
        rate = self.compute_pendulum_rate(now, level)
        return np.asarray(
            rate * rate * CAPTURE_GAIN * (goal - now.com[:2])
            - rate * (1 + CAPTURE_GAIN) * now.com_velocity[:2]
        )

    def compute_pendulum_rate(self, now: BodyState, level: float) -> float:
        """Of the pendulum's fall, 1/s."""
        return float(np.sqrt(self.gravity / max(float(now.com[2]) - level, MIN_PENDULUM_HEIGHT)))

    def compute_vertical_acceleration(
        self, t: float, duration: float, end_height: float, end_speed: float, now: BodyState
    ) -> float:
        """Acceleration upward on the way to a height in m and a speed in m/s, that lasts so many s
        from the stage's beginning.
        """
        target = evaluate_quintic(
            t / duration, duration, self.begin_com_state[[2, 5]], np.array([end_height, end_speed])
        )
        return float(
            target.acceleration
            + FOLLOW_STIFFNESS * (target.position - now.com[2])
            + 2 * np.sqrt(FOLLOW_STIFFNESS) * (target.velocity - now.com_velocity[2])
        )

    def find_raised_heels(self, now: BodyState, legs: tuple[int, ...]) -> tuple[int, ...]:
        """Those legs whose ankles bend no further while the body is over their feet's balls."""
        return tuple(
            leg
            for leg in legs
            if self.body.compute_remaining_flexion(leg, now.pose) < MIN_ANKLE_FLEXION
            and measure_distance_past_ball(self.body, now, leg, self.heading) > -HEEL_RISE_LEAD
        )

    def compute_height_deficit(self, now: BodyState, level: float, share: float) -> float:
        """How much lower the body is than at a share of its height over ground of that
        height, m; 0 where it is not.
        """
        return max(level + share * self.standing_height - float(now.com[2]), 0.0)

    def find_support_points(
        self, now: BodyState, legs: tuple[int, ...], rolling_legs: tuple[int, ...]
    ) -> tuple[Array, ...]:
        """Where the sole of each leg bears, seen from above, (k, 2)."""
        return tuple(
            now.sole_points[leg][self.body.select_support_points(leg, leg in rolling_legs), :2]
            for leg in legs
        )
