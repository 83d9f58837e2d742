"""Generate motions with the adaptive engine: simulate a controller along the path of a task."""

from __future__ import annotations

import time as clock_time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...errors import TaskError
from ...motion import Motion, Report
from ...task import Task
from ..base import Progress
from ..centroidal.run_up import ExtendedTask, RunUp, with_run_up
from ..safety.fall import FallStart, make_fall
from .backtracking import BacktrackingWalk
from .biped import ScaledBiped
from .biped_model import build_biped_model
from .conversion import ConvertedTask, convert_push, convert_task, find_upper_body_style
from .external_forces import ExternalForces
from .ground_sampling import sample_ground
from .height_field import EndlessField
from .movement_choice import find_gait_name
from .movements import HALF_CYCLE_TIME, find_movement
from .parameters import GaitParameters
from .path_follower import PathFollower
from .recording import ClipFrames, WalkRecorder
from .shipped import fit_gaits
from .start import STANDING_TIME, Start
from .steering import check_path, check_requests
from .stumbles import StumbleFinder
from .user_controllers import BodyControllers, find_controllers
from .walker import TorqueWalker

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GenerationParameters:
    """What comes before a clip and after a fall, in the units of the controllers.

    Args:
        run_up: walk before the clip [s], six steps, in which the gait settles.
        fall_lead: time before a fall counts at which loose joints take over [s]; a body counts as
            fallen when it is already low, and its controllers still push then.
        run_out: walk after the clip [s], three half-cycles: a fall that begins within the clip
            counts up to that long after its end, and would not be avoided without.
        start_speed: of bodies that begin with both feet side by side, in mean speeds.
        stride_speed: of bodies that begin with their feet a step apart, in mean speeds, as in the
            walks of the search: 1.35 m/s where the mean is 1.17 (`MOVEMENTS`), since a body is
            fastest between two feet.
    """

    run_up: float = 3.4
    fall_lead: float = 0.3
    run_out: float = 3.0 * HALF_CYCLE_TIME
    start_speed: float = 0.85
    stride_speed: float = 1.15


GENERATION = GenerationParameters()
CHEST_NOTE = "of the upper body arms and head are used; the controllers move the chest"


@dataclass(frozen=True)
class _Prepared:
    """A task with what comes before its clip.

    Args:
        converted: the task in the units of the controllers, without that.
        task: with a run-up, or with some time of standing.
        run_up: how the clip is cut out.
        standing: time for which the body stands at first [s].
    """

    converted: ConvertedTask
    task: Task
    run_up: RunUp
    standing: float

    @property
    def clip(self) -> ClipFrames:
        """The frames of the clip among the simulated instants."""
        per_frame = self.converted.substeps_per_frame
        count = self.task.frames - self.run_up.frames
        return ClipFrames(self.run_up.frames * per_frame, per_frame, count)


def generate(task: Task, progress: Progress = lambda stage, share: None) -> Motion:
    """Return the motion of a task.

    Args:
        task: task.
        progress: called with the stage "simulate" and the completed share; may raise an exception
            to stop.

    Raises:
        TaskError: the task requests what the controllers cannot do.
        CharacterError: the body does not walk on two legs.
    """
    start_time = clock_time.perf_counter()
    motion = simulate_body(task, find_controllers, progress)
    total = clock_time.perf_counter() - start_time
    seconds = {"sketch": 0.0, "plan": 0.0, "fullbody": 0.0, "simulate": total, "total": total}
    return replace(motion, report=replace(motion.report, seconds=seconds))


def simulate_task(
    task: Task,
    gaits: Mapping[str, GaitParameters],
    progress: Progress = lambda stage, share: None,
    helper_limit: float = 0.0,
) -> Motion:
    """Return the motion of a task with given controllers, fitted to its body.

    Args:
        task: task.
        gaits: parameters of movements and transitions by their names.
        progress: see `generate`.
        helper_limit: largest helper force, to see a controller in training [N].

    Raises:
        TaskError: the task requests what the controllers cannot do.
        CharacterError: the body does not walk on two legs.
    """

    def fit(scaled: ScaledBiped) -> BodyControllers:
        return BodyControllers(fit_gaits(gaits, scaled.biped))

    return simulate_body(task, fit, progress, helper_limit)


def simulate_body(
    task: Task,
    choose_controllers: Callable[[ScaledBiped], BodyControllers],
    progress: Progress = lambda stage, share: None,
    helper_limit: float = 0.0,
) -> Motion:
    """Return the motion of a task with the controllers of its body.

    Args:
        task: task.
        choose_controllers: returns the controllers of a body.
        progress: see `generate`.
        helper_limit: largest helper force, to see a controller in training [N].

    Raises:
        TaskError: the task requests what the controllers cannot do.
        CharacterError: the body does not walk on two legs.
    """
    prepared = _prepare(task)
    inner = prepared.task
    converted = prepared.converted
    timing = converted.timing
    controllers = choose_controllers(converted.scaled)
    gaits = controllers.gaits
    check_requests(inner, gaits, timing.half_cycle_time, stands=prepared.standing > 0)
    check_path(inner, gaits, timing)
    ground = _sample_ground(prepared)
    model = build_biped_model(converted.scaled.biped, ground, timing.substep)
    follower = PathFollower(inner, gaits, timing.half_cycle_time, prepared.standing)
    walker = TorqueWalker(
        model,
        gaits[find_gait_name(follower.movement)].first,
        ground,
        follower.find_goal,
        timing=timing,
        forces=ExternalForces(
            helper_limit, tuple(convert_push(push, converted.scaled) for push in inner.pushes)
        ),
    )
    walker.upper_style = find_upper_body_style(inner, converted.scaled.biped)
    walker.begin(_make_start(inner, follower))
    clip = prepared.clip
    needed = clip.first + clip.per_frame * clip.count + timing.substeps
    recorder = WalkRecorder(converted.scaled, walker, ground)
    walk = BacktrackingWalk(
        walker,
        follower,
        recorder,
        can_go_back=helper_limit == 0,
        stumbles=StumbleFinder(inner, converted.scaled.character, clip),
    )
    _simulate(walk, needed + round(GENERATION.run_out / timing.substep), progress)
    has_fallen = walk.recorder.count < needed
    motion = _finish(task, prepared, walk.recorder, clip, has_fallen=has_fallen)
    progress("simulate", 1.0)
    return _with_notes(motion, controllers.notes)


