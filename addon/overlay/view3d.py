"""The overlay among the things of the 3D view: where the body goes, what it stands on and what acts on it."""
from __future__ import annotations

from typing import Any

import gpu
import numpy as np
from mathutils import Matrix, Vector

from . import shapes
from .gpu import batch_of, blending, fill, stroke
from .physics import COM, PUSH, Arrow, Physics, Turn
from .shapes import HEAD, LIFT, RING, ROUND, Mesh, fan, shade

MARK = 6.0                # pixels, radius of the sign for the centre of mass
INK = (0.06, 0.06, 0.06)


class PhysicsView:
    """What a plan shows, on the GPU: what stands still once, and what changes once a frame."""

    def __init__(self, physics: Physics) -> None:
        """Nothing is made before it is drawn."""
        self.physics = physics
        self._lasting: dict[str, gpu.types.GPUBatch | None] = {}
        self._passing: dict[str, gpu.types.GPUBatch | None] = {}
        self._at = -1

    def draw(self, wish: Any, k: int | None, matrix: Matrix, scale: float) -> None:
        """Draw a frame.

        Args:
            wish: what is to be seen, as `FootfallOverlay` has it.
            k: the motion's frame; None outside of it.
            matrix: from the motion to the view's world.
            scale: pixels of a line of width 1.
        """
        self._make(wish, k)
        with blending(wish.in_front), gpu.matrix.push_pop():
            gpu.matrix.multiply_matrix(matrix)
            if wish.footprints:
                fill(self._lasting["soles"])
                stroke(self._lasting["rims"], 1.2 * scale)
            if k is not None and wish.support:
                fill(self._passing["support"])
                stroke(self._passing["edge"], 2.0 * scale, 0.3)
            if wish.com:
                stroke(self._lasting["ground"], 1.2 * scale)
                stroke(self._lasting["com"], 2.4 * scale, 0.35)
            if k is not None:
                self._draw_moment(wish, k, scale)

    def _draw_moment(self, wish: Any, k: int, scale: float) -> None:
        """What acts at a frame; only matrices are new in it."""
        physics = self.physics
        if wish.com:
            radius, below = RING * physics.size, physics.below[k]
            height = max(float(physics.com[k, 2] - below[2]), 1e-6)
            with gpu.matrix.push_pop():
                gpu.matrix.translate((below[0], below[1], below[2] + LIFT * physics.size))
                gpu.matrix.scale((radius, radius, height))
                stroke(self._lasting["drop"], 1.4 * scale)
        length = wish.force_length * physics.size
        for arrow in [*(physics.arrows(k, length) if wish.forces else ()), *(physics.pushes(k, length) if wish.pushes else ())]:
            shaft, head = placed(arrow, physics.size)
            with gpu.matrix.push_pop():
                gpu.matrix.multiply_matrix(shaft)
                stroke(self._lasting[f"shaft {arrow.limb}"], 3.0 * scale, 0.35)
            with gpu.matrix.push_pop():
                gpu.matrix.multiply_matrix(head)
                fill(self._lasting[f"head {arrow.limb}"], solid=True)

        for turn in physics.turns(k, length) if wish.pushes else ():
            arc, head = placed_turn(turn, physics.size)
            with gpu.matrix.push_pop():
                gpu.matrix.multiply_matrix(arc)
                stroke(self._lasting["arc"], 3.0 * scale, 0.35)
            with gpu.matrix.push_pop():
                gpu.matrix.multiply_matrix(head)
                fill(self._lasting["head -1"], solid=True)

    def _make(self, wish: Any, k: int | None) -> None:
        """Bring to the GPU what is not there."""
        physics = self.physics
        if not self._lasting:
            soles, rims = shapes.footprints(physics)
            self._lasting = {"soles": batch_of(soles, "TRIS"), "rims": batch_of(rims, "LINES"),
                             "com": batch_of(shapes.com_path(physics), "LINES"),
                             "ground": batch_of(shapes.ground_path(physics), "LINES"),
                             "drop": batch_of(shapes.drop_line(), "LINES"), "arc": batch_of(shapes.arc(PUSH), "LINES")}
            for limb, colour in [*enumerate(physics.colours), (-1, PUSH)]:
                self._lasting[f"head {limb}"] = batch_of(shapes.arrow_head(colour), "TRIS")
                self._lasting[f"shaft {limb}"] = batch_of(shapes.upright(colour), "LINES")
        if k is None or k == self._at or not wish.support:
            return
        self._at = k
        inside, edge = shapes.support(physics, k)
        self._passing = {"support": batch_of(inside, "TRIS"), "edge": batch_of(edge, "LINES")}

    def com_at(self, k: int, matrix: Matrix) -> Vector:
        """Where the centre of mass is in the view's world."""
        return matrix @ Vector(self.physics.com[k])


def placed(arrow: Arrow, size: float) -> tuple[Matrix, Matrix]:
    """Where an arrow's shaft and head are: the matrices of a line, and of a cone's tip, along z."""
    way = Vector(arrow.way)
    head = min(HEAD * size, 0.5 * way.length)
    turn = way.to_track_quat("Z", "Y").to_matrix().to_4x4()
    start, long = Vector(arrow.start), way.length - 0.9 * head
    return (Matrix.Translation(start) @ turn @ Matrix.Diagonal((long, long, long, 1.0)),
            Matrix.Translation(start + way) @ turn @ Matrix.Diagonal((head, head, head, 1.0)))


def placed_turn(turn: Turn, size: float) -> tuple[Matrix, Matrix]:
    """Where a moment's arc is, and the tip of the cone at its end: the matrices of what is drawn about z and along z."""
    head = min(HEAD * size, 0.8 * turn.radius)
    about = Matrix.Translation(Vector(turn.place)) @ Vector(turn.axis).to_track_quat("Z", "Y").to_matrix().to_4x4()
    # the arc ends at -y and goes on towards x
    end = about @ Matrix.Translation((head, -turn.radius, 0.0)) @ Matrix.Rotation(0.5 * np.pi, 4, "Y")
    return about @ Matrix.Diagonal((*[turn.radius] * 3, 1.0)), end @ Matrix.Diagonal((head, head, head, 1.0))


class ComMark:
    """The sign for a centre of mass: a disc in quarters, the same size wherever it is."""

    def __init__(self) -> None:
        """It is made when it is first drawn."""
        self._batch: gpu.types.GPUBatch | None = None

    def draw(self, place: Vector, scale: float) -> None:
        """Draw it at a place of the region, pixels."""
        if self._batch is None:
            self._batch = batch_of(_mark(), "TRIS")
        with blending(), gpu.matrix.push_pop():
            gpu.matrix.translate(tuple(place))
            gpu.matrix.scale((MARK * scale, MARK * scale))
            fill(self._batch)


def _mark() -> Mesh:
    """A dark rim, and four quarters of which two are dark."""
    turn = np.linspace(0, 2 * np.pi, 4 * ROUND + 1)
    circle = np.column_stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)])
    parts = [(fan(1.22 * circle), shade(INK))]
    for quarter in range(4):
        arc = circle[quarter * ROUND:(quarter + 1) * ROUND + 1]
        parts.append((fan(np.concatenate([np.zeros((1, 3)), arc])), shade(COM if quarter % 2 == 0 else INK)))
    return Mesh.of(parts)
