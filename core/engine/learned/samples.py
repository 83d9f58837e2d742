"""Samples from which a network learns: windows of clips of the planned engine.

Source: Kwon et al. 2020, section 7.3.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ...errors import BatchError, FootfallError, PlanningError
from ...geometry import so3
from ...task import Path, SpeedProfile, Task
from ..base import StageClock
from ..batch import Batch, run_batch
from ..centroidal.body import PlannedBody, choose_style
from ..centroidal.modes.choice import make_mode
from ..centroidal.passes import SolvedClip, solve_clip
from ..centroidal.pipeline import Pipeline
from ..centroidal.run_up import RUN_UP_TIME, with_run_up
from ..shared.character import load_task_character
from ..shared.scaling import to_human_scale
from .mirror import Mirror, find_mirrored
from .random_driving import DrivingSpeedLimits, drive_at_random
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
    limits: DrivingSpeedLimits
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


def save_samples(job: SampleJob, path: FilePath) -> int:
    """Write the windows of one clip and return their number; 0 where it cannot be planned."""
    samples = make_samples(job)
    with path.open("wb") as file:
        if samples is not None:
            np.savez(file, inputs=samples.inputs, outputs=samples.outputs)
    return 0 if samples is None else len(samples)


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
    poses = clip.pipeline.mode.finish_poses(frames.poses, frames.targets)
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
    folder: FilePath | None = None,
) -> SampleCollection:
    """Return at least `count` samples of random drives.

    They depend on the seed of the job alone, and not on the executor.

    Args:
        job: body and speeds; the seed counts for all drives.
        count: number of samples.
        executor: runs the drives.
        batch: number of drives that are submitted at once; part of the result.
        progress: called with the share done; may raise an exception to stop.
        folder: for files of samples, which are deleted at the end; a cluster needs one that all
            workers share. By default that of the system for temporary files.

    Raises:
        PlanningError: most drives of the body cannot be planned.
        BatchError: the executor cannot do the drives, see `run_batch`, or one ends in an error.
    """
    seeds = np.random.SeedSequence(job.seed)
    parts: list[SampleSet] = []
    failures = 0
    collected = 0

    def show(_: float) -> None:
        progress(min(collected / count, 1.0))

    with TemporaryDirectory(
        prefix=".samples-", dir=folder, ignore_cleanup_errors=True
    ) as scratch_folder:
        while collected < count:
            children = [int(child.generate_state(1)[0]) for child in seeds.spawn(batch)]
            drives = Batch(
                save_samples,
                [replace(job, seed=child) for child in children],
                [f"{len(parts) + failures + k}.npz" for k in range(batch)],
                FilePath(scratch_folder),
            )
            for result in run_batch(drives, executor, show):
                if result.error is not None:
                    raise BatchError(f"A random drive ended in an error: {result.error}")
                if result.summary:
                    parts.append(_load_samples(result.path))
                else:
                    failures += 1
                collected += result.summary or 0
                show(0.0)
            _check_failures(failures, len(parts))
    return SampleCollection(SampleSet.join(parts), len(parts), failures)


def _load_samples(path: FilePath) -> SampleSet:
    with np.load(path) as arrays:
        return SampleSet(arrays["inputs"], arrays["outputs"])


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
