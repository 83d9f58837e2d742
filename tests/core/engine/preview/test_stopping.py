"""Place at which a simulated body stops at the end of its path."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.engine.preview.goal import GoalSource
from footfall.core.engine.preview.ground.foothold_field import STATION_SPACING
from footfall.core.engine.preview.ground.stopping import (
    STOP,
    find_stop_station,
    make_stop_notes,
)
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.engine.preview.speed_choice import SPEED
from footfall.core.scenarios.simulated import Slab, make_slab_ground, make_straight_path
from footfall.core.slip.command import FootholdDistance
from footfall.core.task import Path, SpeedProfile, Task
from numpy.typing import NDArray
from selection import mark_exhaustive

Array = NDArray[np.float64]


def without(*gaps: tuple[float, float]) -> FootholdDistance:
    """Return good ground except for some intervals of x."""

    def off(places: Array, headings: Array) -> Array:
        x = places[:, 0]
        return np.max([np.minimum(x - begin, end - x) for begin, end in gaps], axis=0)

    return off


PATH = Path([[0.0, 0.0], [10.0, 0.0]])


@pytest.mark.parametrize(
    ("gaps", "at"),
    [
        ([(3.0, 3.5)], 10.0),  # far away
        ([(10.3, 10.8)], 10.3 - STOP.margin_ahead),  # just past the end: the body stops earlier
        # just before the end: it steps over and stops behind
        ([(9.3, 9.8)], 9.8 + STOP.margin_behind),
        ([(9.8, 10.3)], 9.8 - STOP.margin_ahead),  # there is no ground at the end
        # the ground between is too short to stop on
        ([(9.5, 9.7), (10.3, 10.6)], 9.5 - STOP.margin_ahead),
        ([(6.0, 11.0)], 10.0),  # no good ground: the end stays as given
    ],
)
def test_body_stops_where_the_surrounding_ground_is_good(
    gaps: list[tuple[float, float]], at: float
) -> None:
    assert find_stop_station(PATH, without(*gaps)) == pytest.approx(at, abs=2.1 * STATION_SPACING)


def test_body_does_not_stop_before_its_start() -> None:
    short = Path([[0.0, 0.0], [1.0, 0.0]])
    assert find_stop_station(short, without((0.3, 2.5))) == 1.0


def test_path_over_good_ground_is_followed_to_its_end() -> None:
    assert find_stop_station(PATH, None) == 10.0
    assert make_stop_notes(0.0) == ()


def test_a_run_slows_down_to_a_walk_before_its_end() -> None:
    """It slows down some meters before the end, and stands there."""
    course = GoalSource(Task(PATH, SpeedProfile(2.6)))

    def speed(x: float) -> float:
        course.station = x
        return float(
            np.linalg.norm(course.compute_goal(0.0, np.array([x, 0.0, 0.9]), 0.0).velocity)
        )

    speeds = [speed(x) for x in np.arange(5.5, 9.99, 0.05)]
    assert speeds[0] == 2.6
    assert speeds[-1] == 0.0
    assert (np.diff(speeds) <= 0).all()
    assert speed(9.0) == pytest.approx(np.sqrt(2 * SPEED.braking_deceleration))


@pytest.mark.long
@pytest.mark.parametrize(
    ("begin", "where"),
    mark_exhaustive([(5.5, "past"), (5.9, "before"), (6.3, "before")], lambda case: case[0] != 5.9),
)
def test_path_that_ends_at_a_gap_is_followed_without_a_fall(begin: float, where: str) -> None:
    """The path ends past, in or before the gap; the body stops on good ground."""
    ground = make_slab_ground([Slab((-15.0, begin), (-2, 2)), Slab((begin + 0.4, 30.0), (-2, 2))])
    simulation = Simulation(
        Task(make_straight_path(6.0), SpeedProfile(1.25), seconds=8.0, fps=60.0, ground=ground)
    )
    while simulation.time < 8.0:
        simulation.step()
    assert not simulation.loop.state.trouble
    assert np.linalg.norm(simulation.loop.body_state.com_velocity) < 0.15
    feet = simulation.loop.body_state.foot_frames.place[:, 0]
    assert ((feet < begin) | (feet > begin + 0.4)).all()
    assert any(
        f"m {where} the path's end" in note for note in simulation.goal_source.make_notes(1.0, 1.0)
    )
