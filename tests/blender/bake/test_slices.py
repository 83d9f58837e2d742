"""Bakes in slices: progress, Esc, the same keys, and files that change meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from blender_scene import Snapshot, add_curve, add_generated_rig, add_metarig, curves_of, select
from footfall.addon.animation.duplicate import TEMPORARY_KEY
from footfall.addon.bake import control_rig
from footfall.addon.bake.report import bake_request
from footfall.addon.bake.slices import SlicedWork
from footfall.addon.scene.task import TaskRequest, read_task
from footfall.addon.worker import job as jobs
from footfall.addon.worker import process
from footfall.addon.worker.batch import CharacterJobResult
from footfall.core.engine import generate
from footfall.core.errors import CharacterError
from footfall.core.motion import Motion
from footfall.operators.bake import FOOTFALL_OT_bake_again
from footfall.operators.generate import FOOTFALL_OT_generate

Keys = dict[tuple[str, int], np.ndarray]
TIMER = SimpleNamespace(type="TIMER", value="NOTHING")
ESC = SimpleNamespace(type="ESC", value="PRESS")


@pytest.fixture(autouse=True)
def _nothing_is_kept() -> Iterator[None]:
    """Each test solves for all frames and starts without processes."""
    jobs.stop_all_jobs()
    control_rig._solved_bakes.clear()
    yield
    jobs.stop_all_jobs()


@pytest.fixture
def rig(scene: bpy.types.Scene) -> bpy.types.Object:
    """A generated Rigify rig of a person on a path, one second long."""
    armature = add_generated_rig("basic_human")
    scene.footfall.path = add_curve([(0, 0, 0), (0, -4, 0)])
    scene.footfall.controls = "IK"
    scene.frame_end = 25
    select(armature)
    return armature


def _plan() -> tuple[TaskRequest, Motion]:
    request = read_task(bpy.context)
    return request, generate(request.task)


def _start(request: TaskRequest, motion: Motion) -> SlicedWork:
    return SlicedWork(bake_request(bpy.context.scene, request, motion))


def _read_keys(armature: bpy.types.Object) -> Keys:
    return {
        (c.data_path, c.array_index): np.array([tuple(k.co) for k in c.keyframe_points])
        for c in curves_of(armature.animation_data.action)
    }


def _assert_same_keys(a: Keys, b: Keys) -> None:
    assert a.keys() == b.keys()
    for channel, keys in a.items():
        np.testing.assert_array_equal(keys, b[channel], str(channel))


def _list_temporary_data() -> list[str]:
    return [
        d.name
        for kind in (bpy.data.scenes, bpy.data.objects, bpy.data.armatures, bpy.data.actions)
        for d in kind
        if d.get(TEMPORARY_KEY)
    ]


class _StandIn:
    """An operator outside Blender's event loop, on the real methods."""

    keep = ""

    def __init__(self, operator: type) -> None:
        self._operator = operator
        self.reports: list[str] = []

    def report(self, kind: set[str], text: str) -> None:
        self.reports.append(text)

    def __getattr__(self, name: str) -> object:
        attribute = getattr(self._operator, name)
        return attribute.__get__(self) if callable(attribute) else attribute


def _begin_bake(request: TaskRequest, motion: Motion) -> _StandIn:
    """Return an operator whose motion is planned, so that its next steps are the bake."""
    operator = _StandIn(FOOTFALL_OT_generate)
    assert operator._begin(bpy.context)
    operator._batch.stop()
    operator._batch.poll = list
    operator._results = [CharacterJobResult(request, motion)]
    bpy.context.window_manager.footfall.working = True
    return operator


def _bake_until(operator: _StandIn, share: float) -> None:
    """Let the timer tick until a share of the bake is done."""
    while operator._work is None or operator._work.share < share:
        assert operator.modal(bpy.context, TIMER) == {"PASS_THROUGH"}


