"""Objects of any size, alone, side by side and below parents, are baked as planned or refused."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from baked_bones import BoneErrors, measure_bones
from blender_scene import add_curve, add_metarig, curves_of, select
from footfall.core.motion import load_motion


def _body(name: str, scale: float = 1.0, size: float = 1.0) -> bpy.types.Object:
    """Return a human armature that is scaled as an object, so many times as large as usual."""
    armature = add_metarig()
    armature.name = name
    armature.scale = (size / scale,) * 3
    bpy.context.view_layer.update()
    bpy.ops.object.select_all(action="DESELECT")
    select(armature)
    bpy.ops.object.transform_apply(scale=True)
    armature.scale = (scale,) * 3
    bpy.context.view_layer.update()
    return armature


def _path(size: float) -> bpy.types.Object:
    return add_curve([(0, 0, 0), (0, -3 * size, 0), (2 * size, -6 * size, 0)])


def _generate(armature: bpy.types.Object, folder: Path) -> BoneErrors:
    """Generate, and return how far bones are from the plan."""
    select(armature)
    assert bpy.ops.footfall.generate(keep=str(folder)) == {"FINISHED"}
    return measure_bones(armature, folder)


@pytest.mark.parametrize(
    ("scale", "size"), [(0.01, 1.0), (100.0, 1.0), (0.01, 0.01), (100.0, 100.0)]
)
def test_any_scale(scene: bpy.types.Scene, tmp_path: Path, scale: float, size: float) -> None:
    scene.footfall.path = _path(size)
    errors = _generate(_body("Body", scale, size), tmp_path)
    assert errors.distance < 1e-3 * size
    assert errors.angle < 0.05


def test_two_of_different_scales_one_after_the_other(
    scene: bpy.types.Scene, tmp_path: Path
) -> None:
    scene.frame_end = 25
    large = _body("Large", 1.0, 1.0)
    small = _body("Small", 0.01, 0.5)
    small.location = (1.0, 0.0, 0.0)
    scene.footfall.path = _path(1.0)
    first = _generate(large, tmp_path / "large")
    keys = [tuple(k.co) for c in curves_of(large.animation_data.action) for k in c.keyframe_points]
    scene.footfall.path = _path(0.5)
    second = _generate(small, tmp_path / "small")
    assert max(first.distance, second.distance) < 1e-3
    assert max(first.angle, second.angle) < 0.05
    assert [
        tuple(k.co) for c in curves_of(large.animation_data.action) for k in c.keyframe_points
    ] == keys
    assert measure_bones(large, tmp_path / "large").distance < 1e-3
    assert large.animation_data.action != small.animation_data.action
    step = [
        np.ptp(load_motion(tmp_path / name / "motion.npz").com[:, 1]) for name in ("large", "small")
    ]
    # each at the speed that suits its legs
    assert step[1] == pytest.approx(step[0] * np.sqrt(0.5), rel=0.1)


def _below(armature: bpy.types.Object, scale: tuple[float, float, float]) -> None:
    """Parent an armature to an object that has a moved, rotated and scaled parent."""
    things = [bpy.data.objects.new(name, None) for name in ("Cart", "Seat")]
    for thing in things:
        bpy.context.scene.collection.objects.link(thing)
    things[0].location = (1.0, 2.0, 0.0)
    things[0].rotation_euler = (0.0, 0.0, 1.0)
    things[0].scale = scale
    things[1].parent, armature.parent = things
    bpy.context.view_layer.update()


@pytest.mark.parametrize("root", ["BODY", "OBJECT"])
def test_below_parents(scene: bpy.types.Scene, tmp_path: Path, root: str) -> None:
    scene.frame_end, scene.footfall.root_motion, scene.footfall.path = 25, root, _path(1.0)
    armature = _body("Body", 50.0)
    _below(armature, (0.02, 0.02, 0.02))
    armature.scale = (60.0, 60.0, 60.0)
    errors = _generate(armature, tmp_path)
    assert errors.distance < 1e-3
    assert errors.angle < 0.05


@pytest.mark.parametrize(
    ("scale", "says"),
    [
        ((1, -1, 1), r"'Body' is mirrored by its parent 'Cart' \(negative scale\)"),
        ((1, 1, 2), "'Body' is scaled unevenly by its parent 'Cart': 1 x 1 x 2"),
    ],
)
def test_parents_that_mirror_or_stretch_are_named(
    scene: bpy.types.Scene, scale: tuple[float, float, float], says: str
) -> None:
    scene.footfall.path = _path(1.0)
    armature = _body("Body")
    _below(armature, scale)
    with pytest.raises(RuntimeError, match=says):
        bpy.ops.footfall.generate()
    assert armature.animation_data is None
