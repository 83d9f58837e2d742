"""A collection of meshes as the rungs of an overhead ladder."""
from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import TaskError
from ...core.task import Bars
from .meshes import read_shapes

Array = NDArray[np.float64]


def read_rungs(collection: bpy.types.ID | None, scene: bpy.types.Scene, start: Array) -> Bars | None:
    """The rungs of a collection, one after the other from the end that is nearer to a place (3,); None without a collection.

    Raises:
        TaskError: fewer than two, or two at one place seen from above.
    """
    if collection is None:
        return None
    middles = np.array([0.5 * (shape.vertices.min(0) + shape.vertices.max(0))
                        for shape in read_shapes(collection, scene, "rungs", TaskError)])
    if len(middles) < 2:
        raise TaskError(f"The collection {collection.name!r} has a single rung; bars to be gone along need two at least.")
    level = middles[:, :2] - middles[:, :2].mean(0)
    along = level @ np.linalg.svd(level, full_matrices=False)[2][0]
    order = np.argsort(along)
    ends = np.linalg.norm(middles[order[[0, -1]], :2] - start[:2], axis=1)
    return Bars(middles[order if ends[0] <= ends[1] else order[::-1]])
