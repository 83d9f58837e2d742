"""The character of an armature."""

from __future__ import annotations

import bpy

from ...core.character.from_rig.rig import Rig, rig_from_skeleton
from ...core.character.recognition.skeleton import Skeleton
from ..rigs.armature import check_bone_scales
from ..settings.motion import MotionSettings
from .quadruped_style import QuadrupedStyleChoice, read_quadruped_style


def read_rig(armature: bpy.types.Object, skeleton: Skeleton, with_tail: bool = False) -> Rig:
    """The character in an armature, from its bones as they were read.

    Args:
        with_tail: whether the style tells of a tail, which otherwise is not the character's.

    Raises:
        CharacterError: it has no legs, or bones that no rigid body can follow.
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
    return rig


def read_rig_and_style(
    armature: bpy.types.Object, skeleton: Skeleton, settings: MotionSettings
) -> tuple[Rig, QuadrupedStyleChoice]:
    """The character, and the style for four legs that it goes by, the natural one for bodies of
    other builds; with its tail where the style tells of one."""
    rig = read_rig(armature, skeleton)
    if not rig.character.is_quadruped:
        return rig, QuadrupedStyleChoice("natural", "natural")
    style_choice = read_quadruped_style(settings)
    return read_rig(
        armature, skeleton, with_tail=True
    ) if style_choice.resolved.has_tail_motion else rig, style_choice
