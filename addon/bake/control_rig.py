"""Keys on the controls of a rig that make its deform bones follow a motion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding
from ...core.errors import CharacterError
from ..animation.action_builder import KeySink
from ..animation.rotations import get_channel_name, to_channels
from ..rigs.constraints import ExpectedPose
from ..rigs.control_rig import RigControls
from ..rigs.deform_poses import DeformPoses, propagate_poses
from ..rigs.dependencies import collect_movers
from ..rigs.fingerprint import compute_rig_fingerprint
from ..rigs.locks import get_channel_locks
from ..rigs.stage import RigStage
from .control_solver import ControlSolver, is_rotated
from .control_targets import ControlTargets
from .stored_plan import MAX_CACHED_PLANS

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ControlBake:
    """Result of a bake onto controls.

    Args:
        controls: controls with keys.
        warnings: reasons why the rig may deviate from the plan.
        free_bones: controls that may keep any rotation.
        deform_poses: planned poses of the deform bones.
        bone_by_control: deform bone of each control.
    """

    controls: tuple[str, ...]
    warnings: list[str]
    free_bones: set[str]
    deform_poses: DeformPoses
    bone_by_control: dict[str, str]

    def to_expected_pose(self, binding: Binding, meters_per_unit: float) -> ExpectedPose:
        """Return the planned poses of the bones of the binding.

        Args:
            meters_per_unit: length of a unit of the armature [m].
        """
        orientations, heads = (
            {name: values[name] for name in binding.bones}
            for values in (self.deform_poses.orientations, self.deform_poses.heads)
        )
        return ExpectedPose(orientations, heads, meters_per_unit, axis_only=True)


@dataclass(frozen=True)
class PlannedPoses:
    """Planned poses in the space of the armature.

    Args:
        orientations: orientations by deform bone, (n, 3, 3) each.
        root_head: positions of the head of the root bone (n, 3).
        root_trajectory: transforms of the rig's root (n, 4, 4); None if it stays at rest.
    """

    orientations: dict[str, Array]
    root_head: Array
    root_trajectory: Array | None = None


@dataclass(frozen=True)
class _SolvedBake:
    """The solved channels of a bake, whose frames the next bake of the rig may take.

    Args:
        fingerprint: digest of the rig.
        solver: the solved frames.
        end_controls: controls that rotate bones without a plan.
        free_bones: those of them that may keep any rotation.
    """

    fingerprint: str
    solver: ControlSolver
    end_controls: set[str]
    free_bones: set[str]


_solved_bakes: dict[str, _SolvedBake] = {}  # by name of the armature


class ControlBaker:
    """Bake onto the controls of a rig.

    Constraints and drivers of the rig place a control, so the rig is posed and evaluated, level by
    level, on duplicates.

    Args:
        armature: the rig.
        rig_controls: its controls.
        binding: relation of links to bones.
        planned: planned poses.
        frames: frames of the scene (n,).

    Raises:
        CharacterError: the rig has no control for a planned bone, or a leg bends in the opposite
            direction than at rest.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        rig_controls: RigControls,
        binding: Binding,
        planned: PlannedPoses,
        frames: Array,
    ) -> None:
        _check_controls(armature, rig_controls, binding)
        self._rig_controls = rig_controls
        self._frames = frames
        self._targets = ControlTargets(
            armature,
            rig_controls,
            binding,
            deform_poses=propagate_poses(
                armature, binding, planned.orientations, planned.root_head
            ),
            root_trajectory=planned.root_trajectory,
        )
        self._targets.check_knee_direction()
        self._solver = ControlSolver(self._targets, len(frames))
        self._stage = RigStage(armature, rig_controls, self._targets.list_bones())
        self._free_bones: set[str] = set()
        self._key = armature.name_full
        self._fingerprint = compute_rig_fingerprint(
            armature, self._stage.bones, rig_controls.settings
        )

    def solve(self) -> Iterator[float]:
        """Solve for the channels of the controls and yield the share after each evaluation.

        Frames of the last bake with the same poses are not solved again.

        Raises:
            CharacterError: the rig was deleted meanwhile.
        """
        previous = _solved_bakes.get(self._key)
        if previous is not None and previous.fingerprint == self._fingerprint:
            self._solver.reuse(previous.solver)
        try:
            yield from self._solver.solve(self._stage)
            yield 1.0
            end_controls = set(self._solver.find_end_controls())
            self._free_bones = (
                previous.free_bones
                if previous is not None
                and previous.fingerprint == self._fingerprint
                and previous.end_controls == end_controls
                else self._stage.find_free_controls(end_controls, self._targets.planned_bones)
            )
        finally:
            self._stage.remove()
        _solved_bakes.pop(self._key, None)
        while len(_solved_bakes) >= MAX_CACHED_PLANS:
            del _solved_bakes[next(iter(_solved_bakes))]
        _solved_bakes[self._key] = _SolvedBake(
            self._fingerprint, self._solver, end_controls, self._free_bones
        )

    def add_keys(self, armature: bpy.types.Object, key_sink: KeySink) -> ControlBake:
        """Add the keys of the solved channels.

        Args:
            armature: the rig, in its current pose.
            key_sink: receiver of the keys.
        """
        solver = self._solver
        moved_links = solver.find_moved_links()
        bone_by_control = {link.control: link.bone for link in moved_links}
        for link in moved_links:
            rotations = solver.channels.rotations[link.control]
            _key_control(
                armature.pose.bones[link.control],
                key_sink,
                self._frames,
                rotations=rotations,
                positions=solver.get_positions(link.control),
                needs_rotation=link.drives_rotation or is_rotated(rotations),
            )
        for setting in self._rig_controls.settings:
            setting.add_key(key_sink, float(self._frames[0]))
        _key_others(
            armature,
            key_sink,
            self._frames,
            other_bones=collect_movers(armature, self._targets.planned_bones)
            - set(bone_by_control),
            free_bones=self._free_bones,
        )
        return ControlBake(
            tuple(bone_by_control),
            solver.find_lock_warnings(),
            self._free_bones,
            deform_poses=self._targets.deform_poses,
            bone_by_control=bone_by_control,
        )


