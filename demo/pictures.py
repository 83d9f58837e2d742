"""Still pictures of a baked walk: the whole path in one view, and a strip of frames."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
from footfall.core.motion.course_camera import CourseCamera
from mathutils import Vector
from numpy.typing import NDArray
from PIL import Image
from studio import TOWARD_SUN, add_camera, aim_camera, photograph, use_workbench

HERO = (1600, 640)  # [pixels]
HERO_LENS = 42.0  # [mm]
SAMPLES = 32  # Samples per pixel
TILE = (200, 250)  # Size of a frame of the strip [pixels]
TILE_HEIGHT = 2.35  # Height that a frame shows [m]
TILE_OVERSAMPLING = 4  # Rendered pixels per pixel, since frames are small
SEAM = 3  # Gap between two frames [pixels]
MIDDLE = 0.93  # Height of a frame's center over the ground [m]
# Azimuth relative to the heading, and elevation of each view [degrees]
VIEWS = ((-90.0, 8.0), (0.0, 8.0), (-48.0, 20.0))
DISTANCE = 7.0  # Distance of the strip's camera [m]
SKY_LIGHT = (0.80, 0.88, 1.0, 1.0)
COLORS = 256


def hero(
    body: bpy.types.Object,
    path: Path,
    frames: list[int],
    center: tuple[float, float, float],
    away: tuple[float, float, float],
) -> None:
    """Render the body at many frames along its path in one picture."""
    scene = bpy.context.scene
    copies = [_frozen(body, frame) for frame in frames]
    body.hide_render = True
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy = 3.2
    sun.data.angle = 0.06
    sun.rotation_euler = Vector(TOWARD_SUN).to_track_quat("Z", "Y").to_euler()
    scene.collection.objects.link(sun)
    if scene.world is None:
        scene.world = bpy.data.worlds.new("World")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = SKY_LIGHT
    scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.6
    camera = add_camera(HERO_LENS)
    aim_camera(camera, Vector(center), Vector(away))
    scene.render.engine = "CYCLES"
    scene.cycles.samples = SAMPLES
    scene.cycles.use_denoising = True
    scene.cycles.seed = 0
    scene.view_settings.view_transform = "Standard"
    scene.view_settings.exposure = 0.0
    photograph(HERO, oversampling=1).save(path, optimize=True)
    for thing in (*copies, sun, camera):
        bpy.data.objects.remove(thing)
    body.hide_render = False


def strip(path: Path, frames: NDArray[np.int64], course: CourseCamera) -> None:
    """Render frames in rows by view; the camera follows the path and keeps its heading.

    Args:
        frames: (k,) of the motion, which begins at the scene's first frame.
    """
    scene = bpy.context.scene
    use_workbench()
    camera = add_camera()
    camera.data.type = "ORTHO"
    camera.data.ortho_scale = TILE_HEIGHT * max(1.0, TILE[0] / TILE[1])
    wide = len(frames) * (TILE[0] + SEAM) - SEAM
    picture = Image.new("RGB", (wide, len(VIEWS) * (TILE[1] + SEAM) - SEAM), "white")
    for row, (azimuth, elevation) in enumerate(VIEWS):
        for column, frame in enumerate(frames):
            scene.frame_set(scene.frame_start + int(frame))
            toward = course.view_at(int(frame), azimuth, elevation).toward
            target = Vector(course.course_points[frame]) + Vector((0.0, 0.0, MIDDLE))
            aim_camera(camera, target, DISTANCE * Vector(toward))
            picture.paste(
                photograph(TILE, TILE_OVERSAMPLING),
                (column * (TILE[0] + SEAM), row * (TILE[1] + SEAM)),
            )
    picture.quantize(COLORS, kmeans=1).save(path, optimize=True)
    bpy.data.objects.remove(camera)


def _frozen(body: bpy.types.Object, frame: int) -> bpy.types.Object:
    """Return a copy of the body as it is at a frame."""
    bpy.context.scene.frame_set(frame)
    evaluated = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    copy = bpy.data.objects.new(f"frame {frame}", bpy.data.meshes.new_from_object(evaluated))
    copy.matrix_world = body.matrix_world
    bpy.context.scene.collection.objects.link(copy)
    return copy
