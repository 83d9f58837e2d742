"""Bakes that take the place of the last one lose nothing that the user changed of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import bpy
import numpy as np
import pytest
from blender_scene import add_curve, add_metarig, select
from footfall.addon.bake.history import bake_and_record
from footfall.addon.bake.options import DEFAULT_OPTIONS, HAS_ACTION_SLOTS, BakeOptions
from footfall.addon.bake.stored_plan import StoredPlan
from footfall.addon.rigs.armature import read_skeleton
from footfall.addon.scene.rig import read_rig
from footfall.addon.scene.task import read_task
from footfall.core.engine import generate


@cache
def _plan_walk() -> StoredPlan:
    """Return the plan of a walk, planned once."""
    request = read_task(bpy.context)
    return StoredPlan(
        request.task,
        generate(request.task),
        request.placement,
        request.first_frame,
        request.rig_options,
    )


def _bake_walk(scene: bpy.types.Scene, options: BakeOptions = DEFAULT_OPTIONS) -> bpy.types.Object:
    """Return an armature with a baked walk."""
    scene.frame_end = 25
    armature = add_metarig("basic_human")
    scene.footfall.path = add_curve([(0, 0, 0), (0, -3, 0)])
    select(armature)
    binding = read_rig(armature, read_skeleton(armature, scene)).binding
    bake_and_record(armature, _plan_walk(), binding, options, replaces_last=False)
    return armature


def _bake_again() -> None:
    """Bake again on twos."""
    bpy.context.scene.footfall_bake.spacing = "STEPS"
    assert bpy.ops.footfall.bake_again() == {"FINISHED"}


def _push_down(armature: bpy.types.Object, frame: float = 1) -> bpy.types.NlaStrip:
    """Move the current action to a strip, as Blender's button does, and return the strip."""
    data = armature.animation_data
    action, slot = data.action, getattr(data, "action_slot", None)
    data.action = None
    strip = data.nla_tracks.new().strips.new(action.name, 1, action)
    if slot is not None:
        strip.action_slot = slot
    strip.frame_start_ui = frame
    return strip


def _key_layer(armature: bpy.types.Object) -> bpy.types.Action:
    """Key a nod of the head in an action of the user's, and return the action."""
    bone = armature.pose.bones["spine.006"]
    bone.rotation_mode = "XYZ"
    bone.keyframe_insert("rotation_euler", frame=5)
    layer = armature.animation_data.action
    layer.name = "Nod"
    return layer


def _add_marker(action: bpy.types.Action) -> None:
    action.pose_markers.new("Contact").frame = 7


def _add_property(action: bpy.types.Action) -> None:
    action["take"] = 3


def _add_slot(action: bpy.types.Action) -> None:
    action.slots.new("OBJECT", "Lamp")


CHANGES: list[tuple[Callable[[bpy.types.Action], object], str]] = [
    (lambda action: setattr(action, "use_fake_user", True), "has a fake user"),
    (lambda action: action.asset_mark(), "is an asset"),
    (_add_marker, "has pose markers"),
    (_add_property, "has custom properties"),
    *([(_add_slot, "has other slots")] if HAS_ACTION_SLOTS else []),
]


