"""Objects for tests in Blender: rigs, curves, meshes, and a snapshot of a file."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import bpy
import footfall
import numpy as np

# Environment variable with the folder of generated rigs, which the processes of a test run share
RIG_FOLDER_VARIABLE = "FOOTFALL_TEST_RIGS"


def select(obj: bpy.types.Object | None) -> None:
    """Make an object the active one."""
    bpy.context.view_layer.objects.active = obj
    if obj is not None:
        obj.select_set(True)


def ensure_registered() -> None:
    """Register Footfall unless it is.

    It stays registered after a test, so that the next one finds a running planning process, whose
    start takes longer than most motions.
    """
    if not hasattr(bpy.types.Scene, "footfall"):
        footfall.register()


def ensure_unregistered() -> None:
    """Unregister Footfall if it is registered."""
    if hasattr(bpy.types.Scene, "footfall"):
        footfall.unregister()


def _enable_rigify() -> None:
    if "rigify" not in bpy.context.preferences.addons:
        bpy.ops.preferences.addon_enable(module="rigify")


def add_metarig(kind: str = "basic_human") -> bpy.types.Object:
    """Add one of Rigify's metarigs, which come with Blender, and return it."""
    _enable_rigify()
    getattr(bpy.ops.object, f"armature_{kind}_metarig_add")()
    return bpy.context.object


def add_generated_rig(kind: str = "basic_human") -> bpy.types.Object:
    """Add the control rig that Rigify generates from one of its metarigs, and return it.

    Rigify takes ten seconds for a rig with a face, so each is generated once in a test run, and
    all tests add it from a file.
    """
    file = Path(os.environ[RIG_FOLDER_VARIABLE]) / f"{kind}.blend"
    if not file.exists():
        _save_generated_rig(kind, file)
    _enable_rigify()
    with bpy.data.libraries.load(str(file)) as (_, into):
        into.objects = ["rig"]
    rig = into.objects[0]
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.update()
    return rig


def generate_rig(metarig: bpy.types.Object) -> bpy.types.Object:
    """Return the control rig that Rigify generates from a metarig, which is the active object."""
    bpy.ops.pose.rigify_generate()
    return next(o for o in bpy.data.objects if o.type == "ARMATURE" and o != metarig)


def _save_generated_rig(kind: str, file: Path) -> None:
    """Save a generated rig to a file, and leave nothing of it behind."""
    groups = (
        bpy.data.objects,
        bpy.data.armatures,
        bpy.data.meshes,
        bpy.data.collections,
        bpy.data.texts,
    )
    before = [set(group) for group in groups]
    rig = generate_rig(add_metarig(kind))
    part = file.with_suffix(f".{os.getpid()}")
    bpy.data.libraries.write(str(part), {rig})
    part.replace(file)  # Another process finds the whole file or none.
    after = zip(groups, before, strict=True)
    bpy.data.batch_remove([block for group, old in after for block in group if block not in old])


def add_curve(points: list[tuple[float, ...]], kind: str = "POLY") -> bpy.types.Object:
    """Add a curve object through points and return it."""
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    if points:
        spline = data.splines.new(kind)
        if kind == "BEZIER":
            spline.bezier_points.add(len(points) - 1)
            for point, position in zip(spline.bezier_points, points, strict=True):
                point.co = position
                point.handle_left_type = point.handle_right_type = "AUTO"
        else:
            spline.points.add(len(points) - 1)
            for point, position in zip(spline.points, points, strict=True):
                point.co = (*position, 1.0)
    curve = bpy.data.objects.new("Path", data)
    bpy.context.collection.objects.link(curve)
    return curve


def add_mesh(vertices: np.ndarray, faces: np.ndarray, name: str = "Ground") -> bpy.types.Object:
    """Add a mesh object and return it."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices.tolist(), [], faces.tolist())
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(obj)
    return obj


def add_height_map(picture: Path, extent: float, height: float) -> bpy.types.Object:
    """Add a height map as a mesh around the origin, where its height is 0, and return it."""
    from footfall.core.terrain import HeightField

    image = bpy.data.images.load(str(picture))
    pixels = np.empty(len(image.pixels), np.float32)
    image.pixels.foreach_get(pixels)
    grid = pixels.reshape(image.size[1], image.size[0], image.channels)[..., 0].T
    grid = grid[:: max(grid.shape[0] // 120, 1), :: max(grid.shape[0] // 120, 1)].astype(float)
    for _ in range(4):  # remove the steps of pixels of eight bits
        grid[1:-1, 1:-1] = (
            grid[1:-1, 1:-1] + grid[2:, 1:-1] + grid[:-2, 1:-1] + grid[1:-1, 2:] + grid[1:-1, :-2]
        ) / 5
    spacing = extent / (min(grid.shape) - 1)
    field = HeightField(
        height * (grid - grid[tuple(s // 2 for s in grid.shape)]), [-0.5 * extent] * 2, spacing
    )
    field = HeightField(
        field.heights - float(field.sample_heights(np.zeros(2))), field.origin, spacing
    )
    mesh = field.to_mesh()
    return add_mesh(mesh.vertices, mesh.triangles)


@dataclass(frozen=True)
class Snapshot:
    """Contents of a file, to compare before and after."""

    names: tuple[tuple[str, ...], ...]
    action: str
    pose: tuple[float, ...]
    properties: tuple[object, ...]

    @staticmethod
    def from_armature(armature: bpy.types.Object | None) -> Snapshot:
        """Return a snapshot of the file and of an armature's action, pose and properties."""
        kinds = (
            bpy.data.actions,
            bpy.data.objects,
            bpy.data.meshes,
            bpy.data.curves,
            bpy.data.armatures,
            bpy.data.collections,
        )
        action = ""
        pose = ()
        stored = ()
        if armature is not None:
            data = armature.animation_data
            action = data.action.name if data and data.action else ""
            pose = tuple(
                x
                for b in (armature.pose.bones if armature.pose else ())
                for row in b.matrix_basis
                for x in row
            )
            stored = (armature.footfall.anatomy, armature.footfall.notes)
        return Snapshot(
            tuple(tuple(datablock.name for datablock in kind) for kind in kinds),
            action,
            pose,
            stored,
        )


