"""Menus of presets in the headers of panels."""

from __future__ import annotations

import bpy
from bl_ui.utils import PresetPanel

from ..addon.settings.presets import FILE_SUFFIX, find_preset_folders


class _SettingsPresetPanel(PresetPanel):
    """Base of menus of presets, which look like Blender's."""

    bl_space_type = "VIEW_3D"
    kind = ""

    def draw(self, context: bpy.types.Context) -> None:
        """Draw built-in and saved presets, and a field to save another one."""
        layout = self.layout
        layout.emboss = "PULLDOWN_MENU"
        layout.operator_context = "EXEC_DEFAULT"
        self.path_menu(
            [str(path) for path in find_preset_folders(self.kind)],
            "footfall.use_settings",
            filter_ext=lambda ending: ending == FILE_SUFFIX,
            display_name=lambda path: bpy.path.display_name(path, title_case=False),
            add_operator="footfall.keep_settings",
            add_operator_props={"kind": self.kind},
        )


class FOOTFALL_PT_motion_presets(_SettingsPresetPanel, bpy.types.Panel):
    """Presets of motion settings."""

    bl_label = "Motion Presets"
    kind = "motion"


class FOOTFALL_PT_bake_presets(_SettingsPresetPanel, bpy.types.Panel):
    """Presets of bake settings."""

    bl_label = "Bake Presets"
    kind = "bake"
