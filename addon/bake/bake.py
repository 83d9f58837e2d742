"""Bake of a motion: keys on the bones or the controls of a rig."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding, pose_bones
from ...core.errors import CharacterError
from ...core.motion import Motion
from ..animation.action_builder import ActionBuilder, PendingKeys
from ..animation.channels import curves_of
from ..animation.duplicate import ArmatureReference
from ..rigs.constraints import (
    ActiveConstraint,
    ConstraintReport,
    ExpectedPose,
    check_constraints,
    find_active_constraints,
)
from ..rigs.dependencies import collect_movers
from ..rigs.known_rigs import find_control_rig
from ..rigs.locks import make_lock_warnings
from ..rigs.rest_pose import read_rest_matrices
from .bone_filter import OBJECT, drop_unselected
from .contact_error import ContactPoints
from .control_rig import ControlBaker, PlannedPoses
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
    bake = MotionBake(armature, motion, binding, placement=placement, options=options)
    for _ in bake.solve():
        pass
    return bake.finish()


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


class MotionBake:
    """One bake of a motion, in parts: what takes long, `solve`, leaves everything as it is and can
    be interrupted; `finish` makes the action.

    Raises:
        CharacterError: the armature lost a bone since the motion was requested, or the options do
            not fit it.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        motion: Motion,
        binding: Binding,
        placement: MotionPlacement,
        options: BakeOptions,
    ) -> None:
        _check_bones(armature, binding)
        self._reference = ArmatureReference(armature)
        self._motion = motion
        self._binding = binding
        self._placement = placement
        self._options = options
        self._frames = placement.first_frame + np.arange(motion.frames, dtype=float)
        check_destination(armature, self._frames, options)
        self._rest_matrices = read_rest_matrices(armature)
        self._pending_keys = PendingKeys()
        self._warnings: list[str] = []
        self._root_trajectory: Array | None = None
        self._bone_baker = self._make_bone_baker(armature)
        self._control_baker = self._make_control_baker(armature)

    def solve(self) -> Iterator[float]:
        """Solve for the keys; yield the completed share from time to time.

        Raises:
            CharacterError: the armature was deleted meanwhile.
        """
        if self._control_baker is not None:
            yield from self._control_baker.solve()

    def finish(self) -> BakeResult:
        """Write the action, let the armature play it, and reduce its keys.

        If this fails, the armature plays what it played before.

        Raises:
            CharacterError: the armature was changed or deleted meanwhile.
        """
        armature = self._reference.find()
        _check_bones(armature, self._binding)
        check_destination(armature, self._frames, self._options)
        if not self._has_same_rest(armature):
            raise CharacterError(
                f"The bones of {armature.name!r} were edited while the motion was baked. Generate "
                "the motion again."
            )
        keys = self._add_planned_keys(armature)
        builder = create_action(
            armature,
            f"{armature.name} {self._motion.report.scenario}",
            self._pending_keys,
            options=self._options,
        )
        writer = _ActionWriter(
            armature,
            self._motion,
            self._binding,
            placement=self._placement,
            options=self._options,
            frames=self._frames,
            builder=builder,
        )
        try:
            return writer.run(keys)
        except BaseException:
            if writer.playback_before is not None:
                writer.playback_before.revert(armature)
            builder.discard()
            raise

    def _has_same_rest(self, armature: bpy.types.Object) -> bool:
        """Return whether the bones lie at rest as they did at first."""
        rest_matrices = read_rest_matrices(armature)
        return rest_matrices.keys() == self._rest_matrices.keys() and all(
            np.array_equal(matrix, self._rest_matrices[name])
            for name, matrix in rest_matrices.items()
        )

    def _make_bone_baker(self, armature: bpy.types.Object) -> BoneBaker:
        motion = self._motion
        return BoneBaker(
            armature,
            self._binding,
            pose_bones(
                self._binding, motion.link_origin, motion.link_orientation, motion.toe_orientation
            ),
            placement=self._placement.transform,
            key_sink=self._pending_keys,
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

    def _add_planned_keys(self, armature: bpy.types.Object) -> _PlannedKeys:
        """Add the keys of all bones to the pending ones."""
        meters_per_unit = self._placement.meters_per_unit
        if self._control_baker is None:
            baker = self._bone_baker
            bone_count = baker.bake()
            return _PlannedKeys(
                bone_count,
                self._warnings + make_lock_warnings(baker.locked_bones),
                find_active_constraints(armature, baker.list_keyed_bones()),
                baker.to_expected_pose(meters_per_unit, self._root_trajectory),
            )
        control_bake = self._control_baker.add_keys(armature, self._pending_keys)
        return _PlannedKeys(
            len(control_bake.controls),
            self._warnings + control_bake.warnings,
            find_active_constraints(armature, control_bake.controls),
            control_bake.to_expected_pose(self._binding, meters_per_unit),
            free_bones=control_bake.free_bones,
            bone_by_control=control_bake.bone_by_control,
            is_control_rig=True,
        )


@dataclass
class _ActionWriter:
    """Action of a bake: its keys are written, blended into what was there, played and reduced."""

    armature: bpy.types.Object
    motion: Motion
    binding: Binding
    placement: MotionPlacement
    options: BakeOptions
    frames: Array
    builder: ActionBuilder
    playback_before: PlaybackState | None = None  # once the armature plays the action

    def run(self, keys: _PlannedKeys) -> BakeResult:
        """Write the action, let the armature play it, and reduce its keys."""
        contact_points = self._make_contact_points()
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

    def _make_contact_points(self) -> ContactPoints:
        return ContactPoints(
            self.armature,
            self.motion,
            self.binding,
            placement=self.placement.transform,
            root_motion=self.placement.rig_options.root_motion,
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
