"""The rungs of an overhead ladder from a collection of meshes."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import TaskError
from ...core.task import MonkeyBars
from .meshes import read_scene_meshes

Array = NDArray[np.float64]


def read_monkey_bars(
    collection: bpy.types.ID | None, scene: bpy.types.Scene, start: Array
) -> MonkeyBars | None:
    """Return the rungs of a collection in order, starting at the end nearer to a position; None
    without a collection.

    Args:
        start: position of the body [m], (3,).

    Raises:
        TaskError: there are fewer than two rungs, or two coincide when seen from above.
    """
    if collection is None:
        return None
    centers = np.array(
        [
            0.5 * (shape.vertices.min(0) + shape.vertices.max(0))
            for shape in read_scene_meshes(collection, scene, "rungs", TaskError)
        ]
    )
    if len(centers) < 2:
        raise TaskError(
            f"The collection {collection.name!r} has a single rung; a character needs at least "
            "two to move along. Add another mesh."
        )
    horizontal = centers[:, :2] - centers[:, :2].mean(0)
    stations = horizontal @ np.linalg.svd(horizontal, full_matrices=False)[2][0]
    order = np.argsort(stations)
    end_distances = np.linalg.norm(centers[order[[0, -1]], :2] - start[:2], axis=1)
    return MonkeyBars(centers[order if end_distances[0] <= end_distances[1] else order[::-1]])
