"""Steps over gaps: reduced dynamics, steps of other lengths, policy, and walks that take them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.engine.safety.judge import MotionBounds, judge_motion
from footfall.core.engine.tracker.biped import TOE_1, TOE_2, PlanarBiped
from footfall.core.engine.tracker.input_walk import StepSamples
from footfall.core.engine.tracker.path_ground import PathGround
from footfall.core.engine.tracker.policies.gap_walk import LengthGaits, PolicyStepper, list_steps
from footfall.core.engine.tracker.policies.reduced_dynamics import RearFoot, ReducedStep
from footfall.core.engine.tracker.policies.step_lengths import StepFactors, scale_step
from footfall.core.engine.tracker.policies.stepping_policy import (
    FootExtent,
    SteppingPolicy,
    StepTable,
)
from footfall.core.engine.tracker.record import WalkRecord, record_walk
from footfall.core.engine.tracker.simulation import PlanarSimulation
from footfall.core.engine.tracker.walker import PlanarWalker
from footfall.core.engine.tracker.walker_state import WalkerState
from footfall.core.errors import MotionError
from footfall.core.scenarios.scenarios import find_scenario
from footfall.core.task import Path, SpeedProfile, Task
from footfall.core.terrain import Slab, make_slab_ground

FOOT = FootExtent(-0.07, 0.21)
GAPS = np.array([[2.6, 2.9], [4.1, 4.3], [5.3, 5.6]])


@pytest.fixture(scope="module")
def table(biped: PlanarBiped, steps: tuple[StepSamples, ...]) -> StepTable:
    return StepTable.from_samples(biped, steps)


def _walk(biped: PlanarBiped, policy: SteppingPolicy, gaps: np.ndarray) -> WalkRecord:
    distance = np.arange(-2.0, 20.0, 0.005)
    heights = np.zeros(len(distance))
    for begin, end in gaps:
        heights[(distance > begin) & (distance < end)] = np.nan
    family = policy.table.family
    middle = policy.table.find_length(1.0)
    gait = tuple(family.steps[leg][middle][middle] for leg in (0, 1))
    walker = PlanarWalker(
        PlanarSimulation(biped, PathGround.from_samples(-2.0, 0.005, heights)), (gait[0], gait[1])
    )
    return record_walk(walker, walker.start(), 6.0, choose_step=PolicyStepper(policy))


def test_affine_map_is_that_of_the_integrated_equation(
    biped: PlanarBiped, table: StepTable
) -> None:
    step = table.family.steps[0][5][6]
    rear = RearFoot.after(biped, table.family.steps[1][5][5])
    reduced = ReducedStep.from_constraints(biped, step, rear)
    # Without a rate to follow the indicator is constant.
    still = replace(reduced, line=replace(reduced.line, gain=0 * reduced.line.gain))
    zeta = np.array([[0.8], [1.2]])
    ends = still.integrate(zeta, np.ones((1, 1))).zeta[:, 0] / still.impact**2
    exact = reduced.compute_affine_map(0.0)
    assert ends == pytest.approx(exact.factor[-1] * zeta[:, 0] + exact.constant[-1], rel=0.02)


def test_indicator_to_the_front_makes_a_step_slower(biped: PlanarBiped, table: StepTable) -> None:
    rear = RearFoot.after(biped, table.family.steps[1][5][5])
    reduced = ReducedStep.from_constraints(biped, table.family.steps[0][5][5], rear)
    ends = [reduced.compute_affine_map(shift).constant[-1] for shift in (-0.03, 0.0, 0.03)]
    assert ends[0] > ends[1] > ends[2]


def test_scaled_step_has_its_lengths(biped: PlanarBiped, steps: tuple[StepSamples, ...]) -> None:
    samples = steps[0]
    scaled = scale_step(samples, biped, StepFactors(0.8, 1.1))
    before, after = (biped.locate(s.coordinates)[:, 5].real for s in (samples, scaled))
    length = before[samples.landing]
    assert after[0] == pytest.approx(before[0] + 0.2 * length, abs=0.02)
    assert after[samples.landing] == pytest.approx(1.1 * length, abs=0.02)


def test_predicted_rates_are_those_of_the_simulation(biped: PlanarBiped, table: StepTable) -> None:
    policy = SteppingPolicy.from_gaps(table, np.zeros((0, 2)), FOOT, (-1.0, 8.0))
    middle = table.find_length(1.0)
    gait = tuple(table.family.steps[leg][middle][middle] for leg in (0, 1))
    stepper = PolicyStepper(policy)
    observed = []

    def choose(walker: PlanarWalker, state: WalkerState) -> PlanarWalker:
        observed.append(stepper.observe(walker, state))
        return stepper(walker, state)

    walker = PlanarWalker(PlanarSimulation(biped, PathGround.level()), (gait[0], gait[1]))
    record_walk(walker, walker.start(), 4.0, choose_step=choose)
    errors = []
    for now, after, choice in zip(observed[1:], observed[2:], stepper.choices, strict=False):
        rates = table.next_rate[now.leg, now.before, choice.length, :, choice.speed]
        errors.append(np.interp(now.rate, table.rates, rates) - after.rate)
    assert np.sqrt(np.mean(np.square(errors))) < 0.2


@pytest.fixture(scope="module")
def crossing(biped: PlanarBiped, table: StepTable) -> WalkRecord:
    return _walk(biped, SteppingPolicy.from_gaps(table, GAPS, FOOT, (-1.0, 9.0)), GAPS)


def test_walk_crosses_gaps(crossing: WalkRecord) -> None:
    assert not crossing.is_fallen
    assert crossing.com[-1, 0] > 6.0


def test_walk_crosses_gaps_on_a_slope(
    biped: PlanarBiped, steps: tuple[StepSamples, ...], table: StepTable
) -> None:
    """A gap is 1 m deep: a body with a foot in it falls."""
    distance = np.arange(-2.0, 12.0, 0.005)
    heights = np.tan(np.radians(5.0)) * np.maximum(distance - 1.0, 0.0)
    for begin, end in GAPS[:2]:
        heights[(distance > begin) & (distance < end)] = np.nan
    ground = PathGround.from_samples(-2.0, 0.005, heights)
    assert not ground.is_level
    assert not len(list_steps(ground))
    policy = SteppingPolicy.from_gaps(table, ground.gaps, FOOT, (-1.0, 7.0))
    middle = table.find_length(1.0)
    gait = tuple(table.family.steps[leg][middle][middle] for leg in (0, 1))
    walker = PlanarWalker(PlanarSimulation(biped, ground), (gait[0], gait[1]))
    gaits = LengthGaits(biped, steps, table.family.factors)
    record = record_walk(walker, walker.start(), 4.5, choose_step=PolicyStepper(policy, gaits))
    assert not record.is_fallen
    assert record.com[-1, 0] > 4.6


def test_preferred_length_is_taken(
    biped: PlanarBiped, table: StepTable, crossing: WalkRecord
) -> None:
    policy = SteppingPolicy.from_gaps(table, GAPS, FOOT, (-1.0, 9.0), 0.7)
    short = _walk(biped, policy, GAPS)
    assert not short.is_fallen
    counts = [record.cycle[record.com[:, 0] > 4.0][0] for record in (short, crossing)]
    assert counts[0] > counts[1] + 0.5


def test_scenario_is_sound() -> None:
    task = find_scenario("tracker-gaps").build_task(60.0, 3.5, 0)
    motion = generate(task)
    assert not judge_motion(motion, task.ground, MotionBounds()).flaws
    resting = motion.contact_position[motion.contact_active]
    assert np.isfinite(task.ground.sample_heights(resting[:, :2])).all()


def test_feet_clear_the_edges_of_stairs(
    biped: PlanarBiped, steps: tuple[StepSamples, ...], table: StepTable
) -> None:
    """Up four steps of 10 cm and down four of 5 cm; the places of soles are those of the judge."""
    distance = np.arange(0.0, 12.0, 0.005)
    number = np.clip(np.floor((distance - 1.6) / 0.6) + 1, 0, 8)
    ground = PathGround(0.0, 0.005, 0.1 * np.minimum(number, 4) - 0.05 * np.maximum(number - 4, 0))
    places = list_steps(ground)
    assert len(places) == 8
    policy = SteppingPolicy.from_gaps(table, places, FOOT, (-1.0, 9.0))
    middle = table.find_length(1.0)
    gait = tuple(table.family.steps[leg][middle][middle] for leg in (0, 1))
    walker = PlanarWalker(PlanarSimulation(biped, ground), (gait[0], gait[1]))
    gaits = LengthGaits(biped, steps, table.family.factors)
    record = record_walk(walker, walker.start(), 5.5, choose_step=PolicyStepper(policy, gaits))
    assert not record.is_fallen
    assert record.com[-1, 0] > 5.9
    soles = biped.locate(record.coordinates, biped.points[:4])
    soles[:, [TOE_1, TOE_2]] -= 1j * biped.side_view.toe_height
    heights = np.array([[ground.locate(x).height for x in row] for row in soles.real])
    assert (soles.imag - heights).min() > -0.004


def test_tread_that_is_too_narrow_is_named() -> None:
    slabs = [
        Slab((-20.0, 2.0), (-1.0, 1.0)),
        *(Slab((2.0 + 0.2 * k, 2.2 + 0.2 * k), (-1.0, 1.0), 0.05 * k) for k in range(1, 9)),
        Slab((3.8, 30.0), (-1.0, 1.0), 0.4),
    ]
    task = Task(Path([[0, 0], [20, 0]]), SpeedProfile(1.3), seconds=2.0, fps=60, engine="tracker")
    with pytest.raises(MotionError, match=r"No steps lead over the step of the ground 2\.\d\d m"):
        generate(replace(task, ground=make_slab_ground(slabs)))


def test_gap_that_is_too_wide_is_named() -> None:
    ground = make_slab_ground([Slab((-9, 2.0), (-2, 2)), Slab((2.9, 30), (-2, 2))])
    task = Task(
        Path([[0, 0], [20, 0]]), SpeedProfile(1.3), seconds=2.0, ground=ground, engine="tracker"
    )
    with pytest.raises(MotionError, match=r"gap of 0\.9\d m that begins (1\.99|2\.00) m"):
        generate(task)
