"""Generate series of broad jumps in a style that jumps."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ....clip import load_recipe
from ....errors import MotionError, TaskError
from ....motion import Motion
from ....task import Task
from ...base import Progress, StageClock
from ..followed_walk import INPUT_DONE, SIMULATION_DONE, TrackedBody, generate_input
from ..motion_recorder import MotionRecorder
from ..path_ground import PathGround
from ..simulation import PlanarSimulation
from ..task_checks import OTHER_ENGINES, sample_path_ground
from .body import JumpBodyMover
from .fit import fit_jumper
from .input_jump import InputJump
from .parameters import SPEED_RANGE
from .series import JumpSeries, record_jump_time

Array = NDArray[np.float64]

# Time that is simulated before the clip [s], and after it, each more than a jump and a landing.
RUN_UP_TIME = 2.0
END_TIME = 2.0
# Speed that differs this little from one in the range is in it [m/s].
ROUNDING = 1e-6
# Steepest slope up and down [rad], that on which the shapes of jumps were searched
# (`parameters.JUMP_SHAPES`).
MAX_GRADE = np.radians(3.0)


def is_jumping(task: Task) -> bool:
    """Return whether the feet land together in the style of a task."""
    return all(cycle.is_hop for cycle in load_recipe(task.recipe).cycles)


def generate_jumps(task: Task, body: TrackedBody, clock: StageClock, progress: Progress) -> Motion:
    """Return jumps at human scale.

    Args:
        task: task with a style that `is_jumping`.
        body: its body.
        clock: measures the stages.
        progress: called with the stage and the share done of the whole.

    Raises:
        TaskError: the task requests what the engine cannot do in jumps.
        MotionError: the body falls.
    """
    run = _JumpRun(task, body, _check_jump_task(body.scaled.task))
    with clock.stage("sketch"):
        jump = InputJump.from_motion(generate_input(task, body.scaled, run.speed), body.model)
    progress("sketch", INPUT_DONE)
    with clock.stage("simulate"):
        series = run.simulate(progress)
    with clock.stage("fullbody"):
        return run.build(jump, series)


@dataclass(frozen=True)
class _JumpRun:
    """Simulation of a task whose body jumps.

    Args:
        task: task.
        body: its body.
        ground: along its path.
    """

    task: Task
    body: TrackedBody
    ground: PathGround

    @property
    def speed(self) -> float:
        """Mean speed at human scale [m/s]."""
        return float(self.body.scaled.task.speed.values[0])

    def simulate(self, progress: Progress) -> JumpSeries:
        """Return the jumps in the plane.

        Raises:
            MotionError: the body falls.
        """
        scaled = self.body.scaled.task
        simulation = PlanarSimulation(self.body.biped, self.ground, scaled.friction)
        jumper = fit_jumper(simulation, self.speed)
        left = SIMULATION_DONE - INPUT_DONE
        series = record_jump_time(
            jumper,
            jumper.start(jumper.goal.shape.rate, -RUN_UP_TIME * self.speed, -RUN_UP_TIME),
            scaled.seconds + END_TIME,
            lambda share: progress("simulate", INPUT_DONE + left * share),
        )
        if series.is_fallen:
            fall = scaled.units.to_user_time(float(series.time[-1]))
            raise MotionError(
                f"The body falls at {max(fall, 0.0):.2f} s. Choose another speed, or "
                "the engine 'centroidal'."
            )
        return series

    def build(self, jump: InputJump, series: JumpSeries) -> Motion:
        """Return the motion of the whole body in the clip."""
        task = self.body.scaled.task
        times = np.arange(task.frames) / task.fps
        placed = JumpBodyMover(self.body.model, self.body.biped, jump, series).place(times)
        footsteps = tuple(f for f in placed.footsteps if f.lift > 0 and f.strike < times[-1])
        heading = float(task.path.heading_at(0.0))
        recorder = MotionRecorder(task, self.body.model, heading)
        return recorder.record(replace(placed, footsteps=footsteps))


def _check_jump_task(task: Task) -> PathGround:
    """Return the ground of a task at human scale whose body is to jump.

    Raises:
        TaskError: the task requests what the engine cannot do in jumps.
    """
    speeds = task.speed.values
    low, high = SPEED_RANGE
    if np.ptp(speeds) > 0 or not low - ROUNDING <= speeds[0] <= high + ROUNDING:
        units = task.units
        scale = units.to_user_length(1.0) / units.to_user_time(1.0)
        raise TaskError(
            f"The engine 'tracker' jumps at one speed between {scale * low:.2f} and "
            f"{scale * high:.2f} m/s. Give the task such a speed, or choose the engine "
            "'centroidal'."
        )
    if task.pushes:
        raise TaskError(
            "A body that jumps feels no pushes with the engine 'tracker'. Take out the pushes, or "
            f"choose a style that walks, or {OTHER_ENGINES}."
        )
    if task.stride_length is not None:
        raise TaskError(
            "The engine 'tracker' determines how far a body jumps by its speed. Take out the "
            "stride, or choose the engine 'centroidal'."
        )
    ground = sample_path_ground(task, float(speeds[0]) * (task.seconds + END_TIME) + 1.0)
    grade = np.diff(ground.heights) / ground.step
    if len(ground.gaps) or np.abs(grade).max() > np.tan(MAX_GRADE):
        raise TaskError(
            "The ground is too uneven for jumps; the engine 'tracker' jumps up and down at most "
            f"{np.degrees(MAX_GRADE):.0f} degrees. Flatten the ground, or {OTHER_ENGINES}."
        )
    return ground
