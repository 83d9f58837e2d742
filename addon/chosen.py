"""The style that a scene asks for: from the shelf, of the user's own, from a file or from an action."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import bpy

from ..core.clip import Recipe, Recording, Share, Style, Understood, made_of, style_of, style_shown, understand
from ..core.errors import ClipError, TaskError
from . import own_styles
from .actions import armature_playing
from .knobs import read_knobs
from .sampling import record_action

ALONE = "-"           # in place of a style that is mixed in or lends its upper body


@dataclass(frozen=True)
class Chosen:
    """A style by what names it.

    Args:
        spoken: what people call it.
        recipe: what it is made of; of one that an action shows its style stands for nothing.
        scene: whose action it is, which is read when the style is asked for; None of styles that have a name or a file.
    """

    spoken: str
    recipe: Recipe
    scene: bpy.types.Scene | None = None

    @cached_property
    def shown(self) -> Style | None:
        """What an action shows, as it is now; None of styles that have a name or a file.

        Raises:
            FootfallError: the action or its armature is gone, or shows no walk or run.
        """
        return None if self.scene is None else style_shown(action_shown(self.scene))

    @cached_property
    def made(self) -> Style:
        """The style with all that is mixed in and turned.

        Raises:
            FootfallError: its file or its action tells none.
        """
        return style_of(self.recipe) if self.shown is None else made_of(self.shown, self.recipe)


def clip_of(scene: bpy.types.Scene) -> str:
    """The absolute path of the file that a scene takes for a style; empty where it takes none."""
    wish = scene.footfall
    return bpy.path.abspath(wish.clip) if wish.style_from == "FILE" and wish.clip else ""


def shelf_style(scene: bpy.types.Scene) -> Chosen:
    """The style of the shelf that a scene has set, as it is."""
    return Chosen(scene.footfall.style, Recipe(scene.footfall.style))


def chosen_style(scene: bpy.types.Scene) -> Chosen:
    """What a scene asks for.

    Raises:
        TaskError: a file or an action, and none is picked.
    """
    wish, knobs = scene.footfall, read_knobs(scene.footfall.knobs)
    mixed = (Share(wish.mixed_style, round(wish.mixed_share, 4)),) if wish.mixed_style != ALONE and wish.mixed_share > 0 else ()
    upper = None if wish.upper_style == ALONE else wish.upper_style
    if wish.style_from == "FILE":
        if not wish.clip:
            raise TaskError("The style is to come from a file, and none is picked. Open one under Style, or go back to the shelf.")
        return Chosen(Path(clip_of(scene)).stem, Recipe(clip_of(scene), mixed, upper, knobs))
    if wish.style_from == "ACTION":
        if wish.action is None and not wish.action_name:
            raise TaskError("The style is to come from an action, and none is picked. Pick one, or go back to the shelf.")
        spoken = wish.action.name if wish.action else wish.action_name
        return Chosen(spoken, Recipe("natural", mixed, upper, knobs), scene)
    if wish.mine:
        return Chosen(wish.mine, Recipe(str(own_styles.file_of(wish.mine)), mixed, upper, knobs))
    return Chosen(wish.style, Recipe(wish.style, mixed, upper, knobs))


def action_shown(scene: bpy.types.Scene) -> Understood:
    """What the action of a person shows that a scene takes for a style, as it is now.

    Raises:
        FootfallError: as `action_recorded`; or it shows no walk or run.
    """
    return understand(action_recorded(scene))


def action_recorded(scene: bpy.types.Scene) -> Recording:
    """The action that a scene takes for a style, as it is now.

    Raises:
        ClipError: it or its armature is gone, or does not fit.
        CharacterError: the armature is scaled in a way that no body can be.
    """
    wish = scene.footfall
    if wish.action is None:
        raise ClipError(f"The action {wish.action_name!r} is no longer in this file. Pick another one, or go back to the shelf.")
    if wish.actor is None and wish.actor_name:
        raise ClipError(f"The armature {wish.actor_name!r}, which plays the action {wish.action.name!r}, is no longer in this "
                        "file. Pick another one, or none to have it found.")
    active = next((layer.objects.active for layer in scene.view_layers if layer.objects.active), None)
    return record_action(wish.action, wish.actor or armature_playing(wish.action, active), scene)
