"""The binding of a rig's bones to the links that were made from them."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..recognition.anatomy import Anatomy
from ..recognition.skeleton import Skeleton
from .binding import Binding

Array = NDArray[np.float64]

AS_FAR = 0.7          # of the way from the ankle to a toe's joint, that the joints of toes beside it are ahead at least


def bind(skeleton: Skeleton, found: Anatomy, link_of: Mapping[int, int], turns: Mapping[int, Array], offset: Array,
         has_toe: Sequence[bool], placed: Mapping[int, Array]) -> Binding:
    """Bind bones to links, and toes to their feet.

    Args:
        link_of: link by bone, in the order in which the links were made.
        turns: (3, 3) by bone, from the skeleton's axes to those of its link.
        offset: (3,) of the root bone's head from the root link's origin, in its frame.
        has_toe: of each leg, whether its toes turn by themselves.
        placed: (3,) by bone that is moved by itself: its head from the origin of its link, in its frame.
    """
    bones, links = list(link_of), list(link_of.values())
    toe_of, rotation = [-1] * len(bones), [turns[bone] @ skeleton.axes[bone] for bone in bones]
    for k, leg in enumerate(found.legs):
        if leg.toe is not None and has_toe[k]:
            for toe in (leg.toe, *_beside(skeleton, leg.ankle, leg.toe, bones)):
                bones.append(toe)
                links.append(link_of[leg.ankle])
                toe_of.append(k)
                rotation.append(turns[leg.ankle] @ skeleton.axes[toe])
    moved = set(bones)
    free = {leg.foot for leg in found.legs if leg.loose}            # what stands above a foot that hangs on nothing is not above it
    between = {up for bone in bones[1:] if bone not in free for up in _up_to(skeleton, bone, moved)}
    order = sorted(range(len(bones)), key=lambda i: bones[i])
    order = [order[k] for k in sorted(range(len(order)), key=lambda k: order[k] != 0)]      # the root first
    return Binding(tuple(skeleton.names[bones[i]] for i in order), np.array([links[i] for i in order]),
                   np.array([toe_of[i] for i in order]), np.stack([rotation[i] for i in order]), offset,
                   tuple(skeleton.names[b] for b in sorted(between)),
                   {skeleton.names[b]: (float(v[0]), float(v[1]), float(v[2])) for b, v in placed.items()})


def _beside(skeleton: Skeleton, ankle: int, toe: int, taken: Sequence[int]) -> list[int]:
    """The other toes of a foot: bones beside its toe that begin as far ahead of the ankle; stiff ones would dig into the ground."""
    ahead = skeleton.heads[toe] - skeleton.heads[ankle]
    far = float(ahead @ ahead)
    return [k for k, up in enumerate(skeleton.parents) if up == skeleton.parents[toe] and k != toe and k not in taken
            and float((skeleton.heads[k] - skeleton.heads[ankle]) @ ahead) > AS_FAR * far]


def _up_to(skeleton: Skeleton, bone: int, moved: set[int]) -> list[int]:
    """Bones between a moved bone and the next moved one above it."""
    out = []
    up = skeleton.parents[bone]
    while up >= 0 and up not in moved:
        out.append(up)
        up = skeleton.parents[up]
    return out
