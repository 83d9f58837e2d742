"""How a body hangs by its hands: trunk, head and legs from a few angles,
arms from where the hands are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...geometry import so3

Array = NDArray[np.float64]

# shares of the chest's turn and list that the pelvis has
PELVIS_TWIST_SHARE = 0.35
PELVIS_LIST_SHARE = -0.25

BACK_ARCH = np.radians(5)  # by which the chest leans back against the pelvis
HEAD_PITCH = np.radians(14)
ANKLE_ANGLE = np.radians(28)  # toes down
THIGH_SPREAD = np.radians(6)  # of the thighs, outward
ELBOW_DIRECTION = np.array([0.6, 0.8, 0.0])  # where elbows point: ahead and outward
MAX_ARM_EXTENSION = 0.9995  # of an arm's length that hands are put away at


@dataclass(frozen=True)
class HangingAngles:
    """Angles over n moments, rad.

    Args:
        heading_frame: (n, 3, 3) the upright axes of the way ahead, as the plan's frame has them.
        twist: (n,) of the chest, to the left.
        list_angle: (n,) of the chest, left side up.
        thigh: (n, legs) forward from the vertical.
        knee: (n, legs) bent.
    """

    heading_frame: Array
    twist: Array
    list_angle: Array
    thigh: Array
    knee: Array

    def compute_poses(self, model: KinematicModel) -> Array:
        """Poses with the root at the origin, in the plan's frame; arms stretched up. (n, nq)."""
        character = model.character
        n = len(self.twist)
        pose = np.tile(model.neutral, (n, 1))

        def set_joint(link: int, rotation: Array) -> None:
            pose[:, model.joint_coordinates(character.links[link].joint.name)] = (
                so3.quat_from_matrix(rotation)
            )

        pelvis = so3.rotation_about("z", PELVIS_TWIST_SHARE * self.twist) @ so3.rotation_about(
            "x", PELVIS_LIST_SHARE * self.list_angle
        )
        pose[:, 3:7] = so3.quat_from_matrix(pelvis)
        chest = pelvis
        if character.trunk:
            chest = (
                so3.rotation_about("z", self.twist)
                @ so3.rotation_about("x", self.list_angle)
                @ so3.rotation_about("y", np.full(n, -BACK_ARCH))
            )
            link_rotation = so3.exp(
                so3.log(np.swapaxes(pelvis, 1, 2) @ chest) / len(character.trunk)
            )
            for link in character.trunk:
                set_joint(link, link_rotation)
        if character.head is not None:
            set_joint(
                character.head,
                np.swapaxes(chest, 1, 2)
                @ self.heading_frame
                @ so3.rotation_about("y", -HEAD_PITCH),
            )
        for k, leg in enumerate(character.legs):
            hip, knee, ankle = leg.links
            thigh = (
                self.heading_frame
                @ so3.rotation_about("x", leg.side * THIGH_SPREAD)
                @ so3.rotation_about("y", -self.thigh[:, k])
            )
            set_joint(hip, np.swapaxes(pelvis, 1, 2) @ thigh)
            pose[:, model.joint_coordinates(character.links[knee].joint.name)] = self.knee[
                :, k, None
            ]
            pose[:, model.joint_coordinates(character.links[ankle].joint.name)[0]] = ANKLE_ANGLE
        for arm in character.arms:
            set_joint(
                arm.links[0], np.swapaxes(chest, 1, 2) @ so3.rotation_about("y", np.full(n, np.pi))
            )
        return pose


def measure_arm_length(model: KinematicModel) -> float:
    """From the shoulder to the grip of a straight arm, the mean of the hands that can hold, m."""
    return float(
        np.mean([sum(_measure_arm_segments(model, k)) for k in range(len(model.character.hands))])
    )


def _measure_arm_segments(model: KinematicModel, hand: int) -> tuple[float, float]:
    """Lengths of upper arm and forearm up to the grip, m."""
    upper_arm, forearm = model.character.grasping_arms[hand].links[:2]
    offset = model.character.neutral_joint_position(
        forearm
    ) - model.character.neutral_joint_position(upper_arm)
    return float(np.linalg.norm(offset)), float(np.linalg.norm(model.character.hands[hand].grip))


def reach_with_arms(model: KinematicModel, poses: Array, grips: Array) -> Array:
    """Poses with shoulders and elbows set so that hands are where they are to
    be, as far as arms reach.

    Args:
        poses: (n, nq) placed in the world.
        grips: (n, h, 3) of the hands that can hold, world axes, m.
    """
    placed = model.compute_link_poses(poses)
    arm_poses = poses.copy()
    character = model.character
    for k, arm in enumerate(character.grasping_arms):
        upper_arm, forearm = (character.links[link] for link in arm.links[:2])
        chest = placed.rotation[:, upper_arm.parent]
        pole = chest @ (ELBOW_DIRECTION * [1.0, arm.side, 1.0])
        upper_arm_rotation, bend = _solve_arm(
            grips[:, k] - placed.origin[:, arm.links[0]], pole, *_measure_arm_segments(model, k)
        )
        arm_poses[:, model.joint_coordinates(upper_arm.joint.name)] = so3.quat_from_matrix(
            np.swapaxes(chest, 1, 2) @ upper_arm_rotation
        )
        arm_poses[:, model.joint_coordinates(forearm.joint.name)] = -bend[:, None]
    return arm_poses


def _solve_arm(
    hand_offset: Array, pole: Array, upper_length: float, forearm_length: float
) -> tuple[Array, Array]:
    """Rotation of an upper arm (n, 3, 3) and bend of the elbow (n,) for a hand away
    from its shoulder (n, 3).
    """
    max_length = MAX_ARM_EXTENSION * (upper_length + forearm_length)
    length = np.linalg.norm(hand_offset, axis=1)
    hand_direction = hand_offset / np.maximum(length, 1e-9)[:, None]
    length = np.clip(length, 1.02 * abs(upper_length - forearm_length) + 1e-3, max_length)
    bend = np.arccos(
        np.clip(
            (length**2 - upper_length**2 - forearm_length**2) / (2 * upper_length * forearm_length),
            -1,
            1,
        )
    )
    shoulder_angle = np.arccos(
        np.clip(
            (upper_length**2 + length**2 - forearm_length**2) / (2 * upper_length * length), -1, 1
        )
    )[:, None]
    elbow_direction = pole - (pole * hand_direction).sum(1, keepdims=True) * hand_direction
    elbow_direction /= np.linalg.norm(elbow_direction, axis=1, keepdims=True)
    # the way of the upper arm
    upper_arm_direction = (
        np.cos(shoulder_angle) * hand_direction + np.sin(shoulder_angle) * elbow_direction
    )
    # where the forearm bends to
    bend_direction = (
        np.sin(shoulder_angle) * hand_direction - np.cos(shoulder_angle) * elbow_direction
    )
    return np.stack(
        [bend_direction, np.cross(-upper_arm_direction, bend_direction), -upper_arm_direction], -1
    ), bend
