"""Script that Blender runs: it builds the scene and evaluates requests of the session."""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

import bpy

sys.path.insert(0, str(Path(__file__).parent))  # Blender runs this file alone

import watching
from scenes import (  # noqa: F401  (names in expressions of the session)
    add_vertices,
    aim_view,
    build_scene,
    find_rig,
    list_footsteps,
    set_up_long_walk,
)
from window import (  # noqa: F401
    MODULE,
    bind_key,
    get_region_frame,
    list_panels,
    open_sidebar,
    override_context,
    project_point,
    redraw,
    show_only,
)

FOLDER = Path(os.environ["FOOTFALL_GUI"])
POLL_INTERVAL = 0.05  # Time between two checks for a request [s]

draw_handler_count = 0  # draw handlers of the extension that exist now


def list_curves(action: bpy.types.Action) -> list[bpy.types.FCurve]:
    """Return all curves of an action, in any version of Blender."""
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    return [
        c
        for layer in action.layers
        for strip in layer.strips
        for bag in strip.channelbags
        for c in bag.fcurves
    ]


def compute_checksum(action: bpy.types.Action) -> float:
    """Return a checksum of all keys, which differs between motions."""
    return round(
        sum(
            (1 + k % 7) * point.co.y
            for k, curve in enumerate(list_curves(action))
            for point in curve.keyframe_points
        ),
        3,
    )


def locate_hips(frame: int) -> list[float]:
    """Return the position of the hips at a frame [m]. (3,)."""
    scene = bpy.context.scene
    before = scene.frame_current
    scene.frame_set(frame)
    evaluated = find_rig().evaluated_get(bpy.context.evaluated_depsgraph_get())
    position = (evaluated.matrix_world @ evaluated.pose.bones["spine"].matrix).translation
    scene.frame_set(before)
    return list(position)


def describe_footstep(number: int) -> dict[str, Any]:
    """Return the position and the properties of a footstep, and the pixel of a spot on its rim."""
    footstep = next(o for o in list_footsteps() if o.footfall_step.number == number)
    face = footstep.data.polygons[0]
    properties = footstep.footfall_step
    return {
        "position": list(footstep.matrix_world.translation),
        "kept": properties.kept,
        "leg": properties.leg,
        "frame": properties.frame,
        "spot": project_point(tuple(footstep.matrix_world @ face.center)),
    }


def measure_foot_offset(number: int) -> list[float]:
    """Return the horizontal offset from a footstep to the ankle of its foot at its frame [m]."""
    scene = bpy.context.scene
    footstep = next(o for o in list_footsteps() if o.footfall_step.number == number)
    before = scene.frame_current
    scene.frame_set(round(footstep.footfall_step.frame))
    foot = (
        find_rig()
        .evaluated_get(bpy.context.evaluated_depsgraph_get())
        .pose.bones[f"foot.{'LR'[footstep.footfall_step.leg]}"]
    )
    offset = find_rig().matrix_world @ foot.head - footstep.matrix_world.translation
    scene.frame_set(before)
    return list(offset)[:2]


def read_state() -> dict[str, Any]:
    """Return the part of the file that an undo, a cancellation or a reload must restore."""
    scene = bpy.context.scene
    data = find_rig().animation_data
    return {
        "actions": {action.name: compute_checksum(action) for action in bpy.data.actions},
        "kept": sorted(action.name for action in bpy.data.actions if action.use_fake_user),
        "action": data.action.name if data is not None and data.action is not None else "",
        "objects": sorted(obj.name for obj in bpy.data.objects),
        "path": scene.footfall.path.name if scene.footfall.path is not None else "",
        "pushes": len(scene.footfall.pushes),
        "parts": len(find_rig().footfall.parts),
    }


def count_handlers() -> dict[str, int]:
    """Return the number of draw handlers and of handlers of each event."""
    handlers = {
        name: functions
        for name in dir(bpy.app.handlers)
        if isinstance(functions := getattr(bpy.app.handlers, name), list)
    }
    return {
        "drawn": draw_handler_count,
        **{name: len(functions) for name, functions in handlers.items() if functions},
    }


def read_progress() -> dict[str, Any]:
    """Return the progress of the planning."""
    progress = bpy.context.window_manager.footfall
    return {
        "working": progress.working,
        "share": progress.share,
        "stage": progress.stage,
    }


def set_enabled(is_enabled: bool) -> None:
    """Enable or disable the extension, as in the preferences."""
    (bpy.ops.preferences.addon_enable if is_enabled else bpy.ops.preferences.addon_disable)(
        module=MODULE
    )


def open_file(path: str) -> None:
    """Open a file as File > Open does."""
    with override_context():
        bpy.ops.wm.open_mainfile(filepath=path)


def save_file(path: str) -> None:
    """Save a file as File > Save does."""
    with override_context():
        bpy.ops.wm.save_as_mainfile(filepath=path)


def _start_counting_draw_handlers() -> None:
    """Count draw handlers as they are added and removed, since Blender has no list of them.

    The extension is enabled again so that its handlers are counted from the start.
    """
    set_enabled(False)
    for space in (bpy.types.SpaceView3D, bpy.types.SpaceDopeSheetEditor):
        _count_handlers_of(space)
    set_enabled(True)


def _count_handlers_of(space: Any) -> None:
    add = space.draw_handler_add
    remove = space.draw_handler_remove

    def add_and_count(*arguments: Any) -> Any:
        global draw_handler_count
        draw_handler_count += 1
        return add(*arguments)

    def remove_and_count(*arguments: Any) -> None:
        global draw_handler_count
        remove(*arguments)
        draw_handler_count -= 1

    space.draw_handler_add = add_and_count
    space.draw_handler_remove = remove_and_count


def _start() -> float | None:
    """Build the scene, show the tab once the window exists, then signal that Blender is ready."""
    if not _STARTED:
        build_scene()
        _STARTED.append(True)
    if not open_sidebar():
        return 0.5
    (FOLDER / "ready").touch()
    return None


def _listen() -> float:
    """Answer one request."""
    request_file = FOLDER / "request.json"
    if not request_file.exists():
        return POLL_INTERVAL
    request = json.loads(request_file.read_text())
    request_file.unlink()
    try:
        if "execute" in request:
            exec(request["execute"], globals())
        value = eval(request["evaluate"], globals()) if "evaluate" in request else None
        reply = {"value": value}
    except Exception:  # of any kind: the session shows it and fails
        reply = {"error": traceback.format_exc()}
    (FOLDER / "reply.tmp").write_text(json.dumps(reply))
    (FOLDER / "reply.tmp").rename(FOLDER / "reply.json")
    return POLL_INTERVAL


_STARTED: list[bool] = []
watching.time_overlay()
bpy.context.preferences.view.show_splash = False
_start_counting_draw_handlers()
bpy.app.timers.register(_start, first_interval=1.0)
bpy.app.timers.register(_listen, first_interval=1.0, persistent=True)
