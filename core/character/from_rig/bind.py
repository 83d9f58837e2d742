"""The binding of a rig's bones to the links that were made from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..recognition.anatomy import Anatomy
from ..recognition.skeleton import Skeleton
from .binding import Binding

Array = NDArray[np.float64]

# of the way from the ankle to a toe's joint, that the joints of toes beside it are ahead at least
MIN_TOE_REACH_SHARE = 0.7


def bind_bones(
    skeleton: Skeleton,
    anatomy: Anatomy,
    link_of: Mapping[int, int],
    rest_to_link: Mapping[int, Array],
    root_offset: Array,
    has_toe: Sequence[bool],
    head_offsets: Mapping[int, Array],
) -> Binding:
    """Bind bones to links, and toes to their feet.

    Args:
        link_of: link by bone, in the order in which the links were made.
        rest_to_link: (3, 3) by bone, from the skeleton's axes to those of its link.
        root_offset: (3,) of the root bone's head from the root link's origin, in its frame.
        has_toe: of each leg, whether its toes turn by themselves.
        head_offsets: (3,) by bone that is moved by itself: its head from the origin of
            its link, in its frame.
    """
    bones = list(link_of)
    links = list(link_of.values())
    toe_of = [-1] * len(bones)
    rotation = [rest_to_link[bone] @ skeleton.axes[bone] for bone in bones]
    for k, leg in enumerate(anatomy.legs):
        if leg.toe is not None and has_toe[k]:
            for toe in (leg.toe, *_sibling_toes(skeleton, leg.ankle, leg.toe, bones)):
                bones.append(toe)
                links.append(link_of[leg.ankle])
                toe_of.append(k)
                rotation.append(rest_to_link[leg.ankle] @ skeleton.axes[toe])
    bound_bones = set(bones)
    # what stands above a foot that hangs on nothing is not above it
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
    return Binding(
        tuple(skeleton.names[bones[i]] for i in order),
        np.array([links[i] for i in order]),
        np.array([toe_of[i] for i in order]),
        rotation=np.stack([rotation[i] for i in order]),
        root_offset=root_offset,
        rest_bones=tuple(skeleton.names[b] for b in sorted(rest_bones)),
        head_offsets={
            skeleton.names[b]: (float(v[0]), float(v[1]), float(v[2]))
            for b, v in head_offsets.items()
        },
    )


def _sibling_toes(skeleton: Skeleton, ankle: int, toe: int, used: Sequence[int]) -> list[int]:
    """The other toes of a foot: bones beside its toe that begin as far ahead of the ankle; stiff
    ones would dig into the ground.
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
    """Bones between a moved bone and the next moved one above it."""
    out = []
    ancestor = skeleton.parents[bone]
    while ancestor >= 0 and ancestor not in bound_bones:
        out.append(ancestor)
        ancestor = skeleton.parents[ancestor]
    return out
