"""Variations of a few base rigs: scale, axes, names, twists, helpers, roots, poses, holders.

Each bone of a leg keeps its part as a custom property, whatever it is renamed to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
import numpy as np
from blender_scene import add_metarig, select
from mathutils import Matrix, Vector
from plain_person import add_plain_person

PART_KEY = "part"
Vary = Callable[[bpy.types.Object], None]

# Parts of the base rigs by bone; the right side of `person` mirrors the left.
PERSON_PARTS = {"UpperLeg": "thigh", "LowerLeg": "shin", "Foot": "foot", "Toes": "toe"}
METARIG_PARTS = {"thigh": "thigh", "shin": "shin", "foot": "foot", "toe": "toe"}
ANIMAL_PARTS = {
    "thigh": "hind_thigh",
    "shin": "hind_shin",
    "foot": "hind_hock",
    "toe": "hind_foot",
    "front_thigh": "front_thigh",
    "front_shin": "front_shin",
    "front_foot": "front_hock",
    "front_toe": "front_foot",
}


@dataclass(frozen=True)
class Variation:
    """A variation of a base rig.

    Args:
        base: "person" (with skin), "metarig" (a human) or "animal" (on four legs).
        vary: changes the armature.
        message: part of the message that says why it is refused; empty if it walks.
    """

    base: str
    vary: Vary
    message: str = ""


def add_base(kind: str) -> bpy.types.Object:
    """Add a base rig with the part of each bone of a leg, select it and return it."""
    if kind == "person":
        armature = add_plain_person()
        sides = {"L": "Left{}", "R": "Right{}"}
        parts = PERSON_PARTS
    else:
        armature = add_metarig("basic_human" if kind == "metarig" else "basic_quadruped")
        sides = {"L": "{}.L", "R": "{}.R"}
        parts = METARIG_PARTS if kind == "metarig" else ANIMAL_PARTS
    for side, pattern in sides.items():
        for bone, part in parts.items():
            armature.data.bones[pattern.format(bone)][PART_KEY] = f"{part}.{side}"
    select(armature)
    return armature


def read_true_parts(armature: bpy.types.Object) -> dict[str, str]:
    """Return the bone of each part of a leg."""
    return {b[PART_KEY]: b.name for b in armature.data.bones if PART_KEY in b}


def read_true_forward(armature: bpy.types.Object) -> np.ndarray:
    """Return the direction in which left is on the left (3,)."""
    bones = {b[PART_KEY]: b for b in armature.data.bones if PART_KEY in b}
    prefix = "hind_" if "hind_thigh.L" in bones else ""
    ends = [armature.matrix_world @ bones[f"{prefix}thigh.{s}"].head_local for s in "LR"]
    forward = np.cross(np.array(ends[0] - ends[1]), [0.0, 0.0, 1.0])
    return np.asarray(forward / np.linalg.norm(forward))


@contextmanager
def edit_bones(armature: bpy.types.Object) -> Iterator[bpy.types.ArmatureEditBones]:
    """Enter edit mode and leave it again."""
    select(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    yield armature.data.edit_bones
    bpy.ops.object.mode_set(mode="OBJECT")


def find_body() -> bpy.types.Object:
    """Return the first mesh of the scene, which is the skin of `person`."""
    return next(obj for obj in bpy.data.objects if obj.type == "MESH")


def _transform_data(armature: bpy.types.Object, matrix: Matrix) -> None:
    """Transform the bones of an armature, and the meshes that it is the parent of."""
    armature.data.transform(matrix)
    for obj in bpy.data.objects:
        if obj.parent == armature:
            obj.data.transform(matrix)


def scale_object(factor: float) -> Vary:
    """Return a variation with another scale of the object; bones are as long as before."""

    def vary(armature: bpy.types.Object) -> None:
        _transform_data(armature, Matrix.Scale(1 / factor, 4))
        armature.scale = (factor,) * 3

    return vary


def scale_body(factor: float) -> Vary:
    """Return a variation of another size."""

    def vary(armature: bpy.types.Object) -> None:
        armature.scale = (factor,) * 3

    return vary


def turn_object(degrees: tuple[float, float, float], keeps_world: bool = False) -> Vary:
    """Return a variation with a rotated object.

    Args:
        degrees: rotations about x, y and z.
        keeps_world: whether the bones are rotated back, so that only local axes differ.
    """

    def vary(armature: bpy.types.Object) -> None:
        armature.rotation_euler = np.radians(degrees)
        bpy.context.view_layer.update()
        if keeps_world:
            _transform_data(armature, armature.matrix_basis.inverted())

    return vary


def hold(degrees: tuple[float, float, float], scale: float = 1.0) -> Vary:
    """Return a variation with an empty as the parent of the object."""

    def vary(armature: bpy.types.Object) -> None:
        holder = bpy.data.objects.new("Holder", None)
        bpy.context.collection.objects.link(holder)
        holder.rotation_euler = np.radians(degrees)
        holder.scale = (scale,) * 3
        armature.parent = holder
        armature.scale = (1 / scale,) * 3

    return vary


def roll_bones(armature: bpy.types.Object) -> None:
    """Give each bone another roll."""
    rng = np.random.default_rng(3)
    with edit_bones(armature) as bones:
        for bone in bones:
            bone.roll = float(rng.uniform(-3, 3))


def point_bones(direction: tuple[float, float, float]) -> Vary:
    """Return a variation whose bones all point in one direction, as importers make them."""

    def vary(armature: bpy.types.Object) -> None:
        with edit_bones(armature) as bones:
            for bone in bones:
                bone.use_connect = False
            for bone in bones:
                bone.tail = bone.head + 0.05 * Vector(direction)

    return vary


def rename(make_name: Callable[[str, int], str]) -> Vary:
    """Return a variation with other names, made from name and number of a bone."""

    def vary(armature: bpy.types.Object) -> None:
        names = {bone: make_name(bone.name, k) for k, bone in enumerate(armature.data.bones)}
        for k, bone in enumerate(names):
            bone.name = f"#{k}"
        for bone, name in names.items():
            bone.name = name

    return vary


def translate_names(table: dict[str, str], pattern: str) -> Vary:
    """Return a variation of `person` with the names of another program.

    Args:
        table: names by those of `person` without sides.
        pattern: format of a name with `side` (Left), `letter` (L) or `small` (l), and `name`.
    """

    def make_name(old: str, _: int) -> str:
        for side in ("Left", "Right"):
            if old.startswith(side):
                name = table.get(old.removeprefix(side), old.removeprefix(side))
                return pattern.format(side=side, letter=side[0], small=side[0].lower(), name=name)
        return table.get(old, old)

    return rename(make_name)


def insert_twist(part: str, suffix: str, is_in_line: bool) -> Vary:
    """Return a variation with a twist bone in the middle of both bones of a part.

    Args:
        part: such as "thigh".
        suffix: of the name of the twist bone.
        is_in_line: whether the child bones hang on it.
    """

    def vary(armature: bpy.types.Object) -> None:
        parts = read_true_parts(armature)
        with edit_bones(armature) as bones:
            for side in "LR":
                bone = bones[parts[f"{part}.{side}"]]
                children = list(bone.children)
                twist = bones.new(f"{bone.name}{suffix}")
                twist.head = 0.5 * (bone.head + bone.tail)
                twist.tail = bone.tail
                twist.parent = bone
                for child in children if is_in_line else ():
                    child.use_connect = False
                    child.parent = twist

    return vary


def insert_metatarsals(armature: bpy.types.Object) -> None:
    """Add a bone in line between each foot and its toes."""
    parts = read_true_parts(armature)
    with edit_bones(armature) as bones:
        for side in "LR":
            foot, toe = (bones[parts[f"{part}.{side}"]] for part in ("foot", "toe"))
            middle = bones.new(f"{foot.name}Metatarsals".replace("Foot", ""))
            middle.head = 0.5 * (foot.head + toe.head)
            middle.tail = toe.head
            middle.parent = foot
            toe.use_connect = False
            toe.parent = middle


def double_legs(armature: bpy.types.Object) -> None:
    """Add a second bone at each bone of `person`'s legs, which copies it and moves its skin."""
    parts = read_true_parts(armature)
    with edit_bones(armature) as bones:
        for name in parts.values():
            double = bones.new(f"{name}D")
            double.head, double.tail = bones[name].head, bones[name].tail
        for name in parts.values():
            parent = bones[name].parent.name
            bones[f"{name}D"].parent = bones[f"{parent}D" if parent in parts.values() else parent]
    body = find_body()
    for part, name in parts.items():
        constraint = armature.pose.bones[f"{name}D"].constraints.new("COPY_ROTATION")
        constraint.target, constraint.subtarget = armature, name
        constraint.mix_mode = "AFTER"
        constraint.target_space = constraint.owner_space = "LOCAL"
        body.vertex_groups[name].name = f"{name}D"
        del armature.data.bones[name][PART_KEY]
        armature.data.bones[f"{name}D"][PART_KEY] = part


