"""From Blender's objects to the core's plain data: armatures, curves and meshes, in metres and world axes."""
from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.character.bones import Skeleton
from ..core.errors import CharacterError, TaskError, TerrainError
from ..core.task import Path
from ..core.terrain import Flat, Ground, MeshGround

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Set

Array = NDArray[np.float64]

EVEN = 0.01               # share by which an armature's scale may differ between its axes
STRETCH = 0.05            # that a bone may be scaled in its pose, as is left over from other animations; baked away
SKIN_POINTS = 3000        # a bone at most; the outermost ones are always among them


def unit_scale(scene: bpy.types.Scene) -> float:
    """Metres in one of the scene's units."""
    units = scene.unit_settings
    return float(units.scale_length) if units.system != "NONE" else 1.0


def placement(armature: bpy.types.Object, scene: bpy.types.Scene) -> Array:
    """From an armature's space to the world in metres. (4, 4).

    Raises:
        CharacterError: the object is mirrored, has no size, or is scaled unevenly.
    """
    matrix = np.array(armature.matrix_world)
    sizes = np.linalg.norm(matrix[:3, :3], axis=0)
    if sizes.min() < 1e-9:
        raise CharacterError(f"The armature {armature.name!r} is scaled to nothing; give it a scale above 0.")
    if np.linalg.det(matrix[:3, :3]) < 0:
        raise CharacterError(f"The armature {armature.name!r} is mirrored{_by_parent(armature)} (negative scale). Apply the scale "
                             "with Ctrl+A first.")
    if sizes.max() / sizes.min() > 1 + EVEN:
        raise CharacterError(f"The armature {armature.name!r} is scaled unevenly{_by_parent(armature)}: "
                             f"{sizes[0]:.3g} x {sizes[1]:.3g} x {sizes[2]:.3g}. Apply the scale with Ctrl+A first.")
    matrix[:3] *= unit_scale(scene)
    return matrix


def _by_parent(armature: bpy.types.Object) -> str:
    """Which object above an armature mirrors or stretches it, in words; nothing where its own scale does."""
    thing: bpy.types.Object | None = armature
    while thing is not None:
        sizes = [float(size) for size in thing.scale]
        if min(sizes) < 0 or max(sizes) - min(sizes) > EVEN * max(sizes):
            break
        thing = thing.parent
    return "" if thing in (None, armature) else f" by its parent {thing.name!r}"


def read_skeleton(armature: bpy.types.Object, scene: bpy.types.Scene, with_skin: bool = True,
                  corrected: bool = True) -> Skeleton:
    """The bones of an armature at rest, the skin that follows them, and the parts that the user corrected.

    Args:
        with_skin: reading the skin takes a while on fine meshes; what only asks for bones can do without.
        corrected: with the parts that the user corrected; without them a skeleton is recognised anew.

    Raises:
        CharacterError: the armature is scaled in a way that no rigid body can be.
    """
    matrix = placement(armature, scene)
    bones = list(armature.data.bones)
    index = {bone.name: k for k, bone in enumerate(bones)}
    heads, tails = (_carry(matrix, np.array([getattr(b, end) for b in bones]).reshape(-1, 3))
                    for end in ("head_local", "tail_local"))
    turn = matrix[:3, :3] / np.linalg.norm(matrix[:3, :3], axis=0)
    axes = np.array([turn @ np.array(b.matrix_local)[:3, :3] for b in bones]).reshape(-1, 3, 3)
    parents = tuple(index[b.parent.name] if b.parent else -1 for b in bones)
    deforming = frozenset(b.name for b in bones if b.use_deform)
    skin = _read_skin(armature, set(index), unit_scale(scene)) if with_skin else {}
    return Skeleton(tuple(index), parents, heads, tails, axes, skin, deforming if 0 < len(deforming) < len(bones) else frozenset(),
                    told_parts(armature) if corrected else {})


def told_parts(armature: bpy.types.Object) -> dict[str, str]:
    """Bones by part as the user corrected them; empty where nothing was corrected."""
    told = armature.footfall
    return {entry.name: entry.bone for entry in told.parts if entry.bone} if any(e.bone != e.found for e in told.parts) else {}


def refuse_scaled_bones(armature: bpy.types.Object, names: Iterable[str]) -> None:
    """Make sure that bones are posed about as large as they are at rest, since a rigid body cannot be stretched.

    Raises:
        CharacterError: one of them is not; the message names it.
    """
    for name in names:
        sizes = np.array(armature.pose.bones[name].scale)
        told = " x ".join(f"{size:.3g}" for size in sizes)
        way_out = "Clear its scale with Alt+S in pose mode."
        if (sizes < 1e-6).any():
            raise CharacterError(f"The bone {name!r} is mirrored or of no length in its pose (scale {told}). {way_out}")
        if sizes.max() / sizes.min() > 1 + STRETCH:
            raise CharacterError(f"The bone {name!r} is scaled unevenly in its pose ({told}). {way_out}")
        if np.abs(sizes - 1).max() > STRETCH:
            raise CharacterError(f"The bone {name!r} is scaled in its pose ({told}); Footfall measures bones at rest. {way_out}")


