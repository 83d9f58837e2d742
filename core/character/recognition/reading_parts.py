"""A body's anatomy from the parts that somebody told, checked against its bones."""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...errors import CharacterError
from .anatomy import Anatomy, ArmBones, Finding, LegBones
from .conventions import convention
from .deform_skeleton import Body, body_of
from .parts import ARM, SEGMENTS, group_of, other_side, parts_of, split_row, spoken
from .recognize import notes_of, recognise_body
from .skeleton import Skeleton

SIDES = {"L": 1, "R": -1}
READ = ("trunk", "head", "arm", "tail")          # order of findings, after the legs


def body_and_anatomy(skeleton: Skeleton) -> tuple[Body, Anatomy]:
    """A rig's body and what is what in it: as the skeleton's parts tell, or as it is recognised where they tell nothing.

    Indices are those of the body's skeleton.

    Raises:
        CharacterError: no legs are found, or the parts contradict the bones; the message names the part and the bone.
    """
    body = body_of(skeleton)
    if not skeleton.parts:
        return body, recognise_body(body, convention(skeleton.names))
    return body, _Reader(body, skeleton.parts, convention(skeleton.names)).read()


def anatomy_of(skeleton: Skeleton) -> Anatomy:
    """What is what in a rig, indices those of the skeleton; see `body_and_anatomy`."""
    body, found = body_and_anatomy(skeleton)
    return found.moved(body.index)


