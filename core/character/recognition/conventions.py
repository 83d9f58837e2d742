"""The origin of a rig by the names of its bones, which is shown to the user."""

from __future__ import annotations

from collections.abc import Iterable

# Names in lower case that together identify an origin; the first match counts
CONVENTION_BONE_NAMES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Rigify, generated", ("root", "torso", "def-spine.001", "org-spine.001")),
    ("Auto-Rig Pro", ("c_traj", "c_root_master.x")),
    ("BlenRig", ("master", "properties_leg_l", "foot_ik_ctrl_l")),
    ("Rigify metarig", ("spine", "spine.001", "spine.003", "shoulder.l")),
    ("Rigify metarig", ("spine.001", "spine.002", "spine.004", "shoulder.l")),
    ("Mixamo", ("mixamorig:hips",)),
    ("Unreal Engine 5", ("pelvis", "spine_05", "thigh_l", "calf_l")),
    ("Unreal Engine", ("pelvis", "spine_01", "thigh_l", "calf_l")),
    ("Unreal Engine", ("pelvis", "spine_01", "thigh.l", "calf.l")),
    ("VRoid", ("j_bip_c_hips", "j_bip_l_upperleg")),
    ("VRM", ("hips", "upper_leg.l", "lower_leg.l", "toes.l")),
    ("MakeHuman", ("upperleg01.l", "upperleg02.l", "lowerleg01.l")),
    ("SMPL", ("pelvis", "l_hip", "l_knee", "l_ankle")),
)


def detect_convention(names: Iterable[str]) -> str:
    """Return the naming convention of bones; empty if it is unknown."""
    present = {name.lower() for name in names}
    return next(
        (title for title, needed in CONVENTION_BONE_NAMES if present.issuperset(needed)), ""
    )
