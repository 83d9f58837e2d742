"""The picture of docs/physics.md: a walk over hills in Blender with the physics behind it.
`python scripts/physics.py`.
"""

from __future__ import annotations

import math
import os
import tempfile
from pathlib import Path

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="footfall-blender-"))
import bpy
import footfall
import gpu
import numpy as np
from bpy_extras.object_utils import world_to_camera_view
from footfall.addon.overlay.manager import get_entry
from footfall.addon.overlay.timeline import StripArea
from footfall.addon.overlay.view3d import ComMarker
from mathutils import Matrix, Vector

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "physics.png"
WIDTH = 1000
HEIGHT = 600
FRAME = 34


def main() -> None:
    """Generate the walk, draw it, save it."""
    bpy.ops.wm.read_homefile(use_empty=True)
    footfall.register()
    scene = bpy.context.scene
    scene.render.fps = 24
    scene.frame_start = 1
    scene.frame_end = 97
    armature = _character()
    scene.footfall.path, scene.footfall.terrain_object = _path(), _hills()
    bpy.context.view_layer.objects.active = armature
    bpy.ops.footfall.detect_character()
    bpy.ops.footfall.generate()
    for obj in scene.objects:
        obj.select_set(obj == armature)
    scene.frame_set(FRAME)
    _save(_picture(scene, armature, _camera(scene)))


def _character() -> bpy.types.Object:
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_basic_human_metarig_add()
    return bpy.context.object


def _height(x: float, y: float) -> float:
    return 0.08 * math.sin(1.1 * x) * math.cos(0.9 * y)


def _hills() -> bpy.types.Object:
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=80, y_subdivisions=80, size=16)
    hills = bpy.context.object
    for vertex in hills.data.vertices:
        vertex.co.z = _height(vertex.co.x, vertex.co.y)
    hills.data.shade_smooth()
    return hills


def _path() -> bpy.types.Object:
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    positions = [(0, 0), (0.9, -1.8), (0.2, -3.6), (1.2, -5.2)]
    spline.bezier_points.add(len(positions) - 1)
    for point, (x, y) in zip(spline.bezier_points, positions, strict=True):
        point.co = (x, y, _height(x, y))
        point.handle_left_type = point.handle_right_type = "AUTO"
    path = bpy.data.objects.new("Path", data)
    bpy.context.collection.objects.link(path)
    return path


def _camera(scene: bpy.types.Scene) -> bpy.types.Object:
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    camera.location = (5.2, -4.2, 2.3)
    camera.rotation_euler = (
        (Vector((0.6, -1.9, 0.5)) - camera.location).to_track_quat("-Z", "Y").to_euler()
    )
    camera.data.lens = 34
    scene.camera = camera
    scene.render.resolution_x = WIDTH
    scene.render.resolution_y = HEIGHT
    bpy.context.view_layer.update()
    return camera


def _picture(
    scene: bpy.types.Scene, armature: bpy.types.Object, camera: bpy.types.Object
) -> np.ndarray:
    """The 3D view as it is seen, the overlay on it. (height, width, 4), from 0 to 1."""
    if hasattr(gpu, "init"):
        gpu.init()
    else:  # a render starts the GPU up, too
        scene.render.engine = "BLENDER_WORKBENCH"
        scene.render.resolution_percentage = 2
        bpy.ops.render.render()
    screen = gpu.types.GPUOffScreen(WIDTH, HEIGHT)
    area = next(
        a for a in bpy.context.window_manager.windows[0].screen.areas if a.type == "VIEW_3D"
    )
    space = area.spaces.active
    region = next(r for r in area.regions if r.type == "WINDOW")
    space.overlay.show_cursor = space.overlay.show_extras = False
    view = camera.matrix_world.inverted()
    lens = camera.calc_matrix_camera(bpy.context.evaluated_depsgraph_get(), x=WIDTH, y=HEIGHT)
    screen.draw_view3d(
        scene, bpy.context.view_layer, space, region, view, lens, do_color_management=True
    )
    overlay_entry = get_entry(armature, scene)
    overlay_settings = scene.footfall_overlay
    assert overlay_entry is not None
    k = overlay_entry.physics.to_motion_frame(scene.frame_current)
    matrix = overlay_entry.compute_world_matrix(armature, scene)
    assert k is not None
    with screen.bind(), gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.matrix.load_matrix(view)
        gpu.matrix.load_projection_matrix(lens)
        overlay_entry.view.draw(overlay_settings, k, matrix, 1.0)
        gpu.matrix.load_identity()
        gpu.matrix.load_projection_matrix(
            Matrix([(2 / WIDTH, 0, 0, -1), (0, 2 / HEIGHT, 0, -1), (0, 0, -1, 0), (0, 0, 0, 1)])
        )
        position = world_to_camera_view(scene, camera, overlay_entry.view.locate_com(k, matrix))
        ComMarker().draw(Vector((position.x * WIDTH, position.y * HEIGHT)), 1.0)
        overlay_entry.strip.draw_panel(
            StripArea(0.0, WIDTH, 0.0, 1.0), k, overlay_settings.graph, overlay_settings.contacts
        )
        pixels = gpu.state.active_framebuffer_get().read_color(0, 0, WIDTH, HEIGHT, 4, 0, "UBYTE")
    pixels.dimensions = WIDTH * HEIGHT * 4
    image = np.array(pixels, np.uint8).reshape(HEIGHT, WIDTH, 4) / 255
    image[..., 3] = 1
    screen.free()
    return image


def _save(picture: np.ndarray) -> None:
    image = bpy.data.images.new("physics", WIDTH, HEIGHT)
    image.pixels.foreach_set(picture.astype(np.float32).ravel())
    image.filepath_raw = str(PICTURE)
    image.file_format = "PNG"
    image.save()


if __name__ == "__main__":
    main()
