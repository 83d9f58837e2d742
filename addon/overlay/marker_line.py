"""The path through markers, drawn in 3D views while the character follows it."""

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
from .shapes import ColoredMesh, ColoredPart, make_segments, to_rgba

Array = NDArray[np.float64]

# Color and width by eye: a line that is seen on any ground.
LINE_COLOR: Color = (1.0, 0.75, 0.25)
LINE_WIDTH = 2.0  # at an interface scale of 1 [pixels]
LINE_OPACITY = 0.9

_handles: list[Any] = []
_cached_lines: dict[bytes, Any] = {}  # mesh of the line by the positions of the markers


def compute_marker_line(positions: Array) -> Array:
    """Return the path through markers, with linearly interpolated heights.

    Args:
        positions: positions of the markers, (n, 3).

    Returns:
        Points of the path, (m, 3); no points if the markers do not define a path.
    """
    try:
        smooth = smooth_through(positions)
    except TaskError:  # reading the task reports the error
        return np.zeros((0, 3))
    line = smooth.points
    distances = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1)))
    return np.column_stack([line, np.interp(distances, smooth.stations, positions[:, 2])])


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
                [
                    ColoredPart(
                        make_segments(compute_marker_line(positions)),
                        to_rgba(LINE_COLOR, LINE_OPACITY),
                    )
                ]
            ),
            "LINES",
        )
    if _cached_lines[key] is not None:
        with alpha_blending():
            draw_lines(
                _cached_lines[key], LINE_WIDTH * context.preferences.system.ui_scale, halo=0.35
            )


def register() -> None:
    """Add the draw handler."""
    _handles.append(
        bpy.types.SpaceView3D.draw_handler_add(_draw_marker_line, (), "WINDOW", "POST_VIEW")
    )


def unregister() -> None:
    """Remove the draw handler."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
    _cached_lines.clear()
