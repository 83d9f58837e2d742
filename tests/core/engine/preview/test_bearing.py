"""Forces on soles, instant by instant, told frame by frame:
none is lost, and what rests is on the ground.
"""

from __future__ import annotations

from pathlib import Path

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
from judging import find_exceeded, judge_motion
from numpy.typing import NDArray

Array = NDArray[np.float64]

EVERY = 4
WEIGHT = 700.0
SOLES = tuple(
    tuple(TouchPoint(f"{name}.{k}", k, np.zeros(3), k, True) for name in ("heel", "ball", "tip"))
    for k in range(2)
)
STILL = np.zeros((14, 6))  # m/s of points along the ground
BARS = {"drift_max_m": 0.02, "penetration_max_m": 0.01, "momentum_residual_bw": 0.02}


def landing(begins: tuple[int, ...], frames: int = 12) -> tuple[Array, NDArray[np.int64]]:
    """Upward forces of half the weight on points from some instants on, by instants,
    and the instants of frames.
    """
    forces = np.zeros((EVERY * (frames + 3), 6, 3))
    for point, begin in enumerate(begins):
        forces[begin:, point, 2] = 0.5 * WEIGHT
    return forces, EVERY * np.arange(1, frames + 3)


def stands(forces: Array) -> NDArray[np.bool_]:
    """Both feet are to stand all the time."""
    return np.ones((len(forces), 2), bool)


def resting_forces(
    forces: Array,
    to_stand: NDArray[np.bool_],
    instants: NDArray[np.int64],
    height: Array,
    speed: Array,
) -> FrameForces:
    """Forces in frames of a body with two feet."""
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
    """What a point that is on its way has, or one that bears next, is another's, of its sole if it
    can be, or the next frame's.
    """
    forces, wide = landing(begins)
    found = resting_forces(
        forces, stands(forces), wide, np.where(high, 0.05, 0.0).reshape(14, 6), STILL
    )
    whole = average_over_frames(forces, wide[2:], EVERY)
    assert np.allclose(found.forces.sum((0, 1)), whole.sum((0, 1)))
    late = np.cumsum(whole[..., 2].sum(1) - found.forces[..., 2].sum(1))
    assert (late > -1e-9).all()  # none is told before it is there
    assert (found.forces[~found.resting] == 0).all()


