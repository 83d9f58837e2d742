"""Control rigs whose deforming bones must not be keyed: which control moves which bone, as data.

A new one is an entry of `TARGETS`. `{s}` stands for either side as the rig writes it.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import bpy

from ..core.character.binding import Binding


@dataclass(frozen=True)
class Target:
    """How a kind of control rig is posed by its forward kinematics.

    Args:
        name: as its users know it.
        needs: bones by which it is known.
        carrier: the bone that the control which moves the whole body goes with, and that control.
        levels: pairs of deforming bone and control; a level's controls may hang on those of the levels before it.
        switches: custom properties by the bone that has them, and what they are keyed to.
        sides: how the rig writes left and right.
    """

    name: str
    needs: tuple[str, ...]
    carrier: tuple[str, str]
    levels: tuple[tuple[tuple[str, str], ...], ...]
    switches: Mapping[str, Mapping[str, float]]
    sides: tuple[str, str] = ("L", "R")

    def controls(self, binding: Binding, armature: bpy.types.Object) -> list[list[tuple[str, str]]]:
        """Pairs of deforming bone and control by level, of the bones that are planned for and the controls that there are."""
        out = []
        for level in self.levels:
            pairs = {(bone.format(s=s), control.format(s=s)) for bone, control in level for s in self.sides}
            out.append(sorted(p for p in pairs if p[0] in binding.bones and p[1] in armature.pose.bones))
        return [level for level in out if level]

    def switched(self, armature: bpy.types.Object) -> list[tuple[str, str, float]]:
        """Bone, property and value of every switch that the rig has."""
        found = [(bone.format(s=s), key, value) for bone, values in self.switches.items() for key, value in values.items()
                 for s in self.sides]
        pose = armature.pose.bones
        return sorted({entry for entry in found if entry[0] in pose and entry[1] in pose[entry[0]].keys()})      # noqa: SIM118


RIGIFY = Target(
    "Rigify", ("torso", "DEF-spine", "DEF-spine.001", "spine_fk", "thigh_fk.L", "thigh_parent.L"),
    ("DEF-spine.001", "torso"),
    ((("DEF-spine", "spine_fk"), *((f"DEF-spine.00{k}", f"spine_fk.00{k}") for k in (2, 3))),
     (("DEF-spine.004", "neck"), ("DEF-thigh.{s}", "thigh_fk.{s}"), ("DEF-upper_arm.{s}", "upper_arm_fk.{s}")),
     (("DEF-spine.004", "head"), ("DEF-shin.{s}", "shin_fk.{s}"), ("DEF-forearm.{s}", "forearm_fk.{s}")),
     (("DEF-foot.{s}", "foot_fk.{s}"),),
     (("DEF-toe.{s}", "toe_fk.{s}"),)),
    {f"{limb}_parent.{{s}}": {"IK_FK": 1.0, "IK_Stretch": 0.0} for limb in ("thigh", "upper_arm")})

TARGETS = (RIGIFY,)


def target_of(armature: bpy.types.Object, binding: Binding) -> Target | None:
    """The kind of control rig that an armature is, where the planned bones are those that its controls move."""
    there = armature.pose.bones
    return next((t for t in TARGETS if all(name in there for name in t.needs)
                 and binding.bones[0] in {bone for level in t.levels for bone, _ in level}), None)
