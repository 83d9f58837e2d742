"""What can be turned on a style."""
from __future__ import annotations

import bpy

from ..addon.asking import goes_by_gait
from .main import Tab

GROUPS = (("step_length", "step_width", "cadence"), ("bounce", "sway", "lean", "crouch"), ("foot_roll", "toe_out", "knee_lift"),
          ("arm_swing", "arm_spread"), ("head_turn", "head_nod", "stiffness"))


class FOOTFALL_PT_style(Tab, bpy.types.Panel):
    """A slider for each knob."""

    bl_label = "Style"
    bl_parent_id = "FOOTFALL_PT_motion"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Only for bodies that go by styles."""
        return not goes_by_gait(context)

    def draw(self, context: bpy.types.Context) -> None:
        """The sliders from feet to head, and the button that sets them back."""
        layout, knobs = self.layout, context.scene.footfall.knobs
        layout.use_property_split = True
        layout.use_property_decorate = False
        for group in GROUPS:
            column = layout.column(align=True)
            for name in group:
                column.prop(knobs, name, slider=True)
        layout.operator("footfall.reset_knobs", icon="LOOP_BACK")
