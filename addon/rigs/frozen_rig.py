"""Removal of what cannot act in a rig while its controls are posed, which makes it quick."""

from __future__ import annotations

import bpy

from ..animation.duplicate import ArmatureDuplicate


def freeze_rig(duplicate: ArmatureDuplicate) -> None:
    """Replace constant drivers of a rig's constraints by their values, and remove constraints and
    targets without influence.

    A rig has constraints for FK and IK of a limb and for each parent of a control. Drivers
    choose among them by custom properties, which do not change while its controls are posed. What
    is left poses the bones as before, with fewer dependencies.

    Args:
        duplicate: the rig with its settings, evaluated.
    """
    armature = duplicate.armature
    driven_paths = _freeze_constant_drivers(armature, duplicate.view_layer)
    for bone in armature.pose.bones:
        for constraint in list(bone.constraints):
            path = constraint.path_from_id()
            if not any(driven.startswith(f"{path}.") for driven in driven_paths):
                _remove_inactive(bone, constraint)


def _freeze_constant_drivers(
    armature: bpy.types.Object, view_layer: bpy.types.ViewLayer
) -> set[str]:
    """Replace the constant drivers of constraints, and return the paths that are still driven."""
    evaluated = armature.evaluated_get(view_layer.depsgraph)
    data = armature.animation_data
    drivers = list(data.drivers) if data else []
    driven_paths = {curve.data_path for curve in drivers}
    for curve in drivers:
        if ".constraints[" not in curve.data_path or not _is_constant(curve, driven_paths):
            continue
        owner_path, _, key = curve.data_path.rpartition(".")
        value = getattr(evaluated.path_resolve(owner_path), key)
        if isinstance(value, (bool, int, float)):
            driven_paths.discard(curve.data_path)
            data.drivers.remove(curve)
            setattr(armature.path_resolve(owner_path), key, value)
    return driven_paths


def _is_constant(curve: bpy.types.FCurve, driven_paths: set[str]) -> bool:
    """Return whether a driver depends on nothing but custom properties of its object that no driver
    changes.
    """
    return not curve.driver.use_self and all(
        variable.type == "SINGLE_PROP"
        and target.id == curve.id_data
        and target.data_path.endswith('"]')
        and target.data_path not in driven_paths
        for variable in curve.driver.variables
        for target in variable.targets
    )


def _remove_inactive(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> None:
    """Remove a constraint without influence, or the targets without weight that it mixes."""
    if constraint.mute or constraint.influence == 0:
        bone.constraints.remove(constraint)
    elif constraint.type == "ARMATURE":
        for target in [t for t in constraint.targets if t.weight == 0]:
            constraint.targets.remove(target)
