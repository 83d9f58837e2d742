"""Settings of one owner copied to another."""
from __future__ import annotations

import bpy

# Set once more at the end, as they are: other settings change these when they are set.
LAST = ("mine", "style_from", "source", "natural_speed", "clip_told", "action_told", "told")


def copy_settings(source: bpy.types.PropertyGroup, target: bpy.types.PropertyGroup) -> None:
    """Copy all settings that both have, with those of groups and lists in them."""
    known = {p.identifier for p in target.bl_rna.properties}
    names = [p.identifier for p in source.bl_rna.properties if p.identifier in known and p.identifier not in ("rna_type", "name")]
    for name in names:
        _copy(source, target, name)
    for name in LAST:
        if name in names:
            setattr(target, name, getattr(source, name))


def _copy(source: bpy.types.PropertyGroup, target: bpy.types.PropertyGroup, name: str) -> None:
    kind, value = source.bl_rna.properties[name], getattr(source, name)
    if kind.type == "COLLECTION":
        items = getattr(target, name)
        items.clear()
        for item in value:
            copy_settings(item, items.add())
    elif isinstance(value, bpy.types.PropertyGroup):
        copy_settings(value, getattr(target, name))
    elif not kind.is_readonly:
        setattr(target, name, value)
