"""Settings that correct what is recognized in a clip."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from ...core.clip import ClipCorrections, list_clip_joints
from ...core.errors import FootfallError
from ..animation.actions import list_action_parts
from . import hooks

# Properties of `ClipCorrectionSettings`
CORRECTIONS = (
    "clip_up",
    "clip_begin",
    "clip_end",
    "clip_gait",
    "clip_exchanges_sides",
    "clip_foot",
    "clip_other_foot",
)


def _on_corrections_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    hooks.corrections_changed(self)


def _list_joints(self: bpy.types.PropertyGroup, _: bpy.types.Context, edit_text: str) -> list[str]:
    """Return the joints of the clip or action whose names contain a text."""
    names: Iterable[str] = ()
    if self.style_from == "ACTION" and self.action is not None:
        names = sorted({name for part in list_action_parts(self.action) for name in part.bones})
    elif self.clip.lower().endswith(".bvh"):
        with suppress(FootfallError):  # the panel shows the error of a broken file
            names = list_clip_joints(Path(bpy.path.abspath(self.clip)))
    return [name for name in names if edit_text.lower() in name.lower()]


class ClipCorrectionSettings:
    """Corrections of what is recognized in the clip or action of a style."""

    clip_up: EnumProperty(
        name="Up Axis",
        items=[
            ("AUTO", "Recognized", "The axis along which the body stands"),
            ("x", "X", "The x axis of the file"),
            ("y", "Y", "The y axis of the file"),
            ("z", "Z", "The z axis of the file"),
        ],
        update=_on_corrections_changed,
        description="Vertical axis of the file; actions have the axes of the scene",
    )
    clip_begin: FloatProperty(
        name="From",
        min=0.0,
        update=_on_corrections_changed,
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
        description="Start of the part of the clip that is read",
    )
    clip_end: FloatProperty(
        name="To",
        min=0.0,
        update=_on_corrections_changed,
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
        description="End of the part of the clip that is read; 0 is the end of the clip",
    )
    clip_gait: EnumProperty(
        name="Gait",
        items=[
            ("AUTO", "Recognized", "A walk or a run, by contacts, speed and height"),
            ("walk", "Walk", "A foot is always on the ground"),
            ("run", "Run", "Both feet leave the ground"),
        ],
        update=_on_corrections_changed,
        description="Gait of the clip",
    )
    clip_exchanges_sides: BoolProperty(
        name="Face the Other Direction",
        update=_on_corrections_changed,
        description="Exchange left and right of the clip, whose body otherwise moves backward",
    )
    clip_foot: StringProperty(
        name="Feet",
        update=_on_corrections_changed,
        search=_list_joints,
        search_options={"SUGGESTION"},
        description="Joint at the ankle of one foot; empty to recognize the feet",
    )
    clip_other_foot: StringProperty(
        name="Other Foot",
        update=_on_corrections_changed,
        search=_list_joints,
        search_options={"SUGGESTION"},
        description="Joint at the ankle of the other foot; both feet are needed",
    )

    @property
    def clip_corrections(self) -> ClipCorrections:
        """The corrections as the analysis takes them."""
        return ClipCorrections(
            None if self.clip_up == "AUTO" else self.clip_up,
            self.clip_begin or None,
            self.clip_end or None,
            gait=None if self.clip_gait == "AUTO" else self.clip_gait,
            exchanges_sides=self.clip_exchanges_sides,
            feet=(self.clip_foot, self.clip_other_foot)
            if self.clip_foot and self.clip_other_foot
            else None,
        )
