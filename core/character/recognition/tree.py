"""A skeleton with lengths and heights of its chains."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .names import is_end_name, is_limb_segment_name, is_part_name, name_stem
from .skeleton import Skeleton

Array = NDArray[np.float64]

# Distance of bones at the same place [extent of the skeleton]: 2 mm of a human. Half or twice of it
# changes none of 25 rigs.
COINCIDENT_DISTANCE = 1e-3
FLOOR_QUANTILE = 0.02  # Share of the skin of a bone below its lowest point; vertices may stray
MIN_FAN = 3  # Least number of branches that are about as long, such as toes
MAX_BRANCH_DIFFERENCE = 0.05  # Greatest relative difference of the lengths of such branches
# Least height of the skin of a whole body [height of the bones]; that of a hat shows no ground
MIN_SKIN_HEIGHT = 0.7


class SkeletonTree:
    """A skeleton with lengths and heights of its chains.

    Bones at the ends of chains that exporters add are no part of the chains, unless skin follows
    them: a leg of one bone has no knee where such a bone begins.
    """

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        n = len(skeleton.names)
        self.children = tuple(
            tuple(k for k in bones if not _is_added_end(skeleton, k)) for bones in skeleton.children
        )
        self.chain_length = np.zeros(n)  # length of the longest chain down, between heads
        for k in reversed(range(n)):
            self.chain_length[k] = max(
                (self.head_distance(k, c) + self.chain_length[c] for c in self.children[k]),
                default=0.0,
            )
        is_body = [
            name in skeleton.skin or not is_part_name(name, "helper") for name in skeleton.names
        ]  # targets may be anywhere
        points = np.concatenate([skeleton.heads[is_body], self._plausible_tails()[is_body]])
        self._bottom_heights = self._compute_bottom_heights()
        self.extent = float(np.linalg.norm(np.ptp(points, axis=0)))
        self.height = float(np.ptp(points[:, 2]))
        self.floor_height = self._find_floor(float(points[:, 2].min()))

    def _find_floor(self, lowest: float) -> float:
        """Return the height of the ground: that of the lowest skin, if it covers the body.

        Bones of hair, staffs and tails may hang below the feet.

        Args:
            lowest: height of the lowest bone.
        """
        s = self.skeleton
        if not s.skin:
            return lowest
        heights = np.concatenate([points[:, 2] for points in s.skin.values()])
        if np.ptp(heights) < MIN_SKIN_HEIGHT * self.height:
            return lowest
        return min(
            float(np.quantile(s.skin[name][:, 2], FLOOR_QUANTILE))
            for name in s.names
            if name in s.skin
        )

    def _plausible_tails(self) -> Array:
        """Return the tails (n, 3), replaced by the heads for bones much longer than their parents,
        for ends that exporters add, and for roots without skin.

        Importers set arbitrary tails for bones without children.
        """
        s = self.skeleton
        bone_length = np.linalg.norm(s.tails - s.heads, axis=1)
        parent_length = np.array(
            [
                np.linalg.norm(s.heads[k] - s.heads[self._first_bone_half(p)]) if p >= 0 else np.inf
                for k, p in enumerate(s.parents)
            ]
        )
        is_arbitrary = np.array(
            [
                _is_added_end(s, k) or (s.parents[k] < 0 and bool(s.skin) and name not in s.skin)
                for k, name in enumerate(s.names)
            ]
        )
        is_plausible = (bone_length <= 1.2 * parent_length) & ~is_arbitrary
        return np.where(is_plausible[:, None], s.tails, s.heads)

    def _compute_bottom_heights(self) -> Array:
        """Return `bottom_height` of all bones (n,)."""
        s = self.skeleton
        tails = self._plausible_tails()
        out = np.minimum(s.heads[:, 2], tails[:, 2])
        for k, name in enumerate(s.names):
            if name in s.skin:
                out[k] = min(out[k], float(np.quantile(s.skin[name][:, 2], FLOOR_QUANTILE)))
        for k in reversed(range(len(out))):
            if s.parents[k] >= 0:
                out[s.parents[k]] = min(out[s.parents[k]], out[k])
        return out

    def bottom_height(self, bone: int) -> float:
        """Return the height of the lowest point of a bone, its descendants and their skin."""
        return float(self._bottom_heights[bone])

    def common_ancestor(self, bones: list[int]) -> int:
        """Return the lowest common ancestor of bones, which may be one of them; -1 for none."""
        first, *others = [self.ancestors(k) for k in bones]
        return next((k for k in first if all(k in path for path in others)), -1)

    def _first_bone_half(self, bone: int) -> int:
        """Return the first of the bones that are pieces of one, which have the same name stem."""
        s = self.skeleton
        while (
            s.parents[bone] >= 0
            and name_stem(s.names[bone]) == name_stem(s.names[s.parents[bone]])
            and is_limb_segment_name(s.names[bone])
        ):
            bone = s.parents[bone]
        return bone

    def head_distance(self, parent: int, child: int) -> float:
        """Return the distance between the heads of two bones."""
        return float(np.linalg.norm(self.skeleton.heads[child] - self.skeleton.heads[parent]))

    def longest_chain(self, bone: int, avoid: str = "") -> list[int]:
        """Return the longest chain down from a bone.

        Args:
            avoid: name of a part whose bones are taken only if there are no others.
        """
        out = [bone]
        while self.children[out[-1]]:
            last_bone = out[-1]
            branches = [
                c
                for c in self.children[last_bone]
                if not (avoid and is_part_name(self.skeleton.names[c], avoid))
            ] or self.children[last_bone]
            out.append(self._choose_branch(last_bone, branches))
        return out

    def _choose_branch(self, bone: int, branches: Sequence[int]) -> int:
        """Return the child of a bone with the longest chain; the middle one of several as long.

        Of five toes it is the same one on both sides.
        """
        lengths = [self.head_distance(bone, c) + self.chain_length[c] for c in branches]
        alike = [
            c
            for c, length in zip(branches, lengths, strict=True)
            if length > (1 - MAX_BRANCH_DIFFERENCE) * max(lengths)
        ]
        if len(alike) < MIN_FAN:
            return branches[lengths.index(max(lengths))]
        heads = self.skeleton.heads[alike]
        return alike[int(np.argmin(np.linalg.norm(heads - np.median(heads, axis=0), axis=1)))]

    def ancestors(self, bone: int) -> list[int]:
        """Return a bone and its ancestors, upward."""
        out = [bone]
        while self.skeleton.parents[out[-1]] >= 0:
            out.append(self.skeleton.parents[out[-1]])
        return out

    def lowest_head_height(self, bone: int) -> float:
        """Return the height of the lowest head of a bone and its descendants."""
        return min(float(self.skeleton.heads[k, 2]) for k in self.skeleton.subtree(bone))


def _is_added_end(skeleton: Skeleton, bone: int) -> bool:
    """Return whether a bone without children and skin is named as the end of a chain."""
    name = skeleton.names[bone]
    return not skeleton.children[bone] and name not in skeleton.skin and is_end_name(name)
