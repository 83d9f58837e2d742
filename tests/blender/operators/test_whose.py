"""Whose settings are shown where something else than an armature is selected,
and in which modes keys may be made.
"""

from __future__ import annotations

from itertools import pairwise

import blf
import bpy
import numpy as np
import pytest
from blender_scene import add_curve, add_detected_metarig, add_mesh, add_metarig, select
from footfall.addon.scene.active import find_active_settings, find_armature
from footfall.operators.common import explain_blocking_mode
from footfall.panels.text import FONT_ID, ICON_WIDTH, draw_wrapped


def test_path_and_ground_stand_for_their_character(scene: bpy.types.Scene) -> None:
    armature = add_detected_metarig(scene)
    path = scene.footfall.path
    other = add_curve([(0, 0, 0), (1, 1, 0)])
    square = np.array([[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], float)
    ground = add_mesh(square, np.array([[0, 1, 2, 3]]))
    assert find_armature(path) == armature
    assert find_armature(other) is None
    assert find_armature(ground) is None
    scene.footfall.terrain = ground
    assert find_armature(ground) == armature
    collection = bpy.data.collections.new("Hills")
    collection.objects.link(ground)
    scene.footfall.terrain = collection
    assert find_armature(ground) == armature
    select(path)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert armature.animation_data.action is not None


def test_a_path_of_several_characters_stands_for_none(scene: bpy.types.Scene) -> None:
    first = add_detected_metarig(scene)
    path = scene.footfall.path
    second = add_metarig()
    select(second)
    bpy.ops.footfall.detect_character()
    assert find_armature(path) is None
    bpy.ops.footfall.own_settings()
    second_path = add_curve([(2, 0, 0), (2, -5, 0)])
    find_active_settings(bpy.context).path = second_path
    assert find_armature(second_path) == second
    assert find_armature(path) == first


def test_keys_are_made_where_undo_knows_of_them(scene: bpy.types.Scene) -> None:
    armature = add_detected_metarig(scene)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert not explain_blocking_mode(bpy.context)
    bpy.ops.object.mode_set(mode="POSE")
    assert bpy.ops.footfall.bake_again.poll()
    bpy.ops.object.mode_set(mode="OBJECT")
    select(scene.footfall.path)
    bpy.ops.object.mode_set(mode="EDIT")
    assert explain_blocking_mode(bpy.context) == "Leave Edit Mode first"
    assert not bpy.ops.footfall.bake_again.poll()
    assert not bpy.ops.footfall.revert_bake.poll()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.footfall.revert_bake.poll()
    select(armature)


@pytest.mark.parametrize("icon", ["NONE", "INFO"])
def test_text_is_parted_where_a_panel_ends(icon: str) -> None:
    said: list[tuple[str, str]] = []
    layout = type("Layout", (), {"label": lambda self, text, icon: said.append((text, icon))})()
    text = "Neither head nor neck by name: it is what goes on from the chest\nand more"
    draw_wrapped(layout, text, 160.0, icon)
    room = 160.0 - (ICON_WIDTH if icon != "NONE" else 0.0)
    blf.size(FONT_ID, bpy.context.preferences.ui_styles[0].widget.points)
    assert all(blf.dimensions(FONT_ID, line)[0] <= room for line, _ in said)
    assert " ".join(line for line, _ in said) == text.replace("\n", " ")
    assert said[-1][0] == "and more"
    for (line, _), (after, _) in pairwise(said[:-1]):  # no line could have held the next word
        assert blf.dimensions(FONT_ID, f"{line} {after.split()[0]}")[0] > room
    assert [sign for _, sign in said] == [
        icon,
        *["NONE" if icon == "NONE" else "BLANK1"] * (len(said) - 1),
    ]
