"""The skin of an armature: the vertices of its meshes at rest, by the bone that moves them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from .vertices import read_vertices, transform_points

Array = NDArray[np.float64]

MAX_SKIN_POINTS = 3000  # skin points of a bone; the outermost ones are always among them


@dataclass(frozen=True)
class WeightedVertices:
    """Vertices of a mesh before an armature moves them.

    Args:
        positions: (n, 3) in the world, in units of Blender.
        group: (n,) vertex group with the largest weight among those of bones; -1 for none.
        group_names: names of the vertex groups; empty for those of no bone.
    """

    positions: Array
    group: NDArray[np.int64]
    group_names: tuple[str, ...]


def read_skin(armature: bpy.types.Object, bones: set[str], scale: float) -> dict[str, Array]:
    """Return skin points by the bone with the largest weight, in the world [m].

    Args:
        bones: names of the bones.
        scale: length of a unit of Blender [m].
    """
    points_by_bone: dict[str, list[Array]] = {}
    for obj in iterate_skin_objects(armature):
        vertices = _read_weighted_vertices(obj, armature, bones)
        for k in np.unique(vertices.group[vertices.group >= 0]):
            points_by_bone.setdefault(vertices.group_names[k], []).append(
                vertices.positions[vertices.group == k] * scale
            )
    return {name: _thin_points(np.concatenate(parts)) for name, parts in points_by_bone.items()}


def describe_unweighted_vertices(armature: bpy.types.Object) -> list[str]:
    """Return notes on meshes with vertices that no bone moves, which stay where they are."""
    bones = {bone.name for bone in armature.data.bones}
    notes = []
    for obj in iterate_skin_objects(armature):
        if any(m.use_bone_envelopes for m in obj.modifiers if _is_armature_modifier(m, armature)):
            continue
        vertices = _read_weighted_vertices(obj, armature, bones)
        count = int((vertices.group < 0).sum())
        if count:
            notes.append(
                f"{count} of {len(vertices.group)} vertices of {obj.name!r} have no weight of any "
                "bone and stay behind; give them weights"
            )
    return notes


def iterate_skin_objects(armature: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """Yield the meshes that an armature deforms."""
    for obj in bpy.data.objects:
        if obj.type == "MESH" and any(_is_armature_modifier(m, armature) for m in obj.modifiers):
            yield obj


def _is_armature_modifier(modifier: bpy.types.Modifier, armature: bpy.types.Object) -> bool:
    return bool(modifier.type == "ARMATURE" and modifier.object == armature)


def _read_weighted_vertices(
    obj: bpy.types.Object, armature: bpy.types.Object, bones: set[str]
) -> WeightedVertices:
    """Return the vertices of a mesh as its armature gets them, with those of Mirror modifiers."""
    names = [group.name if group.name in bones else "" for group in obj.vertex_groups]
    groups = np.array([_find_strongest_group(v, names) for v in obj.data.vertices], np.int64)
    positions = transform_points(np.array(obj.matrix_world), read_vertices(obj.data))
    for modifier in obj.modifiers:
        if _is_armature_modifier(modifier, armature):
            break
        if modifier.type != "MIRROR" or not modifier.show_viewport:
            continue
        flipped_groups = _flip_groups(names) if modifier.use_mirror_vertex_groups else None
        plane_object = modifier.mirror_object or obj
        for axis in np.flatnonzero(list(modifier.use_axis)):
            positions = np.concatenate(
                [positions, _reflect(positions, np.array(plane_object.matrix_world), int(axis))]
            )
            other = groups if flipped_groups is None else flipped_groups[groups]
            groups = np.concatenate([groups, other])
    return WeightedVertices(positions, groups, tuple(names))


def _flip_groups(names: list[str]) -> NDArray[np.int64]:
    """Return the group of the other side of each group, and -1 as the last entry, for no group."""
    index = {name: k for k, name in enumerate(names) if name}
    flipped = [
        index.get(bpy.utils.flip_name(name), k) if name else k for k, name in enumerate(names)
    ]
    return np.array([*flipped, -1], np.int64)


def _reflect(points: Array, matrix: Array, axis: int) -> Array:
    """Return points (n, 3) reflected at the plane through the origin across an axis of a matrix."""
    flip = np.ones(4)
    flip[axis] = -1.0
    return transform_points(matrix @ np.diag(flip) @ np.linalg.inv(matrix), points)


def _find_strongest_group(vertex: bpy.types.MeshVertex, names: list[str]) -> int:
    best_group = -1
    max_weight = 0.0
    for entry in vertex.groups:
        if entry.weight > max_weight and entry.group < len(names) and names[entry.group]:
            best_group = entry.group
            max_weight = entry.weight
    return best_group


def _thin_points(points: Array) -> Array:
    if len(points) <= MAX_SKIN_POINTS:
        return points
    outermost = np.concatenate([points.argmin(0), points.argmax(0)])
    spread = np.linspace(0, len(points) - 1, MAX_SKIN_POINTS - len(outermost)).astype(int)
    return points[np.unique(np.concatenate([outermost, spread]))]
