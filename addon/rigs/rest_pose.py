"""Temporary rest pose of an armature without its animation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ..animation.action_builder import TRANSFORM_CHANNELS
from .control_rig import RigControls
from .locks import compute_rest_basis


@contextmanager
def hold_rest_pose(armature: bpy.types.Object, rig_controls: RigControls) -> Iterator[None]:
    """Hold a rig at rest, except for locked channels, with its settings applied and no animation.

    The previous state is restored afterwards.
    """
    pose = armature.pose.bones
    data = armature.animation_data
    # save channels, because a matrix loses full turns and the representation of a rotation
    before = {
        bone.name: [tuple(getattr(bone, channel)) for channel in TRANSFORM_CHANNELS]
        for bone in pose
    }
    initial_settings = [(setting, setting.read(armature)) for setting in rig_controls.settings]
    action: Any = data.action if data else None
    slot: Any = getattr(data, "action_slot", None)
    uses_nla = data.use_nla if data else False
    try:
        if data:
            data.action = None
            data.use_nla = False
        for bone in pose:
            bone.matrix_basis = compute_rest_basis(bone)
        for setting in rig_controls.settings:
            setting.set(armature, setting.value)
        armature.update_tag()
        yield
    finally:
        for setting, value in initial_settings:
            setting.set(armature, value)
        for bone in pose:
            for channel, values in zip(TRANSFORM_CHANNELS, before[bone.name], strict=True):
                setattr(bone, channel, values)
        if data:
            data.use_nla = uses_nla
            data.action = action
            if slot is not None:
                data.action_slot = slot
        armature.update_tag()
        bpy.context.view_layer.update()
