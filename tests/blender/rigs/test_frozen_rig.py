"""What cannot act in a rig is removed from its duplicate, which poses the bones as before."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from footfall.addon.animation.duplicate import ArmatureDuplicate
from footfall.addon.rigs.dependencies import find_direct_dependencies
from footfall.addon.rigs.frozen_rig import freeze_rig
from rig_variations import edit_bones

BONES = ("root", "hips", "hand", "switch", "bone")


@pytest.fixture
def rig(scene: bpy.types.Scene) -> bpy.types.Object:
    """A rig whose `bone` copies the rotation of `hips` or of `hand`, as a property of `switch`
    says, follows `hips` or `root`, as a constant weight says, and scales with the place of `hand`.
    """
    armature = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    scene.collection.objects.link(armature)
    with edit_bones(armature) as bones:
        for k, name in enumerate(BONES):
            bone = bones.new(name)
            bone.head, bone.tail = (0, 0.5 * k, 0), (0, 0.5 * k, 1)
    pose_bones = armature.pose.bones
    pose_bones["switch"]["hand"] = 1.0
    bone = pose_bones["bone"]
    parents = bone.constraints.new("ARMATURE")
    for name, weight in (("root", 0.0), ("hips", 1.0)):
        target = parents.targets.new()
        target.target, target.subtarget, target.weight = armature, name, weight
    for name, expression in (("hips", "1 - hand"), ("hand", "hand")):
        constraint = bone.constraints.new("COPY_ROTATION")
        constraint.name = name
        constraint.target, constraint.subtarget = armature, name
        variable = _add_driver(constraint, "influence", expression, "hand")
        variable.targets[0].id = armature
        variable.targets[0].data_path = 'pose.bones["switch"]["hand"]'
    limit = bone.constraints.new("LIMIT_SCALE")
    limit.use_max_x, limit.max_x = True, 0.5
    variable = _add_driver(limit, "influence", "x", "x")
    variable.type = "TRANSFORMS"
    variable.targets[0].id = armature
    variable.targets[0].bone_target = "hand"
    return armature


def _add_driver(
    owner: bpy.types.Constraint, key: str, expression: str, name: str
) -> bpy.types.DriverVariable:
    driver = owner.driver_add(key).driver
    driver.expression = expression
    variable = driver.variables.new()
    variable.name = name
    return variable


def _pose(duplicate: ArmatureDuplicate) -> np.ndarray:
    """Return the matrix of `bone` for poses of the other bones."""
    pose_bones = duplicate.armature.pose.bones
    pose_bones["root"].location = (0.5, 0, 0)
    pose_bones["hips"].location = (0, 0.3, 0.1)
    pose_bones["hand"].location = (0.4, 0, 0)
    pose_bones["hand"].rotation_quaternion = (0.8, 0.6, 0, 0)
    duplicate.view_layer.update()
    return np.array(pose_bones["bone"].matrix)


def test_a_frozen_rig_is_posed_as_before_with_fewer_dependencies(rig: bpy.types.Object) -> None:
    duplicate = ArmatureDuplicate(rig)
    posed = _pose(duplicate)
    freeze_rig(duplicate)
    assert _pose(duplicate) == pytest.approx(posed, abs=1e-6)
    constraints = duplicate.armature.pose.bones["bone"].constraints
    assert [c.name for c in constraints] == ["Armature", "hand", "Limit Scale"]
    assert [target.subtarget for target in constraints["Armature"].targets] == ["hips"]
    assert [curve.data_path for curve in duplicate.armature.animation_data.drivers] == [
        constraints["Limit Scale"].path_from_id("influence")
    ]
    before, after = (
        find_direct_dependencies(armature)["bone"] for armature in (rig, duplicate.armature)
    )
    assert (before, after) == ({"root", "hips", "hand"}, {"hips", "hand"})
    duplicate.remove()
    assert len(rig.pose.bones["bone"].constraints) == 4
