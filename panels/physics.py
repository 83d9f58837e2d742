"""What is shown of the physics behind a motion."""
from __future__ import annotations

import bpy

from ..addon.bake.stored_plan import has_plan
from ..addon.overlay.manager import known_of, trouble_of
from ..addon.scene.active import armature_of
from ..core.motion.easing import REASONS
from .tab import Tab
from .text import width_of, wrapped

MOST = 6              # stretches that gave way, in a list
SIGNS = {"reach": "COLORSET_01_VEC", "arm": "COLORSET_05_VEC", "turn": "COLORSET_06_VEC", "miss": "COLORSET_09_VEC"}


class FOOTFALL_PT_physics(Tab, bpy.types.Panel):
    """Whether the physics are shown, and what of them."""

    bl_label = "Physics"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header(self, context: bpy.types.Context) -> None:
        """The switch of it all."""
        self.layout.prop(context.scene.footfall_overlay, "show", text="")

    def draw(self, context: bpy.types.Context) -> None:
        """A switch for each part, and where something gave way."""
        layout, wish, armature = self.layout, context.scene.footfall_overlay, armature_of(context.object)
        layout.use_property_split = True
        layout.use_property_decorate = False
        if not has_plan(armature) and wish.whose == "ACTIVE":
            layout.label(text="Generate a motion to see its physics", icon="INFO")
        parts = layout.column()
        parts.active = wish.show
        parts.row().prop(wish, "whose", expand=True)
        column = parts.column(heading="Show", align=True)
        for name in ("com", "support", "footprints", "forces", "pushes"):
            column.prop(wish, name)
        row = parts.row()
        row.active = wish.forces or wish.pushes
        row.prop(wish, "force_length")
        parts.prop(wish, "in_front")
        column = parts.column(heading="Over Time", align=True)
        for name in ("graph", "contacts", "timeline"):
            column.prop(wish, name)
        if wish.show:
            _draw_eased(layout, context, armature)


def _draw_eased(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object | None) -> None:
    """What gave way, in the colours of the path."""
    if trouble_of(armature):
        wrapped(layout.column(align=True), trouble_of(armature), width_of(context), icon="ERROR")
    physics = known_of(armature)
    if physics is None or not physics.easings:
        return
    column = layout.column(align=True)
    column.label(text="Gave Way")
    for e in physics.easings[:MOST]:
        begin, end = (physics.first_frame + round(time * physics.fps) for time in (e.begin, e.end))
        wrapped(column, f"{begin} to {end}: {REASONS[e.reason][0]}", width_of(context), icon=SIGNS[e.reason])
    if len(physics.easings) > MOST:
        column.label(text=f"and {len(physics.easings) - MOST} more", icon="BLANK1")
