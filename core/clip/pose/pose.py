"""The pose that a style gives a body at given phases."""
from __future__ import annotations

import numpy as np

from ...character.character import Character, Limb
from ...character.kinematic_model import KinematicModel
from ...geometry import so3
from ..style.style import UNTOLD, Array, Coefficients, curve_at


def style_poses(model: KinematicModel, curves: Coefficients, toe_out: Array, phases: Array, later: Array | None = None) -> Array:
    """Poses with the root at the origin and the heading along x. (n, nq).

    Args:
        curves: Fourier coefficients for each pose, from `Style.curves`.
        toe_out: (n,) turn of the legs outward, rad.
        phases: (n, legs) of each leg's own curves, 0 at the strike of its foot, 1 at the next.
        later: (n,) share of the cycle by which the right foot strikes late, as `Style.later` tells it; on time unless given.

    Joint angles are taken over as they stand (thigh, pelvis, chest and upper arm against the vertical, knee and elbow
    against their parents), so that bodies of other proportions keep the attitude of the style, not its places.
    """
    character = model.character
    n = len(phases)
    trunk_phase = _trunk_phase(character, phases, np.zeros(n) if later is None else later)
    pose = np.tile(model.neutral, (n, 1))
    pelvis = _attitude(curves, "pelvis_turn", "pelvis_tilt", "pelvis_list", trunk_phase)
    pose[:, 3:7] = so3.quat_from_matrix(pelvis)
    chest = pelvis
    if character.trunk:
        chest = _attitude(curves, "chest_turn", "chest_lean", "chest_list", trunk_phase)
        share = so3.log(np.swapaxes(pelvis, 1, 2) @ chest) / len(character.trunk)
        for link in character.trunk:
            _set_ball(model, pose, link, so3.quat_exp(share))
    if character.head is not None:
        turn, nod, tilt = (curve_at(curves, name, trunk_phase) for name in UNTOLD)
        looks = so3.about("z", turn) @ so3.about("y", nod) @ so3.about("x", tilt)
        _set_ball(model, pose, character.head, so3.quat_from_matrix(np.swapaxes(chest, 1, 2) @ looks))
    for leg, phase in zip(character.legs, phases.T, strict=True):
        _set_leg(model, pose, leg, curves, toe_out, phase, pelvis)
    for arm in character.arms:
        same_side = [k for k, leg in enumerate(character.legs) if leg.side == arm.side]
        phase = phases[:, same_side[0]] if same_side else trunk_phase
        _set_arm(model, pose, arm, curves, phase, chest)
    return pose


def _trunk_phase(character: Character, phases: Array, later: Array) -> Array:
    """The cycle of the left foot as both legs tell it: the mean on the circle. (n, legs), (n,) -> (n,)."""
    shift = (0.5 + later)[:, None] * np.array([0.0 if leg.side > 0 else 1.0 for leg in character.legs])
    z = np.exp(2j * np.pi * (phases + shift)).mean(1)
    return np.angle(z) / (2 * np.pi)


def _attitude(curves: Coefficients, turn: str, tilt: str, raised: str, phase: Array) -> Array:
    """Rotations of the pelvis or chest against the heading. (n,) -> (n, 3, 3)."""
    z = so3.about("z", -curve_at(curves, turn, phase))
    return z @ so3.about("y", curve_at(curves, tilt, phase)) @ so3.about("x", curve_at(curves, raised, phase))


def _own(curves: Coefficients, name: str, side: int, phase: Array) -> Array:
    """A limb's curve, of its side. (n,)."""
    return curve_at(curves, name if side > 0 else f"{name}.R", phase)


def _set_ball(model: KinematicModel, pose: Array, link: int, quat: Array) -> None:
    pose[:, model.joint_coordinates(model.character.links[link].joint.name)] = quat


def _set_leg(model: KinematicModel, pose: Array, leg: Limb, curves: Coefficients, toe_out: Array, phase: Array,
             pelvis: Array) -> None:
    hip, knee, ankle = (model.character.links[link].joint.name for link in leg.links)

    def own(name: str) -> Array:
        return _own(curves, name, leg.side, phase)

    thigh = so3.about("z", leg.side * toe_out) @ so3.about("y", -own("thigh"))
    pose[:, model.joint_coordinates(hip)] = so3.quat_from_matrix(np.swapaxes(pelvis, 1, 2) @ thigh)
    pose[:, model.joint_coordinates(knee)] = np.maximum(own("knee"), np.radians(3))[:, None]
    pose[:, model.joint_coordinates(ankle)[0]] = -own("ankle")


def _set_arm(model: KinematicModel, pose: Array, arm: Limb, curves: Coefficients, phase: Array, chest: Array) -> None:
    shoulder, elbow = (model.character.links[link].joint.name for link in arm.links[:2])

    def own(name: str) -> Array:
        return _own(curves, name, arm.side, phase)

    upper = (so3.about("x", arm.side * own("arm_out")) @ so3.about("y", -own("arm"))
             @ so3.about("z", -arm.side * own("arm_turn")))
    turned = so3.about("z", 0.5 * so3.yaw_of(chest)) @ upper      # shoulders carry the arms half-way round
    pose[:, model.joint_coordinates(shoulder)] = so3.quat_from_matrix(np.swapaxes(chest, 1, 2) @ turned)
    pose[:, model.joint_coordinates(elbow)] = -own("elbow")[:, None]
