"""Property groups of styles and what they are mixed with."""
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

NO_STYLE = "-"  # in place of a style that is mixed in or lends its upper body

# where a scene keeps those that are not on the shelf
MIXED_SOURCE = "mixed_other"
UPPER_BODY_SOURCE = "upper_other"

# .blend files keep a style by its place in this list: append only
QUADRUPED_STYLES = ("natural", "walk", "trot", "pace", "canter", "gallop", "stalk")


def list_quadruped_style_items() -> list[tuple[str, str, str, str, int]]:
    """The shelf for four legs, from slow to fast, each style with its line and the
    number that files keep it by.
    """
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
    """Names are kept beside the references, to say later what is gone:
    Blender clears references, and not names.
    """
    self.action_name = self.action.name if self.action else ""
    self.actor_name = self.actor.name if self.actor else ""
    self.on_action_changed()


class ActionSource:
    """The part of a style's settings that tells of an action."""

    action: PointerProperty(
        type=bpy.types.Action,
        name="Action",
        poll=_has_bone_curves,
        update=_on_choice_changed,
        description=(
            "Action in which somebody walks or runs; for an upper body alone it may be somebody "
            "who stands. It is read anew for each motion"
        ),
    )
    actor: PointerProperty(
        type=bpy.types.Object,
        name="Armature",
        poll=_is_armature,
        update=_on_choice_changed,
        description=(
            "Armature that the action belongs to; without one it is found by the action's bones"
        ),
    )
    action_name: StringProperty(options={"HIDDEN"})
    actor_name: StringProperty(options={"HIDDEN"})

    def on_action_changed(self) -> None:
        """Take the action for the style, and tell what it shows, or what is wrong with it."""
        raise NotImplementedError


PART_ITEMS = [
    ("STYLE", "Style", "The style itself"),
    ("MIXED", "Mix In", "A style of which a share is mixed in"),
    ("UPPER", "Upper Body", "A style whose chest, arms and head are taken"),
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
    """A style of the user's own, of a file or of an action, in place of one on the shelf."""

    source: EnumProperty(
        name="From",
        items=[
            ("SHELF", "Shelf", "One of those that come with Footfall, or that you have saved"),
            ("FILE", "File…", "A recorded clip (.bvh), or a style's file (.toml)"),
            ("ACTION", "Action…", "An armature of this file in an action"),
        ],
        update=_on_source_changed,
        description="Where it comes from",
    )
    mine: StringProperty(
        name="Mine",
        update=_on_source_style_changed,
        description=(
            "A style that you have saved, by its name, in place of one that comes with Footfall"
        ),
    )
    clip: StringProperty(
        name="File",
        subtype="FILE_PATH",
        update=_on_clip_changed,
        description=(
            "File of a recorded clip (.bvh) or of a style (.toml); an upper body may be of "
            "somebody who stands"
        ),
    )
    told: StringProperty(name="Shown", description="What the file or the action shows")

    def on_action_changed(self) -> None:
        """Take it from the action, and tell what that shows."""
        if self.action is not None:
            self.source = "ACTION"
        hooks.source_changed(self)

    @property
    def is_from_shelf(self) -> bool:
        """Whether the style of the shelf counts."""
        return self.source == "SHELF" and not self.mine


# .blend files keep a style by its place in this list: append only
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
    """A style of the shelf as menus show it."""
    return name.replace("-", " ").title()


def list_shelf_titles() -> list[tuple[str, str]]:
    """Names and titles of the shelf, the plain ones first."""
    return [
        (name, format_style_title(name))
        for name in (
            *BASIC_STYLES,
            *sorted(name for name in list_builtin_styles() if name not in BASIC_STYLES),
        )
    ]


def _list_style_items() -> list[tuple[str, str, str, str, int]]:
    """The shelf, each style with its line and the number that files keep it
    by; the plain ones first.
    """
    names = [*STYLES, *(name for name in list_builtin_styles() if name not in STYLES)]
    return [
        (name, title, describe_builtin_style(name), "NONE", names.index(name))
        for name, title in list_shelf_titles()
    ]


def _on_style_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    """One from the shelf takes the place of any other."""
    self.style_from = "SHELF"
    self.mine = ""


def on_quadruped_style_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    """One from the shelf for four legs takes the place of any other."""
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


class StyleSettings(ActionSource):
    """The part of a scene's settings that tells the style."""

    style: EnumProperty(
        name="Style",
        items=_list_style_items(),
        default="natural",
        update=_on_style_changed,
        description="How the body carries itself; the natural one walks or runs as the speed asks",
    )
    style_from: EnumProperty(
        name="Style",
        items=[
            ("SHELF", "Shelf", "One of those that come with Footfall, or that you have saved"),
            ("FILE", "File", "As a recorded clip (.bvh) walks, or a style's file (.toml) says"),
            ("ACTION", "Action", "As an armature of this file walks in an action"),
        ],
        description="Where the style comes from",
    )
    mine: StringProperty(
        name="Mine",
        update=_on_mine_changed,
        description=(
            "A style that you have saved, by its name, in place of one that comes with Footfall"
        ),
    )
    action_told: StringProperty(name="Action", description="What the action shows")
    clip: StringProperty(
        name="Clip",
        subtype="FILE_PATH",
        update=_on_clip_file_changed,
        description=(
            "File of a recorded walk or run, or of a style, that takes the place of one on the "
            "shelf"
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
        description="How much of the other style is mixed in",
    )
    upper_style: EnumProperty(
        name="Upper Body",
        items=[(NO_STYLE, "Its Own", "Of the style itself", "NONE", 1000), *_list_style_items()],
        default=NO_STYLE,
        update=_on_upper_changed,
        description="A style whose chest, arms and head are taken",
    )
    mixed_other: PointerProperty(
        type=FootfallStyleSource,
        name="Mix In",
        description="Another style that is mixed in, of your own, a file or an action",
    )
    upper_other: PointerProperty(
        type=FootfallStyleSource,
        name="Upper Body",
        description="Whose chest, arms and head are taken: of your own, a file or an action",
    )

    def on_action_changed(self) -> None:
        """Take the style from the action, and tell what that shows, or what is wrong with it."""
        self.action_told = ""
        if self.action is not None:
            self.style_from = "ACTION"
            hooks.action_changed(self)
