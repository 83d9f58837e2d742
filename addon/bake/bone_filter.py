"""Which of a bake's keys are wanted where only some bones are: selected ones, the upper body, or legs and root."""
from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np

from ...core.character.from_rig.binding import Binding
from ...core.errors import CharacterError
from ...core.geometry import so3
from ...core.motion import Motion
from ..animation.action_builder import CHANNELS, NewAction, bone_of
from ..rigs.dependencies import moving_by
from ..text import listed
from .options import Options

OBJECT = ""               # stands for the armature's object among the names of bones
WORDS = {"SELECTED": "selected", "UPPER": "of the upper body", "LEGS": "of legs and root"}


def foot_links(motion: Motion) -> list[int]:
    """The link that each contact point is fixed to: the one in whose frame it moves the least. (c,)."""
    turns = so3.quat_to_matrix(motion.link_orientation)                                               # (n, l, 3, 3)
    away = motion.contact_position[:, :, None] - motion.link_origin[:, None]                          # (n, c, l, 3)
    local = np.einsum("nlji,nclj->ncli", turns, away)
    return [int(k) for k in local.std(0).sum(-1).argmin(1)]


def legs_of(binding: Binding, motion: Motion) -> set[str]:
    """The bones of the legs and the one that carries the body."""
    stands = {link for link, grip in zip(foot_links(motion), motion.grips, strict=True) if not grip}
    found = {name for name, link, toe in zip(binding.bones, binding.link, binding.toe_of, strict=True)
             if toe >= 0 or link in stands}
    out = {binding.bones[0]}
    for name in found:
        while name and name not in out:
            out.add(name)
            name = binding.hung.get(name, "")
    return out


def keep_wanted(armature: bpy.types.Object, new: NewAction, binding: Binding, motion: Motion, options: Options,
                follows: Mapping[str, str]) -> None:
    """Drop what was drawn of bones that are not wanted.

    Args:
        follows: deforming bone by the control that is keyed in its place.

    Raises:
        CharacterError: none of the bones is planned for.
    """
    if options.bones == "ALL":
        return
    there = {bone_of(path) for path, _ in new.drawn}
    keyed = {name for name in there if any(path.rpartition(".")[2] in CHANNELS for path, _ in new.drawn if bone_of(path) == name)}
    selected = options.bones == "SELECTED"
    wanted = keyed & (options.chosen if selected else _of_part(armature, binding, motion, options, follows, keyed))
    if not wanted:
        raise CharacterError(f"No bone {WORDS[options.bones]} gets keys of this motion. Its keys are on "
                             f"{listed(sorted(keyed - {OBJECT}), 4)}; choose some of these, or All under Bones.")
    reach = moving_by(armature)
    driven = _driven(armature)
    for path, channel in list(new.drawn):
        name = bone_of(path)
        if path.rpartition(".")[2] in CHANNELS:
            keep = name in wanted
        else:                              # a switch belongs to the bones whose drivers and constraints listen to it
            listens = driven.get(path, {name})
            keep = any(listens & reach(follows.get(bone, bone)) for bone in wanted - {OBJECT}) and not any(
                listens & reach(follows.get(bone, bone)) for bone in keyed - wanted - {OBJECT})
        if not keep:
            del new.drawn[path, channel]


def _of_part(armature: bpy.types.Object, binding: Binding, motion: Motion, options: Options, follows: Mapping[str, str],
             keyed: set[str]) -> set[str]:
    """The bones with keys that are legs and root, or that are not."""
    legs, planned = legs_of(binding, motion), set(binding.bones)
    carry = moving_by(armature)(binding.bones[0])          # what hips hang on: bones above, and a control rig's torso
    low = set()
    for name in keyed:
        bone = armature.data.bones.get(follows.get(name, name))
        if bone is None or name in carry:
            low.add(name)
            continue
        nearest = next((b.name for b in (bone, *bone.parent_recursive) if b.name in planned), "")
        if nearest in legs and (nearest != binding.bones[0] or bone.name == nearest):
            low.add(name)
    return low if options.bones == "LEGS" else keyed - low


def _driven(armature: bpy.types.Object) -> dict[str, set[str]]:
    """The bones that listen to each property, by its path."""
    out: dict[str, set[str]] = {}
    for curve in armature.animation_data.drivers if armature.animation_data else ():
        for target in (t for variable in curve.driver.variables for t in variable.targets if t.id == armature):
            out.setdefault(target.data_path, set()).add(bone_of(curve.data_path))
    return out
