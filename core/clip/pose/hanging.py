"""Poses of a body that hangs by its hands.

Trunk, head and legs follow from a few angles, arms from the positions of the hands.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...geometry import so3

Array = NDArray[np.float64]

# Direction of the elbows, forward and outward, as pictures show it (see below)
ELBOW_DIRECTION = np.array([0.6, 0.8, 0.0])
MAX_ARM_EXTENSION = 0.9995  # Largest distance of hand and shoulder, as a share of the arm


@dataclass(frozen=True)
class HangingPoseParameters:
    """Posture of a hanging body: set by hand, as pictures of people on monkey bars show it."""

    # Turn and list of the pelvis, as shares of those of the chest; the pelvis lists to the other
    # side, as the legs hang below the hand that holds.
    pelvis_twist_share: float = 0.35
    pelvis_list_share: float = -0.25
    back_arch: float = float(np.radians(5))  # Backward lean of the chest to the pelvis [rad]
    head_pitch: float = float(np.radians(14))  # Pitch of the head, face up to the next bar [rad]
    # Angle of the ankles, toes down [rad], that of feet without load
    ankle_angle: float = float(np.radians(28))
    # Outward angle of the thighs [rad], so that bent knees do not touch
    thigh_spread: float = float(np.radians(6))


HANGING_POSE = HangingPoseParameters()


@dataclass(frozen=True)
class HangingAngles:
    """Angles of a hanging body at n times.

    Args:
        heading_frame: (n, 3, 3) upright axes of the direction of travel in the frame of the plan.
        twist: (n,) turn of the chest to the left [rad].
        list_angle: (n,) list of the chest, left side up [rad].
        thigh: (n, legs) forward angle of the thighs to the vertical [rad].
        knee: (n, legs) bend of the knees [rad].
    """

    heading_frame: Array
    twist: Array
    list_angle: Array
    thigh: Array
    knee: Array

    def compute_poses(self, model: KinematicModel) -> Array:
        """Return poses with the root at the origin and the arms straight up, (n, nq).

        They are in the frame of the plan.
        """
        character = model.character
        poses = _HangingPoseTable(model, np.tile(model.neutral, (len(self.twist), 1)))
        pelvis = so3.rotation_about("z", HANGING_POSE.pelvis_twist_share * self.twist) @ (
            so3.rotation_about("x", HANGING_POSE.pelvis_list_share * self.list_angle)
        )
        poses.values[:, 3:7] = so3.quat_from_matrix(pelvis)
        chest = self._pose_trunk(poses, pelvis)
        if character.head is not None:
            heading_in_chest = np.swapaxes(chest, 1, 2) @ self.heading_frame
            head_pitch = so3.rotation_about("y", -HANGING_POSE.head_pitch)
            poses.set_ball_joint(character.head, heading_in_chest @ head_pitch)
        self._pose_legs(poses, pelvis)
        for arm in character.arms:
            upward = so3.rotation_about("y", np.full(len(self.twist), np.pi))
            poses.set_ball_joint(arm.links[0], np.swapaxes(chest, 1, 2) @ upward)
        return poses.values

    def _pose_trunk(self, poses: _HangingPoseTable, pelvis: Array) -> Array:
        """Set the joints of the trunk and return the orientation of the chest, (n, 3, 3)."""
        trunk = poses.model.character.trunk
        if not trunk:
            return pelvis
        chest = (
            so3.rotation_about("z", self.twist)
            @ so3.rotation_about("x", self.list_angle)
            @ so3.rotation_about("y", np.full(len(self.twist), -HANGING_POSE.back_arch))
        )
        link_rotation = so3.exp(so3.log(np.swapaxes(pelvis, 1, 2) @ chest) / len(trunk))
        for link in trunk:
            poses.set_ball_joint(link, link_rotation)
        return chest

    def _pose_legs(self, poses: _HangingPoseTable, pelvis: Array) -> None:
        """Set the joints of the legs."""
        for k, leg in enumerate(poses.model.character.legs):
            hip, knee, ankle = leg.links
            thigh = (
                self.heading_frame
                @ so3.rotation_about("x", leg.side * HANGING_POSE.thigh_spread)
                @ so3.rotation_about("y", -self.thigh[:, k])
            )
            poses.set_ball_joint(hip, np.swapaxes(pelvis, 1, 2) @ thigh)
            poses.values[:, poses.get_coordinates(knee)] = self.knee[:, k, None]
            poses.values[:, poses.get_coordinates(ankle)[0]] = HANGING_POSE.ankle_angle


@dataclass(frozen=True)
class _HangingPoseTable:
    """Poses whose joints are set one after the other.

    Args:
        model: kinematic model of the body.
        values: (n, nq) poses.
    """

    model: KinematicModel
    values: Array

    def get_coordinates(self, link: int) -> NDArray[np.int64]:
        """Return the coordinates of the joint of a link."""
        return self.model.joint_coordinates(self.model.character.links[link].joint.name)

    def set_ball_joint(self, link: int, rotation: Array) -> None:
        """Set the joint of a link to rotations, (n, 3, 3)."""
        self.values[:, self.get_coordinates(link)] = so3.quat_from_matrix(rotation)


@dataclass(frozen=True)
class _ArmSegments:
    """Lengths of an arm.

    Args:
        upper_arm: distance from shoulder to elbow [m].
        forearm: distance from elbow to grip [m].
    """

    upper_arm: float
    forearm: float

    @property
    def total(self) -> float:
        """Distance from the shoulder to the grip of a straight arm [m]."""
        return self.upper_arm + self.forearm


@dataclass(frozen=True)
class _ArmPose:
    """Pose of an arm at n times.

    Args:
        upper_arm: (n, 3, 3) orientation of the upper arm in the world.
        bend: (n,) bend of the elbow [rad].
    """

    upper_arm: Array
    bend: Array


def measure_arm_length(model: KinematicModel) -> float:
    """Return the distance from the shoulder to the grip of a straight arm [m].

    It is the mean over the hands that can grasp.
    """
    return float(
        np.mean([_measure_arm_segments(model, k).total for k in range(len(model.character.hands))])
    )


def _measure_arm_segments(model: KinematicModel, hand: int) -> _ArmSegments:
    """Return the lengths of the arm of a hand that can grasp."""
    upper_arm, forearm = model.character.grasping_arms[hand].links[:2]
    offset = model.character.neutral_joint_position(
        forearm
    ) - model.character.neutral_joint_position(upper_arm)
    return _ArmSegments(
        float(np.linalg.norm(offset)), float(np.linalg.norm(model.character.hands[hand].grip))
    )


def reach_with_arms(model: KinematicModel, poses: Array, grips: Array) -> Array:
    """Return poses whose shoulders and elbows put the hands at the grips, (n, nq).

    Grips out of reach are approached as far as the arms extend.

    Args:
        poses: (n, nq) poses in the world.
        grips: (n, h, 3) positions of the h hands that can grasp, in the world [m].
    """
    placed = model.compute_link_poses(poses)
    arm_poses = poses.copy()
    character = model.character
    for k, arm in enumerate(character.grasping_arms):
        upper_arm, forearm = (character.links[link] for link in arm.links[:2])
        chest = placed.rotation[:, upper_arm.parent]
        pole = chest @ (ELBOW_DIRECTION * [1.0, arm.side, 1.0])
        arm_pose = _solve_arm(
            grips[:, k] - placed.origin[:, arm.links[0]], pole, _measure_arm_segments(model, k)
        )
        arm_poses[:, model.joint_coordinates(upper_arm.joint.name)] = so3.quat_from_matrix(
            np.swapaxes(chest, 1, 2) @ arm_pose.upper_arm
        )
        arm_poses[:, model.joint_coordinates(forearm.joint.name)] = -arm_pose.bend[:, None]
    return arm_poses


def _solve_arm(hand_offset: Array, pole: Array, segments: _ArmSegments) -> _ArmPose:
    """Return the pose of an arm that puts its hand at an offset from its shoulder.

    Args:
        hand_offset: (n, 3) position of the hand relative to the shoulder [m].
        pole: (n, 3) direction of the elbow.
    """
    upper_length = segments.upper_arm
    forearm_length = segments.forearm
    max_length = MAX_ARM_EXTENSION * segments.total
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
    upper_arm_direction = (
        np.cos(shoulder_angle) * hand_direction + np.sin(shoulder_angle) * elbow_direction
    )
    # Direction in which the forearm bends, normal to the upper arm
    bend_direction = (
        np.sin(shoulder_angle) * hand_direction - np.cos(shoulder_angle) * elbow_direction
    )
    axes = [bend_direction, np.cross(-upper_arm_direction, bend_direction), -upper_arm_direction]
    return _ArmPose(np.stack(axes, -1), bend)
