"""Bake a walk over hills on a rig; measure and draw its skin, and save the result.

Usage: rig_on_hills.py RIG OUT.npz [SEED]

RIG is a .glb, .vrm, .fbx, .blend or MakeHuman's .json file, or metarig:NAME for one of Rigify's.
"""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="footfall-blender-"))

import bpy
import footfall
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray
from rig_file import BONE_MESH_NAME, find_skins, load_rig

Array = NDArray[np.float64]

# Number of frames, and frame rate [1/s].
FRAMES = 150
FPS = 30
# Height to which rigs are scaled for all lengths below [m].
HUMAN = 1.75
# Maximum height above the ground at which a point of the skin counts as resting [m].
REST_DISTANCE = 0.01
# Number of frames drawn over one stride.
MOMENT_COUNT = 4
# Width and height of a picture [pixels].
TILE = (200, 170)
# View direction relative to the direction of motion, and downward [rad].
AZIMUTH = np.radians(-48.0)
ELEVATION = np.radians(16.0)

BODY = (0.80, 0.33, 0.16, 1.0)
GROUND = (0.93, 0.95, 0.96, 1.0)


class Hills:
    """Smooth hills with a height of 12 cm for a human, level at the origin."""

    def __init__(self, scale: float, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.wave = rng.uniform(0.5, 1.4, (4, 2)) / scale
        self.phase = rng.uniform(0, 2 * np.pi, (4, 2))
        high = rng.uniform(0.2, 1.0, 4)
        self.high = high * 0.12 * scale / high.sum()

    def sample_heights(self, x: Array, y: Array) -> Array:
        """Return the height of the ground."""
        out = np.zeros(np.shape(x))
        for (kx, ky), (px, py), a in zip(self.wave, self.phase, self.high, strict=True):
            out += a * (np.sin(kx * x + px) * np.cos(ky * y + py) - np.sin(px) * np.cos(py))
        return out

    def to_mesh(self, half: float, count: int = 161) -> bpy.types.Object:
        """Return the ground as an object of the scene."""
        line = np.linspace(-half, half, count)
        x, y = np.meshgrid(line, line, indexing="ij")
        k = np.arange(count * count).reshape(count, count)
        faces = np.stack([k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]], -1).reshape(-1, 4)
        mesh = bpy.data.meshes.new("Ground")
        mesh.from_pydata(
            np.stack([x, y, self.sample_heights(x, y)], -1).reshape(-1, 3).tolist(),
            [],
            faces.tolist(),
        )
        mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
        obj = bpy.data.objects.new("Ground", mesh)
        obj.color = GROUND
        bpy.context.collection.objects.link(obj)
        return obj


def main(rig: str, out: Path, seed: int = 0) -> None:
    """Bake, measure, draw and save."""
    bpy.ops.wm.read_homefile(use_empty=True)
    footfall.register()
    armature = load_rig(rig)
    ends = np.array(
        [
            armature.matrix_world @ p
            for b in armature.data.bones
            for p in (b.head_local, b.tail_local)
        ]
    )
    scale = float(np.ptp(ends[:, 2])) / HUMAN
    hills = Hills(scale, seed)
    scene = bpy.context.scene
    scene.frame_start = 1
    scene.frame_end = FRAMES
    scene.render.fps = FPS
    scene.footfall.terrain, scene.footfall.path = hills.to_mesh(12 * scale), add_path(8 * scale)
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.ops.footfall.detect_character()
    bpy.ops.footfall.generate()
    skin = find_skins(armature)
    measured = measure_skin(skin, hills, scale)
    np.savez_compressed(
        out,
        slide=measured.slide,
        sink=measured.sink,
        tiles=render_tiles(skin, measured.frames, scale),
    )
    print(
        f"{rig}: slides {1000 * measured.slide:.1f} mm a frame, sinks {1000 * measured.sink:.1f} mm"
    )


