"""The speed at which *Adaptive* walks by itself, which follows the height of the center of mass."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import add_curve, add_metarig, load_rig, select
from footfall.addon.scene.drive_task import read_drive_request
from footfall.addon.scene.task import read_task
from footfall.core.engine.adaptive.biped import scale_to_reference
from footfall.core.engine.adaptive.movements import HALF_CYCLE_TIME, MOVEMENTS
from footfall.core.engine.adaptive.speeds import REFERENCE_LENGTH
from footfall.core.engine.shared.character import load_task_character
from footfall.core.engine.shared.scaling import REFERENCE_GRAVITY
from footfall.core.task import Task
from footfall.panels.main import _format_natural_speed


def _set_up(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    scene.footfall.path = add_curve([(0, 0, 0), (0, -3, 0), (1, -6, 0)])
    scene.footfall.engine = "adaptive"
    scene.footfall.natural_speed = True
    select(armature)
    bpy.ops.footfall.detect_character()


def _compute_trained_speed(task: Task) -> float:
    """Return the speed of the forward walk of the search, in the size of the simulated body."""
    length = REFERENCE_LENGTH * scale_to_reference(load_task_character(task)).length
    speed = MOVEMENTS["forward"].step_length / HALF_CYCLE_TIME
    return speed * float(np.sqrt(length * task.gravity / (REFERENCE_LENGTH * REFERENCE_GRAVITY)))


def _check_speeds(armature: bpy.types.Object) -> None:
    task = read_task(bpy.context).task
    trained = _compute_trained_speed(task)
    assert task.speed.max_speed == pytest.approx(trained, rel=1e-6)
    assert read_drive_request(bpy.context).speeds.natural == pytest.approx(trained, rel=1e-6)
    assert _format_natural_speed(bpy.context) == f"Natural, {trained:.2f} m/s"


def test_adaptive_walks_at_the_speed_of_its_training(scene: bpy.types.Scene) -> None:
    armature = add_metarig()
    _set_up(scene, armature)
    _check_speeds(armature)
    # A file of a version that stored the length of the legs alone
    armature.footfall.property_unset("com_height")
    assert _format_natural_speed(bpy.context) == "Natural Speed"
    scene.footfall.engine = "centroidal"
    assert _format_natural_speed(bpy.context).startswith("Natural, ")


@pytest.mark.parametrize("name", ["khronos_CesiumMan.glb", "quaternius_Character_HumanoidRig.glb"])
def test_toys_walk_at_the_speed_of_their_size(
    scene: bpy.types.Scene, shared: Path, name: str
) -> None:
    armature = load_rig(shared / "data" / "rigs" / name)
    _set_up(scene, armature)
    _check_speeds(armature)
    character = load_task_character(read_task(bpy.context).task)
    legs = float(np.sqrt(character.leg_length * 9.81))
    human = float(np.sqrt(0.93 * 9.81))
    # More than the same body's legs alone would have it walk at
    assert read_task(bpy.context).task.speed.max_speed / legs > 1.15 * 1.06 / human
