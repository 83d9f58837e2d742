"""A leg without a knee that is connected to the body is named before a motion is planned."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import add_curve, load_rig, select
from rig_variations import edit_bones


def test_connected_leg_of_one_bone(scene: bpy.types.Scene, shared: Path) -> None:
    armature = load_rig(shared / "data" / "rigs" / "raylib_guy.blend")
    scene.footfall.path = add_curve([(0, 0, 0), (0, 20, 0)])
    scene.frame_end = 13
    select(armature)
    message = "the bone 'leg_L' must move separately but is connected to its parent"
    assert bpy.ops.footfall.detect_character() == {"FINISHED"}
    assert message in armature.footfall.notes
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.footfall.generate()
    with edit_bones(armature) as bones:
        bones["leg_L"].use_connect = False
    assert bpy.ops.footfall.detect_character() == {"FINISHED"}
    assert "must move separately" not in armature.footfall.notes
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    feet = []
    for frame in (1, 13):
        scene.frame_set(frame)
        feet.append([np.array(armature.pose.bones[f"leg_{s}"].tail) for s in "LR"])
    assert np.linalg.norm(np.subtract(*feet), axis=-1).max() > 0.5
