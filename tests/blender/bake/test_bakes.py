"""Bakes with their options: destination, frames, bones, number of keys; repeated and reverted."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import add_curve, add_generated_rig, add_metarig, curves_of, load_rig, select
from footfall.addon.animation.channels import curves_of as playing
from footfall.addon.bake.history import bake_and_record
from footfall.addon.bake.options import HAS_ACTION_SLOTS, BakeOptions
from footfall.addon.bake.stored_plan import (
    StoredPlan,
    attach_plan,
    has_plan,
    pack_plan,
    read_played_plan,
)
from footfall.addon.rigs.armature import read_skeleton
from footfall.addon.scene.rig import read_rig
from footfall.addon.scene.task import read_task
from footfall.core.character.from_rig.binding import Binding
from footfall.core.engine import generate
from footfall.core.errors import CharacterError

FRAMES = 49
FEET = 0.002
Rest = list[tuple[str, int, tuple[float, ...]]]


@cache
def _planned(kind: str, shared: Path | None) -> StoredPlan:
    """Return a walk for a rig in the scene, planned once."""
    request = read_task(bpy.context)
    return StoredPlan(
        request.task,
        generate(request.task),
        request.placement,
        request.first_frame,
        request.rig_options,
    )


def _walker(
    scene: bpy.types.Scene, kind: str = "basic_human", shared: Path | None = None
) -> tuple[bpy.types.Object, StoredPlan, Binding]:
    """Return a rig with its plan and its binding, without a bake."""
    scene.frame_end = FRAMES
    armature = add_metarig(kind) if shared is None else load_rig(shared / "data" / "rigs" / kind)
    scene.footfall.path = add_curve([(0, 0, 0), (0, -3, 0), (2, -6, 0)])
    select(armature)
    return (
        armature,
        _planned(kind, shared),
        read_rig(armature, read_skeleton(armature, scene)).binding,
    )


def _animated(armature: bpy.types.Object, euler: str = "thigh.L") -> bpy.types.Action:
    """Return an action of the user for hips, a thigh, a head and a hand, over frames -10 to 80."""
    pose = armature.pose.bones
    pose[euler].rotation_mode = "ZXY"
    for k, frame in enumerate((-10, 20, 80)):
        pose["spine"].location = (0.1 * k, 0.0, 0.2)
        pose["spine"].keyframe_insert("location", frame=frame)
        pose[euler].rotation_euler = (0.3 * k - 0.2, 0.1, 0.4)
        pose[euler].keyframe_insert("rotation_euler", frame=frame)
        for name in ("spine.004", "hand.L"):
            angle = 0.4 * k - 0.3
            # the other sign than in a bake
            pose[name].rotation_quaternion = (-np.cos(angle), -np.sin(angle), 0, 0)
            pose[name].keyframe_insert("rotation_quaternion", frame=frame)
    return armature.animation_data.action


def _poses(armature: bpy.types.Object, times: np.ndarray, names: list[str]) -> np.ndarray:
    """Return poses of bones in world coordinates. (n, b, 4, 4)."""
    out = np.empty((len(times), len(names), 4, 4))
    for k, time in enumerate(times):
        bpy.context.scene.frame_set(int(np.floor(time)), subframe=float(time % 1))
        seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        out[k] = [np.array(seen.matrix_world @ seen.pose.bones[name].matrix) for name in names]
    return out


def _slide(
    armature: bpy.types.Object, planned: StoredPlan, binding: Binding, quarters: bool = True
) -> float:
    """Return the largest displacement of a point of a sole during a contact [m].

    Positions are sampled three times between frames.
    """
    motion = planned.motion
    feet = {
        f"foot.{side}": [
            b
            for b, link in zip(binding.bones, binding.link_index, strict=True)
            if link == motion.link_names.index(f"foot.{side}")
        ]
        for side in "LR"
    }
    back = np.linalg.inv(planned.placement)
    worst = 0.0
    for c, name in enumerate(motion.contact_names):
        if name.endswith("/tip"):
            continue
        bone = feet[name.split("/")[0]][0]
        touching = np.flatnonzero(motion.contact_active[:, c])
        for part in np.split(touching, np.flatnonzero(np.diff(touching) > 1) + 1):
            times = np.arange(part[0], part[-1] + 0.1, 0.25 if quarters else 1.0)
            seen = _poses(armature, planned.first_frame + times, [bone])[:, 0]
            at = (
                np.array(armature.matrix_world)
                @ back
                @ np.append(motion.contact_position[part[len(part) // 2], c], 1.0)
            )
            local = np.linalg.inv(seen[len(seen) // 2]) @ at
            points = (seen @ local)[:, :3]
            worst = max(
                worst, float(np.linalg.norm(points - points[len(points) // 2], axis=1).max())
            )
    return worst


def _keys(action: bpy.types.Action) -> int:
    return sum(len(curve.keyframe_points) for curve in curves_of(action))


@pytest.mark.parametrize(
    "options",
    [
        BakeOptions(keys="FEW"),
        BakeOptions(keys="FEW", feet=0.006, body=0.03),
        BakeOptions(keys="STEPS", held=False, step=3),
    ],
    ids=["few", "fewer", "threes"],
)
def test_reduced_keys_leave_feet_where_they_stand(
    scene: bpy.types.Scene, options: BakeOptions
) -> None:
    armature, planned, binding = _walker(scene)
    every = bake_and_record(armature, planned, binding, BakeOptions(), replaces_last=False).result
    names = list(binding.bones)
    times = np.arange(1, FRAMES + 0.1, 0.5)
    dense = _poses(armature, times, names)
    most = _keys(every.action)
    plain = _slide(armature, planned, binding)
    few = bake_and_record(armature, planned, binding, options, replaces_last=False).result
    assert few.action != every.action
    assert _keys(few.action) < 0.85 * most
    assert any("keys instead of" in aside for aside in few.remarks)
    assert _slide(armature, planned, binding) < options.feet + plain
    off = np.linalg.norm((_poses(armature, times, names) - dense)[..., :3, 3], axis=-1)
    assert 1e-5 < off.max() < 4 * options.body
    moving = [curve for curve in curves_of(few.action) if len(curve.keyframe_points) > 1]
    kinds = {key.interpolation for curve in moving for key in curve.keyframe_points}
    assert kinds == {"BEZIER" if options.keys == "FEW" else "LINEAR"}


def test_poses_on_twos_are_held_and_feet_do_not_slide(scene: bpy.types.Scene) -> None:
    armature, planned, binding = _walker(scene)
    bake_and_record(armature, planned, binding, BakeOptions(), replaces_last=False)
    names = list(binding.bones)
    planned_poses = _poses(armature, np.arange(1.0, FRAMES + 1), names)
    twos = bake_and_record(
        armature, planned, binding, BakeOptions(keys="STEPS"), replaces_last=False
    ).result
    held = _poses(armature, np.arange(1, FRAMES + 0.1, 0.5), names)
    for k in range(len(held)):
        np.testing.assert_allclose(
            held[k], planned_poses[min(4 * (k // 4), len(held) - 1) // 2], atol=2e-5
        )
    assert {key.co.x % 2 for curve in curves_of(twos.action) for key in curve.keyframe_points} == {
        1.0
    }


@pytest.mark.parametrize("bones", ["SELECTED", "UPPER", "LEGS"])
def test_only_some_bones(scene: bpy.types.Scene, bones: str) -> None:
    armature, planned, binding = _walker(scene)
    old = _animated(armature)
    options = BakeOptions(bones=bones, chosen=frozenset({"spine.004", "thigh.R", "hand.L"}))
    made = bake_and_record(armature, planned, binding, options, replaces_last=False).result
    keyed = {
        curve.data_path.split('"')[1]
        for curve in curves_of(made.action)
        if len(curve.keyframe_points) > 20
    }
    upper = {
        name
        for name in (*binding.bones, *binding.rest_bones)
        if name.startswith(("spine.", "upper", "fore", "shou"))
    }
    expected = {"SELECTED": {"spine.004", "thigh.R"}, "UPPER": upper}
    legs = {
        "spine",
        *(f"{name}.{side}" for name in ("thigh", "shin", "foot", "toe") for side in "LR"),
    }
    assert keyed == expected.get(bones, legs)
    was = {
        (c.data_path, c.array_index): [tuple(k.co) for k in c.keyframe_points]
        for c in curves_of(old)
    }
    now = {
        (c.data_path, c.array_index): [tuple(k.co) for k in c.keyframe_points]
        for c in curves_of(made.action)
    }
    for (path, channel), keys in was.items():
        if path.split('"')[1] not in keyed:
            assert now[path, channel] == keys


def test_bones_without_keys_of_the_plan_are_refused(scene: bpy.types.Scene) -> None:
    armature, planned, binding = _walker(scene)
    old = _animated(armature)
    actions = len(bpy.data.actions)
    with pytest.raises(CharacterError, match="No bone selected gets keys"):
        bake_and_record(
            armature,
            planned,
            binding,
            BakeOptions(bones="SELECTED", chosen=frozenset({"hand.L"})),
            replaces_last=False,
        )
    with pytest.raises(CharacterError, match="hold less than two"):
        bake_and_record(
            armature, planned, binding, BakeOptions(span=(400, 500)), replaces_last=False
        )
    assert armature.animation_data.action == old
    assert len(bpy.data.actions) == actions


def _apart(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """Return distances between two poses of bones, [m] and [rad]."""
    turn = np.swapaxes(a[..., :3, :3], -1, -2) @ b[..., :3, :3]
    angle = np.arccos(np.clip((np.trace(turn, axis1=-2, axis2=-1) - 1) / 2, -1, 1))
    return float(np.linalg.norm(a[..., :3, 3] - b[..., :3, 3], axis=-1).max()), float(angle.max())


def test_range_is_blended_into_the_animation_around_it(scene: bpy.types.Scene) -> None:
    armature, planned, binding = _walker(scene)
    old = _animated(armature)
    names = list(binding.bones)
    times = np.arange(-20.0, 90.1, 0.5)
    before = _poses(armature, times, names)
    bake_and_record(armature, planned, binding, BakeOptions(), replaces_last=False)
    whole = _poses(armature, times, names)
    bpy.ops.footfall.revert_bake()
    assert armature.animation_data.action == old
    bake_and_record(
        armature,
        planned,
        binding,
        BakeOptions(span=(10, 40), blend_in=8, blend_out=8),
        replaces_last=False,
    )
    after = _poses(armature, times, names)
    outside = (times <= 10) | (times >= 40)
    inside = (times >= 18) & (times <= 32)
    away, turned = _apart(after[outside], before[outside])
    assert away < 5e-4
    assert turned < 5e-3  # what single precision leaves of an angle
    assert _apart(after[inside], whole[inside])[0] < 1e-4
    # no flips: no bone turns quicker than blends and both motions do
    for k in range(1, len(times)):
        assert _apart(after[k], after[k - 1])[1] < 0.5


def test_bake_replaces_the_last_one_unless_it_was_edited(scene: bpy.types.Scene) -> None:
    armature, planned, binding = _walker(scene)
    old = _animated(armature)
    first = bake_and_record(armature, planned, binding, BakeOptions(), replaces_last=False).result
    name = first.action.name
    scene.footfall_bake.spacing = "STEPS"
    assert bpy.ops.footfall.bake_again() == {"FINISHED"}
    action = armature.animation_data.action
    assert (action.name, set(bpy.data.actions)) == (name, {old, action})
    assert has_plan(armature)
    kept = read_played_plan(armature)
    assert kept is not None
    assert kept.motion.frames == FRAMES
    curve = max(playing(armature), key=lambda c: len(c.keyframe_points))
    curve.keyframe_points[3].co.y += 0.3
    scene.footfall_bake.spacing = "EVERY"
    scene.footfall_bake.bones = "LEGS"
    assert bpy.ops.footfall.bake_again() == {"FINISHED"}
    assert set(bpy.data.actions) == {old, action, armature.animation_data.action}
    assert action.use_fake_user
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert armature.animation_data.action == action
    assert not bpy.ops.footfall.revert_bake.poll()
    # with the plan of the action that plays now
    assert bpy.ops.footfall.bake_again() == {"FINISHED"}


@pytest.mark.parametrize("into", ["ACTION", *(["SLOT"] if HAS_ACTION_SLOTS else []), "STRIP"])
def test_each_destination_plays_the_plan_and_is_reverted(scene: bpy.types.Scene, into: str) -> None:
    armature, planned, binding = _walker(scene)
    old = _animated(armature)
    names = ["spine", "thigh.L", "foot.R", "hand.L"]
    times = np.arange(-15.0, 85, 2.0)
    before = _poses(armature, times, names)
    made = bake_and_record(armature, planned, binding, BakeOptions(), replaces_last=False).result
    inside = (times >= 1) & (times <= FRAMES)
    whole = _poses(armature, times, names)
    bpy.ops.footfall.revert_bake()
    np.testing.assert_allclose(_poses(armature, times, names), before, atol=1e-6)
    assert made.action.use_fake_user
    keys = [(c.data_path, [tuple(k.co) for k in c.keyframe_points]) for c in playing(armature)]
    scene.footfall_bake.into = into
    scene.footfall_bake.strip = "Walk"
    for _ in range(2):  # the second one takes the place of the first
        assert bpy.ops.footfall.bake_again() == {"FINISHED"}
        np.testing.assert_allclose(_poses(armature, times[inside], names), whole[inside], atol=1e-5)
        data = armature.animation_data
        if into == "STRIP":
            assert [(t.name, len(t.strips)) for t in data.nla_tracks] == [
                (old.name, 1),
                ("Walk", 1),
            ]
            np.testing.assert_allclose(
                _poses(armature, times[~inside], names), before[~inside], atol=1e-5
            )
        elif into == "SLOT":
            assert (data.action, len(old.slots)) == (old, 2)
            assert has_plan(armature)
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    np.testing.assert_allclose(_poses(armature, times, names), before, atol=1e-6)
    assert armature.animation_data.action == old
    assert keys == [
        (c.data_path, [tuple(k.co) for k in c.keyframe_points]) for c in playing(armature)
    ]
    assert not armature.animation_data.nla_tracks


def test_a_bake_that_fails_leaves_the_last_one(scene: bpy.types.Scene) -> None:
    armature, planned, binding = _walker(scene)
    made = bake_and_record(armature, planned, binding, BakeOptions(), replaces_last=False).result
    with pytest.raises(CharacterError, match="hold less than two"):
        bake_and_record(
            armature, planned, binding, BakeOptions(span=(400, 500)), replaces_last=True
        )
    assert armature.animation_data.action == made.action
    assert bpy.ops.footfall.revert_bake.poll()


def test_undo_brings_the_last_bake_back(scene: bpy.types.Scene) -> None:
    armature, planned, binding = _walker(scene)
    made = bake_and_record(armature, planned, binding, BakeOptions(), replaces_last=False).result
    name = armature.name
    action = made.action.name
    bpy.ops.ed.undo_push(message="baked")
    bpy.ops.footfall.revert_bake()
    bpy.ops.ed.undo_push(message="reverted")
    assert armature.animation_data.action is None
    bpy.ops.ed.undo()
    armature = bpy.data.objects[name]
    assert armature.animation_data.action.name == action
    assert armature.footfall_baked.action == armature.animation_data.action
    bpy.context.scene.footfall_bake.spacing = "STEPS"
    assert bpy.ops.footfall.bake_again() == {"FINISHED"}


@pytest.mark.parametrize("by_feet", [False, True], ids=["FK", "IK"])
def test_control_rigs_keep_their_feet(scene: bpy.types.Scene, by_feet: bool) -> None:
    armature = add_generated_rig("basic_human")
    scene.footfall.path = add_curve([(0, 0, 0), (0, -6, 0)])
    scene.frame_end = FRAMES
    scene.footfall.controls = "IK" if by_feet else "FK"
    select(armature)
    request = read_task(bpy.context)
    planned = StoredPlan(
        request.task, generate(request.task), request.placement, 1, request.rig_options
    )
    every = bake_and_record(
        armature, planned, request.rig.binding, BakeOptions(), replaces_last=False
    ).result
    plain = _slide(armature, planned, request.rig.binding)
    few = bake_and_record(
        armature, planned, request.rig.binding, BakeOptions(keys="FEW"), replaces_last=False
    ).result
    assert _keys(few.action) < (0.4 if by_feet else 0.7) * _keys(every.action)
    assert _slide(armature, planned, request.rig.binding) < FEET + plain
    armature.animation_data.action = None
    made = bake_and_record(
        armature, planned, request.rig.binding, BakeOptions(bones="LEGS"), replaces_last=False
    ).result
    keyed = {curve.data_path.split('"')[1] for curve in curves_of(made.action)}
    assert {"torso", "thigh_parent.L", "foot_ik.L" if by_feet else "foot_fk.L"} <= keyed
    assert not keyed & {"upper_arm_fk.L", "upper_arm_parent.L", "head", "forearm_fk.R"}


@pytest.mark.parametrize("file", ["quaternius_men_Casual.glb", "epic_ThirdPersonRun.fbx"])
def test_rigs_of_games_keep_their_feet(scene: bpy.types.Scene, shared: Path, file: str) -> None:
    armature, planned, binding = _walker(scene, file, shared)
    every = bake_and_record(armature, planned, binding, BakeOptions(), replaces_last=False).result
    plain = _slide(armature, planned, binding)
    few = bake_and_record(
        armature, planned, binding, BakeOptions(keys="FEW"), replaces_last=False
    ).result
    assert _keys(few.action) < 0.8 * _keys(every.action)
    assert _slide(armature, planned, binding) < FEET + plain


def test_plans_of_slots_are_distinguished(scene: bpy.types.Scene) -> None:
    if not HAS_ACTION_SLOTS:
        pytest.skip("slots came with Blender 4.4")
    armature, planned, binding = _walker(scene)
    action = _animated(armature)
    made = bake_and_record(
        armature, planned, binding, BakeOptions(into="SLOT"), replaces_last=False
    ).result
    assert made.action == action
    assert has_plan(armature)
    armature.animation_data.action_slot = action.slots[0]
    assert not has_plan(armature)
    attach_plan(action, pack_plan(planned))  # as a whole
    assert has_plan(armature)