def _sample_ground(prepared: _Prepared) -> EndlessField | None:
    """Return the ground of a task and of the walk before its clip; None for a plane."""
    task = prepared.task
    distance = float(np.max(task.speed.values)) * task.seconds
    stands = prepared.standing > 0
    run_up = 0.0 if stands else float(task.speed.value_at(0.0)) * prepared.run_up.seconds
    return sample_ground(task, distance, run_up)


def _with_notes(motion: Motion, notes: tuple[str, ...]) -> Motion:
    """Return a motion with more notes in its report."""
    report = replace(motion.report, notes=(*motion.report.notes, *notes))
    return replace(motion, report=report)


def _simulate(walk: BacktrackingWalk, count: int, progress: Progress) -> None:
    """Simulate until some instants are recorded, or until the body falls."""
    share = 0.0
    while walk.recorder.count < count and not walk.has_fallen:
        walk.advance()
        share = max(share, min(walk.recorder.count / count, 0.99))
        progress("simulate", share)


def _prepare(task: Task) -> _Prepared:
    """Convert a task to the units of the controllers, and put a run-up before it."""
    converted = convert_task(task)
    extended = with_run_up(converted.task, GENERATION.run_up)
    if extended.run_up.frames:
        return _Prepared(converted, extended.task, extended.run_up, standing=0.0)
    extended = _with_standing(converted.task)
    return _Prepared(converted, extended.task, extended.run_up, extended.run_up.seconds)


def _with_standing(task: Task) -> ExtendedTask:
    """Return a task whose body stands for some time before its clip."""
    frames = int(np.ceil(STANDING_TIME * task.fps))
    seconds = frames / task.fps
    return ExtendedTask(task.shifted(seconds), RunUp(frames, seconds, 0))


def _make_start(task: Task, follower: PathFollower) -> Start:
    """Return the state in which the simulation of a task begins."""
    movement = find_movement(follower.movement)
    speed = 0.0 if follower.movement == "stand" else float(task.speed.value_at(0.0))
    share = GENERATION.stride_speed if movement.begins_in_stride else GENERATION.start_speed
    velocity = movement.find_start_velocity(share * speed, 0.0)
    place = task.path.points[0]
    return Start(
        float(velocity[0]),
        float(velocity[1]),
        swing=1 if movement.lead is None else movement.lead,
        position=(float(place[0]), float(place[1])),
        heading=follower.facing,
        sway=movement.sway,
        stride=movement.find_stride(speed * HALF_CYCLE_TIME),
    )


def _finish(
    task: Task, prepared: _Prepared, recorder: WalkRecorder, clip: ClipFrames, *, has_fallen: bool
) -> Motion:
    """Return the motion in the units of the task; a body that has fallen lies until the end."""
    per_frame = clip.per_frame
    available = (recorder.count - 1 - clip.first) // per_frame
    if available < 2:
        raise TaskError(
            "The body falls before the clip begins: the ground or the speed there is more than its "
            "steps can follow. Begin the path on more even ground, make the body slower, or choose "
            "another engine."
        )
    kept = replace(clip, count=min(clip.count, available))
    report = Report(
        task.name,
        "adaptive",
        prepared.converted.scaled.character.name,
        seed=task.seed,
        clip_seconds=prepared.task.seconds,
        seconds={},
        notes=(
            *prepared.converted.scaled.character.notes,
            *(() if task.upper_style is None else (CHEST_NOTE,)),
        ),
    )
    motion = recorder.make_motion(prepared.task, kept, report)
    motion = replace(
        motion,
        path=motion.path[prepared.run_up.point_count :],
        report=replace(
            motion.report,
            clip_seconds=motion.report.clip_seconds - prepared.run_up.seconds,
        ),
    )
    motion = prepared.converted.scale.to_task_scale(motion)
    mesh = task.ground.to_mesh()
    if mesh is not None:
        motion = replace(motion, terrain_vertices=mesh.vertices, terrain_triangles=mesh.triangles)
    if not has_fallen:
        return motion
    return _let_fall(task, motion, prepared.converted.scale.time)


def _let_fall(task: Task, motion: Motion, time_unit: float) -> Motion:
    """Return a motion that continues with a fall up to the end of the clip."""
    lead = GENERATION.fall_lead * time_unit
    fall_time = max(motion.frames / motion.fps - lead, 2.0 / motion.fps)
    missing = task.frames - motion.frames
    padded = motion.take_frames(
        np.concatenate([np.arange(motion.frames), np.full(missing, motion.frames - 1)])
    )
    fallen = make_fall(task, FallStart(padded, fall_time, earliest_time=fall_time))
    note = (
        f"the body falls at {fall_time:.2f} s: what it meets there is more than its steps can "
        "catch. Make pushes weaker, the ground more even, the bends wider or the body slower"
    )
    return _with_notes(fallen, (note,))
