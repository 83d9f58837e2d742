"""Copying of settings from one owner to another."""

from __future__ import annotations

import bpy

# Settings that are set once more at the end, because setting others changes them
COPIED_LAST = ("mine", "style_from", "source", "natural_speed", "clip_told", "action_told", "told")


def copy_settings(source: bpy.types.PropertyGroup, target: bpy.types.PropertyGroup) -> None:
    """Copy all settings that both owners have, including those of groups and lists in them."""
    target_names = {p.identifier for p in target.bl_rna.properties}
    names = [
        p.identifier
        for p in source.bl_rna.properties
        if p.identifier in target_names and p.identifier not in ("rna_type", "name")
    ]
    for name in names:
        _copy_setting(source, target, name)
    for name in COPIED_LAST:
        if name in names:
            setattr(target, name, getattr(source, name))


def _copy_setting(
    source: bpy.types.PropertyGroup, target: bpy.types.PropertyGroup, name: str
) -> None:
    definition = source.bl_rna.properties[name]
    value = getattr(source, name)
    if definition.type == "COLLECTION":
        items = getattr(target, name)
        items.clear()
        for item in value:
            copy_settings(item, items.add())
    elif isinstance(value, bpy.types.PropertyGroup):
        copy_settings(value, getattr(target, name))
    elif not definition.is_readonly:
        setattr(target, name, value)
