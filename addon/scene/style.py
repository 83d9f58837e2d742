"""Chosen style of a humanoid: from the shelf, the user's saved styles, a file or an action."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import bpy

from ...core.clip import (
    NO_CORRECTIONS,
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
    read_bvh,
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
class RecipeAction:
    """An action that is mixed in or used for the upper body.

    Args:
        name: name of its style in the recipe.
        attribute: `MIXED_SOURCE` or `UPPER_BODY_SOURCE`.
        settings: settings that hold the action.
    """

    name: str
    attribute: str
    settings: FootfallStyleSource


@dataclass(frozen=True)
class StyleChoice:
    """A chosen style of a humanoid.

    Args:
        label: name shown to the user.
        recipe: style, mixed styles, upper-body style and knobs; its style is a placeholder if the
            style comes from an action.
        settings: settings that hold the action, or the clip with corrections, which is read when
            the style is needed; None for a style with a name or a file.
        action_sources: actions that are mixed in or used for the upper body.
    """

    label: str
    recipe: Recipe
    settings: StyleSettings | None = None
    action_sources: tuple[RecipeAction, ...] = ()

    @cached_property
    def action_style(self) -> Style | None:
        """The style that an action shows, in its current state; None for a style with a name or a
        file.

        Raises:
            FootfallError: the action or its armature was deleted, or shows no walk or run.
        """
        return None if self.settings is None else build_clip_style(analyze_action(self.settings))

    @cached_property
    def source_styles(self) -> dict[str, Style]:
        """The styles of the actions that are mixed in or used for the upper body, in their current
        state, by their names in the recipe.

        Raises:
            FootfallError: an action or its armature was deleted, or shows nothing usable.
        """
        return {
            source.name: _read_source_style(source.settings, source.attribute)
            for source in self.action_sources
        }

    @property
    def is_from_action(self) -> bool:
        """Whether the style or a part of it comes from an action, so that the recipe alone is
        incomplete.
        """
        return self.settings is not None or bool(self.action_sources)

    @property
    def named_upper_style(self) -> str | None:
        """The upper body's style by its name or file; None for that of the style.

        Raises:
            TaskError: it is an action, which has neither.
        """
        if any(source.attribute == UPPER_BODY_SOURCE for source in self.action_sources):
            raise TaskError(
                "The upper body is an action, and this engine reads upper bodies by name or from "
                "files. Save the style first, or choose another engine."
            )
        return self.recipe.upper_style

    @cached_property
    def resolved(self) -> Style:
        """The style with mixed styles and knobs applied.

        Raises:
            FootfallError: its file or action holds no style.
        """
        return (
            load_recipe(self.recipe)
            if self.action_style is None and not self.source_styles
            else compose_style(self.action_style, self.recipe, self.source_styles)
        )


def find_clip_path(settings: StyleSettings) -> str:
    """Return the absolute path of the file that is used as the style; "" without one."""
    return (
        bpy.path.abspath(settings.clip) if settings.style_from == "FILE" and settings.clip else ""
    )


def read_shelf_style(settings: StyleSettings) -> StyleChoice:
    """Return the style that is set on the shelf, without mixed styles and knobs."""
    return StyleChoice(settings.style, Recipe(settings.style))


def read_style(settings: StyleSettings) -> StyleChoice:
    """Return the chosen style of a humanoid.

    Raises:
        TaskError: the style, a mixed style or the upper-body style comes from a file or an action,
            and none is picked.
    """
    mixed_in = _read_source_name(settings, MIXED_SOURCE, settings.mixed_style)
    upper_body = _read_source_name(settings, UPPER_BODY_SOURCE, settings.upper_style)
    share = round(settings.mixed_share, 4)
    mixed = (StyleShare(mixed_in, share),) if mixed_in is not None and share > 0 else ()
    action_sources = tuple(
        RecipeAction(name, attribute, getattr(settings, attribute))
        for name, attribute in (
            (mixed_in if mixed else None, MIXED_SOURCE),
            (upper_body, UPPER_BODY_SOURCE),
        )
        if name is not None and getattr(settings, attribute).source == "ACTION"
    )
    base = _read_base_style(settings)
    recipe = Recipe(base.recipe.style, mixed, upper_body, read_knobs(settings.knobs))
    return replace(base, recipe=recipe, action_sources=action_sources)


def _is_corrected_clip(settings: StyleSettings) -> bool:
    """Return whether the style is a clip of a person in a file, with corrections."""
    path = find_clip_path(settings)
    return Path(path).suffix.lower() == ".bvh" and settings.clip_corrections != NO_CORRECTIONS


def _read_base_style(settings: StyleSettings) -> StyleChoice:
    """Return the chosen style without mixed styles, upper-body style and knobs.

    Raises:
        TaskError: the style comes from a file or an action, and none is picked.
    """
    if settings.style_from == "FILE":
        if not settings.clip:
            raise TaskError(
                "The style is to come from a file, and none is picked. Open one under Style, or "
                "go back to the shelf."
            )
        path = find_clip_path(settings)
        if _is_corrected_clip(settings):
            return StyleChoice(Path(path).stem, Recipe("natural"), settings)
        return StyleChoice(Path(path).stem, Recipe(path))
    if settings.style_from == "ACTION":
        if settings.action is None and not settings.action_name:
            raise TaskError(
                "The style is to come from an action, and none is picked. Pick one, or go back to "
                "the shelf."
            )
        label = settings.action.name if settings.action else settings.action_name
        return StyleChoice(label, Recipe("natural"), settings)
    if settings.mine:
        return StyleChoice(settings.mine, Recipe(str(styles.get_style_path(settings.mine))))
    return read_shelf_style(settings)


def _read_source_name(
    settings: StyleSettings, source_attribute: str, shelf_name: str
) -> str | None:
    """Return the name in the recipe of the style that is mixed in or used for the upper body; None
    for none.

    Raises:
        TaskError: the style comes from a file or an action, and none is picked.
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
    """Return the style of an action that is mixed in or used for the upper body."""
    analysis = analyze_source(source, source_attribute)
    return analysis.style if isinstance(analysis, Posture) else build_clip_style(analysis)


