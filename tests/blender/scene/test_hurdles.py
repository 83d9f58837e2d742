"""Hurdles in the scene: how meshes are read, what is refused,
and a skin that touches none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import (
    Snapshot,
    add_box,
    add_collection,
    add_curve,
    add_mesh,
    add_metarig,
    load_rig,
    sample_skin_points,
    select,
)
from footfall.addon.scene.task import read_task
from footfall.core.motion import load_motion
from footfall.core.task import Hurdle


def _set_up(scene: bpy.types.Scene, length: float = 40.0) -> bpy.types.Collection:
    """Set up a character with a path along -Y, and return a collection for hurdles."""
    armature = add_metarig()
    scene.footfall.path = add_curve([(0, 0, 0), (0, -length, 0)])
    scene.footfall.hurdles = add_collection("Hurdles")
    select(armature)
    return scene.footfall.hurdles


def _read() -> tuple[Hurdle, ...]:
    return read_task(bpy.context).task.hurdles


def test_a_scaled_and_turned_box_is_a_hurdle(scene: bpy.types.Scene) -> None:
    add_box(_set_up(scene), (1.4, 0.3, 0.5), (0.2, -6, 0), yaw=0.3)
    (hurdle,) = _read()
    assert hurdle.height == pytest.approx(0.5, abs=1e-5)
    assert hurdle.depth == pytest.approx(0.3, abs=1e-5)
    direction = np.subtract(hurdle.end, hurdle.start)
    assert np.linalg.norm(direction) == pytest.approx(1.4, abs=1e-5)
    assert abs(direction @ [np.cos(0.3), np.sin(0.3)]) == pytest.approx(1.4, abs=1e-5)
    np.testing.assert_allclose(np.add(hurdle.start, hurdle.end) / 2, [0.2, -6], atol=1e-5)


def test_a_square_box_lies_across_the_path(scene: bpy.types.Scene) -> None:
    add_box(_set_up(scene), (0.5, 0.5, 0.5), (0, -6, 0), yaw=0.1)
    (hurdle,) = _read()
    assert abs(hurdle.end[0] - hurdle.start[0]) > 0.45


def test_feet_of_a_hurdle_do_not_make_it_deep(scene: bpy.types.Scene) -> None:
    """Only the bar counts of one on two posts with bases 0.7 m long."""
    hurdles = _set_up(scene)
    for size, place in (
        ((1.2, 0.04, 0.07), (0, -6, 0.63)),
        ((0.04, 0.04, 0.63), (-0.55, -6, 0)),
        ((0.04, 0.7, 0.04), (-0.55, -6.2, 0)),
    ):
        add_box(hurdles, size, place)
    parts = list(hurdles.objects)
    with bpy.context.temp_override(active_object=parts[0], selected_editable_objects=parts):
        bpy.ops.object.join()
    select(bpy.data.objects["metarig"])
    (hurdle,) = _read()
    assert hurdle.depth == pytest.approx(0.04, abs=1e-3)
    assert hurdle.start[1] == pytest.approx(-6, abs=1e-3)
    assert hurdle.height == pytest.approx(0.7, abs=1e-3)


def test_children_and_instances_and_modifiers_count_and_hidden_ones_do_not(
    scene: bpy.types.Scene,
) -> None:
    hurdles = _set_up(scene)
    source = bpy.data.collections.new("Source")
    add_box(source, (1.2, 0.05, 0.4), (0, 0, 0))
    copy = bpy.data.objects.new("Copy", None)
    copy.instance_type = "COLLECTION"
    copy.instance_collection = source
    copy.location = (0, -5, 0)
    hurdles.objects.link(copy)
    child = add_box(hurdles, (1.2, 0.05, 0.4), (0, -4, 0), name="Child")
    child.parent = copy
    row = add_box(hurdles, (1.2, 0.05, 0.4), (0, -14, 0), name="Row")
    modifier = row.modifiers.new("Wider", "ARRAY")
    modifier.count = 2
    modifier.relative_offset_displace = (1, 0, 0)
    add_box(hurdles, (1.2, 0.05, 0.4), (0, -20, 0), name="Hidden").hide_viewport = True
    bpy.context.view_layer.update()
    hurdles = sorted(_read(), key=lambda h: -h.start[1])
    assert [round(h.start[1], 3) for h in hurdles] == [-5, -9, -14]
    assert abs(hurdles[2].end[0] - hurdles[2].start[0]) == pytest.approx(2.4, abs=1e-4)


def test_heights_are_over_the_ground_and_in_the_units_of_the_scene(scene: bpy.types.Scene) -> None:
    add_box(_set_up(scene, 4000.0), (120, 5, 60), (0, -600, 50))
    square = np.array([(-9e3, -9e3, 50), (9e3, -9e3, 50), (9e3, 9e3, 50), (-9e3, 9e3, 50)], float)
    scene.footfall.terrain = add_mesh(square, np.array([[0, 1, 2, 3]]))
    bpy.data.objects["metarig"].scale = (100, 100, 100)
    scene.unit_settings.system = "METRIC"
    scene.unit_settings.scale_length = 0.01
    bpy.context.view_layer.update()
    select(bpy.data.objects["metarig"])
    (hurdle,) = _read()
    assert hurdle.height == pytest.approx(0.6, abs=1e-4)
    assert hurdle.start[1] == pytest.approx(-6, abs=1e-3)


def test_hurdles_in_the_terrain_are_no_ground(scene: bpy.types.Scene) -> None:
    hurdles = _set_up(scene)
    world = add_collection("World")
    add_box(hurdles, (1.2, 0.05, 0.6), (0, -6, 0))
    add_box(world, (50, 100, 1), (0, -10, -1))
    world.children.link(hurdles)
    scene.footfall.terrain = world
    (hurdle,) = _read()
    assert hurdle.height == pytest.approx(0.6, abs=1e-4)


def test_natural_speed_is_a_run_at_high_hurdles_and_a_walk_at_low_ones(
    scene: bpy.types.Scene,
) -> None:
    hurdles = _set_up(scene)
    box = add_box(hurdles, (1.2, 0.05, 0.15), (0, -6, 0))
    walk = read_task(bpy.context).task.speed.max_speed
    box.scale[2] = 0.6
    bpy.context.view_layer.update()
    assert walk < 1.5
    assert read_task(bpy.context).task.speed.max_speed > 2.5
    box.location[0] = 5.0  # a hurdle beside the path is no reason to run
    bpy.context.view_layer.update()
    request = read_task(bpy.context)
    assert request.task.speed.max_speed == walk
    assert "crosses none" in request.notes[0]


def _empty(scene: bpy.types.Scene, hurdles: bpy.types.Collection) -> None:
    pass


def _no_mesh(scene: bpy.types.Scene, hurdles: bpy.types.Collection) -> None:
    hurdles.objects.link(bpy.data.objects.new("Helper", None))


def _hidden(scene: bpy.types.Scene, hurdles: bpy.types.Collection) -> None:
    add_box(hurdles, (1, 0.1, 0.5), (0, -6, 0)).hide_viewport = True


def _no_vertices(scene: bpy.types.Scene, hurdles: bpy.types.Collection) -> None:
    hurdles.objects.link(bpy.data.objects.new("Nothing", bpy.data.meshes.new("Nothing")))


def _too_high(scene: bpy.types.Scene, hurdles: bpy.types.Collection) -> None:
    add_box(hurdles, (1, 0.1, 1.4), (0, -6, 0), name="Wall")


def _too_high_to_walk(scene: bpy.types.Scene, hurdles: bpy.types.Collection) -> None:
    add_box(hurdles, (1, 0.1, 0.6), (0, -6, 0), name="Bar")
    scene.footfall.style = "walk"


def _too_slow(scene: bpy.types.Scene, hurdles: bpy.types.Collection) -> None:
    add_box(hurdles, (1, 0.1, 0.6), (0, -6, 0), name="Bar")
    scene.footfall.speed = 1.0


def _below(scene: bpy.types.Scene, hurdles: bpy.types.Collection) -> None:
    add_box(hurdles, (1, 0.1, 0.5), (0, -6, -0.8), name="Sunk")


def _short(scene: bpy.types.Scene, hurdles: bpy.types.Collection) -> None:
    add_box(hurdles, (0.03, 0.03, 0.5), (0, -6, 0), name="Pin")


def _lengthwise(scene: bpy.types.Scene, hurdles: bpy.types.Collection) -> None:
    add_box(hurdles, (0.1, 3.0, 0.5), (0, -6, 0), name="Rail")


def _with_stones(scene: bpy.types.Scene, hurdles: bpy.types.Collection) -> None:
    add_box(hurdles, (1, 0.1, 0.5), (0, -12, 0))
    scene.footfall.stones = add_collection("Stones")
    add_box(scene.footfall.stones, (0.4, 0.4, 0.2), (0, -3, 0))


def _with_jumps(scene: bpy.types.Scene, hurdles: bpy.types.Collection) -> None:
    add_box(hurdles, (1, 0.1, 0.5), (0, -6, 0))
    scene.footfall.jumps.add().frame = 40


CASES: list[tuple[Callable[[bpy.types.Scene, bpy.types.Collection], None], str]] = [
    (_empty, "'Hurdles' is empty"),
    (_no_mesh, "holds no mesh, only 'Helper'"),
    (_hidden, "visible"),
    (_no_vertices, "'Nothing'.*empty mesh"),
    (_too_high, "'Wall' is 1.40 m high.*at most"),
    (_too_high_to_walk, "'Bar' is 0.60 m high; a walk can step over"),
    (_too_slow, "'Bar' is 0.60 m high; a walk can step over"),
    (_below, "'Sunk' ends 0.30 m below"),
    (_short, "'Pin' is only"),
    (_lengthwise, "'Rail' lies along the path"),
    (_with_stones, "take out the hurdles or the stones"),
    (_with_jumps, "take out the hurdles, or the jumps"),
]


@pytest.mark.parametrize(("spoil", "says"), CASES, ids=[spoil.__name__[1:] for spoil, _ in CASES])
def test_message_and_nothing_changed(
    scene: bpy.types.Scene, spoil: Callable[..., None], says: str
) -> None:
    hurdles = _set_up(scene)
    spoil(scene, hurdles)
    bpy.context.view_layer.update()
    armature = bpy.data.objects["metarig"]
    before = Snapshot.from_armature(armature)
    with pytest.raises(RuntimeError, match=says):
        bpy.ops.footfall.generate()
    assert Snapshot.from_armature(armature) == before


@pytest.mark.parametrize(
    "rig",
    [
        "quaternius_women_Worker.glb",
        "khronos_CesiumMan.glb",
        "gdquest_mannequiny.glb",
        "metarig:basic_human",
    ],
)
def test_nothing_of_the_skin_touches_a_hurdle(
    scene: bpy.types.Scene, shared: Path, tmp_path: Path, rig: str
) -> None:
    """A board and a rotated box, legs of 0.6 to 1.1 m, and the natural speed."""
    armature = add_metarig() if ":" in rig else load_rig(shared / "data" / "rigs" / rig)
    bpy.ops.footfall.detect_character()
    size = armature.footfall.leg_length / 0.93
    scene.footfall.path, scene.footfall.hurdles = (
        add_curve([(0, 0, 0), (0, -30 * size, 0)]),
        add_collection("Hurdles"),
    )
    boxes = [
        add_box(scene.footfall.hurdles, (1.2 * size, 0.05 * size, 0.6 * size), (0, -5 * size, 0)),
        add_box(
            scene.footfall.hurdles,
            (1.2 * size, 0.4 * size, 0.5 * size),
            (0, -12.5 * size, 0),
            yaw=0.2,
        ),
    ]
    scene.frame_end = 1 + int(6.2 * 24 * np.sqrt(size))
    select(armature)
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    motion = load_motion(tmp_path / "motion.npz")
    assert motion.com[-1, 1] < -13 * size
    assert not [note for note in motion.report.notes if "touches" in note]
    assert motion.relaxed.mean() < 0.02
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        points = sample_skin_points(armature)
        for box in boxes:
            back = np.array(box.matrix_world.inverted())
            # shares of the box
            inside = 0.5 - np.abs(points @ back[:3, :3].T + back[:3, 3] - [0, 0, 0.5])
            assert (inside * np.array(box.scale)).min(1).max() < -0.02 * size, (
                f"frame {frame} is too near to {box.name}"
            )
