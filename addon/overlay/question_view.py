"""Marks of an open question in the 3D view: the bones of each part in a color, and the facing."""

from __future__ import annotations

import bpy
import gpu
import numpy as np
from numpy.typing import NDArray

from ...core.character.recognition.parts import group_of_part
from ..rigs.questions import list_open_questions
from .gpu import alpha_blending, create_batch, draw_lines, draw_triangles
from .physics import COM_COLOR, MIDDLE_COLOR, PUSH_COLOR, SIDE_COLORS, Arrow, Color
from .shapes import (
    ColoredMesh,
    ColoredPart,
    build_arrow_head,
    build_arrow_shaft,
    to_rgba,
    triangulate_fan,
)
from .view3d import compute_arrow_matrices

Array = NDArray[np.float64]

# Sizes and opacities by eye: marks stand out from the rig and let it be seen.
LINE_WIDTH = 4.0  # of bones and arrow at an interface scale of 1 [pixels]
HALO_OPACITY = 0.4
ARROW_SIZE = 1.3  # length of the facing arrow [height of the hips]
SOLE_WIDTH = 0.35  # width of a sole's outline [its length]
SOLE_OPACITY = 0.35


def has_marks(armature: bpy.types.Object) -> bool:
    """Return whether a question about an armature is open, so that its parts are marked."""
    return bool(list_open_questions(armature))


def draw_marks(armature: bpy.types.Object, scale: float) -> None:
    """Draw the parts of an armature in its pose, in world coordinates.

    Args:
        scale: interface scale.
    """
    arrow = locate_facing_arrow(armature)
    with alpha_blending():
        draw_triangles(create_batch(build_sole_marks(armature), "TRIS"))
        draw_lines(
            create_batch(build_bone_marks(armature), "LINES"), LINE_WIDTH * scale, HALO_OPACITY
        )
        if arrow is not None:
            _draw_arrow(arrow, scale)


def _draw_arrow(arrow: Arrow, scale: float) -> None:
    matrices = compute_arrow_matrices(arrow, float(np.linalg.norm(arrow.vector)))
    with gpu.matrix.push_pop():
        gpu.matrix.multiply_matrix(matrices.line)
        draw_lines(
            create_batch(build_arrow_shaft(PUSH_COLOR), "LINES"), LINE_WIDTH * scale, HALO_OPACITY
        )
    with gpu.matrix.push_pop():
        gpu.matrix.multiply_matrix(matrices.head)
        draw_triangles(create_batch(build_arrow_head(PUSH_COLOR), "TRIS"), solid=True)


def _list_bones(armature: bpy.types.Object) -> dict[str, bpy.types.PoseBone]:
    """Return the posed bone of each part that has one."""
    bones = armature.pose.bones
    entries = [entry for entry in armature.footfall.parts if entry.bone in bones]
    return {entry.name: bones[entry.bone] for entry in entries}


def _find_color(part: str) -> Color:
    """Return the color of a part: that of its side, or those of trunk, head and tail."""
    group = group_of_part(part)
    side = group.rpartition(".")[2]
    if side in SIDE_COLORS:
        return SIDE_COLORS[side]
    return COM_COLOR if group == "trunk" else PUSH_COLOR if group == "head" else MIDDLE_COLOR


def build_bone_marks(armature: bpy.types.Object) -> ColoredMesh:
    """Return a line for the bone of each part, from its head to the next part or to its tail.

    It is in the world of the view.
    """
    matrix = armature.matrix_world
    bones = _list_bones(armature)
    used = {bone.name for bone in bones.values()}
    marks = []
    for part, bone in bones.items():
        child = next((c for c in bone.children if c.name in used), None)
        ends = np.array([matrix @ bone.head, matrix @ (child.head if child else bone.tail)])
        marks.append(ColoredPart(ends, to_rgba(_find_color(part))))
    return ColoredMesh.from_parts(marks)


def build_sole_marks(armature: bpy.types.Object) -> ColoredMesh:
    """Return a lozenge below each foot, from the ankle to the end of foot and toe.

    It is in the world of the view.
    """
    matrix = armature.matrix_world
    bones = _list_bones(armature)
    soles = []
    for part, foot in bones.items():
        if "foot." not in part:
            continue
        toe = bones.get(part.replace("foot.", "toe."))
        ends = np.array([matrix @ foot.head, matrix @ (toe or foot).tail])
        ends[:, 2] = min(float((matrix @ end)[2]) for end in (foot.head, foot.tail))
        along = ends[1] - ends[0]
        aside = 0.5 * SOLE_WIDTH * np.cross([0.0, 0.0, 1.0], along)
        middle = ends.mean(0)
        corners = np.array([ends[0], middle - aside, ends[1], middle + aside])
        soles.append(
            ColoredPart(triangulate_fan(corners), to_rgba(_find_color(part), SOLE_OPACITY))
        )
    return ColoredMesh.from_parts(soles)


def locate_facing_arrow(armature: bpy.types.Object) -> Arrow | None:
    """Return the arrow from between the hips in the direction in which left is on the left.

    Returns:
        The arrow in the world of the view; None if a thigh is missing.
    """
    bones = _list_bones(armature)
    prefix = "hind_" if "hind_thigh.L" in bones else ""
    thighs = [bones.get(f"{prefix}thigh.{side}") for side in "LR"]
    if None in thighs:
        return None
    matrix = armature.matrix_world
    left, right = (np.array(matrix @ thigh.head) for thigh in thighs)
    forward = np.cross(left - right, [0.0, 0.0, 1.0])
    length = float(np.linalg.norm(forward))
    if length < 1e-9:
        return None
    middle = 0.5 * (left + right)
    lowest = min(float((matrix @ bone.head)[2]) for bone in bones.values())
    size = ARROW_SIZE * max(float(middle[2]) - lowest, length)
    return Arrow(-1, middle, forward / length * size)
