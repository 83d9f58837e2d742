"""Bake of a motion: keys on the bones or the controls of a rig."""

from __future__ import annotations

from dataclasses import dataclass, field

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding, pose_bones
from ...core.errors import CharacterError
from ...core.motion import Motion
from ..animation.action_builder import ActionBuilder
from ..animation.channels import curves_of
from ..rigs.constraints import (
    ActiveConstraint,
    ConstraintReport,
    ExpectedPose,
    check_constraints,
    find_active_constraints,
)
from ..rigs.control_rig import ControlRig
from ..rigs.dependencies import collect_movers
from ..rigs.known_rigs import find_control_rig
from ..rigs.locks import make_lock_warnings
from .bone_filter import OBJECT, drop_unselected
from .contact_error import ContactPoints
from .control_rig import PlannedPoses, bake_controls
from .deform_bones import BoneBaker
from .destination import PlaybackState, assign_action, check_destination, create_action
from .key_reduction import reduce_keys
from .motion_placement import MotionPlacement
from .options import DEFAULT_OPTIONS, BakeOptions
from .other_channels import copy_unplanned_channels, has_plan_conflict
from .root_motion import compute_root_trajectory
from .surrounding_keys import SurroundingKeys

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BakeResult:
    """What a bake made.

    Args:
        action: the action with the keys.
        frame_count: number of baked frames.
        bone_count: number of bones with keys.
        warnings: reasons why the rig may deviate from the plan.
        remarks: other information for the user.
        playback_before: what the armature played before.
        slot: handle of the action's slot; "" without slots.
    """

    action: bpy.types.Action
    frame_count: int
    bone_count: int
    warnings: tuple[str, ...]
    remarks: tuple[str, ...]
    playback_before: PlaybackState
    slot: str = ""


def bake_motion(
    armature: bpy.types.Object,
    motion: Motion,
    binding: Binding,
    placement: MotionPlacement,
    options: BakeOptions = DEFAULT_OPTIONS,
) -> BakeResult:
    """Bake a motion onto an armature: by default into a new action with a key on every frame.

    If the bake fails, the armature plays what it played before.

    Raises:
        CharacterError: the armature lost a bone since the motion was requested, or the options do
            not fit it.
    """
    _check_bones(armature, binding)
    frames = placement.first_frame + np.arange(motion.frames, dtype=float)
    check_destination(armature, frames, options)
    contact_points = ContactPoints(
        armature,
        motion,
        binding,
        placement=placement.transform,
        root_motion=placement.rig_options.root_motion,
    )
    builder = create_action(armature, f"{armature.name} {motion.report.scenario}", options)
    bake = _Bake(armature, motion, binding, placement, options, frames, builder)
    try:
        return bake.run(contact_points)
    except BaseException:
        if bake.playback_before is not None:
            bake.playback_before.revert(armature)
        builder.discard()
        raise


def _check_bones(armature: bpy.types.Object, binding: Binding) -> None:
    """Raise a CharacterError if the armature has no bone of a name in the binding."""
    bones = armature.pose.bones
    missing = [name for name in (*binding.bones, *binding.rest_bones) if name not in bones]
    if missing:
        raise CharacterError(
            f"The armature {armature.name!r} no longer has the bone {missing[0]!r}. Detect the "
            "character again."
        )


@dataclass(frozen=True)
class _PlannedKeys:
    """Keys of the plan, on all bones and frames.

    Args:
        bone_count: number of bones with keys.
        warnings: reasons why the rig may deviate from the plan.
        constraints: constraints and drivers that act on these bones.
        expected: planned poses of the bones.
        free_bones: bones that may keep their rotation, such as hands.
        bone_by_control: deform bone by control; empty without a control rig.
        is_control_rig: whether controls have the keys instead of deform bones.
    """

    bone_count: int
    warnings: list[str]
    constraints: list[ActiveConstraint]
    expected: ExpectedPose
    free_bones: set[str] = field(default_factory=set)
    bone_by_control: dict[str, str] = field(default_factory=dict)
    is_control_rig: bool = False


