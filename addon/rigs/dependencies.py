"""A rig posed frame by frame without a trace: in which order its controls hang on each other, and how it is put back."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Set

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ..animation.action_builder import bone_of

Array = NDArray[np.float64]

TURNED = 0.7              # rad by which a control is turned to see what it moves
STILL = 5e-4              # rad, and share of the rig's size, within which nothing has moved


def levels_of(armature: bpy.types.Object, controls: Iterable[str]) -> dict[str, int]:
    """For each control how many others, one on the other, it hangs on: by parents, and by what constraints follow."""
    names = set(controls)
    follows = _follows(armature)
    above = {name: _above(follows, name) & names for name in names}
    level: dict[str, int] = {}
    while len(level) < len(names):
        ready = [name for name in names if name not in level and all(up in level for up in above[name])]
        # a rig whose controls follow each other in a ring has no first one; then any will do
        for name in ready or [min(names - set(level))]:
            level[name] = 1 + max((level[up] for up in above[name] if up in level), default=-1)
    return level


def _follows(armature: bpy.types.Object) -> dict[str, set[str]]:
    """For each bone those that it follows right away: its parent, and what its constraints have as targets."""
    pose = armature.pose.bones
    out: dict[str, set[str]] = {bone.name: {bone.parent.name} if bone.parent else set() for bone in pose}
    for bone in pose:
        for constraint in bone.constraints:
            followed = [constraint, *getattr(constraint, "targets", ())]
            targets = {getattr(c, field, "") for c in followed for field in ("subtarget", "pole_subtarget")}
            chain = [bone]
            if constraint.type == "IK":                # it turns the bones above as well
                above = bone.parent_recursive
                chain += above[:constraint.chain_count - 1] if constraint.chain_count else above
            for moved in chain:
                out[moved.name] |= {name for name in targets if name in pose}
    return out


def _above(follows: dict[str, set[str]], name: str) -> set[str]:
    """All bones that a bone follows, right away or over others."""
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        new = follows[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen - {name}


def moving(armature: bpy.types.Object, bones: Iterable[str]) -> set[str]:
    """Some bones and all that they hang on, right away or over others, by parents, constraints and drivers."""
    reach, names = moving_by(armature), set(bones)
    return names.union(*(reach(name) for name in names))


def moving_by(armature: bpy.types.Object) -> Callable[[str], set[str]]:
    """What tells of a bone all that it hangs on, and the bone itself: looked up once for many bones."""
    follows = _follows(armature)
    for curve in armature.animation_data.drivers if armature.animation_data else ():
        driven = follows.get(bone_of(curve.data_path), set())
        for target in (t for variable in curve.driver.variables for t in variable.targets if t.id == armature):
            driven |= {name for name in (target.bone_target, bone_of(target.data_path)) if name in follows}
    return lambda name: _above(follows, name) | {name} if name in follows else {name}


def free_turns(armature: bpy.types.Object, controls: Iterable[str], planned: Set[str]) -> set[str]:
    """Of some controls those that can be turned without moving any planned bone, as hands can: told by turning each."""
    pose, size = armature.pose.bones, float(np.ptp([b.head_local for b in armature.data.bones], axis=0).max())

    def seen() -> Array:
        bpy.context.view_layer.update()
        at = np.array([pose[name].matrix for name in planned])
        at[:, :3, 3] /= size
        return at

    free, before = set(), seen()
    for bone in (pose[name] for name in controls):
        kept, moved = bone.matrix_basis.copy(), 0.0
        for axis in "XYZ":
            bone.matrix_basis = kept @ Matrix.Rotation(TURNED, 4, axis)
            moved = max(moved, float(np.abs(seen() - before).max()))
        bone.matrix_basis = kept
        if moved < STILL:
            free.add(bone.name)
    return free
