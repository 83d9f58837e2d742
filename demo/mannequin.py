"""A simple body for Rigify's human metarigs, with clothes and a face."""

from __future__ import annotations

from dataclasses import dataclass

import bmesh
import bpy
import numpy as np
from landscape import add_material
from mathutils import Matrix, Vector

SKIN = 0  # materials by their numbers
SHIRT = 1
TROUSERS = 2
SHOE = 3
HAIR = 4
EYE = 5
COLORS = {
    "Skin": (0.87, 0.66, 0.52),
    "Shirt": (0.88, 0.36, 0.27),
    "Trousers": (0.22, 0.27, 0.38),
    "Shoe": (0.93, 0.92, 0.89),
    "Hair": (0.29, 0.19, 0.14),
    "Eye": (0.06, 0.06, 0.07),
}  # in the order of the numbers, sRGB

SOLE_WIDTH = 0.047  # Half of the width of a shoe [m]
INSTEP = 0.075  # Height of a shoe over the instep [m]
TOE = 0.045  # Height of a shoe over the toes [m]


@dataclass(frozen=True)
class Limb:
    """A solid around a bone.

    Args:
        aside: radius beside the bone [m].
        ahead: radius before and behind it [m].
        before, past: reach before the bone's head and past its tail, of the bone's length.
        taper: share of its radius that it loses towards either end of the bone, more at the tail.
        material: its number.
    """

    aside: float
    ahead: float
    before: float
    past: float
    taper: float
    material: int


LIMBS = {
    "spine.004": Limb(0.054, 0.056, before=0.5, past=0.3, taper=0.0, material=SKIN),
    "spine.005": Limb(0.050, 0.053, before=0.3, past=0.3, taper=0.0, material=SKIN),
    "spine.006": Limb(0.080, 0.100, before=0.14, past=0.14, taper=-0.10, material=SKIN),
    "thigh": Limb(0.078, 0.086, before=0.12, past=0.07, taper=0.22, material=TROUSERS),
    "shin": Limb(0.056, 0.060, before=0.08, past=0.03, taper=0.20, material=TROUSERS),
    "upper_arm": Limb(0.052, 0.056, before=0.18, past=0.06, taper=0.15, material=SHIRT),
    "forearm": Limb(0.038, 0.041, before=0.08, past=0.04, taper=0.20, material=SKIN),
    "hand": Limb(0.042, 0.022, before=0.1, past=0.75, taper=0.0, material=SKIN),
    "shoulder": Limb(0.050, 0.052, before=0.0, past=0.20, taper=0.0, material=SHIRT),
}
TRUNK = ("spine", "spine.001", "spine.002", "spine.003")
# rings of the trunk: place along its bones, half its width and half its depth [m]
RINGS = np.array(
    [
        (-0.62, 0.030, 0.030),
        (-0.55, 0.095, 0.075),
        (-0.30, 0.148, 0.108),
        (0.20, 0.165, 0.118),
        (0.70, 0.150, 0.106),
        (1.30, 0.132, 0.096),
        (1.90, 0.140, 0.104),
        (2.50, 0.157, 0.116),
        (3.10, 0.170, 0.122),
        (3.55, 0.164, 0.112),
        (3.85, 0.125, 0.088),
        (4.02, 0.060, 0.060),
        (4.06, 0.020, 0.020),
    ]
)
HIPS_BEHIND = 0.012  # Distance of the center of the hips behind their joints [m]
BELT = 0.55  # place along the trunk's bones where the shirt begins
AROUND = 28  # corners of a ring
BETWEEN = 3  # rings that are put between two of the table
# Offset of the nose from the center of the head at rest, along x, y and z [m]
NOSE = (0.0, -0.098, 0.004)
EYES = ((-0.031, -0.089, 0.030), (0.031, -0.089, 0.030))


