"""Poses of a body on four legs as the body itself sees them: legs, trunk, neck, head and tail from
the joints of a recording.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ....character.recognition.anatomy import Anatomy, LegBones
from ....geometry import so3
from ..bvh import Recording

Array = NDArray[np.float64]
SolePoints = tuple[tuple[tuple[int, Array], ...], ...]
"""For each leg joints and points that stand, (m, 3) in the joint's axes as it rests."""

ROTATION_FIELDS = ("pelvis", "chest", "head")  # of poses, what is turned and not placed
SOLE_BAND = 0.03  # of the hips' height over the lowest point of a foot, within which it is sole
MAX_SOLE_POINTS = 24  # of a joint's sole at most
TRAVEL_SMOOTHING_TIME = 0.25  # s over which the body's own way is evened out
FACING_SMOOTHING_TIME = 0.1  # s over which its facing is
# of the hips' height by which feet of a pose that stands are apart in height at most
MAX_FOOT_HEIGHT_SPREAD = 0.25
MIN_LEG_EXTENSION = 0.6  # of its bones' length that a leg of such a pose is high at least


@dataclass(frozen=True)
class QuadrupedPoses:
    """A body over time, left hind, right hind, left fore, right fore;
    x ahead, y left, z up, its own way taken out.

    Args:
        leg_roots: hips and shoulders. (n, 4, 3).
        feet: middles of the soles. (n, 4, 3).
        sole_heights: heights of their lowest points. (n, 4).
        pelvis, chest: turned against how they rest. (n, 3, 3).
        neck: joints from its base to the head, k = 0 where there is none. (n, k, 3).
        head: turned against how it rests; the chest where there is none. (n, 3, 3).
        tail: joints from the body to its tip. (n, k, 3).
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
        """The same with each of the arrays changed, told its name."""
        return QuadrupedPoses(
            **{f.name: transform(f.name, getattr(self, f.name)) for f in fields(QuadrupedPoses)}
        )

    def scaled(self, scale: float) -> QuadrupedPoses:
        """In another unit."""
        return self.map_arrays(
            lambda name, values: values if name in ROTATION_FIELDS else scale * values
        )


@dataclass(frozen=True)
class QuadrupedBody:
    """Which joints of a recording are what, and the rotation that brings its
    upward axis to z, (3, 3).
    """

    recording: Recording
    anatomy: Anatomy
    to_upright: Array

    @cached_property
    def rest_pose(self) -> tuple[Array, Array]:
        """Joints as the recording has them at rest, and how they are turned: not at all.
        (1, j, 3), (1, j, 3, 3).
        """
        r = self.recording
        positions = np.zeros_like(r.offsets)
        for k, parent in enumerate(r.parents):
            positions[k] = r.offsets[k] + (positions[parent] if parent >= 0 else 0.0)
        return (positions @ self.to_upright.T)[None], np.tile(np.eye(3), (1, len(r.joints), 1, 1))

    def is_standing(self, positions: Array) -> bool:
        """Whether joints (j, 3) are those of a body that stands."""
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
            (rise > MIN_LEG_EXTENSION * np.array(lengths)).all()
            and np.ptp(end_heights) < MAX_FOOT_HEIGHT_SPREAD * rise.mean()
        )

    def find_soles(self, positions: Array) -> SolePoints:
        """What each leg stands on, of joints (j, 3) at rest: the lowest part of its skin, or of
        its joints and their ends.
        """
        return tuple(self._find_sole(leg, positions) for leg in self.anatomy.legs)

    def _find_sole(self, leg: LegBones, positions: Array) -> tuple[tuple[int, Array], ...]:
        r = self.recording
        foot_joints = [leg.ankle]
        foot_joints += [
            j
            for j in range(leg.ankle + 1, len(r.joints))
            if _is_descendant(r.parents, j, leg.ankle)
        ]
        skin_points = r.rig.skin_points if r.rig is not None else {}
        points = {j: skin_points[j] for j in foot_joints if j in skin_points}
        if not points:
            points = {
                j: np.array(
                    [np.zeros(3), *([r.tips[j] @ self.to_upright.T] if j in r.tips else [])]
                )
                for j in foot_joints
            }
        lowest = min(float((positions[j] + p)[:, 2].min()) for j, p in points.items())
        sole_limit = lowest + SOLE_BAND * float(positions[leg.hip, 2] - lowest)
        sole_points = []
        for j, p in points.items():
            sole = p[(positions[j] + p)[:, 2] <= sole_limit]
            if len(sole):
                sole_points.append(
                    (j, sole[np.unique(np.linspace(0, len(sole) - 1, MAX_SOLE_POINTS).astype(int))])
                )
        return tuple(sole_points)

    def compute_poses(
        self, positions: Array, rotations: Array, soles: SolePoints, fps: float
    ) -> tuple[QuadrupedPoses, Array]:
        """The body as it sees itself, and its way: place along x and y and facing, (n, 3).

        Args:
            positions: of all joints. (n, j, 3).
            rotations: of all joints, against how they rest. (n, j, 3, 3).
        """
        anatomy = self.anatomy
        leg_roots = positions[:, [leg.hip for leg in anatomy.legs]]
        back_line = smooth_over_time(
            (leg_roots[:, 2:].mean(1) - leg_roots[:, :2].mean(1))[:, :2],
            FACING_SMOOTHING_TIME * fps,
        )
        facing = np.unwrap(so3.atan2(back_line[:, 1], back_line[:, 0]))
        center = smooth_over_time(leg_roots.mean(1)[:, :2], TRAVEL_SMOOTHING_TIME * fps)
        to_facing = so3.rotation_about("z", -facing)
        origin = np.pad(center, ((0, 0), (0, 1)))

        def to_body_frame(points: Array) -> Array:
            return np.asarray(np.einsum("nij,nkj->nki", to_facing, points - origin[:, None]))

        def rotation_in_body(joint: int) -> Array:
            # told against the body that rests looking along x
            return np.asarray(to_facing @ rotations[:, joint] @ self._rest_facing)

        feet, sole_heights = zip(
            *(_locate_sole(positions, rotations, sole) for sole in soles), strict=True
        )
        neck, head = self._find_neck()
        chest = anatomy.trunk[-1] if anatomy.trunk else anatomy.root
        tail, tip = self._find_tail(positions, rotations)
        tail_points = (
            np.concatenate([positions[:, tail], tip[:, None]], axis=1)
            if tail
            else np.zeros((len(positions), 0, 3))
        )
        return QuadrupedPoses(
            to_body_frame(leg_roots),
            to_body_frame(np.stack(feet, 1)),
            np.stack(sole_heights, 1),
            pelvis=rotation_in_body(anatomy.root),
            chest=rotation_in_body(chest),
            neck=to_body_frame(positions[:, neck]),
            head=rotation_in_body(head if head is not None else chest),
            tail=to_body_frame(tail_points),
        ), np.concatenate([center, facing[:, None]], 1)

    @cached_property
    def _rest_facing(self) -> Array:
        """From a body that looks along x to how this one rests. (3, 3)."""
        positions = self.rest_pose[0][0]
        fore, hind = (
            positions[[leg.hip for leg in self.anatomy.legs if leg.row == row]].mean(0)
            for row in (1, 0)
        )
        x, y, _ = fore - hind
        return np.asarray(so3.rotation_about("z", np.arctan2(y, x)))

    def _find_neck(self) -> tuple[list[int], int | None]:
        """Joints of the neck up to the head's, and the head."""
        anatomy = self.anatomy
        if anatomy.neck is None:
            return [], None
        chain = [k for k in (anatomy.neck_bones or (anatomy.neck,)) if k != anatomy.head]
        return ([*chain, anatomy.head] if anatomy.head is not None and chain else []), anatomy.head

    def _find_tail(self, positions: Array, rotations: Array) -> tuple[list[int], Array]:
        """Joints of the tail from the body on, and its tip, (n, 3). Some rigs hang its bones on
        each other from the tip on.
        """
        anatomy = self.anatomy
        r = self.recording
        if not anatomy.tails:
            return [], np.zeros((len(positions), 3))
        chain = list(anatomy.tails[0])
        hips = positions[0, [leg.hip for leg in anatomy.legs if leg.row == 0]].mean(0)
        if np.linalg.norm(positions[0, chain[0]] - hips) > np.linalg.norm(
            positions[0, chain[-1]] - hips
        ):
            chain = chain[::-1]
        end = chain[-1]
        if end in r.tips:
            return chain, positions[:, end] + rotations[:, end] @ (r.tips[end] @ self.to_upright.T)
        return (chain[:-1], positions[:, end]) if len(chain) > 1 else ([], positions[:, end])


def _is_descendant(parents: tuple[int, ...], joint: int, ancestor: int) -> bool:
    while joint > ancestor:
        joint = parents[joint]
    return joint == ancestor


def _locate_sole(
    positions: Array, rotations: Array, sole: tuple[tuple[int, Array], ...]
) -> tuple[Array, Array]:
    """Middle of a sole and its lowest height. (n, 3), (n,)."""
    points = np.concatenate(
        [positions[:, None, j] + p @ np.swapaxes(rotations[:, j], -1, -2) for j, p in sole], axis=1
    )
    return points.mean(1), points[..., 2].min(1)


def smooth_over_time(values: Array, sigma: float) -> Array:
    """Smoothed over time, going on at the ends as it does there. (n, k) -> (n, k)."""
    padding = min(int(3 * sigma), len(values) - 1)
    if padding < 1:
        return values
    padded = np.pad(values, ((padding, padding), (0, 0)), mode="reflect", reflect_type="odd")
    return np.asarray(gaussian_filter1d(padded, sigma, axis=0, mode="nearest")[padding:-padding])
