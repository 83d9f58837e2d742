"""From Blender's objects to the core's plain data: armatures, curves and meshes, in metres and world axes."""
from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.recognition.skeleton import Skeleton
from ...core.errors import CharacterError

if TYPE_CHECKING:
    from collections.abc import Iterable
from ..units import unit_scale

Array = NDArray[np.float64]

EVEN = 0.01               # share by which an armature's scale may differ between its axes
STRETCH = 0.05            # that a bone may be scaled in its pose, as is left over from other animations; baked away
SKIN_POINTS = 3000        # a bone at most; the outermost ones are always among them


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
