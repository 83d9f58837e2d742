"""A leg's own kinematics for many frames at once: its end, how that moves with each
joint, and where its mass is.

A body whose trunk stands still need not be placed as a whole for every try at its legs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.kinematic_model import KinematicModel, LinkPoses
from ..geometry import so3

Array = NDArray[np.float64]
Index = NDArray[np.int64]

HIP_SHARE = 0.1  # of a leg's length from the hip within which hinges belong to it


@dataclass(frozen=True)
class LegPlacement:
    """A leg of n frames with d degrees of freedom; places are against the root's."""

    end: Array  # (n, 3) of the point of the foot that is placed
    rotation: Array  # (n, 3, 3) of the foot
    axes: Array  # (n, 3, d) about which each degree of freedom turns
    end_jacobian: Array  # (n, 3, d) velocity of the end with each
    mass_moment: Array  # (n, 3) mass times place of its links and what they carry, kg m


@dataclass(frozen=True)
class LegKinematics:
    """A leg in n frames whose trunk stands as it does."""

    links: tuple[_LegLink, ...]
    hip_position: Array  # (n, 3) against the root
    hip_parent_rotation: Array  # (n, 3, 3) of the link that the hip is on
    tracked_point: Array  # (3,) the point that is placed, in the foot's frame
    dofs: Index  # (d,) of a velocity
    coordinates: Index  # of a pose; those of hinges alone, (h,)
    hinge_dofs: Index  # (h,) which of the d they are
    lower: Array  # (h,) rad
    upper: Array  # (h,)
    is_below_hip: NDArray[np.bool_]  # (h,) those farther down the leg than its hip

    @staticmethod
    def from_model(
        model: KinematicModel, leg: int, placed: LinkPoses, tracked_point: Array
    ) -> LegKinematics:
        """A leg of a model in poses that were placed."""
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
            distance_along > HIP_SHARE * distance_along[-1],
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
        """Where the leg is in poses (n, nq) of the frames `frames` (n,)."""
        position = self.hip_position[frames]
        rotation = self.hip_parent_rotation[frames]
        axes = []
        anchors = []
        mass_moment = np.zeros((len(frames), 3))
        for k, bone in enumerate(self.links):
            if k:
                position = position + rotation @ bone.offset
            rotation, link_axes = bone.rotate(rotation, poses)
            axes += link_axes
            anchors += [position] * len(link_axes)
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
class _LegLink:
    """A link of a leg."""

    offset: Array  # (3,)
    coordinates: Index  # of a pose: an angle for each hinge, or a ball's quaternion
    hinges: Array  # (h, 3) axes; none of a ball
    mass: float  # kg, with all that hangs on it and is no part of the leg
    mass_moment: Array  # (n, 3) mass times where that is, in the link's frame, kg m

    @staticmethod
    def from_model(
        model: KinematicModel, numbers: tuple[int, ...], k: int, placed: LinkPoses
    ) -> _LegLink:
        character = model.character
        number = numbers[k]
        subtree = [number]
        for other in range(number + 1, len(character.links)):  # children come after their parents
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

    def rotate(self, rotation: Array, poses: Array) -> tuple[Array, list[Array]]:
        """The link's rotation from its parent's (n, 3, 3), and the axes of its degrees
        of freedom, each (n, 3).
        """
        if not len(self.hinges):
            rotation = rotation @ so3.quat_to_matrix(poses[:, self.coordinates])
            return rotation, [rotation[:, :, k] for k in range(3)]
        axes = []
        for coordinate, axis in zip(self.coordinates, self.hinges, strict=True):
            axes.append(rotation @ axis)
            rotation = rotation @ so3.exp(poses[:, coordinate, None] * axis)
        return rotation, axes
