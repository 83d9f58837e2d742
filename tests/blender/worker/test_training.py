"""Training of the engines Fast and Adaptive for a character, and the use of what was trained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from blender_scene import add_curve, add_detected_metarig, select
from footfall.addon.bake.stored_plan import read_played_plan
from footfall.addon.scene.body_task import read_body_task
from footfall.addon.scene.drive_task import read_drive_request
from footfall.addon.user_files.trained import controllers_folder, networks_folder
from footfall.addon.worker import train_job
from footfall.addon.worker.fast_engine import prefer_fast_engine
from footfall.addon.worker.train_job import ControllerGoal, TrainJob
from footfall.core.engine.adaptive.biped import scale_to_reference
from footfall.core.engine.adaptive.body_identity import BodyIdentity
from footfall.core.engine.adaptive.controller_file import save_controller
from footfall.core.engine.adaptive.shipped import load_shipped_controller
from footfall.core.engine.adaptive.user_controllers import find_controllers, name_controller_file
from footfall.core.engine.shared.character import load_task_character
from footfall.core.errors import FootfallError
from footfall.core.worker.messages import TrainedAnswer
from footfall.operators.train import FOOTFALL_OT_train

SMALL = {"segments": 25, "epochs": 40}


@pytest.fixture
def character(scene: bpy.types.Scene) -> Iterator[bpy.types.Object]:
    """A detected character with a path, and no networks of the user."""
    armature = add_detected_metarig(scene)
    scene.footfall.path = add_curve([(0, 0, 0), (0, -8, 0)])
    select(armature)
    yield armature
    for folder in (networks_folder(), controllers_folder()):
        for path in folder.glob("*"):
            path.unlink()


def _list_networks() -> list[Path]:
    return sorted(networks_folder().glob("*"))


def test_a_trained_character_is_generated_fast(
    scene: bpy.types.Scene, character: bpy.types.Object
) -> None:
    scene.footfall.engine = "learned"
    with pytest.raises(RuntimeError, match=r"no network for .*Train for This Character"):
        bpy.ops.footfall.generate()
    assert bpy.ops.footfall.train(**SMALL) == {"FINISHED"}
    assert [path.suffix for path in _list_networks()] == [".npz"]
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    planned = read_played_plan(character)
    assert planned is not None
    assert planned.motion.report.engine == "learned"
    assert np.isfinite(planned.motion.link_position).all()
    # Generate All chooses the engine by itself, and another style has no network.
    scene.footfall.engine = "centroidal"
    assert bpy.ops.footfall.own_settings() == {"FINISHED"}
    assert bpy.ops.footfall.generate_all() == {"FINISHED"}
    planned = read_played_plan(character)
    assert planned is not None
    assert planned.motion.report.engine == "learned"
    # So does a drive.
    drive = read_drive_request(bpy.context)
    assert drive.request.task.engine == "centroidal"
    assert prefer_fast_engine(drive.request).task.engine == "learned"
    scene.footfall_own[0].style = "proud"
    assert prefer_fast_engine(read_drive_request(bpy.context).request).task.engine == "centroidal"
    scene.footfall_own[0].engine = "learned"
    with pytest.raises(RuntimeError, match=r"no network for .* in the style 'proud'"):
        bpy.ops.footfall.generate()


class _StandIn:
    """Stands in for the operator, which Blender alone can create, and records its reports."""

    segments, epochs, seed, minutes = 2000, 10, 0, 15.0
    _job: TrainJob | None = None
    _timer = None

    def __init__(self) -> None:
        self.reports: list[tuple[set[str], str]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(FOOTFALL_OT_train, name).__get__(self)

    def report(self, kind: set[str], text: str) -> None:
        self.reports.append((kind, text))


def _make_event(kind: str) -> Any:
    return SimpleNamespace(type=kind, value="PRESS")


def test_esc_stops_a_training_and_its_processes(
    scene: bpy.types.Scene, character: bpy.types.Object
) -> None:
    operator = _StandIn()
    assert operator._begin(bpy.context)
    job = operator._job
    assert job is not None
    operator.modal(bpy.context, _make_event("TIMER"))
    assert operator.modal(bpy.context, _make_event("ESC")) == {"CANCELLED"}
    assert operator.reports == [({"INFO"}, "Stopped. All networks are as they were.")]
    assert job._worker.status is not None
    assert _list_networks() == []


def _save_controller(context: bpy.types.Context) -> Path:
    """Save the shipped walk as one that was trained for the active character."""
    scaled = scale_to_reference(load_task_character(read_body_task(context).task))
    identity = BodyIdentity.from_biped(scaled.biped)
    controllers_folder().mkdir(parents=True, exist_ok=True)
    path = controllers_folder() / name_controller_file("forward", "walker", identity)
    gait = find_controllers(scaled).gaits["forward"]
    shipped = load_shipped_controller("forward")
    save_controller(replace(shipped, gait=gait, body="walker", identity=identity), path)
    return path


def test_adaptive_uses_the_controller_of_a_character(
    scene: bpy.types.Scene, character: bpy.types.Object
) -> None:
    path = _save_controller(bpy.context)
    scene.footfall.engine = "adaptive"
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    planned = read_played_plan(character)
    assert planned is not None
    assert planned.motion.report.engine == "adaptive"
    assert any(path.name in note for note in planned.motion.report.notes)


def test_adaptive_is_trained_where_it_is_chosen(
    scene: bpy.types.Scene, character: bpy.types.Object
) -> None:
    """A walk that never falls cannot become better, and stays."""
    path = _save_controller(bpy.context)
    before = path.read_bytes()
    scene.footfall.engine = "adaptive"
    with pytest.raises(RuntimeError, match=rf"{character.name}, which stays as it is.*2 of 2"):
        bpy.ops.footfall.train(minutes=0.1)
    assert path.read_bytes() == before
    assert list(controllers_folder().glob("*")) == [path]
    assert _list_networks() == []


def test_esc_stops_the_training_of_a_controller(
    scene: bpy.types.Scene, character: bpy.types.Object
) -> None:
    scene.footfall.engine = "adaptive"
    operator = _StandIn()
    assert operator._begin(bpy.context)
    job = operator._job
    assert job is not None
    assert job.goal == ControllerGoal(
        job.goal.task, job.goal.style, 900.0, seed=0, folder=controllers_folder()
    )
    assert operator.modal(bpy.context, _make_event("ESC")) == {"CANCELLED"}
    assert operator.reports == [({"INFO"}, "Stopped. All controllers are as they were.")]
    assert job._worker.status is not None
    assert list(controllers_folder().glob("*")) == []


def test_a_trained_controller_is_reported(
    scene: bpy.types.Scene, character: bpy.types.Object, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.footfall.engine = "adaptive"
    operator = _StandIn()
    assert operator._begin(bpy.context)
    job = operator._job
    assert job is not None
    try:
        monkeypatch.setattr(job, "poll", lambda: None)
        job._take_answer(TrainedAnswer(Path("walk.json"), "10 of 10 without a fall."))
        assert operator.modal(bpy.context, _make_event("TIMER")) == {"FINISHED"}
    finally:
        operator._end(bpy.context)
    text = "10 of 10 without a fall. The engine Adaptive uses it for this character."
    assert operator.reports == [({"INFO"}, text)]


def test_time_left_follows_the_share(
    scene: bpy.types.Scene, character: bpy.types.Object, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = _StandIn()
    assert operator._begin(bpy.context)
    job = operator._job
    assert job is not None
    try:
        assert job.remaining_time == 0.0
        monkeypatch.setattr(job, "_progress", train_job.JobProgress("samples", 0.25))
        monkeypatch.setattr(train_job.time, "monotonic", lambda: job._start_time + 10.0)
        assert job.remaining_time == pytest.approx(30.0)
    finally:
        operator._end(bpy.context)


def test_a_failed_training_says_why(
    scene: bpy.types.Scene, character: bpy.types.Object, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(job: TrainJob) -> None:
        raise FootfallError("The network cannot be written: No space left on device.")

    monkeypatch.setattr(TrainJob, "poll", fail)
    with pytest.raises(RuntimeError, match="No space left"):
        bpy.ops.footfall.train(**SMALL)
    assert _list_networks() == []
