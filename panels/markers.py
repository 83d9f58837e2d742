"""The list of markers that the character goes along."""

from __future__ import annotations

import bpy

from ..addon.scene.active import has_gaits
from ..addon.settings.motion import MotionSettings


class FOOTFALL_UL_markers(bpy.types.UIList):
    """A marker a row."""

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: MotionSettings,
        item: bpy.types.PropertyGroup,
        icon: int,
        active_data: MotionSettings,
        active_property: str,
        index: int = 0,
        flt_flag: int = 0,
    ) -> None:
        """Its number and name, and whether the character faces its way."""
        is_missing = item.thing is None or item.thing.name not in context.scene.objects
        row = layout.row(align=True)
        row.active = not is_missing
        if is_missing:
            row.label(text=f"{index + 1}  (deleted)", icon="ERROR")
            return
        row.label(text=f"{index + 1}", icon="EMPTY_AXIS")
        row.prop(item.thing, "name", text="", emboss=False)
        if not has_gaits(context):  # such bodies always face along their path
            switch = row.row(align=True)
            switch.emboss = "NORMAL"  # as a button, which shows whether it is set
            switch.prop(item, "faces", text="", icon="ORIENTATION_LOCAL")


def draw_markers(layout: bpy.types.UILayout, settings: MotionSettings) -> None:
    """The list, with buttons beside it."""
    row = layout.row()
    row.template_list(
        "FOOTFALL_UL_markers",
        "",
        settings,
        "markers",
        settings,
        "marker_index",
        rows=4 if len(settings.markers) else 3,
        sort_lock=True,
    )
    column = row.column(align=True)
    column.operator("footfall.add_markers", text="", icon="ADD")
    column.operator("footfall.remove_marker", text="", icon="REMOVE")
    if len(settings.markers) > 1:
        column.separator()
        column.operator("footfall.move_marker", text="", icon="TRIA_UP").direction = "UP"
        column.operator("footfall.move_marker", text="", icon="TRIA_DOWN").direction = "DOWN"
        column.operator("footfall.sort_markers", text="", icon="SORTALPHA")
    if not len(settings.markers):
        layout.label(text="Add selected empties, or click markers", icon="INFO")
