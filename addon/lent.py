"""Where a style that is mixed in, or one that lends its upper body, comes from if it is not on the shelf."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy
from bpy.props import EnumProperty, StringProperty

from .clips import tell_lent
from .picked_action import PickedAction

PARTS = [("STYLE", "Style", "The style itself"), ("MIXED", "Mix In", "A style of which a share is mixed in"),
         ("UPPER", "Upper Body", "A style whose chest, arms and head are taken")]


def _mine_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    if self.mine:
        self.source = "SHELF"


def _clip_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    if self.clip:
        self.source = "FILE"
    tell_lent(self)


def _source_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    tell_lent(self)


class FootfallLent(PickedAction, bpy.types.PropertyGroup):
    """A style of the user's own, of a file or of an action, in place of one on the shelf."""

    source: EnumProperty(
        name="From", items=[("SHELF", "Shelf", "One of those that come with Footfall, or that you have saved"),
                            ("FILE", "File…", "A recorded clip (.bvh), or a style's file (.toml)"),
                            ("ACTION", "Action…", "An armature of this file in an action")],
        update=_source_was_set, description="Where it comes from")
    mine: StringProperty(
        name="Mine", update=_mine_was_set,
        description="A style that you have saved, by its name, in place of one that comes with Footfall")
    clip: StringProperty(
        name="File", subtype="FILE_PATH", update=_clip_was_set,
        description="File of a recorded clip (.bvh) or of a style (.toml); an upper body may be of somebody who stands")
    told: StringProperty(name="Shown", description="What the file or the action shows")

    def action_was_picked(self) -> None:
        """Take it from the action, and tell what that shows."""
        if self.action is not None:
            self.source = "ACTION"
        tell_lent(self)

    @property
    def plain(self) -> bool:
        """Whether the style of the shelf counts."""
        return self.source == "SHELF" and not self.mine
