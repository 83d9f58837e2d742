"""Every error gets a specific message, and the file stays unchanged."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

import bpy
import footfall
import numpy as np
import pytest
from blender_scene import Snapshot, add_curve, add_mesh, add_metarig, select
from footfall.addon.scene.task import read_task
from footfall.addon.worker import job as jobs
from footfall.addon.worker import process
from footfall.addon.worker.batch import JobBatch
from footfall.core.errors import FootfallError
from footfall.operators.generate import FOOTFALL_OT_generate


def _good(scene: bpy.types.Scene) -> bpy.types.Object:
    armature = add_metarig()
    scene.footfall.path = add_curve([(0, 0, 0), (0, -9, 0)])
    select(armature)
    return armature


def _no_armature(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    select(scene.footfall.path)


def _nothing_active(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    select(None)


def _no_legs(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    bpy.ops.object.armature_add()


def _mirrored(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    armature.scale = (-1, 1, 1)


def _uneven(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    armature.scale = (1, 1, 1.5)


def _no_size(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    armature.scale = (0, 0, 0)


def _stretched_bone(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    armature.pose.bones["shin.L"].scale = (1, 2, 1)


def _mirrored_bone(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    armature.pose.bones["thigh.L"].scale = (-1, 1, 1)


def _flat_bone(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    armature.pose.bones["foot.L"].scale = (1, 0, 1)


def _large_bone(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    armature.pose.bones["spine"].scale = (2, 2, 2)


def _no_path(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    scene.footfall.path = None


def _empty_path(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    scene.footfall.path = add_curve([])


def _point_path(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    scene.footfall.path = add_curve([(1, 1, 0)])


def _upright_path(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    scene.footfall.path = add_curve([(0, 0, 0), (0, 0, 4)])


def _wrong_path(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    scene.footfall.path = armature


def _small_ground(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    square = np.array([[-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]], float)
    scene.footfall.terrain = add_mesh(square, np.array([[0, 1, 2, 3]]))


def _no_faces(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    scene.footfall.terrain = add_mesh(np.zeros((3, 3)), np.zeros((0, 3), int))


def _wall(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    scene.footfall.terrain = add_mesh(
        np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1]], float), np.array([[0, 1, 2]])
    )


def _wrong_ground(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    scene.footfall.terrain = armature.data


def _backward(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    scene.footfall.speed = -1.0


def _not_a_speed(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    scene.footfall.speed = float("nan")


def _too_fast(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    scene.footfall.speed = 80.0


def _no_frames(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    scene.frame_start = 50
    scene.frame_end = 51


def _late_push(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    scene.footfall.pushes.add().frame = scene.frame_end + 10


CASES: list[tuple[Callable[[bpy.types.Scene, bpy.types.Object], None], str]] = [
    (_no_armature, "No armature is selected.*Path.*curve"),
    (_nothing_active, "nothing is active"),
    (_no_legs, "no legs"),
    (_mirrored, "mirrored"),
    (_uneven, "unevenly"),
    (_no_size, "scaled to zero"),
    (_stretched_bone, "'shin.L' is scaled unevenly"),
    (_mirrored_bone, "'thigh.L' is mirrored"),
    (_flat_bone, "'foot.L' is mirrored or of no length"),
    (_large_bone, "'spine' is scaled"),
    (_no_path, "No path"),
    (_empty_path, "empty"),
    (_point_path, "empty"),
    (_upright_path, "straight up"),
    (_wrong_path, "must be a curve"),
    (_small_ground, "leaves the terrain"),
    (_no_faces, "no faces"),
    (_wall, "stood on"),
    (_wrong_ground, "neither a mesh"),
    (_backward, "negative"),
    (_not_a_speed, "not a finite number"),
    (_too_fast, "at most"),
    (_no_frames, "four frames"),
    (_late_push, "push at frame"),
]


@pytest.mark.parametrize(("spoil", "says"), CASES, ids=[spoil.__name__[1:] for spoil, _ in CASES])
def test_message_and_nothing_changed(
    scene: bpy.types.Scene, spoil: Callable[..., None], says: str
) -> None:
    armature = _good(scene)
    old = bpy.data.actions.new("Hand made")
    armature.animation_data_create().action = old
    spoil(scene, armature)
    bpy.context.view_layer.update()
    before = Snapshot.from_armature(armature)
    with pytest.raises(RuntimeError, match=says):  # how a script hears of an operator's error
        bpy.ops.footfall.generate()
    assert Snapshot.from_armature(armature) == before
    assert bpy.data.actions["Hand made"].users == 1


def test_detect_says_so_too(scene: bpy.types.Scene) -> None:
    with pytest.raises(RuntimeError, match="No armature"):
        bpy.ops.footfall.detect_character()
    bpy.ops.object.armature_add()
    with pytest.raises(RuntimeError, match="no legs"):
        bpy.ops.footfall.detect_character()


def test_edit_mode_is_refused(scene: bpy.types.Scene) -> None:
    _good(scene)
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RuntimeError, match="edit mode"):
        bpy.ops.footfall.generate()
    bpy.ops.object.mode_set(mode="OBJECT")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _wait_for_stage(job: jobs.Job) -> None:
    while job.poll().stage == "starting":  # raises an error if the process ends or falls silent
        time.sleep(0.02)


@pytest.mark.parametrize("share", [None, 0.01, 0.3, 0.6])
def test_a_worker_that_dies_is_reported(
    scene: bpy.types.Scene, monkeypatch: pytest.MonkeyPatch, share: float | None
) -> None:
    """Kill the process at the request, or once it has reported a share of its work."""
    armature = _good(scene)
    scene.frame_end = 1500
    started: list[jobs.Job] = []
    killed: list[float] = []
    begin = jobs.Job._send_request
    poll = jobs.Job.poll
    process.end_idle_workers()

    def send_request(self: jobs.Job, worker: process.WorkerProcess) -> process.WorkerProcess:
        started.append(self)
        begun = begin(self, worker)
        if share is None:
            os.kill(worker.pid, signal.SIGKILL)
        return begun

    def polled(self: jobs.Job) -> jobs.JobProgress:
        progress = poll(self)
        if share is not None and not killed and progress.share >= share:
            os.kill(self.pid, signal.SIGKILL)
            killed.append(progress.share)
        return progress

    monkeypatch.setattr(jobs.Job, "_send_request", send_request)
    monkeypatch.setattr(jobs.Job, "poll", polled)
    before = Snapshot.from_armature(armature)
    with pytest.raises(RuntimeError, match="ended before its work was done"):
        bpy.ops.footfall.generate()
    assert Snapshot.from_armature(armature) == before
    assert not started[0]._folder.exists()


def test_a_worker_that_cannot_start_is_reported(
    scene: bpy.types.Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    armature = _good(scene)
    process.end_idle_workers()
    monkeypatch.setattr(process, "SCRIPT", process.SCRIPT.with_name("missing.py"))
    before = Snapshot.from_armature(armature)
    with pytest.raises(RuntimeError, match=r"missing\.py"):
        bpy.ops.footfall.generate()
    assert Snapshot.from_armature(armature) == before


class _Event:
    def __init__(self, kind: str, value: str = "NOTHING") -> None:
        self.type = kind
        self.value = value


class _Standing:
    """An operator outside Blender's event loop: what `modal` touches, on the real methods."""

    keep = ""
    _batch: JobBatch | None = None
    _timer = None
    _baked_count = 0

    def __init__(self) -> None:
        self.reports: list[tuple[set[str], str]] = []

    @property
    def _job(self) -> jobs.Job | None:
        """The one that runs."""
        return (
            self._batch._running[0].job
            if self._batch is not None and self._batch._running
            else None
        )

    def report(self, kind: set[str], text: str) -> None:
        self.reports.append((kind, text))

    def __getattr__(self, name: str) -> object:
        attribute = getattr(FOOTFALL_OT_generate, name)
        return attribute.__get__(self) if callable(attribute) else attribute


