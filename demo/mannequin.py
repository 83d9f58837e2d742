"""A simple skin for Rigify's human metarigs: one smooth solid a bone, so that poses can be judged."""
from __future__ import annotations

import bmesh
import bpy
from mathutils import Matrix, Vector

# bone: (radius beside the bone, radius before and behind it, share of its length that is covered before head and past tail)
SOLIDS = {
    "spine": (0.155, 0.115, 0.35, 0.25), "spine.001": (0.128, 0.098, 0.15, 0.2), "spine.002": (0.145, 0.11, 0.25, 0.25),
    "spine.003": (0.165, 0.118, 0.25, 0.12), "spine.004": (0.052, 0.055, 0.4, 0.2), "spine.005": (0.05, 0.052, 0.2, 0.2),
    "spine.006": (0.082, 0.10, 0.12, 0.18), "thigh": (0.085, 0.085, 0.1, 0.06), "shin": (0.056, 0.06, 0.06, 0.02),
    "upper_arm": (0.047, 0.05, 0.1, 0.06), "forearm": (0.038, 0.04, 0.06, 0.04), "hand": (0.042, 0.02, 0.1, 0.75),
    "shoulder": (0.055, 0.06, 0.1, 0.15),
}
CLAY, DARK = (0.80, 0.33, 0.16, 1.0), (0.12, 0.13, 0.16, 1.0)
SOLE_WIDTH, SHOE = 0.047, 0.075       # half width of a shoe, and its height over the instep, m


def add_mannequin(armature: bpy.types.Object) -> bpy.types.Object:
    """Build the skin and bind it to the armature's bones."""
    solids = bmesh.new()
    layer = solids.verts.layers.deform.new()
    groups: dict[str, int] = {}
    for bone in armature.data.bones:
        base = bone.name.split(".L")[0].split(".R")[0]
        if base in SOLIDS:
            _add_solid(solids, layer, groups, bone, SOLIDS[base])
        elif base in ("foot", "toe"):
            _add_shoe(solids, layer, groups, bone, armature)
    mesh = bpy.data.meshes.new("Mannequin")
    solids.to_mesh(mesh)
    solids.free()
    mesh.materials.append(_material("Clay", CLAY))
    mesh.materials.append(_material("Shoe", DARK))
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    body = bpy.data.objects.new("Mannequin", mesh)
    bpy.context.collection.objects.link(body)
    for name in groups:
        body.vertex_groups.new(name=name)
    body.parent = armature
    body.modifiers.new("Armature", "ARMATURE").object = armature
    return body


def _add_solid(solids: bmesh.types.BMesh, layer: object, groups: dict[str, int], bone: bpy.types.Bone,
               shape: tuple[float, float, float, float]) -> None:
    beside, before, head, tail = shape
    length = bone.length * (1 + head + tail)
    middle = bone.head_local.lerp(bone.tail_local, 0.5 * (1 + tail - head))
    turn = bone.matrix_local.to_3x3().to_4x4()
    if abs((bone.tail_local - bone.head_local).normalized().z) > 0.7:      # upright ones: measured against the body, not their roll
        along = (bone.tail_local - bone.head_local).normalized()
        side = Vector((1, 0, 0)) - along * along.x
        side.normalize()
        turn = Matrix((side, along, side.cross(along))).transposed().to_4x4()
    place = Matrix.Translation(middle) @ turn @ Matrix.Diagonal((beside, 0.5 * length, before, 1))
    made = bmesh.ops.create_icosphere(solids, subdivisions=3, radius=1.0, matrix=Matrix.Identity(4))["verts"]
    for vertex in made:
        # a superellipsoid along the bone: fuller than an egg, rounder than a tube
        p = vertex.co
        p.y = (abs(p.y) ** 0.75) * (1 if p.y > 0 else -1)
        vertex.co = place @ p
    _weigh(made, layer, groups, bone.name)


def _add_shoe(solids: bmesh.types.BMesh, layer: object, groups: dict[str, int], bone: bpy.types.Bone,
              armature: bpy.types.Object) -> None:
    """A shoe in two pieces that meet at the ball; its sole is flat at rest."""
    side = bone.name[-2:]
    foot, toe = armature.data.bones["foot" + side], armature.data.bones["toe" + side]
    ball, x = foot.tail_local.y, foot.head_local.x
    if bone == foot:
        near, far, height = foot.head_local.y + 0.075, ball, SHOE
    else:
        near, far, height = ball + 0.004, toe.tail_local.y - 0.015, 0.045
    made = bmesh.ops.create_icosphere(solids, subdivisions=3, radius=1.0)["verts"]
    for vertex in made:
        p = vertex.co
        squared = Vector((abs(p.x) ** 0.6, abs(p.y) ** 0.6, abs(p.z) ** 0.6))
        p = Vector(tuple(c if v >= 0 else -c for c, v in zip(squared, p, strict=True)))
        along = 0.5 * (1 + p.y)                                            # 0 in front, 1 behind
        tall = height * (0.62 + 0.55 * along) if bone == foot else height * (0.75 + 0.35 * along)
        vertex.co = Vector((x + p.x * SOLE_WIDTH * (1.0 if bone == toe else 1.0 - 0.15 * along),
                            far + (near - far) * along, max(0.0, 0.5 * tall * (1 + p.z))))
    for face in {f for v in made for f in v.link_faces}:
        face.material_index = 1
    _weigh(made, layer, groups, bone.name)


def _weigh(vertices: list[bmesh.types.BMVert], layer: object, groups: dict[str, int], name: str) -> None:
    group = groups.setdefault(name, len(groups))
    for vertex in vertices:
        vertex[layer][group] = 1.0      # type: ignore[index]


def _material(name: str, colour: tuple[float, float, float, float]) -> bpy.types.Material:
    material = bpy.data.materials.new(name)
    material.diffuse_color = colour
    material.use_nodes = True
    surface = material.node_tree.nodes["Principled BSDF"]
    surface.inputs["Base Color"].default_value = colour
    surface.inputs["Roughness"].default_value = 0.55
    return material
