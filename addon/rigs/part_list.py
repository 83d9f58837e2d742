"""The list of parts on an armature: filled by Detect, corrected by the user, looked over at every change."""
from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ...core.character.recognition.anatomy import Anatomy
from ...core.character.recognition.describe import described
from ...core.character.recognition.mirror import mirrored_bone
from ...core.character.recognition.parts import group_of, other_side, parts_of, roles_of, spoken
from ...core.character.recognition.reading_parts import anatomy_of
from ...core.errors import CharacterError, FootfallError
from .armature import read_skeleton
from .libraries import keep_own

LEGENDS = ("legs", "trunk", "arms")                                  # notes that the list of parts tells already
USUAL = ("leg.L", "leg.R", "trunk", "head", "arm.L", "arm.R")        # groups that a biped's list shows, found or not


_at_once = 0              # how many changes of whole lists are going on, whose single steps are not to be looked over


@contextmanager
def _all_at_once() -> Iterator[None]:
    global _at_once
    _at_once += 1
    try:
        yield
    finally:
        _at_once -= 1


def part_was_set(armature: bpy.types.Object) -> None:
    """What happens when one bone of the list is changed by hand."""
    if not _at_once:
        look_over(armature)


def fill(armature: bpy.types.Object, found: Anatomy, names: list[str]) -> None:
    """Write what was found into the list; what a user had corrected is forgotten."""
    parts = parts_of(found, names)
    _write(armature, parts, parts)
    write_findings(armature, found)
    armature.footfall.anatomy = json.dumps(parts)


def _write(armature: bpy.types.Object, parts: dict[str, str], found: dict[str, str]) -> None:
    told = armature.footfall
    groups = dict.fromkeys(group_of(part) for part in parts)
    legs_in_rows = any(group.startswith("hind_") for group in groups)
    shown = [*groups, *(g for g in USUAL if g not in groups and not (legs_in_rows and g.partition(".")[0] in ("leg", "arm")))]
    with _all_at_once():
        for entry in _rows(told.parts, [part for group in sorted(shown, key=_order) for part in roles_of(group, parts)]):
            entry.found, entry.bone = found.get(entry.name, ""), parts.get(entry.name, "")
    keep_own(armature)


def _rows(rows: Any, names: list[str]) -> list[bpy.types.PropertyGroup]:
    """A list written anew with a row a name; the rows that a library override has from its library cannot go and come first."""
    rows.clear()
    for name in names:
        if name not in rows:
            rows.add().name = name
    return list(rows)


def fill_by_hand(armature: bpy.types.Object) -> None:
    """An empty list of a biped's parts."""
    _write(armature, {}, {})
    for entry in _rows(armature.footfall.findings, list(USUAL)):
        entry.confidence, entry.sure, entry.reason = 0.0, False, "not chosen yet"
    armature.footfall.told, armature.footfall.problem = "chosen by hand", ""


def _order(group: str) -> tuple[int, str]:
    stem, _, end = group.partition(".")
    kinds = ("hind_leg", "mid_leg", "front_leg", "leg", "trunk", "head", "arm", "tail")
    return (kinds.index(stem) if stem in kinds else 1, stem + end)


def write_findings(armature: bpy.types.Object, found: Anatomy) -> None:
    """Write how sure each group is."""
    told = armature.footfall
    open_before = {f.name for f in told.findings if f.shown}
    known = {f.part: f for f in found.findings}
    groups = list(dict.fromkeys(group_of(entry.name) for entry in told.parts))
    for entry in _rows(told.findings, [*groups, *(part for part in known if part not in groups)]):
        finding = known.get(entry.name)
        entry.shown = entry.name in open_before
        entry.confidence = finding.confidence if finding else 0.0
        entry.sure = bool(finding and finding.sure)
        entry.reason = finding.reason if finding else "not found"
    told.told = described(found) + (f" ({found.convention})" if found.convention else "")


def told_now(armature: bpy.types.Object) -> dict[str, str]:
    """All bones of the list by part."""
    return {entry.name: entry.bone for entry in armature.footfall.parts if entry.bone}


def look_over(armature: bpy.types.Object) -> None:
    """Check the list as it stands and keep what is wrong with it; nothing else is changed."""
    told = armature.footfall
    try:
        skeleton = read_skeleton(armature, bpy.context.scene, with_skin=False)
        anatomy_of(skeleton)
    except FootfallError as error:
        told.problem = str(error)
        return
    told.problem = ""


def take(armature: bpy.types.Object, parts: dict[str, str]) -> None:
    """Put other bones into the list, all at once.

    Raises:
        CharacterError: a bone is not in the armature; the message names it and its part. Nothing is changed then.
    """
    for part, bone in parts.items():
        if bone not in armature.data.bones:
            raise CharacterError(f"The armature {armature.name!r} has no bone {bone!r}, which is the {spoken(part)}.")
    found = {entry.name: entry.found for entry in armature.footfall.parts if entry.found}
    _write(armature, parts, found)
    refresh(armature)


def reset(armature: bpy.types.Object) -> None:
    """Take back all corrections."""
    found = {entry.name: entry.found for entry in armature.footfall.parts if entry.found}
    _write(armature, found, found)
    refresh(armature)


def refresh(armature: bpy.types.Object) -> None:
    """Look the list over and tell anew how sure each group is, where it can be read."""
    look_over(armature)
    told = armature.footfall
    try:
        write_findings(armature, anatomy_of(read_skeleton(armature, bpy.context.scene)))
    except CharacterError as error:
        told.problem = str(error)


def mirror(armature: bpy.types.Object, group: str) -> dict[str, str]:
    """Bones of the other side that are like those of a group, by part.

    Raises:
        CharacterError: the group has no side, or a bone has no like one; the message names it.
    """
    entries = [e for e in armature.footfall.parts if group_of(e.name) == group and e.bone]
    if group.partition(".")[2] not in ("L", "R") or not entries:
        raise CharacterError(f"The {spoken(group)} has nothing to mirror; choose its bones first.")
    skeleton = read_skeleton(armature, bpy.context.scene, with_skin=False)
    known = {e.name: e.bone for e in armature.footfall.parts if e.bone}
    middle = [known[p] for p in ("pelvis", *(k for k in known if k.startswith("spine."))) if p in known]
    out = {}
    for entry in entries:
        flipped = bpy.utils.flip_name(entry.bone)
        if flipped == entry.bone or flipped not in armature.data.bones:
            flipped = mirrored_bone(skeleton, entry.bone, middle)
        out[other_side(entry.name)] = flipped
    return out


def bones_of(armature: bpy.types.Object, group: str) -> list[bpy.types.PropertyGroup]:
    """The entries of a group, in the order of the body."""
    return [entry for entry in armature.footfall.parts if group_of(entry.name) == group]


