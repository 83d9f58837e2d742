"""Runs in Blender: builds the scene of the session, and answers what the session asks."""

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
from scenes import (  # noqa: F401  (some only the session calls)
    add_vertices,
    build,
    long_walk,
    look_at,
    rig,
    steps,
)
from window import (  # noqa: F401
    MODULE,
    area,
    draw,
    frame_of,
    key_for,
    opened,
    over,
    panels,
    pixel,
    region,
    show_only,
)

FOLDER = Path(os.environ["FOOTFALL_GUI"])
TICK = 0.05  # s between two looks for a question

drawn = 0  # draw handlers of the extension that are there now


def curves(action: bpy.types.Action) -> list[bpy.types.FCurve]:
    """All curves of an action, of any Blender."""
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    return [
        c
        for layer in action.layers
        for strip in layer.strips
        for bag in strip.channelbags
        for c in bag.fcurves
    ]


def sum_of(action: bpy.types.Action) -> float:
    """One number of all keys: another motion has another."""
    return round(
        sum(
            (1 + k % 7) * point.co.y
            for k, curve in enumerate(curves(action))
            for point in curve.keyframe_points
        ),
        3,
    )


def hips(frame: int) -> list[float]:
    """Where the hips are at a frame."""
    scene = bpy.context.scene
    before = scene.frame_current
    scene.frame_set(frame)
    evaluated = rig().evaluated_get(bpy.context.evaluated_depsgraph_get())
    place = (evaluated.matrix_world @ evaluated.pose.bones["spine"].matrix).translation
    scene.frame_set(before)
    return list(place)


def step_at(number: int) -> dict[str, Any]:
    """A footstep: its place, what is told of it, and the pixel of a spot of its rim."""
    thing = next(t for t in steps() if t.footfall_step.number == number)
    face = thing.data.polygons[0]
    told = thing.footfall_step
    return {
        "place": list(thing.matrix_world.translation),
        "kept": told.kept,
        "leg": told.leg,
        "frame": told.frame,
        "spot": pixel(tuple(thing.matrix_world @ face.center)),
    }


def stands_off(number: int) -> list[float]:
    """From a footstep to the ankle of its foot at its frame, level."""
    scene = bpy.context.scene
    thing = next(t for t in steps() if t.footfall_step.number == number)
    before = scene.frame_current
    scene.frame_set(round(thing.footfall_step.frame))
    foot = (
        rig()
        .evaluated_get(bpy.context.evaluated_depsgraph_get())
        .pose.bones[f"foot.{'LR'[thing.footfall_step.leg]}"]
    )
    off = rig().matrix_world @ foot.head - thing.matrix_world.translation
    scene.frame_set(before)
    return list(off)[:2]


def state() -> dict[str, Any]:
    """What an undo, a stop or a reload must bring back."""
    scene = bpy.context.scene
    data = rig().animation_data
    return {
        "actions": {action.name: sum_of(action) for action in bpy.data.actions},
        "kept": sorted(action.name for action in bpy.data.actions if action.use_fake_user),
        "action": data.action.name if data is not None and data.action is not None else "",
        "objects": sorted(thing.name for thing in bpy.data.objects),
        "path": scene.footfall.path.name if scene.footfall.path is not None else "",
        "pushes": len(scene.footfall.pushes),
        "parts": len(rig().footfall.parts),
    }


def attached() -> dict[str, int]:
    """What hangs on Blender: draw handlers, and functions called at events."""
    handlers = {
        name: found
        for name in dir(bpy.app.handlers)
        if isinstance(found := getattr(bpy.app.handlers, name), list)
    }
    return {"drawn": drawn, **{name: len(found) for name, found in handlers.items() if found}}


def work() -> dict[str, Any]:
    """How far the planning is."""
    now = bpy.context.window_manager.footfall
    return {"working": now.working, "share": now.share, "stage": now.stage}


def enabled(yes: bool) -> None:
    """Switch the extension on or off, as in the preferences."""
    (bpy.ops.preferences.addon_enable if yes else bpy.ops.preferences.addon_disable)(module=MODULE)


def open_file(path: str) -> None:
    """Read a file, as by File > Open."""
    with over():
        bpy.ops.wm.open_mainfile(filepath=path)


def save_file(path: str) -> None:
    """Write a file, as by File > Save."""
    with over():
        bpy.ops.wm.save_as_mainfile(filepath=path)


def _count_drawn() -> None:
    """Count draw handlers: Blender does not tell them. Those of the extension are attached
    anew, to be counted too.
    """
    enabled(False)
    for space in (bpy.types.SpaceView3D, bpy.types.SpaceDopeSheetEditor):
        _count_in(space)
    enabled(True)


def _count_in(space: Any) -> None:
    add = space.draw_handler_add
    remove = space.draw_handler_remove

    def adding(*given: Any) -> Any:
        global drawn
        drawn += 1
        return add(*given)

    def removing(*given: Any) -> None:
        global drawn
        remove(*given)
        drawn -= 1

    space.draw_handler_add = adding
    space.draw_handler_remove = removing


def _start() -> float | None:
    """Build once the window is there, show the tab, then say so."""
    if not _STARTED:
        build()
        _STARTED.append(True)
    if not opened():
        return 0.5
    (FOLDER / "ready").touch()
    return None


def _listen() -> float:
    """Answer one question."""
    question = FOLDER / "question.json"
    if not question.exists():
        return TICK
    asked = json.loads(question.read_text())
    question.unlink()
    try:
        if "do" in asked:
            exec(asked["do"], globals())
        told = {"value": eval(asked["tell"], globals()) if "tell" in asked else None}
    except Exception:  # whatever it is, the session shows it and fails
        told = {"fault": traceback.format_exc()}
    (FOLDER / "answer.tmp").write_text(json.dumps(told))
    (FOLDER / "answer.tmp").rename(FOLDER / "answer.json")
    return TICK


_STARTED: list[bool] = []
watching.note_overlay()
bpy.context.preferences.view.show_splash = False
_count_drawn()
bpy.app.timers.register(_start, first_interval=1.0)
bpy.app.timers.register(_listen, first_interval=1.0, persistent=True)
