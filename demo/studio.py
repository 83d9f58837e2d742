"""Camera, light and sky of the demo's pictures."""

from __future__ import annotations

import tempfile
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Vector
from PIL import Image

ZENITH = np.array([158, 201, 236])  # colors of the sky in sRGB, 0 to 255
HORIZON = np.array([246, 248, 245])
SHADOW = 0.42  # darkness of shadows in the viewport's renderer
SHADOW_SHIFT = 0.35  # hides the hard edges of faces where a body shades itself
TOWARD_SUN = (0.50, -0.40, 0.77)
EXPOSURE = 1.10  # [f-stops] by which that renderer's pictures are brighter
# Rendered pixels per pixel of the picture, which smooth edges faster than the renderer does
OVERSAMPLING = 2


def add_camera(lens: float = 50.0) -> bpy.types.Object:
    """Return a camera that renders are made with; `lens` [mm]."""
    scene = bpy.context.scene
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.lens = lens
    scene.collection.objects.link(camera)
    scene.camera = camera
    return camera


def aim_camera(camera: bpy.types.Object, target: Vector, away: Vector) -> None:
    """Point the camera at a target from a place that is away from it [m]."""
    turn = (-away).to_track_quat("-Z", "Y").to_matrix().to_4x4()
    camera.matrix_world = Matrix.Translation(target + away) @ turn


def use_workbench() -> None:
    """Render as the viewport does in solid mode: quick, with shadows and the map on the ground."""
    scene = bpy.context.scene
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.display.render_aa = "OFF"
    x, y, z = TOWARD_SUN
    scene.display.light_direction = (x, z, -y)  # this renderer has its light in axes with y up
    scene.display.shadow_shift = SHADOW_SHIFT
    shading = scene.display.shading
    shading.light = "STUDIO"
    shading.color_type = "TEXTURE"
    shading.show_specular_highlight = False
    shading.show_cavity = True
    shading.cavity_type = "WORLD"
    shading.show_shadows = True
    shading.shadow_intensity = SHADOW
    scene.view_settings.view_transform = "Standard"
    scene.view_settings.exposure = EXPOSURE


def photograph(size: tuple[int, int], oversampling: int = OVERSAMPLING) -> Image.Image:
    """Return the render of the scene at a size in pixels, over a sky."""
    scene = bpy.context.scene
    scene.render.film_transparent = True
    scene.render.resolution_x = size[0] * oversampling
    scene.render.resolution_y = size[1] * oversampling
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGBA"
    scene.render.image_settings.compression = 0  # it is read once
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = str(Path(folder) / "render.png")
        bpy.ops.render.render(write_still=True)
        with Image.open(scene.render.filepath) as rendered:
            front = rendered.resize(size, Image.Resampling.LANCZOS)
    return Image.alpha_composite(_sky(size), front).convert("RGB")


def _sky(size: tuple[int, int]) -> Image.Image:
    """Return a sky that is paler towards the horizon, which is about the middle of the picture."""
    share = np.clip(np.linspace(0.0, 1.7, size[1]), 0.0, 1.0)[:, None]
    column = ZENITH + share * (HORIZON - ZENITH)
    picture = np.broadcast_to(column[:, None], (size[1], size[0], 3)).astype(np.uint8)
    return Image.fromarray(picture, "RGB").convert("RGBA")
