"""Descriptions of the control rigs that Footfall supports; `control_rig.py` explains the fields."""

from __future__ import annotations

import bpy

from ...core.character.from_rig.binding import Binding
from .control_rig import ControlRig, IkLeg

# Limbs of Rigify's metarigs, from the hip or shoulder down, as each kind of animal names them.
LIMBS = (
    ("thigh", "shin", "foot"),
    ("thigh", "lower_leg", "hind_foot", "r_toe"),
    ("front_thigh", "front_shin", "front_foot"),
    ("upper_arm", "forearm", "hand"),
    ("upper_arm", "forearm", "forefoot", "f_toe"),
)
# Toes with one control for both modes of posing, and the hooves of horses
TOES = ("toe", "r_toe", "f_toe", "front_toe", "r_hoof", "f_hoof")


def _make_rigify_leg(
    limb: tuple[str, ...],
    turned_bones: tuple[tuple[str, str], ...],
    required_bones: tuple[str, ...] = (),
) -> IkLeg:
    """Return a limb of Rigify by the names of its bones.

    Args:
        limb: names of the bones from thigh or upper arm down.
        turned_bones: pairs of bone below the shin and control that rotates it.
        required_bones: further controls that identify the limb.
    """
    thigh, shin, foot = limb[:3]
    return IkLeg(
        required_bones=(
            f"{foot}_ik.{{s}}",
            f"{thigh}_ik_target.{{s}}",
            *(f"{name}.{{s}}" for name in required_bones),
        ),
        bones=(f"DEF-{thigh}.{{s}}", f"DEF-{shin}.{{s}}", f"DEF-{foot}.{{s}}"),
        replaced_controls=tuple(f"{name}_fk.{{s}}" for name in (*limb, "toe")),
        rotation_pairs=tuple(
            (f"DEF-{bone}.{{s}}", f"{control}.{{s}}") for bone, control in turned_bones
        ),
        hip_pair=(f"DEF-{thigh}.{{s}}", f"{thigh}_ik.{{s}}"),
        pole_pair=(f"DEF-{thigh}.{{s}}", f"{thigh}_ik_target.{{s}}"),
        roll_pair=(f"DEF-{shin}.{{s}}", f"{shin}_tweak.{{s}}"),
        setting_values={
            f"{thigh}_parent.{{s}}": {"IK_FK": 0.0, "IK_Stretch": 0.0, "pole_vector": 1.0}
        },
        stretching_bones=(f"MCH-{shin}_ik.{{s}}", f"MCH-{shin}_ik2.{{s}}", f"MCH-{foot}_ik3.{{s}}"),
    )


def _make_digitigrade_leg(limb: tuple[str, ...], toes: tuple[str, ...]) -> IkLeg:
    """Return a leg that stands on its toes: the control of the foot moves them, that of the heel
    the foot.
    """
    foot = limb[2]
    turned_bones = (*((toe, f"{foot}_ik") for toe in toes), (foot, f"{foot}_heel_ik"))
    return _make_rigify_leg(limb, turned_bones, (f"{foot}_heel_ik",))


def _make_unguligrade_leg(limb: tuple[str, ...], hoof: str) -> IkLeg:
    """Return a leg that stands on a hoof."""
    foot, toe = limb[2:]
    turned_bones = ((hoof, f"{foot}_ik"), (toe, f"{toe}_ik"), (foot, f"{foot}_heel_ik"))
    return _make_rigify_leg(limb, turned_bones, (f"{toe}_ik", f"{foot}_heel_ik"))


HUMAN_LEG = _make_rigify_leg(LIMBS[0], (("foot", "foot_ik"), ("toe", "toe_ik")), ("foot_spin_ik",))

RIGIFY = ControlRig(
    "Rigify",
    ("torso", "chest", "neck", "thigh_fk.L", "thigh_parent.L"),
    ("@chest", "torso"),
    rotation_pairs=(
        ("DEF-spine{n}", "spine_fk{n}"),
        ("@neck", "neck"),
        ("@head", "head"),
        *(
            (f"DEF-{name}.{{s}}", f"{name}_fk.{{s}}")
            for name in dict.fromkeys((*(n for limb in LIMBS for n in limb), "toe"))
        ),
        *((f"DEF-{name}.{{s}}", f"{name}.{{s}}") for name in TOES),
    ),
    setting_values={
        f"{name}_parent.{{s}}": {"IK_FK": 1.0, "IK_Stretch": 0.0}
        for name in dict.fromkeys(limb[0] for limb in LIMBS)
    },
    tail_pairs=(("DEF-tail{n}", "tail{n}"), ("DEF-spine{n}", "spine{n}")),
    position_pairs=(("DEF-neck{n}", "tweak_neck{n}"), ("DEF-spine{n}", "tweak_spine{n}")),
    legs=(
        HUMAN_LEG,
        _make_unguligrade_leg(LIMBS[1], "r_hoof"),
        _make_unguligrade_leg(LIMBS[4], "f_hoof"),
        _make_digitigrade_leg(LIMBS[0], ("toe", "r_toe")),
        _make_digitigrade_leg(LIMBS[2], ("front_toe",)),
        _make_digitigrade_leg(LIMBS[3], ("f_toe",)),
    ),
)

