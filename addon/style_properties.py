"""Where the style comes from, as a scene keeps it."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy
from bpy.props import EnumProperty, FloatProperty, PointerProperty, StringProperty

from ..core.clip import builtin_styles, line_about
from .chosen import ALONE
from .clips import clip_was_set, tell_action
from .lent import FootfallLent
from .picked_action import PickedAction

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
        name="Clip", subtype="FILE_PATH", update=clip_was_set,
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
            tell_action(self)
