"""Base of operators whose work runs in slices when a user starts them."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

from collections.abc import Generator
from typing import Any

import bpy

from ..addon.bake.slices import SlicedWork
from ..addon.references import SceneReference, in_scene
from ..core.errors import FootfallError
from .common import get_busy_reason
from .progress import (
    BAKE_INTERVAL,
    ModalTimer,
    begin_progress,
    end_progress,
    is_stop_event,
    show_progress,
)


class SlicedOperator:
    """Base of operators whose work pauses often.

    A script's call works to the end; a user's runs in slices, with progress, and Esc stops it.
    """

    _work: SlicedWork[Any] | None = None
    _timer: ModalTimer | None = None
    _scene: SceneReference | None = None

    def start_work(self, context: bpy.types.Context) -> Generator[float, None, Any]:
        """Return the work, which yields its completed share.

        Raises:
            FootfallError: the work cannot be started.
        """
        raise NotImplementedError

    def report_result(self, context: bpy.types.Context, result: Any) -> None:
        """Report the result of the work."""

    def handle_error(self, context: bpy.types.Context, error: FootfallError) -> None:
        """Report an error of the work."""
        self.report({"ERROR"}, str(error))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Work to the end."""
        try:
            result = SlicedWork(self.start_work(context)).run()
        except FootfallError as error:
            self.handle_error(context, error)
            return {"CANCELLED"}
        context.view_layer.update()
        self.report_result(context, result)
        return {"FINISHED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start the work; the timer advances it."""
        if get_busy_reason(context):
            self.report({"WARNING"}, f"{get_busy_reason(context)}.")
            return {"CANCELLED"}
        if not self._begin(context):
            return {"CANCELLED"}
        self._timer = ModalTimer(context, BAKE_INTERVAL)
        begin_progress(context)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Do a slice of the work at every timer event; Esc stops it."""
        if is_stop_event(context, event):
            self._end(context)
            self.report({"INFO"}, "Stopped. Nothing was changed.")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        assert self._work is not None
        assert self._scene is not None
        work = self._work
        try:
            with in_scene(self._scene.find()):
                is_done = work.advance()
        except FootfallError as error:
            self._end(context)
            self.handle_error(context, error)
            return {"CANCELLED"}
        if not is_done:
            show_progress(context, "bake", work.share)
            return {"PASS_THROUGH"}
        self._end(context)
        self.report_result(context, work.result)
        return {"FINISHED"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop the work; called by Blender when a file is opened or a window is closed."""
        self._end(context)
        self.report({"WARNING"}, "The work was stopped, because its window or file was closed.")

    def _begin(self, context: bpy.types.Context) -> bool:
        try:
            self._work = SlicedWork(self.start_work(context))
        except FootfallError as error:
            self.handle_error(context, error)
            return False
        self._scene = SceneReference(context.scene)
        return True

    def _end(self, context: bpy.types.Context) -> None:
        """Stop the work and clear the progress; does nothing if that was done before."""
        if self._work is not None:
            self._work.cancel()
            self._work = None
        if self._timer is not None:
            self._timer.remove(context)
            self._timer = None
        end_progress(context)
