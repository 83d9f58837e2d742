"""Assessment of a recognized anatomy: the confidence of each part, and doubts about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .anatomy import Anatomy, ArmBones, Finding, LegBones
from .facing import FacingEstimate
from .legs import bend_angle, find_leg_chain
from .names import is_limb_segment_name, is_part_name, side_from_name
from .stance import assess_stance
from .tree import SkeletonTree

# Names of parts of legs and arms, as in `names.PART_HINTS`
LEG_WORDS = ("thigh", "shin", "foot", "toe")
ARM_WORDS = ("upper_arm", "forearm", "hand")
# Greatest height of a skeleton above its head, relative to its height
MAX_TOP_GAP = 0.02
# Weights of doubts: two signs contradict each other; another reading is as likely; the body is as
# it is read, but moves less well; names do not confirm what the shape shows.
CONTRADICTED = 0.4
OTHER_READING = 0.35
SIMPLIFIED = 0.2
UNNAMED = 0.15
# Greatest height above the ground of a foot outside the body, relative to the height
MAX_FOOT_GAP = 0.05
MIN_LEG_BONES = 3  # Least number of bones of a leg without a counterpart
MAX_STRAIGHT_BEND = np.radians(4)  # Greatest bend of a straight leg [rad]


@dataclass(frozen=True)
class Doubt:
    """A doubt about a part.

    Args:
        weight: loss of confidence, from 0 to 1; the confidences 1 - weight are multiplied.
        text: for the user.
        question: key of the question that settles it, as in `questions.QUESTION_TEXTS`; empty for a
            doubt that harms no motion.
    """

    weight: float
    text: str
    question: str = ""


def assess_anatomy(anatomy: Anatomy, tree: SkeletonTree, facing: FacingEstimate) -> list[Finding]:
    """Return the findings on all parts, in the order in which they are shown."""
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
                "" if is_named else "not named as a tail; it leads backward",
            )
        )
    out += assess_stance(anatomy, tree)
    if facing.contradiction:
        out.append(Finding("facing", (), facing.confidence, facing.contradiction, "facing"))
    return out


def leg_part_name(leg: LegBones, rows: int) -> str:
    """Return the name of a leg: `leg.L`, or with its row `hind_leg.L`."""
    return f"{row_prefix(leg.row, rows)}leg.{side_letter(leg.side)}"


def side_letter(side: int) -> str:
    """Return L, R, or C for the middle."""
    return {1: "L", -1: "R"}.get(side, "C")


def row_prefix(row: int, rows: int) -> str:
    """Return the prefix of the parts of a row: none for a biped, else `hind_`, `row2_` etc."""
    if rows == 1:
        return ""
    if row in (0, rows - 1):
        return "hind_" if row == 0 else "front_"
    return "mid_" if rows == 3 else f"row{row + 1}_"


def _assess_leg(leg: LegBones, anatomy: Anatomy, tree: SkeletonTree) -> Finding:
    doubts = [
        *_doubt_leg_count(anatomy, tree),
        *_doubt_leg_structure(leg, anatomy, tree),
        *_doubt_leg_names(leg, anatomy, tree),
    ]
    if len(leg.segments) > 3:
        doubts.append(
            Doubt(
                OTHER_READING,
                "it has more than three segments: the first may belong to the shoulder or hip",
                "legs",
            )
        )
    names = [tree.skeleton.names[k] for k in leg.bones]
    side = side_from_name(names[0]) or side_from_name(names[-1])
    if side and side != leg.side:
        doubts.append(
            Doubt(
                CONTRADICTED, "its name says the other side than the facing of the body", "facing"
            )
        )
    if _has_other_reading(leg, anatomy, tree):
        doubts.append(Doubt(OTHER_READING, "its joints may be other ones", "legs"))
    return _make_finding(leg_part_name(leg, anatomy.row_count), leg.bones, doubts)


def _doubt_leg_count(anatomy: Anatomy, tree: SkeletonTree) -> list[Doubt]:
    """Return the doubt about legs beside which another one stands."""
    bone = _find_unpaired_leg(anatomy, tree)
    if bone is None:
        return []
    text = f"{tree.skeleton.names[bone]!r} stands on the ground, too, and has no counterpart"
    return [Doubt(CONTRADICTED, text, "legs")]


def _doubt_leg_structure(leg: LegBones, anatomy: Anatomy, tree: SkeletonTree) -> list[Doubt]:
    """Return the doubts about missing and detached bones of a leg."""
    doubts = []
    mate = _find_mate(leg, anatomy)
    if mate is not None and (len(mate.segments), mate.foot is None) != (
        len(leg.segments),
        leg.foot is None,
    ):
        doubts.append(Doubt(CONTRADICTED, "the leg on the other side has other segments", "sides"))
    if leg.foot is None:
        doubts.append(_doubt_missing_foot(anatomy, tree))
    elif _is_hock_named_foot(leg, anatomy, tree):
        doubts.append(
            Doubt(
                CONTRADICTED,
                f"it bends like a leg with a hock, but {tree.skeleton.names[leg.segments[-1]]!r} "
                "is named as a foot",
                "feet",
            )
        )
    if len(leg.segments) == 1:
        doubts.append(Doubt(SIMPLIFIED, "it is a single bone without a knee"))
    if leg.has_detached_foot:
        foot = tree.skeleton.names[leg.ankle]
        doubts.append(
            Doubt(
                OTHER_READING,
                f"its foot {foot!r} is not part of the leg: the rig moves it separately",
                "feet",
            )
        )
    return doubts


def _is_hock_named_foot(leg: LegBones, anatomy: Anatomy, tree: SkeletonTree) -> bool:
    """Return whether no skin shows that a hock of a body on two legs is not its ankle by name.

    Names of animals' bones are often those of a human.
    """
    s = tree.skeleton
    assert leg.foot is not None
    hock = s.names[leg.segments[-1]]
    return (
        anatomy.row_count == 1
        and len(leg.segments) == 3
        and hock not in s.skin
        and is_part_name(hock, "foot")
        and is_part_name(s.names[leg.foot], "toe")
    )


def _doubt_missing_foot(anatomy: Anatomy, tree: SkeletonTree) -> Doubt:
    """Return the doubt about a leg without a foot, which is greater if another bone may be one."""
    bone = _find_foot_outside_body(anatomy, tree)
    if bone is None:
        return Doubt(OTHER_READING, "it has no foot: its end is the sole")
    return Doubt(
        CONTRADICTED,
        f"it has no foot, and {tree.skeleton.names[bone]!r} is near the ground and part of no leg",
        "feet",
    )


def _find_held_bones(anatomy: Anatomy, tree: SkeletonTree) -> set[int]:
    """Return the bones of all parts, those below them, and those above the pelvis."""
    s = tree.skeleton
    legs = [k for leg in anatomy.legs for k in leg.bones]
    arms = [k for arm in anatomy.arms for k in arm.bones]
    midline = [*anatomy.trunk, *(k for tail in anatomy.tails for k in tail)]
    neck = [anatomy.neck] if anatomy.neck is not None else []
    held = {j for k in (*legs, *arms, *midline, *neck) for j in s.subtree(k)}
    return held | set(tree.ancestors(anatomy.root))


def _find_unpaired_leg(anatomy: Anatomy, tree: SkeletonTree) -> int | None:
    """Return the topmost bone of a chain that is named as a limb, stands on the ground and is part
    of no limb; None if there is none.
    """
    s = tree.skeleton
    limbs: list[LegBones | ArmBones] = [*anatomy.legs, *anatomy.arms]
    held = {j for limb in limbs for k in limb.bones for j in s.subtree(k)}
    held |= {j for tail in anatomy.tails for k in tail for j in s.subtree(k)}
    held |= {j for limb in limbs for j in tree.ancestors(limb.bones[0])}
    max_height = tree.floor_height + MAX_FOOT_GAP * tree.height
    hips = [s.heads[leg.hip, 2] for leg in anatomy.legs]
    min_height = 0.5 * (tree.floor_height + min(hips))
    for bone in range(len(s.names)):
        if (
            bone not in held
            and is_limb_segment_name(s.names[bone])
            and (s.names[bone] in s.skin or not s.skin)
            and not is_part_name(s.names[bone], "helper")
            and s.heads[bone, 2] > min_height
            and tree.bottom_height(bone) < max_height
            and sum(is_limb_segment_name(s.names[k]) for k in tree.longest_chain(bone))
            >= MIN_LEG_BONES
        ):
            return bone
    return None


def _find_foot_outside_body(anatomy: Anatomy, tree: SkeletonTree) -> int | None:
    """Return a bone on the ground that hangs on no part of the body; None if there is none.

    It has skin. Where no bone has, it is below the end of a leg and named for a side, as targets
    and roots are not.
    """
    s = tree.skeleton
    held = _find_held_bones(anatomy, tree)
    max_height = tree.floor_height + MAX_FOOT_GAP * tree.height
    leg_height = min(s.heads[leg.ankle, 2] for leg in anatomy.legs if leg.foot is None)

    def is_foot(bone: int) -> bool:
        name = s.names[bone]
        if s.skin:
            return name in s.skin and float(s.skin[name][:, 2].min()) < max_height
        is_named = bool(side_from_name(name)) and not is_part_name(name, "helper")
        return is_named and bool(s.heads[bone, 2] < leg_height)

    return next((k for k in range(len(s.names)) if k not in held and is_foot(k)), None)


def _doubt_leg_names(leg: LegBones, anatomy: Anatomy, tree: SkeletonTree) -> list[Doubt]:
    """Return the doubts about the names of the bones of a leg."""
    doubts = []
    names = [tree.skeleton.names[k] for k in leg.bones]
    is_named_arm = any(is_part_name(n, part) for n in names for part in ARM_WORDS)
    is_named_leg = any(is_part_name(n, part) for n in names for part in LEG_WORDS)
    if is_named_arm and not is_named_leg and not (anatomy.row_count > 1 and leg.row > 0):
        doubts.append(
            Doubt(OTHER_READING, "it is named like an arm, but stands on the ground", "legs")
        )
    is_unnamed = not is_named_arm and not is_named_leg
    if len(leg.segments) == 2 and leg.foot is not None and is_unnamed:
        if (
            bend_angle(tree, leg.hip, leg.knee, leg.ankle) < MAX_STRAIGHT_BEND
            and len(tree.longest_chain(leg.hip, avoid="heel")) > 4
        ):
            doubts.append(
                Doubt(
                    CONTRADICTED,
                    "it is straight and its bones are not named: the knee is ambiguous",
                    "legs",
                )
            )
        else:
            doubts.append(Doubt(UNNAMED, "the names of its bones do not identify them"))
    return doubts


def _has_other_reading(leg: LegBones, anatomy: Anatomy, tree: SkeletonTree) -> bool:
    """Return whether the shape of a leg without names suggests other joints."""
    name_count = sum(
        any(is_part_name(tree.skeleton.names[k], part) for part in LEG_WORDS) for k in leg.bones
    )
    mate = _find_mate(leg, anatomy)
    if name_count >= 2 or mate is None or anatomy.row_count > 1:
        return False
    chain = find_leg_chain(tree, leg.hip, mate.hip)
    return chain.foot != leg.foot or chain.segments[-1:] != leg.segments[-1:]


def _find_mate(leg: LegBones, anatomy: Anatomy) -> LegBones | None:
    """Return the leg on the other side; None if there is none."""
    return next((x for x in anatomy.legs if x.row == leg.row and x.side == -leg.side), None)


def _assess_trunk(anatomy: Anatomy, tree: SkeletonTree) -> Finding:
    s = tree.skeleton
    bones = (anatomy.root, *anatomy.trunk)
    doubts: list[Doubt] = []
    if not anatomy.trunk:
        doubts.append(Doubt(OTHER_READING, "there is no spine: the trunk is a single part"))
    distance = float(
        np.linalg.norm(
            s.heads[anatomy.root]
            - np.mean([s.heads[x.hip] for x in anatomy.legs if x.row == 0], axis=0)
        )
    )
    if distance > 0.25 * tree.extent:
        doubts.append(
            Doubt(
                OTHER_READING,
                f"its first bone {s.names[anatomy.root]!r} is far from the hips: it may be the "
                "root of the rig only",
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
    doubts = []
    if not is_named:
        doubts.append(
            Doubt(UNNAMED, "the names of its bones do not identify them")
            if _is_top_of_body(anatomy.neck, anatomy, tree)
            else Doubt(
                OTHER_READING, "it is not named as head or neck: it continues from the chest"
            )
        )
    return _make_finding("head", tuple(k for k in bones if k is not None), doubts)


def _is_top_of_body(bone: int, anatomy: Anatomy, tree: SkeletonTree) -> bool:
    """Return whether an upright body between two arms ends at the top with the chain of a bone."""
    s = tree.skeleton
    if anatomy.row_count > 1 or len(anatomy.arms) != 2:
        return False
    highest = max(s.tails[k, 2] for k in s.subtree(bone))
    top = tree.floor_height + tree.height
    return bool(highest > top - MAX_TOP_GAP * tree.height)


def _assess_arm(arm: ArmBones, tree: SkeletonTree) -> Finding:
    names = [tree.skeleton.names[k] for k in arm.bones]
    name_count = sum(any(is_part_name(n, part) for part in (*ARM_WORDS, "clavicle")) for n in names)
    doubts = [] if name_count else [Doubt(UNNAMED, "the names of its bones do not identify them")]
    is_named_leg = any(is_part_name(n, part) for n in names for part in LEG_WORDS) or any(
        "leg" in n.lower() for n in names
    )
    if is_named_leg and not name_count:
        doubts = [Doubt(OTHER_READING, "it is named like a leg, but does not reach the ground")]
    return _make_finding(f"arm.{side_letter(arm.side)}", arm.bones, doubts)


def _make_finding(part: str, bones: tuple[int, ...], doubts: list[Doubt]) -> Finding:
    confidence = float(np.prod([1.0 - doubt.weight for doubt in doubts]))
    questions = [doubt for doubt in doubts if doubt.question]
    question = max(questions, key=lambda doubt: doubt.weight).question if questions else ""
    return Finding(part, bones, confidence, "; ".join(doubt.text for doubt in doubts), question)
