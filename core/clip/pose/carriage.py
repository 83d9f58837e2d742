"""Carriage of neck, head, tail and spine in a style for four legs."""

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
    """Set neck, head, tail and spine of poses to those of a style, in place.

    Missing body parts are left out.

    Args:
        poses: (n, nq) poses, changed in place.
        phase: (n,) phase of the left hind foot, 0 at its strike and 1 at the next strike.
        share: (n,) share of the style, 0 for the rest pose.
        trunk_pitch: (n,) pitch of the trunk, front up [rad].
    """
    spine_angle = share * style.curve_at("spine", phase)
    for link in model.character.trunk:
        _set_rotation(
            model, poses, link, so3.rotation_about("y", spine_angle / len(model.character.trunk))
        )
    # The neck starts at the chest, whose pitch is that of the trunk minus the bend of the spine.
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
    """Set the joints of neck and head; see `apply_carriage`."""
    character = model.character
    head = () if character.head is None else (character.head,)
    neck, head = (character.neck, head) if character.neck else (head, ())
    if not neck:
        return
    neck_angle = share * (
        style.curve_at("neck", phase) - style.neck_level * measure_rest_rise(model, neck, head, 1.0)
    )
    # The bend decreases from the base of the neck to the head.
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
    """Set the joints of the tail; see `apply_carriage`."""
    tail = model.character.tail
    if not tail or not style.has_tail_motion:
        return
    rest_angle = measure_rest_rise(model, tail, (), -1.0)
    for k, link in enumerate(tail):
        link_phase = phase - style.tail_late * k
        lift = share * (style.curve_at("tail", link_phase) - style.tail_level * rest_angle)
        # The axis of the swing is normal to the tail, which may hang down.
        tail_angle = rest_angle + lift
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
    """Return the mean pose of a body over a stride of a style, (nq,)."""
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
    """Return the angle between a chain of links and the horizontal in the rest pose [rad].

    Args:
        end_link: link at whose joint the chain ends; if empty, it ends at the center of mass of its
            last link.
        direction: 1 for a chain that points forward, -1 for one that points backward.
    """
    placed = model.compute_link_poses(model.neutral[None])
    end = placed.origin[0, end_link[0]] if end_link else placed.link_com[0, links[-1]]
    x, _, z = end - placed.origin[0, links[0]]
    return float(np.arctan2(z, direction * x))


def _set_rotation(model: KinematicModel, poses: Array, link: int, rotation: Array) -> None:
    """Set the rotation of a link relative to its rest pose, (n, 3, 3).

    Joints that are not ball joints, such as the hinges of robots, are left unchanged.
    """
    joint = model.character.links[link].joint
    if joint.kind == "ball":
        poses[:, model.joint_coordinates(joint.name)] = so3.quat_from_matrix(rotation)
