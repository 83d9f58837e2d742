"""Contact forces of frames from those of simulation steps, which keep their sum."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.engine.preview.recording.contact_forces import (
    CONTACT_FORCES,
    ContactPointMotion,
    FrameForces,
    FrameInstants,
    SoleHistory,
    average_over_frames,
    compute_frame_forces,
)
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.simulate.model import TouchPoint
from hypothesis import given
from hypothesis import strategies as st
from judging import SIMULATED_LIMITS, find_exceeded, judge_motion
from numpy.typing import NDArray
from selection import mark_exhaustive

Array = NDArray[np.float64]

EVERY = 4
WEIGHT = 700.0
SOLES = tuple(
    tuple(TouchPoint(f"{name}.{k}", k, np.zeros(3), k, True) for name in ("heel", "ball", "tip"))
    for k in range(2)
)
STILL = np.zeros((14, 6))  # Speeds of points along the ground [m/s]


class Landing(NamedTuple):
    """Forces of simulation steps, and the steps of the frames."""

    forces: Array
    steps: NDArray[np.int64]


def landing(begins: tuple[int, ...], frames: int = 12) -> Landing:
    """Return forces on points that begin at given steps, and the steps of the frames.

    Each force is upward and half of the weight.
    """
    forces = np.zeros((EVERY * (frames + 3), 6, 3))
    for point, begin in enumerate(begins):
        forces[begin:, point, 2] = 0.5 * WEIGHT
    return Landing(forces, EVERY * np.arange(1, frames + 3))


def stands(forces: Array) -> NDArray[np.bool_]:
    """Return stance of both feet at all times."""
    return np.ones((len(forces), 2), bool)


def resting_forces(
    forces: Array,
    to_stand: NDArray[np.bool_],
    instants: NDArray[np.int64],
    height: Array,
    speed: Array,
) -> FrameForces:
    """Return the forces in frames of a body with two feet."""
    return compute_frame_forces(
        SoleHistory(forces, to_stand),
        FrameInstants(instants, EVERY),
        ContactPointMotion(height, speed),
        SOLES,
        WEIGHT,
    )


@given(
    st.tuples(*[st.integers(16, 36)] * 6), st.lists(st.booleans(), min_size=6 * 14, max_size=6 * 14)
)
def test_no_force_is_lost(begins: tuple[int, ...], high: list[bool]) -> None:
    """The force on a point that moves or rests later is passed on.

    Another point of its sole takes it if possible, otherwise the next frame.
    """
    forces, wide = landing(begins)
    result = resting_forces(
        forces, stands(forces), wide, np.where(high, 0.05, 0.0).reshape(14, 6), STILL
    )
    whole = average_over_frames(forces, wide[2:], EVERY)
    assert np.allclose(result.forces.sum((0, 1)), whole.sum((0, 1)))
    late = np.cumsum(whole[..., 2].sum(1) - result.forces[..., 2].sum(1))
    assert (late > -1e-9).all()  # no force is reported before it acts
    assert (result.forces[~result.resting] == 0).all()


def test_moving_point_rests_a_frame_later() -> None:
    """This holds where another point of the sole is loaded, and for a sole with a small load."""
    forces, wide = landing((21, 21, 26, 999, 999, 999))
    above = np.zeros((14, 6))
    frame = 3  # at step 24: ball and heel are loaded, the tip lands two steps later
    assert wide[2:][frame] == 24
    result = resting_forces(forces, stands(forces), wide, above, STILL)
    assert result.resting[frame].tolist() == [True, True, True, False, False, False]
    above[2 + frame, 2] = 2 * CONTACT_FORCES.max_first_contact_height
    result = resting_forces(forces, stands(forces), wide, above, STILL)
    assert result.resting[frame].tolist() == [True, True, False, False, False, False]
    assert result.resting[frame + 1].tolist() == [True, True, True, False, False, False]
    assert result.forces[frame, :2, 2] == pytest.approx(
        average_over_frames(forces, wide[2:], EVERY)[frame, :3, 2].sum() / 2
    )


@pytest.mark.parametrize(
    ("metres", "rests"),
    [
        (0.5 * CONTACT_FORCES.max_first_contact_speed, True),
        (2 * CONTACT_FORCES.max_first_contact_speed, False),
    ],
)
def test_a_foot_that_lands_sliding_rests_a_frame_later(metres: float, rests: bool) -> None:
    """Another foot takes its force in the frame in which it still slides.

    Speeds are of frames, from two frames before.
    """
    forces, wide = landing((26, 26, 26, 0, 0, 0))
    speed = STILL.copy()
    speed[2 + 3, :3] = metres
    result = resting_forces(forces, stands(forces), wide, STILL, speed)
    assert result.resting[3:5].tolist() == [[rests] * 3 + [True] * 3, [True] * 6]
    assert result.forces[3].sum(0) == pytest.approx(
        average_over_frames(forces, wide[2:], EVERY)[3].sum(0)
    )


def test_lowest_points_of_a_moving_sole_rest() -> None:
    """This holds for a large load; the other points land later."""
    forces, wide = landing((26, 26, 26, 999, 999, 999))
    above = np.zeros((14, 6))
    above[2 + 3, :3] = CONTACT_FORCES.max_contact_height - np.array(
        [
            -CONTACT_FORCES.sole_height_tolerance,
            0.0005,
            0.0005 + 0.5 * CONTACT_FORCES.sole_height_tolerance,
        ]
    )
    result = resting_forces(6.0 * forces, stands(forces), wide, above, STILL)
    assert result.resting[3].tolist() == [False, True, True, False, False, False]
    assert result.forces[3, :, 2].sum() == pytest.approx(
        6.0 * average_over_frames(forces, wide[2:], EVERY)[3, :, 2].sum()
    )
    assert result.resting[4, :3].all()


def test_another_stance_foot_takes_the_force_of_a_moving_sole() -> None:
    """The momentum is then right in that frame; the force is distributed like that foot's force."""
    forces, wide = landing((26, 26, 26, 0, 0, 999))
    above = np.zeros((14, 6))
    above[2 + 3, :3] = 2 * CONTACT_FORCES.max_first_contact_height
    result = resting_forces(forces, stands(forces), wide, above, STILL)
    whole = average_over_frames(forces, wide[2:], EVERY)
    assert result.resting[3].tolist() == [False, False, False, True, True, False]
    assert result.forces[3, 3:5] == pytest.approx(whole[3, 3:5] + whole[3, :3].sum(0) / 2)
    assert np.allclose(result.forces[4:].sum(1), whole[4:].sum(1))


