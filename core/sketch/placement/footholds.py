"""Footholds: ground that carries feet, far enough from hurdles for a leap."""

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


@dataclass(frozen=True)
class HurdleZoneParameters:
    """Ground that feet keep free in front of and behind a hurdle."""

    # Share of the length of a leap before the bar. tuned: halved, pops of leaps are 32 degrees
    # instead of 25; doubled, they are 130 degrees
    take_off_share: float = 0.57
    # Distance by which the legs lengthen a leap beyond its flight [leg lengths]. tuned: halved or
    # doubled, feet enter the ground by 3 to 4 mm instead of 1.5
    leap_leg_reach: float = 0.8
    # Rise of the body in flight per height of the hurdle. tuned: doubled, feet enter the ground by
    # 22 mm
    rise_per_height: float = 0.8
    # Height up to which a bar is stepped over without a rise [leg lengths]. tuned: halved, forces
    # are off by 0.063 body weights instead of 0.057; doubled, feet enter the ground by 3 mm instead
    # of 1.5
    step_over_height: float = 0.2
    # Distance from a bar within which the speed of the body sets the length of the leap [leg
    # lengths].
    speed_radius: float = 3.0
    # Least distance of a foot from a bar that it passes lengthwise [leg lengths].
    min_bar_distance: float = 0.15
    # Distance past the end of a bar beyond which feet ignore it [leg lengths].
    bar_end_margin: float = 0.3


HURDLE_ZONE = HurdleZoneParameters()


@dataclass(frozen=True)
class ForefootPenalty:
    """Foothold penalty of standing on ball and toes alone."""

    base: float = 0.1  # Penalty without any effort.
    # Additional penalty per squared effort [1/rad^2]. Half or twice of it moves feet on narrow
    # treads by 8 to 16 cm.
    per_squared_effort: float = 1.5


FOREFOOT_PENALTY = ForefootPenalty()


@dataclass(frozen=True)
class HurdleZone:
    """Ground around a hurdle on which no foot may stand.

    Args:
        take_off_distance: least distance of a foot in front of the bar [m].
        landing_distance: least distance of a foot behind the bar [m].
        min_distance: least distance of any foot from the bar [m].
        end_margin: distance past the ends of the bar up to which the zone extends [m].
    """

    hurdle: Hurdle
    take_off_distance: float
    landing_distance: float
    min_distance: float
    end_margin: float

    def is_forbidden(self, xy: Array, yaw: Array) -> NDArray[np.bool_]:
        """Return whether feet stand too close to the bar to leap over it. (n, 2), (n,) -> (n,).

        Args:
            xy: places of the feet [m].
            yaw: headings of the feet [rad].
        """
        ax, ay = self.hurdle.start
        bx, by = self.hurdle.end
        bar = np.array([bx - ax, by - ay])
        offsets = self.hurdle.measure_offsets(xy)
        # 1 or -1 for a body that runs straight at the bar
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
    """Return the zone that a body needs to leap over a hurdle.

    Its length is that of a flight with the necessary rise, plus the reach of the legs. Kwon et al.
    2020, section 8, use a gap of 3 m for hurdles at 5 m/s; this function gives the same gap between
    the soles for a height of 0.6 m.

    Args:
        speed: speed of the body at the hurdle [m/s].
        leg_length: leg length [m].
        gravity: gravitational acceleration [m/s^2].
    """
    rise = HURDLE_ZONE.rise_per_height * max(
        hurdle.height - HURDLE_ZONE.step_over_height * leg_length, 0.0
    )
    gap = speed * np.sqrt(8 * rise / gravity) + HURDLE_ZONE.leap_leg_reach * leg_length
    half_depth = 0.5 * hurdle.depth
    return HurdleZone(
        hurdle,
        HURDLE_ZONE.take_off_share * gap + half_depth,
        (1 - HURDLE_ZONE.take_off_share) * gap + half_depth,
        min_distance=HURDLE_ZONE.min_bar_distance * leg_length + half_depth,
        end_margin=HURDLE_ZONE.bar_end_margin * leg_length,
    )


def build_footholds(
    task: Task, course: Course, foot: Foot, leg_length: float, max_height_change: float
) -> Footholds | None:
    """Return where feet may stand; None for everywhere.

    Args:
        leg_length: leg length [m].
        max_height_change: largest height difference of the ground between consecutive footsteps
            [m].
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
                FOREFOOT_PENALTY.base
                + FOREFOOT_PENALTY.per_squared_effort
                * np.nan_to_num(forefoot_effort.effort_at(xy, yaw, forefoot_only)[forefoot_only])
                ** 2
            )
        return penalty

    return Footholds(is_forbidden, compute_penalty, task.ground.sample_heights, max_height_change)


@dataclass
class _ForefootEffort:
    """Effort of standing on ball and toes, with a cache.

    The cache holds the latest places, which recur in successive evaluations.
    """

    ground: Ground
    foot: Foot
    _cache: dict[bytes, float] = field(default_factory=dict)

    def effort_at(self, ball: Array, yaw: Array, mask: NDArray[np.bool_]) -> Array:
        """Return the effort at the marked ones of n places. (n,) [rad].

        The result is NaN at all other places and where there is no room.
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
    """Return the highest speed of the body near a bar [m/s].

    It is that of the whole course if the body does not come near the bar.
    """
    offsets = hurdle.measure_offsets(course.pendulum.com)
    is_near = np.hypot(offsets.across, offsets.past_end) < HURDLE_ZONE.speed_radius * leg_length
    return float(course.speed[is_near].max() if is_near.any() else course.speed.max())


@dataclass(frozen=True)
class Footholds:
    """Where feet may stand on uneven ground.

    Args:
        is_forbidden: returns for places (n, 2) and headings (n,) where no foot may stand.
        penalty: returns for places (n, 2) and headings (n,) how unfavorable they are, 0 for a good
            foothold.
        height: returns the height of the ground at places (..., 2) [m].
        max_height_change: largest height difference of the ground between consecutive footsteps
            [m].
    """

    is_forbidden: Callable[[Array, Array], NDArray[np.bool_]]
    penalty: Callable[[Array, Array], Array]
    height: Callable[[Array], Array]
    max_height_change: float
