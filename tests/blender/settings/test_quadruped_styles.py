"""Styles of quadrupeds in the scene: list, settings, and rigs with neck, head and tail."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import add_curve, add_generated_rig, add_metarig, curves_of, select
from footfall.addon.rigs.armature import read_skeleton
from footfall.addon.scene.active import has_gaits, is_quadruped
from footfall.addon.scene.rig import read_rig
from footfall.addon.scene.task import read_task
from footfall.core.character.from_rig.binding import pose_bones
from footfall.core.clip import (
    Knobs,
    has_tail_motion,
    list_quadruped_styles,
    load_builtin_quadruped_style,
)
from footfall.core.geometry import so3
from footfall.core.motion import load_motion

LONG = pytest.mark.long


def _set_up(scene: bpy.types.Scene, kind: str, generated: bool = False) -> bpy.types.Object:
    armature = add_generated_rig(kind) if generated else add_metarig(kind)
    scene.footfall.path = add_curve([(0, 0, 0), (0, -40, 0)])
    scene.frame_end = 31
    select(armature)
    bpy.ops.footfall.detect_character()
    return armature


def test_list_has_the_built_in_styles_with_descriptions(scene: bpy.types.Scene) -> None:
    items = scene.footfall.bl_rna.properties["quadruped_style"].enum_items
    assert {item.identifier for item in items} == set(list_quadruped_styles())
    assert all(item.description for item in items)
    # files keep these numbers
    assert [items[name].value for name in ("natural", "walk", "stalk")] == [0, 1, 6]


def test_only_bodies_on_four_legs_have_it(scene: bpy.types.Scene) -> None:
    for kind, four in (("wolf", True), ("basic_human", False), ("bird", False)):
        _set_up(scene, kind)
        assert is_quadruped(bpy.context) == four
    assert has_gaits(bpy.context)


def test_a_style_sets_gait_and_speed_and_leaves_knobs_to_people(scene: bpy.types.Scene) -> None:
    _set_up(scene, "wolf")
    settings = scene.footfall
    settings.knobs.lean = 0.1
    settings.style = "sneak"
    usual = read_task(bpy.context).task
    assert (usual.style, usual.gait, usual.knobs) == ("natural", None, Knobs())
    settings.quadruped_style = "trot"
    task = read_task(bpy.context).task
    assert (task.style, task.gait) == ("trot", None)  # the style determines the gait
    times = (
        load_builtin_quadruped_style("trot").preferred_speed
        / load_builtin_quadruped_style("natural").preferred_speed
    )
    assert task.speed.max_speed == pytest.approx(times * usual.speed.max_speed, rel=1e-3)
    settings.quadruped_style = "natural"
    assert read_task(bpy.context).task.gait is None


def test_a_gait_that_was_set_for_another_style_does_not_count(scene: bpy.types.Scene) -> None:
    _set_up(scene, "wolf")
    scene.footfall.gait = "pace"
    scene.footfall.quadruped_style = "trot"
    assert read_task(bpy.context).task.gait is None
    scene.footfall.quadruped_style = "natural"
    assert read_task(bpy.context).task.gait == "pace"


def test_humans_keep_their_styles(scene: bpy.types.Scene) -> None:
    _set_up(scene, "basic_human")
    scene.footfall.quadruped_style = "stalk"
    task = read_task(bpy.context).task
    assert (task.style, task.gait) == ("natural", None)


@pytest.mark.parametrize(
    ("kind", "style", "generated", "tail"),
    [
        ("wolf", "gallop", False, ("spine", "spine.003")),
        ("horse", "walk", True, ("tail.001", "tail.005")),
        pytest.param("wolf", "trot", True, ("spine", "spine.003"), marks=LONG),
        pytest.param("cat", "stalk", True, ("tail.001", "tail.004"), marks=LONG),
    ],
)
def test_neck_head_and_tail_come_out_as_planned(
    scene: bpy.types.Scene,
    tmp_path: Path,
    kind: str,
    style: str,
    generated: bool,
    tail: tuple[str, ...],
) -> None:
    armature = _set_up(scene, kind, generated)
    scene.footfall.quadruped_style = style
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    keyed = {
        curve.data_path.split('"')[1]
        for curve in curves_of(armature.animation_data.action)
        if '"' in curve.data_path
    }
    assert set(tail) <= keyed
    assert not any(name.startswith(("DEF-", "ORG-", "MCH-")) for name in keyed)
    away, turned, swung = _off_plan(armature, tmp_path)
    assert away < 0.001
    assert turned < 0.5
    assert swung > 2.0


def test_tail_is_not_keyed_without_a_style(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene, "wolf", generated=True)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    keyed = {
        curve.data_path.split('"')[1]
        for curve in curves_of(armature.animation_data.action)
        if '"' in curve.data_path
    }
    assert not {"spine", "spine.001", "spine.002", "spine.003"} & keyed


def _off_plan(armature: bpy.types.Object, folder: Path) -> tuple[float, float, float]:
    """Return deviations of bones and axes from the plan, and the range of the tail [m, degrees]."""
    scene = bpy.context.scene
    motion = load_motion(folder / "motion.npz")
    rig = read_rig(
        armature, read_skeleton(armature, scene), has_tail_motion(scene.footfall.quadruped_style)
    )
    poses = pose_bones(
        rig.binding, motion.link_origin, motion.link_orientation, motion.toe_orientation
    )
    away = 0.0
    turned = 0.0
    for k in range(0, motion.frames, 5):
        scene.frame_set(scene.frame_start + k)
        for b, name in enumerate(poses.names):
            matrix = np.array(armature.matrix_world @ armature.pose.bones[name].matrix)
            along = matrix[:3, 1] / np.linalg.norm(matrix[:3, 1])
            planned = so3.quat_to_matrix(poses.orientation[k, b])[:, 1]
            turned = max(turned, float(np.degrees(np.arccos(np.clip(along @ planned, -1, 1)))))
            at = (
                poses.root_position[k]
                if b == 0
                else motion.link_origin[k, rig.binding.link_index[b]]
            )
            if rig.binding.toe_leg[b] < 0:
                away = max(
                    away,
                    float(
                        np.linalg.norm(
                            matrix[:3, 3] - poses.head_positions.get(name, [at] * (k + 1))[k]
                        )
                    ),
                )
    tail = so3.quat_to_matrix(motion.link_orientation[:, rig.character.tail[-1]])
    return away, turned, float(np.degrees(np.ptp(so3.log(tail[0].T @ tail), axis=0).max()))
