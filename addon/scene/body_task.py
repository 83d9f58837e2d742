"""Body and style of a character as a task, which needs no path."""

from __future__ import annotations

import bpy

from ...core.character.character import is_humanoid
from ...core.task import Path, SpeedProfile, Task
from ..rigs.armature import read_placement, read_skeleton
from .active import active_armature, find_character_settings
from .rig import read_rig_and_style
from .style import read_style
from .task import TaskRequest
from .task_fields import TaskStyle, make_task_skeleton, read_rig_options


def read_body_task(context: bpy.types.Context) -> TaskRequest:
    """Return a task with the body of the active character and its style, straight on.

    The style is the chosen one, whether or not the engine honors it.

    Raises:
        FootfallError: the character or its style cannot be read; the message says what to change.
    """
    scene = context.scene
    armature = active_armature(context)
    settings = find_character_settings(scene, armature) or scene.footfall
    skeleton = read_skeleton(armature, scene)
    body = read_rig_and_style(armature, skeleton, settings)
    style = (
        TaskStyle.from_choice(read_style(settings))
        if is_humanoid(body.rig.character)
        else TaskStyle.from_quadruped_choice(body.quadruped_style)
    )
    recipe = style.recipe
    task = Task(
        Path([(0.0, 0.0), (10.0, 0.0)]),
        SpeedProfile(1.0),
        character=make_task_skeleton(skeleton),
        style=recipe.style,
        mass=armature.footfall.mass or None,
        name=armature.name,
        knobs=recipe.knobs,
        mixed_styles=recipe.mixed_styles,
        upper_style=recipe.upper_style,
    )
    return TaskRequest(
        task,
        body.rig,
        read_placement(armature, scene),
        armature=armature.name,
        first_frame=scene.frame_start,
        rig_options=read_rig_options(settings),
        style=style.action_style,
    )
