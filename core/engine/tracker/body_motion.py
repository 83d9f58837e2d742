"""Bring a walk in the plane to a whole body.

The planar walk sets hip, trunk and feet in the plane of the path. List and turn of pelvis and
trunk, arms and head, and the distances of the feet from the path are those of the input walk at the
same phase. Feet that rest stay exactly in place; inverse kinematics of the legs follows them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from ...character.kinematic_model import KinematicModel
from ...fullbody.foot_path import FootPath, FootSupport
from ...fullbody.leg_ik import solve_leg_ik
from ...geometry import so3
from ...motion import Footstep
from .biped import TRUNK
from .driven_cycle import DrivenCycle
from .foot_motion import PlanarFeet
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
        com_smoothing: deviation over which the center of mass is smoothed [s]; without, the
            impulses of landings would be forces within one frame.
        max_stretch: longest distance from hip to ankle where a resting foot is missed, as a share
            of the straight leg, that of `InputParameters`.
        least_miss: distance of a resting foot from its place that is tolerated [m]; twice what the
            iteration of a leg that reaches leaves, which is to lower no body.
        drop_smoothing: deviation over which the body is lowered where legs do not reach [s].
        least_bend: least bend of a knee in poses from which legs are solved [rad]; from a knee that
            is straight, the iteration is caught at the limit of its range.
        ik_rounds: largest number of iterations of the legs. tuned: after 12, a leg that had been
            straight was 1 cm off for a frame on stairs
    """

    cycle_smoothing: float = 0.04
    com_smoothing: float = 0.026
    max_stretch: float = 0.995
    least_miss: float = 5e-4
    drop_smoothing: float = 0.06
    least_bend: float = 0.05
    ik_rounds: int = 40


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
        surface: line of ground that moves, forward and up [m], shape (n, k, 2).
    """

    times: Array
    poses: Array
    reference: Array
    com: Array
    feet: tuple[FootPath, FootPath]
    footsteps: tuple[Footstep, ...]
    surface: Array = field(default_factory=lambda: np.zeros((0, 0, 2)))


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
        cycle = record.sample_cycle(times, BODY_MOTION.cycle_smoothing)
        reference = self.cycle.sample(self.model, cycle, record.first_leg)
        reference = follow_trunk(self.model, reference, record.interpolate(times))
        placed = self.model.compute_link_poses(reference)
        com = self._find_com(times, placed.com)
        reference[:, :3] += com - placed.com
        tracks = PlanarFeet(self.model, self.view, record, self.cycle.place_foot)
        feet = (tracks.build_path(0, times), tracks.build_path(1, times))
        poses = solve_leg_ik(self.model, reference, com, feet, BODY_MOTION.ik_rounds)
        drop = self._find_drop(poses, feet, 1 / (times[1] - times[0]))
        if drop.any():
            com[:, 2] -= drop
            reference[:, 2] -= drop
            poses = solve_leg_ik(self.model, reference, com, feet, BODY_MOTION.ik_rounds)
        return PlacedWalk(times, poses, reference, com, feet, tracks.list_footsteps())

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


def follow_trunk(model: KinematicModel, poses: Array, coordinates: Array) -> Array:
    """Return poses at the planar hip whose trunk has the pitch of the planar walk."""
    out = poses.copy()
    trunk = model.character.trunk[-1] if model.character.trunk else 0
    ahead = model.compute_link_poses(poses).rotation[:, trunk, :, 0]
    change = coordinates[:, 2 + TRUNK] - so3.atan2(ahead[:, 2], ahead[:, 0])
    turn = so3.quat_exp(np.stack([0 * change, -change, 0 * change], -1))
    out[:, 3:7] = so3.quat_multiply(turn, poses[:, 3:7])
    out[:, 0] = coordinates[:, 0]
    out[:, 2] = coordinates[:, 1]
    _bend_knees(model, out, coordinates)
    return out


def _bend_knees(model: KinematicModel, poses: Array, coordinates: Array) -> None:
    """Write the knees of the planar walk into poses.

    From a knee that is straight, the iteration of the legs is caught at the limit of its range.
    """
    character = model.character
    for k, leg in enumerate(character.legs):
        joint = character.links[leg.links[1]].joint
        column = model.joint_coordinates(joint.name)
        if len(column) == 1:
            bend = coordinates[:, 3 + 3 * k] - coordinates[:, 4 + 3 * k]
            poses[:, column[0]] = np.maximum(bend, BODY_MOTION.least_bend)
