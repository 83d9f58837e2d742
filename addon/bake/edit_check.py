"""Whether anybody has edited the keys of an action since Footfall wrote them."""

from __future__ import annotations

import hashlib

import bpy
import numpy as np

from ..animation.channels import curves_of_slot
from ..animation.keyframes import read_keys

# property of an action: what its keys were as Footfall left them; by slot
DIGEST_PROPERTY = "footfall_keys"


def remember_keys(action: bpy.types.Action, slot: str) -> None:
    """Remember with an action how its keys, or those of a slot by its handle as text, are now."""
    action[DIGEST_PROPERTY + slot] = _compute_digest(action, slot)


def has_unedited_keys(action: bpy.types.Action, slot: str) -> bool:
    """Whether they still are as they were noted last."""
    return bool(action.get(DIGEST_PROPERTY + slot) == _compute_digest(action, slot))


def forget_keys(action: bpy.types.Action, slot: str) -> None:
    """Forget those of a slot that is gone."""
    if action.get(DIGEST_PROPERTY + slot) is not None:
        del action[DIGEST_PROPERTY + slot]


def _compute_digest(action: bpy.types.Action, slot: str) -> str:
    """What the keys are, in short: another text once any was edited."""
    digest = hashlib.blake2b(digest_size=16)
    for curve in sorted(curves_of_slot(action, slot), key=lambda c: (c.data_path, c.array_index)):
        digest.update(
            f"{curve.data_path}\0{curve.array_index}\0{[m.type for m in curve.modifiers]}".encode()
        )
        for values in read_keys(curve).values():
            digest.update(np.ascontiguousarray(values).tobytes())
    return digest.hexdigest()
