"""The way of each foot: heel strike, flat, toe-off, and a swing that the style
draws and the ground raises.

Pitch is the angle of the foot against its resting place, toes up positive.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ..character.character import Foot
from ..geometry import so3
from ..geometry.quintic import Quintic
from ..motion.footstep import Footstep
from ..terrain import Ground
from .bar_clearance import HurdleBar, raise_over_bars
from .clearance import compute_ground_lift
from .roll import FootRoll, apply_pitch, build_ball_roll_curve, build_roll_curve, compute_rolls

Array = NDArray[np.float64]


class FootSupport(IntEnum):
    """What of a foot rests on the ground. A swinging foot has a way of its own,
    a free one goes where the pose has it.
    """

    SWING = 0
    HEEL = 1
    FLAT = 2
    BALL = 3
    FREE = 4


@dataclass(frozen=True)
class FootPath:
    """One foot at n times. All places in world axes, metres."""

    support: NDArray[np.int64]  # (n,) of Hold
    rotation: Array  # (n, 3, 3) wished for
    origin: Array  # (n, 3) of the foot's link, wished for
    rest_rotation: Array  # (n, 3, 3) of the sole where it rests; in a swing between its two rests
    heel: Array  # (n, 3) where the heel rests; only in a contact
    pivot: Array  # (n, 3) where the pivot over the toes rests; only in a contact
    toe_bend: Array  # (n,) by which the toes are bent up against the foot, rad
    firmness: Array  # (n,) how firmly a swing is held to its path: 1 at both ends, 0 in the middle


FULL_ADVANCE_DROP = 0.1  # m that a swing leads down, from which on it is wholly out before it sinks
# m, and upward as a foot leaves: what leaves the ground faster than it is drawn would dip into a
# slope, while a foot that is drawn faster is late all through its swing (thighs of runs were off by
# 6 degrees, tests/core/engine/test_human.py)
MAX_DETOUR = 0.015
MAX_LIFT_OFF_DETOUR = 0.06
MAX_PITCH_DETOUR = np.radians(3)
# of a swing's firmness, from which on it goes to where it stands whether the leg reaches or not
SETTLING_FIRMNESS = 0.6


@dataclass(frozen=True)
class _RollingContact:
    """A footstep's own curve of pitch and the places it pivots about."""

    footstep: Footstep
    heel: Array
    pivot: Array
    pitch: Quintic
    foot: Foot

    @staticmethod
    def from_footstep(footstep: Footstep, foot: Foot, roll: FootRoll) -> _RollingContact:
        """The contact's roll: down flat from the strike, level, and over the toes to the lift."""
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

    def evaluate(self, times: Array, about_heel: NDArray[np.bool_]) -> tuple[Array, Array]:
        """Origin (n, 3) and rotation (n, 3, 3) of the foot, rolling about its heel or its pivot."""
        rotation = apply_pitch(self.footstep.rotation, self.pitch(times))
        about_heel = (about_heel != self.footstep.toes_first) & (self.footstep.heel_raise is None)
        by_heel = self.heel - rotation @ self.foot.heel
        by_pivot = self.pivot - rotation @ self.foot.pivot
        return np.where(about_heel[:, None], by_heel, by_pivot), rotation

    def evaluate_end(self, time: float, is_landing: bool) -> Array:
        """Place of the foot's origin and pitch at an end of the contact,
        and their rates. (2, 4).
        """
        times = np.array([time])
        footstep = self.footstep
        pitch = self.pitch(times)
        rate = self.pitch(times, 1)
        about_heel = is_landing != footstep.toes_first and footstep.heel_raise is None
        rest_point, foot_point = (
            (self.heel, self.foot.heel) if about_heel else (self.pivot, self.foot.pivot)
        )
        rotation = apply_pitch(footstep.rotation, pitch[0])
        # a rotation about -y, by the pitch
        velocity = rate[0] * rotation @ np.array([foot_point[2], 0.0, -foot_point[0]])
        return np.array([[*rest_point - rotation @ foot_point, pitch[0]], [*velocity, rate[0]]])