def test_a_point_on_its_way_rests_a_frame_later() -> None:
    """Where another one of its sole bears; and the whole sole where it bears little."""
    forces, wide = landing((21, 21, 26, 999, 999, 999))
    above = np.zeros((14, 6))
    frame = 3  # at instant 24: ball and heel bear, the tip comes down two instants later
    assert wide[2:][frame] == 24
    found = resting_forces(forces, stands(forces), wide, above, STILL)
    assert found.resting[frame].tolist() == [True, True, True, False, False, False]
    above[2 + frame, 2] = 2 * CONTACT_FORCES.max_first_contact_height
    found = resting_forces(forces, stands(forces), wide, above, STILL)
    assert found.resting[frame].tolist() == [True, True, False, False, False, False]
    assert found.resting[frame + 1].tolist() == [True, True, True, False, False, False]
    assert found.forces[frame, :2, 2] == pytest.approx(
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
    """Where another foot has what it bears in the frame in which it still goes on; speeds are of
    frames, from two before on.
    """
    forces, wide = landing((26, 26, 26, 0, 0, 0))
    speed = STILL.copy()
    speed[2 + 3, :3] = metres
    found = resting_forces(forces, stands(forces), wide, STILL, speed)
    assert found.resting[3:5].tolist() == [[rests] * 3 + [True] * 3, [True] * 6]
    assert found.forces[3].sum(0) == pytest.approx(
        average_over_frames(forces, wide[2:], EVERY)[3].sum(0)
    )


def test_of_a_sole_on_its_way_the_lowest_points_rest() -> None:
    """Where it bears much: the others come down later."""
    forces, wide = landing((26, 26, 26, 999, 999, 999))
    above = np.zeros((14, 6))
    above[2 + 3, :3] = CONTACT_FORCES.max_contact_height - np.array(
        [
            -CONTACT_FORCES.sole_height_tolerance,
            0.0005,
            0.0005 + 0.5 * CONTACT_FORCES.sole_height_tolerance,
        ]
    )
    found = resting_forces(6.0 * forces, stands(forces), wide, above, STILL)
    assert found.resting[3].tolist() == [False, True, True, False, False, False]
    assert found.forces[3, :, 2].sum() == pytest.approx(
        6.0 * average_over_frames(forces, wide[2:], EVERY)[3, :, 2].sum()
    )
    assert found.resting[4, :3].all()


def test_another_foot_that_is_down_has_what_a_sole_on_its_way_bears() -> None:
    """So that momentum is right in that frame; what is handed on is shared like that foot's own."""
    forces, wide = landing((26, 26, 26, 0, 0, 999))
    above = np.zeros((14, 6))
    above[2 + 3, :3] = 2 * CONTACT_FORCES.max_first_contact_height
    found = resting_forces(forces, stands(forces), wide, above, STILL)
    whole = average_over_frames(forces, wide[2:], EVERY)
    assert found.resting[3].tolist() == [False, False, False, True, True, False]
    assert found.forces[3, 3:5] == pytest.approx(whole[3, 3:5] + whole[3, :3].sum(0) / 2)
    assert np.allclose(found.forces[4:].sum(1), whole[4:].sum(1))


@pytest.mark.parametrize(
    ("meant", "size", "rests"), [(False, 0.1, False), (False, 2.0, True), (True, 0.1, True)]
)
def test_a_foot_that_brushes_the_ground_on_its_way_does_not_rest(
    meant: bool, size: float, rests: bool
) -> None:
    """Unless it is to stand, or bears; the other foot has what it brushes with."""
    forces, wide = landing((26, 26, 26, 0, 0, 0))
    forces[:, :3] *= size
    to_stand = stands(forces)
    to_stand[:, 0] = meant
    found = resting_forces(forces, to_stand, wide, np.zeros((14, 6)), STILL)
    whole = average_over_frames(forces, wide[2:], EVERY)
    assert found.resting[5].tolist() == [rests] * 3 + [True] * 3
    assert found.forces[5, :3, 2].any() == rests
    assert found.forces[5].sum(0) == pytest.approx(whole[5].sum(0))


@pytest.mark.parametrize(
    ("size", "high", "rests"), [(0.1, 0.9, False), (6.0, 0.9, True), (6.0, 1.1, False)]
)
def test_a_sole_on_its_way_rests_where_it_bears_much(size: float, high: float, rests: bool) -> None:
    """And is not so far above the ground that it would be seen to move."""
    forces, wide = landing((26, 26, 26, 999, 999, 999))
    above = np.zeros((14, 6))
    above[2 + 3, :3] = high * CONTACT_FORCES.max_contact_height
    found = resting_forces(size * forces, stands(forces), wide, above, STILL)
    assert found.resting[3, :3].tolist() == [rests] * 3
    assert found.resting[4, :3].all()


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "seconds"),
    [("gaps", 6.5), ("steps", 8.0), ("drops", 6.0), ("push", 6.0), ("corners", 6.0), ("hop", 5.0)],
)
def test_what_rests_is_on_the_ground_and_forces_explain_the_motion(
    name: str, seconds: float, shared: Path, tmp_path: Path
) -> None:
    """By the independent judge, over gaps too, where a runner's feet come down hard."""
    motion = generate(SCENARIOS[f"preview-{name}"].build_task(fps=60.0, seconds=seconds))
    assert not any("fallen" in note for note in motion.report.notes)
    assert not find_exceeded(judge_motion(shared, tmp_path, motion), BARS)
