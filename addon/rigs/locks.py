"""Locked channels of bones, which keep their values and get no keys."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np
from mathutils import Euler, Matrix, Quaternion, Vector
from numpy.typing import NDArray

from ..animation.rotations import get_channel_name
from ..text import enumerate_names

Array = NDArray[np.float64]


def get_location_locks(bone: bpy.types.PoseBone) -> tuple[int, ...]:
    """Return the locked axes of the location of a bone."""
    return tuple(k for k in range(3) if bone.lock_location[k])


def get_rotation_locks(bone: bpy.types.PoseBone) -> tuple[int, ...]:
    """Return the locked axes of the rotation of a bone.

    Quaternions and axis-angle may be locked by component; then the rotation is locked if the three
    components of the axis are.
    """
    if get_channel_name(bone.rotation_mode) != "rotation_euler" and bone.lock_rotations_4d:
        return (0, 1, 2) if all(bone.lock_rotation) else ()
    return tuple(k for k in range(3) if bone.lock_rotation[k])


def has_locks(bone: bpy.types.PoseBone) -> bool:
    """Return whether a channel of the location or rotation of a bone is locked."""
    return bool(get_location_locks(bone) or get_rotation_locks(bone))


def get_channel_locks(bone: bpy.types.PoseBone, channel: str) -> tuple[int, ...]:
    """Return the components of a property that get no keys.

    Rotations of four components are locked as a whole or not at all.
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
    """Return a warning about bones that their locks keep from the plan."""
    if not names:
        return []
    return [
        (
            f"locked channels of {enumerate_names(names)} were left unchanged and keep the body "
            "from the plan; unlock them to see it"
        )
    ]


def compute_rest_basis(bone: bpy.types.PoseBone) -> Matrix:
    """Return the transform of a bone at rest, except for its locked channels."""
    return apply_locks(bone, Matrix.Identity(4), bone.matrix_basis.copy())


def apply_locks(bone: bpy.types.PoseBone, target: Matrix, current: Matrix) -> Matrix:
    """Return a target transform of a bone without scale, with locked channels from the current
    one.
    """
    location = Vector(
        _merge_axes(target.translation, current.translation, get_location_locks(bone))
    )
    return Matrix.LocRotScale(
        location, _merge_rotations(bone, target.to_quaternion(), current.to_quaternion()), None
    )


def lock_frames(bone: bpy.types.PoseBone, targets: Array, current: Matrix) -> Array:
    """Return target transforms of a bone in many frames (n, 4, 4), with locked channels from the
    current one.

    Args:
        targets: transforms without scale (n, 4, 4).
    """
    locked = targets.copy()
    for axis in get_location_locks(bone):
        locked[:, axis, 3] = current.translation[axis]
    if get_rotation_locks(bone):
        quaternion = current.to_quaternion()
        locked[:, :3, :3] = [
            _merge_rotations(bone, Matrix(m).to_quaternion(), quaternion).to_matrix()
            for m in targets[:, :3, :3].tolist()
        ]
    return locked


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
