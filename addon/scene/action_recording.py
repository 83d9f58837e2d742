"""An action read as a recording."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.recognition.anatomy import Anatomy
from ...core.character.recognition.deform_skeleton import extract_deform_skeleton
from ...core.character.recognition.reading_parts import read_body_and_anatomy
from ...core.character.recognition.skeleton import Skeleton
from ...core.clip import Recording
from ...core.clip.recording.bvh import RigInfo
from ...core.errors import CharacterError, ClipError
from ..animation.actions import find_best_part
from ..animation.sampling import isolated_playback, sample_poses
from ..rigs.armature import read_skeleton
from ..units import read_unit_scale

Array = NDArray[np.float64]

# of an action; a stride takes one, and a control rig a while to be played
MAX_ACTION_SECONDS = 60.0


def record_action(
    action: bpy.types.Action, armature: bpy.types.Object, scene: bpy.types.Scene
) -> Recording:
    """What an armature does in an action: its body's bones over the action's own
    frames, world axes, metres.

    The armature, the action and the scene stay as they are. Where a bone is turned is told against
    how it rests, so that axes of bones do not matter.

    Raises:
        ClipError: the action does not fit the armature, or is too long.
        CharacterError: the armature is scaled in a way that no body can be.
    """
    part = find_best_part(action, armature)
    fps = scene.render.fps / scene.render.fps_base
    if part.end - part.begin > MAX_ACTION_SECONDS * fps:
        raise ClipError(
            f"The action {action.name!r} is {(part.end - part.begin) / fps:.0f} s long; at most "
            f"{MAX_ACTION_SECONDS:.0f} s are read. Give it a Manual Frame Range around the part "
            "that matters."
        )
    body, anatomy = _find_body_and_anatomy(read_skeleton(armature, scene))
    # both ends of a loop count, also where they lie between frames
    interval_count = int(np.ceil(part.end - part.begin - 1e-3))
    frames = (
        np.linspace(part.begin, part.end, interval_count + 1)
        if interval_count
        else np.array([part.begin])
    )
    names = list(body.names)
    with isolated_playback(action, armature, part) as (temp_scene, duplicate):
        world_matrices, first_matrix = sample_poses(temp_scene, duplicate, names, frames)
    sample_rate = fps * interval_count / (part.end - part.begin) if interval_count else fps
    # at rest it lies where the action has it first, which may be elsewhere than it is now
    transform = first_matrix[:3, :3] @ np.linalg.inv(np.array(armature.matrix_world)[:3, :3])
    return _build_recording(
        action.name,
        sample_rate,
        (_transform_skeleton(body, transform), anatomy),
        world_matrices * read_unit_scale(scene),
    )


def _transform_skeleton(body: Skeleton, transform: Array) -> Skeleton:
    """Bones at rest turned and scaled by a matrix (3, 3)."""
    rotation = transform / np.cbrt(np.linalg.det(transform))
    skin = {name: points @ transform.T for name, points in body.skin.items()}
    return replace(
        body,
        heads=body.heads @ transform.T,
        tails=body.tails @ transform.T,
        axes=rotation @ body.axes,
        skin=skin,
    )


def _find_body_and_anatomy(skeleton: Skeleton) -> tuple[Skeleton, Anatomy | None]:
    """The body's own bones at rest and which is what, as far as the rest pose tells: that of an
    imported clip may be a heap.
    """
    try:
        body, anatomy = read_body_and_anatomy(skeleton)
    except CharacterError:
        return extract_deform_skeleton(skeleton).skeleton, None
    return body.skeleton, anatomy


def _build_recording(
    name: str, fps: float, rig: tuple[Skeleton, Anatomy | None], world_matrices: Array
) -> Recording:
    """A recording of bones.

    Args:
        rig: at rest in the world, and its anatomy.
        world_matrices: (n, j, 4, 4) bones in the world, m.
    """
    body, anatomy = rig
    rotations = world_matrices[..., :3, :3] / np.maximum(
        np.linalg.norm(world_matrices[..., :3, :3], axis=-2, keepdims=True), 1e-12
    )
    parents = body.parents
    offsets = np.array(
        [body.heads[k] - (body.heads[p] if p >= 0 else 0.0) for k, p in enumerate(parents)]
    ).reshape(-1, 3)
    parent_indices = set(parents)
    tips = {
        k: body.tails[k] - body.heads[k] for k in range(len(parents)) if k not in parent_indices
    }
    return Recording(
        name,
        fps,
        body.names,
        parents=parents,
        offsets=offsets,
        positions=world_matrices[..., :3, 3],
        rotations=rotations @ np.swapaxes(body.axes, -1, -2),
        tips=tips,
        rig=RigInfo(1.0, anatomy, _foot_skin(body, anatomy)),
    )


def _foot_skin(body: Skeleton, anatomy: Anatomy | None) -> dict[int, Array]:
    """By bone points of the skin of feet at rest, from the bone's head on;
    what feet stand on is told by them.
    """
    feet = [
        k for leg in (anatomy.legs if anatomy is not None else ()) for k in body.subtree(leg.ankle)
    ]
    return {k: body.skin[body.names[k]] - body.heads[k] for k in feet if body.names[k] in body.skin}
