"""Generate motions with the centroidal engine."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from ...errors import PlanningError
from ...motion import Motion, Report
from ...motion.measures import compute_style_deviation
from ...task import Task
from ...task.units import TaskUnits
from ..base import Progress, StageClock
from ..shared.character import load_task_character
from ..shared.checks import make_forbidden_ground_notes, make_hurdle_notes
from ..shared.disturbances import make_recovery_notes
from ..shared.scaling import to_human_scale
from .body import PlannedBody, choose_style
from .modes.base import LocomotionMode
from .modes.choice import make_mode
from .passes import FIRST_PASS_SHARE, ShareCallback, solve_clip
from .pipeline import Pipeline
from .run_up import RUN_UP_TIME, with_run_up

# Shares of the progress at which the sketch, the first pass and the last pass are done, about those
# of their time
SKETCH_DONE = 0.1
FIRST_PASS_DONE = 0.5
LAST_PASS_DONE = 0.95


def generate(task: Task, progress: Progress = lambda stage, share: None) -> Motion:
    """Return the motion of a task.

    Args:
        task: task.
        progress: called with the stage "sketch", "plan" or "full body" and the share done of the
            whole. It may raise an exception to stop the computation.

    Raises:
        TaskError: The task requests what this engine or the body cannot do.
        PlanningError: The plan cannot be carried out from some time on.
    """
    clock = StageClock()
    start_time = time.perf_counter()
    original_task = task
    character = load_task_character(task)
    scaled = to_human_scale(task, character)
    character = scaled.character
    style = choose_style(scaled.task, character)
    extended = with_run_up(scaled.task, RUN_UP_TIME)
    task = extended.task
    run_up = extended.run_up
    try:
        with clock.stage("sketch"):
            mode = make_mode(task, PlannedBody.from_character(character, style))
        progress("sketch", SKETCH_DONE)
        clip = solve_clip(Pipeline(task, mode, clock), _make_pass_progress(progress))
    except PlanningError as error:
        raise _in_user_units(error, task.units) from error
    clock.seconds["total"] = time.perf_counter() - start_time
    motion = clip.pipeline.record(
        clip.solved.plan, clip.solved.frames, clip.external_forces, _make_report(task, mode, clock)
    )
    progress("full body", 1.0)
    recovery_notes = make_recovery_notes(
        task, motion.report.violations, run_up.seconds, scaled.scale.time
    )
    motion = scaled.scale.to_task_scale(run_up.trim(motion))
    notes = (
        *motion.report.notes,
        *recovery_notes,
        *make_hurdle_notes(motion, original_task.hurdles, original_task.ground),
        *make_forbidden_ground_notes(original_task, motion),
    )
    return _measure_style(
        replace(motion, report=replace(motion.report, notes=notes)), mode.planned_body
    )


def _make_report(task: Task, mode: LocomotionMode, clock: StageClock) -> Report:
    """Return the report of a clip, with notes of the character and the sketch."""
    character = mode.planned_body.character
    return Report(
        task.name,
        "centroidal",
        character.name,
        seed=task.seed,
        clip_seconds=task.seconds,
        seconds=clock.seconds,
        notes=(*character.notes, *mode.notes),
    )


def _in_user_units(error: PlanningError, units: TaskUnits) -> PlanningError:
    """Return an error of a plan at human scale with the time and place of the original task."""
    place = error.place
    if place is not None:
        place = (units.to_user_length(place[0]), units.to_user_length(place[1]))
    return PlanningError(error.message, units.to_user_time(error.time), place)


def _make_pass_progress(progress: Progress) -> ShareCallback:
    """Return the callback of the passes: the first half of their share is the first pass."""

    def report_share(share: float) -> None:
        if share <= FIRST_PASS_SHARE:
            done = share / FIRST_PASS_SHARE
            progress("plan", SKETCH_DONE + (FIRST_PASS_DONE - SKETCH_DONE) * done)
        else:
            done = (share - FIRST_PASS_SHARE) / (1 - FIRST_PASS_SHARE)
            progress("full body", FIRST_PASS_DONE + (LAST_PASS_DONE - FIRST_PASS_DONE) * done)

    return report_share


def _measure_style(motion: Motion, planned_body: PlannedBody) -> Motion:
    """Return the motion with the deviation from the style in its report."""
    leg_links = np.array(
        [link for leg in planned_body.character.legs for link in leg.links[:-1]], np.int64
    )
    return replace(
        motion,
        report=replace(
            motion.report,
            style_rms_deg=compute_style_deviation(motion, np.flatnonzero(motion.style_links)),
            legs_rms_deg=compute_style_deviation(motion, leg_links) if leg_links.size else None,
        ),
    )
