"""Runs in Blender: builds the scene of the session, and answers what the session asks."""
from __future__ import annotations

import json
import math
import os
import traceback
from pathlib import Path
from typing import Any

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Quaternion, Vector

FOLDER = Path(os.environ["FOOTFALL_GUI"])
MODULE = "bl_ext.user_default.footfall"
MODIFIERS = {"ctrl": True, "alt": True, "shift": True}      # nothing of Blender's own is on all three and a letter
TICK = 0.05                # s between two looks for a question

drawn = 0                  # draw handlers of the 3D view that are there now
_keys: dict[str, str] = {}
_panels: list[type[bpy.types.Panel]] = []


def area() -> bpy.types.Area:
    """The 3D view of the first window."""
    return next(a for a in bpy.context.window_manager.windows[0].screen.areas if a.type == "VIEW_3D")


def region(kind: str = "WINDOW") -> bpy.types.Region:
    """A region of the 3D view."""
    return next(r for r in area().regions if r.type == kind)


def over(kind: str = "WINDOW") -> Any:
    """As if called with the mouse over the 3D view."""
    window = bpy.context.window_manager.windows[0]
    return bpy.context.temp_override(window=window, screen=window.screen, area=area(), region=region(kind))


def frame_of(kind: str) -> tuple[int, int, int, int]:
    """Left, top, width and height of a region, from the window's upper left corner."""
    window, here = bpy.context.window_manager.windows[0], region(kind)
    return here.x, window.height - here.y - here.height, here.width, here.height


def pixel(place: tuple[float, float, float]) -> tuple[int, int]:
    """Where a place of the world is seen, from the window's upper left corner."""
    x, y = location_3d_to_region_2d(region(), area().spaces.active.region_3d, Vector(place))
    left, top, _, height = frame_of("WINDOW")
    return round(left + x), round(top + height - y)


def key_for(operator: str) -> str:
    """A letter that calls an operator with all three modifiers: what it does is then done by an event, as by a button."""
    if operator not in _keys:
        _keys[operator] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[len(_keys)]
        keymap = bpy.context.window_manager.keyconfigs.addon.keymaps.new(name="3D View", space_type="VIEW_3D")
        keymap.keymap_items.new(operator, _keys[operator], "PRESS", **MODIFIERS)
        bpy.context.window_manager.keyconfigs.update()
    return _keys[operator].lower()


def curves(action: bpy.types.Action) -> list[bpy.types.FCurve]:
    """All curves of an action, of any Blender."""
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    return [c for layer in action.layers for strip in layer.strips for bag in strip.channelbags for c in bag.fcurves]


def sum_of(action: bpy.types.Action) -> float:
    """One number of all keys: another motion has another."""
    return round(sum((1 + k % 7) * point.co.y for k, curve in enumerate(curves(action)) for point in curve.keyframe_points), 3)


def rig() -> bpy.types.Object:
    """The character."""
    return next(thing for thing in bpy.context.scene.objects if thing.type == "ARMATURE")


def hips(frame: int) -> list[float]:
    """Where the hips are at a frame."""
    scene = bpy.context.scene
    before = scene.frame_current
    scene.frame_set(frame)
    evaluated = rig().evaluated_get(bpy.context.evaluated_depsgraph_get())
    place = (evaluated.matrix_world @ evaluated.pose.bones["spine"].matrix).translation
    scene.frame_set(before)
    return list(place)


def state() -> dict[str, Any]:
    """What an undo, a stop or a reload must bring back."""
    scene, data = bpy.context.scene, rig().animation_data
    return {
        "actions": {action.name: sum_of(action) for action in bpy.data.actions},
        "kept": sorted(action.name for action in bpy.data.actions if action.use_fake_user),
        "action": data.action.name if data is not None and data.action is not None else "",
        "objects": sorted(thing.name for thing in bpy.data.objects),
        "path": scene.footfall.path.name if scene.footfall.path is not None else "",
        "pushes": len(scene.footfall.pushes), "parts": len(rig().footfall.parts)}


def attached() -> dict[str, int]:
    """What hangs on Blender: draw handlers of the 3D view, and functions called at events."""
    handlers = {name: found for name in dir(bpy.app.handlers) if isinstance(found := getattr(bpy.app.handlers, name), list)}
    return {"drawn": drawn, **{name: len(found) for name, found in handlers.items() if found}}


