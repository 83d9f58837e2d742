"""A scene's settings as a task."""

from __future__ import annotations

from dataclasses import dataclass, replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.rig import Rig
from ...core.character.recognition.deform_skeleton import extract_deform_skeleton
from ...core.clip import QuadrupedStyle, Recipe, Style
from ...core.engine import find_engine
from ...core.engine.shared.arrival import with_arrival_speed
from ...core.errors import TaskError
from ...core.sketch.gait.default_speed import compute_default_speed
from ...core.task import FacingOffset, Path, Profile, SpeedProfile, Task
from ...core.task.task import Tread
from ..rigs.armature import read_placement, read_skeleton
from ..rigs.options import RigOptions
from ..settings.motion import MotionSettings
from ..units import read_gravity
from .active import active_armature, find_character_settings
from .bars import read_monkey_bars
from .events import read_jumps, read_pushes
from .forbidden import read_forbidden
from .hurdles import SceneHurdles, read_hurdles
from .key_poses import read_key_poses
from .meshes import collect_object_names, read_ground
from .orientation import read_facing_offset, read_gaze_target
from .path import read_path_and_facing
from .rig import read_rig_and_style
from .speed import WalkLimits, compute_default_gait_speed, read_pace
from .stones import read_stones
from .style import read_shelf_style, read_style


@dataclass(frozen=True)
class TaskRequest:
    """A task with what is needed to bake its motion; names and no references, so
    that it outlives an undo.

    `notes` are what the user should know of the scene besides; `style` is one that no names and no
    files tell alone, but an action.
    """

    task: Task
    rig: Rig
    placement: NDArray[np.float64]
    armature: str
    first_frame: int
    rig_options: RigOptions
    notes: tuple[str, ...] = ()
    style: Style | QuadrupedStyle | None = None


def find_features(settings: MotionSettings) -> frozenset[str]:
    """Return the names of the features that the chosen engine honours."""
    return find_engine(settings.engine).features


def read_width(settings: MotionSettings) -> Profile:
    """Return the factor of the step width; 1 with an engine that does not honour it."""
    is_honored = "step_width_factor" in find_features(settings)
    return Profile("width", settings.width if is_honored else 1.0)


def read_tread(settings: MotionSettings) -> Tread:
    """Return the tread; whole feet with an engine that does not honour it."""
    tread: Tread = settings.tread if "tread" in find_features(settings) else "whole"
    return tread


def choose_hop_gait(settings: MotionSettings) -> str | None:
    """The gait of a simulated body that is to hop; None of any other."""
    return (
        f"hop {settings.legs_used}"
        if "hop" in find_features(settings) and settings.legs_used != "both"
        else None
    )


def read_task(context: bpy.types.Context) -> TaskRequest:
    """Everything that is asked of the active character.

    Raises:
        FootfallError: what is missing or cannot be, and what to do about it.
    """
    armature = active_armature(context)
    return read_task_of(
        armature,
        find_character_settings(context.scene, armature) or context.scene.footfall,
        context.scene,
    )


