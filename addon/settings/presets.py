"""Presets of settings, of the motion or of the bake: one JSON file each.

Presets of Blender are Python files, which it executes. These are data: names and values of
settings, all checked before any is set, so that a file from an unknown source is safe. A setting
that a file omits takes its default.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from ...core.errors import TaskError
from ..user_files import styles
from ..user_files.folders import create_folder
from .copy import COPIED_LAST

FORMAT_KEY = "footfall_settings"
FORMAT_VERSION = 1
FILE_SUFFIX = ".json"
BUILTIN_FOLDER = Path(__file__).resolve().parents[2] / "presets"
STYLE_SETTINGS = (
    "style",
    "style_from",
    "mine",
    "clip",
    "mixed_style",
    "mixed_share",
    "upper_style",
    "quadruped_style",
    "gait",
)
PACE_SETTINGS = ("natural_speed", "speed", "natural_stride", "stride", "width")
# Settings of each group; () for all
SETTING_GROUPS = {
    "knobs": (),
    "mixed_other": ("source", "mine", "clip"),
    "upper_other": ("source", "mine", "clip"),
}
BAKE_SETTINGS = (
    "into",
    "spacing",
    "step",
    "held",
    "feet",
    "body",
    "bones",
    "blend_in",
    "blend_out",
    "replace",
)
SETTINGS_BY_KIND = {
    "motion": (*STYLE_SETTINGS, *PACE_SETTINGS, *SETTING_GROUPS),
    "bake": BAKE_SETTINGS,
}
# Types of values in files by the type of the property
PYTHON_TYPES = {
    "BOOLEAN": (bool,),
    "INT": (int,),
    "FLOAT": (int, float),
    "ENUM": (str,),
    "STRING": (str,),
}
VALUE_TYPES = {kind for kinds in PYTHON_TYPES.values() for kind in kinds}


@dataclass(frozen=True)
class SettingsPreset:
    """Content of a preset.

    Args:
        kind: "motion" or "bake".
        values: values by name; settings in a group have a point in their name, such as
            "knobs.lean".
    """

    kind: str
    values: dict[str, bool | int | float | str]


@dataclass(frozen=True)
class _Setting:
    """A setting: its property group and its name there."""

    group: bpy.types.PropertyGroup
    identifier: str

    @property
    def definition(self) -> bpy.types.Property:
        """The property that holds the setting."""
        return self.group.bl_rna.properties[self.identifier]

    @property
    def default(self) -> Any:
        """The default value."""
        return self.definition.default


def find_preset_folders(kind: str) -> list[Path]:
    """Return the folders with presets of a kind: those of Footfall and those of the user."""
    return [path for path in (BUILTIN_FOLDER / kind, user_preset_folder(kind)) if path.is_dir()]


def user_preset_folder(kind: str) -> Path:
    """Return the folder of the user's presets of a kind, whether it exists or not."""
    return Path(bpy.utils.user_resource("SCRIPTS", path=f"presets/footfall/{kind}"))


def _map_settings(owner: bpy.types.PropertyGroup, kind: str) -> dict[str, _Setting]:
    """Return the settings of a kind by their names in files."""
    settings_by_name = {}
    for name in SETTINGS_BY_KIND[kind]:
        if name not in SETTING_GROUPS:
            settings_by_name[name] = _Setting(owner, name)
            continue
        group = getattr(owner, name)
        setting_names = SETTING_GROUPS[name] or [
            p.identifier
            for p in group.bl_rna.properties
            if p.identifier not in ("rna_type", "name")
        ]
        settings_by_name |= {f"{name}.{part}": _Setting(group, part) for part in setting_names}
    return settings_by_name


def collect_settings(owner: bpy.types.PropertyGroup, kind: str) -> SettingsPreset:
    """Return the current settings that differ from their defaults.

    Raises:
        TaskError: a style comes from an action, which a file cannot hold.
    """
    values = {}
    for name, setting in _map_settings(owner, kind).items():
        value = getattr(setting.group, setting.identifier)
        if value == "ACTION" and setting.identifier in ("source", "style_from"):
            raise TaskError(
                "A style comes from an action of this file, which a preset cannot keep. Save the "
                "style with Save Style first, and choose it under Mine."
            )
        if setting.identifier == "clip" and value:
            value = bpy.path.abspath(value)
        if value != setting.default:
            values[name] = value
    return SettingsPreset(kind, values)


