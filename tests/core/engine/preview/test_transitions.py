"""Contact phases follow the table of transitions."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.engine.preview.phases.phase_machine import PhaseMachine
from footfall.core.engine.preview.phases.transitions import (
    PHASES,
    TRANSITIONS,
    PhaseObservation,
)
from footfall.core.slip.command import Gait, StepGoal
from footfall.core.slip.state import FootPose, Support

DT = 0.004
WALK = StepGoal("walk", 0.7, 0.6)
FEET = (FootPose(np.array([0.0, 0.1, 0.0]), 0.0), FootPose(np.array([0.3, -0.1, 0.0]), 0.0))


def observe(
    time: float, left: float, right: float, goal: StepGoal = WALK, lift: float = 0.0
) -> PhaseObservation:
    """Loads of the feet [body weights], without a preview, the left foot `lift` [m] higher."""
    feet = (FootPose(FEET[0].place + [0.0, 0.0, lift], 0.0), FEET[1])
    return PhaseObservation(time, np.array([left, right]), np.zeros(3), feet, None, 0.0, goal)


def make_machine(support: Support, stance_foot: int = 0) -> PhaseMachine:
    """A machine in a phase that began at time 0."""
    return PhaseMachine(DT, support, stance_foot, is_standing=False)


def test_the_first_step_begins_with_a_shift_and_ends_with_a_landing() -> None:
    """Standing has no transition; the shift is over at its longest, and the step at a landing."""
    machine = PhaseMachine(DT)
    assert machine.phase == "standing"
    assert not machine.update(observe(9.0, 0.5, 0.5))
    machine.begin_first_step(9.0, np.zeros(3), stance_foot=1)
    assert machine.phase == "first_shift"
    assert not machine.update(observe(9.5, 0.5, 0.5))
    assert machine.update(observe(9.01 + 2 * PHASES.first_step_extra_time, 0.2, 0.8))
    assert machine.phase == "single"
    assert machine.is_first_step
    assert machine.lift_place == pytest.approx(FEET[0].place)
    time = machine.phase_start + PHASES.long_swing_time + 0.01
    assert machine.update(observe(time, 0.3, 0.7))
    assert machine.phase == "double"
    assert machine.has_landed
    assert not machine.is_first_step
    assert machine.stance_foot == 0


def test_a_foot_that_missed_the_ground_swings_on() -> None:
    """The other foot carries the body again, and no step has ended."""
    machine = make_machine("double")
    rough = StepGoal("walk", 0.7, 0.6, ground_height=lambda places: np.zeros(places.shape[:-1]))
    high = PHASES.max_landing_height + 0.01
    assert not machine.update(observe(PHASES.missed_contact_time, 0.0, 1.0, rough, high))
    assert machine.update(observe(PHASES.missed_contact_time + 0.01, 0.0, 1.0, rough, high))
    assert machine.phase == "single"
    assert machine.has_missed
    assert not machine.has_landed
    assert machine.stance_foot == 1


@pytest.mark.parametrize(
    ("gait", "lands", "lifted"),
    [("run", False, False), ("hop", True, True), ("walk", False, False)],
)
def test_the_foot_that_left_the_ground_ends_a_flight(gait: Gait, lands: bool, lifted: bool) -> None:
    """In a hop that is the next step; in other gaits the same step continues."""
    goal = StepGoal(gait, 1.0, 0.4)
    machine = make_machine("single")
    machine.lift_time = -1.0
    machine.last_contact_time = -1.0
    start = PHASES.min_stance_time + PHASES.lost_contact_time + 0.01
    assert machine.update(observe(start, 0.0, 0.0, goal))
    assert machine.phase == "flight"
    assert (machine.lift_time == start) == lifted
    back = start + PHASES.min_return_time + 0.01
    assert machine.update(observe(back, 0.5, 0.0, goal)) == (gait != "run")
    if gait == "run":
        assert machine.update(observe(start + PHASES.min_run_return_time + 0.01, 0.5, 0.0, goal))
    assert machine.phase == "single"
    assert machine.has_landed == lands
    assert machine.stance_foot == 0


def test_the_swing_foot_ends_a_flight_immediately() -> None:
    """It becomes the stance foot."""
    machine = make_machine("flight")
    assert not machine.update(observe(0.5 * PHASES.min_flight_time, 0.0, 0.5))
    assert machine.update(observe(2 * PHASES.min_flight_time, 0.0, 0.5))
    assert machine.phase == "single"
    assert machine.stance_foot == 1
    assert machine.has_landed


def test_rows_of_the_table_are_distinct() -> None:
    """Each phase but standing ends by some transition, and none twice by the same condition."""
    rows = [(row.source, row.condition) for row in TRANSITIONS]
    assert len(set(rows)) == len(rows)
    assert {row.source for row in TRANSITIONS} == {"first_shift", "double", "single", "flight"}
