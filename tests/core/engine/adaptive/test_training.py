"""Walks, evaluation and optimization of the adaptive engine."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.cli import main
from footfall.core.engine.adaptive import training as training_module
from footfall.core.engine.adaptive.command import SerialExecutor
from footfall.core.engine.adaptive.controller_file import load_controller, save_controller
from footfall.core.engine.adaptive.evaluation import (
    Evaluation,
    TrainingStage,
    draw_push,
    draw_walk,
    evaluate,
    simulate_walk,
)
from footfall.core.engine.adaptive.external_forces import ExternalForces, PushForce
from footfall.core.engine.adaptive.height_field import FIELDS, PLANE, GroundKind, create_slope
from footfall.core.engine.adaptive.ladder import RULES, RUNGS, LadderState
from footfall.core.engine.adaptive.movements import Movement, find_movement
from footfall.core.engine.adaptive.parameters import (
    GaitParameters,
    LocomotionParameters,
    denormalize_gait,
    list_parameter_fields,
    mark_coordinates,
    normalize_gait,
)
from footfall.core.engine.adaptive.planner import Goal
from footfall.core.engine.adaptive.shipped import load_shipped_gaits
from footfall.core.engine.adaptive.training import Training, TrainingOptions, rank_samples
from footfall.core.engine.adaptive.transition_walks import (
    evaluate_transition,
    simulate_transition,
)
from footfall.core.engine.adaptive.transitions import TRANSITIONS
from footfall.core.engine.adaptive.validation import list_cases
from footfall.core.engine.adaptive.walker import MAX_PIN_ERROR
from footfall.core.errors import TaskError
from numpy.typing import NDArray

Array = NDArray[np.float64]
GAIT = GaitParameters(LocomotionParameters())
START = normalize_gait(GAIT)
EASY = TrainingStage(80.0, 8, (PLANE, GroundKind(0.04)), variety=0.2)


def test_the_start_walks_over_uneven_ground_with_helper_forces_only() -> None:
    result = evaluate(START, (0, 1, 0), EASY, "humanoid")
    assert result.survived
    assert result.half_cycles == (8, 8)
    very_rough = (GroundKind(0.8), GroundKind(0.8))
    rough = replace(EASY, helper_limit=0.0, half_cycles=30, grounds=very_rough)
    alone = evaluate(START, (0, 1, 0), rough, "humanoid")
    assert not alone.survived
    assert alone.cost > 10 * result.cost


def test_evaluations_depend_on_nothing_but_their_arguments() -> None:
    stage = TrainingStage(60.0, 3, (GroundKind(0.05),))
    first = evaluate(START, (3, 1, 5), stage, "humanoid")
    evaluate(START, (4, 1, 5), stage, "humanoid")
    assert evaluate(START, (3, 1, 5), stage, "humanoid") == first
    assert evaluate(START, (4, 1, 5), stage, "humanoid") != first


def test_a_walk_covers_the_distance_of_its_steps() -> None:
    walk = draw_walk((1,), PLANE, 0.0, find_movement("forward"))
    assert (walk.start.speed, walk.step_length, walk.turn, walk.ground) == (1.35, 0.65, 0.0, None)
    assert walk.start.stride == 0.65
    walker = simulate_walk(GAIT, "humanoid", walk, 8, ExternalForces(80.0))
    assert not walker.has_fallen
    assert walker.body_position[0] == pytest.approx(8 * 0.65, abs=0.4)
    assert walker.time == pytest.approx(8 * 0.555, abs=0.01)
    assert walker.cost.tracking > 0
    assert walker.cost.energy > 0


def test_walks_of_the_last_rungs_are_pushed_on_planes() -> None:
    first, last = (draw_push((seed,), 300.0) for seed in (1, 2))
    assert 150 <= np.linalg.norm(first.force) <= 300
    assert first.end - first.begin == pytest.approx(0.1)
    assert not np.array_equal(first.force, last.force)
    stage = TrainingStage(80.0, 6, (PLANE,), variety=0.2)
    assert evaluate(START, (0, 1, 0), stage, "humanoid").survived
    assert not evaluate(START, (0, 1, 0), replace(stage, push=3000.0), "humanoid").survived
    field = replace(stage, half_cycles=3, grounds=(GroundKind(0.05),))
    pushed = replace(field, push=300.0)
    assert evaluate(START, (0,), field, "humanoid") == evaluate(START, (0,), pushed, "humanoid")
    assert LadderState(len(RUNGS) - 1).make_stage(0, FIELDS).push == 350


def test_feet_stand_on_ground_far_below_the_origin() -> None:
    walk = draw_walk((1,), PLANE, 0.0, find_movement("stand"))
    start = replace(walk.start, position=(11.0, 0.0))
    walk = replace(walk, start=start, ground=create_slope(-0.2))
    walker = simulate_walk(find_movement("stand").start, "humanoid", walk, 1)
    assert not walker.has_fallen
    assert walker.data.ncon > 0
    assert walker.com[2] == pytest.approx(-1.8 + 1.05, abs=0.15)


def test_bodies_stand_by_the_values_set_by_hand() -> None:
    stand = find_movement("stand")
    walk = draw_walk((5,), PLANE, 0.3, stand)
    assert walk.step_length == 0
    walker = simulate_walk(stand.start, "humanoid", walk, 8)
    assert not walker.has_fallen
    assert np.abs(walker.com[:2]).max() < 0.15
    assert np.abs(walker.data.qvel[:3]).max() < 0.2


def test_walks_go_toward_x_whatever_the_body_faces() -> None:
    for name, heading in (("backward", -np.pi), ("left", -0.5 * np.pi)):
        movement = find_movement(name)
        walk = draw_walk((1,), PLANE, 0.0, movement)
        assert walk.start.heading == pytest.approx(heading)
        walker = simulate_walk(movement.start, "humanoid", walk, 6, ExternalForces(80.0))
        assert not walker.has_fallen, name
        assert walker.com[0] == pytest.approx(6 * movement.step_length, abs=0.6)
        facing = walker.data.xmat[1].reshape(3, 3)[:, 0]
        assert facing[:2] @ [np.cos(heading), np.sin(heading)] > 0.9
    with pytest.raises(TaskError, match="no movement 'up'; there are: forward"):
        find_movement("up")


def test_a_start_depends_on_nothing_but_its_arguments_and_leads_into_the_walk() -> None:
    transition = TRANSITIONS["stand-forward"]
    start = transition.make_start(load_shipped_gaits())
    stage = TrainingStage(0.0, 5, (GroundKind(0.05),), variety=0.25)
    first = simulate_transition(start, transition, (7, 0, 0), stage, "humanoid")
    assert first.is_cyclic
    assert not first.walker.has_fallen
    assert first.half_cycles == len(transition.start_steps) + stage.half_cycles
    # Steps of at least 0.62 m, of which the body has done all but the last half
    assert first.walker.com[0] > 0.62 * (stage.half_cycles - 0.5)
    coordinates = normalize_gait(start)
    cost = evaluate_transition(coordinates, (7, 0), stage, "humanoid", transition).cost
    assert cost == pytest.approx(first.cost)
    other = np.clip(coordinates + 0.1, 0.0, 1.0)
    assert evaluate_transition(other, (7, 0), stage, "humanoid", transition).cost > cost
    assert evaluate_transition(coordinates, (7, 0), stage, "humanoid", transition).cost == cost


def test_turns_to_both_sides_are_mirrored() -> None:
    transition = TRANSITIONS["forward-turn"]
    left, right = np.radians([60.0, -60.0])
    assert transition.find_first_foot(left) != transition.find_first_foot(right)
    for sign, turn in ((1, left), (-1, right)):
        goals = [transition.make_goal(k, turn, Goal(0.3, 0.3, 0.5)) for k in range(4)]
        facings = np.degrees([goal.facing - 0.3 for goal in goals])
        assert sign * facings == pytest.approx([15, 30, 45, 60])
        assert [goal.direction for goal in goals] == [goal.facing for goal in goals]
    steps = transition.start_steps
    distances = [transition.find_corner_distance(steps, turn) for turn in (left, right)]
    assert distances[0] == pytest.approx(distances[1])
    assert 0.5 < distances[0] < sum(steps)
    start = transition.make_start(load_shipped_gaits())
    searched = mark_coordinates(start, transition.searched)
    assert len(searched) == len(normalize_gait(start))
    training = Training.begin("forward-turn", TrainingOptions(), start)
    samples = np.array([training.complete(sample) for sample in training.search.ask()])
    assert ((np.ptp(samples, axis=0) > 0) == searched).all()


def test_both_feet_of_a_sidestep_share_coefficients() -> None:
    start = find_movement("left").start
    assert start.second is not None
    coordinates = normalize_gait(start)
    assert len(coordinates) == 76
    read = denormalize_gait(coordinates)
    assert read.second is not None
    assert normalize_gait(read) == pytest.approx(coordinates)
    assert read.second.body_stiffness == read.first.body_stiffness
    assert read.second.step_forward == pytest.approx(-read.first.step_forward)
    assert read.select(0, 0) == read.first
    assert read.select(1, 0) == read.second


def test_a_foot_that_lands_far_from_its_target_bears_the_body() -> None:
    walk = draw_walk((1,), PLANE, 0.0, find_movement("forward"))
    foot = walk.start.swing
    kick = PushForce(0.1, 0.55, np.array([250.0, 0.0, 0.0]), part=(4, 7)[foot], point=np.zeros(3))
    places = []
    for pushes in ((), (kick,)):
        walker = simulate_walk(GAIT, "humanoid", walk, 1, ExternalForces(80.0, pushes))
        for _ in range(10):
            walker.advance()
        assert not walker.has_fallen
        assert walker.pinned[foot].any()
        places.append(float(walker.data.xpos[walker.model.feet[foot], 0]))
    assert places[1] - places[0] > MAX_PIN_ERROR


def test_the_ladder_is_taken_rung_by_rung() -> None:
    state = LadderState(0)
    for _ in range(RULES.good_generations):
        assert state.rung == 0
        state = state.count(0.9)
    assert state == LadderState(1, 0)
    assert state.count(0.9).count(0.1) == state
    for _ in range(RULES.bad_generations):
        assert state.rung == 1
        state = state.count(0.1)
    assert state == LadderState(0, 0)
    assert LadderState(len(RUNGS) - 1, 99).count(1.0).rung == len(RUNGS) - 1
    assert RUNGS[-1].helper_limit == 0
    assert LadderState(0, 1 - RULES.bad_generations).count(0.1).rung == 0
    limits = [rung.helper_limit for rung in RUNGS]
    assert limits == sorted(limits, reverse=True)


def _measure_sphere(
    coordinates: Array, seed: tuple[int, ...], stage: TrainingStage, body: str, movement: Movement
) -> Evaluation:
    """Return a cheap cost in place of a simulation."""
    noise = np.random.default_rng(seed).normal(0.5, 0.01, len(coordinates))
    return Evaluation((float(((coordinates - noise) ** 2).sum()),), (8,), (False,))


def test_a_resumed_training_continues_to_the_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_module, "evaluate", _measure_sphere)
    options = TrainingOptions(population=8, seed=5)
    whole = Training.begin("forward", options, GAIT)
    with SerialExecutor() as executor:
        for _ in range(40):
            whole.advance(executor)
    part = Training.begin("forward", options, GAIT)
    with ThreadPoolExecutor(2) as executor:
        for _ in range(17):
            part.advance(executor)
        part.save(tmp_path / "state")
        resumed = Training.resume(tmp_path / "state")
        for _ in range(23):
            resumed.advance(executor)
    assert resumed.mean == whole.mean
    assert resumed.ladder == whole.ladder
    assert (resumed.generation, resumed.evaluations) == (40, 320)
    start = float(((START - 0.5) ** 2).sum())
    assert float(((normalize_gait(whole.mean) - 0.5) ** 2).sum()) < 0.7 * start


def test_a_search_changes_the_parameters_of_its_options_alone() -> None:
    names = ("step_outward", "correction_outward")
    training = Training.begin("forward", TrainingOptions(searched=names), GAIT)
    samples = np.array([training.complete(sample) for sample in training.search.ask()])
    changed = np.flatnonzero(np.ptp(samples, axis=0) > 0)
    assert [list_parameter_fields()[k].name for k in changed] == list(names)
    others = np.delete(samples[0], changed)
    assert np.array_equal(others, np.delete(START, changed))
    with pytest.raises(TaskError, match="no parameter 'shoe_size'"):
        TrainingOptions(searched=("shoe_size",))


def test_samples_are_ranked_on_each_walk_alike() -> None:
    # The second sample falls on the first walk, which costs much, and is best on the others
    costs = np.array([[1.0, 5.0, 5.0], [900.0, 1.0, 1.0], [2.0, 9.0, 9.0]])
    assert rank_samples(costs) == pytest.approx([5 / 3, 5 / 3, 8 / 3])


def test_damaged_checkpoints_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="no checkpoint"):
        Training.resume(tmp_path / "none")
    (tmp_path / "bad").write_bytes(b"nothing")
    with pytest.raises(TaskError, match="damaged"):
        Training.resume(tmp_path / "bad")


def test_a_controller_is_read_as_it_was_written(tmp_path: Path) -> None:
    training = Training.begin("forward", TrainingOptions(), denormalize_gait(np.full(44, 0.4)))
    path = tmp_path / "forward.json"
    left = Training.begin("left", TrainingOptions(), find_movement("left").start)
    for controller in (left.make_controller(), training.make_controller()):
        save_controller(controller, path)
        assert load_controller(path) == controller
    table = json.loads(path.read_text())
    assert table["bounds"]["swing_height_1"] == [0, 0.8, "m"]
    for key, value, words in (
        ("knee_bending", 9000.0, "from 0 to 4000"),
        ("knee_bending", "much", "must be a number"),
        ("knee_bending", None, "must be a number"),
        ("shoe_size", 43.0, "no parameter 'shoe_size'"),
    ):
        changed = {**table, "parameters": {**table["parameters"], key: value}}
        path.write_text(json.dumps(changed))
        with pytest.raises(TaskError, match=words):
            load_controller(path)
    for text in ("{}", "[]", "no json", json.dumps({**table, "format": 9})):
        path.write_text(text)
        with pytest.raises(TaskError):
            load_controller(path)
    with pytest.raises(TaskError, match="cannot be opened"):
        load_controller(tmp_path / "none.json")


def test_the_command_trains_resumes_and_validates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "forward.json"
    arguments = ["train", "adaptive", "forward", "--out", str(path), "--workers", "1"]
    numbers = ["--population", "4", "--walks", "1"]
    assert main([*arguments, *numbers, "--generations", "1"]) == 0
    first = load_controller(path)
    assert first.training.generations == 1
    assert first.body == "humanoid"
    assert len(first.validation) == len(list_cases(find_movement("forward")))
    assert main([*arguments, "--resume", "--generations", "2", "--walks", "1"]) == 0
    second = load_controller(path)
    assert (second.training.generations, second.training.evaluations) == (2, 8)
    assert second.training.options == first.training.options
    assert second.gait != first.gait
    assert "generation 1: rung 0 (helper 80 N)" in capsys.readouterr().out
    assert main([*arguments, "--body", "dog", "--generations", "1"]) == 2
    assert "dog" in capsys.readouterr().err


@pytest.mark.parametrize("changes", [{"population": 2}, {"seed": -1}])
def test_impossible_options_are_refused(changes: dict[str, int]) -> None:
    with pytest.raises(TaskError, match="must be"):
        TrainingOptions(**changes)
