"""A scene's settings as a task that is driven: where it begins, what it stands on and by which style it goes."""
from __future__ import annotations

from dataclasses import dataclass, replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.rig import Rig
from ...core.character.humanoid import stands_like_people
from ...core.character.recognition.deform_skeleton import body_of
from ...core.clip import Recipe
from ...core.engine.base import Range
from ...core.errors import CharacterError
from ...core.geometry import so3
from ...core.task import Path, Profile, SpeedProfile, Task
from ..rigs.armature import placement, read_skeleton
from ..units import gravity_of
from .active import active_armature, own_wish
from .meshes import read_ground
from .path import read_going
from .rig import read_rig
from .speed import Walker
from .style import chosen_style
from .task import Asked, hopping, read_way

Array = NDArray[np.float64]

FASTER = 1.4          # times its own speed, of a style that cannot run


@dataclass(frozen=True)
class ToDrive:
    """A task that is driven, and the speeds in m/s that keys and stick ask for."""

    asked: Asked
    slow: float
    own: float
    fast: float


def read_live(context: bpy.types.Context) -> ToDrive:
    """Everything that a drive needs, read from the scene without changing it.

    Raises:
        FootfallError: what is missing or cannot be, and what to do about it.
    """
    scene = context.scene
    armature = active_armature(context)
    wish = own_wish(scene, armature) or scene.footfall
    skeleton = read_skeleton(armature, scene)
    rig = read_rig(armature, skeleton)
    if not stands_like_people(rig.character):
        raise CharacterError(f"{armature.name!r} cannot be driven: as yet only characters that walk on two legs like people can. "
                             "Generate its motion along a path.")
    on_path = scene.footfall_live.start == "PATH"
    placed, fps, gravity = placement(armature, scene), scene.render.fps / scene.render.fps_base, gravity_of(scene)
    path = read_going(wish, scene)[0] if on_path else _ahead(armature, rig, placed)
    style = chosen_style(wish)
    walker = Walker(rig.character.leg_length, path, style, gravity)
    made = style.made if style.acted else None
    asked = style.recipe if made is None else Recipe("natural")
    if wish.engine == "preview":              # whose gait is physics' own, whatever the style
        # only now: Blender starts without what simulates
        from ...core.engine.preview.driver import own_range

        possible, own = own_range(rig.character.leg_length, gravity)
        fast = possible.fastest
    else:
        own, possible = walker.natural_speed(), Range.of(rig.character.leg_length, gravity)
        fast = min(max(walker.leaping_speed(), FASTER * own), possible.fastest)
    stride = None if wish.natural_stride else Profile("stride", wish.stride)
    task = Task(path, SpeedProfile(own), character=replace(body_of(skeleton).skeleton, parts=skeleton.parts),
                ground=read_ground(scene.footfall.terrain, scene), fps=fps, style=asked.style, gravity=gravity, seed=wish.seed,
                name=f"driven {style.spoken}", stride=stride, width=Profile("width", wish.width), tread=wish.tread,
                engine=wish.engine, friction=scene.footfall.friction, mass=armature.footfall.mass or None,
                knobs=asked.knobs, mixed=asked.mixed, upper=asked.upper, gait=hopping(wish))
    first = scene.frame_start if on_path else scene.frame_current
    found = Asked(task, rig, placed, armature.name, first, read_way(wish), style=made)
    return ToDrive(found, possible.slowest, own, fast)


def _ahead(armature: bpy.types.Object, rig: Rig, placed: Array) -> Path:
    """A line from where the body is now to where it faces."""
    binding = rig.binding
    posed = placed @ np.array(armature.pose.bones[binding.bones[0]].matrix)
    facing = posed[:3, :3] / np.linalg.norm(posed[:3, :3], axis=0) @ binding.rotation[0].T
    start = (posed[:3, 3] - facing @ binding.root_offset)[:2]
    yaw = float(so3.yaw_of(facing))
    return Path([start, start + [np.cos(yaw), np.sin(yaw)]])
