"""The style that is asked for: from the shelf, of the user's own, from a file or from an action."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import bpy

from ...core.clip import (
    Posture,
    Recipe,
    Recording,
    Share,
    Style,
    Understood,
    made_of,
    posture_shown,
    style_of,
    style_shown,
    understand,
)
from ...core.errors import ClipError, TaskError
from ..animation.actions import armature_playing
from ..settings.knobs import read_knobs
from ..settings.style import ALONE, MIXED, UPPER, FootfallLent, StyleWish
from ..user_files import styles
from .action_recording import record_action


@dataclass(frozen=True)
class Chosen:
    """A style by what names it.

    Args:
        spoken: what people call it.
        recipe: what it is made of; of one that an action shows its style stands for nothing.
        wish: whose action it is, which is read when the style is asked for; None of styles that have a name or a file.
        lenders: actions that are mixed in or lend their upper body: what the recipe calls them, which of both, and their settings.
    """

    spoken: str
    recipe: Recipe
    wish: StyleWish | None = None
    lenders: tuple[tuple[str, str, FootfallLent], ...] = ()

    @cached_property
    def shown(self) -> Style | None:
        """What an action shows, as it is now; None of styles that have a name or a file.

        Raises:
            FootfallError: the action or its armature is gone, or shows no walk or run.
        """
        return None if self.wish is None else style_shown(action_shown(self.wish))

    @cached_property
    def lent(self) -> dict[str, Style]:
        """What actions show that are mixed in or lend their upper body, as they are now, by what the recipe calls them.

        Raises:
            FootfallError: one or its armature is gone, or shows nothing that can be taken.
        """
        return {name: _lent_style(lent, which) for name, which, lent in self.lenders}

    @property
    def acted(self) -> bool:
        """Whether anything of it is shown by an action, so that names and files do not tell it."""
        return self.wish is not None or bool(self.lenders)

    @cached_property
    def made(self) -> Style:
        """The style with all that is mixed in and turned.

        Raises:
            FootfallError: its file or its action tells none.
        """
        return style_of(self.recipe) if self.shown is None and not self.lent else made_of(self.shown, self.recipe, self.lent)


def clip_of(wish: StyleWish) -> str:
    """The absolute path of the file that is taken for a style; empty where none is."""
    return bpy.path.abspath(wish.clip) if wish.style_from == "FILE" and wish.clip else ""


def shelf_style(wish: StyleWish) -> Chosen:
    """The style of the shelf that is set, as it is."""
    return Chosen(wish.style, Recipe(wish.style))


def chosen_style(wish: StyleWish) -> Chosen:
    """The style that is asked for.

    Raises:
        TaskError: a file or an action, and none is picked.
    """
    knobs = read_knobs(wish.knobs)
    other, upper = _lender(wish, MIXED, wish.mixed_style), _lender(wish, UPPER, wish.upper_style)
    share = round(wish.mixed_share, 4)
    mixed = (Share(other, share),) if other is not None and share > 0 else ()
    lenders = tuple((name, which, getattr(wish, which)) for name, which in ((other if mixed else None, MIXED), (upper, UPPER))
                    if name is not None and getattr(wish, which).source == "ACTION")
    if wish.style_from == "FILE":
        if not wish.clip:
            raise TaskError("The style is to come from a file, and none is picked. Open one under Style, or go back to the shelf.")
        return Chosen(Path(clip_of(wish)).stem, Recipe(clip_of(wish), mixed, upper, knobs), None, lenders)
    if wish.style_from == "ACTION":
        if wish.action is None and not wish.action_name:
            raise TaskError("The style is to come from an action, and none is picked. Pick one, or go back to the shelf.")
        spoken = wish.action.name if wish.action else wish.action_name
        return Chosen(spoken, Recipe("natural", mixed, upper, knobs), wish, lenders)
    if wish.mine:
        return Chosen(wish.mine, Recipe(str(styles.file_of(wish.mine)), mixed, upper, knobs), None, lenders)
    return Chosen(wish.style, Recipe(wish.style, mixed, upper, knobs), None, lenders)


def _lender(wish: StyleWish, which: str, shelf: str) -> str | None:
    """What a recipe calls the style that is mixed in or lends its upper body; None for none.

    Raises:
        TaskError: a file or an action, and none is picked.
    """
    lent, what = getattr(wish, which), "Mix In" if which == MIXED else "Upper Body"
    if lent.source == "FILE":
        if not lent.clip:
            raise TaskError(f"{what} is to come from a file, and none is picked. Open one, or pick another entry of its list.")
        return str(bpy.path.abspath(lent.clip))
    if lent.source == "ACTION":
        if lent.action is None and not lent.action_name:
            raise TaskError(f"{what} is to come from an action, and none is picked. Pick one, or another entry of its list.")
        return f"{what}: the action {lent.action_name!r}"
    if lent.mine:
        return str(styles.file_of(lent.mine))
    return None if shelf == ALONE else shelf


def _lent_style(lent: FootfallLent, which: str) -> Style:
    """What the action of one shows that is mixed in or lends its upper body."""
    found = lent_shown(lent, which)
    return found.style if isinstance(found, Posture) else style_shown(found)


def lent_shown(lent: FootfallLent, which: str) -> Understood | Posture:
    """What an action shows that is mixed in or lends its upper body: of the latter the posture, where nobody walks.

    Raises:
        ClipError: it or its armature is gone, does not fit, or shows nobody, or of one that is mixed in nobody who walks.
        CharacterError: the armature is scaled in a way that no body can be.
    """
    recording = action_recorded(lent)
    try:
        return understand(recording)
    except ClipError:
        if which == MIXED:
            raise
        return posture_shown(recording)


def action_shown(wish: StyleWish) -> Understood:
    """What the action of a person shows that is taken for a style, as it is now.

    Raises:
        FootfallError: as `action_recorded`; or it shows no walk or run.
    """
    return understand(action_recorded(wish))


def action_recorded(wish: StyleWish | FootfallLent) -> Recording:
    """The action that settings name, as it is now, played by the armature that they name or that it fits.

    Raises:
        ClipError: it or its armature is gone, or does not fit.
        CharacterError: the armature is scaled in a way that no body can be.
    """
    scene = wish.id_data
    if wish.action is None:
        raise ClipError(f"The action {wish.action_name!r} is no longer in this file. Pick another one, or go back to the shelf.")
    if wish.actor is None and wish.actor_name:
        raise ClipError(f"The armature {wish.actor_name!r}, which plays the action {wish.action.name!r}, is no longer in this "
                        "file. Pick another one, or none to have it found.")
    active = next((layer.objects.active for layer in scene.view_layers if layer.objects.active), None)
    return record_action(wish.action, wish.actor or armature_playing(wish.action, active), scene)
