"""Whole curves of keys, in every Blender from 4.2 on."""
from __future__ import annotations

import re
from typing import Any, Protocol

import bpy
import numpy as np
from numpy.typing import NDArray

LINEAR = 1           # of the key's interpolations
CHANNELS = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")     # of a bone


def bone_of(data_path: str) -> str:
    """The bone whose channel, property or constraint a path in an armature leads to; empty for the object's own."""
    found = re.match(r'pose\.bones\["((?:\\.|[^"\\])*)"\]', data_path)
    return bpy.utils.unescape_identifier(found.group(1)) if found else ""


class Keys(Protocol):
    """What takes a bone's or an object's channels, a value a frame."""

    def add(self, data_path: str, group: str, frames: NDArray[np.float64], values: NDArray[np.float64],
            skip: tuple[int, ...] = ()) -> None:
        """Take a channel's values (n or 1, channels) but for the channels in `skip`."""
        ...


class NewAction:
    """An action that is filled first and given to its object last; `discard` leaves nothing behind."""

    def __init__(self, owner: bpy.types.Object, name: str) -> None:
        self.owner = owner
        self.action = bpy.data.actions.new(name)
        self._curves: Any
        self._there: set[tuple[str, int]] = set()
        self._slot: Any = None
        if hasattr(self.action, "slots"):                                  # 4.4 and later
            self._slot = self.action.slots.new("OBJECT", owner.name)
            strip = self.action.layers.new("Layer").strips.new(type="KEYFRAME")
            self._curves = strip.channelbag(self._slot, ensure=True).fcurves
        else:
            self._curves = self.action.fcurves

    def add(self, data_path: str, group: str, frames: NDArray[np.float64], values: NDArray[np.float64],
            skip: tuple[int, ...] = ()) -> None:
        """Add a curve for each column of values (n, channels), a key a frame; channels that never change get one key.

        Args:
            skip: channels that get none.
        """
        for channel in range(values.shape[1]):
            if channel in skip:
                continue
            column = values[:, channel]
            if np.ptp(column) < 1e-7:
                keys = np.array([[frames[0], column[0]]], np.float32)
            else:
                keys = np.column_stack([frames, column]).astype(np.float32)
            curve = self.empty(data_path, channel, group)
            curve.keyframe_points.add(len(keys))
            curve.keyframe_points.foreach_set("co", keys.ravel())
            curve.keyframe_points.foreach_set("interpolation", np.full(len(keys), LINEAR, np.int32))
            curve.update()

    def has(self, data_path: str, channel: int) -> bool:
        """Whether there is such a curve."""
        return (data_path, channel) in self._there

    def empty(self, data_path: str, channel: int, group: str) -> Any:
        """Add a curve without keys."""
        self._there.add((data_path, channel))
        if self._slot is not None:
            return self._curves.new(data_path, index=channel, group_name=group)
        return self._curves.new(data_path, index=channel, action_group=group)

    def assign(self) -> bpy.types.Action:
        """Give the action to its object; the one that it had stays in the file."""
        data = self.owner.animation_data or self.owner.animation_data_create()
        if data.action is not None:
            data.action.use_fake_user = True
        data.action = self.action
        if self._slot is not None and data.action_slot != self._slot:
            data.action_slot = self._slot
        return self.action

    def discard(self) -> None:
        """Remove the action again."""
        bpy.data.actions.remove(self.action)
