"""Stones in the scene: tops of meshes, refused ones, and feet that stand only on them."""

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
from mathutils import Vector


def _row(
    count: int = 10, size: float = 1.0, rise: float = 0.0, seed: int = 0
) -> bpy.types.Collection:
    """Add low boxes at different angles and heights, alternately left and right of the -Y axis."""
    stones = add_collection("Stones")
    rng = np.random.default_rng(seed)
    for k in range(count):
        place = (
            size * 0.12 * (-1) ** k,
            -size * (1.2 + 0.55 * k),
            size * rng.uniform(-0.5, 1.0) * rise,
        )
        add_box(
            stones,
            (0.36 * size, 0.36 * size, 0.2 * size),
            place,
            rng.uniform(0, 1.5),
            f"Stone {k + 1}",
        )
    return stones


def _set_up(scene: bpy.types.Scene) -> bpy.types.Collection:
    armature = add_metarig()
    scene.footfall.path, scene.footfall.stones = add_curve([(0, 0, 0), (0, -20, 0)]), _row()
    select(armature)
    return scene.footfall.stones


def test_each_top_is_a_place_and_there_is_nothing_between(scene: bpy.types.Scene) -> None:
    _set_up(scene)
    task = read_task(bpy.context).task
    assert task.stepping_stones is not None
    assert len(task.stepping_stones.places) == 10
    np.testing.assert_allclose(task.stepping_stones.places[0], [0.12, -1.2], atol=0.01)
    np.testing.assert_allclose(
        task.ground.sample_heights(task.stepping_stones.places), 0.2, atol=1e-4
    )
    assert np.isnan(task.ground.sample_heights([0.0, -1.475]))
    np.testing.assert_allclose(task.ground.sample_heights([[0, 0], [3, -3], [0, -12]]), 0.0)


def test_boulders_are_trodden_on_at_their_crowns_and_slabs_as_they_tilt(
    scene: bpy.types.Scene,
) -> None:
    stones = _set_up(scene)
    bpy.ops.mesh.primitive_ico_sphere_add(
        subdivisions=4, radius=1, location=(-0.1, -6.9, 0.1), scale=(0.3, 0.25, 0.15)
    )
    boulder = bpy.context.object
    bpy.context.collection.objects.unlink(boulder)
    stones.objects.link(boulder)
    slab = stones.objects["Stone 4"]
    slab.rotation_euler = (0.2, 0, 0)
    bpy.context.view_layer.update()
    select(bpy.data.objects["metarig"])
    task = read_task(bpy.context).task
    assert task.stepping_stones is not None
    crown = task.stepping_stones.places[
        np.abs(task.stepping_stones.places - [-0.1, -6.9]).sum(1).argmin()
    ]
    np.testing.assert_allclose(crown, [-0.1, -6.9], atol=0.03)
    assert float(task.ground.sample_heights(crown)) == pytest.approx(0.25, abs=0.01)
    middle = np.array(slab.matrix_world @ Vector((0, 0, 1)))[:2]
    rise = task.ground.sample_heights([middle + [0, 0.05], middle - [0, 0.05]])
    assert (rise[0] - rise[1]) / 0.1 == pytest.approx(np.tan(0.2), abs=0.02)


def test_a_wide_stone_has_several_places(scene: bpy.types.Scene) -> None:
    stones = _set_up(scene)
    add_box(stones, (0.8, 2.5, 0.2), (0, -8.2, 0), name="Plank")
    places = read_task(bpy.context).task.stepping_stones.places
    on = places[(places[:, 1] < -6.95) & (places[:, 1] > -9.45)]
    assert len(on) > 6
    assert np.abs(on[:, 0]).max() < 0.3


def test_stones_in_the_terrain_are_cut_out_of_it(scene: bpy.types.Scene) -> None:
    stones = _set_up(scene)
    world = add_collection("World")
    add_box(world, (40, 60, 1), (0, -10, -1), name="Plain")
    world.children.link(stones)
    scene.footfall.terrain = world
    task = read_task(bpy.context).task
    np.testing.assert_allclose(
        task.ground.sample_heights(task.stepping_stones.places), 0.2, atol=1e-4
    )
    assert np.isnan(task.ground.sample_heights([0.0, -1.475]))
    np.testing.assert_allclose(task.ground.sample_heights([[0, 0], [3, -3]]), 0.0, atol=1e-6)


def _empty(scene: bpy.types.Scene, stones: bpy.types.Collection) -> None:
    for stone in list(stones.objects):
        stones.objects.unlink(stone)


def _upright(scene: bpy.types.Scene, stones: bpy.types.Collection) -> None:
    wall = add_mesh(
        np.array([(0, -1, 0), (1, -1, 0), (1, -1, 1)], float), np.array([[0, 1, 2]]), "Wall"
    )
    bpy.context.collection.objects.unlink(wall)
    stones.objects.link(wall)