class _Reader:
    """Reads one set of parts."""

    def __init__(self, body: Body, parts: dict[str, str], origin: str) -> None:
        self.body, self.parts, self.origin = body, {k: v for k, v in parts.items() if v}, origin
        self.skeleton = body.skeleton
        self.index = {name: k for k, name in enumerate(self.skeleton.names)}

    def read(self) -> Anatomy:
        """The anatomy."""
        self._refuse_strange()
        root = self._bone("pelvis")
        trunk = self._chain([f"spine.{k}" for k in range(len(self.parts)) if f"spine.{k}" in self.parts], "pelvis")
        legs = self._legs()
        arms = tuple(self._arm(side) for side in "LR" if any(f"{role}.{side}" in self.parts for role in ARM))
        neck = self._chain([k for k in ("neck", *(f"neck.{i}" for i in range(1, 20)), "head") if k in self.parts], "pelvis")
        tails = tuple(self._tail(word) for word in ("tail", *(f"tail{k}" for k in range(2, 10))) if f"{word}.0" in self.parts)
        head = self._bone("head") if "head" in self.parts else neck[-1] if neck else None
        s = self.skeleton
        first = [leg for leg in legs if leg.row == 0]
        across = s.heads[first[0].hip] - s.heads[first[-1].hip]
        ahead = np.cross(across, [0.0, 0.0, 1.0])
        if np.linalg.norm(ahead) < 1e-9:
            raise CharacterError(f"The bones {s.names[first[0].hip]!r} and {s.names[first[-1].hip]!r} are at the same place; "
                                 "left and right thigh must be beside each other.")
        x, y, z = (float(v) for v in ahead / np.linalg.norm(ahead))
        found = Anatomy(root, trunk, neck[0] if neck else None, legs, arms, (), head,
                        tuple(k for k in neck if k != head), tails, (x, y, z), (), self.origin)
        return replace(found, notes=tuple(notes_of(found, s)), findings=self._findings(found))

    def _refuse_strange(self) -> None:
        """Bones that are not there, and bones that are two parts."""
        seen: dict[str, str] = {}
        for part, name in self.parts.items():
            if name not in self.index:
                raise CharacterError(f"The bone {name!r} chosen as {spoken(part)} is not among the bones that move the body. "
                                     "Choose another one, or detect the character again.")
            if name in seen:
                pair = "both sides have the same bone" if other_side(part) == seen[name] else "one bone can be one part only"
                raise CharacterError(f"The bone {name!r} is chosen as {spoken(seen[name])} and as {spoken(part)}: {pair}.")
            seen[name] = part

    def _bone(self, part: str) -> int:
        if part not in self.parts:
            raise CharacterError(f"There is no bone for the {spoken(part)}; choose one.")
        return self.index[self.parts[part]]

    def _above(self, bone: int) -> list[int]:
        out = []
        while (bone := self.skeleton.parents[bone]) >= 0:
            out.append(bone)
        return out

    def _chain(self, parts: list[str], over: str) -> tuple[int, ...]:
        """Bones of parts that hang one below the other, the first below the part `over`."""
        out: list[int] = []
        for part in parts:
            bone, upper = self._bone(part), self._bone(over)
            # the neck may be the trunk's own last bone's sibling, and legs may hang above the pelvis bone of some rigs
            if out and upper not in self._above(bone):
                raise CharacterError(f"The bone {self.parts[part]!r} cannot be the {spoken(part)}: it does not hang below the "
                                     f"{spoken(over)} {self.parts[over]!r}.")
            if not out and upper not in self._above(bone):
                raise CharacterError(f"The bone {self.parts[part]!r} cannot be the {spoken(part)}: it does not hang on the "
                                     f"{spoken(over)} {self.parts[over]!r}. Choose another bone for one of the two.")
            out.append(bone)
            over = part
        return tuple(out)

    def _arm(self, side: str) -> ArmBones:
        shoulder, elbow, wrist = self._chain([f"{role}.{side}" for role in ARM], "pelvis")
        return ArmBones(shoulder, elbow, wrist, SIDES[side])

    def _tail(self, word: str) -> tuple[int, ...]:
        return tuple(self._bone(part) for part in (f"{word}.{k}" for k in range(len(self.parts))) if part in self.parts)

    def _legs(self) -> tuple[LegBones, ...]:
        there = {split_row(part.partition(".")[0])[0] for part in self.parts if "leg." in group_of(part)}
        rows = [row for row in ("", "hind_", *(f"row{k}_" for k in range(2, 12)), "mid_", "front_") if row in there]
        if not rows:
            raise CharacterError("No legs are chosen; choose at least a left and a right thigh, shin and foot.")
        if "" in rows and len(rows) > 1:
            raise CharacterError("Some legs are told as hind or front ones and some are not; name the row of each.")
        return tuple(self._leg(row, side, k) for k, row in enumerate(rows) for side in "LR")

    def _leg(self, row: str, side: str, place: int) -> LegBones:
        names = [f"{row}{role}.{side}" for role in SEGMENTS]
        last = max((k for k, part in enumerate(names) if part in self.parts), default=0)
        segments = self._chain(names[:last + 1], "pelvis")
        foot, toe = (f"{row}{role}.{side}" for role in ("foot", "toe"))
        loose = False
        found: list[int | None] = [None, None]
        if foot in self.parts:
            bone = self._bone(foot)
            # a foot that the rig moves by itself hangs on no leg at all
            own = not any(k in self._above(bone) for k in segments)
            loose = bone in self.body.loose or (own and self.skeleton.parents[bone] < 0)
            found[0] = bone if loose else self._chain([names[last], foot], "pelvis")[1]
            if toe in self.parts:
                found[1] = self._chain([foot, toe], names[last])[1] if not loose else self._below(foot, toe)
        elif toe in self.parts:
            raise CharacterError(f"The {spoken(toe)} is chosen but not the {spoken(foot)}; choose the bone above it as the foot.")
        return LegBones(segments, found[0], found[1], SIDES[side], place, loose)

    def _below(self, upper: str, part: str) -> int:
        if self._bone(upper) not in self._above(self._bone(part)):
            raise CharacterError(f"The bone {self.parts[part]!r} cannot be the {spoken(part)}: it does not hang below the "
                                 f"{spoken(upper)} {self.parts[upper]!r}.")
        return self._bone(part)

    def _findings(self, found: Anatomy) -> tuple[Finding, ...]:
        """What recognition says of the parts that are as it found them; the others are as they were told."""
        try:
            guess = recognise_body(self.body, self.origin)
        except CharacterError:            # told by hand because nothing could be recognised
            guess = None
        known = {} if guess is None else {f.part: f for f in guess.findings}
        told = parts_of(found, self.skeleton.names)
        before = {} if guess is None else parts_of(guess, self.skeleton.names)
        out = []
        for group in sorted(dict.fromkeys(group_of(part) for part in told), key=lambda g: READ.index(g.partition(".")[0])
                            if g.partition(".")[0] in READ else -1):
            mine = {k: v for k, v in told.items() if group_of(k) == group}
            if group in known and mine == {k: v for k, v in before.items() if group_of(k) == group}:
                out.append(known[group])
            else:
                out.append(Finding(group, tuple(self.index[v] for v in mine.values()), 1.0, "set by hand"))
        return tuple(out)


