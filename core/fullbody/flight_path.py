"""Path of each foot of a body that jumps.

A foot lands on its ball, stands flat, leaves over its toes, and moves as in the pose in the air.
The ball lands at a footstep's `flat`, before the heel does at its `strike`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BPoly, CubicSpline

from ..character.character import Foot
from ..geometry import so3
from ..geometry.curves import Quintic, smootherstep
from ..motion.footstep import Footstep
from ..terrain import Ground
from .clearance import compute_ground_lift
from .foot_path import FOOT_PATH, FootPath, FootSupport
from .foot_pose import FootPoses
from .hip_path import HipPath
from .roll import ROLL, apply_pitch, find_reaching_pitch, limit_lift_rate

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FlightParameters:
    """Tuned numbers of feet that land from a flight and leave into one.

    tuned together: half or twice of detours, rates and pitch moves feet of jumps by 3 to 7 cm, or
    makes pops a degree larger (docs/dev/parameters.csv).
    """

    # Largest detour of a foot in the air due to its velocity at a contact [m]
    max_detour: float = 0.03
    # The same of its rotation [rad]
    max_rotation_detour: float = 0.5
    # Largest pitch of a foot that lands, toes down [rad]
    max_landing_pitch: float = float(np.radians(40))
    # Initial rate of a foot that comes down flat, as a multiple of its mean rate
    landing_rate_factor: float = 1.4
    # Longest time in which the difference between contact and pose fades [s]
    max_fade_time: float = 0.3
    # Shortest time in which a foot comes down or leaves [s]
    min_roll_time: float = 0.015
    # Time in which toes straighten after the lift [s]
    toe_straightening_time: float = 0.15
    # Time step of the finite differences of velocities [s]
    time_step: float = 1e-3


FLIGHT = FlightParameters()


@dataclass(frozen=True)
class _PointState:
    """Position and velocity of a point at one time."""

    position: Array  # [m], (3,)
    velocity: Array  # [m/s], (3,)


@dataclass(frozen=True)
class _RotationState:
    """Rotation and angular velocity at one time."""

    rotation: Array  # (3, 3)
    spin: Array  # [rad/s], (3,)


@dataclass(frozen=True)
class JumpPose:
    """A foot and the whole body in the poses of a jump at n equally spaced times."""

    times: Array  # [s], (n,)
    origin: Array  # Origin of the foot's link, placed along the plan [m], (n, 3)
    rotation: Array  # Rotation of the foot's link, (n, 3, 3)
    body: Array  # Rotation of the body as a whole, (n, 3, 3)

    @cached_property
    def _origin_curve(self) -> CubicSpline:
        return CubicSpline(self.times, self.origin)

    def has_time(self, time: float) -> bool:
        """Return whether a time [s] is within the times of the poses."""
        return bool(self.times[0] <= time <= self.times[-1])

    def origin_at(self, time: float) -> _PointState:
        """Return the origin of the foot at a time [s]."""
        return _PointState(self._origin_curve(time), self._origin_curve(time, 1))

    def rotation_at(self, time: float) -> _RotationState:
        """Return the rotation of the foot at a time [s]."""
        return self._interpolate_rotation(self.rotation, time)

    def body_rotation_at(self, time: float) -> _RotationState:
        """Return the rotation of the body as a whole at a time [s]."""
        return self._interpolate_rotation(self.body, time)

    def _interpolate_rotation(self, rotation: Array, time: float) -> _RotationState:
        dt = self.times[1] - self.times[0]
        u = (time - self.times[0]) / dt
        k = int(np.clip(u, 0, len(self.times) - 2))
        turn = so3.log(rotation[k + 1] @ rotation[k].T)
        return _RotationState(so3.exp((u - k) * turn) @ rotation[k], turn / dt)


@dataclass(frozen=True)
class _ToePitch:
    """Pitch of a foot relative to its rest, toes down positive."""

    angle: float = 0.0  # [rad]
    rate: float = 0.0  # [rad/s]


@dataclass(frozen=True)
class _JumpContact:
    """Contact of a footstep, with a pitch about the joint of the toes."""

    begin: float  # Landing of the ball [s]
    end: float  # Lift of the ball [s]
    footstep: Footstep
    foot: Foot
    pivot: Array  # Position of the resting joint of the toes [m], (3,)
    pitch: Quintic  # Pitch over time, toes up positive [rad]

    @staticmethod
    def from_footstep(footstep: Footstep, foot: Foot, pose: JumpPose, hip: HipPath) -> _JumpContact:
        """Return a contact that begins and ends with the pitches of the pose at these times.

        A leg that would be too short at the end raises the heel further.
        """
        begin = min(footstep.flat, footstep.strike - FLIGHT.min_roll_time)
        end = max(footstep.lift, footstep.heel_off + FLIGHT.min_roll_time)
        landing_pitch = _measure_toe_down(footstep, pose, begin, FLIGHT.max_landing_pitch).angle
        toe_off = _measure_toe_down(footstep, pose, end, ROLL.max_toe_off_pitch)
        push = toe_off.angle
        if pose.has_time(end):
            push = find_reaching_pitch(
                footstep,
                foot,
                hip.position_at(end),
                leg_length=ROLL.max_leg_stretch * hip.leg_length,
                push=push,
            )
        landing_rate = FLIGHT.landing_rate_factor * landing_pitch / (footstep.strike - begin)
        rate = limit_lift_rate(toe_off.rate, push, end - footstep.heel_off)
        heel_off = max(footstep.heel_off, footstep.strike + FLIGHT.min_roll_time)
        pitch = Quintic(
            [begin, footstep.strike, heel_off, end],
            [
                [-landing_pitch, landing_rate, 0.0],
                [0.0] * 3,
                [0.0] * 3,
                [-push, -rate, 0.0],
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

    def evaluate(self, times: Array) -> FootPoses:
        """Return the poses of the foot at n times [s]."""
        pitch = self.pitch(times)
        rotation = apply_pitch(self.footstep.rotation, pitch)
        origin = self.pivot - rotation @ self.foot.pivot
        return FootPoses(self.foot, origin, rotation, np.maximum(-pitch, 0.0) * self.foot.has_toe)

    def fill(self, path: FootPath, times: Array) -> None:
        """Write the contact into a path at n times [s]."""
        footstep = self.footstep
        foot = self.foot
        in_contact = (times >= self.begin) & (times <= self.end)
        poses = self.evaluate(times[in_contact])
        path.support[in_contact] = np.where(
            (times[in_contact] < footstep.strike) | (times[in_contact] > footstep.heel_off),
            FootSupport.BALL,
            FootSupport.FLAT,
        )
        path.origin[in_contact] = poses.origin
        path.rotation[in_contact] = poses.rotation
        path.rest_rotation[in_contact] = footstep.rotation
        path.pivot[in_contact] = self.pivot
        path.heel[in_contact] = footstep.position + footstep.rotation @ (
            foot.heel - foot.sole_center
        )
        path.toe_bend[in_contact] = poses.toe_bend


def build_flight_path(
    footsteps: list[Footstep], foot: Foot, pose: JumpPose, hip: HipPath, ground: Ground
) -> FootPath:
    """Return the path of one foot through its footsteps.

    Between them it is the foot of the pose, joined smoothly to the contacts at both ends.

    Args:
        footsteps: footsteps of this foot, in order. The first one strikes before the first time.
        foot: shape of the foot.
        pose: foot and body in the poses of the jump at n times.
        hip: hip of the leg in these poses.
        ground: ground.
    """
    times = pose.times
    contacts = [_JumpContact.from_footstep(f, foot, pose, hip) for f in footsteps]
    path = FootPath.empty(len(times), FootSupport.SWING)
    for c in contacts:
        c.fill(path, times)
    for a, b in pairwise(contacts):
        in_flight = (times > a.end) & (times < b.begin)
        if in_flight.any():
            _fill_flight(path, in_flight, a, b, pose=pose, ground=ground)
    swinging = path.support == FootSupport.SWING
    path.origin[swinging] = hip.limit_reach(path.origin[swinging], swinging)
    return path


def _measure_toe_down(
    footstep: Footstep, pose: JumpPose, time: float, max_pitch: float
) -> _ToePitch:
    """Return the pitch of the pose's foot relative to its footstep at a time [s].

    The angle is between 0 and `max_pitch` [rad]. It is 0 outside the times of the poses.
    """
    if not pose.has_time(time):
        return _ToePitch()
    state = pose.rotation_at(time)
    forward = footstep.rotation.T @ state.rotation[:, 0]
    return _ToePitch(
        float(np.clip(-np.arctan2(forward[2], forward[0]), 0.0, max_pitch)),
        float(state.spin @ footstep.rotation[:, 1]),
    )


def _compute_toe_bend(pitch: float, u: Array) -> Array:
    """Return the bend of toes [rad], (n,), that are flat on the ground at u = 0, straight at 1."""
    return max(-pitch, 0.0) * (1 - smootherstep(np.clip(u, 0, 1)))


def _fill_flight(
    path: FootPath,
    in_flight: NDArray[np.bool_],
    a: _JumpContact,
    b: _JumpContact,
    pose: JumpPose,
    ground: Ground,
) -> None:
    """Write the flight between two contacts into a path.

    Args:
        path: path of the foot. Written.
        in_flight: which of the n times are in the flight, shape (n,).
        a, b: contacts before and after the flight.
        pose: foot and body in the poses.
        ground: ground.
    """
    t = pose.times[in_flight]
    u = (t - a.end) / (b.begin - a.end)
    bend = _compute_toe_bend(
        float(a.pitch(a.end)), (t - a.end) / FLIGHT.toe_straightening_time
    ) + _compute_toe_bend(float(b.pitch(b.begin)), (b.begin - t) / FLIGHT.toe_straightening_time)
    bend *= a.foot.has_toe
    poses = FootPoses(a.foot, pose.origin[in_flight], pose.rotation[in_flight], bend)
    fade_time = min(0.5 * (b.begin - a.end), FLIGHT.max_fade_time)
    for contact, time, time_sign in ((a, a.end, -1), (b, b.begin, 1)):
        if pose.has_time(time):
            mismatch = _ContactMismatch.measure(contact, time, time_sign, pose)
            fade = _Fade(t, time, -time_sign * fade_time)
            poses = mismatch.correct(poses, pose.body[in_flight], fade)
    rest = a.footstep.rotation @ so3.exp(
        smootherstep(u)[:, None] * so3.log(a.footstep.rotation.T @ b.footstep.rotation)
    )
    lift = compute_ground_lift(ground, poses, u, clearance=0.0)
    path.origin[in_flight] = poses.origin
    path.origin[in_flight, 2] += lift
    path.rotation[in_flight] = poses.rotation
    path.rest_rotation[in_flight] = rest
    path.toe_bend[in_flight] = bend
    path.firmness[in_flight] = np.clip(np.abs(2 * u - 1), 0, 1) ** 2


@dataclass(frozen=True)
class _Fade:
    """Times over which a difference fades from a moment on, or up to it."""

    times: Array  # Times in the flight [s], (n,)
    moment: float  # Time of the full difference [s]
    duration: float  # Duration of the fade [s], negative before the moment

    def evaluate_offset(self, value: Array, rate: Array, max_detour: float) -> Array:
        """Return an offset with a value and a rate at the moment, shape (n, 3).

        The rate fades as fast as its largest detour requires.
        """
        rate_norm = float(np.linalg.norm(rate))
        rate_fade_time = min(
            abs(self.duration), max_detour / max(FOOT_PATH.detour_ratio * rate_norm, 1e-9)
        ) * np.sign(self.duration)
        return self._evaluate(self.duration, [value, 0 * value]) + self._evaluate(
            rate_fade_time, [0 * value, rate]
        )

    def _evaluate(self, duration: float, start: list[Array]) -> Array:
        """Return a curve from a value and rate at the moment to zero, shape (n, 3)."""
        zero_derivatives = [0 * start[0]] * 3
        begin, end = sorted((self.moment, self.moment + duration))
        ends = (
            [[*start, 0 * start[0]], zero_derivatives]
            if duration > 0
            else [zero_derivatives, [*start, 0 * start[0]]]
        )
        inside = ((self.times >= begin) & (self.times <= end))[:, None]
        curve = BPoly.from_derivatives([begin, end], ends)
        return np.where(inside, curve(np.clip(self.times, begin, end)), 0.0)


@dataclass(frozen=True)
class _ContactMismatch:
    """Difference of a contact from the pose's foot at an end of the contact, in body axes."""

    position: Array  # [m], (3,)
    velocity: Array  # [m/s], (3,)
    rotation: Array  # Rotation vector [rad], (3,)
    spin: Array  # [rad/s], (3,)

    @staticmethod
    def measure(
        contact: _JumpContact, time: float, time_sign: int, pose: JumpPose
    ) -> _ContactMismatch:
        """Return the difference at one end of a contact.

        Args:
            contact: contact.
            time: time of the end [s].
            time_sign: 1 for the begin of the contact, -1 for its end.
            pose: foot and body in the poses.
        """
        step = FLIGHT.time_step
        contact_poses = contact.evaluate(time + time_sign * step * np.arange(3.0))
        place = contact_poses.origin
        contact_rotation = contact_poses.rotation
        velocity = time_sign * (-1.5 * place[0] + 2 * place[1] - 0.5 * place[2]) / step
        spin = so3.log(contact_rotation[1] @ contact_rotation[0].T) * time_sign / step
        origin = pose.origin_at(time)
        foot = pose.rotation_at(time)
        body = pose.body_rotation_at(time)
        frame = body.rotation
        position_error = place[0] - origin.position
        rotation_error = so3.log(contact_rotation[0] @ foot.rotation.T)
        return _ContactMismatch(
            frame.T @ position_error,
            frame.T @ (velocity - origin.velocity - np.cross(body.spin, position_error)),
            frame.T @ rotation_error,
            frame.T @ (spin - foot.spin - np.cross(body.spin, rotation_error)),
        )

    def correct(self, poses: FootPoses, body: Array, fade: _Fade) -> FootPoses:
        """Return poses of the foot with the difference added as it fades.

        Args:
            poses: poses of the foot at n times.
            body: rotations of the body, shape (n, 3, 3). The difference turns with the body.
            fade: times of the fade.
        """
        shift = fade.evaluate_offset(self.position, self.velocity, FLIGHT.max_detour)
        turn = fade.evaluate_offset(self.rotation, self.spin, FLIGHT.max_rotation_detour)
        return FootPoses(
            poses.foot,
            poses.origin + (body @ shift[..., None])[..., 0],
            so3.exp((body @ turn[..., None])[..., 0]) @ poses.rotation,
            poses.toe_bend,
        )