@dataclass
class _Bake:
    """One bake of a motion into an action."""

    armature: bpy.types.Object
    motion: Motion
    binding: Binding
    placement: MotionPlacement
    options: BakeOptions
    frames: Array
    builder: ActionBuilder
    playback_before: PlaybackState | None = None  # once the armature plays the action

    def run(self, contact_points: ContactPoints) -> BakeResult:
        """Write the action, let the armature play it, and reduce its keys."""
        keys = self._add_planned_keys()
        drop_unselected(
            self.armature,
            self.builder,
            self.binding,
            motion=self.motion,
            options=self.options,
            bone_by_control=keys.bone_by_control,
        )
        moved_bones = self._find_moved_bones()
        surrounding = self._blend_ends(moved_bones, keys.free_bones)
        copied_bones = (
            copy_unplanned_channels(self.builder, self.armature, moved_bones, keys.free_bones)
            if self.options.into != "STRIP"
            else []
        )
        self.builder.write()
        playback_before = assign_action(
            self.armature, self.builder, surrounding.frames, self.options
        )
        self.playback_before = playback_before
        constraint_report = self._check_constraints(keys, surrounding)
        reduction_notes = reduce_keys(
            self.armature,
            self.builder,
            contact_points,
            surrounding=surrounding,
            options=self.options,
            bone_by_control=keys.bone_by_control,
        )
        remarks = (*constraint_report.remarks, *_describe_copied_bones(copied_bones))
        return BakeResult(
            self.builder.action,
            len(surrounding.frames),
            self._count_bones(keys),
            warnings=(*keys.warnings, *constraint_report.warnings, *playback_before.warnings),
            remarks=(*remarks, *reduction_notes),
            playback_before=playback_before,
            slot=self.builder.slot_handle,
        )

    def _add_planned_keys(self) -> _PlannedKeys:
        """Add the keys of all bones, and of the root motion, to the builder."""
        motion, rig_options = self.motion, self.placement.rig_options
        control_rig = find_control_rig(self.armature, self.binding)
        baker = BoneBaker(
            self.armature,
            self.binding,
            pose_bones(
                self.binding, motion.link_origin, motion.link_orientation, motion.toe_orientation
            ),
            placement=self.placement.transform,
            key_sink=self.builder,
            frames=self.frames,
        )
        warnings = []
        root_trajectory: Array | None = None
        if rig_options.root_motion != "BODY":
            trajectory = compute_root_trajectory(
                self.armature, motion, self.binding, self.placement.transform
            )
            warnings = baker.split_root_motion(trajectory, rig_options.root_motion, control_rig)
            root_trajectory = trajectory if rig_options.root_motion == "ROOT" else None
        if control_rig is None:
            return self._key_deform_bones(baker, root_trajectory, warnings)
        return self._key_controls(baker, control_rig, root_trajectory, warnings)

    def _key_deform_bones(
        self, baker: BoneBaker, root_trajectory: Array | None, warnings: list[str]
    ) -> _PlannedKeys:
        bone_count = baker.bake()
        return _PlannedKeys(
            bone_count,
            warnings + make_lock_warnings(baker.locked_bones),
            find_active_constraints(self.armature, baker.list_keyed_bones()),
            baker.to_expected_pose(self.placement.meters_per_unit, root_trajectory),
        )

    def _key_controls(
        self,
        baker: BoneBaker,
        control_rig: ControlRig,
        root_trajectory: Array | None,
        warnings: list[str],
    ) -> _PlannedKeys:
        use_leg_ik = self.placement.rig_options.use_leg_ik
        rig_controls = control_rig.fit_to(self.armature, use_leg_ik, self.binding.bones)
        control_bake = bake_controls(
            self.armature,
            rig_controls,
            self.binding,
            planned=PlannedPoses(baker.planned_orientations, baker.root_head, root_trajectory),
            builder=self.builder,
            frames=self.frames,
        )
        warnings = warnings + control_bake.warnings
        if use_leg_ik and not rig_controls.leg_bones:
            warnings.append(
                f"Footfall knows no legs by inverse kinematics of {control_rig.name} rigs like "
                f"{self.armature.name!r}; their joints were keyed"
            )
        return _PlannedKeys(
            len(control_bake.controls),
            warnings,
            find_active_constraints(self.armature, control_bake.controls),
            control_bake.to_expected_pose(self.binding, self.placement.meters_per_unit),
            free_bones=control_bake.free_bones,
            bone_by_control=control_bake.bone_by_control,
            is_control_rig=True,
        )

    def _find_moved_bones(self) -> set[str]:
        """Return the bones whose other keys would disturb the plan."""
        if self.options.bones != "ALL":
            return self.builder.find_bones()
        bones = (*self.binding.bones, *self.binding.rest_bones)
        return collect_movers(self.armature, bones) | {OBJECT}

    def _blend_ends(self, moved_bones: set[str], free_bones: set[str]) -> SurroundingKeys:
        """Blend the ends of the bake into the keys before and after it."""
        surrounding = SurroundingKeys(
            self.armature, curves_of(self.armature), self.options, self.frames
        )
        suppressed = [
            curve_id
            for curve_id, curve in surrounding.curves.items()
            if has_plan_conflict(curve, moved_bones, free_bones)
        ]
        surrounding.blend_ends(self.builder, suppressed)
        return surrounding

    def _check_constraints(
        self, keys: _PlannedKeys, surrounding: SurroundingKeys
    ) -> ConstraintReport:
        """Return what constraints do to the plan; nothing if the bake is only a part of it."""
        if not self.options.is_complete:
            return ConstraintReport()
        return check_constraints(
            self.armature,
            keys.constraints,
            keys.expected.select_frames(surrounding.in_range),
            frames=surrounding.frames,
            acts_on_other_bones=keys.is_control_rig,
        )

    def _count_bones(self, keys: _PlannedKeys) -> int:
        if self.options.bones == "ALL":
            return keys.bone_count
        return len(self.builder.find_bones() - {OBJECT})


def _describe_copied_bones(bones: list[str]) -> list[str]:
    if not bones:
        return []
    verb = "keep" if len(bones) > 1 else "keeps"
    return [f"{len(bones)} other bone{'s' if len(bones) > 1 else ''} {verb} the keys from before"]
