"""Generate motions with the adaptive engine: simulate a controller along the path of a task."""

from __future__ import annotations

import time as clock_time
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...errors import TaskError
from ...motion import Motion, Report
from ...task import Push, Task
from ..base import Progress
from ..centroidal.run_up import RunUp, with_run_up
from ..safety.fall import FallStart, make_fall
from ..shared.character import load_task_character
from ..shared.disturbances import find_pushed_link
from ..shared.scaling import REFERENCE_GRAVITY, Scale
from .biped import ScaledBiped, scale_to_reference
from .biped_model import build_biped_model
from .external_forces import ExternalForces, PushForce
from .ground_sampling import sample_ground
from .parameters import ControllerParameters
from .planner import Timing
from .recording import ClipFrames, WalkRecorder, list_part_origins
from .shipped import load_shipped_controller
from .start import Start
from .steering import PathFollower, check_path
from .walker import Walker

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GenerationParameters:
    """How a task is simulated, in the units of the controllers.

    Args:
        substep: time step of the physics, about [s].
        half_cycle_time: duration of half a cycle of the training, about [s].
        run_up: walk before the clip, in which the gait settles [s].
        fall_lead: time before a fall counts at which loose joints take over [s].
        push_ramp: share of a push in which its force rises, and in which it falls.
    """

    substep: float = 1 / 490
    half_cycle_time: float = Timing().half_cycle_time
    run_up: float = 3.4
    fall_lead: float = 0.3
    push_ramp: float = 0.25


GENERATION = GenerationParameters()


@dataclass(frozen=True)
class _Prepared:
    """A task in the units of the controllers.

    Args:
        task: with a run-up.
        scaled: its body.
        scale: back to the task.
        run_up: how the clip is cut out.
        timing: of the controller, with an instant at each frame.
        substeps_per_frame: instants from one frame to the next.
    """

    task: Task
    scaled: ScaledBiped
    scale: Scale
    run_up: RunUp
    timing: Timing
    substeps_per_frame: int


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
    controller = load_shipped_controller()
    motion = simulate_task(task, controller.parameters, progress)
    total = clock_time.perf_counter() - start_time
    seconds = {"sketch": 0.0, "plan": 0.0, "fullbody": 0.0, "simulate": total, "total": total}
    return replace(motion, report=replace(motion.report, seconds=seconds))


def simulate_task(
    task: Task,
    parameters: ControllerParameters,
    progress: Progress = lambda stage, share: None,
    helper_limit: float = 0.0,
) -> Motion:
    """Return the motion of a task with given parameters of the controller.

    Args:
        task: task.
        parameters: of the controller.
        progress: see `generate`.
        helper_limit: largest helper force, to see a controller in training [N].

    Raises:
        TaskError: the task requests what the controllers cannot do.
        CharacterError: the body does not walk on two legs.
    """
    prepared = _prepare(task)
    inner = prepared.task
    distance = float(np.max(inner.speed.values)) * inner.seconds
    check_path(inner, prepared.timing)
    _check_end(inner)
    run_up_length = float(inner.speed.value_at(0.0)) * prepared.run_up.seconds
    ground = sample_ground(inner, distance, run_up_length)
    model = build_biped_model(prepared.scaled.biped, ground, prepared.timing.substep)
    follower = PathFollower(inner, prepared.timing.half_cycle_time)
    walker = Walker(
        model,
        parameters,
        ground,
        follower.find_goal,
        timing=prepared.timing,
        forces=ExternalForces(helper_limit, _convert_pushes(inner, prepared.scaled)),
    )
    start = inner.path.points[0]
    walker.begin(
        Start(
            float(inner.speed.value_at(0.0)) * 0.85,
            position=(float(start[0]), float(start[1])),
            heading=float(inner.path.heading_at(0.0)),
        )
    )
    recorder = WalkRecorder(prepared.scaled, walker, ground)
    per_frame = prepared.substeps_per_frame
    clip = ClipFrames(
        prepared.run_up.frames * per_frame, per_frame, inner.frames - prepared.run_up.frames
    )
    needed = clip.first + per_frame * clip.count + prepared.timing.substeps
    while recorder.count < needed and not walker.has_fallen:
        walker.advance(recorder.observe)
        progress("simulate", min(recorder.count / needed, 0.99))
    motion = _finish(task, prepared, recorder, clip, has_fallen=walker.has_fallen)
    progress("simulate", 1.0)
    return motion


