"""What a body does in place of steps where no walk leads on."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ....geometry.curves import quintic
from ....geometry.planar import axes_of, near
from ....simulate import Body, Gains, Reading, Reference, State
from ..feet.heel_off import STIFF, past_ball


class Maneuver(Protocol):
    """Done once, from a step on until the body stands on both feet."""

    def reference(self, state: State, now: Reading) -> Reference | None:
        """What to do now; None once the body stands."""
        ...

Array = NDArray[np.float64]

FOLLOW = 60.0         # 1/s^2, stiffness with which heights, headings and ways are followed
CATCH = 2.0           # how much faster than it would fall by itself the body goes back over its feet
LOW = 0.3             # m, least height of a pendulum
AHEAD = 0.05          # m that the body may be behind the ball of a foot whose heel rises
LONGEST = 2.5         # s of a stage, after which a maneuver is given up
# Arms that keep off the thighs turn a body that squats or climbs, and it falls
LEDGE = Gains(arms_apart=0.0)


@dataclass
class Staged:
    """A body at a ledge.

    Args:
        stance: foot that stands before the edge, 0 left, 1 right.
        edge: (2,) m, of the ledge.
        heading: rad, across it.
        beyond: height of the ground there, m.
        gravity: m/s^2.
    """

    body: Body
    stance: int
    edge: Array
    heading: float
    beyond: float
    gravity: float
    stage: str = ""
    since: float = 0.0                # s, when the stage began, and
    begin: Array = field(default_factory=lambda: np.zeros(6))             # place and velocity of the centre of mass then, and
    feet: Array = field(default_factory=lambda: np.zeros((2, 3)))         # where the feet were

    def enter(self, stage: str, state: State, now: Reading) -> None:
        """The next stage begins."""
        self.stage, self.since = stage, state.time
        self.begin, self.feet = np.append(now.com, now.com_velocity), now.feet.place.copy()

    def is_stuck(self, state: State) -> bool:
        """Whether a stage lasts longer than any that comes to something."""
        return state.time - self.since > LONGEST

    @property
    def axes(self) -> Array:
        """Directions across the edge and along it to the left. (2, 2)."""
        return axes_of(self.heading)

    @property
    def standing(self) -> float:
        """Height of the standing body's centre of mass, m."""
        return self.body.com_height

    def loads(self, state: State) -> Array:
        """On the feet, body weights. (2,)."""
        return np.array([foot.normal for foot in state.feet]) / self.body.weight

    def turn(self, now: Reading) -> float:
        """Angular acceleration of the pelvis toward the heading, rad/s^2."""
        return float(FOLLOW * near(self.heading - now.heading) - 2 * np.sqrt(FOLLOW) * now.heading_rate)

    def caught(self, now: Reading, level: float) -> Array:
        """Capture point of the body on ground of that height. (2,)."""
        return np.asarray(now.com[:2] + now.com_velocity[:2] / self.rate(now, level))

    def toward(self, now: Reading, goal: Array, level: float) -> Array:
        """Acceleration along the ground (2,) with which the body comes to rest over a goal (2,).

        Args:
            level: of the ground that bears it, m.
        """
        rate = self.rate(now, level)
        return np.asarray(rate * rate * CATCH * (goal - now.com[:2]) - rate * (1 + CATCH) * now.com_velocity[:2])

    def rate(self, now: Reading, level: float) -> float:
        """Of the pendulum's fall, 1/s."""
        return float(np.sqrt(self.gravity / max(float(now.com[2]) - level, LOW)))

    def upward(self, t: float, lasts: float, height: float, speed: float, now: Reading) -> float:
        """Acceleration upward on the way to a height in m and a speed in m/s, that lasts so many s from the stage's beginning."""
        at, rate, gain = quintic(t / lasts, lasts, self.begin[[2, 5]], np.array([height, speed]))
        return float(gain + FOLLOW * (at - now.com[2]) + 2 * np.sqrt(FOLLOW) * (rate - now.com_velocity[2]))

    def heels_up(self, now: Reading, legs: tuple[int, ...]) -> tuple[int, ...]:
        """Those legs whose ankles bend no further while the body is over their feet's balls."""
        return tuple(leg for leg in legs if self.body.flexion_left(leg, now.pose) < STIFF
                     and past_ball(self.body, now, leg, self.heading) > -AHEAD)

    def lacks(self, now: Reading, level: float, share: float) -> float:
        """How much lower the body is than at a share of its height over ground of that height, m; 0 where it is not."""
        return max(level + share * self.standing - float(now.com[2]), 0.0)

    def soles(self, now: Reading, legs: tuple[int, ...], rolls: tuple[int, ...]) -> tuple[Array, ...]:
        """Where the sole of each leg bears, seen from above, (k, 2)."""
        return tuple(now.points[leg][self.body.bearing_points(leg, leg in rolls), :2] for leg in legs)
