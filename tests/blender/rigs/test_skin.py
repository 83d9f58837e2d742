"""The skin of a rig is what its armature moves, with mirrored halves; loose vertices are named."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from blender_scene import add_metarig
from footfall.addon.rigs.armature import read_skeleton
from footfall.addon.rigs.skin import describe_unweighted_vertices, read_surfaces
from mathutils import Matrix
from plain_person import add_plain_person
from rig_variations import find_body


def _rename_sides(armature: bpy.types.Object) -> None:
    """Name the sides as Blender flips them; vertex groups follow."""
    for bone in armature.data.bones:
        for side in ("Left", "Right"):
            if bone.name.startswith(side):
                bone.name = f"{bone.name.removeprefix(side)}.{side[0]}"


@pytest.mark.parametrize("flips_groups", [True, False])
def test_skin_of_a_mirrored_half(scene: bpy.types.Scene, flips_groups: bool) -> None:
    armature = add_plain_person()
    _rename_sides(armature)
    body = find_body()
    whole = read_skeleton(armature, scene).skin
    # only the left half is left
    right = [v.index for v in body.data.vertices if v.co.x < -1e-6]
    bpy.context.view_layer.objects.active = body
    bpy.ops.object.mode_set(mode="OBJECT")
    mesh = body.data
    keep = np.setdiff1d(np.arange(len(mesh.vertices)), right)
    positions = np.array([v.co for v in mesh.vertices])[keep]
    weights = [[(g.group, g.weight) for g in mesh.vertices[int(k)].groups] for k in keep]
    names = [group.name for group in body.vertex_groups]
    half = bpy.data.meshes.new("Half")
    half.from_pydata(positions.tolist(), [], [])
    body.data = half
    body.vertex_groups.clear()
    for name in names:
        body.vertex_groups.new(name=name)
    for k, entries in enumerate(weights):
        for group, weight in entries:
            body.vertex_groups[group].add([k], weight, "REPLACE")
    assert "Foot.R" not in read_skeleton(armature, scene).skin
    mirror = body.modifiers.new("Mirror", "MIRROR")
    mirror.use_mirror_vertex_groups = flips_groups
    body.modifiers.move(len(body.modifiers) - 1, 0)
    skin = read_skeleton(armature, scene).skin
    if flips_groups:
        assert set(skin) == set(whole)
        for axis in range(3):
            assert np.allclose(np.sort(skin["Foot.R"][:, axis]), np.sort(whole["Foot.R"][:, axis]))
    else:
        assert len(skin["Foot.L"]) == 2 * len(whole["Foot.L"])
    body.modifiers.move(0, len(body.modifiers) - 1)
    assert "Foot.R" not in read_skeleton(armature, scene).skin


@pytest.mark.parametrize("is_before_armature", [True, False])
def test_skin_is_as_smooth_as_it_is_drawn(scene: bpy.types.Scene, is_before_armature: bool) -> None:
    """The cage of a subdivided mesh is lower than its surface, on which the body stands."""
    armature = add_plain_person()
    body = find_body()
    cage_bottom = min(points[:, 2].min() for points in read_skeleton(armature, scene).skin.values())
    body.modifiers.new("Subdivision", "SUBSURF").levels = 2
    if is_before_armature:
        body.modifiers.move(len(body.modifiers) - 1, 0)
    bpy.context.view_layer.update()
    drawn = body.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    lowest = min((body.matrix_world @ v.co).z for v in drawn.vertices)
    counts = [len(bpy.data.meshes), len(bpy.data.objects), len(bpy.data.scenes)]
    skin = read_skeleton(armature, scene).skin
    assert min(points[:, 2].min() for points in skin.values()) == pytest.approx(lowest, abs=1e-6)
    assert lowest > cage_bottom + 0.002
    assert counts == [len(bpy.data.meshes), len(bpy.data.objects), len(bpy.data.scenes)]
    bpy.context.view_layer.objects.active = body
    bpy.ops.object.mode_set(mode="EDIT")
    edited = read_skeleton(armature, scene).skin
    bpy.ops.object.mode_set(mode="OBJECT")
    assert {name: len(points) for name, points in edited.items()} == {
        name: len(points) for name, points in skin.items()
    }


def test_vertices_without_weights_are_named(scene: bpy.types.Scene) -> None:
    armature = add_plain_person()
    body = find_body()
    assert describe_unweighted_vertices(armature, read_surfaces(armature)) == []
    for group in body.vertex_groups:
        group.remove([0, 1])
    (note,) = describe_unweighted_vertices(armature, read_surfaces(armature))
    assert note.startswith(f"2 of {len(body.data.vertices)} vertices of {body.name!r}")
    assert bpy.ops.footfall.detect_character() == {"FINISHED"}
    assert note in armature.footfall.notes


def test_meshes_that_hang_on_bones_are_their_skin_at_rest(scene: bpy.types.Scene) -> None:
    """Robots are made of rigid parts, each a child of a bone."""
    armature = add_metarig("human")
    points = np.array([(0.1, -0.1, 0.0), (0.2, 0.1, 0.0), (0.1, 0.0, 0.08), (0.2, 0.0, 0.08)])
    data = bpy.data.meshes.new("Shoe")
    data.from_pydata(points.tolist(), [], [])
    shoe = bpy.data.objects.new("Shoe", data)
    scene.collection.objects.link(shoe)
    shoe.parent = armature
    shoe.parent_type = "BONE"
    shoe.parent_bone = "foot.L"
    bpy.context.view_layer.update()
    shoe.matrix_world = Matrix.Identity(4)
    armature.pose.bones["thigh.L"].rotation_mode = "XYZ"
    armature.pose.bones["thigh.L"].rotation_euler.x = 0.6
    armature.location.x = 3.0
    bpy.context.view_layer.update()
    skeleton = read_skeleton(armature, scene)
    np.testing.assert_allclose(skeleton.skin["foot.L"], points, atol=1e-5)
    assert skeleton.low_skin is not None
    assert set(skeleton.low_skin.weights) == {"foot.L"}
    assert describe_unweighted_vertices(armature, read_surfaces(armature)) == []