def load_rig(file: Path) -> bpy.types.Object:
    """Import a rig and return its armature, without the animations in the file."""
    if file.suffix in (".glb", ".vrm"):
        copy = Path(tempfile.mkdtemp()) / "rig.glb"
        shutil.copy(file, copy)
        bpy.ops.import_scene.gltf(filepath=str(copy))
    elif file.suffix == ".fbx":
        (bpy.ops.wm.fbx_import if hasattr(bpy.ops.wm, "fbx_import") else bpy.ops.import_scene.fbx)(
            filepath=str(file)
        )
    elif file.suffix == ".blend":
        with bpy.data.libraries.load(str(file)) as (there, wanted):
            wanted.objects = there.objects
        for obj in wanted.objects:
            bpy.context.collection.objects.link(obj)
    armature = max(
        (o for o in bpy.data.objects if o.type == "ARMATURE"), key=lambda o: len(o.data.bones)
    )
    armature.animation_data_clear()
    select(armature)
    return armature


def curves_of(action: bpy.types.Action) -> list[bpy.types.FCurve]:
    """Return all curves of an action, in any version of Blender."""
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    return [
        curve
        for layer in action.layers
        for strip in layer.strips
        for bag in strip.channelbags
        for curve in bag.fcurves
    ]


def add_collection(name: str) -> bpy.types.Collection:
    """Add a collection to the scene and return it."""
    collection = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(collection)
    return collection


def add_box(
    collection: bpy.types.Collection,
    size: tuple[float, float, float],
    position: tuple[float, float, float],
    yaw: float = 0.0,
    name: str = "Box",
) -> bpy.types.Object:
    """Add a box with the center of its base at a position, and return it.

    Its mesh is a cube of 1 m; the object is scaled and rotated.
    """
    corners = np.array(
        [
            (x, y, z)
            for z in (0, 1)
            for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
        ],
        float,
    )
    faces = np.array(
        [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    )
    box = add_mesh(corners, faces, name)
    bpy.context.collection.objects.unlink(box)
    collection.objects.link(box)
    box.location = position
    box.scale = size
    box.rotation_euler[2] = yaw
    bpy.context.view_layer.update()
    return box


def sample_skin_points(armature: bpy.types.Object) -> np.ndarray:
    """Return the vertices of the skin of an armature in its pose [m]. (n, 3).

    Without a skin, points along the bones take their place.
    """
    graph = bpy.context.evaluated_depsgraph_get()
    out = []
    for obj in bpy.data.objects:
        if obj.type == "MESH" and any(
            m.type == "ARMATURE" and m.object == armature for m in obj.modifiers
        ):
            mesh = obj.evaluated_get(graph).data
            points = np.empty(3 * len(mesh.vertices), np.float32)
            mesh.vertices.foreach_get("co", points)
            matrix = np.array(obj.matrix_world)
            out.append(points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])
    if not out:
        posed = armature.evaluated_get(graph)
        ends = np.array(
            [[posed.matrix_world @ b.head, posed.matrix_world @ b.tail] for b in posed.pose.bones]
        )
        out = [ends[:, 0] + u * (ends[:, 1] - ends[:, 0]) for u in np.linspace(0, 1, 8)]
    return np.concatenate(out)


def add_detected_metarig(
    scene: bpy.types.Scene, kind: str = "basic_human", length: float = 9.0
) -> bpy.types.Object:
    """Add one of Rigify's metarigs and a straight path ahead of it, and detect its parts."""
    armature = add_metarig(kind)
    scene.footfall.path = add_curve([(0, 0, 0), (0, -length, 0)])
    select(armature)
    bpy.ops.footfall.detect_character()
    return armature
