"""The line that leads from marker to marker, drawn in 3D views while a character goes by it."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import TaskError
from ...core.task import smooth_through
from ..scene.active import find_active_settings
from ..scene.path import has_marker_path, read_marker_positions
from .gpu import alpha_blending, create_batch, draw_lines
from .physics import Color
from .shapes import ColoredMesh, make_segments, to_rgba

Array = NDArray[np.float64]

LINE_COLOR: Color = (1.0, 0.75, 0.25)
LINE_WIDTH = 2.0  # pixels
LINE_OPACITY = 0.9  # of the line

_handles: list[Any] = []
_cached_lines: dict[bytes, Any] = {}  # the line on the GPU, by the markers' places


def compute_marker_line(positions: Array) -> Array:
    """The line through markers, with heights that go evenly from one to the next; none where they
    make no path. (n, 3), (m, 3).
    """
    try:
        line, stations = smooth_through(positions)
    except TaskError:  # told when a motion is asked for; until then there is nothing to be seen
        return np.zeros((0, 3))
    distances = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1)))
    return np.column_stack([line, np.interp(distances, stations, positions[:, 2])])


def _draw_marker_line() -> None:
    context = bpy.context
    settings = find_active_settings(context)
    scene = context.scene
    if not has_marker_path(settings) or not context.space_data.overlay.show_overlays:
        return
    positions = read_marker_positions(settings.markers, scene)
    key = positions.tobytes()
    if key not in _cached_lines:
        _cached_lines.clear()
        _cached_lines[key] = create_batch(
            ColoredMesh.from_parts(
                [(make_segments(compute_marker_line(positions)), to_rgba(LINE_COLOR, LINE_OPACITY))]
            ),
            "LINES",
        )
    if _cached_lines[key] is not None:
        with alpha_blending():
            draw_lines(
                _cached_lines[key], LINE_WIDTH * context.preferences.system.ui_scale, halo=0.35
            )


def register() -> None:
    """Have Blender draw it."""
    _handles.append(
        bpy.types.SpaceView3D.draw_handler_add(_draw_marker_line, (), "WINDOW", "POST_VIEW")
    )


def unregister() -> None:
    """Have it draw nothing any more."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
    _cached_lines.clear()
