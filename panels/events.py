"""Panels of obstacles and events."""

from __future__ import annotations

from collections.abc import Iterable

import bpy

from ..addon.scene.active import find_active_settings
from ..addon.scene.presence import find_present
from ..core.engine import ENGINES
from .tab import HumanoidTab, Tab
from .text import compute_text_width, draw_wrapped


class FOOTFALL_PT_obstacles(Tab, bpy.types.Panel):
    """Hurdles, stepping stones and monkey bars."""

    bl_label = "Hurdles, Stones & Bars"
    bl_parent_id = "FOOTFALL_PT_path"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the collections and the tread."""
        layout = self.layout
        settings = find_active_settings(context)
        scene_settings = context.scene.footfall
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(scene_settings, "hurdles")
        layout.prop(scene_settings, "stones")
        layout.prop(settings, "bars")
        row = layout.row()
        row.active = "tread" in ENGINES[settings.engine].features
        row.prop(settings, "tread")
        obstacles = (scene_settings.hurdles, scene_settings.stones)
        if all(find_present(collection, context.scene) for collection in obstacles):
            layout.label(text="Hurdles or stones, not both", icon="ERROR")


class FOOTFALL_PT_jumps(Tab, bpy.types.Panel):
    """List of jumps."""

    bl_label = "Jumps"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the list, and a note about jumps or a conflict of a planned body."""
        layout = self.layout
        settings = find_active_settings(context)
        scene_settings = context.scene.footfall
        layout.active = "jumps" in ENGINES[settings.engine].features
        draw_list(layout, settings.jumps, "jump", ("frame", "height", "distance", "turn", "flips"))
        if not settings.jumps or ENGINES[settings.engine].jumps_while_moving:
            return
        conflicts = {
            "pushes": settings.pushes,
            "hurdles": find_present(scene_settings.hurdles, context.scene),
            "stones": find_present(scene_settings.stones, context.scene),
        }
        conflict = next((name for name, entries in conflicts.items() if entries), "")
        if conflict:
            layout.label(text=f"Jumps and {conflict} cannot be combined", icon="ERROR")
        else:
            layout.label(text="The body stands between jumps", icon="INFO")


class FOOTFALL_PT_key_poses(HumanoidTab, bpy.types.Panel):
    """List of key poses."""

    bl_label = "Key Poses"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw a hint and the list."""
        layout = self.layout
        settings = find_active_settings(context)
        layout.active = "key_poses" in ENGINES[settings.engine].features
        if not settings.struck:
            draw_wrapped(
                layout.column(align=True),
                "Pose the character at a frame, then add a key pose",
                compute_text_width(context),
            )
        draw_list(
            layout,
            settings.struck,
            "struck",
            fields=("frame", "hold", "blend", "part"),
            title="Key Pose",
        )


class FOOTFALL_PT_pushes(Tab, bpy.types.Panel):
    """List of pushes."""

    bl_label = "Pushes"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the list."""
        fields = ("frame", "strength", "moment", "arrow", "direction", "at", "seconds")
        settings = find_active_settings(context)
        self.layout.active = "pushes" in ENGINES[settings.engine].features
        draw_list(self.layout, settings.pushes, "push", fields)


class FOOTFALL_PT_waits(Tab, bpy.types.Panel):
    """List of waits."""

    bl_label = "Waits"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the list."""
        draw_list(self.layout, find_active_settings(context).waits, "wait", ("frame", "frames"))


def draw_list(
    layout: bpy.types.UILayout,
    items: Iterable[bpy.types.PropertyGroup],
    kind: str,
    fields: tuple[str, ...],
    title: str = "",
) -> None:
    """Draw a list of entries with a button that adds an entry.

    The button comes first, so that it does not move.

    Args:
        layout: layout to draw in.
        items: entries.
        kind: kind of the entries, as in the names of the operators.
        fields: properties of an entry.
        title: title of an entry; by default the kind.
    """
    layout.use_property_split = True
    layout.use_property_decorate = False
    layout.operator(f"footfall.add_{kind}", icon="ADD")
    for k, item in enumerate(items):
        box = layout.box().column(align=True)
        row = box.row()
        row.label(text=f"{title or kind.title()} {k + 1}")
        row.operator(f"footfall.remove_{kind}", text="", icon="X").index = k
        for name in fields:
            box.prop(item, name)
