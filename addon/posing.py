"""A rig posed frame by frame without a trace: in which order its controls hang on each other, and how it is put back."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from .locks import at_rest_but_locked
from .targets import Fitted


def levels_of(armature: bpy.types.Object, controls: Iterable[str]) -> dict[str, int]:
    """For each control how many others, one on the other, it hangs on: by parents, and by what constraints follow."""
    names = set(controls)
    above = {name: _above(armature, name) & names for name in names}
    level: dict[str, int] = {}
    while len(level) < len(names):
        ready = [name for name in names if name not in level and all(up in level for up in above[name])]
        # a rig whose controls follow each other in a ring has no first one; then any will do
        for name in ready or [min(names - set(level))]:
            level[name] = 1 + max((level[up] for up in above[name] if up in level), default=-1)
    return level


def _above(armature: bpy.types.Object, name: str) -> set[str]:
    """All bones that a bone follows."""
    pose = armature.pose.bones
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        bone = pose[waiting.pop()]
        up = [bone.parent.name] if bone.parent else []
        for constraint in bone.constraints:
            followed = [constraint, *getattr(constraint, "targets", ())]
            up += [getattr(c, field, "") for c in followed for field in ("subtarget", "pole_subtarget")]
        new = {other for other in up if other in pose} - seen
        seen |= new
        waiting += new
    return seen - {name}


@contextmanager
def posed_at_rest(armature: bpy.types.Object, fitted: Fitted) -> Iterator[None]:
    """All of a rig at rest but what is locked, its switches set, nothing animated; as it was afterwards."""
    pose, data = armature.pose.bones, armature.animation_data
    before = {bone.name: bone.matrix_basis.copy() for bone in pose}
    switches = [(bone, key, pose[bone][key]) for bone, key, _ in fitted.switches]
    action: Any = data.action if data else None
    slot: Any = getattr(data, "action_slot", None)
    layers = data.use_nla if data else False
    try:
        if data:
            data.action, data.use_nla = None, False
        for bone in pose:
            bone.matrix_basis = at_rest_but_locked(bone)
        for name, key, value in fitted.switches:
            set_switch(pose[name], key, value)
        armature.update_tag()
        yield
    finally:
        for name, key, value in switches:
            pose[name][key] = value
        for bone in pose:
            bone.matrix_basis = before[bone.name]
        if data:
            data.use_nla, data.action = layers, action
            if slot is not None:
                data.action_slot = slot
        armature.update_tag()
        bpy.context.view_layer.update()


def set_switch(bone: bpy.types.PoseBone, key: str, value: float) -> None:
    """Set a custom property in the type that it has."""
    bone[key] = type(bone[key])(value)
