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
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from ...character.character import Foot
from ...character.kinematic_model import KinematicModel
from ...fullbody.foot_path import FootPath, FootSupport
from ...fullbody.leg_ik import solve_leg_ik
from ...geometry import so3
from ...geometry.curves import smootherstep
from ...motion import Footstep
from .biped import FOOT_1, TRUNK
from .driven_cycle import DrivenCycle
from .input_walk import solve_leg
from .record import WalkRecord
from .side_view import SideView
from .simulation import SIMULATION

Array = NDArray[np.float64]


@dataclass(frozen=True)
class WholeBodyParameters:
    """How the whole body follows the planar walk.

    Args:
        cycle_smoothing: deviation over which the phase of the upper body is smoothed [s]. tuned:
            an early landing made the arms jump, test_generate.test_pushed_walk_is_sound
        com_smoothing: deviation over which the center of mass is smoothed [s].
        max_stretch: longest distance from hip to ankle where a resting foot is missed, as a share
            of the straight leg.
        least_miss: distance of a resting foot from its place that is tolerated [m].
        drop_smoothing: deviation over which the body is lowered where legs do not reach [s].
        ankle_margin: distance of ankles from the end of their range [rad].
        ankle_rounds: number of times that a heel is raised for it.
        least_bend: least bend of a knee in poses from which legs are solved [rad].
        min_contact: shortest contact of a foot [s].
        swing_time: time of a swing whose end is not simulated [s].
        settling: time steps after which a flat foot is at its place.
    """

    cycle_smoothing: float = 0.04
    com_smoothing: float = 0.026
    max_stretch: float = 0.98
    least_miss: float = 2e-3
    drop_smoothing: float = 0.06
    ankle_margin: float = 0.08
    ankle_rounds: int = 6
    least_bend: float = 0.05
    min_contact: float = 0.05
    swing_time: float = 0.4
    settling: int = 5


