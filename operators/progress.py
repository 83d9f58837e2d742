"""Progress of work that runs while Blender reacts to the user."""

from __future__ import annotations

import bpy

from ..addon.worker.batch import STAGE_LABELS

BAKE_INTERVAL = 0.01  # time between two slices of a bake [s]


class ModalTimer:
    """A timer of a modal operator, which may have no window, as in the background."""

    def __init__(self, context: bpy.types.Context, interval: float) -> None:
        self._interval = 0.0
        self._timer: bpy.types.Timer | None = None
        self.set_interval(context, interval)

    def set_interval(self, context: bpy.types.Context, interval: float) -> None:
        """Change the time between two events [s]."""
        if interval != self._interval:
            self.remove(context)
            self._interval = interval
            self._timer = context.window_manager.event_timer_add(interval, window=context.window)

    def remove(self, context: bpy.types.Context) -> None:
        """End the timer; does nothing if it was ended before."""
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            self._timer = None
            self._interval = 0.0


def is_stop_event(context: bpy.types.Context, event: bpy.types.Event) -> bool:
    """Return whether the user stops the work, with Esc or the button."""
    return (event.type == "ESC" and event.value == "PRESS") or context.window_manager.footfall.stop


def begin_progress(context: bpy.types.Context) -> None:
    """Show that work is in progress."""
    status = context.window_manager.footfall
    status.working = True
    status.stop = False
    status.share = status.left = 0.0


def show_progress(
    context: bpy.types.Context, stage: str, share: float, remaining_time: float = 0.0
) -> None:
    """Show the progress in the panel and the status bar.

    Args:
        stage: stage of the work, a key of `STAGE_LABELS`.
        share: completed share of the whole work, 0 to 1.
        remaining_time: estimated remaining time [s]; 0 if it is unknown.
    """
    status = context.window_manager.footfall
    status.stage = stage
    status.share = share
    status.left = remaining_time
    if context.workspace is not None:
        remaining_text = f", {remaining_time:.0f} s left" if remaining_time >= 1 else ""
        context.workspace.status_text_set(
            f"Footfall: {STAGE_LABELS.get(stage, stage)} {100 * share:.0f} %{remaining_text}    "
            "Esc: stop"
        )
    redraw_views(context)


def end_progress(context: bpy.types.Context) -> None:
    """Clear the progress, in all workspaces that showed it; does nothing without one."""
    if not context.window_manager.footfall.working:
        return
    context.window_manager.footfall.working = False
    for workspace in bpy.data.workspaces:
        workspace.status_text_set(None)
    redraw_views(context)


def redraw_views(context: bpy.types.Context) -> None:
    """Redraw all 3D views."""
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()
