"""Find legs, feet, spine, head and arms in the active armature."""
from __future__ import annotations

import json

import bpy

from ..addon.asking import active_armature, read_rig
from ..addon.reading import read_skeleton
from ..core.character.anatomy import Anatomy
from ..core.errors import FootfallError


class FOOTFALL_OT_detect_character(bpy.types.Operator):
    """Find legs, feet, spine, head and arms in the active armature, by their structure and their names"""

    bl_idname = "footfall.detect_character"
    bl_label = "Detect"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Store what was found on the object."""
        try:
            armature = active_armature(context)
            rig = read_rig(armature, read_skeleton(armature, context.scene))
        except FootfallError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        names = [bone.name for bone in armature.data.bones]
        armature.footfall.anatomy = json.dumps(_by_part(rig.anatomy, names))
        notes = [*rig.character.notes, f"legs {rig.character.leg_length:.2f} m, mass {rig.character.mass:.0f} kg"]
        armature.footfall.notes = "\n".join(notes)
        armature.footfall.leg_length = rig.character.leg_length
        self.report({"INFO"}, f"{armature.name}: " + "; ".join(notes))
        return {"FINISHED"}


def _by_part(anatomy: Anatomy, names: list[str]) -> dict[str, str]:
    """Names of bones by the part that they are."""
    parts = {"pelvis": anatomy.root, **{f"spine.{k}": bone for k, bone in enumerate(anatomy.trunk)}}
    if anatomy.neck is not None:
        parts["neck"] = anatomy.neck
    for leg in anatomy.legs:
        side = "L" if leg.side > 0 else "R"
        parts |= {f"thigh.{side}": leg.hip, f"shin.{side}": leg.knee, f"foot.{side}": leg.ankle}
        if leg.toe is not None:
            parts[f"toe.{side}"] = leg.toe
    for arm in anatomy.arms:
        side = "L" if arm.side > 0 else "R"
        parts |= {f"upper_arm.{side}": arm.shoulder, f"forearm.{side}": arm.elbow, f"hand.{side}": arm.wrist}
    return {part: names[bone] for part, bone in parts.items()}
