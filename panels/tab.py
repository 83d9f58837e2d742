"""Base classes of panels."""

from __future__ import annotations

import bpy

from ..addon.scene.active import has_gaits


class Tab:
    """Location of all panels."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Footfall"


class HumanoidTab(Tab):
    """Location of panels that only humanoid bodies have."""

    bl_parent_id = "FOOTFALL_PT_motion"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether the body has styles instead of gaits."""
        return not has_gaits(context)
