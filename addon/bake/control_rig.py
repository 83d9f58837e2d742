"""A motion as keys on the controls of a rig, such that its deforming bones come out as planned."""
from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding
from ...core.errors import CharacterError
from ...core.geometry import so3
from ..animation.action_builder import NewAction
from ..animation.rotations import channel_name, channels
from ..rigs.constraints import Planned
from ..rigs.control_rig import Fitted, Move
from ..rigs.deform_poses import Carried, carry, off_line
from ..rigs.dependencies import free_turns, levels_of, moving
from ..rigs.locks import hold, locked_keys, told_locked
from ..rigs.rest_pose import posed_at_rest

Array = NDArray[np.float64]

AWAY = 5e-5               # of the rig's size: how far from its place a control may hang before it is moved
AIMED = np.radians(0.02)  # by which a knee may be off the plane that it should bend in
BENT = 0.02               # of the way from hip to ankle: how far off that line a knee tells the plane that it bends in
PASSES = 4                # at most, until the knees of a frame are where they should be
TOLD_PLACE = 1e-3         # of the rig's size, from which on it is told that a lock keeps a control from its place
TOLD_TURN = np.radians(0.5)


@dataclass(frozen=True)
class Posed:
    """The controls that were keyed, what the user should know, controls that may be turned in any way besides, and the plan.

    `follows` is the deforming bone that each control goes with.
    """

    controls: tuple[str, ...]
    told: list[str]
    free: set[str]
    plan: Carried
    follows: dict[str, str]

    def planned(self, binding: Binding, size: float) -> Planned:
        """Where the deforming bones that are planned for should be; `size` in m of one of the armature's units."""
        turn, head = ({name: values[name] for name in binding.bones} for values in (self.plan.turn, self.plan.head))
        return Planned(turn, head, size, along=True)


def bake_controls(armature: bpy.types.Object, fitted: Fitted, binding: Binding, wished: dict[str, Array], head: Array,
                  new: NewAction, frames: Array, way: Array | None = None) -> Posed:
    """Key the controls.

    The rig's own constraints and drivers tell where a control hangs, so each frame is posed and looked at, level by level.

    Args:
        wished: (n, 3, 3) orientation by deforming bone, in the armature's space.
        head: (n, 3) place of the root bone's head there.
        way: (n, 4, 4) that the rig's root goes there; it stays at rest without.

    Raises:
        CharacterError: the rig lacks the controls that the planned bones need.
    """
    missing = [bone for bone in binding.bones if bone not in fitted.moved]
    if missing:
        raise CharacterError(f"The {fitted.target.name} rig {armature.name!r} has no control that Footfall knows for the bone "
                             f"{missing[0]!r}. Generate the rig anew, or bake onto its metarig.")
    work = _Controls(armature, fitted, binding, carry(armature, binding, wished, head), way)
    work.refuse_turned_knees()
    with posed_at_rest(armature, fitted):
        work.pose_all(len(frames))
        free = free_turns(armature, work.at_ends(), work.planned)
    for move in work.moved():
        turns, places = work.turns[move.control], work.places[move.control]
        _key_control(armature.pose.bones[move.control], new, frames, turns, places, move.turns or _turned(turns))
    for switch in fitted.switches:
        new.add(switch.path, switch.bone, frames[:1], np.array([[switch.value]]))
    _key_others(armature, new, frames, moving(armature, work.planned) - {move.control for move in work.moved()}, free)
    follows = {move.control: move.bone for move in work.moved()}
    return Posed(tuple(follows), work.held(), free, work.plan, follows)


