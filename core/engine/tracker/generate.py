"""Generate motions with the tracker: input walk, constraints, simulation, whole body."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from ...errors import MotionError, TaskError
from ...motion import Motion
from ...task import Task
from ..base import Progress, StageClock
from .body_motion import WholeBodyMover
from .followed_walk import INPUT_DONE, SIMULATION_DONE, TrackedBody, WalkSeries
from .jumps.generate import generate_jumps, is_jumping
from .motion_recorder import MotionRecorder, list_trunk_pushes
from .policies.gap_walk import PolicyStepper
from .policies.stepping_policy import FootExtent
from .record import ChooseStep, WalkRecord, record_walk
from .speed_changes import SpeedStepper, list_speeds
from .stands.generate import make_stand_stepper
from .stands.plan import stand
from .stands.stepper import StandStepper
from .start import SETTLING, start_steady
from .task_checks import check_task, refuse_stands
from .walker import PlanarWalker
from .walker_state import WalkerState
from .yielding_ground import make_contact_ground

# Time that is simulated after the clip [s]; its last frames are between time steps and smoothed.
END_TIME = 0.1
# Mean speed of a walk that may be pushed, at most, relative to that of its task [1].
MOST_SPEED = 1.3


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
    body = TrackedBody.from_task(task)
    scaled = body.scaled
    if is_jumping(task):
        refuse_stands(task)
        result = generate_jumps(task, body, clock, progress)
    else:
        result = _generate_walk(task, body, clock, progress)
    clock.seconds["total"] = time.perf_counter() - start_time
    progress("full body", 1.0)
    notes = scaled.character.notes
    report = replace(result.report, seconds=clock.seconds, notes=notes)
    return scaled.scale.to_task_scale(replace(result, report=report))


def _generate_walk(task: Task, body: TrackedBody, clock: StageClock, progress: Progress) -> Motion:
    """Return a walk at human scale; see `generate`."""
    with clock.stage("sketch"):
        series = WalkSeries(task, body, list_speeds(body.scaled.task.speed))
        run = _TrackedRun(body.scaled.task, body, series)
        stepper = run.make_stepper()
        stands = make_stand_stepper(task, body, stepper, run.choose_steps(stepper))
    progress("sketch", INPUT_DONE)
    with clock.stage("simulate"):
        record = run.simulate(stepper, stands, progress)
    with clock.stage("fullbody"):
        return run.build(record, stepper, stands)


@dataclass(frozen=True)
class _TrackedRun:
    """Simulation of a task at human scale."""

    task: Task
    body: TrackedBody
    series: WalkSeries

    @property
    def heading(self) -> float:
        return float(self.task.path.heading_at(0.0))

    @property
    def reach(self) -> float:
        """Distance along the path that the walk may reach [m]."""
        farthest = MOST_SPEED * self.task.speed.max_speed * self.task.seconds + 1.0
        return min(farthest, self.task.path.length) if self.task.stop_at_end else farthest

    def make_stepper(self) -> SpeedStepper:
        """Return the walks by the speed of the task.

        Raises:
            TaskError: the style has no walk at the first speed, or the ground is impassable.
        """
        ground = make_contact_ground(self.task, self.reach)
        return SpeedStepper(self.task, self.body, ground, self.series)

    def choose_steps(self, stepper: SpeedStepper) -> ChooseStep:
        """Return what chooses each step: the speed, or a policy for gaps and steps of the ground.

        Raises:
            TaskError: the speed changes on a ground with gaps.
            MotionError: no steps lead over the gaps and steps.
        """
        ground = stepper.ground.rest
        changes = len(self.series.speeds) > 1
        if changes and len(ground.gaps):
            raise TaskError(
                "The speed changes and the ground has gaps; the engine 'tracker' steps over gaps "
                "at one speed. Give it one speed, or choose the engine 'preview'."
            )
        if changes or not (len(ground.gaps) or len(ground.steps)):
            return stepper
        walk = stepper.find_walk()
        foot = self.body.model.character.feet[0]
        extent = FootExtent(float(foot.heel[0]), float(foot.tip[0]))
        span = (-walk.speed * SETTLING.run_up - 1.0, self.reach)
        units = self.task.units
        return PolicyStepper.over_ground(self.body.biped, walk.steps, ground, extent, span, units)

    def simulate(
        self, stepper: SpeedStepper, stands: StandStepper, progress: Progress
    ) -> WalkRecord:
        """Return the walk in the plane.

        Raises:
            MotionError: the walker falls.
        """
        walker, state = self._start(stepper, stands)
        left = SIMULATION_DONE - INPUT_DONE
        heading = self.heading
        record = record_walk(
            walker,
            state,
            self.task.seconds + END_TIME,
            lambda state: list_trunk_pushes(self.task.pushes, self.body, heading, state.time),
            lambda share: progress("simulate", INPUT_DONE + left * max(share, 0.0)),
            stands,
        )
        if record.is_fallen:
            raise MotionError(self._describe_fall(record))
        return record

    def _start(
        self, stepper: SpeedStepper, stands: StandStepper
    ) -> tuple[PlanarWalker, WalkerState]:
        """Return the walker and its state at the begin: standing, or before the clip in stride."""
        if stands.start is not None:
            walker = stands.follow(stands.start, 0)
            return walker, stand(walker, stands.start)
        walk = stepper.find_walk()
        walker = walk.make_walker(self.body, stepper.ground)
        state = start_steady(walker, walk.speed, SETTLING.run_up, -SETTLING.run_up)
        return walker, state

    def _describe_fall(self, record: WalkRecord) -> str:
        units = self.task.units
        fall = units.to_user_time(float(record.time[-1]))
        distance = units.to_user_length(float(record.coordinates[-1, 0]))
        if fall < 0:
            return (
                "The walker cannot keep this walk: it falls before the clip begins. Choose another "
                "speed, stride or style, or the engine 'centroidal' or 'preview'."
            )
        return (
            f"The walker falls at {fall:.2f} s, {distance:.1f} m along the path. Make the "
            "pushes weaker, or choose another speed, stride or style, or the "
            "engine 'centroidal' or 'preview'."
        )

    def build(self, record: WalkRecord, stepper: SpeedStepper, stands: StandStepper) -> Motion:
        """Return the motion of the whole body in the clip."""
        times = np.arange(self.task.frames) / self.task.fps
        model = self.body.model
        cycle = stands.join_poses(stepper.changes)
        walk = WholeBodyMover(model, self.body.biped.side_view, cycle, record).place(times)
        surface = stepper.ground.trace_surface(record.sample_surface(times))
        footsteps = tuple(f for f in walk.footsteps if f.lift > 0)
        walk = replace(walk, footsteps=footsteps, surface=surface)
        return MotionRecorder(self.task, model, self.heading).record(walk)
