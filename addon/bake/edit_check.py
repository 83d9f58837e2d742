"""Check whether the keys of an action were edited since Footfall wrote them."""

from __future__ import annotations

import hashlib

import bpy
import numpy as np

from ..animation.channels import curves_of_slot
from ..animation.keyframes import read_keys

# Custom property of an action with the digest of its keys; the handle of a slot follows
DIGEST_PROPERTY = "footfall_keys"


def remember_keys(action: bpy.types.Action, slot: str) -> None:
    """Store a digest of the keys of an action, or of one of its slots, in the action."""
    action[DIGEST_PROPERTY + slot] = _compute_digest(action, slot)


def has_unedited_keys(action: bpy.types.Action, slot: str) -> bool:
    """Return whether the keys match their stored digest."""
    return bool(action.get(DIGEST_PROPERTY + slot) == _compute_digest(action, slot))


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
