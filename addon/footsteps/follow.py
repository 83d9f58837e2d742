"""Live update of the motion: after an edit of a footstep, the motion around it is solved again.

One timer drives everything; it runs only while there is work. Blender records an edit and the new
keys as two undo steps. An undo or redo that ends between them is continued automatically, so that
the user sees one step.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field

import bpy
from bpy.app.handlers import persistent

from ...core.character.from_rig.binding import Binding
from ...core.errors import FootfallError
from ..bake.slices import SlicedWork
from ..bake.stored_plan import read_played_plan
from ..references import SceneReference, in_scene
from ..worker.job import Job
from .edits import StepEdits
from .ground_snap import snap_to_ground
from .objects import list_step_objects
from .solve import SolveRequest, apply_result, make_solve_request, read_pending_edits

# Time without a change after which an edit counts as complete [s]. A drag is complete when it ends.
SETTLE_TIME = 0.2
TICK_INTERVAL = 0.02  # time between two calls of the timer [s], that of two frames of the screen
MAX_FOLLOWED_MARKS = 64  # number of edits that are remembered: more than Blender's 32 undo steps


@dataclass
class _FollowState:
    """State of the live update. An edit is identified by `StepEdits.mark`."""

    # Number of footsteps in the scene by name of the armature.
    step_counts: dict[str, int] = field(default_factory=dict)
    change_time: float | None = None  # time of the latest edit [s]; None once it is handled
    request: SolveRequest | None = None
    job: Job | None = None
    binding: Binding | None = None
    scene: SceneReference | None = None  # scene of the request
    bake: SlicedWork[str] | None = None  # bake of the solved motion
    # Marks of edits that a solution followed; undo skips the state between edit and solution.
    followed_marks: list[str] = field(default_factory=list)
    # Marks of edits that are not solved for.
    ignored_marks: set[str] = field(default_factory=set)
    is_dragging: bool = False  # whether a drag was in progress at the latest tick
    undo_direction: str = ""  # "undo" or "redo" if one more step is pending


_state = _FollowState()


def update_step_counts() -> None:
    """Count the footsteps in the scene; without footsteps, changes of the scene are ignored."""
    _state.step_counts = {
        o.name: len(list_step_objects(o))
        for o in bpy.data.objects
        if o.type == "ARMATURE" and o.footfall_steps.collection is not None and o.users_scene
    }


def mark_changed() -> None:
    """Record that a footstep was changed at this moment."""
    if _state.step_counts:
        _state.change_time = time.monotonic()
        _start_timer(SETTLE_TIME)


def ignore_change(mark: str) -> None:
    """Do not solve for the edit with this mark."""
    _state.ignored_marks.add(mark)
    _state.change_time = None


def follow_all_changes() -> None:
    """Solve for all pending edits, including those that were ignored."""
    _state.ignored_marks.clear()
    update_step_counts()
    mark_changed()


def cancel_solve() -> None:
    """Stop and discard the current solution; does nothing without one."""
    if _state.job is not None:
        _state.job.stop()
    if _state.bake is not None:
        _state.bake.cancel()
    _state.request = _state.job = _state.bake = _state.change_time = None


@persistent  # type: ignore[untyped-decorator]
def _after_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if not _state.step_counts or _state.undo_direction:
        return
    forbidden_collection = scene.footfall_steps.forbidden
    if depsgraph.id_type_updated("OBJECT") and any(
        _is_moved(update, forbidden_collection) for update in depsgraph.updates
    ):
        mark_changed()
    elif (depsgraph.id_type_updated("SCENE") or depsgraph.id_type_updated("COLLECTION")) and any(
        name not in bpy.data.objects or len(list_step_objects(bpy.data.objects[name])) != count
        for name, count in _state.step_counts.items()
    ):
        update_step_counts()
        mark_changed()


@persistent  # type: ignore[untyped-decorator]
def _after_undo(*_: object) -> None:
    _after_history_step("undo")


@persistent  # type: ignore[untyped-decorator]
def _after_redo(*_: object) -> None:
    _after_history_step("redo")


@persistent  # type: ignore[untyped-decorator]
def _after_load(*_: object) -> None:
    cancel_solve()
    _state.ignored_marks.clear()
    _state.followed_marks.clear()
    update_step_counts()


def _after_history_step(direction: str) -> None:
    """Handle an undo or redo.

    The resulting edits are not solved for. If the step ended between an edit and its solution, one
    more step in the same direction is scheduled.
    """
    cancel_solve()
    update_step_counts()
    marks = {edits.mark for name in _state.step_counts if (edits := _read_pending_edits(name))}
    _state.ignored_marks |= marks
    if marks & set(_state.followed_marks):
        _state.undo_direction = direction
        _start_timer(0.0)


def _read_pending_edits(name: str) -> StepEdits:
    armature = bpy.data.objects.get(name)
    try:
        return StepEdits() if armature is None else read_pending_edits(armature)
    except FootfallError:
        # A plan that cannot be read has no edits. Operators that need the plan report the error.
        return StepEdits()


def _is_moved(
    update: bpy.types.DepsgraphUpdate, forbidden_collection: bpy.types.Collection | None
) -> bool:
    """Return whether an update moves a footstep or forbidden ground."""
    if not update.is_updated_transform or not isinstance(update.id, bpy.types.Object):
        return False
    return update.id.footfall_step.number != 0 or (
        forbidden_collection is not None and update.id.name in forbidden_collection.all_objects
    )


def _start_timer(delay: float) -> None:
    if not bpy.app.timers.is_registered(tick):
        bpy.app.timers.register(tick, first_interval=delay)


def tick() -> float | None:
    """Advance the live update; called by Blender's timer.

    Returns:
        Time until the next call [s]; None if there is no work.
    """
    window = next(iter(bpy.context.window_manager.windows), None)
    if window is None:
        return None
    with bpy.context.temp_override(window=window):
        if _state.undo_direction:
            direction = _state.undo_direction
            _state.undo_direction = ""
            with suppress(RuntimeError):  # there may be no step left
                getattr(bpy.ops.ed, direction)()
        elif _is_dragged(window):
            _state.is_dragging = True
        else:
            was_released = _state.is_dragging
            _state.is_dragging = False
            _advance(window, was_released)
    return (
        TICK_INTERVAL
        if _is_busy() or _state.change_time is not None or _state.undo_direction
        else None
    )


def _is_busy() -> bool:
    """Return whether a motion is being solved or baked."""
    return _state.job is not None or _state.bake is not None


def _advance(window: bpy.types.Window, was_released: bool) -> None:
    status = window.id_data.footfall_steps
    try:
        if _state.change_time is not None and (
            was_released or time.monotonic() - _state.change_time >= SETTLE_TIME
        ):
            _state.change_time = None
            _start_solve(window)
        if _state.bake is not None:
            _advance_bake()
        elif _state.job is not None and _state.job.poll().motion_file is not None:
            _start_bake()
    except FootfallError as error:
        if _state.request is not None:
            ignore_change(_state.request.mark)
        cancel_solve()
        status.message = str(error)
    if status.working != _is_busy():
        status.working = _is_busy()
        _redraw(window)


def _start_solve(window: bpy.types.Window) -> None:
    """Start a job for the first armature with edits that are not ignored."""
    scene = window.scene
    if not scene.footfall_steps.live:
        return
    for name in [name for name in _state.step_counts if name in scene.objects]:
        edits = _read_pending_edits(name)
        if (
            not edits
            or edits.mark in _state.ignored_marks
            or (_state.request is not None and _state.request.mark == edits.mark)
        ):
            continue
        cancel_solve()
        armature = scene.objects[name]
        stored_plan = read_played_plan(armature)
        if stored_plan is not None and snap_to_ground(armature, stored_plan, window):
            _state.followed_marks.append(edits.mark)
        try:
            _state.request = make_solve_request(armature, scene)
        except FootfallError:
            ignore_change(_read_pending_edits(name).mark)
            raise
        if _state.request is not None:
            _state.scene = SceneReference(scene)
            _state.job = _state.request.start_job()
            _state.binding = _state.request.read_binding(scene)
        return


def _start_bake() -> None:
    """Start the bake of the solution, unless a footstep was changed since the job started."""
    request = _state.request
    job = _state.job
    binding = _state.binding
    assert request is not None
    assert job is not None
    assert binding is not None
    assert _state.scene is not None
    motion = job.load_result()
    cancel_solve()
    if _read_pending_edits(request.armature).mark != request.mark:
        mark_changed()
        return
    _state.request = request
    _state.bake = SlicedWork(apply_result(request, motion, binding, _state.scene.find()))


def _advance_bake() -> None:
    """Bake for a moment. An edit of a footstep meanwhile ends the bake and is solved for."""
    request = _state.request
    bake = _state.bake
    assert request is not None
    assert bake is not None
    if _read_pending_edits(request.armature).mark != request.mark:
        cancel_solve()
        mark_changed()
        return
    assert _state.scene is not None
    with in_scene(_state.scene.find()):
        if not bake.advance():
            return
    cancel_solve()
    bpy.context.window_manager.footfall_steps.message = bake.result
    _state.followed_marks = [*_state.followed_marks[-MAX_FOLLOWED_MARKS:], request.mark]
    bpy.ops.ed.undo_push(message="Footsteps")
    update_step_counts()
    _state.change_time = None
    if any(
        (edits := _read_pending_edits(name)) and edits.mark not in _state.ignored_marks
        for name in _state.step_counts
    ):
        mark_changed()  # another character has edits too


def _is_dragged(window: bpy.types.Window) -> bool:
    """Return whether the user is moving an object."""
    return any(
        operator.bl_idname.startswith("TRANSFORM_OT")
        for other_window in window.id_data.windows
        for operator in other_window.modal_operators
    )


def _redraw(window: bpy.types.Window) -> None:
    for area in window.screen.areas:
        if area.type == "VIEW_3D":
            area.tag_redraw()


HANDLERS = (
    ("depsgraph_update_post", _after_update),
    ("undo_post", _after_undo),
    ("redo_post", _after_redo),
    ("load_post", _after_load),
)


def register() -> None:
    """Add the handlers."""
    for name, handler in HANDLERS:
        getattr(bpy.app.handlers, name).append(handler)


def unregister() -> None:
    """Remove handlers and timer, and stop the job."""
    cancel_solve()
    _state.step_counts = {}
    if bpy.app.timers.is_registered(tick):
        bpy.app.timers.unregister(tick)
    for name, handler in HANDLERS:
        getattr(bpy.app.handlers, name).remove(handler)