def add_mannequin(armature: bpy.types.Object) -> bpy.types.Object:
    """Build the body, bind it to the armature's bones, and return it."""
    solids = bmesh.new()
    layer = solids.verts.layers.deform.new()
    groups: dict[str, int] = {}
    for bone in armature.data.bones:
        base = bone.name.split(".L")[0].split(".R")[0]
        if base in LIMBS:
            _add_limb(solids, layer, groups, bone, LIMBS[base])
        elif base in ("foot", "toe"):
            _add_shoe(solids, layer, groups, bone, armature)
    _add_trunk(solids, layer, groups, armature)
    _add_face(solids, layer, groups, armature.data.bones["spine.006"])
    mesh = bpy.data.meshes.new("Mannequin")
    bmesh.ops.recalc_face_normals(solids, faces=solids.faces)
    solids.to_mesh(mesh)
    solids.free()
    for name, color in COLORS.items():
        mesh.materials.append(add_material(name, color, roughness=0.55))
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    body = bpy.data.objects.new("Mannequin", mesh)
    bpy.context.collection.objects.link(body)
    for name in groups:
        body.vertex_groups.new(name=name)
    body.parent = armature
    body.modifiers.new("Armature", "ARMATURE").object = armature
    return body


def _add_limb(
    solids: bmesh.types.BMesh,
    layer: object,
    groups: dict[str, int],
    bone: bpy.types.Bone,
    limb: Limb,
) -> None:
    """Add a superellipsoid along a bone: fuller than an egg, rounder than a tube."""
    length = bone.length * (1 + limb.before + limb.past)
    middle = bone.head_local.lerp(bone.tail_local, 0.5 * (1 + limb.past - limb.before))
    place = (
        Matrix.Translation(middle)
        @ _upright_turn(bone)
        @ Matrix.Diagonal((limb.aside, 0.5 * length, limb.ahead, 1))
    )
    vertices = bmesh.ops.create_icosphere(
        solids, subdivisions=3, radius=1.0, matrix=Matrix.Identity(4)
    )["verts"]
    for vertex in vertices:
        p = vertex.co
        p.y = (abs(p.y) ** 0.75) * (1 if p.y > 0 else -1)
        narrow = 1 - limb.taper * p.y
        vertex.co = place @ Vector((p.x * narrow, p.y, p.z * narrow))
    _paint(vertices, limb.material)
    if bone.name == "spine.006":
        _paint_hair(vertices, middle)
    _weigh(vertices, layer, groups, bone.name)


def _upright_turn(bone: bpy.types.Bone) -> Matrix:
    """Return a bone's rotation; that of an upright one does not depend on its roll."""
    along = (bone.tail_local - bone.head_local).normalized()
    if abs(along.z) <= 0.7:
        return bone.matrix_local.to_3x3().to_4x4()
    side = Vector((1, 0, 0)) - along * along.x
    side.normalize()
    return Matrix((side, along, side.cross(along))).transposed().to_4x4()


def _add_trunk(
    solids: bmesh.types.BMesh, layer: object, groups: dict[str, int], armature: bpy.types.Object
) -> None:
    """Add hips, waist and chest as one skin, which bends from bone to bone."""
    bones = [armature.data.bones[name] for name in TRUNK]
    joints = np.array([*(bone.head_local for bone in bones), bones[-1].tail_local])
    # the bone of the rig begins too far back
    joints[0, 1] = armature.data.bones["thigh.L"].head_local.y + HIPS_BEHIND
    steps = np.linspace(0, len(RINGS) - 1, (len(RINGS) - 1) * BETWEEN + 1)
    places, wide, deep = (np.interp(steps, np.arange(len(RINGS)), column) for column in RINGS.T)
    angle = 2 * np.pi * np.arange(AROUND) / AROUND
    rings = []
    for place, half_width, half_depth in zip(places, wide, deep, strict=True):
        number = int(np.clip(np.floor(place), 0, len(bones) - 1))
        center = joints[number] + (place - number) * (joints[number + 1] - joints[number])
        ring = [
            solids.verts.new(
                (center[0] + half_width * np.cos(a), center[1] + half_depth * np.sin(a), center[2])
            )
            for a in angle
        ]
        for vertex in ring:
            # half and half where two bones meet
            near = float(np.clip(place - 0.5, 0.0, len(bones) - 1.0))
            lower = int(near)
            for bone, share in (
                (lower, 1 - near + lower),
                (min(lower + 1, len(bones) - 1), near - lower),
            ):
                if share > 0:
                    group = groups.setdefault(TRUNK[bone], len(groups))
                    vertex[layer][group] = share  # type: ignore[index]
        rings.append(ring)
    for place, lower_ring, upper_ring in zip(places, rings[:-1], rings[1:], strict=False):
        for k in range(AROUND):
            after = (k + 1) % AROUND
            face = solids.faces.new(
                (lower_ring[k], lower_ring[after], upper_ring[after], upper_ring[k])
            )
            face.material_index = SHIRT if place >= BELT else TROUSERS
    solids.faces.new(rings[-1])
    solids.faces.new(rings[0][::-1])


