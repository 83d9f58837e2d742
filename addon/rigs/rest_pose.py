"""Poses of an armature without its animation."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ..animation.action_builder import CHANNELS
from .control_rig import Fitted
from .locks import at_rest_but_locked


@contextmanager
def posed_at_rest(armature: bpy.types.Object, fitted: Fitted) -> Iterator[None]:
    """All of a rig at rest but what is locked, its switches set, nothing animated; as it was afterwards."""
    pose, data = armature.pose.bones, armature.animation_data
    # channel by channel: a matrix forgets whole turns and which of two ways a rotation was written in
    before = {bone.name: [tuple(getattr(bone, channel)) for channel in CHANNELS] for bone in pose}
    switches = [(switch, switch.read(armature)) for switch in fitted.switches]
    action: Any = data.action if data else None
    slot: Any = getattr(data, "action_slot", None)
    layers = data.use_nla if data else False
    try:
        if data:
            data.action, data.use_nla = None, False
        for bone in pose:
            bone.matrix_basis = at_rest_but_locked(bone)
        for switch in fitted.switches:
            switch.set(armature, switch.value)
        armature.update_tag()
        yield
    finally:
        for switch, value in switches:
            switch.set(armature, value)
        for bone in pose:
            for channel, values in zip(CHANNELS, before[bone.name], strict=True):
                setattr(bone, channel, values)
        if data:
            data.use_nla, data.action = layers, action
            if slot is not None:
                data.action_slot = slot
        armature.update_tag()
        bpy.context.view_layer.update()
