"""Variations of rigs that are unlike others: languages, builds, limbs that differ, rest poses."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Vector
from rig_variations import Vary, edit_bones, find_body, pose_rest, rename, translate_names

SIDES = (("Left", 1.0), ("Right", -1.0))


def translate_with_sides(table: dict[str, str], left: str, right: str) -> Vary:
    """Return a variation of `person` with names and sides of another language.

    Args:
        table: names by those of `person` without sides.
        left: format of the name of a bone on the left side.
        right: format of the name of a bone on the right side.
    """

    def vary(armature: bpy.types.Object) -> None:
        translate_names(table, "{name}#{letter}")(armature)
        patterns = {"#L": left, "#R": right}
        rename(lambda name, _: patterns.get(name[-2:], "{}").format(name.split("#")[0]))(armature)

    return vary


def change_proportions(legs: float, head: float) -> Vary:
    """Return a variation of `person` with shorter or longer legs and another size of the head.

    Args:
        legs: length of the legs [length before].
        head: size of the head [size before].
    """

    def move(point: Vector) -> Vector:
        hip = 0.93
        height = legs * point.z if point.z < hip else point.z - (1 - legs) * hip
        return Vector((point.x, point.y, height))

    def vary(armature: bpy.types.Object) -> None:
        with edit_bones(armature) as bones:
            for bone in bones:
                bone.use_connect = False
            ends = {bone.name: (move(bone.head), move(bone.tail)) for bone in bones}
            for bone in bones:
                bone.head, bone.tail = ends[bone.name]
        body = find_body()
        group = body.vertex_groups["Head"].index
        center = ends["Head"][0]
        for vertex in body.data.vertices:
            point = move(vertex.co)
            is_head = any(g.group == group for g in vertex.groups)
            vertex.co = center + head * (point - center) if is_head else point

    return vary


def scale_right_arm(factor: float) -> Vary:
    """Return a variation of `person` whose right arm is longer or shorter than the left one."""

    def vary(armature: bpy.types.Object) -> None:
        with edit_bones(armature) as bones:
            arm = [bones[f"Right{name}"] for name in ("UpperArm", "LowerArm", "Hand")]
            shoulder = arm[0].head.copy()
            for bone in arm:
                bone.head = shoulder + factor * (bone.head - shoulder)
                bone.tail = shoulder + factor * (bone.tail - shoulder)

    return vary


def add_peg_leg(armature: bpy.types.Object) -> None:
    """Replace the right shin and foot of `person` by a bone to the ground."""
    with edit_bones(armature) as bones:
        for name in ("RightFoot", "RightToes"):
            bones.remove(bones[name])
        bones["RightLowerLeg"].tail = (-0.09, 0, 0)
    groups = find_body().vertex_groups
    shin = groups["RightLowerLeg"]
    for name in ("RightFoot", "RightToes"):
        index = groups[name].index
        followers = [
            v.index for v in find_body().data.vertices if any(g.group == index for g in v.groups)
        ]
        shin.add(followers, 1.0, "REPLACE")
        groups.remove(groups[name])


def add_chain(name: str, parent: str, start: Vector, step: Vector, count: int) -> Vary:
    """Return a variation with a chain of bones below a bone on each side, mirrored.

    Args:
        name: of the bones, with a number.
        parent: bone in the middle that holds both chains.
        start: head of the first bone on the left side [m].
        step: from one bone to the next on the left side [m].
    """

    def vary(armature: bpy.types.Object) -> None:
        with edit_bones(armature) as bones:
            for side, sign in SIDES:
                mirror = Vector((sign, 1, 1))
                holder = bones[parent]
                for k in range(count):
                    bone = bones.new(f"{side}{name}{k}")
                    bone.head = (start + k * step) * mirror
                    bone.tail = (start + (k + 1) * step) * mirror
                    bone.parent = holder
                    holder = bone

    return vary


def fan_toes(armature: bpy.types.Object) -> None:
    """Replace the toes of `person` by five toes of two bones each; skin follows the middle one."""
    with edit_bones(armature) as bones:
        for side, sign in SIDES:
            bones.remove(bones[f"{side}Toes"])
            for k, toe in enumerate(("Thumb", "Index", "Middle", "Ring", "Pinky")):
                parent = bones[f"{side}Foot"]
                for piece in range(2):
                    bone = bones.new(f"{side}{toe}Toe{piece + 1}")
                    x = sign * (0.05 + 0.02 * k)
                    bone.head = (x, -0.12 - 0.03 * piece, 0.03)
                    bone.tail = (x, -0.15 - 0.03 * piece, 0.02)
                    bone.parent = parent
                    parent = bone
    for side, _ in SIDES:
        find_body().vertex_groups[f"{side}Toes"].name = f"{side}MiddleToe1"
        letter = side[0]
        armature.data.bones[f"{side}MiddleToe1"]["part"] = f"toe.{letter}"


def add_twists_and_targets(armature: bpy.types.Object) -> None:
    """Add two twist bones to each segment of `person`'s legs, and targets, as in Unreal."""
    with edit_bones(armature) as bones:
        for side, _ in SIDES:
            for segment in ("UpperLeg", "LowerLeg"):
                bone = bones[f"{side}{segment}"]
                for k in (1, 2):
                    twist = bones.new(f"{segment.lower()}_twist_0{k}_{side[0].lower()}")
                    twist.head = bone.head + k / 3 * (bone.tail - bone.head)
                    twist.tail = bone.tail
                    twist.parent = bone
        root = bones.new("ik_foot_root")
        root.head, root.tail = (0, 0, 0), (0, 0.2, 0)
        for letter, x in (("l", 0.09), ("r", -0.09)):
            target = bones.new(f"ik_foot_{letter}")
            target.head, target.tail = (x, 0.02, 0.09), (x, 0.2, 0.09)
            target.parent = root


