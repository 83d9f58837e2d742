"""Parts of the body by name: what a user sees, corrects and saves.

A part's name says row, role and side: `thigh.L`, `hind_hock.R`, `front_toe.L`, `upper_arm.R`, `pelvis`, `spine.0`, `neck`,
`neck.1`, `head`, `tail.0`, and `tail2.0` of a second tail.
"""
from __future__ import annotations

from collections.abc import Sequence

from .anatomy import Anatomy
from .confidence import row_word, side_letter

SEGMENTS = ("thigh", "shin", "hock", "pastern")
ARM = ("upper_arm", "forearm", "hand")
WORDS = {"thigh": "thigh", "shin": "shin", "hock": "hock", "pastern": "pastern", "foot": "foot",
         "toe": "toe", "upper_arm": "upper arm", "forearm": "forearm", "hand": "hand", "pelvis": "pelvis", "spine": "spine",
         "neck": "neck", "head": "head", "tail": "tail", "leg": "leg", "arm": "arm", "trunk": "trunk", "facing": "facing"}
ROWS = {"hind_": "hind ", "front_": "front ", "mid_": "middle "}


def parts_of(found: Anatomy, names: Sequence[str]) -> dict[str, str]:
    """Names of bones by the part that they are."""
    parts = {"pelvis": found.root, **{f"spine.{k}": bone for k, bone in enumerate(found.trunk)}}
    if found.neck is not None:
        parts["neck"] = found.neck
    parts |= {f"neck.{k}": bone for k, bone in enumerate(found.neck_bones) if k > 0}
    if found.head is not None and found.head != found.neck:
        parts["head"] = found.head
    for leg in found.legs:
        row, side = row_word(leg.row, found.rows), side_letter(leg.side)
        parts |= {f"{row}{role}.{side}": bone for role, bone in zip(SEGMENTS, leg.segments, strict=False)}
        parts |= {f"{row}{role}.{side}": bone for role, bone in (("foot", leg.foot), ("toe", leg.toe)) if bone is not None}
    for arm in found.arms:
        side = side_letter(arm.side)
        parts |= {f"{role}.{side}": bone for role, bone in zip(ARM, (arm.shoulder, arm.elbow, arm.wrist), strict=True)}
    for k, tail in enumerate(found.tails):
        word = "tail" if k == 0 else f"tail{k + 1}"
        parts |= {f"{word}.{i}": bone for i, bone in enumerate(tail)}
    return {part: names[bone] for part, bone in parts.items()}


def group_of(part: str) -> str:
    """The finding that a part belongs to: `hind_thigh.L` to `hind_leg.L`, `spine.1` to `trunk`, `neck` to `head`."""
    stem, _, end = part.partition(".")
    row, role = split_row(stem)
    if role in (*SEGMENTS, "foot", "toe"):
        return f"{row}leg.{end}"
    if role in ARM:
        return f"arm.{end}"
    if role.startswith("tail"):
        return f"tail.{int(role[4:] or 1) - 1}"
    return "trunk" if role in ("pelvis", "spine") else "head"


def split_row(stem: str) -> tuple[str, str]:
    """A part's row as it is written before its role, and the role."""
    before, _, role = stem.partition("_")
    if before in ("hind", "front", "mid") or (before.startswith("row") and before[3:].isdigit()):
        return f"{before}_", role
    return "", stem


def spoken(part: str) -> str:
    """A part as people say it: `hind_thigh.L` is the 'left hind thigh'."""
    stem, _, end = part.partition(".")
    row, role = split_row(stem)
    word = WORDS.get(role.rstrip("0123456789"), role)
    number = f" {int(end) + 1}" if end.isdigit() and role in ("spine", "neck", "tail") and (role != "neck" or end != "0") else ""
    side = {"L": "left ", "R": "right ", "C": "middle "}.get(end, "")
    return f"{side}{ROWS.get(row, f'row {row[3:-1]} ' if row else '')}{word}{number}"


def roles_of(group: str, parts: dict[str, str]) -> list[str]:
    """All parts that a finding may have, those that were not found too, in the order of the body."""
    stem, _, end = group.partition(".")
    row, role = split_row(stem)
    if role == "leg":
        usual = [*SEGMENTS[:2], *(("hock",) if row or f"hock.{end}" in parts else ()), *SEGMENTS[3:], "foot", "toe"]
        return [f"{row}{k}.{end}" for k in usual if k != "pastern" or f"{row}pastern.{end}" in parts]
    if role == "arm":
        return [f"{k}.{end}" for k in ARM]
    mine = [part for part in parts if group_of(part) == group]
    if group == "head":
        return ["neck", *(k for k in mine if k not in ("neck", "head")), "head"]
    return mine or (["pelvis"] if group == "trunk" else [])


def other_side(part: str) -> str:
    """The same part of the other side; the part itself where it has no side."""
    stem, _, end = part.partition(".")
    return f"{stem}.{ {'L': 'R', 'R': 'L'}[end]}" if end in ("L", "R") else part
