"""A leg's own kinematics for many frames at once: its end, how that moves with each joint, and where its mass is.

A body whose trunk stands still need not be placed as a whole for every try at its legs.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.kinematic_model import KinematicModel, Placed
from ..geometry import so3

Array = NDArray[np.float64]
Index = NDArray[np.int64]

AT_HIP = 0.1          # of a leg's length from the hip within which hinges belong to it


@dataclass(frozen=True)
class LegPlaced:
    """A leg of n frames with d degrees of freedom; places are against the root's."""

    end: Array            # (n, 3) of the point of the foot that is placed
    rotation: Array       # (n, 3, 3) of the foot
    axes: Array           # (n, 3, d) about which each degree of freedom turns
    slopes: Array         # (n, 3, d) velocity of the end with each
    moment: Array         # (n, 3) mass times place of its links and what they carry, kg m


@dataclass(frozen=True)
class LegChain:
    """A leg in n frames whose trunk stands as it does."""

    links: tuple[_Bone, ...]
    hip: Array            # (n, 3) against the root
    carrier: Array        # (n, 3, 3) of the link that the hip is on
    held: Array           # (3,) the point that is placed, in the foot's frame
    dofs: Index           # (d,) of a velocity
    coordinates: Index    # of a pose; those of hinges alone, (h,)
    hinged: Index         # (h,) which of the d they are
    low: Array            # (h,) rad
    high: Array           # (h,)
    beyond: NDArray[np.bool_]     # (h,) those farther down the leg than its hip

    @staticmethod
    def of(model: KinematicModel, leg: int, placed: Placed, held: Array) -> LegChain:
        """A leg of a model in poses that were placed."""
        character = model.character
        numbers = character.legs[leg].links
        links = [character.links[k] for k in numbers]
        root = placed.origin[:, 0]
        bones = tuple(_Bone.of(model, numbers, k, placed) for k in range(len(numbers)))
        dofs = np.concatenate([model.joint_dofs(link.joint.name) for link in links])
        at = [model.joint_coordinates(link.joint.name) for link in links if link.joint.kind == "hinges"]
        is_hinge = np.concatenate([[link.joint.kind == "hinges"] * len(model.joint_dofs(link.joint.name)) for link in links])
        ranges = np.array([r for link in links for r in link.joint.ranges]).reshape(-1, 2)
        along = np.cumsum([0.0, *(float(np.linalg.norm(bone.offset)) for bone in bones[1:])])
        beyond = np.repeat(along > AT_HIP * along[-1], [len(link.joint.ranges) for link in links])
        return LegChain(bones, placed.origin[:, numbers[0]] - root, placed.rotation[:, links[0].parent], held, dofs,
                        np.concatenate([*at, np.zeros(0, np.int64)]), np.flatnonzero(is_hinge), ranges[:, 0], ranges[:, 1], beyond)

    def place(self, poses: Array, own: Index) -> LegPlaced:
        """Where the leg is in poses (n, nq) of the frames `own` (n,)."""
        at, rotation = self.hip[own], self.carrier[own]
        axes, anchors, moment = [], [], np.zeros((len(own), 3))
        for k, bone in enumerate(self.links):
            if k:
                at = at + rotation @ bone.offset
            rotation, turned = bone.turn(rotation, poses)
            axes += turned
            anchors += [at] * len(turned)
            moment += bone.mass * at + (rotation @ bone.moment[own, :, None])[..., 0]
        end = at + rotation @ self.held
        about = np.stack(axes, -1)
        return LegPlaced(end, rotation, about, np.cross(about, end[:, :, None] - np.stack(anchors, -1), axis=1), moment)


@dataclass(frozen=True)
class _Bone:
    """A link of a leg."""

    offset: Array         # (3,)
    at: Index             # of a pose: an angle for each hinge, or a ball's quaternion
    hinges: Array         # (h, 3) axes; none of a ball
    mass: float           # kg, with all that hangs on it and is no part of the leg
    moment: Array         # (n, 3) mass times where that is, in the link's frame, kg m

    @staticmethod
    def of(model: KinematicModel, numbers: tuple[int, ...], k: int, placed: Placed) -> _Bone:
        character, number = model.character, numbers[k]
        carried = [number]
        for other in range(number + 1, len(character.links)):         # children come after their parents
            if other not in numbers and character.links[other].parent in carried:
                carried.append(other)
        mass = model.link_mass[carried]
        away = (placed.centre[:, carried] - placed.origin[:, number, None]) * mass[:, None]
        moment = (np.swapaxes(placed.rotation[:, number], 1, 2) @ away.sum(1)[..., None])[..., 0]
        link = character.links[number]
        axes = np.array(link.joint.axes, float).reshape(-1, 3)
        return _Bone(np.array(link.offset), model.joint_coordinates(link.joint.name),
                     axes / np.linalg.norm(axes, axis=1, keepdims=True), float(mass.sum()), moment)

    def turn(self, rotation: Array, poses: Array) -> tuple[Array, list[Array]]:
        """The link's rotation from its parent's (n, 3, 3), and the axes of its degrees of freedom, each (n, 3)."""
        if not len(self.hinges):
            rotation = rotation @ so3.quat_to_matrix(poses[:, self.at])
            return rotation, [rotation[:, :, k] for k in range(3)]
        axes = []
        for at, axis in zip(self.at, self.hinges, strict=True):
            axes.append(rotation @ axis)
            rotation = rotation @ so3.exp(poses[:, at, None] * axis)
        return rotation, axes
