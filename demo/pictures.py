"""Pictures of a baked walk: the whole way in one view, and a strip of frames from the side, the front and in perspective."""
from __future__ import annotations

import tempfile
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

TILE = (150, 230)         # pixels of a frame of the strip
VIEWS = {"side": (-90.0, 5.0), "front": (0.0, 5.0), "perspective": (-48.0, 16.0)}       # azimuth to the heading, elevation, degrees


def hero(body: bpy.types.Object, path: Path, frames: list[int], centre: tuple[float, float, float],
         away: tuple[float, float, float], size: tuple[int, int] = (1600, 620), samples: int = 32) -> None:
    """The body at many frames along its way, in one rendered picture."""
    scene = bpy.context.scene
    copies = [_frozen(body, frame) for frame in frames]
    body.hide_render = True
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.data.angle = 3.0, 0.05
    sun.rotation_euler = (0.85, 0.15, -0.6)
    scene.collection.objects.link(sun)
    if scene.world is None:
        scene.world = bpy.data.worlds.new("World")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.78, 0.85, 0.92, 1.0)
    scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.6
    camera = _camera(scene, Vector(centre) + Vector(away), Vector(centre))
    camera.data.lens = 42
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.seed = samples, True, 0
    scene.view_settings.view_transform = "Standard"
    _render(scene, path, size)
    for thing in (*copies, sun, camera):
        bpy.data.objects.remove(thing)
    body.hide_render = False


def strip(armature: bpy.types.Object, path: Path, frames: list[int], headings: list[float], middles: NDArray[np.float64]) -> None:
    """Rendered frames in rows by view.

    Args:
        headings: direction that the body faces in each frame, rad.
        middles: (k, 3) of the body in each frame.
    """
    scene = bpy.context.scene
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.display.shading.light, scene.display.shading.color_type = "STUDIO", "MATERIAL"
    scene.display.shading.show_cavity = True
    camera = _camera(scene, Vector(), Vector((0, 1, 0)))
    camera.data.type, camera.data.ortho_scale = "ORTHO", 2.45
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for azimuth, elevation in VIEWS.values():
            row = []
            for frame, heading, middle in zip(frames, headings, middles, strict=True):
                scene.frame_set(frame)
                a, e = heading + np.radians(azimuth), np.radians(elevation)
                toward = Vector((np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)))
                camera.matrix_world = _looking(Vector(middle) + 8 * toward, Vector(middle))
                row.append(_pixels(scene, Path(folder) / "tile.png"))
            rows.append(np.concatenate(row, axis=1))
    picture = np.concatenate(rows[::-1])                                   # Blender's rows go upward
    image = bpy.data.images.new("strip", picture.shape[1], picture.shape[0])
    image.pixels.foreach_set(picture.astype(np.float32).ravel())
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()
    bpy.data.images.remove(image)
    bpy.data.objects.remove(camera)


def _frozen(body: bpy.types.Object, frame: int) -> bpy.types.Object:
    bpy.context.scene.frame_set(frame)
    evaluated = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    copy = bpy.data.objects.new(f"frame {frame}", bpy.data.meshes.new_from_object(evaluated))
    copy.matrix_world = body.matrix_world
    bpy.context.scene.collection.objects.link(copy)
    return copy


def _camera(scene: bpy.types.Scene, place: Vector, target: Vector) -> bpy.types.Object:
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    camera.matrix_world = _looking(place, target)
    scene.camera = camera
    return camera


def _looking(place: Vector, target: Vector) -> Matrix:
    return Matrix.Translation(place) @ (target - place).to_track_quat("-Z", "Y").to_matrix().to_4x4()


def _render(scene: bpy.types.Scene, path: Path, size: tuple[int, int]) -> None:
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = *size, 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


def _pixels(scene: bpy.types.Scene, path: Path) -> NDArray[np.float32]:
    _render(scene, path, TILE)
    image = bpy.data.images.load(str(path))
    out = np.empty(TILE[0] * TILE[1] * 4, np.float32)
    image.pixels.foreach_get(out)
    bpy.data.images.remove(image)
    return out.reshape(TILE[1], TILE[0], 4)
