"""Detect and Generate in Blender, which lose nothing of the user."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import bpy
import footfall
import numpy as np
import pytest
from baked_bones import measure_bones
from blender_scene import (
    Snapshot,
    add_curve,
    add_height_map,
    add_mesh,
    add_metarig,
    curves_of,
    ensure_registered,
    load_rig,
    select,
)
from footfall.core.motion import load_motion
from judging import check_motion_file
from selection import mark_exhaustive

RIGS = (
    "quaternius_men_Casual.glb",
    "quaternius_women_Worker.glb",
    "gdquest_mannequiny.glb",
    "khronos_CesiumMan.glb",
)


def _set_up(scene: bpy.types.Scene, length: float = 8.0) -> bpy.types.Object:
    armature = add_metarig()
    scene.footfall.path = add_curve([(0, 0, 0), (0, -0.4 * length, 0), (0.2 * length, -length, 0)])
    select(armature)
    return armature


def test_detect_stores_its_result(scene: bpy.types.Scene) -> None:
    armature = add_metarig()
    assert bpy.ops.footfall.detect_character() == {"FINISHED"}
    result = json.loads(armature.footfall.anatomy)
    assert result["thigh.L"] == "thigh.L"
    assert result["foot.R"] == "foot.R"
    assert result["toe.L"] == "toe.L"
    assert result["pelvis"] == "spine"
    assert "arms" in armature.footfall.notes


def test_generate_bakes_a_new_action_and_keeps_the_old(
    scene: bpy.types.Scene, tmp_path: Path
) -> None:
    armature = _set_up(scene)
    old = bpy.data.actions.new("Hand made")
    armature.animation_data_create().action = old
    before = set(bpy.data.actions.keys())
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    new = armature.animation_data.action
    assert new != old
    assert new.name not in before
    assert bpy.data.actions["Hand made"].use_fake_user
    assert tuple(new.frame_range) == (1, 73)
    motion = load_motion(tmp_path / "motion.npz")
    assert motion.frames == 73
    assert motion.fps == pytest.approx(24)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert len(set(bpy.data.actions.keys())) == len(before) + 2


def test_keys_start_where_the_scene_starts(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene)
    scene.frame_start = 101
    scene.frame_end = 131
    scene.render.fps = 30
    scene.render.fps_base = 1.001
    bpy.ops.footfall.generate()
    assert tuple(armature.animation_data.action.frame_range) == (101, 131)


MODES = ("QUATERNION", "AXIS_ANGLE", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")


@pytest.mark.parametrize("mode", mark_exhaustive(MODES, lambda mode: mode in MODES[:3]))
def test_baked_pose_is_the_planned_pose_in_every_rotation_mode(
    scene: bpy.types.Scene, tmp_path: Path, mode: str
) -> None:
    armature = _set_up(scene)
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    bpy.ops.footfall.generate(keep=str(tmp_path))
    errors = measure_bones(armature, tmp_path)
    assert errors.distance < 0.001
    assert errors.angle < 0.05
    for curve in curves_of(armature.animation_data.action):
        if "rotation" in curve.data_path and "axis_angle" not in curve.data_path:
            values = np.array([key.co[1] for key in curve.keyframe_points])
            assert np.abs(np.diff(values)).max(initial=0) < 1.0, f"{curve.data_path} jumps"


def test_moved_turned_and_scaled_objects(scene: bpy.types.Scene, tmp_path: Path) -> None:
    armature = _set_up(scene)
    armature.location = (3, -2, 5)
    armature.rotation_euler = (0.1, -0.2, 2.0)
    armature.scale = (0.4, 0.4, 0.4)
    bpy.context.view_layer.update()
    bpy.ops.footfall.generate(keep=str(tmp_path))
    errors = measure_bones(armature, tmp_path)
    assert errors.distance < 0.001
    assert errors.angle < 0.05


def test_units_of_the_scene(scene: bpy.types.Scene, tmp_path: Path) -> None:
    """In a scene in centimeters the walk is the same, with values a hundred times as large."""
    armature = _set_up(scene, length=800.0)
    armature.scale = (100, 100, 100)
    scene.unit_settings.system = "METRIC"
    scene.unit_settings.scale_length = 0.01
    bpy.context.view_layer.update()
    bpy.ops.footfall.generate(keep=str(tmp_path))
    motion = load_motion(tmp_path / "motion.npz")
    assert motion.com[0, 2] == pytest.approx(1.1, abs=0.15)
    errors = measure_bones(armature, tmp_path, meters_per_unit=0.01)
    assert errors.distance < 0.001


def test_helper_bones_and_connected_roots(scene: bpy.types.Scene, tmp_path: Path) -> None:
    """A root bone to which the pelvis is connected moves along the path."""
    armature = _set_up(scene)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    top = bones.new("root")
    top.head, top.tail = (0, 0, 0.5), bones["spine"].head
    bones["spine"].parent = top
    bones["spine"].use_connect = True
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.footfall.generate(keep=str(tmp_path))
    errors = measure_bones(armature, tmp_path)
    assert errors.distance < 0.001
    assert errors.angle < 0.05


def test_left_over_scales_and_places_are_baked_away(scene: bpy.types.Scene, tmp_path: Path) -> None:
    armature = _set_up(scene)
    armature.pose.bones["thigh.L"].scale = (1.0, 1.02, 1.0)
    armature.pose.bones["upper_arm.R"].location = (0.0, 0.01, 0.0)
    bpy.ops.footfall.generate(keep=str(tmp_path))
    errors = measure_bones(armature, tmp_path)
    assert errors.distance < 0.001


def test_locked_channels_stay_and_are_reported(scene: bpy.types.Scene) -> None:
    from footfall.addon.bake.bake import bake_motion
    from footfall.addon.bake.motion_placement import MotionPlacement
    from footfall.addon.scene.task import read_task
    from footfall.core.engine import generate

    armature = _set_up(scene)
    scene.frame_end = 13
    pose = armature.pose.bones
    pose["shin.L"].lock_rotation = (True, True, True)
    pose["thigh.R"].rotation_mode = "XYZ"
    pose["thigh.R"].lock_rotation = (False, True, False)
    request = read_task(bpy.context)
    baked = bake_motion(
        armature,
        generate(request.task),
        request.rig.binding,
        MotionPlacement(request.placement, request.first_frame),
    )
    keyed = {(c.data_path, c.array_index) for c in curves_of(baked.action)}
    assert not any('"shin.L"' in path and "rotation" in path for path, _ in keyed)
    assert ('pose.bones["thigh.R"].rotation_euler', 1) not in keyed
    assert ('pose.bones["thigh.R"].rotation_euler', 0) in keyed
    assert any("locked channels of" in note and "shin.L" in note for note in baked.warnings)


def test_other_bones_keep_what_they_have(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene)
    bpy.ops.footfall.generate()
    moved = {curve.data_path.split('"')[1] for curve in curves_of(armature.animation_data.action)}
    assert "hand.L" not in moved
    assert {"spine", "thigh.L", "foot.R", "toe.L", "upper_arm.R", "forearm.L"} <= moved


def test_terrain_may_be_a_collection(scene: bpy.types.Scene, tmp_path: Path) -> None:
    _set_up(scene)
    halves = bpy.data.collections.new("Halves")
    scene.collection.children.link(halves)
    for side in (-1, 1):
        x = np.array([[0.0, -12], [12, -12], [12, 4], [0, 4]]) * [side, 1]
        half = add_mesh(
            np.column_stack([x, np.full(4, 0.5)]), np.array([[0, 1, 2, 3]]), f"half {side}"
        )
        bpy.context.collection.objects.unlink(half)
        halves.objects.link(half)
    scene.footfall.terrain = halves
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    soles = load_motion(tmp_path / "motion.npz").contact_position[..., 2]
    assert soles.min() == pytest.approx(0.5, abs=0.003)


@pytest.mark.parametrize("kind", ["BEZIER", "NURBS"])
def test_curves_of_every_kind(scene: bpy.types.Scene, kind: str) -> None:
    from footfall.addon.scene.path import read_path

    curve = add_curve([(0, 0, 0), (2, 1, 0), (4, -1, 0), (6, 0, 0)], kind)
    if kind == "NURBS":
        curve.data.splines[0].use_endpoint_u = True
    curve.data.bevel_depth = 0.2  # a tube around the line is no part of the path
    curve.location = (10, 0, 0)
    bpy.context.view_layer.update()
    before = Snapshot.from_armature(None)
    path = read_path(curve, scene)
    assert Snapshot.from_armature(None) == before
    np.testing.assert_allclose(path.points[0], [10, 0], atol=1e-5)
    np.testing.assert_allclose(path.points[-1], [16, 0], atol=1e-5)
    assert 6 < path.length < 9


def test_closed_curves_come_back_to_their_start(scene: bpy.types.Scene) -> None:
    from footfall.addon.scene.path import read_path

    curve = add_curve([(0, 0, 0), (4, 0, 0), (4, 4, 0)])
    curve.data.splines[0].use_cyclic_u = True
    path = read_path(curve, scene)
    np.testing.assert_allclose(path.points[0], path.points[-1])
    assert path.length == pytest.approx(8 + np.sqrt(32))


def test_natural_speed_depends_on_leg_length(scene: bpy.types.Scene) -> None:
    from footfall.addon.scene.task import read_task

    armature = _set_up(scene)
    large = read_task(bpy.context).task.speed.max_speed
    armature.scale = (0.25, 0.25, 0.25)
    bpy.context.view_layer.update()
    assert read_task(bpy.context).task.speed.max_speed == pytest.approx(large / 2, rel=1e-3)
    scene.footfall.engine = "adaptive"  # which walks at its trained speed
    trained = read_task(bpy.context).task.speed.max_speed
    assert 0.7 * large / 2 < trained < 0.9 * large / 2
    scene.footfall.speed = 0.7
    assert not scene.footfall.natural_speed
    assert read_task(bpy.context).task.speed.max_speed == pytest.approx(0.7)


def test_same_seed_same_keys(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene)
    keys = []
    for _ in range(2):
        bpy.ops.footfall.generate()
        keys.append(
            [
                tuple(k.co)
                for c in curves_of(armature.animation_data.action)
                for k in c.keyframe_points
            ]
        )
    # sums may be taken in another order
    np.testing.assert_allclose(keys[0], keys[1], rtol=0, atol=1e-5)


@pytest.mark.parametrize("name", RIGS)
def test_real_rigs_on_real_ground(
    scene: bpy.types.Scene, shared: Path, tmp_path: Path, name: str
) -> None:
    armature = load_rig(shared / "data" / "rigs" / name)
    scene.footfall.terrain = add_height_map(
        shared / "data" / "terrain" / "raylib_heightmap.png", 24.0, 1.2
    )
    scene.footfall.path = add_curve([(0, 0, 0), (1.0, -3.0, 0), (-1.0, -7.0, 0)], "BEZIER")
    bpy.context.view_layer.update()
    select(armature)
    assert bpy.ops.footfall.detect_character() == {"FINISHED"}
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    result = check_motion_file(shared, tmp_path / "motion.npz")
    legs = load_motion(tmp_path / "motion.npz").com[0, 2]
    assert result["drift_max_m"] <= 0.001
    assert result["penetration_max_m"] <= 0.005 * max(legs, 1.0)
    assert result["relaxed_share"] <= 0.02
    assert result["friction_p99"] <= 0.8


ODD_RIGS = (
    "quaternius_dino_Velociraptor.glb",
    "khronos_Fox.glb",
    "metarig:bird",
    "metarig:basic_quadruped",
)
# The bare armature of the VRM add-on is left out: its hips are connected to its root, which moves
# along with them close over the ground, and where there is no skin the judge takes any bone's end
# for a sole
MORE_RIGS = (
    "castle_skinned_anim.blend",
    "raylib_greenman.glb",
    "vrm_cryptovoxels.vrm",
    "epic_ThirdPersonRun.fbx",
    "metarig:human",
    "metarig:horse",
    "metarig:cat",
)
# Like others: a person, a horse, a person without a face, a cat
SIMILAR_RIGS = (
    "quaternius_Character_HumanoidRig.glb",
    "quaternius_animals_Horse.glb",
    "metarig:basic_human",
    "metarig:wolf",
)


@pytest.mark.parametrize(
    "rig",
    [
        *RIGS,
        *ODD_RIGS,
        *(pytest.param(rig, marks=pytest.mark.long) for rig in MORE_RIGS),
        *(pytest.param(rig, marks=pytest.mark.exhaustive) for rig in SIMILAR_RIGS),
    ],
)
def test_skin_as_a_viewer_sees_it(
    shared: Path,
    rig: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In the independent check, resting soles move less than 5 mm a frame and sink below 1 cm.

    The program runs in this process, where Blender and the planning process are running already.
    """
    checker = str(shared / "tools" / "check_bake.py")
    path = rig if ":" in rig else str(shared / "data" / "rigs" / rig)
    monkeypatch.setattr(sys, "argv", [checker, path])
    ensure_registered()
    monkeypatch.setattr(footfall, "unregister", lambda: None)
    monkeypatch.setattr(footfall, "register", lambda: None)
    with pytest.raises(SystemExit) as end:
        runpy.run_path(checker)
    assert not end.value.code, capsys.readouterr().out[-1500:]
