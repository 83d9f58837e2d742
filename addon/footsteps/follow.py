"""Footsteps followed while the user works: when one was let go, the motion around it is solved again beside Blender.

One timer does all of it, and only while there is something to do. A change of a footstep and the new keys are one step back for
the user: where undoing ends between the two, which Blender keeps apart, it goes on by itself.
"""
from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field

import bpy
from bpy.app.handlers import persistent

from ...core.character.from_rig.binding import Binding
from ...core.errors import FootfallError
from ..bake.stored_plan import planned_of
from ..worker.job import Job
from .edits import Edits
from .ground_snap import put_on_ground
from .objects import steps_of
from .solve import Wish, pending, take_in, wish_of

PAUSE = 0.2               # s without a change, after which a footstep counts as let go; one that is dragged does when the drag ends
TICK = 0.02               # s between two looks
MOST = 64                 # changes that are remembered for undoing


@dataclass
class _State:
    shown: dict[str, int] = field(default_factory=dict)          # how many footsteps an armature has in the scene
    changed: float | None = None                                 # when a footstep was last changed
    wish: Wish | None = None
    job: Job | None = None
    binding: Binding | None = None
    passed: list[str] = field(default_factory=list)              # marks of changes that were followed: undoing goes past them
    known: set[str] = field(default_factory=set)                 # marks of changes that are not to be followed
    dragged: bool = False                                        # whether the user moved something at the last look
    direction: str = ""                                          # in which undoing goes on: "undo" or "redo"


_state = _State()


def watch() -> None:
    """Find out whose footsteps are in the scene; until there are some nothing is looked at."""
    _state.shown = {o.name: len(steps_of(o)) for o in bpy.data.objects
                    if o.type == "ARMATURE" and o.footfall_steps.collection is not None and o.users_scene}


def edited() -> None:
    """A footstep was changed just now."""
    if _state.shown:
        _state.changed = time.monotonic()
        _wake(PAUSE)


def settle(mark: str) -> None:
    """Changes that were followed, or cannot be: they are not followed again."""
    _state.known.add(mark)
    _state.changed = None


def follow_again() -> None:
    """Look at all changes once more, those also that were left as they are."""
    _state.known.clear()
    watch()
    edited()


def stop() -> None:
    """End the work and forget it; harmless where there is none."""
    if _state.job is not None:
        _state.job.stop()
    _state.wish = _state.job = _state.changed = None


@persistent      # type: ignore[untyped-decorator]
def _after_update(scene: bpy.types.Scene, graph: bpy.types.Depsgraph) -> None:
    if not _state.shown or _state.direction:
        return
    forbidden = scene.footfall_steps.forbidden
    if graph.id_type_updated("OBJECT") and any(_is_moved(update, forbidden) for update in graph.updates):
        edited()
    elif (graph.id_type_updated("SCENE") or graph.id_type_updated("COLLECTION")) and any(
            name not in bpy.data.objects or len(steps_of(bpy.data.objects[name])) != count for name, count in _state.shown.items()):
        watch()
        edited()


@persistent      # type: ignore[untyped-decorator]
def _after_undo(*_: object) -> None:
    _after_step("undo")


@persistent      # type: ignore[untyped-decorator]
def _after_redo(*_: object) -> None:
    _after_step("redo")


@persistent      # type: ignore[untyped-decorator]
def _after_load(*_: object) -> None:
    stop()
    _state.known.clear()
    _state.passed.clear()
    watch()


def _after_step(direction: str) -> None:
    """One step was made back or forth: never solve for it, and go on where it ended between a change and its keys."""
    stop()
    watch()
    marks = {edits.mark for name in _state.shown if (edits := _pending(name))}
    _state.known |= marks
    if marks & set(_state.passed):
        _state.direction = direction
        _wake(0.0)


def _pending(name: str) -> Edits:
    armature = bpy.data.objects.get(name)
    try:
        return Edits() if armature is None else pending(armature)
    except FootfallError:          # a plan that cannot be read has no footsteps to follow; who asks for it is told
        return Edits()


