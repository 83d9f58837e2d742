"""Control rigs whose deforming bones must not be keyed: how one is described, and which one an armature is.

The descriptions themselves are in `control_rigs.py`; a new rig is an entry there.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import bpy
import numpy as np

from .rig_setting import Switch

SAME_PLACE = 1e-4         # of the rig's size, within which a bone begins where a control does
Switches = Mapping[str, Mapping[str, float]]
Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Move:
    """A control that goes with a deforming bone as one piece.

    Args:
        turns: false for controls that do not turn it, or only as `rolls` says: poles, and those that a spine is bent by.
        bends: of a pole, the lower two bones of the three at whose heads hip, knee and ankle are.
        rolls: whether the control turns the bone about its own axis, which the next one's place points.
        placed: false for controls that stay where the rig has them.
    """

    bone: str
    control: str
    turns: bool = True
    bends: tuple[str, str] | None = None
    rolls: bool = False
    placed: bool = True


@dataclass(frozen=True)
class Leg:
    """A leg that may be posed by its foot: by inverse kinematics.

    Args:
        needs: controls by which a leg of this kind is known.
        bones: thigh, shin and foot among the deforming bones.
        instead: controls that it is posed without.
        turns: pairs of deforming bone and control that goes with it.
        pole: the thigh and the control that its knee points to. Moved about as the thigh is, it stays ahead of the knee, which
            so cannot flip.
        switches: custom properties by the bone that has them, and what they are keyed to.
        hip: the thigh and the control that moves where it begins.
        roll: the shin and the control that turns it about its own axis, for legs whose bones are not in one plane at rest.
        stiff: bones whose constraints of inverse kinematics would stretch or press the leg, which is keyed off.
    """

    needs: tuple[str, ...]
    bones: tuple[str, ...]
    instead: tuple[str, ...]
    turns: Pairs
    pole: tuple[str, str]
    switches: Switches
    hip: tuple[str, str] = ("", "")
    roll: tuple[str, str] = ("", "")
    stiff: tuple[str, ...] = ()


@dataclass(frozen=True)
class Target:
    """How a kind of control rig is posed.

    `{s}` in a name stands for either side as the rig writes it; `@neck` for the deforming bone that begins where the control
    `neck` does; `{n}` for any number that the rig has there, such as `.003`, or none.

    Args:
        name: as its users know it.
        needs: bones by which it is known.
        carrier: the bone that the control which moves the whole body goes with, and that control.
        turns: pairs of deforming bone and control that goes with it, forward kinematics.
        places: pairs of deforming bone and control that only moves and rolls it, where the bone would begin elsewhere than
            planned, or be turned otherwise about its own axis.
        switches: custom properties by the bone that has them, and what they are keyed to.
        tails: pairs as `turns`, of bones that are planned for in some styles alone; what turns such a control with another one is
            keyed off then.
        legs: kinds of legs that may be posed by their feet instead, the more particular ones first.
        sides: how the rig writes left and right.
        mark: how the names of its deforming bones begin.
        root: the control that everything else hangs on.
    """

    name: str
    needs: tuple[str, ...]
    carrier: tuple[str, str]
    turns: Pairs
    switches: Switches
    places: Pairs = ()
    tails: Pairs = ()
    legs: tuple[Leg, ...] = ()
    sides: tuple[str, str] = ("L", "R")
    mark: str = "DEF-"
    root: str = "root"

    def on(self, armature: bpy.types.Object, by_feet: bool = False, planned: Iterable[str] = ()) -> Fitted:
        """What of it an armature has.

        Args:
            by_feet: pose legs by inverse kinematics, where the rig can.
            planned: bones that are planned for; of tails none others are moved.
        """
        return _Fitting(self, armature, by_feet, frozenset(planned)).fit()


@dataclass(frozen=True)
class Fitted:
    """A target on one armature: the controls that there are.

    `bones` are those that legs posed by their feet move besides.
    """

    target: Target
    carrier: Move
    moves: tuple[Move, ...]
    switches: tuple[Switch, ...]
    bones: frozenset[str]

    @property
    def moved(self) -> frozenset[str]:
        """Deforming bones that the controls move: turned by them, or led from where one places them to the next."""
        return self.bones | {self.carrier.bone} | {move.bone for move in self.moves}


class _Fitting:
    """Finds the names of a description in one armature."""

    def __init__(self, target: Target, armature: bpy.types.Object, by_feet: bool, planned: frozenset[str]) -> None:
        self.target, self.by_feet, self.planned = target, by_feet, planned
        self.pose = armature.pose.bones
        self.rest = armature.data.bones
        at = np.array([b.head_local for b in self.rest])
        self.close = SAME_PLACE * float(np.ptp(at, axis=0).max())

    def fit(self) -> Fitted:
        """The controls that there are."""
        target = self.target
        switches = dict(self._switches(target.switches, target.sides))
        moves = {(move.control, move.bone): move for move in self._pairs(target.turns, target.sides)}
        places = {(move.control, ""): replace(move, rolls=True) for move in self._pairs(target.places, target.sides, turns=False)}
        tails = [move for move in self._pairs(target.tails, ("",)) if move.bone in self.planned]
        moves |= {(move.control, move.bone): move for move in tails}
        switches |= {(switch.bone, switch.constraint): switch for switch in self._parted(tails)}
        bones: set[str] = set()
        for side in target.sides if self.by_feet else ():
            for leg in self._legs(side):
                without = {name.format(s=side) for name in leg.instead}
                moves = {key: move for key, move in moves.items() if move.control not in without}
                moves |= {(move.control, move.bone): move for move in self._pairs(leg.turns, (side,))}
                bones |= {name.format(s=side) for name in leg.bones}
                places |= {(move.control, ""): move for move in self._pairs((leg.hip,), (side,), turns=False)}
                thigh, shin, foot = (name.format(s=side) for name in leg.bones)
                pole = leg.pole[1].format(s=side)
                moves[pole, thigh] = Move(thigh, pole, turns=False, bends=(shin, foot))
                roll = leg.roll[1].format(s=side)
                if roll in self.pose:
                    moves[roll, shin] = Move(shin, roll, turns=False, rolls=True, placed=False)
                switches |= dict(self._switches(leg.switches, (side,)))
                switches |= {(switch.bone, switch.constraint): switch for switch in self._stiffened(leg, side)}
        (carrier,) = self._pairs((target.carrier,), ("",)) or (Move("", target.carrier[1]),)
        ordered = tuple(switches[place] for place in sorted(switches))
        return Fitted(target, carrier, tuple((places | moves).values()), ordered, frozenset(bones))

    def _legs(self, side: str) -> list[Leg]:
        """The legs of a side, of each the first kind that fits."""
        found: dict[str, Leg] = {}
        for leg in self.target.legs:
            if all(name.format(s=side) in self.pose for name in leg.needs):
                found.setdefault(leg.pole[1], leg)
        return list(found.values())

    def _pairs(self, pairs: Pairs, sides: Iterable[str], turns: bool = True) -> list[Move]:
        found = []
        for bone, control in pairs:
            for side in sides:
                for number in self._numbers(control.format(s=side, n="{n}")):
                    name = self._bone(bone.format(s=side, n=number))
                    control_name = control.format(s=side, n=number)
                    if name in self.rest and control_name in self.pose:
                        found.append(Move(name, control_name, turns))
        return list(dict.fromkeys(found))

    def _numbers(self, name: str) -> list[str]:
        """What stands for `{n}` in the names that there are; nothing where a name has none."""
        before, _, after = name.partition("{n}")
        if "{n}" not in name:
            return [""]
        inner = [b.name[len(before):len(b.name) - len(after)] for b in self.rest if b.name.startswith(before)
                 and b.name.endswith(after)]
        return [n for n in inner if n == "" or (n[0] == "." and n[1:].isdigit())]

    def _bone(self, name: str) -> str:
        """A deforming bone by its name, or by the control at whose place it begins."""
        if not name.startswith("@") or name[1:] not in self.rest:
            return name
        at = self.rest[name[1:]].head_local
        near = [b for b in self.rest if b.name.startswith(self.target.mark) and (b.head_local - at).length < self.close]
        return near[0].name if near else ""

    def _switches(self, switches: Switches, sides: Iterable[str]) -> list[tuple[tuple[str, str], Switch]]:
        """Every switch that the rig has, by bone and property."""
        found = []
        for bone, key, value in ((b, key, value) for b, values in switches.items() for key, value in values.items()):
            for name, prop in ((bone.format(s=s), key.format(s=s)) for s in sides):
                own = name in self.pose and prop in self.pose[name].keys()      # noqa: SIM118
                if own or (name in self.pose and hasattr(self.pose[name], prop)):
                    found.append(((name, prop), Switch(name, prop, value, own=own)))
        return found

    def _stiffened(self, leg: Leg, side: str) -> list[Switch]:
        """What keeps the bones of a leg from changing their lengths."""
        names = [name.format(s=side) for name in leg.stiff]
        return [Switch(name, "use_stretch", 0.0, constraint.name, own=False) for name in names if name in self.pose
                for constraint in self.pose[name].constraints if constraint.type == "IK"]

    def _parted(self, tails: list[Move]) -> list[Switch]:
        """What turns the controls of a tail along with each other."""
        return [Switch(move.control, "influence", 0.0, constraint.name, own=False) for move in tails
                for constraint in self.pose[move.control].constraints if constraint.type == "COPY_ROTATION"]
