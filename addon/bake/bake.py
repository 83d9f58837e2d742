"""A motion as keys on a rig's own bones."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding, pose_bones
from ...core.errors import CharacterError
from ...core.motion import Motion
from ..animation.channels import curves_of
from ..rigs.constraints import check_constraints, find_active_constraints
from ..rigs.dependencies import collect_movers
from ..rigs.known_rigs import find_control_rig
from ..rigs.locks import make_lock_warnings
from ..rigs.options import DEFAULT_RIG_OPTIONS, RigOptions
from .bone_filter import OBJECT, drop_unselected
from .contact_error import ContactPoints
from .control_rig import bake_controls
from .deform_bones import BoneBaker
from .destination import PlaybackState, assign_action, check_destination, create_action
from .key_reduction import reduce_keys
from .options import DEFAULT_OPTIONS, BakeOptions
from .other_channels import copy_unplanned_channels, has_plan_conflict
from .root_motion import compute_root_trajectory
from .surrounding_keys import SurroundingKeys

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BakeResult:
    """What a bake made; `warnings` tell what may show on the rig in another way than planned.

    `remarks` are what need not worry them.
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
    placement: Array,
    first_frame: int,
    rig_options: RigOptions = DEFAULT_RIG_OPTIONS,
    options: BakeOptions = DEFAULT_OPTIONS,
) -> BakeResult:
    """Bake a motion onto an armature: into a new action, a key a frame,
    unless the options say otherwise.

    Args:
        placement: (4, 4) from the armature's space to the motion's, of one scale.

    Raises:
        CharacterError: the armature has lost a bone since the motion was asked for,
            or the options do not fit it.
    """
    missing = [
        name for name in (*binding.bones, *binding.rest_bones) if name not in armature.pose.bones
    ]
    if missing:
        raise CharacterError(
            f"The armature {armature.name!r} no longer has the bone {missing[0]!r}. Detect the "
            "character again."
        )
    poses = pose_bones(binding, motion.link_origin, motion.link_orientation, motion.toe_orientation)
    frames = first_frame + np.arange(motion.frames, dtype=float)
    check_destination(armature, frames, options)
    contact_points = ContactPoints(
        armature, motion, binding, placement=placement, root_motion=rig_options.root_motion
    )
    builder = create_action(armature, f"{armature.name} {motion.report.scenario}", options)
    control_rig = find_control_rig(armature, binding)
    meters_per_unit = float(np.cbrt(np.linalg.det(placement[:3, :3])))
    playback_before: PlaybackState | None = None
    free_bones: set[str] = set()
    bone_by_control: dict[str, str] = {}
    try:
        baker = BoneBaker(
            armature, binding, poses, placement=placement, key_sink=builder, frames=frames
        )
        root_trajectory = (
            None
            if rig_options.root_motion == "BODY"
            else compute_root_trajectory(armature, motion, binding, placement)
        )
        warnings = (
            []
            if root_trajectory is None
            else baker.split_root_motion(root_trajectory, rig_options.root_motion, control_rig)
        )
        rig_root_trajectory = root_trajectory if rig_options.root_motion == "ROOT" else None
        if control_rig is None:
            bone_count = baker.bake()
            warnings = warnings + make_lock_warnings(baker.locked_bones)
            constraints, expected = (
                find_active_constraints(armature, baker.list_keyed_bones()),
                baker.to_expected_pose(meters_per_unit, rig_root_trajectory),
            )
        else:
            rig_controls = control_rig.fit_to(armature, rig_options.use_leg_ik, binding.bones)
            control_bake = bake_controls(
                armature,
                rig_controls,
                binding,
                planned_orientations=baker.planned_orientations,
                root_head=baker.root_head,
                builder=builder,
                frames=frames,
                root_trajectory=rig_root_trajectory,
            )
            bone_count, warnings, free_bones, bone_by_control = (
                len(control_bake.controls),
                warnings + control_bake.warnings,
                control_bake.free_bones,
                control_bake.bone_by_control,
            )
            constraints, expected = (
                find_active_constraints(armature, control_bake.controls),
                control_bake.to_expected_pose(binding, meters_per_unit),
            )
            if rig_options.use_leg_ik and not rig_controls.leg_bones:
                warnings.append(
                    f"Footfall knows no legs by inverse kinematics of {control_rig.name} rigs "
                    f"like {armature.name!r}; their joints were keyed"
                )
        drop_unselected(
            armature,
            builder,
            binding,
            motion=motion,
            options=options,
            bone_by_control=bone_by_control,
        )
        bakes_all_bones = options.bones == "ALL"
        moved_bones = (
            collect_movers(armature, (*binding.bones, *binding.rest_bones)) | {OBJECT}
            if bakes_all_bones
            else builder.find_bones()
        )
        surrounding = SurroundingKeys(armature, curves_of(armature), options, frames)
        surrounding.blend_ends(
            builder,
            [
                curve_id
                for curve_id, curve in surrounding.curves.items()
                if has_plan_conflict(curve, moved_bones, free_bones)
            ],
        )
        copied_bones = (
            copy_unplanned_channels(builder, armature, moved_bones, free_bones)
            if options.into != "STRIP"
            else []
        )
        builder.write()
        playback_before = assign_action(armature, builder, surrounding.frames, options)
        expected_in_range = expected.select_frames(surrounding.in_range)
        deviation_warnings, remarks = (
            check_constraints(
                armature,
                constraints,
                expected_in_range,
                frames=surrounding.frames,
                acts_on_other_bones=control_rig is not None,
            )
            if options.is_complete
            else ([], [])
        )
        reduction_notes = reduce_keys(
            armature,
            builder,
            contact_points,
            surrounding=surrounding,
            options=options,
            bone_by_control=bone_by_control,
        )
    except BaseException:
        if playback_before is not None:
            playback_before.revert(armature)
        builder.discard()
        raise
    if copied_bones:
        remarks = [
            *remarks,
            (
                f"{len(copied_bones)} other bone{'s go' if len(copied_bones) > 1 else ' goes'} on "
                "as before"
            ),
        ]
    bone_count = bone_count if bakes_all_bones else len(builder.find_bones() - {OBJECT})
    return BakeResult(
        builder.action,
        len(surrounding.frames),
        bone_count,
        warnings=(*warnings, *deviation_warnings, *playback_before.warnings),
        remarks=(*remarks, *reduction_notes),
        playback_before=playback_before,
        slot=builder.slot_handle,
    )
