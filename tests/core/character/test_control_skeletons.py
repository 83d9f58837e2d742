"""Deform bones of control rigs whose limbs are held together by constraints instead of parents."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from footfall.core.character.from_rig.rig import rig_from_skeleton
from footfall.core.character.recognition.deform_skeleton import extract_deform_skeleton
from footfall.core.character.recognition.reading_parts import read_anatomy
from footfall.core.character.recognition.skeleton import Skeleton

BoneRow = tuple[str, str, tuple[float, ...], tuple[float, ...], bool]

# Bones as in Auto-Rig Pro: name, parent, head and tail of the left side, and whether it deforms
BONES = (
    ("c_traj", "", (0, 0, 0), (0, -0.1, 0), False),
    ("c_root_master.x", "c_traj", (0, 0, 0.9), (0, 0, 1.06), False),
    ("c_root.x", "c_root_master.x", (0, 0, 1.06), (0, 0, 0.9), False),
    ("root.x", "c_root.x", (0, 0, 1.06), (0, 0, 0.9), True),
    ("c_spine_01.x", "c_root_master.x", (0, 0, 1.06), (0, 0, 1.23), False),
    ("spine_01.x", "c_spine_01.x", (0, 0, 1.06), (0, 0, 1.23), True),
    ("c_spine_02.x", "c_spine_01.x", (0, 0, 1.23), (0, 0, 1.4), False),
    ("spine_02.x", "c_spine_02.x", (0, 0, 1.23), (0, 0, 1.4), True),
    ("neck.x", "c_spine_02.x", (0, 0, 1.4), (0, 0, 1.48), True),
    ("head.x", "c_traj", (0, 0, 1.48), (0, 0, 1.75), True),
    ("c_thigh_fk.l", "c_root.x", (0.1, 0, 0.94), (0.17, -0.02, 0.53), False),
    ("c_leg_fk.l", "c_thigh_fk.l", (0.17, -0.02, 0.53), (0.24, 0.01, 0.06), False),
    ("foot.l", "c_leg_fk.l", (0.24, 0.01, 0.06), (0.24, -0.08, 0.02), True),
    ("toes_01.l", "foot.l", (0.24, -0.08, 0.02), (0.24, -0.13, 0.02), True),
    ("thigh_twist.l", "c_root.x", (0.1, 0, 0.94), (0.135, -0.01, 0.735), True),
    ("thigh_stretch.l", "c_traj", (0.135, -0.01, 0.735), (0.17, -0.02, 0.53), True),
    ("leg_stretch.l", "c_traj", (0.17, -0.02, 0.53), (0.205, -0.005, 0.295), True),
    ("leg_twist.l", "leg_stretch.l", (0.205, -0.005, 0.295), (0.24, 0.01, 0.06), True),
    ("shoulder.l", "c_spine_02.x", (0.04, 0.02, 1.34), (0.13, 0.01, 1.34), True),
    ("c_arm_fk.l", "c_spine_02.x", (0.13, 0.01, 1.34), (0.34, 0.04, 1.25), False),
    ("c_arm_twist_offset.l", "c_spine_02.x", (0.13, 0.01, 1.34), (0.235, 0.025, 1.295), True),
    ("arm_stretch.l", "c_traj", (0.235, 0.025, 1.295), (0.34, 0.04, 1.25), True),
    ("forearm_stretch.l", "c_traj", (0.34, 0.04, 1.25), (0.45, 0.03, 1.21), True),
    ("forearm_twist.l", "forearm_stretch.l", (0.45, 0.03, 1.21), (0.56, 0.02, 1.17), True),
    ("hand.l", "c_arm_fk.l", (0.56, 0.02, 1.17), (0.62, 0.01, 1.14), True),
)

# Bones as in BlenRig 6: each part of the body hangs on another control
SEPARATE_BONES = (
    ("neck_1_def", "neck_fk", (0, -0.04, 1.35), (0, -0.05, 1.48), True),
    ("head_def_1", "neck_1_def", (0, -0.05, 1.48), (0, -0.05, 1.7), True),
    ("spine_1_def", "spine_fk", (0, -0.05, 0.95), (0, -0.06, 1.14), True),
    ("spine_3_def", "spine_1_def", (0, -0.06, 1.14), (0, -0.04, 1.33), True),
    ("clavi_def_L", "spine_3_def", (0.02, -0.04, 1.33), (0.17, -0.01, 1.32), True),
    ("arm_def_L", "clavi_def_L", (0.17, -0.01, 1.32), (0.35, 0.02, 1.12), True),
    ("forearm_def_L", "arm_def_L", (0.35, 0.02, 1.12), (0.52, -0.02, 0.95), True),
    ("hand_def_L", "forearm_def_L", (0.52, -0.02, 0.95), (0.58, -0.04, 0.88), True),
    ("pelvis_def", "pelvis_fk", (0, -0.03, 0.73), (0, -0.04, 0.94), True),
    ("thigh_def_L", "pelvis_def", (0.1, -0.04, 0.85), (0.12, -0.03, 0.44), True),
    ("shin_def_L", "thigh_def_L", (0.12, -0.03, 0.44), (0.15, 0, 0.07), True),
    ("foot_def_L", "shin_def_L", (0.15, 0, 0.07), (0.16, -0.08, 0.03), True),
    ("foot_toe_2_def_L", "foot_def_L", (0.16, -0.08, 0.03), (0.16, -0.11, 0.02), True),
    ("foot_toe_1_def_L", "foot_toe_2_def_L", (0.16, -0.11, 0.02), (0.17, -0.16, 0.02), True),
    ("lip_def_L", "lip_ctrl", (0.01, -0.16, 1.47), (0.02, -0.16, 1.47), True),
    ("lip_end_def_L", "lip_def_L", (0.02, -0.16, 1.47), (0.03, -0.15, 1.47), True),
)


def _make_skeleton(
    bones: tuple[BoneRow, ...] = BONES, left: str = ".l", right: str = ".r"
) -> Skeleton:
    """Return a skeleton with both sides of the bones whose names end with `left`."""
    rows = [
        (
            name.removesuffix(left) + side if name.endswith(left) else name,
            parent.removesuffix(left) + side if parent.endswith(left) else parent,
            np.array(head) * [sign, 1, 1],
            np.array(tail) * [sign, 1, 1],
            deforms,
        )
        for side, sign in ((left, 1), (right, -1))
        for name, parent, head, tail, deforms in bones
        if side == left or name.endswith(left)
    ]
    # half of the bones of such a rig are controls
    rows += [(f"cs_{k}", "c_traj", np.zeros(3), np.full(3, 0.01), False) for k in range(60)]
    index = {row[0]: k for k, row in enumerate(rows)}
    return Skeleton(
        tuple(index),
        tuple(index.get(row[1], -1) for row in rows),
        np.array([row[2] for row in rows]),
        tails=np.array([row[3] for row in rows]),
        axes=np.tile(np.eye(3), (len(rows), 1, 1)),
        deform_bones=frozenset(row[0] for row in rows if row[4]),
    )


def test_limbs_are_joined_where_bones_begin_at_the_ends_of_others() -> None:
    skeleton = _make_skeleton()
    anatomy = read_anatomy(skeleton)
    names = skeleton.names
    left, right = anatomy.legs
    assert [names[k] for k in left.bones] == [
        "thigh_twist.l",
        "leg_stretch.l",
        "foot.l",
        "toes_01.l",
    ]
    assert [names[k] for k in right.bones][:2] == ["thigh_twist.r", "leg_stretch.r"]
    assert [names[k] for k in anatomy.arms[0].bones] == [
        "c_arm_twist_offset.l",
        "forearm_stretch.l",
        "hand.l",
    ]
    assert names[anatomy.root] == "root.x"
    assert [names[k] for k in anatomy.trunk] == ["spine_01.x", "spine_02.x"]
    assert anatomy.neck is not None
    assert names[anatomy.neck] == "neck.x"


def test_toes_that_hang_on_a_control_make_a_paw() -> None:
    """In the dog of Auto-Rig Pro five toes hang on a bone without skin, which bends them all."""
    rows: list[BoneRow] = []
    for name, *row in BONES:
        deforms = row[-1] and name != "toes_01.l"
        rows.append((name, *row[:-1], deforms))  # type: ignore[arg-type]
    for k in range(3):
        x = 0.22 + 0.02 * k
        rows.append((f"c_toes_{k}.l", "toes_01.l", (x, -0.1, 0.02), (x, -0.15, 0.02), True))
    skeleton = _make_skeleton(tuple(rows))
    left, right = read_anatomy(skeleton).legs
    assert left.foot is not None
    assert right.foot is not None
    assert skeleton.names[left.toe or left.foot] == "toes_01.l"
    assert skeleton.names[right.toe or right.foot] == "toes_01.r"


def test_order_of_bones_does_not_matter() -> None:
    skeleton = _make_skeleton()
    depth = [0] * len(skeleton.names)
    for k, parent in enumerate(skeleton.parents):
        depth[k] = depth[parent] + 1 if parent >= 0 else 0
    order = sorted(range(len(depth)), key=lambda k: (depth[k], skeleton.names[k]))
    position = {k: i for i, k in enumerate(order)}
    shuffled = replace(
        skeleton,
        names=tuple(skeleton.names[k] for k in order),
        parents=tuple(position.get(skeleton.parents[k], -1) for k in order),
        heads=skeleton.heads[order],
        tails=skeleton.tails[order],
        axes=skeleton.axes[order],
    )
    expected, actual = read_anatomy(skeleton), read_anatomy(shuffled)
    for a, b in zip((*expected.legs, *expected.arms), (*actual.legs, *actual.arms), strict=True):
        assert [skeleton.names[k] for k in a.bones] == [shuffled.names[k] for k in b.bones]


def test_parts_on_separate_controls_are_joined_and_bones_without_skin_are_controls() -> None:
    skeleton = _make_skeleton(SEPARATE_BONES, "_L", "_R")
    skin = {
        name: np.linspace(skeleton.heads[k] - [0.02, 0.02, 0.02], skeleton.tails[k], 12)
        for k, name in enumerate(skeleton.names)
        if name in skeleton.deform_bones
    }
    idle = frozenset(f"cs_{k}" for k in range(20))
    skeleton = replace(skeleton, skin=skin, deform_bones=skeleton.deform_bones | idle)
    anatomy = read_anatomy(skeleton)
    names = skeleton.names
    assert {leg.side: [names[k] for k in leg.bones] for leg in anatomy.legs} == {
        sign: [f"{part}_def_{side}" for part in ("thigh", "shin", "foot", "foot_toe_2")]
        for side, sign in (("L", 1), ("R", -1))
    }
    assert [names[k] for k in (anatomy.root, *anatomy.trunk)] == ["spine_1_def", "spine_3_def"]
    assert anatomy.neck is not None
    assert names[anatomy.neck] == "neck_1_def"
    assert [names[arm.shoulder] for arm in anatomy.arms] == ["arm_def_L", "arm_def_R"]
    assert anatomy.forward == (0.0, -1.0, 0.0)
    assert anatomy.uncertain_findings == ()
    # the planning process gets the deform bones only, and is to read the same body from them
    body = extract_deform_skeleton(skeleton).skeleton
    again = extract_deform_skeleton(body).skeleton
    assert (again.parents, again.deform_bones) == (body.parents, body.deform_bones)
    assert rig_from_skeleton(body).character.notes == rig_from_skeleton(skeleton).character.notes