class _Controls:
    """Finds the controls' own channels, frame by frame."""

    def __init__(self, armature: bpy.types.Object, fitted: Fitted, binding: Binding, plan: Carried,
                 way: Array | None) -> None:
        self.pose, self.plan = armature.pose.bones, plan
        self.planned = {*binding.bones, *binding.between}
        found = [fitted.carrier, *(m for m in fitted.moves if m.bone in (plan.turn if m.turns else self.planned))]
        # of the bones that go with one control, that which is planned for tells
        by_control = {m.control: m for m in sorted(found, key=lambda m: m.bone in binding.bones)}
        self.moves = [by_control[name] for name in dict.fromkeys(m.control for m in found)]
        root = fitted.target.root
        if way is not None:
            if root not in self.pose:
                raise CharacterError(f"The {fitted.target.name} rig {armature.name!r} has no bone {root!r} that could carry the "
                                     "way. Choose another Root Motion.")
            self.moves.insert(0, Move(binding.bones[0], root))
        level = levels_of(armature, [move.control for move in self.moves])
        self.levels = [[m for m in self.moves if level[m.control] == k] for k in range(1 + max(level.values()))]
        self.size = float(np.ptp([m[:3, 3] for m in plan.rest.values()], axis=0).max())
        self.wish_turn = {m.control: plan.turned(m.bone, m.control) for m in self.moves}
        self.wish_place = {m.control: plan.placed(m.bone, m.control) for m in self.moves}
        if way is not None:
            posed = way @ plan.rest[root]
            self.wish_turn[root], self.wish_place[root] = posed[:, :3, :3], posed[:, :3, 3]
        self.poles = [m for m in self.moves if m.bends]
        self.aim = {m.control: 0.0 for m in self.poles}      # rad; a frame begins with that of the one before
        self.turns: dict[str, Array] = {}              # (n, 3, 3) in the control's own channels
        self.places: dict[str, Array] = {}             # (n, 3)
        self.away: dict[str, float] = {}               # m and rad by which locks keep a control from its wish, at most
        self.off: dict[str, float] = {}

    def refuse_turned_knees(self) -> None:
        """Make sure that every leg that is posed by its foot bends the way it does at rest: no other can be reached.

        Raises:
            CharacterError: one bends the other way.
        """
        for move in self.poles:
            bones = (move.bone, *move.bends)
            hip, knee, ankle = (self.plan.head[name] for name in bones)
            off = off_line(hip, knee, ankle)
            at_rest = self.plan.rest[move.bone][:3, :3].T @ off_line(*(self.plan.rest[name][:3, 3] for name in bones))
            bent = np.linalg.norm(off, axis=1) > BENT * np.linalg.norm(ankle - hip, axis=1)
            if (bent & (((self.plan.turn[move.bone] @ at_rest) * off).sum(1) < 0)).any():
                raise CharacterError(f"The knee of {move.bone!r} bends the other way in the plan than at rest, which inverse "
                                     "kinematics cannot follow. Choose FK under Controls.")

    def pose_all(self, count: int) -> None:
        """Fill `turns` and `places`."""
        kept = {m.control: self.pose[m.control].matrix_basis.copy() for m in self.moves}
        for move in self.moves:
            self.turns[move.control], self.places[move.control] = np.empty((count, 3, 3)), np.empty((count, 3))
            self.away[move.control] = self.off[move.control] = 0.0
        for k in range(count):
            self._pose(k, kept)
            for _ in range(PASSES if self.poles else 0):
                if not self._aim(k):
                    break
                self._pose(k, kept)
        for move in self.moves:
            away = self.places[move.control] - np.array(kept[move.control].translation)
            if np.linalg.norm(away, axis=1).max() < AWAY * self.size:
                self.places[move.control] -= away          # it hangs where it should; keys would only be in the way

    def _pose(self, k: int, kept: dict[str, Matrix]) -> None:
        for level in self.levels:
            bpy.context.view_layer.update()
            for move in level:
                basis = self._basis(move, k, kept[move.control])
                self.turns[move.control][k] = np.array(basis.to_3x3())
                self.places[move.control][k] = basis.translation

    def _aim(self, k: int) -> bool:
        """Turn poles about the line from hip to ankle by as much as their knees are off; whether any was."""
        bpy.context.view_layer.update()
        aimed = False
        for move in self.poles:
            angle = self._off_plane(move, k)
            if abs(angle) > AIMED:
                self.aim[move.control] += angle
                aimed = True
        return aimed

    def _off_plane(self, move: Move, k: int) -> float:
        """Angle about the line from hip to ankle by which a knee is off its place; of a straight leg that of the shin."""
        shin, foot = move.bends
        hip, knee, ankle = (self.plan.head[name][k] for name in (move.bone, shin, foot))
        axis = (ankle - hip) / np.linalg.norm(ankle - hip)
        wished, there = off_line(hip, knee, ankle), off_line(hip, np.array(self.pose[shin].head), ankle)
        if np.linalg.norm(wished) > BENT * np.linalg.norm(ankle - hip):
            return float(np.arctan2(axis @ np.cross(there, wished), there @ wished))
        return self._twist(shin, k, axis)

    def _twist(self, bone: str, k: int, axis: Array) -> float:
        turned = np.array(self.pose[bone].matrix.to_3x3().normalized())
        w, *v = so3.quat_from_matrix(self.plan.turn[bone][k] @ turned.T)
        angle = 2 * float(np.arctan2(axis @ v, w))
        return float(so3.wrapped(angle))

    def _pole(self, move: Move, k: int) -> Array:
        """Place of a pole, which goes with the thigh but for what it is turned about the line from hip to ankle. (3,)."""
        hip, ankle = self.plan.head[move.bone][k], self.plan.head[move.bends[1]][k]
        turn = so3.exp(self.aim[move.control] * (ankle - hip) / np.linalg.norm(ankle - hip))
        return hip + turn @ (self.wish_place[move.control][k] - hip)

    def moved(self) -> list[Move]:
        """The controls that move, or turn a bone that is planned for; others hang where they should."""
        return [m for m in self.moves if (m.turns and m.bone in self.planned)
                or _turned(self.turns[m.control]) or np.abs(self.places[m.control]).max() > 0]

    def at_ends(self) -> list[str]:
        """Controls that turn bones that are not planned, such as hands."""
        moved = {move.control for move in self.moved()}
        return [m.control for m in self.moves if m.turns and m.bone not in self.planned and m.control not in moved]

    def _basis(self, move: Move, k: int, kept: Matrix) -> Matrix:
        """Pose a control in a frame; returns its own channels."""
        bone = self.pose[move.control]
        bone.matrix_basis = kept
        wished = bone.matrix.copy()
        if move.turns or move.rolls:
            turn = self.wish_turn[move.control][k]
            if move.rolls:         # the rig leads the bone's axis to the next control by the shortest way, so back from there by it
                turn = so3.between(turn[:, 1], np.array(wished.col[1].xyz)) @ turn
            wished = Matrix(turn.tolist()).to_4x4()
        wished.translation = (self._pole(move, k) if move.bends else self.wish_place[move.control][k]).tolist()
        bone.matrix = wished
        basis = bone.matrix_basis.copy()
        if not (move.turns or move.rolls):
            basis = Matrix.LocRotScale(basis.translation, kept.to_quaternion(), None)
        if not move.placed:
            basis.translation = kept.translation
        held = hold(bone, basis, kept)
        self.away[move.control] = max(self.away[move.control], (held.translation - basis.translation).length)
        apart = held.to_quaternion().rotation_difference(basis.to_quaternion()).angle
        self.off[move.control] = max(self.off[move.control], min(apart, 2 * np.pi - apart))
        bone.matrix_basis = held
        return held

    def held(self) -> list[str]:
        """Controls that their locks keep from the plan, in words."""
        kept = [name for name in self.away if self.away[name] > TOLD_PLACE * self.size or self.off[name] > TOLD_TURN]
        return told_locked(kept)


