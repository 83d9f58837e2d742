"""The styles that a scene offers to bodies on four legs."""
from __future__ import annotations

from ..core.clip import quadruped_style, quadruped_styles

# .blend files keep a style by its place in this list: append only
QUADRUPED_STYLES = ("natural", "walk", "trot", "pace", "canter", "gallop", "stalk")


def quadruped_items() -> list[tuple[str, str, str, str, int]]:
    """The shelf for four legs, from slow to fast, each style with its line and the number that files keep it by."""
    names = [*QUADRUPED_STYLES, *(name for name in quadruped_styles() if name not in QUADRUPED_STYLES)]
    return [(name, name.replace("-", " ").title(), quadruped_style(name).about, "NONE", k) for k, name in enumerate(names)]
