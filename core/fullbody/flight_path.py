"""The way of each foot of a body that jumps: down on its ball, flat, over its toes, and in the
air as the pose has it.

The ball comes down at a footstep's `flat`, before the heel does at its `strike`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BPoly, CubicSpline

from ..character.character import Foot
from ..geometry import so3
from ..geometry.quintic import Quintic
from ..motion.footstep import Footstep
from ..terrain import Ground
from .clearance import compute_ground_lift
from .foot_path import FootPath, FootSupport, pull_within_reach
from .roll import MAX_TOE_OFF_PITCH, apply_pitch

Array = NDArray[np.float64]

# m that a foot may be drawn aside for the speed that it has as it leaves or lands
MAX_DETOUR = 0.03
MAX_ROTATION_DETOUR = 0.5  # rad, the same of its rotation
MAX_LANDING_PITCH = np.radians(40)
MAX_FADE_TIME = 0.3  # s in which what a foot lacks fades, at most
MIN_ROLL_TIME = 0.015  # s that a foot takes to come down or to leave at least
TOE_STRAIGHTENING_TIME = 0.15  # s in which toes straighten after the lift


@dataclass(frozen=True)
class _JumpContact:
    """A footstep's own curve of pitch, toes up positive, about the pivot over its toes."""

    begin: float
    end: float
    footstep: Footstep
    foot: Foot
    pivot: Array  # (3,) where it rests
    pitch: Quintic

    @staticmethod
    def from_footstep(footstep: Footstep, foot: Foot, pose_foot: _PoseFoot) -> _JumpContact:
        """A contact that begins and ends with the pitch that the pose's foot has then."""
        begin = min(footstep.flat, footstep.strike - MIN_ROLL_TIME)
        end = max(footstep.lift, footstep.heel_off + MIN_ROLL_TIME)
        landing_pitch, _ = _measure_toe_down(footstep, pose_foot, begin, MAX_LANDING_PITCH)
        toe_off_pitch, rate = _measure_toe_down(footstep, pose_foot, end, MAX_TOE_OFF_PITCH)
        landing_rate = 1.4 * landing_pitch / (footstep.strike - begin)
        rate = float(
            np.clip(
                rate,
                1.2 * toe_off_pitch / (end - footstep.heel_off),
                3.0 * toe_off_pitch / (end - footstep.heel_off),
            )
        )
        pitch = Quintic(
            [begin, footstep.strike, max(footstep.heel_off, footstep.strike + MIN_ROLL_TIME), end],
            [
                [-landing_pitch, landing_rate, 0.0],
                [0.0] * 3,
                [0.0] * 3,
                [-toe_off_pitch, -rate, 0.0],
            ],
        )
        return _JumpContact(
            begin,
            end,
            footstep,
            foot=foot,
            pivot=footstep.position + footstep.rotation @ (foot.pivot - foot.sole_center),
            pitch=pitch,
        )

    def evaluate(self, times: Array) -> tuple[Array, Array]:
        """Origin (n, 3) and rotation (n, 3, 3) of the foot."""
        rotation = apply_pitch(self.footstep.rotation, self.pitch(times))
        return self.pivot - rotation @ self.foot.pivot, rotation

    def fill(self, path: FootPath, times: Array) -> None:
        """Write the contact into a path."""
        footstep = self.footstep
        foot = self.foot
        in_contact = (times >= self.begin) & (times <= self.end)
        path.support[in_contact] = np.where(
            (times[in_contact] < footstep.strike) | (times[in_contact] > footstep.heel_off),
            FootSupport.BALL,
            FootSupport.FLAT,
        )
        path.origin[in_contact], path.rotation[in_contact] = self.evaluate(times[in_contact])
        path.rest_rotation[in_contact] = footstep.rotation
        path.pivot[in_contact] = self.pivot
        path.heel[in_contact] = footstep.position + footstep.rotation @ (
            foot.heel - foot.sole_center
        )
        path.toe_bend[in_contact] = np.maximum(-self.pitch(times[in_contact]), 0.0) * foot.has_toe


