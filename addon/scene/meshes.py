"""Meshes of the scene as ground and shapes."""
from __future__ import annotations

from collections.abc import Set
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import FootfallError, TerrainError
from ...core.terrain import Flat, Ground, MeshGround
from ..units import unit_scale

if TYPE_CHECKING:
    from collections.abc import Iterator, Set
from ..rigs.armature import _carry, _vertices

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Shape:
    """One visible mesh in the world, metres."""

    name: str                         # of the object that it belongs to
    vertices: Array                   # (v, 3)
    edges: NDArray[np.int64]          # (e, 2)
    triangles: NDArray[np.int64]      # (t, 3)


def read_shapes(collection: bpy.types.ID, scene: bpy.types.Scene, what: str, error: type[FootfallError]) -> list[Shape]:
    """All visible meshes of a collection and of the collections in it, by the names of their objects.

    Args:
        what: the meshes are, in the plural, for messages.
        error: to raise.

    Raises:
        FootfallError: there is none, or one without vertices.
    """
    if not isinstance(collection, bpy.types.Collection):
        raise error(f"{collection.name!r} is no collection. Put the {what} into a collection and pick that.")
    members, scale, out = names_in(collection), unit_scale(scene), []
    # an instance holds only until the next one is asked for, so each is read at once
    for instance in bpy.context.evaluated_depsgraph_get().object_instances:
        owner = instance.parent.original if instance.is_instance else instance.object.original
        if owner.name in members and instance.show_self and instance.object.type == "MESH":
            out.append(_shape(owner.name, instance.object.data, np.array(instance.matrix_world), scale))
    if not out:
        raise error(_nothing(collection, what))
    for shape in out:
        if not len(shape.vertices):
            raise error(f"The object {shape.name!r} in the collection {collection.name!r} is an empty mesh. Give it a shape, or "
                        "take it out of the collection.")
    return sorted(out, key=lambda shape: shape.name)


def names_in(*collections: bpy.types.ID | None) -> Set[str]:
    """Names of all objects in collections."""
    return {thing.name for c in collections if isinstance(c, bpy.types.Collection) for thing in c.all_objects}


def _shape(name: str, mesh: bpy.types.Mesh, matrix: Array, scale: float) -> Shape:
    points, edges = np.empty(3 * len(mesh.vertices), np.float32), np.empty(2 * len(mesh.edges), np.int32)
    mesh.vertices.foreach_get("co", points)
    mesh.edges.foreach_get("vertices", edges)
    mesh.calc_loop_triangles()
    corners = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", corners)
    world = points.reshape(-1, 3).astype(float) @ matrix[:3, :3].T + matrix[:3, 3]
    return Shape(name, scale * world, edges.reshape(-1, 2).astype(np.int64), corners.reshape(-1, 3).astype(np.int64))


def _nothing(collection: bpy.types.Collection, what: str) -> str:
    things = list(collection.all_objects)
    if not things:
        found = "is empty"
    elif any(thing.type == "MESH" for thing in things):
        found = "has no mesh that is visible"
    else:
        found = f"holds no mesh, only {things[0].name!r}{' and others' if len(things) > 1 else ''}"
    return (f"The collection {collection.name!r} {found}. Put the {what} into it as mesh objects and show them, or clear the field "
            f"in the sidebar.")


@contextmanager
def _as_mesh(thing: bpy.types.Object) -> Iterator[bpy.types.Mesh]:
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    try:
        yield evaluated.to_mesh()
    finally:
        evaluated.to_mesh_clear()


def read_ground(terrain: bpy.types.ID | None, scene: bpy.types.Scene, apart: Set[str] = frozenset()) -> Ground:
    """The ground of a mesh object, or of all meshes of a collection; level at height 0 without one.

    Args:
        apart: names of objects in the collection that are no ground, such as hurdles.

    Raises:
        TerrainError: it is something else, or has no faces.
    """
    if terrain is None:
        return Flat()
    if isinstance(terrain, bpy.types.Collection):
        meshes = [thing for thing in terrain.all_objects if thing.type == "MESH" and thing.name not in apart]
    elif isinstance(terrain, bpy.types.Object) and terrain.type == "MESH":
        meshes = [terrain]
    else:
        raise TerrainError(f"The terrain {terrain.name!r} is neither a mesh object nor a collection.")
    vertices, triangles, count = [], [], 0
    for thing in meshes:
        with _as_mesh(thing) as mesh:
            mesh.calc_loop_triangles()
            corners = np.empty(len(mesh.loop_triangles) * 3, np.int32)
            mesh.loop_triangles.foreach_get("vertices", corners)
            points = _carry(np.array(thing.matrix_world), _vertices(mesh))
        vertices.append(points * unit_scale(scene))
        triangles.append(corners.reshape(-1, 3) + count)
        count += len(points)
    if not any(len(t) for t in triangles):
        raise TerrainError(f"The terrain {terrain.name!r} has no faces to walk on.")
    return MeshGround(np.concatenate(vertices), np.concatenate(triangles))
