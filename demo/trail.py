"""What is drawn on the ground: the path as a ribbon, bit by bit, and the prints of soles."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from footfall.core.motion import Motion
from footfall.core.terrain import HeightField
from landscape import add_material
from numpy.typing import NDArray

Array = NDArray[np.float64]

RIBBON = 0.042  # [m] half the width of the path
RIBBON_ABOVE = 0.012  # [m] that the ribbon lies over the ground, so that it does not show through
PRINT_ABOVE = 0.017  # [m] of the prints, which lie on the ribbon too
STEP = 0.05  # [m] between two cross-lines of the ribbon
RIBBON_COLOR = (0.99, 0.96, 0.84)
PRINT_COLORS = {
    ".L": (0.18, 0.42, 0.72),
    ".R": (0.80, 0.36, 0.18),
}  # as of the sides in all pictures
CORNERS = 20  # of each of the two ovals of a print
RINGS = 3  # of corners in an oval, so that it lies on ground that is not level
HEEL = (0.042, 0.034)  # [m] half length and half width of a print's ovals
BALL = (0.074, 0.043)
TOES = 0.45  # how far the front oval's middle is past the ball, of its half length


@dataclass(frozen=True)
class Print:
    """A sole's print.

    Args:
        strike: when it is made [s].
        thing: its object.
    """

    strike: float
    thing: bpy.types.Object


class Ribbon:
    """A line along a path (n, 2) on the ground, of which any share can be shown."""

    def __init__(self, path: Array, field: HeightField) -> None:
        length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
        at = np.linspace(0.0, length[-1], max(round(length[-1] / STEP), 2))
        middle = np.stack([np.interp(at, length, path[:, k]) for k in range(2)], -1)
        ahead = np.gradient(middle, axis=0)
        aside = np.stack([-ahead[:, 1], ahead[:, 0]], -1) / np.linalg.norm(
            ahead, axis=1, keepdims=True
        )
        edges = middle[:, None] + RIBBON * np.stack([aside, 0 * aside, -aside], 1)  # (k, 3, 2)
        self._points = np.concatenate(
            [edges, field.sample_heights(edges)[..., None] + RIBBON_ABOVE], -1
        )
        self._material = add_material("Path", RIBBON_COLOR)
        self.thing = bpy.data.objects.new("Drawn path", bpy.data.meshes.new("Drawn path"))
        bpy.context.scene.collection.objects.link(self.thing)

    def show(self, share: float) -> None:
        """Show a share of the line from its beginning, 0 to 1."""
        shown = self._points[: max(round(share * len(self._points)), 2)]
        first = 3 * np.arange(len(shown) - 1)[:, None]
        faces = np.concatenate([first + (0, 1, 4, 3), first + (1, 2, 5, 4)])
        old = self.thing.data
        mesh = bpy.data.meshes.new("Drawn path")
        mesh.from_pydata(shown.reshape(-1, 3).tolist(), [], faces.tolist())
        mesh.materials.append(self._material)
        self.thing.data = mesh
        bpy.data.meshes.remove(old)


def add_footprints(motion: Motion, field: HeightField) -> list[Print]:
    """Return the prints of all soles of a motion, added to the scene, in the order of time."""
    materials = {side: add_material(f"Print{side}", color) for side, color in PRINT_COLORS.items()}
    limbs = list(dict.fromkeys(motion.contact_limb))
    prints = []
    for step in sorted(motion.footsteps, key=lambda step: step.strike):
        frame = round(step.time * motion.fps)
        if not 0 <= frame < motion.frames:
            continue
        limb = limbs[step.leg]
        points = {
            name.split("/")[1]: motion.contact_position[frame, k, :2]
            for k, name in enumerate(motion.contact_names)
            if motion.contact_limb[k] == limb
        }
        mesh = _sole(points["heel"], points["ball"], field)
        mesh.materials.append(materials[limb[-2:]])
        thing = bpy.data.objects.new(f"Print {len(prints)}", mesh)
        bpy.context.scene.collection.objects.link(thing)
        prints.append(Print(step.strike, thing))
    return prints


def _sole(heel: Array, ball: Array, field: HeightField) -> bpy.types.Mesh:
    """Return two ovals on the ground, one under the heel and one under ball and toes."""
    ahead = (ball - heel) / np.linalg.norm(ball - heel)
    aside = np.array([-ahead[1], ahead[0]])
    angle = 2 * np.pi * np.arange(CORNERS) / CORNERS
    vertices: list[Array] = []
    faces: list[tuple[int, ...]] = []
    for middle, (length, width) in (
        (heel + 0.6 * HEEL[0] * ahead, HEEL),
        (ball + TOES * BALL[0] * ahead, BALL),
    ):
        first = sum(len(part) for part in vertices)
        size = np.linspace(0.0, 1.0, RINGS + 1)[1:, None, None]
        rings = middle + size * (
            length * np.cos(angle)[:, None] * ahead + width * np.sin(angle)[:, None] * aside
        )
        vertices.append(np.concatenate([middle[None], rings.reshape(-1, 2)]))
        for k in range(CORNERS):
            after = (k + 1) % CORNERS
            faces.append((first, first + 1 + k, first + 1 + after))
            for ring in range(1, RINGS):
                inner = first + 1 + (ring - 1) * CORNERS
                faces.append(
                    (inner + k, inner + CORNERS + k, inner + CORNERS + after, inner + after)
                )
    places = np.concatenate(vertices)
    mesh = bpy.data.meshes.new("Print")
    mesh.from_pydata(
        np.column_stack([places, field.sample_heights(places) + PRINT_ABOVE]).tolist(), [], faces
    )
    return mesh
