"""Presets of settings: how a character moves, or how motions are baked, a JSON file each.

Blender's own presets are Python files that it runs. These are read instead: names and values of settings that are known, checked
one by one before any is set, so that a file from somebody else can do nothing but that. A setting that a file leaves out takes
its usual value.
"""
from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from ...core.errors import TaskError
from ..user_files import styles
from .copy import LAST

MARK, VERSION, ENDING = "footfall_settings", 1, ".json"
SHIPPED = Path(__file__).resolve().parents[2] / "presets"
STYLE = ("style", "style_from", "mine", "clip", "mixed_style", "mixed_share", "upper_style", "quadruped_style", "gait")
PACE = ("natural_speed", "speed", "natural_stride", "stride", "width")
GROUPS = {"knobs": (), "mixed_other": ("source", "mine", "clip"), "upper_other": ("source", "mine", "clip")}      # () for all
BAKE = ("into", "spacing", "step", "held", "feet", "body", "bones", "blend_in", "blend_out", "replace")
KINDS = {"motion": (*STYLE, *PACE, *GROUPS), "bake": BAKE}
TYPES = {"BOOLEAN": (bool,), "INT": (int,), "FLOAT": (int, float), "ENUM": (str,), "STRING": (str,)}          # in files
NOTED = {kind for kinds in TYPES.values() for kind in kinds}


@dataclass(frozen=True)
class Settings:
    """What a preset holds: values by name, of groups by a point between, such as "knobs.lean"."""

    kind: str
    values: dict[str, bool | int | float | str]


def folders(kind: str) -> list[Path]:
    """Where presets of a kind are: those that come with Footfall, and the user's own beside Blender's."""
    return [path for path in (SHIPPED / kind, own_presets(kind)) if path.is_dir()]


def own_presets(kind: str, create: bool = False) -> Path:
    """The folder of the user's own."""
    return Path(bpy.utils.user_resource("SCRIPTS", path=f"presets/footfall/{kind}", create=create))


def _known(owner: bpy.types.PropertyGroup, kind: str) -> dict[str, tuple[bpy.types.PropertyGroup, str]]:
    """The settings of a kind by their names in files: whose they are and what they are called there."""
    out = {}
    for name in KINDS[kind]:
        if name not in GROUPS:
            out[name] = (owner, name)
            continue
        group = getattr(owner, name)
        parts = GROUPS[name] or [p.identifier for p in group.bl_rna.properties if p.identifier not in ("rna_type", "name")]
        out |= {f"{name}.{part}": (group, part) for part in parts}
    return out


def settings_of(owner: bpy.types.PropertyGroup, kind: str) -> Settings:
    """What is set now, as far as it is not as usual.

    Raises:
        TaskError: a style comes from an action, which a file cannot keep.
    """
    values = {}
    for name, (group, part) in _known(owner, kind).items():
        value = getattr(group, part)
        if value == "ACTION" and part in ("source", "style_from"):
            raise TaskError("A style comes from an action of this file, which a preset cannot keep. Save it with Save Style first, "
                            "and choose it under Mine.")
        if part == "clip" and value:
            value = bpy.path.abspath(value)
        if value != _usual(group, part):
            values[name] = value
    return Settings(kind, values)


def _usual(group: bpy.types.PropertyGroup, part: str) -> Any:
    return group.bl_rna.properties[part].default


def keep(settings: Settings, path: Path) -> None:
    """Write a preset.

    Raises:
        TaskError: there is one already, or it cannot be written.
    """
    try:
        with path.open("x", encoding="utf-8") as file:
            json.dump({MARK: VERSION, "kind": settings.kind, "values": settings.values}, file, indent=1)
            file.write("\n")
    except FileExistsError as error:
        raise TaskError(f"There is a preset of the name {path.stem!r} already. Choose another name, or remove that one.") from error
    except OSError as error:
        raise TaskError(f"The preset {path} cannot be written: {error.strerror or error}.") from error


def read(path: Path) -> Settings:
    """Read a preset.

    Raises:
        TaskError: it is not there, is none, or is of a newer version; the message says what is wrong with it.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TaskError(f"The preset {path.name!r} cannot be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise TaskError(f"The preset {path.name!r} is not a JSON file: {error}.") from error
    version = data.get(MARK) if isinstance(data, dict) else None
    if not isinstance(version, int) or version < 1:
        raise TaskError(f'The file {path.name!r} is no preset of settings: it must hold "{MARK}": {VERSION}, "kind" and "values".')
    if version > VERSION:
        raise TaskError(f"The preset {path.name!r} is of version {version}; this Footfall reads up to {VERSION}. Update Footfall.")
    kind, values = data.get("kind"), data.get("values")
    if kind not in KINDS or not isinstance(values, dict) or not all(type(value) in NOTED for value in values.values()):
        raise TaskError(f"The preset {path.name!r} must have a \"kind\", {' or '.join(KINDS)}, and \"values\" by name: numbers, "
                        "words, true or false.")
    return Settings(kind, values)


def use(settings: Settings, owner: bpy.types.PropertyGroup, name: str) -> None:
    """Set all settings of the preset's kind: as it says, or as usual.

    Args:
        name: of the preset, for messages.

    Raises:
        TaskError: it names a setting that is not known, a value that cannot be, or a style that is not there. Nothing is set then.
    """
    known = _known(owner, settings.kind)
    wished = {entry: _usual(group, part) for entry, (group, part) in known.items()}
    for entry, value in settings.values.items():
        if entry not in known:
            raise TaskError(f"The preset {name!r} has the unknown setting {entry!r}. Update Footfall, or remove it from the file.")
        wished[entry] = _checked(*known[entry], entry, value, name)
    late = [entry for entry in wished if entry.rpartition(".")[2] in LAST]          # others change these when they are set
    for entry in (*(e for e in wished if e not in late), *late):
        group, part = known[entry]
        setattr(group, part, wished[entry])


def _checked(group: bpy.types.PropertyGroup, part: str, entry: str, value: Any, name: str) -> Any:
    """A value that a setting can have, of the setting's own type."""
    told = group.bl_rna.properties[part]
    if type(value) not in TYPES[told.type]:
        raise TaskError(f"The preset {name!r} has {value!r} for {entry!r}, which is of another kind: {told.name} is a "
                        f"{told.type.lower()}.")
    if told.type == "ENUM" and value not in told.enum_items:
        raise TaskError(f"The preset {name!r} asks for {entry!r} {value!r}; here there are: {', '.join(told.enum_items.keys())}.")
    if told.type in ("INT", "FLOAT") and not told.hard_min <= value <= told.hard_max:
        raise TaskError(f"The preset {name!r} has {value:g} for {entry!r}; it must be between {told.hard_min:g} and "
                        f"{told.hard_max:g}.")
    if part == "mine" and value and value not in styles.names():
        raise TaskError(f"The preset {name!r} asks for your own style {value!r}, which is not there any more.")
    return float(value) if told.type == "FLOAT" else value
