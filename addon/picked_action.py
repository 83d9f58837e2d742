"""An action of this file that is picked to take a style from, and whose it is."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy
from bpy.props import PointerProperty, StringProperty

from .actions import moves_bones


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