def build_foot_path(
    times: Array,
    footsteps: list[Footstep],
    foot: Foot,
    pose_origins: Array,
    pose_pitch: Array,
    ground: Ground,
    clearance: float,
    hip: Array,
    leg_length: float,
    bars: Sequence[HurdleBar] = (),
    rear_length: float = 0.0,
) -> FootPath:
    """The path of one foot through its footsteps.

    Args:
        times: (n,) rising.
        footsteps: of this foot, in order; the first strikes before the first time.
        pose_origins: (n, 3) origins that the style's pose gives, placed along the plan;
            only their shape counts.
        pose_pitch: (n,) pitches that it gives, rad.
        clearance: height over the ground that the foot keeps in the middle of a swing, m.
        hip: (n, 3) places of the hip joint in the style's pose, placed along the plan.
        leg_length: length of the leg from hip to the foot's origin, m.
        bars: that swings pass over.
        rear_length: length behind the heel that swings carry over edges too, m.
    """
    n = len(times)
    curve = CubicSpline(times, np.column_stack([pose_origins, pose_pitch]))
    strikes = [f.strike for f in footsteps]
    # the others are elsewhen
    relevant = slice(
        max(bisect_right(strikes, times[0]) - 1, 0), bisect_left(strikes, times[-1]) + 1
    )
    contacts = [
        _RollingContact.from_footstep(f, foot, roll)
        for f, roll in zip(
            footsteps[relevant],
            compute_rolls(footsteps, foot, times, curve=curve, hip=hip, leg_length=leg_length)[
                relevant
            ],
            strict=True,
        )
    ]
    path = FootPath(
        np.zeros(n, np.int64),
        np.tile(np.eye(3), (n, 1, 1)),
        np.zeros((n, 3)),
        rest_rotation=np.tile(np.eye(3), (n, 1, 1)),
        heel=np.zeros((n, 3)),
        pivot=np.zeros((n, 3)),
        toe_bend=np.zeros(n),
        firmness=np.ones(n),
    )
    for k, c in enumerate(contacts):
        _fill_contact(path, times, c)
        if k + 1 < len(contacts):
            _fill_swing(
                path,
                times,
                c,
                b=contacts[k + 1],
                curve=curve,
                ground=ground,
                clearance=clearance,
                bars=bars,
                rear_length=rear_length,
            )
    swinging = path.support == FootSupport.SWING
    reach_correction = (
        pull_within_reach(path.origin[swinging], hip[swinging], leg_length) - path.origin[swinging]
    )
    # a foot that lands gets where it stands
    landing_firmness = np.where(np.gradient(path.firmness) > 0, path.firmness, 0.0)[swinging]
    settled = np.clip((landing_firmness - SETTLING_FIRMNESS) / (1 - SETTLING_FIRMNESS), 0, 1)[
        :, None
    ]
    path.origin[swinging] += (1 - settled**2 * (3 - 2 * settled)) * reach_correction
    return path


def _fill_contact(path: FootPath, times: Array, contact: _RollingContact) -> None:
    footstep = contact.footstep
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
    path.support[in_contact] = whole if footstep.heel_raise is None else FootSupport.BALL
    path.origin[in_contact], path.rotation[in_contact] = contact.evaluate(
        t, t < 0.5 * (footstep.flat + footstep.heel_off)
    )
    path.rest_rotation[in_contact] = footstep.rotation
    path.heel[in_contact] = contact.heel
    path.pivot[in_contact] = contact.pivot
    path.toe_bend[in_contact] = np.maximum(-contact.pitch(t), 0.0) * contact.foot.has_toe


