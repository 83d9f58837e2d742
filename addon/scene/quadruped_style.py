"""The style that is asked for on four legs: from their shelf, from a file or from an action."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ...core.clip import QuadrupedStyle, find_quadruped_style, quadruped_shown, understand_quadruped
from ...core.errors import TaskError
from ..settings.style import StyleWish
from .style import action_recorded, clip_of


@dataclass(frozen=True)
class ChosenQuadruped:
    """A style for four legs by what names it.

    Args:
        spoken: what people call it.
        what: its name on the shelf or the path of its file; "natural" of one that an action shows.
        wish: whose action it is, which is read when the style is asked for; None of styles that have a name or a file.
    """

    spoken: str
    what: str
    wish: StyleWish | None = None

    @cached_property
    def shown(self) -> QuadrupedStyle | None:
        """What an action shows, as it is now; None of styles that have a name or a file.

        Raises:
            FootfallError: the action or its armature is gone, or shows nobody who goes on four legs.
        """
        return None if self.wish is None else quadruped_shown(understand_quadruped(action_recorded(self.wish)))

    @cached_property
    def made(self) -> QuadrupedStyle:
        """The style.

        Raises:
            FootfallError: its file or its action tells none for four legs.
        """
        return find_quadruped_style(self.what) if self.shown is None else self.shown


def chosen_quadruped(wish: StyleWish) -> ChosenQuadruped:
    """What is asked for of a body on four legs.

    Raises:
        TaskError: a file or an action, and none is picked.
    """
    if wish.style_from == "SHELF":
        return ChosenQuadruped(wish.quadruped_style, wish.quadruped_style)
    if not (wish.clip if wish.style_from == "FILE" else wish.action or wish.action_name):
        raise TaskError(f"The style is to come from {'a file' if wish.style_from == 'FILE' else 'an action'}, and none is picked. "
                        "Pick one under Style, or go back to the shelf.")
    if wish.style_from == "FILE":
        return ChosenQuadruped(Path(clip_of(wish)).stem, clip_of(wish))
    return ChosenQuadruped(wish.action.name if wish.action else wish.action_name, "natural", wish)
