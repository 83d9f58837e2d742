"""Settings of a scene as a task for an engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.rig import Rig
from ...core.character.recognition.skeleton import Skeleton
from ...core.clip import QuadrupedStyle, Style
from ...core.engine import find_engine
from ...core.engine.base import EngineInfo
from ...core.sketch.gait.gait_law import compute_default_speed
from ...core.task import (
    Jump,
    MonkeyBars,
    Pace,
    Path,
    Profile,
    SpeedProfile,
    Task,
)
from ...core.task.task import Start
from ...core.terrain import Ground
from ..rigs.armature import read_placement, read_skeleton
from ..rigs.options import RigOptions
from ..settings.motion import MotionSettings
from ..units import read_gravity
from .active import active_armature, find_character_settings
from .bars import read_monkey_bars
from .events import read_jumps, read_pushes
from .forbidden import read_forbidden
from .hurdles import SceneHurdles, read_hurdles
from .meshes import collect_object_names, read_ground
from .path import PathAndFacing, read_path_and_facing
from .presence import find_present
from .quadruped_style import QuadrupedStyleChoice
from .rig import read_rig_and_style
from .scale import find_scale_problem
from .speed import (
    WalkLimits,
    choose_natural_speed,
    compute_default_gait_speed,
    read_pace,
)
from .stones import SteppingGround, read_stones
from .style import StyleChoice, read_shelf_style, read_style
from .task_fields import (
    ClipRange,
    TaskStyle,
    make_task_skeleton,
    note_humanoid_settings,
    read_clip_range,
    read_hop_gait,
    read_rig_options,
    read_stride_length,
    read_tread,
    read_width,
)
from .walk_extras import WalkExtras, read_walk_extras


@dataclass(frozen=True)
class TaskRequest:
    """A task and what baking its motion takes.

    It holds names instead of references to Blender's data, so that it survives an undo.

    Args:
        task: the task; if there is an `arrival_pace`, its speed is an estimate.
        rig: the character and its binding to the bones.
        placement: transform from the armature to the world (4, 4).
        armature: name of the armature.
        first_frame: frame of the scene at which the clip begins.
        rig_options: how the motion is baked onto the rig.
        notes: remarks on the scene for the user.
        style: the style if an action shows it, so that no name and no file stands for it.
        arrival_pace: pace at which the body must reach the end of the path when the clip ends; the
            worker solves for the speed. None if the speed of the task is final.
    """

    task: Task
    rig: Rig
    placement: NDArray[np.float64]
    armature: str
    first_frame: int
    rig_options: RigOptions
    notes: tuple[str, ...] = ()
    style: Style | QuadrupedStyle | None = None
    arrival_pace: Pace | None = None


def read_task(context: bpy.types.Context) -> TaskRequest:
    """Return the task of the active character.

    Raises:
        FootfallError: something is missing or impossible; the message says what to change.
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
    """Return the task of a character, read from the scene without changing it.

    Raises:
        FootfallError: something is missing or impossible; the message says what to change.
    """
    return _TaskReader(armature, settings, scene).read()


@dataclass(frozen=True)
class _Body:
    """A character and the style that it has as a quadruped.

    Args:
        skeleton: the armature's bones as the task has them.
        earth_gait_speed: natural speed on Earth of a body that moves by gaits [m/s]; 0 for a
            humanoid, whose speed is that of its style.
    """

    skeleton: Skeleton
    rig: Rig
    quadruped_style: QuadrupedStyleChoice
    earth_gait_speed: float

    @property
    def is_humanoid(self) -> bool:
        """Whether the body moves by a style of a humanoid instead of by gaits."""
        return not self.earth_gait_speed


