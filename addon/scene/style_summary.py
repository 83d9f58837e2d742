"""What is told of clips, files and actions that are taken for styles."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import bpy

from ...core.clip import (
    Posture,
    Understood,
    UnderstoodQuadruped,
    clip_shown,
    find_quadruped_style,
    find_style,
    posture_of,
    tells_quadruped,
    understand_anybody,
)
from ...core.errors import FootfallError
from ..settings.style import UPPER
from .style import action_recorded, lent_shown


@dataclass(frozen=True)
class Told:
    """What a user is told of a clip."""

    line: str
    notes: tuple[str, ...] = ()
    strips: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What the panel shows: the line, and when each foot is down."""
        return "\n".join((self.line, *self.strips))


def told_of_clip(path: str) -> Told:
    """What a clip shows, or which style a file holds.

    Raises:
        FootfallError: it cannot be read, or shows no walk or run.
    """
    if Path(path).suffix.lower() != ".bvh":
        # both say what is wrong with a path or a style's file
        style = find_quadruped_style(path) if tells_quadruped(Path(path)) else find_style(path)
        return Told(style.about or "A style of its own")
    return told_of(clip_shown(Path(path)))


def told_of(found: Understood | UnderstoodQuadruped | Posture) -> Told:
    """What was understood, in words."""
    if isinstance(found, Posture):
        return Told(found.told)
    if isinstance(found, UnderstoodQuadruped):
        line = (f"On four legs: a {found.gait} at {found.speed:.2f} m/s with hips {found.hip_height:.2f} m high, strides of "
                f"{found.stride_length:.2f} m in {found.stride_time:.2f} s, taken from {found.begin:.1f} to {found.end:.1f} s")
        return Told(line, found.notes, found.strips)
    line = (f"A {found.gait} at {found.speed:.2f} m/s on legs of {found.leg_length:.2f} m, strides of "
            f"{found.stride_length:.2f} m in {found.stride_time:.2f} s, taken from {found.begin:.1f} to {found.end:.1f} s")
    line += f"; {found.sides.told}" if found.sides is not None else ""
    return Told(line, found.notes)


def clip_was_set(wish: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Take a file for the style, and tell what it shows, or what is wrong with it."""
    wish.style_from = "FILE" if wish.clip else "SHELF"
    try:
        wish.clip_told = told_of_clip(bpy.path.abspath(wish.clip)).text if wish.clip else ""
    except FootfallError as error:
        wish.clip_told = str(error)


def tell_action(wish: bpy.types.PropertyGroup) -> Told:
    """Read the action and write down what it shows, or what is wrong with it."""
    try:
        told = told_of(understand_anybody(action_recorded(wish)))
    except FootfallError as error:
        told = Told(str(error))
    wish.action_told = told.text
    return told


def told_of_upper(path: str) -> Told:
    """What of a clip or a style's file is taken for an upper body.

    Raises:
        FootfallError: it cannot be read, or shows nobody.
    """
    held = posture_of(Path(path)) if Path(path).suffix.lower() == ".bvh" else None
    return told_of_clip(path) if held is None else told_of(held)


def tell_lent(lent: bpy.types.PropertyGroup) -> Told:
    """Write down what a file or an action shows that is mixed in or lends its upper body, or what is wrong with it."""
    which = lent.path_from_id().rpartition(".")[2]
    told = Told("")
    try:
        if lent.source == "FILE" and lent.clip:
            path = bpy.path.abspath(lent.clip)
            told = told_of_upper(path) if which == UPPER else told_of_clip(path)
        elif lent.source == "ACTION" and lent.action_name:
            told = told_of(lent_shown(lent, which))
    except FootfallError as error:
        told = Told(str(error))
    lent.told = told.line
    return told
