"""Panel of the physics overlay."""

from __future__ import annotations

import bpy

from ..addon.bake.stored_plan import has_plan
from ..addon.overlay.manager import get_cached_physics, get_problem
from ..addon.scene.active import find_armature
from ..core.motion.violations import VIOLATION_REASONS
from .tab import Tab
from .text import compute_text_width, draw_wrapped

# Fewer than in a report (`MAX_LISTED_LINES`): the view shows all of them, in the same colors.
MAX_LISTED_VIOLATIONS = 6
REASON_ICONS = {
    "reach": "COLORSET_01_VEC",
    "arm": "COLORSET_05_VEC",
    "turn": "COLORSET_06_VEC",
    "miss": "COLORSET_09_VEC",
}


class FOOTFALL_PT_physics(Tab, bpy.types.Panel):
    """Settings of the overlay, and constraint violations."""

    bl_label = "Physics"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header(self, context: bpy.types.Context) -> None:
        """Draw the switch of the overlay."""
        self.layout.prop(context.scene.footfall_overlay, "show", text="")

    def draw(self, context: bpy.types.Context) -> None:
        """Draw a switch for each part, and the list of violations."""
        layout = self.layout
        overlay_settings = context.scene.footfall_overlay
        armature = find_armature(context.object)
        layout.use_property_split = True
        layout.use_property_decorate = False
        if not has_plan(armature) and overlay_settings.whose == "ACTIVE":
            layout.label(text="Generate a motion to see its physics", icon="INFO")
        parts = layout.column()
        parts.active = overlay_settings.show
        parts.row().prop(overlay_settings, "whose", expand=True)
        column = parts.column(heading="Show", align=True)
        for name in ("com", "support", "footprints", "forces", "pushes"):
            column.prop(overlay_settings, name)
        row = parts.row()
        row.active = overlay_settings.forces or overlay_settings.pushes
        row.prop(overlay_settings, "force_length")
        parts.prop(overlay_settings, "in_front")
        column = parts.column(heading="Over Time", align=True)
        for name in ("graph", "contacts", "timeline"):
            column.prop(overlay_settings, name)
        if overlay_settings.show:
            _draw_violations(layout, context, armature)


def _draw_violations(
    layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object | None
) -> None:
    """Draw the list of violations in the colors of the overlay."""
    if get_problem(armature):
        draw_wrapped(
            layout.column(align=True),
            get_problem(armature),
            compute_text_width(context),
            icon="ERROR",
        )
    physics = get_cached_physics(armature)
    if physics is None or not physics.violations:
        return
    column = layout.column(align=True)
    column.label(text="Violations")
    for violation in physics.violations[:MAX_LISTED_VIOLATIONS]:
        begin, end = (
            physics.first_frame + round(time * physics.fps)
            for time in (violation.begin, violation.end)
        )
        draw_wrapped(
            column,
            f"{begin} to {end}: {VIOLATION_REASONS[violation.reason].problem}",
            compute_text_width(context),
            icon=REASON_ICONS[violation.reason],
        )
    if len(physics.violations) > MAX_LISTED_VIOLATIONS:
        column.label(
            text=f"and {len(physics.violations) - MAX_LISTED_VIOLATIONS} more", icon="BLANK1"
        )
