"""Whole curves of keys, in every Blender from 4.2 on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Protocol

import bpy
import numpy as np
from numpy.typing import NDArray

from .keyframes import LINEAR, Keys, concatenate_keys, make_keys, write_keys

Array = NDArray[np.float64]
CurveId = tuple[str, int]  # of a curve: data path and channel

STILL_TOLERANCE = 1e-7  # a channel that changes by no more gets one key
# of a bone
TRANSFORM_CHANNELS = (
    "location",
    "rotation_quaternion",
    "rotation_euler",
    "rotation_axis_angle",
    "scale",
)


def bone_of(data_path: str) -> str:
    """The bone whose channel, property or constraint a path in an armature leads to;
    empty for the object's own.
    """
    match = re.match(r'pose\.bones\["((?:\\.|[^"\\])*)"\]', data_path)
    return bpy.utils.unescape_identifier(match.group(1)) if match else ""


class KeySink(Protocol):
    """What takes a bone's or an object's channels, a value a frame."""

    def add(
        self,
        data_path: str,
        group: str,
        frames: NDArray[np.float64],
        values: NDArray[np.float64],
        skip: tuple[int, ...] = (),
    ) -> None:
        """Take a channel's values (n or 1, channels) but for the channels in `skip`."""
        ...


@dataclass
class ChannelKeys:
    """A curve as it will be written: a key a frame, or one for all,
    and what goes on before and after.

    Args:
        group: of the channel list.
        frames, values: (n,) each.
        interpolation: of these keys; (n,) or one for all.
    """

    group: str
    frames: Array
    values: Array
    interpolation: int | NDArray[np.int64] = LINEAR
    before: Keys | None = None
    after: Keys | None = None

    @property
    def is_constant(self) -> bool:
        """Whether it never changes."""
        return len(self.values) == 1 or float(np.ptp(self.values)) < STILL_TOLERANCE

    def build_keys(self, inner_keys: Keys | None = None) -> Keys:
        """All its keys; `inner_keys` may stand for those of its own frames."""
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


class ActionBuilder:
    """An action that is filled first and given to its object last; `discard` leaves nothing behind.

    Args:
        existing_action: an action that gets a new slot instead, from Blender 4.4 on.
    """

    def __init__(
        self, owner: bpy.types.Object, name: str, existing_action: bpy.types.Action | None = None
    ) -> None:
        self.owner = owner
        self._is_slot_added = existing_action is not None
        self.action = bpy.data.actions.new(name) if existing_action is None else existing_action
        self.pending: dict[CurveId, ChannelKeys] = {}
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

    def add(
        self, data_path: str, group: str, frames: Array, values: Array, skip: tuple[int, ...] = ()
    ) -> None:
        """Draw a curve for each column of values (n, channels), a key a frame;
        channels that never change get one key.

        Args:
            skip: channels that get none.
        """
        for channel in range(values.shape[1]):
            if channel not in skip:
                self.pending[data_path, channel] = ChannelKeys(group, frames, values[:, channel])

    def has_curve(self, data_path: str, channel: int) -> bool:
        """Whether there is such a curve."""
        return (data_path, channel) in self._written or (data_path, channel) in self.pending

    def add_empty_curve(self, data_path: str, channel: int, group: str) -> Any:
        """Add a curve without keys."""
        self._written.add((data_path, channel))
        if self.slot is not None:
            return self._curves.new(data_path, index=channel, group_name=group)
        return self._curves.new(data_path, index=channel, action_group=group)

    def write(self) -> None:
        """Make curves of what was drawn."""
        for (path, channel), channel_keys in self.pending.items():
            write_keys(
                self.add_empty_curve(path, channel, channel_keys.group), channel_keys.build_keys()
            )

    def list_curves(self) -> list[Any]:
        """All curves that were written."""
        return list(self._curves)

    def find_bones(self) -> set[str]:
        """The bones that curves were drawn of; empty stands for the object."""
        return {bone_of(path) for path, _ in self.pending}

    @property
    def slot_handle(self) -> str:
        """What tells its slot from others of the action; empty up to Blender 4.3."""
        return "" if self.slot is None else str(self.slot.handle)

    def assign(self) -> bpy.types.Action:
        """Give the action to its object; the one that it had stays in the file."""
        data = self.owner.animation_data or self.owner.animation_data_create()
        if data.action is not None and data.action != self.action:
            data.action.use_fake_user = True
        data.action = self.action
        if self.slot is not None and data.action_slot != self.slot:
            data.action_slot = self.slot
        return self.action

    def discard(self) -> None:
        """Remove the action again, or the slot that it got."""
        if self._is_slot_added:
            self.action.slots.remove(self.slot)
        else:
            bpy.data.actions.remove(self.action)
