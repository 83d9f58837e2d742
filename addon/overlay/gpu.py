"""Meshes on the GPU, and the few ways in which the overlay draws them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gpu
from gpu_extras.batch import batch_for_shader

from .physics import Color
from .shapes import ColoredMesh

HALO_WIDTH = 1.5  # pixels of shade on either side of a line, so that it is seen on any ground
Rectangle = tuple[float, float, float, float]  # left, bottom, width, height

_shaders: dict[str, gpu.types.GPUShader] = {}
_unit_square: list[gpu.types.GPUBatch] = []


def clear_cache() -> None:
    """Let go of all that is on the GPU for everybody."""
    _shaders.clear()
    _unit_square.clear()


def get_shader(name: str) -> gpu.types.GPUShader:
    """One of Blender's own shaders."""
    if name not in _shaders:
        _shaders[name] = gpu.shader.from_builtin(name)
    return _shaders[name]


def create_batch(mesh: ColoredMesh, primitive: str) -> gpu.types.GPUBatch | None:
    """A mesh on the GPU, as "TRIS" or "LINES"; None of an empty one."""
    if not len(mesh):
        return None
    batch_shader = get_shader("SMOOTH_COLOR" if primitive == "TRIS" else "POLYLINE_SMOOTH_COLOR")
    vertices: dict[str, Any] = {"pos": mesh.points, "color": mesh.colors}
    return batch_for_shader(batch_shader, primitive, vertices)


@contextmanager
def alpha_blending(in_front: bool = True) -> Iterator[None]:
    """Draw see-through, and put Blender's own settings back afterwards."""
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE" if in_front else "LESS_EQUAL")
    try:
        yield
    finally:
        gpu.state.depth_test_set("NONE")
        gpu.state.face_culling_set("NONE")
        gpu.state.blend_set("NONE")


def draw_triangles(batch: gpu.types.GPUBatch | None, solid: bool = False) -> None:
    """Draw triangles; of solid ones only what faces the viewer."""
    if batch is None:
        return
    gpu.state.face_culling_set("BACK" if solid else "NONE")
    batch.draw(get_shader("SMOOTH_COLOR"))


def draw_lines(batch: gpu.types.GPUBatch | None, width: float, halo: float = 0.0) -> None:
    """Draw lines.

    Args:
        width: pixels.
        halo: opacity of the shade around them.
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
    """Fill a rectangle of the region, pixels."""
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
    """Have `x_range` by `y_range` of what is drawn fill a rectangle of the region, pixels."""
    left, bottom, width, height = rect
    with gpu.matrix.push_pop():
        gpu.matrix.translate((left, bottom))
        gpu.matrix.scale((width / x_range, height / y_range))
        yield
