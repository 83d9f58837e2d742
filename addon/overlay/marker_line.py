"""The line that leads from marker to marker, drawn in 3D views while a character goes by it."""
from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import TaskError
from ...core.task import smooth_through
from ..scene.active import wish_of
from ..scene.path import goes_by_markers, places_of
from .gpu import batch_of, blending, stroke
from .physics import Colour
from .shapes import Mesh, segments, shade

Array = NDArray[np.float64]

COLOUR: Colour = (1.0, 0.75, 0.25)
WIDTH, OPACITY = 2.0, 0.9      # pixels; of the line

_handles: list[Any] = []
_drawn: dict[bytes, Any] = {}          # the line on the GPU, by the markers' places


def line_of(places: Array) -> Array:
    """The line through markers, with heights that go evenly from one to the next; none where they make no path. (n, 3), (m, 3)."""
    try:
        line, stations = smooth_through(places)
    except TaskError:              # told when a motion is asked for; until then there is nothing to be seen
        return np.zeros((0, 3))
    along = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1)))
    return np.column_stack([line, np.interp(along, stations, places[:, 2])])


def _draw() -> None:
    context = bpy.context
    wish, scene = wish_of(context), context.scene
    if not goes_by_markers(wish) or not context.space_data.overlay.show_overlays:
        return
    places = places_of(wish.markers, scene)
    key = places.tobytes()
    if key not in _drawn:
        _drawn.clear()
        _drawn[key] = batch_of(Mesh.of([(segments(line_of(places)), shade(COLOUR, OPACITY))]), "LINES")
    if _drawn[key] is not None:
        with blending():
            stroke(_drawn[key], WIDTH * context.preferences.system.ui_scale, halo=0.35)


def register() -> None:
    """Have Blender draw it."""
    _handles.append(bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW"))


def unregister() -> None:
    """Have it draw nothing any more."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
    _drawn.clear()
