"""Tasks in the units of the controllers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...clip import find_upper_body
from ...errors import TaskError
from ...task import Push, Task
from ..shared.character import load_task_character
from ..shared.disturbances import find_pushed_link
from ..shared.scaling import REFERENCE_GRAVITY, Scale
from .biped import Biped, ScaledBiped, list_part_origins, scale_to_reference
from .external_forces import PushForce
from .planner import HalfCycleTiming
from .upper_body_style import UpperBodyStyle

# Share of a push in which its force rises, and in which it falls
PUSH_RAMP = 0.25


@dataclass(frozen=True)
class ConvertedTask:
    """A task in the units of the controllers.

    Args:
        scaled: its body.
        scale: back to the task.
        timing: of the controllers, with an instant at each frame.
        substeps_per_frame: instants from one frame to the next.
    """

    task: Task
    scaled: ScaledBiped
    scale: Scale
    timing: HalfCycleTiming
    substeps_per_frame: int


def convert_task(task: Task) -> ConvertedTask:
    """Return a task in the units of the controllers.

    Raises:
        TaskError: it has a stride length.
        CharacterError: the body does not walk on two legs.
    """
    if task.stride_length is not None:
        raise TaskError(
            "The engine 'adaptive' cannot do a stride length: its steps follow from the speed. "
            "Take it out, or choose another engine."
        )
    has_style = task.upper_style is not None
    scaled = scale_to_reference(load_task_character(task), has_style=has_style)
    length = scaled.length
    time = float(np.sqrt(length * REFERENCE_GRAVITY / task.gravity))
    converted = replace(task.in_units(length, time), gravity=REFERENCE_GRAVITY)
    frame_time = 1.0 / converted.fps
    # About the time step and the half-cycle of the training
    trained = HalfCycleTiming()
    per_frame = max(round(frame_time / trained.substep), 1)
    substep = frame_time / per_frame
    substeps = trained.substeps
    half_cycle = round(trained.half_cycle_time / (substep * substeps))
    return ConvertedTask(
        converted,
        scaled,
        Scale(length, time),
        HalfCycleTiming(substep, substeps, half_cycle),
        per_frame,
    )


def find_upper_body_style(task: Task, biped: Biped) -> UpperBodyStyle | None:
    """Return the upper body of a task; None if arms swing against the legs.

    Raises:
        TaskError: there is no such style, or the body has no arms that hang.
        ClipError: the clip is broken, or shows no body with two legs.
    """
    if task.upper_style is None:
        return None
    if not any(limb.name.startswith("arm") for limb in biped.upper_limbs):
        raise TaskError(
            f"{biped.name!r} has no arms that hang, so the engine 'adaptive' cannot move them as "
            f"in {task.upper_style!r}. Take the upper body out, or choose another engine."
        )
    return UpperBodyStyle(find_upper_body(task.upper_style))


def convert_push(push: Push, scaled: ScaledBiped) -> PushForce:
    """Return a push as a force on a part of a biped.

    Args:
        push: in the units of the controllers.
    """
    link = find_pushed_link(scaled.character, push.body_part)
    force = np.asarray(push.force) * scaled.biped.mass_scale
    if link is None:
        return PushForce(push.time, push.end, force, part=1, ramp=PUSH_RAMP)
    part = next(k for k, links in enumerate(scaled.part_links) if link in links)
    biped = scaled.biped
    joint = scaled.character.neutral_joint_position(link) + [0, 0, scaled.character.root_height]
    return PushForce(
        push.time,
        push.end,
        force,
        part=part,
        point=joint - list_part_origins(biped)[part],
        ramp=PUSH_RAMP,
    )
