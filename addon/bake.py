"""A motion as keys on a rig's own bones."""
from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ..core import so3
from ..core.character.binding import Binding, BonePoses, pose_bones
from ..core.errors import CharacterError
from ..core.motion import Motion
from .controls import bake_controls
from .kept import keep_others
from .keys import NewAction
from .locks import locked_keys, told_locked
from .posing import moving
from .root_motion import key_object, key_root, root_above, way_of
from .rotations import channel_name, channels
from .targets import Target, target_of

Array = NDArray[np.float64]

HELD = 1e-3               # of a locked channel, in its own units: how far from the plan it may be before that is told


@dataclass(frozen=True)
class Way:
    """How a bake goes onto a rig, where it can go in several ways.

    Args:
        by_feet: legs of control rigs by inverse kinematics.
        root: what carries the way over the ground, one of `root_motion.WAYS`.
    """

    by_feet: bool = False
    root: str = "BODY"


@dataclass(frozen=True)
class Baked:
    """What a bake made; `warnings` tell what may show on the rig in another way than planned.

    `kept` are bones that are not planned and go on as the action before had them.
    """

    action: bpy.types.Action
    frames: int
    bones: int
    warnings: tuple[str, ...]
    kept: int


def bake_motion(armature: bpy.types.Object, motion: Motion, binding: Binding, placement: Array, first_frame: int,
                way: Way = Way()) -> Baked:
    """Bake a motion into a new action of an armature, a key a frame.

    Args:
        placement: (4, 4) from the armature's space to the motion's, of one scale.

    Raises:
        CharacterError: the armature has lost a bone since the motion was asked for.
    """
    missing = [name for name in (*binding.bones, *binding.between) if name not in armature.pose.bones]
    if missing:
        raise CharacterError(f"The armature {armature.name!r} no longer has the bone {missing[0]!r}. Detect the character again.")
    poses = pose_bones(binding, motion.link_origin, motion.link_orientation, motion.toe_orientation)
    frames = first_frame + np.arange(motion.frames, dtype=float)
    new = NewAction(armature, f"{armature.name} {motion.report.scenario}")
    target = target_of(armature, binding)
    try:
        work = _Baker(armature, binding, poses, placement, new, frames)
        over = None if way.root == "BODY" else way_of(armature, motion, binding, placement)
        told = [] if over is None else work.part_way(over, way.root, target)
        free: set[str] = set()
        if target is None:
            count = work.bake()
            told = told + told_locked(work.held)
        else:
            fitted = target.on(armature, way.by_feet)
            count, more, free = bake_controls(armature, fitted, binding, work.wished, work.head, new, frames,
                                        over if way.root == "ROOT" else None)
            told = told + more
            if way.by_feet and not fitted.bones:
                told.append(f"Footfall knows no legs by inverse kinematics of {target.name} rigs like {armature.name!r}; their "
                            "joints were keyed")
        kept = keep_others(new, armature, moving(armature, (*binding.bones, *binding.between)), free)
    except BaseException:
        new.discard()
        raise
    return Baked(new.assign(), motion.frames, count, (*told, *_warnings(armature, binding if target is None else None)), len(kept))


