"""Values by which a rig is told which of its controls count."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy


@dataclass(frozen=True)
class Switch:
    """A value that a rig must have for its controls to count: a property of a bone, or of a constraint on it.

    Args:
        own: whether it is a custom property of the bone; others an extension has defined for all bones.
    """

    bone: str
    key: str
    value: float
    constraint: str = ""
    own: bool = True

    @property
    def path(self) -> str:
        """Its data path in the armature object."""
        bone, key, held = (bpy.utils.escape_identifier(name) for name in (self.bone, self.key, self.constraint))
        return f'pose.bones["{bone}"]' + (f'.constraints["{held}"].{key}' if held else f'["{key}"]' if self.own else f".{key}")

    def read(self, armature: bpy.types.Object) -> Any:
        """What an armature has."""
        holder = self._holder(armature)
        return holder[self.key] if self.own else getattr(holder, self.key)

    def set(self, armature: bpy.types.Object, value: Any) -> None:
        """Give it a value, in the type that it has."""
        holder, value = self._holder(armature), type(self.read(armature))(value)
        if self.own:
            holder[self.key] = value
        else:
            setattr(holder, self.key, value)

    def _holder(self, armature: bpy.types.Object) -> Any:
        bone = armature.pose.bones[self.bone]
        return bone.constraints[self.constraint] if self.constraint else bone
