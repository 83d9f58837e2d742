"""Solve a whole clip in several passes over plan and full body.

The first pass plans for a rigid body. Each later pass plans with the inertia and the limb momentum
that the previous one shows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...plan.external import ExternalForce
from ..shared.disturbances import compute_external_forces
from .limb_momentum import BodyRotation, PassResult
from .pipeline import FrameWindow, InitialState, Pipeline, SolvedWindow, SolveWindow
from .planning import PlanWindow
from .segments import find_disturbances
from .tracking import FIRST_PASS

ShareCallback = Callable[[float], None]

# Share of the progress that the first pass takes, as long as the second one
FIRST_PASS_SHARE = 0.5


@dataclass(frozen=True)
class PassParameters:
    """Times of the passes over a clip.

    Half of each moves links by at most 8 cm, twice by at most 3 cm, but for `plan_tail`, with twice
    of which plans fail (docs/dev/parameters.csv).
    """

    # Time planned after the end of the clip, so that the end is planned with foresight [s]
    plan_tail: float = 1.2
    # Time after the end of the clip to which all passes but the last solve poses [s]
    pose_tail: float = 0.4
    # Time after the last frame to which foot paths are computed, for swings that have begun [s]
    swing_lookahead: float = 0.7
    # Largest frame rate of the first pass [Hz]; what the next plan takes from it is smoothed
    first_pass_fps: float = 30


PASSES = PassParameters()


@dataclass(frozen=True)
class SolvedClip:
    """A clip after all passes.

    Args:
        pipeline: pipeline with the mode as adapted by the passes.
        solved: result of the last pass.
        external_forces: pushes on the body.
    """

    pipeline: Pipeline
    solved: SolvedWindow
    external_forces: tuple[ExternalForce, ...]


def solve_clip(pipeline: Pipeline, progress: ShareCallback) -> SolvedClip:
    """Solve a clip: the first pass, and as many others as the mode takes.

    Args:
        pipeline: pipeline with the sketch of the clip.
        progress: called with the share done.
    """
    solved = _solve_first_pass(pipeline, lambda share: progress(FIRST_PASS_SHARE * share))
    pass_count = pipeline.mode.pass_count
    external_forces: tuple[ExternalForce, ...] = ()
    for k in range(pass_count):
        prior = _make_pass_result(solved, is_first=k == 0)
        pipeline = replace(pipeline, mode=solved.mode.updated(solved.plan, prior))
        external_forces = _compute_external_forces(pipeline, prior)
        initial_state = InitialState(
            prior=prior, external_forces=external_forces, warm_start=solved.plan.warm_start
        )
        tail = 0.0 if k == pass_count - 1 else PASSES.pose_tail
        pass_share = (1 - FIRST_PASS_SHARE) / pass_count
        solved = pipeline.solve(
            _make_following_window(pipeline, tail),
            initial_state,
            _scale_progress(progress, FIRST_PASS_SHARE + k * pass_share, pass_share),
        )
    return SolvedClip(replace(pipeline, mode=solved.mode), solved, external_forces)


def _solve_first_pass(pipeline: Pipeline, progress: ShareCallback) -> SolvedWindow:
    """Solve the clip and the time planned after it for a rigid body, at a low frame rate."""
    task = pipeline.task
    fps = task.fps / np.ceil(task.fps / PASSES.first_pass_fps)
    count = int((task.frames / task.fps + PASSES.plan_tail) * fps)
    window = SolveWindow(
        _make_plan_window(pipeline, shiftable=True), FrameWindow.from_start(count, fps)
    )
    external_forces = _compute_external_forces(pipeline, None)
    return replace(pipeline, tracking=FIRST_PASS).solve(
        window, InitialState(external_forces=external_forces), progress
    )


def _make_following_window(pipeline: Pipeline, tail: float) -> SolveWindow:
    """Return the window of a later pass, whose footsteps stay where the first pass has them.

    Args:
        tail: time after the end of the clip to which poses are solved [s].
    """
    task = pipeline.task
    count = task.frames + int(tail * task.fps)
    return SolveWindow(
        _make_plan_window(pipeline, shiftable=False),
        FrameWindow.from_start(count, task.fps, PASSES.swing_lookahead),
    )


def _make_plan_window(pipeline: Pipeline, shiftable: bool) -> PlanWindow:
    end = pipeline.task.seconds + PASSES.plan_tail
    return PlanWindow(end, shiftable, find_disturbances(pipeline.task.pushes, end))


def _make_pass_result(solved: SolvedWindow, is_first: bool) -> PassResult:
    """Return what the next pass takes from a pass.

    Poses of the first pass are rotated like the reference, those of others like the plan.
    """
    targets = solved.frames.targets
    poses = solved.frames.poses
    times = targets.time
    if is_first:
        segments = solved.mode.segments
        frame = BodyRotation(
            segments.sample_reference(times).rotation,
            segments.sample_reference(0.5 * (times[1:] + times[:-1])).spin,
        )
    else:
        frame = BodyRotation.from_rotations(times, solved.plan.sample(times).rotation)
    offsets = solved.mode.planned_body.model.difference(targets.reference, poses)
    return PassResult(times, poses, offsets, frame)


def _compute_external_forces(
    pipeline: Pipeline, prior: PassResult | None
) -> tuple[ExternalForce, ...]:
    """Return the pushes with their lever arms on the body: on the poses of the previous pass, or
    on the neutral pose rotated like the reference.
    """
    reference = pipeline.mode.segments.all[0].reference
    return compute_external_forces(
        pipeline.task,
        pipeline.planned_body.model,
        lambda times: reference.sample(times).rotation,
        times=None if prior is None else prior.times,
        poses=None if prior is None else prior.poses,
    )


def _scale_progress(progress: ShareCallback, begin: float, length: float) -> ShareCallback:
    """Return a callback that maps shares from 0 to 1 to those from `begin` on."""
    return lambda share: progress(begin + length * share)
