"""Where all panels are."""
from __future__ import annotations


class Tab:
    """The place of every panel."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Footfall"