def _begin(scene: bpy.types.Scene) -> _Standing:
    operator = _Standing()
    assert operator._begin(bpy.context)  # type: ignore[operator]
    bpy.context.window_manager.footfall.working = True
    return operator


def _run_out(operator: _Standing) -> tuple[set[str], list[float]]:
    """Let the timer tick until the operator ends, the mouse moving;
    returns what it ends with and the progress it showed.
    """
    shares = []
    done: set[str] = {"PASS_THROUGH"}
    while done == {"PASS_THROUGH"}:
        assert operator.modal(bpy.context, _Event("MOUSEMOVE")) == {"PASS_THROUGH"}  # type: ignore[operator]
        done = operator.modal(bpy.context, _Event("TIMER"))  # type: ignore[operator]
        shares.append(bpy.context.window_manager.footfall.share)
        time.sleep(0.02)
    return done, shares


def test_modal_runs_until_it_is_done(scene: bpy.types.Scene) -> None:
    armature = _good(scene)
    operator = _begin(scene)
    assert operator._job is not None
    pid = operator._job.pid
    done, shares = _run_out(operator)
    assert done == {"FINISHED"}
    assert len(set(shares)) > 3
    assert shares == sorted(shares)
    assert armature.animation_data.action is not None
    assert not bpy.context.window_manager.footfall.working
    assert [w.pid for w in process._idle_workers] == [pid], "it waits for the next task"
    process.end_idle_workers()
    assert not _alive(pid)