def add_root(name: str, count: int = 1) -> Vary:
    """Return a variation with bones at the origin above the hips."""

    def vary(armature: bpy.types.Object) -> None:
        with edit_bones(armature) as bones:
            tops = [bone for bone in bones if bone.parent is None]
            parent = None
            for k in range(count):
                root = bones.new(f"{name}{k or ''}")
                root.head, root.tail = (0, 0, 0), (0, 0.2, 0)
                root.parent = parent
                parent = root
            for bone in tops:
                bone.parent = parent

    return vary


def detach(part: str) -> Vary:
    """Return a variation in which both bones of a part have no parent."""

    def vary(armature: bpy.types.Object) -> None:
        parts = read_true_parts(armature)
        with edit_bones(armature) as bones:
            for side in "LR":
                bones[parts[f"{part}.{side}"]].parent = None

    return vary


def add_helpers(armature: bpy.types.Object) -> None:
    """Add bones that move nothing: targets on the ground, ends of chains, hair and a prop."""
    with edit_bones(armature) as bones:
        leaves = [bone for bone in bones if not bone.children]
        for bone in leaves:
            end = bones.new(f"{bone.name}_end")
            end.head = bone.tail
            end.tail = bone.tail + (bone.tail - bone.head)
            end.parent = bone
        for side, x in (("L", 0.1), ("R", -0.1)):
            target = bones.new(f"ik_target.{side}")
            target.head, target.tail = (x, 0.05, 0), (x, 0.2, 0)
        head = max(leaves, key=lambda bone: bone.head.z)
        parent = head
        for k in range(4):
            hair = bones.new(f"hair{k}")
            hair.head = parent.tail
            hair.tail = parent.tail + Vector((0, 0.08, -0.06))
            hair.parent = parent
            parent = hair
        prop = bones.new("sword")
        prop.head, prop.tail = (0.75, 0, 1.4), (0.75, -0.7, 1.4)
        prop.parent = max(leaves, key=lambda bone: bone.head.x)


