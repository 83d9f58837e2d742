"""The overlay inside the 3D scene: center of mass, support, footprints, forces and pushes."""

from __future__ import annotations

from dataclasses import dataclass
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
    ColoredPart,
    to_rgba,
    triangulate_fan,
)

# Radius of the marker of the center of mass [pixels], by eye, and its dark quarters, as drawings of
# mechanics mark it.
COM_MARKER_RADIUS = 6.0
MARKER_DARK_COLOR = (0.06, 0.06, 0.06)


@dataclass(frozen=True)
class SymbolMatrices:
    """Transforms of the parts of an arrow or an arc."""

    line: Matrix  # of a unit shaft along z, or a unit arc about z
    head: Matrix  # of a unit cone with its tip at the origin


class PhysicsView:
    """Overlay of a plan in the scene.

    Its static meshes are created when it is first drawn, the others once per frame.
    """

    def __init__(self, physics: PhysicsDisplay) -> None:
        self.physics = physics
        self._static_batches: dict[str, gpu.types.GPUBatch | None] = {}
        self._frame_batches: dict[str, gpu.types.GPUBatch | None] = {}
        self._batched_frame = -1

    def draw(self, settings: Any, k: int | None, matrix: Matrix, scale: float) -> None:
        """Draw a frame.

        Args:
            settings: visible parts, a `FootfallOverlay`.
            k: frame of the motion; None outside the motion.
            matrix: transform from the motion to the world of the view.
            scale: interface scale.
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
        """Draw what depends on the frame; the meshes are static, only their transforms change."""
        physics = self.physics
        if settings.com:
            self._draw_drop_line(k, scale)
        length = settings.force_length * physics.com_height
        for arrow in [
            *(physics.make_force_arrows(k, length) if settings.forces else ()),
            *(physics.make_push_arrows(k, length) if settings.pushes else ()),
        ]:
            matrices = compute_arrow_matrices(arrow, physics.com_height)
            self._draw_symbol(matrices, f"shaft {arrow.limb}", f"head {arrow.limb}", scale)
        for moment_arc in physics.make_moment_arcs(k, length) if settings.pushes else ():
            matrices = compute_arc_matrices(moment_arc, physics.com_height)
            self._draw_symbol(matrices, "arc", "head -1", scale)

    def _draw_drop_line(self, k: int, scale: float) -> None:
        """Draw the line from the center of mass to the ground, and the ring at its end."""
        physics = self.physics
        radius = RING_RADIUS * physics.com_height
        x, y, z = physics.com_ground_projection[k]
        height = max(float(physics.com[k, 2] - z), 1e-6)
        with gpu.matrix.push_pop():
            gpu.matrix.translate((x, y, z + GROUND_CLEARANCE * physics.com_height))
            gpu.matrix.scale((radius, radius, height))
            draw_lines(self._static_batches["drop"], 1.4 * scale)

    def _draw_symbol(
        self, matrices: SymbolMatrices, line_name: str, head_name: str, scale: float
    ) -> None:
        with gpu.matrix.push_pop():
            gpu.matrix.multiply_matrix(matrices.line)
            draw_lines(self._static_batches[line_name], 3.0 * scale, 0.35)
        with gpu.matrix.push_pop():
            gpu.matrix.multiply_matrix(matrices.head)
            draw_triangles(self._static_batches[head_name], solid=True)

    def _create_batches(self, settings: Any, k: int | None) -> None:
        """Create the static meshes, unless they exist, and the support polygon of a new frame."""
        physics = self.physics
        if not self._static_batches:
            footprints = shapes.build_footprints(physics)
            self._static_batches = {
                "soles": create_batch(footprints.area, "TRIS"),
                "rims": create_batch(footprints.outline, "LINES"),
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
        support = shapes.build_support(physics, k)
        self._frame_batches = {
            "support": create_batch(support.area, "TRIS"),
            "edge": create_batch(support.outline, "LINES"),
        }

    def locate_com(self, k: int, matrix: Matrix) -> Vector:
        """Return the position of the center of mass in the world of the view."""
        return matrix @ Vector(self.physics.com[k])


def compute_arrow_matrices(arrow: Arrow, com_height: float) -> SymbolMatrices:
    """Return the transforms of an arrow.

    Args:
        arrow: start and vector.
        com_height: height of the center of mass, which determines the size of the head [m].
    """
    vector = Vector(arrow.vector)
    head_length = min(ARROW_HEAD_LENGTH * com_height, 0.5 * vector.length)
    rotation = vector.to_track_quat("Z", "Y").to_matrix().to_4x4()
    start = Vector(arrow.start)
    shaft_length = vector.length - 0.9 * head_length
    return SymbolMatrices(
        Matrix.Translation(start)
        @ rotation
        @ Matrix.Diagonal((shaft_length, shaft_length, shaft_length, 1.0)),
        Matrix.Translation(start + vector)
        @ rotation
        @ Matrix.Diagonal((head_length, head_length, head_length, 1.0)),
    )


def compute_arc_matrices(moment_arc: MomentArc, com_height: float) -> SymbolMatrices:
    """Return the transforms of the arc of a moment and of the cone at its end.

    Args:
        moment_arc: center, axis and radius.
        com_height: height of the center of mass, which determines the size of the cone [m].
    """
    head_length = min(ARROW_HEAD_LENGTH * com_height, 0.8 * moment_arc.radius)
    arc_frame = (
        Matrix.Translation(Vector(moment_arc.center))
        @ Vector(moment_arc.axis).to_track_quat("Z", "Y").to_matrix().to_4x4()
    )
    # The arc ends at -y, where its direction is +x.
    head_frame = (
        arc_frame
        @ Matrix.Translation((head_length, -moment_arc.radius, 0.0))
        @ Matrix.Rotation(0.5 * np.pi, 4, "Y")
    )
    return SymbolMatrices(
        arc_frame @ Matrix.Diagonal((*[moment_arc.radius] * 3, 1.0)),
        head_frame @ Matrix.Diagonal((head_length, head_length, head_length, 1.0)),
    )


class ComMarker:
    """Marker of the center of mass: a disc in quarters, of constant size on the screen.

    Its mesh is created when it is first drawn.
    """

    def __init__(self) -> None:
        self._batch: gpu.types.GPUBatch | None = None

    def draw(self, position: Vector, scale: float) -> None:
        """Draw the marker.

        Args:
            position: position in the region [pixels].
            scale: interface scale.
        """
        if self._batch is None:
            self._batch = create_batch(_build_com_marker(), "TRIS")
        with alpha_blending(), gpu.matrix.push_pop():
            gpu.matrix.translate(tuple(position))
            gpu.matrix.scale((COM_MARKER_RADIUS * scale, COM_MARKER_RADIUS * scale))
            draw_triangles(self._batch)


def _build_com_marker() -> ColoredMesh:
    """Return a disc with a dark rim, two dark and two light quarters."""
    angles = np.linspace(0, 2 * np.pi, 4 * CIRCLE_SEGMENTS + 1)
    circle = np.column_stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)])
    parts = [ColoredPart(triangulate_fan(1.22 * circle), to_rgba(MARKER_DARK_COLOR))]
    for quarter in range(4):
        quarter_circle = circle[quarter * CIRCLE_SEGMENTS : (quarter + 1) * CIRCLE_SEGMENTS + 1]
        parts.append(
            ColoredPart(
                triangulate_fan(np.concatenate([np.zeros((1, 3)), quarter_circle])),
                to_rgba(COM_COLOR if quarter % 2 == 0 else MARKER_DARK_COLOR),
            )
        )
    return ColoredMesh.from_parts(parts)
