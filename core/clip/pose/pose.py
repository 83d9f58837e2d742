"""The pose that a style gives a body at given phases."""

from __future__ import annotations

import numpy as np

from ...character.character import Character, Limb
from ...character.kinematic_model import KinematicModel
from ...geometry import so3
from ..style.style import OPTIONAL_CURVES, Array, Coefficients, curve_at


def compute_style_poses(
    model: KinematicModel,
    curves: Coefficients,
    toe_out: Array,
    phases: Array,
    right_delay: Array | None = None,
) -> Array:
    """Poses with the root at the origin and the heading along x. (n, nq).

    Args:
        curves: Fourier coefficients for each pose, from `Style.curves_at`.
        toe_out: (n,) turn of the legs outward, rad.
        phases: (n, legs) of each leg's own curves, 0 at the strike of its foot, 1 at the next.
        right_delay: (n,) share of the cycle by which the right foot strikes late, as
            `Style.right_delay_at` tells it; on time unless given.

    Joint angles are taken over as they stand (thigh, pelvis, chest and upper arm against the
    vertical, knee and elbow against their parents), so that bodies of other proportions keep the
    attitude of the style, not its places.
    """
    character = model.character
    n = len(phases)
    trunk_phase = _compute_trunk_phase(
        character, phases, np.zeros(n) if right_delay is None else right_delay
    )
    pose = np.tile(model.neutral, (n, 1))
    pelvis = _compute_orientation(
        curves, "pelvis_turn", "pelvis_tilt", list_name="pelvis_list", phase=trunk_phase
    )
    pose[:, 3:7] = so3.quat_from_matrix(pelvis)
    chest = pelvis
    if character.trunk:
        chest = _compute_orientation(
            curves, "chest_turn", "chest_lean", list_name="chest_list", phase=trunk_phase
        )
        link_rotation = so3.log(np.swapaxes(pelvis, 1, 2) @ chest) / len(character.trunk)
        for link in character.trunk:
            _set_ball_joint(model, pose, link, so3.quat_exp(link_rotation))
    if character.head is not None:
        turn, nod, tilt = (curve_at(curves, name, trunk_phase) for name in OPTIONAL_CURVES)
        head_orientation = (
            so3.rotation_about("z", turn)
            @ so3.rotation_about("y", nod)
            @ so3.rotation_about("x", tilt)
        )
        _set_ball_joint(
            model,
            pose,
            character.head,
            so3.quat_from_matrix(np.swapaxes(chest, 1, 2) @ head_orientation),
        )
    for leg, phase in zip(character.legs, phases.T, strict=True):
        _set_leg(model, pose, leg, curves=curves, toe_out=toe_out, phase=phase, pelvis=pelvis)
    for arm in character.arms:
        same_side_legs = [k for k, leg in enumerate(character.legs) if leg.side == arm.side]
        phase = phases[:, same_side_legs[0]] if same_side_legs else trunk_phase
        _set_arm(model, pose, arm, curves=curves, phase=phase, chest=chest)
    return pose


def _compute_trunk_phase(character: Character, phases: Array, right_delay: Array) -> Array:
    """The cycle of the left foot as both legs tell it: the mean on the circle.
    (n, legs), (n,) -> (n,).
    """
    phase_shift = (0.5 + right_delay)[:, None] * np.array(
        [0.0 if leg.side > 0 else 1.0 for leg in character.legs]
    )
    z = np.exp(2j * np.pi * (phases + phase_shift)).mean(1)
    return np.angle(z) / (2 * np.pi)


def _compute_orientation(
    curves: Coefficients, turn_name: str, tilt_name: str, list_name: str, phase: Array
) -> Array:
    """Rotations of the pelvis or chest against the heading. (n,) -> (n, 3, 3)."""
    yaw_rotation = so3.rotation_about("z", -curve_at(curves, turn_name, phase))
    return (
        yaw_rotation
        @ so3.rotation_about("y", curve_at(curves, tilt_name, phase))
        @ so3.rotation_about("x", curve_at(curves, list_name, phase))
    )


def _side_curve_at(curves: Coefficients, name: str, side: int, phase: Array) -> Array:
    """A limb's curve, of its side. (n,)."""
    return curve_at(curves, name if side > 0 else f"{name}.R", phase)


def _set_ball_joint(model: KinematicModel, pose: Array, link: int, quat: Array) -> None:
    pose[:, model.joint_coordinates(model.character.links[link].joint.name)] = quat


def _set_leg(
    model: KinematicModel,
    pose: Array,
    leg: Limb,
    curves: Coefficients,
    toe_out: Array,
    phase: Array,
    pelvis: Array,
) -> None:
    hip, knee, ankle = (model.character.links[link].joint.name for link in leg.links)

    def leg_curve(name: str) -> Array:
        return _side_curve_at(curves, name, leg.side, phase)

    thigh = so3.rotation_about("z", leg.side * toe_out) @ so3.rotation_about(
        "y", -leg_curve("thigh")
    )
    pose[:, model.joint_coordinates(hip)] = so3.quat_from_matrix(np.swapaxes(pelvis, 1, 2) @ thigh)
    pose[:, model.joint_coordinates(knee)] = np.maximum(leg_curve("knee"), np.radians(3))[:, None]
    pose[:, model.joint_coordinates(ankle)[0]] = -leg_curve("ankle")


def _set_arm(
    model: KinematicModel, pose: Array, arm: Limb, curves: Coefficients, phase: Array, chest: Array
) -> None:
    shoulder, elbow = (model.character.links[link].joint.name for link in arm.links[:2])

    def arm_curve(name: str) -> Array:
        return _side_curve_at(curves, name, arm.side, phase)

    upper_arm = (
        so3.rotation_about("x", arm.side * arm_curve("arm_out"))
        @ so3.rotation_about("y", -arm_curve("arm"))
        @ so3.rotation_about("z", -arm.side * arm_curve("arm_turn"))
    )
    # shoulders carry the arms half-way round
    shoulder_rotation = so3.rotation_about("z", 0.5 * so3.yaw_from_matrix(chest)) @ upper_arm
    pose[:, model.joint_coordinates(shoulder)] = so3.quat_from_matrix(
        np.swapaxes(chest, 1, 2) @ shoulder_rotation
    )
    pose[:, model.joint_coordinates(elbow)] = -arm_curve("elbow")[:, None]
