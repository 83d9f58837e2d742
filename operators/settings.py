"""Presets of settings: use one, keep what is set as one, remove one."""

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
    """Whose settings presets of a kind are about: the active character's, or the scene's bakes."""
    return context.scene.footfall_bake if kind == "bake" else find_active_settings(context)


class FOOTFALL_OT_use_settings(bpy.types.Operator):
    """Set everything as this preset has it; what it says nothing of is set back"""

    bl_idname = "footfall.use_settings"
    bl_label = "Use Preset"
    bl_options = {"REGISTER", "UNDO"}

    filepath: StringProperty(
        name="File", subtype="FILE_PATH", options={"SKIP_SAVE"}, description="The preset"
    )

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read it, and set all or nothing."""
        path = Path(self.filepath)
        preset = presets.load_preset(path)
        presets.apply_preset(
            preset,
            _find_settings_owner(context, preset.kind),
            bpy.path.display_name(path.name, title_case=False),
        )
        return {"FINISHED"}


class FOOTFALL_OT_keep_settings(bpy.types.Operator):
    """Keep what is set now as a preset of this name, or remove one"""

    bl_idname = "footfall.keep_settings"
    bl_label = "Add Preset"
    bl_options = {"REGISTER", "INTERNAL"}

    kind: EnumProperty(
        items=[(kind, kind.title(), "") for kind in presets.SETTINGS_BY_KIND],
        options={"HIDDEN", "SKIP_SAVE"},
    )
    name: StringProperty(
        name="Name", maxlen=64, options={"SKIP_SAVE"}, description="What the preset is called"
    )
    remove_name: BoolProperty(options={"HIDDEN", "SKIP_SAVE"})

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write or delete a file."""
        if self.remove_name:
            self.report({"INFO"}, f"Removed {_remove_preset(self.kind, self.name)}")
            return {"FINISHED"}
        name = AddPresetBase.as_filename(self.name)
        if not name:
            raise FootfallError("A preset needs a name; type one.")
        if (presets.BUILTIN_FOLDER / self.kind / (name + presets.FILE_SUFFIX)).exists():
            raise FootfallError(f"A preset {self.name!r} comes with Footfall. Choose another name.")
        path = presets.user_preset_folder(self.kind, create=True) / (name + presets.FILE_SUFFIX)
        presets.save_preset(
            presets.collect_settings(_find_settings_owner(context, self.kind), self.kind), path
        )
        self.report({"INFO"}, f"Kept as {bpy.path.display_name(path.name, title_case=False)}")
        return {"FINISHED"}


def _remove_preset(kind: str, name: str) -> str:
    """Delete the preset that a list shows by this name.

    Raises:
        FootfallError: there is none of the user's own, or it cannot be deleted.
    """
    user_presets = {
        bpy.path.display_name(path.name, title_case=False): path
        for path in presets.user_preset_folder(kind).glob(f"*{presets.FILE_SUFFIX}")
    }
    if name not in user_presets:
        raise FootfallError(
            f"The preset {name!r} comes with Footfall, and stays."
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