@pytest.mark.parametrize(("change", "predicate"), CHANGES, ids=[p for _, p in CHANGES])
def test_action_with_a_change_of_the_users_stays(
    scene: bpy.types.Scene,
    change: Callable[[bpy.types.Action], object],
    predicate: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    armature = _bake_walk(scene)
    action = armature.animation_data.action
    change(action)
    _bake_again()
    assert armature.animation_data.action != action
    assert set(bpy.data.actions) == {action, armature.animation_data.action}
    assert action.users
    assert re.search(f"{action.name!r} .*{predicate}, so it stays", capfd.readouterr().out)
    assert not armature.animation_data.action.use_fake_user
    # the new one is untouched, so the next takes its place
    _bake_again()
    assert len(bpy.data.actions) == 2


def test_action_that_something_else_uses_stays(scene: bpy.types.Scene) -> None:
    armature = _bake_walk(scene)
    action = armature.animation_data.action
    armature.pose.bones["hand.L"].constraints.new("ACTION").action = action
    _bake_again()
    assert armature.pose.bones["hand.L"].constraints[0].action == action
    assert len(bpy.data.actions) == 2


@pytest.mark.parametrize("frame", [1, 40])
def test_walk_that_was_pushed_down_is_exchanged_in_its_strip(
    scene: bpy.types.Scene, frame: int
) -> None:
    armature = _bake_walk(scene)
    old_name = armature.animation_data.action.name
    strip = _push_down(armature, frame)
    strip.influence = 1.0
    strip.blend_type = "COMBINE"
    layer = _key_layer(armature)
    _bake_again()
    data = armature.animation_data
    assert data.action == layer
    assert not layer.use_fake_user
    assert [len(track.strips) for track in data.nla_tracks] == [1]
    strip = data.nla_tracks[0].strips[0]
    assert (strip.action.name, strip.blend_type, strip.mute) == (old_name, "COMBINE", False)
    assert (strip.frame_start, strip.frame_end) == (frame, frame + 24)
    assert set(bpy.data.actions) == {layer, strip.action}
    assert strip.action == armature.footfall_baked.action
    # on twos now: the strip shows the new keys
    bone = armature.pose.bones["spine"]
    heights = []
    for k in range(4):
        scene.frame_set(frame + k)
        heights.append(np.array(bone.matrix)[:3, 3])
    np.testing.assert_allclose(heights[0], heights[1], atol=1e-6)
    np.testing.assert_allclose(heights[2], heights[3], atol=1e-6)
    assert np.linalg.norm(heights[1] - heights[2]) > 1e-3


def test_edited_walk_that_was_pushed_down_stays_in_the_file(
    scene: bpy.types.Scene, capfd: pytest.CaptureFixture[str]
) -> None:
    armature = _bake_walk(scene)
    action = armature.animation_data.action
    _add_marker(action)
    strip_name = _push_down(armature).name
    layer = _key_layer(armature)
    _bake_again()
    strip = armature.animation_data.nla_tracks[0].strips[strip_name]
    assert strip.action not in (action, layer)
    assert armature.animation_data.action == layer
    assert action.use_fake_user
    message = capfd.readouterr().out
    assert "has pose markers" in message
    assert "NLA" not in message


def test_strip_of_footfall_keeps_its_place_and_settings(scene: bpy.types.Scene) -> None:
    armature = _bake_walk(scene, BakeOptions(into="STRIP", strip="Walk"))
    data = armature.animation_data
    strip = data.nla_tracks["Walk"].strips[0]
    strip.use_animated_influence = True
    strip.influence = 0.7
    strip.frame_start_ui = 31
    data.nla_tracks.new().name = "Above"
    layer = _key_layer(armature)
    scene.footfall_bake.into = "ACTION"
    old_action = strip.action
    _bake_again()
    assert [track.name for track in data.nla_tracks] == ["Walk", "Above"]
    strip = data.nla_tracks["Walk"].strips[0]
    assert strip.influence == pytest.approx(0.7)
    assert (strip.frame_start, strip.frame_end, strip.mute) == (31, 55, False)
    assert data.action == layer
    assert old_action not in set(bpy.data.actions)
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert [track.name for track in data.nla_tracks] == ["Above"]
    assert layer.use_fake_user


def test_failed_bake_leaves_strips_and_layer(
    scene: bpy.types.Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    armature = _bake_walk(scene)
    action = armature.animation_data.action
    _push_down(armature)
    layer = _key_layer(armature)
    scene.footfall_bake.frames = "SPAN"
    scene.footfall_bake.first, scene.footfall_bake.last = 400, 500
    with pytest.raises(RuntimeError, match="less than two"):
        bpy.ops.footfall.bake_again()
    strip = armature.animation_data.nla_tracks[0].strips[0]
    assert (strip.action, strip.mute) == (action, False)
    assert armature.animation_data.action == layer
    assert not layer.use_fake_user
    assert set(bpy.data.actions) == {action, layer}


@pytest.mark.parametrize("extrapolation", ["NOTHING", "HOLD", "HOLD_FORWARD"])
@pytest.mark.parametrize("has_strips", [False, True])
def test_action_below_a_strip_plays_beyond_its_keys_as_before(
    scene: bpy.types.Scene, extrapolation: str, has_strips: bool
) -> None:
    """The bake moves the current action to a strip, in which it is to look the same."""
    armature = add_metarig("basic_human")
    bone = armature.pose.bones["spine.006"]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((30, 0.5), (40, 0.9)):
        bone.rotation_euler.x = angle
        bone.keyframe_insert("rotation_euler", frame=frame)
    bone.rotation_euler.x = 0.0
    data = armature.animation_data
    data.action_extrapolation = extrapolation
    if has_strips:
        data.nla_tracks.new().strips.new("Below", 1, bpy.data.actions.new("Below"))

    def read_nods() -> list[float]:
        nods = []
        for frame in (27, 29, 35, 41, 70):
            bone.rotation_euler.x = 0.0  # what nothing plays on stays as it is
            scene.frame_set(frame)
            nods.append(bone.rotation_euler.x)
        return nods

    before = read_nods()
    scene.frame_end = 25
    scene.footfall.path = add_curve([(0, 0, 0), (0, -3, 0)])
    select(armature)
    binding = read_rig(armature, read_skeleton(armature, scene)).binding
    options = BakeOptions(into="STRIP", strip="Walk")
    bake_and_record(armature, _plan_walk(), binding, options, replaces_last=False)
    assert data.nla_tracks[-1].name == "Walk"
    np.testing.assert_allclose(read_nods(), before, atol=1e-5)
