"""Controls that turn about one axis since their other axes are locked, as knees are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.geometry import so3
from ..rigs.locks import get_rotation_locks

Array = NDArray[np.float64]

BONE_AXIS = 1  # Axis along which bones lie
# Bend of a joint below which its plane is uncertain and follows that of other frames [rad]
MIN_CERTAIN_BEND = np.radians(0.7)


def align_hinges(
    armature: bpy.types.Object,
    controls: Iterable[str],
    rotations: dict[str, Array],
    rest_matrices: Mapping[str, Array],
) -> None:
    """Roll the controls above hinges about their bones until the hinges can follow the plan.

    A shin that turns about one axis of its control reaches a planned direction only if this axis is
    normal to it. The thigh has the freedom to roll: both directions stay as planned, and only the
    rolls of thigh and shin differ.

    Args:
        controls: controls with planned rotations.
        rotations: planned orientations by control (n, 3, 3). Changed.
        rest_matrices: matrices of bones at rest (4, 4).
    """
    pose_bones = armature.pose.bones
    for hinge in controls:
        locked = get_rotation_locks(pose_bones[hinge])
        free = {0, 1, 2} - set(locked)
        carrier = _find_planned_ancestor(pose_bones[hinge], rotations)
        if len(free) != 1 or BONE_AXIS in free or carrier is None:
            continue
        if get_rotation_locks(pose_bones[carrier]):
            continue
        relative = rest_matrices[carrier][:3, :3].T @ rest_matrices[hinge][:3, :3]
        (axis,) = free
        direction = rotations[hinge][:, :, BONE_AXIS]
        roll = _find_roll(np.einsum("nji,nj->ni", rotations[carrier], direction), relative[:, axis])
        rotations[carrier] = rotations[carrier] @ so3.rotation_about("y", roll)
        rotations[hinge] = _turn_about_hinge(rotations[carrier] @ relative, direction, axis)


def _find_planned_ancestor(bone: bpy.types.PoseBone, rotations: Mapping[str, Array]) -> str | None:
    """Return the nearest ancestor of a control that has a planned rotation."""
    return next((b.name for b in bone.parent_recursive if b.name in rotations), None)


def _find_roll(directions: Array, axis: Array) -> Array:
    """Return the rolls (n,) of a carrier that make the axis of its hinge normal to directions
    [rad].

    A straight joint has no plane: there the roll is the mean of the others.

    Args:
        directions: (n, 3) of the bone at the hinge, in the frame of the carrier.
        axis: (3,) of the hinge in this frame.
    """
    x, y, z = directions.T
    along = x * axis[0] + z * axis[2]
    across = x * axis[2] - z * axis[0]
    size = np.hypot(along, across)
    middle = np.arctan2(across, along)
    half = np.arccos(np.clip(-y * axis[1] / np.maximum(size, 1e-12), -1.0, 1.0))
    candidates = so3.wrap_angle(np.stack([middle - half, middle + half]))  # (2, n)
    weight = size**2

    def choose(reference: float) -> Array:
        distance = np.abs(so3.wrap_angle(candidates - reference))
        return np.take_along_axis(candidates, distance.argmin(0)[None], 0)[0]

    first = choose(0.0)
    mean = float(np.angle((weight * np.exp(1j * first)).sum()))
    certainty = weight / (weight + np.sin(MIN_CERTAIN_BEND) ** 2)
    return np.asarray(mean + certainty * so3.wrap_angle(choose(mean) - mean))


def _turn_about_hinge(base: Array, directions: Array, axis: int) -> Array:
    """Return orientations (n, 3, 3) turned about one of their axes toward directions (n, 3)."""
    x, y, z = np.einsum("nji,nj->in", base, directions)
    if axis == 2:
        return np.asarray(base @ so3.rotation_about("z", np.arctan2(-x, y)))
    return np.asarray(base @ so3.rotation_about("x", np.arctan2(z, y)))
