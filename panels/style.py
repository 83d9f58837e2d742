"""What can be turned on a style."""
from __future__ import annotations

import bpy

from ..addon.asking import goes_by_gait
from ..addon.clips import ALONE
from .main import Tab

GROUPS = (("step_length", "step_width", "cadence"), ("bounce", "sway", "lean", "crouch"), ("foot_roll", "toe_out", "knee_lift"),
          ("arm_swing", "arm_spread"), ("head_turn", "head_nod", "stiffness"))


class FOOTFALL_PT_style(Tab, bpy.types.Panel):
    """What the style is mixed of, and a slider for each knob."""

    bl_label = "Style"
    bl_parent_id = "FOOTFALL_PT_motion"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Only for bodies that go by styles."""
        return not goes_by_gait(context)

    def draw(self, context: bpy.types.Context) -> None:
        """Other styles, the sliders from feet to head, and the button that sets these back."""
        layout, wish = self.layout, context.scene.footfall
        knobs = wish.knobs
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column(align=True)
        column.prop(wish, "mixed_style")
        if wish.mixed_style != ALONE:
            column.prop(wish, "mixed_share", slider=True)
        column.prop(wish, "upper_style")
        for group in GROUPS:
            column = layout.column(align=True)
            for name in group:
                column.prop(knobs, name, slider=True)
        layout.operator("footfall.reset_knobs", icon="LOOP_BACK")
