"""Key poses from the rig appear in the baked motion, and heads turn to objects."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from blender_scene import add_detected_metarig, select
from footfall.addon.scene.task import read_task
from mathutils import Matrix, Quaternion, Vector


def _set_up(scene: bpy.types.Scene, kind: str = "basic_human") -> bpy.types.Object:
    scene.render.fps = 25
    scene.frame_start = 1
    scene.frame_end = 76
    return add_detected_metarig(scene, kind)


def _raise_arm(armature: bpy.types.Object) -> None:
    """Raise the right arm with a bent elbow."""
    upper = armature.pose.bones["upper_arm.R"]
    lower = armature.pose.bones["forearm.R"]
    for bone, angle in ((upper, 100.0), (lower, 30.0)):
        head = bone.matrix.translation.copy()
        turn = Matrix.Rotation(np.radians(angle), 4, Vector((0, 1, 0)))
        bone.matrix = Matrix.Translation(head) @ turn @ Matrix.Translation(-head) @ bone.matrix
        bpy.context.view_layer.update()


def _at_rest(armature: bpy.types.Object) -> None:
    for bone in armature.pose.bones:
        bone.matrix_basis = Matrix.Identity(4)


def _hand(armature: bpy.types.Object, frame: int) -> float:
    """Return the height of the right hand over the shoulder."""
    bpy.context.scene.frame_set(frame)
    return float((armature.pose.bones["hand.R"].head - armature.pose.bones["upper_arm.R"].head).z)


def _toward(armature: bpy.types.Object, frame: int, bone: str) -> Vector:
    bpy.context.scene.frame_set(frame)
    posed = armature.pose.bones[bone]
    return (posed.tail - posed.head).normalized()


def test_pose_of_the_rig_is_reached_at_its_frame(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene)
    scene.frame_set(40)
    _raise_arm(armature)
    kept = armature.pose.bones["upper_arm.R"].vector.normalized()
    assert bpy.ops.footfall.add_struck() == {"FINISHED"}
    pose = scene.footfall.struck[0]
    pose.part = "RIGHT"
    pose.hold = 8
    pose.blend = 8
    _at_rest(armature)
    task = read_task(bpy.context).task
    assert task.key_poses[0].time == pytest.approx(39 / 25)
    assert set(task.key_poses[0].orientations) <= {"upper_arm.R", "forearm.R", "hand.R"}
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert _hand(armature, 40) > 0.2
    assert max(_hand(armature, frame) for frame in (5, 20, 62, 75)) < -0.2
    assert np.degrees(kept.angle(_toward(armature, 40, "upper_arm.R"))) < 15
    left = armature.pose.bones["hand.L"].head.z
    assert left < armature.pose.bones["upper_arm.L"].head.z - 0.2


def test_key_poses_do_not_depend_on_the_heading_of_the_rig(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene)
    turns = []
    for angle in (0.0, 2.0):
        armature.rotation_euler.z = angle
        bpy.context.view_layer.update()
        _raise_arm(armature) if not turns else None
        bpy.ops.footfall.add_struck()
        turns.append(read_task(bpy.context).task.key_poses[-1].orientations)
    for name, turn in turns[0].items():
        assert Quaternion(turn).rotation_difference(
            Quaternion(turns[1][name])
        ).angle == pytest.approx(0, abs=1e-3)


def test_poses_outside_of_the_clip_and_of_nothing_are_refused(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene)
    bpy.ops.footfall.add_struck()
    scene.footfall.struck[0].frame = 500
    with pytest.raises(RuntimeError, match="key pose at frame 500"):
        bpy.ops.footfall.generate()
    scene.footfall.struck[0].frame = 20
    scene.footfall.struck[0].turns = "{}"
    with pytest.raises(RuntimeError, match="holds no rotation"):
        bpy.ops.footfall.generate()
    assert armature.animation_data is None or armature.animation_data.action is None
    assert bpy.ops.footfall.remove_struck(index=0) == {"FINISHED"}
    with pytest.raises(RuntimeError, match="no key pose number 1"):
        bpy.ops.footfall.remove_struck(index=0)
    stranger = bpy.data.objects.new("Stranger", None)
    scene.collection.objects.link(stranger)
    select(stranger)
    assert not bpy.ops.footfall.add_struck.poll()


def test_heads_follow_a_moving_object(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene)
    thing = bpy.data.objects.new("Bird", None)
    scene.collection.objects.link(thing)
    scene.footfall.look_at = thing
    thing.location = (2.0, -6.0, 1.6)
    bpy.context.view_layer.update()
    look = read_task(bpy.context).task.gaze
    assert look is not None
    assert look.places == pytest.approx(np.array([[2.0, -6.0, 1.6]]), abs=1e-5)
    for frame, x in ((1, 3.0), (76, -3.0)):
        thing.location.x = x
        thing.keyframe_insert("location", frame=frame)
    scene.frame_set(17)
    look = read_task(bpy.context).task.gaze
    assert scene.frame_current == 17
    assert look.position_at(np.array([0.0, 3.0]))[:, 0] == pytest.approx([3, -3], abs=1e-4)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    rest = armature.data.bones["spine.006" if "spine.006" in armature.data.bones else "spine.005"]
    ahead = rest.matrix_local.inverted().to_3x3() @ Vector((0, -1, 0))
    for frame in (10, 40, 60):
        scene.frame_set(frame)
        posed = armature.pose.bones[rest.name]
        looks = (armature.matrix_world @ posed.matrix).to_3x3() @ ahead
        away = thing.matrix_world.translation - (armature.matrix_world @ posed.matrix).translation
        assert np.degrees(Vector(looks.xy).angle(Vector(away.xy))) < 15
