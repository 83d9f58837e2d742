"""Collision test between a thrown ball and the capsules of a body."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ....character.capsule import LineSegment, find_nearest_points, make_capsules
from ....simulate import BodyState, SimulatedBody
from ...shared.disturbances import find_pushed_link

Array = NDArray[np.float64]

# Distance between ball and capsule axis below which the normal is the ball's direction [m].
MIN_NORMAL_LENGTH = 1e-9


@dataclass(frozen=True)
class BallHit:
    """Contact of a ball with a link.

    Attributes:
        link: number of the character's link.
        place: (3,) contact point on the surface of the link [m].
        normal: (3,) unit vector from there to the center of the ball.
        local: (3,) contact point in the frame of the link [m].
        velocity: (3,) velocity of the contact point [m/s].
        mobility: velocity of the contact point along the normal per unit of impulse along it,
            n J M^-1 J' n [1/kg].
    """

    link: int
    place: Array
    normal: Array
    local: Array
    velocity: Array
    mobility: float


@dataclass(frozen=True)
class CapsuleGaps:
    """Distances between c capsules and a line segment.

    Attributes:
        gaps: (c,) distances from the surfaces [m], negative inside.
        path_points: (c, 3) nearest points on the segment [m].
        axis_points: (c, 3) nearest points on the axes of the capsules [m].
    """

    gaps: Array
    path_points: Array
    axis_points: Array


class HitShape:
    """Capsules of a simulated body in the state given by `set_state`."""

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
        """Move the capsules to a state of the body."""
        self._data.qpos[:] = now.pose
        self._data.qvel[:] = now.velocity
        mujoco.mj_kinematics(self._model.mujoco, self._data)
        mujoco.mj_comPos(self._model.mujoco, self._data)

    @property
    def top_height(self) -> float:
        """Height of the highest point [m]."""
        return float((self._compute_segments()[..., 2] + self._shape_radii[:, None]).max())

    def locate_part(self, part_name: str, now: BodyState) -> Array:
        """Return the center of mass of a part of the body, (3,) [m].

        Raises:
            TaskError: the body has no such part.
        """
        link = find_pushed_link(self._character, part_name)
        return now.com if link is None else self._data.xipos[self._model.links[link]].copy()

    def measure_gap(self, start: Array, end: Array, radius: float) -> float:
        """Return the least distance of a moving ball from head and trunk [m], negative inside.

        Args:
            start, end: (3,) centers of the ball at the ends of its path [m].
            radius: radius of the ball [m].
        """
        core_links = [
            link for link in (*self._character.trunk, self._character.head) if link is not None
        ]
        gaps = self._measure_gaps(start, end).gaps
        return float(gaps[np.isin(self._shape_links, core_links)].min()) - radius

    def find_hit(self, start: Array, end: Array, radius: float, now: BodyState) -> BallHit | None:
        """Return the contact of a moving ball with the nearest link; None where it has none.

        Args:
            start, end: (3,) centers of the ball at the ends of a short path [m].
            radius: radius of the ball [m].
            now: state of the body, as given to `set_state`.
        """
        measured = self._measure_gaps(start, end)
        k = int(np.argmin(measured.gaps))
        if measured.gaps[k] >= radius:
            return None
        offset = measured.path_points[k] - measured.axis_points[k]
        length = float(np.linalg.norm(offset))
        normal = (
            offset / length
            if length > MIN_NORMAL_LENGTH
            else (start - end) / max(float(np.linalg.norm(start - end)), 1e-12)
        )
        place = measured.axis_points[k] + self._shape_radii[k] * normal
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
        """Return the ends of the axes of the capsules, (c, 2, 3) [m]."""
        rotations = self._data.xmat[self._shape_bodies].reshape(-1, 1, 3, 3)
        return np.asarray(
            self._data.xpos[self._shape_bodies][:, None]
            + (rotations @ self._shape_ends[..., None])[..., 0]
        )

    def _measure_gaps(self, start: Array, end: Array) -> CapsuleGaps:
        """Return the distances of all capsules from the segment between two points (3,)."""
        axes = self._compute_segments()
        shape = axes[:, 0].shape
        nearest = find_nearest_points(
            LineSegment(np.broadcast_to(start, shape), np.broadcast_to(end, shape)),
            LineSegment(axes[:, 0], axes[:, 1]),
        )
        return CapsuleGaps(
            nearest.distance - self._shape_radii, nearest.on_first, nearest.on_second
        )
