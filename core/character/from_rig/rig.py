"""The character of a rig, from its bones and skin."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from ..character import Character
from ..recognition.anatomy import Anatomy
from ..recognition.reading_parts import read_body_and_anatomy
from ..recognition.skeleton import Skeleton
from .bind import LinkBinding, bind_bones
from .bind_soles import find_raised_soles
from .binding import Binding, BoundCharacter
from .limb_joints import level_toes
from .loose_bones import find_unmoved_ancestors
from .stance_rig import RestStanceBuilder
from .upright_rig import UprightBuilder

# Least distance of the middle joint of a leg behind the middle of hip and ankle at rest, for a
# leg that folds forward [distance from hip to ankle]
MIN_HOCK_OFFSET = 0.08

# Greatest distance of the joints of a flat character from each other across its plane
# [height of the body]
MAX_FLAT_DEPTH = 0.02

# Number of rigs that are kept: more than the builds of a common crowd, few enough for their skins
RIG_CACHE_SIZE = 8


@dataclass(frozen=True)
class Rig:
    """A character made from a rig, its binding to the bones, and the anatomy of the rig."""

    character: Character
    binding: Binding
    anatomy: Anatomy


def character_from_skeleton(skeleton: Skeleton, with_tail: bool = False) -> Character:
    """Return the character of a rig; see `rig_from_skeleton`."""
    return rig_from_skeleton(skeleton, with_tail).character


def rig_from_skeleton(skeleton: Skeleton, with_tail: bool = False) -> Rig:
    """Return the character of a rig, the same one for skeletons with the same content.

    The anatomy follows `skeleton.parts`; where there are none, it is recognized.

    Args:
        with_tail: whether the character of a quadruped includes its tail.

    Raises:
        CharacterError: no legs are recognized, a leg has no length, or parts contradict bones.
    """
    return _build_rig(_SkeletonKey(skeleton.compute_digest(), skeleton), with_tail)


@dataclass(frozen=True)
class _SkeletonKey:
    """A skeleton that compares by its digest."""

    digest: bytes
    skeleton: Skeleton = field(compare=False)


@lru_cache(maxsize=RIG_CACHE_SIZE)
def _build_rig(key: _SkeletonKey, with_tail: bool) -> Rig:
    recognized = read_body_and_anatomy(key.skeleton)
    body = recognized.body
    anatomy = recognized.anatomy
    if anatomy.is_upright and not _has_forward_folding_legs(body.skeleton, anatomy):
        joined = _join_feet_of_single_bones(anatomy)
        bound = UprightBuilder(level_toes(body.skeleton, joined), joined).build()
    else:
        bound = _build_in_rest_stance(
            body.skeleton, anatomy, with_tail and anatomy.row_count == 2 and len(anatomy.legs) == 4
        )
    binding = replace(
        bound.binding, parent_bones=_find_parent_bones(bound.character, bound.binding)
    )
    return Rig(
        replace(
            bound.character,
            notes=(
                *bound.character.notes,
                *_describe_plane(body.skeleton, anatomy),
                *_describe_loose_bones(body.skeleton, anatomy, binding),
            ),
        ),
        binding,
        anatomy.reindex(body.rig_index),
    )


def _join_feet_of_single_bones(anatomy: Anatomy) -> Anatomy:
    """Return an anatomy in which a leg of a single bone moves its foot along.

    Such a leg follows the foot of the character as a whole, since it has no knee. A foot that moved
    by itself would leave it behind.
    """
    legs = tuple(
        replace(leg, foot=None, toe=None)
        if len(leg.segments) == 1 and not leg.has_detached_foot
        else leg
        for leg in anatomy.legs
    )
    return replace(anatomy, legs=legs)


def _describe_plane(skeleton: Skeleton, anatomy: Anatomy) -> list[str]:
    """Return a note on a flat character, such as a cut-out figure."""
    if not anatomy.is_upright:
        return []
    bones = [anatomy.root, *anatomy.trunk]
    bones += [k for leg in anatomy.legs for k in leg.bones]
    bones += [k for arm in anatomy.arms for k in arm.bones]
    depths = skeleton.heads[bones] @ np.cross([0.0, 0.0, 1.0], anatomy.forward)
    if np.ptp(depths) > MAX_FLAT_DEPTH * skeleton.height:
        return []
    return ["all joints are in one plane; choose the engine Side View, which keeps them in it"]


def _describe_loose_bones(skeleton: Skeleton, anatomy: Anatomy, binding: Binding) -> list[str]:
    """Return notes on bones with skin that are not part of the body."""
    notes = [
        f"moved along with {binding.parent_bones.get(name, binding.bones[0])!r}: {name}"
        for name in binding.bones
        if name in binding.loose_bones
    ]
    left_behind = find_unmoved_ancestors(skeleton, anatomy.root)
    if left_behind:
        names = ", ".join(repr(skeleton.names[k]) for k in left_behind)
        notes.append(
            f"the skin of {names} stays behind: it hangs above {skeleton.names[anatomy.root]!r}, "
            "which moves the body; weight it to other bones"
        )
    return notes


def _find_parent_bones(character: Character, binding: Binding) -> dict[str, str]:
    """Return for each bone the bone of the parent of its link.

    For a toe it is the foot, for a loose bone the bone that moves it, for a dragged tail the root.
    """
    dragged = {name for tail in binding.dragged_tails for name in tail.bones}
    on_links = binding.loose_bones | dragged
    bone_of = {
        int(link): name
        for name, link, toe in zip(binding.bones, binding.link_index, binding.toe_leg, strict=True)
        if toe < 0 and name not in on_links
    }
    out = {}
    for name, link, toe in zip(binding.bones, binding.link_index, binding.toe_leg, strict=True):
        is_on_link = toe >= 0 or name in on_links
        parent_link = int(link) if is_on_link else character.links[link].parent
        if parent_link in bone_of:
            out[name] = bone_of[parent_link]
    return out


def _has_forward_folding_legs(skeleton: Skeleton, anatomy: Anatomy) -> bool:
    """Return whether the middle joint of all legs rests well behind hip and ankle.

    Such a leg folds forward, like that of a bird at its hock.
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
    builder = RestStanceBuilder(skeleton, anatomy, with_tail)
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
    bound = LinkBinding(
        link_of,
        rest_to_link,
        head_offsets,
        joint_positions={
            bone: builder.to_body_axes.T @ builder.joint_positions[link]
            for bone, link in link_of.items()
        },
    )
    binding = bind_bones(
        skeleton,
        anatomy,
        bound,
        root_offset=root_offset,
        has_toe=[False] * len(anatomy.legs),
    )
    reversed_bones = frozenset(skeleton.names[bone] for bone in builder.reversed_bones)
    raised_soles = find_raised_soles(skeleton, anatomy, character.legs, bound)
    return BoundCharacter(
        character, replace(binding, reversed_bones=reversed_bones, raised_soles=raised_soles)
    )
