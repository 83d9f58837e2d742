"""Presets of settings: use, save and removal."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
from pathlib import Path
from typing import Any

import bpy
from bl_operators.presets import AddPresetBase
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ..addon.scene.active import find_active_settings
from ..addon.settings import presets
from ..core.errors import FootfallError
from .common import reports_errors


def _find_settings_owner(context: bpy.types.Context, kind: str) -> Any:
    """Return the settings that presets of a kind apply to."""
    return context.scene.footfall_bake if kind == "bake" else find_active_settings(context)


class FOOTFALL_OT_use_settings(bpy.types.Operator):
    """Apply this preset and reset the settings that it does not contain"""

    bl_idname = "footfall.use_settings"
    bl_label = "Use Preset"
    bl_options = {"REGISTER", "UNDO"}

    filepath: StringProperty(
        name="File", subtype="FILE_PATH", options={"SKIP_SAVE"}, description="File of the preset"
    )

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Apply the preset, or report an error without changes."""
        path = Path(self.filepath)
        preset = presets.load_preset(path)
        presets.apply_preset(
            preset,
            _find_settings_owner(context, preset.kind),
            bpy.path.display_name(path.name, title_case=False),
        )
        return {"FINISHED"}


class FOOTFALL_OT_keep_settings(bpy.types.Operator):
    """Save the current settings as a preset, or remove a preset"""

    bl_idname = "footfall.keep_settings"
    bl_label = "Add Preset"
    bl_options = {"REGISTER", "INTERNAL"}

    kind: EnumProperty(
        items=[(kind, kind.title(), "") for kind in presets.SETTINGS_BY_KIND],
        options={"HIDDEN", "SKIP_SAVE"},
    )
    name: StringProperty(
        name="Name", maxlen=64, options={"SKIP_SAVE"}, description="Name of the preset"
    )
    remove_name: BoolProperty(options={"HIDDEN", "SKIP_SAVE"})

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Save or delete a file."""
        if self.remove_name:
            self.report({"INFO"}, f"Removed {_remove_preset(self.kind, self.name)}")
            return {"FINISHED"}
        name = AddPresetBase.as_filename(self.name)
        if not name:
            raise FootfallError("A preset needs a name; type one.")
        if (presets.BUILTIN_FOLDER / self.kind / (name + presets.FILE_SUFFIX)).exists():
            raise FootfallError(
                f"The preset {self.name!r} is part of Footfall. Choose another name."
            )
        path = presets.user_preset_folder(self.kind) / (name + presets.FILE_SUFFIX)
        presets.save_preset(
            presets.collect_settings(_find_settings_owner(context, self.kind), self.kind), path
        )
        self.report({"INFO"}, f"Saved as {bpy.path.display_name(path.name, title_case=False)}")
        return {"FINISHED"}


def _remove_preset(kind: str, name: str) -> str:
    """Delete a preset of the user.

    Args:
        kind: kind of the preset, a key of `presets.SETTINGS_BY_KIND`.
        name: displayed name of the preset.

    Returns:
        The name.

    Raises:
        FootfallError: the user has no preset of this name, or it cannot be deleted.
    """
    user_presets = {
        bpy.path.display_name(path.name, title_case=False): path
        for path in presets.user_preset_folder(kind).glob(f"*{presets.FILE_SUFFIX}")
    }
    if name not in user_presets:
        raise FootfallError(
            f"The preset {name!r} is part of Footfall and cannot be removed."
            if any(
                bpy.path.display_name(path.name, title_case=False) == name
                for path in (presets.BUILTIN_FOLDER / kind).glob("*")
            )
            else f"There is no preset {name!r}."
        )
    try:
        user_presets[name].unlink()
    except OSError as error:
        raise FootfallError(
            f"The preset {user_presets[name]} cannot be removed: {error.strerror or error}."
        ) from error
    return name


CLASSES = (FOOTFALL_OT_use_settings, FOOTFALL_OT_keep_settings)
