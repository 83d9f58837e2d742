"""The engine 'preview' from a scene: chosen in the panel, simulated, baked onto a rig."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
from blender_scene import add_curve, add_metarig, curves_of, select
from footfall.addon.scene.task import read_task
from footfall.core.engine import ENGINES
from footfall.core.engine.features import check_features
from footfall.core.motion import load_motion


def test_a_simulated_body_is_baked_onto_a_rig(scene: bpy.types.Scene, tmp_path: Path) -> None:
    """From standing, along a curve: the rig's action is the simulated
    motion, and it has not fallen.
    """
    armature = add_metarig()
    scene.frame_end, scene.footfall.path = 36, add_curve([(0, 0, 0), (0, -6, 0)])
    select(armature)
    settings = scene.footfall
    settings.engine = "preview"
    settings.start = "standing"
    settings.natural_speed = False
    settings.speed = 1.1
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    motion = load_motion(tmp_path / "motion.npz")
    assert motion.report.engine == "preview"
    assert not any("fallen" in note for note in motion.report.notes)
    assert tuple(armature.animation_data.action.frame_range) == (1, 36)
    moved = max(
        np.ptp([key.co[1] for key in curve.keyframe_points])
        for curve in curves_of(armature.animation_data.action)
        if curve.data_path.endswith("location")
    )
    distance = float(np.linalg.norm(motion.com[-1, :2] - motion.com[0, :2]))
    assert distance > 0.4
    assert moved > 0.8 * distance


def test_a_simulated_body_hops_on_the_leg_that_is_chosen(scene: bpy.types.Scene) -> None:
    """*Legs* is the engine Preview's: the task has its gait,
    and none with the other engine or on both legs.
    """
    armature = add_metarig()
    scene.frame_end, scene.footfall.path = 36, add_curve([(0, 0, 0), (0, -6, 0)])
    select(armature)
    settings = scene.footfall
    gaits = []
    for engine, legs in (("preview", "right"), ("preview", "both"), ("centroidal", "right")):
        settings.engine = engine
        settings.legs_used = legs
        gaits.append(read_task(bpy.context).task.gait)
    assert gaits == ["hop right", None, None]


def test_settings_that_a_simulated_body_does_not_honor_are_left_out(scene: bpy.types.Scene) -> None:
    """A style read from an action, an upper body, a knob, a step width, a tread and something to
    look at stay in the panel; the task omits them and is not refused.
    """
    armature = add_metarig()
    scene.frame_end = 72
    scene.footfall.path = add_curve([(0, 0, 0), (0, -6, 0)])
    select(armature)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    settings = scene.footfall
    settings.style_from = "ACTION"
    settings.action = armature.animation_data.action
    settings.upper_style = "proud"
    settings.knobs.lean = 5.0
    settings.width = 1.5
    settings.tread = "forefoot"
    settings.look_at = bpy.data.objects.new("Bird", None)
    scene.collection.objects.link(settings.look_at)
    planned = read_task(bpy.context)
    assert planned.style is not None
    assert planned.task.tread == "forefoot"
    assert planned.task.gaze is not None
    settings.engine = "preview"
    simulated = read_task(bpy.context)
    assert simulated.style is None
    check_features(simulated.task, ENGINES["preview"])
    scene.frame_end = 12
    assert bpy.ops.footfall.generate() == {"FINISHED"}