@dataclass(frozen=True)
class _TaskReader:
    """Reader of the task of one character; each property is a group of fields, read once."""

    armature: bpy.types.Object
    settings: MotionSettings
    scene: bpy.types.Scene

    def read(self) -> TaskRequest:
        """Return the task and what baking it takes."""
        task = self._read_task()
        return TaskRequest(
            task,
            self.body.rig,
            read_placement(self.armature, self.scene),
            armature=self.armature.name,
            first_frame=self.clip.first_frame,
            rig_options=read_rig_options(self.settings),
            notes=(*self.hurdles.notes, *self._list_notes()),
            style=self.style.action_style,
            arrival_pace=self.pace if self.settings.arrive else None,
        )

    def _list_notes(self) -> tuple[str, ...]:
        problem = find_scale_problem(self.body.rig.character.leg_length, self.scene)
        scale_notes = () if problem is None else (problem.text,)
        if self.body.is_humanoid:
            return scale_notes
        return scale_notes + note_humanoid_settings(
            self.settings, self.scene, has_path_facing=self.route.facing is not None
        )

    def _read_task(self) -> Task:
        body = self.body
        clip = self.clip
        style = self.style
        stones = self.stones
        extras = self.walk_extras
        # other engines read the tops of stones from the ground
        honors_stones = "stepping_stones" in self.engine.features
        return Task(
            self.walk_limits.path,
            self.speed,
            character=body.skeleton,
            ground=stones.ground,
            seconds=clip.seconds,
            fps=clip.fps,
            style=style.recipe.style,
            gait=self._read_gait(),
            engine=self.settings.engine,
            start=self._read_start(),
            gravity=self.gravity,
            seed=self.settings.seed,
            friction=self.scene.footfall.friction,
            mass=self.armature.footfall.mass or None,
            name=self.style_choice.label if body.is_humanoid else body.quadruped_style.label,
            stride_length=self._read_stride_length(),
            step_width_factor=read_width(self.settings, self.engine, body.is_humanoid),
            pushes=read_pushes(self.settings, self.scene, clip.fps),
            hurdles=self.hurdles.hurdles,
            stepping_stones=stones.stepping_stones if honors_stones else None,
            jumps=self.jumps,
            monkey_bars=self.monkey_bars,
            tread=read_tread(self.settings, self.engine, body.is_humanoid),
            knobs=style.recipe.knobs,
            mixed_styles=style.recipe.mixed_styles,
            upper_style=style.recipe.upper_style,
            facing_offset=extras.facing_offset,
            facing=extras.facing,
            gaze=extras.gaze,
            key_poses=extras.key_poses,
            forbidden_areas=extras.forbidden_areas,
        )

    @cached_property
    def engine(self) -> EngineInfo:
        """The chosen engine."""
        return find_engine(self.settings.engine)

    @cached_property
    def clip(self) -> ClipRange:
        """The frames of the scene."""
        return read_clip_range(self.scene)

    @cached_property
    def gravity(self) -> float:
        """Gravity of the scene [m/s^2]."""
        return read_gravity(self.scene)

    @cached_property
    def body(self) -> _Body:
        """The character of the armature."""
        skeleton = read_skeleton(self.armature, self.scene)
        result = read_rig_and_style(self.armature, skeleton, self.settings)
        return _Body(
            make_task_skeleton(skeleton),
            result.rig,
            result.quadruped_style,
            compute_default_speed(result.rig.character),
        )

    @cached_property
    def monkey_bars(self) -> MonkeyBars | None:
        """The bars that the body hangs on."""
        start = read_placement(self.armature, self.scene)[:3, 3]
        return read_monkey_bars(find_present(self.settings.bars, self.scene), self.scene, start)

    @cached_property
    def route(self) -> PathAndFacing:
        """The path, which follows the bars if there are any, and the headings on it."""
        if self.monkey_bars is not None:
            return PathAndFacing(Path(self.monkey_bars.rungs[:, :2]))
        return read_path_and_facing(self.settings, self.scene)

    @cached_property
    def style_choice(self) -> StyleChoice:
        """The style of a humanoid; for other bodies the one of the shelf, which sets nothing."""
        is_humanoid = self.body.is_humanoid
        return read_style(self.settings) if is_humanoid else read_shelf_style(self.settings)

    @cached_property
    def style(self) -> TaskStyle:
        """The style as the engine honors it."""
        if self.body.is_humanoid:
            return TaskStyle.from_choice(self.style_choice, self.engine)
        return TaskStyle.from_quadruped_choice(self.body.quadruped_style).limit_to(self.engine)

    @cached_property
    def walk_limits(self) -> WalkLimits:
        """What the legs, the path and the style allow."""
        leg_length = self.body.rig.character.leg_length
        return WalkLimits(leg_length, self.route.path, self.style_choice, self.gravity)

    @cached_property
    def jumps(self) -> tuple[Jump, ...]:
        """The jumps of the character."""
        return read_jumps(self.settings, self.scene, self.clip.fps)

    @property
    def stands_between_jumps(self) -> bool:
        """Whether the body stands and does nothing but jump."""
        return bool(self.jumps) and not self.engine.jumps_while_moving

    @property
    def walks(self) -> bool:
        """Whether the body follows its path on its feet instead of by jumps or on bars."""
        return not self.stands_between_jumps and self.monkey_bars is None

    @cached_property
    def bare_ground(self) -> Ground:
        """The terrain without hurdles, stones and bars."""
        settings = self.scene.footfall
        excluded = collect_object_names(settings.hurdles, settings.stones, self.settings.bars)
        terrain = find_present(settings.terrain, self.scene)
        return read_ground(terrain, self.scene, excluded=excluded)

    @cached_property
    def hurdles(self) -> SceneHurdles:
        """The hurdles of the scene."""
        collection = find_present(self.scene.footfall.hurdles, self.scene)
        return read_hurdles(collection, self.scene, self.bare_ground, self.walk_limits)

    @cached_property
    def pace(self) -> Pace | None:
        """How the speed varies along the path; None for a body that does not walk."""
        if not self.walks:
            return None
        return read_pace(self.settings, self.scene, self.walk_limits.path, self.clip.fps)

    @cached_property
    def speed(self) -> SpeedProfile:
        """The speed over time; before the worker solves for an arrival it is an estimate."""
        if self.pace is None:
            return SpeedProfile(self._read_top_speed())
        if self.settings.arrive:
            return self.pace.to_speed_profile(self.walk_limits.path.length / self.pace.moving_time)
        return self.pace.to_speed_profile(self._read_top_speed())

    @cached_property
    def stones(self) -> SteppingGround:
        """The ground with the stones of the scene.

        The speed, which the hurdles set, decides how far apart the stones may be.
        """
        max_speed = self.speed.max_speed
        if not self.stands_between_jumps:
            self.hurdles.check_heights(self.walk_limits, max_speed)
        return read_stones(
            find_present(self.scene.footfall.stones, self.scene),
            self.scene,
            self.bare_ground,
            walk_limits=self.walk_limits,
            is_walk=self.walk_limits.is_walk_at(max_speed),
        )

    @cached_property
    def walk_extras(self) -> WalkExtras:
        """Facing, gaze, key poses and forbidden ground."""
        if not self.walks:
            return WalkExtras()
        if not self.body.is_humanoid:
            return WalkExtras(forbidden_areas=read_forbidden(self.scene))
        return read_walk_extras(
            self.settings,
            self.scene,
            self.body.rig.character,
            fps=self.clip.fps,
            facing=self.route.facing,
            engine=self.engine,
        )

    def _read_top_speed(self) -> float:
        """Return the speed [m/s] where the pace has a share of 1."""
        if self.stands_between_jumps:
            return 0.0
        if not self.settings.natural_speed:
            return float(self.settings.speed)
        if self.monkey_bars is not None:
            return 0.0  # as fast as the body swings from bar to bar
        if not self.body.is_humanoid:
            return compute_default_gait_speed(
                self.body.earth_gait_speed, self.gravity, self.body.quadruped_style.resolved
            )
        limits = self.walk_limits
        natural_speed = choose_natural_speed(
            self.engine, self.body.rig.character, limits.resolved_style, gravity=self.gravity
        )
        # a style that can run does so where a hurdle is too high to step over
        if self.hurdles.max_height > limits.compute_max_step_height(natural_speed):
            return limits.compute_leap_speed()
        return natural_speed

    def _read_gait(self) -> str | None:
        """Return the name of a gait that is kept at all speeds; None if the speed sets the gait."""
        hop_gait = read_hop_gait(self.settings, self.engine)
        if hop_gait is not None:
            return hop_gait
        style_has_gait = self.body.quadruped_style.resolved.gait is not None
        if self.body.is_humanoid or style_has_gait or self.settings.gait == "natural":
            return None
        return str(self.settings.gait)

    def _read_start(self) -> Start:
        start: Start = self.settings.start if self.walks else "standing"
        return start

    def _read_stride_length(self) -> Profile | None:
        return read_stride_length(self.settings) if self.body.is_humanoid else None
