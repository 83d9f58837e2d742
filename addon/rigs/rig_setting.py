"""Settings that choose which controls of a rig are active."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ..animation.action_builder import KeySink


@dataclass(frozen=True)
class RigSetting:
    """A value that a rig must have for its controls to act: a property of a bone or of a
    constraint.

    Args:
        bone: bone that has the property or the constraint.
        key: name of the property.
        value: the required value.
        constraint: name of the constraint; "" for a property of the bone.
        is_custom: whether it is a custom property of the bone; other properties are defined by an
            extension for all bones.
    """

    bone: str
    key: str
    value: float
    constraint: str = ""
    is_custom: bool = True

    @property
    def data_path(self) -> str:
        """The data path in the armature object."""
        bone, key, constraint = (
            bpy.utils.escape_identifier(name) for name in (self.bone, self.key, self.constraint)
        )
        return f'pose.bones["{bone}"]' + (
            f'.constraints["{constraint}"].{key}'
            if constraint
            else f'["{key}"]'
            if self.is_custom
            else f".{key}"
        )

    def read(self, armature: bpy.types.Object) -> Any:
        """Return the current value."""
        owner = self._find_owner(armature)
        return owner[self.key] if self.is_custom else getattr(owner, self.key)

    def set(self, armature: bpy.types.Object, value: Any) -> None:
        """Set a value, converted to the type of the current one."""
        owner = self._find_owner(armature)
        value = type(self.read(armature))(value)
        if self.is_custom:
            owner[self.key] = value
        else:
            setattr(owner, self.key, value)

    def add_key(self, key_sink: KeySink, frame: float) -> None:
        """Key the required value; one key holds in all frames."""
        key_sink.add(self.data_path, self.bone, np.array([frame]), np.array([[self.value]]))

    def _find_owner(self, armature: bpy.types.Object) -> Any:
        bone = armature.pose.bones[self.bone]
        return bone.constraints[self.constraint] if self.constraint else bone
