"""Armatures as skeletons: where an armature is does not matter."""

from __future__ import annotations

import bpy
from blender_scene import add_metarig
from footfall.addon.rigs.armature import read_skeleton
from footfall.core.character.from_rig.rig import rig_from_skeleton


def test_copies_in_other_places_are_recognized_once(scene: bpy.types.Scene) -> None:
    armature = add_metarig("human")
    copy = armature.copy()
    copy.location = (7.3, -0.1, 2.7)
    scene.collection.objects.link(copy)
    bpy.context.view_layer.update()
    rig = rig_from_skeleton(read_skeleton(armature, scene))
    assert rig_from_skeleton(read_skeleton(copy, scene)) is rig
    copy.scale = (1.1, 1.1, 1.1)
    bpy.context.view_layer.update()
    larger = rig_from_skeleton(read_skeleton(copy, scene)).character
    assert larger.leg_length > 1.09 * rig.character.leg_length
