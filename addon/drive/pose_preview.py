"""A rig that is shown in one frame of a motion after the other,
with the very channels that a bake would key.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding, pose_bones
from ...core.motion import Motion
from ..animation.action_builder import TRANSFORM_CHANNELS, bone_of
from ..bake.deform_bones import BoneBaker

Array = NDArray[np.float64]


class _CapturedChannels:
    """Takes what would be keyed: values (n or 1, channels) by bone and channel,
    and which of them are locked.
    """

    def __init__(self) -> None:
        self.entries: list[tuple[str, str, Array, tuple[int, ...]]] = []

    def add(
        self, data_path: str, group: str, frames: Array, values: Array, skip: tuple[int, ...] = ()
    ) -> None:
        self.entries.append((bone_of(data_path), data_path.rpartition(".")[2], values, skip))


class PosePreview:
    """A rig without its animation for as long as a drive lasts; `restore` leaves it as it was.

    The rig is looked up by its name each time, since an undo in another window
    makes it another object.
    """

    def __init__(self, armature: bpy.types.Object, binding: Binding, placement: Array) -> None:
        self.name = armature.name
        self._binding = binding
        self._placement = placement
        # channel by channel: a matrix forgets whole turns and which of two ways a
        # rotation was written in
        self._initial_values = {
            bone.name: [tuple(getattr(bone, channel)) for channel in TRANSFORM_CHANNELS]
            for bone in armature.pose.bones
        }
        data = armature.animation_data
        self._action = data.action.name if data and data.action else ""
        slot: Any = getattr(data, "action_slot", None)
        self._slot = slot.identifier if slot is not None else ""
        self._uses_nla = bool(data.use_nla) if data else False
        if data:
            data.action = None
            data.use_nla = False
        self._captured = _CapturedChannels()

    @property
    def armature(self) -> bpy.types.Object | None:
        """The rig, if it is still there."""
        obj = bpy.data.objects.get(self.name)
        return obj if obj is not None and obj.type == "ARMATURE" and obj.pose is not None else None

    def load_part(self, part: Motion) -> None:
        """Have a part that is shown from now on.

        Raises:
            CharacterError: the rig cannot be posed in this way.
        """
        armature = self.armature
        if armature is None:
            return
        poses = pose_bones(
            self._binding, part.link_origin, part.link_orientation, part.toe_orientation
        )
        captured = _CapturedChannels()
        BoneBaker(
            armature,
            self._binding,
            poses,
            placement=self._placement,
            key_sink=captured,
            frames=np.arange(part.frames, dtype=float),
        ).bake()
        self._captured = captured

    def show(self, frame: int) -> None:
        """Pose the rig as in a frame of the part that came last, counted from its first."""
        armature = self.armature
        if armature is None:
            return
        bones = armature.pose.bones
        for name, channel, values, locked in self._captured.entries:
            bone = bones.get(name)
            if bone is None:
                continue
            channel_values = values[min(frame, len(values) - 1)].tolist()
            if locked:
                current = getattr(bone, channel)
                channel_values = [
                    current[k] if k in locked else value for k, value in enumerate(channel_values)
                ]
            setattr(bone, channel, channel_values)

    def restore(self) -> None:
        """Have the rig as it was, with its action."""
        armature = self.armature
        if armature is None:
            return
        for bone in armature.pose.bones:
            for channel, values in zip(
                TRANSFORM_CHANNELS, self._initial_values.get(bone.name, ()), strict=False
            ):
                setattr(bone, channel, values)
        data = armature.animation_data
        action = bpy.data.actions.get(self._action)
        if data:
            data.use_nla = self._uses_nla
            if data.action is None and action is not None:
                data.action = action
                if self._slot and self._slot in data.action.slots:
                    data.action_slot = data.action.slots[self._slot]
        armature.update_tag()
