"""The planned engine as a function: a task in, a motion out."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from ...motion import Motion, Report
from ...motion.measures import compute_style_deviation
from ...task import Task
from ..base import Progress, StageClock
from ..shared.character import load_task_character
from ..shared.checks import make_forbidden_ground_notes, make_hurdle_notes
from ..shared.disturbances import make_fall_notes
from ..shared.motion_builder import MotionBuilder
from ..shared.scaling import to_human_scale
from .body import PlannedBody, choose_style
from .pipeline import RUN_UP_TIME, Pipeline
from .recording import CentroidalRecorder, SolvedFrames
from .run_up import with_run_up


def generate(task: Task, progress: Progress = lambda stage, share: None) -> Motion:
    """Generate a task's motion.

    Args:
        progress: told 'sketch', 'plan' or 'full body' and the share done of all;
            may raise to stop the work.

    Raises:
        TaskError: the task asks for what this engine does not know.
    """
    clock = StageClock()
    start_time = time.perf_counter()
    original_task = task
    character = load_task_character(task)
    scaled = to_human_scale(task, character)
    character = scaled.character
    scale = scaled.scale
    style = choose_style(scaled.task, character)
    extended = with_run_up(scaled.task, RUN_UP_TIME)
    task = extended.task
    run_up = extended.run_up
    pipeline = Pipeline(task, PlannedBody.from_character(character, style), clock)
    with clock.stage("sketch"):
        nominal_sketch = pipeline.make_sketch()
    progress("sketch", 0.1)
    first_plan, first_result = pipeline.run_first_pass(
        nominal_sketch, lambda share: progress("plan", 0.1 + 0.4 * share)
    )
    plan, targets, poses = pipeline.run_second_pass(
        first_plan, first_result, lambda share: progress("full body", 0.5 + 0.45 * share)
    )
    clock.seconds["total"] = time.perf_counter() - start_time
    report = Report(
        task.name,
        "centroidal",
        character.name,
        seed=task.seed,
        clip_seconds=task.seconds,
        seconds=clock.seconds,
        notes=(*character.notes, *nominal_sketch.course.notes),
    )
    recorder = CentroidalRecorder(
        MotionBuilder(task, pipeline.planned_body.model),
        pipeline.segments.last.sketch,
        pipeline.external_forces,
    )
    motion = recorder.record(SolvedFrames(plan, targets, poses), report)
    progress("full body", 1.0)
    fall_notes = make_fall_notes(task, motion.report.violations, run_up.seconds, scale.time)
    motion = scale.to_task_scale(run_up.trim(motion))
    notes = (
        motion.report.notes
        + fall_notes
        + make_hurdle_notes(motion, original_task.hurdles, original_task.ground)
        + make_forbidden_ground_notes(original_task, motion)
    )
    leg_links = np.array(
        [link for leg in pipeline.planned_body.character.legs for link in leg.links[:-1]], np.int64
    )
    return replace(
        motion,
        report=replace(
            motion.report,
            notes=notes,
            style_rms_deg=compute_style_deviation(motion, np.flatnonzero(motion.style_links)),
            legs_rms_deg=compute_style_deviation(motion, leg_links) if leg_links.size else None,
        ),
    )
