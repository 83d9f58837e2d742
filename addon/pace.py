"""How fast a character is to go where and when, as its settings and its curve have it."""
from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.errors import TaskError
from ..core.task import Pace, Path, Wait
from .going import goes_by_markers
from .reading import unit_scale
from .wish_properties import Wish

Array = NDArray[np.float64]

FINE = 400            # places of a path among which the one that is nearest to a point of the curve is sought


def read_pace(wish: Wish, scene: bpy.types.Scene, path: Path, fps: float) -> Pace:
    """How the speed goes over places and waits; all of it is where the curve has a radius of 1.

    Args:
        path: as it was read from the curve, in metres.

    Raises:
        TaskError: a wait lies outside of the scene's frames.
    """
    seconds = (scene.frame_end - scene.frame_start) / fps
    by_radius = wish.radius_speed and wish.path is not None and not goes_by_markers(wish)
    stations, shares = _shares(wish.path, scene, path) if by_radius else ([0.0], [1.0])
    return Pace(seconds, stations, shares, tuple(_wait(wait, scene, fps) for wait in wish.waits))


def _wait(wait: bpy.types.PropertyGroup, scene: bpy.types.Scene, fps: float) -> Wait:
    if not scene.frame_start <= wait.frame < scene.frame_end:
        raise TaskError(f"There is a wait at frame {wait.frame}; it must begin between the scene's first frame, "
                        f"{scene.frame_start}, and the one before its last, {scene.frame_end - 1}.")
    return Wait((wait.frame - scene.frame_start) / fps, wait.frames / fps)


def _shares(curve: bpy.types.Object, scene: bpy.types.Scene, path: Path) -> tuple[Array, Array]:
    """Radii of the curve's points by how far along the path they are. (n,), (n,)."""
    spline = max(curve.data.splines, key=lambda s: max(len(s.bezier_points), len(s.points)))
    points = list(spline.bezier_points) or list(spline.points)
    places = np.array([curve.matrix_world @ p.co.to_3d() for p in points])[:, :2] * unit_scale(scene)
    along = np.linspace(0.0, path.length, FINE)
    way = path.position(along)                                                             # (FINE, 2)
    stations, least = [], 0
    for place in places:          # one after the other, so that a path that crosses itself is told apart
        least += int(np.argmin(np.linalg.norm(way[least:] - place, axis=1)))
        stations.append(along[least])
    rises = np.append(True, np.diff(stations) > 0)
    return np.array(stations)[rises], np.array([p.radius for p in points])[rises]
