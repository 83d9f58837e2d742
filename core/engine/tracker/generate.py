"""Generate motions with the tracker: input walk, constraints, simulation, whole body."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel, LinkPoses
from ...errors import MotionError
from ...fullbody.foot_path import FootPath, FootSupport
from ...fullbody.toes import SoleMotion, place_sole
from ...geometry import so3
from ...motion import Motion, Report
from ...task import Path, SpeedProfile, Task
from ..base import Progress, StageClock
from ..centroidal.generate import generate as generate_planned
from ..shared.character import load_task_character
from ..shared.motion_builder import (
    SOLE_POINT_NAMES,
    FrameSeries,
    LimbContacts,
    MotionBuilder,
    PushSeries,
)
from ..shared.scaling import HumanScaleTask, Scale, to_human_scale
from .biped import CENTER, PlanarBiped
from .body_motion import BodyMover, PlacedWalk
from .constraints import fit_walk
from .forces import BodyMotion, compute_contact_forces
from .ground_gaits import GroundGaits
from .input_cycle import InputCycle
from .input_walk import SagittalWalk, StepSamples, read_steps
from .policies.gap_walk import GapStepper
from .policies.stepping_policy import FootExtent
from .record import ChooseStep, WalkRecord, keep_step, record_walk
from .side_view import SideView
from .simulation import Simulation
from .start import start_steady
from .task_checks import check_task, find_push_place, sample_path_ground
from .walker import TrunkPush, Walker, WalkerState

Array = NDArray[np.float64]

# Length of the input walk at human scale [s], and its frame rate [1/s].
INPUT_TIME = 3.4
INPUT_FPS = 60.0
# Time that is simulated before the clip [s].
RUN_UP_TIME = 1.5
# Share of the friction that forces use.
FRICTION_SHARE = 0.9
# Shares of the progress at which the input walk and the simulation are done.
INPUT_DONE = 0.3
SIMULATION_DONE = 0.8


def generate(task: Task, progress: Progress = lambda stage, share: None) -> Motion:
    """Return the motion of a task.

    Args:
        task: task.
        progress: called with the stage and the share done of the whole; may raise an exception
            to stop.

    Raises:
        TaskError: the task requests what the engine cannot do.
        MotionError: the walker falls.
    """
    check_task(task)
    clock = StageClock()
    start_time = time.perf_counter()
    character = load_task_character(task)
    scaled = to_human_scale(task, character)
    model = KinematicModel(scaled.character)
    view = SideView.from_model(model)
    with clock.stage("sketch"):
        motion = _make_input_walk(task, scaled)
        steps = read_steps(SagittalWalk.from_motion(motion, scaled.character), view)
        biped = PlanarBiped(view, scaled.task.gravity)
        gait = fit_walk(biped, steps)
    progress("sketch", INPUT_DONE)
    run = _Run(scaled.task, model, view, InputCycle.from_motion(motion, model, biped, steps))
    with clock.stage("simulate"):
        ground = sample_path_ground(scaled.task, run.reach)
        walker = Walker(
            Simulation(biped, ground, scaled.task.friction),
            gait,
            ground_gaits=GroundGaits(biped, steps),
            sees_ground=True,
        )
        record = run.simulate(walker, run.plan_steps(walker, steps), progress)
    with clock.stage("fullbody"):
        result = run.build(record, biped)
    clock.seconds["total"] = time.perf_counter() - start_time
    progress("full body", 1.0)
    report = replace(result.report, character=character.name, seconds=clock.seconds)
    return scaled.scale.to_task_scale(
        replace(result, report=replace(report, notes=character.notes))
    )


def _make_input_walk(task: Task, scaled: HumanScaleTask) -> Motion:
    """Return a walk of the planned engine on level ground along x, at human scale."""
    scale = scaled.scale
    speed = float(task.speed.values[0])
    seconds = INPUT_TIME * scale.time
    walk = Task(
        Path([[0.0, 0.0], [2 * speed * seconds, 0.0]]),
        SpeedProfile(speed),
        style=task.style,
        upper_style=task.upper_style,
        mixed_styles=task.mixed_styles,
        knobs=task.knobs,
        stride_length=task.stride_length,
        seconds=seconds,
        fps=INPUT_FPS / scale.time,
        gravity=task.gravity,
        mass=task.mass,
        character=task.character,
    )
    motion = generate_planned(walk)
    return Scale(1 / scale.length, 1 / scale.time).to_task_scale(motion)


@dataclass(frozen=True)
class _Run:
    """Simulation of a task at human scale, and what it needs for the whole body."""

    task: Task
    model: KinematicModel
    view: SideView
    cycle: InputCycle

    @property
    def speed(self) -> float:
        return float(self.task.speed.values[0])

    @property
    def reach(self) -> float:
        """Distance along the path that the walk may reach [m]."""
        return 1.3 * self.speed * self.task.seconds + 1.0

    @property
    def heading(self) -> float:
        return float(self.task.path.heading_at(0.0))

    def plan_steps(self, walker: Walker, steps: tuple[StepSamples, ...]) -> ChooseStep:
        """Return what chooses each step: the walk itself, or a policy where the ground has gaps.

        Raises:
            MotionError: no steps lead over the gaps.
        """
        gaps = walker.simulation.ground.gaps
        if not len(gaps):
            return keep_step
        foot = self.model.character.feet[0]
        extent = FootExtent(float(foot.heel[0]), float(foot.tip[0]))
        span = (-self.speed * RUN_UP_TIME - 1.0, self.reach)
        return GapStepper.over_gaps(walker.biped, steps, gaps, extent, span, self.task.units)

    def simulate(self, walker: Walker, choose_step: ChooseStep, progress: Progress) -> WalkRecord:
        """Return the walk in the plane.

        Args:
            walker: walker.
            choose_step: see `record_walk`.
            progress: see `generate`.

        Raises:
            MotionError: the walker falls.
        """
        record = record_walk(
            walker,
            start_steady(walker, self.speed, RUN_UP_TIME),
            RUN_UP_TIME + self.task.seconds + 0.1,
            lambda state: self._list_pushes(walker.biped, state),
            lambda share: progress("simulate", INPUT_DONE + (SIMULATION_DONE - INPUT_DONE) * share),
            choose_step,
        )
        if record.is_fallen:
            units = self.task.units
            fall = units.to_user_time(max(float(record.time[-1]) - RUN_UP_TIME, 0.0))
            distance = units.to_user_length(float(record.coordinates[-1, 0]))
            raise MotionError(
                f"The walker falls at {fall:.2f} s, {distance:.1f} m along the path. Make the "
                "pushes weaker, or choose another speed, stride or style, or the "
                "engine 'centroidal' or 'preview'."
            )
        return record

    def _list_pushes(self, biped: PlanarBiped, state: WalkerState) -> list[TrunkPush]:
        """Return the pushes that act in a state."""
        time = state.time - RUN_UP_TIME
        out = []
        for push in self.task.pushes:
            share = _find_push_share(np.array([time]), push.time, push.seconds)[0]
            if share == 0.0:
                continue
            force = np.asarray(push.force)
            forward = np.array([np.cos(self.heading), np.sin(self.heading)])
            planar = share * np.array([force[:2] @ forward, force[2]])
            place = find_push_place(self.model, push.body_part)
            if place is None:
                out.append(TrunkPush(planar, biped.points[CENTER]))
            else:
                out.append(TrunkPush.on_trunk(biped, planar, place))
        return out

    def build(self, record: WalkRecord, biped: PlanarBiped) -> Motion:
        """Return the motion of the whole body in the clip."""
        times = np.arange(self.task.frames) / self.task.fps
        walk = BodyMover(self.model, self.view, self.cycle, record).place(times + RUN_UP_TIME)
        walk = replace(
            walk,
            times=times,
            footsteps=tuple(
                replace(
                    f,
                    strike=f.strike - RUN_UP_TIME,
                    flat=f.flat - RUN_UP_TIME,
                    heel_off=f.heel_off - RUN_UP_TIME,
                    lift=f.lift - RUN_UP_TIME,
                )
                for f in walk.footsteps
                if f.lift > RUN_UP_TIME
            ),
        )
        return _Recorder(self.task, self.model, self.heading).record(walk)


def _find_push_share(times: Array, begin: float, seconds: float) -> Array:
    """Return the share of its peak that a push has at times [s], shape (n,)."""
    u = (times - begin) / seconds
    return np.clip(np.minimum(4 * u, 4 * (1 - u)), 0.0, 1.0)


@dataclass(frozen=True)
class _LoadedSoles:
    """Heel and ball of both feet over n frames.

    Attributes:
        places: [m], shape (n, 4, 3).
        active: whether they rest, shape (n, 2, 2).
    """

    places: Array
    active: NDArray[np.bool_]

    @staticmethod
    def from_feet(soles: list[SoleMotion], feet: list[FootPath]) -> _LoadedSoles:
        return _LoadedSoles(
            np.concatenate([s.points[:, :2] for s in soles], 1),
            np.stack([_find_active(path) for path in feet], 1),
        )


@dataclass(frozen=True)
class _Recorder:
    """Conversion of a walk in the frame of its path to a motion in world axes."""

    task: Task
    model: KinematicModel
    heading: float

    def record(self, walk: PlacedWalk) -> Motion:
        """Return the motion."""
        turn = so3.rotation_about("z", self.heading)
        shift = np.append(self.task.path.points[0], 0.0)
        poses, reference = (self._turn_poses(p, turn, shift) for p in (walk.poses, walk.reference))
        feet = [_turn_foot_path(path, turn, shift) for path in walk.feet]
        placed = self.model.compute_link_poses(poses)
        soles = self._place_soles(placed, feet)
        pushes = self._sum_pushes(walk.times, placed.com)
        loaded = _LoadedSoles.from_feet(soles, feet)
        body = BodyMotion(
            walk.times,
            poses,
            placed.com,
            soles=loaded.places,
            active=loaded.active.reshape(len(poses), 4),
            footsteps=walk.footsteps,
            pushes=pushes,
        )
        friction = FRICTION_SHARE * self.task.friction
        forces = compute_contact_forces(self.model, body, self.task.gravity, friction)
        contacts = tuple(
            self._make_contacts(leg, sole.points, loaded.active[:, leg], forces[:, leg])
            for leg, sole in enumerate(soles)
        )
        speed = float(self.task.speed.values[0])
        series = FrameSeries(
            placed,
            contacts,
            pushes,
            planned_com=walk.com @ turn.T + shift,
            goal_velocity=np.tile(speed * turn[:, 0], (len(poses), 1)),
            reference_rotation=self.model.compute_link_poses(reference).rotation,
            toe_orientation=_collect_toes(soles),
            relaxed=np.zeros(len(poses), bool),
        )
        footsteps = tuple(
            replace(f, position=turn @ f.position + shift, rotation=turn @ f.rotation)
            for f in walk.footsteps
        )
        return MotionBuilder(self.task, self.model).build(series, footsteps, self._make_report())

    def _place_soles(self, placed: LinkPoses, feet: list[FootPath]) -> list[SoleMotion]:
        return [
            place_sole(
                foot,
                path,
                placed.origin[:, foot.link],
                rotation=placed.rotation[:, foot.link],
                ground=self.task.ground,
            )
            for foot, path in zip(self.model.character.feet, feet, strict=True)
        ]

    def _make_report(self) -> Report:
        return Report(
            self.task.name,
            "tracker",
            self.model.character.name,
            seed=self.task.seed,
            clip_seconds=self.task.seconds,
            seconds={},
        )

    def _turn_poses(self, poses: Array, turn: Array, shift: Array) -> Array:
        out = poses.copy()
        out[:, :3] = poses[:, :3] @ turn.T + shift
        out[:, 3:7] = so3.quat_multiply(so3.quat_from_matrix(turn)[None], poses[:, 3:7])
        return out

    def _make_contacts(
        self, leg: int, points: Array, active: NDArray[np.bool_], force: Array
    ) -> LimbContacts:
        character = self.model.character
        link = character.links[character.feet[leg].link].name
        count = len(points)
        return LimbContacts(
            character.legs[leg].name,
            tuple(f"{link}/{name}" for name in SOLE_POINT_NAMES),
            position=points,
            active=np.concatenate([active, np.zeros((count, 1), bool)], 1),
            force=np.concatenate([force * active[..., None], np.zeros((count, 1, 3))], 1),
        )

    def _sum_pushes(self, times: Array, com: Array) -> PushSeries:
        force = np.zeros((len(times), 3))
        point = com.copy()
        for push in self.task.pushes:
            share = _find_push_share(times, push.time, push.seconds)
            force += share[:, None] * np.asarray(push.force)
            place = find_push_place(self.model, push.body_part)
            if place is not None:
                point[share > 0] += [0.0, 0.0, place.imag]
        return PushSeries(force, point, np.zeros_like(force))


def _collect_toes(soles: list[SoleMotion]) -> Array:
    """Return the quaternions of the toes, shape (n, legs, 4)."""
    return np.stack([so3.quat_unwrap(so3.quat_from_matrix(s.toes)) for s in soles], 1)


def _find_active(path: FootPath) -> NDArray[np.bool_]:
    """Return whether heel and ball rest, shape (n, 2)."""
    is_flat = path.support == FootSupport.FLAT
    return np.stack(
        [
            is_flat | (path.support == FootSupport.HEEL),
            is_flat | (path.support == FootSupport.BALL),
        ],
        1,
    )


def _turn_foot_path(path: FootPath, turn: Array, shift: Array) -> FootPath:
    return replace(
        path,
        rotation=turn @ path.rotation,
        origin=path.origin @ turn.T + shift,
        rest_rotation=turn @ path.rest_rotation,
        heel=path.heel @ turn.T + shift,
        pivot=path.pivot @ turn.T + shift,
    )
