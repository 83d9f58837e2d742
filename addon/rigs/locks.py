"""Channels of a bone that its rigger or its user has locked:
they keep what they have, and no key touches them.
"""

from __future__ import annotations

from collections.abc import Sequence

import bpy
from mathutils import Euler, Matrix, Quaternion, Vector

from ..animation.rotations import get_channel_name
from ..text import enumerate_names


def get_location_locks(bone: bpy.types.PoseBone) -> tuple[int, ...]:
    """The axes along which a bone must not be moved."""
    return tuple(k for k in range(3) if bone.lock_location[k])


def get_rotation_locks(bone: bpy.types.PoseBone) -> tuple[int, ...]:
    """The axes about which a bone must not be turned.

    In the modes of four numbers these may be locked one by one;
    then a bone is held whose three parts of an axis are.
    """
    if get_channel_name(bone.rotation_mode) != "rotation_euler" and bone.lock_rotations_4d:
        return (0, 1, 2) if all(bone.lock_rotation) else ()
    return tuple(k for k in range(3) if bone.lock_rotation[k])


def get_channel_locks(bone: bpy.types.PoseBone, channel: str) -> tuple[int, ...]:
    """The values of a channel that must get no keys. Rotations of four numbers are held
    as a whole or not at all.
    """
    if channel == "location":
        return get_location_locks(bone)
    if channel == "scale":
        return tuple(k for k in range(3) if bone.lock_scale[k])
    locked_axes = get_rotation_locks(bone)
    if channel == "rotation_euler":
        return locked_axes
    return (0, 1, 2, 3) if len(locked_axes) == 3 else ()


def make_lock_warnings(names: Sequence[str]) -> list[str]:
    """What a user should know of bones that their locks keep from the plan."""
    if not names:
        return []
    return [
        (
            f"locked channels of {enumerate_names(names)} were left as they are and keep the body "
            "from the plan; unlock them to see it"
        )
    ]


def compute_rest_basis(bone: bpy.types.PoseBone) -> Matrix:
    """A bone's own transform at rest, but where it is locked as it is."""
    return apply_locks(bone, Matrix.Identity(4), bone.matrix_basis.copy())


def apply_locks(bone: bpy.types.PoseBone, target: Matrix, current: Matrix) -> Matrix:
    """A wished transform of a bone's own, without its scale,
    where the bone is locked as in the one that is kept.
    """
    location = Vector(
        _merge_axes(target.translation, current.translation, get_location_locks(bone))
    )
    return Matrix.LocRotScale(
        location, _merge_rotations(bone, target.to_quaternion(), current.to_quaternion()), None
    )


def _merge_rotations(
    bone: bpy.types.PoseBone, target: Quaternion, current: Quaternion
) -> Quaternion:
    locked_axes = get_rotation_locks(bone)
    if not locked_axes:
        return target
    if len(locked_axes) == 3:
        return current
    order = (
        bone.rotation_mode if get_channel_name(bone.rotation_mode) == "rotation_euler" else "XYZ"
    )
    return Euler(
        _merge_axes(target.to_euler(order), current.to_euler(order), locked_axes), order
    ).to_quaternion()


def _merge_axes(
    target: Sequence[float], current: Sequence[float], locked_axes: tuple[int, ...]
) -> list[float]:
    return [float(current[k] if k in locked_axes else target[k]) for k in range(3)]
