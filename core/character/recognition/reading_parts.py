"""The anatomy of a body from parts chosen by the user, checked against its bones."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from .anatomy import Anatomy, ArmBones, Finding, LegBones, find_foot_direction
from .conventions import detect_convention
from .deform_skeleton import DeformSkeleton, extract_deform_skeleton
from .given_feet import MAX_FOOT_HEIGHT, measure_height_above_ground
from .parts import (
    ARM_ROLES,
    LEG_ROLES,
    describe_part,
    group_of_part,
    mirror_part,
    name_parts,
    split_row,
)
from .recognize import make_notes, recognize_body
from .skeleton import Skeleton
from .stance import assess_stance
from .tree import SkeletonTree

Array = NDArray[np.float64]

# Sides by letter: +1 left, -1 right, as y points to the left
SIDE_OF_LETTER = {"L": 1, "R": -1}
# Confidence in a leg set by hand whose foot is in the air: a question that scripts do not wait for
CONFIDENCE_OF_RAISED_LEG = 0.5
# Confidence in a facing chosen by hand that contradicts a certain one: a question to users
CONFIDENCE_OF_TURNED_BODY = 0.6
# Confidence in legs on the sides of the other arms: a question to scripts, too, as it twists bodies
CONFIDENCE_OF_CROSSED_SIDES = 0.3
# Distance of shoulders in one plane, whose sides nothing shows [skeleton height]: 2 cm of a human.
# Half or twice of it changes none of 25 rigs.
MIN_SIDE_OFFSET = 0.01
# Order of the findings after those on legs
FINDING_ORDER = ("trunk", "head", "arm", "tail")


@dataclass(frozen=True)
class RecognizedBody:
    """The deform bones of a rig, and which parts of a body they are.

    Args:
        body: the deform bones.
        anatomy: the parts, as indices of `body.skeleton`.
    """

    body: DeformSkeleton
    anatomy: Anatomy


def read_body_and_anatomy(skeleton: Skeleton) -> RecognizedBody:
    """Return the deform bones of a rig and their anatomy.

    The anatomy follows `skeleton.parts`; where there are none, it is recognized.

    Raises:
        CharacterError: no legs are recognized, or the parts contradict the bones;
            the message names the part and the bone.
    """
    body = extract_deform_skeleton(skeleton)
    convention = detect_convention(skeleton.names)
    if not skeleton.parts:
        return RecognizedBody(body, recognize_body(body, convention))
    return RecognizedBody(body, _PartReader(body, skeleton.parts, convention).read())


def read_anatomy(skeleton: Skeleton) -> Anatomy:
    """Return the anatomy of a rig as indices of its bones; see `read_body_and_anatomy`."""
    recognized = read_body_and_anatomy(skeleton)
    return recognized.anatomy.reindex(recognized.body.rig_index)


class _PartReader:
    """Builds the anatomy of a body from parts."""

    def __init__(self, body: DeformSkeleton, parts: dict[str, str], naming_convention: str) -> None:
        self.body = body
        self.parts = {k: v for k, v in parts.items() if v}
        self.naming_convention = naming_convention
        self.skeleton = body.skeleton
        self.index = {name: k for k, name in enumerate(self.skeleton.names)}

    def read(self) -> Anatomy:
        """Return the anatomy.

        Raises:
            CharacterError: the parts contradict the bones.
        """
        self._check_bones()
        root = self._find_bone("pelvis")
        trunk = self._read_chain(self._list_spine_parts(), "pelvis")
        legs = self._read_legs()
        arms = tuple(
            self._read_arm(side)
            for side in "LR"
            if any(f"{role}.{side}" in self.parts for role in ARM_ROLES)
        )
        neck = self._read_chain(
            [k for k in ("neck", *(f"neck.{i}" for i in range(1, 20)), "head") if k in self.parts],
            "pelvis",
        )
        head = self._find_bone("head") if "head" in self.parts else neck[-1] if neck else None
        tails = tuple(
            self._read_tail(word)
            for word in ("tail", *(f"tail{k}" for k in range(2, 10)))
            if f"{word}.0" in self.parts
        )
        x, y, z = (float(v) for v in self._compute_forward(legs))
        anatomy = Anatomy(
            root,
            trunk,
            neck[0] if neck else None,
            legs=legs,
            arms=arms,
            notes=(),
            head=head,
            neck_bones=tuple(k for k in neck if k != head),
            tails=tails,
            forward=(x, y, z),
            findings=(),
            naming_convention=self.naming_convention,
        )
        notes = tuple(make_notes(anatomy, self.skeleton))
        return replace(anatomy, notes=notes, findings=self._assess_parts(anatomy))

    def _list_spine_parts(self) -> list[str]:
        return [f"spine.{k}" for k in range(len(self.parts)) if f"spine.{k}" in self.parts]

    def _compute_forward(self, legs: tuple[LegBones, ...]) -> Array:
        """Return the horizontal unit vector in which the body faces (3,), from the rear hips."""
        s = self.skeleton
        rearmost = [leg for leg in legs if leg.row == 0]
        lateral = s.heads[rearmost[0].hip] - s.heads[rearmost[-1].hip]
        forward = np.cross(lateral, [0.0, 0.0, 1.0])
        if np.linalg.norm(forward) < 1e-9:
            forward = find_foot_direction(s, legs)  # a flat character, seen from its side
        if np.linalg.norm(forward) < 1e-9:
            raise CharacterError(
                f"The bones {s.names[rearmost[0].hip]!r} and {s.names[rearmost[-1].hip]!r} are at "
                "the same place, and the feet point down; left and right thigh must be beside each "
                "other, or the feet point to a side."
            )
        return np.asarray(forward / np.linalg.norm(forward))

    def _check_bones(self) -> None:
        """Check that all bones exist and that no bone is two parts."""
        part_of_bone: dict[str, str] = {}
        for part, name in self.parts.items():
            if name not in self.index:
                raise CharacterError(
                    f"The bone {name!r} chosen as {describe_part(part)} is not among the bones "
                    "that move the body. Choose another one, or detect the character again."
                )
            if name in part_of_bone:
                pair = (
                    "both sides have the same bone"
                    if mirror_part(part) == part_of_bone[name]
                    else "one bone can be one part only"
                )
                raise CharacterError(
                    f"The bone {name!r} is chosen as {describe_part(part_of_bone[name])} and as "
                    f"{describe_part(part)}: {pair}."
                )
            part_of_bone[name] = part

    def _find_bone(self, part: str) -> int:
        if part not in self.parts:
            raise CharacterError(f"There is no bone for the {describe_part(part)}; choose one.")
        return self.index[self.parts[part]]

    def _list_ancestors(self, bone: int) -> list[int]:
        out = []
        while (bone := self.skeleton.parents[bone]) >= 0:
            out.append(bone)
        return out

    def _read_chain(self, parts: list[str], parent_part: str) -> tuple[int, ...]:
        """Return the bones of parts, each a descendant of the one before.

        The first is a descendant of `parent_part`.
        """
        out: list[int] = []
        for part in parts:
            bone = self._find_bone(part)
            parent_bone = self._find_bone(parent_part)
            if out and parent_bone not in self._list_ancestors(bone):
                raise CharacterError(
                    f"The bone {self.parts[part]!r} cannot be the {describe_part(part)}: it does "
                    f"not hang below the {describe_part(parent_part)} {self.parts[parent_part]!r}."
                )
            if not out and parent_bone not in self._list_ancestors(bone):
                raise CharacterError(
                    f"The bone {self.parts[part]!r} cannot be the {describe_part(part)}: it does "
                    f"not hang below the {describe_part(parent_part)} {self.parts[parent_part]!r}. "
                    "Choose another bone for one of the two."
                )
            out.append(bone)
            parent_part = part
        return tuple(out)

    def _read_arm(self, side: str) -> ArmBones:
        """Return an arm; of a body without hands it ends with the forearm."""
        has_hands = any(f"hand.{letter}" in self.parts for letter in SIDE_OF_LETTER)
        roles = ARM_ROLES if has_hands else ARM_ROLES[:2]
        bones = self._read_chain([f"{role}.{side}" for role in roles], "pelvis")
        return ArmBones(bones[0], bones[1], bones[-1], SIDE_OF_LETTER[side])

    def _read_tail(self, word: str) -> tuple[int, ...]:
        return tuple(
            self._find_bone(part)
            for part in (f"{word}.{k}" for k in range(len(self.parts)))
            if part in self.parts
        )

    def _read_legs(self) -> tuple[LegBones, ...]:
        present_rows = {
            split_row(part.partition(".")[0]).row
            for part in self.parts
            if "leg." in group_of_part(part)
        }
        rows = [
            row
            for row in ("", "hind_", *(f"row{k}_" for k in range(2, 12)), "mid_", "front_")
            if row in present_rows
        ]
        if not rows:
            raise CharacterError(
                "No legs are chosen; choose at least a left and a right thigh, shin and foot."
            )
        if "" in rows and len(rows) > 1:
            raise CharacterError(
                "Some legs are named as hind or front legs and some are not; name the row of each."
            )
        return tuple(self._read_leg(row, side, k) for k, row in enumerate(rows) for side in "LR")

    def _read_leg(self, row: str, side: str, row_number: int) -> LegBones:
        names = [f"{row}{role}.{side}" for role in LEG_ROLES]
        last_segment = max((k for k, part in enumerate(names) if part in self.parts), default=0)
        segments = self._read_chain(names[: last_segment + 1], "pelvis")
        foot, toe = (f"{row}{role}.{side}" for role in ("foot", "toe"))
        is_detached = False
        foot_and_toe: list[int | None] = [None, None]
        if foot in self.parts:
            bone = self._find_bone(foot)
            # a foot that the rig moves separately is not a descendant of the leg
            is_separate = not any(k in self._list_ancestors(bone) for k in segments)
            is_detached = self.body.is_separate(bone) or (
                is_separate and self.skeleton.parents[bone] < 0
            )
            foot_and_toe[0] = (
                bone if is_detached else self._read_chain([names[last_segment], foot], "pelvis")[1]
            )
            if toe in self.parts:
                foot_and_toe[1] = (
                    self._read_chain([foot, toe], names[last_segment])[1]
                    if not is_detached
                    else self._read_descendant(foot, toe)
                )
        elif toe in self.parts:
            raise CharacterError(
                f"The {describe_part(toe)} is chosen but not the {describe_part(foot)}; choose "
                "the bone above it as the foot."
            )
        return LegBones(
            segments,
            foot_and_toe[0],
            foot_and_toe[1],
            side=SIDE_OF_LETTER[side],
            row=row_number,
            has_detached_foot=is_detached,
        )

    def _read_descendant(self, parent_part: str, part: str) -> int:
        if self._find_bone(parent_part) not in self._list_ancestors(self._find_bone(part)):
            raise CharacterError(
                f"The bone {self.parts[part]!r} cannot be the {describe_part(part)}: it does not "
                f"hang below the {describe_part(parent_part)} {self.parts[parent_part]!r}."
            )
        return self._find_bone(part)

    def _assess_parts(self, anatomy: Anatomy) -> tuple[Finding, ...]:
        """Return the findings of recognition on parts that equal its result, and on the stance.

        Other parts were set by the user and are certain, and so is a facing that was in doubt and
        that the user turned.
        """
        try:
            guess = recognize_body(self.body, self.naming_convention)
        except CharacterError:  # the user chose the parts because none could be recognized
            guess = None
        recognized = {} if guess is None else {f.part: f for f in guess.findings}
        chosen_parts = name_parts(anatomy, self.skeleton.names)
        guessed_parts = {} if guess is None else name_parts(guess, self.skeleton.names)
        tree = SkeletonTree(self.skeleton)
        out = []
        for group in sorted(
            dict.fromkeys(group_of_part(part) for part in chosen_parts),
            key=lambda g: (
                FINDING_ORDER.index(g.partition(".")[0])
                if g.partition(".")[0] in FINDING_ORDER
                else -1
            ),
        ):
            group_parts = {k: v for k, v in chosen_parts.items() if group_of_part(k) == group}
            if group in recognized and group_parts == {
                k: v for k, v in guessed_parts.items() if group_of_part(k) == group
            }:
                out.append(recognized[group])
            else:
                bones = tuple(self.index[v] for v in group_parts.values())
                out.append(_assess_chosen_part(group, bones, tree))
        out += assess_stance(anatomy, tree)
        out += self._assess_arm_sides(anatomy)
        is_as_guessed = guess is not None and np.dot(guess.forward, anatomy.forward) > 0
        if is_as_guessed and "facing" in recognized:
            out.append(recognized["facing"])
        if guess is not None and not is_as_guessed and "facing" not in recognized:
            reason = "left and right were chosen by hand, and the shape of the body turns it round"
            out.append(Finding("facing", (), CONFIDENCE_OF_TURNED_BODY, reason, "facing"))
        return tuple(out)

    def _assess_arm_sides(self, anatomy: Anatomy) -> list[Finding]:
        """Return a finding if the left arm is on the side of the right leg; none otherwise."""
        heads = self.skeleton.heads
        left = np.cross([0.0, 0.0, 1.0], anatomy.forward)
        offsets = {arm.side: float(heads[arm.shoulder] @ left) for arm in anatomy.arms}
        if len(offsets) < 2 or offsets[1] > offsets[-1] - MIN_SIDE_OFFSET * self.skeleton.height:
            return []
        reason = "the left leg is on the side of the right arm; swap the sides of both or of none"
        return [Finding("facing", (), CONFIDENCE_OF_CROSSED_SIDES, reason, "legs")]


def _assess_chosen_part(group: str, bones: tuple[int, ...], tree: SkeletonTree) -> Finding:
    """Return the finding on a part that the user set: certain, unless it is a leg in the air."""
    height = min(measure_height_above_ground(tree, bone) for bone in bones)
    if "leg." not in group or height <= MAX_FOOT_HEIGHT:
        return Finding(group, bones, 1.0, "set by hand")
    return Finding(
        group,
        bones,
        CONFIDENCE_OF_RAISED_LEG,
        f"set by hand, but other parts of the body reach lower by {height:.0%} of its height",
        "legs",
    )