@pytest.mark.parametrize("spacing", ["EVERY", "FEW"])
def test_slices_give_the_keys_of_a_plain_bake(
    scene: bpy.types.Scene, rig: bpy.types.Object, spacing: str
) -> None:
    scene.footfall_bake.spacing = spacing
    request, motion = _plan()
    _start(request, motion).run()
    whole = _read_keys(rig)
    control_rig._solved_bakes.clear()
    rig.animation_data.action = None
    work = _start(request, motion)
    shares = []
    while not work.advance(0.0):
        shares.append(work.share)
        assert rig.animation_data.action is None
    assert shares == sorted(shares)
    assert len(set(shares)) > 20
    assert work.share == 1.0
    _assert_same_keys(_read_keys(rig), whole)
    assert not _list_temporary_data()


def test_esc_in_a_bake_leaves_everything_as_it_was(
    scene: bpy.types.Scene, rig: bpy.types.Object
) -> None:
    old = bpy.data.actions.new("Hand made")
    rig.animation_data_create().action = old
    rig.pose.bones["hand_fk.L"].rotation_quaternion = (0.9, 0.1, 0.2, 0.3)
    scene.frame_set(7)
    request, motion = _plan()
    before = Snapshot.from_armature(rig)
    operator = _begin_bake(request, motion)
    _bake_until(operator, 0.4)
    assert bpy.context.window_manager.footfall.stage == "bake"
    assert 0 < bpy.context.window_manager.footfall.share < 1
    assert operator.modal(bpy.context, ESC) == {"CANCELLED"}
    assert operator.reports == ["Stopped. Nothing was changed."]
    assert Snapshot.from_armature(rig) == before
    assert rig.animation_data.action == old
    assert scene.frame_current == 7
    assert not _list_temporary_data()
    assert not bpy.context.window_manager.footfall.working


def test_esc_in_bake_again_leaves_the_last_bake(
    scene: bpy.types.Scene, rig: bpy.types.Object
) -> None:
    request, motion = _plan()
    _start(request, motion).run()
    control_rig._solved_bakes.clear()
    scene.frame_set(12)
    rig.pose.bones["hand_fk.R"].rotation_quaternion = (0.9, 0.1, 0.2, 0.3)
    keys, before = _read_keys(rig), Snapshot.from_armature(rig)
    operator = _StandIn(FOOTFALL_OT_bake_again)
    assert operator._begin(bpy.context)
    _bake_until(operator, 0.3)
    assert operator.modal(bpy.context, ESC) == {"CANCELLED"}
    assert Snapshot.from_armature(rig) == before
    _assert_same_keys(_read_keys(rig), keys)
    assert not _list_temporary_data()


def test_another_scene_in_the_window_changes_nothing(
    scene: bpy.types.Scene, rig: bpy.types.Object
) -> None:
    request, motion = _plan()
    operator = _begin_bake(request, motion)
    _bake_until(operator, 0.3)
    other = bpy.data.scenes.new("Other")
    bpy.context.window.scene = other
    while (done := operator.modal(bpy.context, TIMER)) == {"PASS_THROUGH"}:
        pass
    assert done == {"FINISHED"}
    assert bpy.context.scene == other
    assert tuple(rig.animation_data.action.frame_range) == (1, 25)


@pytest.mark.parametrize("what", ["armature", "scene"])
def test_what_is_deleted_meanwhile_is_named(
    scene: bpy.types.Scene, rig: bpy.types.Object, what: str
) -> None:
    request, motion = _plan()
    operator = _begin_bake(request, motion)
    _bake_until(operator, 0.3)
    if what == "armature":
        bpy.data.objects.remove(rig)
    else:
        bpy.context.window.scene = bpy.data.scenes.new("Other")
        bpy.data.scenes.remove(scene)
    while (done := operator.modal(bpy.context, TIMER)) == {"PASS_THROUGH"}:
        pass
    assert done == {"CANCELLED"}
    assert "is no longer in the file" in operator.reports[-1]
    assert not bpy.data.actions
    assert not _list_temporary_data()


def test_edited_bones_end_the_bake(scene: bpy.types.Scene, rig: bpy.types.Object) -> None:
    request, motion = _plan()
    work = _start(request, motion)
    while work.share < 0.3:
        work.advance(0.0)
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones["DEF-thigh.L"].head.x += 0.1
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(CharacterError, match="were edited"):
        work.run()
    assert not bpy.data.actions


