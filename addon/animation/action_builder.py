"""Whole curves of keys, in every Blender from 4.2 on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

import bpy
import numpy as np
from numpy.typing import NDArray

from .keyframes import LINEAR, Keys, concatenate_keys, make_keys, read_keys, write_keys

Array = NDArray[np.float64]
CurveId = tuple[str, int]  # data path and channel of a curve

STILL_TOLERANCE = 1e-7  # change below which a channel counts as constant, in its units
# Properties of a bone that transform it
TRANSFORM_CHANNELS = (
    "location",
    "rotation_quaternion",
    "rotation_euler",
    "rotation_axis_angle",
    "scale",
)


def bone_of(data_path: str) -> str:
    """Return the bone of a data path in an armature; "" for a path of the object itself."""
    match = re.match(r'pose\.bones\["((?:\\.|[^"\\])*)"\]', data_path)
    return bpy.utils.unescape_identifier(match.group(1)) if match else ""


def data_bone_of(data_path: str) -> str:
    """Return the bone of a data path in an armature's data; "" for a path of the data itself."""
    match = re.match(r'bones\["((?:\\.|[^"\\])*)"\]', data_path)
    return bpy.utils.unescape_identifier(match.group(1)) if match else ""


class KeySink(Protocol):
    """A receiver of channels of a bone or an object, with a value for each frame."""

    def add(
        self,
        data_path: str,
        group: str,
        frames: NDArray[np.float64],
        values: NDArray[np.float64],
        skip: tuple[int, ...] = (),
    ) -> None:
        """Receive the values of a property (n or 1, channels) except for the channels in `skip`."""
        ...


@dataclass
class ChannelKeys:
    """A curve to be written: a key for each frame, or one for all, and the keys before and after.

    Args:
        group: name of the group in the channel list.
        frames: frames of the keys (n,).
        values: values of the keys (n,).
        interpolation: interpolation of these keys, (n,) or one for all.
        before: keys before the first frame.
        after: keys after the last frame.
    """

    group: str
    frames: Array
    values: Array
    interpolation: int | NDArray[np.int64] = LINEAR
    before: Keys | None = None
    after: Keys | None = None

    @property
    def is_constant(self) -> bool:
        """Whether the values never change."""
        return len(self.values) == 1 or float(np.ptp(self.values)) < STILL_TOLERANCE

    def build_keys(self, inner_keys: Keys | None = None) -> Keys:
        """Return all keys; `inner_keys` replace those of the frames."""
        if inner_keys is None:
            is_single = self.is_constant and self.before is None and self.after is None
            frames, values = (
                (self.frames[:1], self.values[:1]) if is_single else (self.frames, self.values)
            )
            inner_keys = make_keys(frames, values)
            inner_keys["interpolation"][:, 0] = (
                self.interpolation if np.ndim(self.interpolation) == 0 or not is_single else LINEAR
            )
        parts = [part for part in (self.before, inner_keys, self.after) if part is not None]
        return parts[0] if len(parts) == 1 else concatenate_keys(parts)


class PendingKeys:
    """Curves that are to be written, by data path and channel."""

    def __init__(self) -> None:
        self.channels: dict[CurveId, ChannelKeys] = {}

    def add(
        self, data_path: str, group: str, frames: Array, values: Array, skip: tuple[int, ...] = ()
    ) -> None:
        """Add a curve for each column of values (n, channels), with a key for each frame.

        A channel that never changes gets one key.

        Args:
            skip: channels without keys.
        """
        for channel in range(values.shape[1]):
            if channel not in skip:
                self.channels[data_path, channel] = ChannelKeys(group, frames, values[:, channel])

    def find_bones(self) -> set[str]:
        """Return the bones with curves; "" stands for the object."""
        return {bone_of(path) for path, _ in self.channels}


class ActionBuilder:
    """An action that is filled first and assigned to its object last; `discard` removes it.

    Args:
        pending_keys: the curves to write.
        existing_action: action that gets a new slot instead, from Blender 4.4 on.
    """

    def __init__(
        self,
        owner: bpy.types.Object,
        name: str,
        pending_keys: PendingKeys,
        existing_action: bpy.types.Action | None = None,
    ) -> None:
        self.owner = owner
        self._is_slot_added = existing_action is not None
        self.action = bpy.data.actions.new(name) if existing_action is None else existing_action
        self.pending = pending_keys.channels
        self.slot: Any = None
        self._written: set[CurveId] = set()
        self._curves: Any
        if hasattr(self.action, "slots"):  # 4.4 and later
            self.slot = self.action.slots.new("OBJECT", owner.name)
            layers = self.action.layers
            layer = layers[0] if len(layers) else layers.new("Layer")
            strip = layer.strips[0] if len(layer.strips) else layer.strips.new(type="KEYFRAME")
            self._curves = strip.channelbag(self.slot, ensure=True).fcurves
        else:
            self._curves = self.action.fcurves

    def has_curve(self, data_path: str, channel: int) -> bool:
        """Return whether there is a curve, pending or written."""
        return (data_path, channel) in self._written or (data_path, channel) in self.pending

    def add_empty_curve(self, data_path: str, channel: int, group: str) -> Any:
        """Add a curve without keys and return it."""
        self._written.add((data_path, channel))
        if self.slot is not None:
            return self._curves.new(data_path, index=channel, group_name=group)
        return self._curves.new(data_path, index=channel, action_group=group)

    def write(self, keys_by_curve: Mapping[CurveId, Keys] = MappingProxyType({})) -> None:
        """Write the pending curves.

        Args:
            keys_by_curve: keys in place of those of the frames, for some curves.
        """
        for curve_id, channel_keys in self.pending.items():
            write_keys(
                self.add_empty_curve(*curve_id, channel_keys.group),
                channel_keys.build_keys(keys_by_curve.get(curve_id)),
            )

    def read_keys(self) -> dict[CurveId, Keys]:
        """Return the keys of all written curves."""
        return {(c.data_path, c.array_index): read_keys(c) for c in self._curves}

    @property
    def slot_handle(self) -> str:
        """The handle of the slot as text; "" up to Blender 4.3."""
        return "" if self.slot is None else str(self.slot.handle)

    def assign(self) -> bpy.types.Action:
        """Assign the action to its object; the previous one stays in the file."""
        data = self.owner.animation_data or self.owner.animation_data_create()
        if data.action is not None and data.action != self.action:
            data.action.use_fake_user = True
        data.action = self.action
        if self.slot is not None and data.action_slot != self.slot:
            data.action_slot = self.slot
        return self.action

    def discard(self) -> None:
        """Remove the action, or the slot that was added to it."""
        if self._is_slot_added:
            self.action.slots.remove(self.slot)
        else:
            bpy.data.actions.remove(self.action)
