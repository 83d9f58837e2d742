"""Ledges across the way that no step takes: the body comes up to them, and leaps down or climbs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...geometry.planar import heading_axes, wrap_angle
from ...slip.command import StepGoal
from .goal import FIRST_STEP_RATIO, MAX_WALK_SPEED_LEAD, START_SPEED, GoalSource
from .ledges import (
    MAX_OBLIQUE_ANGLE,
    PASSED_LENGTH,
    Ledge,
    find_first_ledge,
)
from .loop import ControlLoop
from .maneuvers.climb import Climb
from .maneuvers.jump_down import JumpDown
from .maneuvers.ledge_crossing import LedgeCrossing

Array = NDArray[np.float64]
REFRESH_DISTANCE = 0.2  # m after which they are looked for again
TOE_MARGINS = (0.04, 0.20)  # m that toes stay from the edge of a drop, and from a rise
LAST_STEP_TOLERANCE = 0.14  # m that the last foot may be off its place
# m that the body may fall away from the foot it stands on, to the free one's side, to climb
INWARD_CAPTURE_RANGE = (0.01, 0.12)

# m of a step that leads up to one, and how much longer than of themselves steps may be there
MIN_APPROACH_STEP_LENGTH = 0.3
MAX_STEP_LENGTHENING = 1.1

MAX_APPROACH_SPEED = 1.2  # m/s at which the body comes up to one


class LedgeApproach:
    """Turns wishes into those of a body that comes up to a ledge, and begins what it does there.

    Args:
        goal_source: the way.
        loop: the body.
    """

    def __init__(self, goal_source: GoalSource, loop: ControlLoop) -> None:
        self._goal_source = goal_source
        self._loop = loop
        # along which path, and where on it, was looked last
        self._search_key: tuple[object, float] = (None, -np.inf)
        self._ledge: Ledge | None = None

    def modify_goal(self, step_goal: StepGoal, time: float) -> StepGoal:
        """The wish for one instant, s of the clip."""
        goal_source = self._goal_source
        loop = self._loop
        if (
            goal_source.ground_height is None
            or loop.maneuver is not None
            or step_goal.gait == "stand"
            or goal_source.task.facing_offset.values.any()
        ):
            return step_goal
        path, station = self._search_key
        if (
            goal_source.task.path is not path
            or abs(goal_source.station - station) > REFRESH_DISTANCE
        ):
            self._ledge = find_first_ledge(goal_source, goal_source.ground_height)
            self._search_key = (goal_source.task.path, goal_source.station)
        ledge = self._ledge
        if ledge is None or ledge.station - goal_source.station < -PASSED_LENGTH:
            return step_goal
        forward, _ = heading_axes(ledge.heading)
        phase_machine = loop.phase_machine
        foot = loop.body_state.foot_frames.place[loop.phase_machine.stance_foot]
        last_place = (
            ledge.place
            - (TOE_MARGINS[int(ledge.rise > 0)] + loop.slip_body.foot_extent[0]) * forward
        )
        distance_left = float((last_place - foot[:2]) @ forward)
        if distance_left < -LAST_STEP_TOLERANCE:  # the body is past it
            return step_goal
        if distance_left < LAST_STEP_TOLERANCE and self._is_ready(ledge):
            maneuver_type = Climb if ledge.rise > 0 else JumpDown
            loop.maneuver = maneuver_type(
                LedgeCrossing(
                    loop.body,
                    phase_machine.stance_foot,
                    ledge.place,
                    ledge.heading,
                    ledge.height_beyond,
                    loop.slip_body.gravity,
                )
            )
            return step_goal
        step_length, step_time = self._choose_step(max(time, 0.0))
        # off it with a step as on level ground
        if distance_left < LAST_STEP_TOLERANCE and ledge.rise < 0:
            return replace(
                step_goal,
                gait="walk",
                step_length=step_length,
                step_time=step_time,
                allows_heel_rise=False,
                foothold_distance=None,
                ground_height=None,
            )
        # steps of one length lead a foot to its last place before the ledge
        count = max(
            int(
                np.ceil(
                    distance_left
                    / max(MAX_STEP_LENGTHENING * step_length, MIN_APPROACH_STEP_LENGTH)
                )
            ),
            1,
        )
        return replace(
            step_goal,
            gait="walk",
            step_length=max(distance_left / count, MIN_APPROACH_STEP_LENGTH),
            step_time=step_time,
            allows_heel_rise=False,
            foothold_distance=_make_foothold_distance(
                last_place, forward, count == 1, self._goal_source.foothold_distance
            ),
        )

    def _is_ready(self, ledge: Ledge) -> bool:
        """Whether the body stands on one foot, across the edge;
        before a rise also that it can be on both feet next.
        """
        loop = self._loop
        stance_foot = self._loop.phase_machine.stance_foot
        if (
            loop.phase_machine.support != "single"
            or abs(wrap_angle(loop.heading - ledge.heading)) > MAX_OBLIQUE_ANGLE
        ):
            return False
        now = loop.body_state
        _, left = heading_axes(ledge.heading)
        capture_point = now.com + now.com_velocity / np.sqrt(
            loop.slip_body.gravity / loop.body.com_height
        )
        inward = float((now.foot_frames.place[stance_foot] - capture_point)[:2] @ left) * (
            1.0 - 2.0 * stance_foot
        )
        return ledge.rise < 0 or INWARD_CAPTURE_RANGE[0] < inward < INWARD_CAPTURE_RANGE[1]

    def _choose_step(self, time: float) -> tuple[float, float]:
        """Length and duration of a step at a speed that the body can have, m and s."""
        current_speed = float(np.linalg.norm(self._loop.body_state.com_velocity[:2]))
        phase_machine = self._loop.phase_machine
        speed = min(
            float(self._goal_source.task.speed.value_at(time)),
            MAX_APPROACH_SPEED,
            max(START_SPEED, current_speed + MAX_WALK_SPEED_LEAD),
        )
        step_length, step_time = self._goal_source.compute_step(speed, time)
        return (
            FIRST_STEP_RATIO * step_length if phase_machine.is_setting_off else step_length,
            step_time,
        )


def _make_foothold_distance(
    last_place: Array,
    forward: Array,
    is_last_step: bool,
    foothold_distance: Callable[[Array, Array], Array] | None,
) -> Callable[[Array, Array], Array]:
    """How far feet are from standing well before a ledge: at their last place, or anywhere before
    it. As `StepGoal` has it.
    """

    def compute_foothold_error(places: Array, headings: Array) -> Array:
        overshoot = (places - last_place) @ forward
        if is_last_step:
            return np.abs(overshoot)
        return np.maximum(
            overshoot, 0.0 if foothold_distance is None else foothold_distance(places, headings)
        )

    return compute_foothold_error