def read_task_of(
    armature: bpy.types.Object, settings: MotionSettings, scene: bpy.types.Scene
) -> TaskRequest:
    """Everything that is asked of a character, read from the scene without changing it.

    Raises:
        FootfallError: what is missing or cannot be, and what to do about it.
    """
    scene_settings = scene.footfall
    skeleton = read_skeleton(armature, scene)
    rig, quadruped_choice = read_rig_and_style(armature, skeleton, settings)
    frames = scene.frame_end - scene.frame_start
    if frames < 3:
        raise TaskError(
            f"The scene runs from frame {scene.frame_start} to {scene.frame_end}; give it at "
            "least four frames."
        )
    fps = scene.render.fps / scene.render.fps_base
    gravity = read_gravity(scene)
    monkey_bars = read_monkey_bars(settings.bars, scene, read_placement(armature, scene)[:3, 3])
    path, facing = (
        read_path_and_facing(settings, scene)
        if monkey_bars is None
        else (Path(monkey_bars.rungs[:, :2]), None)
    )
    default_gait_speed = compute_default_speed(rig.character)
    # of a body that goes by gaits it tells nothing
    style_choice = read_shelf_style(settings) if default_gait_speed else read_style(settings)
    walk_limits = WalkLimits(rig.character.leg_length, path, style_choice, gravity)
    ground = read_ground(
        scene_settings.terrain,
        scene,
        excluded=collect_object_names(scene_settings.hurdles, scene_settings.stones, settings.bars),
    )
    scene_hurdles = read_hurdles(scene_settings.hurdles, scene, ground, walk_limits)
    jumps = read_jumps(settings, scene, fps)
    # a simulated body leaps as it goes; the other does nothing else
    engine = find_engine(settings.engine)
    standing_jumps = () if engine.jumps_while_moving else jumps
    # as fast as a body swings from rung to rung
    has_natural_swing = monkey_bars is not None and settings.natural_speed
    pace = (
        None if standing_jumps or monkey_bars else read_pace(settings, scene, walk_limits.path, fps)
    )
    needs_arrival = pace is not None and settings.arrive
    top_speed = (
        0.0
        if standing_jumps or has_natural_swing
        else _choose_speed(
            settings,
            walk_limits,
            scene_hurdles,
            compute_default_gait_speed(default_gait_speed, gravity, quadruped_choice.resolved),
        )
    )
    speed = (
        SpeedProfile(top_speed)
        if pace is None
        else pace.to_speed_profile(
            walk_limits.path.length / pace.moving_time if needs_arrival else top_speed
        )
    )
    is_walk = walk_limits.is_walk_at(speed.max_speed)
    if not standing_jumps:
        scene_hurdles.check_heights(walk_limits, speed.max_speed)
    ground, stepping_stones = read_stones(
        scene_settings.stones, scene, ground, walk_limits=walk_limits, is_walk=is_walk
    )
    # the body's own bones alone, hung as the body hangs together:
    # what controls them is Blender's matter
    body_skeleton = replace(extract_deform_skeleton(skeleton).skeleton, parts=skeleton.parts)
    style_has_gait = quadruped_choice.resolved.gait is not None  # the style has a gait of its own
    gait = choose_hop_gait(settings) or (
        None
        if not default_gait_speed or style_has_gait or settings.gait == "natural"
        else settings.gait
    )
    # bodies that have nothing to do with their facing, heads and hands
    is_not_human_walk = bool(default_gait_speed or standing_jumps or monkey_bars)
    stride_length = (
        None
        if settings.natural_stride or default_gait_speed
        else Profile("stride", settings.stride)
    )
    action_style = (
        quadruped_choice.action_style
        if default_gait_speed
        else style_choice.resolved
        if style_choice.is_from_action
        else None
    )
    recipe = (
        Recipe(quadruped_choice.name_or_path)
        if default_gait_speed
        else style_choice.recipe
        if action_style is None
        else Recipe("natural")
    )
    if "style" not in engine.features:
        action_style = None
        recipe = Recipe("natural")
    task = Task(
        walk_limits.path,
        speed,
        character=body_skeleton,
        ground=ground,
        seconds=frames / fps,
        fps=fps,
        style=recipe.style,
        gait=gait,
        engine=settings.engine,
        start="standing" if standing_jumps or monkey_bars else settings.start,
        gravity=gravity,
        seed=settings.seed,
        friction=scene_settings.friction,
        mass=armature.footfall.mass or None,
        name=quadruped_choice.label if default_gait_speed else style_choice.label,
        stride_length=stride_length,
        step_width_factor=read_width(settings),
        pushes=read_pushes(settings, scene, fps),
        hurdles=scene_hurdles.hurdles,
        # the ground holds the tops of stones; others than the planner find them there
        stepping_stones=stepping_stones if "stepping_stones" in engine.features else None,
        jumps=jumps,
        monkey_bars=monkey_bars,
        tread=read_tread(settings),
        knobs=recipe.knobs,
        mixed_styles=recipe.mixed_styles,
        upper_style=recipe.upper_style,
        facing_offset=FacingOffset(0.0)
        if is_not_human_walk or facing is not None
        else read_facing_offset(settings, scene, fps),
        facing=None if is_not_human_walk else facing,
        gaze=None
        if is_not_human_walk or "gaze" not in engine.features
        else read_gaze_target(settings.look_at, scene, fps),
        key_poses=()
        if is_not_human_walk
        else read_key_poses(settings.struck, scene, fps, rig.character),
        forbidden_areas=() if is_not_human_walk else read_forbidden(scene),
    )
    if pace is not None and needs_arrival:
        task = with_arrival_speed(task, pace)
    return TaskRequest(
        task,
        rig,
        read_placement(armature, scene),
        armature=armature.name,
        first_frame=scene.frame_start,
        rig_options=read_rig_options(settings),
        notes=scene_hurdles.notes,
        style=action_style,
    )


def read_rig_options(settings: MotionSettings) -> RigOptions:
    """How the bake shall go onto the rig."""
    return RigOptions(use_leg_ik=settings.controls == "IK", root_motion=settings.root_motion)


def _choose_speed(
    settings: MotionSettings,
    walk_limits: WalkLimits,
    scene_hurdles: SceneHurdles,
    default_gait_speed: float,
) -> float:
    """Speed in m/s that is asked for: by itself a style that can run does so where a hurdle
    is too high to step over.

    Args:
        default_gait_speed: of a body of another build than people's, m/s; 0 for people.
    """
    if not settings.natural_speed:
        return float(settings.speed)
    if default_gait_speed:
        return default_gait_speed
    natural_speed = walk_limits.compute_natural_speed()
    return (
        walk_limits.compute_leap_speed()
        if scene_hurdles.max_height > walk_limits.compute_max_step_height(natural_speed)
        else natural_speed
    )
