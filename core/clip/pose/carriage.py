"""How a body carries neck, head, tail and spine in a style for four legs:
turns of its joints along the strides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...geometry import so3
from ..style.quadruped_style import QuadrupedStyle

Array = NDArray[np.float64]
Links = tuple[int, ...]


def apply_carriage(
    model: KinematicModel,
    style: QuadrupedStyle,
    poses: Array,
    phase: Array,
    share: Array,
    trunk_pitch: Array,
) -> None:
    """Turn neck, head, tail and spine of poses (n, nq) that stand otherwise as a style has it; what
    a body lacks is left out.

    Args:
        phase: of the left hind foot, 0 at its strike, 1 at the next. (n,).
        share: how much of the style the body has, from 0 as it stands to 1. (n,).
        trunk_pitch: how far the trunk's nose is raised against the ground, rad. (n,).
    """
    spine_angle = share * style.curve_at("spine", phase)
    for link in model.character.trunk:
        _set_rotation(
            model, poses, link, so3.rotation_about("y", spine_angle / len(model.character.trunk))
        )
    # the neck begins before all that bends
    _pose_neck(model, style, poses, phase=phase, share=share, trunk_pitch=trunk_pitch - spine_angle)
    _pose_tail(model, style, poses, phase=phase, share=share)


def _pose_neck(
    model: KinematicModel,
    style: QuadrupedStyle,
    poses: Array,
    phase: Array,
    share: Array,
    trunk_pitch: Array,
) -> None:
    character = model.character
    head = () if character.head is None else (character.head,)
    neck, head = (character.neck, head) if character.neck else (head, ())
    if not neck:
        return
    neck_angle = share * (
        style.curve_at("neck", phase) - style.neck_level * measure_rest_rise(model, neck, head, 1.0)
    )
    # it bends the most where it begins
    weights = np.arange(len(neck), 0, -1) / np.arange(1, len(neck) + 1).sum()
    for link, weight in zip(neck, weights, strict=True):
        _set_rotation(model, poses, link, so3.rotation_about("y", -weight * neck_angle))
    head_angle = style.head_steady * (neck_angle + share * trunk_pitch) - share * style.curve_at(
        "head", phase
    )
    for link in head:
        _set_rotation(model, poses, link, so3.rotation_about("y", head_angle))


def _pose_tail(
    model: KinematicModel, style: QuadrupedStyle, poses: Array, phase: Array, share: Array
) -> None:
    tail = model.character.tail
    if not tail or not style.has_tail_motion:
        return
    rest_angle = measure_rest_rise(model, tail, (), -1.0)
    for k, link in enumerate(tail):
        link_phase = phase - style.tail_late * k
        lift = share * (style.curve_at("tail", link_phase) - style.tail_level * rest_angle)
        tail_angle = rest_angle + lift  # to the left is about another axis for one that hangs down
        swing_axis = np.stack(
            [-np.sin(tail_angle), np.zeros_like(tail_angle), -np.cos(tail_angle)], -1
        )
        swing = share * style.curve_at("tail_swing", link_phase) / len(tail)
        _set_rotation(
            model,
            poses,
            link,
            so3.exp(swing[:, None] * swing_axis) @ so3.rotation_about("y", lift / len(tail)),
        )


def compute_mean_pose(model: KinematicModel, style: QuadrupedStyle) -> Array:
    """The pose that a body has in a style on the mean of a stride. (nq,)."""
    phase = np.linspace(0, 1, 16, endpoint=False)
    standing_poses = np.tile(model.neutral, (len(phase), 1))
    poses = standing_poses.copy()
    apply_carriage(
        model,
        style,
        poses,
        phase=phase,
        share=np.ones(len(phase)),
        trunk_pitch=style.curve_at("trunk", phase),
    )
    return np.asarray(
        model.integrate(model.neutral, model.difference(standing_poses, poses).mean(0))
    )


def measure_rest_rise(
    model: KinematicModel, links: Links, end_link: Links, direction: float
) -> float:
    """How steeply a row of links rises as the body stands, against level, rad.

    Args:
        end_link: of the link that hangs on its end, if there is one.
        direction: 1 for what leads forward, -1 for what leads backward.
    """
    placed = model.compute_link_poses(model.neutral[None])
    end = placed.origin[0, end_link[0]] if end_link else placed.link_com[0, links[-1]]
    x, _, z = end - placed.origin[0, links[0]]
    return float(np.arctan2(z, direction * x))


def _set_rotation(model: KinematicModel, poses: Array, link: int, rotation: Array) -> None:
    """Turn a link by (n, 3, 3) against how it stands, where its joint can:
    robots have hinges there.
    """
    joint = model.character.links[link].joint
    if joint.kind == "ball":
        poses[:, model.joint_coordinates(joint.name)] = so3.quat_from_matrix(rotation)
