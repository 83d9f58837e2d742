"""Arms that avoid the legs and the trunk.

The poses of a style keep their arms clear. But the legs follow the footsteps, and the trunk follows
the momentum: in a tight turn a knee moves outward to where the hand hangs. So intersections are
measured in solved poses. The arms of the style are then moved outward for the next solution,
smoothly in time and only as far as necessary. What touches for a while in the poses of the style,
as hands that are folded before the belly, may touch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, grey_opening

from ..character.capsule import Capsule, LineSegment, find_nearest_points
from ..character.character import Limb
from ..character.kinematic_model import KinematicModel, LinkPoses
from ..geometry import so3

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ArmAvoidanceParameters:
    """How far and how smoothly arms avoid other parts of the body.

    Half or twice of each moves arms by at most 3 cm and worsens no measure
    (docs/dev/parameters.csv).
    """

    # Distance between an arm and other parts [m]
    clearance: float = 0.016
    # Distance beyond which two parts are not considered [m]
    proximity_margin: float = 0.10
    # Weight of the outward direction relative to the direction between the parts [m]
    outward_bias: float = 0.06
    # Standard deviation of the smoothing of the change [s]
    smoothing_time: float = 0.07
    # Time for which an arm must touch in the poses of the style to be allowed to [s]. An arm that
    # swings through a round body touches for less than half of a cycle
    touch_time: float = 0.4
    # Largest number of iterations, each of which increases the change where it is too small
    max_rounds: int = 6
    # Factor of the missing change in an iteration, since smoothing reduces its peak
    overcorrection: float = 2.0
    # Largest change of a joint [rad]
    max_joint_change: float = 0.8
    # Mobility of abduction, flexion and rotation of the upper arm, and of flexion of the elbow
    joint_mobility: tuple[float, float, float, float] = (1.0, 0.25, 1.0, 0.25)
    # Least squared lever, weighted with the mobility [m^2]. A point close to the axis of the
    # shoulder is not moved by force.
    min_squared_lever: float = 0.01


ARM_AVOIDANCE = ArmAvoidanceParameters()


@dataclass(frozen=True)
class _ArmFrames:
    """An arm in n frames, with the capsules of its forearm."""

    shoulder: Array  # Position of the shoulder [m], (n, 3)
    upper_rotation: Array  # Rotation of the upper arm, (n, 3, 3)
    forearm_rotation: Array  # Rotation of the forearm in the frame of the upper arm, (n, 3, 3)
    elbow: Array  # Position of the elbow in the frame of the upper arm [m], (3,)
    hinge: Array  # Axis of the elbow, (3,)
    capsules: tuple[Capsule, ...]

    def apply_change(self, change: Array) -> _ArmFrames:
        """Return the arm with changed joints.

        Args:
            change: rotation of the shoulder about the axes of the upper arm, and of the elbow
                [rad], shape (n, 4).
        """
        return replace(
            self,
            upper_rotation=self.upper_rotation @ so3.exp(change[:, :3]),
            forearm_rotation=so3.exp(change[:, 3:] * self.hinge) @ self.forearm_rotation,
        )

    def compute_point_jacobian(self, point: Array) -> Array:
        """Return the derivative of a point of the forearm with respect to its joints, (n, 3, 4).

        Args:
            point: positions [m], shape (n, 3).
        """
        elbow = self.shoulder + self.upper_rotation @ self.elbow
        hinge = self.upper_rotation @ self.hinge
        by_shoulder = -so3.hat(point - self.shoulder) @ self.upper_rotation
        return np.concatenate([by_shoulder, np.cross(hinge, point - elbow)[..., None]], 2)

    def place_segments(self) -> list[LineSegment]:
        """Return the axis of each capsule."""
        origin = self.shoulder + self.upper_rotation @ self.elbow
        rotation = self.upper_rotation @ self.forearm_rotation
        return [capsule.segment_at(origin, rotation) for capsule in self.capsules]


def separate_arms(
    model: KinematicModel, styled: LinkPoses, reference: Array, placed: LinkPoses, *, dt: float
) -> Array:
    """Return poses of the style (n, nq) whose arms avoid other parts of the body.

    Args:
        model: body.
        styled: links in the poses of the style.
        reference: poses of the style, possibly with arms that have been moved, shape (n, nq).
        placed: links in the solved poses, or in an approximation of them.
        dt: time between two frames [s].
    """
    character = model.character
    poses = reference
    obstacles = _list_obstacles(model)
    for limb, radii in zip(character.arms, _limit_radii(model), strict=True):
        arm = _build_arm(model, limb, placed)
        placed_obstacles = _Obstacles.from_capsules(obstacles, placed, radii)
        near = placed_obstacles.find_near(arm)
        styled_obstacles = _Obstacles.from_capsules(
            [obstacles[k] for k in near], styled, [radii[k] for k in near]
        )
        change = _solve_clearance(
            arm,
            placed_obstacles.select(near).allow_touch(
                _build_arm(model, limb, styled), styled_obstacles, dt
            ),
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
    """Parts of the body that an arm avoids, in n frames."""

    segments: list[LineSegment]  # Axes of capsules
    # Radii of the capsules [m], each (n,). Negative where an arm may touch the axis
    radii: list[Array]
    left: Array  # Direction from right to left in the pelvis, (n, 3)

    @staticmethod
    def from_capsules(
        capsules: list[Capsule], placed: LinkPoses, radii: Sequence[float]
    ) -> _Obstacles:
        """Return the obstacles of some capsules of the body, with given radii [m]."""
        return _Obstacles(
            [c.segment_at(placed.origin[:, c.link], placed.rotation[:, c.link]) for c in capsules],
            [np.full(len(placed.origin), radius) for radius in radii],
            placed.rotation[:, 0, :, 1],
        )

    def allow_touch(self, arm: _ArmFrames, styled: _Obstacles, dt: float) -> _Obstacles:
        """Return obstacles that are smaller where an arm touches them in the poses of the style.

        Depths that last for less than `touch_time` are not allowed: the arm passes through.

        Args:
            arm: arm in the poses of the style.
            styled: these obstacles in the poses of the style.
            dt: time between two frames [s].
        """
        frames = max(round(ARM_AVOIDANCE.touch_time / dt), 1)
        radii = []
        for full_radius, segment, radius in zip(
            self.radii, styled.segments, styled.radii, strict=True
        ):
            depth = np.max(
                [
                    capsule.radius
                    + radius
                    + ARM_AVOIDANCE.clearance
                    - find_nearest_points(arm_segment, segment).distance
                    for capsule, arm_segment in zip(arm.capsules, arm.place_segments(), strict=True)
                ],
                axis=0,
            )
            lasting = grey_opening(np.maximum(depth, 0.0), size=frames, mode="nearest")
            radii.append(full_radius - lasting)
        return replace(self, radii=radii)

    def find_near(self, arm: _ArmFrames) -> list[int]:
        """Return the indices of the obstacles that are close to an arm in any frame."""
        arm_segments = arm.place_segments()
        return [
            k
            for k, (segment, radius) in enumerate(zip(self.segments, self.radii, strict=True))
            if any(
                (
                    find_nearest_points(arm_segment, segment).distance
                    < capsule.radius + radius + ARM_AVOIDANCE.proximity_margin
                ).any()
                for capsule, arm_segment in zip(arm.capsules, arm_segments, strict=True)
            )
        ]

    def select(self, indices: Sequence[int]) -> _Obstacles:
        """Return some of the obstacles."""
        return replace(
            self,
            segments=[self.segments[k] for k in indices],
            radii=[self.radii[k] for k in indices],
        )


def _list_obstacles(model: KinematicModel) -> list[Capsule]:
    """Return the solids that arms avoid: all but those of arms and head."""
    character = model.character
    arm_links = {k for arm in character.arms for k in arm.links} | {character.head}
    return [c for c in model.capsules if c.link not in arm_links]


@lru_cache(maxsize=8)
def _limit_radii(model: KinematicModel) -> tuple[tuple[float, ...], ...]:
    """Return the radii of the obstacles for each arm [m].

    They depend on the body only, and every half cycle of a drive needs them.
    """
    hanging = model.compute_link_poses(model.neutral[None])
    obstacles = _list_obstacles(model)
    forearms = [
        [c for c in model.capsules if c.link == limb.lower_link] for limb in model.character.arms
    ]
    return tuple(tuple(_limit_radius(c, arm, hanging) for c in obstacles) for arm in forearms)


def _limit_radius(obstacle: Capsule, forearm: list[Capsule], hanging: LinkPoses) -> float:
    """Return the radius of an obstacle that leaves a hanging forearm clear [m].

    The solid of a round body may reach beyond its arms, where its skin does not: the neutral pose
    has the arms outside of the skin. A solid that encloses such an arm is smaller for it.

    Args:
        obstacle: solid of the body.
        forearm: solids of the forearm.
        hanging: links in the neutral pose, one frame.
    """
    segment, *arm_segments = (
        c.segment_at(hanging.origin[:, c.link], hanging.rotation[:, c.link])
        for c in (obstacle, *forearm)
    )
    radius = obstacle.radius
    for capsule, arm_segment in zip(forearm, arm_segments, strict=True):
        distance = float(find_nearest_points(arm_segment, segment).distance[0])
        free_radius = distance - capsule.radius - ARM_AVOIDANCE.clearance
        if radius - free_radius > 2 * capsule.radius:
            radius = max(free_radius, 0.0)
    return radius


def _build_arm(model: KinematicModel, limb: Limb, placed: LinkPoses) -> _ArmFrames:
    """Return an arm as it is placed in n frames."""
    upper, forearm = limb.links[:2]
    link = model.character.links[forearm]
    upper_rotation = placed.rotation[:, upper]
    return _ArmFrames(
        placed.origin[:, upper],
        upper_rotation,
        np.swapaxes(upper_rotation, 1, 2) @ placed.rotation[:, forearm],
        elbow=np.asarray(link.offset, float),
        hinge=np.asarray(link.joint.axes[0], float),
        capsules=tuple(c for c in model.capsules if c.link == forearm),
    )


def _solve_clearance(arm: _ArmFrames, obstacles: _Obstacles, side: int, dt: float) -> Array | None:
    """Return the change of an arm's joints that clears obstacles [rad], shape (n, 4).

    Return None if the arm is clear.

    Args:
        arm: arm in n frames.
        obstacles: parts to avoid.
        side: side of the arm, 1 for left or -1 for right.
        dt: time between two frames [s].
    """
    change = np.zeros((len(arm.shoulder), 4))
    for k in range(ARM_AVOIDANCE.max_rounds):
        correction = _compute_correction(
            arm.apply_change(change) if k else arm, obstacles, side * obstacles.left
        )
        if not correction.any():
            break
        change = change + ARM_AVOIDANCE.overcorrection * gaussian_filter1d(
            correction, ARM_AVOIDANCE.smoothing_time / dt, axis=0, mode="nearest"
        )
    limit = ARM_AVOIDANCE.max_joint_change
    return limit * np.tanh(change / limit) if change.any() else None


def _compute_correction(arm: _ArmFrames, obstacles: _Obstacles, outward: Array) -> Array:
    """Return the least change of the joints that clears the deepest intersection [rad], (n, 4).

    Args:
        arm: arm in n frames.
        obstacles: parts to avoid.
        outward: outward direction, shape (n, 3).
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
            min_distance = capsule.radius + radius + ARM_AVOIDANCE.clearance
            penetration = min_distance - np.linalg.norm(offset, axis=1)
            is_deeper = penetration > deepest
            if not is_deeper.any():
                continue
            direction = offset + ARM_AVOIDANCE.outward_bias * outward
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
    direction = correction / np.maximum(shift, 1e-9)
    row = (direction[:, None] @ arm.compute_point_jacobian(deepest_point))[:, 0]  # (n, 4)
    # Weighted least squares: joints of low mobility move less.
    mobility = np.array(ARM_AVOIDANCE.joint_mobility)
    squared_lever = np.maximum(
        (mobility * row * row).sum(1, keepdims=True), ARM_AVOIDANCE.min_squared_lever
    )
    return mobility * row * shift / squared_lever
