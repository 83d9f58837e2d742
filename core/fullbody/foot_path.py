"""Path of each foot: heel strike, flat, toe-off and a swing.

Swings follow the style and are raised above the ground. Pitch is the angle of the foot relative to
its place of rest, with toes up positive.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ..character.character import Foot
from ..geometry import so3
from ..geometry.curves import Quintic, smootherstep, smoothstep
from ..motion.footstep import Footstep
from ..terrain import Ground
from .clearance import HurdleBar, compute_ground_lift, compute_tip_lift, raise_over_bars
from .foot_pose import FootPoses
from .hip_path import HipPath
from .roll import FootRoll, apply_pitch, build_ball_roll_curve, build_roll_curve, compute_rolls
from .toe_bend import compute_toe_rise, compute_toe_straightening

Array = NDArray[np.float64]


class FootSupport(IntEnum):
    """Part of a foot that rests on the ground.

    A foot in a swing follows its path. A free foot follows the pose.
    """

    SWING = 0
    HEEL = 1
    FLAT = 2
    BALL = 3
    FREE = 4


@dataclass(frozen=True)
class FootPath:
    """Path of one foot at n times, in world axes."""

    support: NDArray[np.int64]  # Values of FootSupport, (n,)
    rotation: Array  # Target rotation of the foot's link, (n, 3, 3)
    origin: Array  # Target position of the origin of the foot's link [m], (n, 3)
    # Rotation of the sole at rest, in a swing between those of both footsteps, (n, 3, 3)
    rest_rotation: Array
    heel: Array  # Position of the resting heel [m], only in contacts, (n, 3)
    pivot: Array  # Position of the resting joint of the toes [m], only in contacts, (n, 3)
    toe_bend: Array  # Angle by which the toes are bent up relative to the foot [rad], (n,)
    firmness: Array  # Weight of a swing's path, from 0 in mid-swing to 1 at both ends, (n,)

    @staticmethod
    def empty(n: int, support: FootSupport) -> FootPath:
        """Return a path of n frames, to be filled, with the given support."""
        return FootPath(
            np.full(n, int(support)),
            np.tile(np.eye(3), (n, 1, 1)),
            np.zeros((n, 3)),
            rest_rotation=np.tile(np.eye(3), (n, 1, 1)),
            heel=np.zeros((n, 3)),
            pivot=np.zeros((n, 3)),
            toe_bend=np.zeros(n),
            firmness=np.ones(n),
        )

    def slice_frames(self, part: slice) -> FootPath:
        """Return the path in a part of the frames."""
        return FootPath(*(getattr(self, field.name)[part] for field in fields(self)))

    def append(self, other: FootPath) -> FootPath:
        """Return this path followed by the frames of another one."""
        return FootPath(
            *(
                np.concatenate([getattr(self, field.name), getattr(other, field.name)])
                for field in fields(self)
            )
        )


@dataclass(frozen=True)
class FootPathParameters:
    """Tuned numbers of swings."""

    # Drop of the ground from which on a swing is at its full distance before it sinks [m]. Half or
    # twice moves a body on hills by 9 cm (docs/dev/parameters.csv)
    full_advance_drop: float = 0.1
    # Factor of the advance of such a swing. Half or twice moves a walk over hills by 9 to 16 cm
    # (docs/dev/parameters.csv)
    advance_factor: float = 1.5
    # Detour of a swing due to a change of a rate at its end, per change and duration
    detour_ratio: float = 0.15
    # Largest such detour along each horizontal axis at the lift [m]. tuned: with 0, balls entered
    # hills by 0.4 mm more, humanoid-terrain-run in test_engine.py
    max_lift_detour: float = 0.015
    # Largest such detour upward at the lift [m]. A foot that leaves the ground faster than in the
    # style would enter a slope
    max_upward_detour: float = 0.06
    # Largest such detour of the pitch [rad]. tuned: with 0, feet jerked by 0.3 degrees a frame²
    # more in runs
    max_pitch_detour: float = float(np.radians(3))
    # Firmness of a landing swing above which the correction that the leg would require at the
    # strike begins to vanish. tuned: with 0.6 the foot fell to its footstep at 1 m/s, and forearms
    # jerked by 3.6 degrees a frame² to balance it; with 0 the trunk of fast runs was 0.3 degrees
    # farther from its style, test_engine.test_first_seed_is_within_the_limits
    settling_firmness: float = 0.35


FOOT_PATH = FootPathParameters()


@dataclass(frozen=True)
class StyleFoot:
    """Foot in the poses of the style at n times, placed along the plan."""

    origin: Array  # Origin of the foot's link [m], (n, 3). Only the shape of its path counts.
    pitch: Array  # Pitch [rad], (n,)


@dataclass(frozen=True)
class SwingObstacles:
    """Obstacles that swinging feet pass over, and the distances that they keep."""

    ground: Ground
    clearance: float  # Height above the ground in mid-swing [m]
    bars: Sequence[HurdleBar] = ()
    rear_length: float = 0.0  # Length behind the heel that clears edges, too [m]
    advances_early: bool = True  # Whether swings that lead down are ahead of the style


@dataclass(frozen=True)
class _RollingContact:
    """Contact of a footstep: its pitch and the points about which the foot pivots."""

    footstep: Footstep
    heel: Array  # Position of the resting heel [m], (3,)
    pivot: Array  # Position of the resting joint of the toes [m], (3,)
    pitch: Quintic
    foot: Foot

    @staticmethod
    def from_footstep(footstep: Footstep, foot: Foot, roll: FootRoll) -> _RollingContact:
        """Return the contact that rolls flat after the strike and over the toes to the lift."""
        heel, pivot = (
            footstep.position + footstep.rotation @ (p - foot.sole_center)
            for p in (foot.heel, foot.pivot)
        )
        return _RollingContact(
            footstep,
            heel,
            pivot,
            pitch=build_roll_curve(footstep, roll)
            if footstep.heel_raise is None
            else build_ball_roll_curve(footstep, footstep.heel_raise, roll),
            foot=foot,
        )

    def evaluate(self, times: Array, about_heel: NDArray[np.bool_]) -> FootPoses:
        """Return the poses of the foot at n times [s].

        Args:
            times: shape (n,).
            about_heel: whether the foot rolls about its first point of contact, shape (n,).
        """
        pitch = self.pitch(times)
        rotation = apply_pitch(self.footstep.rotation, pitch)
        about_heel = (about_heel != self.footstep.toes_first) & (self.footstep.heel_raise is None)
        by_heel = self.heel - rotation @ self.foot.heel
        by_pivot = self.pivot - rotation @ self.foot.pivot
        origin = np.where(about_heel[:, None], by_heel, by_pivot)
        toe_bend = np.maximum(-pitch, 0.0) * self.foot.has_toe
        return FootPoses(self.foot, origin, rotation, toe_bend)

    def evaluate_end(self, time: float, is_landing: bool) -> Array:
        """Return origin [m] and pitch [rad] at an end of the contact, and their rates, (2, 4)."""
        footstep = self.footstep
        pitch, rate = self.pitch.evaluate_at(time)
        about_heel = is_landing != footstep.toes_first and footstep.heel_raise is None
        rest_point, foot_point = (
            (self.heel, self.foot.heel) if about_heel else (self.pivot, self.foot.pivot)
        )
        rotation = apply_pitch(footstep.rotation, np.asarray(pitch))
        # The pitch is a rotation about -y.
        velocity = rate * rotation @ np.array([foot_point[2], 0.0, -foot_point[0]])
        out = np.empty((2, 4))
        out[0, :3] = rest_point - rotation @ foot_point
        out[1, :3] = velocity
        out[:, 3] = pitch, rate
        return out

    def fill(self, path: FootPath, times: Array) -> None:
        """Write the contact into a path at n times [s]."""
        footstep = self.footstep
        in_contact = slice(
            *np.searchsorted(times, [footstep.strike, np.nextafter(footstep.lift, np.inf)])
        )
        t = times[in_contact]
        first, last = (
            (FootSupport.BALL, FootSupport.HEEL)
            if footstep.toes_first
            else (FootSupport.HEEL, FootSupport.BALL)
        )
        whole = np.where(
            t < footstep.flat, first, np.where(t <= footstep.heel_off, FootSupport.FLAT, last)
        )
        poses = self.evaluate(t, t < 0.5 * (footstep.flat + footstep.heel_off))
        path.support[in_contact] = whole if footstep.heel_raise is None else FootSupport.BALL
        path.origin[in_contact] = poses.origin
        path.rotation[in_contact] = poses.rotation
        path.rest_rotation[in_contact] = footstep.rotation
        path.heel[in_contact] = self.heel
        path.pivot[in_contact] = self.pivot
        path.toe_bend[in_contact] = poses.toe_bend


def build_foot_path(
    footsteps: list[Footstep],
    foot: Foot,
    style_foot: StyleFoot,
    hip: HipPath,
    obstacles: SwingObstacles,
) -> FootPath:
    """Return the path of one foot through its footsteps.

    Args:
        footsteps: footsteps of this foot, in order. The first one strikes before the first time.
        foot: shape of the foot.
        style_foot: foot in the poses of the style at n times.
        hip: hip of the leg in these poses, with its times.
        obstacles: obstacles that swings pass over.
    """
    times = hip.times
    curve = CubicSpline(times, np.column_stack([style_foot.origin, style_foot.pitch]))
    strikes = [f.strike for f in footsteps]
    # Other footsteps do not touch the times of the path.
    relevant = slice(
        max(bisect_right(strikes, times[0]) - 1, 0), bisect_left(strikes, times[-1]) + 1
    )
    rolls = compute_rolls(footsteps[relevant], foot, curve, hip)
    contacts = [
        _RollingContact.from_footstep(f, foot, roll)
        for f, roll in zip(footsteps[relevant], rolls, strict=True)
    ]
    path = FootPath.empty(len(times), FootSupport.SWING)
    for k, contact in enumerate(contacts):
        contact.fill(path, times)
        if k + 1 < len(contacts):
            _fill_swing(path, times, contact, contacts[k + 1], curve=curve, obstacles=obstacles)
    _limit_swing_reach(path, hip)
    return path


def _limit_swing_reach(path: FootPath, hip: HipPath) -> None:
    """Move swings within reach of the leg, and so that they still land at their footsteps.

    The correction that the leg would require at the strike vanishes before.
    """
    swinging = path.support == FootSupport.SWING
    last = np.flatnonzero(swinging & ~np.append(swinging[1:], False))
    if not len(last):
        return
    correction = np.zeros_like(path.origin)
    correction[swinging] = hip.limit_reach(path.origin[swinging], swinging) - path.origin[swinging]
    landing_firmness = np.where(np.gradient(path.firmness) > 0, path.firmness, 0.0)
    settling = FOOT_PATH.settling_firmness
    settled = smoothstep((landing_firmness - settling) / (1 - settling))[:, None]
    strike = last[np.minimum(np.searchsorted(last, np.arange(len(swinging))), len(last) - 1)]
    path.origin[swinging] += (correction - settled * correction[strike])[swinging]


def _fill_swing(
    path: FootPath,
    times: Array,
    a: _RollingContact,
    b: _RollingContact,
    curve: CubicSpline,
    obstacles: SwingObstacles,
) -> None:
    """Write the swing between two contacts into a path.

    Args:
        path: path of the foot. Written.
        times: times of the path [s], shape (n,).
        a, b: contacts before and after the swing.
        curve: origin [m] and pitch [rad] of the style's foot over time, 4 columns.
        obstacles: obstacles that the swing passes over.
    """
    begin = a.footstep.lift
    end = b.footstep.strike
    in_swing = slice(*np.searchsorted(times, [np.nextafter(begin, np.inf), end]))
    t = times[in_swing]
    if not t.size:
        return
    u = (t - begin) / (end - begin)
    lift_state = a.evaluate_end(begin, False)
    strike_state = b.evaluate_end(end, True)
    pose_curve = curve(t) + _build_end_correction(
        t, (begin, end), lift_state, end_state=strike_state, curve=curve
    )
    origin = pose_curve[:, :3]
    pitch = pose_curve[:, 3]
    turn = so3.log(a.footstep.rotation.T @ b.footstep.rotation)
    rest = a.footstep.rotation @ so3.exp(smootherstep(u)[:, None] * turn)
    rotation = apply_pitch(rest, pitch)
    bend = (
        compute_toe_straightening(u, max(-lift_state[0, 3], 0.0))
        + compute_toe_straightening(1 - u, max(-strike_state[0, 3], 0.0))
    ) * a.foot.has_toe
    if obstacles.advances_early:
        origin[:, :2] = _advance_early(u, origin[:, :2], _measure_step_down(a.footstep, b.footstep))
    poses = FootPoses(a.foot, origin, rotation, bend)
    poses.origin[:, 2] += compute_ground_lift(
        obstacles.ground, poses, u, obstacles.clearance, obstacles.rear_length
    )
    if not a.foot.has_toe:
        poses.origin[:, 2] += compute_tip_lift(obstacles.ground, poses, u)
    poses.origin[:, 2] += raise_over_bars(obstacles.bars, poses, t)
    bend = bend + compute_toe_rise(obstacles.ground, poses, u)
    path.origin[in_swing] = poses.origin
    path.rotation[in_swing] = rotation
    path.rest_rotation[in_swing] = rest
    path.toe_bend[in_swing] = bend
    path.firmness[in_swing] = np.clip(np.abs(2 * u - 1), 0, 1) ** 2


def _measure_step_down(a: Footstep, b: Footstep) -> float:
    """Return how much lower a footstep is than on the slope of the ground under both soles [m].

    A slope has no edge that the foot must pass before it sinks.
    """
    displacement = b.position - a.position
    normal = a.rotation[:, 2] + b.rotation[:, 2]
    return float(-(normal @ displacement) / max(normal[2], 1e-6))


def _advance_early(u: Array, horizontal: Array, drop: float) -> Array:
    """Return the horizontal part of a swing [m], (n, 2), that advances sooner before a drop.

    The heel must be past the edge before it sinks.

    Args:
        u: time as a share of the swing, shape (n,).
        horizontal: horizontal part of the swing [m], shape (n, 2).
        drop: drop of the ground [m].
    """
    share = min(max(drop, 0.0) / FOOT_PATH.full_advance_drop, 1.0)
    advanced = np.minimum(u + FOOT_PATH.advance_factor * share * u * u * (1 - u), 1.0)
    return np.stack([np.interp(advanced, u, horizontal[:, axis]) for axis in range(2)], -1)


def _build_end_correction(
    t: Array, span: tuple[float, float], start_state: Array, end_state: Array, curve: CubicSpline
) -> Array:
    """Return the correction of a curve over a span that gives it the states at both ends, (n, 4).

    Positions are those of the states, rates only as far as the detours that they make are allowed:
    0.15 times the change of the rate and the duration. A velocity is changed at the lift, never at
    the strike: feet that took the velocity of their contact came down early, and thighs of
    runs were a degree farther from those of humans. At an end outside the times of the curve
    nothing is added.

    Args:
        t: n times in the span [s].
        span: begin and end [s].
        start_state, end_state: origin [m] and pitch [rad], and their rates, shape (2, 4).
        curve: origin and pitch over time, 4 columns.
    """
    errors = np.zeros((2, 3, 4))
    moments = np.array(span)
    is_inside = (curve.x[0] <= moments) & (moments <= curve.x[-1])
    errors[:, 0] = np.stack([start_state[0], end_state[0]]) - curve(moments)
    rate = np.stack([start_state[1], end_state[1]]) - curve(moments, 1)
    limits = np.zeros((2, 4))
    limits[0, :2] = FOOT_PATH.max_lift_detour
    limits[0, 2] = FOOT_PATH.max_upward_detour if rate[0, 2] > 0 else 0.0
    limits[:, 3] = FOOT_PATH.max_pitch_detour
    detours = FOOT_PATH.detour_ratio * (span[1] - span[0]) * np.abs(rate)
    errors[:, 1] = rate * np.minimum(1.0, limits / np.maximum(detours, 1e-9))
    errors *= is_inside[:, None, None]
    return Quintic(span, errors)(t)
