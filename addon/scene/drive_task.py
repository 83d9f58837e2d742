"""Settings of a scene as a task that is driven: start, ground and style."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.body_size import BodySize
from ...core.character.character import is_humanoid
from ...core.character.from_rig.rig import Rig
from ...core.character.recognition.skeleton import Skeleton
from ...core.engine import find_engine
from ...core.engine.base import DriveSpeeds
from ...core.errors import CharacterError
from ...core.geometry import so3
from ...core.task import Path, SpeedProfile, Task
from ..rigs.armature import read_placement, read_skeleton
from ..settings.motion import MotionSettings
from ..units import read_gravity
from .active import active_armature, find_character_settings
from .meshes import read_ground
from .path import read_path_and_facing
from .presence import find_present
from .rig import read_rig
from .speed import WalkLimits
from .style import read_style
from .task import TaskRequest
from .task_fields import (
    TaskStyle,
    make_task_skeleton,
    read_fps,
    read_hop_gait,
    read_rig_options,
    read_stride_length,
    read_tread,
    read_width,
)

Array = NDArray[np.float64]


@dataclass(frozen=True)
class DriveRequest:
    """A task that is driven, and the speeds that keys and stick request."""

    request: TaskRequest
    speeds: DriveSpeeds


@dataclass(frozen=True)
class _DrivenBody:
    """The character to be driven and where it starts.

    Args:
        skeleton: bones of the armature.
        placement: transform from the armature to the world (4, 4).
    """

    armature: bpy.types.Object
    skeleton: Skeleton
    rig: Rig
    placement: Array


def read_drive_request(context: bpy.types.Context) -> DriveRequest:
    """Return what a drive of the active character needs, read without changing the scene.

    Raises:
        FootfallError: something is missing or impossible; the message says what to change.
    """
    scene = context.scene
    body = _read_body(active_armature(context), scene)
    settings = find_character_settings(scene, body.armature) or scene.footfall
    style_choice = read_style(settings)
    starts_on_path = scene.footfall_live.start == "PATH"
    path = read_path_and_facing(settings, scene).path if starts_on_path else _make_path_ahead(body)
    leg_length = body.rig.character.leg_length
    walk_limits = WalkLimits(leg_length, path, style_choice, read_gravity(scene))
    engine = find_engine(settings.engine)
    speeds = (
        walk_limits.compute_drive_speeds()
        if engine.compute_drive_speeds is None
        else engine.compute_drive_speeds(
            BodySize.from_character(body.rig.character), walk_limits.gravity
        )
    )
    style = TaskStyle.from_choice(style_choice, engine)
    task = _read_task(settings, scene, body, walk_limits, style, speeds.natural)
    request = TaskRequest(
        task,
        body.rig,
        body.placement,
        armature=body.armature.name,
        first_frame=scene.frame_start if starts_on_path else scene.frame_current,
        rig_options=read_rig_options(settings),
        style=style.action_style,
    )
    return DriveRequest(request, speeds)


def _read_body(armature: bpy.types.Object, scene: bpy.types.Scene) -> _DrivenBody:
    """Return the character of an armature.

    Raises:
        CharacterError: the character is not a humanoid.
    """
    skeleton = read_skeleton(armature, scene)
    rig = read_rig(armature, skeleton)
    if not is_humanoid(rig.character):
        raise CharacterError(
            f"{armature.name!r} cannot be driven: only characters that walk on two legs like "
            "humans can. Generate its motion along a path."
        )
    return _DrivenBody(armature, skeleton, rig, read_placement(armature, scene))


def _read_task(
    settings: MotionSettings,
    scene: bpy.types.Scene,
    body: _DrivenBody,
    walk_limits: WalkLimits,
    style: TaskStyle,
    speed: float,
) -> Task:
    """Return the task with which the drive begins, at a speed [m/s]."""
    engine = find_engine(settings.engine)
    return Task(
        walk_limits.path,
        SpeedProfile(speed),
        character=make_task_skeleton(body.skeleton),
        ground=read_ground(find_present(scene.footfall.terrain, scene), scene),
        fps=read_fps(scene),
        style=style.recipe.style,
        gravity=walk_limits.gravity,
        seed=settings.seed,
        name=f"driven {walk_limits.style.label}",
        stride_length=read_stride_length(settings),
        step_width_factor=read_width(settings, engine, is_humanoid=True),
        tread=read_tread(settings, engine, is_humanoid=True),
        engine=engine.name,
        friction=scene.footfall.friction,
        mass=body.armature.footfall.mass or None,
        knobs=style.recipe.knobs,
        mixed_styles=style.recipe.mixed_styles,
        upper_style=style.recipe.upper_style,
        gait=read_hop_gait(settings, engine),
    )


def _make_path_ahead(body: _DrivenBody) -> Path:
    """Return a straight path from the position of a body toward where it faces."""
    binding = body.rig.binding
    root_bone = body.armature.pose.bones[binding.bones[0]]
    root_pose = body.placement @ np.array(root_bone.matrix)
    orientation = (
        root_pose[:3, :3] / np.linalg.norm(root_pose[:3, :3], axis=0) @ binding.rotation[0].T
    )
    start = (root_pose[:3, 3] - orientation @ binding.root_offset)[:2]
    yaw = float(so3.yaw_from_matrix(orientation))
    return Path([start, start + [np.cos(yaw), np.sin(yaw)]])