def _carry(matrix: Array, points: Array) -> Array:
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def _read_skin(armature: bpy.types.Object, bones: set[str], scale: float) -> dict[str, Array]:
    """Vertices by the bone that they follow most."""
    found: dict[str, list[Array]] = {}
    for skin in bpy.data.objects:
        if skin.type != "MESH" or not any(m.type == "ARMATURE" and m.object == armature for m in skin.modifiers):
            continue
        names = [group.name if group.name in bones else "" for group in skin.vertex_groups]
        points = _vertices(skin.data) @ np.array(skin.matrix_world)[:3, :3].T + np.array(skin.matrix_world)[:3, 3]
        strongest = np.array([_strongest(v, names) for v in skin.data.vertices], np.int64)
        for k in np.unique(strongest[strongest >= 0]):
            found.setdefault(names[k], []).append(points[strongest == k] * scale)
    return {name: _thinned(np.concatenate(parts)) for name, parts in found.items()}


def _strongest(vertex: bpy.types.MeshVertex, names: list[str]) -> int:
    best, weight = -1, 0.0
    for entry in vertex.groups:
        if entry.weight > weight and entry.group < len(names) and names[entry.group]:
            best, weight = entry.group, entry.weight
    return best


def _thinned(points: Array) -> Array:
    if len(points) <= SKIN_POINTS:
        return points
    outermost = np.concatenate([points.argmin(0), points.argmax(0)])
    spread = np.linspace(0, len(points) - 1, SKIN_POINTS - len(outermost)).astype(int)
    return points[np.unique(np.concatenate([outermost, spread]))]


def _vertices(mesh: bpy.types.Mesh) -> Array:
    out = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertices.foreach_get("co", out)
    return out.reshape(-1, 3).astype(float)


@contextmanager
def _as_mesh(thing: bpy.types.Object) -> Iterator[bpy.types.Mesh]:
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    try:
        yield evaluated.to_mesh()
    finally:
        evaluated.to_mesh_clear()


def read_path(curve: bpy.types.Object | None, scene: bpy.types.Scene) -> Path:
    """The longest spline of a curve object, from its first point to its last.

    Raises:
        TaskError: there is no curve, or it has no length seen from above.
    """
    if curve is None:
        raise TaskError("No path is chosen. Draw a curve over the ground and pick it under Path.")
    if curve.type != "CURVE":
        raise TaskError(f"The path {curve.name!r} is a {curve.type.lower()}; it must be a curve.")
    bare = curve.data.copy()           # a line alone, without the tube that may be drawn around it
    bare.bevel_mode, bare.bevel_depth, bare.extrude, bare.offset, bare.dimensions = "ROUND", 0.0, 0.0, 0.0, "3D"
    bare.bevel_factor_start, bare.bevel_factor_end = 0.0, 1.0
    holder = bpy.data.objects.new(bare.name, bare)
    try:
        mesh = holder.to_mesh()
        lines = _lines(mesh) if mesh else []
    finally:
        holder.to_mesh_clear()
        bpy.data.objects.remove(holder)
        bpy.data.curves.remove(bare)
    if not lines:
        raise TaskError(f"The curve {curve.name!r} is empty. Give it at least two points.")
    matrix = np.array(curve.matrix_world)
    lines = [_carry(matrix, line) * unit_scale(scene) for line in lines]
    longest = max(lines, key=lambda line: float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()))
    try:
        return Path(longest)
    except TaskError as error:
        raise TaskError(f"The curve {curve.name!r} cannot be a path. {error}") from error


def _lines(mesh: bpy.types.Mesh) -> list[Array]:
    """Splines as rows of points; a closed one ends where it began."""
    points = _vertices(mesh)
    edges = np.empty(len(mesh.edges) * 2, np.int32)
    mesh.edges.foreach_get("vertices", edges)
    after: dict[int, int] = {}
    closing: dict[int, int] = {}
    for a, b in edges.reshape(-1, 2).tolist():
        low, high = min(a, b), max(a, b)
        if high == low + 1 and low not in after:
            after[low] = high
        else:
            closing[low] = high
    starts = sorted(set(range(len(points))) - set(after.values()))
    lines = []
    for first in starts:
        row = [first]
        while row[-1] in after:
            row.append(after[row[-1]])
        if closing.get(first) == row[-1]:
            row.append(first)
        lines.append(points[row])
    return lines


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
