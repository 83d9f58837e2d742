"""Measurements of the time that Footfall takes in Blender. This module runs in Blender.

Elapsed time includes that of other programs on the processor; therefore the time on the processor
is measured as well.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy

POLL_INTERVAL = 0.002  # Time between two checks of the keys [s]
# Custom property of an action that changes with its keys
STAMP = "footfall_plan_stamp"
HANDLERS = ("_draw_view", "_draw_screen")  # draw handlers of the overlay in the 3D view
DRAWS = "draws"  # key of the calls in which Blender and the graphics driver draw

# Time of each call on the processor [s], by function
_call_times: dict[str, list[float]] = {}
# Time of each call of a draw handler, in total and of the drawing in it [s], by function
_handler_times: dict[str, list[tuple[float, float]]] = {}
_recorded: dict[str, Any] = {}


def wrap_with_timer(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose calls are timed."""

    def timed(*arguments: Any, **keywords: Any) -> Any:
        begin = time.thread_time()
        try:
            return function(*arguments, **keywords)
        finally:
            _call_times.setdefault(name, []).append(time.thread_time() - begin)

    return timed


def _wrap_draw_handler(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose calls are timed, and the drawing in them separately."""

    def timed(*arguments: Any) -> Any:
        begin = time.thread_time()
        draw_count = len(_call_times.get(DRAWS, ()))
        try:
            return function(*arguments)
        finally:
            total = time.thread_time() - begin
            _handler_times.setdefault(name, []).append(
                (total, sum(_call_times.get(DRAWS, ())[draw_count:]))
            )

    return timed


def watch_drag(armature: bpy.types.Object) -> None:
    """Record when a dragged object is released and when the new keys arrive."""
    name = armature.name
    _recorded.clear()
    _recorded["stamp"] = armature.animation_data.action[STAMP]

    def check() -> float | None:
        now = time.perf_counter()
        manager = bpy.context.window_manager
        if any(
            op.bl_idname.startswith("TRANSFORM_OT")
            for window in manager.windows
            for op in window.modal_operators
        ):
            _recorded["dragged"] = True
        elif "dragged" in _recorded and "released" not in _recorded:
            _recorded["released"], _recorded["processor time"] = now, _measure_processor_time()
        if bpy.data.objects[name].animation_data.action.get(STAMP) == _recorded["stamp"]:
            return POLL_INTERVAL
        _recorded["keys"], _recorded["processor time"] = (
            now,
            _measure_processor_time() - _recorded["processor time"],
        )
        return None

    bpy.app.timers.register(check)


def read_drag_times() -> tuple[float, ...] | None:
    """Return the elapsed time and the time on the processor from the release to the new keys [s].

    None before the keys have arrived.
    """
    return (
        (_recorded["keys"] - _recorded["released"], _recorded["processor time"])
        if "keys" in _recorded
        else None
    )


def _measure_processor_time() -> float:
    """Return the time on the processor of this thread and the planning processes so far [s]."""
    total = time.thread_time()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status, command = (
                (folder / "stat").read_text().rpartition(")")[2].split(),
                (folder / "cmdline").read_bytes(),
            )
        except OSError:  # it ended meanwhile
            continue
        if int(status[1]) == os.getpid() and b"worker/start.py" in command:
            total += (int(status[11]) + int(status[12])) / os.sysconf("SC_CLK_TCK")
    return total


def _wrap_method(name: str, function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a timed method with two arguments: Blender counts those of draw and poll methods."""
    timed_function = wrap_with_timer(name, function)

    def timed(owner: Any, context: Any) -> Any:
        return timed_function(owner, context)

    return timed


@contextmanager
def _time_panel_methods() -> Iterator[None]:
    """Time the draw and poll methods of panels, operators and menus within the context."""
    classes = [
        cls
        for kind in (bpy.types.Panel, bpy.types.Operator, bpy.types.Menu)
        for cls in kind.__subclasses__()
        if cls.__name__.startswith("FOOTFALL_")
    ]
    changed = []
    for cls in classes:
        for name in ("draw", "draw_header", "poll"):
            ours = (base.__dict__ for base in cls.__mro__ if base.__module__.startswith("bl_ext"))
            method = next((members[name] for members in ours if name in members), None)
            if method is None:
                continue
            changed.append((cls, name, cls.__dict__.get(name)))
            called = f"{cls.__name__}.{name}"
            setattr(
                cls,
                name,
                classmethod(_wrap_method(called, method.__func__))
                if name == "poll"
                else _wrap_method(called, method),
            )
    try:
        yield
    finally:
        for cls, name, original in changed:
            if original is None:
                delattr(cls, name)
            else:
                setattr(cls, name, original)


def time_panels(redraw: Callable[[], None], count: int) -> dict[str, list[float]]:
    """Return the times of the draw and poll methods during a number of redraws [s], by method."""
    _call_times.clear()
    with _time_panel_methods():
        for _ in range(count):
            redraw()
    return dict(_call_times)


def time_overlay() -> None:
    """Time draw handlers of the 3D view that are added from now on."""
    view = bpy.types.SpaceView3D
    add = view.draw_handler_add

    def add_timed(function: Callable[..., Any], *arguments: Any) -> Any:
        return add(_wrap_draw_handler(function.__name__, function), *arguments)

    view.draw_handler_add = add_timed


class _TimedBatch:
    """A batch whose drawing is timed separately.

    Without a graphics card the processor draws, which is no work of the overlay.
    """

    def __init__(self, batch: Any) -> None:
        self.draw = wrap_with_timer(DRAWS, batch.draw)


class _TimedText:
    """The module `blf` with timed drawing."""

    def __init__(self, blf: Any) -> None:
        self._blf = blf
        self.draw = wrap_with_timer(DRAWS, blf.draw)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._blf, name)


def time_drawing(overlay: Any) -> None:
    """Time the calls of the overlay to the graphics driver from now on."""
    make = overlay.gpu.batch_for_shader
    overlay.gpu.batch_for_shader = lambda *arguments: _TimedBatch(make(*arguments))
    timeline = sys.modules[overlay.PhysicsStrip.__module__]
    timeline.blf = _TimedText(timeline.blf)
    overlay.gpu.clear_cache()
    overlay._entries.clear()


def start_playback(seconds: float) -> None:
    """Play for a time [s], and count the frames and the redraws of the 3D view."""
    _call_times.clear()
    _handler_times.clear()
    counts = {"drawn": 0, "frames": 0}

    def count_drawn() -> None:
        counts["drawn"] += 1

    def count_frame(*_: Any) -> None:
        counts["frames"] += 1

    handle = bpy.types.SpaceView3D.draw_handler_add(count_drawn, (), "WINDOW", "POST_PIXEL")
    bpy.app.handlers.frame_change_post.append(count_frame)
    begin = time.perf_counter()
    _toggle_playback()

    def end() -> None:
        _toggle_playback()
        bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
        bpy.app.handlers.frame_change_post.remove(count_frame)
        _recorded["playback"] = {
            **counts,
            "seconds": time.perf_counter() - begin,
            "calls": [_handler_times.get(k, []) for k in HANDLERS],
            "draws": len(_call_times.get(DRAWS, ())),
        }

    _recorded.pop("playback", None)
    bpy.app.timers.register(end, first_interval=seconds)


def read_playback() -> dict[str, Any] | None:
    """Return the counts and times of the last playback, or None while it plays."""
    return _recorded.get("playback")


def _toggle_playback() -> None:
    window = bpy.context.window_manager.windows[0]
    with bpy.context.temp_override(window=window, screen=window.screen):
        bpy.ops.screen.animation_play()
