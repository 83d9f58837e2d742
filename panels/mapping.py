"""What was found in an armature, a row a part: which are uncertain, why, and their bones to be corrected."""
from __future__ import annotations

import bpy

from ..addon.rigs.part_list import LEGENDS, bones_of
from ..core.character.recognition.parts import spoken
from .text import width_of, wrapped


def draw_mapping(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """The list, what is wrong with it, and what can be done with it as a whole."""
    width = width_of(context)
    told = armature.footfall
    if not told.parts:
        row = layout.row(align=True)
        row.operator("footfall.load_preset", icon="FILE_FOLDER")
        row.operator("footfall.parts_by_hand", icon="BONE_DATA")
        return
    wrapped(layout.column(align=True), _capital(told.told), width)
    column = layout.column(align=True)
    for finding in told.findings:
        if not finding.sure:
            _draw_group(column, armature, finding, width)
    header, body = layout.panel("footfall_bones", default_closed=True)
    header.label(text="Bones")
    if body is not None:
        _draw_all(body, armature, width)
    column = layout.column(align=True)
    for line in told.notes.splitlines():
        if line.partition(":")[0] not in LEGENDS:
            wrapped(column, _capital(line), width)
    if told.problem:
        wrapped(layout.column(align=True), told.problem, width, icon="CANCEL")


def _draw_all(layout: bpy.types.UILayout, armature: bpy.types.Object, width: float) -> None:
    """Groups that are sure, and the buttons that save, load and forget corrections."""
    column = layout.column(align=True)
    for finding in armature.footfall.findings:
        if finding.sure:
            _draw_group(column, armature, finding, width)
    row = layout.row(align=True)
    row.operator("footfall.save_preset", text="Save", icon="FILE_TICK")
    row.operator("footfall.load_preset", text="Load", icon="FILE_FOLDER")
    row.operator("footfall.reset_parts", text="Reset", icon="LOOP_BACK")


def _draw_group(layout: bpy.types.UILayout, armature: bpy.types.Object, finding: bpy.types.PropertyGroup, width: float) -> None:
    """A row, its reason where it is uncertain, and its bones where it is opened."""
    entries = bones_of(armature, finding.name)
    there = [entry.bone for entry in entries if entry.bone]
    split = layout.split(factor=0.42)
    name = split.row(align=True)
    if entries:
        name.prop(finding, "shown", text="", icon="DOWNARROW_HLT" if finding.shown else "RIGHTARROW", emboss=False)
    said = "tail" if finding.name == "tail.0" else spoken(finding.name)
    name.label(text=_capital(said), icon="NONE" if finding.sure else "ERROR")
    row = split.row(align=True)
    if there:
        row.label(text=there[0] if len(there) == 1 else f"{there[0]} … {there[-1]}")
    elif entries:
        row.label(text="not found")
    if there and finding.name.endswith((".L", ".R")):
        row.operator("footfall.mirror_part", text="", icon="MOD_MIRROR", emboss=False).part = finding.name
    if (not finding.sure and finding.reason and there) or not entries:
        wrapped(layout, _capital(finding.reason), width)
    if finding.shown:
        for entry in entries:
            box = layout.row(align=True)
            box.alert = bool(entry.bone) and entry.bone not in armature.data.bones
            box.prop_search(entry, "bone", armature.data, "bones", text=_role(entry.name))


def _role(part: str) -> str:
    """A part without its side and row, which the group's row tells."""
    words = [word for word in spoken(part).split() if word not in ("left", "right", "hind", "front", "middle")]
    return " ".join(words).capitalize()


def _capital(text: str) -> str:
    """A text as the beginning of a line; names of bones in it stay as they are."""
    return f"{text[:1].upper()}{text[1:]}"
