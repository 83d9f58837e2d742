"""Control rigs whose deform bones must not be keyed: their description, and its match with an
armature.

The descriptions are in `known_rigs.py`; a new rig is an entry there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import bpy
import numpy as np

from .rig_setting import RigSetting

# Distance below which the heads of two bones coincide, as a share of the rig's size
SAME_POSITION_TOLERANCE = 1e-4
SettingValues = Mapping[str, Mapping[str, float]]
BonePairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ControlLink:
    """A control that moves rigidly with a deform bone.

    Args:
        bone: deform bone.
        control: control.
        drives_rotation: whether the control rotates the bone; false for poles and for controls that
            bend a spine.
        pole_bones: for a pole, the bones whose heads are knee and ankle.
        drives_roll: whether the control rotates the bone about its axis only, whose direction the
            next control sets.
        drives_position: whether the control moves; false for controls that stay where the rig has
            them.
    """

    bone: str
    control: str
    drives_rotation: bool = True
    pole_bones: tuple[str, str] | None = None
    drives_roll: bool = False
    drives_position: bool = True


@dataclass(frozen=True)
class IkLeg:
    """A leg that can be posed by its foot, with inverse kinematics.

    Args:
        required_bones: controls that identify a leg of this kind.
        bones: thigh, shin and foot among the deform bones.
        replaced_controls: controls that this mode of posing does not need.
        rotation_pairs: pairs of deform bone and control that rotates it.
        pole_pair: the thigh and the control that its knee points to. It moves with the thigh, so it
            stays ahead of the knee, which cannot flip.
        setting_values: values of custom properties by bone.
        hip_pair: the thigh and the control that moves its head.
        roll_pair: the shin and the control that rotates it about its axis, for legs whose bones are
            not in one plane at rest.
        stretching_bones: bones whose constraints of inverse kinematics would stretch or compress
            the leg; their stretching is keyed off.
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
    """Description of a kind of control rig.

    `{s}` in a name stands for either side as the rig writes it; `@neck` for the deform bone with
    the same head as the control `neck`; `{n}` for any number that the rig has there, such as
    `.003`, or none.

    Args:
        name: name of the kind for users.
        required_bones: bones that identify the rig.
        body_pair: a bone and the control that moves the whole body with it.
        rotation_pairs: pairs of deform bone and control that rotates it, for forward kinematics.
        setting_values: values of custom properties by bone.
        position_pairs: pairs of deform bone and control that only moves and rolls it, for bones
            that would otherwise have another position or roll than planned.
        tail_pairs: pairs of deform bone and control that rotates it, for bones that only some
            styles plan; constraints that rotate such a control with another one are keyed off then.
        legs: kinds of legs that can be posed by their feet, the more specific ones first.
        sides: suffixes of left and right.
        deform_prefix: prefix of the names of deform bones.
        root_control: control that moves all others.
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
        """Return the controls of the description that an armature has.

        Args:
            use_leg_ik: whether to pose legs by inverse kinematics if the rig can.
            planned_bones: bones with a plan; only these bones of a tail are moved.
        """
        return _ControlRigFitter(self, armature, use_leg_ik, frozenset(planned_bones)).fit()


@dataclass(frozen=True)
class RigControls:
    """The controls of a description that an armature has.

    Args:
        control_rig: the description.
        body_link: control that moves the whole body.
        links: the other controls.
        settings: values that the rig must have.
        leg_bones: further deform bones that legs posed by their feet move.
    """

    control_rig: ControlRig
    body_link: ControlLink
    links: tuple[ControlLink, ...]
    settings: tuple[RigSetting, ...]
    leg_bones: frozenset[str]

    @property
    def moved_bones(self) -> frozenset[str]:
        """Deform bones that the controls move, directly or by pointing them from one control to the
        next.
        """
        return self.leg_bones | {self.body_link.bone} | {link.bone for link in self.links}


class _ControlRigFitter:
    """Match of a description with one armature."""

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
        self.settings: dict[tuple[str, str], RigSetting] = {}  # by bone, and key or constraint
        self.links: dict[tuple[str, str], ControlLink] = {}  # by control and bone
        self.position_links: dict[tuple[str, str], ControlLink] = {}
        self.leg_bones: set[str] = set()

    def fit(self) -> RigControls:
        """Return the controls that the armature has."""
        control_rig = self.control_rig
        self._add_settings(control_rig.setting_values, control_rig.sides)
        self._add_links(self._find_links(control_rig.rotation_pairs, control_rig.sides))
        self.position_links = {
            (link.control, ""): replace(link, drives_roll=True)
            for link in self._find_links(
                control_rig.position_pairs, control_rig.sides, drives_rotation=False
            )
        }
        self._add_tail()
        for side in control_rig.sides if self.use_leg_ik else ():
            for leg in self._find_legs(side):
                self._add_leg(leg, side)
        (body_link,) = self._find_links((control_rig.body_pair,), ("",)) or (
            ControlLink("", control_rig.body_pair[1]),
        )
        return RigControls(
            control_rig,
            body_link,
            tuple((self.position_links | self.links).values()),
            settings=tuple(self.settings[key] for key in sorted(self.settings)),
            leg_bones=frozenset(self.leg_bones),
        )

    def _add_links(self, links: Iterable[ControlLink]) -> None:
        self.links |= {(link.control, link.bone): link for link in links}

    def _add_settings(self, setting_values: SettingValues, sides: Iterable[str]) -> None:
        self.settings |= {
            (setting.bone, setting.key): setting
            for setting in self._find_settings(setting_values, sides)
        }

    def _add_constraint_settings(self, settings: Iterable[RigSetting]) -> None:
        self.settings |= {(setting.bone, setting.constraint): setting for setting in settings}

    def _add_tail(self) -> None:
        """Add the controls of the planned bones of a tail."""
        tail_links = [
            link
            for link in self._find_links(self.control_rig.tail_pairs, ("",))
            if link.bone in self.planned_bones
        ]
        self._add_links(tail_links)
        self._add_constraint_settings(self._make_tail_settings(tail_links))

    def _add_leg(self, leg: IkLeg, side: str) -> None:
        """Replace the controls of a leg by those that pose it by its foot."""
        replaced = {name.format(s=side) for name in leg.replaced_controls}
        self.links = {key: link for key, link in self.links.items() if link.control not in replaced}
        self._add_links(self._find_links(leg.rotation_pairs, (side,)))
        self.leg_bones |= {name.format(s=side) for name in leg.bones}
        self.position_links |= {
            (link.control, ""): link
            for link in self._find_links((leg.hip_pair,), (side,), drives_rotation=False)
        }
        thigh, shin, foot = (name.format(s=side) for name in leg.bones)
        pole = leg.pole_pair[1].format(s=side)
        self._add_links([ControlLink(thigh, pole, drives_rotation=False, pole_bones=(shin, foot))])
        roll = leg.roll_pair[1].format(s=side)
        if roll in self.pose_bones:
            roll_link = ControlLink(
                shin, roll, drives_rotation=False, drives_roll=True, drives_position=False
            )
            self._add_links([roll_link])
        self._add_settings(leg.setting_values, (side,))
        self._add_constraint_settings(self._make_stretch_settings(leg, side))

    def _find_legs(self, side: str) -> list[IkLeg]:
        """Return the legs of a side, each of the first kind that matches."""
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
        """Return the values of `{n}` in the names of the armature; [""] for a name without
        `{n}`.
        """
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
        """Return the name of a deform bone, given as such or by a control with the same head."""
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
    ) -> list[RigSetting]:
        """Return every setting that the rig has."""
        settings = []
        for bone, key, value in (
            (b, key, value) for b, values in setting_values.items() for key, value in values.items()
        ):
            for name, prop in ((bone.format(s=s), key.format(s=s)) for s in sides):
                is_custom = name in self.pose_bones and prop in self.pose_bones[name].keys()  # noqa: SIM118
                if is_custom or (name in self.pose_bones and hasattr(self.pose_bones[name], prop)):
                    settings.append(RigSetting(name, prop, value, is_custom=is_custom))
        return settings

    def _make_stretch_settings(self, leg: IkLeg, side: str) -> list[RigSetting]:
        """Return the settings that keep the bones of a leg from stretching."""
        names = [name.format(s=side) for name in leg.stretching_bones]
        return [
            RigSetting(name, "use_stretch", 0.0, constraint.name, is_custom=False)
            for name in names
            if name in self.pose_bones
            for constraint in self.pose_bones[name].constraints
            if constraint.type == "IK"
        ]

    def _make_tail_settings(self, tail_links: list[ControlLink]) -> list[RigSetting]:
        """Return the settings that keep the controls of a tail from rotating each other."""
        return [
            RigSetting(link.control, "influence", 0.0, constraint.name, is_custom=False)
            for link in tail_links
            for constraint in self.pose_bones[link.control].constraints
            if constraint.type == "COPY_ROTATION"
        ]
