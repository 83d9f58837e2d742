"""Clips that are taken for styles."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import bpy

from ..core.clip import Recipe, Share, clip_shown, find_style
from ..core.errors import FootfallError
from .knobs import read_knobs

ALONE = "-"           # in place of a style that is mixed in or lends its upper body


@dataclass(frozen=True)
class Told:
    """What a user is told of a clip."""

    line: str
    notes: tuple[str, ...] = ()


def clip_of(scene: bpy.types.Scene) -> str:
    """The absolute path of the clip that a scene takes for a style; empty where it takes one from the shelf."""
    return bpy.path.abspath(scene.footfall.clip) if scene.footfall.clip else ""


def style_name(scene: bpy.types.Scene) -> str:
    """What the style goes by: a name on the shelf or a path."""
    return clip_of(scene) or str(scene.footfall.style)


def read_recipe(scene: bpy.types.Scene) -> Recipe:
    """What the style is made of, all told."""
    wish = scene.footfall
    mixed = (Share(wish.mixed_style, round(wish.mixed_share, 4)),) if wish.mixed_style != ALONE and wish.mixed_share > 0 else ()
    upper = None if wish.upper_style == ALONE else wish.upper_style
    return Recipe(style_name(scene), mixed, upper, read_knobs(wish.knobs))


def spoken_style(scene: bpy.types.Scene) -> str:
    """The same for people: of a path the file's name alone."""
    return Path(clip_of(scene)).stem if clip_of(scene) else str(scene.footfall.style)


def told_of_clip(path: str) -> Told:
    """What a clip shows, or which style a file holds.

    Raises:
        FootfallError: it cannot be read, or shows no walk or run.
    """
    if Path(path).suffix.lower() != ".bvh":
        find_style(path)                   # says what is wrong with a path or a style's file
        return Told("A style of its own")
    found = clip_shown(Path(path))
    line = (f"A {found.gait} at {found.speed:.2f} m/s on legs of {found.leg_length:.2f} m, strides of "
            f"{found.stride_length:.2f} m in {found.stride_time:.2f} s, taken from {found.begin:.1f} to {found.end:.1f} s")
    return Told(line, found.notes)


def clip_was_set(wish: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Tell what a clip shows, or what is wrong with it, beside its path."""
    try:
        wish.clip_told = told_of_clip(bpy.path.abspath(wish.clip)).line if wish.clip else ""
    except FootfallError as error:
        wish.clip_told = str(error)
