"""Start and stop of a task: walks to follow once, and where they are possible."""

from __future__ import annotations

import numpy as np

from ....errors import TaskError
from ....task import Task
from ..contact_ground import ContactGround
from ..followed_walk import TrackedBody
from ..path_ground import GROUND_STEP, LEVEL_RISE
from ..record import ChooseStep
from ..speed_changes import SpeedStepper
from ..start import start_steady
from ..task_checks import OTHER_ENGINES, measure_distance
from .plan import StandWalk, plan_start, plan_stop
from .stepper import STAND_STEPPER, StandStepper

# Length of the ground behind and before a stand that is checked [m], more than a foot.
STAND_ROOM = 0.4
# Place of the step from which a stop is planned, in strides from the begin of the plan, whose first
# contact is not read.
FIRST_STRIDE = 0.8


def make_stand_stepper(
    task: Task, body: TrackedBody, stepper: SpeedStepper, choose_step: ChooseStep
) -> StandStepper:
    """Return the choice of steps of a task with its start and its stop.

    Args:
        task: task.
        body: its body.
        stepper: walk between start and stop.
        choose_step: choice of the steps of this walk.

    Raises:
        TaskError: the ground is not level where the walker starts or stops.
    """
    scaled = body.scaled.task
    walk = stepper.find_walk()
    step_length = float(np.mean([gait.length for gait in walk.gait]))
    room = STAND_STEPPER.stop_steps * step_length
    begins = scaled.start == "standing"
    ends = scaled.stop_at_end and scaled.path.length < measure_distance(scaled) + room
    end = float(scaled.path.length)
    is_short = begins and ends and end < room + STAND_STEPPER.start_steps * step_length
    if begins:
        reach = (STAND_STEPPER.start_steps + 1) * step_length
        _check_level(task, stepper.ground, (-STAND_ROOM, reach), "starts from standing")
    if ends:
        first = max(end - room - step_length, -STAND_ROOM)
        _check_level(task, stepper.ground, (first, end + STAND_ROOM), "stops")
    start = None
    if begins:
        start = (
            plan_stop(task, body, walk.speed, end, begins_standing=True)
            if is_short
            else plan_start(task, body, walk.speed)
        )

    def plan(leg: int, left: float) -> StandWalk:
        return _plan_stop_from(task, body, stepper, leg, left)

    walker = walk.make_walker(body, stepper.ground)
    integral = start_steady(walker, walk.speed, 0.0).integral if start and not is_short else 0.0
    return StandStepper(
        walker,
        choose_step,
        step_length,
        start,
        plan_stop=plan if ends and not is_short else None,
        end=end,
        settled_integral=integral,
    )


def _plan_stop_from(
    task: Task, body: TrackedBody, stepper: SpeedStepper, leg: int, left: float
) -> StandWalk:
    """Return a walk to a stand with a step on a leg that is a distance from its end.

    The first steps of the plan are those of the walk that is followed, so the path is as long that
    one of them is where it is needed.

    Args:
        task: task.
        body: its body.
        stepper: walk before the stop.
        leg: that stands.
        left: distance of its ankle from the end of the path [m].
    """
    walk = stepper.find_walk()
    stride = sum(gait.length for gait in walk.gait)
    place = walk.steps[leg].origin.real
    place -= stride * np.floor(place / stride - FIRST_STRIDE)
    return plan_stop(task, body, walk.speed, float(place) + left)


def _check_level(task: Task, ground: ContactGround, span: tuple[float, float], verb: str) -> None:
    """Refuse ground that is not level and firm between two distances along the path [m].

    Raises:
        TaskError: it is not.
    """
    begin, end = span
    rest = ground.rest
    places = np.arange(begin, end, GROUND_STEP)
    heights = np.array([rest.locate(float(x)).height for x in places])
    line = ground.trace_surface(ground.make_state()[None])[0]
    is_moving = line.size and line[0, 0] < end and line[-1, 0] > begin
    has_gaps = ((rest.gaps[:, 0] < end) & (rest.gaps[:, 1] > begin)).any()
    if np.ptp(heights) <= LEVEL_RISE and not has_gaps and not is_moving:
        return
    first, last = (task.units.to_user_length(max(float(x), 0.0)) for x in span)
    raise TaskError(
        f"The ground is not level and firm from {first:.1f} to {last:.1f} m along the path, where "
        f"the engine 'tracker' {verb}. Move the path, set the start to 'moving' and switch off the "
        f"stop at the end, or {OTHER_ENGINES}."
    )
