"""Poses of a bone in many frames from its channels and its parent, and the reverse."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

Array = NDArray[np.float64]


def compute_poses(bone: bpy.types.Bone, bases: Array, parents: Array | None) -> Array:
    """Return the poses of a bone (n, 4, 4), without what its constraints do.

    Args:
        bases: its channels as matrices (n, 4, 4).
        parents: poses of its parent (n, 4, 4); None if it has none.
    """
    if not _is_plain(bone):
        return _convert(bone, bases, parents, inverse=False)
    return np.asarray(_compute_frames(bone, parents) @ bases)


def compute_bases(bone: bpy.types.Bone, poses: Array, parents: Array | None) -> Array:
    """Return the channels with which a bone has poses, the inverse of `compute_poses`."""
    if not _is_plain(bone):
        return _convert(bone, poses, parents, inverse=True)
    return np.asarray(np.linalg.inv(_compute_frames(bone, parents)) @ poses)


def _is_plain(bone: bpy.types.Bone) -> bool:
    """Return whether a bone moves rigidly with its parent."""
    return bool(
        bone.use_inherit_rotation and bone.use_local_location and bone.inherit_scale == "FULL"
    )


def _compute_frames(bone: bpy.types.Bone, parents: Array | None) -> Array:
    """Return the poses of a plain bone without channels, (n, 4, 4) or (4, 4)."""
    rest = np.array(bone.matrix_local)
    if parents is None:
        return rest
    assert bone.parent is not None
    return np.asarray(parents @ (np.linalg.inv(np.array(bone.parent.matrix_local)) @ rest))


def _convert(bone: bpy.types.Bone, matrices: Array, parents: Array | None, inverse: bool) -> Array:
    """Convert channels to poses, or back, as Blender does for the settings of the bone."""
    rest = bone.matrix_local
    if parents is None:
        return np.array(
            [
                bone.convert_local_to_pose(Matrix(matrix), rest, invert=inverse)
                for matrix in matrices.tolist()
            ]
        )
    assert bone.parent is not None
    parent_rest = bone.parent.matrix_local
    return np.array(
        [
            bone.convert_local_to_pose(
                Matrix(matrix),
                rest,
                parent_matrix=Matrix(parent),
                parent_matrix_local=parent_rest,
                invert=inverse,
            )
            for matrix, parent in zip(matrices.tolist(), parents.tolist(), strict=True)
        ]
    )
