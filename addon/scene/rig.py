"""The character of an armature."""
from __future__ import annotations

import bpy

from ...core.character.from_rig.rig import Rig, rig_from_skeleton
from ...core.character.recognition.skeleton import Skeleton
from ..rigs.armature import refuse_scaled_bones
from ..settings.motion import Wish
from .quadruped_style import ChosenQuadruped, chosen_quadruped


def read_rig(armature: bpy.types.Object, skeleton: Skeleton, tailed: bool = False) -> Rig:
    """The character in an armature, from its bones as they were read.

    Args:
        tailed: whether the style tells of a tail, which otherwise is not the character's.

    Raises:
        CharacterError: it has no legs, or bones that no rigid body can follow.
    """
    rig = rig_from_skeleton(skeleton, tailed)
    first = armature.data.bones[rig.binding.bones[0]]
    refuse_scaled_bones(armature, [*(b.name for b in first.parent_recursive), *rig.binding.bones, *rig.binding.between])
    return rig


def _rig_and_manner(armature: bpy.types.Object, skeleton: Skeleton, wish: Wish) -> tuple[Rig, ChosenQuadruped]:
    """The character, and the style for four legs that it goes by, the natural one for bodies of other builds; with its tail where
    the style tells of one."""
    rig = read_rig(armature, skeleton)
    if not rig.character.four_legged:
        return rig, ChosenQuadruped("natural", "natural")
    four = chosen_quadruped(wish)
    return read_rig(armature, skeleton, tailed=True) if four.made.carries_tail else rig, four
