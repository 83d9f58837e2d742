"""Groups of fields of a task that are read alike for a clip and for a drive."""

from __future__ import annotations

from dataclasses import dataclass, replace

import bpy

from ...core.character.recognition.deform_skeleton import extract_deform_skeleton
from ...core.character.recognition.skeleton import Skeleton
from ...core.clip import QuadrupedStyle, Recipe, Style
from ...core.engine.base import EngineInfo
from ...core.errors import TaskError
from ...core.task import Profile
from ...core.task.task import Tread
from ..rigs.options import RigOptions
from ..settings.motion import MotionSettings
from .presence import find_present
from .quadruped_style import QuadrupedStyleChoice
from .style import StyleChoice

MIN_FRAME_STEPS = 3  # fewest steps from frame to frame that make a clip


@dataclass(frozen=True)
class ClipRange:
    """The frames of a clip.

    Args:
        first_frame: frame of the scene at which the clip begins.
        seconds: duration of the clip [s].
        fps: frame rate [1/s].
    """

    first_frame: int
    seconds: float
    fps: float


@dataclass(frozen=True)
class TaskStyle:
    """The style of a task.

    Args:
        recipe: style, mixed styles, upper-body style and knobs by their names and paths.
        action_style: the style if an action shows it or a part of it, so that no name and no file
            stands for it; None otherwise.
    """

    recipe: Recipe
    action_style: Style | QuadrupedStyle | None = None

    @classmethod
    def from_choice(cls, choice: StyleChoice, engine: EngineInfo | None = None) -> TaskStyle:
        """Return the style of a humanoid.

        Args:
            choice: what is set.
            engine: that is to honor it, perhaps its upper body only; None for all of it.

        Raises:
            TaskError: the engine honors upper bodies only, and this one has no name and no file.
        """
        if engine is not None and "style" not in engine.features:
            has_upper_body = "upper_style" in engine.features
            upper_style = choice.named_upper_style if has_upper_body else None
            return cls(Recipe("natural", upper_style=upper_style))
        if choice.is_from_action:
            return cls(Recipe("natural"), choice.resolved)
        return cls(choice.recipe)

    @classmethod
    def from_quadruped_choice(cls, choice: QuadrupedStyleChoice) -> TaskStyle:
        """Return the style of a body that moves by gaits."""
        return cls(Recipe(choice.name_or_path), choice.action_style)

    def limit_to(self, engine: EngineInfo) -> TaskStyle:
        """Return the style, or Natural if the engine does not honor styles."""
        return self if "style" in engine.features else TaskStyle(Recipe("natural"))


def read_fps(scene: bpy.types.Scene) -> float:
    """Return the frame rate of a scene [1/s]."""
    return float(scene.render.fps / scene.render.fps_base)


def read_clip_range(scene: bpy.types.Scene) -> ClipRange:
    """Return the frames of the scene as the clip of a task.

    Raises:
        TaskError: the scene is too short.
    """
    steps = scene.frame_end - scene.frame_start
    if steps < MIN_FRAME_STEPS:
        raise TaskError(
            f"The scene runs from frame {scene.frame_start} to {scene.frame_end}; give it at "
            "least four frames."
        )
    fps = read_fps(scene)
    return ClipRange(scene.frame_start, steps / fps, fps)


def make_task_skeleton(skeleton: Skeleton) -> Skeleton:
    """Return the deform bones of an armature with their assigned body parts, without controls."""
    return replace(extract_deform_skeleton(skeleton).skeleton, parts=skeleton.parts)


def read_width(settings: MotionSettings, engine: EngineInfo, is_humanoid: bool) -> Profile:
    """Return the factor of the step width; 1 if engine or body does not honor it."""
    is_honored = is_humanoid and "step_width_factor" in engine.features
    return Profile("width", settings.width if is_honored else 1.0)


def read_tread(settings: MotionSettings, engine: EngineInfo, is_humanoid: bool) -> Tread:
    """Return the tread; whole feet if engine or body does not honor it."""
    is_honored = is_humanoid and "tread" in engine.features
    tread: Tread = settings.tread if is_honored else "whole"
    return tread


def read_hop_gait(settings: MotionSettings, engine: EngineInfo) -> str | None:
    """Return the gait of a body that hops on one leg; None if it uses both or cannot hop."""
    if "hop" not in engine.features or settings.legs_used == "both":
        return None
    return f"hop {settings.legs_used}"


def read_stride_length(settings: MotionSettings) -> Profile | None:
    """Return the stride length [m] of a humanoid; None for the length that its style has."""
    return None if settings.natural_stride else Profile("stride", settings.stride)


def read_rig_options(settings: MotionSettings) -> RigOptions:
    """Return how the motion is baked onto the rig."""
    return RigOptions(use_leg_ik=settings.controls == "IK", root_motion=settings.root_motion)


def note_humanoid_settings(
    settings: MotionSettings, scene: bpy.types.Scene, has_path_facing: bool
) -> tuple[str, ...]:
    """Return a remark on the settings that another body than a humanoid leaves out, if any is set.

    Args:
        settings: settings of the body.
        scene: scene of the body.
        has_path_facing: whether markers of the path set the direction that the body faces.
    """
    is_set = {
        "Facing": has_path_facing or settings.facing != 0.0,
        "Look At": find_present(settings.look_at, scene) is not None,
        "Key Poses": len(settings.struck) > 0,
        "Stride": not settings.natural_stride,
        "Step Width": settings.width != 1.0,
        "Treads": settings.tread != "whole",
    }
    names = [name for name, is_in_use in is_set.items() if is_in_use]
    if not names:
        return ()
    return (f"left out, since they are for bodies built like people: {', '.join(names)}",)
