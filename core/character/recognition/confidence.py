"""How sure each finding is, and what speaks against it."""

from __future__ import annotations

import numpy as np

from .anatomy import Anatomy, ArmBones, Finding, LegBones, find_foot_direction
from .facing import FacingEstimate
from .legs import bend_angle, find_leg_chain
from .names import is_part_name, side_from_name
from .tree import SkeletonTree

LEG_WORDS = ("thigh", "shin", "foot", "toe")
ARM_WORDS = ("upper_arm", "forearm", "hand")
MAX_STRAIGHT_BEND = np.radians(4)


def assess_anatomy(
    anatomy: Anatomy, tree: SkeletonTree, facing: FacingEstimate | None
) -> list[Finding]:
    """Every part that was found, in the order in which a person reads it."""
    out = [_assess_leg(leg, anatomy, tree) for leg in anatomy.legs]
    out.append(_assess_trunk(anatomy, tree))
    if anatomy.neck is not None:
        out.append(_assess_head(anatomy, tree))
    out += [_assess_arm(arm, tree) for arm in anatomy.arms]
    for k, tail in enumerate(anatomy.tails):
        is_named = any(is_part_name(tree.skeleton.names[j], "tail") for j in tail)
        out.append(
            Finding(
                f"tail.{k}",
                tail,
                1.0 if is_named else 0.75,
                "" if is_named else "not named a tail; it leads backward",
            )
        )
    if facing is None and _is_facing_ambiguous(anatomy, tree):
        out.append(
            Finding(
                "facing", (), 0.5, "nothing tells which way it looks: left and right may be swapped"
            )
        )
    if facing is not None and facing.contradiction:
        out.append(Finding("facing", (), facing.confidence, facing.contradiction))
    return out


def _is_facing_ambiguous(anatomy: Anatomy, tree: SkeletonTree) -> bool:
    """Whether neither names nor feet tell which side of a biped is left."""
    is_named = any(
        side_from_name(tree.skeleton.names[leg.hip])
        or side_from_name(tree.skeleton.names[leg.ankle])
        for leg in anatomy.legs
    )
    leg_length = tree.head_distance(anatomy.legs[0].hip, anatomy.legs[0].ankle) or tree.height
    return (
        not is_named
        and float(np.linalg.norm(find_foot_direction(tree.skeleton, anatomy.legs)))
        < 0.05 * leg_length
    )


def leg_part_name(leg: LegBones, rows: int) -> str:
    """The name of a leg: `leg.L`, or with its row, `hind_leg.L`."""
    return f"{row_prefix(leg.row, rows)}leg.{side_letter(leg.side)}"


def side_letter(side: int) -> str:
    """L, R, or C for the middle."""
    return {1: "L", -1: "R"}.get(side, "C")


def row_prefix(row: int, rows: int) -> str:
    """What stands before the names of a row's parts: nothing for a biped, `hind_`,
    `front_`, `mid_` or `row2_`.
    """
    if rows == 1:
        return ""
    if row in (0, rows - 1):
        return "hind_" if row == 0 else "front_"
    return "mid_" if rows == 3 else f"row{row + 1}_"


def _assess_leg(leg: LegBones, anatomy: Anatomy, tree: SkeletonTree) -> Finding:
    names = [tree.skeleton.names[k] for k in leg.bones]
    doubts: list[tuple[float, str]] = []
    if leg.foot is None:
        doubts.append((0.35, "no foot was found below it: its end is the sole"))
    if len(leg.segments) == 1:
        doubts.append((0.2, "it is in one piece, without a knee"))
    if leg.has_detached_foot:
        doubts.append(
            (
                0.35,
                (
                    f"its foot {tree.skeleton.names[leg.ankle]!r} hangs on no leg: the rig moves "
                    "it by itself"
                ),
            )
        )
    is_named_arm = any(is_part_name(n, part) for n in names for part in ARM_WORDS)
    if (
        is_named_arm
        and not any(is_part_name(n, part) for n in names for part in LEG_WORDS)
        and not (anatomy.row_count > 1 and leg.row > 0)
    ):
        doubts.append((0.35, "it is named like an arm, but stands on the ground"))
    if (
        len(leg.segments) == 2
        and leg.foot is not None
        and not any(is_part_name(n, p) for n in names for p in LEG_WORDS + ARM_WORDS)
    ):
        if (
            bend_angle(tree, leg.hip, leg.knee, leg.ankle) < MAX_STRAIGHT_BEND
            and len(tree.longest_chain(leg.hip, avoid="heel")) > 4
        ):
            doubts.append(
                (0.4, "it is straight and its bones are not named: the knee may be another one")
            )
        else:
            doubts.append((0.15, "its bones' names do not say what they are"))
    if len(leg.segments) > 3:
        doubts.append(
            (0.35, "it has more than three segments: the first may belong to the shoulder or hip")
        )
    side = side_from_name(names[0]) or side_from_name(names[-1])
    if side and side != leg.side:
        doubts.append((0.4, "its name says the other side than the way the body looks"))
    if _has_other_reading(leg, anatomy, tree):
        doubts.append((0.35, "its joints may be read in another way too"))
    return _make_finding(leg_part_name(leg, anatomy.row_count), leg.bones, doubts)


