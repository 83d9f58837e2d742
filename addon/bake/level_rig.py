"""The part of a rig that the controls of a level depend on; it plays the controls before them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import bpy
import numpy as np
from numpy.typing import NDArray

from ..animation.action_builder import PendingKeys
from ..animation.duplicate import ArmatureDuplicate
from ..animation.rotations import get_channel_name, to_channels
from ..rigs.dependencies import collect_evaluated_bones
from ..rigs.stage import RigStage

Array = NDArray[np.float64]


class LevelRig:
    """A part of a rig that is evaluated frame by frame.

    Blender evaluates keys in about half the time that it takes to evaluate channels that a script
    has set, since it does not copy the rig for each frame then.

    Args:
        stage: the rig at rest.
        read_bones: bones whose poses are read.
        rotations: channels of the posed controls, as rotations (n, 3, 3) by control.
        positions: channels of the posed controls, as positions (n, 3) by control.

    Attributes:
        poses: poses of the bones that are read (n, 4, 4) by bone, filled by `evaluate`.
    """

    def __init__(
        self,
        stage: RigStage,
        read_bones: list[str],
        rotations: Mapping[str, Array],
        positions: Mapping[str, Array],
    ) -> None:
        self._stage = stage
        self._rotations = rotations
        self._positions = positions
        self._duplicate: ArmatureDuplicate | None = None
        self.poses: dict[str, Array] = {}
        self._read_bones = read_bones

    def evaluate(self) -> Iterator[None]:
        """Evaluate all frames and yield after each.

        The duplicate is created anew if undo or a file removed it meanwhile.
        """
        count = len(next(iter(self._rotations.values())))
        matrices = np.empty((count, len(self._read_bones), 4, 4), np.float32)
        try:
            for k in range(count):
                duplicate = self._provide()
                pose_bones = duplicate.armature.pose.bones
                if k == 0:
                    buffer = np.empty(16 * len(pose_bones), np.float32)
                    rows = [pose_bones.find(name) for name in self._read_bones]
                duplicate.scene.frame_current = k
                duplicate.view_layer.update()
                pose_bones.foreach_get("matrix", buffer)
                matrices[k] = buffer.reshape(-1, 4, 4)[rows].swapaxes(-1, -2)
                yield
        finally:
            self._remove()
        self.poses = {name: matrices[:, k].astype(float) for k, name in enumerate(self._read_bones)}

    def _provide(self) -> ArmatureDuplicate:
        if self._duplicate is None or not self._duplicate.is_present:
            self._remove()
            armature = self._stage.provide().armature
            kept_bones = collect_evaluated_bones(armature, self._read_bones)
            self._duplicate = ArmatureDuplicate(armature, kept_bones)
            self._duplicate.play(self._collect_keys(self._duplicate.armature))
        return self._duplicate

    def _collect_keys(self, armature: bpy.types.Object) -> PendingKeys:
        """Return keys of the posed controls that this part of the rig has."""
        keys = PendingKeys()
        for name, rotations in self._rotations.items():
            bone = armature.pose.bones.get(name)
            if bone is None:
                continue
            bone.scale = (1.0, 1.0, 1.0)
            path = f'pose.bones["{bpy.utils.escape_identifier(name)}"]'
            frames = np.arange(float(len(rotations)))
            mode = bone.rotation_mode
            keys.add(f"{path}.{get_channel_name(mode)}", name, frames, to_channels(rotations, mode))
            keys.add(f"{path}.location", name, frames, self._positions[name])
        return keys

    def _remove(self) -> None:
        if self._duplicate is not None:
            self._duplicate.remove()
            self._duplicate = None
