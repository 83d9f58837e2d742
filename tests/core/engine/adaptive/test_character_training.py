"""Training of a walk for a character of a user, and the use of what was trained."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.character.character import Character
from footfall.core.character.load import BODIES_FOLDER, load_character
from footfall.core.character.scaled import scale_character
from footfall.core.cli import main
from footfall.core.engine.adaptive import character_training, command
from footfall.core.engine.adaptive.biped import REFERENCE_MASS, scale_to_reference
from footfall.core.engine.adaptive.body_identity import BodyIdentity, UserBody
from footfall.core.engine.adaptive.character_training import (
    LAST_RUNG,
    CharacterTraining,
    CharacterTrainingPlan,
    find_first_rung,
    train_character,
    try_changes,
)
from footfall.core.engine.adaptive.command import SerialExecutor
from footfall.core.engine.adaptive.controller_file import (
    TrainedController,
    ValidationRow,
    load_controller,
    save_controller,
)
from footfall.core.engine.adaptive.evaluation import Evaluation, TrainingStage
from footfall.core.engine.adaptive.generate import generate
from footfall.core.engine.adaptive.ladder import RUNGS
from footfall.core.engine.adaptive.movement_choice import USER_FOLDER_VARIABLE
from footfall.core.engine.adaptive.shipped import load_shipped_controller, load_shipped_gaits
from footfall.core.engine.adaptive.user_controllers import find_controllers, name_controller_file
from footfall.core.engine.adaptive.validation import WalkResult
from footfall.core.errors import CharacterError, TaskError
from footfall.core.task import Path as TaskPath
from footfall.core.task import SpeedProfile, Task

TASK = Task(TaskPath([(0.0, 0.0), (5.0, 0.0)]), SpeedProfile(1.06), seconds=0.5, fps=24.0)
SMALL = CharacterTrainingPlan(generations=1, population=4, walks=1)


def _make_controller(character: Character, lowering: float = -0.1) -> TrainedController:
    """Return the shipped walk, a little changed, as one that was trained for a character."""
    shipped = load_shipped_controller("forward")
    gait = replace(shipped.gait, first=replace(shipped.gait.first, body_lowering=lowering))
    identity = BodyIdentity.from_biped(scale_to_reference(character).biped)
    return replace(shipped, body="Zoë", gait=gait, identity=identity)


def _with_large_head(character: Character) -> Character:
    head = character.head
    assert head is not None
    links = list(character.links)
    links[head] = replace(links[head], mass=10.0)
    return replace(character, links=tuple(links))


def _row(survived: int, mean: float) -> ValidationRow:
    return ValidationRow("level ground", 10, survived, half_cycles=24, mean_half_cycles=mean)


def test_a_trained_controller_moves_its_body_unaltered(tmp_path: Path) -> None:
    character = load_character("humanoid")
    controller = _make_controller(character)
    assert controller.identity is not None
    name = name_controller_file("forward", "Zoë of the hill", controller.identity)
    assert name.startswith("Zo-of-the-hill-forward-")
    save_controller(controller, tmp_path / name)
    assert load_controller(tmp_path / name) == controller
    larger = replace(scale_character(character, 1.3, 2.0), name="other")
    chosen = find_controllers(scale_to_reference(larger), tmp_path)
    assert chosen.gaits["forward"] == controller.gait
    assert chosen.gaits["stand"] == load_shipped_gaits()["stand"]
    assert len(chosen.notes) == 1
    assert name in chosen.notes[0]
    assert "Zoë" in chosen.notes[0]


def test_another_body_has_the_controllers_of_footfall(tmp_path: Path) -> None:
    character = load_character("humanoid")
    save_controller(_make_controller(character), tmp_path / "walk.json")
    other = scale_to_reference(_with_large_head(character))
    chosen = find_controllers(other, tmp_path)
    assert chosen.notes == ()
    assert chosen.gaits == find_controllers(other, tmp_path / "nothing").gaits


def test_the_newest_controller_of_a_body_is_used(tmp_path: Path) -> None:
    character = load_character("humanoid")
    for name, lowering, time in (("a", -0.1, 2000), ("b", -0.05, 3000), ("c", -0.02, 1000)):
        save_controller(_make_controller(character, lowering), tmp_path / f"{name}.json")
        os.utime(tmp_path / f"{name}.json", (time, time))
    chosen = find_controllers(scale_to_reference(character), tmp_path)
    assert chosen.gaits["forward"].first.body_lowering == -0.05
    assert len(chosen.notes) == 1


def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    character = load_character("humanoid")
    (tmp_path / "broken.json").write_text("{")
    save_controller(load_shipped_controller("forward"), tmp_path / "shipped.json")
    controller = _make_controller(character)
    save_controller(replace(controller, name="dance"), tmp_path / "dance.json")
    save_controller(controller, tmp_path / "damaged.json")
    table = json.loads((tmp_path / "damaged.json").read_text())
    table["identity"][3] = "wide"
    (tmp_path / "damaged.json").write_text(json.dumps(table))
    chosen = find_controllers(scale_to_reference(character), tmp_path)
    assert chosen.gaits == load_shipped_gaits()
    notes = sorted(chosen.notes)
    assert [note.split()[0] for note in notes] == [
        "broken.json",
        "damaged.json",
        "dance.json",
        "shipped.json",
    ]
    assert "no movement 'dance'" in notes[2]
    assert "not trained for the body of a user" in notes[3]


def test_motions_say_that_a_trained_controller_was_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = generate(TASK)
    save_controller(_make_controller(load_character("humanoid")), tmp_path / "walk.json")
    monkeypatch.setenv(USER_FOLDER_VARIABLE, str(tmp_path))
    after = generate(TASK)
    assert not np.array_equal(before.com, after.com)
    assert any("walk.json" in note for note in after.report.notes)
    assert not any("walk.json" in note for note in before.report.notes)


def _stub_changes(number: int, task: Task, gait: object) -> WalkResult:
    return WalkResult(1, True)


def _stub_walk(number: int, gait: object, **rest: object) -> WalkResult:
    return WalkResult(24, True)


@pytest.fixture
def short_trainings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trainings choose their rung by one walk and validate nothing."""
    monkeypatch.setattr(character_training, "PROBES", 1)
    monkeypatch.setattr(character_training, "try_changes", _stub_changes)
    monkeypatch.setattr(character_training, "try_walk", _stub_walk)


