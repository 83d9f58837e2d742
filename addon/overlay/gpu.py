"""Meshes on the GPU and their drawing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import gpu
from gpu_extras.batch import batch_for_shader

from .physics import Color
from .shapes import ColoredMesh

HALO_WIDTH = 1.5  # width of the dark halo on each side of a line [pixels]


@dataclass(frozen=True)
class Rectangle:
    """Rectangle in a region [pixels]."""

    left: float
    bottom: float
    width: float
    height: float


_shaders: dict[str, gpu.types.GPUShader] = {}
_unit_square: list[gpu.types.GPUBatch] = []


def clear_cache() -> None:
    """Release the shared shaders and meshes."""
    _shaders.clear()
    _unit_square.clear()


def get_shader(name: str) -> gpu.types.GPUShader:
    """Return a built-in shader of Blender."""
    if name not in _shaders:
        _shaders[name] = gpu.shader.from_builtin(name)
    return _shaders[name]


def create_batch(mesh: ColoredMesh, primitive: str) -> gpu.types.GPUBatch | None:
    """Return a mesh on the GPU; None for an empty mesh.

    Args:
        mesh: corners and colors.
        primitive: "TRIS" or "LINES".
    """
    if not len(mesh):
        return None
    batch_shader = get_shader("SMOOTH_COLOR" if primitive == "TRIS" else "POLYLINE_SMOOTH_COLOR")
    vertices: dict[str, Any] = {"pos": mesh.points, "color": mesh.colors}
    return batch_for_shader(batch_shader, primitive, vertices)


@contextmanager
def alpha_blending(in_front: bool = True) -> Iterator[None]:
    """Enable transparency; Blender's state is restored afterwards.

    Args:
        in_front: whether the scene does not hide what is drawn.
    """
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE" if in_front else "LESS_EQUAL")
    try:
        yield
    finally:
        gpu.state.depth_test_set("NONE")
        gpu.state.face_culling_set("NONE")
        gpu.state.blend_set("NONE")


def draw_triangles(batch: gpu.types.GPUBatch | None, solid: bool = False) -> None:
    """Draw triangles.

    Args:
        batch: triangles; None draws nothing.
        solid: whether to leave out triangles that face away from the viewer.
    """
    if batch is None:
        return
    gpu.state.face_culling_set("BACK" if solid else "NONE")
    batch.draw(get_shader("SMOOTH_COLOR"))


def draw_lines(batch: gpu.types.GPUBatch | None, width: float, halo: float = 0.0) -> None:
    """Draw lines.

    Args:
        batch: lines; None draws nothing.
        width: line width [pixels].
        halo: opacity of the dark halo, which keeps lines visible on any background.
    """
    if batch is None:
        return
    viewport_size = gpu.state.viewport_get()[2:]
    if halo > 0:
        halo_shader = get_shader("POLYLINE_UNIFORM_COLOR")
        halo_shader.bind()
        halo_shader.uniform_float("viewportSize", viewport_size)
        halo_shader.uniform_float("lineWidth", width + 2 * HALO_WIDTH)
        halo_shader.uniform_float("color", (0.0, 0.0, 0.0, halo))
        batch.draw(halo_shader)
    line_shader = get_shader("POLYLINE_SMOOTH_COLOR")
    line_shader.bind()
    line_shader.uniform_float("viewportSize", viewport_size)
    line_shader.uniform_float("lineWidth", width)
    batch.draw(line_shader)


def draw_rectangle(rect: Rectangle, color: Color, opacity: float) -> None:
    """Fill a rectangle."""
    if not _unit_square:
        corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 0), (1, 1, 0), (0, 1, 0)]
        _unit_square.append(batch_for_shader(get_shader("UNIFORM_COLOR"), "TRIS", {"pos": corners}))
    flat_shader = get_shader("UNIFORM_COLOR")
    with fit_to_rectangle(rect):
        flat_shader.bind()
        flat_shader.uniform_float("color", (*color, opacity))
        _unit_square[0].draw(flat_shader)


@contextmanager
def fit_to_rectangle(rect: Rectangle, x_range: float = 1.0, y_range: float = 1.0) -> Iterator[None]:
    """Scale the area from 0 to `x_range` and `y_range` to a rectangle."""
    with gpu.matrix.push_pop():
        gpu.matrix.translate((rect.left, rect.bottom))
        gpu.matrix.scale((rect.width / x_range, rect.height / y_range))
        yield
