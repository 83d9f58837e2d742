"""Property groups of a style and of the styles that are mixed into it."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

import bpy
from bpy.props import EnumProperty, FloatProperty, PointerProperty, StringProperty

from ...core.clip import (
    describe_builtin_style,
    list_builtin_styles,
    list_quadruped_styles,
    load_builtin_quadruped_style,
)
from ..animation.actions import has_bone_curves
from . import hooks
from .clip_corrections import ClipCorrectionSettings

# Identifier, title, tooltip, icon and number of an item of an enum
EnumItem = tuple[str, str, str, str, int]

NO_STYLE = "-"  # identifier of "no style is mixed in" and "no upper-body style"

# Properties of the mixed-in and the upper-body style that are not on the shelf
MIXED_SOURCE = "mixed_other"
UPPER_BODY_SOURCE = "upper_other"

# .blend files store a style by its index in this list: append only
QUADRUPED_STYLES = ("natural", "walk", "trot", "pace", "canter", "gallop", "stalk")


def list_quadruped_style_items() -> list[EnumItem]:
    """Return the enum items of the shelf for quadrupeds, from slow to fast."""
    names = [
        *QUADRUPED_STYLES,
        *(name for name in list_quadruped_styles() if name not in QUADRUPED_STYLES),
    ]
    return [
        (name, name.replace("-", " ").title(), load_builtin_quadruped_style(name).about, "NONE", k)
        for k, name in enumerate(names)
    ]


def _has_bone_curves(_: bpy.types.PropertyGroup, action: bpy.types.Action) -> bool:
    return has_bone_curves(action)


def _is_armature(_: bpy.types.PropertyGroup, obj: bpy.types.Object) -> bool:
    return obj.type == "ARMATURE"


def _on_choice_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    """Store the names beside the references: Blender clears the reference to a deleted object."""
    self.action_name = self.action.name if self.action else ""
    self.actor_name = self.actor.name if self.actor else ""
    self.on_action_changed()


class ActionSource:
    """Settings of an action that is used as a style."""

    action: PointerProperty(
        type=bpy.types.Action,
        name="Action",
        poll=_has_bone_curves,
        update=_on_choice_changed,
        description=(
            "Action that shows a walk or a run; for an upper body it may show a body at rest. "
            "Footfall reads it again for each motion"
        ),
    )
    actor: PointerProperty(
        type=bpy.types.Object,
        name="Armature",
        poll=_is_armature,
        update=_on_choice_changed,
        description=(
            "Armature that the action belongs to; without one Footfall uses an armature with the "
            "bones of the action"
        ),
    )
    action_name: StringProperty(options={"HIDDEN"})
    actor_name: StringProperty(options={"HIDDEN"})

    def on_action_changed(self) -> None:
        """Use the action as the style."""
        raise NotImplementedError


PART_ITEMS = [
    ("STYLE", "Style", "The style itself"),
    ("MIXED", "Mix In", "A style of which a share is mixed in"),
    ("UPPER", "Upper Body", "A style for chest, arms and head"),
]


def _on_source_style_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    if self.mine:
        self.source = "SHELF"


def _on_clip_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    if self.clip:
        self.source = "FILE"
    hooks.source_changed(self)


def _on_source_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    hooks.source_changed(self)


class FootfallStyleSource(ActionSource, bpy.types.PropertyGroup):
    """A saved style, a file or an action that is mixed in or used for the upper body."""

    source: EnumProperty(
        name="From",
        items=[
            ("SHELF", "Shelf", "A style that comes with Footfall, or that you have saved"),
            ("FILE", "File…", "A recorded clip (.bvh) or the file of a style (.toml)"),
            ("ACTION", "Action…", "An armature of this file in an action"),
        ],
        update=_on_source_changed,
        description="Source of the style",
    )
    mine: StringProperty(
        name="Mine",
        update=_on_source_style_changed,
        description="Name of a style that you have saved, instead of one of the shelf",
    )
    clip: StringProperty(
        name="File",
        subtype="FILE_PATH",
        update=_on_clip_changed,
        description=(
            "File of a recorded clip (.bvh) or of a style (.toml); for an upper body the clip may "
            "show a body at rest"
        ),
    )
    told: StringProperty(name="Shown", description="What the file or the action shows")

    def on_action_changed(self) -> None:
        """Use the action and update its summary."""
        if self.action is not None:
            self.source = "ACTION"
        hooks.source_changed(self)

    @property
    def is_from_shelf(self) -> bool:
        """Whether the style of the shelf applies."""
        return self.source == "SHELF" and not self.mine


# .blend files store a style by its index in this list: append only
STYLES = (
    "natural",
    "run",
    "walk",
    "stroll",
    "brisk",
    "jog",
    "sprint",
    "sneak",
    "march",
    "old",
    "proud",
    "tired",
    "catwalk",
    "limp",
    "stairs",
    "arms-wide",
    "leaned-back",
    "hop",
    "jump",
)
BASIC_STYLES = ("natural", "walk", "run")


def format_style_title(name: str) -> str:
    """Return the title of a style of the shelf in menus."""
    return name.replace("-", " ").title()


def list_shelf_styles() -> list[str]:
    """Return the names of the styles of the shelf, the basic ones first."""
    others = sorted(name for name in list_builtin_styles() if name not in BASIC_STYLES)
    return [*BASIC_STYLES, *others]


def _list_style_items() -> list[EnumItem]:
    """Return the enum items of the shelf for humanoids, the basic styles first."""
    names = [*STYLES, *(name for name in list_builtin_styles() if name not in STYLES)]
    return [
        (name, format_style_title(name), describe_builtin_style(name), "NONE", names.index(name))
        for name in list_shelf_styles()
    ]


def _on_style_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    """Replace a saved style, file or action by the style of the shelf."""
    self.style_from = "SHELF"
    self.mine = ""


def on_quadruped_style_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    """Replace a file or action by the style of the shelf for quadrupeds."""
    self.style_from = "SHELF"


def _on_mine_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    if self.mine:
        self.style_from = "SHELF"


def _on_mixed_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    self.mixed_other.source = "SHELF"
    self.mixed_other.mine = ""


def _on_upper_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    self.upper_other.source = "SHELF"
    self.upper_other.mine = ""


def _on_clip_file_changed(self: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    hooks.clip_changed(self, context)


class StyleSettings(ClipCorrectionSettings, ActionSource):
    """Settings of the style of a character."""

    style: EnumProperty(
        name="Style",
        items=_list_style_items(),
        default="natural",
        update=_on_style_changed,
        description="How the body moves; with Natural the speed decides between walk and run",
    )
    style_from: EnumProperty(
        name="Style",
        items=[
            ("SHELF", "Shelf", "A style that comes with Footfall, or that you have saved"),
            ("FILE", "File", "A recorded clip (.bvh) or the file of a style (.toml)"),
            ("ACTION", "Action", "An armature of this file in an action"),
        ],
        description="Source of the style",
    )
    mine: StringProperty(
        name="Mine",
        update=_on_mine_changed,
        description="Name of a style that you have saved, instead of one of the shelf",
    )
    action_told: StringProperty(name="Action", description="What the action shows")
    clip: StringProperty(
        name="Clip",
        subtype="FILE_PATH",
        update=_on_clip_file_changed,
        description=(
            "File of a recorded walk or run, or of a style, which replaces the style of the shelf"
        ),
    )
    clip_told: StringProperty(name="Clip", description="What the clip shows")
    mixed_style: EnumProperty(
        name="Mix In",
        items=[(NO_STYLE, "Nothing", "The style as it is", "NONE", 1000), *_list_style_items()],
        default=NO_STYLE,
        update=_on_mixed_changed,
        description=(
            "Another style of which a share is mixed into the style, such as 30 % of a proud walk "
            "into an old one"
        ),
    )
    mixed_share: FloatProperty(
        name="Share",
        default=0.3,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        description="Share of the other style",
    )
    upper_style: EnumProperty(
        name="Upper Body",
        items=[
            (NO_STYLE, "Its Own", "Upper body of the style", "NONE", 1000),
            *_list_style_items(),
        ],
        default=NO_STYLE,
        update=_on_upper_changed,
        description="A style for chest, arms and head",
    )
    mixed_other: PointerProperty(
        type=FootfallStyleSource,
        name="Mix In",
        description="A style that is mixed in: one that you have saved, a file or an action",
    )
    upper_other: PointerProperty(
        type=FootfallStyleSource,
        name="Upper Body",
        description=(
            "A style for chest, arms and head: one that you have saved, a file or an action"
        ),
    )

    def on_action_changed(self) -> None:
        """Use the action as the style and update its summary."""
        self.action_told = ""
        if self.action is not None:
            self.style_from = "ACTION"
            hooks.action_changed(self)
