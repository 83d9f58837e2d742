"""Motion over the ground of a root bone or an object below the body, or motion in place."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, minimum_filter1d

from ...core.character.from_rig.binding import Binding
from ...core.errors import CharacterError
from ...core.geometry import so3
from ...core.motion import Motion
from ..animation.action_builder import KeySink
from ..animation.rotations import get_channel_name, to_channels
from ..rigs.locks import (
    apply_locks,
    get_channel_locks,
    get_location_locks,
    get_rotation_locks,
    make_lock_warnings,
)

Array = NDArray[np.float64]

# What moves over the ground: the body, the root bone, the object, nothing
ROOT_MOTION_MODES = ("BODY", "ROOT", "OBJECT", "PLACE")
# Standard deviation of the filter that removes the sway and bounce of single steps [s]. In strides
# of 1 s it leaves 29 % of the sway, once a stride, and 1 % of the bounce, twice.
SMOOTHING_TIME = 0.25
# Duration within which at least one foot touches the ground, except in jumps [s]: a stride of a
# human run, in which both feet do
GROUND_WINDOW_TIME = 0.8


def compute_root_trajectory(
    armature: bpy.types.Object, motion: Motion, binding: Binding, placement: Array
) -> Array:
    """Return level transforms of the armature below the body, relative to its rest, in its space,
    (n, 4, 4).

    Relative to them the body stays about where it is at rest.

    Args:
        placement: transform from the armature to the motion (4, 4), with uniform scale.
    """
    bone = armature.data.bones[binding.bones[0]]
    rest_matrix = placement @ np.array(bone.matrix_local)
    orientation = (
        rest_matrix[:3, :3] / np.linalg.norm(rest_matrix[:3, :3], axis=0) @ binding.rotation[0].T
    )
    start = np.eye(4)
    start[:3, :3] = so3.rotation_about("z", so3.yaw_from_matrix(orientation))
    start[:2, 3] = (rest_matrix[:3, 3] - orientation @ binding.root_offset)[:2]
    start[2, 3] = placement[2, 3]
    sigma = SMOOTHING_TIME * motion.fps
    yaw = np.unwrap(so3.yaw_from_matrix(so3.quat_to_matrix(motion.link_orientation[:, 0])))
    lowest_contact = motion.contact_position[..., 2].reshape(motion.frames, -1).min(1)
    ground_height = minimum_filter1d(
        lowest_contact, 1 + 2 * int(GROUND_WINDOW_TIME * motion.fps / 2)
    )
    smoothed = _smooth_values(
        np.column_stack([motion.link_origin[:, 0, :2], ground_height, yaw]), sigma
    )
    world_trajectory = np.tile(np.eye(4), (motion.frames, 1, 1))
    world_trajectory[:, :3, :3] = so3.rotation_about("z", smoothed[:, 3])
    world_trajectory[:, :3, 3] = smoothed[:, :3]
    trajectory: Array = (
        np.linalg.inv(placement) @ world_trajectory @ np.linalg.inv(start) @ placement
    )
    return trajectory


def _smooth_values(values: Array, sigma: float) -> Array:
    """Return values (n, k) without changes faster than a step, extrapolated by point reflection at
    the ends.
    """
    pad_length = min(int(4 * sigma) + 1, len(values) - 1)
    padded = np.pad(values, ((pad_length, pad_length), (0, 0)), mode="reflect", reflect_type="odd")
    smoothed: Array = gaussian_filter1d(padded, sigma, axis=0, mode="nearest")[
        pad_length : pad_length + len(values)
    ]
    return smoothed


def key_object(
    armature: bpy.types.Object, key_sink: KeySink, frames: Array, root_trajectory: Array
) -> list[str]:
    """Key location and rotation of the object along a trajectory, and return warnings for the user.

    Raises:
        CharacterError: constraints or delta transforms also move the object.
    """
    if any(not c.mute for c in armature.constraints):
        raise CharacterError(
            f"The object {armature.name!r} has constraints, so it cannot move over the ground by "
            "keys. Mute them, or choose another Root Motion."
        )
    if (
        armature.delta_location.length > 0
        or armature.delta_rotation_euler.to_quaternion().angle > 1e-6
    ):
        raise CharacterError(
            f"The object {armature.name!r} has delta transforms, so it cannot move over the ground "
            "by keys. Apply them with Ctrl+A, or choose another Root Motion."
        )
    current = armature.matrix_basis.copy()
    targets = [current @ Matrix(step.tolist()) for step in root_trajectory]
    mode = armature.rotation_mode
    rotations = np.array([np.array(m.to_3x3().normalized()) for m in targets])
    locked_axes = get_rotation_locks(armature) if get_channel_name(mode) == "rotation_euler" else ()
    key_sink.add(
        "location",
        "Object Transforms",
        frames,
        np.array([m.translation for m in targets]),
        skip=get_location_locks(armature),
    )
    key_sink.add(
        get_channel_name(mode),
        "Object Transforms",
        frames,
        to_channels(rotations, mode),
        skip=locked_axes,
    )
    if locked_axes or get_location_locks(armature):
        return [
            (
                f"locked channels of the object {armature.name!r} were left unchanged and keep it "
                "from the plan"
            )
        ]
    return []


def find_root_bone(armature: bpy.types.Object, binding: Binding) -> bpy.types.Bone:
    """Return the topmost parent of the body's bones.

    Raises:
        CharacterError: the root of the body has no parent.
    """
    ancestors = armature.data.bones[binding.bones[0]].parent_recursive
    if not ancestors:
        raise CharacterError(
            f"The armature {armature.name!r} has no root bone above {binding.bones[0]!r} that "
            "could move over the ground. Choose another Root Motion, or add one."
        )
    return ancestors[-1]


def key_root(
    armature: bpy.types.Object,
    bone: bpy.types.Bone,
    key_sink: KeySink,
    frames: Array,
    root_trajectory: Array,
) -> list[str]:
    """Key a root bone along a trajectory from its current pose, and return warnings for the
    user.
    """
    pose_bone = armature.pose.bones[bone.name]
    rest = bone.matrix_local
    rest_inverse = rest.inverted()
    initial_basis = pose_bone.matrix_basis.copy()
    targets = [
        rest_inverse @ Matrix(step.tolist()) @ rest @ initial_basis for step in root_trajectory
    ]
    locked_targets = [apply_locks(pose_bone, m, initial_basis) for m in targets]
    path = f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"]'
    mode = pose_bone.rotation_mode
    locations = np.array([m.translation for m in locked_targets])
    rotations = np.array([np.array(m.to_3x3()) for m in locked_targets])
    for channel, values in (
        ("location", locations),
        (get_channel_name(mode), to_channels(rotations, mode)),
    ):
        key_sink.add(
            f"{path}.{channel}",
            bone.name,
            frames,
            values,
            skip=get_channel_locks(pose_bone, channel),
        )
    return make_lock_warnings(
        [bone.name] if get_rotation_locks(pose_bone) or get_location_locks(pose_bone) else []
    )
