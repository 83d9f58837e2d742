"""Training of the engine Fast for a character, and its use by Generate and Generate All."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from blender_scene import add_curve, add_detected_metarig, select
from footfall.addon.bake.stored_plan import read_played_plan
from footfall.addon.scene.drive_task import read_drive_request
from footfall.addon.user_files.networks import networks_folder
from footfall.addon.worker import train_job
from footfall.addon.worker.fast_engine import prefer_fast_engine
from footfall.addon.worker.train_job import TrainJob
from footfall.core.errors import FootfallError
from footfall.operators.train import FOOTFALL_OT_train

SMALL = {"segments": 25, "epochs": 40}


@pytest.fixture
def character(scene: bpy.types.Scene) -> Iterator[bpy.types.Object]:
    """A detected character with a path, and no networks of the user."""
    armature = add_detected_metarig(scene)
    scene.footfall.path = add_curve([(0, 0, 0), (0, -8, 0)])
    select(armature)
    yield armature
    for path in networks_folder().glob("*"):
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

    segments, epochs, seed = 2000, 10, 0
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