def analyze_source(source: FootfallStyleSource, source_attribute: str) -> GaitAnalysis | Posture:
    """Return what an action shows that is mixed in or used for the upper body.

    For the upper body it is a posture if the action shows no walk or run.

    Raises:
        ClipError: the action or its armature was deleted, does not fit or shows no body; or a
            mixed-in action shows no walk or run.
        CharacterError: the scale of the armature is one that no rigid body can follow.
    """
    recording = record_style_action(source)
    try:
        return analyze_gait(recording)
    except ClipError:
        if source_attribute == MIXED_SOURCE:
            raise
        return extract_posture(recording)


def analyze_action(settings: StyleSettings) -> GaitAnalysis:
    """Return the gait of a humanoid in the action or clip that is used as the style.

    The action is read in its current state.

    Raises:
        FootfallError: the action cannot be recorded (`record_style_action`), or shows no walk or
            run.
    """
    recording = (
        read_bvh(Path(find_clip_path(settings)))
        if settings.style_from == "FILE"
        else record_style_action(settings)
    )
    return analyze_gait(recording, settings.clip_corrections)


def record_style_action(settings: StyleSettings | FootfallStyleSource) -> Recording:
    """Return the recording of the action that settings name, in its current state.

    The armature that the settings name plays it, or else one that it fits.

    Raises:
        ClipError: the action or its armature was deleted, or does not fit.
        CharacterError: the scale of the armature is one that no rigid body can follow.
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
            f"{settings.action.name!r}, is no longer in this file. Pick another one, or clear the "
            "field to use one that fits the action."
        )
    active_object = next(
        (layer.objects.active for layer in scene.view_layers if layer.objects.active), None
    )
    return record_action(
        settings.action,
        settings.actor or find_playing_armature(settings.action, active_object),
        scene,
    )
