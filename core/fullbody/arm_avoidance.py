"""Arms led round the legs and the trunk where they would go through them.

The style's own pose keeps its arms clear, but the legs go where the footsteps are and the trunk
where its momentum takes it: in a tight turn a knee comes out to where the hand hangs. So poses that
were already solved tell where an arm is in the way, and the style's arms are led outward for the
next solution, in time and by no more than it takes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..character.capsule import Capsule, LineSegment, find_nearest_points
from ..character.character import Limb
from ..character.kinematic_model import KinematicModel, LinkPoses
from ..geometry import so3

Array = NDArray[np.float64]

ARM_CLEARANCE = 0.016  # m between an arm and what it is led round
PROXIMITY_MARGIN = 0.10  # m between them beyond which two parts are left out of account
OUTWARD_BIAS = 0.06  # m by which the way out leans to the body's side
SMOOTHING_TIME = 0.07  # s over which the arm is led out and back
MAX_ROUNDS = 6  # each leads out further where the arm is not clear yet
# by which a round goes further than is missing, since a smoothed peak is lower
OVERCORRECTION = 2.0
MAX_JOINT_CHANGE = 0.8  # rad that a joint is led at most
# abduction, flexion, rotation of the upper arm; flexion of the elbow
JOINT_MOBILITY = np.array([1.0, 0.25, 1.0, 0.25])


@dataclass(frozen=True)
class _ArmFrames:
    """An arm in n frames: where it hangs, and what it carries below the elbow."""

    shoulder: Array  # (n, 3)
    upper_rotation: Array  # (n, 3, 3) rotation of the upper arm
    forearm_rotation: Array  # (n, 3, 3) of the forearm in the upper arm's frame
    elbow: Array  # (3,) in the upper arm's frame
    hinge: Array  # (3,) of the elbow
    capsules: tuple[Capsule, ...]

    def apply_change(self, change: Array) -> _ArmFrames:
        """The arm with its joints changed by (n, 4): the shoulder about the upper arm's
        own axes, and the elbow.
        """
        return replace(
            self,
            upper_rotation=self.upper_rotation @ so3.exp(change[:, :3]),
            forearm_rotation=so3.exp(change[:, 3:] * self.hinge) @ self.forearm_rotation,
        )

    def compute_point_jacobian(self, point: Array) -> Array:
        """How a place of the forearm (n, 3) moves with the four joint angles. (n, 3, 4)."""
        elbow = self.shoulder + self.upper_rotation @ self.elbow
        hinge = self.upper_rotation @ self.hinge
        by_shoulder = -so3.hat(point - self.shoulder) @ self.upper_rotation
        return np.concatenate([by_shoulder, np.cross(hinge, point - elbow)[..., None]], 2)

    def place_segments(self) -> list[LineSegment]:
        """Ends of what it carries."""
        origin = self.shoulder + self.upper_rotation @ self.elbow
        rotation = self.upper_rotation @ self.forearm_rotation
        return [capsule.segment_at(origin, rotation) for capsule in self.capsules]


def separate_arms(model: KinematicModel, reference: Array, placed: LinkPoses, dt: float) -> Array:
    """The style's poses with arms that are led round the body's other parts. (n, nq).

    Args:
        reference: (n, nq) the style's poses.
        placed: the links in the poses that they led to when the body was solved,
            or in what comes near to those.
        dt: time between two frames, s.
    """
    character = model.character
    poses = reference
    shapes = model.capsules
    arm_links = {k for arm in character.arms for k in arm.links} | {character.head}
    obstacles = [c for c in shapes if c.link not in arm_links]
    for limb in character.arms:
        change = _solve_clearance(
            _build_arm(model, limb, placed, shapes),
            _Obstacles.from_capsules(obstacles, placed),
            limb.side,
            dt,
        )
        if change is None:
            continue
        velocity = np.zeros((len(reference), model.nv))
        upper_dofs, fore_dofs = (
            model.joint_dofs(character.links[k].joint.name) for k in limb.links[:2]
        )
        velocity[:, upper_dofs] = change[:, :3]
        velocity[:, fore_dofs[:1]] = change[:, 3:]
        poses = model.integrate(poses, velocity)
    return poses


@dataclass(frozen=True)
class _Obstacles:
    """What an arm may meet, in n frames."""

    segments: list[LineSegment]
    radii: list[float]
    left: Array  # (n, 3) across the pelvis

    @staticmethod
    def from_capsules(capsules: list[Capsule], placed: LinkPoses) -> _Obstacles:
        """Parts of the body by their capsules."""
        return _Obstacles(
            [c.segment_at(placed.origin[:, c.link], placed.rotation[:, c.link]) for c in capsules],
            [c.radius for c in capsules],
            placed.rotation[:, 0, :, 1],
        )

    def select_near(self, arm: _ArmFrames) -> _Obstacles:
        """Those that an arm comes near to in any frame."""
        nearby = [
            (segment, radius)
            for segment, radius in zip(self.segments, self.radii, strict=True)
            if any(
                find_nearest_points(arm_segment, segment).distance.min()
                < capsule.radius + radius + PROXIMITY_MARGIN
                for capsule, arm_segment in zip(arm.capsules, arm.place_segments(), strict=True)
            )
        ]
        return replace(
            self,
            segments=[segment for segment, _ in nearby],
            radii=[radius for _, radius in nearby],
        )


def _build_arm(
    model: KinematicModel, limb: Limb, placed: LinkPoses, shapes: tuple[Capsule, ...]
) -> _ArmFrames:
    upper, forearm = limb.links[:2]
    link = model.character.links[forearm]
    upper_rotation = placed.rotation[:, upper]
    return _ArmFrames(
        placed.origin[:, upper],
        upper_rotation,
        np.swapaxes(upper_rotation, 1, 2) @ placed.rotation[:, forearm],
        elbow=np.asarray(link.offset, float),
        hinge=np.asarray(link.joint.axes[0], float),
        capsules=tuple(c for c in shapes if c.link == forearm),
    )


def _solve_clearance(arm: _ArmFrames, obstacles: _Obstacles, side: int, dt: float) -> Array | None:
    """Joint angles (n, 4) by which an arm is clear of the others; None where it is so anyway."""
    change = np.zeros((len(arm.shoulder), 4))
    obstacles = obstacles.select_near(arm)
    for k in range(MAX_ROUNDS):
        correction = _compute_correction(
            arm.apply_change(change) if k else arm, obstacles, side * obstacles.left
        )
        if not correction.any():
            break
        change = change + OVERCORRECTION * gaussian_filter1d(
            correction, SMOOTHING_TIME / dt, axis=0, mode="nearest"
        )
    return MAX_JOINT_CHANGE * np.tanh(change / MAX_JOINT_CHANGE) if change.any() else None


def _compute_correction(arm: _ArmFrames, obstacles: _Obstacles, outward: Array) -> Array:
    """The least change of the four joints that leads an arm clear of what
    it is deepest in. (n, 4).
    """
    n = len(outward)
    deepest = np.zeros(n)
    deepest_point = np.zeros((n, 3))
    correction = np.zeros((n, 3))
    for capsule, segment in zip(arm.capsules, arm.place_segments(), strict=True):
        for other, radius in zip(obstacles.segments, obstacles.radii, strict=True):
            nearest = find_nearest_points(segment, other)
            point_on_arm = nearest.on_first
            offset = point_on_arm - nearest.on_second
            min_distance = capsule.radius + radius + ARM_CLEARANCE
            penetration = min_distance - np.linalg.norm(offset, axis=1)
            is_deeper = penetration > deepest
            if not is_deeper.any():
                continue
            direction = offset + OUTWARD_BIAS * outward
            direction /= np.maximum(np.linalg.norm(direction, axis=1, keepdims=True), 1e-9)
            offset_along = (offset * direction).sum(1)
            shift = (
                np.sqrt(np.maximum(offset_along**2 + min_distance**2 - (offset**2).sum(1), 0.0))
                - offset_along
            )
            deepest = np.where(is_deeper, penetration, deepest)
            deepest_point = np.where(is_deeper[:, None], point_on_arm, deepest_point)
            correction = np.where(is_deeper[:, None], shift[:, None] * direction, correction)
    shift = np.linalg.norm(correction, axis=1, keepdims=True)
    # (n, 4)
    row = (
        (correction / np.maximum(shift, 1e-9))[:, None] @ arm.compute_point_jacobian(deepest_point)
    )[:, 0]
    # least squares with the lazy joints heavier; a point on the shoulder's axis is not forced
    return (
        JOINT_MOBILITY
        * row
        * shift
        / np.maximum((JOINT_MOBILITY * row * row).sum(1, keepdims=True), 0.01)
    )