@pytest.mark.usefixtures("short_trainings")
def test_a_seed_determines_a_training() -> None:
    stages: list[str] = []
    first, again, other = (
        train_character(
            TASK,
            replace(SMALL, seed=seed),
            SerialExecutor(),
            lambda stage, share: stages.append(stage),
        ).controller
        for seed in (0, 0, 1)
    )
    assert first == again
    assert first.gait != other.gait
    assert first.gait != load_shipped_gaits()["forward"]
    assert stages[:3] == ["validation", "search", "validation"]
    assert first.training.generations == 1
    assert first.training.evaluations == 4
    assert first.identity == UserBody.from_character(load_character("humanoid")).identity
    assert [row.case for row in first.validation] == [
        "level ground",
        "fields 0-0.1 m",
        "starts and stops",
    ]


@pytest.mark.usefixtures("short_trainings")
def test_a_training_ends_with_its_time() -> None:
    plan = replace(SMALL, seconds=0.01, generations=None)
    trained = train_character(TASK, plan, SerialExecutor())
    assert trained.controller.training.generations == 0
    with pytest.raises(TaskError, match=r"humanoid, which stays as it is.* 1 of 1 without a fall"):
        trained.check()


def test_a_training_says_how_far_it_came() -> None:
    shipped = load_shipped_controller("forward")
    record = replace(shipped.training, helper_limit=5.0)
    controller = replace(shipped, training=record, validation=(_row(4, 15.0),))
    trained = CharacterTraining(controller, (_row(1, 6.0),))
    assert trained.is_better
    trained.check()
    assert "4 of 10 without a fall (before: 1)" in trained.describe()
    assert "helping force of 5 N" in trained.describe()
    assert not replace(trained, before=(_row(5, 15.0),)).is_better


