"""A rig that is built in code: recognized with and without names, baked, and saved."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import add_curve, curves_of, sample_skin_points, select
from footfall.addon.rigs.armature import read_skeleton
from footfall.core.character.recognition.recognize import recognize
from footfall.core.motion import load_motion
from plain_person import add_plain_person, list_bones

LEG = ("UpperLeg", "LowerLeg", "Foot", "Toes")
ARM = ("UpperArm", "LowerArm", "Hand")


@pytest.mark.parametrize("has_names", [True, False])
def test_a_person_is_recognized(scene: bpy.types.Scene, has_names: bool) -> None:
    armature = add_plain_person(has_names)
    bpy.context.view_layer.update()
    skeleton = read_skeleton(armature, scene)
    meanings = {name if has_names else f"b{k}": name for k, name in enumerate(list_bones())}
    anatomy = recognize(skeleton)
    named = [meanings[name] for name in skeleton.names]
    assert sorted((leg.row, leg.side) for leg in anatomy.legs) == [(0, -1), (0, 1)]
    for leg in anatomy.legs:
        side = "Left" if leg.side > 0 else "Right"
        assert [named[k] for k in leg.bones] == [side + part for part in LEG]
    for arm in anatomy.arms:
        side = "Left" if arm.side > 0 else "Right"
        joints = (arm.shoulder, arm.elbow, arm.wrist)
        assert [named[k] for k in joints] == [side + part for part in ARM]
    assert len(anatomy.arms) == 2
    assert named[anatomy.root] == "Hips"
    assert anatomy.head is not None
    assert named[anatomy.head] == "Head"


@pytest.fixture
def walker(scene: bpy.types.Scene) -> bpy.types.Object:
    """A person with a straight path ahead, for one and a half seconds."""
    armature = add_plain_person()
    scene.footfall.path = add_curve([(0, 0, 0), (0, -6, 0)])
    scene.render.fps = 24
    scene.frame_start, scene.frame_end = 1, 37
    select(armature)
    return armature


def test_a_baked_walk_is_the_planned_one(
    scene: bpy.types.Scene, walker: bpy.types.Object, tmp_path: Path
) -> None:
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    motion = load_motion(tmp_path / "motion.npz")
    assert motion.frames == 37
    ankles = {
        side: motion.link_origin[:, motion.link_names.index(f"foot.{side[0]}")]
        for side in ("Left", "Right")
    }
    lowest = []
    for k in range(motion.frames):
        scene.frame_set(scene.frame_start + k)
        for side, positions in ankles.items():
            bone = walker.matrix_world @ walker.pose.bones[f"{side}Foot"].head
            np.testing.assert_allclose(bone, positions[k], atol=2e-3)
        lowest.append(sample_skin_points(walker)[:, 2].min())
    assert min(lowest) > -0.01
    assert max(lowest) < 0.03
    walked = motion.com[-1] - motion.com[0]
    assert walked[1] < -1.0  # along -y
    assert abs(walked[0]) < 0.1


def test_the_bake_stays_when_the_file_is_saved(
    scene: bpy.types.Scene, walker: bpy.types.Object, tmp_path: Path
) -> None:
    bpy.ops.footfall.generate()
    before = {
        (curve.data_path, curve.array_index): len(curve.keyframe_points)
        for curve in curves_of(walker.animation_data.action)
    }
    assert before
    name = walker.name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "person.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "person.blend"))
    armature = bpy.data.objects[name]
    after = {
        (curve.data_path, curve.array_index): len(curve.keyframe_points)
        for curve in curves_of(armature.animation_data.action)
    }
    assert after == before
    assert bpy.ops.footfall.bake_again.poll()


def test_the_small_clip_is_taken_and_walked_as(
    scene: bpy.types.Scene, walker: bpy.types.Object, root: Path
) -> None:
    clip = str(root / "tests" / "data" / "small" / "walk.bvh")
    assert bpy.ops.footfall.use_clip(filepath=clip) == {"FINISHED"}
    assert "A walk at 1." in scene.footfall.clip_told
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert walker.animation_data.action is not None
