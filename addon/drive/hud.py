"""What a drive draws over the 3D view: the stick, a push that is aimed, and a figure where the rig itself cannot be shown."""
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
Colour = tuple[float, float, float, float]

RADIUS, KNOB, MARGIN = 52, 14, 34       # of the stick, pixels at a scale of 1
NEAR = 70             # pixels within which a click means the character
DIM, BRIGHT, HOT = (1.0, 1.0, 1.0, 0.35), (1.0, 1.0, 1.0, 0.9), (1.0, 0.55, 0.1, 0.95)
AROUND = np.linspace(0, 2 * np.pi, 49)


@dataclass
class Drawn:
    """What is to be seen; places in pixels of the region, lines in the scene's units."""

    stick: tuple[float, float] = (0.0, 0.0)
    push: tuple[tuple[float, float], tuple[float, float]] | None = None
    told: str = ""                    # beside the push
    figure: Array = field(default_factory=lambda: np.zeros((0, 2, 3)))
    colour: Colour = BRIGHT


class View:
    """One 3D view in which a drive is drawn; `close` leaves nothing of it."""

    def __init__(self, area: bpy.types.Area, region: bpy.types.Region) -> None:
        self._area, self._region = area.as_pointer(), region.as_pointer()
        self.drawn = Drawn()
        space = bpy.types.SpaceView3D
        self._handles = [(space.draw_handler_add(self._draw_flat, (), "WINDOW", "POST_PIXEL"), "WINDOW"),
                         (space.draw_handler_add(self._draw_figure, (), "WINDOW", "POST_VIEW"), "WINDOW")]

    def close(self) -> None:
        """Draw nothing any more; harmless when it was closed before."""
        while self._handles:
            bpy.types.SpaceView3D.draw_handler_remove(*self._handles.pop())

    def _mine(self) -> bool:
        region = bpy.context.region
        return region is not None and region.as_pointer() == self._region

    def _draw_flat(self) -> None:
        if not self._mine():
            return
        scale = scale_of(bpy.context)
        centre = stick_centre(scale)
        gpu.state.blend_set("ALPHA")
        ring = centre + RADIUS * scale * np.column_stack([np.cos(AROUND), np.sin(AROUND)])
        _disc(centre, RADIUS * scale, (0.0, 0.0, 0.0, 0.25))
        _line(ring, DIM, 2.0)
        _line(centre + 0.6 * (ring - centre), (1.0, 1.0, 1.0, 0.15), 1.0)
        knob = centre + RADIUS * scale * np.array(self.drawn.stick)
        _line(np.array([centre, knob]), DIM, 2.0)
        _disc(knob, KNOB * scale, self.drawn.colour)
        if self.drawn.push is not None:
            start, end = (np.array(p) for p in self.drawn.push)
            _line(np.array([start, end]), HOT, 3.0)
            _disc(end, 5 * scale, HOT)
            _text(end + 12 * scale, self.drawn.told, scale)
        gpu.state.blend_set("NONE")

    def _draw_figure(self) -> None:
        if self._mine() and len(self.drawn.figure):
            gpu.state.blend_set("ALPHA")
            _line(self.drawn.figure.reshape(-1, 3), BRIGHT, 5.0, "LINES")
            gpu.state.blend_set("NONE")


def scale_of(context: bpy.types.Context) -> float:
    """Pixels of one at the interface's usual scale; without a window there is none."""
    return float(context.preferences.system.ui_scale) or 1.0


def stick_centre(scale: float) -> Array:
    """Middle of the stick, pixels of the region."""
    return np.full(2, (RADIUS + MARGIN) * scale)


def on_stick(mouse: tuple[int, int], scale: float, held: bool = False) -> tuple[float, float] | None:
    """Where a mouse holds the stick, right and up, 1 long at most; None beside it, unless it is held already."""
    way = (np.array(mouse) - stick_centre(scale)) / (RADIUS * scale)
    size = float(np.hypot(*way))
    if size > 1.25 and not held:
        return None
    way = way / max(size, 1.0)
    return float(way[0]), float(way[1])


def nearest(region: bpy.types.Region, view: bpy.types.RegionView3D, mouse: tuple[int, int], places: dict[str, Array],
            scale: float) -> str:
    """Which of some places in the world is nearest to the mouse on the screen; none where all are far off."""
    best, least = "", NEAR * scale
    for name, place in places.items():
        seen = location_3d_to_region_2d(region, view, Vector(place.tolist()))
        if seen is not None and (away := float(np.hypot(seen.x - mouse[0], seen.y - mouse[1]))) < least:
            best, least = name, away
    return best


def _line(points: Array, colour: Colour, width: float, kind: str = "LINE_STRIP") -> None:
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    flat = np.column_stack([points, np.zeros(len(points))]) if points.shape[1] == 2 else points
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", width)
    shader.uniform_float("color", colour)
    batch_for_shader(shader, kind, {"pos": flat.astype(np.float32).tolist()}).draw(shader)


def _disc(centre: Array, radius: float, colour: Colour) -> None:
    rim = centre + radius * np.column_stack([np.cos(AROUND), np.sin(AROUND)])
    corners = [point for a, b in pairwise(rim) for point in (centre, a, b)]
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    shader.uniform_float("color", colour)
    batch_for_shader(shader, "TRIS", {"pos": [(float(x), float(y), 0.0) for x, y in corners]}).draw(shader)


def _text(at: Array, text: str, scale: float) -> None:
    blf.position(0, float(at[0]), float(at[1]), 0)
    blf.size(0, 13 * scale)
    blf.color(0, *HOT)
    blf.draw(0, text)
