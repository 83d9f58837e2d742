"""Uneven ground, and a curve over it."""
from __future__ import annotations

import bpy
import numpy as np
from footfall.core.terrain import HeightField

LENGTH, WIDTH, SPACING = 18.0, 12.0, 0.1       # m


def hills(rng: np.random.Generator) -> HeightField:
    """A few hills with ripples on them, about 70 cm from the lowest place to the highest."""
    x = np.arange(-3.0, LENGTH - 3.0, SPACING)
    y = np.arange(-WIDTH / 2, WIDTH / 2, SPACING)
    grid = np.stack(np.meshgrid(x, y, indexing="ij"), -1)
    heights = np.zeros(grid.shape[:2])
    for wavelength, height in ((7.0, 0.14), (5.0, 0.07), (2.4, 0.02), (1.6, 0.012)):
        for _ in range(2):
            angle = rng.uniform(0, np.pi)
            along = grid @ np.array([np.cos(angle), np.sin(angle)])
            heights += height * np.sin(2 * np.pi * along / wavelength + rng.uniform(0, 2 * np.pi))
    return HeightField(heights, (x[0], y[0]), SPACING)


def add_ground(field: HeightField) -> bpy.types.Object:
    """The hills as a mesh object."""
    vertices, triangles = field.mesh()
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata(vertices.tolist(), [], triangles.tolist())
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    material = bpy.data.materials.new("Ground")
    material.diffuse_color = (0.55, 0.60, 0.52, 1.0)
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    checker, place = nodes.new("ShaderNodeTexChecker"), nodes.new("ShaderNodeNewGeometry")
    checker.inputs["Scale"].default_value = 1.0            # metre by metre, so that slides would show
    checker.inputs["Color1"].default_value = (0.30, 0.36, 0.30, 1.0)
    checker.inputs["Color2"].default_value = (0.22, 0.28, 0.23, 1.0)
    links.new(place.outputs["Position"], checker.inputs["Vector"])
    links.new(checker.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    nodes["Principled BSDF"].inputs["Roughness"].default_value = 0.9
    mesh.materials.append(material)
    ground = bpy.data.objects.new("Ground", mesh)
    bpy.context.collection.objects.link(ground)
    return ground


def add_path(field: HeightField) -> bpy.types.Object:
    """A winding Bezier curve that hovers over the hills."""
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    places = [(0.0, -2.2), (2.5, -1.9), (5.0, 0.6), (7.6, 1.7), (10.2, 0.2), (12.6, -0.8)]
    spline.bezier_points.add(len(places) - 1)
    for point, (x, y) in zip(spline.bezier_points, places, strict=True):
        point.co = (x, y, float(field.height(np.array([x, y]))) + 0.02)
        point.handle_left_type = point.handle_right_type = "AUTO"
    path = bpy.data.objects.new("Path", data)
    bpy.context.collection.objects.link(path)
    return path
