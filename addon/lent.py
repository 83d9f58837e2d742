"""Where a style that is mixed in, or one that lends its upper body, comes from if it is not on the shelf."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy
from bpy.props import EnumProperty, PointerProperty, StringProperty

from .actions import moves_bones
from .clips import tell_lent

PARTS = [("STYLE", "Style", "The style itself"), ("MIXED", "Mix In", "A style of which a share is mixed in"),
         ("UPPER", "Upper Body", "A style whose chest, arms and head are taken")]


def _moves_bones(_: bpy.types.PropertyGroup, action: bpy.types.Action) -> bool:
    return moves_bones(action)


def _is_armature(_: bpy.types.PropertyGroup, thing: bpy.types.Object) -> bool:
    return thing.type == "ARMATURE"


def _mine_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    if self.mine:
        self.source = "SHELF"


def _clip_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    if self.clip:
        self.source = "FILE"
    tell_lent(self)


def _action_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    self.action_name = self.action.name if self.action else ""
    self.actor_name = self.actor.name if self.actor else ""
    if self.action is not None:
        self.source = "ACTION"
    tell_lent(self)


def _source_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    tell_lent(self)


class FootfallLent(bpy.types.PropertyGroup):
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
    action: PointerProperty(
        type=bpy.types.Action, name="Action", poll=_moves_bones, update=_action_was_set,
        description="Action of somebody; an upper body may be of somebody who stands. It is read anew for each motion")
    actor: PointerProperty(
        type=bpy.types.Object, name="Armature", poll=_is_armature, update=_action_was_set,
        description="Armature that the action belongs to; without one it is found by the action's bones")
    action_name: StringProperty(options={"HIDDEN"})
    actor_name: StringProperty(options={"HIDDEN"})
    told: StringProperty(name="Shown", description="What the file or the action shows")

    @property
    def plain(self) -> bool:
        """Whether the style of the shelf counts."""
        return self.source == "SHELF" and not self.mine
