"""A scene's settings as a task."""
from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.character.bones import Skeleton
from ..core.character.rig import Rig, rig_from_skeleton
from ..core.clip import builtin_style
from ..core.errors import CharacterError, TaskError
from ..core.task import Profile, Push, SpeedProfile, Task
from .reading import placement, read_ground, read_path, read_skeleton, refuse_scaled_bones

GRAVITY = 9.81            # m/s^2, where the scene has none


@dataclass(frozen=True)
class Asked:
    """A task with what is needed to bake its motion; names and no references, so that it outlives an undo."""

    task: Task
    rig: Rig
    placement: NDArray[np.float64]
    armature: str
    first_frame: int


def armature_of(thing: bpy.types.Object | None) -> bpy.types.Object | None:
    """The armature that an object is, or that a mesh follows; None where there is neither."""
    if thing is not None and thing.type == "MESH":
        thing = thing.find_armature()
    return thing if thing is not None and thing.type == "ARMATURE" else None


def active_armature(context: bpy.types.Context) -> bpy.types.Object:
    """The armature that is meant: the active object, or the armature that the active mesh follows.

    Raises:
        CharacterError: there is none.
    """
    context.view_layer.update()        # what a script has just made or moved has no pose and no place in the world before
    thing = context.view_layer.objects.active
    armature = armature_of(thing)
    if armature is None:
        found = "nothing is active" if thing is None else f"the active object {thing.name!r} is a {thing.type.lower()}"
        raise CharacterError(f"No armature is selected: {found}. Click on the character's armature first.")
    if armature.mode == "EDIT":
        raise CharacterError(f"The armature {armature.name!r} is being edited. Leave edit mode first.")
    return armature


def read_rig(armature: bpy.types.Object, skeleton: Skeleton) -> Rig:
    """The character in an armature, from its bones as they were read.

    Raises:
        CharacterError: it has no legs, or bones that no rigid body can follow.
    """
    rig = rig_from_skeleton(skeleton)
    first = armature.data.bones[rig.binding.bones[0]]
    refuse_scaled_bones(armature, [*(b.name for b in first.parent_recursive), *rig.binding.bones, *rig.binding.between])
    return rig


def gravity_of(scene: bpy.types.Scene) -> float:
    """The scene's gravity downward, m/s^2; the earth's where it is switched off or does not pull down."""
    pull = -float(scene.gravity[2])
    return pull if scene.use_gravity and pull > 0.1 else GRAVITY


def read_pushes(scene: bpy.types.Scene, fps: float) -> tuple[Push, ...]:
    """The scene's pushes.

    Raises:
        TaskError: one of them lies outside of the scene's frames.
    """
    out = []
    for push in scene.footfall.pushes:
        if not scene.frame_start <= push.frame < scene.frame_end:
            raise TaskError(f"There is a push at frame {push.frame}; it must begin between the scene's first frame, "
                            f"{scene.frame_start}, and the one before its last, {scene.frame_end - 1}.")
        x, y = push.strength * np.cos(push.direction), push.strength * np.sin(push.direction)
        out.append(Push((push.frame - scene.frame_start) / fps, (x, y, 0.0), push.seconds, push.at))
    return tuple(out)


def natural_speed(leg_length: float, style: str, gravity: float) -> float:
    """Speed in m/s that a style goes at on legs of a length (Froude)."""
    return builtin_style(style).preferred * float(np.sqrt(gravity * leg_length))


def read_task(context: bpy.types.Context) -> Asked:
    """Everything that is asked for, read from the scene without changing it.

    Raises:
        FootfallError: what is missing or cannot be, and what to do about it.
    """
    scene, wish = context.scene, context.scene.footfall
    armature = active_armature(context)
    skeleton = read_skeleton(armature, scene)
    rig = read_rig(armature, skeleton)
    path, ground = read_path(wish.path, scene), read_ground(wish.terrain, scene)
    frames = scene.frame_end - scene.frame_start
    if frames < 3:
        raise TaskError(f"The scene runs from frame {scene.frame_start} to {scene.frame_end}; give it at least four frames.")
    fps, gravity = scene.render.fps / scene.render.fps_base, gravity_of(scene)
    speed = natural_speed(rig.character.leg_length, wish.style, gravity) if wish.natural_speed else wish.speed
    task = Task(path, SpeedProfile(speed), character=skeleton, ground=ground, seconds=frames / fps, fps=fps, style=wish.style,
                engine=wish.engine, start=wish.start, gravity=gravity, seed=wish.seed, name=wish.style,
                stride=None if wish.natural_stride else Profile("stride", wish.stride),
                width=Profile("width", wish.width), pushes=read_pushes(scene, fps))
    return Asked(task, rig, placement(armature, scene), armature.name, scene.frame_start)
