"""Where a body that something is thrown at is hit, and how hard."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ....character.capsule import find_nearest_points, make_capsules
from ....simulate import BodyState, SimulatedBody
from ...shared.disturbances import find_pushed_link

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BallHit:
    """A ball that touches a link.

    Attributes:
        link: of the character.
        place: (3,) on the link's surface.
        normal: (3,) from there to the ball's middle.
        local: (3,) the place in the link's frame.
        velocity: (3,) m/s of the place.
        mobility: 1/kg, what a unit impulse along the normal gives the place
            along it: n J M^-1 J' n.
    """

    link: int
    place: Array
    normal: Array
    local: Array
    velocity: Array
    mobility: float


class HitShape:
    """The capsules of a simulated body, in the pose that it was put into last."""

    def __init__(self, body: SimulatedBody) -> None:
        self._character = body.character
        self._model = body.model
        self._data = mujoco.MjData(body.model.mujoco)
        shapes = make_capsules(body.character)
        self._shape_links = np.array([shape.link for shape in shapes])
        self._shape_bodies = body.model.links[self._shape_links]
        self._shape_ends = np.array([[shape.start, shape.end] for shape in shapes])  # (c, 2, 3)
        self._shape_radii = np.array([shape.radius for shape in shapes])

    def set_state(self, now: BodyState) -> None:
        """Take a pose and its velocities."""
        self._data.qpos[:], self._data.qvel[:] = now.pose, now.velocity
        mujoco.mj_kinematics(self._model.mujoco, self._data)
        mujoco.mj_comPos(self._model.mujoco, self._data)

    @property
    def top_height(self) -> float:
        """Height of its highest place, m."""
        return float((self._compute_segments()[..., 2] + self._shape_radii[:, None]).max())

    def locate_part(self, part_name: str, now: BodyState) -> Array:
        """Where a part of the body is, (3,).

        Raises:
            TaskError: the body has no such part.
        """
        link = find_pushed_link(self._character, part_name)
        return now.com if link is None else self._data.xipos[self._model.links[link]].copy()

    def measure_gap(self, start: Array, end: Array, radius: float) -> float:
        """How near a ball comes to head and trunk on its way from one
        place (3,) to the other, m.
        """
        core_links = [
            link for link in (*self._character.trunk, self._character.head) if link is not None
        ]
        return (
            float(self._measure_gaps(start, end)[0][np.isin(self._shape_links, core_links)].min())
            - radius
        )

    def find_hit(self, start: Array, end: Array, radius: float, now: BodyState) -> BallHit | None:
        """What a ball touches first on its short way from one place (3,) to the other;
        None where it touches nothing.
        """
        gaps, path_points, axis_points = self._measure_gaps(start, end)
        k = int(np.argmin(gaps))
        if gaps[k] >= radius:
            return None
        offset = path_points[k] - axis_points[k]
        length = float(np.linalg.norm(offset))
        normal = (
            offset / length
            if length > 1e-9
            else (start - end) / max(float(np.linalg.norm(start - end)), 1e-12)
        )
        place = axis_points[k] + self._shape_radii[k] * normal
        body = int(self._shape_bodies[k])
        jacobian = np.zeros((3, self._model.mujoco.nv))
        mujoco.mj_jac(self._model.mujoco, self._data, jacobian, None, place, body)
        along = normal @ jacobian
        local = self._data.xmat[body].reshape(3, 3).T @ (place - self._data.xpos[body])
        mobility = float(along @ np.linalg.solve(now.mass_matrix, along))
        return BallHit(
            int(self._shape_links[k]),
            place,
            normal,
            local=local,
            velocity=jacobian @ now.velocity,
            mobility=mobility,
        )

    def _compute_segments(self) -> Array:
        """The capsules' axes in the world. (c, 2, 3)."""
        rotations = self._data.xmat[self._shape_bodies].reshape(-1, 1, 3, 3)
        return np.asarray(
            self._data.xpos[self._shape_bodies][:, None]
            + (rotations @ self._shape_ends[..., None])[..., 0]
        )

    def _measure_gaps(self, start: Array, end: Array) -> tuple[Array, Array, Array]:
        """From each capsule's surface to a way, (c,), and the nearest places on the way and
        on its axis, each (c, 3).
        """
        axes = self._compute_segments()
        segment = np.broadcast_to(start, axes[:, 0].shape), np.broadcast_to(end, axes[:, 0].shape)
        path_points, axis_points = find_nearest_points(segment, (axes[:, 0], axes[:, 1]))
        return (
            np.linalg.norm(path_points - axis_points, axis=1) - self._shape_radii,
            path_points,
            axis_points,
        )
