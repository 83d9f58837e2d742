"""Actions as styles: read as clips, on the same armature or another, without changing the scene."""

from __future__ import annotations

from math import radians
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import Snapshot, add_curve, add_metarig, curves_of, select
from footfall.addon.animation.action_builder import ActionBuilder, PendingKeys
from footfall.addon.animation.actions import find_playing_armature
from footfall.addon.scene.action_recording import record_action
from footfall.addon.scene.style import read_style
from footfall.addon.scene.task import read_task
from footfall.core.clip import GaitAnalysis, analyze_gait, load_builtin_style, read_bvh
from footfall.core.clip.recording.to_style import build_clip_style
from footfall.core.clip.style.style import CURVES
from footfall.core.errors import CharacterError, ClipError

ROOM = 0.02  # of speed and stride between a clip and the same as an action
# and metres
CLIPS = {
    "cmu_02_01_walk": 0.01,
    "cmu_02_03_run": 0.01,
    "cmu_12_01_walk": 0.05644,
    "bvhtoolbox_walk01": 0.01,
    "cmu_07_04_slow_walk": 0.01,
    "cmu_03_01_uneven_terrain": 0.01,
}


def _set_up(scene: bpy.types.Scene, armature: bpy.types.Object | None = None) -> bpy.types.Object:
    armature = armature or add_metarig("basic_human")
    scene.footfall.path = add_curve([(0, 0, 0), (0, -30, 0)])
    scene.render.fps = 30
    scene.frame_start = 1
    scene.frame_end = 76
    select(armature)
    bpy.ops.footfall.detect_character()
    return armature


def _imported(clip: Path) -> tuple[bpy.types.Object, bpy.types.Action]:
    bpy.ops.import_anim.bvh(filepath=str(clip), update_scene_fps=True)
    return bpy.context.object, bpy.context.object.animation_data.action


def _rig(file: Path) -> None:
    """Import a rig with its actions."""
    if file.suffix == ".fbx":
        (bpy.ops.wm.fbx_import if hasattr(bpy.ops.wm, "fbx_import") else bpy.ops.import_scene.fbx)(
            filepath=str(file)
        )
    else:
        bpy.ops.import_scene.gltf(filepath=str(file))


def _seen(
    scene: bpy.types.Scene, action: bpy.types.Action, armature: bpy.types.Object | None = None
) -> GaitAnalysis:
    return analyze_gait(
        record_action(action, armature or find_playing_armature(action, None), scene)
    )


def _worlds() -> tuple[object, ...]:
    """Return everything that a file holds, with transforms and poses."""
    lists = [
        getattr(bpy.data, name)
        for name in ("scenes", "objects", "armatures", "actions", "meshes", "collections")
    ]
    held = tuple((thing.name, thing.users) for kind in lists for thing in kind)
    poses = tuple(
        x
        for thing in bpy.data.objects
        if thing.pose
        for bone in thing.pose.bones
        for row in bone.matrix
        for x in row
    )
    places = tuple(x for thing in bpy.data.objects for row in thing.matrix_world for x in row)
    slots = tuple(
        (slot.identifier, slot.target_id_type)
        for action in bpy.data.actions
        for slot in getattr(action, "slots", ())
    )
    return (
        held,
        poses,
        places,
        slots,
        bpy.context.scene.name,
        bpy.context.scene.frame_current,
        bpy.context.object,
    )


@pytest.mark.parametrize("name", CLIPS)
@pytest.mark.parametrize("metres", [True, False])
def test_imported_clip_equals_its_file(
    scene: bpy.types.Scene, shared: Path, name: str, metres: bool
) -> None:
    clip = shared / "data" / "bvh" / f"{name}.bvh"
    armature, action = _imported(clip)
    if metres:
        armature.scale *= CLIPS[name]
        armature.rotation_euler[2] += 0.7  # nothing updates the scene before it is read
    got = _seen(scene, action)
    original = analyze_gait(read_bvh(clip))
    assert got.gait == original.gait
    for field in ("speed", "stride_length", "stride_time", "leg_length"):
        assert getattr(got, field) == pytest.approx(getattr(original, field), rel=ROOM), field
    assert len(got.contacts) == len(original.contacts)
    for a, b in zip(got.contacts, original.contacts, strict=True):
        assert (a.side, a.strike, a.lift) == pytest.approx((b.side, b.strike, b.lift), abs=1 / 60)
    assert np.nanmax(np.abs(got.curves - original.curves)) < 0.3  # [degrees]


