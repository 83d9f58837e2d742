"""Where feet may stand: on ground that carries them,
and far enough from a hurdle to leap over it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...task import Hurdle, Task
from ...terrain.ground import FlatGround, Ground
from ..course.course import Course
from .forefoot import compute_worse_foot_effort
from .sole import has_step_behind_heel, is_forbidden_ground

Array = NDArray[np.float64]

TAKE_OFF_SHARE = 0.57  # share of a leap that lies before the bar
LEAP_LEG_REACH = 0.8  # leg lengths by which the two feet at the ends of a leap reach out together
RISE_PER_HURDLE_HEIGHT = 0.8  # m that the body must rise in flight for each m of a hurdle's height
STEP_OVER_HEIGHT = 0.2  # leg lengths: a bar this low is stepped over without rising
SPEED_RADIUS = 3.0  # leg lengths from a bar within which the body's speed counts
MIN_BAR_DISTANCE = 0.15  # leg lengths that a foot keeps from a bar that it runs along
BAR_END_MARGIN = 0.3  # leg lengths past a bar's end, where feet go as if it were not there
# how awkward it is to stand on ball and toes alone, and what a squared radian of effort adds
FOREFOOT_PENALTY = (0.1, 1.5)


@dataclass(frozen=True)
class HurdleZone:
    """The place that a hurdle takes from feet."""

    hurdle: Hurdle
    take_off_distance: float  # m from the middle of a foot to the bar, for one that leaves
    landing_distance: float  # m, for one that lands
    min_distance: float  # m, for any
    end_margin: float  # m

    def is_forbidden(self, xy: Array, yaw: Array) -> NDArray[np.bool_]:
        """Whether feet stand too close before or behind the bar to leap over
        it. (n, 2), (n,) -> (n,).
        """
        ax, ay = self.hurdle.start
        bx, by = self.hurdle.end
        bar = np.array([bx - ax, by - ay])
        offsets = self.hurdle.measure_offsets(xy)
        # +-1 for a body that runs straight at it
        alignment = (-bar[1] * np.cos(yaw) + bar[0] * np.sin(yaw)) / np.linalg.norm(bar)
        abs_alignment = np.abs(alignment)
        signed_distance = np.where(alignment < 0, -1.0, 1.0) * offsets.across
        too_near = (
            signed_distance > -np.maximum(self.take_off_distance * abs_alignment, self.min_distance)
        ) & (signed_distance < np.maximum(self.landing_distance * abs_alignment, self.min_distance))
        return too_near & (offsets.past_end < self.end_margin)


def compute_hurdle_zone(
    hurdle: Hurdle, speed: float, leg_length: float, gravity: float
) -> HurdleZone:
    """The gap over which a body at a speed leaps a hurdle: the flight in which it rises enough,
    and the reach of its legs.

    Kwon et al. 2020, section 8, put a gap of 3 m under hurdles at 5 m/s; that is what is left here
    between the soles for a height of 0.6 m.
    """
    rise = RISE_PER_HURDLE_HEIGHT * max(hurdle.height - STEP_OVER_HEIGHT * leg_length, 0.0)
    gap = speed * np.sqrt(8 * rise / gravity) + LEAP_LEG_REACH * leg_length
    half_depth = 0.5 * hurdle.depth
    return HurdleZone(
        hurdle,
        TAKE_OFF_SHARE * gap + half_depth,
        (1 - TAKE_OFF_SHARE) * gap + half_depth,
        min_distance=MIN_BAR_DISTANCE * leg_length + half_depth,
        end_margin=BAR_END_MARGIN * leg_length,
    )


def build_footholds(
    task: Task, course: Course, foot: Foot, leg_length: float, max_height_change: float
) -> Footholds | None:
    """Where feet may stand; None when they may everywhere.

    Args:
        max_height_change: most that the ground may rise or fall from one foot to the next, m.
    """
    ground = task.allowed_ground
    if isinstance(ground, FlatGround) and not task.hurdles:
        return None
    hurdle_zones = [
        compute_hurdle_zone(
            h, _find_max_speed_near(h, course, leg_length), leg_length, task.gravity
        )
        for h in task.hurdles
    ]

    forefoot_effort = _ForefootEffort(ground, foot) if task.tread == "forefoot" else None

    def is_forbidden(xy: Array, yaw: Array) -> NDArray[np.bool_]:
        forbidden = is_forbidden_ground(ground, foot, xy, yaw)
        if forefoot_effort is not None:
            forbidden &= np.isnan(forefoot_effort.effort_at(xy, yaw, forbidden))
        for zone in hurdle_zones:
            forbidden |= zone.is_forbidden(xy, yaw)
        return forbidden

    def compute_penalty(xy: Array, yaw: Array) -> Array:
        penalty = has_step_behind_heel(ground, foot, xy, yaw).astype(float)
        if forefoot_effort is not None:
            forefoot_only = is_forbidden_ground(ground, foot, xy, yaw)
            penalty[forefoot_only] = (
                FOREFOOT_PENALTY[0]
                + FOREFOOT_PENALTY[1]
                * np.nan_to_num(forefoot_effort.effort_at(xy, yaw, forefoot_only)[forefoot_only])
                ** 2
            )
        return penalty

    return Footholds(is_forbidden, compute_penalty, task.ground.sample_heights, max_height_change)


@dataclass
class _ForefootEffort:
    """What it takes to stand on ball and toes; remembers the last places asked for,
    which are asked for again.
    """

    ground: Ground
    foot: Foot
    _cache: dict[bytes, float] = field(default_factory=dict)

    def effort_at(self, ball: Array, yaw: Array, mask: NDArray[np.bool_]) -> Array:
        """Effort at those of n places that are marked, rad;
        nan at all others and where there is no room. (n,).
        """
        efforts = np.full(len(ball), np.nan)
        keys = [row.tobytes() for row in np.column_stack([ball, yaw])]
        missing = np.flatnonzero(
            [marked and key not in self._cache for marked, key in zip(mask, keys, strict=True)]
        )
        if len(missing):
            new_efforts = compute_worse_foot_effort(
                self.ground, self.foot, ball[missing], yaw[missing]
            )
            retained = {key: self._cache[key] for key in keys if key in self._cache}
            self._cache = retained | {
                keys[k]: float(value) for k, value in zip(missing, new_efforts, strict=True)
            }
        for k in np.flatnonzero(mask):
            efforts[k] = self._cache[keys[k]]
        return efforts


def _find_max_speed_near(hurdle: Hurdle, course: Course, leg_length: float) -> float:
    """Highest speed of the body around a bar, m/s;
    the whole course's where it does not come near.
    """
    offsets = hurdle.measure_offsets(course.pendulum.com)
    is_near = np.hypot(offsets.across, offsets.past_end) < SPEED_RADIUS * leg_length
    return float(course.speed[is_near].max() if is_near.any() else course.speed.max())


@dataclass(frozen=True)
class Footholds:
    """Where feet may stand on uneven ground.

    Args:
        is_forbidden: tells for places (n, 2) and headings (n,) where no foot may stand.
        penalty: the same, how much a foot had better not: 0 where it may as well.
        height: of the ground at places (..., 2), m.
        max_height_change: most that the ground may rise or fall from one foot to the next, m.
    """

    is_forbidden: Callable[[Array, Array], NDArray[np.bool_]]
    penalty: Callable[[Array, Array], Array]
    height: Callable[[Array], Array]
    max_height_change: float
