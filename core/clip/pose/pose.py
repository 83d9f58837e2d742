"""Poses of a body at given phases of a style."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...character.character import Character, Limb
from ...character.kinematic_model import KinematicModel
from ...geometry import so3
from ..style.style import OPTIONAL_CURVES, Array, Coefficients, curve_at

MIN_KNEE_BEND = np.radians(3)  # Smallest bend of a knee [rad]
# Yaw of the shoulders, as a share of the yaw of the chest.
SHOULDER_YAW_SHARE = 0.5


def compute_style_poses(
    model: KinematicModel,
    curves: Coefficients,
    toe_out: Array,
    phases: Array,
    right_delay: Array | None = None,
) -> Array:
    """Return poses with the root at the origin and the heading along x, (n, nq).

    Joint angles are copied without scaling: those of thigh, pelvis, chest and upper arm are
    relative to the vertical, those of knee and elbow to their parents. Bodies of other proportions
    therefore keep the orientations of the style, not its positions.

    Args:
        curves: (n, len(ROWS), HARMONICS + 1) Fourier coefficients from `Style.curves_at`.
        toe_out: (n,) outward turn of the legs [rad].
        phases: (n, legs) phase of each leg, 0 at the strike of its foot and 1 at the next strike.
        right_delay: (n,) delay of the strike of the right foot after half a cycle, as a share of
            the cycle, from `Style.right_delay_at`; None for no delay.
    """
    character = model.character
    n = len(phases)
    trunk_phase = _compute_trunk_phase(
        character, phases, np.zeros(n) if right_delay is None else right_delay
    )
    poses = _PoseTable(model, np.tile(model.neutral, (n, 1)), curves)
    pelvis = poses.compute_orientation(
        "pelvis_turn", "pelvis_tilt", list_name="pelvis_list", phase=trunk_phase
    )
    poses.values[:, 3:7] = so3.quat_from_matrix(pelvis)
    chest = pelvis
    if character.trunk:
        chest = poses.compute_orientation(
            "chest_turn", "chest_lean", list_name="chest_list", phase=trunk_phase
        )
        link_rotation = so3.log(np.swapaxes(pelvis, 1, 2) @ chest) / len(character.trunk)
        for link in character.trunk:
            poses.set_ball_joint(link, so3.quat_exp(link_rotation))
    if character.head is not None:
        poses.set_head(character.head, chest, trunk_phase)
    for leg, phase in zip(character.legs, phases.T, strict=True):
        poses.set_leg(leg, pelvis, phase, toe_out)
    for arm in character.arms:
        same_side_legs = [k for k, leg in enumerate(character.legs) if leg.side == arm.side]
        phase = phases[:, same_side_legs[0]] if same_side_legs else trunk_phase
        poses.set_arm(arm, chest, phase)
    return poses.values


def _compute_trunk_phase(character: Character, phases: Array, right_delay: Array) -> Array:
    """Return the phase of the left foot as the circular mean over the legs, (n,)."""
    phase_shift = (0.5 + right_delay)[:, None] * np.array(
        [0.0 if leg.side > 0 else 1.0 for leg in character.legs]
    )
    z = np.exp(2j * np.pi * (phases + phase_shift)).mean(1)
    return np.angle(z) / (2 * np.pi)


@dataclass(frozen=True)
class _PoseTable:
    """Poses whose joints are set one after the other.

    Args:
        model: kinematic model of the body.
        values: (n, nq) poses.
        curves: (n, len(ROWS), HARMONICS + 1) Fourier coefficients.
    """

    model: KinematicModel
    values: Array
    curves: Coefficients

    def compute_orientation(
        self, turn_name: str, tilt_name: str, list_name: str, phase: Array
    ) -> Array:
        """Return the orientation of pelvis or chest relative to the heading, (n, 3, 3)."""
        yaw_rotation = so3.rotation_about("z", -curve_at(self.curves, turn_name, phase))
        return (
            yaw_rotation
            @ so3.rotation_about("y", curve_at(self.curves, tilt_name, phase))
            @ so3.rotation_about("x", curve_at(self.curves, list_name, phase))
        )

    def set_ball_joint(self, link: int, quat: Array) -> None:
        """Set the joint of a link to quaternions, (n, 4)."""
        joint = self.model.character.links[link].joint.name
        self.values[:, self.model.joint_coordinates(joint)] = quat

    def set_head(self, head: int, chest: Array, phase: Array) -> None:
        """Set the joint of the head.

        Args:
            chest: (n, 3, 3) orientation of the chest.
            phase: (n,) phase of the trunk.
        """
        turn, nod, tilt = (curve_at(self.curves, name, phase) for name in OPTIONAL_CURVES)
        orientation = (
            so3.rotation_about("z", turn)
            @ so3.rotation_about("y", nod)
            @ so3.rotation_about("x", tilt)
        )
        self.set_ball_joint(head, so3.quat_from_matrix(np.swapaxes(chest, 1, 2) @ orientation))

    def set_leg(self, leg: Limb, pelvis: Array, phase: Array, toe_out: Array) -> None:
        """Set the joints of a leg.

        Args:
            pelvis: (n, 3, 3) orientation of the pelvis.
            phase: (n,) phase of the leg.
            toe_out: (n,) outward turn [rad].
        """
        model = self.model
        hip, knee, ankle = (model.character.links[link].joint.name for link in leg.links)
        thigh = so3.rotation_about("z", leg.side * toe_out) @ so3.rotation_about(
            "y", -self._side_curve_at("thigh", leg.side, phase)
        )
        bend = np.maximum(self._side_curve_at("knee", leg.side, phase), MIN_KNEE_BEND)
        self.values[:, model.joint_coordinates(hip)] = so3.quat_from_matrix(
            np.swapaxes(pelvis, 1, 2) @ thigh
        )
        self.values[:, model.joint_coordinates(knee)] = bend[:, None]
        self.values[:, model.joint_coordinates(ankle)[0]] = -self._side_curve_at(
            "ankle", leg.side, phase
        )

    def set_arm(self, arm: Limb, chest: Array, phase: Array) -> None:
        """Set the joints of an arm.

        Args:
            chest: (n, 3, 3) orientation of the chest.
            phase: (n,) phase of the arm.
        """
        model = self.model
        shoulder, elbow = (model.character.links[link].joint.name for link in arm.links[:2])
        upper_arm = (
            so3.rotation_about("x", arm.side * self._side_curve_at("arm_out", arm.side, phase))
            @ so3.rotation_about("y", -self._side_curve_at("arm", arm.side, phase))
            @ so3.rotation_about("z", -arm.side * self._side_curve_at("arm_turn", arm.side, phase))
        )
        shoulder_rotation = (
            so3.rotation_about("z", SHOULDER_YAW_SHARE * so3.yaw_from_matrix(chest)) @ upper_arm
        )
        self.values[:, model.joint_coordinates(shoulder)] = so3.quat_from_matrix(
            np.swapaxes(chest, 1, 2) @ shoulder_rotation
        )
        self.values[:, model.joint_coordinates(elbow)] = -self._side_curve_at(
            "elbow", arm.side, phase
        )[:, None]

    def _side_curve_at(self, name: str, side: int, phase: Array) -> Array:
        """Return the curve of a limb on its side, (n,) [rad]."""
        return curve_at(self.curves, name if side > 0 else f"{name}.R", phase)
