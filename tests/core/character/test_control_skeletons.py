"""Deform bones of control rigs whose limbs are held together by constraints instead of parents."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from footfall.core.character.recognition.reading_parts import read_anatomy
from footfall.core.character.recognition.skeleton import Skeleton

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


def _make_skeleton() -> Skeleton:
    rows = [
        (
            name[:-1] + side if name.endswith(".l") else name,
            parent[:-1] + side if parent.endswith(".l") else parent,
            np.array(head) * [sign, 1, 1],
            np.array(tail) * [sign, 1, 1],
            deforms,
        )
        for side, sign in (("l", 1), ("r", -1))
        for name, parent, head, tail, deforms in BONES
        if side == "l" or name.endswith(".l")
    ]
    # half of the bones of such a rig are controls
    rows += [(f"cs_{k}", "c_traj", np.zeros(3), np.full(3, 0.01), False) for k in range(30)]
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
