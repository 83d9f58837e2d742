"""Display of a drive on the rig itself, through the channels that a bake would key."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding, pose_bones
from ...core.character.from_rig.dragged_tail import place_tails, trail_tails
from ...core.motion import Motion
from ...core.terrain import Ground
from ..animation.action_builder import TRANSFORM_CHANNELS, bone_of
from ..bake.deform_bones import BoneBaker
from ..rigs.constraints import find_body_constraints
from ..rigs.rig_setting import RigSetting

Array = NDArray[np.float64]


@dataclass(frozen=True)
class _CapturedChannel:
    """Values of one channel of a bone."""

    bone: str
    channel: str  # such as "rotation_quaternion"
    values: Array  # (n, c); n = 1 if constant
    locked: tuple[int, ...]  # indices of locked components

    def set_frame(self, bone: bpy.types.PoseBone, frame: int) -> None:
        """Set a bone's channel to its value in a frame; locked components stay unchanged."""
        values = self.values[min(frame, len(self.values) - 1)].tolist()
        if self.locked:
            current = getattr(bone, self.channel)
            values = [current[k] if k in self.locked else value for k, value in enumerate(values)]
        setattr(bone, self.channel, values)


class _ChannelRecorder:
    """Key sink that stores channels instead of making keys."""

    def __init__(self) -> None:
        self.channels: list[_CapturedChannel] = []

    def add(
        self, data_path: str, group: str, frames: Array, values: Array, skip: tuple[int, ...] = ()
    ) -> None:
        self.channels.append(
            _CapturedChannel(bone_of(data_path), data_path.rpartition(".")[2], values, skip)
        )


class PosePreview:
    """A rig that shows a drive, with its animation switched off until `restore`.

    The rig is looked up by name whenever it is needed, because an undo replaces the object.

    Args:
        armature: rig.
        binding: relation between the character's links and the bones.
        placement: transform of the character in the world, (4, 4).
        ground: the ground, over which tails are dragged.
    """

    def __init__(
        self, armature: bpy.types.Object, binding: Binding, placement: Array, ground: Ground
    ) -> None:
        self.name = armature.name
        self._ground = ground
        self._tail_joints: list[Array] = []  # (n, k, 3) by dragged tail in the loaded part [m]
        self._frame = 0  # frame of the loaded part that was shown last
        self._binding = binding
        self._placement = placement
        # Store channels rather than matrices: a matrix loses full turns and the rotation mode.
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
        self._channels: list[_CapturedChannel] = []
        # inverse kinematics that a bake would key off, and its influence
        self._switched_off: dict[RigSetting, float] = {}
        for constraint in find_body_constraints(armature, binding):
            setting = constraint.off_setting
            if setting is not None:
                self._switched_off[setting] = float(setting.read(armature))
                setting.set(armature, setting.value)

    @property
    def armature(self) -> bpy.types.Object | None:
        """The rig; None if it was deleted."""
        obj = bpy.data.objects.get(self.name)
        return obj if obj is not None and obj.type == "ARMATURE" and obj.pose is not None else None

    def load_part(self, part: Motion) -> None:
        """Compute the poses of a part, which `show` then displays.

        Raises:
            CharacterError: the rig cannot take these poses.
        """
        armature = self.armature
        if armature is None:
            return
        poses = pose_bones(
            self._binding, part.link_origin, part.link_orientation, part.toe_orientation
        )
        origin, orientation = part.link_origin[:, 0], part.link_orientation[:, 0]
        self._tail_joints = trail_tails(
            self._binding,
            origin,
            orientation,
            ground=self._ground,
            initial=[joints[min(self._frame, len(joints) - 1)] for joints in self._tail_joints],
        )
        poses = place_tails(
            poses, self._binding, origin, orientation=orientation, joints=self._tail_joints
        )
        self._frame = 0
        recorder = _ChannelRecorder()
        BoneBaker(
            armature,
            self._binding,
            poses,
            placement=self._placement,
            key_sink=recorder,
            frames=np.arange(part.frames, dtype=float),
        ).bake()
        self._channels = recorder.channels

    def show(self, frame: int) -> None:
        """Pose the rig.

        Args:
            frame: frame of the loaded part, counted from 0.
        """
        armature = self.armature
        if armature is None:
            return
        self._frame = frame
        bones = armature.pose.bones
        for channel in self._channels:
            bone = bones.get(channel.bone)
            if bone is not None:
                channel.set_frame(bone, frame)

    def restore(self) -> None:
        """Restore the rig's pose and animation."""
        armature = self.armature
        if armature is None:
            return
        for bone in armature.pose.bones:
            for channel, values in zip(
                TRANSFORM_CHANNELS, self._initial_values.get(bone.name, ()), strict=False
            ):
                setattr(bone, channel, values)
        for setting, value in self._switched_off.items():
            with suppress(KeyError):  # the constraint was deleted meanwhile
                setting.set(armature, value)
        data = armature.animation_data
        action = bpy.data.actions.get(self._action)
        if data:
            data.use_nla = self._uses_nla
            if data.action is None and action is not None:
                data.action = action
                if self._slot and self._slot in data.action.slots:
                    data.action_slot = data.action.slots[self._slot]
        armature.update_tag()
