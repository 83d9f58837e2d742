"""Where every deforming bone of a control rig is in a plan: those that are planned for, and those that only go with them."""
from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding
from ...core.character.recognition.deform_skeleton import body_of
from .armature import read_skeleton

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Carried:
    """The planned pose of deforming bones over n frames, in the armature's space."""

    turn: dict[str, Array]            # (n, 3, 3) orientation by bone
    head: dict[str, Array]            # (n, 3) place of the bone's head
    rest: dict[str, Array]            # (4, 4) of all bones of the armature, at rest

    def turned(self, bone: str, control: str) -> Array:
        """Orientation of a control that goes with a bone as one piece. (n, 3, 3)."""
        return self.turn[bone] @ self.rest[bone][:3, :3].T @ self.rest[control][:3, :3]

    def placed(self, bone: str, control: str) -> Array:
        """Place of such a control. (n, 3)."""
        offset = self.rest[bone][:3, :3].T @ (self.rest[control][:3, 3] - self.rest[bone][:3, 3])
        return self.head[bone] + self.turn[bone] @ offset


def carry(armature: bpy.types.Object, binding: Binding, wished: dict[str, Array], head: Array) -> Carried:
    """Hang all bones of the body on those that are planned for, as the plan has them.

    Args:
        wished: (n, 3, 3) orientation by planned bone.
        head: (n, 3) place of the root's head.
    """
    body = body_of(read_skeleton(armature, bpy.context.scene, with_skin=False, corrected=False)).skeleton
    rest = {b.name: np.array(b.matrix_local) for b in armature.data.bones}
    root = binding.bones[0]
    turn, at = {root: wished[root]}, {root: head}
    for k, name in _outward(body.names, binding):
        up = binding.hung.get(name, "")
        if up not in turn:
            up = body.names[body.parents[k]] if body.parents[k] >= 0 else ""
        if name == root or up not in turn:
            continue
        back = turn[up] @ rest[up][:3, :3].T
        turn[name] = wished.get(name, back @ rest[name][:3, :3])
        begin = rest[name][:3, 3]
        joint = np.array(armature.data.bones[name].tail_local) if name in binding.backward else begin
        at[name] = at[up] + back @ (joint - rest[up][:3, 3])
        if name in binding.backward:
            at[name] = at[name] + turn[name] @ (rest[name][:3, :3].T @ (begin - joint))
    return Carried(turn, at, rest)


def _outward(names: tuple[str, ...], binding: Binding) -> list[tuple[int, str]]:
    """Bones with their numbers, each after the one that it hangs on; those that point to the body hang the other way round."""
    def depth(name: str) -> int:
        return 0 if name not in binding.backward else 1 + depth(binding.hung.get(name, ""))

    return sorted(enumerate(names), key=lambda pair: (depth(pair[1]), pair[0]))


def off_line(hip: Array, knee: Array, ankle: Array) -> Array:
    """How far and to where knees are off the lines from hip to ankle. (..., 3)."""
    along = ankle - hip
    along = along / np.linalg.norm(along, axis=-1, keepdims=True)
    away: Array = knee - hip
    return away - along * (along * away).sum(-1, keepdims=True)
