"""Actions as recordings of motion."""

from __future__ import annotations

from dataclasses import dataclass, replace

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

# Longest action that is read [s]: a stride takes about one second, and a control rig plays slowly
MAX_ACTION_SECONDS = 60.0


def record_action(
    action: bpy.types.Action, armature: bpy.types.Object, scene: bpy.types.Scene
) -> Recording:
    """Return the motion of an armature in an action: its deform bones in world axes and meters.

    The frames are those of the action. The armature, the action and the scene stay unchanged.
    Rotations are relative to the rest pose, so the axes of bones do not matter.

    Raises:
        ClipError: the action does not fit the armature, or is too long.
        CharacterError: the scale of the armature is one that no rigid body can follow.
    """
    part = find_best_part(action, armature)
    fps = scene.render.fps / scene.render.fps_base
    if part.end - part.begin > MAX_ACTION_SECONDS * fps:
        raise ClipError(
            f"The action {action.name!r} is {(part.end - part.begin) / fps:.0f} s long; at most "
            f"{MAX_ACTION_SECONDS:.0f} s are read. Give it a Manual Frame Range around the part "
            "that matters."
        )
    rest_body = _read_rest_body(read_skeleton(armature, scene))
    # sample both ends of a loop, even between frames
    interval_count = int(np.ceil(part.end - part.begin - 1e-3))
    frames = (
        np.linspace(part.begin, part.end, interval_count + 1)
        if interval_count
        else np.array([part.begin])
    )
    names = list(rest_body.skeleton.names)
    with isolated_playback(action, armature, part) as playback:
        poses = sample_poses(playback, names, frames)
    sample_rate = fps * interval_count / (part.end - part.begin) if interval_count else fps
    # the rest pose takes the object's transform at the start of the action, not the current one
    transform = poses.first_armature_matrix[:3, :3] @ np.linalg.inv(
        np.array(armature.matrix_world)[:3, :3]
    )
    return _build_recording(
        action.name,
        sample_rate,
        replace(rest_body, skeleton=rest_body.skeleton.transform(transform)),
        poses.bone_matrices * read_unit_scale(scene),
    )


@dataclass(frozen=True)
class _RestBody:
    """The deform bones of an armature at rest, and their anatomy; None if it was not recognized."""

    skeleton: Skeleton
    anatomy: Anatomy | None


def _read_rest_body(skeleton: Skeleton) -> _RestBody:
    """Return the deform bones at rest and their anatomy.

    The rest pose of an imported clip may be too distorted to recognize an anatomy.
    """
    try:
        recognized = read_body_and_anatomy(skeleton)
    except CharacterError:
        return _RestBody(extract_deform_skeleton(skeleton).skeleton, None)
    return _RestBody(recognized.body.skeleton, recognized.anatomy)


def _build_recording(
    name: str, fps: float, rest_body: _RestBody, world_matrices: Array
) -> Recording:
    """Return a recording of bones.

    Args:
        fps: sample rate [1/s].
        rest_body: the deform bones at rest in the world [m].
        world_matrices: transforms from the bones to the world [m], (n, j, 4, 4).
    """
    body = rest_body.skeleton
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
        rig=RigInfo(1.0, rest_body.anatomy, _read_foot_skin(rest_body)),
    )


def _read_foot_skin(rest_body: _RestBody) -> dict[int, Array]:
    """Return the skin points of the feet at rest by bone index, relative to the head of the bone.

    The soles are measured on them.
    """
    body = rest_body.skeleton
    anatomy = rest_body.anatomy
    legs = anatomy.legs if anatomy is not None else ()
    feet = [k for leg in legs for k in body.subtree(leg.ankle)]
    return {k: body.skin[body.names[k]] - body.heads[k] for k in feet if body.names[k] in body.skin}
