"""A skeleton with the lengths that recognition asks for."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .names import says, says_any, stem
from .skeleton import Skeleton

Array = NDArray[np.float64]


class Tree:
    """A skeleton with the lengths that recognition asks for."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.bones = skeleton
        n = len(skeleton.names)
        self.children = skeleton.children
        self.length = np.zeros(n)                             # along the longest way down, between heads
        for k in reversed(range(n)):
            self.length[k] = max((self.step(k, c) + self.length[c] for c in self.children[k]), default=0.0)
        points = np.concatenate([skeleton.heads, self._plausible_tails()])
        self._bottoms = self._bottom_of_each()
        self.extent = float(np.linalg.norm(np.ptp(points, axis=0)))
        self.height = float(np.ptp(points[:, 2]))
        self.floor = float(points[:, 2].min())

    def _plausible_tails(self) -> Array:
        """Tails of bones that are no longer than what they hang on; importers invent others."""
        s = self.bones
        long = np.linalg.norm(s.tails - s.heads, axis=1)
        limit = np.array([np.linalg.norm(s.heads[k] - s.heads[self._begin(p)]) if p >= 0 else np.inf
                          for k, p in enumerate(s.parents)])
        return np.where((long <= 1.2 * limit)[:, None], s.tails, s.heads)

    def _bottom_of_each(self) -> Array:
        """Height of the lowest point of a bone, its skin and all below it, of every bone."""
        s, tails = self.bones, self._plausible_tails()
        out = np.minimum(s.heads[:, 2], tails[:, 2])
        for k, name in enumerate(s.names):
            if name in s.skin:
                out[k] = min(out[k], float(np.quantile(s.skin[name][:, 2], 0.02)))
        for k in reversed(range(len(out))):
            if s.parents[k] >= 0:
                out[s.parents[k]] = min(out[s.parents[k]], out[k])
        return out

    def bottom(self, bone: int) -> float:
        """Height of the lowest point of a bone, its skin and all below it."""
        return float(self._bottoms[bone])

    def common(self, bones: list[int]) -> int:
        """The lowest bone that all of some hang on or are; -1 where there is none."""
        first, *others = [self.ancestors(k) for k in bones]
        return next((k for k in first if all(k in way for way in others)), -1)

    def _begin(self, bone: int) -> int:
        """The first of the bones that one is a half of: they are named alike and say which part they are."""
        s = self.bones
        while s.parents[bone] >= 0 and stem(s.names[bone]) == stem(s.names[s.parents[bone]]) and says_any(s.names[bone]):
            bone = s.parents[bone]
        return bone

    def step(self, parent: int, child: int) -> float:
        """Distance between the heads of two bones."""
        return float(np.linalg.norm(self.bones.heads[child] - self.bones.heads[parent]))

    def chain(self, bone: int, avoid: str = "") -> list[int]:
        """The longest way down from a bone."""
        out = [bone]
        while self.children[out[-1]]:
            here = out[-1]
            ways = [c for c in self.children[here] if not (avoid and says(self.bones.names[c], avoid))] or self.children[here]
            out.append(max(ways, key=lambda c: self.step(here, c) + self.length[c]))
        return out

    def ancestors(self, bone: int) -> list[int]:
        """The bone and all above it, upward."""
        out = [bone]
        while self.bones.parents[out[-1]] >= 0:
            out.append(self.bones.parents[out[-1]])
        return out

    def lowest(self, bone: int) -> float:
        """Height of the lowest head at or below a bone."""
        return min(float(self.bones.heads[k, 2]) for k in self.bones.below(bone))
