"""Construction of the binding between the bones of a rig and the links of its character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..recognition.anatomy import Anatomy
from ..recognition.skeleton import Skeleton
from .binding import Binding
from .dragged_tail import bind_dragged_tails
from .loose_bones import find_loose_bones

Array = NDArray[np.float64]

# Least distance of the joints of other toes ahead of the ankle, over that of the toe joint: little
# toes begin behind the great toe. Half or twice of it changes none of 25 rigs.
MIN_TOE_REACH_SHARE = 0.7


@dataclass(frozen=True)
class LinkBinding:
    """The bones that links were made from.

    Args:
        link_of: link of each bone, in the order of the links.
        rest_to_link: (3, 3) for each bone, from the skeleton's axes to the frame of the link.
        head_offsets: (3,) for each bone that moves by itself: its head from the origin of its
            link, in the frame of the link [m].
        joint_positions: (3,) for each bone the origin of its link at rest, in the skeleton's axes
            [m].
    """

    link_of: Mapping[int, int]
    rest_to_link: Mapping[int, Array]
    head_offsets: Mapping[int, Array]
    joint_positions: Mapping[int, Array]


def bind_bones(
    skeleton: Skeleton,
    anatomy: Anatomy,
    bound: LinkBinding,
    root_offset: Array,
    has_toe: Sequence[bool],
) -> Binding:
    """Return the binding of bones to links, and of toes to their feet.

    Args:
        root_offset: (3,) head of the root bone from the origin of the root link, in its frame [m].
        has_toe: of each leg, whether its toes rotate against the foot.
    """
    rest_to_link = bound.rest_to_link
    bones = list(bound.link_of)
    links = list(bound.link_of.values())
    toe_of = [-1] * len(bones)
    rotation = [rest_to_link[bone] @ skeleton.axes[bone] for bone in bones]
    for k, leg in enumerate(anatomy.legs):
        if leg.toe is not None and has_toe[k]:
            for toe in (leg.toe, *_sibling_toes(skeleton, leg.ankle, leg.toe, bones)):
                bones.append(toe)
                links.append(bound.link_of[leg.ankle])
                toe_of.append(k)
                rotation.append(rest_to_link[leg.ankle] @ skeleton.axes[toe])
    bound_bones = set(bones)
    # a detached foot has no bones of the leg above it
    detached_feet = {leg.foot for leg in anatomy.legs if leg.has_detached_foot}
    rest_bones = {
        up
        for bone in bones[1:]
        if bone not in detached_feet
        for up in _unbound_ancestors(skeleton, bone, bound_bones)
    }
    order = sorted(range(len(bones)), key=lambda i: bones[i])
    # the root first
    order = [order[k] for k in sorted(range(len(order)), key=lambda k: order[k] != 0)]
    binding = Binding(
        tuple(skeleton.names[bones[i]] for i in order),
        np.array([links[i] for i in order]),
        np.array([toe_of[i] for i in order]),
        rotation=np.stack([rotation[i] for i in order]),
        root_offset=root_offset,
        rest_bones=tuple(skeleton.names[b] for b in sorted(rest_bones)),
        head_offsets={
            skeleton.names[b]: (float(v[0]), float(v[1]), float(v[2]))
            for b, v in bound.head_offsets.items()
        },
    )
    binding = bind_dragged_tails(
        binding, skeleton, anatomy, bound.link_of, rest_to_link[anatomy.root]
    )
    return bind_loose_bones(bind_separate_bones(binding, skeleton, bound), skeleton, bound)


def bind_separate_bones(binding: Binding, skeleton: Skeleton, bound: LinkBinding) -> Binding:
    """Return a binding that also translates the bound bones that the rig moves separately."""
    head_offsets = {
        skeleton.names[bone]: _compute_head_offset(skeleton, bound, bone, bone)
        for bone in list(bound.link_of)[1:]
        if skeleton.names[bone] in skeleton.separate_bones
    }
    return replace(binding, head_offsets={**head_offsets, **binding.head_offsets})


def _compute_head_offset(
    skeleton: Skeleton, bound: LinkBinding, bone: int, carrier: int
) -> tuple[float, float, float]:
    """Return the head of a bone from the origin of the link of another one, in its frame [m]."""
    offset = skeleton.heads[bone] - bound.joint_positions[carrier]
    x, y, z = (float(v) for v in bound.rest_to_link[carrier] @ offset)
    return x, y, z


def bind_loose_bones(binding: Binding, skeleton: Skeleton, bound: LinkBinding) -> Binding:
    """Return a binding that also moves the bones with skin that hang on no part of the body."""
    carriers = find_loose_bones(skeleton, bound.link_of)
    if not carriers:
        return binding
    rotations = [bound.rest_to_link[c] @ skeleton.axes[bone] for bone, c in carriers.items()]
    head_offsets = {
        skeleton.names[bone]: _compute_head_offset(skeleton, bound, bone, carrier)
        for bone, carrier in carriers.items()
    }
    return replace(
        binding,
        bones=(*binding.bones, *head_offsets),
        link_index=np.append(binding.link_index, [bound.link_of[c] for c in carriers.values()]),
        toe_leg=np.append(binding.toe_leg, np.full(len(carriers), -1)),
        rotation=np.concatenate([binding.rotation, rotations]),
        head_offsets={**binding.head_offsets, **head_offsets},
        loose_bones=frozenset(head_offsets),
    )


def _sibling_toes(skeleton: Skeleton, ankle: int, toe: int, used: Sequence[int]) -> list[int]:
    """Return the other toes of a foot: siblings of its toe that begin as far ahead of the ankle.

    Toes that do not bend would penetrate the ground.
    """
    toe_offset = skeleton.heads[toe] - skeleton.heads[ankle]
    squared_length = float(toe_offset @ toe_offset)
    return [
        k
        for k, up in enumerate(skeleton.parents)
        if up == skeleton.parents[toe]
        and k != toe
        and k not in used
        and float((skeleton.heads[k] - skeleton.heads[ankle]) @ toe_offset)
        > MIN_TOE_REACH_SHARE * squared_length
    ]


def _unbound_ancestors(skeleton: Skeleton, bone: int, bound_bones: set[int]) -> list[int]:
    """Return the bones between a bound bone and the next bound bone above it."""
    out = []
    ancestor = skeleton.parents[bone]
    while ancestor >= 0 and ancestor not in bound_bones:
        out.append(ancestor)
        ancestor = skeleton.parents[ancestor]
    return out