BODY_MOTION = WholeBodyParameters()


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
class WholeBodyMover:
    """Computation of a whole body that follows a planar walk.

    Args:
        model: body.
        view: its side view.
        cycle: poses of the input walks.
        record: planar walk.
    """

    model: KinematicModel
    view: SideView
    cycle: DrivenCycle
    record: WalkRecord

    def place(self, times: Array) -> PlacedWalk:
        """Return the motion of the body at times [s], shape (n,)."""
        record = self.record
        dt = SIMULATION.time_step
        smooth = gaussian_filter1d(record.cycle, BODY_MOTION.cycle_smoothing / dt, mode="nearest")
        first_leg = record.first_leg
        reference = self.cycle.sample(self.model, np.interp(times, record.time, smooth), first_leg)
        reference = self._follow_trunk(reference, self._coordinates(times))
        placed = self.model.compute_link_poses(reference)
        com = self._find_com(times, placed.com)
        reference[:, :3] += com - placed.com
        feet = tuple(self._build_foot_path(leg, times) for leg in (0, 1))
        poses = solve_leg_ik(self.model, reference, com, feet)
        drop = self._find_drop(poses, feet, 1 / (times[1] - times[0]))
        if drop.any():
            com[:, 2] -= drop
            reference[:, 2] -= drop
            poses = solve_leg_ik(self.model, reference, com, feet)
        footsteps = sorted(
            (f for leg in (0, 1) for f in self._footsteps[leg]), key=lambda f: f.strike
        )
        return PlacedWalk(times, poses, reference, com, (feet[0], feet[1]), tuple(footsteps))

    def _find_drop(self, poses: Array, feet: tuple[FootPath, ...], fps: float) -> Array:
        """Return a smooth distance by which the body is lowered for resting feet to reach [m].

        Args:
            poses: shape (n, nq).
            feet: paths of the feet.
            fps: frame rate [1/s].
        """
        placed = self.model.compute_link_poses(poses)
        reach = BODY_MOTION.max_stretch * self.view.leg_length
        needed = np.zeros(len(poses))
        for leg, path in zip(self.model.character.legs, feet, strict=True):
            line = placed.origin[:, leg.links[0]] - path.origin
            aside = np.minimum(np.hypot(line[:, 0], line[:, 1]), reach)
            high = line[:, 2] - np.sqrt(reach**2 - aside**2)
            missed = np.linalg.norm(placed.origin[:, leg.links[2]] - path.origin, axis=1)
            is_off = (path.support != FootSupport.SWING) & (missed > BODY_MOTION.least_miss)
            needed = np.maximum(needed, np.where(is_off, high, 0.0))
        if not needed.any():
            return needed
        spread = BODY_MOTION.drop_smoothing * fps
        wide = maximum_filter1d(needed, int(4 * spread) | 1)
        return np.asarray(gaussian_filter1d(wide, spread))

    @cached_property
    def _coordinates(self) -> CubicSpline:
        return CubicSpline(self.record.time, self.record.coordinates)

    def _find_com(self, times: Array, reference: Array) -> Array:
        """Return the center of mass: forward and up that of the planar walk with the offset of the
        input walk, and sideways that of the input walk.
        """
        record = self.record
        offset = self.cycle.sample_offset(record.cycle, record.first_leg)
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
        self._bend_knees(out, coordinates)
        return out

    def _bend_knees(self, poses: Array, coordinates: Array) -> None:
        """Write the knees of the planar walk into poses.

        From a knee that is straight, the iteration of the legs is caught at the limit of its range.
        """
        character = self.model.character
        for k, leg in enumerate(character.legs):
            joint = character.links[leg.links[1]].joint
            column = self.model.joint_coordinates(joint.name)
            if len(column) == 1:
                bend = coordinates[:, 3 + 3 * k] - coordinates[:, 4 + 3 * k]
                poses[:, column[0]] = np.maximum(bend, BODY_MOTION.least_bend)

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
            strike = time[begin] if begin else time[0] - 1.0
            lift = time[last] if last < len(time) - 1 else time[-1] + 1.0
            at_rest = flat[min(len(flat) // 2, BODY_MOTION.settling)]
            out.append(
                Footstep(
                    leg,
                    float(strike),
                    float(time[flat[0]] if begin else time[0] - 0.9),
                    heel_off=float(max(time[flat[-1]], time[flat[0]])),
                    lift=float(lift),
                    position=self._locate_sole(leg, at_rest),
                    rotation=self._rotate_sole(leg, at_rest),
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

    def _raise_heel(self, leg: int, step: Footstep, q: Array, pitch: Array) -> Array:
        """Return pitches of a foot on its toes whose ankle stays within its range, shape (n,).

        Args:
            leg: leg.
            step: contact of the foot.
            q: coordinates of the planar walk, shape (n, 9).
            pitch: of the foot in it [rad], shape (n,).
        """
        character = self.model.character
        ranges = character.links[character.legs[leg].links[2]].joint.ranges
        limit = -ranges[0][0] - BODY_MOTION.ankle_margin if ranges else np.inf
        foot = character.feet[leg]
        place = step.position + step.rotation @ (foot.pivot - foot.sole_center)
        toes = complex(place[0], place[2])
        hip = q[:, 0] + 1j * q[:, 1]
        out = pitch.copy()
        for _ in range(BODY_MOTION.ankle_rounds):
            ankle = toes - self.view.toe * np.exp(1j * out)
            shin = solve_leg(ankle - hip, self.view)[1]
            out -= np.maximum(out - shin - limit, 0.0)
        return out

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
            late = (times > step.heel_off) & (times <= step.lift)
            pitch[late] = self._raise_heel(leg, step, q[late], pitch[late])
            _rest(path, foot, step, times, pitch)
        for before, after in pairwise([*steps, *_expect_contact(steps)]):
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


def _expect_contact(steps: list[Footstep]) -> list[Footstep]:
    """Return a contact after the last one, if there is any, at which the last swing may end."""
    return [replace(s, strike=s.lift + BODY_MOTION.swing_time) for s in steps[-1:]]


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
