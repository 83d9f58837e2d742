"""Shapes of footsteps in the scene: outlines of the character's own soles in the colours of their sides."""
from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.motion import Motion

Array = NDArray[np.float64]

# of left, right and neither as in pictures of motions, linear
BLUE, ORANGE, GREY = (0.04, 0.22, 0.70), (0.90, 0.17, 0.03), (0.32, 0.32, 0.32)
CORNERS = 28              # of an outline
BROAD = 0.19              # of a sole's length from its middle to its side
RIM = 0.64                # of the outline's size, where its rim ends
LIFT = 0.03               # of a sole's length over the ground, so that the ground does not hide it
ROUND = 0.07              # radius by the height of the body's centre of mass, of a foot that touches in a point


@dataclass(frozen=True)
class Sole:
    """What touches the ground, by its ends along the foot from the middle between heel and ball, m.

    Args:
        side: 1 left, -1 right, 0 neither.
    """

    rear: float
    front: float
    side: int

    @property
    def letter(self) -> str:
        """Of the side."""
        return {1: "L", -1: "R", 0: "M"}[self.side]

    def outline(self) -> Array:
        """Corners seen from above, (CORNERS, 2): broader in front, with the great toe on the inner side."""
        turn = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
        length, ahead = self.front - self.rear, np.cos(turn)
        x = 0.5 * (self.front + self.rear) + 0.5 * length * ahead
        y = BROAD * length * np.sin(turn) * (0.86 + 0.18 * ahead) - self.side * 0.05 * length * np.maximum(ahead, 0)**2
        return np.column_stack([x, y])


def soles_of(motion: Motion) -> tuple[Sole, ...]:
    """The sole of each leg, from where its points are while it stands."""
    limbs = list(dict.fromkeys(motion.contact_limb))
    out = []
    for leg, limb in enumerate(limbs):
        own = [k for k, name in enumerate(motion.contact_limb) if name == limb]
        along = [_along(motion, step.time, own, step.position, step.rotation) for step in motion.footsteps if step.leg == leg]
        there = np.array([a for a in along if a is not None]).reshape(-1, len(own))
        ends = np.median(there, 0) if len(there) else np.zeros(len(own))
        side = {".L": 1, ".R": -1}.get(limb[-2:], 0)
        if np.ptp(ends) < 1e-3:
            radius = ROUND * float(np.median(motion.com[:, 2] - motion.contact_position[..., 2].min(1)))
            out.append(Sole(-radius, radius, side))
        else:
            out.append(Sole(float(np.min(ends)), float(np.max(ends)), side))
    return tuple(out)


def _along(motion: Motion, time: float, own: list[int], position: Array, rotation: Array) -> Array | None:
    k = round(time * motion.fps)
    return (motion.contact_position[k, own] - position) @ rotation[:, 0] if 0 <= k < motion.frames else None


def sole_mesh(sole: Sole, filled: bool) -> bpy.types.Mesh:
    """A mesh of a sole: filled, or its rim alone. The same one for soles alike, in metres."""
    name = f"Footfall Sole {sole.letter} {1000 * sole.rear:.0f} {1000 * sole.front:.0f}{' Pinned' if filled else ''}"
    mesh = bpy.data.meshes.get(name)
    if mesh is not None and mesh.library is None:
        return mesh
    mesh = bpy.data.meshes.new(name)
    outer = sole.outline()
    height = np.full((len(outer), 1), LIFT * (sole.front - sole.rear))
    if filled:
        mesh.from_pydata(np.hstack([outer, height]).tolist(), [], [list(range(len(outer)))])
    else:
        middle = outer.mean(0)
        inner = middle + RIM * (outer - middle)
        n, points = len(outer), np.vstack([np.hstack([outer, height]), np.hstack([inner, height])])
        mesh.from_pydata(points.tolist(), [], [[k, (k + 1) % n, n + (k + 1) % n, n + k] for k in range(n)])
    mesh.materials.append(_material(sole))
    return mesh


def _material(sole: Sole) -> bpy.types.Material:
    name = {1: "Footfall Left", -1: "Footfall Right", 0: "Footfall Step"}[sole.side]
    material = bpy.data.materials.get(name)
    if material is None or material.library is not None:
        material = bpy.data.materials.new(name)
        material.diffuse_color[:3] = {1: BLUE, -1: ORANGE, 0: GREY}[sole.side]
    return material


def drop_unused(meshes: set[bpy.types.Mesh]) -> None:
    """Remove meshes of soles, and their materials, that nothing uses any more."""
    materials = {m for mesh in meshes for m in mesh.materials if m is not None}
    for mesh in meshes:
        if not mesh.users:
            bpy.data.meshes.remove(mesh)
    for material in materials:
        if not material.users and material.name.startswith("Footfall "):
            bpy.data.materials.remove(material)
