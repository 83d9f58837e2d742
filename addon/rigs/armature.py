"""Blender's armatures and meshes as plain data of the core, in meters and world axes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.recognition.leveling import level_skeleton
from ...core.character.recognition.skeleton import Skeleton
from ...core.errors import CharacterError
from ..units import read_unit_scale
from .skin import collect_low_skin, collect_skin, read_surfaces
from .surface import WeightedVertices
from .vertices import transform_points

Array = NDArray[np.float64]

# Relative difference of an armature's scale between its axes: a leg of 1 m is off by 1 cm at most.
MAX_SCALE_DIFFERENCE = 0.01
# Relative scale of a posed bone, such as a rest of other animation, that the bake removes
MAX_BONE_STRETCH = 0.05


def read_placement(armature: bpy.types.Object, scene: bpy.types.Scene) -> Array:
    """Return the transform from an armature to the world in meters (4, 4).

    Raises:
        CharacterError: the object is mirrored, has no size, or is scaled unevenly.
    """
    matrix = np.array(armature.matrix_world)
    scales = np.linalg.norm(matrix[:3, :3], axis=0)
    if scales.min() < 1e-9:
        raise CharacterError(
            f"The armature {armature.name!r} is scaled to zero; give it a scale above 0."
        )
    if np.linalg.det(matrix[:3, :3]) < 0:
        raise CharacterError(
            f"The armature {armature.name!r} is mirrored{_describe_scaled_parent(armature)} "
            "(negative scale). Apply the scale with Ctrl+A first."
        )
    if scales.max() / scales.min() > 1 + MAX_SCALE_DIFFERENCE:
        raise CharacterError(
            f"The armature {armature.name!r} is scaled "
            f"unevenly{_describe_scaled_parent(armature)}: {scales[0]:.3g} x {scales[1]:.3g} x "
            f"{scales[2]:.3g}. Apply the scale with Ctrl+A first."
        )
    matrix[:3] *= read_unit_scale(scene)
    return matrix


def _describe_scaled_parent(armature: bpy.types.Object) -> str:
    """Return words for the parent that mirrors or stretches an armature; "" if there is none."""
    obj: bpy.types.Object | None = armature
    while obj is not None:
        scales = [float(size) for size in obj.scale]
        if min(scales) < 0 or max(scales) - min(scales) > MAX_SCALE_DIFFERENCE * max(scales):
            break
        obj = obj.parent
    return "" if obj in (None, armature) else f" by its parent {obj.name!r}"


def read_skeleton(
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    with_skin: bool = True,
    with_corrections: bool = True,
    surfaces: Mapping[bpy.types.Object, WeightedVertices] | None = None,
) -> Skeleton:
    """Return the bones of an armature at rest, their skin, and the parts that the user corrected.

    The origin is that of the armature, so that copies in other places have equal skeletons. The
    tilt of an object whose bones stand upright in it is left out.

    Args:
        with_skin: whether to read the skin, which is slow for fine meshes.
        with_corrections: whether to include corrected parts; without them the skeleton is
            recognized from scratch.
        surfaces: vertices of the meshes that the armature deforms; None reads them.

    Raises:
        CharacterError: the scale of the armature is one that no rigid body can follow.
    """
    matrix = read_placement(armature, scene)
    origin = matrix[:3, 3].copy()
    matrix[:3, 3] = 0.0
    bones = list(armature.data.bones)
    bone_indices = {bone.name: k for k, bone in enumerate(bones)}
    heads, tails = (
        transform_points(matrix, np.array([getattr(b, end) for b in bones]).reshape(-1, 3))
        for end in ("head_local", "tail_local")
    )
    rotation = matrix[:3, :3] / np.linalg.norm(matrix[:3, :3], axis=0)
    axes = np.array([rotation @ np.array(b.matrix_local)[:3, :3] for b in bones]).reshape(-1, 3, 3)
    parents = tuple(bone_indices[b.parent.name] if b.parent else -1 for b in bones)
    deforming = frozenset(b.name for b in bones if b.use_deform)
    if surfaces is None:
        surfaces = read_surfaces(armature) if with_skin else {}
    scale = read_unit_scale(scene)
    skeleton = Skeleton(
        tuple(bone_indices),
        parents,
        heads,
        tails=tails,
        axes=axes,
        skin=collect_skin(surfaces.values(), scale, origin),
        deform_bones=deforming if 0 < len(deforming) < len(bones) else frozenset(),
        parts=read_corrected_parts(armature) if with_corrections else {},
        low_skin=collect_low_skin(surfaces.values(), scale, origin),
    )
    return level_skeleton(skeleton, _list_orientations(armature))


def _list_orientations(armature: bpy.types.Object) -> list[Array]:
    """Return the orientations of an object and of its parents in the world (3, 3)."""
    out = []
    obj: bpy.types.Object | None = armature
    while obj is not None:
        out.append(np.array(obj.matrix_world.to_3x3().normalized()))
        obj = obj.parent
    return out


def read_corrected_parts(armature: bpy.types.Object) -> dict[str, str]:
    """Return bones by part if the user corrected any; empty otherwise."""
    character = armature.footfall
    return (
        {entry.name: entry.bone for entry in character.parts if entry.bone}
        if any(e.bone != e.found for e in character.parts)
        else {}
    )


def read_answers(armature: bpy.types.Object) -> dict[str, str]:
    """Return the user's answers to questions about the body, by key of the question."""
    text = armature.footfall.answers
    return {str(key): str(choice) for key, choice in json.loads(text).items()} if text else {}


def check_bone_scales(armature: bpy.types.Object, names: Iterable[str]) -> None:
    """Check that posed bones are about as large as at rest, since rigid bodies do not stretch.

    Raises:
        CharacterError: a bone is scaled; the message names it.
    """
    for name in names:
        scales = np.array(armature.pose.bones[name].scale)
        scale_text = " x ".join(f"{scale:.3g}" for scale in scales)
        hint = "Clear its scale with Alt+S in pose mode."
        if (scales < 1e-6).any():
            raise CharacterError(
                f"The bone {name!r} is mirrored or of no length in its pose (scale {scale_text}). "
                f"{hint}"
            )
        if scales.max() / scales.min() > 1 + MAX_BONE_STRETCH:
            raise CharacterError(
                f"The bone {name!r} is scaled unevenly in its pose ({scale_text}). {hint}"
            )
        if np.abs(scales - 1).max() > MAX_BONE_STRETCH:
            raise CharacterError(
                f"The bone {name!r} is scaled in its pose ({scale_text}); Footfall measures bones "
                f"at rest. {hint}"
            )
