"""Footsteps in the scene: moved, turned, retimed, pinned, added and deleted,
and the motion that follows them.
"""

from __future__ import annotations

import time
from pathlib import Path

import bpy
import footfall
import numpy as np
import pytest
from blender_scene import (
    add_curve,
    add_detected_metarig,
    add_metarig,
    ensure_registered,
    select,
)
from footfall.addon.animation.replace_keys import KeysByChannel, read_action_keys
from footfall.addon.bake.stored_plan import read_played_plan
from footfall.addon.footsteps import follow
from footfall.addon.footsteps.ground_snap import _project_onto_ground
from footfall.addon.footsteps.objects import has_current_steps, has_shown_steps, list_step_objects
from footfall.addon.footsteps.solve import read_pending_edits
from footfall.core.terrain import FlatGround
from mathutils import Matrix

Rig = bpy.types.Object
FRAMES = 145


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A .blend with a character that was generated, its footsteps in the scene."""
    ensure_registered()
    bpy.ops.wm.read_homefile(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = 24
    scene.frame_start = 1
    scene.frame_end = FRAMES
    add_detected_metarig(scene, length=12.0)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert bpy.ops.footfall.show_steps() == {"FINISHED"}
    path = tmp_path_factory.mktemp("steps") / "walk.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


@pytest.fixture
def rig(file: Path) -> Rig:
    """The character of that file, opened anew."""
    ensure_registered()
    bpy.ops.wm.open_mainfile(filepath=str(file))
    bpy.context.scene.footfall_steps.live = False
    return bpy.data.objects["metarig"]


def _step(rig: Rig, number: int) -> Rig:
    return next(o for o in list_step_objects(rig) if o.footfall_step.number == number)


def _move(thing: Rig, x: float, y: float) -> None:
    thing.location.x += x
    thing.location.y += y
    bpy.context.view_layer.update()


def _foot(rig: Rig, frame: float, side: str) -> np.ndarray:
    """Where a foot of the rig is as it plays."""
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
    posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array((posed.matrix_world @ posed.pose.bones[f"foot.{side}"].matrix).translation)


def _changed(before: KeysByChannel, rig: Rig) -> list[float]:
    """Frames at which any curve has another value."""
    out: set[float] = set()
    for channel, keys in read_action_keys(rig).items():
        old = before[channel]
        frames = np.arange(1, FRAMES + 1)
        a, b = (np.interp(frames, *k["co"].T) for k in (old, keys))
        out |= {float(f) for f in frames[np.abs(a - b) > 1e-6]}
    return sorted(out)


def test_footsteps_stand_where_the_feet_do(rig: Rig) -> None:
    things = list_step_objects(rig)
    planned = read_played_plan(rig)
    assert planned is not None
    assert has_shown_steps(rig)
    assert has_current_steps(rig)
    assert not read_pending_edits(rig)
    assert len(things) == sum(
        f.lift > 0 and f.strike < (FRAMES - 1) / 24 for f in planned.motion.footsteps
    )
    for thing in things:
        assert thing.hide_render
        assert thing.show_name
        assert thing.show_in_front  # or a click would meet the ground
        step_settings = thing.footfall_step
        assert (
            thing.name
            == f"{step_settings.number} {'LR'[step_settings.leg]} f{step_settings.frame:.0f}"
        )
        rear, front = sorted(v.co.x for v in thing.data.vertices)[:: len(thing.data.vertices) - 1]
        assert 0.18 < front - rear < 0.30
        if 2 < step_settings.frame < FRAMES:
            away = _foot(rig, step_settings.frame, "LR"[step_settings.leg]) - np.array(
                thing.location
            )
            assert abs(away[0]) < 0.05
            assert abs(away[1]) < 0.15


def test_a_moved_footstep_is_stepped_on_and_the_rest_stays(rig: Rig) -> None:
    action = rig.animation_data.action
    count = len(bpy.data.actions)
    thing = _step(rig, 5)
    frame = thing.footfall_step.frame
    side = "LR"[thing.footfall_step.leg]
    before = _foot(rig, frame, side)
    keys = read_action_keys(rig)
    _move(thing, 0.12, -0.1)
    assert read_pending_edits(rig)
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    assert _foot(rig, frame, side) - before == pytest.approx([0.12, -0.1, 0], abs=0.005)
    assert rig.animation_data.action == action
    assert len(bpy.data.actions) == count
    changed = _changed(keys, rig)
    assert frame - 40 < changed[0] < frame < changed[-1] < frame + 40
    assert thing.footfall_step.kept
    assert thing.data.name.endswith("Pinned")
    assert not read_pending_edits(rig)
    planned = read_played_plan(rig)
    assert planned is not None
    assert len(planned.task.pinned_steps) == 1
    assert bpy.ops.footfall.update_steps() == {"CANCELLED"}


def test_undo_redo_save_and_reload(rig: Rig, tmp_path: Path) -> None:
    bpy.ops.ed.undo_push(message="before")
    thing = _step(rig, 4)
    frame = thing.footfall_step.frame
    side = "LR"[thing.footfall_step.leg]
    before = _foot(rig, frame, side)
    _move(thing, 0.1, 0)
    bpy.ops.ed.undo_push(message="moved")
    bpy.ops.footfall.update_steps()
    bpy.ops.ed.undo_push(message="updated")
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    rig = bpy.data.objects["metarig"]
    assert not read_pending_edits(rig)
    assert _foot(rig, frame, side) == pytest.approx(before, abs=1e-5)
    bpy.ops.ed.redo()
    bpy.ops.ed.redo()
    rig = bpy.data.objects["metarig"]
    assert _foot(rig, frame, side)[0] == pytest.approx(before[0] + 0.1, abs=0.005)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "again.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "again.blend"))
    rig = bpy.data.objects["metarig"]
    thing = _step(rig, 4)
    assert thing.footfall_step.kept
    assert not read_pending_edits(rig)
    select(rig)
    _move(thing, 0, 0.1)
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    assert _foot(rig, frame, side) - before == pytest.approx([0.1, 0.1, 0], abs=0.005)


def test_turned_and_retimed(rig: Rig) -> None:
    thing = _step(rig, 5)
    side = "LR"[thing.footfall_step.leg]
    frame = thing.footfall_step.frame
    thing.rotation_euler.z += 0.35
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    planned = read_played_plan(rig)
    assert planned is not None
    step = next(f for f in planned.motion.footsteps if abs(planned.frame_at(f.time) - frame) < 2)
    assert step.yaw == pytest.approx(planned.task.pinned_steps[0].heading, abs=0.01)
    assert thing.rotation_euler.z == pytest.approx(step.yaw, abs=0.02)
    thing.footfall_step.frame = frame + 3
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    assert thing.footfall_step.frame == pytest.approx(frame + 3, abs=0.6)
    away = _foot(rig, frame + 3, side) - np.array(thing.location)
    assert np.abs(away[:2]).max() < 0.15


def _choose(rig: Rig, *numbers: int) -> None:
    for thing in bpy.context.selected_objects:
        thing.select_set(False)
    for number in numbers:
        select(_step(rig, number))


def test_pinned_and_let_go(rig: Rig) -> None:
    place = np.array(_step(rig, 4).location)
    _choose(rig, 4)
    assert bpy.ops.footfall.pin_steps() == {"FINISHED"}
    assert read_pending_edits(rig)
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    assert np.array(_step(rig, 4).location) == pytest.approx(place, abs=2e-3)
    assert bpy.ops.footfall.unpin_steps() == {"FINISHED"}
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    planned = read_played_plan(rig)
    assert planned is not None
    assert planned.task.pinned_steps == ()


def test_deleted_by_strides(rig: Rig) -> None:
    count = len(list_step_objects(rig))
    _choose(rig, 6)
    assert bpy.ops.footfall.delete_steps() == {"FINISHED"}
    assert bpy.context.object == rig
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    assert len(list_step_objects(rig)) == count - 2
    things = sorted(list_step_objects(rig), key=lambda o: o.footfall_step.number)
    assert [o.footfall_step.leg for o in things] == [
        (things[0].footfall_step.leg + k) % 2 for k in range(count - 2)
    ]
    assert not read_pending_edits(rig)


def test_footsteps_deleted_all_over_the_place_are_refused(rig: Rig) -> None:
    for number in (4, 6, 8):
        bpy.data.objects.remove(_step(rig, number))
    with pytest.raises(RuntimeError, match="deleted at once"):
        bpy.ops.footfall.update_steps()


def test_what_is_dragged_off_the_ground_lies_where_it_is_seen() -> None:
    ground = FlatGround()
    eye = np.array([0.0, -5.0, 4.0])
    seen = np.array([1.0, 2.0, 0.0])
    sight = (seen - eye) / np.linalg.norm(seen - eye)
    assert _project_onto_ground(ground, eye + 0.6 * (seen - eye), sight) == pytest.approx(seen)
    assert _project_onto_ground(ground, seen, np.array([0.0, 1.0, -0.1])) is None


def test_no_foot_steps_on_forbidden_ground(rig: Rig) -> None:
    scene = bpy.context.scene
    thing = _step(rig, 5)
    place = np.array(thing.location)
    scene.cursor.location = place + np.array([0.02, 0.02, 0])
    assert bpy.ops.footfall.forbid_ground(radius=0.1) == {"FINISHED"}
    assert read_pending_edits(rig)
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    assert not read_pending_edits(rig)
    for other in list_step_objects(rig):
        assert np.hypot(*(np.array(other.location) - np.array(scene.cursor.location))[:2]) > 0.1
    planned = read_played_plan(rig)
    assert planned is not None
    assert planned.task.forbidden_areas[0].radius == pytest.approx(0.1)


def test_added_where_the_cursor_is(rig: Rig) -> None:
    scene = bpy.context.scene
    planned = read_played_plan(rig)
    assert planned is not None
    scene.frame_set(49)
    scene.cursor.location = (0.25, float(planned.motion.com[48, 1]), 0.0)
    assert bpy.ops.footfall.add_step() == {"FINISHED"}
    assert bpy.context.object.name.startswith("New L")
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    near = min(list_step_objects(rig), key=lambda o: (o.location - scene.cursor.location).length)
    assert (near.location - scene.cursor.location).length < 0.02
    assert near.footfall_step.frame == pytest.approx(49, abs=2)
    assert near.footfall_step.kept
    copy = near.copy()
    rig.footfall_steps.collection.objects.link(copy)
    _move(copy, 0, -1.4)
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    assert sum(o.footfall_step.kept for o in list_step_objects(rig)) == 2
    scene.frame_set(300)
    with pytest.raises(RuntimeError, match="the current frame is 300"):
        bpy.ops.footfall.add_step()
    scene.frame_set(49)
    bpy.ops.footfall.add_step(foot="RIGHT")
    with pytest.raises(RuntimeError, match="too close in time"):
        bpy.ops.footfall.update_steps()


def test_names_collections_and_strangers(rig: Rig) -> None:
    thing = _step(rig, 5)
    thing.name = "The Long One"
    rig.name = "Hero"
    rig.footfall_steps.collection.name = "Anything"
    _move(thing, 0.1, 0)
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    assert thing.name == "The Long One"
    mine = bpy.data.objects.new("Mine", None)
    collection = rig.footfall_steps.collection
    collection.objects.link(mine)
    assert bpy.ops.footfall.hide_steps() == {"FINISHED"}
    assert list(collection.objects) == [mine]
    assert not any(m.name.startswith("Footfall") for m in (*bpy.data.meshes, *bpy.data.materials))
    assert bpy.ops.footfall.show_steps() == {"FINISHED"}
    assert sum(o.footfall_step.kept for o in list_step_objects(rig)) == 1
    bpy.data.collections.remove(rig.footfall_steps.collection)
    assert not has_shown_steps(rig)
    assert bpy.ops.footfall.show_steps() == {"FINISHED"}
    assert has_shown_steps(rig)
    bpy.ops.footfall.hide_steps()
    assert not [c for c in bpy.data.collections if c.name.startswith("Footfall")]


def test_edited_keys_are_kept_in_a_copy(rig: Rig) -> None:
    from footfall.addon.animation.channels import curves_of

    curve = next(
        c for c in curves_of(rig) if "spine.003" in c.data_path and len(c.keyframe_points) > 50
    )
    count = len(bpy.data.actions)
    k = FRAMES - 3
    curve.keyframe_points[k].co[1] += 0.25
    mine = curve.keyframe_points[k].co[1]
    _move(_step(rig, 4), 0.1, 0)
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    assert len(bpy.data.actions) == count + 1
    assert (
        next(
            c
            for c in curves_of(rig)
            if (c.data_path, c.array_index) == (curve.data_path, curve.array_index)
        )
        .keyframe_points[k]
        .co[1]
        == mine
    )
    _move(_step(rig, 4), 0.05, 0)
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    assert len(bpy.data.actions) == count + 1


def _settle() -> None:
    """Let the timer run until no work is left; it does not run by itself here."""
    while follow.tick() is not None:
        time.sleep(0.02)


def test_the_motion_follows_by_itself_and_one_step_back_undoes_both(rig: Rig) -> None:
    scene = bpy.context.scene
    scene.footfall_steps.live = True
    _settle()
    bpy.ops.ed.undo_push(message="before")
    thing = _step(rig, 5)
    frame = thing.footfall_step.frame
    side = "LR"[thing.footfall_step.leg]
    before = _foot(rig, frame, side)
    _move(thing, 0.1, 0)
    bpy.ops.ed.undo_push(message="Move")
    assert follow._state.change_time is not None
    _settle()
    assert not read_pending_edits(rig)
    assert _foot(rig, frame, side)[0] == pytest.approx(before[0] + 0.1, abs=0.005)
    bpy.ops.ed.undo()
    _settle()
    rig = bpy.data.objects["metarig"]
    assert not read_pending_edits(rig)
    assert _foot(rig, frame, side) == pytest.approx(before, abs=1e-5)
    bpy.ops.ed.redo()
    _settle()
    rig = bpy.data.objects["metarig"]
    assert not read_pending_edits(rig)
    assert _foot(rig, frame, side)[0] == pytest.approx(before[0] + 0.1, abs=0.005)
    bpy.data.objects.remove(_step(rig, 5))
    bpy.context.view_layer.update()
    _settle()
    assert not read_played_plan(rig).task.pinned_steps
    assert not read_pending_edits(rig)
    bpy.data.objects.remove(rig)
    bpy.context.view_layer.update()
    _settle()
    assert follow._state.step_counts == {}


def test_a_drag_is_followed_as_soon_as_it_ends(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    bpy.context.scene.footfall_steps.live = True
    _settle()
    _move(_step(rig, 5), 0.1, 0)
    monkeypatch.setattr(follow, "_is_dragged", lambda _: True)
    follow.tick()
    assert follow._state.job is None
    monkeypatch.setattr(follow, "_is_dragged", lambda _: False)
    follow.mark_changed()  # the last change was just now
    follow.tick()
    assert follow._state.job is not None
    follow.cancel_solve()


def test_nothing_is_done_for_other_objects(rig: Rig) -> None:
    scene = bpy.context.scene
    scene.footfall_steps.live = True
    _settle()
    other = bpy.data.objects.new("Other", None)
    scene.collection.objects.link(other)
    bpy.context.view_layer.update()
    _settle()
    graph = bpy.context.evaluated_depsgraph_get()
    taken = []

    def timed(scene: bpy.types.Scene, graph: bpy.types.Depsgraph) -> None:
        start = time.thread_time()
        follow._after_update(scene, graph)
        taken.append(time.thread_time() - start)

    bpy.app.handlers.depsgraph_update_post.append(timed)
    for k in range(50):
        other.location.x = 0.1 * k
        graph.update()
    bpy.app.handlers.depsgraph_update_post.remove(timed)
    assert follow._state.change_time is None
    assert len(taken) == 50
    assert float(np.median(taken)) < 1e-4


def test_scenes_in_centimetres_and_moved_armatures(scene: bpy.types.Scene) -> None:
    armature = add_metarig()
    scene.footfall.path = add_curve([(0, 0, 0), (0, -900, 0)])
    armature.scale = (100, 100, 100)
    scene.unit_settings.system = "METRIC"
    scene.unit_settings.scale_length = 0.01
    select(armature)
    bpy.ops.footfall.detect_character()
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    armature.matrix_world = Matrix.Translation((200, 0, 0)) @ armature.matrix_world
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.show_steps() == {"FINISHED"}
    assert 18 < list_step_objects(armature)[0].dimensions.x < 30
    thing = _step(armature, 3)
    frame = thing.footfall_step.frame
    side = "LR"[thing.footfall_step.leg]
    assert thing.location.x == pytest.approx(200, abs=20)
    before = _foot(armature, frame, side)
    _move(thing, 10, 0)
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    assert _foot(armature, frame, side) - before == pytest.approx([10, 0, 0], abs=0.5)


def test_footsteps_of_four_legs_are_shown_but_not_edited(scene: bpy.types.Scene) -> None:
    armature = add_detected_metarig(scene, "basic_quadruped")
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert bpy.ops.footfall.show_steps() == {"FINISHED"}
    assert {o.footfall_step.leg for o in list_step_objects(armature)} == {0, 1, 2, 3}
    _move(list_step_objects(armature)[3], 0.1, 0)
    with pytest.raises(RuntimeError, match="not edited"):
        bpy.ops.footfall.update_steps()
    select(None)
    with pytest.raises(RuntimeError, match="poll"):
        bpy.ops.footfall.add_step()


def test_without_a_plan_there_is_nothing_to_show(scene: bpy.types.Scene) -> None:
    armature = add_metarig()
    assert not bpy.ops.footfall.show_steps.poll()
    assert not has_shown_steps(armature)
    handlers = len(bpy.app.handlers.depsgraph_update_post)
    footfall.unregister()
    assert len(bpy.app.handlers.depsgraph_update_post) == handlers - 1
    assert not bpy.app.timers.is_registered(follow.tick)
    footfall.register()


def test_bake_options_hold_for_a_motion_that_is_solved_again(rig: Rig) -> None:
    settings = bpy.context.scene.footfall_bake
    settings.spacing = "STEPS"
    settings.bones = "LEGS"
    settings.replace = True
    assert bpy.ops.footfall.bake_again() == {"FINISHED"}
    assert bpy.ops.footfall.show_steps() == {"FINISHED"}
    settings.spacing = "EVERY"
    settings.bones = "ALL"
    before = read_action_keys(rig)
    count = len(bpy.data.actions)
    assert not any("spine.006" in path for path, _ in before)
    _move(_step(rig, 5), 0.1, 0.0)
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    after = read_action_keys(rig)
    assert after.keys() == before.keys()
    root = next(channel for channel in after if channel[0].endswith('["spine"].location'))
    np.testing.assert_array_equal(after[root]["co"][:, 0], before[root]["co"][:, 0])
    assert set(np.diff(after[root]["co"][1:-1, 0])) == {2.0}
    assert not np.allclose(after[root]["co"], before[root]["co"], atol=1e-3)
    assert len(bpy.data.actions) == count, "no key was edited, so no copy was made"
    assert bpy.ops.footfall.bake_again() == {"FINISHED"}
    assert len(bpy.data.actions) == count, "what Footfall changed itself is no edit"
    assert set(np.diff(read_action_keys(rig)[root]["co"][:, 0])) == {1.0}