@pytest.mark.parametrize(
    ("in_stance", "size", "rests"), [(False, 0.1, False), (False, 2.0, True), (True, 0.1, True)]
)
def test_foot_that_only_brushes_the_ground_does_not_rest(
    in_stance: bool, size: float, rests: bool
) -> None:
    """It rests if it is in stance or has a large load; otherwise the other foot takes its force."""
    forces, wide = landing((26, 26, 26, 0, 0, 0))
    forces[:, :3] *= size
    to_stand = stands(forces)
    to_stand[:, 0] = in_stance
    result = resting_forces(forces, to_stand, wide, np.zeros((14, 6)), STILL)
    whole = average_over_frames(forces, wide[2:], EVERY)
    assert result.resting[5].tolist() == [rests] * 3 + [True] * 3
    assert result.forces[5, :3, 2].any() == rests
    assert result.forces[5].sum(0) == pytest.approx(whole[5].sum(0))


@pytest.mark.parametrize(
    ("size", "high", "rests"), [(0.1, 0.9, False), (6.0, 0.9, True), (6.0, 1.1, False)]
)
def test_moving_sole_with_a_large_load_rests(size: float, high: float, rests: bool) -> None:
    """It must also be so close to the ground that no movement is visible."""
    forces, wide = landing((26, 26, 26, 999, 999, 999))
    above = np.zeros((14, 6))
    above[2 + 3, :3] = high * CONTACT_FORCES.max_contact_height
    result = resting_forces(size * forces, stands(forces), wide, above, STILL)
    assert result.resting[3, :3].tolist() == [rests] * 3
    assert result.resting[4, :3].all()


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "seconds"),
    mark_exhaustive(
        [
            ("push", 6.0),
            ("steps", 8.0),
            ("drops", 6.0),
            ("corners", 6.0),
            ("hop", 5.0),
        ],
        lambda case: case[0] == "push",
    ),
)
def test_resting_points_are_on_the_ground_and_forces_explain_the_motion(
    name: str, seconds: float, shared: Path, tmp_path: Path
) -> None:
    """The independent checker confirms it."""
    motion = generate(SCENARIOS[f"preview-{name}"].build_task(fps=60.0, seconds=seconds))
    assert not any("fallen" in note for note in motion.report.notes)
    assert not find_exceeded(judge_motion(shared, tmp_path, motion), SIMULATED_LIMITS)
