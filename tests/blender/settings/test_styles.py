"""Styles in the scene: the list, the knobs in the task, their panel and button."""

from __future__ import annotations

from dataclasses import fields
from math import radians

import bpy
import numpy as np
import pytest
from blender_scene import add_detected_metarig, curves_of
from footfall.addon.scene.task import read_task
from footfall.core.clip import Knobs, Recipe, StyleShare, list_builtin_styles
from footfall.panels.style import KNOB_GROUPS


def test_list_has_the_built_in_styles_with_descriptions(scene: bpy.types.Scene) -> None:
    items = scene.footfall.bl_rna.properties["style"].enum_items
    assert {item.identifier for item in items} == set(list_builtin_styles())
    assert all(item.description for item in items)
    # files of the first release keep these numbers
    assert [items[name].value for name in ("natural", "run", "walk")] == [0, 1, 2]


def test_every_knob_has_a_slider_with_its_ends_and_a_tooltip(scene: bpy.types.Scene) -> None:
    sliders = scene.footfall.knobs.bl_rna.properties
    assert sorted(name for group in KNOB_GROUPS for name in group) == sorted(
        f.name for f in fields(Knobs)
    )
    for knob in fields(Knobs):
        scale = radians(1) if knob.metadata["unit"] == "degrees" else 1.0
        slider = sliders[knob.name]
        assert (slider.hard_min, slider.hard_max) == pytest.approx(
            (scale * knob.metadata["least"], scale * knob.metadata["most"])
        )
        assert len(slider.description) > 20
    assert read_task(_set_up(scene)).task.knobs == Knobs()


def _set_up(scene: bpy.types.Scene) -> bpy.types.Context:
    add_detected_metarig(scene)
    return bpy.context


def test_knobs_go_into_the_task_up_to_their_ends(scene: bpy.types.Scene) -> None:
    add_detected_metarig(scene)
    knobs = scene.footfall.knobs
    scene.footfall.style = "proud"
    knobs.lean = radians(7.5)
    knobs.arm_swing = 1.25
    task = read_task(bpy.context).task
    assert task.style == "proud"
    assert task.knobs == Knobs(lean=7.5, arm_swing=1.25)
    for which in ("hard_min", "hard_max"):
        for knob in fields(Knobs):
            setattr(knobs, knob.name, getattr(knobs.bl_rna.properties[knob.name], which))
        read_task(bpy.context)


def test_other_styles_are_mixed_in_and_lend_their_upper_body(scene: bpy.types.Scene) -> None:
    add_detected_metarig(scene)
    settings = scene.footfall
    settings.style = "old"
    assert read_task(bpy.context).task.recipe == Recipe("old")
    alone = read_task(bpy.context).task.speed.max_speed
    settings.mixed_style = "proud"
    settings.mixed_share = 0.25
    settings.upper_style = "march"
    task = read_task(bpy.context).task
    assert task.recipe == Recipe("old", (StyleShare("proud", 0.25),), "march")
    assert task.speed.max_speed > 1.05 * alone
    settings.mixed_share = 0.0
    assert read_task(bpy.context).task.mixed_styles == ()


def test_cadence_changes_the_natural_speed_of_a_style(scene: bpy.types.Scene) -> None:
    add_detected_metarig(scene)
    usual = read_task(bpy.context).task.speed.max_speed
    scene.footfall.knobs.cadence = 1.2
    assert read_task(bpy.context).task.speed.max_speed == pytest.approx(1.2 * usual, rel=1e-3)
    scene.footfall.knobs.cadence = 1.0
    scene.footfall.style = "sneak"
    assert read_task(bpy.context).task.speed.max_speed < 0.6 * usual


def test_button_resets_knobs(scene: bpy.types.Scene) -> None:
    add_detected_metarig(scene)
    scene.footfall.knobs.crouch = 0.1
    scene.footfall.knobs.head_turn = 0.5
    assert bpy.ops.footfall.reset_knobs() == {"FINISHED"}
    assert read_task(bpy.context).task.knobs == Knobs()


def test_panel_is_below_motion_and_only_for_humans(scene: bpy.types.Scene) -> None:
    panel = bpy.types.FOOTFALL_PT_style
    assert panel.bl_parent_id == "FOOTFALL_PT_motion"
    add_detected_metarig(scene)
    assert panel.poll(bpy.context)
    add_detected_metarig(scene, "wolf")
    assert not panel.poll(bpy.context)


def test_knobs_are_saved_with_the_file(scene: bpy.types.Scene, tmp_path: object) -> None:
    scene.footfall.knobs.bounce = 1.5
    scene.footfall.style = "arms-wide"
    file = f"{tmp_path}/a.blend"
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.open_mainfile(filepath=file)
    assert bpy.context.scene.footfall.knobs.bounce == pytest.approx(1.5)
    assert bpy.context.scene.footfall.style == "arms-wide"


def test_knobs_change_what_is_baked(scene: bpy.types.Scene) -> None:
    armature = add_detected_metarig(scene)
    scene.frame_end = 30
    hands = []
    for spread in (0.0, radians(70)):
        scene.footfall.knobs.arm_spread = spread
        assert bpy.ops.footfall.generate() == {"FINISHED"}
        assert curves_of(armature.animation_data.action)
        scene.frame_set(20)
        hands.append([np.array(armature.pose.bones[f"hand.{side}"].head) for side in "LR"])
    apart = [np.linalg.norm((left - right)[:2]) for left, right in hands]
    assert apart[1] > apart[0] + 0.5