@pytest.mark.parametrize("wait", [False, True])
def test_esc_stops_at_once_and_changes_nothing(scene: bpy.types.Scene, wait: bool) -> None:
    armature = _good(scene)
    scene.frame_end = 1500
    before = Snapshot.from_armature(armature)
    operator = _begin(scene)
    assert operator._job is not None
    pid = operator._job.pid
    folder = operator._job._folder
    if wait:
        _wait_for_stage(operator._job)
    if hasattr(signal, "SIGSTOP"):
        os.kill(pid, signal.SIGSTOP)  # waiting for an answer would never end
    assert operator.modal(bpy.context, _Event("ESC", "PRESS")) == {"CANCELLED"}  # type: ignore[operator]
    assert Snapshot.from_armature(armature) == before
    assert not _alive(pid)
    assert not folder.exists()
    assert not bpy.context.window_manager.footfall.working


def test_the_armature_may_vanish_meanwhile(scene: bpy.types.Scene) -> None:
    armature = _good(scene)
    operator = _begin(scene)
    bpy.data.objects.remove(armature)
    done, _ = _run_out(operator)
    assert done == {"CANCELLED"}
    assert "no longer in the scene" in operator.reports[-1][1]
    assert not bpy.data.actions


def test_a_bone_may_vanish_meanwhile(scene: bpy.types.Scene) -> None:
    armature = _good(scene)
    operator = _begin(scene)
    armature.data.bones["shin.L"].name = "calf.L"
    done, _ = _run_out(operator)
    assert done == {"CANCELLED"}
    assert "shin.L" in operator.reports[-1][1]
    assert not bpy.data.actions


def test_closing_the_file_ends_the_work(scene: bpy.types.Scene) -> None:
    _good(scene)
    operator = _begin(scene)
    assert operator._job is not None
    pid = operator._job.pid
    operator.cancel(bpy.context)  # type: ignore[operator]
    assert not _alive(pid)


def test_a_wrong_task_never_reaches_the_worker(scene: bpy.types.Scene) -> None:
    _good(scene)
    scene.footfall.path = None
    with pytest.raises(FootfallError):
        read_task(bpy.context)


def test_the_stop_button_ends_the_work(scene: bpy.types.Scene) -> None:
    armature = _good(scene)
    operator = _begin(scene)
    before = Snapshot.from_armature(armature)
    assert bpy.ops.footfall.stop() == {"FINISHED"}
    assert operator.modal(bpy.context, _Event("TIMER")) == {"CANCELLED"}  # type: ignore[operator]
    assert Snapshot.from_armature(armature) == before
    assert not bpy.ops.footfall.stop.poll()


def test_disabling_the_add_on_ends_the_work(scene: bpy.types.Scene) -> None:
    _good(scene)
    operator = _begin(scene)
    assert operator._job is not None
    pid = operator._job.pid
    folder = operator._job._folder
    footfall.unregister()
    assert not _alive(pid)
    assert not folder.exists()
    footfall.register()
    assert not bpy.context.window_manager.footfall.working


def test_panel_fields_and_terrain_stay_in_step(scene: bpy.types.Scene) -> None:
    ground = add_mesh(np.eye(3), np.array([[0, 1, 2]]))
    settings = scene.footfall
    settings.terrain = ground
    assert (settings.terrain_kind, settings.terrain_object) == ("OBJECT", ground)
    hills = bpy.data.collections.new("Hills")
    settings.terrain = hills
    assert (settings.terrain_kind, settings.terrain_collection, settings.terrain_object) == (
        "COLLECTION",
        hills,
        None,
    )
    settings.terrain_kind = "OBJECT"
    settings.terrain_object = ground
    assert settings.terrain == ground
    settings.terrain_object = None
    assert settings.terrain is None
