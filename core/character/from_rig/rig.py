"""A character made from a rig's bones."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..character import Character
from ..recognition.anatomy import Anatomy
from ..recognition.reading_parts import read_body_and_anatomy
from ..recognition.skeleton import Skeleton
from .bind import bind_bones
from .binding import Binding, BoundCharacter
from .stance_rig import StanceBuilder
from .upright_rig import UprightBuilder

# of a leg's length that its middle joint rests behind hip and ankle at least, to fold forward
MIN_HOCK_OFFSET = 0.08


@dataclass(frozen=True)
class Rig:
    """A character found in a skeleton."""

    character: Character
    binding: Binding
    anatomy: Anatomy


def character_from_skeleton(skeleton: Skeleton, with_tail: bool = False) -> Character:
    """The character of a rig, as `rig_from_skeleton` makes it."""
    return rig_from_skeleton(skeleton, with_tail).character


def rig_from_skeleton(skeleton: Skeleton, with_tail: bool = False) -> Rig:
    """Recognise a rig, or take its parts as they are told, and measure it.

    Args:
        with_tail: whether a body on four legs has its tail,
            which otherwise is the rig's own matter.

    Raises:
        CharacterError: no legs, a leg without length, or parts that contradict the bones.
    """
    recognized = read_body_and_anatomy(skeleton)
    body = recognized.body
    anatomy = recognized.anatomy
    if anatomy.is_upright and not _has_forward_folding_legs(body.skeleton, anatomy):
        bound = UprightBuilder(body.skeleton, anatomy).build()
    else:
        bound = _build_in_rest_stance(
            body.skeleton, anatomy, with_tail and anatomy.row_count == 2 and len(anatomy.legs) == 4
        )
    return Rig(
        bound.character,
        replace(bound.binding, parent_bones=_find_parent_bones(bound.character, bound.binding)),
        anatomy.reindex(body.rig_index),
    )


def _find_parent_bones(character: Character, binding: Binding) -> dict[str, str]:
    """By bone the one whose link its own link hangs on; toes hang on their foot."""
    bone_of = {
        int(link): name
        for name, link, toe in zip(binding.bones, binding.link_index, binding.toe_leg, strict=True)
        if toe < 0
    }
    out = {}
    for name, link, toe in zip(binding.bones, binding.link_index, binding.toe_leg, strict=True):
        parent_link = int(link) if toe >= 0 else character.links[link].parent
        if parent_link in bone_of:
            out[name] = bone_of[parent_link]
    return out


def _has_forward_folding_legs(skeleton: Skeleton, anatomy: Anatomy) -> bool:
    """Whether all legs rest with the joint between their two segments well behind, so that it folds
    forward, as a bird's hock.
    """
    offsets = []
    for leg in anatomy.legs:
        hip, knee, ankle = (skeleton.heads[k] for k in (leg.hip, leg.knee, leg.ankle))
        offset = 0.5 * (hip + ankle) - knee
        offsets.append(
            float(offset @ np.asarray(anatomy.forward))
            / max(float(np.linalg.norm(ankle - hip)), 1e-9)
        )
    return min(offsets) > MIN_HOCK_OFFSET and all(len(leg.segments) == 2 for leg in anatomy.legs)


def _build_in_rest_stance(skeleton: Skeleton, anatomy: Anatomy, with_tail: bool) -> BoundCharacter:
    """Return the character of a body that is not an upright biped, in the pose of its rest."""
    builder = StanceBuilder(skeleton, anatomy, with_tail)
    character = builder.build()
    link_of = builder.link_of
    root_offset = builder.heads[anatomy.root] - builder.hip_center
    rest_to_link = dict.fromkeys(link_of, builder.to_body_axes)
    head_offsets = {
        leg.foot: builder.heads[leg.foot] - builder.joint_positions[link_of[leg.foot]]
        for leg in anatomy.legs
        if leg.has_detached_foot and leg.foot is not None
    }
    head_offsets |= {
        bone: builder.heads[bone] - builder.joint_positions[link_of[bone]]
        for bone in builder.reversed_bones
    }
    binding = bind_bones(
        skeleton,
        anatomy,
        link_of,
        rest_to_link=rest_to_link,
        root_offset=root_offset,
        has_toe=[False] * len(anatomy.legs),
        head_offsets=head_offsets,
    )
    reversed_bones = frozenset(skeleton.names[bone] for bone in builder.reversed_bones)
    return BoundCharacter(character, replace(binding, reversed_bones=reversed_bones))
