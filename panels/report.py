"""Reports on characters, in the panel *Motion*."""

from __future__ import annotations

import bpy

from ..addon.bake.character_report import CharacterReport, read_report
from ..addon.scene.active import find_armature
from .text import capitalize, compute_text_width, draw_wrapped

LEVEL_ICONS = {"INFO": "INFO", "WARNING": "ERROR", "ERROR": "CANCEL"}
# By eye: with so many lines, wrapped, the panel still fits a laptop's screen; the rest is a count.
MAX_LISTED_LINES = 12
# Width of the square button after a line, a row of the panel high, and its margin, at an interface
# scale of 1 [pixels].
FRAME_BUTTON_WIDTH = 24.0


def draw_reports(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the report on the active character, and the names of others with problems."""
    active = find_armature(context.object)
    report = None if active is None else read_report(active)
    if report is not None and report.lines:
        _draw_report(layout.box(), context, report)
    column = layout.column(align=True)
    for settings in context.scene.footfall_own:
        armature = settings.armature
        if armature is None or armature == active or armature.name not in context.scene.objects:
            continue
        other = read_report(armature)
        if other is not None and other.problem_count:
            column.operator(
                "footfall.select_character",
                text=f"{armature.name}: {format_problem_count(other)}",
                icon=LEVEL_ICONS[other.level],
            ).name = armature.name


def format_problem_count(report: CharacterReport) -> str:
    """Return the number of a report's problems in words."""
    return f"{report.problem_count} problem{'' if report.problem_count == 1 else 's'}"


def _draw_report(
    layout: bpy.types.UILayout, context: bpy.types.Context, report: CharacterReport
) -> None:
    """Draw one line for each problem or remark, with a button that visits its frame."""
    width = compute_text_width(context) - FRAME_BUTTON_WIDTH
    row = layout.row(align=True)
    draw_wrapped(row.column(align=True), report.summary, width)
    row.operator("footfall.clear_report", text="", icon="X")
    for line in report.lines[:MAX_LISTED_LINES]:
        row = layout.row(align=True)
        draw_wrapped(
            row.column(align=True), capitalize(line.text), width, icon=LEVEL_ICONS[line.level]
        )
        if line.frame is not None:
            row.operator("footfall.go_to_frame", text="", icon="TIME").frame = line.frame
    if len(report.lines) > MAX_LISTED_LINES:
        layout.label(text=f"and {len(report.lines) - MAX_LISTED_LINES} more", icon="BLANK1")
