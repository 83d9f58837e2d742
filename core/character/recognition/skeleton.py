"""A rig as arrays: its bones at rest, and its skin if any."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
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

    def transform(self, matrix: Array) -> LowSkin:
        """Return the skin, rotated and scaled about the origin by a matrix (3, 3)."""
        return LowSkin(self.points @ matrix.T, self.weights)


@dataclass(frozen=True)
class Skeleton:
    """Bones at rest in world axes with z up; the place of their origin does not matter.

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

    def transform(self, matrix: Array) -> Skeleton:
        """Return the skeleton with its skin, rotated and scaled about the origin.

        Args:
            matrix: rotation times a scale (3, 3).
        """
        rotation = matrix / np.cbrt(np.linalg.det(matrix))
        return replace(
            self,
            heads=self.heads @ matrix.T,
            tails=self.tails @ matrix.T,
            axes=rotation @ self.axes,
            skin={name: points @ matrix.T for name, points in self.skin.items()},
            low_skin=None if self.low_skin is None else self.low_skin.transform(matrix),
        )

    def compute_digest(self) -> bytes:
        """Return a digest that is equal for skeletons with equal content."""
        digest = hashlib.sha256()
        for part in _iterate_bytes(self):
            digest.update(part)
        return digest.digest()

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


def _iterate_bytes(value: object) -> Iterator[bytes]:
    """Yield the content of a dataclass, with arrays in full."""
    if is_dataclass(value):
        for entry in fields(value):
            yield entry.name.encode()
            yield from _iterate_bytes(getattr(value, entry.name))
    elif isinstance(value, dict):
        for key, content in value.items():
            yield str(key).encode()
            yield from _iterate_bytes(content)
    elif isinstance(value, frozenset):
        yield repr(sorted(value)).encode()
    elif isinstance(value, np.ndarray):
        yield repr((value.shape, value.dtype.str)).encode()
        yield value.tobytes()
    else:
        yield repr(value).encode()
