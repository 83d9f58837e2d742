"""Speeds by the radius of a curve, waits, arrivals, and paths that are clicked."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from blender_scene import add_curve, add_mesh, add_metarig, select
from footfall.addon.path_tool.curve import create_path_curve, extend_spline, raycast_ground
from footfall.addon.scene.task import read_task
from footfall.core.engine.shared.arrival import with_arrival_speed
from footfall.core.sketch.course.desired_motion import compute_clip_distance
from mathutils import Vector


def _walker(scene: bpy.types.Scene, kind: str = "POLY") -> bpy.types.Object:
    armature = add_metarig()
    scene.footfall.path = add_curve([(0, 0, 0), (0, -2, 0), (0, -4, 0), (0, -8, 0)], kind)
    select(armature)
    return armature


@pytest.mark.parametrize("kind", ["POLY", "BEZIER"])
def test_radius_of_a_curve_scales_the_speed(scene: bpy.types.Scene, kind: str) -> None:
    _walker(scene, kind)
    spline = scene.footfall.path.data.splines[0]
    points = list(spline.bezier_points) or list(spline.points)
    for point, radius in zip(points, (1, 1, 0.5, 0.5), strict=True):
        point.radius = radius
    scene.footfall.speed = 1.2
    scene.frame_end = 241
    assert read_task(bpy.context).task.speed.value_at([0, 8]) == pytest.approx([1.2, 1.2])
    scene.footfall.radius_speed = True
    speed = read_task(bpy.context).task.speed
    assert speed.value_at([1.0, 8.0]) == pytest.approx([1.2, 0.6], abs=0.01)


def test_waits_and_arriving_reach_the_task(scene: bpy.types.Scene) -> None:
    _walker(scene)
    scene.frame_end = 241
    scene.frame_current = 97
    assert bpy.ops.footfall.add_wait() == {"FINISHED"}
    wait = scene.footfall.waits[0]
    assert (wait.frame, wait.frames) == (97, 48)
    scene.footfall.arrive = True
    request = read_task(bpy.context)
    assert request.arrival_pace is not None
    task = with_arrival_speed(request.task, request.arrival_pace)
    assert compute_clip_distance(task, 1.0, 1 / 30) == pytest.approx(8.0, abs=0.01)
    assert compute_clip_distance(replace(task, seconds=9.0), 1.0, 1 / 30) < 7.9
    assert task.speed.value_at([4.2, 5.8]) == pytest.approx(0)
    wait.frame = 500
    with pytest.raises(RuntimeError, match="a wait at frame 500"):
        bpy.ops.footfall.generate()
    assert bpy.ops.footfall.remove_wait(index=0) == {"FINISHED"}
    with pytest.raises(RuntimeError, match="there are 0"):
        bpy.ops.footfall.remove_wait(index=0)


def test_a_clicked_path_lies_on_the_ground_and_leaves_the_character_out(
    scene: bpy.types.Scene,
) -> None:
    armature = _walker(scene)
    corners = np.array([(-9, -9, 1), (9, -9, 1), (9, 9, 1), (-9, 9, 1)], float)
    add_mesh(corners, np.array([(0, 1, 2, 3)]))
    skin = add_mesh(corners + (0, 0, 1), np.array([(0, 1, 2, 3)]), "Skin")
    graph = bpy.context.evaluated_depsgraph_get()
    down = Vector((0, 0, -1))
    assert raycast_ground(scene, graph, Vector((1, 1, 9)), down, set()).z == pytest.approx(2)
    assert raycast_ground(scene, graph, Vector((1, 1, 9)), down, {skin.name}).z == pytest.approx(
        1, abs=1e-4
    )
    assert raycast_ground(scene, graph, Vector((50, 1, 9)), down, set()).z == pytest.approx(0)
    assert raycast_ground(scene, graph, Vector((50, 1, 9)), -down, set()) is None
    curve = create_path_curve(scene, [Vector((0, 0, 1)), Vector((0, -3, 1))], 0.02)
    extend_spline(
        curve.data.splines[0], [Vector((0, 0, 1)), Vector((0, -3, 1)), Vector((2, -5, 1))], 0.02
    )
    scene.footfall.path = curve
    path = read_task(bpy.context).task.path
    assert path.points[[0, -1]] == pytest.approx(np.array([(0, 0), (2, -5)]), abs=1e-5)
    assert armature.name in scene.objects


def test_clicks_add_points_and_esc_removes_the_path(
    scene: bpy.types.Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    from footfall.operators import draw_path

    armature = _walker(scene)
    before = scene.footfall.path
    curves = len(bpy.data.curves)
    texts: list[str | None] = []
    region = SimpleNamespace(type="WINDOW", x=0, y=0, width=800, height=600)
    context = SimpleNamespace(
        scene=scene,
        object=armature,
        area=SimpleNamespace(regions=[region], tag_redraw=lambda: None),
        space_data=SimpleNamespace(region_3d=None),
        evaluated_depsgraph_get=bpy.context.evaluated_depsgraph_get,
        window_manager=SimpleNamespace(modal_handler_add=lambda _: None),
        workspace=SimpleNamespace(status_text_set=texts.append),
        window=SimpleNamespace(cursor_modal_set=lambda _: None, cursor_modal_restore=lambda: None),
    )
    monkeypatch.setattr(
        draw_path.view3d_utils,
        "region_2d_to_origin_3d",
        lambda _r, _v, at: Vector((at[0] / 100, at[1] / 100, 9)),
    )
    monkeypatch.setattr(
        draw_path.view3d_utils, "region_2d_to_vector_3d", lambda *_: Vector((0, 0, -1))
    )
    operator = SimpleNamespace(report=lambda *_: None)
    for name in ("invoke", "modal", "cancel", "_click", "_show", "_end_modal"):
        setattr(operator, name, getattr(draw_path.FOOTFALL_OT_draw_path, name).__get__(operator))

    def press(kind: str, x: int = 0, y: int = 0) -> set[str]:
        return operator.modal(
            context, SimpleNamespace(type=kind, value="PRESS", alt=False, mouse_x=x, mouse_y=y)
        )

    operator.invoke(context, None)
    assert press("LEFTMOUSE", 100, 300) == {"RUNNING_MODAL"}
    assert press("LEFTMOUSE", 300, 400) == {"RUNNING_MODAL"}
    assert press("LEFTMOUSE", 900, 400) == {"PASS_THROUGH"}, "outside of the view"
    made = scene.footfall.path
    assert made != before
    assert len(made.data.splines[0].bezier_points) == 3
    press("BACK_SPACE")
    assert len(scene.footfall.path.data.splines[0].bezier_points) == 2
    assert press("ESC") == {"CANCELLED"}
    assert scene.footfall.path == before
    assert len(bpy.data.curves) == curves
    assert texts[-1] is None
    operator.invoke(context, None)
    press("LEFTMOUSE", 100, 300)
    assert press("RET") == {"FINISHED"}
    assert scene.footfall.path != before