class _PoseFoot:
    """A foot as the pose has it, at any time within those known."""

    def __init__(self, times: Array, origin: Array, rotation: Array, body: Array) -> None:
        self.times, self._origin, self._rotation, self.body = (
            times,
            CubicSpline(times, origin),
            rotation,
            body,
        )

    def has_time(self, time: float) -> bool:
        return bool(self.times[0] <= time <= self.times[-1])

    def origin_at(self, time: float) -> list[Array]:
        """Place and velocity. Each (3,)."""
        return [self._origin(time), self._origin(time, 1)]

    def rotation_at(self, time: float) -> tuple[Array, Array]:
        """Rotation (3, 3) and angular velocity (3,)."""
        return self._interpolate_rotation(self._rotation, time)

    def body_rotation_at(self, time: float) -> tuple[Array, Array]:
        """The same of the body as a whole."""
        return self._interpolate_rotation(self.body, time)

    def _interpolate_rotation(self, rotation: Array, time: float) -> tuple[Array, Array]:
        dt = self.times[1] - self.times[0]
        u = (time - self.times[0]) / dt
        k = int(np.clip(u, 0, len(self.times) - 2))
        turn = so3.log(rotation[k + 1] @ rotation[k].T)
        return so3.exp((u - k) * turn) @ rotation[k], turn / dt


def build_flight_path(
    times: Array,
    footsteps: list[Footstep],
    foot: Foot,
    origin: Array,
    rotation: Array,
    body: Array,
    ground: Ground,
    hip: Array,
    leg_length: float,
) -> FootPath:
    """The path of one foot through its footsteps; between them the pose's own foot, joined to
    the contacts at both ends.

    Args:
        times: (n,) rising.
        footsteps: of this foot, in order; the first strikes before the first time.
        origin, rotation: (n, 3), (n, 3, 3) that the pose gives, placed along the plan.
        body: (n, 3, 3) rotations of the body as a whole: what a foot lacks turns with it.
        hip: (n, 3) places of the hip joint in that pose.
        leg_length: length of the leg from hip to the foot's origin, m.
    """
    n = len(times)
    pose_foot = _PoseFoot(times, origin, rotation, body)
    contacts = [_JumpContact.from_footstep(f, foot, pose_foot) for f in footsteps]
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
    for c in contacts:
        c.fill(path, times)
    for a, b in pairwise(contacts):
        in_flight = (times > a.end) & (times < b.begin)
        if in_flight.any():
            _fill_flight(
                path,
                in_flight,
                a,
                b=b,
                pose_foot=pose_foot,
                origin=origin[in_flight],
                rotation=rotation[in_flight],
                ground=ground,
            )
    swinging = path.support == FootSupport.SWING
    path.origin[swinging] = pull_within_reach(path.origin[swinging], hip[swinging], leg_length)
    return path


def _measure_toe_down(
    footstep: Footstep, pose_foot: _PoseFoot, time: float, max_pitch: float
) -> tuple[float, float]:
    """How far the pose's foot has its toes down against where it rests,
    rad, and its rate, rad/s.
    """
    if not pose_foot.has_time(time):
        return 0.0, 0.0
    rotation, spin = pose_foot.rotation_at(time)
    forward = footstep.rotation.T @ rotation[:, 0]
    return float(np.clip(-np.arctan2(forward[2], forward[0]), 0.0, max_pitch)), float(
        spin @ footstep.rotation[:, 1]
    )


def _compute_toe_bend(pitch: float, u: Array) -> Array:
    """Toes that lie flat on the ground at u = 0 and are straight at 1. (n,)."""
    s = np.clip(u, 0, 1)
    return max(-pitch, 0.0) * (1 - s**3 * (10 - 15 * s + 6 * s * s))