def _is_moved(update: bpy.types.DepsgraphUpdate, forbidden: bpy.types.Collection | None) -> bool:
    """Whether it tells of a footstep, or of forbidden ground."""
    if not update.is_updated_transform or not isinstance(update.id, bpy.types.Object):
        return False
    return update.id.footfall_step.number != 0 or (forbidden is not None and update.id.name in forbidden.all_objects)


def _wake(soon: float) -> None:
    if not bpy.app.timers.is_registered(tick):
        bpy.app.timers.register(tick, first_interval=soon)


def tick() -> float | None:
    """What the timer does; the time in s until it shall do so again, None where nothing is left to do."""
    window = next(iter(bpy.context.window_manager.windows), None)
    if window is None:
        return None
    with bpy.context.temp_override(window=window):
        if _state.direction:
            direction, _state.direction = _state.direction, ""
            with suppress(RuntimeError):          # there may be nothing to redo any more
                getattr(bpy.ops.ed, direction)()
        elif _is_dragged(window):
            _state.dragged = True
        else:
            let_go, _state.dragged = _state.dragged, False
            _go_on(window, let_go)
    return TICK if _state.job is not None or _state.changed is not None or _state.direction else None


def _go_on(window: bpy.types.Window, let_go: bool) -> None:
    now = window.id_data.footfall_steps
    try:
        if _state.changed is not None and (let_go or time.monotonic() - _state.changed >= PAUSE):
            _state.changed = None
            _begin(window)
        if _state.job is not None and _state.job.poll().motion is not None:
            _finish(window.scene)
    except FootfallError as error:
        if _state.wish is not None:
            settle(_state.wish.mark)
        stop()
        now.message = str(error)
    if now.working != (_state.job is not None):
        now.working = _state.job is not None
        _redraw(window)


def _begin(window: bpy.types.Window) -> None:
    """Solve for the first armature whose footsteps were changed."""
    scene = window.scene
    if not scene.footfall_steps.live:
        return
    for name in [name for name in _state.shown if name in scene.objects]:
        edits = _pending(name)
        if not edits or edits.mark in _state.known or (_state.wish is not None and _state.wish.mark == edits.mark):
            continue
        stop()
        armature = scene.objects[name]
        planned = planned_of(armature)
        if planned is not None and put_on_ground(armature, planned, window):
            _state.passed.append(edits.mark)
        try:
            _state.wish = wish_of(armature, scene)
        except FootfallError:
            settle(_pending(name).mark)
            raise
        if _state.wish is not None:
            _state.job = _state.wish.start()
            _state.binding = _state.wish.binding(scene)
        return


def _finish(scene: bpy.types.Scene) -> None:
    """Take the motion in, unless a footstep was changed meanwhile."""
    wish, job, binding = _state.wish, _state.job, _state.binding
    assert wish is not None
    assert job is not None
    assert binding is not None
    motion = job.result()
    stop()
    if _pending(wish.armature).mark != wish.mark:
        edited()
        return
    said = take_in(wish, motion, binding, scene)
    bpy.context.window_manager.footfall_steps.message = said
    _state.passed = [*_state.passed[-MOST:], wish.mark]
    bpy.ops.ed.undo_push(message="Footsteps")
    watch()
    _state.changed = None
    if any((edits := _pending(name)) and edits.mark not in _state.known for name in _state.shown):
        edited()               # those of another character


def _is_dragged(window: bpy.types.Window) -> bool:
    """Whether the user moves something just now."""
    return any(op.bl_idname.startswith("TRANSFORM_OT") for w in window.id_data.windows for op in w.modal_operators)


def _redraw(window: bpy.types.Window) -> None:
    for area in window.screen.areas:
        if area.type == "VIEW_3D":
            area.tag_redraw()


HANDLERS = (("depsgraph_update_post", _after_update), ("undo_post", _after_undo), ("redo_post", _after_redo),
            ("load_post", _after_load))


def register() -> None:
    """Listen to Blender."""
    for name, handler in HANDLERS:
        getattr(bpy.app.handlers, name).append(handler)


def unregister() -> None:
    """Listen no more."""
    stop()
    _state.shown = {}
    if bpy.app.timers.is_registered(tick):
        bpy.app.timers.unregister(tick)
    for name, handler in HANDLERS:
        getattr(bpy.app.handlers, name).remove(handler)