# In Auto-Rig Pro a thigh's upper half is one bone and its lower half another, and so are arms.
# Further pairs of limbs have a suffix, as front legs do.
ARP_LIMBS = ("", "_dupli_001")
ARP_LIMB_CONTROLS = (
    ("thigh_twist", "thigh"),
    ("thigh_stretch", "thigh"),
    ("leg_stretch", "leg"),
    ("foot", "foot"),
    ("toes_01", "toes"),
    ("arm_twist", "arm"),
    ("c_arm_twist", "arm"),
    ("c_arm_twist_offset", "arm"),
    ("arm_stretch", "arm"),
    ("forearm_stretch", "forearm"),
    ("hand", "hand"),
)


def _make_arp_leg(limb: str, thigh: str) -> IkLeg:
    """Return a leg of Auto-Rig Pro.

    Args:
        limb: suffix of the pair of limbs.
        thigh: name of the bone that begins at the hip.
    """
    foot_ik = f"c_foot_ik{limb}.{{s}}"
    return IkLeg(
        # poles of bodies without arms are placed for knees that Footfall does not pose
        required_bones=(
            foot_ik,
            f"c_leg_pole{limb}.{{s}}",
            f"{thigh}{limb}.{{s}}",
            "c_arm_fk.{s}",
        ),
        bones=tuple(f"{bone}{limb}.{{s}}" for bone in (thigh, "leg_stretch", "foot")),
        replaced_controls=tuple(
            f"c_{part}_fk{limb}.{{s}}" for part in ("thigh", "leg", "foot", "toes")
        ),
        rotation_pairs=(
            (f"foot{limb}.{{s}}", foot_ik),
            (f"toes_01{limb}.{{s}}", f"c_toes_ik{limb}.{{s}}"),
        ),
        pole_pair=(f"{thigh}{limb}.{{s}}", f"c_leg_pole{limb}.{{s}}"),
        setting_values={foot_ik: {"ik_fk_switch": 0.0, "auto_stretch": 0.0}},
    )


AUTO_RIG_PRO = ControlRig(
    "Auto-Rig Pro",
    ("c_traj", "c_root_master.x", "c_thigh_fk.l", "c_foot_ik.l"),
    ("root.x", "c_root_master.x"),
    rotation_pairs=(
        ("root.x", "c_root.x"),
        *((f"spine_0{k}.x", f"c_spine_0{k}.x") for k in range(1, 7)),
        ("neck.x", "c_neck.x"),
        ("head.x", "c_head.x"),
        *(
            (f"{bone}{limb}.{{s}}", f"c_{control}_fk{limb}.{{s}}")
            for limb in ARP_LIMBS
            for bone, control in ARP_LIMB_CONTROLS
        ),
    ),
    setting_values={
        f"c_{end}_ik{limb}.{{s}}": {"ik_fk_switch": 1.0, "auto_stretch": 0.0}
        for limb in ARP_LIMBS
        for end in ("foot", "hand")
    },
    legs=tuple(
        _make_arp_leg(limb, thigh)
        for limb in ARP_LIMBS
        for thigh in ("thigh_twist", "thigh_stretch")
    ),
    sides=("l", "r"),
    deform_prefix="",
    root_control="c_traj",
)

BLENRIG = ControlRig(
    "BlenRig",
    ("master", "master_torso", "properties_leg_L", "thigh_fk_L", "foot_ik_ctrl_L"),
    ("pelvis_def", "master_torso"),
    rotation_pairs=(
        ("pelvis_def", "pelvis_ctrl"),
        *((f"spine_{k}_def", f"spine_{k}_fk") for k in range(1, 4)),
        *((f"neck_{k}_def", f"neck_{k}_fk") for k in range(1, 4)),
        ("head_def", "head_fk"),
        *(
            (f"{bone}_def_{{s}}", f"{bone}_fk_{{s}}")
            for bone in ("thigh", "shin", "foot", "foot_toe_1", "arm", "forearm", "hand")
        ),
    ),
    setting_values={
        "properties_leg_{s}": {"ik_leg_{s}": 1.0, "toon_leg_{s}": 0.0},
        "properties_arm_{s}": {"ik_arm_{s}": 1.0, "toon_arm_{s}": 0.0},
        "properties_torso": {"ik_torso": 1.0, "inv_torso": 0.0, "toon_torso": 0.0},
    },
    deform_prefix="",
    root_control="master",
)

CONTROL_RIGS = (RIGIFY, AUTO_RIG_PRO, BLENRIG)


def find_control_rig(armature: bpy.types.Object, binding: Binding) -> ControlRig | None:
    """Return the kind of control rig of an armature; None if the planned bones are not its deform
    bones.
    """
    pose_bones = armature.pose.bones
    return next(
        (
            t
            for t in CONTROL_RIGS
            if all(name in pose_bones for name in t.required_bones)
            and binding.bones[0].startswith(t.deform_prefix)
            and binding.bones[0] not in {move.control for move in t.fit_to(armature).links}
        ),
        None,
    )


def is_control_rig(armature: bpy.types.Object) -> bool:
    """Return whether an armature is a rig whose controls Footfall supports."""
    return armature.pose is not None and any(
        all(name in armature.pose.bones for name in t.required_bones) for t in CONTROL_RIGS
    )
