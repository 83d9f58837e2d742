"""Meshes of the scene as ground and as shapes."""

from __future__ import annotations

from collections.abc import Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import FootfallError, TerrainError
from ...core.terrain import FlatGround, Ground, MeshGround
from ..rigs.vertices import read_vertices, transform_points
from ..units import read_unit_scale

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SceneMesh:
    """A visible mesh in the world.

    Args:
        name: name of the object that the mesh belongs to.
        vertices: positions in the world [m], (v, 3).
        edges: pairs of vertices (e, 2).
        triangles: triples of vertices (t, 3).
    """

    name: str
    vertices: Array
    edges: NDArray[np.int64]
    triangles: NDArray[np.int64]


def read_scene_meshes(
    collection: bpy.types.ID, scene: bpy.types.Scene, label: str, error_type: type[FootfallError]
) -> list[SceneMesh]:
    """Return all visible meshes of a collection and of the collections in it, sorted by the names
    of their objects.

    Args:
        label: what the meshes are, in the plural, for messages.
        error_type: type of the error that is raised.

    Raises:
        FootfallError: `collection` is not a collection, or it has no visible mesh, or one without
            vertices.
    """
    if not isinstance(collection, bpy.types.Collection):
        raise error_type(
            f"{collection.name!r} is not a collection. Put the {label} into a collection and pick "
            "that."
        )
    object_names = collect_object_names(collection)
    scale = read_unit_scale(scene)
    scene_meshes = []
    # an instance is valid only until the iterator advances, so each is read at once
    for instance in bpy.context.evaluated_depsgraph_get().object_instances:
        owner = instance.parent.original if instance.is_instance else instance.object.original
        if owner.name in object_names and instance.show_self and instance.object.type == "MESH":
            scene_meshes.append(
                _read_mesh(owner.name, instance.object.data, np.array(instance.matrix_world), scale)
            )
    if not scene_meshes:
        raise error_type(_describe_missing_mesh(collection, label))
    for scene_mesh in scene_meshes:
        if not len(scene_mesh.vertices):
            raise error_type(
                f"The object {scene_mesh.name!r} in the collection {collection.name!r} is an "
                "empty mesh. Give it a shape, or take it out of the collection."
            )
    return sorted(scene_meshes, key=lambda scene_mesh: scene_mesh.name)


def collect_object_names(*collections: bpy.types.ID | None) -> Set[str]:
    """Return the names of all objects in collections; objects that are no collections count for
    nothing.
    """
    return {
        obj.name
        for c in collections
        if isinstance(c, bpy.types.Collection)
        for obj in c.all_objects
    }


def _read_mesh(name: str, mesh: bpy.types.Mesh, matrix: Array, scale: float) -> SceneMesh:
    points = np.empty(3 * len(mesh.vertices), np.float32)
    edges = np.empty(2 * len(mesh.edges), np.int32)
    mesh.vertices.foreach_get("co", points)
    mesh.edges.foreach_get("vertices", edges)
    mesh.calc_loop_triangles()
    corners = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", corners)
    world = points.reshape(-1, 3).astype(float) @ matrix[:3, :3].T + matrix[:3, 3]
    return SceneMesh(
        name,
        scale * world,
        edges.reshape(-1, 2).astype(np.int64),
        corners.reshape(-1, 3).astype(np.int64),
    )


def _describe_missing_mesh(collection: bpy.types.Collection, label: str) -> str:
    objects = list(collection.all_objects)
    if not objects:
        problem = "is empty"
    elif any(obj.type == "MESH" for obj in objects):
        problem = "has no mesh that is visible"
    else:
        problem = (
            f"holds no mesh, only {objects[0].name!r}{' and others' if len(objects) > 1 else ''}"
        )
    return (
        f"The collection {collection.name!r} {problem}. Put the {label} into it as mesh objects "
        "and show them, or clear the field in the sidebar."
    )


@contextmanager
def _evaluate_mesh(obj: bpy.types.Object) -> Iterator[bpy.types.Mesh]:
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    try:
        yield evaluated.to_mesh()
    finally:
        evaluated.to_mesh_clear()


def read_ground(
    terrain: bpy.types.ID | None, scene: bpy.types.Scene, excluded: Set[str] = frozenset()
) -> Ground:
    """Return the ground of a mesh object or of all meshes of a collection; a level plane at height
    0 without terrain.

    Args:
        excluded: names of objects in the collection that are not ground, such as hurdles.

    Raises:
        TerrainError: the terrain is something else, or has no faces.
    """
    if terrain is None:
        return FlatGround()
    if isinstance(terrain, bpy.types.Collection):
        meshes = [
            obj for obj in terrain.all_objects if obj.type == "MESH" and obj.name not in excluded
        ]
    elif isinstance(terrain, bpy.types.Object) and terrain.type == "MESH":
        meshes = [terrain]
    else:
        raise TerrainError(
            f"The terrain {terrain.name!r} is neither a mesh object nor a collection. Pick one of "
            "these, or clear the field Terrain."
        )
    vertices = []
    triangles = []
    vertex_count = 0
    for obj in meshes:
        with _evaluate_mesh(obj) as mesh:
            mesh.calc_loop_triangles()
            corners = np.empty(len(mesh.loop_triangles) * 3, np.int32)
            mesh.loop_triangles.foreach_get("vertices", corners)
            points = transform_points(np.array(obj.matrix_world), read_vertices(mesh))
        vertices.append(points * read_unit_scale(scene))
        triangles.append(corners.reshape(-1, 3) + vertex_count)
        vertex_count += len(points)
    if not any(len(t) for t in triangles):
        raise TerrainError(f"The terrain {terrain.name!r} has no faces to walk on.")
    return MeshGround(np.concatenate(vertices), np.concatenate(triangles))
