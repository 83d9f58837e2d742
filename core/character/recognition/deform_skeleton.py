"""Extraction of the deform bones of a rig, without controls and with detached feet reattached."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .detached_feet import FEET, find_detached_feet, list_bone_and_ancestors
from .paws import find_paws
from .separate_limbs import find_separate_limbs
from .skeleton import Skeleton

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ExtractionParameters:
    """Thresholds for the extraction of deform bones.

    Args:
        coincident_distance: greatest distance of the heads of a control and its deform bone
            [skeleton height]. Numerical: above the rounding of files in single precision.
        min_joined_length: least length of a deform bone that another one continues, though it is no
            child of it; those of faces are shorter [skeleton height].
        min_parallel_cosine: least cosine between the directions of a control and its deform bone:
            2.6 degrees, which rolls and rounding of rigs leave.
        min_deform_share: share of deform bones below which the other bones are controls; exported
            rigs have a root or two beside deform bones.
        max_idle_share: share of deform bones without skin above which they are unmarked controls.
        min_idle_bones: least number of such bones. At 8 raylib_guy with controls loses its feet.
        min_skin_height: least height of the skin for such a conclusion [skeleton height], so that
            clothes and hats do not decide about a body.
    """

    coincident_distance: float = 1e-4
    min_joined_length: float = 0.03
    min_parallel_cosine: float = 0.999
    min_deform_share: float = 0.6
    max_idle_share: float = 0.4
    min_idle_bones: int = 20
    min_skin_height: float = 0.8


EXTRACTION = ExtractionParameters()


@dataclass(frozen=True)
class DeformSkeleton:
    """The deform bones of a rig.

    Args:
        skeleton: the deform bones; in a rig with controls, its `deform_bones` are all of them.
            Feet that are not descendants of their legs in the rig are so here, and are among its
            `separate_bones`.
        rig_index: index in the rig of each bone.
    """

    skeleton: Skeleton
    rig_index: tuple[int, ...]

    def is_separate(self, bone: int) -> bool:
        """Return whether a bone has another parent here than in the rig."""
        return self.skeleton.names[bone] in self.skeleton.separate_bones


def extract_deform_skeleton(rig: Skeleton) -> DeformSkeleton:
    """Return the deform bones of a rig; all bones of a rig without controls.

    The deform bones of a rig whose controls were removed before are returned as they are.
    """
    parents = list(rig.parents)
    body_bones = list(range(len(rig.names)))
    has_controls = 0 < len(rig.deform_bones) < EXTRACTION.min_deform_share * len(rig.names)
    if has_controls:
        deforming = _exclude_idle_bones(rig)
        deforming |= find_paws(rig, deforming, FEET.max_foot_height)
        body_bones = [k for k in body_bones if rig.names[k] in deforming]
        parents = _find_deform_parents(rig, set(body_bones))
    leg_of_foot = find_detached_feet(rig, parents, body_bones)
    for foot, leg in leg_of_foot.items():
        parents[foot] = leg
    parent_of_root = find_separate_limbs(rig, parents, body_bones)
    for root, parent in parent_of_root.items():
        parents[root] = parent
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
        deform_bones=frozenset(rig.names[k] for k in order)
        if has_controls or len(rig.deform_bones) == len(rig.names)
        else frozenset(),
        separate_bones=rig.separate_bones
        | frozenset(rig.names[k] for k in (*leg_of_foot, *parent_of_root)),
        low_skin=rig.low_skin,
    )
    return DeformSkeleton(skeleton, tuple(order))


def _exclude_idle_bones(rig: Skeleton) -> frozenset[str]:
    """Return the deform bones of a rig, without those that no skin follows if these are many.

    They are all returned if the skin covers too little of the height, as that of a hat does.
    """
    skinned = frozenset(name for name in rig.deform_bones if name in rig.skin)
    idle_count = len(rig.deform_bones) - len(skinned)
    if not skinned or idle_count < max(
        EXTRACTION.max_idle_share * len(rig.deform_bones), EXTRACTION.min_idle_bones
    ):
        return rig.deform_bones
    points = np.concatenate([rig.skin[name] for name in skinned])
    is_covered = np.ptp(points[:, 2]) > EXTRACTION.min_skin_height * rig.height
    return skinned if is_covered else rig.deform_bones


def _find_deform_parents(rig: Skeleton, body_bones: set[int]) -> list[int]:
    """Return for each bone its nearest ancestor that is a deform bone.

    A control at the place and direction of a deform bone counts as this bone. A deform bone that
    begins where another one ends follows that one, unless an ancestor ends there: constraints, not
    parents, hold some chains together.
    """
    controls = _ControlMatcher(rig, body_bones)
    out: list[int] = []

    def may_follow(bone: int, substitute: int) -> bool:
        return (
            substitute >= 0
            and substitute != bone
            and bone not in list_bone_and_ancestors(out, substitute)
        )

    for bone in range(len(rig.names)):
        ancestor = rig.parents[bone]
        while ancestor >= 0:
            substitute = controls.find_stand_in(ancestor)
            if may_follow(bone, substitute):
                ancestor = substitute
                break
            ancestor = rig.parents[ancestor]
        out.append(ancestor)
    for bone in sorted(body_bones):
        if rig.parents[bone] not in body_bones:
            joined = controls.find_bone_that_ends_at(bone, out[bone])
            if may_follow(bone, joined):
                out[bone] = joined
    roots = [k for k in sorted(body_bones) if out[k] < 0]
    for k, root in enumerate(roots):
        out[root] = controls.find_bone_that_begins_at(root, roots[:k])
    return out


class _ControlMatcher:
    """Finds the deform bones of a rig at the places of other bones."""

    def __init__(self, rig: Skeleton, body_bones: set[int]) -> None:
        self._rig = rig
        self._body_bones = body_bones
        self._deforming = np.array(sorted(body_bones))
        vectors = rig.tails - rig.heads
        self._lengths = np.linalg.norm(vectors, axis=1)
        self._directions = vectors / np.maximum(self._lengths[:, None], 1e-12)
        self._height = max(rig.height, 1e-9)

    def find_stand_in(self, bone: int) -> int:
        """Return the deform bone at the place and direction of a bone; -1 without one."""
        if bone in self._body_bones:
            return bone
        deforming = self._deforming
        is_alike = self._is_near(self._rig.heads[deforming], self._rig.heads[bone]) & (
            self._directions[deforming] @ self._directions[bone] > EXTRACTION.min_parallel_cosine
        )
        return int(deforming[is_alike][0]) if is_alike.any() else -1

    def find_bone_that_ends_at(self, bone: int, parent: int) -> int:
        """Return the deform bone that ends where a bone begins; -1 without one, or if its parent
        does.
        """
        head = self._rig.heads[bone]
        if (
            parent >= 0
            and self._is_near(
                np.stack([self._rig.heads[parent], self._rig.tails[parent]]), head
            ).any()
        ):
            return -1
        deforming = self._deforming
        ends_there = self._is_near(self._rig.tails[deforming], head) & (
            self._lengths[deforming] > EXTRACTION.min_joined_length * self._height
        )
        return int(deforming[ends_there][0]) if ends_there.any() else -1

    def find_bone_that_begins_at(self, bone: int, candidates: list[int]) -> int:
        """Return the candidate that begins where a bone begins, as pelvis and spine do; -1 without
        one.
        """
        for candidate in candidates:
            if self._is_near(self._rig.heads[[candidate]], self._rig.heads[bone]).any():
                return candidate
        return -1

    def _is_near(self, points: Array, point: Array) -> NDArray[np.bool_]:
        limit = EXTRACTION.coincident_distance * self._height
        return np.asarray(np.linalg.norm(points - point, axis=1) < limit)


def _sort_parents_first(parents: list[int], bones: list[int]) -> list[int]:
    """Return bones with parents before children, otherwise in their order."""
    out: list[int] = []
    sorted_bones: set[int] = set()
    waiting = list(bones)
    members = set(bones)
    while waiting:
        # taking only the first ready bone keeps a valid order unchanged
        first = next(k for k in waiting if parents[k] in sorted_bones or parents[k] not in members)
        out.append(first)
        sorted_bones.add(first)
        waiting.remove(first)
    return out
