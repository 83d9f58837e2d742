"""Plan the motion of the active character, or of all that have settings of their own, and bake it."""
# No `from __future__ import annotations` here: Blender reads the annotations of operators as they are.
import time
from pathlib import Path

import bpy
from bpy.props import StringProperty

from ..addon.bake.report import finish
from ..addon.scene.active import active_armature, armature_of, own_wish, wish_of
from ..addon.scene.path import has_way
from ..addon.scene.task import Asked, read_task, read_task_of
from ..addon.worker.batch import STAGES, Done, Work
from ..addon.worker.failures import forget, last_failure
from ..core.errors import CharacterError, FootfallError
from ..core.motion import save_motion
from .common import Greyed, at_work, hindering

TICK = 0.1            # s between two looks at the workers


class Generating:
    """What both operators do: work until all is done, and bake each character as it is ready."""

    bl_options = {"REGISTER", "UNDO"}

    _work: Work | None = None
    _timer: bpy.types.Timer | None = None
    _baked = 0

    def asked(self, context: bpy.types.Context) -> list[Asked]:
        """What is to be planned."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Work until it is done; what scripts call."""
        if not self._begin(context):
            return {"CANCELLED"}
        assert self._work is not None
        try:
            while not self._work.ended:
                for done in self._work.poll():
                    self._take(context, done)
                time.sleep(TICK)
            return self._said()
        finally:
            self._end(context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin, and go on beside the user's own work."""
        if at_work(context):
            self.report({"WARNING"}, f"{at_work(context)}.")
            return {"CANCELLED"}
        if not self._begin(context):
            return {"CANCELLED"}
        manager = context.window_manager
        self._timer = manager.event_timer_add(TICK, window=context.window)
        manager.footfall.working, manager.footfall.stop = True, False
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Look at the workers at every tick; Esc ends them at once."""
        if (event.type == "ESC" and event.value == "PRESS") or context.window_manager.footfall.stop:
            self._end(context)
            self.report({"INFO"}, f"Stopped. {self._baked} characters were done before." if self._baked else
                        "Stopped. Nothing was changed.")
            return self._said()
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        assert self._work is not None
        for done in self._work.poll():
            self._take(context, done)
        self._show(context)
        if not self._work.ended:
            return {"PASS_THROUGH"}
        self._end(context)
        return self._said()

    def cancel(self, context: bpy.types.Context) -> None:
        """What Blender calls when a file is opened or a window closed meanwhile."""
        self._end(context)

    def _begin(self, context: bpy.types.Context) -> bool:
        forget()
        context.window_manager.footfall.failed = False
        try:
            self._work, self._baked = Work(self.asked(context)), 0
        except FootfallError as error:
            self.report({"ERROR"}, str(error))
            return False
        return True

    def _take(self, context: bpy.types.Context, done: Done) -> None:
        """Bake one character, or tell what was wrong with it."""
        who = f"{done.asked.armature}: " if self._work is not None and len(self._work.asked) > 1 else ""
        try:
            if done.motion is None:
                raise FootfallError(done.error)
            self.keep_files(done)
            finished = finish(context.scene, done.asked, done.motion)
        except FootfallError as error:
            context.window_manager.footfall.failed = last_failure() is not None
            self.report({"ERROR"}, who + str(error))
            return
        self._baked += 1
        self.report({"WARNING" if finished.warns else "INFO"}, finished.text)

    def keep_files(self, done: Done) -> None:
        """Keep files of the motion where some were asked for."""

    def _said(self) -> set[str]:
        """Whether anything was changed; if so it can be undone in one step."""
        return {"FINISHED"} if self._baked else {"CANCELLED"}

    def _show(self, context: bpy.types.Context) -> None:
        assert self._work is not None
        shown, progress = context.window_manager.footfall, self._work.progress
        shown.stage, shown.share, shown.left = progress.stage, progress.share, self._work.left
        if context.workspace is not None:
            left = f", {shown.left:.0f} s left" if shown.left >= 1 else ""
            stage = STAGES.get(progress.stage, progress.stage)
            context.workspace.status_text_set(f"Footfall: {stage} {100 * progress.share:.0f} %{left}    Esc: stop")
        _redraw(context)

    def _end(self, context: bpy.types.Context) -> None:
        """Stop the workers and clear the progress; harmless when it was done before."""
        if self._work is not None:
            self._work.stop()
        manager = context.window_manager
        if self._timer is not None:
            manager.event_timer_remove(self._timer)
            self._timer = None
        if manager.footfall.working:
            manager.footfall.working = False
            if context.workspace is not None:
                context.workspace.status_text_set(None)
            _redraw(context)


class FOOTFALL_OT_generate(Greyed, Generating, bpy.types.Operator):
    """Plan the motion of the active character along the path and bake it into a new action. Esc stops the work"""

    bl_idname = "footfall.generate"
    bl_label = "Generate"

    keep: StringProperty(
        name="Keep Motion In", subtype="DIR_PATH", options={"SKIP_SAVE", "HIDDEN"},
        description="Folder to keep the motion file and its report in; none are kept unless told")

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Only with a character and a way to go; scripts are told what else is missing when they call."""
        if bpy.app.background:
            return ""
        if armature_of(context.object) is None:
            return "Select a character's armature first"
        if not has_way(wish_of(context), context.scene) and wish_of(context).bars is None:
            return "Pick a curve to follow under Path & Terrain first, or add markers"
        return hindering(context)

    def asked(self, context: bpy.types.Context) -> list[Asked]:
        """The active character."""
        return [read_task(context)]

    def keep_files(self, done: Done) -> None:
        """The motion file and its report."""
        if self.keep and done.motion is not None:
            save_motion(done.motion, Path(bpy.path.abspath(self.keep)))


class FOOTFALL_OT_generate_all(Greyed, Generating, bpy.types.Operator):
    """Plan all characters that have settings of their own, and the active one, side by side. Esc stops the work"""

    bl_idname = "footfall.generate_all"
    bl_label = "Generate All"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Only where there are some."""
        if not len(context.scene.footfall_own):
            return "Give characters settings of their own first, in the panel Character"
        return hindering(context)

    def asked(self, context: bpy.types.Context) -> list[Asked]:
        """Every character of the scene with settings of its own; the active one too, if it has a path."""
        scene, out = context.scene, []
        there = [wish for wish in scene.footfall_own if wish.armature is not None and wish.armature.name in scene.objects]
        for wish in there:
            try:
                out.append(read_task_of(wish.armature, wish, scene))
            except FootfallError as error:
                raise CharacterError(f"{wish.armature.name}: {error}") from error
        active = armature_of(context.object)
        if active is not None and own_wish(scene, active) is None and has_way(scene.footfall, scene):
            out.append(read_task_of(active_armature(context), scene.footfall, scene))
        if not out:
            raise CharacterError("None of the characters with settings of their own is in this scene.")
        return out


def _redraw(context: bpy.types.Context) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()
