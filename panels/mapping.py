"""List of detected body parts, with uncertain ones and corrections of their bones."""

from __future__ import annotations

import bpy

from ..addon.rigs.part_list import PART_NOTE_PREFIXES, list_group_entries
from ..addon.rigs.questions import list_open_questions
from ..core.character.recognition.parts import describe_part
from ..core.character.recognition.questions import Question
from .text import capitalize, compute_text_width, draw_wrapped


def draw_mapping(
    layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object
) -> None:
    """Draw the list of parts, its problems and its buttons."""
    width = compute_text_width(context)
    character = armature.footfall
    if not character.parts:
        row = layout.row(align=True)
        row.operator("footfall.load_preset", icon="FILE_FOLDER")
        row.operator("footfall.parts_by_hand", icon="BONE_DATA")
        return
    draw_wrapped(layout.column(align=True), capitalize(character.told), width)
    open_question = next(iter(list_open_questions(armature)), None)
    if open_question is not None:
        _draw_question(layout.box(), open_question, width)
    column = layout.column(align=True)
    for finding in character.findings:
        if not finding.sure and (open_question is None or finding.name != open_question.key):
            _draw_group(column, armature, finding, width)
    header, body = layout.panel("footfall_bones", default_closed=True)
    header.label(text="Bones")
    if body is not None:
        _draw_all(body, armature, width)
    column = layout.column(align=True)
    for line in character.notes.splitlines():
        if line.partition(":")[0] not in PART_NOTE_PREFIXES:
            draw_wrapped(column, capitalize(line), width)
    if character.problem:
        draw_wrapped(layout.column(align=True), character.problem, width, icon="CANCEL")


def _draw_question(layout: bpy.types.UILayout, question: Question, width: float) -> None:
    """Draw a question, the reason for it and a button for each answer."""
    draw_wrapped(layout.column(align=True), question.text, width, icon="QUESTION")
    draw_wrapped(layout.column(align=True), capitalize(question.reason), width)
    buttons = layout.row(align=True) if len(question.choices) < 3 else layout.column(align=True)
    for choice in question.choices:
        button = buttons.operator("footfall.answer", text=choice.text)
        button.question = question.key
        button.choice = choice.key


def _draw_all(layout: bpy.types.UILayout, armature: bpy.types.Object, width: float) -> None:
    """Draw parts that are certain, and buttons that save, load and reset the mapping."""
    column = layout.column(align=True)
    for finding in armature.footfall.findings:
        if finding.sure:
            _draw_group(column, armature, finding, width)
    row = layout.row(align=True)
    row.operator("footfall.save_preset", text="Save", icon="FILE_TICK")
    row.operator("footfall.load_preset", text="Load", icon="FILE_FOLDER")
    row.operator("footfall.reset_parts", text="Reset", icon="LOOP_BACK")


def _draw_group(
    layout: bpy.types.UILayout,
    armature: bpy.types.Object,
    finding: bpy.types.PropertyGroup,
    width: float,
) -> None:
    """Draw a part: its row, the reason if it is uncertain, and its bones if it is open."""
    entries = list_group_entries(armature, finding.name)
    bone_names = [entry.bone for entry in entries if entry.bone]
    split = layout.split(factor=0.42)
    name = split.row(align=True)
    if entries:
        name.prop(
            finding,
            "shown",
            text="",
            icon="DOWNARROW_HLT" if finding.shown else "RIGHTARROW",
            emboss=False,
        )
    label = "tail" if finding.name == "tail.0" else describe_part(finding.name)
    name.label(text=capitalize(label), icon="NONE" if finding.sure else "ERROR")
    row = split.row(align=True)
    if bone_names:
        row.label(
            text=bone_names[0] if len(bone_names) == 1 else f"{bone_names[0]} … {bone_names[-1]}"
        )
    elif entries:
        row.label(text="not found")
    if bone_names and finding.name.endswith((".L", ".R")):
        row.operator(
            "footfall.mirror_part", text="", icon="MOD_MIRROR", emboss=False
        ).part = finding.name
    if (not finding.sure and finding.reason and bone_names) or not entries:
        draw_wrapped(layout, capitalize(finding.reason), width)
    if finding.shown:
        for entry in entries:
            box = layout.row(align=True)
            box.alert = bool(entry.bone) and entry.bone not in armature.data.bones
            box.prop_search(entry, "bone", armature.data, "bones", text=_format_role(entry.name))


def _format_role(part: str) -> str:
    """Return the name of a part without side and row, which the title of the group contains."""
    words = [
        word
        for word in describe_part(part).split()
        if word not in ("left", "right", "hind", "front", "middle")
    ]
    return " ".join(words).capitalize()
