"""Speeds that differ along the path, waits, and arrivals in time."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.engine.shared.arrival import with_arrival_speed
from footfall.core.errors import TaskError
from footfall.core.task import Pace, Path, SpeedProfile, Task, Wait
from footfall.core.task.task import Start
from scipy.integrate import solve_ivp, trapezoid


def _measure_distance(pace: Pace, speed: float, until: float) -> float:
    profile = pace.to_speed_profile(speed)
    times = np.linspace(0, until, 4001)
    return float(trapezoid(profile.value_at(times), times))


def test_constant_speed_stays_constant() -> None:
    profile = Pace(10.0).to_speed_profile(1.3)
    assert (profile.values, profile.times) == (1.3, 0.0)


def test_speed_shares_depend_on_station_and_not_on_time() -> None:
    pace = Pace(10.0, [0, 3, 5, 20], [1.0, 1.0, 0.5, 0.5])
    solution = solve_ivp(
        lambda t, s: 1.2 * np.interp(s, [0, 3, 5, 20], [1, 1, 0.5, 0.5]),
        (0, 10),
        [0.0],
        max_step=0.02,
    )
    assert _measure_distance(pace, 1.2, 10.0) == pytest.approx(solution.y[0, -1], rel=2e-3)
    assert pace.to_speed_profile(1.2).value_at(1.0) == pytest.approx(1.2, rel=1e-3)
    assert pace.to_speed_profile(1.2).value_at(9.0) == pytest.approx(0.6, rel=1e-3)


def test_waits_stop_the_body_and_delay_what_follows() -> None:
    pace = Pace(10.0, [0, 4, 5, 20], [1.0, 1.0, 0.5, 0.5], [Wait(2.0, 1.5)])
    profile = pace.to_speed_profile(1.0)
    assert profile.value_at([2.0, 2.7, 3.5]) == pytest.approx(0)
    assert profile.value_at([0.5, 4.5]) == pytest.approx(1)
    assert _measure_distance(pace, 1.0, 6.2) < 4.05, "it comes to the slow part later by the wait"
    assert profile.value_at(9.5) == pytest.approx(0.5, rel=1e-3)


@pytest.mark.parametrize(
    "pace", [Pace(8.0), Pace(8.0, [0, 2, 6], [1, 0.4, 1.6]), Pace(8.0, waits=[Wait(3, 2)])]
)
@pytest.mark.parametrize("start", ["moving", "standing"])
def test_body_stands_at_the_end_of_the_path_when_the_clip_ends(pace: Pace, start: Start) -> None:
    task = with_arrival_speed(
        Task(Path([[0, 0], [6, 0]]), SpeedProfile(1.0), seconds=8, fps=30, start=start), pace
    )
    com = generate(task).com[:, 0]
    assert com[-1] == pytest.approx(6.0, abs=0.06)
    assert abs(com[-1] - com[-10]) < 0.1
    assert com[-30] < 5.95, "it is no faster than it must be"


def test_runs_and_walks_on_the_moon_arrive_in_time() -> None:
    far = with_arrival_speed(
        Task(Path([[0, 0], [20, 0]]), SpeedProfile(1.0), seconds=8, fps=30), Pace(8.0)
    )
    assert far.speed.max_speed > 3
    assert generate(far).com[-1, 0] == pytest.approx(20.0, abs=0.1)
    slow = with_arrival_speed(
        Task(Path([[0, 0], [6, 0]]), SpeedProfile(1.0), seconds=14, fps=30, gravity=1.6), Pace(14.0)
    )
    assert generate(slow).com[-1, 0] == pytest.approx(6.0, abs=0.15)


def test_messages() -> None:
    with pytest.raises(TaskError, match=r"A path of 100\.0 m is too long for 2\.0 s"):
        with_arrival_speed(
            Task(Path([[0, 0], [100, 0]]), SpeedProfile(1.0), seconds=2),
            Pace(2.0, waits=[Wait(0.5, 1.0)]),
        )
    with pytest.raises(TaskError, match="is not possible"):
        Wait(-1.0, 2.0)


def test_a_body_that_waits_stands_and_arrives() -> None:
    task = Task(Path([[0, 0], [4.0, 0]]), SpeedProfile(1.0), style="walk", seconds=7, fps=30)
    motion = generate(with_arrival_speed(task, Pace(7.0, waits=[Wait(2.5, 2.0)])))
    assert not [f for f in motion.footsteps if 3.2 < f.strike < 4.2]
    assert np.ptp(motion.com[int(3.2 * 30) : int(4.2 * 30), 0]) < 0.1
    assert motion.com[-1, 0] == pytest.approx(4.0, abs=0.06)
