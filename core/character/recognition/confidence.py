"""How sure each finding is, and what speaks against it."""
from __future__ import annotations

import numpy as np

from .anatomy import Anatomy, ArmBones, Finding, LegBones, foot_direction
from .facing import Facing
from .legs import bend, leg_chain
from .names import says, side_of
from .tree import Tree

LEG_WORDS = ("thigh", "shin", "foot", "toe")
ARM_WORDS = ("upper_arm", "forearm", "hand")
STRAIGHT = np.radians(4)


def findings_of(found: Anatomy, tree: Tree, facing: Facing | None) -> list[Finding]:
    """Every part that was found, in the order in which a person reads it."""
    out = [_leg(leg, found, tree) for leg in found.legs]
    out.append(_trunk(found, tree))
    if found.neck is not None:
        out.append(_head(found, tree))
    out += [_arm(arm, tree) for arm in found.arms]
    for k, tail in enumerate(found.tails):
        named = any(says(tree.bones.names[j], "tail") for j in tail)
        out.append(Finding(f"tail.{k}", tail, 1.0 if named else 0.75, "" if named else "not named a tail; it leads backward"))
    if facing is None and _faces_anywhere(found, tree):
        out.append(Finding("facing", (), 0.5, "nothing tells which way it looks: left and right may be swapped"))
    if facing is not None and facing.against:
        out.append(Finding("facing", (), facing.confidence, facing.against))
    return out


def _faces_anywhere(found: Anatomy, tree: Tree) -> bool:
    """Whether neither names nor feet tell which side of a biped is left."""
    named = any(side_of(tree.bones.names[leg.hip]) or side_of(tree.bones.names[leg.ankle]) for leg in found.legs)
    size = tree.step(found.legs[0].hip, found.legs[0].ankle) or tree.height
    return not named and float(np.linalg.norm(foot_direction(tree.bones, found.legs))) < 0.05 * size


def leg_part(leg: LegBones, rows: int) -> str:
    """The name of a leg: `leg.L`, or with its row, `hind_leg.L`."""
    return f"{row_word(leg.row, rows)}leg.{side_letter(leg.side)}"


def side_letter(side: int) -> str:
    """L, R, or C for the middle."""
    return {1: "L", -1: "R"}.get(side, "C")


def row_word(row: int, rows: int) -> str:
    """What stands before the names of a row's parts: nothing for a biped, `hind_`, `front_`, `mid_` or `row2_`."""
    if rows == 1:
        return ""
    if row in (0, rows - 1):
        return "hind_" if row == 0 else "front_"
    return "mid_" if rows == 3 else f"row{row + 1}_"


def _leg(leg: LegBones, found: Anatomy, tree: Tree) -> Finding:
    names = [tree.bones.names[k] for k in leg.bones]
    doubts: list[tuple[float, str]] = []
    if leg.foot is None:
        doubts.append((0.35, "no foot was found below it: its end is the sole"))
    if len(leg.segments) == 1:
        doubts.append((0.2, "it is in one piece, without a knee"))
    if leg.loose:
        doubts.append((0.35, f"its foot {tree.bones.names[leg.ankle]!r} hangs on no leg: the rig moves it by itself"))
    arm = any(says(n, part) for n in names for part in ARM_WORDS)
    if arm and not any(says(n, part) for n in names for part in LEG_WORDS) and not (found.rows > 1 and leg.row > 0):
        doubts.append((0.35, "it is named like an arm, but stands on the ground"))
    if len(leg.segments) == 2 and leg.foot is not None and not any(says(n, p) for n in names for p in LEG_WORDS + ARM_WORDS):
        if bend(tree, leg.hip, leg.knee, leg.ankle) < STRAIGHT and len(tree.chain(leg.hip, avoid="heel")) > 4:
            doubts.append((0.4, "it is straight and its bones are not named: the knee may be another one"))
        else:
            doubts.append((0.15, "its bones' names do not say what they are"))
    if len(leg.segments) > 3:
        doubts.append((0.35, "it has more than three segments: the first may belong to the shoulder or hip"))
    side = side_of(names[0]) or side_of(names[-1])
    if side and side != leg.side:
        doubts.append((0.4, "its name says the other side than the way the body looks"))
    if _taken_otherwise(leg, found, tree):
        doubts.append((0.35, "its joints may be read in another way too"))
    return _finding(leg_part(leg, found.rows), leg.bones, doubts)


def _taken_otherwise(leg: LegBones, found: Anatomy, tree: Tree) -> bool:
    """Whether the leg's shape alone says other joints than were taken, and no names settle it."""
    named = sum(any(says(tree.bones.names[k], part) for part in LEG_WORDS) for k in leg.bones)
    mate = next((x for x in found.legs if x.row == leg.row and x.side == -leg.side), None)
    if named >= 2 or mate is None or found.rows > 1:
        return False
    shape = leg_chain(tree, leg.hip, mate.hip)
    return shape.foot != leg.foot or shape.segments[-1:] != leg.segments[-1:]


def _trunk(found: Anatomy, tree: Tree) -> Finding:
    s = tree.bones
    bones = (found.root, *found.trunk)
    doubts: list[tuple[float, str]] = []
    if not found.trunk:
        doubts.append((0.35, "no spine was found: the trunk is in one piece"))
    far = float(np.linalg.norm(s.heads[found.root] - np.mean([s.heads[x.hip] for x in found.legs if x.row == 0], axis=0)))
    if far > 0.25 * tree.extent:
        doubts.append((0.35, f"its first bone {s.names[found.root]!r} is far from the hips: it may only carry the rig"))
    return _finding("trunk", bones, doubts)


def _head(found: Anatomy, tree: Tree) -> Finding:
    s = tree.bones
    assert found.neck is not None
    bones = (*(found.neck_bones or (found.neck,)), *((found.head,) if found.head not in (None, found.neck) else ()))
    named = any(says(s.names[k], part) for k in s.below(found.neck) for part in ("neck", "head", "face"))
    return _finding("head", tuple(k for k in bones if k is not None),
                    [] if named else [(0.35, "neither head nor neck by name: it is what goes on from the chest")])


def _arm(arm: ArmBones, tree: Tree) -> Finding:
    names = [tree.bones.names[k] for k in (arm.shoulder, arm.elbow, arm.wrist)]
    named = sum(any(says(n, part) for part in (*ARM_WORDS, "clavicle")) for n in names)
    doubts = [] if named else [(0.15, "its bones' names do not say what they are")]
    leg = any(says(n, part) for n in names for part in LEG_WORDS) or any("leg" in n.lower() for n in names)
    if leg and not named:
        doubts = [(0.35, "it is named like a leg, but does not reach the ground")]
    return _finding(f"arm.{side_letter(arm.side)}", (arm.shoulder, arm.elbow, arm.wrist), doubts)


def _finding(part: str, bones: tuple[int, ...], doubts: list[tuple[float, str]]) -> Finding:
    confidence = float(np.prod([1.0 - weight for weight, _ in doubts]))
    return Finding(part, bones, confidence, "; ".join(told for _, told in doubts))
