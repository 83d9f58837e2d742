"""Poses of a recorded four-legged body in its frame: legs, trunk, neck, head and tail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ....character.recognition.anatomy import Anatomy, LegBones
from ....errors import ClipError
from ....geometry import so3
from ..bvh import JointPoses, Recording
from ..contacts import CONTACT
from ..find_actor import compute_rest_positions
from ..strides import STRIDE

Array = NDArray[np.float64]
SolePoints = tuple[tuple[int, Array], ...]
"""Joints with points of a sole, (m, 3) relative to the joint in the rest pose."""

ROTATION_FIELDS = ("pelvis", "chest", "head")  # Fields of poses that are orientations


@dataclass(frozen=True)
class QuadrupedParameters:
    """Recognition of soles and poses of a four-legged body."""

    # Height over the lowest point of a foot up to which it is sole [hip heights].
    sole_band: float = 0.03
    # Largest number of points of the sole of a joint. Numerical: they are followed in each frame
    max_sole_points: int = 24
    # Largest difference between the heights of the feet in a standing pose [hip heights]; a lifted
    # foot is higher.
    max_foot_height_spread: float = 0.25
    # Smallest height of a leg in a standing pose, as a share of the length of its bones, which the
    # angles of knees and hocks leave; legs of bodies that lie have less.
    min_leg_extension: float = 0.6


BODY = QuadrupedParameters()


@dataclass(frozen=True)
class QuadrupedPoses:
    """Poses of a body over n frames, in a frame that moves with it.

    The axes are x forward, y left and z up. Legs are in the order left hind, right hind, left fore,
    right fore.

    Args:
        leg_roots: (n, 4, 3) hips and shoulders.
        feet: (n, 4, 3) middles of the soles.
        sole_heights: (n, 4) heights of the lowest points of the soles.
        pelvis: (n, 3, 3) orientation relative to the rest pose.
        chest: (n, 3, 3) orientation relative to the rest pose.
        neck: (n, k, 3) joints from the base of the neck to the head; k is 0 without a neck.
        head: (n, 3, 3) orientation relative to the rest pose; that of the chest without a head.
        tail: (n, k, 3) joints from the body to the tip of the tail; k is 0 without a tail.
    """

    leg_roots: Array
    feet: Array
    sole_heights: Array
    pelvis: Array
    chest: Array
    neck: Array
    head: Array
    tail: Array

    def map_arrays(self, transform: Callable[[str, Array], Array]) -> QuadrupedPoses:
        """Return poses whose fields are results of `transform(name, values)`."""
        return QuadrupedPoses(
            **{f.name: transform(f.name, getattr(self, f.name)) for f in fields(QuadrupedPoses)}
        )

    def scaled(self, scale: float) -> QuadrupedPoses:
        """Return the poses with all lengths multiplied."""
        return self.map_arrays(
            lambda name, values: values if name in ROTATION_FIELDS else scale * values
        )


@dataclass(frozen=True)
class BodyMotion:
    """Motion of a body over n frames.

    Args:
        poses: poses in the frame of the body.
        trajectory: (n, 3) x and y of that frame, and its facing [rad].
    """

    poses: QuadrupedPoses
    trajectory: Array

    def scaled(self, scale: float) -> BodyMotion:
        """Return the motion with all lengths multiplied."""
        return BodyMotion(self.poses.scaled(scale), self.trajectory * [scale, scale, 1.0])


@dataclass(frozen=True)
class _Neck:
    """Joints of a neck.

    Args:
        joints: joints from its base to the head; empty without a neck.
        head: joint of the head; None without a head.
    """

    joints: tuple[int, ...]
    head: int | None


@dataclass(frozen=True)
class _SoleTrack:
    """A sole over n frames.

    Args:
        center: (n, 3) mean of its points.
        height: (n,) height of its lowest point.
    """

    center: Array
    height: Array


@dataclass(frozen=True)
class QuadrupedBody:
    """The four-legged body of a recording.

    Args:
        recording: recorded joints.
        anatomy: role of each joint.
        to_upright: (3, 3) rotation that turns the vertical axis of the recording to z.
    """

    recording: Recording
    anatomy: Anatomy
    to_upright: Array

    @cached_property
    def rest_pose(self) -> JointPoses:
        """Rest pose of the joints, with one frame and no rotations."""
        positions = compute_rest_positions(self.recording) @ self.to_upright.T
        return JointPoses(
            positions[None], np.tile(np.eye(3), (1, len(self.recording.joints), 1, 1))
        )

    def is_standing(self, positions: Array) -> bool:
        """Return whether joints at positions (j, 3) form a standing pose."""
        root_heights = []
        end_heights = []
        lengths = []
        for leg in self.anatomy.legs:
            bones = positions[list(leg.bones)]
            root_heights.append(bones[0, 2])
            end_heights.append(bones[-1, 2])
            lengths.append(np.linalg.norm(np.diff(bones, axis=0), axis=1).sum())
        rise = np.array(root_heights) - end_heights
        return bool(
            (rise > BODY.min_leg_extension * np.array(lengths)).all()
            and np.ptp(end_heights) < BODY.max_foot_height_spread * rise.mean()
        )

    def find_soles(self, positions: Array) -> tuple[SolePoints, ...]:
        """Return the sole of each leg.

        A sole is the lowest part of the skin of a foot, or of its joints and their ends.

        Args:
            positions: (j, 3) joints in the rest pose.

        Raises:
            ClipError: a leg does not reach below its first joint.
        """
        return tuple(self._find_sole(leg, positions) for leg in self.anatomy.legs)

    def _find_sole(self, leg: LegBones, positions: Array) -> SolePoints:
        recording = self.recording
        foot_joints = [leg.ankle]
        foot_joints += [
            j
            for j in range(leg.ankle + 1, len(recording.joints))
            if _is_descendant(recording.parents, j, leg.ankle)
        ]
        skin_points = recording.rig.skin_points if recording.rig is not None else {}
        points = {j: skin_points[j] for j in foot_joints if j in skin_points}
        if not points:
            points = {
                j: np.array(
                    [
                        np.zeros(3),
                        *([recording.tips[j] @ self.to_upright.T] if j in recording.tips else []),
                    ]
                )
                for j in foot_joints
            }
        lowest = min(float((positions[j] + p)[:, 2].min()) for j, p in points.items())
        if positions[leg.hip, 2] < lowest:
            raise ClipError(
                f"The clip {recording.name} shows a body whose leg at "
                f"{recording.joints[leg.hip]!r} reaches no lower than that joint; a gait needs a "
                "body that stands on four legs."
            )
        sole_limit = lowest + BODY.sole_band * float(positions[leg.hip, 2] - lowest)
        sole_points = []
        for j, p in points.items():
            sole = p[(positions[j] + p)[:, 2] <= sole_limit]
            if len(sole):
                chosen = np.linspace(0, len(sole) - 1, BODY.max_sole_points).astype(int)
                sole_points.append((j, sole[np.unique(chosen)]))
        return tuple(sole_points)

    def compute_motion(
        self, joints: JointPoses, soles: tuple[SolePoints, ...], fps: float
    ) -> BodyMotion:
        """Return the motion of the body.

        Args:
            joints: poses of all joints, with orientations relative to the rest pose.
            soles: sole of each leg.
            fps: frame rate [Hz].
        """
        anatomy = self.anatomy
        positions = joints.positions
        leg_roots = positions[:, [leg.hip for leg in anatomy.legs]]
        back_line = smooth_over_time(
            (leg_roots[:, 2:].mean(1) - leg_roots[:, :2].mean(1))[:, :2],
            STRIDE.facing_smoothing_time * fps,
        )
        facing = np.unwrap(so3.atan2(back_line[:, 1], back_line[:, 0]))
        center = smooth_over_time(leg_roots.mean(1)[:, :2], CONTACT.body_smoothing_time * fps)
        to_facing = so3.rotation_about("z", -facing)
        origin = np.pad(center, ((0, 0), (0, 1)))

        def to_body_frame(points: Array) -> Array:
            return np.asarray(np.einsum("nij,nkj->nki", to_facing, points - origin[:, None]))

        def rotation_in_body(joint: int) -> Array:
            return np.asarray(to_facing @ joints.rotations[:, joint] @ self._rest_facing)

        sole_tracks = [_track_sole(joints, sole) for sole in soles]
        neck = self._find_neck()
        chest = anatomy.trunk[-1] if anatomy.trunk else anatomy.root
        poses = QuadrupedPoses(
            to_body_frame(leg_roots),
            to_body_frame(np.stack([track.center for track in sole_tracks], 1)),
            np.stack([track.height for track in sole_tracks], 1),
            pelvis=rotation_in_body(anatomy.root),
            chest=rotation_in_body(chest),
            neck=to_body_frame(positions[:, list(neck.joints)]),
            head=rotation_in_body(neck.head if neck.head is not None else chest),
            tail=to_body_frame(self._track_tail(joints)),
        )
        return BodyMotion(poses, np.concatenate([center, facing[:, None]], 1))

    @cached_property
    def _rest_facing(self) -> Array:
        """(3, 3) rotation from a body that faces along x to the rest pose."""
        positions = self.rest_pose.positions[0]
        fore, hind = (
            positions[[leg.hip for leg in self.anatomy.legs if leg.row == row]].mean(0)
            for row in (1, 0)
        )
        x, y, _ = fore - hind
        return np.asarray(so3.rotation_about("z", np.arctan2(y, x)))

    def _find_neck(self) -> _Neck:
        """Return the joints of the neck and of the head."""
        anatomy = self.anatomy
        if anatomy.neck is None:
            return _Neck((), None)
        chain = [k for k in (anatomy.neck_bones or (anatomy.neck,)) if k != anatomy.head]
        joints = (*chain, anatomy.head) if anatomy.head is not None and chain else ()
        return _Neck(joints, anatomy.head)

    def _track_tail(self, joints: JointPoses) -> Array:
        """Return the joints of the tail from the body to its tip over time, (n, k, 3).

        Some rigs have the tip as the parent of the other bones, so the chain is turned around where
        its first joint is farther from the hips than its last one.
        """
        anatomy = self.anatomy
        recording = self.recording
        positions = joints.positions
        if not anatomy.tails:
            return np.zeros((len(positions), 0, 3))
        chain = list(anatomy.tails[0])
        hips = positions[0, [leg.hip for leg in anatomy.legs if leg.row == 0]].mean(0)
        if np.linalg.norm(positions[0, chain[0]] - hips) > np.linalg.norm(
            positions[0, chain[-1]] - hips
        ):
            chain = chain[::-1]
        end = chain[-1]
        if end in recording.tips:
            tip = positions[:, end] + joints.rotations[:, end] @ (
                recording.tips[end] @ self.to_upright.T
            )
            return np.concatenate([positions[:, chain], tip[:, None]], axis=1)
        return positions[:, chain] if len(chain) > 1 else np.zeros((len(positions), 0, 3))


def _is_descendant(parents: tuple[int, ...], joint: int, ancestor: int) -> bool:
    """Return whether a joint is an ancestor or one of its descendants; parents come first."""
    while joint > ancestor:
        joint = parents[joint]
    return joint == ancestor


def _track_sole(joints: JointPoses, sole: SolePoints) -> _SoleTrack:
    """Return a sole over time."""
    points = np.concatenate(
        [
            joints.positions[:, None, j] + p @ np.swapaxes(joints.rotations[:, j], -1, -2)
            for j, p in sole
        ],
        axis=1,
    )
    return _SoleTrack(points.mean(1), points[..., 2].min(1))


def smooth_over_time(values: Array, sigma: float) -> Array:
    """Return values smoothed over time, (n, k) -> (n, k).

    Past the ends, the values are continued by point reflection, so trends are kept.

    Args:
        sigma: standard deviation of the filter [frames].
    """
    padding = min(int(3 * sigma), len(values) - 1)
    if padding < 1:
        return values
    padded = np.pad(values, ((padding, padding), (0, 0)), mode="reflect", reflect_type="odd")
    return np.asarray(gaussian_filter1d(padded, sigma, axis=0, mode="nearest")[padding:-padding])
