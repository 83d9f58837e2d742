"""Dependencies between the bones of a rig: parents, constraints and drivers."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Set

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ..animation.action_builder import bone_of, data_bone_of
from ..animation.duplicate import ArmatureDuplicate

Array = NDArray[np.float64]

CHAIN_CONSTRAINTS = frozenset({"IK", "SPLINE_IK"})  # which move parents of their bone too
PROBE_ANGLE = 0.7  # rotation of a control that shows which bones it moves [rad]
# Change of a bone below which it has not moved: entries of its rotation matrix, and displacement as
# a share of the rig's size
MOTION_TOLERANCE = 5e-4


def compute_evaluation_levels(
    armature: bpy.types.Object, controls: Iterable[str]
) -> dict[str, int]:
    """Return the level of each control: the length of the longest chain of controls that it depends
    on.
    """
    names = set(controls)
    direct_dependencies = find_direct_dependencies(armature)
    dependencies = {
        name: _collect_dependencies(direct_dependencies, name) & names for name in names
    }
    levels: dict[str, int] = {}
    while len(levels) < len(names):
        ready = [
            name
            for name in names
            if name not in levels and all(other in levels for other in dependencies[name])
        ]
        # in a cycle of controls none is first, so take any
        for name in ready or [min(names - set(levels))]:
            levels[name] = 1 + max(
                (levels[other] for other in dependencies[name] if other in levels), default=-1
            )
    return levels


def find_direct_dependencies(armature: bpy.types.Object) -> dict[str, set[str]]:
    """Return the direct dependencies of each bone: its parent and the targets of its
    constraints.
    """
    pose = armature.pose.bones
    dependencies: dict[str, set[str]] = {
        bone.name: {bone.parent.name} if bone.parent else set() for bone in pose
    }
    for bone in pose:
        for constraint in bone.constraints:
            sources = [constraint, *getattr(constraint, "targets", ())]
            targets = {
                getattr(c, field, "") for c in sources for field in ("subtarget", "pole_subtarget")
            }
            affected_bones = [bone]
            if constraint.type == "IK":
                affected_bones += list_chain_parents(bone, constraint)
            for affected in affected_bones:
                dependencies[affected.name] |= {name for name in targets if name in pose}
    return dependencies


def list_chain_parents(
    bone: bpy.types.PoseBone, constraint: bpy.types.Constraint
) -> list[bpy.types.PoseBone]:
    """Return the bones above a bone in the chain of its constraint, the nearest first.

    Args:
        constraint: of one of the types `CHAIN_CONSTRAINTS`.
    """
    above = bone.parent_recursive
    return above[: constraint.chain_count - 1] if constraint.chain_count else above


def _add_driver_dependencies(armature: bpy.types.Object, dependencies: dict[str, set[str]]) -> None:
    """Add the bones that drivers of bones read to their direct dependencies."""
    for curve in armature.animation_data.drivers if armature.animation_data else ():
        dependencies.get(bone_of(curve.data_path), set()).update(
            _find_driver_bones(armature, curve, dependencies)
        )


def _find_driver_bones(
    armature: bpy.types.Object, curve: bpy.types.FCurve, names: Container[str]
) -> set[str]:
    """Return the bones of an armature that a driver reads."""
    targets = [t for variable in curve.driver.variables for t in variable.targets]
    return {
        name
        for target in targets
        if target.id == armature
        for name in (target.bone_target, bone_of(target.data_path))
        if name in names
    }


def _collect_dependencies(direct_dependencies: dict[str, set[str]], name: str) -> set[str]:
    """Return all bones that a bone depends on, directly or indirectly."""
    reached: set[str] = set()
    pending = [name]
    while pending:
        new_bones = direct_dependencies[pending.pop()] - reached
        reached |= new_bones
        pending += new_bones
    return reached - {name}


def collect_movers(armature: bpy.types.Object, bones: Iterable[str]) -> set[str]:
    """Return some bones and all bones that they depend on by parents, constraints and drivers."""
    find_movers = make_mover_finder(armature)
    names = set(bones)
    return names.union(*(find_movers(name) for name in names))


def make_mover_finder(armature: bpy.types.Object) -> Callable[[str], set[str]]:
    """Return a function from a bone to the bone and all bones that it depends on.

    The dependencies are read once for many bones.
    """
    direct_dependencies = find_direct_dependencies(armature)
    _add_driver_dependencies(armature, direct_dependencies)
    return lambda name: (
        _collect_dependencies(direct_dependencies, name) | {name}
        if name in direct_dependencies
        else {name}
    )


def collect_evaluated_bones(armature: bpy.types.Object, bones: Iterable[str]) -> set[str]:
    """Return some bones and all bones that Blender must evaluate to pose them as the whole armature
    does.

    These include the ends of chains of inverse kinematics and of splines, and what drives
    properties of the object and of the armature's data.
    """
    dependencies = {"": set[str](), **find_direct_dependencies(armature)}
    _add_driver_dependencies(armature, dependencies)
    for bone in armature.pose.bones:
        for constraint in bone.constraints:
            if constraint.type in CHAIN_CONSTRAINTS:
                for member in list_chain_parents(bone, constraint):
                    dependencies[member.name].add(bone.name)
    data_drivers = armature.data.animation_data
    for curve in data_drivers.drivers if data_drivers else ():
        dependencies.setdefault(data_bone_of(curve.data_path), set()).update(
            _find_driver_bones(armature, curve, dependencies)
        )
    reached = set(bones)
    for name in [*reached, ""]:
        if name in dependencies:
            reached |= _collect_dependencies(dependencies, name)
    return reached & set(armature.pose.bones.keys())


def find_free_controls(
    duplicate: ArmatureDuplicate, controls: Iterable[str], planned_bones: Set[str]
) -> set[str]:
    """Return the controls that can rotate without moving any planned bone, as hands can; each is
    tried on a duplicate at rest.
    """
    armature = duplicate.armature
    view_layer = duplicate.view_layer
    pose = armature.pose.bones
    rig_size = float(np.ptp([b.head_local for b in armature.data.bones], axis=0).max())

    def sample_matrices() -> Array:
        view_layer.update()
        matrices = np.array([pose[name].matrix for name in planned_bones])
        matrices[:, :3, 3] /= rig_size
        return matrices

    free_controls = set()
    before = sample_matrices()
    for bone in (pose[name] for name in controls):
        initial_basis = bone.matrix_basis.copy()
        max_change = 0.0
        for axis in "XYZ":
            bone.matrix_basis = initial_basis @ Matrix.Rotation(PROBE_ANGLE, 4, axis)
            max_change = max(max_change, float(np.abs(sample_matrices() - before).max()))
        bone.matrix_basis = initial_basis
        if max_change < MOTION_TOLERANCE:
            free_controls.add(bone.name)
    return free_controls
