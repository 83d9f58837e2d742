"""A scene that was saved by 0.1.0 before its packages were renamed."""

from __future__ import annotations

from math import radians
from pathlib import Path

import bpy
import pytest
from blender_scene import ensure_registered


@pytest.fixture
def earlier_scene(root: Path) -> bpy.types.Scene:
    """The earlier scene, opened with Footfall registered."""
    ensure_registered()
    bpy.ops.wm.open_mainfile(filepath=str(root / "tests" / "data" / "earlier" / "scene.blend"))
    return bpy.context.scene


def test_earlier_scene_opens_with_its_settings(earlier_scene: bpy.types.Scene) -> None:
    settings = earlier_scene.footfall
    assert settings.style == "march"
    assert settings.speed == pytest.approx(1.1)
    assert not settings.natural_speed
    assert settings.stride == pytest.approx(1.3)
    assert settings.width == pytest.approx(1.2)
    assert settings.seed == 5
    assert settings.start == "standing"
    assert settings.knobs.lean == pytest.approx(radians(18.0))
    assert settings.path.name == "Path"
    push = settings.pushes[0]
    assert (push.frame, push.at) == (30, "chest")
    assert push.strength == pytest.approx(90.0)
    wait = settings.waits[0]
    assert (wait.frame, wait.frames) == (50, 6)
    assert earlier_scene.footfall_bake.spacing == "FEW"


def test_footsteps_of_an_earlier_scene_are_solved_again(earlier_scene: bpy.types.Scene) -> None:
    rig = bpy.data.objects["metarig"]
    bpy.context.view_layer.objects.active = rig
    earlier_scene.frame_set(46)
    before = rig.pose.bones["foot.R"].matrix.translation.copy()
    assert bpy.ops.footfall.update_steps() == {"FINISHED"}
    earlier_scene.frame_set(46)
    after = rig.pose.bones["foot.R"].matrix.translation
    # Footstep 3 was moved by 5 cm along x before the file was saved.
    assert after.x - before.x == pytest.approx(0.05, abs=0.004)


def test_an_earlier_scene_generates_again(earlier_scene: bpy.types.Scene) -> None:
    rig = bpy.data.objects["metarig"]
    bpy.context.view_layer.objects.active = rig
    before = rig.animation_data.action
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert rig.animation_data.action != before
    assert before.name in bpy.data.actions