def _needle(scene: bpy.types.Scene, stones: bpy.types.Collection) -> None:
    add_box(stones, (0.04, 0.04, 0.2), (0, -7, 0), name="Needle")


def _roof(scene: bpy.types.Scene, stones: bpy.types.Collection) -> None:
    stones.objects["Stone 3"].rotation_euler = (0.8, 0, 0)
    stones.objects["Stone 3"].scale[2] = 0.05


def _buried(scene: bpy.types.Scene, stones: bpy.types.Collection) -> None:
    square = np.array([(-30, -30, 0.3), (30, -30, 0.3), (30, 30, 0.3), (-30, 30, 0.3)], float)
    scene.footfall.terrain = add_mesh(square, np.array([[0, 1, 2, 3]]))


def _aside(scene: bpy.types.Scene, stones: bpy.types.Collection) -> None:
    for stone in stones.objects:
        stone.location[0] += 8


def _far(scene: bpy.types.Scene, stones: bpy.types.Collection) -> None:
    for k in (5, 6):
        stones.objects.unlink(stones.objects[f"Stone {k}"])


def _between(scene: bpy.types.Scene, stones: bpy.types.Collection) -> None:
    for stone in stones.objects:
        stone.location[1] += 3.125


CASES: list[tuple[Callable[[bpy.types.Scene, bpy.types.Collection], None], str]] = [
    (_empty, "'Stones' is empty"),
    (_upright, "'Wall' in 'Stones' cannot be stepped on"),
    (_needle, "'Needle'.*too small"),
    (_roof, "'Stone 3'.*inclined"),
    (_buried, "'Stone 1' lies under the terrain"),
    (_aside, "leads past the stones"),
    (_far, "from the stone 'Stone 4' to the next, 'Stone 7'"),
    (_between, "begins between the stones"),
]


@pytest.mark.parametrize(("spoil", "says"), CASES, ids=[spoil.__name__[1:] for spoil, _ in CASES])
def test_message_and_nothing_changed(
    scene: bpy.types.Scene, spoil: Callable[..., None], says: str
) -> None:
    spoil(scene, _set_up(scene))
    bpy.context.view_layer.update()
    armature = bpy.data.objects["metarig"]
    before = Snapshot.from_armature(armature)
    with pytest.raises(RuntimeError, match=says):
        bpy.ops.footfall.generate()
    assert Snapshot.from_armature(armature) == before


def _height_of(stones: bpy.types.Collection, place: np.ndarray) -> float:
    """Return the height of the highest stone at a point by a ray from above, -inf beside stones."""
    out = -np.inf
    for stone in stones.objects:
        back = stone.matrix_world.inverted()
        hit, at, _, _ = stone.ray_cast(
            back @ Vector((*place[:2], 99.0)), (back.to_3x3() @ Vector((0, 0, -1))).normalized()
        )
        out = max(out, (stone.matrix_world @ at).z) if hit else out
    return out


@pytest.mark.parametrize(
    ("rig", "rise"),
    [
        ("quaternius_women_Worker.glb", 0.0),
        ("quaternius_women_Worker.glb", 0.15),
        ("khronos_CesiumMan.glb", 0.15),
        ("metarig:basic_human", 0.15),
    ],
)
def test_feet_stand_on_stones_and_on_nothing_else(
    scene: bpy.types.Scene, shared: Path, tmp_path: Path, rig: str, rise: float
) -> None:
    armature = add_metarig() if ":" in rig else load_rig(shared / "data" / "rigs" / rig)
    bpy.ops.footfall.detect_character()
    size = armature.footfall.leg_length / 0.93
    stones = _row(size=size, rise=rise)
    scene.footfall.path = add_curve([(0, 0, 0), (0, -20 * size, 0)])
    scene.footfall.stones = stones
    scene.frame_end = 1 + int(7 * 24 * np.sqrt(size))
    select(armature)
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    motion = load_motion(tmp_path / "motion.npz")
    first = -0.9 * size
    last = -(1.2 + 0.55 * 9 + 0.3) * size
    steps = [f for f in motion.footsteps if last < f.position[1] < first]
    assert len(steps) >= 8
    for step in steps:
        assert step.position[2] == pytest.approx(
            _height_of(stones, step.position), abs=0.004 * size
        )
    assert motion.relaxed.mean() < 0.1
    assert motion.com[-1, 1] < last
    top = 0.2 * size + min(stone.location.z for stone in stones.objects)
    # nor does a foot hang down between them
    for frame in range(scene.frame_start, scene.frame_end + 1, 2):
        scene.frame_set(frame)
        points = sample_skin_points(armature)
        over = points[(points[:, 1] < first - 0.6 * size) & (points[:, 1] > last + 0.6 * size)]
        assert over[:, 2].min(initial=np.inf) > top - 0.02 * size, f"frame {frame}"
