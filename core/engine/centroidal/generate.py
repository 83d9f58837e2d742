"""The planned engine as a function: a task in, a motion out."""
from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from ...errors import TaskError
from ...motion import Motion, Report
from ...motion.measures import style_deviation
from ...task import Task
from ..base import Clock
from ..shared.character import body_of
from ..shared.checks import told_touches, told_trespassing
from ..shared.disturbances import told_falls
from ..shared.motion_writer import record_motion
from ..shared.scaling import to_human_scale
from .body import Figure, people_style
from .pipeline import RUN_UP, Progress, Work
from .run_up import with_run_up


def generate(task: Task, progress: Progress = lambda stage, share: None) -> Motion:
    """Generate a task's motion.

    Args:
        progress: told 'sketch', 'plan' or 'full body' and the share done of all; may raise to stop the work.

    Raises:
        TaskError: the task asks for what this engine does not know.
    """
    if task.projectiles:
        raise TaskError("The engine 'centroidal' knows no projectiles: what it draws neither sees them nor is hit. Take them out, "
                        "or choose the engine 'preview'.")
    clock = Clock()
    begin = time.perf_counter()
    asked, character = task, body_of(task)
    task, character, scale = to_human_scale(task, character)
    style = people_style(task, character)
    task, run_up = with_run_up(task, RUN_UP)
    work = Work(task, Figure.of(character, style), clock)
    with clock.stage("sketch"):
        drawn = work.draw()
    progress("sketch", 0.1)
    first, first_poses = work.first_pass(drawn, lambda share: progress("plan", 0.1 + 0.4 * share))
    plan, wish, poses = work.second_pass(first, first_poses, lambda share: progress("full body", 0.5 + 0.45 * share))
    clock.seconds["total"] = time.perf_counter() - begin
    report = Report(task.name, "centroidal", character.name, task.seed, task.seconds, clock.seconds,
                    (*character.notes, *drawn.course.notes))
    motion = record_motion(task, work.figure.model, work.chapters.last.drawn, plan, wish, poses, work.external, report)
    progress("full body", 1.0)
    falls = told_falls(task, motion.report.eased, run_up.seconds, scale.time)
    motion = scale.enlarge(run_up.cut(motion))
    notes = motion.report.notes + falls + told_touches(motion, asked.hurdles, asked.ground) + told_trespassing(asked, motion)
    legs = np.array([link for leg in work.figure.character.legs for link in leg.links[:-1]], np.int64)
    return replace(motion, report=replace(
        motion.report, notes=notes, style_rms_deg=style_deviation(motion, np.flatnonzero(motion.style_links)),
        legs_rms_deg=style_deviation(motion, legs) if legs.size else None))