def _turned(turns: Array) -> bool:
    """Whether a control's own channels (n, 3, 3) turn it at all."""
    return bool(np.abs(turns - np.eye(3)).max() > AIMED)


def _key_control(bone: bpy.types.PoseBone, new: NewAction, frames: Array, turns: Array | None, places: Array,
                 turned: bool = False) -> None:
    """Key the channels that are free and that move, or are posed in another way now; without turns no rotation."""
    mode, path = bone.rotation_mode, _path(bone.name)

    def key(channel: str, values: Array) -> None:
        new.add(f"{path}.{channel}", bone.name, frames[:len(values)], values, skip=locked_keys(bone, channel))

    if turns is not None and (turned or bone.matrix_basis.to_quaternion().angle > 1e-6):
        key(channel_name(mode), channels(turns, mode))
    if np.abs(places).max() > 0 or np.abs(np.array(bone.location)).max() > 1e-9:
        key("location", places)
    if np.abs(np.array(bone.scale) - 1).max() > 1e-6:
        key("scale", np.ones((1, 3)))


def _key_others(armature: bpy.types.Object, new: NewAction, frames: Array, others: set[str], free: set[str]) -> None:
    """Key other controls at rest that are posed and would turn the body away from the plan; those that are free may be turned."""
    for bone in armature.pose.bones:
        if bone.name not in others or np.abs(np.array(bone.matrix_basis) - np.eye(4)).max() < 1e-6:
            continue
        _key_control(bone, new, frames[:1], None if bone.name in free else np.eye(3)[None], np.zeros((1, 3)), turned=True)


def _path(bone: str) -> str:
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"]'