def _has_other_reading(leg: LegBones, anatomy: Anatomy, tree: SkeletonTree) -> bool:
    """Whether the leg's shape alone says other joints than were taken, and no names settle it."""
    name_count = sum(
        any(is_part_name(tree.skeleton.names[k], part) for part in LEG_WORDS) for k in leg.bones
    )
    mate = next((x for x in anatomy.legs if x.row == leg.row and x.side == -leg.side), None)
    if name_count >= 2 or mate is None or anatomy.row_count > 1:
        return False
    chain = find_leg_chain(tree, leg.hip, mate.hip)
    return chain.foot != leg.foot or chain.segments[-1:] != leg.segments[-1:]


def _assess_trunk(anatomy: Anatomy, tree: SkeletonTree) -> Finding:
    s = tree.skeleton
    bones = (anatomy.root, *anatomy.trunk)
    doubts: list[tuple[float, str]] = []
    if not anatomy.trunk:
        doubts.append((0.35, "no spine was found: the trunk is in one piece"))
    distance = float(
        np.linalg.norm(
            s.heads[anatomy.root]
            - np.mean([s.heads[x.hip] for x in anatomy.legs if x.row == 0], axis=0)
        )
    )
    if distance > 0.25 * tree.extent:
        doubts.append(
            (
                0.35,
                (
                    f"its first bone {s.names[anatomy.root]!r} is far from the hips: it may only "
                    "carry the rig"
                ),
            )
        )
    return _make_finding("trunk", bones, doubts)


def _assess_head(anatomy: Anatomy, tree: SkeletonTree) -> Finding:
    s = tree.skeleton
    assert anatomy.neck is not None
    bones = (
        *(anatomy.neck_bones or (anatomy.neck,)),
        *((anatomy.head,) if anatomy.head not in (None, anatomy.neck) else ()),
    )
    is_named = any(
        is_part_name(s.names[k], part)
        for k in s.subtree(anatomy.neck)
        for part in ("neck", "head", "face")
    )
    return _make_finding(
        "head",
        tuple(k for k in bones if k is not None),
        []
        if is_named
        else [(0.35, "neither head nor neck by name: it is what goes on from the chest")],
    )


def _assess_arm(arm: ArmBones, tree: SkeletonTree) -> Finding:
    names = [tree.skeleton.names[k] for k in (arm.shoulder, arm.elbow, arm.wrist)]
    name_count = sum(any(is_part_name(n, part) for part in (*ARM_WORDS, "clavicle")) for n in names)
    doubts = [] if name_count else [(0.15, "its bones' names do not say what they are")]
    is_named_leg = any(is_part_name(n, part) for n in names for part in LEG_WORDS) or any(
        "leg" in n.lower() for n in names
    )
    if is_named_leg and not name_count:
        doubts = [(0.35, "it is named like a leg, but does not reach the ground")]
    return _make_finding(
        f"arm.{side_letter(arm.side)}", (arm.shoulder, arm.elbow, arm.wrist), doubts
    )


def _make_finding(part: str, bones: tuple[int, ...], doubts: list[tuple[float, str]]) -> Finding:
    confidence = float(np.prod([1.0 - weight for weight, _ in doubts]))
    return Finding(part, bones, confidence, "; ".join(text for _, text in doubts))