def remove_parts(*words: str) -> Vary:
    """Return a variation without the bones whose names contain a word."""

    def vary(armature: bpy.types.Object) -> None:
        with edit_bones(armature) as bones:
            for bone in [b for b in bones if any(word in b.name for word in words)]:
                bones.remove(bone)

    return vary


def pose_rest(*rotations: tuple[str, tuple[float, float, float]]) -> Vary:
    """Return a variation whose rest pose is another one, applied together with the skin.

    Args:
        rotations: bones with rotations about the world's x, y and z [degrees].
    """

    def vary(armature: bpy.types.Object) -> None:
        select(armature)
        for name, degrees in rotations:
            pose_bone = armature.pose.bones[name]
            turn = Matrix.Identity(3)
            for axis, angle in zip("XYZ", degrees, strict=True):
                turn = Matrix.Rotation(np.radians(angle), 3, axis) @ turn
            bpy.context.view_layer.update()
            head = pose_bone.head.copy()
            pose_bone.matrix = (
                Matrix.Translation(head)
                @ turn.to_4x4()
                @ Matrix.Translation(-head)
                @ pose_bone.matrix
            )
        bpy.context.view_layer.update()
        for body in [obj for obj in bpy.data.objects if obj.type == "MESH"]:
            graph = bpy.context.evaluated_depsgraph_get()
            body.data = bpy.data.meshes.new_from_object(body.evaluated_get(graph))
        bpy.ops.object.mode_set(mode="POSE")
        bpy.ops.pose.armature_apply()
        bpy.ops.object.mode_set(mode="OBJECT")

    return vary


def lock_bones(armature: bpy.types.Object) -> None:
    """Lock locations and scales, and give each bone another rotation mode."""
    modes = ("QUATERNION", "XYZ", "ZYX", "AXIS_ANGLE", "YXZ")
    for k, bone in enumerate(armature.pose.bones):
        bone.lock_scale = (True,) * 3
        if bone.parent is not None:
            bone.lock_location = (True,) * 3
        bone.rotation_mode = modes[k % len(modes)]


def mirror_skin(armature: bpy.types.Object) -> None:
    """Leave the left half of the skin and a Mirror modifier, with names that Blender flips."""
    rename(
        lambda name, _: next(
            (f"{name.removeprefix(s)}.{s[0]}" for s in ("Left", "Right") if name.startswith(s)),
            name,
        )
    )(armature)
    body = find_body()
    select(body)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.bisect(plane_co=(0, 0, 0), plane_no=(1, 0, 0), clear_inner=True)
    bpy.ops.object.mode_set(mode="OBJECT")
    body.modifiers.new("Mirror", "MIRROR")
    body.modifiers.move(len(body.modifiers) - 1, 0)
    select(armature)


def in_sequence(*steps: Vary) -> Vary:
    """Return a variation that makes several changes one after the other."""

    def vary(armature: bpy.types.Object) -> None:
        for step in steps:
            step(armature)
            bpy.context.view_layer.update()

    return vary
