"""Uneven ground that is painted like a map, and a curve over it."""

from __future__ import annotations

import bpy
import numpy as np
from footfall.core.terrain import HeightField
from numpy.typing import NDArray

Array = NDArray[np.float64]

LENGTH = 18.0  # Length of the ground along x [m]
WIDTH = 12.0  # Width of the ground [m]
SPACING = 0.1  # Spacing of its grid [m]
TEXELS = 112  # Pixels of its picture per meter
CONTOUR = 0.10  # Height between two contour lines [m]
INDEX = 5  # Number of contour lines from one strong line to the next
LINE = 0.011  # Half of the width of a contour line [m]
FLATTEST = 0.05  # Slope below which contour lines keep their width
VALLEY = np.array([0.545, 0.690, 0.560])  # Colors in sRGB
HILL = np.array([0.855, 0.870, 0.660])
CONTOUR_COLOR = np.array([0.36, 0.50, 0.40])
EARTH = (0.70, 0.62, 0.52)
BLOCK = 0.9  # Depth of the block of ground below its lowest point [m]
PATH_PLACES = [(0.0, -2.2), (2.5, -1.9), (5.0, 0.6), (7.6, 1.7), (10.2, 0.2), (12.6, -0.8)]  # [m]


def hills(rng: np.random.Generator) -> HeightField:
    """Return a few hills with ripples on them, about 70 cm from the lowest place to the highest."""
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
    """Return the hills as a mesh object with contour lines, and add a block of earth under them."""
    surface = field.to_mesh()
    vertices = surface.vertices
    triangles = surface.triangles
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata(vertices.tolist(), [], triangles.tolist())
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    extent = SPACING * (np.array(field.heights.shape) - 1)
    share = (vertices[triangles.ravel(), :2] - field.origin) / extent
    mesh.uv_layers.new(name="Map").data.foreach_set("uv", share.ravel())
    mesh.materials.append(_map_material(field))
    ground = bpy.data.objects.new("Ground", mesh)
    bpy.context.collection.objects.link(ground)
    _add_block(field)
    return ground


def add_path(field: HeightField) -> bpy.types.Object:
    """Return a winding Bezier curve that hovers over the hills."""
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(len(PATH_PLACES) - 1)
    for point, (x, y) in zip(spline.bezier_points, PATH_PLACES, strict=True):
        point.co = (x, y, float(field.sample_heights(np.array([x, y]))) + 0.02)
        point.handle_left_type = point.handle_right_type = "AUTO"
    path = bpy.data.objects.new("Path", data)
    bpy.context.collection.objects.link(path)
    return path


def add_material(
    name: str, color: tuple[float, float, float], roughness: float = 0.75
) -> bpy.types.Material:
    """Return a material of one color, in sRGB, which both the viewport and renderers show."""
    material = bpy.data.materials.new(name)
    linear = (*(float(v) for v in to_linear(np.array(color))), 1.0)
    material.diffuse_color = linear
    material.use_nodes = True
    surface = material.node_tree.nodes["Principled BSDF"]
    surface.inputs["Base Color"].default_value = linear
    surface.inputs["Roughness"].default_value = roughness
    return material


def to_linear(color: Array) -> Array:
    """Return sRGB values as linear ones, by the standard's curve."""
    return np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)


def _map_material(field: HeightField) -> bpy.types.Material:
    """Return the ground's material: a picture of contour lines."""
    picture = _draw_map(field)
    image = bpy.data.images.new("Map", picture.shape[1], picture.shape[0])
    image.pixels.foreach_set(
        np.concatenate([picture, np.ones((*picture.shape[:2], 1))], -1).astype(np.float32).ravel()
    )
    image.pack()
    material = add_material("Ground", (0.7, 0.78, 0.6), roughness=0.95)
    nodes = material.node_tree.nodes
    texture = nodes.new("ShaderNodeTexImage")
    texture.image = image
    material.node_tree.links.new(
        texture.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"]
    )
    nodes.active = texture  # the one that the viewport shows
    return material


def _draw_map(field: HeightField) -> Array:
    """Return a map of the hills with contour lines. (rows along y, columns along x, 3) in sRGB."""
    size = SPACING * (np.array(field.heights.shape) - 1)
    columns, rows = (size * TEXELS).astype(int)
    x = field.origin[0] + size[0] * (np.arange(columns) + 0.5) / columns
    y = field.origin[1] + size[1] * (np.arange(rows) + 0.5) / rows
    height = field.sample_heights(np.stack(np.meshgrid(x, y), -1))
    share = (height - height.min()) / np.ptp(height)
    color = VALLEY + share[..., None] * (HILL - VALLEY)
    slope = np.maximum(np.hypot(*np.gradient(height, 1.0 / TEXELS)), FLATTEST)
    for every, strength in ((CONTOUR, 0.30), (INDEX * CONTOUR, 0.45)):
        # [m] over the ground
        away = np.abs((height / every - np.round(height / every)) * every) / slope
        line = strength * np.clip(0.5 + (LINE - away) * TEXELS, 0.0, 1.0)
        color = color + line[..., None] * (CONTOUR_COLOR - color)
    return color


def _add_block(field: HeightField) -> None:
    """Add the sides of a block of earth below the hills' rim."""
    nx, ny = field.heights.shape
    rim = [(i, 0) for i in range(nx)] + [(nx - 1, j) for j in range(1, ny)]
    rim += [(i, ny - 1) for i in range(nx - 2, -1, -1)] + [(0, j) for j in range(ny - 2, 0, -1)]
    index = np.array(rim)
    top = np.column_stack([field.origin + SPACING * index, field.heights[index[:, 0], index[:, 1]]])
    bottom = top.copy()
    bottom[:, 2] = field.heights.min() - BLOCK
    count = len(top)
    faces = [(k, (k + 1) % count, count + (k + 1) % count, count + k) for k in range(count)]
    mesh = bpy.data.meshes.new("Earth")
    mesh.from_pydata(np.concatenate([top, bottom]).tolist(), [], faces)
    mesh.materials.append(add_material("Earth", EARTH, roughness=0.95))
    bpy.context.collection.objects.link(bpy.data.objects.new("Earth", mesh))
