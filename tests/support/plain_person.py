"""A human armature with skin that is built in code, for tests without shared data."""

from __future__ import annotations

from typing import NamedTuple

import bpy
import numpy as np
from blender_scene import add_curve, add_mesh, select

Point = tuple[float, float, float]


class Bone(NamedTuple):
    """A bone: the name of its parent, and its ends [m]."""

    parent: str
    head: Point
    tail: Point


# Bones of the middle and of the left side; the right side mirrors the left. The body faces -y, z is
# up.
MIDDLE: dict[str, Bone] = {
    "Hips": Bone("", (0, 0, 0.95), (0, 0, 1.05)),
    "Spine": Bone("Hips", (0, 0, 1.05), (0, 0, 1.25)),
    "Chest": Bone("Spine", (0, 0, 1.25), (0, 0, 1.45)),
    "Neck": Bone("Chest", (0, 0, 1.45), (0, 0, 1.55)),
    "Head": Bone("Neck", (0, 0, 1.55), (0, 0, 1.75)),
}
LEFT: dict[str, Bone] = {
    "UpperLeg": Bone("Hips", (0.09, 0, 0.93), (0.09, -0.01, 0.5)),
    "LowerLeg": Bone("UpperLeg", (0.09, -0.01, 0.5), (0.09, 0.02, 0.09)),
    "Foot": Bone("LowerLeg", (0.09, 0.02, 0.09), (0.09, -0.12, 0.03)),
    "Toes": Bone("Foot", (0.09, -0.12, 0.03), (0.09, -0.19, 0.02)),
    "UpperArm": Bone("Chest", (0.18, 0, 1.42), (0.45, 0, 1.42)),
    "LowerArm": Bone("UpperArm", (0.45, 0, 1.42), (0.7, -0.01, 1.42)),
    "Hand": Bone("LowerArm", (0.7, -0.01, 1.42), (0.82, -0.01, 1.42)),
}
HALF_THICKNESS = 0.04  # Distance of the sides of a skin box from the bone [m]
FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def list_bones() -> dict[str, Bone]:
    """Return all bones by name."""
    bones = dict(MIDDLE)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        for name, (parent, head, tail) in LEFT.items():
            bones[side + name] = Bone(
                parent if parent in MIDDLE else side + parent,
                (sign * head[0], head[1], head[2]),
                (sign * tail[0], tail[1], tail[2]),
            )
    return bones


def add_plain_person(has_names: bool = True) -> bpy.types.Object:
    """Add an armature with a box of skin around each bone, select it and return it.

    Args:
        has_names: whether bones have meaningful names, instead of numbers.
    """
    armature = bpy.data.objects.new("Person", bpy.data.armatures.new("Person"))
    bpy.context.collection.objects.link(armature)
    select(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    names = {}
    for k, (name, (parent, head, tail)) in enumerate(list_bones().items()):
        bone = armature.data.edit_bones.new(name if has_names else f"b{k}")
        bone.head, bone.tail = head, tail
        names[name] = bone.name
        if parent:
            bone.parent = armature.data.edit_bones[names[parent]]
    bpy.ops.object.mode_set(mode="OBJECT")
    _add_skin(armature, names)
    return armature


def _add_skin(armature: bpy.types.Object, names: dict[str, str]) -> None:
    """Add a mesh with a box around each bone, weighted to it; the feet reach to the ground."""
    corners = []
    for name, (_, head, tail) in list_bones().items():
        low = np.minimum(head, tail) - HALF_THICKNESS
        high = np.maximum(head, tail) + HALF_THICKNESS
        if name.endswith(("Foot", "Toes")):
            low[1:] = min(head[1], tail[1]), 0.0
            high[1:] = max(head[1], tail[1]), max(head[2], tail[2])
        corners += [
            [(low, high)[i][0], (low, high)[j][1], (low, high)[k][2]]
            for i in (0, 1)
            for j in (0, 1)
            for k in (0, 1)
        ]
    faces = np.array([[8 * k + v for v in face] for k in range(len(names)) for face in FACES])
    skin = add_mesh(np.array(corners, float), faces, "Skin")
    for k, bone in enumerate(names.values()):
        skin.vertex_groups.new(name=bone).add(list(range(8 * k, 8 * k + 8)), 1.0, "REPLACE")
    skin.parent = armature
    modifier = skin.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature


def add_walking_person(scene: bpy.types.Scene, frame_end: int) -> bpy.types.Object:
    """Add a person with names on a straight path, select it and return it.

    Args:
        frame_end: last frame of the scene.
    """
    armature = add_plain_person()
    scene.footfall.path = add_curve([(0, 0, 0), (0, -6, 0)])
    scene.frame_end = frame_end
    select(armature)
    return armature
