"""Chosen style of a quadruped: from the shelf, a file or an action."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ...core.clip import (
    QuadrupedStyle,
    analyze_quadruped_gait,
    build_quadruped_clip_style,
    find_quadruped_style,
)
from ...core.errors import TaskError
from ..settings.style import StyleSettings
from .style import find_clip_path, record_style_action


@dataclass(frozen=True)
class QuadrupedStyleChoice:
    """A chosen style of a quadruped.

    Args:
        label: name shown to the user.
        name_or_path: name on the shelf or path of the file; "natural" for a style from an action.
        settings: settings that hold the action, which is read when the style is needed; None for a
            style with a name or a file.
    """

    label: str
    name_or_path: str
    settings: StyleSettings | None = None

    @cached_property
    def action_style(self) -> QuadrupedStyle | None:
        """The style that an action shows, in its current state; None for a style with a name or a
        file.

        Raises:
            FootfallError: the action or its armature was deleted, or shows no quadruped gait.
        """
        return (
            None
            if self.settings is None
            else build_quadruped_clip_style(
                analyze_quadruped_gait(record_style_action(self.settings))
            )
        )

    @cached_property
    def resolved(self) -> QuadrupedStyle:
        """The style itself.

        Raises:
            FootfallError: the file or the action holds no style for quadrupeds.
        """
        return (
            find_quadruped_style(self.name_or_path)
            if self.action_style is None
            else self.action_style
        )


def read_quadruped_style(settings: StyleSettings) -> QuadrupedStyleChoice:
    """Return the chosen style of a quadruped.

    Raises:
        TaskError: the style comes from a file or an action, and none is picked.
    """
    if settings.style_from == "SHELF":
        return QuadrupedStyleChoice(settings.quadruped_style, settings.quadruped_style)
    if not (
        settings.clip if settings.style_from == "FILE" else settings.action or settings.action_name
    ):
        raise TaskError(
            "The style is to come from "
            f"{'a file' if settings.style_from == 'FILE' else 'an action'}, and none is picked. "
            "Pick one under Style, or go back to the shelf."
        )
    if settings.style_from == "FILE":
        return QuadrupedStyleChoice(Path(find_clip_path(settings)).stem, find_clip_path(settings))
    return QuadrupedStyleChoice(
        settings.action.name if settings.action else settings.action_name, "natural", settings
    )
