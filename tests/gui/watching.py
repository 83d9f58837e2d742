"""Runs in Blender: how long what Footfall does there takes, measured from beside it.

Where other programs share the processor, time on the clock tells of them too; so time on the
processor is told besides.
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

LOOK = 0.002  # s between two looks at the keys
STAMP = "footfall_plan_stamp"
HANDLERS = ("_draw_view", "_draw_screen")  # of the overlay, in the 3D view
DRAWS = "draws"  # what these leave to Blender's and the driver's own drawing

taken: dict[str, list[float]] = {}  # s on the processor of each call, by what was called
_calls: dict[str, list[tuple[float, float]]] = {}
_follow: dict[str, Any] = {}


def noted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose calls are timed."""

    def timed(*given: Any, **named: Any) -> Any:
        begin = time.thread_time()
        try:
            return function(*given, **named)
        finally:
            taken.setdefault(name, []).append(time.thread_time() - begin)

    return timed


def _noted_apart(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose calls are timed, and what was drawn meanwhile apart:
    pairs of s in all and of s drawing.
    """

    def timed(*given: Any) -> Any:
        begin = time.thread_time()
        drawn = len(taken.get(DRAWS, ()))
        try:
            return function(*given)
        finally:
            took = time.thread_time() - begin
            _calls.setdefault(name, []).append((took, sum(taken.get(DRAWS, ())[drawn:])))

    return timed


def follow(armature: bpy.types.Object) -> None:
    """Watch for the moment at which something that is dragged is let go,
    and for the new keys that come of it.
    """
    name = armature.name
    _follow.clear()
    _follow["stamp"] = armature.animation_data.action[STAMP]

    def look() -> float | None:
        now = time.perf_counter()
        manager = bpy.context.window_manager
        if any(
            op.bl_idname.startswith("TRANSFORM_OT")
            for window in manager.windows
            for op in window.modal_operators
        ):
            _follow["dragged"] = True
        elif "dragged" in _follow and "let_go" not in _follow:
            _follow["let_go"], _follow["worked"] = now, _worked()
        if bpy.data.objects[name].animation_data.action.get(STAMP) == _follow["stamp"]:
            return LOOK
        _follow["keys"], _follow["worked"] = now, _worked() - _follow["worked"]
        return None

    bpy.app.timers.register(look)


def followed() -> tuple[float, float] | None:
    """Seconds from letting go to the new keys, on the clock and on the processor;
    None as long as they are not there.
    """
    return (_follow["keys"] - _follow["let_go"], _follow["worked"]) if "keys" in _follow else None


def _worked() -> float:
    """Seconds that Blender's own thread and the planning processes, which take turns,
    were on the processor so far.
    """
    out = time.thread_time()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            status, command = (
                (place / "stat").read_text().rpartition(")")[2].split(),
                (place / "cmdline").read_bytes(),
            )
        except OSError:  # it ended meanwhile
            continue
        if int(status[1]) == os.getpid() and b"worker/start.py" in command:
            out += (int(status[11]) + int(status[12])) / os.sysconf("SC_CLK_TCK")
    return out


def _noted(name: str, function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """As `noted`, for what Blender calls with as many arguments as it has."""
    calls = noted(name, function)

    def timed(of: Any, context: Any) -> Any:
        return calls(of, context)

    return timed


@contextmanager
def _noted_panels() -> Iterator[None]:
    """Time what panels draw, and what buttons on them are asked whether they are grey."""
    there = [
        cls
        for kind in (bpy.types.Panel, bpy.types.Operator, bpy.types.Menu)
        for cls in kind.__subclasses__()
        if cls.__name__.startswith("FOOTFALL_")
    ]
    changed = []
    for cls in there:
        for name in ("draw", "draw_header", "poll"):
            ours = (base.__dict__ for base in cls.__mro__ if base.__module__.startswith("bl_ext"))
            found = next((own[name] for own in ours if name in own), None)
            if found is None:
                continue
            changed.append((cls, name, cls.__dict__.get(name)))
            called = f"{cls.__name__}.{name}"
            setattr(
                cls,
                name,
                classmethod(_noted(called, found.__func__))
                if name == "poll"
                else _noted(called, found),
            )
    try:
        yield
    finally:
        for cls, name, own in changed:
            if own is None:
                delattr(cls, name)
            else:
                setattr(cls, name, own)


def panels_take(draw: Callable[[], None], times: int) -> dict[str, list[float]]:
    """Seconds that each function of panels took, of as many redraws;
    those that draw, and those that are asked before.
    """
    taken.clear()
    with _noted_panels():
        for _ in range(times):
            draw()
    return dict(taken)


def note_overlay() -> None:
    """Have the functions that draw over the 3D view timed; before they are handed to Blender."""
    view = bpy.types.SpaceView3D
    add = view.draw_handler_add

    def adding(function: Callable[..., Any], *given: Any) -> Any:
        return add(_noted_apart(function.__name__, function), *given)

    view.draw_handler_add = adding


class _Batch:
    """What is drawn at once, timed: where there is no graphics card the processor draws, and that
    is no work of the overlay.
    """

    def __init__(self, batch: Any) -> None:
        self.draw = noted(DRAWS, batch.draw)


class _Letters:
    """As `blf`, its drawing timed."""

    def __init__(self, blf: Any) -> None:
        self._blf = blf
        self.draw = noted(DRAWS, blf.draw)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._blf, name)


def note_draws(overlay: Any) -> None:
    """Have what the overlay hands to the graphics driver timed from now on."""
    make = overlay.gpu.batch_for_shader
    overlay.gpu.batch_for_shader = lambda *given: _Batch(make(*given))
    letters = sys.modules[overlay.PhysicsStrip.__module__]
    letters.blf = _Letters(letters.blf)
    overlay.gpu.clear_cache()
    overlay._entries.clear()


def played(seconds: float) -> None:
    """Play from now on for so long, and count the frames and the times that the view was drawn."""
    taken.clear()
    _calls.clear()
    counts = {"drawn": 0, "frames": 0}

    def count_drawn() -> None:
        counts["drawn"] += 1

    def count_frame(*_: Any) -> None:
        counts["frames"] += 1

    handle = bpy.types.SpaceView3D.draw_handler_add(count_drawn, (), "WINDOW", "POST_PIXEL")
    bpy.app.handlers.frame_change_post.append(count_frame)
    begin = time.perf_counter()
    _play()

    def end() -> None:
        _play()
        bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
        bpy.app.handlers.frame_change_post.remove(count_frame)
        _follow["played"] = {
            **counts,
            "seconds": time.perf_counter() - begin,
            "calls": [_calls.get(k, []) for k in HANDLERS],
            "draws": len(taken.get(DRAWS, ())),
        }

    _follow.pop("played", None)
    bpy.app.timers.register(end, first_interval=seconds)


def playing() -> dict[str, Any] | None:
    """What came of it; None as long as it plays."""
    return _follow.get("played")


def _play() -> None:
    window = bpy.context.window_manager.windows[0]
    with bpy.context.temp_override(window=window, screen=window.screen):
        bpy.ops.screen.animation_play()
