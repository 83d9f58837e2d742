"""The overlay among the things of the 3D view: where the body goes, what it stands
on and what acts on it.
"""

from __future__ import annotations

from typing import Any

import gpu
import numpy as np
from mathutils import Matrix, Vector

from . import shapes
from .gpu import alpha_blending, create_batch, draw_lines, draw_triangles
from .physics import COM_COLOR, PUSH_COLOR, Arrow, MomentArc, PhysicsDisplay
from .shapes import (
    ARROW_HEAD_LENGTH,
    CIRCLE_SEGMENTS,
    GROUND_CLEARANCE,
    RING_RADIUS,
    ColoredMesh,
    to_rgba,
    triangulate_fan,
)

COM_MARKER_RADIUS = 6.0  # pixels, radius of the sign for the centre of mass
MARKER_DARK_COLOR = (0.06, 0.06, 0.06)


class PhysicsView:
    """What a plan shows, on the GPU: what stands still once, and what changes once a frame."""

    def __init__(self, physics: PhysicsDisplay) -> None:
        """Nothing is made before it is drawn."""
        self.physics = physics
        self._static_batches: dict[str, gpu.types.GPUBatch | None] = {}
        self._frame_batches: dict[str, gpu.types.GPUBatch | None] = {}
        self._batched_frame = -1

    def draw(self, settings: Any, k: int | None, matrix: Matrix, scale: float) -> None:
        """Draw a frame.

        Args:
            settings: what is to be seen, as `FootfallOverlay` has it.
            k: the motion's frame; None outside of it.
            matrix: from the motion to the view's world.
            scale: pixels of a line of width 1.
        """
        self._create_batches(settings, k)
        with alpha_blending(settings.in_front), gpu.matrix.push_pop():
            gpu.matrix.multiply_matrix(matrix)
            if settings.footprints:
                draw_triangles(self._static_batches["soles"])
                draw_lines(self._static_batches["rims"], 1.2 * scale)
            if k is not None and settings.support:
                draw_triangles(self._frame_batches["support"])
                draw_lines(self._frame_batches["edge"], 2.0 * scale, 0.3)
            if settings.com:
                draw_lines(self._static_batches["ground"], 1.2 * scale)
                draw_lines(self._static_batches["com"], 2.4 * scale, 0.35)
            if k is not None:
                self._draw_frame(settings, k, scale)

    def _draw_frame(self, settings: Any, k: int, scale: float) -> None:
        """What acts at a frame; only matrices are new in it."""
        physics = self.physics
        if settings.com:
            radius = RING_RADIUS * physics.com_height
            ground_point = physics.com_ground_projection[k]
            height = max(float(physics.com[k, 2] - ground_point[2]), 1e-6)
            with gpu.matrix.push_pop():
                gpu.matrix.translate(
                    (
                        ground_point[0],
                        ground_point[1],
                        ground_point[2] + GROUND_CLEARANCE * physics.com_height,
                    )
                )
                gpu.matrix.scale((radius, radius, height))
                draw_lines(self._static_batches["drop"], 1.4 * scale)
        length = settings.force_length * physics.com_height
        for arrow in [
            *(physics.make_force_arrows(k, length) if settings.forces else ()),
            *(physics.make_push_arrows(k, length) if settings.pushes else ()),
        ]:
            shaft_matrix, head_matrix = compute_arrow_matrices(arrow, physics.com_height)
            with gpu.matrix.push_pop():
                gpu.matrix.multiply_matrix(shaft_matrix)
                draw_lines(self._static_batches[f"shaft {arrow.limb}"], 3.0 * scale, 0.35)
            with gpu.matrix.push_pop():
                gpu.matrix.multiply_matrix(head_matrix)
                draw_triangles(self._static_batches[f"head {arrow.limb}"], solid=True)

        for moment_arc in physics.make_moment_arcs(k, length) if settings.pushes else ():
            arc_matrix, head_matrix = compute_arc_matrices(moment_arc, physics.com_height)
            with gpu.matrix.push_pop():
                gpu.matrix.multiply_matrix(arc_matrix)
                draw_lines(self._static_batches["arc"], 3.0 * scale, 0.35)
            with gpu.matrix.push_pop():
                gpu.matrix.multiply_matrix(head_matrix)
                draw_triangles(self._static_batches["head -1"], solid=True)

    def _create_batches(self, settings: Any, k: int | None) -> None:
        """Bring to the GPU what is not there."""
        physics = self.physics
        if not self._static_batches:
            sole_mesh, rim_mesh = shapes.build_footprints(physics)
            self._static_batches = {
                "soles": create_batch(sole_mesh, "TRIS"),
                "rims": create_batch(rim_mesh, "LINES"),
                "com": create_batch(shapes.build_com_path(physics), "LINES"),
                "ground": create_batch(shapes.build_ground_path(physics), "LINES"),
                "drop": create_batch(shapes.build_drop_line(), "LINES"),
                "arc": create_batch(shapes.build_moment_arc(PUSH_COLOR), "LINES"),
            }
            for limb, color in [*enumerate(physics.limb_colors), (-1, PUSH_COLOR)]:
                self._static_batches[f"head {limb}"] = create_batch(
                    shapes.build_arrow_head(color), "TRIS"
                )
                self._static_batches[f"shaft {limb}"] = create_batch(
                    shapes.build_arrow_shaft(color), "LINES"
                )
        if k is None or k == self._batched_frame or not settings.support:
            return
        self._batched_frame = k
        area_mesh, edge_mesh = shapes.build_support(physics, k)
        self._frame_batches = {
            "support": create_batch(area_mesh, "TRIS"),
            "edge": create_batch(edge_mesh, "LINES"),
        }

    def locate_com(self, k: int, matrix: Matrix) -> Vector:
        """Where the centre of mass is in the view's world."""
        return matrix @ Vector(self.physics.com[k])


