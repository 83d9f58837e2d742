"""Generate motions with the learned engine: sketch, prediction, exact contacts."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from ...motion import Motion, Report
from ...task import Task
from ..base import Progress, StageClock
from ..centroidal.body import PlannedBody, choose_style
from ..centroidal.passes import PASSES
from ..centroidal.pipeline import FrameWindow
from ..centroidal.recording import CentroidalRecorder
from ..centroidal.run_up import RUN_UP_TIME, with_run_up
from ..shared.character import load_task_character
from ..shared.motion_builder import MotionBuilder
from ..shared.scaling import to_human_scale
from .body_motion import BODY_MOTION, BodyMover
from .frame_solver import FrameSolver
from .gaits import PredictedGait, sketch_gait
from .networks import check_speed, find_network
from .predict import MotionPredictor
from .sketch_curves import SketchCurves
from .weights_file import LearnedNetwork

SKETCH_DONE = 0.4  # Share of the progress at which the sketch is done


def generate(task: Task, progress: Progress = lambda stage, share: None) -> Motion:
    """Return the motion of a task.

    Args:
        task: task.
        progress: called with the stage and the share done of the whole; may raise an exception
            to stop.

    Raises:
        TaskError: there is no network for the body and its style, or it has not learned what the
            task requests.
    """
    character = load_task_character(task)
    network = find_network(task, character)
    clock = StageClock()
    start_time = time.perf_counter()
    scaled = to_human_scale(task, character)
    check_speed(scaled.task, network)
    extended = with_run_up(scaled.task, RUN_UP_TIME)
    run_up = extended.run_up
    body = PlannedBody.from_character(scaled.character, choose_style(scaled.task, scaled.character))
    with clock.stage("sketch"):
        gait = sketch_gait(extended.task, body)
    progress("sketch", SKETCH_DONE)
    motion = _predict(extended.task, body, gait, network, clock=clock, first=run_up.frames)
    clock.seconds["total"] = time.perf_counter() - start_time
    progress("full body", 1.0)
    motion = replace(
        motion,
        report=Report(
            task.name,
            "learned",
            character.name,
            seed=task.seed,
            clip_seconds=extended.task.seconds,
            seconds=clock.seconds,
            notes=(*character.notes, *gait.sketch.course.notes),
            violations=motion.report.violations,
        ),
    )
    return scaled.scale.to_task_scale(run_up.shift_report(motion))


def _predict(
    task: Task,
    body: PlannedBody,
    gait: PredictedGait,
    network: LearnedNetwork,
    clock: StageClock,
    first: int,
) -> Motion:
    """Return the motion of a sketch from a frame on."""
    fps = task.fps
    end = task.frames + int(PASSES.swing_lookahead * fps)
    with clock.stage("plan"):
        curves = SketchCurves(gait.sketch, task.ground, len(body.character.legs))
        prediction = MotionPredictor.from_body(network.trained, body).predict(curves, end / fps)
    with clock.stage("fullbody"):
        history_first = max(first - int(BODY_MOTION.swing_history * fps), 0)
        window = FrameWindow(
            np.arange(history_first, end) / fps,
            first - history_first,
            task.frames - history_first,
        )
        solver = FrameSolver.from_model(body.model, gait.body_weights)
        solved = BodyMover(task, body, gait, prediction, solver=solver).solve(window)
    recorder = CentroidalRecorder(MotionBuilder(task, body.model), gait.sketch, solved.pushes)
    return recorder.record(
        solved.get_first_frames(len(solved.frames.poses)),
        Report(task.name, "learned", body.character.name, task.seed, task.seconds, {}),
    )
