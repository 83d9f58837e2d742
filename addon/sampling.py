"""An action played by its armature, apart from the user's scene, as a recording."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.character.anatomy import Anatomy
from ..core.character.body import body_of
from ..core.character.bones import Skeleton
from ..core.character.reading_parts import body_and_anatomy
from ..core.clip import Recording
from ..core.clip.bvh import Known
from ..core.errors import CharacterError, ClipError
from .actions import Part, part_for
from .reading import read_skeleton, unit_scale

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


@contextmanager
def played_apart(action: bpy.types.Action, armature: bpy.types.Object,
            part: Part) -> Iterator[tuple[bpy.types.Scene, bpy.types.Object]]:
    """A scene of its own with a double of the armature that plays a double of the action; all of it is gone afterwards.

    Doubles, since to play an action in a slot marks that slot, and since an armature may be shown at rest or be edited.
    """
    with ExitStack() as after:
        stage = bpy.data.scenes.new("Footfall")
        after.callback(lambda: bpy.data.scenes.remove(stage))
        bones = armature.data.copy()
        after.callback(lambda: bpy.data.armatures.remove(bones))
        double = armature.copy()
        after.callback(lambda: bpy.data.objects.remove(double))
        played = action.copy()
        after.callback(lambda: bpy.data.actions.remove(played))
        bones.pose_position = "POSE"
        double.data = bones
        double.hide_viewport = False
        stage.collection.objects.link(double)
        data = double.animation_data or double.animation_data_create()
        data.use_tweak_mode = data.use_nla = False
        data.action = played
        if part.slot >= 0:
            data.action_slot = played.slots[part.slot]
        data.action_influence, data.action_blend_type, data.action_extrapolation = 1.0, "REPLACE", "HOLD"
        for bone in double.pose.bones:              # what the action leaves alone is as the armature rests
            bone.matrix_basis.identity()
        yield stage, double


def poses_of(stage: bpy.types.Scene, double: bpy.types.Object, names: list[str],
           frames: Array) -> tuple[Array, Array]:
    """Bones in the world, frame by frame, and where the armature is in the first. (n, j, 4, 4), (4, 4).

    The frame is set without Blender's handlers of frame changes, which belong to the user's scene.
    """
    layer = stage.view_layers[0]
    order = [list(double.pose.bones.keys()).index(name) for name in names]
    flat = np.empty(16 * len(double.pose.bones), np.float32)
    out, there = np.empty((len(frames), len(names), 4, 4)), np.eye(4)
    for k, frame in enumerate(frames):
        stage.frame_current, stage.frame_subframe = int(np.floor(frame)), float(frame - np.floor(frame))
        layer.update()
        seen = double.evaluated_get(layer.depsgraph)
        seen.pose.bones.foreach_get("matrix", flat)
        world = np.array(seen.matrix_world)
        out[k] = world @ np.swapaxes(flat.reshape(-1, 4, 4)[order], -1, -2)
        there = world if k == 0 else there
    return out, there
