"""A ground in other units of length."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .ground import Array, Ground, TriangleMesh


class ScaledGround:
    """A ground whose places and heights are in units of a length.

    Args:
        ground: in meters.
        length: the unit [m].
    """

    def __init__(self, ground: Ground, length: float) -> None:
        self._ground = ground
        self._length = length

    def sample_heights(self, xy: ArrayLike) -> Array:
        """Return the height under each point, nan off the ground. (..., 2) -> (...,)."""
        return self._ground.sample_heights(np.asarray(xy, float) * self._length) / self._length

    def to_mesh(self) -> TriangleMesh | None:
        """Return the surface as a mesh, see `Ground.to_mesh`."""
        mesh = self._ground.to_mesh()
        return None if mesh is None else TriangleMesh(mesh.vertices / self._length, mesh.triangles)