def add_path(length: float) -> bpy.types.Object:
    """Return a curve with two bends."""
    curve = bpy.data.curves.new("Path", "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("POLY")
    spline.points.add(3)
    for point, (x, y) in zip(
        spline.points, ((0, 0), (0, -0.4), (0.15, -0.7), (0.3, -1.0)), strict=True
    ):
        point.co = (x * length, y * length, 0, 1)
    obj = bpy.data.objects.new("Path", curve)
    bpy.context.collection.objects.link(obj)
    return obj


@dataclass(frozen=True)
class SkinMeasures:
    """Motion of the skin relative to the ground.

    Args:
        slide: 95th percentile of the displacement of resting points [m per frame].
        sink: maximum depth below the ground [m].
        frames: points of the skin in each frame, each (n, 3).
    """

    slide: float
    sink: float
    frames: list[Array]


def measure_skin(skin: list[bpy.types.Object], hills: Hills, scale: float) -> SkinMeasures:
    """Return the slide and sink of the skin; nan for a rig of bones without a skin."""
    frames = []
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        frames.append(read_skin_points(skin))
    if skin[0].name == BONE_MESH_NAME:
        return SkinMeasures(float("nan"), float("nan"), frames)
    gaps = [(z - hills.sample_heights(x, y)) / scale for x, y, z in (points.T for points in frames)]
    rests = [gap < REST_DISTANCE for gap in gaps]
    slide = [
        np.linalg.norm((after - before)[a & b, :2], axis=1) / scale
        for (before, after), (a, b) in zip(pairwise(frames), pairwise(rests), strict=True)
    ]
    return SkinMeasures(
        float(np.percentile(np.concatenate(slide), 95)), -float(np.min(gaps)), frames
    )


def read_skin_points(skin: list[bpy.types.Object]) -> Array:
    """Return all points of the posed skin. (n, 3)."""
    graph = bpy.context.evaluated_depsgraph_get()
    out = []
    for obj in skin:
        evaluated = obj.evaluated_get(graph)
        points = np.empty(3 * len(evaluated.data.vertices), np.float32)
        evaluated.data.vertices.foreach_get("co", points)
        matrix = np.array(evaluated.matrix_world)
        out.append(points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])
    return np.concatenate(out).astype(float)


def render_tiles(
    skin: list[bpy.types.Object], points: list[Array], scale: float
) -> NDArray[np.uint8]:
    """Return pictures of a stride in the middle of the clip. (moments, rows, columns, 3)."""
    scene = bpy.context.scene
    for obj in bpy.data.objects:
        obj.hide_render = obj.type == "MESH" and obj not in skin and obj.name != "Ground"
    for obj in skin:
        obj.color = BODY
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.render.film_transparent = True
    shading = scene.display.shading
    shading.light = "STUDIO"
    shading.color_type = "OBJECT"
    shading.show_cavity = True
    shading.show_shadows = True
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = (
        *TILE,
        100,
    )
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    tall = float(np.ptp(points[0][:, 2]))
    begin = int(np.clip(2.5 * FPS * np.sqrt(scale), 8, 0.5 * FRAMES))  # Small bodies arrive early.
    stride = min(
        1.1 * FPS * np.sqrt(max(scale, 0.2)), 0.4 * FRAMES
    )  # Approximate duration [frames].
    wide = max(float(np.linalg.norm(np.ptp(points[0][:, :2], axis=0))), tall * TILE[0] / TILE[1])
    camera.data.type, camera.data.ortho_scale, camera.data.clip_end = (
        "ORTHO",
        1.15 * wide,
        100 * scale,
    )
    camera.data.clip_start = 0.001 * scale
    tiles = []
    for k in range(MOMENT_COUNT):
        frame = begin + round(k * stride / MOMENT_COUNT)
        ahead = points[min(frame + 5, FRAMES - 1)].mean(0) - points[frame - 5].mean(0)
        scene.frame_set(frame)
        body = points[frame - 1]
        target = np.array([*body.mean(0)[:2], 0.5 * (body[:, 2].min() + body[:, 2].max())])
        a = np.arctan2(ahead[1], ahead[0]) + AZIMUTH
        e = ELEVATION
        toward = np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])
        tiles.append(render_tile(camera, target, toward, 20 * scale))
    return np.stack(tiles)


def render_tile(
    camera: bpy.types.Object, target: Array, toward: Array, distance: float
) -> NDArray[np.uint8]:
    """Return one picture. (rows, columns, 3)."""
    rotation = Vector(-toward).to_track_quat("-Z", "Y").to_matrix().to_4x4()
    camera.matrix_world = Matrix.Translation(Vector(target + distance * toward)) @ rotation
    render = bpy.context.scene.render
    render.image_settings.file_format, render.filepath = (
        "PNG",
        str(Path(tempfile.gettempdir()) / f"tile-{os.getpid()}.png"),
    )
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(render.filepath)
    out = np.empty(TILE[0] * TILE[1] * 4, np.float32)
    image.pixels.foreach_get(out)
    bpy.data.images.remove(image)
    Path(render.filepath).unlink()
    color, alpha = np.split(out.reshape(TILE[1], TILE[0], 4)[::-1], [3], axis=-1)
    return np.asarray(np.round(255 * (color * alpha + 1 - alpha)), np.uint8)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)
