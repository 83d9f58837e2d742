"""Presets of settings: how a character moves, or how motions are baked, a JSON file each.

Blender's own presets are Python files that it runs. These are read instead: names and values of
settings that are known, checked one by one before any is set, so that a file from somebody else can
do nothing but that. A setting that a file leaves out takes its usual value.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from ...core.errors import TaskError
from ..user_files import styles
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
# () for all
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
# in files
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
    """What a preset holds: values by name, of groups by a point between, such as "knobs.lean"."""

    kind: str
    values: dict[str, bool | int | float | str]


def find_preset_folders(kind: str) -> list[Path]:
    """Where presets of a kind are: those that come with Footfall,
    and the user's own beside Blender's.
    """
    return [path for path in (BUILTIN_FOLDER / kind, user_preset_folder(kind)) if path.is_dir()]


def user_preset_folder(kind: str, create: bool = False) -> Path:
    """The folder of the user's own."""
    return Path(bpy.utils.user_resource("SCRIPTS", path=f"presets/footfall/{kind}", create=create))


def _map_settings(
    owner: bpy.types.PropertyGroup, kind: str
) -> dict[str, tuple[bpy.types.PropertyGroup, str]]:
    """The settings of a kind by their names in files:
    whose they are and what they are called there.
    """
    settings_by_name = {}
    for name in SETTINGS_BY_KIND[kind]:
        if name not in SETTING_GROUPS:
            settings_by_name[name] = (owner, name)
            continue
        group = getattr(owner, name)
        setting_names = SETTING_GROUPS[name] or [
            p.identifier
            for p in group.bl_rna.properties
            if p.identifier not in ("rna_type", "name")
        ]
        settings_by_name |= {f"{name}.{part}": (group, part) for part in setting_names}
    return settings_by_name


def collect_settings(owner: bpy.types.PropertyGroup, kind: str) -> SettingsPreset:
    """What is set now, as far as it is not as usual.

    Raises:
        TaskError: a style comes from an action, which a file cannot keep.
    """
    values = {}
    for name, (group, part) in _map_settings(owner, kind).items():
        value = getattr(group, part)
        if value == "ACTION" and part in ("source", "style_from"):
            raise TaskError(
                "A style comes from an action of this file, which a preset cannot keep. Save it "
                "with Save Style first, and choose it under Mine."
            )
        if part == "clip" and value:
            value = bpy.path.abspath(value)
        if value != _get_default(group, part):
            values[name] = value
    return SettingsPreset(kind, values)


def _get_default(group: bpy.types.PropertyGroup, part: str) -> Any:
    return group.bl_rna.properties[part].default


def save_preset(settings: SettingsPreset, path: Path) -> None:
    """Write a preset.

    Raises:
        TaskError: there is one already, or it cannot be written.
    """
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
            f"There is a preset of the name {path.stem!r} already. Choose another name, or remove "
            "that one."
        ) from error
    except OSError as error:
        raise TaskError(
            f"The preset {path} cannot be written: {error.strerror or error}."
        ) from error


def load_preset(path: Path) -> SettingsPreset:
    """Read a preset.

    Raises:
        TaskError: it is not there, is none, or is of a newer version;
            the message says what is wrong with it.
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
            f'The file {path.name!r} is no preset of settings: it must hold "{FORMAT_KEY}": '
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
            '"values" by name: numbers, words, true or false.'
        )
    return SettingsPreset(kind, values)


def apply_preset(settings: SettingsPreset, owner: bpy.types.PropertyGroup, name: str) -> None:
    """Set all settings of the preset's kind: as it says, or as usual.

    Args:
        name: of the preset, for messages.

    Raises:
        TaskError: it names a setting that is not known, a value that cannot be, or a style that is
            not there. Nothing is set then.
    """
    settings_by_name = _map_settings(owner, settings.kind)
    new_values = {
        entry: _get_default(group, part) for entry, (group, part) in settings_by_name.items()
    }
    for entry, value in settings.values.items():
        if entry not in settings_by_name:
            raise TaskError(
                f"The preset {name!r} has the unknown setting {entry!r}. Update Footfall, or "
                "remove it from the file."
            )
        new_values[entry] = _check_value(*settings_by_name[entry], entry, value, name)
    # others change these when they are set
    set_last = [entry for entry in new_values if entry.rpartition(".")[2] in COPIED_LAST]
    for entry in (*(e for e in new_values if e not in set_last), *set_last):
        group, part = settings_by_name[entry]
        setattr(group, part, new_values[entry])


def _check_value(
    group: bpy.types.PropertyGroup, part: str, entry: str, value: Any, name: str
) -> Any:
    """A value that a setting can have, of the setting's own type."""
    definition = group.bl_rna.properties[part]
    if type(value) not in PYTHON_TYPES[definition.type]:
        raise TaskError(
            f"The preset {name!r} has {value!r} for {entry!r}, which is of another kind: "
            f"{definition.name} is a {definition.type.lower()}."
        )
    if definition.type == "ENUM" and value not in definition.enum_items:
        raise TaskError(
            f"The preset {name!r} asks for {entry!r} {value!r}; here there are: "
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
    if part == "mine" and value and value not in styles.list_names():
        raise TaskError(
            f"The preset {name!r} asks for your own style {value!r}, which is not there any more."
        )
    return float(value) if definition.type == "FLOAT" else value