def insert_hip_bones(armature: bpy.types.Object) -> None:
    """Add a bone from the middle of `person`'s hips to the top of each leg."""
    with edit_bones(armature) as bones:
        for side, sign in SIDES:
            hip = bones.new(f"{side}Pelvis")
            hip.head, hip.tail = (0, 0, 0.97), (sign * 0.09, 0, 0.93)
            hip.parent = bones["Hips"]
            bones[f"{side}UpperLeg"].parent = hip


def shorten_shins(armature: bpy.types.Object) -> None:
    """Give `person` short legs that bend as those of an animal, and remove the skin."""
    joints = {
        "UpperLeg": ((0.17, 0.014, 0.506), (0.19, 0.036, 0.281)),
        "LowerLeg": ((0.19, 0.036, 0.281), (0.206, 0.098, 0.145)),
        "Foot": ((0.206, 0.098, 0.145), (0.26, -0.004, 0.026)),
        "Toes": ((0.26, -0.004, 0.026), (0.337, -0.15, 0.026)),
    }
    with edit_bones(armature) as bones:
        for bone in bones:
            bone.use_connect = False
        for side, sign in SIDES:
            for name, (head, tail) in joints.items():
                bone = bones[f"{side}{name}"]
                bone.head, bone.tail = (
                    Vector((sign * point[0], *point[1:])) for point in (head, tail)
                )
    remove_skin(armature)


def remove_skin(armature: bpy.types.Object) -> None:
    """Remove the skin of `person`."""
    bpy.data.objects.remove(find_body())


def pose_both(*rotations: tuple[str, tuple[float, float, float]]) -> Vary:
    """Return a variation of `person` with a rest pose that is the same on both sides.

    Args:
        rotations: bones without their side, with rotations of those on the left about the world's
            x, y and z [degrees].
    """
    mirror = np.array([1, -1, -1])
    return pose_rest(
        *(
            (f"{side}{name}", tuple(float(a) for a in (angles if sign > 0 else mirror * angles)))
            for side, sign in SIDES
            for name, angles in rotations
        )
    )
