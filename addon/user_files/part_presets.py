"""Saved mappings from body parts to bones, one JSON file each."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import bpy

from ...core.character.recognition.parts import describe_part
from ...core.errors import CharacterError
from .folders import create_folder, get_user_folder

FORMAT_KEY = "footfall_rig"
FORMAT_VERSION = 1


@dataclass(frozen=True)
class RigPreset:
    """A saved mapping."""

    name: str
    parts: dict[str, str]  # name of the bone by body part


def presets_folder() -> Path:
    """Return the folder of presets, whether it exists or not."""
    return get_user_folder("rigs")


def save(name: str, parts: dict[str, str]) -> Path:
    """Save a preset and replace an existing one of the same name.

    Args:
        name: name of the preset.
        parts: name of the bone by body part.

    Returns:
        The file.

    Raises:
        CharacterError: the name or the mapping is empty, or the file cannot be written.
        FootfallError: the folder of presets cannot be created.
    """
    safe_name = re.sub(r"[^\w \-.]", "_", name).strip(" .")
    if not safe_name:
        raise CharacterError("A preset needs a name; type one.")
    if not parts:
        raise CharacterError("There is no mapping to save. Detect the character first.")
    create_folder(presets_folder())
    path = presets_folder() / f"{safe_name}.json"
    try:
        path.write_text(
            json.dumps({FORMAT_KEY: FORMAT_VERSION, "name": name, "parts": parts}, indent=1) + "\n",
            encoding="utf-8",
        )
    except OSError as error:
        raise CharacterError(
            f"The preset {path} cannot be written: {error.strerror or error}."
        ) from error
    return path


def load(path: Path) -> RigPreset:
    """Read a preset.

    Raises:
        CharacterError: the file does not exist or is not a valid preset.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CharacterError(
            f"The preset {path.name!r} cannot be read: {error.strerror}."
        ) from error
    except ValueError as error:
        raise CharacterError(f"The preset {path.name!r} is not a JSON file: {error}.") from error
    if not isinstance(data, dict) or data.get(FORMAT_KEY) != FORMAT_VERSION:
        raise CharacterError(
            f"The file {path.name!r} is not a rig preset of version {FORMAT_VERSION}: it must "
            f'contain "{FORMAT_KEY}": {FORMAT_VERSION}, "name" and "parts".'
        )
    parts = data.get("parts")
    if (
        not isinstance(parts, dict)
        or not parts
        or not all(isinstance(v, str) and v for v in parts.values())
    ):
        raise CharacterError(
            f'The preset {path.name!r} must contain under "parts" the name of a bone for each '
            'part, such as "thigh.L": "LeftUpLeg".'
        )
    unknown = [
        part
        for part in parts
        if describe_part(part) == part and part not in ("pelvis", "neck", "head")
    ]
    if unknown:
        raise CharacterError(f"The preset {path.name!r} contains the unknown part {unknown[0]!r}.")
    return RigPreset(str(data.get("name", path.stem)), dict(parts))


def list_presets() -> list[Path]:
    """Return the files of all presets, sorted by name."""
    return sorted(presets_folder().glob("*.json"))


def check_bones(preset: RigPreset, armature: bpy.types.Object) -> None:
    """Check that an armature has all bones of a preset.

    Raises:
        CharacterError: bones are missing.
    """
    missing = [
        (part, bone) for part, bone in preset.parts.items() if bone not in armature.data.bones
    ]
    if missing:
        part, bone = missing[0]
        count_text = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise CharacterError(
            f"The preset {preset.name!r} is for another rig: {armature.name!r} has no bone "
            f"{bone!r} for the {describe_part(part)}{count_text}."
        )
