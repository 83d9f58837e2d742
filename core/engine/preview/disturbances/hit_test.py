"""Where a body that something is thrown at is hit, and how hard."""
from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ....character.capsule import capsules, nearest
from ....simulate import Body, Reading
from ...shared.disturbances import link_at

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Meeting:
    """A ball that touches a link.

    Attributes:
        link: of the character.
        place: (3,) on the link's surface.
        normal: (3,) from there to the ball's middle.
        local: (3,) the place in the link's frame.
        velocity: (3,) m/s of the place.
        mobility: 1/kg, what a unit impulse along the normal gives the place along it: n J M^-1 J' n.
    """

    link: int
    place: Array
    normal: Array
    local: Array
    velocity: Array
    mobility: float


class Target:
    """The capsules of a simulated body, in the pose that it was put into last."""

    def __init__(self, body: Body) -> None:
        self._character, self._model = body.character, body.model
        self._data = mujoco.MjData(body.model.mujoco)
        shapes = capsules(body.character)
        self._links = np.array([shape.link for shape in shapes])
        self._bodies = body.model.links[self._links]
        self._ends = np.array([[shape.start, shape.end] for shape in shapes])               # (c, 2, 3)
        self._radii = np.array([shape.radius for shape in shapes])

    def put(self, now: Reading) -> None:
        """Take a pose and its velocities."""
        self._data.qpos[:], self._data.qvel[:] = now.pose, now.velocity
        mujoco.mj_kinematics(self._model.mujoco, self._data)
        mujoco.mj_comPos(self._model.mujoco, self._data)

    @property
    def top(self) -> float:
        """Height of its highest place, m."""
        return float((self._segments()[..., 2] + self._radii[:, None]).max())

    def part(self, place: str, now: Reading) -> Array:
        """Where a part of the body is, (3,).

        Raises:
            TaskError: the body has no such part.
        """
        link = link_at(self._character, place)
        return now.com if link is None else self._data.xipos[self._model.links[link]].copy()

    def gap(self, one: Array, other: Array, radius: float) -> float:
        """How near a ball comes to head and trunk on its way from one place (3,) to the other, m."""
        own = [link for link in (*self._character.trunk, self._character.head) if link is not None]
        return float(self._gaps(one, other)[0][np.isin(self._links, own)].min()) - radius

    def meeting(self, one: Array, other: Array, radius: float, now: Reading) -> Meeting | None:
        """What a ball touches first on its short way from one place (3,) to the other; None where it touches nothing."""
        gaps, on_way, on_axis = self._gaps(one, other)
        k = int(np.argmin(gaps))
        if gaps[k] >= radius:
            return None
        away = on_way[k] - on_axis[k]
        length = float(np.linalg.norm(away))
        normal = away / length if length > 1e-9 else (one - other) / max(float(np.linalg.norm(one - other)), 1e-12)
        place, body = on_axis[k] + self._radii[k] * normal, int(self._bodies[k])
        jacobian = np.zeros((3, self._model.mujoco.nv))
        mujoco.mj_jac(self._model.mujoco, self._data, jacobian, None, place, body)
        along = normal @ jacobian
        local = self._data.xmat[body].reshape(3, 3).T @ (place - self._data.xpos[body])
        mobility = float(along @ np.linalg.solve(now.mass_matrix, along))
        return Meeting(int(self._links[k]), place, normal, local, jacobian @ now.velocity, mobility)

    def _segments(self) -> Array:
        """The capsules' axes in the world. (c, 2, 3)."""
        turned = self._data.xmat[self._bodies].reshape(-1, 1, 3, 3)
        return np.asarray(self._data.xpos[self._bodies][:, None] + (turned @ self._ends[..., None])[..., 0])

    def _gaps(self, one: Array, other: Array) -> tuple[Array, Array, Array]:
        """From each capsule's surface to a way, (c,), and the nearest places on the way and on its axis, each (c, 3)."""
        axes = self._segments()
        way = np.broadcast_to(one, axes[:, 0].shape), np.broadcast_to(other, axes[:, 0].shape)
        on_way, on_axis = nearest(way, (axes[:, 0], axes[:, 1]))
        return np.linalg.norm(on_way - on_axis, axis=1) - self._radii, on_way, on_axis
