"""Overlay of a live drive in the 3D view: stick, push arrow and stick figure.

The stick figure replaces a rig that cannot display the drive itself.
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

from .input import NATURAL_SPEED_DEFLECTION, StickDeflection

Array = NDArray[np.float64]
ColorRGBA = tuple[float, float, float, float]

# Sizes at an interface scale of 1 [pixels], by eye: large enough to hit with a mouse.
STICK_RADIUS = 52
KNOB_RADIUS = 14
STICK_MARGIN = 34  # distance of the stick from the edges of the region
CLICK_RADIUS = 70  # distance from a body part within which a click selects the part

# Distance from the center of the stick, in radii, within which a click takes hold of it.
STICK_GRAB_RADIUS = 1.25
# Radius of the inner circle, in stick radii: deflection of the natural speed.
INNER_RADIUS = NATURAL_SPEED_DEFLECTION

# By eye: white at rest, orange while the mouse holds something.
DIM_COLOR = (1.0, 1.0, 1.0, 0.35)
BRIGHT_COLOR = (1.0, 1.0, 1.0, 0.9)
HOT_COLOR = (1.0, 0.55, 0.1, 0.95)
CIRCLE_ANGLES = np.linspace(0, 2 * np.pi, 49)  # corners of a drawn circle [rad]


@dataclass(frozen=True)
class PushLine:
    """Line of a push that the user drags, with its label."""

    start: tuple[int, int]  # [pixels of the region]
    end: tuple[int, int]  # [pixels of the region]
    label: str


@dataclass
class HudState:
    """Content of the overlay."""

    stick: StickDeflection = field(default_factory=lambda: StickDeflection(0.0, 0.0))
    push: PushLine | None = None
    figure_lines: Array = field(  # (k, 2, 3) [scene units]
        default_factory=lambda: np.zeros((0, 2, 3))
    )
    color: ColorRGBA = BRIGHT_COLOR


class DriveHud:
    """Overlay of one 3D view, drawn until `close`.

    Args:
        area: area of the view.
        region: region of the view.
    """

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
        """Remove the overlay; does nothing if it was removed before."""
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
        _draw_line(center + INNER_RADIUS * (rim - center), (1.0, 1.0, 1.0, 0.15), 1.0)
        knob_center = center + STICK_RADIUS * scale * np.array(
            [self.state.stick.right, self.state.stick.up]
        )
        _draw_line(np.array([center, knob_center]), DIM_COLOR, 2.0)
        _draw_disc(knob_center, KNOB_RADIUS * scale, self.state.color)
        if self.state.push is not None:
            start = np.array(self.state.push.start)
            end = np.array(self.state.push.end)
            _draw_line(np.array([start, end]), HOT_COLOR, 3.0)
            _draw_disc(end, 5 * scale, HOT_COLOR)
            _draw_text(end + 12 * scale, self.state.push.label, scale)
        gpu.state.blend_set("NONE")

    def _draw_figure(self) -> None:
        if self._is_this_region() and len(self.state.figure_lines):
            gpu.state.blend_set("ALPHA")
            _draw_line(self.state.figure_lines.reshape(-1, 3), BRIGHT_COLOR, 5.0, "LINES")
            gpu.state.blend_set("NONE")


def get_ui_scale(context: bpy.types.Context) -> float:
    """Return the scale of the user interface; 1 without a window, where Blender reports 0."""
    return float(context.preferences.system.ui_scale) or 1.0


def compute_stick_center(scale: float) -> Array:
    """Return the center of the stick, (2,) [pixels of the region]."""
    return np.full(2, (STICK_RADIUS + STICK_MARGIN) * scale)


def read_stick(
    mouse: tuple[int, int], scale: float, is_held: bool = False
) -> StickDeflection | None:
    """Return the deflection that a mouse position gives the stick.

    Args:
        mouse: position of the mouse [pixels of the region].
        scale: interface scale.
        is_held: whether the mouse already holds the stick.

    Returns:
        The deflection; None if the mouse does not touch the stick and does not hold it.
    """
    deflection = (np.array(mouse) - compute_stick_center(scale)) / (STICK_RADIUS * scale)
    length = float(np.hypot(*deflection))
    if length > STICK_GRAB_RADIUS and not is_held:
        return None
    deflection = deflection / max(length, 1.0)
    return StickDeflection(float(deflection[0]), float(deflection[1]))


def find_nearest(
    region: bpy.types.Region,
    region_3d: bpy.types.RegionView3D,
    mouse: tuple[int, int],
    positions: dict[str, Array],
    scale: float,
) -> str:
    """Return the name of the position nearest to the mouse on the screen.

    Args:
        region: region of the view.
        region_3d: projection of the view.
        mouse: position of the mouse [pixels of the region].
        positions: positions in the world by name, (3,) each [scene units].
        scale: interface scale.

    Returns:
        The name; empty if no position is within `CLICK_RADIUS`.
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
