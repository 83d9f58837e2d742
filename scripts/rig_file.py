"""Rigs as they come: a file of any kind or one of Rigify's metarigs,
and the skin that shows how it moves.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import bpy
from mathutils import Vector

# name of a skin that is made of bones, and its corners for each: its head first, its tail last
BONE_MESH_NAME = "Bones"
CORNERS_PER_BONE = 6


def load_rig(rig: str) -> bpy.types.Object:
    """Bring a rig into the scene; its armature, without the animations that came with it."""
    if rig.startswith("metarig:"):
        bpy.ops.preferences.addon_enable(module="rigify")
        getattr(bpy.ops.object, f"armature_{rig[8:]}_metarig_add")()
    elif rig.endswith((".glb", ".vrm")):
        copy = Path(tempfile.mkdtemp()) / "rig.glb"
        shutil.copy(rig, copy)
        bpy.ops.import_scene.gltf(filepath=str(copy))
    elif rig.endswith(".json"):
        _load_json_rig(Path(rig))
    elif rig.endswith(".fbx"):
        bpy.ops.wm.fbx_import(filepath=rig)
    else:
        with bpy.data.libraries.load(rig) as (source, wanted):
            wanted.objects = source.objects
        for obj in wanted.objects:
            bpy.context.collection.objects.link(obj)
    armature: bpy.types.Object = max(
        (o for o in bpy.data.objects if o.type == "ARMATURE"), key=lambda o: len(o.data.bones)
    )
    armature.animation_data_clear()
    return armature


def find_skins(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """The meshes that follow an armature; where it has none,
    one made of a spindle for each bone that deforms.
    """
    meshes = [
        o
        for o in bpy.data.objects
        if o.type == "MESH"
        and any(m.type == "ARMATURE" and m.object == armature for m in o.modifiers)
    ]
    if meshes:
        return meshes
    corners = []
    faces = []
    owner = []
    for bone in armature.data.bones:
        if (
            bone.parent is None
            and len(bone.children) == 1
            and (bone.children[0].head_local - bone.tail_local).length > 0.1 * bone.length
        ):
            continue  # a root that carries the body and is no part of it
        head = bone.head_local
        along = bone.tail_local - bone.head_local
        axes = bone.matrix_local.to_3x3() * (0.13 * bone.length)
        across = [axes @ Vector(v) for v in ((1, 0, 0), (0, 0, 1), (-1, 0, 0), (0, 0, -1))]
        first = len(corners)
        corners += [head, *(head + 0.15 * along + v for v in across), bone.tail_local]
        faces += [(first, first + 1 + (k + 1) % 4, first + 1 + k) for k in range(4)]
        faces += [(first + 5, first + 1 + k, first + 1 + (k + 1) % 4) for k in range(4)]
        owner += [bone.name] * CORNERS_PER_BONE
    mesh = bpy.data.meshes.new(BONE_MESH_NAME)
    mesh.from_pydata([tuple(v) for v in corners], [], faces)
    body = bpy.data.objects.new(BONE_MESH_NAME, mesh)
    bpy.context.collection.objects.link(body)
    for k, name in enumerate(owner):
        group = body.vertex_groups.get(name) or body.vertex_groups.new(name=name)
        group.add([k], 1.0, "REPLACE")
    body.parent = armature
    body.modifiers.new("Armature", "ARMATURE").object = armature
    return [body]


def _load_json_rig(file: Path) -> None:
    """A rig of MakeHuman's: bones with their ends and parents."""
    data = json.loads(file.read_text(encoding="utf-8"))
    data = data.get("bones", data)
    armature = bpy.data.objects.new(file.stem, bpy.data.armatures.new(file.stem))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    for name, entry in data.items():
        bone = bones.new(name)
        bone.head, bone.tail = entry["head"]["default_position"], entry["tail"]["default_position"]
    for name, entry in data.items():
        bones[name].parent = bones[entry["parent"]] if entry["parent"] else None
    bpy.ops.object.mode_set(mode="OBJECT")
