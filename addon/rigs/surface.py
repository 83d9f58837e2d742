"""Vertices of a mesh as its armature gets them at rest, with those that its modifiers add."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from .vertices import read_vertices, transform_points

Array = NDArray[np.float64]

# Modifiers that make the surface; others, as simulations, add to it or depend on the pose
SURFACE_MODIFIERS = frozenset(
    {"BEVEL", "DISPLACE", "MULTIRES", "SKIN", "SMOOTH", "SOLIDIFY", "SUBSURF", "WELD"}
)
# Modifiers that add parts, which an armature only moves where it comes after them
PART_MODIFIERS = frozenset({"ARRAY", "MIRROR"})
# Subdivided meshes are larger: above this number of vertices they have the shape of their surface
# before, and above this level all meshes do
MAX_SUBDIVIDED_VERTICES = 15000
MAX_SUBDIVISION_LEVEL = 2
LOW_SHARE = 0.05  # Height of low vertices above the lowest one [height of the mesh]
MAX_LOW_VERTICES = 1000  # Number of low vertices of a mesh above which only some are read


@dataclass(frozen=True)
class WeightedVertices:
    """Vertices of a mesh before an armature moves them.

    Args:
        positions: (n, 3) in the world, in units of Blender.
        group: (n,) vertex group with the largest weight among those of bones; -1 for none.
        group_names: names of the vertex groups; empty for those of no bone.
        low: (m,) indices of the vertices near the lowest one that bones move.
        low_weights: (m, g) weights of these vertices in the groups of bones, with sums of 1.
    """

    positions: Array
    group: NDArray[np.int64]
    group_names: tuple[str, ...]
    low: NDArray[np.int64]
    low_weights: Array


def read_weighted_vertices(
    obj: bpy.types.Object, armature: bpy.types.Object, bones: set[str]
) -> WeightedVertices:
    """Return the vertices of the surface of a mesh, without what its armature does to it.

    Args:
        bones: names of the bones whose weights count.
    """
    names = [group.name if group.name in bones else "" for group in obj.vertex_groups]
    kept = _find_shaping_modifiers(obj, armature)
    if not kept:
        return _read_mesh(obj.data, obj, names)
    scene = bpy.data.scenes.new("Footfall")
    mesh = obj.data.copy()  # the mesh itself may be in edit mode
    duplicate = obj.copy()
    try:
        duplicate.data = mesh
        duplicate.hide_viewport = False
        for modifier in [m for m in duplicate.modifiers if m.name not in kept]:
            duplicate.modifiers.remove(modifier)
        for modifier in duplicate.modifiers:
            if modifier.type == "SUBSURF":
                modifier.levels = min(modifier.levels, MAX_SUBDIVISION_LEVEL)
        scene.collection.objects.link(duplicate)
        view_layer = scene.view_layers[0]
        view_layer.update()
        return _read_mesh(duplicate.evaluated_get(view_layer.depsgraph).data, obj, names)
    finally:
        bpy.data.scenes.remove(scene)
        bpy.data.objects.remove(duplicate)
        bpy.data.meshes.remove(mesh)


def read_rigid_vertices(obj: bpy.types.Object, armature: bpy.types.Object) -> WeightedVertices:
    """Return the vertices of a mesh that hangs on a bone as a whole, with the bone at rest."""
    pose_bone = armature.pose.bones[obj.parent_bone]
    place = np.array(armature.matrix_world)
    to_rest = np.array(pose_bone.bone.matrix_local) @ np.linalg.inv(np.array(pose_bone.matrix))
    matrix = place @ to_rest @ np.linalg.inv(place) @ np.array(obj.matrix_world)
    positions = transform_points(matrix, read_vertices(obj.data))
    groups = np.zeros(len(positions), np.int64)
    low = _find_low_vertices(positions, groups)
    return WeightedVertices(
        positions, groups, (obj.parent_bone,), low=low, low_weights=np.ones((len(low), 1))
    )


def is_armature_modifier(modifier: bpy.types.Modifier, armature: bpy.types.Object) -> bool:
    """Return whether a modifier moves a mesh with the bones of an armature."""
    return bool(modifier.type == "ARMATURE" and modifier.object == armature)


def _find_shaping_modifiers(obj: bpy.types.Object, armature: bpy.types.Object) -> set[str]:
    """Return the names of the modifiers that make the surface which the armature moves."""
    kinds = SURFACE_MODIFIERS | PART_MODIFIERS
    if len(obj.data.vertices) > MAX_SUBDIVIDED_VERTICES:
        kinds = kinds - {"SUBSURF", "MULTIRES"}
    names = set()
    for modifier in obj.modifiers:
        if is_armature_modifier(modifier, armature):
            kinds = kinds - PART_MODIFIERS
        if modifier.show_viewport and modifier.type in kinds:
            names.add(modifier.name)
    return names


def _read_mesh(mesh: bpy.types.Mesh, obj: bpy.types.Object, names: list[str]) -> WeightedVertices:
    groups = np.array([_find_strongest_group(v, names) for v in mesh.vertices], np.int64)
    positions = transform_points(np.array(obj.matrix_world), read_vertices(mesh))
    low = _find_low_vertices(positions, groups)
    return WeightedVertices(
        positions, groups, tuple(names), low=low, low_weights=_read_weights(mesh, low, names)
    )


def _find_low_vertices(positions: Array, groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return vertices near the lowest one that bones move; some of them, if they are many."""
    moved = np.flatnonzero(groups >= 0)
    if not len(moved):
        return moved
    heights = positions[moved, 2]
    low = moved[heights < heights.min() + LOW_SHARE * np.ptp(heights)]
    return low[:: 1 + len(low) // MAX_LOW_VERTICES]


def _read_weights(mesh: bpy.types.Mesh, indices: NDArray[np.int64], names: list[str]) -> Array:
    """Return the weights of vertices in the groups with a name, with sums of 1 (m, g)."""
    weights = np.zeros((len(indices), len(names)))
    for row, k in enumerate(indices):
        for entry in mesh.vertices[int(k)].groups:
            if entry.group < len(names) and names[entry.group]:
                weights[row, entry.group] = entry.weight
    return weights / np.maximum(weights.sum(1, keepdims=True), 1e-12)


def _find_strongest_group(vertex: bpy.types.MeshVertex, names: list[str]) -> int:
    best_group = -1
    max_weight = 0.0
    for entry in vertex.groups:
        if entry.weight > max_weight and entry.group < len(names) and names[entry.group]:
            best_group = entry.group
            max_weight = entry.weight
    return best_group
