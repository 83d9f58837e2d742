"""Keys of a plan on all bones and frames of an armature, plain or with controls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding, pose_bones
from ...core.character.from_rig.dragged_tail import drag_tails
from ...core.motion import Motion
from ..animation.action_builder import PendingKeys
from ..rigs.constraints import (
    ActiveConstraint,
    ExpectedPose,
    describe_switched_off,
    find_active_constraints,
    find_body_constraints,
)
from ..rigs.known_rigs import find_control_rig
from ..rigs.locks import make_lock_warnings
from .control_rig import ControlBaker, PlannedPoses
from .deform_bones import BoneBaker
from .motion_placement import MotionPlacement
from .root_motion import compute_root_trajectory

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PlannedKeys:
    """Keys of the plan, on all bones and frames.

    Args:
        bone_count: number of bones with keys.
        warnings: reasons why the rig may deviate from the plan.
        constraints: constraints and drivers that act on these bones, without those keyed off.
        expected: planned poses of the bones.
        free_bones: bones that may keep their rotation, such as hands.
        bone_by_control: deform bone by control; empty without a control rig.
        is_control_rig: whether controls have the keys instead of deform bones.
        remarks: what else the keys change, for the user.
    """

    bone_count: int
    warnings: list[str]
    constraints: list[ActiveConstraint]
    expected: ExpectedPose
    free_bones: set[str] = field(default_factory=set)
    bone_by_control: dict[str, str] = field(default_factory=dict)
    is_control_rig: bool = False
    remarks: list[str] = field(default_factory=list)


class KeyPlanner:
    """Planner of the keys of a motion. What takes long, `solve`, pauses at every `yield`.

    Args:
        armature: armature that gets the keys.
        motion: the motion.
        binding: relation of links to bones.
        placement: how the motion lies on the rig.
        frames: frames of the scene (n,).

    Raises:
        CharacterError: the options do not fit the armature.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        motion: Motion,
        binding: Binding,
        placement: MotionPlacement,
        frames: Array,
    ) -> None:
        self.pending_keys = PendingKeys()
        self._motion = motion
        self._binding = binding
        self._placement = placement
        self._frames = frames
        self._warnings: list[str] = []
        self._root_trajectory: Array | None = None
        self._bone_baker = self._make_bone_baker(armature)
        self._control_baker = self._make_control_baker(armature)

    def solve(self) -> Iterator[float]:
        """Solve for the channels of the controls; yield the completed share after each frame.

        Raises:
            CharacterError: the armature was deleted meanwhile.
        """
        if self._control_baker is not None:
            yield from self._control_baker.solve()

    def _make_bone_baker(self, armature: bpy.types.Object) -> BoneBaker:
        motion = self._motion
        return BoneBaker(
            armature,
            self._binding,
            drag_tails(
                pose_bones(
                    self._binding,
                    motion.link_origin,
                    motion.link_orientation,
                    motion.toe_orientation,
                ),
                self._binding,
                motion.link_origin[:, 0],
                orientation=motion.link_orientation[:, 0],
                ground=self._placement.ground,
            ),
            placement=self._placement.transform,
            key_sink=self.pending_keys,
            frames=self._frames,
        )

    def _make_control_baker(self, armature: bpy.types.Object) -> ControlBaker | None:
        """Key the root motion, and return the baker of the controls; None without a control rig."""
        rig_options = self._placement.rig_options
        control_rig = find_control_rig(armature, self._binding)
        if rig_options.root_motion != "BODY":
            trajectory = compute_root_trajectory(
                armature, self._motion, self._binding, self._placement.transform
            )
            self._warnings = self._bone_baker.split_root_motion(
                trajectory, rig_options.root_motion, control_rig
            )
            self._root_trajectory = trajectory if rig_options.root_motion == "ROOT" else None
        if control_rig is None:
            return None
        use_leg_ik = rig_options.use_leg_ik
        rig_controls = control_rig.fit_to(armature, use_leg_ik, self._binding.bones)
        if use_leg_ik and not rig_controls.leg_bones:
            self._warnings.append(
                f"Footfall knows no legs by inverse kinematics of {control_rig.name} rigs like "
                f"{armature.name!r}; their joints were keyed"
            )
        return ControlBaker(
            armature,
            rig_controls,
            self._binding,
            planned=PlannedPoses(
                self._bone_baker.planned_orientations,
                self._bone_baker.root_head,
                self._root_trajectory,
            ),
            frames=self._frames,
        )

    def add_keys(self, armature: bpy.types.Object) -> PlannedKeys:
        """Add the keys of all bones to the pending ones."""
        meters_per_unit = self._placement.meters_per_unit
        if self._control_baker is None:
            baker = self._bone_baker
            bone_count = baker.bake()
            constraints = find_body_constraints(armature, self._binding)
            for constraint in constraints:
                if constraint.off_setting is not None:
                    constraint.off_setting.add_key(self.pending_keys, float(self._frames[0]))
            return PlannedKeys(
                bone_count,
                self._warnings + make_lock_warnings(baker.locked_bones),
                [constraint for constraint in constraints if constraint.off_setting is None],
                baker.to_expected_pose(meters_per_unit, self._root_trajectory),
                remarks=describe_switched_off(constraints),
            )
        control_bake = self._control_baker.add_keys(armature, self.pending_keys)
        return PlannedKeys(
            len(control_bake.controls),
            self._warnings + control_bake.warnings,
            find_active_constraints(armature, control_bake.controls),
            control_bake.to_expected_pose(self._binding, meters_per_unit),
            free_bones=control_bake.free_bones,
            bone_by_control=control_bake.bone_by_control,
            is_control_rig=True,
        )
