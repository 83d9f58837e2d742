"""Tangent planes of a smooth ground under the points of soles in Bullet (see `ground_planes`)."""

from __future__ import annotations

from types import ModuleType

import mujoco
import numpy as np
from numpy.typing import NDArray

from .bullet_body import XYZW, BulletBody
from .ground_planes import PREFIX, GroundPlanes
from .model import SimulatedModel

Array = NDArray[np.float64]

NO_COLLISION = 0  # Collision group and mask of planes


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
