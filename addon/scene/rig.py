"""Characters from armatures."""

from __future__ import annotations

from dataclasses import dataclass, replace

import bpy

from ...core.character.from_rig.binding import Binding
from ...core.character.from_rig.rig import Rig, rig_from_skeleton
from ...core.character.recognition.questions import confirm_findings
from ...core.character.recognition.skeleton import Skeleton
from ...core.errors import CharacterError
from ..rigs.armature import check_bone_scales, read_answers
from ..rigs.known_rigs import find_control_rig
from ..settings.motion import MotionSettings
from .quadruped_style import QuadrupedStyleChoice, read_quadruped_style


@dataclass(frozen=True)
class RigAndStyle:
    """The rig of an armature and its style as a quadruped: Natural for bodies of another build."""

    rig: Rig
    quadruped_style: QuadrupedStyleChoice


def read_rig(armature: bpy.types.Object, skeleton: Skeleton, with_tail: bool = False) -> Rig:
    """Return the rig of an armature, without the doubts that the user has settled.

    Args:
        skeleton: bones of the armature.
        with_tail: whether the tail is part of the character, because the style moves it.

    Raises:
        CharacterError: the armature has no legs, or bones with a scale that no rigid body can
            follow.
    """
    rig = rig_from_skeleton(skeleton, with_tail)
    root_bone = armature.data.bones[rig.binding.bones[0]]
    check_bone_scales(
        armature,
        [
            *(b.name for b in root_bone.parent_recursive),
            *rig.binding.bones,
            *rig.binding.rest_bones,
        ],
    )
    return replace(rig, anatomy=confirm_findings(rig.anatomy, read_answers(armature)))


def describe_connected_bones(armature: bpy.types.Object, binding: Binding) -> list[str]:
    """Return what is wrong with bones that must move separately but are connected to their parents.

    Such are feet outside their legs, and legs without a knee, which become shorter so. Of control
    rigs the controls move.
    """
    if find_control_rig(armature, binding) is not None:
        return []
    names = [
        name
        for name in binding.head_offsets
        if name != binding.bones[0] and armature.data.bones[name].use_connect
    ]
    return [
        f"the bone {name!r} must move separately but is connected to its parent; switch off "
        "Connected in its bone properties in Edit Mode"
        for name in names
    ]


def read_rig_and_style(
    armature: bpy.types.Object, skeleton: Skeleton, settings: MotionSettings
) -> RigAndStyle:
    """Return the rig of an armature and its style; with the tail of a quadruped if the style moves
    it.

    Raises:
        CharacterError: the armature cannot be a character, or a bone that must move separately is
            connected to its parent.
        FootfallError: the style of a quadruped cannot be read.
    """
    rig = read_rig(armature, skeleton)
    problems = describe_connected_bones(armature, rig.binding)
    if problems:
        raise CharacterError(f"{armature.name}: {'; '.join(problems)}.")
    if not rig.character.is_quadruped:
        return RigAndStyle(rig, QuadrupedStyleChoice("natural", "natural"))
    style_choice = read_quadruped_style(settings)
    if style_choice.resolved.has_tail_motion:
        rig = read_rig(armature, skeleton, with_tail=True)
    return RigAndStyle(rig, style_choice)
