"""Collision shapes of Bullet for the solids of a MuJoCo model, and for a smooth ground."""

from __future__ import annotations

from types import ModuleType

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..errors import TerrainError
from .bullet_body import XYZW, BulletBody
from .ground_planes import PREFIX, GroundPlanes
from .model import SimulatedModel

Array = NDArray[np.float64]

# Number of vertices of the convex hull that represents an ellipsoid: 1 % of its radius from it
SPHERE_POINT_COUNT = 240
GOLDEN_ANGLE = np.pi * (3.0 - 5.0**0.5)  # [rad]
NO_COLLISION = 0  # Collision group and mask of planes
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


class BulletPlanes:
    """Planes of Bullet at the places of MuJoCo's planes.

    Args:
        bullet: module of PyBullet.
        client: index of the simulation.
        model: with planes, or without.
        body: whose sole points each touch one plane and nothing else.
        ground: Bullet's bodies of the ground, which these points do not touch.
    """

    def __init__(
        self,
        bullet: ModuleType,
        client: int,
        model: SimulatedModel,
        body: BulletBody,
        ground: list[int],
    ) -> None:
        self._bullet = bullet
        self._client_arguments = {"physicsClientId": client}
        self._ground_planes = GroundPlanes(model.mujoco, model.ground)
        self.planes: list[int] = []
        self._mocap: list[int] = []
        m = model.mujoco
        links = {m.geom(geom).name: link for link, geom in enumerate(body.geoms) if geom >= 0}
        for k in range(m.nbody):
            name = m.body(k).name
            if not name.startswith(PREFIX):
                continue
            link = links[name.removeprefix(PREFIX)]
            shape = bullet.createCollisionShape(
                bullet.GEOM_PLANE, planeNormal=[0.0, 0.0, 1.0], **self._client_arguments
            )
            plane = int(
                bullet.createMultiBody(
                    baseMass=0.0, baseCollisionShapeIndex=shape, **self._client_arguments
                )
            )
            bullet.setCollisionFilterGroupMask(
                plane, -1, NO_COLLISION, NO_COLLISION, **self._client_arguments
            )
            bullet.setCollisionFilterPair(
                plane, body.body_id, -1, link, 1, **self._client_arguments
            )
            for other in ground:
                bullet.setCollisionFilterPair(
                    other, body.body_id, -1, link, 0, **self._client_arguments
                )
            self.planes.append(plane)
            self._mocap.append(int(m.body_mocapid[k]))

    def update(self, data: mujoco.MjData) -> None:
        """Move every plane below its sole point, whose place is in MuJoCo's data."""
        if not self.planes:
            return
        self._ground_planes.update(data)
        for plane, k in zip(self.planes, self._mocap, strict=True):
            self._bullet.resetBasePositionAndOrientation(
                plane,
                data.mocap_pos[k].tolist(),
                data.mocap_quat[k][XYZW].tolist(),
                **self._client_arguments,
            )
