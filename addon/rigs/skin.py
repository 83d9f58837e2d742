"""The skin of an armature: the vertices of its meshes at rest, by the bone that moves them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.recognition.skeleton import LowSkin
from .surface import (
    WeightedVertices,
    is_armature_modifier,
    read_rigid_vertices,
    read_weighted_vertices,
)

Array = NDArray[np.float64]

MAX_SKIN_POINTS = 3000  # skin points of a bone; the outermost ones are always among them


def read_surfaces(armature: bpy.types.Object) -> dict[bpy.types.Object, WeightedVertices]:
    """Return the vertices of each mesh that an armature deforms, which is slow for fine meshes.

    Meshes that hang on its bones, such as the parts of a robot, are among them.
    """
    bones = {bone.name for bone in armature.data.bones}
    surfaces = {}
    for obj in bpy.data.objects:
        if _is_skin(obj, armature):
            surfaces[obj] = read_weighted_vertices(obj, armature, bones)
        elif _hangs_on_bone(obj, armature) and obj.parent_bone in bones:
            surfaces[obj] = read_rigid_vertices(obj, armature)
    return surfaces


def collect_skin(
    surfaces: Iterable[WeightedVertices], scale: float, origin: Array
) -> dict[str, Array]:
    """Return skin points by the bone with the largest weight, in world axes [m].

    Args:
        surfaces: vertices of the meshes.
        scale: length of a unit of Blender [m].
        origin: point in the world from which they are measured (3,) [m].
    """
    points_by_bone: dict[str, list[Array]] = {}
    for vertices in surfaces:
        for k in np.unique(vertices.group[vertices.group >= 0]):
            points_by_bone.setdefault(vertices.group_names[k], []).append(
                vertices.positions[vertices.group == k] * scale - origin
            )
    return {name: _thin_points(np.concatenate(parts)) for name, parts in points_by_bone.items()}


def collect_low_skin(
    surfaces: Iterable[WeightedVertices], scale: float, origin: Array
) -> LowSkin | None:
    """Return the low vertices of all meshes with the weights of their bones, in world axes; None
    without any.

    Args:
        surfaces: vertices of the meshes.
        scale: length of a unit of Blender [m].
        origin: point in the world from which they are measured (3,) [m].
    """
    parts = [vertices for vertices in surfaces if len(vertices.low)]
    if not parts:
        return None
    names = sorted({name for part in parts for name in part.group_names if name})
    weights = {name: np.zeros(sum(len(part.low) for part in parts)) for name in names}
    first = 0
    for part in parts:
        rows = slice(first, first + len(part.low))
        for column, name in enumerate(part.group_names):
            if name:
                weights[name][rows] += part.low_weights[:, column]
        first += len(part.low)
    points = np.concatenate([part.positions[part.low] for part in parts]) * scale - origin
    return LowSkin(points, {name: share for name, share in weights.items() if share.any()})


def describe_unweighted_vertices(
    armature: bpy.types.Object, surfaces: Mapping[bpy.types.Object, WeightedVertices]
) -> list[str]:
    """Return notes on meshes with vertices that no bone moves, which stay where they are.

    Args:
        surfaces: vertices of the meshes that the armature deforms.
    """
    notes = []
    for obj, vertices in surfaces.items():
        if any(m.use_bone_envelopes for m in obj.modifiers if is_armature_modifier(m, armature)):
            continue
        count = int((vertices.group < 0).sum())
        if count:
            notes.append(
                f"{count} of {len(vertices.group)} vertices of {obj.name!r} have no weight of any "
                "bone and stay behind; give them weights"
            )
    return notes


def iterate_skin_objects(armature: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """Yield the meshes that an armature deforms."""
    return (obj for obj in bpy.data.objects if _is_skin(obj, armature))


def _is_skin(obj: bpy.types.Object, armature: bpy.types.Object) -> bool:
    return obj.type == "MESH" and any(is_armature_modifier(m, armature) for m in obj.modifiers)


def _hangs_on_bone(obj: bpy.types.Object, armature: bpy.types.Object) -> bool:
    return obj.type == "MESH" and obj.parent == armature and obj.parent_type == "BONE"


def _thin_points(points: Array) -> Array:
    if len(points) <= MAX_SKIN_POINTS:
        return points
    outermost = np.concatenate([points.argmin(0), points.argmax(0)])
    spread = np.linspace(0, len(points) - 1, MAX_SKIN_POINTS - len(outermost)).astype(int)
    return points[np.unique(np.concatenate([outermost, spread]))]