def work() -> dict[str, Any]:
    """How far the planning is."""
    now = bpy.context.window_manager.footfall
    return {"working": now.working, "share": now.share, "stage": now.stage}


def enabled(yes: bool) -> None:
    """Switch the extension on or off, as in the preferences."""
    (bpy.ops.preferences.addon_enable if yes else bpy.ops.preferences.addon_disable)(module=MODULE)


def opened() -> bool:
    """Whether the sidebar shows the tab."""
    area().spaces.active.show_region_ui = True
    try:
        region("UI").active_panel_category = "Footfall"
    except (AttributeError, TypeError):    # the sidebar was not drawn yet and has no tabs
        return False
    area().tag_redraw()
    return True


def draw() -> None:
    """Draw the window anew, now."""
    for each in bpy.context.window_manager.windows[0].screen.areas:
        each.tag_redraw()
    with over():
        bpy.ops.wm.redraw_timer(type="DRAW_WIN_SWAP", iterations=1)


def show_only(name: str) -> None:
    """Leave one panel of the tab, open and by itself."""
    if not _panels:
        _panels.extend(cls for cls in bpy.types.Panel.__subclasses__() if getattr(cls, "bl_category", "") == "Footfall")
    for cls in reversed(_panels):
        if cls.is_registered:
            bpy.utils.unregister_class(cls)
    for cls in _panels:
        if cls.__name__ == name:
            # Under a name of its own: Blender remembers of the other one that it was closed.
            cls.bl_idname, cls.bl_parent_id, cls.bl_options = f"{name}_alone", "", set()
            bpy.utils.register_class(cls)


def open_file(path: str) -> None:
    """Read a file, as by File > Open."""
    with over():
        bpy.ops.wm.open_mainfile(filepath=path)


def save_file(path: str) -> None:
    """Write a file, as by File > Save."""
    with over():
        bpy.ops.wm.save_as_mainfile(filepath=path)


def _count_drawn() -> None:
    """Count draw handlers: Blender does not tell them."""
    view = bpy.types.SpaceView3D
    add, remove = view.draw_handler_add, view.draw_handler_remove

    def adding(*given: Any) -> Any:
        global drawn
        drawn += 1
        return add(*given)

    def removing(*given: Any) -> None:
        global drawn
        remove(*given)
        drawn -= 1

    view.draw_handler_add, view.draw_handler_remove = adding, removing
    enabled(False)                     # what it attached before it was counted
    enabled(True)


def _build() -> None:
    """A person on gentle hills, seen from the side, and two and a half seconds to walk."""
    preferences, scene = bpy.context.preferences, bpy.context.scene
    preferences.use_preferences_save = False
    bpy.ops.preferences.addon_enable(module="rigify")
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    with over():
        bpy.ops.mesh.primitive_grid_add(x_subdivisions=48, y_subdivisions=48, size=14)
        ground = bpy.context.object
        ground.name = "Ground"
        for vertex in ground.data.vertices:
            vertex.co.z = 0.06 * math.sin(1.1 * vertex.co.x) * math.cos(0.9 * vertex.co.y)
        bpy.ops.object.armature_basic_human_metarig_add()
        rig().location = (0, 0, 0)
        scene.frame_start, scene.frame_end = 1, 60
        scene.footfall.terrain_object = ground
        view = area().spaces.active.region_3d
        view.view_perspective, view.view_distance, view.view_location = "PERSP", 9.0, Vector((0.4, -1.6, 0.6))
        view.view_rotation = Quaternion((0, 0, 1), math.radians(60)) @ Quaternion((1, 0, 0), math.radians(68))
        bpy.ops.ed.undo_push(message="Scene Built")


def _start() -> float | None:
    """Build once the window is there, show the tab, then say so."""
    if not _STARTED:
        _build()
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
    except Exception:                  # whatever it is, the session shows it and fails
        told = {"fault": traceback.format_exc()}
    (FOLDER / "answer.tmp").write_text(json.dumps(told))
    (FOLDER / "answer.tmp").rename(FOLDER / "answer.json")
    return TICK


_STARTED: list[bool] = []
bpy.context.preferences.view.show_splash = False
_count_drawn()
bpy.app.timers.register(_start, first_interval=1.0)
bpy.app.timers.register(_listen, first_interval=1.0, persistent=True)
