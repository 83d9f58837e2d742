"""Vertices of meshes as arrays."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def transform_points(matrix: Array, points: Array) -> Array:
    """Return points (n, 3) moved by a matrix (4, 4)."""
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def read_vertices(mesh: bpy.types.Mesh) -> Array:
    """Return the vertices of a mesh in its space (n, 3)."""
    coordinates = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertices.foreach_get("co", coordinates)
    return coordinates.reshape(-1, 3).astype(float)
