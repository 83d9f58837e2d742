"""The styles that a scene offers: the shelf for people, and the one for four legs."""
from __future__ import annotations

import bpy

from ..core.clip import builtin_styles, line_about, quadruped_style, quadruped_styles

# .blend files keep a style by its place in these lists: append only
STYLES = ("natural", "run", "walk", "stroll", "brisk", "jog", "sprint", "sneak", "march", "old", "proud", "tired", "catwalk",
          "limp", "stairs", "arms-wide", "leaned-back")
QUADRUPED_STYLES = ("natural", "walk", "trot", "pace", "canter", "gallop", "stalk")
PLAIN = ("natural", "walk", "run")

Item = tuple[str, str, str, str, int]


def people_items() -> list[Item]:
    """The shelf for people, each style with its line and the number that files keep it by; the plain ones first."""
    names = [*STYLES, *(name for name in builtin_styles() if name not in STYLES)]
    shown = [*PLAIN, *sorted(name for name in names if name not in PLAIN)]
    return [_item(name, line_about(name), names.index(name)) for name in shown]


def quadruped_items() -> list[Item]:
    """The shelf for four legs, from slow to fast."""
    names = [*QUADRUPED_STYLES, *(name for name in quadruped_styles() if name not in QUADRUPED_STYLES)]
    return [_item(name, quadruped_style(name).about, k) for k, name in enumerate(names)]


def _item(name: str, about: str, number: int) -> Item:
    return name, name.replace("-", " ").title(), about, "NONE", number


def quadruped_style_was_set(wish: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    """A style that has a gait of its own sets it; the natural one leaves it to the speed."""
    wish.gait = quadruped_style(wish.quadruped_style).gait or "natural"
