"""Panels that are closed until they are needed: what is in the way, and what happens on it."""

from __future__ import annotations

from collections.abc import Iterable

import bpy

from ..addon.scene.active import find_active_settings
from ..core.engine import ENGINES
from .tab import HumanoidTab, Tab
from .text import compute_text_width, draw_wrapped


class FOOTFALL_PT_obstacles(Tab, bpy.types.Panel):
    """What it leaps over, what it steps on, what it hangs on."""

    bl_label = "Hurdles, Stones & Bars"
    bl_parent_id = "FOOTFALL_PT_path"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """A collection each."""
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
        if scene_settings.hurdles is not None and scene_settings.stones is not None:
            layout.label(text="Hurdles or stones, not both", icon="ERROR")


class FOOTFALL_PT_jumps(Tab, bpy.types.Panel):
    """Where it jumps instead of walking."""

    bl_label = "Jumps"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """A button for another jump, which stays where it is, and a box for each."""
        layout = self.layout
        settings = find_active_settings(context)
        scene_settings = context.scene.footfall
        draw_list(layout, settings.jumps, "jump", ("frame", "height", "distance", "turn", "flips"))
        if not settings.jumps:
            return
        conflict = (
            "pushes"
            if settings.pushes
            else "hurdles"
            if scene_settings.hurdles
            else "stones"
            if scene_settings.stones
            else ""
        )
        if conflict:
            layout.label(text=f"Jumps and {conflict} do not combine", icon="ERROR")
        else:
            layout.label(text="It stands between jumps", icon="INFO")


class FOOTFALL_PT_key_poses(HumanoidTab, bpy.types.Panel):
    """Poses that it strikes on its way."""

    bl_label = "Key Poses"

    def draw(self, context: bpy.types.Context) -> None:
        """How it is done, a button that keeps the pose there is, and a box for each."""
        layout = self.layout
        settings = find_active_settings(context)
        if not settings.struck:
            draw_wrapped(
                layout.column(align=True),
                "Pose the character at a frame, then keep the pose",
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
    """What pushes it."""

    bl_label = "Pushes"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """A button for another push, which stays where it is, and a box for each."""
        fields = ("frame", "strength", "moment", "arrow", "direction", "at", "seconds")
        draw_list(self.layout, find_active_settings(context).pushes, "push", fields)


class FOOTFALL_PT_waits(Tab, bpy.types.Panel):
    """Where it stops for a while."""

    bl_label = "Waits"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """A button for another wait, which stays where it is, and a box for each."""
        draw_list(self.layout, find_active_settings(context).waits, "wait", ("frame", "frames"))


def draw_list(
    layout: bpy.types.UILayout,
    items: Iterable[bpy.types.PropertyGroup],
    kind: str,
    fields: tuple[str, ...],
    title: str = "",
) -> None:
    """The button that adds one of a kind, and all that there are,
    each with its fields and a button that removes it.
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
