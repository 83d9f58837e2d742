"""Property groups of styles and what they are mixed with."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

import bpy
from bpy.props import EnumProperty, FloatProperty, PointerProperty, StringProperty

from ...core.clip import builtin_styles, line_about, quadruped_style, quadruped_styles
from ..animation.actions import moves_bones
from . import hooks

ALONE = "-"           # in place of a style that is mixed in or lends its upper body
MIXED, UPPER = "mixed_other", "upper_other"      # where a scene keeps those that are not on the shelf

# .blend files keep a style by its place in this list: append only
QUADRUPED_STYLES = ("natural", "walk", "trot", "pace", "canter", "gallop", "stalk")


def quadruped_items() -> list[tuple[str, str, str, str, int]]:
    """The shelf for four legs, from slow to fast, each style with its line and the number that files keep it by."""
    names = [*QUADRUPED_STYLES, *(name for name in quadruped_styles() if name not in QUADRUPED_STYLES)]
    return [(name, name.replace("-", " ").title(), quadruped_style(name).about, "NONE", k) for k, name in enumerate(names)]


def _moves_bones(_: bpy.types.PropertyGroup, action: bpy.types.Action) -> bool:
    return moves_bones(action)


def _is_armature(_: bpy.types.PropertyGroup, thing: bpy.types.Object) -> bool:
    return thing.type == "ARMATURE"


def _was_picked(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    """Names are kept beside the references, to say later what is gone: Blender clears references, and not names."""
    self.action_name = self.action.name if self.action else ""
    self.actor_name = self.actor.name if self.actor else ""
    self.action_was_picked()


class PickedAction:
    """The part of a style's settings that tells of an action."""

    action: PointerProperty(
        type=bpy.types.Action, name="Action", poll=_moves_bones, update=_was_picked,
        description="Action in which somebody walks or runs; for an upper body alone it may be somebody who stands. It is read "
                    "anew for each motion")
    actor: PointerProperty(
        type=bpy.types.Object, name="Armature", poll=_is_armature, update=_was_picked,
        description="Armature that the action belongs to; without one it is found by the action's bones")
    action_name: StringProperty(options={"HIDDEN"})
    actor_name: StringProperty(options={"HIDDEN"})

    def action_was_picked(self) -> None:
        """Take the action for the style, and tell what it shows, or what is wrong with it."""
        raise NotImplementedError

PARTS = [("STYLE", "Style", "The style itself"), ("MIXED", "Mix In", "A style of which a share is mixed in"),
         ("UPPER", "Upper Body", "A style whose chest, arms and head are taken")]


def _source_style_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    if self.mine:
        self.source = "SHELF"


def _clip_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    if self.clip:
        self.source = "FILE"
    hooks.source_changed(self)


def _source_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    hooks.source_changed(self)


class FootfallLent(PickedAction, bpy.types.PropertyGroup):
    """A style of the user's own, of a file or of an action, in place of one on the shelf."""

    source: EnumProperty(
        name="From", items=[("SHELF", "Shelf", "One of those that come with Footfall, or that you have saved"),
                            ("FILE", "File…", "A recorded clip (.bvh), or a style's file (.toml)"),
                            ("ACTION", "Action…", "An armature of this file in an action")],
        update=_source_was_set, description="Where it comes from")
    mine: StringProperty(
        name="Mine", update=_source_style_was_set,
        description="A style that you have saved, by its name, in place of one that comes with Footfall")
    clip: StringProperty(
        name="File", subtype="FILE_PATH", update=_clip_was_set,
        description="File of a recorded clip (.bvh) or of a style (.toml); an upper body may be of somebody who stands")
    told: StringProperty(name="Shown", description="What the file or the action shows")

    def action_was_picked(self) -> None:
        """Take it from the action, and tell what that shows."""
        if self.action is not None:
            self.source = "ACTION"
        hooks.source_changed(self)

    @property
    def plain(self) -> bool:
        """Whether the style of the shelf counts."""
        return self.source == "SHELF" and not self.mine

