"""A rig at rest outside the user's scene, on which its controls are posed."""

from __future__ import annotations

from collections.abc import Iterable, Set

import bpy

from ..animation.duplicate import ArmatureDuplicate
from ..references import ArmatureReference
from .control_rig import RigControls
from .dependencies import collect_evaluated_bones, find_free_controls
from .evaluation_order import EvaluationOrder, compute_evaluation_order
from .frozen_rig import freeze_rig
from .rest_pose import set_rest_pose


class RigStage:
    """A duplicate of a rig at rest with what its controls need: bones, constraints and drivers.

    It is created when it is needed, and created anew if undo or a file removed it.

    Args:
        armature: the rig.
        rig_controls: its controls, whose settings are applied.
        bones: bones to pose and to read.

    Attributes:
        bones: the bones that may affect those to pose and to read.
    """

    def __init__(
        self, armature: bpy.types.Object, rig_controls: RigControls, bones: Set[str]
    ) -> None:
        self._reference = ArmatureReference(armature)
        self._rig_controls = rig_controls
        self._wanted_bones = bones
        self.bones = collect_evaluated_bones(armature, bones) | {
            setting.bone for setting in rig_controls.settings
        }
        self._duplicate: ArmatureDuplicate | None = None

    def find_free_controls(self, controls: Set[str], planned_bones: Set[str]) -> set[str]:
        """Return the controls that can rotate without moving any planned bone, as hands can."""
        if not controls:
            return set()
        duplicate = ArmatureDuplicate(self._reference.find())
        try:
            set_rest_pose(duplicate.armature, self._rig_controls)
            return find_free_controls(duplicate, sorted(controls), planned_bones)
        finally:
            duplicate.remove()

    def provide(self) -> ArmatureDuplicate:
        """Return the duplicate.

        Raises:
            CharacterError: the rig was deleted.
        """
        if self._duplicate is None or not self._duplicate.is_present:
            self.remove()
            self._duplicate = ArmatureDuplicate(self._reference.find(), self.bones)
            set_rest_pose(self._duplicate.armature, self._rig_controls)
            self._duplicate.view_layer.update()
            freeze_rig(self._duplicate)
            self._duplicate.drop_bones(
                collect_evaluated_bones(self._duplicate.armature, self._wanted_bones)
            )
            self._duplicate.view_layer.update()
        return self._duplicate

    def compute_order(self, controls: Iterable[str]) -> EvaluationOrder:
        """Return the order in which controls of the duplicate are posed."""
        return compute_evaluation_order(self.provide().armature, controls)

    def remove(self) -> None:
        """Remove the duplicate; does nothing without one."""
        if self._duplicate is not None:
            self._duplicate.remove()
            self._duplicate = None