def compute_arrow_matrices(arrow: Arrow, com_height: float) -> tuple[Matrix, Matrix]:
    """Where an arrow's shaft and head are: the matrices of a line, and of a cone's tip, along z."""
    vector = Vector(arrow.vector)
    head_length = min(ARROW_HEAD_LENGTH * com_height, 0.5 * vector.length)
    rotation = vector.to_track_quat("Z", "Y").to_matrix().to_4x4()
    start = Vector(arrow.start)
    shaft_length = vector.length - 0.9 * head_length
    return (
        Matrix.Translation(start)
        @ rotation
        @ Matrix.Diagonal((shaft_length, shaft_length, shaft_length, 1.0)),
        Matrix.Translation(start + vector)
        @ rotation
        @ Matrix.Diagonal((head_length, head_length, head_length, 1.0)),
    )


def compute_arc_matrices(moment_arc: MomentArc, com_height: float) -> tuple[Matrix, Matrix]:
    """Where a moment's arc is, and the tip of the cone at its end:
    the matrices of what is drawn about z and along z.
    """
    head_length = min(ARROW_HEAD_LENGTH * com_height, 0.8 * moment_arc.radius)
    arc_frame = (
        Matrix.Translation(Vector(moment_arc.center))
        @ Vector(moment_arc.axis).to_track_quat("Z", "Y").to_matrix().to_4x4()
    )
    # the arc ends at -y and goes on towards x
    head_frame = (
        arc_frame
        @ Matrix.Translation((head_length, -moment_arc.radius, 0.0))
        @ Matrix.Rotation(0.5 * np.pi, 4, "Y")
    )
    return arc_frame @ Matrix.Diagonal(
        (*[moment_arc.radius] * 3, 1.0)
    ), head_frame @ Matrix.Diagonal((head_length, head_length, head_length, 1.0))


class ComMarker:
    """The sign for a centre of mass: a disc in quarters, the same size wherever it is."""

    def __init__(self) -> None:
        """It is made when it is first drawn."""
        self._batch: gpu.types.GPUBatch | None = None

    def draw(self, position: Vector, scale: float) -> None:
        """Draw it at a place of the region, pixels."""
        if self._batch is None:
            self._batch = create_batch(_build_com_marker(), "TRIS")
        with alpha_blending(), gpu.matrix.push_pop():
            gpu.matrix.translate(tuple(position))
            gpu.matrix.scale((COM_MARKER_RADIUS * scale, COM_MARKER_RADIUS * scale))
            draw_triangles(self._batch)


def _build_com_marker() -> ColoredMesh:
    """A dark rim, and four quarters of which two are dark."""
    angles = np.linspace(0, 2 * np.pi, 4 * CIRCLE_SEGMENTS + 1)
    circle = np.column_stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)])
    parts = [(triangulate_fan(1.22 * circle), to_rgba(MARKER_DARK_COLOR))]
    for quarter in range(4):
        quarter_circle = circle[quarter * CIRCLE_SEGMENTS : (quarter + 1) * CIRCLE_SEGMENTS + 1]
        parts.append(
            (
                triangulate_fan(np.concatenate([np.zeros((1, 3)), quarter_circle])),
                to_rgba(COM_COLOR if quarter % 2 == 0 else MARKER_DARK_COLOR),
            )
        )
    return ColoredMesh.from_parts(parts)
