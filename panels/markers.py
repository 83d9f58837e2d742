"""List of markers that define a path."""

from __future__ import annotations

import bpy

from ..addon.scene.active import has_gaits
from ..addon.settings.motion import MotionSettings


class FOOTFALL_UL_markers(bpy.types.UIList):
    """List with one marker per row."""

    def draw_item(  # noqa: PLR0913 (the signature is Blender's)
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
        """Draw number, name and facing switch of a marker."""
        is_missing = item.thing is None or item.thing.name not in context.scene.objects
        row = layout.row(align=True)
        row.active = not is_missing
        if is_missing:
            row.label(text=f"{index + 1}  (deleted)", icon="ERROR")
            return
        row.label(text=f"{index + 1}", icon="EMPTY_AXIS")
        row.prop(item.thing, "name", text="", emboss=False)
        if not has_gaits(context):  # other bodies always face along the path
            switch = row.row(align=True)
            switch.emboss = "NORMAL"  # a button shows its state
            switch.prop(item, "faces", text="", icon="ORIENTATION_LOCAL")


def draw_markers(layout: bpy.types.UILayout, settings: MotionSettings) -> None:
    """Draw the list and its buttons."""
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
