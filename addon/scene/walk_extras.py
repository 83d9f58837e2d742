"""Facing, gaze, key poses and forbidden ground of a body that walks or runs."""

from __future__ import annotations

from dataclasses import dataclass, field

import bpy

from ...core.character.character import Character
from ...core.engine.base import EngineInfo
from ...core.task import FacingOffset, ForbiddenArea, GazeTarget, KeyPose, PathFacing
from ..settings.motion import MotionSettings
from .forbidden import read_forbidden
from .key_poses import read_key_poses
from .orientation import read_facing_offset, read_gaze_target
from .presence import find_present


@dataclass(frozen=True)
class WalkExtras:
    """Fields of a body that walks or runs; all but forbidden areas are for humanoids alone."""

    facing_offset: FacingOffset = field(default_factory=lambda: FacingOffset(0.0))
    facing: PathFacing | None = None
    gaze: GazeTarget | None = None
    key_poses: tuple[KeyPose, ...] = ()
    forbidden_areas: tuple[ForbiddenArea, ...] = ()


def read_walk_extras(
    settings: MotionSettings,
    scene: bpy.types.Scene,
    character: Character,
    *,
    fps: float,
    facing: PathFacing | None,
    engine: EngineInfo,
) -> WalkExtras:
    """Return the fields of a humanoid; its gaze is left out if the engine does not honor it.

    Args:
        settings: settings of the character.
        scene: scene.
        character: body of the task.
        fps: frames per second of the scene.
        facing: facing that markers of the path set, instead of the facing over time.
        engine: the chosen engine.

    Raises:
        TaskError: the facing turns faster than feet can follow, or a key pose is impossible.
    """
    look_at = find_present(settings.look_at, scene)
    return WalkExtras(
        FacingOffset(0.0) if facing is not None else read_facing_offset(settings, scene, fps),
        facing,
        read_gaze_target(look_at, scene, fps) if "gaze" in engine.features else None,
        key_poses=read_key_poses(settings.struck, scene, fps, character),
        forbidden_areas=read_forbidden(scene),
    )
