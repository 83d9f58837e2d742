"""Rest pose of an armature without its animation."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from .control_rig import RigControls
from .locks import compute_rest_basis


def read_rest_matrices(armature: bpy.types.Object) -> dict[str, NDArray[np.float64]]:
    """Return the matrices of all bones at rest (4, 4)."""
    return {bone.name: np.array(bone.matrix_local) for bone in armature.data.bones}


def set_rest_pose(armature: bpy.types.Object, rig_controls: RigControls) -> None:
    """Put a duplicate of a rig at rest, except for locked channels, with the settings of its
    controls applied and no animation.
    """
    data = armature.animation_data
    if data:
        data.action = None
        data.use_nla = False
    for bone in armature.pose.bones:
        bone.matrix_basis = compute_rest_basis(bone)
    for setting in rig_controls.settings:
        setting.set(armature, setting.value)
    armature.update_tag()
