"""Check of the skin under the keys of a bake: torn, left behind, or feet turned over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ..animation.action_builder import PendingKeys
from ..rigs.played_bones import play_bones
from ..rigs.skin import iterate_skin_objects
from ..rigs.vertices import read_vertices, transform_points
from ..text import enumerate_names

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SkinCheckLimits:
    """Limits of the check, of `check_skin`.

    Args:
        sampled_frames: largest number of frames that are compared, over all of the bake: a part
            that is bound to a wrong bone tears the skin wherever the body has moved on.
        sampled_edges: about the largest number of edges that are compared, of which
            `max_torn_share` are eight.
        sampled_vertices: about the largest number of vertices of a mesh that are searched for the
            bones that move it.
        min_edge_length: length of the shortest edge that counts [height of the skin], 7 mm of a
            human; small displacements stretch shorter ones far.
        max_stretch: length of an edge over that at rest above which it is torn. Elbows and hips of
            coarse meshes reach 2.
        max_torn_share: share of torn edges in a frame above which the skin is torn.
        min_torn_edges: least number of them: a vertex that leaves the body takes its edges along,
            while a single edge of a coarse mesh stretches at an armpit.
        min_travel: least travel of the skin for which bones can be left behind [height]; in less
            of it an arm that swings back moves as little.
        max_left_share: travel of a bone over that of the body below which it is left behind.
    """

    sampled_frames: int = 8
    sampled_edges: int = 4000
    sampled_vertices: int = 20000
    min_edge_length: float = 0.004
    max_stretch: float = 3.0
    max_torn_share: float = 0.002
    min_torn_edges: int = 3
    min_travel: float = 0.5
    max_left_share: float = 0.2


LIMITS = SkinCheckLimits()
ADVICE = "Correct the parts in the panel Character; Revert Last Bake takes this one back"


@dataclass(frozen=True)
class _SampledEdges:
    """Edges of the skin of an armature, in its space.

    Args:
        ends: (e, 2, 3) at rest.
        weights: (e, 2, b) of the bones, with sums of 1; 0 for ends that no bone moves.
    """

    ends: Array
    weights: Array

    def measure_lengths(self, transforms: Array) -> Array:
        """Return the lengths of the edges (e,) for transforms of the bones from rest (b, 4, 4)."""
        matrices = np.einsum("eib,bjk->eijk", self.weights, transforms)
        moved = np.einsum("eijk,eik->eij", matrices[..., :3, :3], self.ends) + matrices[..., :3, 3]
        is_free = self.weights.sum(-1) == 0
        moved[is_free] = self.ends[is_free]
        return np.asarray(np.linalg.norm(moved[:, 0] - moved[:, 1], axis=1))

    def find_strongest_bones(self, mask: NDArray[np.bool_]) -> list[int]:
        """Return the two bones with the largest weights at the ends of some edges."""
        total = self.weights[mask].sum((0, 1))
        return [int(k) for k in np.argsort(-total)[:2] if total[k] > 0]


def check_skin(
    armature: bpy.types.Object, foot_bones: Iterable[str], frames: Array, pending_keys: PendingKeys
) -> list[str]:
    """Play keys on a duplicate and return warnings about what they do to the skin.

    Args:
        foot_bones: bones that stand on the ground.
        frames: frames of the keys (n,).
        pending_keys: the keys, one for each frame.
    """
    meshes = list(iterate_skin_objects(armature))
    bones = _list_weighted_bones(armature, meshes)
    feet = [name for name in foot_bones if name in bones]
    if not bones:
        return []
    sampled = np.unique(np.linspace(0, len(frames) - 1, LIMITS.sampled_frames).astype(int))
    played = play_bones(armature, bones, frames[sampled], pending_keys)
    world = played.armature[:, None] @ played.bones
    rest = np.array([armature.data.bones[name].matrix_local for name in bones])
    height = float(np.ptp(rest[:, :3, 3], axis=0).max())
    edges = _sample_edges(armature, meshes, bones)
    return [
        *_find_tears(edges, world @ np.linalg.inv(rest), bones, frames[sampled]),
        *_find_bones_left_behind(world, bones, height * _read_scale(armature)),
        *_find_overturned_feet(np.array(armature.matrix_world) @ rest, world, bones, feet),
    ]


def _read_scale(armature: bpy.types.Object) -> float:
    return float(np.cbrt(abs(np.linalg.det(np.array(armature.matrix_world)[:3, :3]))))


def _list_weighted_bones(
    armature: bpy.types.Object, meshes: Iterable[bpy.types.Object]
) -> list[str]:
    """Return the bones that have a vertex group with vertices."""
    names = set()
    for obj in meshes:
        step = 1 + len(obj.data.vertices) // LIMITS.sampled_vertices
        vertices = obj.data.vertices  # its slices take no step
        sampled = (vertices[k] for k in range(0, len(vertices), step))
        used = {entry.group for vertex in sampled for entry in vertex.groups}
        names |= {group.name for group in obj.vertex_groups if group.index in used}
    return [bone.name for bone in armature.data.bones if bone.name in names and bone.use_deform]


def _sample_edges(
    armature: bpy.types.Object, meshes: Sequence[bpy.types.Object], bones: list[str]
) -> _SampledEdges:
    """Return evenly chosen edges of all meshes, without very short ones."""
    step = 1 + sum(len(obj.data.edges) for obj in meshes) // LIMITS.sampled_edges
    index = {name: k for k, name in enumerate(bones)}
    to_armature = np.linalg.inv(np.array(armature.matrix_world))
    all_ends = [np.zeros((0, 2, 3))]
    all_weights = [np.zeros((0, 2, len(bones)))]
    for obj in meshes:
        mesh = obj.data
        points = transform_points(to_armature @ np.array(obj.matrix_world), read_vertices(mesh))
        edges = np.empty(len(mesh.edges) * 2, np.int32)
        mesh.edges.foreach_get("vertices", edges)
        edges = edges.reshape(-1, 2)[::step]
        ends = points[edges]
        is_long = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1) > LIMITS.min_edge_length * max(
            float(np.ptp(points, axis=0).max(initial=0.0)) if len(points) else 0.0, 1e-9
        )
        edges = edges[is_long]
        group_bone = [index.get(group.name, -1) for group in obj.vertex_groups]
        weights = np.zeros((len(edges), 2, len(bones)))
        for k, end in np.ndindex(len(edges), 2):
            for entry in mesh.vertices[int(edges[k, end])].groups:
                if entry.group < len(group_bone) and group_bone[entry.group] >= 0:
                    weights[k, end, group_bone[entry.group]] = entry.weight
        all_ends.append(ends[is_long])
        all_weights.append(weights / np.maximum(weights.sum(-1, keepdims=True), 1e-12))
    return _SampledEdges(np.concatenate(all_ends), np.concatenate(all_weights))


def _find_tears(
    edges: _SampledEdges, transforms: Array, bones: list[str], frames: Array
) -> list[str]:
    """Return a warning about the frame with the most torn edges, if they are too many.

    Args:
        transforms: (n, b, 4, 4) of the bones, from rest in the armature to the world.
    """
    if not len(edges.ends):
        return []
    rest_lengths = np.linalg.norm(edges.ends[:, 0] - edges.ends[:, 1], axis=1)
    scale = np.cbrt(abs(np.linalg.det(transforms[0, 0, :3, :3])))
    torn = np.array(
        [edges.measure_lengths(t) > LIMITS.max_stretch * scale * rest_lengths for t in transforms]
    )
    shares = torn.mean(1)
    worst = int(np.argmax(shares))
    if shares[worst] <= LIMITS.max_torn_share or torn[worst].sum() < LIMITS.min_torn_edges:
        return []
    names = enumerate_names([repr(bones[k]) for k in edges.find_strongest_bones(torn[worst])], 2)
    return [
        f"the skin is torn at frame {frames[worst]:.0f}: {shares[worst]:.1%} of its edges are more "
        f"than {LIMITS.max_stretch:.0f} times as long as at rest, most of them at {names}. {ADVICE}"
    ]


def _find_bones_left_behind(world: Array, bones: list[str], height: float) -> list[str]:
    """Return a warning about bones with skin that hardly move while the body travels."""
    travel = np.linalg.norm(world[-1, :, :3, 3] - world[0, :, :3, 3], axis=1)
    body_travel = float(np.median(travel))
    if body_travel < LIMITS.min_travel * height:
        return []
    names = [repr(bones[k]) for k in np.flatnonzero(travel < LIMITS.max_left_share * body_travel)]
    if not names:
        return []
    is_single = len(names) == 1
    verb = "carries skin and is" if is_single else "carry skin and are"
    advice = "it a child" if is_single else "them children"
    return [
        f"{enumerate_names(names, 4)} {verb} left behind while the body moves on. Make {advice} of "
        f"the body's bones. {ADVICE}"
    ]


def _find_overturned_feet(
    rest: Array, world: Array, bones: list[str], feet: Iterable[str]
) -> list[str]:
    """Return a warning about feet that are upside down in most frames, compared with rest."""
    index = {name: k for k, name in enumerate(bones)}
    overturned = []
    for name in feet:
        k = index[name]
        # the bone's direction that points up at rest
        up = np.linalg.inv(rest[k, :3, :3]) @ np.array([0.0, 0.0, 1.0])
        if np.median((world[:, k, :3, :3] @ up)[:, 2]) < 0:
            overturned.append(repr(name))
    if not overturned:
        return []
    verb = "is" if len(overturned) == 1 else "are"
    return [f"{enumerate_names(overturned, 4)} {verb} upside down in most frames. {ADVICE}"]