def _add_face(
    solids: bmesh.types.BMesh, layer: object, groups: dict[str, int], head: bpy.types.Bone
) -> None:
    """Add a nose and eyes to the head, which looks along -y at rest."""
    middle = head.head_local.lerp(head.tail_local, 0.5)
    for place, size, material in (
        (NOSE, (0.015, 0.034, 0.026), SKIN),
        *((eye, (0.013, 0.010, 0.015), EYE) for eye in EYES),
    ):
        matrix = Matrix.Translation(middle + Vector(place)) @ Matrix.Diagonal((*size, 1))
        vertices = bmesh.ops.create_icosphere(solids, subdivisions=2, radius=1.0, matrix=matrix)[
            "verts"
        ]
        _paint(vertices, material)
        _weigh(vertices, layer, groups, head.name)


def _paint_hair(vertices: list[bmesh.types.BMVert], middle: Vector) -> None:
    """Paint the top and the back of the head."""
    for face in {face for vertex in vertices for face in vertex.link_faces}:
        away = face.calc_center_median() - middle
        if away.z > 0.052 - 0.9 * away.y if away.y < 0.02 else away.z > -0.045:
            face.material_index = HAIR


def _add_shoe(
    solids: bmesh.types.BMesh,
    layer: object,
    groups: dict[str, int],
    bone: bpy.types.Bone,
    armature: bpy.types.Object,
) -> None:
    """Add a shoe in two pieces that meet at the ball; its sole is flat at rest."""
    side = bone.name[-2:]
    foot = armature.data.bones["foot" + side]
    toe = armature.data.bones["toe" + side]
    ball = foot.tail_local.y
    x = foot.head_local.x
    if bone == foot:
        near = foot.head_local.y + 0.075
        far = ball
        height = INSTEP
    else:
        near = ball + 0.004
        far = toe.tail_local.y - 0.015
        height = TOE
    vertices = bmesh.ops.create_icosphere(solids, subdivisions=3, radius=1.0)["verts"]
    for vertex in vertices:
        p = vertex.co
        squared = Vector((abs(p.x) ** 0.6, abs(p.y) ** 0.6, abs(p.z) ** 0.6))
        p = Vector(tuple(c if v >= 0 else -c for c, v in zip(squared, p, strict=True)))
        along = 0.5 * (1 + p.y)  # 0 in front, 1 behind
        tall = height * (0.62 + 0.55 * along) if bone == foot else height * (0.75 + 0.35 * along)
        vertex.co = Vector(
            (
                x + p.x * SOLE_WIDTH * (1.0 if bone == toe else 1.0 - 0.15 * along),
                far + (near - far) * along,
                max(0.0, 0.5 * tall * (1 + p.z)),
            )
        )
    _paint(vertices, SHOE)
    _weigh(vertices, layer, groups, bone.name)


def _paint(vertices: list[bmesh.types.BMVert], material: int) -> None:
    """Give the faces at vertices a material."""
    for face in {face for vertex in vertices for face in vertex.link_faces}:
        face.material_index = material


def _weigh(
    vertices: list[bmesh.types.BMVert], layer: object, groups: dict[str, int], name: str
) -> None:
    """Bind vertices to one bone."""
    group = groups.setdefault(name, len(groups))
    for vertex in vertices:
        vertex[layer][group] = 1.0  # type: ignore[index]