@pytest.mark.parametrize(
    ("rig", "action", "gait", "speeds"),
    [
        ("rigs/epic_ThirdPersonRun.fbx", "Unreal Take", "run", (3.5, 6.0)),
        ("rigs/khronos_CesiumMan.glb", "Anim_0", "walk", (0.5, 1.2)),
        ("rigs/gdquest_mannequiny.glb", "run", "run", (4.0, 6.5)),
        ("rigs/godot_platformer_player.glb", "walk", "walk", (1.5, 2.5)),
        ("bvh/cmu_07_01_walk.fbx", "07_01|07_01", "walk", (1.3, 1.5)),
    ],
)
def test_actions_of_rigs_are_analyzed(
    scene: bpy.types.Scene,
    shared: Path,
    rig: str,
    action: str,
    gait: str,
    speeds: tuple[float, float],
) -> None:
    _rig(shared / "data" / rig)
    before = _worlds()
    result = _seen(scene, bpy.data.actions[action])
    assert result.gait == gait
    assert speeds[0] < result.speed < speeds[1]
    assert _worlds() == before
    build_clip_style(result)


@pytest.mark.parametrize(
    ("rig", "action"), [("godot_platformer_player", "walk"), ("gdquest_mannequiny", "run")]
)
def test_loops_of_games_do_not_limp(
    scene: bpy.types.Scene, shared: Path, rig: str, action: str
) -> None:
    """Feet that slide have uncertain contacts, and legs may differ by the animator's hand."""
    _rig(shared / "data" / "rigs" / f"{rig}.glb")
    assert _seen(scene, bpy.data.actions[action]).asymmetry is None


def test_a_baked_walk_is_the_style_of_another_rig(scene: bpy.types.Scene, shared: Path) -> None:
    first = _set_up(scene)
    scene.footfall.style = "proud"
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    baked = first.animation_data.action
    result = _seen(scene, baked, first)
    task = read_task(bpy.context).task
    proud = load_builtin_style("proud")
    unit = np.sqrt(9.81 * result.leg_length)
    assert result.speed / unit == pytest.approx(proud.preferred_speed, rel=0.05)
    assert result.stride_length / result.leg_length == pytest.approx(
        proud.cycle_at(result.speed / unit).stride, rel=0.08
    )
    _rig(shared / "data" / "rigs" / "epic_ThirdPersonRun.fbx")
    other = bpy.data.objects["root"]
    other.animation_data_clear()
    _set_up(scene, other)
    scene.footfall.action = baked
    assert scene.footfall.style_from == "ACTION"
    assert "A walk at" in scene.footfall.action_told
    scene.footfall.actor = first
    request = read_task(bpy.context)
    assert request.style is not None
    legs = other.footfall.leg_length, first.footfall.leg_length
    assert legs[0] < 0.9 * legs[1]
    assert request.task.speed.max_speed == pytest.approx(
        task.speed.max_speed * np.sqrt(legs[0] / legs[1]), rel=0.05
    )
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    again = _seen(scene, other.animation_data.action, other)
    assert again.speed / np.sqrt(9.81 * again.leg_length) == pytest.approx(
        result.speed / unit, rel=0.03
    )
    assert again.stride_length / again.leg_length == pytest.approx(
        result.stride_length / result.leg_length, rel=0.05
    )
    scene.footfall.style = "proud"
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    figures = _seen(scene, other.animation_data.action, other)  # the style on these legs
    for k, row in enumerate(CURVES):
        one, two = (f.curves[:, k].mean(0) for f in (figures, again))
        assert not np.ptp(one) > 8 or np.corrcoef(one, two)[0, 1] > 0.85, row


