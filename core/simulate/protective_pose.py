"""Pose that the joints of a falling body tend to: hips, knees and spine bent, arms reaching."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..character.character import Character
from ..geometry import so3
from .ragdoll_parameters import RagdollParameters

Array = NDArray[np.float64]


def make_protective_pose(
    character: Character,
    model: mujoco.MjModel,
    data: mujoco.MjData,
    velocity: Array,
    parameters: RagdollParameters,
) -> Array:
    """Return the coordinates of a falling body that protects itself (nq,).

    Args:
        data: state of the body as it begins to fall.
        velocity: (2,) of the root over the ground [m/s], which says where it falls to.
    """
    pose = _ProtectivePose(character, model, data.qpos.copy())
    pose.coordinates[7:] = model.qpos0[7:]
    turns = {link: parameters.spine_flexion / len(character.trunk) for link in character.trunk}
    for leg in character.legs:
        turns[leg.links[0]] = -parameters.hip_flexion
    for link, angle in turns.items():
        pose.turn_joint(link, np.array([0.0, angle, 0.0]))
    for limb in character.limbs:
        share = parameters.knee_share if limb.kind == "leg" else parameters.elbow_share
        for link in limb.links[1:2]:
            pose.bend_hinge(link, share)
    root = data.xmat[1].reshape(3, 3)
    direction = root.T @ np.array([*velocity, 0.0])
    direction[2] = 0.0
    length = float(np.linalg.norm(direction))
    if length > 0.1:
        direction /= length
        for arm in character.arms:
            is_inward = direction[1] * arm.side < 0
            reach = direction * np.array([1.0, 0.3 if is_inward else 1.0, 0.0])
            # The hanging arm points down; turning it about (-z) x reach leads it there.
            axis = np.cross([0.0, 0.0, -1.0], reach)
            pose.turn_joint(arm.links[0], parameters.arm_reach * axis)
    return pose.coordinates


class _ProtectivePose:
    """Coordinates of a body whose joints are turned one by one."""

    def __init__(self, character: Character, model: mujoco.MjModel, coordinates: Array) -> None:
        self.coordinates = coordinates
        self._character = character
        self._model = model

    def turn_joint(self, link: int, turn: Array) -> None:
        """Turn a joint by a rotation vector in the neutral directions [rad]."""
        joint = self._character.links[link].joint
        if joint.kind == "ball":
            address = self._model.jnt_qposadr[self._model.joint(joint.name).id]
            self.coordinates[address : address + 4] = so3.quat_from_matrix(so3.exp(turn))
            return
        for k, (axis, (low, high)) in enumerate(zip(joint.axes, joint.ranges, strict=True)):
            address = self._model.jnt_qposadr[self._model.joint(f"{joint.name}.{k}").id]
            self.coordinates[address] = np.clip(np.dot(axis, turn), 0.8 * low, 0.8 * high)

    def bend_hinge(self, link: int, share: float) -> None:
        """Bend the first hinge of a link by a share of its range, to the longer side."""
        joint = self._character.links[link].joint
        for k, (low, high) in enumerate(joint.ranges[:1]):
            address = self._model.jnt_qposadr[self._model.joint(f"{joint.name}.{k}").id]
            self.coordinates[address] = share * (low if -low > high else high)