def _fill_flight(
    path: FootPath,
    in_flight: NDArray[np.bool_],
    a: _JumpContact,
    b: _JumpContact,
    pose_foot: _PoseFoot,
    origin: Array,
    rotation: Array,
    ground: Ground,
) -> None:
    begin = a.end
    end = b.begin
    t = pose_foot.times[in_flight]
    u = (t - begin) / (end - begin)
    body = pose_foot.body[in_flight]
    for contact, end_time, time_sign in ((a, begin, -1), (b, end, 1)):
        if pose_foot.has_time(end_time):
            position_error, velocity_error, rotation_error, spin_error = _compute_mismatch(
                contact, end_time, time_sign, pose_foot
            )
            fade_time = -time_sign * min(0.5 * (end - begin), MAX_FADE_TIME)
            origin = (
                origin
                + (
                    body
                    @ _fade_mismatch(
                        t,
                        end_time,
                        fade_time,
                        value=position_error,
                        rate=velocity_error,
                        max_detour=MAX_DETOUR,
                    )[..., None]
                )[..., 0]
            )
            rotation = (
                so3.exp(
                    (
                        body
                        @ _fade_mismatch(
                            t,
                            end_time,
                            fade_time,
                            value=rotation_error,
                            rate=spin_error,
                            max_detour=MAX_ROTATION_DETOUR,
                        )[..., None]
                    )[..., 0]
                )
                @ rotation
            )
    smooth = u**3 * (10 - 15 * u + 6 * u * u)
    rest = a.footstep.rotation @ so3.exp(
        smooth[:, None] * so3.log(a.footstep.rotation.T @ b.footstep.rotation)
    )
    bend = _compute_toe_bend(
        float(a.pitch(begin)), (t - begin) / TOE_STRAIGHTENING_TIME
    ) + _compute_toe_bend(float(b.pitch(end)), (end - t) / TOE_STRAIGHTENING_TIME)
    bend *= a.foot.has_toe
    origin[:, 2] += compute_ground_lift(
        ground, a.foot, origin, rotation=rotation, bend=bend, u=u, clearance=0.0
    )
    path.origin[in_flight] = origin
    path.rotation[in_flight] = rotation
    path.rest_rotation[in_flight] = rest
    path.toe_bend[in_flight] = bend
    path.firmness[in_flight] = np.clip(np.abs(2 * u - 1), 0, 1) ** 2


def _compute_mismatch(
    contact: _JumpContact, time: float, time_sign: int, pose_foot: _PoseFoot
) -> tuple[Array, Array, Array, Array]:
    """What the pose's foot lacks at an end of a contact, in the body's axes:
    place, rotation and their rates. Each (3,).
    """
    step = 1e-3
    t = time + time_sign * step * np.arange(3.0)
    place, contact_rotation = contact.evaluate(t)
    velocity = time_sign * (-1.5 * place[0] + 2 * place[1] - 0.5 * place[2]) / step
    spin = so3.log(contact_rotation[1] @ contact_rotation[0].T) * time_sign / step
    pose_origin = pose_foot.origin_at(time)
    rotation, pose_spin = pose_foot.rotation_at(time)
    frame, body_spin = pose_foot.body_rotation_at(time)
    position_error = place[0] - pose_origin[0]
    rotation_error = so3.log(contact_rotation[0] @ rotation.T)
    return (
        frame.T @ position_error,
        frame.T @ (velocity - pose_origin[1] - np.cross(body_spin, position_error)),
        frame.T @ rotation_error,
        frame.T @ (spin - pose_spin - np.cross(body_spin, rotation_error)),
    )


def _fade_mismatch(
    t: Array, end_time: float, fade_time: float, value: Array, rate: Array, max_detour: float
) -> Array:
    """A value that fades over a span, which is negative before the moment, and a rate that fades as
    soon as it must. (n, 3).
    """
    quick_fade_time = min(
        abs(fade_time), max_detour / max(0.15 * float(np.linalg.norm(rate)), 1e-9)
    ) * np.sign(fade_time)
    return _build_fade(t, end_time, fade_time, [value, 0 * value]) + _build_fade(
        t, end_time, quick_fade_time, [0 * value, rate]
    )


def _build_fade(t: Array, end_time: float, fade_time: float, start: list[Array]) -> Array:
    zero_derivatives = [0 * start[0]] * 3
    begin, end = sorted((end_time, end_time + fade_time))
    ends = (
        [[*start, 0 * start[0]], zero_derivatives]
        if fade_time > 0
        else [zero_derivatives, [*start, 0 * start[0]]]
    )
    inside = ((t >= begin) & (t <= end))[:, None]
    return np.where(inside, BPoly.from_derivatives([begin, end], ends)(np.clip(t, begin, end)), 0.0)
