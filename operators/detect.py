"""Find legs, feet, spine, head, arms and tails in the active armature."""
from __future__ import annotations

import bpy

from ..addon.rigs.armature import read_skeleton
from ..addon.rigs.constraints import acting_on, told_of
from ..addon.rigs.known_rigs import target_of
from ..addon.rigs.part_list import LEGENDS, fill
from ..addon.scene.active import active_armature
from ..addon.scene.rig import read_rig
from ..core.character.from_rig.binding import Binding
from ..core.character.recognition.anatomy import Anatomy
from ..core.character.recognition.describe import described
from ..core.character.recognition.parts import spoken
from ..core.character.recognition.reading_parts import anatomy_of
from ..core.sketch.gait.default_speed import gait_speed
from .common import tells_errors


class FOOTFALL_OT_detect_character(bpy.types.Operator):
    """Find legs, feet, spine, head, arms and tails in the active armature, by their structure and their names"""

    bl_idname = "footfall.detect_character"
    bl_label = "Detect"
    bl_options = {"REGISTER", "UNDO"}

    @tells_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Store what was found on the object."""
        armature = active_armature(context)
        skeleton = read_skeleton(armature, context.scene, corrected=False)
        found = anatomy_of(skeleton)
        rig = read_rig(armature, skeleton)
        told = armature.footfall
        fill(armature, found, list(skeleton.names))
        notes = [*rig.character.notes, *_acting(armature, rig.binding),
                 f"legs {rig.character.leg_length:.2f} m, mass {rig.character.mass:.0f} kg"]
        told.notes = "\n".join(notes)
        told.leg_length = rig.character.leg_length
        told.gait_speed = gait_speed(rig.character)
        told.four_legged = rig.character.four_legged
        told.problem = ""
        short = [note for note in notes if note.partition(":")[0] not in LEGENDS]          # the panel lists the bones
        self.report({"WARNING" if found.uncertain else "INFO"}, f"{armature.name}: " + "; ".join(
            [described(found), *_uncertain(found), *short]))
        return {"FINISHED"}


def _acting(armature: bpy.types.Object, binding: Binding) -> list[str]:
    """What acts on bones that get keyed; on control rigs the rig's own works do too, so there it is told of the motion."""
    if target_of(armature, binding) is not None:
        return []
    above = armature.data.bones[binding.bones[0]].parent_recursive
    acting = acting_on(armature, (*binding.bones, *binding.between, *(bone.name for bone in above)))
    return [f"on top of the keys: {told_of(acting)}; mute what should not move the body"] if acting else []


def _uncertain(found: Anatomy) -> list[str]:
    """What should be looked at, each with its reason."""
    return [f"look at the {spoken(f.part)}: {f.reason}" for f in found.uncertain]
