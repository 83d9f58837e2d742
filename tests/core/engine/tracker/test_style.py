"""The style or clip that Side View follows is seen in its motions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path as FilePath

import pytest
from by_phase import measure_differences
from footfall.core.character.load import load_character
from footfall.core.engine import generate
from footfall.core.engine.centroidal.generate import generate as generate_planned
from footfall.core.engine.tracker import followed_walk
from footfall.core.engine.tracker.followed_walk import TrackedBody, make_walk
from footfall.core.engine.tracker.path_ground import PathGround
from footfall.core.engine.tracker.start import start_steady
from footfall.core.motion import Motion
from footfall.core.task import Path, SpeedProfile, Task

CLIP = FilePath(__file__).resolve().parents[3] / "data" / "small" / "walk.bvh"


@pytest.mark.parametrize(("style", "speed"), [("old", 1.0), (str(CLIP), 1.15)])
def test_walk_looks_like_its_input(style: str, speed: float) -> None:
    task = Task(
        Path([[0, 0], [10, 0]]), SpeedProfile(speed), style=style, seconds=3.0, engine="tracker"
    )
    walk = generate(replace(task, fps=60))
    model = generate(replace(task, engine="centroidal", fps=60))
    differences = measure_differences(walk, model, load_character("humanoid"))
    assert set(differences) == {"thigh", "knee", "ankle", "trunk"}
    assert max(differences.values()) < 3.0
    assert (walk.com[-1, 0] - walk.com[0, 0]) / 3.0 == pytest.approx(speed, rel=0.05)


def test_walk_of_an_input_is_planned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    planned = []

    def plan(task: Task) -> Motion:
        planned.append(task.style)
        return generate_planned(task)

    monkeypatch.setattr(followed_walk, "generate_planned", plan)
    monkeypatch.setattr(followed_walk, "_input_cache", {})
    task = Task(Path([[0, 0], [10, 0]]), SpeedProfile(1.0), style="old", engine="tracker")
    others = (
        replace(task, friction=0.5, seconds=2.0, path=Path([[0, 0], [0, 9]])),
        replace(task, style="tired"),
        replace(task, mass=90.0),
    )
    motions = []
    for each in (task, *others, task):
        body = TrackedBody.from_task(each)
        motions.append(followed_walk.generate_input(each, body.scaled, 1.0))
    # A different ground or path needs no other walk; a different style or body does.
    assert planned == ["old", "tired", "old"]
    assert motions[1] is motions[0]
    assert motions[4] is motions[0]
    assert motions[3] is not motions[0]


def test_march_settles_to_its_speed() -> None:
    speed = 1.2
    profile = SpeedProfile(speed)
    task = Task(Path([[0, 0], [10, 0]]), profile, style="march", seconds=3.0, engine="tracker")
    body = TrackedBody.from_task(task)
    walker = make_walk(task, body, speed).make_walker(body, PathGround.level())
    state = start = start_steady(walker, speed, 0.0)
    while state.steps < start.steps + 6:
        assert not walker.is_fallen(state)
        state = walker.advance(state)
    pace = (state.q[0] - start.q[0]) / (state.time - start.time)
    assert pace == pytest.approx(speed, rel=0.03)
