"""Centers of mass of a prediction: gravity alone in flights, and contacts that do not pull."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.engine.learned.ballistics import (
    BALLISTICS,
    Surroundings,
    find_flights,
    obey_gravity,
)
from footfall.core.motion import Footstep
from numpy.typing import NDArray

GRAVITY = 9.81


def _make_step(begin: float, end: float) -> Footstep:
    return Footstep(0, begin, begin, end, end, np.zeros(3), np.eye(3))


def _surround(times: NDArray[np.float64], push: float = 0.0) -> Surroundings:
    """Friction, gravity and a push to the left [body weights]."""
    return Surroundings(0.9, GRAVITY, np.tile([0.0, push, 0.0], (len(times), 1)))


def test_a_flight_follows_a_parabola() -> None:
    times = BALLISTICS.time_step * np.arange(121)
    footsteps = [_make_step(0.0, 0.4), _make_step(0.6, 1.1)]
    since = np.abs(times - 0.5)
    bounce = np.sin(6 * (since - 0.1)) / 6 * GRAVITY * 0.1
    height = np.where(since < 0.1, -0.5 * GRAVITY * since**2, -0.5 * GRAVITY * 0.01 - bounce)
    com = np.stack([3.0 * times, 0 * times, 1.0 + height], -1)
    com += 0.002 * np.sin(times[:, None] * [50.0, 40.0, 70.0])
    moved = obey_gravity(com, times, footsteps, _surround(times))
    flight = find_flights(times, footsteps)
    assert times[flight].min() > 0.4
    assert times[flight].max() < 0.6
    acceleration = np.diff(moved, 2, axis=0) / BALLISTICS.time_step**2
    error = acceleration[flight[1:-1]] + [0.0, 0.0, GRAVITY]
    assert np.abs(error).max() < 0.15
    assert np.abs(np.diff(com, 2, axis=0) / BALLISTICS.time_step**2)[flight[1:-1]].max() > 5
    assert np.abs(moved - com).max() < 0.01


def test_a_possible_motion_stays() -> None:
    times = BALLISTICS.time_step * np.arange(100)
    com = np.stack([times, 0.01 * np.sin(6 * times), 1 + 0.01 * np.cos(12 * times)], -1)
    moved = obey_gravity(com, times, [_make_step(-1.0, 3.0)], _surround(times))
    assert moved == pytest.approx(com, abs=1e-3)


def test_a_push_moves_a_flying_body() -> None:
    times = BALLISTICS.time_step * np.arange(100)
    com = np.stack([times, 0 * times, 1 - 0.5 * GRAVITY * (times - 0.4) ** 2], -1)
    moved = obey_gravity(com, times, [_make_step(-1.0, -0.5)], _surround(times, 0.2))
    acceleration = np.diff(moved[:, 1], 2) / BALLISTICS.time_step**2
    assert acceleration == pytest.approx(0.2 * GRAVITY, rel=0.1)


def test_contacts_do_not_pull() -> None:
    times = BALLISTICS.time_step * np.arange(100)
    com = np.stack([times, 0 * times, 1 + 0.02 * np.cos(30 * times)], -1)
    force = np.diff(com[:, 2], 2) / BALLISTICS.time_step**2 / GRAVITY + 1
    assert force.min() < -0.5
    moved = obey_gravity(com, times, [_make_step(-1.0, 3.0)], _surround(times))
    force = np.diff(moved[:, 2], 2) / BALLISTICS.time_step**2 / GRAVITY + 1
    assert force.min() > -0.25
