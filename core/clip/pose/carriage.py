"""How a body carries neck, head, tail and spine in a style for four legs: turns of its joints along the strides."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...geometry import so3
from ..style.quadruped_style import QuadrupedStyle

Array = NDArray[np.float64]
Links = tuple[int, ...]


def carry(model: KinematicModel, style: QuadrupedStyle, poses: Array, phase: Array, share: Array, nods: Array) -> None:
    """Turn neck, head, tail and spine of poses (n, nq) that stand otherwise as a style has it; what a body lacks is left out.

    Args:
        phase: of the left hind foot, 0 at its strike, 1 at the next. (n,).
        share: how much of the style the body has, from 0 as it stands to 1. (n,).
        nods: how far the trunk's nose is raised against the ground, rad. (n,).
    """
    spine = share * style.curve_at("spine", phase)
    for link in model.character.trunk:
        _turn(model, poses, link, so3.about("y", spine / len(model.character.trunk)))
    _carry_neck(model, style, poses, phase, share, nods - spine)         # the neck begins before all that bends
    _carry_tail(model, style, poses, phase, share)


def _carry_neck(model: KinematicModel, style: QuadrupedStyle, poses: Array, phase: Array, share: Array, nods: Array) -> None:
    character = model.character
    head = () if character.head is None else (character.head,)
    neck, head = (character.neck, head) if character.neck else (head, ())
    if not neck:
        return
    raised = share * (style.curve_at("neck", phase) - style.neck_level * rise(model, neck, head, 1.0))
    weights = np.arange(len(neck), 0, -1) / np.arange(1, len(neck) + 1).sum()         # it bends the most where it begins
    for link, weight in zip(neck, weights, strict=True):
        _turn(model, poses, link, so3.about("y", -weight * raised))
    bowed = style.head_steady * (raised + share * nods) - share * style.curve_at("head", phase)
    for link in head:
        _turn(model, poses, link, so3.about("y", bowed))


def _carry_tail(model: KinematicModel, style: QuadrupedStyle, poses: Array, phase: Array, share: Array) -> None:
    tail = model.character.tail
    if not tail or not style.carries_tail:
        return
    hangs = rise(model, tail, (), -1.0)
    for k, link in enumerate(tail):
        own = phase - style.tail_late * k
        lift = share * (style.curve_at("tail", own) - style.tail_level * hangs)
        at = hangs + lift                                       # to the left is about another axis for one that hangs down
        about = np.stack([-np.sin(at), np.zeros_like(at), -np.cos(at)], -1)
        swing = share * style.curve_at("tail_swing", own) / len(tail)
        _turn(model, poses, link, so3.exp(swing[:, None] * about) @ so3.about("y", lift / len(tail)))


def settled(model: KinematicModel, style: QuadrupedStyle) -> Array:
    """The pose that a body has in a style on the mean of a stride. (nq,)."""
    phase = np.linspace(0, 1, 16, endpoint=False)
    still = np.tile(model.neutral, (len(phase), 1))
    poses = still.copy()
    carry(model, style, poses, phase, np.ones(len(phase)), style.curve_at("trunk", phase))
    return np.asarray(model.integrate(model.neutral, model.difference(still, poses).mean(0)))


def rise(model: KinematicModel, links: Links, after: Links, ahead: float) -> float:
    """How steeply a row of links rises as the body stands, against level, rad.

    Args:
        after: of the link that hangs on its end, if there is one.
        ahead: 1 for what leads forward, -1 for what leads backward.
    """
    placed = model.place(model.neutral[None])
    end = placed.origin[0, after[0]] if after else placed.centre[0, links[-1]]
    x, _, z = end - placed.origin[0, links[0]]
    return float(np.arctan2(z, ahead * x))


def _turn(model: KinematicModel, poses: Array, link: int, turn: Array) -> None:
    """Turn a link by (n, 3, 3) against how it stands, where its joint can: robots have hinges there."""
    joint = model.character.links[link].joint
    if joint.kind == "ball":
        poses[:, model.joint_coordinates(joint.name)] = so3.quat_from_matrix(turn)
