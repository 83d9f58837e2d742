"""Collision shapes of Bullet for the solids of a MuJoCo model."""

from __future__ import annotations

from types import ModuleType

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..errors import TerrainError

Array = NDArray[np.float64]

SPHERE_POINT_COUNT = 240  # Number of vertices of the convex hull that represents an ellipsoid
GOLDEN_ANGLE = np.pi * (3.0 - 5.0**0.5)  # [rad]
PLANE, HEIGHT_FIELD, SPHERE, CAPSULE, ELLIPSOID, BOX, MESH = (
    int(kind)
    for kind in (
        mujoco.mjtGeom.mjGEOM_PLANE,
        mujoco.mjtGeom.mjGEOM_HFIELD,
        mujoco.mjtGeom.mjGEOM_SPHERE,
        mujoco.mjtGeom.mjGEOM_CAPSULE,
        mujoco.mjtGeom.mjGEOM_ELLIPSOID,
        mujoco.mjtGeom.mjGEOM_BOX,
        mujoco.mjtGeom.mjGEOM_MESH,
    )
)


def create_shape(bullet: ModuleType, client: int, model: mujoco.MjModel, geom: int) -> int:
    """Create the shape of a geom, and return its index.

    The shape is relative to the frame of the geom. That of a height field is relative to the middle
    between its lowest and highest point.

    Raises:
        TerrainError: the geom is of a kind that is not supported.
    """
    kind = int(model.geom_type[geom])
    size = model.geom_size[geom].tolist()
    client_arguments = {"physicsClientId": client}
    if kind == PLANE:
        return int(
            bullet.createCollisionShape(
                bullet.GEOM_PLANE, planeNormal=[0.0, 0.0, 1.0], **client_arguments
            )
        )
    if kind == SPHERE:
        return int(
            bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=size[0], **client_arguments)
        )
    if kind == CAPSULE:
        return int(
            bullet.createCollisionShape(
                bullet.GEOM_CAPSULE, radius=size[0], height=2 * size[1], **client_arguments
            )
        )
    if kind == BOX:
        return int(
            bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=size, **client_arguments)
        )
    if kind == ELLIPSOID:
        return _create_hull(bullet, client, _sample_sphere() * size)
    if kind == HEIGHT_FIELD:
        return _create_height_field(bullet, client, model, int(model.geom_dataid[geom]))
    if kind == MESH:
        mesh = model.geom_dataid[geom]
        begin = model.mesh_vertadr[mesh]
        return _create_hull(
            bullet,
            client,
            np.array(model.mesh_vert[begin : begin + model.mesh_vertnum[mesh]], float),
        )
    raise TerrainError(
        f"The kind of the solid '{model.geom(geom).name or geom}' is not supported by the physics "
        "'bullet'; use planes, spheres, capsules, boxes, ellipsoids, convex meshes or height "
        "fields."
    )


def compute_shape_place(model: mujoco.MjModel, geom: int) -> list[float]:
    """Return the position at which to put the shape of one of the ground's solids. (3,) [m]."""
    place = model.geom_pos[geom].copy()
    if model.geom_type[geom] == HEIGHT_FIELD:
        heights = _read_heights(model, int(model.geom_dataid[geom]))
        place[2] += 0.5 * (heights.min() + heights.max())
    return [float(x) for x in place]


def _read_heights(model: mujoco.MjModel, field: int) -> Array:
    """Return the heights of a height field above its lowest point. (ny, nx) [m]."""
    begin, ny, nx = (
        int(values[field]) for values in (model.hfield_adr, model.hfield_nrow, model.hfield_ncol)
    )
    return (
        np.array(model.hfield_data[begin : begin + ny * nx], float).reshape(ny, nx)
        * model.hfield_size[field, 2]
    )


def _create_height_field(bullet: ModuleType, client: int, model: mujoco.MjModel, field: int) -> int:
    """Create the shape of a height field, and return its index."""
    heights = _read_heights(model, field)
    ny, nx = heights.shape
    cell_size = 2 * model.hfield_size[field, :2] / (nx - 1, ny - 1)
    return int(
        bullet.createCollisionShape(
            bullet.GEOM_HEIGHTFIELD,
            meshScale=[*cell_size.tolist(), 1.0],
            heightfieldData=heights.ravel().tolist(),
            numHeightfieldRows=nx,
            numHeightfieldColumns=ny,
            physicsClientId=client,
        )
    )


def _create_hull(bullet: ModuleType, client: int, corners: Array) -> int:
    """Create the convex hull of vertices (v, 3) [m], and return its index."""
    return int(
        bullet.createCollisionShape(
            bullet.GEOM_MESH, vertices=corners.tolist(), physicsClientId=client
        )
    )


def _sample_sphere() -> Array:
    """Return points spread over a sphere of radius 1. (SPHERE_POINT_COUNT, 3)."""
    z = 1 - (2 * np.arange(SPHERE_POINT_COUNT) + 1) / SPHERE_POINT_COUNT
    angle = GOLDEN_ANGLE * np.arange(SPHERE_POINT_COUNT)
    radius = np.sqrt(1 - z * z)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), z], -1)
