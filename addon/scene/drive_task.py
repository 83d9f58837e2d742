"""A scene's settings as a task that is driven: where it begins, what it stands on and
by which style it goes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.rig import Rig
from ...core.character.humanoid import is_humanoid
from ...core.character.recognition.deform_skeleton import extract_deform_skeleton
from ...core.clip import Recipe
from ...core.engine.base import SpeedRange
from ...core.errors import CharacterError
from ...core.geometry import so3
from ...core.task import Path, Profile, SpeedProfile, Task
from ..rigs.armature import read_placement, read_skeleton
from ..units import read_gravity
from .active import active_armature, find_character_settings
from .meshes import read_ground
from .path import read_path_and_facing
from .rig import read_rig
from .speed import WalkLimits
from .style import read_style
from .task import (
    TaskRequest,
    choose_hop_gait,
    find_features,
    read_rig_options,
    read_tread,
    read_width,
)

Array = NDArray[np.float64]

FAST_SPEED_FACTOR = 1.4  # times its own speed, of a style that cannot run


@dataclass(frozen=True)
class DriveRequest:
    """A task that is driven, and the speeds in m/s that keys and stick ask for."""

    request: TaskRequest
    slow_speed: float
    natural_speed: float
    fast_speed: float


def read_drive_request(context: bpy.types.Context) -> DriveRequest:
    """Everything that a drive needs, read from the scene without changing it.

    Raises:
        FootfallError: what is missing or cannot be, and what to do about it.
    """
    scene = context.scene
    armature = active_armature(context)
    settings = find_character_settings(scene, armature) or scene.footfall
    skeleton = read_skeleton(armature, scene)
    rig = read_rig(armature, skeleton)
    if not is_humanoid(rig.character):
        raise CharacterError(
            f"{armature.name!r} cannot be driven: as yet only characters that walk on two legs "
            "like people can. Generate its motion along a path."
        )
    starts_on_path = scene.footfall_live.start == "PATH"
    placement_matrix = read_placement(armature, scene)
    fps = scene.render.fps / scene.render.fps_base
    gravity = read_gravity(scene)
    path = (
        read_path_and_facing(settings, scene)[0]
        if starts_on_path
        else _make_path_ahead(armature, rig, placement_matrix)
    )
    style_choice = read_style(settings)
    walk_limits = WalkLimits(rig.character.leg_length, path, style_choice, gravity)
    action_style = style_choice.resolved if style_choice.is_from_action else None
    recipe = style_choice.recipe if action_style is None else Recipe("natural")
    if settings.engine == "preview":  # whose gait is physics' own, whatever the style
        # only now: Blender starts without what simulates
        from ...core.engine.preview.driver import compute_speed_range

        speed_range, natural_speed = compute_speed_range(rig.character.leg_length, gravity)
        fast_speed = speed_range.fastest
    else:
        natural_speed = walk_limits.compute_natural_speed()
        speed_range = SpeedRange.from_leg_length(rig.character.leg_length, gravity)
        fast_speed = min(
            max(walk_limits.compute_leap_speed(), FAST_SPEED_FACTOR * natural_speed),
            speed_range.fastest,
        )
    if "style" not in find_features(settings):
        action_style = None
        recipe = Recipe("natural")
    stride_length = None if settings.natural_stride else Profile("stride", settings.stride)
    task = Task(
        path,
        SpeedProfile(natural_speed),
        character=replace(extract_deform_skeleton(skeleton).skeleton, parts=skeleton.parts),
        ground=read_ground(scene.footfall.terrain, scene),
        fps=fps,
        style=recipe.style,
        gravity=gravity,
        seed=settings.seed,
        name=f"driven {style_choice.label}",
        stride_length=stride_length,
        step_width_factor=read_width(settings),
        tread=read_tread(settings),
        engine=settings.engine,
        friction=scene.footfall.friction,
        mass=armature.footfall.mass or None,
        knobs=recipe.knobs,
        mixed_styles=recipe.mixed_styles,
        upper_style=recipe.upper_style,
        gait=choose_hop_gait(settings),
    )
    first_frame = scene.frame_start if starts_on_path else scene.frame_current
    request = TaskRequest(
        task,
        rig,
        placement_matrix,
        armature=armature.name,
        first_frame=first_frame,
        rig_options=read_rig_options(settings),
        style=action_style,
    )
    return DriveRequest(request, speed_range.slowest, natural_speed, fast_speed)


def _make_path_ahead(armature: bpy.types.Object, rig: Rig, placement_matrix: Array) -> Path:
    """A line from where the body is now to where it faces."""
    binding = rig.binding
    root_pose = placement_matrix @ np.array(armature.pose.bones[binding.bones[0]].matrix)
    orientation = (
        root_pose[:3, :3] / np.linalg.norm(root_pose[:3, :3], axis=0) @ binding.rotation[0].T
    )
    start = (root_pose[:3, 3] - orientation @ binding.root_offset)[:2]
    yaw = float(so3.yaw_from_matrix(orientation))
    return Path([start, start + [np.cos(yaw), np.sin(yaw)]])
