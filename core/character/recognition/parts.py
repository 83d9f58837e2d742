"""Names of the parts of a body, which users see, correct and save.

The name of a part has row, role and side: `thigh.L`, `hind_hock.R`, `front_toe.L`, `upper_arm.R`,
`pelvis`, `spine.0`, `neck`, `neck.1`, `head`, `tail.0`, and `tail2.0` of a second tail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .anatomy import Anatomy
from .confidence import row_prefix, side_letter

# Roles of the segments of a limb, from the trunk outward
LEG_ROLES = ("thigh", "shin", "hock", "pastern")
ARM_ROLES = ("upper_arm", "forearm", "hand")
# Roles and rows in words
ROLE_WORDS = {
    "thigh": "thigh",
    "shin": "shin",
    "hock": "hock",
    "pastern": "pastern",
    "foot": "foot",
    "toe": "toe",
    "upper_arm": "upper arm",
    "forearm": "forearm",
    "hand": "hand",
    "pelvis": "pelvis",
    "spine": "spine",
    "neck": "neck",
    "head": "head",
    "tail": "tail",
    "leg": "leg",
    "arm": "arm",
    "trunk": "trunk",
    "facing": "facing",
    "stance": "stance",
}
ROW_WORDS = {"hind_": "hind ", "front_": "front ", "mid_": "middle "}


def name_parts(anatomy: Anatomy, names: Sequence[str]) -> dict[str, str]:
    """Return the name of the bone of each part."""
    parts = {"pelvis": anatomy.root, **{f"spine.{k}": bone for k, bone in enumerate(anatomy.trunk)}}
    if anatomy.neck is not None:
        parts["neck"] = anatomy.neck
    parts |= {f"neck.{k}": bone for k, bone in enumerate(anatomy.neck_bones) if k > 0}
    if anatomy.head is not None and anatomy.head != anatomy.neck:
        parts["head"] = anatomy.head
    for leg in anatomy.legs:
        row = row_prefix(leg.row, anatomy.row_count)
        side = side_letter(leg.side)
        parts |= {
            f"{row}{role}.{side}": bone for role, bone in zip(LEG_ROLES, leg.segments, strict=False)
        }
        parts |= {
            f"{row}{role}.{side}": bone
            for role, bone in (("foot", leg.foot), ("toe", leg.toe))
            if bone is not None
        }
    for arm in anatomy.arms:
        side = side_letter(arm.side)
        parts |= {f"{role}.{side}": bone for role, bone in zip(ARM_ROLES, arm.bones, strict=False)}
    for k, tail in enumerate(anatomy.tails):
        word = "tail" if k == 0 else f"tail{k + 1}"
        parts |= {f"{word}.{i}": bone for i, bone in enumerate(tail)}
    return {part: names[bone] for part, bone in parts.items()}


def group_of_part(part: str) -> str:
    """Return the finding to which a part belongs.

    `hind_thigh.L` belongs to `hind_leg.L`, `spine.1` to `trunk`, `neck` to `head`.
    """
    stem, _, suffix = part.partition(".")
    split = split_row(stem)
    row = split.row
    role = split.role
    if role in (*LEG_ROLES, "foot", "toe"):
        return f"{row}leg.{suffix}"
    if role in ARM_ROLES:
        return f"arm.{suffix}"
    if role.startswith("tail"):
        return f"tail.{int(role[4:] or 1) - 1}"
    return "trunk" if role in ("pelvis", "spine") else "head"


@dataclass(frozen=True)
class RowAndRole:
    """The stem of a part's name, split.

    Args:
        row: prefix of the row, such as `hind_`; empty for a biped and for parts of no leg.
        role: such as `thigh`.
    """

    row: str
    role: str


def split_row(stem: str) -> RowAndRole:
    """Split the stem of a part's name into row and role."""
    prefix, _, role = stem.partition("_")
    if prefix in ("hind", "front", "mid") or (prefix.startswith("row") and prefix[3:].isdigit()):
        return RowAndRole(f"{prefix}_", role)
    return RowAndRole("", stem)


def describe_part(part: str) -> str:
    """Return a part in words, such as 'left hind thigh' for `hind_thigh.L`."""
    stem, _, suffix = part.partition(".")
    split = split_row(stem)
    row = split.row
    role = split.role
    role_word = ROLE_WORDS.get(role.rstrip("0123456789"), role)
    number = (
        f" {int(suffix) + 1}"
        if suffix.isdigit()
        and role in ("spine", "neck", "tail")
        and (role != "neck" or suffix != "0")
        else ""
    )
    side = {"L": "left ", "R": "right ", "C": "middle "}.get(suffix, "")
    return f"{side}{ROW_WORDS.get(row, f'row {row[3:-1]} ' if row else '')}{role_word}{number}"


def list_group_parts(group: str, parts: dict[str, str]) -> list[str]:
    """Return all possible parts of a finding, also missing ones, in the order of the body."""
    stem, _, suffix = group.partition(".")
    split = split_row(stem)
    row = split.row
    role = split.role
    if role == "leg":
        roles = [
            *LEG_ROLES[:2],
            *(("hock",) if row or f"hock.{suffix}" in parts else ()),
            *LEG_ROLES[3:],
            "foot",
            "toe",
        ]
        return [
            f"{row}{k}.{suffix}"
            for k in roles
            if k != "pastern" or f"{row}pastern.{suffix}" in parts
        ]
    if role == "arm":
        return [f"{k}.{suffix}" for k in ARM_ROLES]
    group_parts = [part for part in parts if group_of_part(part) == group]
    if group == "head":
        return ["neck", *(k for k in group_parts if k not in ("neck", "head")), "head"]
    return group_parts or (["pelvis"] if group == "trunk" else [])


def mirror_part(part: str) -> str:
    """Return the same part of the other side; the part itself if it has no side."""
    stem, _, suffix = part.partition(".")
    return f"{stem}.{ {'L': 'R', 'R': 'L'}[suffix] }" if suffix in ("L", "R") else part
