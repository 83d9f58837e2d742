"""Approach to a ledge: steps that lead up to its edge, and the maneuver that begins there."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...geometry.planar import heading_axes, wrap_angle
from ...simulate import SimulatedBody
from ...slip.body import SlipBody
from ...slip.command import FootholdDistance, StepGoal
from ...task import Path
from .goal_modifiers import GoalView
from .ground.foothold_field import FOOTHOLDS
from .ledges import LEDGES, Ledge, find_first_ledge
from .maneuvers.base import Maneuver
from .maneuvers.climb import Climb
from .maneuvers.jump_down import JumpDown
from .maneuvers.ledge_crossing import LedgeCrossing
from .path_view import PathView
from .speed_choice import limit_speed
from .steps import STEPS, StepSize, choose_step_size

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ApproachParameters:
    """Steps up to a ledge, and the state in which a maneuver begins."""

    # Distance along the path after which ledges are searched again [m]; a search covers 2.5 m, and
    # one in each control step would take long.
    refresh_distance: float = 0.2
    # Distance of the toes before a rise [m]. tuned: the knee of the leg that steps up struck it
    rise_toe_margin: float = 0.20
    # Distance of the last foot from its place up to which the maneuver may begin [m]: half of the
    # shortest step (`STEPS.min_adapted_length`), since the next one would be too far.
    last_step_tolerance: float = 0.14
    # Least distance of the capture point from the stance foot to its inner side, to climb [m]:
    # outside of the foot the other one would have to cross it.
    min_inward_capture: float = 0.01
    # Largest such distance [m], so that the body falls to where the other foot comes down.
    max_inward_capture: float = 0.12
    # Factor by which steps may be longer than usual [1], so that a rest of less than a tenth of a
    # step makes no short step.
    max_lengthening: float = 1.1
    # Largest speed [m/s], below that of a walk in table 1, 1.25: equal steps up to an edge are
    # shorter than those of its speed.
    max_speed: float = 1.2


APPROACH = ApproachParameters()


@dataclass(frozen=True)
class _LedgeSearch:
    """Where a ledge was searched, and which one was detected."""

    path: Path
    station: float
    ledge: Ledge | None


@dataclass(frozen=True)
class _LastStep:
    """Last foothold before a ledge.

    Attributes:
        place: (2,) middle of the foot [m].
        forward: (2,) direction across the edge.
        distance_left: distance of the stance foot before it [m].
    """

    place: Array
    forward: Array
    distance_left: float

    @property
    def is_reached(self) -> bool:
        """Whether the stance foot is there."""
        return self.distance_left < APPROACH.last_step_tolerance

    @property
    def is_passed(self) -> bool:
        """Whether the stance foot is beyond it."""
        return self.distance_left < -APPROACH.last_step_tolerance


class LedgeApproach:
    """Leads a body up to a ledge.

    Attributes:
        due_maneuver: maneuver that begins at this control step; None at most steps.
    """

    def __init__(self, body: SimulatedBody, slip_body: SlipBody) -> None:
        self.due_maneuver: Maneuver | None = None
        self._body = body
        self._slip_body = slip_body
        self._search: _LedgeSearch | None = None

    def modify_goal(self, step_goal: StepGoal, view: GoalView) -> StepGoal:
        """Return the goal of a step up to the ledge ahead."""
        self.due_maneuver = None
        if (
            view.path.ground_height is None
            or view.is_in_maneuver
            or step_goal.gait == "stand"
            or view.path.is_turned
        ):
            return step_goal
        ledge = self._find_ledge(view.path)
        if ledge is None or ledge.station - view.path.station < -LEDGES.passed_length:
            return step_goal
        last_step = self._find_last_step(ledge, view)
        if last_step.is_passed:
            return step_goal
        if last_step.is_reached and self._is_ready(ledge, view):
            self.due_maneuver = self._make_maneuver(ledge, view.stance_foot)
            return step_goal
        size = _choose_step_size(view)
        if last_step.is_reached and ledge.rise < 0:
            return _make_level_step(step_goal, size)
        return _make_approach_step(step_goal, size, last_step, view.path.foothold_distance)

    def _find_ledge(self, path_view: PathView) -> Ledge | None:
        """Return the next ledge, searched again at intervals."""
        assert path_view.ground_height is not None
        path = path_view.path
        station = path_view.station
        search = self._search
        if (
            search is None
            or search.path is not path
            or abs(station - search.station) > APPROACH.refresh_distance
        ):
            ledge = find_first_ledge(path, station, path_view.ground_height)
            search = self._search = _LedgeSearch(path, station, ledge)
        return search.ledge

    def _find_last_step(self, ledge: Ledge, view: GoalView) -> _LastStep:
        """Return the last foothold before a ledge."""
        forward = heading_axes(ledge.heading)[0]
        # Twice the margin at any edge, so that a foot that comes down late is not over a drop.
        toe_margin = APPROACH.rise_toe_margin if ledge.rise > 0 else 2 * FOOTHOLDS.edge_margin
        place = ledge.place - (toe_margin + self._slip_body.foot_extent[0]) * forward
        foot = view.body.foot_frames.place[view.stance_foot]
        return _LastStep(place, forward, float((place - foot[:2]) @ forward))

    def _is_ready(self, ledge: Ledge, view: GoalView) -> bool:
        """Return whether the body stands on one foot, its heading across the edge.

        Before a rise its capture point must also lie where the other foot can come down.
        """
        angle = wrap_angle(view.heading - ledge.heading)
        if view.support != "single" or abs(angle) > LEDGES.max_oblique_angle:
            return False
        now = view.body
        left = heading_axes(ledge.heading)[1]
        pendulum_rate = np.sqrt(self._slip_body.gravity / self._body.com_height)
        capture_point = now.com + now.com_velocity / pendulum_rate
        foot = now.foot_frames.place[view.stance_foot]
        inward = float((foot - capture_point)[:2] @ left) * (1.0 - 2.0 * view.stance_foot)
        return ledge.rise < 0 or APPROACH.min_inward_capture < inward < APPROACH.max_inward_capture

    def _make_maneuver(self, ledge: Ledge, stance_foot: int) -> Maneuver:
        """Return the maneuver that crosses a ledge from one foot."""
        crossing = LedgeCrossing(
            self._body,
            stance_foot,
            ledge.place,
            ledge.heading,
            ledge.height_beyond,
            self._slip_body.gravity,
        )
        return Climb(crossing) if ledge.rise > 0 else JumpDown(crossing)


def _choose_step_size(view: GoalView) -> StepSize:
    """Return the size of a step at a speed that the body can reach."""
    time = max(view.time, 0.0)
    task_speed = float(view.path.task.speed.value_at(time))
    speed = limit_speed(min(task_speed, APPROACH.max_speed), view.speed, is_running=False)
    size = choose_step_size(view.path, speed, time, view.is_running)
    return (
        replace(size, length=STEPS.first_step_ratio * size.length) if view.is_setting_off else size
    )


def _make_level_step(step_goal: StepGoal, size: StepSize) -> StepGoal:
    """Return the goal of a step as on level ground: off a drop where no jump can begin."""
    return replace(
        step_goal,
        gait="walk",
        step_length=size.length,
        step_time=size.time,
        allows_heel_rise=False,
        foothold_distance=None,
        ground_height=None,
    )


def _make_approach_step(
    step_goal: StepGoal,
    size: StepSize,
    last_step: _LastStep,
    foothold_distance: FootholdDistance | None,
) -> StepGoal:
    """Return the goal of the next of the equal steps that lead to the last foothold."""
    max_length = max(APPROACH.max_lengthening * size.length, STEPS.min_adapted_length)
    count = max(int(np.ceil(last_step.distance_left / max_length)), 1)
    return replace(
        step_goal,
        gait="walk",
        step_length=max(last_step.distance_left / count, STEPS.min_adapted_length),
        step_time=size.time,
        allows_heel_rise=False,
        foothold_distance=_restrict_footholds(last_step, count == 1, foothold_distance),
    )


def _restrict_footholds(
    last_step: _LastStep, is_last: bool, foothold_distance: FootholdDistance | None
) -> FootholdDistance:
    """Return the footholds before a ledge: the last one, or all that are not beyond it."""

    def measure_distance(places: Array, headings: Array) -> Array:
        overshoot = (places - last_step.place) @ last_step.forward
        if is_last:
            return np.abs(overshoot)
        return np.maximum(
            overshoot, 0.0 if foothold_distance is None else foothold_distance(places, headings)
        )

    return measure_distance
