"""The way of a body over the ground, for rigs whose root bone or whose object shall go it, or that shall stay in place."""
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
from ..animation.action_builder import TakesKeys
from ..animation.rotations import channel_name, channels
from ..rigs.locks import hold, locked_keys, locked_places, locked_turns, told_locked

Array = NDArray[np.float64]

WAYS = ("BODY", "ROOT", "OBJECT", "PLACE")      # what carries the way: the body, the root bone, the object, nothing
SMOOTH = 0.25             # s, of the window that leaves a way without the sway and bounce of single steps
FLIGHT = 0.8              # s, within which one foot is on the ground at least, but in jumps


def way_of(armature: bpy.types.Object, motion: Motion, binding: Binding, placement: Array) -> Array:
    """Where the armature goes with the body, against where it rests: level, in the armature's space. (n, 4, 4).

    Under it the body stays about where it is at rest.

    Args:
        placement: (4, 4) from the armature's space to the motion's, of one scale.
    """
    bone = armature.data.bones[binding.bones[0]]
    rest = placement @ np.array(bone.matrix_local)
    facing = rest[:3, :3] / np.linalg.norm(rest[:3, :3], axis=0) @ binding.rotation[0].T
    start = np.eye(4)
    start[:3, :3] = so3.about("z", so3.yaw_of(facing))
    start[:2, 3] = (rest[:3, 3] - facing @ binding.root_offset)[:2]
    start[2, 3] = placement[2, 3]
    sigma = SMOOTH * motion.fps
    yaw = np.unwrap(so3.yaw_of(so3.quat_to_matrix(motion.link_orientation[:, 0])))
    lowest = motion.contact_position[..., 2].reshape(motion.frames, -1).min(1)
    ground = minimum_filter1d(lowest, 1 + 2 * int(FLIGHT * motion.fps / 2))
    smooth = _smooth(np.column_stack([motion.link_origin[:, 0, :2], ground, yaw]), sigma)
    way = np.tile(np.eye(4), (motion.frames, 1, 1))
    way[:, :3, :3] = so3.about("z", smooth[:, 3])
    way[:, :3, 3] = smooth[:, :3]
    out: Array = np.linalg.inv(placement) @ way @ np.linalg.inv(start) @ placement
    return out


def _smooth(values: Array, sigma: float) -> Array:
    """Values without what is quicker than a step; turned over at the ends, so that a way goes on there as it does inside."""
    pad = min(int(4 * sigma) + 1, len(values) - 1)
    padded = np.pad(values, ((pad, pad), (0, 0)), mode="reflect", reflect_type="odd")
    out: Array = gaussian_filter1d(padded, sigma, axis=0, mode="nearest")[pad:pad + len(values)]
    return out


def key_object(armature: bpy.types.Object, new: TakesKeys, frames: Array, way: Array) -> list[str]:
    """Key the object's own place and rotation along a way; returns what the user should know.

    Raises:
        CharacterError: the object is moved by more than its own channels.
    """
    if any(not c.mute for c in armature.constraints):
        raise CharacterError(f"The object {armature.name!r} has constraints, so it cannot carry the way by its own channels. Mute "
                             "them, or choose another Root Motion.")
    if armature.delta_location.length > 0 or armature.delta_rotation_euler.to_quaternion().angle > 1e-6:
        raise CharacterError(f"The object {armature.name!r} has delta transforms, so it cannot carry the way by its own channels. "
                             "Apply them with Ctrl+A, or choose another Root Motion.")
    now = armature.matrix_basis.copy()
    wished = [now @ Matrix(step.tolist()) for step in way]
    mode = armature.rotation_mode
    turns = np.array([np.array(m.to_3x3().normalized()) for m in wished])
    held = locked_turns(armature) if channel_name(mode) == "rotation_euler" else ()
    new.add("location", "Object Transforms", frames, np.array([m.translation for m in wished]), skip=locked_places(armature))
    new.add(channel_name(mode), "Object Transforms", frames, channels(turns, mode), skip=held)
    if held or locked_places(armature):
        return [f"locked channels of the object {armature.name!r} were left as they are and keep it from its way"]
    return []


def root_above(armature: bpy.types.Object, binding: Binding) -> bpy.types.Bone:
    """The bone on which all of a body hangs.

    Raises:
        CharacterError: there is none above the body's own.
    """
    above = armature.data.bones[binding.bones[0]].parent_recursive
    if not above:
        raise CharacterError(f"The armature {armature.name!r} has no root bone above {binding.bones[0]!r} that could carry the "
                             "way. Choose another Root Motion, or add one.")
    return above[-1]


def key_root(armature: bpy.types.Object, bone: bpy.types.Bone, new: TakesKeys, frames: Array, way: Array) -> list[str]:
    """Key a root bone along a way, from how it is posed now; returns what the user should know."""
    posed, rest = armature.pose.bones[bone.name], bone.matrix_local
    back, kept = rest.inverted(), posed.matrix_basis.copy()
    wished = [back @ Matrix(step.tolist()) @ rest @ kept for step in way]
    held = [hold(posed, m, kept) for m in wished]
    path, mode = f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"]', posed.rotation_mode
    places, turns = np.array([m.translation for m in held]), np.array([np.array(m.to_3x3()) for m in held])
    for channel, values in (("location", places), (channel_name(mode), channels(turns, mode))):
        new.add(f"{path}.{channel}", bone.name, frames, values, skip=locked_keys(posed, channel))
    return told_locked([bone.name] if locked_turns(posed) or locked_places(posed) else [])
