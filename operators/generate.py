"""Plan the active character's motion along the path and bake it."""
# No `from __future__ import annotations` here: Blender reads the annotations of operators as they are.
import time
from pathlib import Path

import bpy
from bpy.props import StringProperty

from ..addon.asking import Asked, read_task
from ..addon.jobs import Job, Progress
from ..addon.planned import Planned
from ..addon.reading import unit_scale
from ..addon.rebake import bake_onto
from ..core.errors import CharacterError, FootfallError
from ..core.motion import save_motion

TICK = 0.1            # s between two looks at the worker


MOST_TOLD = 2          # stretches that gave way, that one message tells of

class FOOTFALL_OT_generate(bpy.types.Operator):
    """Plan the motion of the active character along the path and bake it into a new action. Esc stops the work"""

    bl_idname = "footfall.generate"
    bl_label = "Generate"
    bl_options = {"REGISTER", "UNDO"}

    keep: StringProperty(
        name="Keep Motion In", subtype="DIR_PATH", options={"SKIP_SAVE", "HIDDEN"},
        description="Folder to keep the motion file and its report in; none are kept unless told")

    _job: Job | None = None
    _asked: Asked
    _timer: bpy.types.Timer | None = None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Work until it is done; what scripts call."""
        if not self._begin(context):
            return {"CANCELLED"}
        assert self._job is not None
        try:
            while self._job.poll().motion is None:
                time.sleep(TICK)
            return self._finish(context)
        except FootfallError as error:
            return self._fail(context, str(error))
        finally:
            self._end(context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin, and go on beside the user's own work."""
        if context.window_manager.footfall.working:
            self.report({"WARNING"}, "Footfall is still at work; press Esc to stop it first.")
            return {"CANCELLED"}
        if not self._begin(context):
            return {"CANCELLED"}
        manager = context.window_manager
        self._timer = manager.event_timer_add(TICK, window=context.window)
        manager.footfall.working, manager.footfall.stop = True, False
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Look at the worker at every tick; Esc ends it at once."""
        if (event.type == "ESC" and event.value == "PRESS") or context.window_manager.footfall.stop:
            self._end(context)
            self.report({"INFO"}, "Stopped. Nothing was changed.")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        assert self._job is not None
        try:
            progress = self._job.poll()
            self._show(context, progress)
            if progress.motion is None:
                return {"PASS_THROUGH"}
            done = self._finish(context)
        except FootfallError as error:
            done = self._fail(context, str(error))
        self._end(context)
        return done

    def cancel(self, context: bpy.types.Context) -> None:
        """What Blender calls when a file is opened or a window closed meanwhile."""
        self._end(context)

    def _begin(self, context: bpy.types.Context) -> bool:
        try:
            self._asked = read_task(context)
            self._job = Job(self._asked.task, self._asked.style)
        except FootfallError as error:
            self._fail(context, str(error))
            return False
        return True

    def _finish(self, context: bpy.types.Context) -> set[str]:
        assert self._job is not None
        asked = self._asked
        motion = self._job.result()
        if self.keep:
            save_motion(motion, Path(bpy.path.abspath(self.keep)))
        armature = context.scene.objects.get(asked.armature)
        if armature is None or armature.type != "ARMATURE":
            raise CharacterError(f"The armature {asked.armature!r} is no longer in the scene, so there was nothing to bake onto.")
        planned = Planned(asked.task, motion, asked.placement, asked.first_frame, asked.way, asked.style)
        wish = context.scene.footfall_bake
        options = wish.options(armature, unit_scale(context.scene))
        baked, kept = bake_onto(armature, planned, asked.rig.binding, options, again=wish.replace)
        notes = [*([kept] if kept else []), *baked.warnings, *asked.notes]
        notes += [note for note in motion.report.notes if note not in asked.rig.character.notes]
        notes += [e.text() for e in motion.report.eased[:MOST_TOLD]]
        if len(motion.report.eased) > MOST_TOLD:
            notes.append(f"something gave way in {100 * float(motion.relaxed.mean()):.0f} % of all frames")
        self.report({"WARNING" if notes else "INFO"}, "; ".join(
            [f"{baked.action.name}: {baked.frames} frames on {baked.bones} bones, "
             f"planned in {motion.report.seconds['total']:.1f} s", *baked.asides, *notes]))
        return {"FINISHED"}

    def _fail(self, context: bpy.types.Context, message: str) -> set[str]:
        self.report({"ERROR"}, message)
        return {"CANCELLED"}

    def _show(self, context: bpy.types.Context, progress: Progress) -> None:
        shown = context.window_manager.footfall
        shown.stage, shown.share = progress.stage, progress.share
        if context.workspace is not None:
            context.workspace.status_text_set(f"Footfall: {progress.stage} {100 * progress.share:.0f} %    Esc: stop")
        _redraw(context)

    def _end(self, context: bpy.types.Context) -> None:
        """Stop the worker and clear the progress; harmless when it was done before."""
        if self._job is not None:
            self._job.stop()
            self._job = None
        manager = context.window_manager
        if self._timer is not None:
            manager.event_timer_remove(self._timer)
            self._timer = None
        if manager.footfall.working:
            manager.footfall.working = False
            if context.workspace is not None:
                context.workspace.status_text_set(None)
            _redraw(context)


def _redraw(context: bpy.types.Context) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()
