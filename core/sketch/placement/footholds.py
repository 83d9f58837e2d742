"""Where feet may stand: on ground that carries them, and far enough from a hurdle to leap over it."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...task import Hurdle, Task
from ...terrain.ground import Flat, Ground
from ..course.course import Course
from .forefoot import either_effort
from .sole import awkward_ground, forbidden_ground

Array = NDArray[np.float64]

TAKE_OFF = 0.57       # share of a leap that lies before the bar
STRETCH = 0.8         # leg lengths by which the two feet at the ends of a leap reach out together
RISE = 0.8            # m that the body must rise in flight for each m of a hurdle's height
STEPPED = 0.2         # leg lengths: a bar this low is stepped over without rising
AROUND = 3.0          # leg lengths from a bar within which the body's speed counts
CLOSEST = 0.15        # leg lengths that a foot keeps from a bar that it runs along
BESIDE = 0.3          # leg lengths past a bar's end, where feet go as if it were not there
ON_TOES = (0.1, 1.5)  # how awkward it is to stand on ball and toes alone, and what a squared radian of effort adds


@dataclass(frozen=True)
class Leap:
    """The place that a hurdle takes from feet."""

    hurdle: Hurdle
    before: float             # m from the middle of a foot to the bar, for one that leaves
    after: float              # m, for one that lands
    closest: float            # m, for any
    beside: float             # m

    def forbids(self, xy: Array, yaw: Array) -> NDArray[np.bool_]:
        """Whether feet stand too close before or behind the bar to leap over it. (n, 2), (n,) -> (n,)."""
        (ax, ay), (bx, by) = self.hurdle.start, self.hurdle.end
        way = np.array([bx - ax, by - ay])
        across, past = self.hurdle.beside(xy)
        onward = (-way[1] * np.cos(yaw) + way[0] * np.sin(yaw)) / np.linalg.norm(way)     # +-1 for a body that runs straight at it
        share, beyond = np.abs(onward), np.where(onward < 0, -1.0, 1.0) * across
        near = (beyond > -np.maximum(self.before * share, self.closest)) & (beyond < np.maximum(self.after * share, self.closest))
        return near & (past < self.beside)


def leap_over(hurdle: Hurdle, speed: float, leg_length: float, gravity: float) -> Leap:
    """The gap over which a body at a speed leaps a hurdle: the flight in which it rises enough, and the reach of its legs.

    Kwon et al. 2020, section 8, put a gap of 3 m under hurdles at 5 m/s; that is what is left here between the soles for a height
    of 0.6 m.
    """
    rise = RISE * max(hurdle.height - STEPPED * leg_length, 0.0)
    gap, half = speed * np.sqrt(8 * rise / gravity) + STRETCH * leg_length, 0.5 * hurdle.depth
    return Leap(hurdle, TAKE_OFF * gap + half, (1 - TAKE_OFF) * gap + half, CLOSEST * leg_length + half, BESIDE * leg_length)


def footing(task: Task, course: Course, foot: Foot, leg_length: float, climb: float) -> Footing | None:
    """Where feet may stand; None when they may everywhere.

    Args:
        climb: most that the ground may rise or fall from one foot to the next, m.
    """
    ground = task.floor
    if isinstance(ground, Flat) and not task.hurdles:
        return None
    leaps = [leap_over(h, _speed_near(h, course, leg_length), leg_length, task.gravity) for h in task.hurdles]

    on_toes = _OnToes(ground, foot) if task.tread == "forefoot" else None

    def forbidden(xy: Array, yaw: Array) -> NDArray[np.bool_]:
        out = forbidden_ground(ground, foot, xy, yaw)
        if on_toes is not None:
            out &= np.isnan(on_toes.effort(xy, yaw, out))
        for leap in leaps:
            out |= leap.forbids(xy, yaw)
        return out

    def awkward(xy: Array, yaw: Array) -> Array:
        out = awkward_ground(ground, foot, xy, yaw).astype(float)
        if on_toes is not None:
            narrow = forbidden_ground(ground, foot, xy, yaw)
            out[narrow] = ON_TOES[0] + ON_TOES[1] * np.nan_to_num(on_toes.effort(xy, yaw, narrow)[narrow]) ** 2
        return out

    return Footing(forbidden, awkward, task.ground.height, climb)


@dataclass
class _OnToes:
    """What it takes to stand on ball and toes; remembers the last places asked for, which are asked for again."""

    ground: Ground
    foot: Foot
    _known: dict[bytes, float] = field(default_factory=dict)

    def effort(self, ball: Array, yaw: Array, where: NDArray[np.bool_]) -> Array:
        """Effort at those of n places that are marked, rad; nan at all others and where there is no room. (n,)."""
        out = np.full(len(ball), np.nan)
        keys = [row.tobytes() for row in np.column_stack([ball, yaw])]
        new = np.flatnonzero([there and key not in self._known for there, key in zip(where, keys, strict=True)])
        if len(new):
            found = either_effort(self.ground, self.foot, ball[new], yaw[new])
            still = {key: self._known[key] for key in keys if key in self._known}
            self._known = still | {keys[k]: float(value) for k, value in zip(new, found, strict=True)}
        for k in np.flatnonzero(where):
            out[k] = self._known[keys[k]]
        return out


def _speed_near(hurdle: Hurdle, course: Course, leg_length: float) -> float:
    """Highest speed of the body around a bar, m/s; the whole course's where it does not come near."""
    across, past = hurdle.beside(course.pendulum.com)
    near = np.hypot(across, past) < AROUND * leg_length
    return float(course.speed[near].max() if near.any() else course.speed.max())


@dataclass(frozen=True)
class Footing:
    """Where feet may stand on uneven ground.

    Args:
        forbidden: tells for places (n, 2) and headings (n,) where no foot may stand.
        awkward: the same, how much a foot had better not: 0 where it may as well.
        height: of the ground at places (..., 2), m.
        climb: most that the ground may rise or fall from one foot to the next, m.
    """

    forbidden: Callable[[Array, Array], NDArray[np.bool_]]
    awkward: Callable[[Array, Array], Array]
    height: Callable[[Array], Array]
    climb: float
