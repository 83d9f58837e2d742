"""Side View on a flat cut-out figure in Blender."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from blender_scene import add_curve, select
from footfall.addon.rigs.armature import read_skeleton
from footfall.core.character.from_rig.rig import rig_from_skeleton

Point = tuple[float, float]
# Head and tail of each bone in the plane of the figure, forward and up [m].
MIDDLE: dict[str, tuple[str, Point, Point]] = {
    "pelvis": ("", (0, 0.95), (0, 1.05)),
    "spine": ("pelvis", (0, 1.05), (0, 1.25)),
    "chest": ("spine", (0, 1.25), (0, 1.45)),
    "neck": ("chest", (0, 1.45), (0, 1.53)),
    "head": ("neck", (0, 1.53), (0, 1.75)),
}
SIDE: dict[str, tuple[str, Point, Point]] = {
    "thigh": ("pelvis", (0, 0.92), (0.01, 0.5)),
    "shin": ("thigh", (0.01, 0.5), (0, 0.08)),
    "foot": ("shin", (0, 0.08), (0.14, 0.02)),
    "toe": ("foot", (0.14, 0.02), (0.21, 0.02)),
    "upper_arm": ("chest", (0, 1.42), (-0.01, 1.14)),
    "forearm": ("upper_arm", (-0.01, 1.14), (0.01, 0.88)),
    "hand": ("forearm", (0.01, 0.88), (0.02, 0.78)),
}


def _add_figure() -> bpy.types.Object:
    """Add a figure that faces along x."""
    bpy.ops.object.armature_add(enter_editmode=True)
    armature = bpy.context.object
    bones = armature.data.edit_bones
    bones.remove(bones[0])

    def add(name: str, parent: str, ends: tuple[Point, Point]) -> None:
        bone = bones.new(name)
        bone.head, bone.tail = ((x, 0.0, z) for x, z in ends)
        if parent:
            bone.parent = bones[parent]

    for name, (parent, head, tail) in MIDDLE.items():
        add(name, parent, (head, tail))
    for side in "LR":
        for name, (parent, head, tail) in SIDE.items():
            upper = parent if parent in MIDDLE else f"{parent}.{side}"
            add(f"{name}.{side}", upper, (head, tail))
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def test_flat_figure_walks_in_its_plane(scene: bpy.types.Scene) -> None:
    armature = _add_figure()
    select(armature)
    assert bpy.ops.footfall.detect_character() == {"FINISHED"}
    scene.frame_end = 37
    scene.footfall.path = add_curve([(0, 0, 0), (10, 0, 0)])
    scene.footfall.engine = "tracker"
    scene.frame_set(8)
    assert bpy.ops.footfall.add_push() == {"FINISHED"}  # along the path, as the engine requires
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    facing = []
    toes = []
    for frame in range(1, 38):
        scene.frame_set(frame)
        ends = np.array([(b.head, b.tail) for b in armature.pose.bones])
        assert np.abs(ends[..., 1]).max() < 1e-4
        assert ends[..., 2].min() > -0.005
        feet = [armature.pose.bones[f"foot.{side}"] for side in "LR"]
        facing.append([foot.tail.x - foot.head.x for foot in feet])
        toes.append([foot.tail.x for foot in feet])
    assert np.mean(facing) > 0.1  # of 0.14 at rest
    steps = np.array(toes)
    assert steps[-1].min() > steps[0].max()
    assert np.abs(np.diff(steps, axis=0)).min(1).max() < 0.002  # one foot always rests


def _add_plates(armature: bpy.types.Object) -> None:
    """Give each bone of a limb a plate that moves with it, in a layer of its side."""
    for bone in armature.data.bones:
        if bone.name.endswith((".L", ".R")):
            layer = 0.02 if bone.name.endswith(".L") else -0.02
            points = [
                (*end.xz, layer + depth)
                for end in (bone.head_local, bone.tail_local)
                for depth in (0.0, 1e-3)
            ]
            mesh = bpy.data.meshes.new(bone.name)
            mesh.from_pydata([(x, y, z) for x, z, y in points], [], [(0, 1, 3, 2)])
            plate = bpy.data.objects.new(bone.name, mesh)
            bpy.context.collection.objects.link(plate)
            plate.vertex_groups.new(name=bone.name).add(range(4), 1.0, "REPLACE")
            plate.modifiers.new("Armature", "ARMATURE").object = armature


@pytest.mark.parametrize("naming", ["numbers", "depths", "reversed arms in layers"])
def test_arms_of_a_flat_figure_are_on_the_side_of_its_legs(
    scene: bpy.types.Scene, naming: str
) -> None:
    armature = _add_figure()
    if naming == "reversed arms in layers":
        _add_plates(armature)
    names = {}
    for k, bone in enumerate(armature.data.bones):
        part, _, side = bone.name.partition(".")
        if naming == "depths":
            new = f"{ {'L': 'front ', 'R': 'rear '}.get(side, '') }{part}"
        elif part in ("upper_arm", "forearm", "hand") and naming != "numbers":
            new = f"{part}{'21'['LR'.index(side)]}"
        else:
            new = f"Bone.{k:03d}"
        names[new] = bone.name
    for new, old in names.items():
        armature.data.bones[old].name = new
    bpy.context.view_layer.update()
    rig = rig_from_skeleton(read_skeleton(armature, scene))
    sides = [
        {
            names[armature.data.bones[k].name][-1]
            for limb in limbs
            if limb.side == side
            for k in limb.bones
        }
        for limbs in (rig.anatomy.legs, rig.anatomy.arms)
        for side in (1, -1)
    ]
    assert sides == [{"L"}, {"R"}, {"L"}, {"R"}]
    assert any("choose the engine Side View" in note for note in rig.character.notes)
