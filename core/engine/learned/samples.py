"""Samples from which a network learns: windows of clips of the planned engine.

Source: Kwon et al. 2020, section 7.3.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ...errors import FootfallError, PlanningError
from ...geometry import so3
from ...task import Path, SpeedProfile, Task
from ..base import StageClock
from ..centroidal.body import PlannedBody, choose_style
from ..centroidal.modes.choice import make_mode
from ..centroidal.passes import SolvedClip, solve_clip
from ..centroidal.pipeline import Pipeline
from ..centroidal.run_up import RUN_UP_TIME, with_run_up
from ..shared.character import load_task_character
from ..shared.scaling import to_human_scale
from .mirror import Mirror, find_mirrored
from .random_driving import SpeedLimits, drive_at_random
from .sketch_curves import SketchCurves
from .states import BodyStates, StateVectors
from .windows import WINDOWS, Windows, choose_windows

Array = NDArray[np.float64]
ShareCallback = Callable[[float], None]

# Share of the windows that are learned once more without the state at their begin, as at the begin
# of a clip
STATELESS_SHARE = 0.15


@dataclass(frozen=True)
class SampleSet:
    """Inputs and outputs of n windows.

    Args:
        inputs: shape (n, inputs); the part of the sketch, whether the state is given, the state.
        outputs: shape (n, WINDOWS.state_count * size of a state).
    """

    inputs: Array
    outputs: Array

    def __len__(self) -> int:
        return len(self.inputs)

    @staticmethod
    def join(parts: list[SampleSet]) -> SampleSet:
        """Return the samples of all parts."""
        return SampleSet(
            np.concatenate([part.inputs for part in parts]),
            np.concatenate([part.outputs for part in parts]),
        )


@dataclass(frozen=True)
class SampleJob:
    """One clip of a random drive.

    Args:
        task: task with the body and its style.
        limits: range of the speeds at human scale.
        seed: of all random choices.
    """

    task: Task
    limits: SpeedLimits
    seed: int


def make_body_task(character: str, style: str) -> Task:
    """Return a task of a body in a style; path and speed do not count."""
    return Task(
        Path([(0.0, 0.0), (10.0, 0.0)]), SpeedProfile(1.0), character=character, style=style
    )


def make_samples(job: SampleJob) -> SampleSet | None:
    """Return the windows of one clip; None where it cannot be planned."""
    rng = np.random.default_rng(job.seed)
    scaled = to_human_scale(job.task, load_task_character(job.task))
    task = drive_at_random(scaled.task, job.limits, rng)
    try:
        return make_task_samples(
            task,
            PlannedBody.from_character(scaled.character, choose_style(task, scaled.character)),
            rng,
        )
    except FootfallError:
        return None


def make_task_samples(task: Task, planned_body: PlannedBody, rng: np.random.Generator) -> SampleSet:
    """Return the windows of the clip of a task at human scale.

    Args:
        rng: chooses the windows that are learned without a state, too.

    Raises:
        FootfallError: the task cannot be planned.
    """
    task = with_run_up(task, RUN_UP_TIME).task
    mode = make_mode(task, planned_body)
    clip = solve_clip(Pipeline(task, mode, StageClock()), lambda share: None)
    return cut_clip(task, clip, rng)


def cut_clip(task: Task, clip: SolvedClip, rng: np.random.Generator) -> SampleSet:
    """Return the windows of a clip."""
    planned_body = clip.pipeline.planned_body
    vectors = StateVectors(planned_body.model)
    curves = SketchCurves(clip.pipeline.mode.segments.last.sketch, task.ground, vectors.leg_count)
    times = clip.solved.frames.targets.time
    footsteps = tuple(s.footstep for s in curves.sketch.steps)
    windows = choose_windows(footsteps, times[-1], vectors.leg_count)
    is_complete = windows.begin + windows.duration <= times[-1]
    windows = Windows(windows.begin[is_complete], windows.duration[is_complete])
    if not len(windows):
        raise PlanningError("no window of a clip is complete", 0.0)
    states = measure_states(clip)
    spline = CubicSpline(times, vectors.encode(states, curves.sample_frames(times)))
    sketch = curves.make_inputs(windows)
    sample_times = windows.make_times(WINDOWS.state_count)
    outputs = spline(sample_times)  # (w, s, d)
    for k in range(len(windows)):
        level = sketch.planes.height_at(k, curves.sample_frames(sample_times[k]).origin[:, :2])
        outputs[k][:, vectors.heights] -= level[:, None]
    inputs = np.column_stack([sketch.vectors, np.ones(len(windows)), outputs[:, 0]])
    mirror = Mirror.from_body(vectors, planned_body.style)
    if mirror is not None:
        mirrored = find_mirrored(windows, footsteps, planned_body.character)
        inputs[mirrored] = mirror.apply_to_inputs(inputs[mirrored])
        outputs[mirrored] = mirror.state.apply(outputs[mirrored])
    stateless = np.flatnonzero(
        (rng.random(len(windows)) < STATELESS_SHARE) | (windows.begin == 0.0)
    )
    without_state = inputs[stateless]
    without_state[:, sketch.vectors.shape[1] :] = 0.0
    flat = outputs.reshape(len(windows), -1)
    return SampleSet(
        np.concatenate([inputs, without_state]), np.concatenate([flat, flat[stateless]])
    )


def measure_states(clip: SolvedClip) -> BodyStates:
    """Return the states of a body in the frames of a clip."""
    model = clip.pipeline.planned_body.model
    frames = clip.solved.frames
    times = frames.targets.time
    poses = clip.pipeline.mode.finish_poses(frames.poses, times)
    placed = model.compute_link_poses(poses)
    plan = clip.solved.plan.sample(times)
    turn = so3.log(plan.rotation[1:] @ np.swapaxes(plan.rotation[:-1], 1, 2))
    between = turn / np.diff(times)[:, None]
    feet = model.character.feet
    links = [foot.link for foot in feet]
    soles = np.array([foot.sole_center for foot in feet])
    return BodyStates(
        placed.com,
        plan.velocity,
        plan.rotation,
        spin=0.5 * (np.vstack([between[:1], between]) + np.vstack([between, between[-1:]])),
        feet=placed.origin[:, links] + (placed.rotation[:, links] @ soles[..., None])[..., 0],
        poses=poses,
    )


@dataclass(frozen=True)
class SampleCollection:
    """Samples of random drives.

    Args:
        samples: of all clips.
        clips: number of clips.
        failures: number of drives that could not be planned; each was replaced by another.
    """

    samples: SampleSet
    clips: int
    failures: int


def collect_samples(
    job: SampleJob,
    count: int,
    executor: Executor,
    batch: int,
    progress: ShareCallback = lambda share: None,
) -> SampleCollection:
    """Return at least `count` samples of random drives.

    They depend on the seed of the job alone, and not on the executor.

    Args:
        job: body and speeds; the seed counts for all drives.
        count: number of samples.
        executor: runs the drives.
        batch: number of drives that are submitted at once; part of the result.
        progress: called with the share done; may raise an exception to stop.
    """
    seeds = np.random.SeedSequence(job.seed)
    parts: list[SampleSet] = []
    failures = 0
    collected = 0
    while collected < count:
        jobs = [replace(job, seed=int(child.generate_state(1)[0])) for child in seeds.spawn(batch)]
        for result in executor.map(make_samples, jobs):
            if result is None:
                failures += 1
            else:
                parts.append(result)
                collected += len(result)
            progress(min(collected / count, 1.0))
        _check_failures(failures, len(parts))
    return SampleCollection(SampleSet.join(parts), len(parts), failures)


def _check_failures(failures: int, successes: int) -> None:
    """Refuse a body whose drives fail.

    Raises:
        PlanningError: most drives fail.
    """
    if failures > 2 * successes + 8:
        raise PlanningError(
            f"{failures} of {failures + successes} random drives of this body cannot be planned; "
            "choose another style",
            0.0,
        )
