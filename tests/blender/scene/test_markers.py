"""Paths through markers, and bodies with the headings of markers."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from blender_scene import Snapshot, add_box, add_collection, add_metarig, select
from footfall.addon.overlay.marker_line import compute_marker_line
from footfall.addon.path_tool.preview_path import ClickedMarkers
from footfall.addon.scene.active import find_active_settings, find_character_settings
from footfall.addon.scene.task import read_task
from footfall.core.errors import TaskError
from mathutils import Vector

POINTS = [(0, 0, 0), (0, -2, 0), (1.5, -3.5, 0)]


def _marker(
    place: tuple[float, float, float], degrees: float = 0.0, name: str = "Marker"
) -> bpy.types.Object:
    thing = bpy.data.objects.new(name, None)
    thing.location, thing.rotation_euler[2] = place, np.radians(degrees)
    bpy.context.collection.objects.link(thing)
    return thing


def _listed(scene: bpy.types.Scene, things: list[bpy.types.Object], faces: bool = False) -> None:
    settings = find_active_settings(bpy.context)
    settings.path_from = "MARKERS"
    for thing in things:
        marker = settings.markers.add()
        marker.thing = thing
        marker.faces = faces
    bpy.context.view_layer.update()


def _walker(scene: bpy.types.Scene, faces: bool = False, degrees: float = 0.0) -> bpy.types.Object:
    armature = add_metarig()
    select(armature)
    _listed(scene, [_marker(place, degrees) for place in POINTS], faces)
    return armature


def test_the_path_leads_smoothly_through_all_markers_in_turn(scene: bpy.types.Scene) -> None:
    _walker(scene)
    task = read_task(bpy.context).task
    assert task.facing is None
    path = task.path
    for place in POINTS:
        assert np.linalg.norm(path.points - place[:2], axis=1).min() < 1e-5
    assert path.points[[0, -1]] == pytest.approx(np.array(POINTS)[[0, -1], :2], abs=1e-5)
    headings = path.heading_at(np.linspace(0, path.length, 200))
    assert np.abs(np.diff(headings)).max() < np.radians(8)


def test_a_marker_that_is_moved_moves_the_path(scene: bpy.types.Scene) -> None:
    _walker(scene)
    before = read_task(bpy.context).task.path.length
    moved = scene.footfall.markers[2].thing
    moved.location = (3, -6, 1)
    path = read_task(bpy.context).task.path
    assert path.points[-1] == pytest.approx((3, -6))
    assert path.length > before + 2
    assert compute_marker_line(np.array([m.thing.location for m in scene.footfall.markers]))[
        -1
    ] == pytest.approx((3, -6, 1))


def test_body_passes_markers_with_their_headings(scene: bpy.types.Scene) -> None:
    armature = _walker(scene, faces=True, degrees=90)  # their Y axes point to -x
    scene.footfall.speed = 0.6
    scene.frame_end = 217
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    points = []
    for frame in range(1, 218, 9):
        scene.frame_set(frame)
        hips = armature.pose.bones
        across = hips["thigh.L"].head - hips["thigh.R"].head
        # to the left of -x is -y
        assert np.degrees(np.arctan2(across.y, across.x)) == pytest.approx(-90, abs=20), frame
        points.append((armature.matrix_world @ hips["spine"].head)[:2])
    near = np.linalg.norm(np.array(points)[:, None] - np.array(POINTS)[:, :2], axis=2).min(0)
    assert (near < 0.25).all()


def test_headings_of_markers_replace_the_facing_offset(
    scene: bpy.types.Scene,
) -> None:
    _walker(scene, degrees=90)
    scene.footfall.facing = 1.0
    assert read_task(bpy.context).task.facing_offset.values == pytest.approx(np.degrees(1.0))
    scene.footfall.markers[1].faces = True
    task = read_task(bpy.context).task
    assert not task.facing_offset.values.any()
    assert task.facing is not None
    assert np.isnan(task.facing.headings[[0, 2]]).all()
    assert abs(task.facing.headings[1]) == pytest.approx(180)
    there = task.path.heading_at(task.facing.stations) + task.facing.yaw_offset_at(
        task.path, task.facing.stations
    )
    assert np.cos(there[1] - np.pi) == pytest.approx(1)
    assert task.facing.yaw_offset_at(task.path, [0.0, task.path.length]) == pytest.approx([0, 0])


def test_scale_units_and_parents_count(scene: bpy.types.Scene) -> None:
    _walker(scene, faces=True)
    above = _marker((10, 0, 0), 90)
    above.scale = (2, 2, 2)
    for marker in scene.footfall.markers:
        marker.thing.parent = above
    scene.unit_settings.system = "METRIC"
    scene.unit_settings.scale_length = 0.5
    # mirrored: its Y axis appears to point in the opposite direction
    scene.footfall.markers[0].thing.scale = (0.3, -0.3, 4)
    task = read_task(bpy.context).task
    assert task.path.points[0] == pytest.approx((5, 0), abs=1e-5)
    assert task.path.points[-1] == pytest.approx((5 + 3.5, 1.5), abs=1e-5)
    assert task.facing is not None
    assert np.cos(np.radians(task.facing.headings - [0, 180, 180])) == pytest.approx([1, 1, 1])


def test_invalid_markers_are_refused_by_name(scene: bpy.types.Scene) -> None:
    armature = _walker(scene, faces=True)
    settings = scene.footfall
    before = Snapshot.from_armature(armature)

    def refused(match: str) -> None:
        with pytest.raises(TaskError, match=match):
            read_task(bpy.context)

    settings.markers[1].thing.location = settings.markers[0].thing.location
    settings.markers[1].thing.location.z = 5
    refused(r"'Marker' and 'Marker.001' coincide when seen from above")
    settings.markers[1].thing.location = POINTS[1]
    settings.markers[2].thing.rotation_euler = (np.pi / 2, 0, 0)
    refused(r"'Marker.002' points up or down")
    settings.markers[2].faces = False
    assert read_task(bpy.context).task.path.length > 2
    settings.markers[0].thing.scale = (0, 0, 0)
    refused(r"'Marker' is scaled to zero .* Alt\+S")
    settings.markers[0].thing = add_box(add_collection("Things"), (1, 1, 1), (0, 0, 0))
    refused("'Box' is of the type mesh")
    settings.markers.remove(0)
    settings.markers.remove(0)
    refused("only one marker, 'Marker.002'")
    settings.markers.clear()
    refused("No markers are chosen")
    with pytest.raises(RuntimeError, match="No markers are chosen"):
        bpy.ops.footfall.generate()
    assert (Snapshot.from_armature(armature).action, Snapshot.from_armature(armature).pose) == (
        before.action,
        before.pose,
    )


def test_the_list_is_filled_sorted_and_keeps_what_was_deleted_out(scene: bpy.types.Scene) -> None:
    armature = add_metarig()
    settings = scene.footfall
    settings.path_from = "MARKERS"
    with pytest.raises(RuntimeError, match="No empty is selected"):
        bpy.ops.footfall.add_markers()
    for name in ("Marker 10", "Marker 9", "marker 1"):
        _marker((len(settings.markers), len(name), 0), name=name).select_set(True)
    select(armature)
    assert bpy.ops.footfall.add_markers() == {"FINISHED"}
    assert [m.thing.name for m in settings.markers] == ["marker 1", "Marker 9", "Marker 10"]
    with pytest.raises(RuntimeError, match="already in the list"):
        bpy.ops.footfall.add_markers()
    assert settings.marker_index == 2
    bpy.ops.footfall.move_marker(direction="UP")
    assert ([m.thing.name for m in settings.markers], settings.marker_index) == (
        ["marker 1", "Marker 10", "Marker 9"],
        1,
    )
    assert bpy.ops.footfall.move_marker(direction="UP") == {"FINISHED"}
    assert bpy.ops.footfall.move_marker(direction="UP") == {"CANCELLED"}
    bpy.ops.footfall.sort_markers()
    assert [m.thing.name for m in settings.markers] == ["marker 1", "Marker 9", "Marker 10"]
    bpy.data.objects["Marker 9"].location = (0, 50, 0)
    # as deleting one in the 3D view leaves it here
    scene.collection.objects.unlink(bpy.data.objects["Marker 9"])
    settings.markers[0].thing.location = (0, 0, 0)
    settings.markers[2].thing.location = (0, -4, 0)
    select(armature)
    assert read_task(bpy.context).task.path.length == pytest.approx(4)
    settings.marker_index = 1
    bpy.ops.footfall.remove_marker()
    assert [m.thing.name for m in settings.markers] == ["marker 1", "Marker 10"]


def test_character_settings_copy_the_markers_and_are_saved(
    scene: bpy.types.Scene, tmp_path: Path
) -> None:
    armature = _walker(scene, faces=True)
    bpy.ops.footfall.own_settings()
    character_settings = find_character_settings(scene, armature)
    assert character_settings is not None
    assert character_settings.path_from == "MARKERS"
    assert [(m.thing.name, m.faces) for m in character_settings.markers] == [
        (f"Marker{k}", True) for k in ("", ".001", ".002")
    ]
    scene.footfall.markers.clear()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "file.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "file.blend"))
    assert [m.faces for m in bpy.context.scene.footfall_own[0].markers] == [True] * 3


def test_clicks_add_markers_that_point_along_the_path(scene: bpy.types.Scene) -> None:
    armature = _walker(scene, faces=True)
    settings = scene.footfall
    things = len(bpy.data.objects)
    clicked = ClickedMarkers(settings, leg_length=0.9)
    places = [Vector((0, 0, 0)), Vector((0, -2, 0)), Vector((2, -2, 0))]
    clicked.show(settings, places[:1])
    assert not clicked.has_path
    assert len(settings.markers) == 3
    clicked.show(settings, places)
    assert [m.thing.location.xy[:] for m in settings.markers] == [p.xy[:] for p in places]
    bpy.context.view_layer.update()
    pointing = np.array([m.thing.matrix_world.col[1].to_3d() for m in settings.markers])
    assert pointing == pytest.approx(
        np.array([(0, -1, 0), (0.7071, -0.7071, 0), (1, 0, 0)]), abs=1e-3
    )
    clicked.show(settings, places[:2])
    assert len(settings.markers) == 2
    clicked.remove(settings)
    assert len(bpy.data.objects) == things
    assert [m.faces for m in settings.markers] == [True] * 3
    assert armature.name in scene.objects


def test_panel_and_operators_use_the_settings_of_the_character(scene: bpy.types.Scene) -> None:
    from footfall.addon.scene.path import has_marker_facing, has_path

    armature = add_metarig()
    select(armature)
    assert not has_path(scene.footfall, scene)
    _listed(scene, [_marker(place) for place in POINTS[:2]])
    assert has_path(scene.footfall, scene)
    assert not has_marker_facing(scene.footfall, scene)
    scene.footfall.markers[0].faces = True
    assert has_marker_facing(scene.footfall, scene)
    scene.footfall.path_from = "CURVE"
    assert not has_marker_facing(scene.footfall, scene)
    assert not has_path(SimpleNamespace(path_from="CURVE", path=None), scene)
