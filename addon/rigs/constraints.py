"""Constraints and drivers that act on top of the keys of a bake, and how far they change the
motion.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding
from ...core.geometry import so3
from ..animation.action_builder import TRANSFORM_CHANNELS, PendingKeys, bone_of
from ..text import enumerate_names
from .dependencies import CHAIN_CONSTRAINTS, list_chain_parents
from .played_bones import play_bones
from .rig_setting import RigSetting

Array = NDArray[np.float64]


@dataclass(frozen=True)
class DeviationLimits:
    """Limits of the deviation of a bone from its plan.

    Args:
        position: distance above which the bone is off its plan [m].
        rotation: angle above which the bone is off its plan [rad].
        cause_share: share of these limits above which a deviation relative to the parent makes the
            bone a cause.
        sampled_frames: largest number of frames that are compared, over all of the bake: what
            moves a bone beside its keys does so in most of them.
    """

    position: float = 1e-3
    rotation: float = float(np.radians(0.5))
    cause_share: float = 0.1
    sampled_frames: int = 40


LIMITS = DeviationLimits()


@dataclass(frozen=True)
class ConstraintReport:
    """What constraints do to a baked motion, in words: `warnings` if they change it."""

    warnings: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class ActiveConstraint:
    """A constraint, or a driver of a channel, and the bones that it may move.

    Args:
        description: its name in words.
        moved_bones: the bones.
        off_setting: setting that switches it off in an action; None for what is the user's choice.
    """

    description: str
    moved_bones: frozenset[str]
    off_setting: RigSetting | None = None


def find_body_constraints(armature: bpy.types.Object, binding: Binding) -> list[ActiveConstraint]:
    """Return what acts on the bones that move the body of a rig without controls: those with keys
    and the parents of the root bone.
    """
    ancestors = armature.data.bones[binding.bones[0]].parent_recursive
    return find_active_constraints(
        armature, (*binding.bones, *binding.rest_bones, *(bone.name for bone in ancestors))
    )


def find_active_constraints(
    armature: bpy.types.Object, bones: Iterable[str]
) -> list[ActiveConstraint]:
    """Return what acts on some bones: constraints and drivers that are enabled and have an
    influence.
    """
    names = set(bones)
    constraints = []
    for bone in armature.pose.bones:
        for constraint in bone.constraints:
            moved_bones = names & {b.name for b in _find_constrained_bones(bone, constraint)}
            if (
                moved_bones
                and not constraint.mute
                and constraint.influence > 0
                and constraint.is_valid
            ):
                constraints.append(
                    ActiveConstraint(
                        f"the constraint {constraint.name!r} of {bone.name!r}",
                        frozenset(moved_bones),
                        _make_off_setting(armature, bone, constraint),
                    )
                )
    for curve in armature.animation_data.drivers if armature.animation_data else ():
        name = bone_of(curve.data_path)
        channel = curve.data_path.rpartition(".")[2]
        if name in names and channel in TRANSFORM_CHANNELS and not curve.mute:
            axis = (
                "XYZ"[curve.array_index]
                if channel in ("location", "rotation_euler", "scale")
                else "WXYZ"[curve.array_index]
            )
            constraints.append(
                ActiveConstraint(
                    f"the driver of {name!r} ({channel.partition('_')[0]} {axis})",
                    frozenset({name}),
                )
            )
    return constraints


def _make_off_setting(
    armature: bpy.types.Object, bone: bpy.types.PoseBone, constraint: bpy.types.Constraint
) -> RigSetting | None:
    """Return what switches off inverse kinematics by a bone of the same rig; None for others.

    A plan rotates the bones of the limb itself. The bone that they would follow is a foot that the
    plan moves, too, or a handle that stays behind.
    """
    if constraint.type != "IK" or constraint.target != armature or not constraint.subtarget:
        return None
    return RigSetting(bone.name, "influence", 0.0, constraint=constraint.name, is_custom=False)


def describe_switched_off(constraints: Sequence[ActiveConstraint]) -> list[str]:
    """Return a remark about the constraints that are keyed off."""
    off = [constraint for constraint in constraints if constraint.off_setting is not None]
    if not off:
        return []
    possessive = "their" if len(off) > 1 else "its"
    return [
        f"{describe_constraints(off)} {'are' if len(off) > 1 else 'is'} off in this action, which "
        f"rotates the bones: {possessive} influence is keyed to 0"
    ]


def _find_constrained_bones(
    bone: bpy.types.PoseBone, constraint: bpy.types.Constraint
) -> list[bpy.types.PoseBone]:
    """Return the bones that a constraint moves; inverse kinematics moves parents too."""
    if constraint.type not in CHAIN_CONSTRAINTS:
        return [bone]
    chain = [bone, *list_chain_parents(bone, constraint)]
    return chain if constraint.type == "SPLINE_IK" or constraint.use_tail else chain[1:]


def describe_constraints(constraints: Sequence[ActiveConstraint], max_count: int = 3) -> str:
    """Return the names of constraints in words."""
    return enumerate_names([a.description for a in constraints], max_count)


@dataclass(frozen=True)
class ExpectedPose:
    """Planned poses of bones in the space of the armature.

    Args:
        orientations: orientations by bone (n or 1, 3, 3).
        heads: positions of the heads by bone (n or 1, 3).
        meters_per_unit: length of a unit of the armature [m].
        axis_only: whether to compare only the directions of bones, on rigs that distribute the
            twist of a limb over its bones.
    """

    orientations: Mapping[str, Array]
    heads: Mapping[str, Array]
    meters_per_unit: float
    axis_only: bool = False

    def select_frames(self, mask: NDArray[np.bool_]) -> ExpectedPose:
        """Return the poses in some of the frames, by a mask (n,)."""
        orientations, heads = (
            {name: v[mask] if len(v) > 1 else v for name, v in values.items()}
            for values in (self.orientations, self.heads)
        )
        return replace(self, orientations=orientations, heads=heads)


@dataclass(frozen=True)
class PoseDeviation:
    """Largest deviation of a bone from its plan, absolute and relative to its parent.

    Args:
        rotation: angle [rad].
        distance: distance of the head [m].
        rotation_from_parent: angle relative to the parent [rad].
        distance_from_parent: distance of the head relative to the parent [m].
    """

    rotation: float
    distance: float
    rotation_from_parent: float
    distance_from_parent: float

    @property
    def is_large(self) -> bool:
        """Whether the deviation is visible."""
        return self.rotation > LIMITS.rotation or self.distance > LIMITS.position

    @property
    def is_cause(self) -> bool:
        """Whether something holds the bone itself and not only a parent."""
        return (
            self.rotation_from_parent > LIMITS.cause_share * LIMITS.rotation
            or self.distance_from_parent > LIMITS.cause_share * LIMITS.position
        )

    def describe(self) -> str:
        """Return the deviation in words."""
        return f"{np.degrees(self.rotation):.1f}° and {self.distance * 1000:.0f} mm"


@dataclass(frozen=True)
class _BonePoses:
    """Rotations (n or 1, 3, 3) and heads (n or 1, 3) by bone, in the space of the armature."""

    rotations: Mapping[str, Array]
    heads: Mapping[str, Array]

    def compute_relative_rotation(self, name: str, parent: str) -> Array:
        """Return the rotations of a bone relative to another one."""
        return np.asarray(np.swapaxes(self.rotations[parent], 1, 2) @ self.rotations[name])

    def compute_relative_head(self, name: str, parent: str) -> Array:
        """Return the heads of a bone in the frame of another one."""
        inverse = np.swapaxes(self.rotations[parent], 1, 2)
        return np.asarray((inverse @ (self.heads[name] - self.heads[parent])[..., None])[..., 0])


def measure_pose_deviations(
    armature: bpy.types.Object, expected: ExpectedPose, frames: Array, pending_keys: PendingKeys
) -> dict[str, PoseDeviation]:
    """Play keys on a duplicate and return the deviations of its bones from their plan."""
    names = list(expected.orientations)
    sampled = np.unique(np.linspace(0, len(frames) - 1, LIMITS.sampled_frames).astype(int))
    actual = _play_poses(armature, names, frames[sampled], pending_keys)
    planned = _BonePoses(
        _select_rows(expected.orientations, sampled), _select_rows(expected.heads, sampled)
    )
    scale = expected.meters_per_unit
    deviations = {}
    for name in names:
        rotation = _find_max_angle(
            actual.rotations[name], planned.rotations[name], expected.axis_only
        )
        distance = _find_max_length(actual.heads[name] - planned.heads[name]) * scale
        ancestors = armature.pose.bones[name].parent_recursive
        parent = next((b.name for b in ancestors if b.name in expected.orientations), "")
        if not parent:
            deviations[name] = PoseDeviation(rotation, distance, rotation, distance)
            continue
        relative_head = actual.compute_relative_head(name, parent)
        planned_relative_head = planned.compute_relative_head(name, parent)
        deviations[name] = PoseDeviation(
            rotation,
            distance,
            _find_max_angle(
                actual.compute_relative_rotation(name, parent),
                planned.compute_relative_rotation(name, parent),
                expected.axis_only,
            ),
            _find_max_length(relative_head - planned_relative_head) * scale,
        )
    return deviations


def _play_poses(
    armature: bpy.types.Object, names: list[str], frames: Array, pending_keys: PendingKeys
) -> _BonePoses:
    """Return the poses of bones at frames of the scene, relative to the armature."""
    matrices = play_bones(armature, names, frames, pending_keys).bones
    return _BonePoses(
        {
            name: matrices[:, b, :3, :3]
            / np.linalg.norm(matrices[:, b, :3, :3], axis=1, keepdims=True)
            for b, name in enumerate(names)
        },
        {name: matrices[:, b, :3, 3] for b, name in enumerate(names)},
    )


def _select_rows(values: Mapping[str, Array], rows: NDArray[np.int64]) -> dict[str, Array]:
    """Return rows of arrays; arrays with one row for all frames stay as they are."""
    return {name: v[rows] if len(v) > 1 else v for name, v in values.items()}


def _find_max_length(vectors: Array) -> float:
    return float(np.linalg.norm(vectors, axis=-1).max())


def _find_max_angle(a: Array, b: Array, axis_only: bool) -> float:
    if axis_only:
        return float(np.arccos(np.clip((a[:, :, 1] * b[:, :, 1]).sum(1), -1, 1)).max())
    return float(np.linalg.norm(so3.log(a @ np.swapaxes(b, 1, 2)), axis=-1).max())


def check_constraints(
    armature: bpy.types.Object,
    constraints: Sequence[ActiveConstraint],
    expected: ExpectedPose,
    frames: Array,
    pending_keys: PendingKeys,
    acts_on_other_bones: bool = False,
) -> ConstraintReport:
    """Return warnings and remarks about everything that acts on top of the keys.

    Args:
        frames: frames of the keys (n,).
        pending_keys: the keys, one for each frame.
        acts_on_other_bones: whether the constraints act on bones without keys, as on control rigs,
            so that the responsible one cannot be identified.
    """
    if not constraints:
        return ConstraintReport()
    deviations = measure_pose_deviations(armature, expected, frames, pending_keys)
    large = {name: deviation for name, deviation in deviations.items() if deviation.is_large}
    cause_names = {name for name, deviation in deviations.items() if deviation.is_cause}
    # the constraint of a parent may scale its children
    cause_names |= {
        b.name for name in cause_names for b in armature.pose.bones[name].parent_recursive[:1]
    }
    responsible = [
        constraint
        for constraint in constraints
        if large and (acts_on_other_bones or constraint.moved_bones & cause_names)
    ]
    if not responsible:
        return ConstraintReport(
            remarks=(
                f"{describe_constraints(constraints)} leave{'' if len(constraints) > 1 else 's'} "
                "this motion as planned",
            )
        )
    return ConstraintReport(
        warnings=(_describe_deviation(responsible, large, acts_on_other_bones),)
    )


def _describe_deviation(
    responsible: Sequence[ActiveConstraint],
    deviations: Mapping[str, PoseDeviation],
    acts_on_other_bones: bool,
) -> str:
    """Return a warning about constraints, with the largest deviation and the remedy."""
    worst = max(
        deviations,
        key=lambda name: (
            deviations[name].rotation
            + deviations[name].distance / LIMITS.position * LIMITS.rotation
        ),
    )
    possessive, pronoun, verb = (
        ("its", "it", "acts") if len(responsible) == 1 else ("their", "them", "act")
    )
    return (
        f"{describe_constraints(responsible)} {verb} on top of the keys: {worst!r} is up to "
        f"{deviations[worst].describe()} off the plan. Mute {pronoun}, or set {possessive} "
        f"influence to 0, {'and generate again' if acts_on_other_bones else 'to see the plan'}"
    )
