"""Shapes of footsteps in the scene: outlines of the character's own soles in the
colours of their sides.
"""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.motion import Motion

Array = NDArray[np.float64]

# of left, right and neither as in pictures of motions, linear
LEFT_COLOR = (0.04, 0.22, 0.70)
RIGHT_COLOR = (0.90, 0.17, 0.03)
NEUTRAL_COLOR = (0.32, 0.32, 0.32)
OUTLINE_CORNERS = 28  # of an outline
HALF_WIDTH_RATIO = 0.19  # of a sole's length from its middle to its side
RIM_SCALE = 0.64  # of the outline's size, where its rim ends
HEIGHT_RATIO = 0.03  # of a sole's length over the ground, so that the ground does not hide it
# radius by the height of the body's centre of mass, of a foot that touches in a point
POINT_FOOT_RADIUS_RATIO = 0.07


@dataclass(frozen=True)
class SoleOutline:
    """What touches the ground, by its ends along the foot from the middle between heel and ball, m.

    Args:
        side: 1 left, -1 right, 0 neither.
    """

    rear: float
    front: float
    side: int

    @property
    def side_letter(self) -> str:
        """Of the side."""
        return {1: "L", -1: "R", 0: "M"}[self.side]

    def compute_corners(self) -> Array:
        """Corners seen from above, (CORNERS, 2): broader in front, with the
        great toe on the inner side.
        """
        angles = np.linspace(0, 2 * np.pi, OUTLINE_CORNERS, endpoint=False)
        length = self.front - self.rear
        cosines = np.cos(angles)
        x = 0.5 * (self.front + self.rear) + 0.5 * length * cosines
        y = (
            HALF_WIDTH_RATIO * length * np.sin(angles) * (0.86 + 0.18 * cosines)
            - self.side * 0.05 * length * np.maximum(cosines, 0) ** 2
        )
        return np.column_stack([x, y])


def measure_soles(motion: Motion) -> tuple[SoleOutline, ...]:
    """The sole of each leg, from where its points are while it stands."""
    limbs = list(dict.fromkeys(motion.contact_limb))
    out = []
    for leg, limb in enumerate(limbs):
        contact_indices = [k for k, name in enumerate(motion.contact_limb) if name == limb]
        projections = [
            _project_contacts(
                motion, step.time, contact_indices, position=step.position, rotation=step.rotation
            )
            for step in motion.footsteps
            if step.leg == leg
        ]
        positions_along = np.array([a for a in projections if a is not None]).reshape(
            -1, len(contact_indices)
        )
        median_positions = (
            np.median(positions_along, 0)
            if len(positions_along)
            else np.zeros(len(contact_indices))
        )
        side = {".L": 1, ".R": -1}.get(limb[-2:], 0)
        if np.ptp(median_positions) < 1e-3:
            radius = POINT_FOOT_RADIUS_RATIO * float(
                np.median(motion.com[:, 2] - motion.contact_position[..., 2].min(1))
            )
            out.append(SoleOutline(-radius, radius, side))
        else:
            out.append(
                SoleOutline(float(np.min(median_positions)), float(np.max(median_positions)), side)
            )
    return tuple(out)


def _project_contacts(
    motion: Motion, time: float, contact_indices: list[int], position: Array, rotation: Array
) -> Array | None:
    k = round(time * motion.fps)
    return (
        (motion.contact_position[k, contact_indices] - position) @ rotation[:, 0]
        if 0 <= k < motion.frames
        else None
    )


def get_sole_mesh(sole: SoleOutline, filled: bool) -> bpy.types.Mesh:
    """A mesh of a sole: filled, or its rim alone. The same one for soles alike, in metres."""
    name = (
        f"Footfall Sole {sole.side_letter} {1000 * sole.rear:.0f} "
        f"{1000 * sole.front:.0f}{' Pinned' if filled else ''}"
    )
    mesh = bpy.data.meshes.get(name)
    if mesh is not None and mesh.library is None:
        return mesh
    mesh = bpy.data.meshes.new(name)
    outer = sole.compute_corners()
    height = np.full((len(outer), 1), HEIGHT_RATIO * (sole.front - sole.rear))
    if filled:
        mesh.from_pydata(np.hstack([outer, height]).tolist(), [], [list(range(len(outer)))])
    else:
        middle = outer.mean(0)
        inner = middle + RIM_SCALE * (outer - middle)
        n = len(outer)
        points = np.vstack([np.hstack([outer, height]), np.hstack([inner, height])])
        mesh.from_pydata(
            points.tolist(), [], [[k, (k + 1) % n, n + (k + 1) % n, n + k] for k in range(n)]
        )
    mesh.materials.append(_get_sole_material(sole))
    return mesh


def _get_sole_material(sole: SoleOutline) -> bpy.types.Material:
    name = {1: "Footfall Left", -1: "Footfall Right", 0: "Footfall Step"}[sole.side]
    material = bpy.data.materials.get(name)
    if material is None or material.library is not None:
        material = bpy.data.materials.new(name)
        material.diffuse_color[:3] = {1: LEFT_COLOR, -1: RIGHT_COLOR, 0: NEUTRAL_COLOR}[sole.side]
    return material


def remove_unused_meshes(meshes: set[bpy.types.Mesh]) -> None:
    """Remove meshes of soles, and their materials, that nothing uses any more."""
    materials = {m for mesh in meshes for m in mesh.materials if m is not None}
    for mesh in meshes:
        if not mesh.users:
            bpy.data.meshes.remove(mesh)
    for material in materials:
        if not material.users and material.name.startswith("Footfall "):
            bpy.data.materials.remove(material)
