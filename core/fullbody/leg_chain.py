"""Kinematics of a single leg for many frames at once: its end, its Jacobian and its mass.

With them legs are solved without computing the poses of the whole body in each iteration.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.kinematic_model import KinematicModel, LinkPoses
from ..geometry import so3

Array = NDArray[np.float64]
Index = NDArray[np.int64]

# Distance from the hip within which hinges belong to the hip, in lengths of the leg
HIP_RATIO = 0.1


@dataclass(frozen=True)
class LegPlacement:
    """A leg with d degrees of freedom in n frames. Positions are relative to the root."""

    end: Array  # Tracked point of the foot [m], (n, 3)
    rotation: Array  # Rotation of the foot, (n, 3, 3)
    axes: Array  # Axis of each degree of freedom, (n, 3, d)
    end_jacobian: Array  # Velocity of the end per degree of freedom [m/rad], (n, 3, d)
    mass_moment: Array  # Mass times position of its links and their subtrees [kg m], (n, 3)


@dataclass(frozen=True)
class LegKinematics:
    """A leg with d degrees of freedom, of which h are hinges, in n frames with a given trunk."""

    links: tuple[_LegLink, ...]
    hip_position: Array  # Position of the hip relative to the root [m], (n, 3)
    hip_parent_rotation: Array  # Rotation of the link that the hip is attached to, (n, 3, 3)
    tracked_point: Array  # Point of the foot that is placed [m], in the frame of the foot, (3,)
    dofs: Index  # Indices of the degrees of freedom in a velocity, (d,)
    coordinates: Index  # Indices of the hinges in a pose, (h,)
    hinge_dofs: Index  # Indices of the hinges among the d degrees of freedom, (h,)
    lower: Array  # Lower limits of the hinges [rad], (h,)
    upper: Array  # Upper limits of the hinges [rad], (h,)
    is_below_hip: NDArray[np.bool_]  # Whether a hinge is below the hip, (h,)

    @staticmethod
    def from_model(
        model: KinematicModel, leg: int, placed: LinkPoses, tracked_point: Array
    ) -> LegKinematics:
        """Return a leg of a model.

        Args:
            model: body.
            leg: index of the leg.
            placed: link poses of the n frames, with the trunk to use.
            tracked_point: point of the foot that is placed [m], in its frame, shape (3,).
        """
        character = model.character
        numbers = character.legs[leg].links
        links = [character.links[k] for k in numbers]
        root = placed.origin[:, 0]
        leg_links = tuple(
            _LegLink.from_model(model, numbers, k, placed) for k in range(len(numbers))
        )
        dofs = np.concatenate([model.joint_dofs(link.joint.name) for link in links])
        hinge_coordinates = [
            model.joint_coordinates(link.joint.name)
            for link in links
            if link.joint.kind == "hinges"
        ]
        is_hinge = np.concatenate(
            [
                [link.joint.kind == "hinges"] * len(model.joint_dofs(link.joint.name))
                for link in links
            ]
        )
        ranges = np.array([r for link in links for r in link.joint.ranges]).reshape(-1, 2)
        distance_along = np.cumsum(
            [0.0, *(float(np.linalg.norm(bone.offset)) for bone in leg_links[1:])]
        )
        is_below_hip = np.repeat(
            distance_along > HIP_RATIO * distance_along[-1],
            [len(link.joint.ranges) for link in links],
        )
        return LegKinematics(
            leg_links,
            placed.origin[:, numbers[0]] - root,
            placed.rotation[:, links[0].parent],
            tracked_point=tracked_point,
            dofs=dofs,
            coordinates=np.concatenate([*hinge_coordinates, np.zeros(0, np.int64)]),
            hinge_dofs=np.flatnonzero(is_hinge),
            lower=ranges[:, 0],
            upper=ranges[:, 1],
            is_below_hip=is_below_hip,
        )

    def place(self, poses: Array, frames: Index) -> LegPlacement:
        """Return the leg in poses (k, nq) of the frames with indices `frames` (k,)."""
        position = self.hip_position[frames]
        rotation = self.hip_parent_rotation[frames]
        axes = []
        anchors = []
        mass_moment = np.zeros((len(frames), 3))
        for k, bone in enumerate(self.links):
            if k:
                position = position + rotation @ bone.offset
            turned = bone.rotate(rotation, poses)
            rotation = turned.rotation
            axes += turned.axes
            anchors += [position] * len(turned.axes)
            mass_moment += (
                bone.mass * position + (rotation @ bone.mass_moment[frames, :, None])[..., 0]
            )
        end = position + rotation @ self.tracked_point
        dof_axes = np.stack(axes, -1)
        return LegPlacement(
            end,
            rotation,
            dof_axes,
            end_jacobian=np.cross(dof_axes, end[:, :, None] - np.stack(anchors, -1), axis=1),
            mass_moment=mass_moment,
        )


@dataclass(frozen=True)
class _TurnedLink:
    """Rotation of a link in n frames, and the axes of its joint in world axes."""

    rotation: Array  # (n, 3, 3)
    axes: list[Array]  # Axis of each degree of freedom, (n, 3)


@dataclass(frozen=True)
class _LegLink:
    """A link of a leg, with the subtrees attached to it that are not part of the leg."""

    offset: Array  # Position of its joint in the frame of its parent [m], (3,)
    coordinates: Index  # Indices in a pose: an angle for each hinge, or the quaternion of a ball
    hinges: Array  # Axes of the hinges, empty for a ball, (h, 3)
    mass: float  # [kg]
    mass_moment: Array  # Mass times center of mass in the frame of the link [kg m], (n, 3)

    @staticmethod
    def from_model(
        model: KinematicModel, numbers: tuple[int, ...], k: int, placed: LinkPoses
    ) -> _LegLink:
        character = model.character
        number = numbers[k]
        subtree = [number]
        for other in range(number + 1, len(character.links)):  # Parents precede their children.
            if other not in numbers and character.links[other].parent in subtree:
                subtree.append(other)
        mass = model.link_mass[subtree]
        weighted_offset = (placed.link_com[:, subtree] - placed.origin[:, number, None]) * mass[
            :, None
        ]
        mass_moment = (
            np.swapaxes(placed.rotation[:, number], 1, 2) @ weighted_offset.sum(1)[..., None]
        )[..., 0]
        link = character.links[number]
        axes = np.array(link.joint.axes, float).reshape(-1, 3)
        return _LegLink(
            np.array(link.offset),
            model.joint_coordinates(link.joint.name),
            axes / np.linalg.norm(axes, axis=1, keepdims=True),
            mass=float(mass.sum()),
            mass_moment=mass_moment,
        )

    def rotate(self, rotation: Array, poses: Array) -> _TurnedLink:
        """Return the rotation of the link.

        Args:
            rotation: rotation of its parent, shape (n, 3, 3).
            poses: poses of the body, shape (n, nq).
        """
        if not len(self.hinges):
            rotation = rotation @ so3.quat_to_matrix(poses[:, self.coordinates])
            return _TurnedLink(rotation, [rotation[:, :, k] for k in range(3)])
        axes = []
        for coordinate, axis in zip(self.coordinates, self.hinges, strict=True):
            axes.append(rotation @ axis)
            rotation = rotation @ so3.exp(poses[:, coordinate, None] * axis)
        return _TurnedLink(rotation, axes)
