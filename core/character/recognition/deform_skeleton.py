"""What of a rig's bones is the body: no controls, and feet that hang on
nothing put where they belong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .names import is_part_name
from .skeleton import Skeleton

Array = NDArray[np.float64]

COINCIDENT_DISTANCE = 1e-4  # of the skeleton's height, within which two bones are at one place
MIN_PARALLEL_COSINE = 0.999  # cosine
MIN_DEFORM_SHARE = 0.6  # share of deforming bones below which a rig has controls of its own
# of the skeleton's height: how far aside of the leg above it a foot may be that hangs on nothing
MAX_FOOT_ASIDE = 0.12
MAX_FOOT_HEIGHT = 0.25  # of the height, below which such a foot must be
MAX_FOOT_DROP = 0.35  # of the height: how far below the leg above it


@dataclass(frozen=True)
class DeformSkeleton:
    """The bones of a body, and for each its index in the whole rig.

    `detached_feet` are feet, by their index here, that the rig has apart from their legs:
    it moves them by itself.
    """

    skeleton: Skeleton
    rig_index: tuple[int, ...]
    detached_feet: frozenset[int]


def extract_deform_skeleton(rig: Skeleton) -> DeformSkeleton:
    """Find the bones that are the body's."""
    parents = list(rig.parents)
    body_bones = list(range(len(rig.names)))
    if rig.deform_bones and len(rig.deform_bones) < MIN_DEFORM_SHARE * len(rig.names):
        body_bones = [k for k in body_bones if rig.names[k] in rig.deform_bones]
        parents = _find_deform_parents(rig, set(body_bones))
    leg_of_foot = _find_detached_feet(rig, parents, body_bones)
    for foot, leg in leg_of_foot.items():
        parents[foot] = leg
    order = _sort_parents_first(parents, body_bones)
    position = {k: i for i, k in enumerate(order)}
    skin = {rig.names[k]: rig.skin[rig.names[k]] for k in order if rig.names[k] in rig.skin}
    skeleton = Skeleton(
        tuple(rig.names[k] for k in order),
        tuple(position.get(parents[k], -1) for k in order),
        rig.heads[order],
        tails=rig.tails[order],
        axes=rig.axes[order],
        skin=skin,
    )
    return DeformSkeleton(skeleton, tuple(order), frozenset(position[k] for k in leg_of_foot))


def _find_deform_parents(rig: Skeleton, body_bones: set[int]) -> list[int]:
    """For each bone the nearest one above it that deforms, or that lies where one does: controls
    repeat the bones they move.
    """
    max_distance = COINCIDENT_DISTANCE * max(rig.height, 1e-9)
    directions = rig.tails - rig.heads
    directions = directions / np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), 1e-12)
    deforming = np.array(sorted(body_bones))

    def find_stand_in(bone: int) -> int:
        if bone in body_bones:
            return bone
        is_coincident = (
            np.linalg.norm(rig.heads[deforming] - rig.heads[bone], axis=1) < max_distance
        )
        alike = deforming[
            is_coincident & (directions[deforming] @ directions[bone] > MIN_PARALLEL_COSINE)
        ]
        return int(alike[0]) if len(alike) else -1

    out: list[int] = []
    for bone in range(len(rig.names)):
        ancestor = rig.parents[bone]
        while ancestor >= 0:
            substitute = find_stand_in(ancestor)
            if (
                substitute >= 0
                and substitute != bone
                and bone not in _bone_and_ancestors(out, substitute)
            ):
                ancestor = substitute
                break
            ancestor = rig.parents[ancestor]
        out.append(ancestor)
    return out


def _bone_and_ancestors(parents: list[int], bone: int) -> list[int]:
    """A bone and those above it, as far as they are known."""
    path = [bone]
    while path[-1] < len(parents) and parents[path[-1]] >= 0 and parents[path[-1]] not in path:
        path.append(parents[path[-1]])
    return path


def _find_detached_feet(rig: Skeleton, parents: list[int], body_bones: list[int]) -> dict[int, int]:
    """Feet that hang on nothing or on a bone at the top, each with the bone that ends above it.

    Rigs with inverse kinematics of their own have them. A pair of like bones near the ground that
    carry skin, under a pair of bones that carry skin and on which nothing hangs.
    """
    if not rig.skin:
        return {}
    inner_bones = {k for k in body_bones if parents[k] >= 0 for k in (parents[k],)}
    skinned = [k for k in body_bones if rig.names[k] in rig.skin]
    floor = min(float(points[:, 2].min()) for points in rig.skin.values())
    height = rig.height
    candidates = [
        k
        for k in skinned
        if (parents[k] < 0 or (parents[parents[k]] < 0 and rig.names[parents[k]] not in rig.skin))
        and rig.heads[k, 2] - floor < MAX_FOOT_HEIGHT * height
        and not is_part_name(rig.names[k], "helper")
    ]
    leg_ends = [k for k in skinned if k not in inner_bones]
    leg_of_foot = {}
    for foot in candidates:
        lateral_distance = {
            k: float(np.linalg.norm(rig.heads[k, :2] - rig.heads[foot, :2]))
            for k in leg_ends
            if parents[k] >= 0
            and 0.02 < (rig.heads[k, 2] - rig.heads[foot, 2]) / height < MAX_FOOT_DROP
            and foot not in _bone_and_ancestors(parents, k)
        }
        leg = min(lateral_distance, key=lambda k: lateral_distance[k], default=-1)
        if leg >= 0 and lateral_distance[leg] < MAX_FOOT_ASIDE * height:
            leg_of_foot[foot] = leg
    return {
        foot: leg
        for foot, leg in leg_of_foot.items()
        if any(
            abs(rig.heads[foot, 2] - rig.heads[k, 2]) < 0.02 * height and leg_of_foot[k] != leg
            for k in leg_of_foot
            if k != foot
        )
    }


def _sort_parents_first(parents: list[int], bones: list[int]) -> list[int]:
    """The kept bones, each after its parent; the order stays where it can."""
    out: list[int] = []
    sorted_bones: set[int] = set()
    waiting = list(bones)
    members = set(bones)
    while waiting:
        # the first that is ready, and no more, so that an order that is right
        # already comes back unchanged
        first = next(k for k in waiting if parents[k] in sorted_bones or parents[k] not in members)
        out.append(first)
        sorted_bones.add(first)
        waiting.remove(first)
    return out
