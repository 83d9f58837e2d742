"""Feedback within a half-cycle in the adaptive engine."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.engine.adaptive.biped_model import build_biped_model
from footfall.core.engine.adaptive.evaluation import find_body
from footfall.core.engine.adaptive.height_field import EndlessField, create_boxes
from footfall.core.engine.adaptive.parameters import LocomotionParameters, read_parameters
from footfall.core.engine.adaptive.paths import WalkerBodyState
from footfall.core.engine.adaptive.planner import Goal, HalfCyclePlanner, HalfCycleTiming
from footfall.core.engine.adaptive.step_correction import CORRECTION, StepCorrection
from footfall.core.errors import TaskError
from numpy.typing import NDArray

Array = NDArray[np.float64]
BODY = find_body("humanoid")
TIMING = HalfCycleTiming()
GAINS = replace(
    LocomotionParameters(),
    correction_along=0.5,
    correction_outward=1.2,
    correction_inward=0.8,
    correction_time=0.1,
    correction_of_body=0.3,
)
TICK = 12


def _make_planner(
    parameters: LocomotionParameters, ground: EndlessField | None = None
) -> HalfCyclePlanner:
    frames = build_biped_model(BODY, None, TIMING.substep).frames
    return HalfCyclePlanner(BODY, frames, parameters, ground, TIMING)


def _begin(planner: HalfCyclePlanner, swing: int = 0, x: float = 0.0) -> StepCorrection:
    """Return a step toward x whose feet stand at both sides of a place x [m]."""
    side = 1.0 if swing == 0 else -1.0
    ankle = BODY.sole.ankle_height
    width = BODY.half_stance_width
    state = WalkerBodyState(
        np.array([x, 0.0, BODY.upper_body.center[2]]),
        np.eye(3),
        np.array([x - 0.5, side * width, ankle]),
        np.eye(3),
        np.array([x, -side * width, ankle]),
        deviation=np.zeros(2),
        facing=0.0,
    )
    goal = Goal(0.0, 0.0, 0.5)
    return StepCorrection.begin(planner.plan(state, goal, swing), goal, swing)


def _advance(
    step: StepCorrection, planner: HalfCyclePlanner, deviation: Array, rate: Array
) -> StepCorrection:
    body = step.plan.body
    return step.advance(
        planner, TICK, body.position[TICK, :2] + deviation, body.velocity[TICK, :2] + rate
    )


@pytest.mark.parametrize("swing", [0, 1])
def test_the_foot_moves_to_where_the_body_falls(swing: int) -> None:
    planner = _make_planner(GAINS)
    side = 1.0 if swing == 0 else -1.0
    step = _begin(planner, swing)
    outward = np.array([0.0, side * 0.1])
    moved = _advance(step, planner, outward, outward)
    shift = moved.swing.ankle - step.plan.swing.ankle
    assert shift[-1] == pytest.approx([0.0, side * 1.2 * 0.11, 0.0], abs=1e-12)
    assert np.abs(shift[: TICK + 1]).max() == 0.0
    body_shift = moved.body.position - step.plan.body.position
    assert body_shift[-1] == pytest.approx(0.3 * shift[-1], abs=1e-12)
    assert np.abs(body_shift[: TICK + 1]).max() == 0.0
    inward = _advance(step, planner, -outward, np.zeros(2))
    assert inward.shift == pytest.approx([0.0, -side * 0.8 * 0.1])
    ahead = _advance(step, planner, np.array([0.1, 0.0]), np.zeros(2))
    assert ahead.shift == pytest.approx([0.05, 0.0])
    # Back on its path the foot returns to its first target
    back = _advance(moved, planner, np.zeros(2), np.zeros(2))
    assert back.swing.ankle[-1] == pytest.approx(step.plan.swing.ankle[-1])
    far = _advance(step, planner, 10.0 * outward, outward)
    assert np.hypot(*far.shift) == pytest.approx(CORRECTION.max_shift)


def test_velocities_are_those_of_the_moved_path() -> None:
    planner = _make_planner(GAINS)
    moved = _advance(_begin(planner), planner, np.array([0.1, 0.2]), np.zeros(2))
    for place, speed in (
        (moved.swing.ankle, moved.swing.ankle_velocity),
        (moved.body.position, moved.body.velocity),
    ):
        rates = np.gradient(place, TIMING.control_step, axis=0)
        assert speed[:-1] == pytest.approx(rates[:-1])
    assert moved.swing.stationary[-1].all()
    assert not moved.swing.stationary[TICK + 4].any()


def test_a_moved_foot_lands_on_the_ground_and_clears_it() -> None:
    ground = create_boxes(3, 0.2)
    planner = _make_planner(GAINS, ground)
    heights = set()
    for x in (3.0, 4.2, 5.1, 6.4):
        step = _begin(planner, x=x)
        for aside in (-0.3, 0.1, 0.3):
            moved = _advance(step, planner, np.array([0.0, aside]), np.zeros(2))
            path = moved.swing
            end = planner.find_lowest_heights(path.ankle[-1:, :2], path.rotation[-1:])
            assert path.ankle[-1, 2] == pytest.approx(end[0], abs=1e-9)
            rest = slice(TICK + 1, None)
            lowest = planner.find_lowest_heights(path.ankle[rest, :2], path.rotation[rest])
            assert (path.ankle[rest, 2] - lowest).min() > -1e-9
            heights.add(round(float(end[0]), 3))
    assert len(heights) > 4


def test_nothing_is_corrected_without_gains_or_late_or_for_a_foot_that_stays() -> None:
    planner = _make_planner(GAINS)
    step = _begin(planner)
    assert [k for k in range(TIMING.half_cycle) if step.is_due(planner, k)] == [
        *range(CORRECTION.interval, 29, CORRECTION.interval)
    ]
    assert not step.is_due(_make_planner(LocomotionParameters()), TICK)
    staying = replace(step, plan=replace(step.plan, target=None))
    assert not staying.is_due(planner, TICK)


def test_files_from_before_corrections_have_none() -> None:
    table = {name: value for name, value in vars(GAINS).items() if "correction" not in name}
    read = read_parameters(table)
    assert read == LocomotionParameters()
    with pytest.raises(TaskError, match="no parameter 'step_forward'"):
        read_parameters({name: value for name, value in table.items() if name != "step_forward"})