def save_preset(settings: SettingsPreset, path: Path) -> None:
    """Write a preset, in a folder that is created if it does not exist.

    Raises:
        TaskError: the file exists already or cannot be written.
        FootfallError: its folder cannot be created.
    """
    create_folder(path.parent)
    try:
        with path.open("x", encoding="utf-8") as file:
            json.dump(
                {FORMAT_KEY: FORMAT_VERSION, "kind": settings.kind, "values": settings.values},
                file,
                indent=1,
            )
            file.write("\n")
    except FileExistsError as error:
        raise TaskError(
            f"There is a preset {path.stem!r} already. Choose another name, or remove that preset."
        ) from error
    except OSError as error:
        raise TaskError(
            f"The preset {path} cannot be written: {error.strerror or error}."
        ) from error


def load_preset(path: Path) -> SettingsPreset:
    """Read a preset.

    Raises:
        TaskError: the file is missing, is not a preset, or is of a newer version; the message says
            which.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TaskError(
            f"The preset {path.name!r} cannot be read: {error.strerror or error}."
        ) from error
    except (ValueError, RecursionError) as error:
        raise TaskError(f"The preset {path.name!r} is not a JSON file: {error}.") from error
    version = data.get(FORMAT_KEY) if isinstance(data, dict) else None
    if not isinstance(version, int) or version < 1:
        raise TaskError(
            f'The file {path.name!r} is not a preset of settings: it must hold "{FORMAT_KEY}": '
            f'{FORMAT_VERSION}, "kind" and "values".'
        )
    if version > FORMAT_VERSION:
        raise TaskError(
            f"The preset {path.name!r} is of version {version}; this Footfall reads up to "
            f"{FORMAT_VERSION}. Update Footfall."
        )
    kind = data.get("kind")
    values = data.get("values")
    if (
        kind not in SETTINGS_BY_KIND
        or not isinstance(values, dict)
        or not all(type(value) in VALUE_TYPES for value in values.values())
    ):
        raise TaskError(
            f'The preset {path.name!r} must have a "kind", {" or ".join(SETTINGS_BY_KIND)}, and '
            '"values" by name: numbers, strings, true or false.'
        )
    return SettingsPreset(kind, values)


def apply_preset(settings: SettingsPreset, owner: bpy.types.PropertyGroup, name: str) -> None:
    """Set all settings of the preset's kind, to its values or else to their defaults.

    Args:
        name: name of the preset, for messages.

    Raises:
        TaskError: the preset has an unknown setting, an impossible value or a missing style.
            Nothing is set then.
    """
    settings_by_name = _map_settings(owner, settings.kind)
    new_values = {entry: setting.default for entry, setting in settings_by_name.items()}
    for entry, value in settings.values.items():
        if entry not in settings_by_name:
            raise TaskError(
                f"The preset {name!r} has the unknown setting {entry!r}. Update Footfall, or "
                "remove it from the file."
            )
        new_values[entry] = _check_value(settings_by_name[entry], entry, value, name)
    # setting the others changes these
    set_last = [entry for entry in new_values if entry.rpartition(".")[2] in COPIED_LAST]
    for entry in (*(e for e in new_values if e not in set_last), *set_last):
        setting = settings_by_name[entry]
        setattr(setting.group, setting.identifier, new_values[entry])


def _check_value(setting: _Setting, entry: str, value: Any, name: str) -> Any:
    """Return the value of a preset's entry as the type of its setting.

    Raises:
        TaskError: the setting cannot have the value.
    """
    definition = setting.definition
    if type(value) not in PYTHON_TYPES[definition.type]:
        raise TaskError(
            f"The preset {name!r} has {value!r} for {entry!r}, which is of another type: "
            f"{definition.name} is of type {definition.type.lower()}."
        )
    if definition.type == "ENUM" and value not in definition.enum_items:
        raise TaskError(
            f"The preset {name!r} has {value!r} for {entry!r}; there are: "
            f"{', '.join(definition.enum_items.keys())}."
        )
    if (
        definition.type in ("INT", "FLOAT")
        and not definition.hard_min <= value <= definition.hard_max
    ):
        raise TaskError(
            f"The preset {name!r} has {value:g} for {entry!r}; it must be between "
            f"{definition.hard_min:g} and {definition.hard_max:g}."
        )
    if setting.identifier == "mine" and value and value not in styles.list_names():
        raise TaskError(
            f"The preset {name!r} uses your saved style {value!r}, which is not there any more. "
            "Save a style under this name, or choose another preset."
        )
    return float(value) if definition.type == "FLOAT" else value
