"""Definition of a path by clicks on the ground."""

# No `from __future__ import annotations` here: Blender reads the annotations
# of operators as they are.
import bpy
from bpy_extras import view3d_utils
from mathutils import Vector

from ..addon.path_tool.curve import CURVE_LIFT, raycast_ground
from ..addon.path_tool.preview_path import ClickedCurve, ClickedMarkers
from ..addon.scene.active import find_active_settings, find_armature
from ..addon.scene.path import has_marker_path
from ..core.geometry.units import HUMAN_LEG_LENGTH
from .common import PollWithReason

STATUS_TEXT = (
    "Footfall: click to add a point    Backspace: remove the last point    Enter or right click: "
    "finish    Esc: cancel"
)


class FOOTFALL_OT_draw_path(PollWithReason, bpy.types.Operator):
    """Click points on the ground to define the character's path. A new curve or new markers are
    created; existing ones stay in the scene"""

    bl_idname = "footfall.draw_path"
    bl_label = "Click a Path"
    bl_options = {"REGISTER", "UNDO", "BLOCKING"}

    _points: list[Vector]
    _preview_path: ClickedCurve | ClickedMarkers
    _ignored_objects: set[str]

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a character and a 3D view."""
        if find_armature(context.object) is None:
            return "Select a character's armature first"
        if context.area is None or context.area.type != "VIEW_3D":
            return "Works in a 3D view"
        return ""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start the path at the character."""
        armature = find_armature(context.object)
        assert armature is not None
        scene = context.scene
        leg_length = (
            armature.footfall.leg_length or HUMAN_LEG_LENGTH
        ) / scene.unit_settings.scale_length
        self._ignored_objects = {
            o.name for o in scene.objects if o.find_armature() == armature or o.parent == armature
        }
        settings = find_active_settings(context)
        self._preview_path = (
            ClickedMarkers(settings, leg_length)
            if has_marker_path(settings)
            else ClickedCurve(settings, CURVE_LIFT * leg_length)
        )
        above = armature.matrix_world.translation + Vector((0, 0, 2 * leg_length))
        ground_point = raycast_ground(
            scene,
            context.evaluated_depsgraph_get(),
            above,
            direction=Vector((0, 0, -1)),
            excluded=self._ignored_objects,
        )
        self._points = [ground_point or armature.matrix_world.translation.copy()]
        context.window_manager.modal_handler_add(self)
        context.workspace.status_text_set(STATUS_TEXT)
        context.window.cursor_modal_set("CROSSHAIR")
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Add a point for each click; view navigation stays available."""
        if event.value != "PRESS":
            return {"PASS_THROUGH"}
        if event.type == "LEFTMOUSE" and not event.alt:
            return self._click(context, event)
        if event.type == "BACK_SPACE":
            if len(self._points) > 1:
                self._points.pop()
                self._show(context)
            return {"RUNNING_MODAL"}
        if event.type in {"RET", "NUMPAD_ENTER", "RIGHTMOUSE"}:
            self._end_modal(context)
            return {"FINISHED"} if self._preview_path.has_path else {"CANCELLED"}
        if event.type == "ESC":
            self.cancel(context)
            return {"CANCELLED"}
        return {"PASS_THROUGH"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Discard the path and restore the previous one."""
        self._preview_path.remove(find_active_settings(context))
        self._end_modal(context)

    def _click(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        region = next((r for r in context.area.regions if r.type == "WINDOW"), None)
        if region is None or not (
            0 <= event.mouse_x - region.x < region.width
            and 0 <= event.mouse_y - region.y < region.height
        ):
            return {"PASS_THROUGH"}  # keep panels and other editors usable
        mouse = (event.mouse_x - region.x, event.mouse_y - region.y)
        region_3d = context.space_data.region_3d
        origin = view3d_utils.region_2d_to_origin_3d(region, region_3d, mouse)
        direction = view3d_utils.region_2d_to_vector_3d(region, region_3d, mouse)
        point = raycast_ground(
            context.scene,
            context.evaluated_depsgraph_get(),
            origin,
            direction=direction,
            excluded=self._ignored_objects,
        )
        if point is None:
            self.report({"WARNING"}, "There is no ground under the mouse")
            return {"RUNNING_MODAL"}
        self._points.append(point)
        self._show(context)
        return {"RUNNING_MODAL"}

    def _show(self, context: bpy.types.Context) -> None:
        """Update the curve or the markers."""
        self._preview_path.show(find_active_settings(context), self._points)
        context.area.tag_redraw()

    def _end_modal(self, context: bpy.types.Context) -> None:
        context.workspace.status_text_set(None)
        context.window.cursor_modal_restore()
