"""Bake of a motion: keys on the bones or the controls of a rig."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding
from ...core.errors import CharacterError
from ...core.motion import Motion
from ..animation.action_builder import ActionBuilder, CurveId
from ..animation.channels import curves_of
from ..animation.keyframes import Keys
from ..references import ArmatureReference
from ..rigs.constraints import (
    ConstraintReport,
    check_constraints,
)
from ..rigs.dependencies import collect_movers
from ..rigs.rest_pose import read_rest_matrices
from .bone_filter import OBJECT, drop_unselected, find_foot_bones
from .contact_error import BoneContactPoints
from .destination import PlaybackState, assign_action, check_destination, create_action
from .key_reduction import ReducedKeys, reduce_keys
from .motion_placement import MotionPlacement
from .options import DEFAULT_OPTIONS, BakeOptions
from .other_channels import (
    copy_unplanned_channels,
    describe_replaced_tails,
    has_plan_conflict,
)
from .planned_keys import KeyPlanner, PlannedKeys
from .skin_check import check_skin
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
    bake.collect_keys()
    for _ in bake.reduce_keys():
        pass
    result = bake.finish(options)
    bpy.context.view_layer.update()
    return result


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
class _CollectedKeys:
    """The pending keys, and what is around them.

    Args:
        planned_keys: keys of the plan.
        moved_bones: bones whose other keys would disturb the plan.
        surrounding: existing keys before and after.
        contact_points: contact points of the motion.
        remarks: what the keys replace, for the user.
    """

    planned_keys: PlannedKeys
    moved_bones: set[str]
    surrounding: SurroundingKeys
    contact_points: BoneContactPoints
    remarks: tuple[str, ...]


class MotionBake:
    """One bake of a motion, in parts that are called in turn: `solve`, `collect_keys`,
    `reduce_keys` and `finish`.

    All but the last leave everything as it is. The two that take long pause at every `yield`, and
    the file may change meanwhile: they hold names instead of references.

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
        self._planner = KeyPlanner(
            armature, motion, binding, placement=placement, frames=self._frames
        )
        self._pending_keys = self._planner.pending_keys
        self._collected: _CollectedKeys | None = None
        self._constraint_report = ConstraintReport()
        self._skin_warnings: list[str] = []
        self._reduced_keys = ReducedKeys({}, ())

    def solve(self) -> Iterator[float]:
        """Solve for the channels of the controls; yield the completed share after each frame.

        Raises:
            CharacterError: the armature was deleted meanwhile.
        """
        yield from self._planner.solve()

    def collect_keys(self) -> None:
        """Collect the keys of all frames, with blends into what the armature plays.

        Raises:
            CharacterError: the armature was changed or deleted meanwhile, or gets no keys.
        """
        armature = self._find_unchanged_armature()
        planned_keys = self._planner.add_keys(armature)
        drop_unselected(
            armature,
            self._pending_keys,
            self._binding,
            motion=self._motion,
            options=self._options,
            bone_by_control=planned_keys.bone_by_control,
        )
        moved_bones = self._find_moved_bones(armature)
        self._collected = _CollectedKeys(
            planned_keys,
            moved_bones,
            self._blend_ends(armature, moved_bones, planned_keys.free_bones),
            BoneContactPoints(
                armature,
                self._motion,
                self._binding,
                placement=self._placement.transform,
                root_motion=self._placement.rig_options.root_motion,
            ),
            tuple(
                describe_replaced_tails(armature, self._binding, self._pending_keys.find_bones())
            ),
        )

    def reduce_keys(self) -> Iterator[float]:
        """Reduce the keys as the options say; yield a completed share from time to time.

        Raises:
            CharacterError: the armature was deleted meanwhile.
        """
        armature = self._reference.find()
        collected = self._get_collected()
        self._constraint_report = self._check_constraints(armature, collected)
        if self._options.is_complete:
            self._skin_warnings = check_skin(
                armature,
                find_foot_bones(self._binding, self._motion),
                collected.surrounding.frames,
                self._pending_keys,
            )
        self._reduced_keys = yield from reduce_keys(
            armature,
            self._pending_keys,
            collected.contact_points,
            surrounding=collected.surrounding,
            options=self._options,
            bone_by_control=collected.planned_keys.bone_by_control,
        )

    def finish(self, options: BakeOptions) -> BakeResult:
        """Write the action and let the armature play it, from Blender's next evaluation on.

        The caller evaluates the scene, which takes long in a crowd. If this fails, the armature
        plays what it played before.

        Args:
            options: options with the destination.

        Raises:
            CharacterError: the armature was changed or deleted meanwhile.
        """
        armature = self._find_unchanged_armature()
        check_destination(armature, self._frames, options)
        collected = self._get_collected()
        builder = create_action(
            armature,
            f"{armature.name} {self._motion.report.scenario}",
            self._pending_keys,
            options=options,
        )
        playback_before = None
        try:
            copied_bones = (
                copy_unplanned_channels(
                    builder, armature, collected.moved_bones, collected.planned_keys.free_bones
                )
                if options.into != "STRIP"
                else []
            )
            builder.write(self._reduced_keys.keys)
            playback_before = assign_action(
                armature, builder, collected.surrounding.frames, options
            )
        except BaseException:
            if playback_before is not None:
                playback_before.revert(armature)
            builder.discard()
            raise
        return self._make_result(builder, playback_before, copied_bones)

    def build_keys(self) -> dict[CurveId, Keys]:
        """Return the keys without an action for them, as Blender holds them.

        Raises:
            CharacterError: the armature was changed or deleted meanwhile.
        """
        armature = self._find_unchanged_armature()
        builder = ActionBuilder(armature, "Footfall", self._pending_keys)
        try:
            builder.write(self._reduced_keys.keys)
            return builder.read_keys()
        finally:
            builder.discard()

    @property
    def warnings(self) -> tuple[str, ...]:
        """Reasons why the rig may deviate from the plan."""
        return (
            *self._get_collected().planned_keys.warnings,
            *self._constraint_report.warnings,
            *self._skin_warnings,
        )

    def _make_result(
        self, builder: ActionBuilder, playback_before: PlaybackState, copied_bones: list[str]
    ) -> BakeResult:
        collected = self._get_collected()
        report = self._constraint_report
        return BakeResult(
            builder.action,
            len(collected.surrounding.frames),
            self._count_bones(collected.planned_keys),
            warnings=(*self.warnings, *playback_before.warnings),
            remarks=(
                *report.remarks,
                *collected.planned_keys.remarks,
                *collected.remarks,
                *_describe_copied_bones(copied_bones),
                *self._reduced_keys.remarks,
            ),
            playback_before=playback_before,
            slot=builder.slot_handle,
        )

    def _get_collected(self) -> _CollectedKeys:
        assert self._collected is not None, "collect_keys comes first"
        return self._collected

    def _find_unchanged_armature(self) -> bpy.types.Object:
        """Return the armature.

        Raises:
            CharacterError: it was deleted, or its bones were edited.
        """
        armature = self._reference.find()
        _check_bones(armature, self._binding)
        if not self._has_same_rest(armature):
            raise CharacterError(
                f"The bones of {armature.name!r} were edited while the motion was baked. Generate "
                "the motion again."
            )
        return armature

    def _has_same_rest(self, armature: bpy.types.Object) -> bool:
        """Return whether the bones lie at rest as they did at first."""
        rest_matrices = read_rest_matrices(armature)
        return rest_matrices.keys() == self._rest_matrices.keys() and all(
            np.array_equal(matrix, self._rest_matrices[name])
            for name, matrix in rest_matrices.items()
        )

    def _find_moved_bones(self, armature: bpy.types.Object) -> set[str]:
        """Return the bones whose other keys would disturb the plan."""
        if self._options.bones != "ALL":
            return self._pending_keys.find_bones()
        bones = (*self._binding.bones, *self._binding.rest_bones)
        return collect_movers(armature, bones) | {OBJECT}

    def _blend_ends(
        self, armature: bpy.types.Object, moved_bones: set[str], free_bones: set[str]
    ) -> SurroundingKeys:
        """Blend the ends of the bake into the keys before and after it."""
        surrounding = SurroundingKeys(armature, curves_of(armature), self._options, self._frames)
        suppressed = [
            curve_id
            for curve_id, curve in surrounding.curves.items()
            if has_plan_conflict(curve, moved_bones, free_bones)
        ]
        surrounding.blend_ends(self._pending_keys, suppressed)
        return surrounding

    def _check_constraints(
        self, armature: bpy.types.Object, collected: _CollectedKeys
    ) -> ConstraintReport:
        """Return what constraints do to the plan; nothing if the bake is only a part of it."""
        if not self._options.is_complete:
            return ConstraintReport()
        keys = collected.planned_keys
        surrounding = collected.surrounding
        return check_constraints(
            armature,
            keys.constraints,
            keys.expected.select_frames(surrounding.in_range),
            frames=surrounding.frames,
            pending_keys=self._pending_keys,
            acts_on_other_bones=keys.is_control_rig,
        )

    def _count_bones(self, keys: PlannedKeys) -> int:
        if self._options.bones == "ALL":
            return keys.bone_count
        return len(self._pending_keys.find_bones() - {OBJECT})


def _describe_copied_bones(bones: list[str]) -> list[str]:
    if not bones:
        return []
    verb = "keep" if len(bones) > 1 else "keeps"
    return [f"{len(bones)} other bone{'s' if len(bones) > 1 else ''} {verb} the keys from before"]
