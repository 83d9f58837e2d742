"""Click on the ground where the character is to go."""
# No `from __future__ import annotations` here: Blender reads the annotations of operators as they are.
import bpy
from bpy_extras import view3d_utils
from mathutils import Vector

from ..addon.path_tool.curve import LIFT, ground_below
from ..addon.path_tool.preview_path import ClickedCurve, ClickedMarkers
from ..addon.scene.active import armature_of, wish_of
from ..addon.scene.path import goes_by_markers
from .common import Greyed

LEG = 0.9             # m, of a character that was not detected
TELLS = "Footfall: click where it goes    Backspace: take the last back    Enter or right click: done    Esc: cancel"


class FOOTFALL_OT_draw_path(Greyed, bpy.types.Operator):
    """Click on the ground, one place after the other, where the character is to go. A new curve or new markers are made; those
    before stay"""

    bl_idname = "footfall.draw_path"
    bl_label = "Click a Path"
    bl_options = {"REGISTER", "UNDO", "BLOCKING"}

    _places: list[Vector]
    _clicked: ClickedCurve | ClickedMarkers
    _skipped: set[str]

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """With a character, in a 3D view."""
        if armature_of(context.object) is None:
            return "Select a character's armature first"
        if context.area is None or context.area.type != "VIEW_3D":
            return "Works in a 3D view"
        return ""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin at the character's own place."""
        armature = armature_of(context.object)
        assert armature is not None
        scene = context.scene
        leg = (armature.footfall.leg_length or LEG) / scene.unit_settings.scale_length
        self._skipped = {o.name for o in scene.objects if o.find_armature() == armature or o.parent == armature}
        wish = wish_of(context)
        self._clicked = ClickedMarkers(wish, leg) if goes_by_markers(wish) else ClickedCurve(wish, LIFT * leg)
        above = armature.matrix_world.translation + Vector((0, 0, 2 * leg))
        below = ground_below(scene, context.evaluated_depsgraph_get(), above, Vector((0, 0, -1)), self._skipped)
        self._places = [below or armature.matrix_world.translation.copy()]
        context.window_manager.modal_handler_add(self)
        context.workspace.status_text_set(TELLS)
        context.window.cursor_modal_set("CROSSHAIR")
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Clicks add places; looking around works as ever."""
        if event.value != "PRESS":
            return {"PASS_THROUGH"}
        if event.type == "LEFTMOUSE" and not event.alt:
            return self._click(context, event)
        if event.type == "BACK_SPACE":
            if len(self._places) > 1:
                self._places.pop()
                self._show(context)
            return {"RUNNING_MODAL"}
        if event.type in {"RET", "NUMPAD_ENTER", "RIGHTMOUSE"}:
            self._over(context)
            return {"FINISHED"} if self._clicked.made else {"CANCELLED"}
        if event.type == "ESC":
            self.cancel(context)
            return {"CANCELLED"}
        return {"PASS_THROUGH"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Leave everything as it was."""
        self._clicked.remove(wish_of(context))
        self._over(context)

    def _click(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        region = next((r for r in context.area.regions if r.type == "WINDOW"), None)
        if region is None or not (0 <= event.mouse_x - region.x < region.width and 0 <= event.mouse_y - region.y < region.height):
            return {"PASS_THROUGH"}            # panels and other editors stay in use
        at, view = (event.mouse_x - region.x, event.mouse_y - region.y), context.space_data.region_3d
        origin = view3d_utils.region_2d_to_origin_3d(region, view, at)
        direction = view3d_utils.region_2d_to_vector_3d(region, view, at)
        place = ground_below(context.scene, context.evaluated_depsgraph_get(), origin, direction, self._skipped)
        if place is None:
            self.report({"WARNING"}, "There is no ground under the mouse there")
            return {"RUNNING_MODAL"}
        self._places.append(place)
        self._show(context)
        return {"RUNNING_MODAL"}

    def _show(self, context: bpy.types.Context) -> None:
        """What is made of the places so far."""
        self._clicked.show(wish_of(context), self._places)
        context.area.tag_redraw()

    def _over(self, context: bpy.types.Context) -> None:
        context.workspace.status_text_set(None)
        context.window.cursor_modal_restore()