def test_undo_in_a_bake_loses_nothing(scene: bpy.types.Scene, rig: bpy.types.Object) -> None:
    request, motion = _plan()
    _start(request, motion).run()
    whole = _read_keys(rig)
    control_rig._solved_bakes.clear()
    name = rig.name
    rig.animation_data.action = None
    bpy.ops.ed.undo_push(message="before")
    bpy.context.scene.frame_end = 30
    bpy.ops.ed.undo_push(message="changed")
    work = _start(request, motion)
    while work.share < 0.3:
        work.advance(0.0)
    assert _list_temporary_data()
    bpy.ops.ed.undo()
    assert not _list_temporary_data()
    work.run()
    _assert_same_keys(_read_keys(bpy.data.objects[name]), whole)
    assert not _list_temporary_data()


def test_saved_files_hold_no_temporary_data(
    scene: bpy.types.Scene, rig: bpy.types.Object, tmp_path: object
) -> None:
    request, motion = _plan()
    work = _start(request, motion)
    while work.share < 0.3:
        work.advance(0.0)
    assert _list_temporary_data()
    path = f"{tmp_path}/walk.blend"
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    with bpy.data.libraries.load(path) as (there, _):
        assert len(there.scenes) == 1
    work.run()
    assert rig.animation_data.action is not None


def test_only_changed_frames_are_solved_again(
    scene: bpy.types.Scene, rig: bpy.types.Object, monkeypatch: pytest.MonkeyPatch
) -> None:
    from footfall.addon.bake.control_solver import ControlSolver
    from footfall.addon.rigs.stage import RigStage

    solved: list[int] = []
    solve = ControlSolver.solve

    def count(self: ControlSolver, stage: RigStage) -> Iterator[float]:
        solved.extend(self.find_pending_frames())
        return solve(self, stage)

    monkeypatch.setattr(ControlSolver, "solve", count)
    scene.frame_end = 145
    scene.footfall.path = add_curve([(0, 0, 0), (0, -12, 0)])
    select(rig)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert solved == list(range(145))
    assert bpy.ops.footfall.bake_again() == {"FINISHED"}
    assert len(solved) == 145, "every frame of the same plan is there"
    assert bpy.ops.footfall.show_steps() == {"FINISHED"}
    scene.footfall_steps.live = False
    before = _read_keys(rig)
    step = next(o for o in scene.objects if o.footfall_step.number == 4)
    step.location.x += 0.06
    bpy.context.view_layer.update()
    solved.clear()
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    partial = _read_keys(rig)
    assert 10 < len(solved) < 90
    changed = {
        int(frame)
        for channel, keys in partial.items()
        if len(keys) == len(before[channel])
        for frame in keys[np.abs(keys - before[channel]).max(1) > 0, 0]
    }
    assert changed <= {k + 1 for k in solved}
    control_rig._solved_bakes.clear()
    assert bpy.ops.footfall.bake_again() == {"FINISHED"}
    whole = _read_keys(rig)
    assert partial.keys() == whole.keys()
    for channel, keys in whole.items():
        # poles are solved to 0.02 degrees, from those of the frame before
        np.testing.assert_allclose(
            partial[channel][:, 1], keys[:, 1], atol=1e-3, err_msg=str(channel)
        )


def test_a_changed_rig_is_solved_again(scene: bpy.types.Scene, rig: bpy.types.Object) -> None:
    request, motion = _plan()
    _start(request, motion).run()
    first = control_rig._solved_bakes[rig.name_full]
    constraint = rig.pose.bones["spine_fk.001"].constraints.new("LIMIT_ROTATION")
    constraint.use_limit_x = True
    _start(request, motion).run()
    second = control_rig._solved_bakes[rig.name_full]
    assert first.fingerprint != second.fingerprint
    rig.pose.bones["thigh_parent.L"]["IK_FK"] = 1.0
    _start(request, motion).run()


def test_detect_warms_up_the_process(scene: bpy.types.Scene) -> None:
    add_metarig()
    assert bpy.ops.footfall.detect_character() == {"FINISHED"}
    assert len(process._idle_workers) == 1
