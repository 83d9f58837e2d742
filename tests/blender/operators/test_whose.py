"""Whose settings are shown where something else than an armature is selected, and in which modes keys may be made."""
from __future__ import annotations

from itertools import pairwise

import blf
import bpy
import numpy as np
import pytest
from blender_scene import add_curve, add_mesh, add_metarig, detected, select
from footfall.addon.scene.active import armature_of, wish_of
from footfall.operators.common import hindering
from footfall.panels.text import FONT, ICON, wrapped


def test_the_path_and_the_ground_stand_for_who_walks_there(scene: bpy.types.Scene) -> None:
    armature = detected(scene)
    path, other = scene.footfall.path, add_curve([(0, 0, 0), (1, 1, 0)])
    square = np.array([[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], float)
    ground = add_mesh(square, np.array([[0, 1, 2, 3]]))
    assert armature_of(path) == armature
    assert armature_of(other) is None
    assert armature_of(ground) is None
    scene.footfall.terrain = ground
    assert armature_of(ground) == armature
    collection = bpy.data.collections.new("Hills")
    collection.objects.link(ground)
    scene.footfall.terrain = collection
    assert armature_of(ground) == armature
    select(path)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert armature.animation_data.action is not None


def test_of_several_on_one_path_nobody_is_meant(scene: bpy.types.Scene) -> None:
    first, path = detected(scene), scene.footfall.path
    second = add_metarig()
    select(second)
    bpy.ops.footfall.detect_character()
    assert armature_of(path) is None
    bpy.ops.footfall.own_settings()
    own = add_curve([(2, 0, 0), (2, -5, 0)])
    wish_of(bpy.context).path = own
    assert armature_of(own) == second
    assert armature_of(path) == first


def test_keys_are_made_where_undo_knows_of_them(scene: bpy.types.Scene) -> None:
    armature = detected(scene)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert not hindering(bpy.context)
    bpy.ops.object.mode_set(mode="POSE")
    assert bpy.ops.footfall.bake_again.poll()
    bpy.ops.object.mode_set(mode="OBJECT")
    select(scene.footfall.path)
    bpy.ops.object.mode_set(mode="EDIT")
    assert hindering(bpy.context) == "Leave Edit Mode first"
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
    wrapped(layout, text, 160.0, icon)
    room = 160.0 - (ICON if icon != "NONE" else 0.0)
    blf.size(FONT, bpy.context.preferences.ui_styles[0].widget.points)
    assert all(blf.dimensions(FONT, line)[0] <= room for line, _ in said)
    assert " ".join(line for line, _ in said) == text.replace("\n", " ")
    assert said[-1][0] == "and more"
    for (line, _), (after, _) in pairwise(said[:-1]):          # no line could have held the next word
        assert blf.dimensions(FONT, f"{line} {after.split()[0]}")[0] > room
    assert [sign for _, sign in said] == [icon, *["NONE" if icon == "NONE" else "BLANK1"] * (len(said) - 1)]
