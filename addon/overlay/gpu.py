"""Meshes on the GPU, and the few ways in which the overlay draws them."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gpu
from gpu_extras.batch import batch_for_shader

from .physics import Colour
from .shapes import Mesh

HALO = 1.5                # pixels of shade on either side of a line, so that it is seen on any ground
Rectangle = tuple[float, float, float, float]         # left, bottom, width, height

_shaders: dict[str, gpu.types.GPUShader] = {}
_square: list[gpu.types.GPUBatch] = []


def forget() -> None:
    """Let go of all that is on the GPU for everybody."""
    _shaders.clear()
    _square.clear()


def shader(name: str) -> gpu.types.GPUShader:
    """One of Blender's own shaders."""
    if name not in _shaders:
        _shaders[name] = gpu.shader.from_builtin(name)
    return _shaders[name]


def batch_of(mesh: Mesh, kind: str) -> gpu.types.GPUBatch | None:
    """A mesh on the GPU, as "TRIS" or "LINES"; None of an empty one."""
    if not len(mesh):
        return None
    way = shader("SMOOTH_COLOR" if kind == "TRIS" else "POLYLINE_SMOOTH_COLOR")
    corners: dict[str, Any] = {"pos": mesh.points, "color": mesh.colours}
    return batch_for_shader(way, kind, corners)


@contextmanager
def blending(in_front: bool = True) -> Iterator[None]:
    """Draw see-through, and put Blender's own settings back afterwards."""
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE" if in_front else "LESS_EQUAL")
    try:
        yield
    finally:
        gpu.state.depth_test_set("NONE")
        gpu.state.face_culling_set("NONE")
        gpu.state.blend_set("NONE")


def fill(batch: gpu.types.GPUBatch | None, solid: bool = False) -> None:
    """Draw triangles; of solid ones only what faces the viewer."""
    if batch is None:
        return
    gpu.state.face_culling_set("BACK" if solid else "NONE")
    batch.draw(shader("SMOOTH_COLOR"))


def stroke(batch: gpu.types.GPUBatch | None, width: float, halo: float = 0.0) -> None:
    """Draw lines.

    Args:
        width: pixels.
        halo: opacity of the shade around them.
    """
    if batch is None:
        return
    size = gpu.state.viewport_get()[2:]
    if halo > 0:
        around = shader("POLYLINE_UNIFORM_COLOR")
        around.bind()
        around.uniform_float("viewportSize", size)
        around.uniform_float("lineWidth", width + 2 * HALO)
        around.uniform_float("color", (0.0, 0.0, 0.0, halo))
        batch.draw(around)
    line = shader("POLYLINE_SMOOTH_COLOR")
    line.bind()
    line.uniform_float("viewportSize", size)
    line.uniform_float("lineWidth", width)
    batch.draw(line)


def rectangle(place: Rectangle, colour: Colour, opacity: float) -> None:
    """Fill a rectangle of the region, pixels."""
    if not _square:
        corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 0), (1, 1, 0), (0, 1, 0)]
        _square.append(batch_for_shader(shader("UNIFORM_COLOR"), "TRIS", {"pos": corners}))
    flat = shader("UNIFORM_COLOR")
    with stretched(place):
        flat.bind()
        flat.uniform_float("color", (*colour, opacity))
        _square[0].draw(flat)


@contextmanager
def stretched(place: Rectangle, across: float = 1.0, up: float = 1.0) -> Iterator[None]:
    """Have `across` by `up` of what is drawn fill a rectangle of the region, pixels."""
    left, bottom, width, height = place
    with gpu.matrix.push_pop():
        gpu.matrix.translate((left, bottom))
        gpu.matrix.scale((width / across, height / up))
        yield
