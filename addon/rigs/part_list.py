"""List of parts on an armature: filled by Detect, corrected by the user, checked at every
change.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import bpy

from ...core.character.recognition.anatomy import Anatomy
from ...core.character.recognition.describe import describe_anatomy
from ...core.character.recognition.mirror import find_mirrored_bone
from ...core.character.recognition.parts import (
    describe_part,
    group_of_part,
    list_group_parts,
    mirror_part,
    name_parts,
)
from ...core.character.recognition.questions import confirm_findings
from ...core.character.recognition.reading_parts import read_anatomy
from ...core.character.recognition.skeleton import Skeleton
from ...core.errors import CharacterError, FootfallError
from .armature import read_answers, read_corrected_parts, read_skeleton
from .libraries import preserve_override

PART_NOTE_PREFIXES = ("legs", "trunk", "arms")  # beginnings of notes that repeat the list of parts
# Groups in the list of a biped, detected or not
BIPED_GROUPS = ("leg.L", "leg.R", "trunk", "head", "arm.L", "arm.R")

# Number of nested changes of whole lists, within which single changes are not checked
_batch_depth = 0


@contextmanager
def _batch_changes() -> Iterator[None]:
    global _batch_depth
    _batch_depth += 1
    try:
        yield
    finally:
        _batch_depth -= 1


def on_part_changed(armature: bpy.types.Object) -> None:
    """Check the list after the user changed one bone of it."""
    if not _batch_depth:
        validate_parts(armature)


def fill_parts(armature: bpy.types.Object, anatomy: Anatomy, bone_names: list[str]) -> None:
    """Write detected parts into the list; corrections and answers of the user are dropped."""
    parts = name_parts(anatomy, bone_names)
    armature.footfall.answers = ""
    _write_parts(armature, parts, parts)
    write_findings(armature, anatomy)
    armature.footfall.anatomy = json.dumps(parts)


def _write_parts(
    armature: bpy.types.Object, parts: dict[str, str], detected: dict[str, str]
) -> None:
    character = armature.footfall
    groups = dict.fromkeys(group_of_part(part) for part in parts)
    has_leg_rows = any(group.startswith("hind_") for group in groups)
    shown_groups = [
        *groups,
        *(
            g
            for g in BIPED_GROUPS
            if g not in groups and not (has_leg_rows and g.partition(".")[0] in ("leg", "arm"))
        ),
    ]
    with _batch_changes():
        for entry in _sync_rows(
            character.parts,
            [
                part
                for group in sorted(shown_groups, key=_make_group_sort_key)
                for part in list_group_parts(group, parts)
            ],
        ):
            entry.found = detected.get(entry.name, "")
            entry.bone = parts.get(entry.name, "")
    preserve_override(armature)


def _sync_rows(rows: Any, names: list[str]) -> list[bpy.types.PropertyGroup]:
    """Rewrite a list with a row for each name.

    Rows that a library override has from its library cannot be removed and come first.
    """
    rows.clear()
    for name in names:
        if name not in rows:
            rows.add().name = name
    return list(rows)


def fill_empty_biped(armature: bpy.types.Object) -> None:
    """Fill the list with the parts of a biped, without bones."""
    _write_parts(armature, {}, {})
    for entry in _sync_rows(armature.footfall.findings, list(BIPED_GROUPS)):
        entry.confidence = 0.0
        entry.sure = False
        entry.reason = "not chosen"
        entry.question = ""
    armature.footfall.told = "chosen by hand"
    armature.footfall.problem = ""


def _make_group_sort_key(group: str) -> tuple[int, str]:
    kind, _, side = group.partition(".")
    kinds = ("hind_leg", "mid_leg", "front_leg", "leg", "trunk", "head", "arm", "tail")
    return (kinds.index(kind) if kind in kinds else 1, kind + side)


def write_findings(armature: bpy.types.Object, anatomy: Anatomy) -> None:
    """Write the confidence of each group; answered questions leave no doubt."""
    character = armature.footfall
    anatomy = confirm_findings(anatomy, read_answers(armature))
    expanded = {f.name for f in character.findings if f.shown}
    finding_by_part = {f.part: f for f in anatomy.findings}
    groups = list(dict.fromkeys(group_of_part(entry.name) for entry in character.parts))
    for entry in _sync_rows(
        character.findings, [*groups, *(part for part in finding_by_part if part not in groups)]
    ):
        finding = finding_by_part.get(entry.name)
        entry.shown = entry.name in expanded
        entry.confidence = finding.confidence if finding else 0.0
        entry.sure = bool(finding and finding.is_certain)
        entry.reason = finding.reason if finding else "not found"
        entry.question = finding.question if finding else ""
    character.told = describe_anatomy(anatomy) + (
        f" ({anatomy.naming_convention})" if anatomy.naming_convention else ""
    )


def read_current_parts(armature: bpy.types.Object) -> dict[str, str]:
    """Return all bones of the list by part."""
    return {entry.name: entry.bone for entry in armature.footfall.parts if entry.bone}


def validate_parts(armature: bpy.types.Object) -> None:
    """Check the list and store what is wrong with it; nothing else changes."""
    character = armature.footfall
    try:
        skeleton = read_skeleton(armature, bpy.context.scene, with_skin=False)
        read_anatomy(skeleton)
    except FootfallError as error:
        character.problem = str(error)
        return
    character.problem = ""


def set_parts(
    armature: bpy.types.Object, parts: dict[str, str], skeleton: Skeleton | None = None
) -> None:
    """Put other bones into the list, all at once.

    Args:
        parts: bones by part.
        skeleton: bones of the armature with their skin; None reads them.

    Raises:
        CharacterError: a bone is not in the armature; the message names it and its part. Nothing
            changes then.
    """
    for part, bone in parts.items():
        if bone not in armature.data.bones:
            raise CharacterError(
                f"The armature {armature.name!r} has no bone {bone!r}, which is the "
                f"{describe_part(part)}."
            )
    detected = {entry.name: entry.found for entry in armature.footfall.parts if entry.found}
    _write_parts(armature, parts, detected)
    refresh_findings(armature, skeleton)


def reset_parts(armature: bpy.types.Object) -> None:
    """Revert all corrections and answers."""
    armature.footfall.answers = ""
    detected = {entry.name: entry.found for entry in armature.footfall.parts if entry.found}
    _write_parts(armature, detected, detected)
    refresh_findings(armature)


def refresh_findings(armature: bpy.types.Object, skeleton: Skeleton | None = None) -> None:
    """Check the list, store what is wrong with it, and otherwise update the confidence of each
    group.

    Args:
        skeleton: bones of the armature with their skin; None reads them.
    """
    character = armature.footfall
    try:
        if skeleton is None:
            skeleton = read_skeleton(armature, bpy.context.scene)
        anatomy = read_anatomy(replace(skeleton, parts=read_corrected_parts(armature)))
    except FootfallError as error:
        character.problem = str(error)
        return
    character.problem = ""
    write_findings(armature, anatomy)


def mirror_parts(armature: bpy.types.Object, group: str) -> dict[str, str]:
    """Return the mirrored bones of a group by part.

    Raises:
        CharacterError: the group has no side, or a bone has no counterpart; the message names it.
    """
    entries = [e for e in armature.footfall.parts if group_of_part(e.name) == group and e.bone]
    if group.partition(".")[2] not in ("L", "R") or not entries:
        raise CharacterError(
            f"The {describe_part(group)} has nothing to mirror; choose its bones first."
        )
    skeleton = read_skeleton(armature, bpy.context.scene, with_skin=False)
    bone_by_part = {e.name: e.bone for e in armature.footfall.parts if e.bone}
    trunk_bones = [
        bone_by_part[p]
        for p in ("pelvis", *(k for k in bone_by_part if k.startswith("spine.")))
        if p in bone_by_part
    ]
    mirrored = {}
    for entry in entries:
        mirrored_name = bpy.utils.flip_name(entry.bone)
        if mirrored_name == entry.bone or mirrored_name not in armature.data.bones:
            mirrored_name = find_mirrored_bone(skeleton, entry.bone, trunk_bones)
        mirrored[mirror_part(entry.name)] = mirrored_name
    return mirrored


def list_group_entries(armature: bpy.types.Object, group: str) -> list[bpy.types.PropertyGroup]:
    """Return the entries of a group in the order of the body."""
    return [entry for entry in armature.footfall.parts if group_of_part(entry.name) == group]
