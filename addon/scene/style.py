"""The style that is asked for: from the shelf, of the user's own, from a file or from an action."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import bpy

from ...core.clip import (
    GaitAnalysis,
    Posture,
    Recipe,
    Recording,
    Style,
    StyleShare,
    analyze_gait,
    build_clip_style,
    compose_style,
    extract_posture,
    load_recipe,
)
from ...core.errors import ClipError, TaskError
from ..animation.actions import find_playing_armature
from ..settings.knobs import read_knobs
from ..settings.style import (
    MIXED_SOURCE,
    NO_STYLE,
    UPPER_BODY_SOURCE,
    FootfallStyleSource,
    StyleSettings,
)
from ..user_files import styles
from .action_recording import record_action


@dataclass(frozen=True)
class StyleChoice:
    """A style by what names it.

    Args:
        label: what people call it.
        recipe: what it is made of; of one that an action shows its style stands for nothing.
        settings: whose action it is, which is read when the style is asked for;
            None of styles that have a name or a file.
        action_sources: actions that are mixed in or lend their upper body: what the recipe calls
            them, which of both, and their settings.
    """

    label: str
    recipe: Recipe
    settings: StyleSettings | None = None
    action_sources: tuple[tuple[str, str, FootfallStyleSource], ...] = ()

    @cached_property
    def action_style(self) -> Style | None:
        """What an action shows, as it is now; None of styles that have a name or a file.

        Raises:
            FootfallError: the action or its armature is gone, or shows no walk or run.
        """
        return None if self.settings is None else build_clip_style(analyze_action(self.settings))

    @cached_property
    def source_styles(self) -> dict[str, Style]:
        """What actions show that are mixed in or lend their upper body, as they are now,
        by what the recipe calls them.

        Raises:
            FootfallError: one or its armature is gone, or shows nothing that can be taken.
        """
        return {
            name: _read_source_style(source, source_attribute)
            for name, source_attribute, source in self.action_sources
        }

    @property
    def is_from_action(self) -> bool:
        """Whether anything of it is shown by an action, so that names and files do not tell it."""
        return self.settings is not None or bool(self.action_sources)

    @cached_property
    def resolved(self) -> Style:
        """The style with all that is mixed in and turned.

        Raises:
            FootfallError: its file or its action tells none.
        """
        return (
            load_recipe(self.recipe)
            if self.action_style is None and not self.source_styles
            else compose_style(self.action_style, self.recipe, self.source_styles)
        )


def find_clip_path(settings: StyleSettings) -> str:
    """The absolute path of the file that is taken for a style; empty where none is."""
    return (
        bpy.path.abspath(settings.clip) if settings.style_from == "FILE" and settings.clip else ""
    )


def read_shelf_style(settings: StyleSettings) -> StyleChoice:
    """The style of the shelf that is set, as it is."""
    return StyleChoice(settings.style, Recipe(settings.style))


def read_style(settings: StyleSettings) -> StyleChoice:
    """The style that is asked for.

    Raises:
        TaskError: a file or an action, and none is picked.
    """
    knobs = read_knobs(settings.knobs)
    mixed_in = _read_source_name(settings, MIXED_SOURCE, settings.mixed_style)
    upper_body = _read_source_name(settings, UPPER_BODY_SOURCE, settings.upper_style)
    share = round(settings.mixed_share, 4)
    mixed = (StyleShare(mixed_in, share),) if mixed_in is not None and share > 0 else ()
    action_sources = tuple(
        (name, source_attribute, getattr(settings, source_attribute))
        for name, source_attribute in (
            (mixed_in if mixed else None, MIXED_SOURCE),
            (upper_body, UPPER_BODY_SOURCE),
        )
        if name is not None and getattr(settings, source_attribute).source == "ACTION"
    )
    if settings.style_from == "FILE":
        if not settings.clip:
            raise TaskError(
                "The style is to come from a file, and none is picked. Open one under Style, or "
                "go back to the shelf."
            )
        return StyleChoice(
            Path(find_clip_path(settings)).stem,
            Recipe(find_clip_path(settings), mixed, upper_body, knobs),
            None,
            action_sources,
        )
    if settings.style_from == "ACTION":
        if settings.action is None and not settings.action_name:
            raise TaskError(
                "The style is to come from an action, and none is picked. Pick one, or go back to "
                "the shelf."
            )
        label = settings.action.name if settings.action else settings.action_name
        return StyleChoice(
            label, Recipe("natural", mixed, upper_body, knobs), settings, action_sources
        )
    if settings.mine:
        return StyleChoice(
            settings.mine,
            Recipe(str(styles.get_style_path(settings.mine)), mixed, upper_body, knobs),
            None,
            action_sources,
        )
    return StyleChoice(
        settings.style, Recipe(settings.style, mixed, upper_body, knobs), None, action_sources
    )


def _read_source_name(
    settings: StyleSettings, source_attribute: str, shelf_name: str
) -> str | None:
    """What a recipe calls the style that is mixed in or lends its upper body; None for none.

    Raises:
        TaskError: a file or an action, and none is picked.
    """
    source = getattr(settings, source_attribute)
    list_label = "Mix In" if source_attribute == MIXED_SOURCE else "Upper Body"
    if source.source == "FILE":
        if not source.clip:
            raise TaskError(
                f"{list_label} is to come from a file, and none is picked. Open one, or pick "
                "another entry of its list."
            )
        return str(bpy.path.abspath(source.clip))
    if source.source == "ACTION":
        if source.action is None and not source.action_name:
            raise TaskError(
                f"{list_label} is to come from an action, and none is picked. Pick one, or "
                "another entry of its list."
            )
        return f"{list_label}: the action {source.action_name!r}"
    if source.mine:
        return str(styles.get_style_path(source.mine))
    return None if shelf_name == NO_STYLE else shelf_name


def _read_source_style(source: FootfallStyleSource, source_attribute: str) -> Style:
    """What the action of one shows that is mixed in or lends its upper body."""
    analysis = analyze_source(source, source_attribute)
    return analysis.style if isinstance(analysis, Posture) else build_clip_style(analysis)


def analyze_source(source: FootfallStyleSource, source_attribute: str) -> GaitAnalysis | Posture:
    """What an action shows that is mixed in or lends its upper body:
    of the latter the posture, where nobody walks.

    Raises:
        ClipError: it or its armature is gone, does not fit, or shows nobody, or of one that is
            mixed in nobody who walks.
        CharacterError: the armature is scaled in a way that no body can be.
    """
    recording = record_style_action(source)
    try:
        return analyze_gait(recording)
    except ClipError:
        if source_attribute == MIXED_SOURCE:
            raise
        return extract_posture(recording)


def analyze_action(settings: StyleSettings) -> GaitAnalysis:
    """What the action of a person shows that is taken for a style, as it is now.

    Raises:
        FootfallError: as `record_style_action`; or it shows no walk or run.
    """
    return analyze_gait(record_style_action(settings))


def record_style_action(settings: StyleSettings | FootfallStyleSource) -> Recording:
    """The action that settings name, as it is now, played by the armature that
    they name or that it fits.

    Raises:
        ClipError: it or its armature is gone, or does not fit.
        CharacterError: the armature is scaled in a way that no body can be.
    """
    scene = settings.id_data
    if settings.action is None:
        raise ClipError(
            f"The action {settings.action_name!r} is no longer in this file. Pick another one, or "
            "go back to the shelf."
        )
    if settings.actor is None and settings.actor_name:
        raise ClipError(
            f"The armature {settings.actor_name!r}, which plays the action "
            f"{settings.action.name!r}, is no longer in this file. Pick another one, or none to "
            "have it found."
        )
    active_object = next(
        (layer.objects.active for layer in scene.view_layers if layer.objects.active), None
    )
    return record_action(
        settings.action,
        settings.actor or find_playing_armature(settings.action, active_object),
        scene,
    )
