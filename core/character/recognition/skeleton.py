"""A rig as plain data: bones at rest, and what is known of the skin."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Skeleton:
    """Bones at rest in world space, metres, z up.

    Args:
        names: of the bones, parents before children.
        parents: index of each bone's parent, -1 for none.
        heads, tails: (n, 3). Tails say little in imported rigs; children's heads are trusted more.
        axes: (n, 3, 3) rest orientation of each bone, columns its x, y and z axis.
        skin: points of the skin at rest that follow a bone most, by bone name,
            each (m, 3); may be empty.
        deform_bones: names of the bones that carry skin where others are there to control; empty:
            nothing is known of that.
        parts: names of bones by the part that they are, as `parts.py` writes them; where there are
            any, nothing is guessed.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    heads: Array
    tails: Array
    axes: Array
    skin: dict[str, Array] = field(default_factory=dict)
    deform_bones: frozenset[str] = frozenset()
    parts: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        n = len(self.names)
        if n == 0:
            raise CharacterError("The armature has no bones.")
        for label, array, shape in (
            ("heads", self.heads, (n, 3)),
            ("tails", self.tails, (n, 3)),
            ("axes", self.axes, (n, 3, 3)),
        ):
            if np.shape(array) != shape:
                raise CharacterError(
                    f"The skeleton's {label} have shape {np.shape(array)}; for {n} bones it must "
                    f"be {shape}."
                )
            is_invalid = ~np.isfinite(np.asarray(array, float).reshape(n, -1)).all(1)
            if is_invalid.any():
                raise CharacterError(
                    f"The bone {self.names[int(np.argmax(is_invalid))]!r} has coordinates that "
                    "are not finite numbers."
                )
        if len(self.parents) != n or any(p >= k for k, p in enumerate(self.parents)):
            raise CharacterError("Every bone's parent must come before it in the list of bones.")

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each bone the indices of those right below it."""
        out: list[list[int]] = [[] for _ in self.parents]
        for bone, parent in enumerate(self.parents):
            if parent >= 0:
                out[parent].append(bone)
        return tuple(tuple(bones) for bones in out)

    def subtree(self, bone: int) -> list[int]:
        """Indices of a bone, which comes first, and of all below it."""
        out = [bone]
        for k in out:
            out.extend(self.children[k])
        return out

    @property
    def height(self) -> float:
        """Extent along z of the skin, or of the bones where there is none, metres."""
        z = (
            np.concatenate([p[:, 2] for p in self.skin.values()])
            if self.skin
            else np.r_[self.heads[:, 2], self.tails[:, 2]]
        )
        return float(np.ptp(z))