def _check_controls(
    armature: bpy.types.Object, rig_controls: RigControls, binding: Binding
) -> None:
    """Raise a CharacterError if no control moves a bone of the binding."""
    missing = [bone for bone in binding.bones if bone not in rig_controls.moved_bones]
    if missing:
        raise CharacterError(
            f"The {rig_controls.control_rig.name} rig {armature.name!r} has no control that "
            f"Footfall knows for the bone {missing[0]!r}. Generate the rig again, or bake onto its "
            "metarig."
        )


def _key_control(
    bone: bpy.types.PoseBone,
    key_sink: KeySink,
    frames: Array,
    rotations: Array | None,
    positions: Array,
    needs_rotation: bool = False,
) -> None:
    """Key the unlocked channels of a control that move, or whose current pose differs from the
    keys.

    Args:
        rotations: rotations (n, 3, 3); None for no keys of the rotation.
        needs_rotation: whether the rotation gets keys even if the control is not rotated now.
    """
    mode = bone.rotation_mode
    path = _format_bone_path(bone.name)

    def key(channel: str, values: Array) -> None:
        key_sink.add(
            f"{path}.{channel}",
            bone.name,
            frames[: len(values)],
            values,
            skip=get_channel_locks(bone, channel),
        )

    if rotations is not None and (needs_rotation or bone.matrix_basis.to_quaternion().angle > 1e-6):
        key(get_channel_name(mode), to_channels(rotations, mode))
    if np.abs(positions).max() > 0 or np.abs(np.array(bone.location)).max() > 1e-9:
        key("location", positions)
    if np.abs(np.array(bone.scale) - 1).max() > 1e-6:
        key("scale", np.ones((1, 3)))


def _key_others(
    armature: bpy.types.Object,
    key_sink: KeySink,
    frames: Array,
    other_bones: set[str],
    free_bones: set[str],
) -> None:
    """Key posed controls without a link at rest, because they would move the body away from the
    plan.

    Free bones keep their rotation.
    """
    for bone in armature.pose.bones:
        if (
            bone.name not in other_bones
            or np.abs(np.array(bone.matrix_basis) - np.eye(4)).max() < 1e-6
        ):
            continue
        _key_control(
            bone,
            key_sink,
            frames[:1],
            rotations=None if bone.name in free_bones else np.eye(3)[None],
            positions=np.zeros((1, 3)),
            needs_rotation=True,
        )


def _format_bone_path(bone: str) -> str:
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"]'
