"""An action read as a recording."""
from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.recognition.anatomy import Anatomy
from ...core.character.recognition.deform_skeleton import body_of
from ...core.character.recognition.reading_parts import body_and_anatomy
from ...core.character.recognition.skeleton import Skeleton
from ...core.clip import Recording
from ...core.clip.recording.bvh import Known
from ...core.errors import CharacterError, ClipError
from ..animation.actions import part_for
from ..animation.sampling import played_apart, poses_of
from ..rigs.armature import read_skeleton
from ..units import unit_scale

Array = NDArray[np.float64]

MOST_SECONDS = 60.0       # of an action; a stride takes one, and a control rig a while to be played


def record_action(action: bpy.types.Action, armature: bpy.types.Object, scene: bpy.types.Scene) -> Recording:
    """What an armature does in an action: its body's bones over the action's own frames, world axes, metres.

    The armature, the action and the scene stay as they are. Where a bone is turned is told against how it rests, so that axes of
    bones do not matter.

    Raises:
        ClipError: the action does not fit the armature, or is too long.
        CharacterError: the armature is scaled in a way that no body can be.
    """
    part = part_for(action, armature)
    fps = scene.render.fps / scene.render.fps_base
    if part.end - part.begin > MOST_SECONDS * fps:
        raise ClipError(f"The action {action.name!r} is {(part.end - part.begin) / fps:.0f} s long; at most {MOST_SECONDS:.0f} s "
                        "are read. Give it a Manual Frame Range around the part that matters.")
    body, anatomy = _limbs(read_skeleton(armature, scene))
    # both ends of a loop count, also where they lie between frames
    steps = int(np.ceil(part.end - part.begin - 1e-3))
    frames = np.linspace(part.begin, part.end, steps + 1) if steps else np.array([part.begin])
    names = list(body.names)
    with played_apart(action, armature, part) as (stage, double):
        whole, there = poses_of(stage, double, names, frames)
    rate = fps * steps / (part.end - part.begin) if steps else fps
    # at rest it lies where the action has it first, which may be elsewhere than it is now
    moved = there[:3, :3] @ np.linalg.inv(np.array(armature.matrix_world)[:3, :3])
    return _recording(action.name, rate, (_placed(body, moved), anatomy), whole * unit_scale(scene))


def _placed(body: Skeleton, moved: Array) -> Skeleton:
    """Bones at rest turned and scaled by a matrix (3, 3)."""
    turn = moved / np.cbrt(np.linalg.det(moved))
    skin = {name: points @ moved.T for name, points in body.skin.items()}
    return replace(body, heads=body.heads @ moved.T, tails=body.tails @ moved.T, axes=turn @ body.axes, skin=skin)


def _limbs(skeleton: Skeleton) -> tuple[Skeleton, Anatomy | None]:
    """The body's own bones at rest and which is what, as far as the rest pose tells: that of an imported clip may be a heap."""
    try:
        body, found = body_and_anatomy(skeleton)
    except CharacterError:
        return body_of(skeleton).skeleton, None
    return body.skeleton, found


def _recording(name: str, fps: float, rig: tuple[Skeleton, Anatomy | None], whole: Array) -> Recording:
    """A recording of bones.

    Args:
        rig: at rest in the world, and its anatomy.
        whole: (n, j, 4, 4) bones in the world, m.
    """
    body, anatomy = rig
    turned = whole[..., :3, :3] / np.maximum(np.linalg.norm(whole[..., :3, :3], axis=-2, keepdims=True), 1e-12)
    parents = body.parents
    offsets = np.array([body.heads[k] - (body.heads[p] if p >= 0 else 0.0) for k, p in enumerate(parents)]).reshape(-1, 3)
    above = set(parents)
    tips = {k: body.tails[k] - body.heads[k] for k in range(len(parents)) if k not in above}
    return Recording(name, fps, body.names, parents, offsets, whole[..., :3, 3], turned @ np.swapaxes(body.axes, -1, -2),
                     tips, Known(1.0, anatomy, _foot_skin(body, anatomy)))


def _foot_skin(body: Skeleton, anatomy: Anatomy | None) -> dict[int, Array]:
    """By bone points of the skin of feet at rest, from the bone's head on; what feet stand on is told by them."""
    feet = [k for leg in (anatomy.legs if anatomy is not None else ()) for k in body.below(leg.ankle)]
    return {k: body.skin[body.names[k]] - body.heads[k] for k in feet if body.names[k] in body.skin}