def test_the_first_rung_is_the_hardest_that_a_controller_survives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    least = 10.0

    def survive(
        coordinates: object, seed: tuple[int, ...], stage: TrainingStage, body: UserBody
    ) -> Evaluation:
        return Evaluation((0.0,), (8,), (stage.helper_limit < least,))

    monkeypatch.setattr(character_training, "evaluate", survive)
    body = UserBody.from_character(load_character("humanoid"))
    gait = load_shipped_gaits()["forward"]
    rung = find_first_rung(gait, body, 0, SerialExecutor())
    assert RUNGS[rung].helper_limit == 10
    least = 1000.0
    assert find_first_rung(gait, body, 0, SerialExecutor()) == 0
    least = 0.0
    assert find_first_rung(gait, body, 0, SerialExecutor()) == LAST_RUNG


def test_a_body_begins_to_walk_and_stops() -> None:
    gait = load_shipped_gaits()["forward"]
    assert try_changes(0, TASK, gait) == WalkResult(1, True)


@pytest.mark.parametrize("changes", [{"seconds": 0.0}, {"generations": 0}, {"walks": 0}])
def test_plans_out_of_range_are_refused(changes: dict[str, float]) -> None:
    with pytest.raises(TaskError, match="must be"):
        CharacterTrainingPlan(**changes)  # type: ignore[arg-type]


def test_short_trainings_have_short_validations() -> None:
    assert CharacterTrainingPlan.from_time(900.0, 3) == CharacterTrainingPlan(900.0, seed=3)
    assert CharacterTrainingPlan.from_time(300.0, 0).walks == 5
    assert CharacterTrainingPlan.from_time(6.0, 0).walks == 2


def test_the_command_trains_for_the_file_of_a_character(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(BODIES_FOLDER / "humanoid.toml", tmp_path / "zoe.toml")
    plans = []

    def train(
        task: Task, plan: CharacterTrainingPlan, executor: object, progress: object
    ) -> CharacterTraining:
        plans.append(plan)
        controller = _make_controller(load_character(str(task.character)))
        return CharacterTraining(
            replace(controller, validation=(_row(10, 24.0),)), (_row(9, 23.0),)
        )

    monkeypatch.setattr(command, "train_character", train)
    arguments = ["train", "adaptive", "forward", "--body", str(tmp_path / "zoe.toml")]
    arguments += ["--workers", "1", "--minutes", "2", "--seed", "3"]
    arguments += ["--out", str(tmp_path / "new" / "walk.json")]
    assert main(arguments) == 0
    assert plans == [CharacterTrainingPlan(120.0, 1000, 3)]
    assert load_controller(tmp_path / "new" / "walk.json").identity is not None
    assert "10 of 10 without a fall (before: 9)" in capsys.readouterr().out
    assert main([*arguments, "--rung", "4"]) != 0
    assert "--rung belongs to the search" in capsys.readouterr().err
    arguments[2] = "stand"
    assert main(arguments) != 0
    assert "built-in characters only" in capsys.readouterr().err


def test_bodies_on_legs_without_mass_are_refused() -> None:
    character = load_character("humanoid")
    legs = {link for leg in character.legs for link in leg.links}
    links = tuple(
        replace(link, mass=1e-3) if k in legs else link for k, link in enumerate(character.links)
    )
    with pytest.raises(CharacterError, match=r"legs of 'humanoid' have 0\.0 % of its mass"):
        scale_to_reference(replace(character, links=links))
    assert scale_to_reference(character).biped.leg_mass > 0.3 * REFERENCE_MASS
