"""A character made from a rig's bones."""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..character import Character
from ..recognition.anatomy import Anatomy
from ..recognition.reading_parts import body_and_anatomy
from ..recognition.skeleton import Skeleton
from .bind import bind
from .binding import Binding
from .stance_rig import StanceBuilder
from .upright_rig import UprightBuilder

BEHIND = 0.08         # of a leg's length that its middle joint rests behind hip and ankle at least, to fold forward


@dataclass(frozen=True)
class Rig:
    """A character found in a skeleton."""

    character: Character
    binding: Binding
    anatomy: Anatomy


def character_from_skeleton(skeleton: Skeleton, tailed: bool = False) -> Character:
    """The character of a rig, as `rig_from_skeleton` makes it."""
    return rig_from_skeleton(skeleton, tailed).character


def rig_from_skeleton(skeleton: Skeleton, tailed: bool = False) -> Rig:
    """Recognise a rig, or take its parts as they are told, and measure it.

    Args:
        tailed: whether a body on four legs has its tail, which otherwise is the rig's own matter.

    Raises:
        CharacterError: no legs, a leg without length, or parts that contradict the bones.
    """
    body, found = body_and_anatomy(skeleton)
    if found.upright and not _folds_forward(body.skeleton, found):
        character, binding = UprightBuilder(body.skeleton, found).build()
    else:
        character, binding = _as_it_stands(body.skeleton, found, tailed and found.rows == 2 and len(found.legs) == 4)
    return Rig(character, replace(binding, hung=_hung(character, binding)), found.moved(body.index))


def _hung(character: Character, binding: Binding) -> dict[str, str]:
    """By bone the one whose link its own link hangs on; toes hang on their foot."""
    bone_of = {int(link): name for name, link, toe in zip(binding.bones, binding.link, binding.toe_of, strict=True) if toe < 0}
    out = {}
    for name, link, toe in zip(binding.bones, binding.link, binding.toe_of, strict=True):
        up = int(link) if toe >= 0 else character.links[link].parent
        if up in bone_of:
            out[name] = bone_of[up]
    return out


def _folds_forward(skeleton: Skeleton, found: Anatomy) -> bool:
    """Whether all legs rest with the joint between their two segments well behind, so that it folds forward, as a bird's hock."""
    behind = []
    for leg in found.legs:
        hip, middle, ankle = (skeleton.heads[k] for k in (leg.hip, leg.knee, leg.ankle))
        off = 0.5 * (hip + ankle) - middle
        behind.append(float(off @ np.asarray(found.ahead)) / max(float(np.linalg.norm(ankle - hip)), 1e-9))
    return min(behind) > BEHIND and all(len(leg.segments) == 2 for leg in found.legs)


def _as_it_stands(skeleton: Skeleton, found: Anatomy, tailed: bool) -> tuple[Character, Binding]:
    """The character of a body of any other build than people's, and which bones follow it."""
    builder = StanceBuilder(skeleton, found, tailed)
    character, link_of = builder.build()
    offset = builder.heads[found.root] - builder.hips
    turns = dict.fromkeys(link_of, builder.turn)
    placed = {leg.foot: builder.heads[leg.foot] - builder.at[link_of[leg.foot]] for leg in found.legs
              if leg.loose and leg.foot is not None}
    placed |= {bone: builder.heads[bone] - builder.at[link_of[bone]] for bone in builder.backward}
    binding = bind(skeleton, found, link_of, turns, offset, [False] * len(found.legs), placed)
    return character, replace(binding, backward=frozenset(skeleton.names[bone] for bone in builder.backward))