def test_the_action_may_be_on_the_armature_that_is_baked_onto(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    first = armature.animation_data.action
    seen = _seen(scene, first)
    scene.footfall.action = first
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert armature.animation_data.action != first
    assert curves_of(first)
    again = _seen(scene, first)  # the pose of the new action does not show in the old one
    assert again.curves == pytest.approx(seen.curves, abs=0.05, nan_ok=True)


def test_reading_leaves_the_scene_as_it_is(scene: bpy.types.Scene, shared: Path) -> None:
    armature, action = _imported(shared / "data" / "bvh" / "cmu_02_03_run.bvh")
    armature.data.pose_position = "REST"
    armature.hide_viewport = True
    scene.frame_set(17)
    before = _worlds()
    figures = []
    bpy.app.handlers.frame_change_post.append(lambda *_: figures.append(1))
    try:
        _seen(scene, action)
    finally:
        bpy.app.handlers.frame_change_post.pop()
    assert _worlds() == before
    assert not figures
    assert armature.data.pose_position == "REST"


def test_the_slot_that_fits_is_read(scene: bpy.types.Scene, shared: Path) -> None:
    armature, action = _imported(shared / "data" / "bvh" / "cmu_02_01_walk.bvh")
    if not hasattr(action, "slots"):
        pytest.skip("this Blender has no slots")
    original = _seen(scene, action)
    slot = action.slots.new("OBJECT", "Other Armature")
    other = (
        action.layers[0]
        .strips[0]
        .channelbag(slot, ensure=True)
        .fcurves.new('pose.bones["Missing"].location', index=0)
    )
    other.keyframe_points.insert(1, 0.0)
    other.keyframe_points.insert(900, 1.0)
    armature.animation_data_clear()
    assert _seen(scene, action).speed == pytest.approx(original.speed, rel=1e-3)
    armature.animation_data_create().action = action
    armature.animation_data.action_slot = slot  # the one it plays, although it moves nothing of it
    assert _seen(scene, action).speed == pytest.approx(original.speed, rel=1e-3)


def _single(
    armature: bpy.types.Object, bones: tuple[str, ...], frames: tuple[float, ...]
) -> bpy.types.Action:
    """Return an action that rotates bones a little."""
    keys = PendingKeys()
    for bone in bones:
        keys.add(
            f'pose.bones["{bone}"].rotation_quaternion',
            bone,
            np.array(frames),
            np.stack([[1.0, 0.01 * k, 0, 0] for k in range(len(frames))]),
        )
    new = ActionBuilder(armature, "Single", keys)
    new.write()
    return new.action


@pytest.mark.parametrize(
    ("bones", "frames", "message"),
    [
        (("thigh.L",), (1.0,), "has 1 frame;"),
        (("thigh.L", "shin.L"), (1.0, 60.0), "no whole stride"),
        ((), (1.0,), "moves no bones"),
        (("Missing", "Other"), (1.0, 9.0), "No armature of this file has the bones"),
    ],
)
def test_action_without_a_gait_is_refused_and_changes_nothing(
    scene: bpy.types.Scene, bones: tuple[str, ...], frames: tuple[float, ...], message: str
) -> None:
    armature = _set_up(scene)
    scene.footfall.action = _single(armature, bones, frames)
    assert message in scene.footfall.action_told
    before = Snapshot.from_armature(armature)
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.footfall.generate()
    assert Snapshot.from_armature(armature) == before


def test_bodies_that_are_not_human_are_refused(scene: bpy.types.Scene, shared: Path) -> None:
    _rig(shared / "data" / "rigs" / "khronos_Fox.glb")
    scene.footfall.action = bpy.data.actions["Walk"]
    _set_up(scene)
    assert "On four legs: a walk" in scene.footfall.action_told
    with pytest.raises(RuntimeError, match="shows no body with two legs"):
        bpy.ops.footfall.generate()


def test_scaled_and_unsuitable_armatures_are_refused(scene: bpy.types.Scene, shared: Path) -> None:
    armature, action = _imported(shared / "data" / "bvh" / "bvhtoolbox_walk01.bvh")
    armature.scale.x *= -1
    bpy.context.view_layer.update()
    with pytest.raises(CharacterError, match="mirrored"):
        record_action(action, armature, scene)
    armature.scale.x *= -1
    bpy.context.view_layer.update()
    action.use_frame_range = True
    action.frame_start = 0
    action.frame_end = 100_000
    with pytest.raises(ClipError, match="Manual Frame Range"):
        record_action(action, armature, scene)
    action.frame_start = 20
    action.frame_end = 80
    assert record_action(action, armature, scene).frames == 61


def test_missing_action_is_reported_on_generate(scene: bpy.types.Scene, shared: Path) -> None:
    clip = shared / "data" / "bvh" / "cmu_02_01_walk.bvh"
    armature, action = _imported(clip)
    mine = _set_up(scene)
    scene.footfall.actor = armature
    scene.footfall.action = action
    bpy.data.objects.remove(armature)
    before = Snapshot.from_armature(mine)
    with pytest.raises(
        RuntimeError, match=r"'cmu_02_01_walk', which plays the action .* no longer in this file"
    ):
        bpy.ops.footfall.generate()
    scene.footfall.actor = None
    bpy.data.actions.remove(action)
    with pytest.raises(RuntimeError, match="The action 'cmu_02_01_walk' is no longer in this file"):
        bpy.ops.footfall.generate()
    scene.footfall.action = None
    with pytest.raises(RuntimeError, match="none is picked"):
        bpy.ops.footfall.generate()
    assert Snapshot.from_armature(mine).pose == before.pose
    scene.footfall.style = "walk"
    assert read_task(bpy.context).task.style == "walk"


def test_an_action_that_was_changed_is_read_anew(scene: bpy.types.Scene, shared: Path) -> None:
    _, action = _imported(shared / "data" / "bvh" / "cmu_02_01_walk.bvh")
    fps = scene.render.fps
    _set_up(scene)
    scene.render.fps = fps
    scene.footfall.action = action
    usual = read_task(bpy.context).task.speed.max_speed
    for curve in curves_of(action):
        for key in curve.keyframe_points:
            key.co.x *= 1.25
        curve.update()
    assert read_task(bpy.context).task.speed.max_speed == pytest.approx(usual / 1.25, rel=0.04)
    assert "1.10 s" in scene.footfall.action_told
    assert bpy.ops.footfall.read_action() == {"FINISHED"}
    assert "1.10 s" not in scene.footfall.action_told


def test_an_action_of_another_frame_rate_says_so(scene: bpy.types.Scene, shared: Path) -> None:
    # 60 a second, played at 24
    bpy.ops.import_anim.bvh(filepath=str(shared / "data" / "bvh" / "cmu_02_01_walk.bvh"))
    scene.footfall.action = bpy.context.object.animation_data.action
    assert "another frame rate" in scene.footfall.action_told


def test_knobs_turn_an_action_too(scene: bpy.types.Scene, shared: Path) -> None:
    _, action = _imported(shared / "data" / "bvh" / "cmu_02_01_walk.bvh")
    _set_up(scene)
    scene.footfall.action = action
    usual = read_task(bpy.context).task.speed.max_speed
    scene.footfall.knobs.cadence = 1.2
    scene.footfall.knobs.lean = radians(5)
    request = read_task(bpy.context)
    assert request.task.speed.max_speed == pytest.approx(1.2 * usual, rel=1e-3)
    plain = read_style(scene.footfall)
    lean = request.style.cycle_at(0.4).get_curve("chest_lean")[0]
    assert (
        4
        < np.degrees((lean - plain.action_style.cycle_at(0.4).get_curve("chest_lean")[0]).real)
        < 5.5
    ), "the pelvis may take a part"
    scene.footfall.upper_style = "march"
    assert bpy.ops.footfall.generate() == {"FINISHED"}
