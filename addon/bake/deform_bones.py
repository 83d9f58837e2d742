"""A motion as keys on bones of their own: each is turned as its link is, the first one moved as well."""
from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding, BonePoses
from ...core.errors import CharacterError
from ...core.geometry import so3
from ..animation.action_builder import TakesKeys
from ..animation.rotations import channel_name, channels
from ..rigs.constraints import Planned
from ..rigs.control_rig import Target
from ..rigs.locks import locked_keys
from .root_motion import key_object, key_root, root_above

Array = NDArray[np.float64]

HELD = 1e-3               # of a locked channel, in its own units: how far from the plan it may be before that is told


class Plain:
    """One bake; everything in the armature's space."""

    def __init__(self, armature: bpy.types.Object, binding: Binding, poses: BonePoses, placement: Array, new: TakesKeys,
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

    def keyed(self) -> list[str]:
        """Bones that carry the body, whether by keys or as they are posed."""
        above = self.armature.data.bones[self.binding.bones[0]].parent_recursive
        return [*self.done, *(bone.name for bone in above)]

    def planned(self, size: float, way: Array | None) -> Planned:
        """Where the bones should be.

        Args:
            size: m in one of the armature's units.
            way: (n, 4, 4) that a root bone carries them along, if one does.
        """
        if way is None:
            return Planned(self.done, self.at, size)
        return Planned({name: way[:, :3, :3] @ turn for name, turn in self.done.items()},
                       {name: _moved(way, at) for name, at in self.at.items()}, size)

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