class _Baker:
    """One bake; everything in the armature's space."""

    def __init__(self, armature: bpy.types.Object, binding: Binding, poses: BonePoses, placement: Array, new: NewAction,
                 frames: Array) -> None:
        self.armature, self.binding, self.new, self.frames = armature, binding, new, frames
        turn = placement[:3, :3] / np.cbrt(np.linalg.det(placement[:3, :3]))
        world = so3.quat_to_matrix(poses.orientation)                                      # (n, b, 3, 3)
        self.wished = dict(zip(poses.names, np.moveaxis(turn.T @ world, 1, 0), strict=True))
        back = np.linalg.inv(placement)
        self.head = poses.root_position @ back[:3, :3].T + back[:3, 3]                     # (n, 3) of the root bone
        self.rest = {b.name: np.array(b.matrix_local) for b in armature.data.bones}
        self.places = {name: at @ back[:3, :3].T + back[:3, 3] for name, at in poses.places.items()}
        self.held: list[str] = []                                                          # bones that locks keep from the plan
        self.done: dict[str, Array] = {}                                                   # (n or 1, 3, 3) turned bones
        self.at: dict[str, Array] = {}                                                     # (n or 1, 3) heads of turned bones

    def part_way(self, way: Array, carrier: str, target: Target | None) -> list[str]:
        """Leave the way over the ground to something else than the body, and key that; returns what the user should know.

        The root of a control rig is keyed along with its other controls, which may hang on it or not.

        Raises:
            CharacterError: there is nothing that could carry it.
        """
        if carrier == "ROOT" and target is not None:
            return []
        root = root_above(self.armature, self.binding) if carrier == "ROOT" else None
        if root is not None and root.name == self._carrier().name:
            raise CharacterError(f"The bone {self.binding.bones[0]!r} is connected to the root bone {root.name!r} and cannot move "
                                 "against it; switch off Connected in its bone properties.")
        back = np.linalg.inv(way)
        self.wished = {name: back[:, :3, :3] @ turn for name, turn in self.wished.items()}
        self.head = _moved(back, self.head)
        self.places = {name: _moved(back, at) for name, at in self.places.items()}
        if root is not None:
            return key_root(self.armature, root, self.new, self.frames, way)
        return key_object(self.armature, self.new, self.frames, way) if carrier == "OBJECT" else []

    def bake(self) -> int:
        """Key every bone, parents before children; returns how many."""
        moved = [b for b in self.armature.data.bones if b.name in self.wished or b.name in self.binding.between]
        for bone in moved:
            base = self._base(bone)
            local = np.swapaxes(base, 1, 2) @ self.wished[bone.name] if bone.name in self.wished else np.eye(3)[None]
            self.done[bone.name] = base @ local
            self._key_rotation(bone.name, local)
            self.at[bone.name] = self._place(bone)
        carrier = self._carrier()
        for bone in moved:
            if bone.name not in self.places:
                self._key_at_rest(bone.name, carrier.name)
        self._key_location(carrier)
        return len(moved)

    def _base(self, bone: bpy.types.Bone) -> Array:
        """How the bone is turned while its own channels are at rest. (n or 1, 3, 3)."""
        rest = self.rest[bone.name][:3, :3]
        if bone.parent is None or not bone.use_inherit_rotation:
            return rest[None]
        if bone.parent.name in self.done:
            parent = self.done[bone.parent.name]
        else:
            parent = _turn(self.armature.pose.bones[bone.parent.name].matrix)[None]
        return parent @ (self.rest[bone.parent.name][:3, :3].T @ rest)

    def _place(self, bone: bpy.types.Bone) -> Array:
        """Where a turned bone's head is: where it hangs, or where it is moved to by keys of its own. (n or 1, 3)."""
        if bone.name == self.binding.bones[0]:
            return self.head
        rest = self.rest[bone.name]
        if bone.parent is None:
            turn, at, offset = np.eye(3)[None], np.zeros((1, 3)), rest[:3, 3]
        else:
            back = np.linalg.inv(self.rest[bone.parent.name])
            rest, offset = back @ rest, (back @ rest)[:3, 3]
            if bone.parent.name in self.done:
                turn, at = self.done[bone.parent.name], self.at[bone.parent.name]
            else:
                pose = np.array(self.armature.pose.bones[bone.parent.name].matrix)
                turn, at = pose[None, :3, :3], pose[None, :3, 3]
        hangs = at + turn @ offset
        if bone.name not in self.places:
            return hangs
        if bone.use_connect:
            raise CharacterError(f"The bone {bone.name!r} must move by itself but is connected to its parent; switch off Connected "
                                 "in its bone properties.")
        away = np.linalg.inv(turn) @ (self.places[bone.name] - hangs)[..., None]
        self._key(bone.name, "location", (rest[:3, :3].T @ away)[..., 0])
        return self.places[bone.name]

    def _key(self, name: str, channel: str, values: Array) -> None:
        """Key a channel where it is free; what is locked keeps what it has."""
        bone = self.armature.pose.bones[name]
        skip = locked_keys(bone, channel)
        now = np.array(getattr(bone, channel))
        if any(np.abs(values[:, k] - now[k]).max() > HELD for k in skip) and name not in self.held:
            self.held.append(name)
        self.new.add(f'pose.bones["{bpy.utils.escape_identifier(name)}"].{channel}', name, self.frames[:len(values)], values,
                     skip=skip)

    def _key_rotation(self, name: str, local: Array) -> None:
        mode = self.armature.pose.bones[name].rotation_mode
        self._key(name, channel_name(mode), channels(local, mode))

    def _key_at_rest(self, name: str, carrier: str) -> None:
        """Bones are planned as long as they are at rest and in their places: what an older animation left is keyed away."""
        bone = self.armature.pose.bones[name]
        if np.abs(np.array(bone.scale) - 1).max() > 1e-6:
            self._key(name, "scale", np.ones((1, 3)))
        if name != carrier and np.abs(np.array(bone.location)).max() > 1e-9:
            self._key(name, "location", np.zeros((1, 3)))

    def _carrier(self) -> bpy.types.Bone:
        """The root bone, or the nearest one above it that is free to move."""
        carrier = self.armature.data.bones[self.binding.bones[0]]
        while carrier.use_connect and carrier.parent is not None:
            carrier = carrier.parent
        return carrier

    def _key_location(self, carrier: bpy.types.Bone) -> None:
        """Move the carrier so that the root bone's head is where it should be."""
        root = self.armature.data.bones[self.binding.bones[0]]
        head = self.head
        if carrier.name != root.name:
            pose = self.armature.pose.bones
            head = head + np.array(pose[carrier.name].matrix.translation - pose[root.name].matrix.translation)
        bone = self.armature.pose.bones[carrier.name]
        parent, rest = carrier.parent, carrier.matrix_local
        above = {} if parent is None else {"parent_matrix": bone.parent.matrix, "parent_matrix_local": parent.matrix_local}
        free = carrier.convert_local_to_pose(Matrix.Identity(4), rest, **above)
        # With its rotation at rest a step of the location is a step along axes that never turn: two look-ups give the map.
        axes = np.column_stack([np.array(carrier.convert_local_to_pose(Matrix.Translation(step), rest, **above).translation
                                         - free.translation) for step in np.eye(3).tolist()])
        at = (head - np.array(free.translation)) @ np.linalg.inv(axes).T
        self._key(carrier.name, "location", at)


def _moved(by: Array, points: Array) -> Array:
    """Points (n, 3) carried by a transform each."""
    out: Array = (by[:, :3, :3] @ points[..., None])[..., 0] + by[:, :3, 3]
    return out


def _turn(matrix: Matrix) -> Array:
    turned = np.array(matrix)[:3, :3]
    return turned / np.linalg.norm(turned, axis=0)


def _warnings(armature: bpy.types.Object, binding: Binding | None) -> list[str]:
    held = [] if binding is None else [name for name in binding.bones
                                       if any(not c.mute for c in armature.pose.bones[name].constraints)]
    out = []
    if held:
        more = f" and {len(held) - 3} more" if len(held) > 3 else ""
        out.append(f"constraints on {', '.join(held[:3])}{more} act on top of the baked keys; mute them to see the plan")
    if armature.animation_data and any(track.strips and not track.mute for track in armature.animation_data.nla_tracks):
        out.append("NLA strips play beside the new action; mute their tracks to see the plan")
    return out
