"""Bring a walk in the plane to a whole body.

The planar walk sets hip, trunk and feet in the plane of the path. List and turn of pelvis and
trunk, arms and head, and the distances of the feet from the path are those of the input walk at the
same phase. Feet that rest stay exactly in place; inverse kinematics of the legs follows them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from ...character.character import Foot
from ...character.kinematic_model import KinematicModel
from ...character.pose_from_links import poses_from_links
from ...fullbody.foot_path import FootPath, FootSupport
from ...fullbody.leg_ik import solve_leg_ik
from ...geometry import so3
from ...geometry.curves import smootherstep
from ...motion import Footstep, Motion
from .biped import CENTER, FOOT_1, TRUNK, PlanarBiped
from .input_walk import StepSamples
from .record import WalkRecord
from .side_view import SideView
from .simulation import SIMULATION

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BodyMotionParameters:
    """How the whole body follows the planar walk.

    Args:
        cycle_smoothing: deviation over which the phase of the upper body is smoothed [s]. tuned:
            an early landing made the arms jump, test_generate.test_pushed_walk_is_sound
        com_smoothing: deviation over which the center of mass is smoothed [s].
        min_contact: shortest contact of a foot [s].
    """

    cycle_smoothing: float = 0.04
    com_smoothing: float = 0.026
    min_contact: float = 0.05


BODY_MOTION = BodyMotionParameters()
# Shares of the duration of a step at which the offset of the center of mass is measured.
OFFSET_SHARES = np.linspace(0.0, 1.0, 61)


@dataclass(frozen=True)
class InputCycle:
    """Poses of the input walk over two steps.

    Args:
        times: of the frames of the motion [s], shape (n,).
        poses: in the frame of the path, shape (n, nq).
        begins: times of the landings at which the steps on the left and on the right foot begin
            [s].
        durations: of these steps [s].
        yaw: headings of the resting feet relative to the path [rad].
        lateral: distances of the resting feet to the left of the path [m].
        offsets: from the center of mass of the planar biped to that of the body, forward and up
            [m], over the shares `OFFSET_SHARES` of the duration of each step, shape (2, k, 2).
    """

    times: Array
    poses: Array
    begins: tuple[float, float]
    durations: tuple[float, float]
    yaw: Array
    lateral: Array
    offsets: Array

    @staticmethod
    def from_motion(
        motion: Motion, model: KinematicModel, biped: PlanarBiped, steps: tuple[StepSamples, ...]
    ) -> InputCycle:
        """Return the cycle of a motion along x that begins at the origin."""
        poses = poses_from_links(
            model, motion.link_origin[:, 0], so3.quat_to_matrix(motion.link_orientation)
        )
        yaw = np.zeros(2)
        lateral = np.zeros(2)
        for leg in (0, 1):
            footsteps = [f for f in motion.footsteps if f.leg == leg]
            yaw[leg] = np.mean([f.yaw for f in footsteps])
            lateral[leg] = np.mean([f.position[1] for f in footsteps])
        return InputCycle(
            np.arange(motion.frames) / motion.fps,
            poses,
            (steps[0].begin, steps[1].begin),
            (steps[0].duration, steps[1].duration),
            yaw,
            lateral,
            offsets=np.stack([_measure_offset(motion, biped, step) for step in steps]),
        )

    def sample(self, model: KinematicModel, cycle: Array, first_leg: int) -> Array:
        """Return poses (n, nq) at numbers of steps done (n,), the first one on `first_leg`."""
        step = _find_step(cycle, first_leg)
        time = np.array(self.begins)[step.leg] + step.share * np.array(self.durations)[step.leg]
        place = np.clip(
            np.interp(time, self.times, np.arange(len(self.times))), 0, len(self.times) - 1.001
        )
        low = place.astype(int)
        change = model.difference(self.poses[low], self.poses[low + 1])
        return model.integrate(self.poses[low], (place - low)[:, None] * change)

    def sample_offset(self, cycle: Array, first_leg: int) -> Array:
        """Return `offsets` at numbers of steps done (n,), the first one on `first_leg`, (n, 2)."""
        step = _find_step(cycle, first_leg)
        by_leg = [
            np.stack([np.interp(step.share, OFFSET_SHARES, column) for column in offset.T], -1)
            for offset in self.offsets
        ]
        return np.where(step.leg[:, None] == 0, *by_leg)


@dataclass(frozen=True)
class _CycleStep:
    """Legs of steps, shape (n,), and shares of their durations that are over, shape (n,)."""

    leg: NDArray[np.int64]
    share: Array


def _find_step(cycle: Array, first_leg: int) -> _CycleStep:
    number = np.floor(cycle).astype(int)
    return _CycleStep((number + first_leg) % 2, cycle - number)


def _measure_offset(motion: Motion, biped: PlanarBiped, step: StepSamples) -> Array:
    """Return the offset of the center of mass of a motion from that of the biped, (k, 2) [m].

    The biped has its legs in one plane and its trunk without arms, list and turn, so its center of
    mass is another one in the same pose.
    """
    time = step.duration * OFFSET_SHARES
    coordinates = CubicSpline(step.time, step.coordinates)(time)
    planar = biped.locate(coordinates, biped.points[[CENTER]])[:, 0] + step.origin
    body = CubicSpline(np.arange(motion.frames) / motion.fps, motion.com)(step.begin + time)
    return np.stack([body[:, 0] - planar.real, body[:, 2] - planar.imag], -1)


@dataclass(frozen=True)
class PlacedWalk:
    """A walk of the whole body in the frame of the path, at n frames.

    Args:
        times: [s], shape (n,).
        poses: shape (n, nq).
        reference: poses of the input walk at the same phases, shape (n, nq).
        com: center of mass that the body follows [m], shape (n, 3).
        feet: paths of the feet.
        footsteps: contacts.
    """

    times: Array
    poses: Array
    reference: Array
    com: Array
    feet: tuple[FootPath, FootPath]
    footsteps: tuple[Footstep, ...]


@dataclass(frozen=True)
class BodyMover:
    """Computation of a whole body that follows a planar walk.

    Args:
        model: body.
        view: its side view.
        cycle: poses of the input walk.
        record: planar walk.
    """

    model: KinematicModel
    view: SideView
    cycle: InputCycle
    record: WalkRecord

    def place(self, times: Array) -> PlacedWalk:
        """Return the motion of the body at times [s], shape (n,)."""
        record = self.record
        dt = SIMULATION.time_step
        smooth = gaussian_filter1d(record.cycle, BODY_MOTION.cycle_smoothing / dt, mode="nearest")
        first_leg = int(record.leg[0])
        reference = self.cycle.sample(self.model, np.interp(times, record.time, smooth), first_leg)
        reference = self._follow_trunk(reference, self._coordinates(times))
        placed = self.model.compute_link_poses(reference)
        com = self._find_com(times, placed.com)
        reference[:, :3] += com - placed.com
        feet = tuple(self._build_foot_path(leg, times) for leg in (0, 1))
        poses = solve_leg_ik(self.model, reference, com, feet)
        footsteps = sorted(
            (f for leg in (0, 1) for f in self._footsteps[leg]), key=lambda f: f.strike
        )
        return PlacedWalk(times, poses, reference, com, (feet[0], feet[1]), tuple(footsteps))

    @cached_property
    def _coordinates(self) -> CubicSpline:
        return CubicSpline(self.record.time, self.record.coordinates)

    def _find_com(self, times: Array, reference: Array) -> Array:
        """Return the center of mass: forward and up that of the planar walk with the offset of the
        input walk, and sideways that of the input walk.
        """
        record = self.record
        offset = self.cycle.sample_offset(record.cycle, int(record.leg[0]))
        smooth = gaussian_filter1d(
            record.com + offset,
            BODY_MOTION.com_smoothing / SIMULATION.time_step,
            axis=0,
            mode="nearest",
        )
        x, z = CubicSpline(record.time, smooth)(times).T
        return np.stack([x, reference[:, 1], z], -1)

    def _follow_trunk(self, poses: Array, coordinates: Array) -> Array:
        """Return poses at the planar hip whose trunk has the pitch of the planar walk."""
        out = poses.copy()
        trunk = self.model.character.trunk[-1] if self.model.character.trunk else 0
        ahead = self.model.compute_link_poses(poses).rotation[:, trunk, :, 0]
        change = coordinates[:, 2 + TRUNK] - so3.atan2(ahead[:, 2], ahead[:, 0])
        turn = so3.quat_exp(np.stack([0 * change, -change, 0 * change], -1))
        out[:, 3:7] = so3.quat_multiply(turn, poses[:, 3:7])
        out[:, 0] = coordinates[:, 0]
        out[:, 2] = coordinates[:, 1]
        return out

    @cached_property
    def _footsteps(self) -> tuple[list[Footstep], list[Footstep]]:
        return self._find_footsteps(0), self._find_footsteps(1)

    def _find_footsteps(self, leg: int) -> list[Footstep]:
        """Return the contacts of a leg, each where its foot lies flat."""
        support = self.record.support[:, leg]
        is_down = np.concatenate([[False], support != FootSupport.SWING, [False]])
        edges = np.flatnonzero(np.diff(is_down.astype(np.int8)))
        time = self.record.time
        out = []
        for begin, end in zip(edges[::2], edges[1::2], strict=True):
            last = end - 1
            flat = np.flatnonzero(support[begin:end] == FootSupport.FLAT) + begin
            if not flat.size or time[last] - time[begin] < BODY_MOTION.min_contact:
                continue
            strike = time[begin] if begin else -1.0
            lift = time[last] if last < len(time) - 1 else time[-1] + 1.0
            middle = flat[len(flat) // 2]
            out.append(
                Footstep(
                    leg,
                    float(strike),
                    float(time[flat[0]] if begin else -0.9),
                    heel_off=float(max(time[flat[-1]], time[flat[0]])),
                    lift=float(lift),
                    position=self._locate_sole(leg, middle),
                    rotation=self._rotate_sole(leg, middle),
                )
            )
        return out

    def _locate_sole(self, leg: int, index: int) -> Array:
        """Return the middle of heel and ball of a flat foot [m], (3,)."""
        q = self.record.coordinates[index]
        thigh, shin, pitch = q[3 + 3 * leg : 6 + 3 * leg]
        ankle = (
            complex(q[0], q[1])
            + self.view.thigh * np.exp(1j * thigh)
            + self.view.shin * np.exp(1j * shin)
        )
        foot = self.model.character.feet[leg]
        center = ankle + complex(foot.sole_center[0], foot.sole_center[2]) * np.exp(1j * pitch)
        return np.array([center.real, self.cycle.lateral[leg], center.imag])

    def _rotate_sole(self, leg: int, index: int) -> Array:
        pitch = self.record.coordinates[index, 2 + FOOT_1 + 3 * leg]
        return so3.rotation_about("y", -pitch) @ so3.rotation_about("z", self.cycle.yaw[leg])

    def _build_foot_path(self, leg: int, times: Array) -> FootPath:
        """Return the path of a foot: exact where it rests, and as in the plane in its swings."""
        foot = self.model.character.feet[leg]
        q = self._coordinates(times)
        pitch = q[:, 2 + FOOT_1 + 3 * leg]
        yaw = so3.rotation_about("z", np.full(len(times), self.cycle.yaw[leg]))
        path = FootPath.empty(len(times), FootSupport.SWING)
        rotation = so3.rotation_about("y", -pitch) @ yaw
        ankle = (
            q[:, 0]
            + 1j * q[:, 1]
            + self.view.thigh * np.exp(1j * q[:, 3 + 3 * leg])
            + self.view.shin * np.exp(1j * q[:, 4 + 3 * leg])
        )
        origin = np.stack([ankle.real, np.full(len(times), self.cycle.lateral[leg]), ankle.imag], 1)
        path = replace(path, rotation=rotation, origin=origin.copy(), rest_rotation=yaw)
        steps = self._footsteps[leg]
        for step in steps:
            _rest(path, foot, step, times, pitch)
        for before, after in pairwise(steps):
            _join_swing(path, (times, origin), (before, after))
        return path


def _rest(path: FootPath, foot: Foot, step: Footstep, times: Array, pitch: Array) -> None:
    """Write a contact into a path. Pitch of the foot in the plane [rad], shape (n,)."""
    on = np.flatnonzero((times >= step.strike) & (times <= step.lift))
    if not on.size:
        return
    t = times[on]
    heel, pivot = (
        step.position + step.rotation @ (p - foot.sole_center) for p in (foot.heel, foot.pivot)
    )
    is_early = t < step.flat
    is_late = t > step.heel_off
    relative = pitch[on] - step.slope
    relative = np.where(
        is_early, np.maximum(relative, 0.0), np.where(is_late, np.minimum(relative, 0.0), 0.0)
    )
    rotation = so3.rotation_about("y", -relative) @ step.rotation
    about_heel = heel - rotation @ foot.heel
    about_pivot = pivot - rotation @ foot.pivot
    path.rotation[on] = rotation
    path.origin[on] = np.where(is_early[:, None], about_heel, about_pivot)
    path.rest_rotation[on] = step.rotation
    path.heel[on] = heel
    path.pivot[on] = pivot
    path.toe_bend[on] = np.maximum(-relative, 0.0) * foot.has_toe
    path.support[on] = np.where(
        is_early, FootSupport.HEEL, np.where(is_late, FootSupport.BALL, FootSupport.FLAT)
    )


def _join_swing(
    path: FootPath, planar: tuple[Array, Array], steps: tuple[Footstep, Footstep]
) -> None:
    """Move a swing of a path so that it begins and ends where the contacts have the foot.

    Args:
        path: with both contacts written.
        planar: times [s] and origins of the foot in the planar walk [m], (n, 3).
        steps: contacts before and after the swing.
    """
    times, origin = planar
    before, after = steps
    swing = np.flatnonzero((times > before.lift) & (times < after.strike))
    if not swing.size:
        return
    ends = []
    for frame in (swing[0] - 1, swing[-1] + 1):
        inside = 0 <= frame < len(times)
        ends.append(path.origin[frame] - origin[frame] if inside else np.zeros(3))
    share = smootherstep(np.clip((times[swing] - before.lift) / (after.strike - before.lift), 0, 1))
    path.origin[swing] += (1 - share[:, None]) * ends[0] + share[:, None] * ends[1]
    bend = path.toe_bend[swing[0] - 1] if swing[0] > 0 else 0.0
    path.toe_bend[swing] = bend * (1 - smootherstep(np.clip(3 * share, 0, 1)))
