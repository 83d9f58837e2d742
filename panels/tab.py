"""Where all panels are."""

from __future__ import annotations

import bpy

from ..addon.scene.active import has_gaits


class Tab:
    """The place of every panel."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Footfall"


class HumanoidTab(Tab):
    """The place of what belongs to the motion of bodies that go by styles."""

    bl_parent_id = "FOOTFALL_PT_motion"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Not for bodies that go by gaits."""
        return not has_gaits(context)
