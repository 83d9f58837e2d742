"""What a drive draws over the 3D view: the stick, a push that is aimed,
and a figure where the rig itself cannot be shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import blf
import bpy
import gpu
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gpu_extras.batch import batch_for_shader
from mathutils import Vector
from numpy.typing import NDArray

Array = NDArray[np.float64]
ColorRGBA = tuple[float, float, float, float]

# of the stick, pixels at a scale of 1
STICK_RADIUS = 52
KNOB_RADIUS = 14
STICK_MARGIN = 34

CLICK_RADIUS = 70  # pixels within which a click means the character
DIM_COLOR = (1.0, 1.0, 1.0, 0.35)
BRIGHT_COLOR = (1.0, 1.0, 1.0, 0.9)
HOT_COLOR = (1.0, 0.55, 0.1, 0.95)
CIRCLE_ANGLES = np.linspace(0, 2 * np.pi, 49)


@dataclass
class HudState:
    """What is to be seen; places in pixels of the region, lines in the scene's units."""

    stick: tuple[float, float] = (0.0, 0.0)
    push: tuple[tuple[float, float], tuple[float, float]] | None = None
    push_label: str = ""  # beside the push
    figure_lines: Array = field(default_factory=lambda: np.zeros((0, 2, 3)))
    color: ColorRGBA = BRIGHT_COLOR


class DriveHud:
    """One 3D view in which a drive is drawn; `close` leaves nothing of it."""

    def __init__(self, area: bpy.types.Area, region: bpy.types.Region) -> None:
        self._area = area.as_pointer()
        self._region = region.as_pointer()
        self.state = HudState()
        space = bpy.types.SpaceView3D
        self._handles = [
            (space.draw_handler_add(self._draw_controls, (), "WINDOW", "POST_PIXEL"), "WINDOW"),
            (space.draw_handler_add(self._draw_figure, (), "WINDOW", "POST_VIEW"), "WINDOW"),
        ]

    def close(self) -> None:
        """Draw nothing any more; harmless when it was closed before."""
        while self._handles:
            bpy.types.SpaceView3D.draw_handler_remove(*self._handles.pop())

    def _is_this_region(self) -> bool:
        region = bpy.context.region
        return region is not None and region.as_pointer() == self._region

    def _draw_controls(self) -> None:
        if not self._is_this_region():
            return
        scale = get_ui_scale(bpy.context)
        center = compute_stick_center(scale)
        gpu.state.blend_set("ALPHA")
        rim = center + STICK_RADIUS * scale * np.column_stack(
            [np.cos(CIRCLE_ANGLES), np.sin(CIRCLE_ANGLES)]
        )
        _draw_disc(center, STICK_RADIUS * scale, (0.0, 0.0, 0.0, 0.25))
        _draw_line(rim, DIM_COLOR, 2.0)
        _draw_line(center + 0.6 * (rim - center), (1.0, 1.0, 1.0, 0.15), 1.0)
        knob_center = center + STICK_RADIUS * scale * np.array(self.state.stick)
        _draw_line(np.array([center, knob_center]), DIM_COLOR, 2.0)
        _draw_disc(knob_center, KNOB_RADIUS * scale, self.state.color)
        if self.state.push is not None:
            start, end = (np.array(p) for p in self.state.push)
            _draw_line(np.array([start, end]), HOT_COLOR, 3.0)
            _draw_disc(end, 5 * scale, HOT_COLOR)
            _draw_text(end + 12 * scale, self.state.push_label, scale)
        gpu.state.blend_set("NONE")

    def _draw_figure(self) -> None:
        if self._is_this_region() and len(self.state.figure_lines):
            gpu.state.blend_set("ALPHA")
            _draw_line(self.state.figure_lines.reshape(-1, 3), BRIGHT_COLOR, 5.0, "LINES")
            gpu.state.blend_set("NONE")


def get_ui_scale(context: bpy.types.Context) -> float:
    """Pixels of one at the interface's usual scale; without a window there is none."""
    return float(context.preferences.system.ui_scale) or 1.0


def compute_stick_center(scale: float) -> Array:
    """Middle of the stick, pixels of the region."""
    return np.full(2, (STICK_RADIUS + STICK_MARGIN) * scale)


def read_stick(
    mouse: tuple[int, int], scale: float, is_held: bool = False
) -> tuple[float, float] | None:
    """Where a mouse holds the stick, right and up, 1 long at most;
    None beside it, unless it is held already.
    """
    deflection = (np.array(mouse) - compute_stick_center(scale)) / (STICK_RADIUS * scale)
    length = float(np.hypot(*deflection))
    if length > 1.25 and not is_held:
        return None
    deflection = deflection / max(length, 1.0)
    return float(deflection[0]), float(deflection[1])


def find_nearest(
    region: bpy.types.Region,
    region_3d: bpy.types.RegionView3D,
    mouse: tuple[int, int],
    positions: dict[str, Array],
    scale: float,
) -> str:
    """Which of some places in the world is nearest to the mouse on the screen;
    none where all are far off.
    """
    nearest_name = ""
    min_distance = CLICK_RADIUS * scale
    for name, position in positions.items():
        projected = location_3d_to_region_2d(region, region_3d, Vector(position.tolist()))
        if (
            projected is not None
            and (distance := float(np.hypot(projected.x - mouse[0], projected.y - mouse[1])))
            < min_distance
        ):
            nearest_name = name
            min_distance = distance
    return nearest_name


def _draw_line(
    points: Array, color: ColorRGBA, width: float, primitive: str = "LINE_STRIP"
) -> None:
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    points_3d = np.column_stack([points, np.zeros(len(points))]) if points.shape[1] == 2 else points
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", width)
    shader.uniform_float("color", color)
    batch_for_shader(shader, primitive, {"pos": points_3d.astype(np.float32).tolist()}).draw(shader)


def _draw_disc(center: Array, radius: float, color: ColorRGBA) -> None:
    rim = center + radius * np.column_stack([np.cos(CIRCLE_ANGLES), np.sin(CIRCLE_ANGLES)])
    vertices = [point for a, b in pairwise(rim) for point in (center, a, b)]
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    shader.uniform_float("color", color)
    batch_for_shader(
        shader, "TRIS", {"pos": [(float(x), float(y), 0.0) for x, y in vertices]}
    ).draw(shader)


def _draw_text(position: Array, text: str, scale: float) -> None:
    blf.position(0, float(position[0]), float(position[1]), 0)
    blf.size(0, 13 * scale)
    blf.color(0, *HOT_COLOR)
    blf.draw(0, text)
