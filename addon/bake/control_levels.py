"""Levels in which the controls of a rig are posed, with the rig evaluated before each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import bpy

from ..rigs.control_rig import ControlLink
from ..rigs.dependencies import make_mover_finder
from ..rigs.evaluation_order import EvaluationOrder

# Distance of two heads at the same place, as a share of the length of the bone
SAME_HEAD_TOLERANCE = 1e-4


@dataclass(frozen=True)
class ControlLevels:
    """Levels of controls.

    Args:
        links: the links by level; the controls of a level depend on those of earlier ones, or
            as children of rigid bones on those before them.
        rigid_bones: bones whose pose follows from their channels and the pose of their parent.
        first_pole: level of the first pole.
        knees: first level whose evaluation shows the knees; the number of levels if controls
            after the poles move them.
    """

    links: tuple[tuple[ControlLink, ...], ...]
    rigid_bones: frozenset[str]
    first_pole: int
    knees: int


def arrange_levels(
    armature: bpy.types.Object, links: Sequence[ControlLink], order: EvaluationOrder
) -> ControlLevels:
    """Return the levels of the controls of a rig, those of a level with parents first.

    Args:
        armature: the rig whose order it is.
    """
    pose_bones = armature.pose.bones
    links = sorted(links, key=lambda link: len(pose_bones[link.control].parent_recursive))
    count = 1 + max(order.levels.values())
    find_movers = make_mover_finder(armature)
    pole_levels = [order.levels[link.control] for link in links if link.pole_bones]
    knees = 1 + max(pole_levels, default=count - 1)
    if any(
        order.levels[link.control] >= knees and _may_move_knee(armature, link, pole, find_movers)
        for pole in links
        if pole.pole_bones
        for link in links
    ):
        knees = count
    return ControlLevels(
        tuple(
            tuple(link for link in links if order.levels[link.control] == k) for k in range(count)
        ),
        order.rigid_bones,
        first_pole=min(pole_levels, default=0),
        knees=knees,
    )


def _may_move_knee(
    armature: bpy.types.Object,
    link: ControlLink,
    pole: ControlLink,
    find_movers: Callable[[str], set[str]],
) -> bool:
    """Return whether a control may move the knee of the leg of a pole.

    One that begins at the knee and only rolls does not.
    """
    assert pole.pole_bones is not None
    shin = pole.pole_bones[0]
    bones = armature.data.bones
    if link.control not in find_movers(shin):
        return False
    distance = (bones[link.control].head_local - bones[shin].head_local).length
    is_at_knee = distance < SAME_HEAD_TOLERANCE * bones[shin].length
    return not (link.drives_roll and not link.drives_position and is_at_knee)