def _fill_swing(
    path: FootPath,
    times: Array,
    a: _RollingContact,
    b: _RollingContact,
    curve: CubicSpline,
    ground: Ground,
    clearance: float,
    bars: Sequence[HurdleBar],
    rear_length: float,
) -> None:
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
    smooth = u**3 * (10 - 15 * u + 6 * u * u)
    turn = so3.log(a.footstep.rotation.T @ b.footstep.rotation)
    rest = a.footstep.rotation @ so3.exp(smooth[:, None] * turn)
    rotation = apply_pitch(rest, pitch)
    bend = (
        _compute_toe_bend(u, max(-lift_state[0, 3], 0.0))
        + _compute_toe_bend(1 - u, max(-strike_state[0, 3], 0.0))
    ) * a.foot.has_toe
    origin[:, :2] = _advance_early(u, origin[:, :2], _measure_step_down(a.footstep, b.footstep))
    origin[:, 2] += compute_ground_lift(
        ground,
        a.foot,
        origin,
        rotation=rotation,
        bend=bend,
        u=u,
        clearance=clearance,
        rear_length=rear_length,
    )
    origin[:, 2] += raise_over_bars(bars, a.foot, t, origin=origin, rotation=rotation, bend=bend)
    path.origin[in_swing] = origin
    path.rotation[in_swing] = rotation
    path.rest_rotation[in_swing] = rest
    path.toe_bend[in_swing] = bend
    path.firmness[in_swing] = np.clip(np.abs(2 * u - 1), 0, 1) ** 2


def _measure_step_down(a: Footstep, b: Footstep) -> float:
    """How much lower a footstep is than the slope of the ground under both soles would have it,
    m: a slope has no edge.
    """
    displacement = b.position - a.position
    normal = a.rotation[:, 2] + b.rotation[:, 2]
    return float(-(normal @ displacement) / max(normal[2], 1e-6))


def _advance_early(u: Array, horizontal: Array, drop: float) -> Array:
    """The level part of a swing, sooner out where it leads down: the heel must be past the edge
    before it sinks. (n, 2).
    """
    share = min(max(drop, 0.0) / FULL_ADVANCE_DROP, 1.0)
    advanced = np.minimum(u + 1.5 * share * u * u * (1 - u), 1.0)
    return np.stack([np.interp(advanced, u, horizontal[:, axis]) for axis in range(2)], -1)


def pull_within_reach(origin: Array, hip: Array, leg_length: float) -> Array:
    """Places drawn in towards the hip so that the leg need not be stretched
    straight for them. (n, 3).
    """
    offset = origin - hip
    length = np.linalg.norm(offset, axis=1, keepdims=True)
    begin = 0.9965 * leg_length
    end = 0.9995 * leg_length
    excess = np.maximum(length - begin, 0.0)
    allowed = np.where(excess > 0, begin + (end - begin) * np.tanh(excess / (end - begin)), length)
    return hip + offset * (allowed / length)


def _compute_toe_bend(u: Array, start_bend: float) -> Array:
    """Toes that straighten over the first third of a swing,
    from what they are bent by at its start.
    """
    s = np.clip(u / 0.35, 0, 1)
    return start_bend * (1 - s**3 * (10 - 15 * s + 6 * s * s))


def _build_end_correction(
    t: Array, span: tuple[float, float], start_state: Array, end_state: Array, curve: CubicSpline
) -> Array:
    """What must be added to a curve over a span so that place and pitch at both ends, and their
    rates, (2, 4), come out as given; calm ends. (n, 4).

    A rate that the curve does not have at an end takes the path aside by 0.15 times the span; what
    would exceed the detours is left out. At an end that lies outside the times for which the curve
    is known nothing is added.
    """
    errors = np.zeros((2, 3, 4))
    for error, time, end in zip(errors, span, (start_state, end_state), strict=True):
        if not curve.x[0] <= time <= curve.x[-1]:
            continue
        error[0], error[1] = end[0] - curve(time), end[1] - curve(time, 1)
        detours = (
            0.15
            * (span[1] - span[0])
            * np.array([np.linalg.norm(error[1, :2]), *np.abs(error[1, 2:])])
        )
        vertical_detour = MAX_LIFT_OFF_DETOUR if time == span[0] and error[1, 2] > 0 else MAX_DETOUR
        error[1] *= np.minimum(
            1.0,
            np.array([MAX_DETOUR, vertical_detour, MAX_PITCH_DETOUR]) / np.maximum(detours, 1e-9),
        )[[0, 0, 1, 2]]
    return Quintic(span, errors)(t)
