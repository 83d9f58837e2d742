"""Jumps in the scene: the list, refused ones, and a body with the requested height and time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import Snapshot, add_curve, add_metarig, load_rig, sample_skin_points, select
from footfall.addon.scene.task import read_task
from footfall.core.motion import load_motion


def _set_up(scene: bpy.types.Scene) -> bpy.types.Object:
    armature = add_metarig()
    scene.footfall.path = add_curve([(0, 0, 0), (0, -6, 0)])
    select(armature)
    return armature


def test_jumps_are_added_at_the_current_frame_and_removed(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene)
    scene.frame_set(30)
    assert bpy.ops.footfall.add_jump() == {"FINISHED"}
    jump = scene.footfall.jumps[0]
    assert (jump.frame, jump.flips) == (30, 0)
    jump.height = 0.7
    jump.flips = -1
    scene.frame_set(60)
    bpy.ops.footfall.add_jump()
    assert [(j.frame, round(j.height, 5), j.flips) for j in scene.footfall.jumps] == [
        (30, 0.7, -1),
        (60, 0.7, -1),
    ]
    assert bpy.ops.footfall.remove_jump(index=0) == {"FINISHED"}
    assert [j.frame for j in scene.footfall.jumps] == [60]
    with pytest.raises(RuntimeError, match="no jump number 4"):
        bpy.ops.footfall.remove_jump(index=3)
    scene.footfall.jumps.clear()
    armature.footfall.leg_length = 0.3  # a small character's first jump is a small one
    bpy.ops.footfall.add_jump()
    assert scene.footfall.jumps[0].height == pytest.approx(0.09)


def test_jumps_are_in_the_units_of_the_scene_and_begin_from_standing(
    scene: bpy.types.Scene,
) -> None:
    armature = _set_up(scene)
    armature.scale = (100, 100, 100)
    scene.footfall.path.scale = (100, 100, 100)
    scene.unit_settings.system = "METRIC"
    scene.unit_settings.scale_length = 0.01
    scene.frame_start = 11
    scene.frame_end = 90
    bpy.context.view_layer.update()
    scene.frame_set(47)
    bpy.ops.footfall.add_jump()
    scene.footfall.jumps[0].height = 30.0
    scene.footfall.jumps[0].distance = -20.0
    task = read_task(bpy.context).task
    assert task.start == "standing"
    (jump,) = task.jumps
    assert (jump.time, jump.height, jump.distance) == pytest.approx((1.5, 0.3, -0.2))


def _outside(scene: bpy.types.Scene) -> None:
    scene.footfall.jumps[0].frame = 500


def _flat(scene: bpy.types.Scene) -> None:
    scene.footfall.jumps[0].height = 0.0


def _pushed(scene: bpy.types.Scene) -> None:
    scene.footfall.pushes.add().frame = 20


def _at_once(scene: bpy.types.Scene) -> None:
    scene.footfall.jumps.add().frame = scene.footfall.jumps[0].frame + 10


CASES: list[tuple[Callable[[bpy.types.Scene], None], str]] = [
    (_outside, "jump at frame 500"),
    (_flat, "0 m high"),
    (_pushed, "take out the pushes, or the jumps"),
    (_at_once, "comes too soon"),
]


@pytest.mark.parametrize(("spoil", "says"), CASES, ids=[spoil.__name__[1:] for spoil, _ in CASES])
def test_message_and_nothing_changed(
    scene: bpy.types.Scene, spoil: Callable[..., None], says: str
) -> None:
    armature = _set_up(scene)
    scene.frame_set(40)
    bpy.ops.footfall.add_jump()
    spoil(scene)
    before = Snapshot.from_armature(armature)
    with pytest.raises(RuntimeError, match=says):
        bpy.ops.footfall.generate()
    assert Snapshot.from_armature(armature) == before


@pytest.mark.parametrize("rig", ["quaternius_women_Worker.glb", "khronos_CesiumMan.glb"])
def test_rig_jumps_at_the_requested_time_height_and_distance(
    scene: bpy.types.Scene, shared: Path, tmp_path: Path, rig: str
) -> None:
    armature = load_rig(shared / "data" / "rigs" / rig)
    bpy.ops.footfall.detect_character()
    size = armature.footfall.leg_length / 0.93
    scene.footfall.path = add_curve([(0, 0, 0), (0, -9 * size, 0)])
    scene.frame_end = 190
    expected = ((40, 0.3, 0.8, 0.0, 0), (120, 0.9, -0.3, 0.0, -1))
    for frame, height, distance, turn, flips in expected:
        jump = scene.footfall.jumps.add()
        jump.frame, jump.height, jump.distance, jump.turn, jump.flips = (
            frame,
            size * height,
            size * distance,
            turn,
            flips,
        )
    select(armature)
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    motion = load_motion(tmp_path / "motion.npz")
    air = ~motion.contact_active.any(1)
    com = motion.com
    for frame, height, _, _, _ in expected:
        k = frame - scene.frame_start
        left = k + np.argmax(air[k - 1 :]) - 1
        assert left == pytest.approx(k, abs=1)
        flight = int(np.argmin(air[left:]))
        since = (left + 0.5 - k) / motion.fps  # the feet leave at frame k; this is a little later
        speed = (com[left + 1, 2] - com[left, 2]) * motion.fps + 9.81 * since
        assert speed == pytest.approx(np.sqrt(2 * 9.81 * size * height), rel=0.1)
        assert flight / motion.fps == pytest.approx(2 * np.sqrt(2 * size * height / 9.81), abs=0.12)
    assert com[-1, 1] == pytest.approx(-0.5 * size, abs=0.06 * size)
    lowest = []
    for frame in range(scene.frame_start, scene.frame_end + 1, 3):
        scene.frame_set(frame)
        lowest.append(sample_skin_points(armature)[:, 2].min())
    assert min(lowest) > -0.01 * size
