"""Control rigs whose deforming bones must not be keyed:
how one is described, and which one an armature is.

The descriptions themselves are in `control_rigs.py`; a new rig is an entry there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import bpy
import numpy as np

from .rig_setting import RigSetting

SAME_POSITION_TOLERANCE = 1e-4  # of the rig's size, within which a bone begins where a control does
SettingValues = Mapping[str, Mapping[str, float]]
BonePairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ControlLink:
    """A control that goes with a deforming bone as one piece.

    Args:
        drives_rotation: false for controls that do not turn it, or only as `drives_roll` says:
            poles, and those that a spine is bent by.
        pole_bones: of a pole, the lower two bones of the three at whose heads
            hip, knee and ankle are.
        drives_roll: whether the control turns the bone about its own axis,
            which the next one's place points.
        drives_position: false for controls that stay where the rig has them.
    """

    bone: str
    control: str
    drives_rotation: bool = True
    pole_bones: tuple[str, str] | None = None
    drives_roll: bool = False
    drives_position: bool = True


@dataclass(frozen=True)
class IkLeg:
    """A leg that may be posed by its foot: by inverse kinematics.

    Args:
        required_bones: controls by which a leg of this kind is known.
        bones: thigh, shin and foot among the deforming bones.
        replaced_controls: controls that it is posed without.
        rotation_pairs: pairs of deforming bone and control that goes with it.
        pole_pair: the thigh and the control that its knee points to. Moved about as the thigh is,
            it stays ahead of the knee, which so cannot flip.
        setting_values: custom properties by the bone that has them, and what they are keyed to.
        hip_pair: the thigh and the control that moves where it begins.
        roll_pair: the shin and the control that turns it about its own axis, for legs whose bones
            are not in one plane at rest.
        stretching_bones: bones whose constraints of inverse kinematics would stretch or press the
            leg, which is keyed off.
    """

    required_bones: tuple[str, ...]
    bones: tuple[str, ...]
    replaced_controls: tuple[str, ...]
    rotation_pairs: BonePairs
    pole_pair: tuple[str, str]
    setting_values: SettingValues
    hip_pair: tuple[str, str] = ("", "")
    roll_pair: tuple[str, str] = ("", "")
    stretching_bones: tuple[str, ...] = ()


@dataclass(frozen=True)
class ControlRig:
    """How a kind of control rig is posed.

    `{s}` in a name stands for either side as the rig writes it; `@neck` for the deforming bone that
    begins where the control `neck` does; `{n}` for any number that the rig has there, such as
    `.003`, or none.

    Args:
        name: as its users know it.
        required_bones: bones by which it is known.
        body_pair: the bone that the control which moves the whole body goes with, and that control.
        rotation_pairs: pairs of deforming bone and control that goes with it, forward kinematics.
        position_pairs: pairs of deforming bone and control that only moves and rolls it, where the
            bone would begin elsewhere than planned, or be turned otherwise about its own axis.
        setting_values: custom properties by the bone that has them, and what they are keyed to.
        tail_pairs: pairs as `rotation_pairs`, of bones that are planned for in some styles alone;
            what turns such a control with another one is keyed off then.
        legs: kinds of legs that may be posed by their feet instead, the more particular ones first.
        sides: how the rig writes left and right.
        deform_prefix: how the names of its deforming bones begin.
        root_control: the control that everything else hangs on.
    """

    name: str
    required_bones: tuple[str, ...]
    body_pair: tuple[str, str]
    rotation_pairs: BonePairs
    setting_values: SettingValues
    position_pairs: BonePairs = ()
    tail_pairs: BonePairs = ()
    legs: tuple[IkLeg, ...] = ()
    sides: tuple[str, str] = ("L", "R")
    deform_prefix: str = "DEF-"
    root_control: str = "root"

    def fit_to(
        self,
        armature: bpy.types.Object,
        use_leg_ik: bool = False,
        planned_bones: Iterable[str] = (),
    ) -> RigControls:
        """What of it an armature has.

        Args:
            use_leg_ik: pose legs by inverse kinematics, where the rig can.
            planned_bones: bones that are planned for; of tails none others are moved.
        """
        return _ControlRigFitter(self, armature, use_leg_ik, frozenset(planned_bones)).fit()


@dataclass(frozen=True)
class RigControls:
    """A target on one armature: the controls that there are.

    `leg_bones` are those that legs posed by their feet move besides.
    """

    control_rig: ControlRig
    body_link: ControlLink
    links: tuple[ControlLink, ...]
    settings: tuple[RigSetting, ...]
    leg_bones: frozenset[str]

    @property
    def moved_bones(self) -> frozenset[str]:
        """Deforming bones that the controls move: turned by them, or led from where one
        places them to the next.
        """
        return self.leg_bones | {self.body_link.bone} | {link.bone for link in self.links}


class _ControlRigFitter:
    """Finds the names of a description in one armature."""

    def __init__(
        self,
        control_rig: ControlRig,
        armature: bpy.types.Object,
        use_leg_ik: bool,
        planned_bones: frozenset[str],
    ) -> None:
        self.control_rig = control_rig
        self.use_leg_ik = use_leg_ik
        self.planned_bones = planned_bones
        self.pose_bones = armature.pose.bones
        self.rest_bones = armature.data.bones
        heads = np.array([b.head_local for b in self.rest_bones])
        self.max_distance = SAME_POSITION_TOLERANCE * float(np.ptp(heads, axis=0).max())

    def fit(self) -> RigControls:
        """The controls that there are."""
        control_rig = self.control_rig
        settings = dict(self._find_settings(control_rig.setting_values, control_rig.sides))
        links = {
            (link.control, link.bone): link
            for link in self._find_links(control_rig.rotation_pairs, control_rig.sides)
        }
        position_links = {
            (link.control, ""): replace(link, drives_roll=True)
            for link in self._find_links(
                control_rig.position_pairs, control_rig.sides, drives_rotation=False
            )
        }
        tail_links = [
            link
            for link in self._find_links(control_rig.tail_pairs, ("",))
            if link.bone in self.planned_bones
        ]
        links |= {(link.control, link.bone): link for link in tail_links}
        settings |= {
            (setting.bone, setting.constraint): setting
            for setting in self._make_tail_settings(tail_links)
        }
        leg_bones: set[str] = set()
        for side in control_rig.sides if self.use_leg_ik else ():
            for leg in self._find_legs(side):
                replaced = {name.format(s=side) for name in leg.replaced_controls}
                links = {key: link for key, link in links.items() if link.control not in replaced}
                links |= {
                    (link.control, link.bone): link
                    for link in self._find_links(leg.rotation_pairs, (side,))
                }
                leg_bones |= {name.format(s=side) for name in leg.bones}
                position_links |= {
                    (link.control, ""): link
                    for link in self._find_links((leg.hip_pair,), (side,), drives_rotation=False)
                }
                thigh, shin, foot = (name.format(s=side) for name in leg.bones)
                pole = leg.pole_pair[1].format(s=side)
                links[pole, thigh] = ControlLink(
                    thigh, pole, drives_rotation=False, pole_bones=(shin, foot)
                )
                roll = leg.roll_pair[1].format(s=side)
                if roll in self.pose_bones:
                    links[roll, shin] = ControlLink(
                        shin, roll, drives_rotation=False, drives_roll=True, drives_position=False
                    )
                settings |= dict(self._find_settings(leg.setting_values, (side,)))
                settings |= {
                    (setting.bone, setting.constraint): setting
                    for setting in self._make_stretch_settings(leg, side)
                }
        (body_link,) = self._find_links((control_rig.body_pair,), ("",)) or (
            ControlLink("", control_rig.body_pair[1]),
        )
        ordered = tuple(settings[setting_key] for setting_key in sorted(settings))
        return RigControls(
            control_rig,
            body_link,
            tuple((position_links | links).values()),
            settings=ordered,
            leg_bones=frozenset(leg_bones),
        )

    def _find_legs(self, side: str) -> list[IkLeg]:
        """The legs of a side, of each the first kind that fits."""
        legs_by_pole: dict[str, IkLeg] = {}
        for leg in self.control_rig.legs:
            if all(name.format(s=side) in self.pose_bones for name in leg.required_bones):
                legs_by_pole.setdefault(leg.pole_pair[1], leg)
        return list(legs_by_pole.values())

    def _find_links(
        self, pairs: BonePairs, sides: Iterable[str], drives_rotation: bool = True
    ) -> list[ControlLink]:
        links = []
        for bone, control in pairs:
            for side in sides:
                for number in self._find_numbers(control.format(s=side, n="{n}")):
                    name = self._find_bone(bone.format(s=side, n=number))
                    control_name = control.format(s=side, n=number)
                    if name in self.rest_bones and control_name in self.pose_bones:
                        links.append(ControlLink(name, control_name, drives_rotation))
        return list(dict.fromkeys(links))

    def _find_numbers(self, name: str) -> list[str]:
        """What stands for `{n}` in the names that there are; nothing where a name has none."""
        prefix, _, suffix = name.partition("{n}")
        if "{n}" not in name:
            return [""]
        inner = [
            b.name[len(prefix) : len(b.name) - len(suffix)]
            for b in self.rest_bones
            if b.name.startswith(prefix) and b.name.endswith(suffix)
        ]
        return [n for n in inner if n == "" or (n[0] == "." and n[1:].isdigit())]

    def _find_bone(self, name: str) -> str:
        """A deforming bone by its name, or by the control at whose place it begins."""
        if not name.startswith("@") or name[1:] not in self.rest_bones:
            return name
        position = self.rest_bones[name[1:]].head_local
        candidates = [
            b
            for b in self.rest_bones
            if b.name.startswith(self.control_rig.deform_prefix)
            and (b.head_local - position).length < self.max_distance
        ]
        return candidates[0].name if candidates else ""

    def _find_settings(
        self, setting_values: SettingValues, sides: Iterable[str]
    ) -> list[tuple[tuple[str, str], RigSetting]]:
        """Every switch that the rig has, by bone and property."""
        settings = []
        for bone, key, value in (
            (b, key, value) for b, values in setting_values.items() for key, value in values.items()
        ):
            for name, prop in ((bone.format(s=s), key.format(s=s)) for s in sides):
                is_custom = name in self.pose_bones and prop in self.pose_bones[name].keys()  # noqa: SIM118
                if is_custom or (name in self.pose_bones and hasattr(self.pose_bones[name], prop)):
                    settings.append(
                        ((name, prop), RigSetting(name, prop, value, is_custom=is_custom))
                    )
        return settings

    def _make_stretch_settings(self, leg: IkLeg, side: str) -> list[RigSetting]:
        """What keeps the bones of a leg from changing their lengths."""
        names = [name.format(s=side) for name in leg.stretching_bones]
        return [
            RigSetting(name, "use_stretch", 0.0, constraint.name, is_custom=False)
            for name in names
            if name in self.pose_bones
            for constraint in self.pose_bones[name].constraints
            if constraint.type == "IK"
        ]

    def _make_tail_settings(self, tail_links: list[ControlLink]) -> list[RigSetting]:
        """What turns the controls of a tail along with each other."""
        return [
            RigSetting(link.control, "influence", 0.0, constraint.name, is_custom=False)
            for link in tail_links
            for constraint in self.pose_bones[link.control].constraints
            if constraint.type == "COPY_ROTATION"
        ]
