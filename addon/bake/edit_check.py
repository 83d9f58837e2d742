"""Check what the user changed of an action since Footfall wrote it."""

from __future__ import annotations

import hashlib

import bpy
import numpy as np

from ..animation.channels import curves_of_slot
from ..animation.keyframes import read_keys

# Prefix of all custom properties of an action that Footfall writes
FOOTFALL_PREFIX = "footfall_"
# Custom property of an action with the digest of its keys; the handle of a slot follows
DIGEST_PROPERTY = FOOTFALL_PREFIX + "keys"


def remember_keys(action: bpy.types.Action, slot: str) -> None:
    """Store a digest of the keys of an action, or of one of its slots, in the action."""
    action[DIGEST_PROPERTY + slot] = _compute_digest(action, slot)


def has_unedited_keys(action: bpy.types.Action, slot: str) -> bool:
    """Return whether the keys match their stored digest."""
    return bool(action.get(DIGEST_PROPERTY + slot) == _compute_digest(action, slot))


def list_user_changes(action: bpy.types.Action, slot: str, is_whole_action: bool) -> list[str]:
    """Return what the user changed of a bake, as predicates such as "is an asset".

    Args:
        action: action of the bake.
        slot: handle of the slot that has the keys.
        is_whole_action: whether the bake is the whole action; otherwise only the slot counts.
    """
    has_edited_keys = not has_unedited_keys(action, slot)
    conditions = {"has edited keys": has_edited_keys}
    if is_whole_action:
        conditions |= {
            "has a fake user": action.use_fake_user,
            "is an asset": action.asset_data is not None,
            "has pose markers": bool(len(action.pose_markers)),
            "has custom properties": _has_custom_properties(action),
            "has other slots": len(getattr(action, "slots", ())) > 1,
        }
    return [predicate for predicate, is_true in conditions.items() if is_true]


def _has_custom_properties(action: bpy.types.Action) -> bool:
    """Return whether the user gave an action properties; add-ons register theirs in its type."""
    return any(
        not name.startswith(FOOTFALL_PREFIX) and name not in action.bl_rna.properties
        for name in set(action.keys())
    )


def forget_keys(action: bpy.types.Action, slot: str) -> None:
    """Delete the digest of a slot that was removed."""
    if action.get(DIGEST_PROPERTY + slot) is not None:
        del action[DIGEST_PROPERTY + slot]


def _compute_digest(action: bpy.types.Action, slot: str) -> str:
    """Return a digest of the keys, which differs once any of them is edited."""
    digest = hashlib.blake2b(digest_size=16)
    for curve in sorted(curves_of_slot(action, slot), key=lambda c: (c.data_path, c.array_index)):
        digest.update(
            f"{curve.data_path}\0{curve.array_index}\0{[m.type for m in curve.modifiers]}".encode()
        )
        for values in read_keys(curve).values():
            digest.update(np.ascontiguousarray(values).tobytes())
    return digest.hexdigest()
