"""Summaries of clips, files and actions that are used as styles."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import bpy

from ...core.clip import (
    NO_CORRECTIONS,
    ClipCorrections,
    GaitAnalysis,
    Posture,
    QuadrupedGaitAnalysis,
    analyze_clip,
    analyze_clip_file,
    find_posture,
    find_quadruped_style,
    find_style,
    is_quadruped_file,
)
from ...core.errors import FootfallError
from ..settings.style import UPPER_BODY_SOURCE
from .style import analyze_source, record_style_action


@dataclass(frozen=True)
class Summary:
    """Summary of a clip for the user.

    Args:
        line: what the clip shows, in one line.
        notes: remarks on how the clip was read.
        contact_lines: contact pattern of each foot over one stride.
    """

    line: str
    notes: tuple[str, ...] = ()
    contact_lines: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text of the panel: the line and the contact patterns."""
        return "\n".join((self.line, *self.contact_lines))


def summarize_clip(path: str, corrections: ClipCorrections = NO_CORRECTIONS) -> Summary:
    """Return what a clip shows, or which style a file holds.

    Args:
        corrections: corrections of what is recognized in a clip.

    Raises:
        FootfallError: the file cannot be read, or shows no walk or run.
    """
    if Path(path).suffix.lower() != ".bvh":
        # both functions explain what is wrong with a path or a file
        style = find_quadruped_style(path) if is_quadruped_file(Path(path)) else find_style(path)
        return Summary(style.about or "A style without a description")
    return summarize(analyze_clip_file(Path(path), corrections))


def summarize(analysis: GaitAnalysis | QuadrupedGaitAnalysis | Posture) -> Summary:
    """Return a summary of an analysis in words."""
    if isinstance(analysis, Posture):
        return Summary(analysis.summary)
    if isinstance(analysis, QuadrupedGaitAnalysis):
        line = (
            f"On four legs: a {analysis.gait} at {analysis.speed:.2f} m/s with hips "
            f"{analysis.hip_height:.2f} m high, strides of {analysis.stride_length:.2f} m in "
            f"{analysis.stride_time:.2f} s, taken from {analysis.begin:.1f} to {analysis.end:.1f} "
            "s"
        )
        return Summary(line, analysis.notes, analysis.footfall_strips)
    line = (
        f"A {analysis.gait} at {analysis.speed:.2f} m/s on legs of {analysis.leg_length:.2f} m, "
        f"strides of {analysis.stride_length:.2f} m in {analysis.stride_time:.2f} s, taken from "
        f"{analysis.begin:.1f} to {analysis.end:.1f} s"
    )
    line += f"; {analysis.asymmetry.summary}" if analysis.asymmetry is not None else ""
    line += f". Doubtful: {'; '.join(analysis.doubts)}" if analysis.doubts else ""
    return Summary(line, analysis.notes)


def on_clip_changed(settings: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Use a file as the style and store its summary or error in the settings."""
    settings.style_from = "FILE" if settings.clip else "SHELF"
    _update_clip_summary(settings)


def _update_clip_summary(settings: bpy.types.PropertyGroup) -> None:
    """Store the summary of the clip, or its error, in the settings."""
    try:
        settings.clip_told = (
            summarize_clip(bpy.path.abspath(settings.clip), settings.clip_corrections).text
            if settings.clip
            else ""
        )
    except FootfallError as error:
        settings.clip_told = str(error)


def on_corrections_changed(settings: bpy.types.PropertyGroup) -> None:
    """Read the clip or the action of the style again."""
    if settings.style_from == "FILE":
        _update_clip_summary(settings)
    elif settings.style_from == "ACTION" and settings.action is not None:
        update_action_summary(settings)


def update_action_summary(settings: bpy.types.PropertyGroup) -> Summary:
    """Read the action of settings, store its summary or error there, and return it."""
    try:
        summary = summarize(analyze_clip(record_style_action(settings), settings.clip_corrections))
    except FootfallError as error:
        summary = Summary(str(error))
    settings.action_told = summary.text
    return summary


def summarize_upper_body(path: str) -> Summary:
    """Return what a clip or the file of a style offers for the upper body.

    Raises:
        FootfallError: the file cannot be read, or shows no body.
    """
    posture = find_posture(Path(path)) if Path(path).suffix.lower() == ".bvh" else None
    return summarize_clip(path) if posture is None else summarize(posture)


def update_source_summary(source: bpy.types.PropertyGroup) -> Summary:
    """Store what a mixed-in or upper-body file or action shows, or its error, in its settings, and
    return it.
    """
    summary = Summary("")
    try:
        if source.source == "FILE" and source.clip:
            path = bpy.path.abspath(source.clip)
            summary = (
                summarize_upper_body(path)
                if _find_attribute(source) == UPPER_BODY_SOURCE
                else summarize_clip(path)
            )
        elif source.source == "ACTION" and source.action_name:
            summary = summarize(analyze_source(source, _find_attribute(source)))
    except FootfallError as error:
        summary = Summary(str(error))
    source.told = summary.line
    return summary


def _find_attribute(source: bpy.types.PropertyGroup) -> str:
    """Return the name of the attribute that holds a source; slow with many characters."""
    return source.path_from_id().rpartition(".")[2]
