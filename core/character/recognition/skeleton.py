"""A rig as arrays: its bones at rest, and its skin if any."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LowSkin:
    """The lowest part of a skin, with the weights of all bones.

    Args:
        points: (m, 3) at rest [m].
        weights: (m,) for each bone with a share, by name; the sum over the bones is 1.
    """

    points: Array
    weights: dict[str, Array]

    def rotate(self, rotation: Array) -> LowSkin:
        """Return the skin after a rotation (3, 3) about the origin."""
        return LowSkin(self.points @ rotation.T, self.weights)


@dataclass(frozen=True)
class Skeleton:
    """Bones at rest in world axes with z up.

    Args:
        names: of the bones, parents before children.
        parents: index of the parent of each bone; -1 for none.
        heads: (n, 3) [m].
        tails: (n, 3), less reliable than the heads of children in imported rigs [m].
        axes: (n, 3, 3) orientation of each bone at rest; columns are its x, y and z axis.
        skin: (m, 3) points at rest that follow mainly a bone, by its name; may be empty [m].
        deform_bones: names of bones that deform the skin, in a rig with controls; may be empty.
        parts: names of bones by part, as in `parts.py`; if empty, parts are recognized.
        separate_bones: names of bones that have another parent here than in the rig, which moves
            them separately.
        low_skin: skin near the ground, for soles that follow several bones; None without.

    Raises:
        CharacterError: there are no bones, arrays have wrong shapes or values that are not finite,
            or a bone comes before its parent.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    heads: Array
    tails: Array
    axes: Array
    skin: dict[str, Array] = field(default_factory=dict)
    deform_bones: frozenset[str] = frozenset()
    parts: dict[str, str] = field(default_factory=dict)
    separate_bones: frozenset[str] = frozenset()
    low_skin: LowSkin | None = None

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
        """Children of each bone."""
        out: list[list[int]] = [[] for _ in self.parents]
        for bone, parent in enumerate(self.parents):
            if parent >= 0:
                out[parent].append(bone)
        return tuple(tuple(bones) for bones in out)

    def subtree(self, bone: int) -> list[int]:
        """Return a bone, which comes first, and its descendants."""
        out = [bone]
        for k in out:
            out.extend(self.children[k])
        return out

    @property
    def height(self) -> float:
        """Extent along z of the skin, or of the bones without skin [m]."""
        z = (
            np.concatenate([p[:, 2] for p in self.skin.values()])
            if self.skin
            else np.r_[self.heads[:, 2], self.tails[:, 2]]
        )
        return float(np.ptp(z))
