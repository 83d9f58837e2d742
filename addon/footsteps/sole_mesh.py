"""Meshes of footsteps: outlines of the character's soles in the color of the side."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.motion import Motion

Array = NDArray[np.float64]

# Linear colors of left, right and other feet, as in the pictures of motions.
LEFT_COLOR = (0.04, 0.22, 0.70)
RIGHT_COLOR = (0.90, 0.17, 0.03)
NEUTRAL_COLOR = (0.32, 0.32, 0.32)


@dataclass(frozen=True)
class SoleShape:
    """Shape of a drawn sole; lengths are ratios of the length of the sole.

    By eye: the outline of a human sole, with as few corners as look round.
    """

    # Number of corners of the outline.
    corners: int = 28
    # Half width in the middle.
    half_width: float = 0.19
    # Factor of the width in the middle, and its increase toward the front.
    width_factor: float = 0.86
    width_increase: float = 0.18
    # Inward displacement of the toes, where the great toe is.
    toe_offset: float = 0.05
    # Size of the inner edge of the rim relative to the outline.
    rim_scale: float = 0.64
    # Height above the ground, so that the ground does not hide the sole.
    height: float = 0.03
    # Radius of a foot that touches the ground in a point, relative to the height of the center of
    # mass.
    point_foot_radius: float = 0.07
    # Contact length below which a foot counts as a point foot [m].
    min_length: float = 1e-3


SHAPE = SoleShape()


@dataclass(frozen=True)
class SoleOutline:
    """Extent of a sole along the foot.

    Args:
        rear: rear end, from the midpoint between heel and ball [m].
        front: front end, from the midpoint between heel and ball [m].
        side: 1 left, -1 right, 0 neither.
    """

    rear: float
    front: float
    side: int

    @property
    def side_letter(self) -> str:
        """Letter of the side: L, R or M for neither."""
        return {1: "L", -1: "R", 0: "M"}[self.side]

    def compute_corners(self) -> Array:
        """Return the corners of the outline seen from above, (n, 2) [m].

        The sole is wider in front, and its toes point inward.
        """
        angles = np.linspace(0, 2 * np.pi, SHAPE.corners, endpoint=False)
        length = self.front - self.rear
        cosines = np.cos(angles)
        x = 0.5 * (self.front + self.rear) + 0.5 * length * cosines
        y = (
            SHAPE.half_width
            * length
            * np.sin(angles)
            * (SHAPE.width_factor + SHAPE.width_increase * cosines)
            - self.side * SHAPE.toe_offset * length * np.maximum(cosines, 0) ** 2
        )
        return np.column_stack([x, y])


def measure_soles(motion: Motion) -> tuple[SoleOutline, ...]:
    """Return the sole of each leg, from the positions of its contacts during stance."""
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
        if np.ptp(median_positions) < SHAPE.min_length:
            radius = SHAPE.point_foot_radius * float(
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
    """Return the positions of contacts along a foot [m]; None if the time is outside the motion."""
    k = round(time * motion.fps)
    return (
        (motion.contact_position[k, contact_indices] - position) @ rotation[:, 0]
        if 0 <= k < motion.frames
        else None
    )


def get_sole_mesh(sole: SoleOutline, filled: bool) -> bpy.types.Mesh:
    """Return the mesh of a sole [m]; equal soles share a mesh.

    Args:
        sole: extent of the sole.
        filled: whether the outline is filled; otherwise the mesh is a rim.
    """
    name = (
        f"Footfall Sole {sole.side_letter} {1000 * sole.rear:.0f} "
        f"{1000 * sole.front:.0f}{' Pinned' if filled else ''}"
    )
    mesh = bpy.data.meshes.get(name)
    if mesh is not None and mesh.library is None:
        return mesh
    mesh = bpy.data.meshes.new(name)
    outer = sole.compute_corners()
    height = np.full((len(outer), 1), SHAPE.height * (sole.front - sole.rear))
    if filled:
        mesh.from_pydata(np.hstack([outer, height]).tolist(), [], [list(range(len(outer)))])
    else:
        middle = outer.mean(0)
        inner = middle + SHAPE.rim_scale * (outer - middle)
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
    """Remove unused meshes of soles, and their materials if these are unused too."""
    materials = {m for mesh in meshes for m in mesh.materials if m is not None}
    for mesh in meshes:
        if not mesh.users:
            bpy.data.meshes.remove(mesh)
    for material in materials:
        if not material.users and material.name.startswith("Footfall "):
            bpy.data.materials.remove(material)