# .blend files keep a style by its place in this list: append only
STYLES = ("natural", "run", "walk", "stroll", "brisk", "jog", "sprint", "sneak", "march", "old", "proud", "tired", "catwalk",
          "limp", "stairs", "arms-wide", "leaned-back", "hop", "jump")
PLAIN = ("natural", "walk", "run")


def title_of(name: str) -> str:
    """A style of the shelf as menus show it."""
    return name.replace("-", " ").title()


def shelf_titles() -> list[tuple[str, str]]:
    """Names and titles of the shelf, the plain ones first."""
    return [(name, title_of(name)) for name in (*PLAIN, *sorted(name for name in builtin_styles() if name not in PLAIN))]


def _styles() -> list[tuple[str, str, str, str, int]]:
    """The shelf, each style with its line and the number that files keep it by; the plain ones first."""
    names = [*STYLES, *(name for name in builtin_styles() if name not in STYLES)]
    return [(name, title, line_about(name), "NONE", names.index(name)) for name, title in shelf_titles()]


def _style_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    """One from the shelf takes the place of any other."""
    self.style_from, self.mine = "SHELF", ""


def quadruped_style_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    """One from the shelf for four legs takes the place of any other."""
    self.style_from = "SHELF"


def _mine_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    if self.mine:
        self.style_from = "SHELF"


def _mixed_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    self.mixed_other.source, self.mixed_other.mine = "SHELF", ""


def _upper_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    self.upper_other.source, self.upper_other.mine = "SHELF", ""


def _clip_file_was_set(self: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    hooks.clip_changed(self, context)


class StyleWish(PickedAction):
    """The part of a scene's settings that tells the style."""

    style: EnumProperty(
        name="Style", items=_styles(), default="natural", update=_style_was_set,
        description="How the body carries itself; the natural one walks or runs as the speed asks")
    style_from: EnumProperty(
        name="Style", items=[("SHELF", "Shelf", "One of those that come with Footfall, or that you have saved"),
                             ("FILE", "File", "As a recorded clip (.bvh) walks, or a style's file (.toml) says"),
                             ("ACTION", "Action", "As an armature of this file walks in an action")],
        description="Where the style comes from")
    mine: StringProperty(
        name="Mine", update=_mine_was_set,
        description="A style that you have saved, by its name, in place of one that comes with Footfall")
    action_told: StringProperty(name="Action", description="What the action shows")
    clip: StringProperty(
        name="Clip", subtype="FILE_PATH", update=_clip_file_was_set,
        description="File of a recorded walk or run, or of a style, that takes the place of one on the shelf")
    clip_told: StringProperty(name="Clip", description="What the clip shows")
    mixed_style: EnumProperty(
        name="Mix In", items=[(ALONE, "Nothing", "The style as it is", "NONE", 1000), *_styles()], default=ALONE,
        update=_mixed_was_set,
        description="Another style of which a share is mixed into the style, such as 30 % of a proud walk into an old one")
    mixed_share: FloatProperty(
        name="Share", default=0.3, min=0.0, max=1.0, subtype="FACTOR", description="How much of the other style is mixed in")
    upper_style: EnumProperty(
        name="Upper Body", items=[(ALONE, "Its Own", "Of the style itself", "NONE", 1000), *_styles()], default=ALONE,
        update=_upper_was_set, description="A style whose chest, arms and head are taken")
    mixed_other: PointerProperty(
        type=FootfallLent, name="Mix In", description="Another style that is mixed in, of your own, a file or an action")
    upper_other: PointerProperty(
        type=FootfallLent, name="Upper Body", description="Whose chest, arms and head are taken: of your own, a file or an action")

    def action_was_picked(self) -> None:
        """Take the style from the action, and tell what that shows, or what is wrong with it."""
        self.action_told = ""
        if self.action is not None:
            self.style_from = "ACTION"
            hooks.action_changed(self)
