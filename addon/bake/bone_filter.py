"""Bones that get keys when only a part of a character is baked."""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np

from ...core.character.from_rig.binding import Binding
from ...core.errors import CharacterError
from ...core.geometry import so3
from ...core.motion import Motion
from ..animation.action_builder import TRANSFORM_CHANNELS, PendingKeys, bone_of
from ..rigs.dependencies import make_mover_finder
from ..text import enumerate_names
from .options import BakeOptions

OBJECT = ""  # name of the armature object among the names of bones
BONE_SET_LABELS = {"SELECTED": "selected", "UPPER": "of the upper body", "LEGS": "of legs and root"}


def find_contact_links(motion: Motion) -> list[int]:
    """Return the link that each contact point is fixed to (c,): the one in whose frame it moves
    least.
    """
    rotations = so3.quat_to_matrix(motion.link_orientation)  # (n, l, 3, 3)
    offset = motion.contact_position[:, :, None] - motion.link_origin[:, None]  # (n, c, l, 3)
    local_position = np.einsum("nlji,nclj->ncli", rotations, offset)
    return [int(k) for k in local_position.std(0).sum(-1).argmin(1)]


def find_leg_bones(binding: Binding, motion: Motion) -> set[str]:
    """Return the bones of the legs and the root bone."""
    standing_links = _find_standing_links(motion)
    end_bones = {
        name
        for name, link, toe_index in zip(
            binding.bones, binding.link_index, binding.toe_leg, strict=True
        )
        if toe_index >= 0 or link in standing_links
    }
    leg_bones = {binding.bones[0]}
    for name in end_bones:
        while name and name not in leg_bones:
            leg_bones.add(name)
            name = binding.parent_bones.get(name, "")
    return leg_bones


def find_foot_bones(binding: Binding, motion: Motion) -> list[str]:
    """Return the bones that stand on the ground, without toes."""
    standing_links = _find_standing_links(motion)
    return [
        name
        for name, link, toe_index in zip(
            binding.bones, binding.link_index, binding.toe_leg, strict=True
        )
        if toe_index < 0 and link in standing_links and name not in binding.loose_bones
    ]


def _find_standing_links(motion: Motion) -> set[int]:
    return {
        link
        for link, grip in zip(find_contact_links(motion), motion.grips, strict=True)
        if not grip
    }


def drop_unselected(
    armature: bpy.types.Object,
    pending_keys: PendingKeys,
    binding: Binding,
    motion: Motion,
    options: BakeOptions,
    bone_by_control: Mapping[str, str],
) -> None:
    """Drop the pending keys of bones that are not to be baked.

    Args:
        bone_by_control: deform bone by the control that has its keys.

    Raises:
        CharacterError: the motion has no keys for the chosen bones.
    """
    if options.bones == "ALL":
        return
    keyed_bones = {
        bone_of(path)
        for path, _ in pending_keys.channels
        if path.rpartition(".")[2] in TRANSFORM_CHANNELS
    }
    selected_bones = keyed_bones & (
        options.chosen
        if options.bones == "SELECTED"
        else _find_region_bones(
            armature,
            binding,
            motion,
            options=options,
            bone_by_control=bone_by_control,
            keyed_bones=keyed_bones,
        )
    )
    if not selected_bones:
        raise CharacterError(
            f"No bone {BONE_SET_LABELS[options.bones]} gets keys of this motion. Its keys are on "
            f"{enumerate_names(sorted(keyed_bones - {OBJECT}), 4)}; choose some of these, or All "
            "under Bones."
        )
    _drop_channels(armature, pending_keys, bone_by_control, keyed_bones, selected_bones)


def _drop_channels(
    armature: bpy.types.Object,
    pending_keys: PendingKeys,
    bone_by_control: Mapping[str, str],
    keyed_bones: set[str],
    selected_bones: set[str],
) -> None:
    """Drop the pending channels of all bones but the selected ones, and switches of others."""
    find_movers = make_mover_finder(armature)

    def is_moved(bones: set[str], listeners: set[str]) -> bool:
        return any(
            listeners & find_movers(bone_by_control.get(bone, bone)) for bone in bones - {OBJECT}
        )

    listeners_by_path = _find_listeners(armature)
    for path, channel in list(pending_keys.channels):
        name = bone_of(path)
        if path.rpartition(".")[2] in TRANSFORM_CHANNELS:
            is_selected = name in selected_bones
        else:  # a switch belongs to the bones whose drivers and constraints read it
            listeners = listeners_by_path.get(path, {name})
            is_selected = is_moved(selected_bones, listeners) and not is_moved(
                keyed_bones - selected_bones, listeners
            )
        if not is_selected:
            del pending_keys.channels[path, channel]


def _find_region_bones(
    armature: bpy.types.Object,
    binding: Binding,
    motion: Motion,
    options: BakeOptions,
    bone_by_control: Mapping[str, str],
    keyed_bones: set[str],
) -> set[str]:
    """Return the keyed bones of legs and root, or those of the upper body."""
    leg_bones = find_leg_bones(binding, motion)
    planned_bones = set(binding.bones)
    # what moves the hips: their parents, and the torso of a control rig
    bones_above_hips = make_mover_finder(armature)(binding.bones[0])
    lower_bones = set()
    for name in keyed_bones:
        bone = armature.data.bones.get(bone_by_control.get(name, name))
        if bone is None or name in bones_above_hips:
            lower_bones.add(name)
            continue
        nearest_planned = next(
            (b.name for b in (bone, *bone.parent_recursive) if b.name in planned_bones), ""
        )
        if nearest_planned in leg_bones and (
            nearest_planned != binding.bones[0] or bone.name == nearest_planned
        ):
            lower_bones.add(name)
    return lower_bones if options.bones == "LEGS" else keyed_bones - lower_bones


def _find_listeners(armature: bpy.types.Object) -> dict[str, set[str]]:
    """Return the bones whose drivers read a property, by the data path of the property."""
    listeners_by_path: dict[str, set[str]] = {}
    for curve in armature.animation_data.drivers if armature.animation_data else ():
        for target in (
            driver_target
            for variable in curve.driver.variables
            for driver_target in variable.targets
            if driver_target.id == armature
        ):
            listeners_by_path.setdefault(target.data_path, set()).add(bone_of(curve.data_path))
    return listeners_by_path