def _prepare(task: Task) -> _Prepared:
    """Convert a task to the units of the controllers, and put a run-up before it.

    Raises:
        TaskError: it begins standing.
    """
    if task.start == "standing":
        raise TaskError(
            "The engine 'adaptive' cannot begin from standing; set the start to 'moving', or "
            "choose another engine."
        )
    if task.stride_length is not None:
        raise TaskError(
            "The engine 'adaptive' cannot do a stride length: its steps follow from the speed. "
            "Take it out, or choose another engine."
        )
    scaled = scale_to_reference(load_task_character(task))
    length = scaled.length
    time = float(np.sqrt(length * REFERENCE_GRAVITY / task.gravity))
    converted = replace(task.in_units(length, time), gravity=REFERENCE_GRAVITY)
    extended = with_run_up(converted, GENERATION.run_up)
    frame_time = 1.0 / converted.fps
    per_frame = max(round(frame_time / GENERATION.substep), 1)
    substep = frame_time / per_frame
    substeps = Timing().substeps
    timing = Timing(substep, substeps, round(GENERATION.half_cycle_time / (substep * substeps)))
    return _Prepared(
        extended.task,
        scaled,
        Scale(length, time),
        extended.run_up,
        timing=timing,
        substeps_per_frame=per_frame,
    )


def _check_end(task: Task) -> None:
    """Refuse a clip in which the body would have to stop.

    Raises:
        TaskError: the path ends before the clip.
    """
    times = np.linspace(0.0, task.seconds, 400)
    distance = float(np.trapezoid(task.speed.value_at(times), times))
    if task.stop_at_end and distance > task.path.length:
        units = task.units
        raise TaskError(
            f"The path ends before the clip, after {units.to_user_length(task.path.length):.1f} m, "
            "and the engine 'adaptive' cannot stop. Make the path longer, the clip shorter, or "
            "let the body walk on at the end."
        )


def _convert_pushes(task: Task, scaled: ScaledBiped) -> tuple[PushForce, ...]:
    """Return the pushes of a task as forces on the parts of the biped."""
    return tuple(_convert_push(push, scaled) for push in task.pushes)


def _convert_push(push: Push, scaled: ScaledBiped) -> PushForce:
    link = find_pushed_link(scaled.character, push.body_part)
    force = np.asarray(push.force) * scaled.biped.mass_scale
    if link is None:
        return PushForce(push.time, push.end, force, part=1, ramp=GENERATION.push_ramp)
    part = next(k for k, links in enumerate(scaled.part_links) if link in links)
    biped = scaled.biped
    joint = scaled.character.neutral_joint_position(link) + [0, 0, scaled.character.root_height]
    return PushForce(
        push.time,
        push.end,
        force,
        part=part,
        point=joint - list_part_origins(biped)[part],
        ramp=GENERATION.push_ramp,
    )


def _finish(
    task: Task, prepared: _Prepared, recorder: WalkRecorder, clip: ClipFrames, *, has_fallen: bool
) -> Motion:
    """Return the motion in the units of the task; a body that has fallen lies until the end."""
    per_frame = clip.per_frame
    available = (recorder.count - 1 - clip.first) // per_frame
    if available < 2:
        raise TaskError(
            "The body falls before the clip begins: the ground there is more than its steps can "
            "follow. Begin the path on more even ground, or choose another engine."
        )
    kept = replace(clip, count=min(clip.count, available))
    report = Report(
        task.name,
        "adaptive",
        prepared.scaled.character.name,
        seed=task.seed,
        clip_seconds=prepared.task.seconds,
        seconds={},
        notes=prepared.scaled.character.notes,
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
    motion = prepared.scale.to_task_scale(motion)
    mesh = task.ground.to_mesh()
    if mesh is not None:
        motion = replace(motion, terrain_vertices=mesh.vertices, terrain_triangles=mesh.triangles)
    if not has_fallen:
        return motion
    return _let_fall(task, motion, prepared.scale.time)


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
        "catch. Make pushes weaker, the ground more even or the bends wider"
    )
    return replace(fallen, report=replace(fallen.report, notes=(*fallen.report.notes, note)))
