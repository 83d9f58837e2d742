"""What of a rig's bones is the body: no controls, and feet that hang on nothing put where they belong."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .names import says
from .skeleton import Skeleton

Array = NDArray[np.float64]

SAME_PLACE = 1e-4         # of the skeleton's height, within which two bones are at one place
SAME_WAY = 0.999          # cosine
CONTROLLED = 0.6          # share of deforming bones below which a rig has controls of its own
UNDER = 0.12              # of the skeleton's height: how far aside of the leg above it a foot may be that hangs on nothing
LOW = 0.25                # of the height, below which such a foot must be
NEXT = 0.35               # of the height: how far below the leg above it


@dataclass(frozen=True)
class Body:
    """The bones of a body, and for each its index in the whole rig.

    `loose` are feet, by their index here, that the rig has apart from their legs: it moves them by itself.
    """

    skeleton: Skeleton
    index: tuple[int, ...]
    loose: frozenset[int]


def body_of(rig: Skeleton) -> Body:
    """Find the bones that are the body's."""
    parents = list(rig.parents)
    kept = list(range(len(rig.names)))
    if rig.deforming and len(rig.deforming) < CONTROLLED * len(rig.names):
        kept = [k for k in kept if rig.names[k] in rig.deforming]
        parents = _deforming_parents(rig, set(kept))
    loose = _loose_feet(rig, parents, kept)
    for foot, leg in loose.items():
        parents[foot] = leg
    order = _parents_first(parents, kept)
    place = {k: i for i, k in enumerate(order)}
    skin = {rig.names[k]: rig.skin[rig.names[k]] for k in order if rig.names[k] in rig.skin}
    found = Skeleton(tuple(rig.names[k] for k in order), tuple(place.get(parents[k], -1) for k in order), rig.heads[order],
                     rig.tails[order], rig.axes[order], skin)
    return Body(found, tuple(order), frozenset(place[k] for k in loose))


def _deforming_parents(rig: Skeleton, kept: set[int]) -> list[int]:
    """For each bone the nearest one above it that deforms, or that lies where one does: controls repeat the bones they move."""
    close = SAME_PLACE * max(rig.height, 1e-9)
    along = rig.tails - rig.heads
    along = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12)
    deforming = np.array(sorted(kept))

    def stand_in(bone: int) -> int:
        if bone in kept:
            return bone
        near = np.linalg.norm(rig.heads[deforming] - rig.heads[bone], axis=1) < close
        alike = deforming[near & (along[deforming] @ along[bone] > SAME_WAY)]
        return int(alike[0]) if len(alike) else -1

    out: list[int] = []
    for bone in range(len(rig.names)):
        up = rig.parents[bone]
        while up >= 0:
            found = stand_in(up)
            if found >= 0 and found != bone and bone not in _upward(out, found):
                up = found
                break
            up = rig.parents[up]
        out.append(up)
    return out


def _upward(parents: list[int], bone: int) -> list[int]:
    """A bone and those above it, as far as they are known."""
    way = [bone]
    while way[-1] < len(parents) and parents[way[-1]] >= 0 and parents[way[-1]] not in way:
        way.append(parents[way[-1]])
    return way


def _loose_feet(rig: Skeleton, parents: list[int], kept: list[int]) -> dict[int, int]:
    """Feet that hang on nothing or on a bone at the top, each with the bone that ends above it.

    Rigs with inverse kinematics of their own have them. A pair of like bones near the ground that carry skin, under a pair
    of bones that carry skin and on which nothing hangs.
    """
    if not rig.skin:
        return {}
    children = {k for k in kept if parents[k] >= 0 for k in (parents[k],)}
    skinned = [k for k in kept if rig.names[k] in rig.skin]
    floor = min(float(points[:, 2].min()) for points in rig.skin.values())
    tall = rig.height
    tops = [k for k in skinned if (parents[k] < 0 or (parents[parents[k]] < 0 and rig.names[parents[k]] not in rig.skin))
            and rig.heads[k, 2] - floor < LOW * tall and not says(rig.names[k], "helper")]
    ends = [k for k in skinned if k not in children]
    found = {}
    for foot in tops:
        aside = {k: float(np.linalg.norm(rig.heads[k, :2] - rig.heads[foot, :2])) for k in ends
                 if parents[k] >= 0 and 0.02 < (rig.heads[k, 2] - rig.heads[foot, 2]) / tall < NEXT
                 and foot not in _upward(parents, k)}
        leg = min(aside, key=lambda k: aside[k], default=-1)
        if leg >= 0 and aside[leg] < UNDER * tall:
            found[foot] = leg
    return {foot: leg for foot, leg in found.items() if any(
        abs(rig.heads[foot, 2] - rig.heads[k, 2]) < 0.02 * tall and found[k] != leg for k in found if k != foot)}


def _parents_first(parents: list[int], kept: list[int]) -> list[int]:
    """The kept bones, each after its parent; the order stays where it can."""
    out: list[int] = []
    done: set[int] = set()
    waiting, inside = list(kept), set(kept)
    while waiting:
        # the first that is ready, and no more, so that an order that is right already comes back unchanged
        first = next(k for k in waiting if parents[k] in done or parents[k] not in inside)
        out.append(first)
        done.add(first)
        waiting.remove(first)
    return out
