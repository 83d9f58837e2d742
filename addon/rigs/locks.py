"""Channels of a bone that its rigger or its user has locked: they keep what they have, and no key touches them."""
from __future__ import annotations

from collections.abc import Sequence

import bpy
from mathutils import Euler, Matrix, Quaternion, Vector

from ..animation.rotations import channel_name
from ..text import listed


def locked_places(bone: bpy.types.PoseBone) -> tuple[int, ...]:
    """The axes along which a bone must not be moved."""
    return tuple(k for k in range(3) if bone.lock_location[k])


def locked_turns(bone: bpy.types.PoseBone) -> tuple[int, ...]:
    """The axes about which a bone must not be turned.

    In the modes of four numbers these may be locked one by one; then a bone is held whose three parts of an axis are.
    """
    if channel_name(bone.rotation_mode) != "rotation_euler" and bone.lock_rotations_4d:
        return (0, 1, 2) if all(bone.lock_rotation) else ()
    return tuple(k for k in range(3) if bone.lock_rotation[k])


def locked_keys(bone: bpy.types.PoseBone, channel: str) -> tuple[int, ...]:
    """The values of a channel that must get no keys. Rotations of four numbers are held as a whole or not at all."""
    if channel == "location":
        return locked_places(bone)
    if channel == "scale":
        return tuple(k for k in range(3) if bone.lock_scale[k])
    held = locked_turns(bone)
    if channel == "rotation_euler":
        return held
    return (0, 1, 2, 3) if len(held) == 3 else ()


def told_locked(names: Sequence[str]) -> list[str]:
    """What a user should know of bones that their locks keep from the plan."""
    if not names:
        return []
    return [f"locked channels of {listed(names)} were left as they are and keep the body from the plan; unlock them to see it"]


def at_rest_but_locked(bone: bpy.types.PoseBone) -> Matrix:
    """A bone's own transform at rest, but where it is locked as it is."""
    return hold(bone, Matrix.Identity(4), bone.matrix_basis.copy())


def hold(bone: bpy.types.PoseBone, wished: Matrix, kept: Matrix) -> Matrix:
    """A wished transform of a bone's own, without its scale, where the bone is locked as in the one that is kept."""
    place = Vector(_mixed(wished.translation, kept.translation, locked_places(bone)))
    return Matrix.LocRotScale(place, _turned(bone, wished.to_quaternion(), kept.to_quaternion()), None)


def _turned(bone: bpy.types.PoseBone, wished: Quaternion, kept: Quaternion) -> Quaternion:
    held = locked_turns(bone)
    if not held:
        return wished
    if len(held) == 3:
        return kept
    order = bone.rotation_mode if channel_name(bone.rotation_mode) == "rotation_euler" else "XYZ"
    return Euler(_mixed(wished.to_euler(order), kept.to_euler(order), held), order).to_quaternion()


def _mixed(wished: Sequence[float], kept: Sequence[float], held: tuple[int, ...]) -> list[float]:
    return [float(kept[k] if k in held else wished[k]) for k in range(3)]
