"""What a network learns of a sketch: pendulum, phases, ground, gait and footholds over time.

Source: Kwon et al. 2020, appendix F. The paper leaves out the footholds; here a sketch knows them,
and a step over uneven ground is not where the pendulum alone would have it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ...sketch.reference.style_keys import compute_leg_phases, compute_second_gait_share
from ...sketch.sketch import Sketch
from ...terrain import Ground
from .states import PendulumFrames
from .windows import WINDOWS, Windows

Array = NDArray[np.float64]

# Distance from the cart of the places at which the height of the ground is an input [m]
HEIGHT_DISTANCE = 0.2
# Front, back, left and right of the cart
HEIGHT_DIRECTIONS = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
# Squared distance that holds the plane through the heights level [m^2]; the places of a body that
# stands lie close together, and a step of the ground would tilt their plane.
PLANE_STIFFNESS = 0.02
# Entries of the pendulum at one sample: place, heading and lean
PENDULUM_COUNT = 5
# Entries of the gait at one sample: speed and share of the second gait
GAIT_COUNT = 2
# Entries of one foot at one sample: foothold, its heading, and cosine and sine of the phase
FOOT_COUNT = 6


@dataclass(frozen=True)
class PendulumPlanes:
    """Plane through the ground near the cart in each of w windows.

    Args:
        middle: point of the plane [m], shape (w, 3).
        slope: rise of the plane along x and y, shape (w, 2).
    """

    middle: Array
    slope: Array

    def height_at(self, window: int, places: Array) -> Array:
        """Return the heights of the plane of a window at places. (..., 2) -> (...,) [m]."""
        offset = places - self.middle[window, :2]
        return np.asarray(self.middle[window, 2] + offset @ self.slope[window])


@dataclass(frozen=True)
class SketchInputs:
    """The part of a network's inputs that a sketch determines, in w windows.

    Args:
        vectors: shape (w, k).
        planes: planes below the pendulum's frames.
    """

    vectors: Array
    planes: PendulumPlanes


@dataclass(frozen=True)
class SketchCurves:
    """Curves of a sketch.

    Args:
        sketch: the sketch.
        ground: ground of the task.
        leg_count: number of legs.
    """

    sketch: Sketch
    ground: Ground
    leg_count: int

    @staticmethod
    def count_inputs(leg_count: int) -> int:
        """Return the number of inputs that a sketch determines."""
        sample = PENDULUM_COUNT + len(HEIGHT_DIRECTIONS) + GAIT_COUNT + FOOT_COUNT * leg_count
        return WINDOWS.sketch_count * sample + 1

    @cached_property
    def _course(self) -> CubicSpline:
        """Pendulum's mass and cart, heading and speed over time. (n,) -> (n, 6)."""
        course = self.sketch.course
        pendulum = course.pendulum
        return CubicSpline(
            course.time,
            np.column_stack([pendulum.com, pendulum.cart, course.facing, course.speed]),
        )

    def sample_frames(self, times: Array) -> PendulumFrames:
        """Return the pendulum's frames at n times, at height 0."""
        values = self._course(times)
        origin = np.zeros((len(times), 3))
        origin[:, :2] = values[:, :2]
        return PendulumFrames(origin, values[:, 4], self._sample_footholds(times)[..., :3])

    def make_inputs(self, windows: Windows) -> SketchInputs:
        """Return the inputs of windows."""
        times = windows.make_times(WINDOWS.sketch_count)  # (w, s)
        values = self._course(times)  # (w, s, 6)
        com, cart, yaw, speed = np.split(values, [2, 4, 5], axis=-1)
        turn = _make_plane_rotation(-yaw[..., 0])  # (w, s, 2, 2), world to frame
        first_turn = turn[:, :1]
        heights = self._sample_heights(cart, turn)  # (w, s, 4)
        planes = _fit_planes(cart, turn, heights)
        level = planes.middle[:, None, 2] + (
            (com - planes.middle[:, None, :2]) @ planes.slope[..., None]
        ).squeeze(-1)
        feet = self._sample_feet(times)  # (w, s, legs, 6)
        feet[..., :2] = np.einsum("wsij,wslj->wsli", turn, feet[..., :2] - com[..., None, :])
        feet[..., 2] -= level[..., None]
        feet[..., 3] -= yaw
        second_gait = compute_second_gait_share(self.sketch, times.ravel()).reshape(times.shape)
        samples = np.concatenate(
            [
                _rotate(first_turn, com - com[:, :1]),
                yaw - yaw[:, :1],
                _rotate(turn, com - cart),
                heights - heights.mean((1, 2), keepdims=True),
                speed,
                second_gait[..., None],
                feet.reshape(*times.shape, -1),
            ],
            -1,
        )
        vectors = np.column_stack([samples.reshape(len(windows), -1), windows.duration])
        return SketchInputs(vectors, planes)

    def _sample_heights(self, cart: Array, turn: Array) -> Array:
        """Return the heights of the ground around the cart [m], shape (w, s, 4)."""
        heights = self.ground.sample_heights(_locate_heights(cart, turn))
        missing = ~np.isfinite(heights)
        if missing.any():
            # Over a gap the ground counts as high as in the rest of the window.
            total = np.where(missing, 0.0, heights).sum((1, 2), keepdims=True)
            count = np.maximum((~missing).sum((1, 2), keepdims=True), 1)
            heights = np.where(missing, total / count, heights)
        return np.asarray(heights)

    def _sample_feet(self, times: Array) -> Array:
        """Return foothold, its heading, and cosine and sine of the phase of each foot.

        Args:
            times: shape (w, s).

        Returns:
            Shape (w, s, legs, 6). The foothold moves from one to the next in a swing.
        """
        flat = times.ravel()
        footsteps = tuple(s.footstep for s in self.sketch.steps)
        phases = compute_leg_phases(footsteps, np.full(len(footsteps), 0.5), self.leg_count, flat)
        out = np.empty((len(flat), self.leg_count, FOOT_COUNT))
        out[..., :4] = self._sample_footholds(flat)
        facing = np.interp(flat, self.sketch.course.time, self.sketch.course.facing)
        # Headings of feet may differ from that of the body by whole turns.
        out[..., 3] -= 2 * np.pi * np.round((out[..., 3] - facing[:, None]) / (2 * np.pi))
        out[..., 4] = np.cos(2 * np.pi * phases)
        out[..., 5] = np.sin(2 * np.pi * phases)
        return out.reshape(*times.shape, self.leg_count, FOOT_COUNT)

    def _sample_footholds(self, times: Array) -> Array:
        """Return place [m] and heading [rad] of the footholds at n times, shape (n, legs, 4)."""
        out = np.empty((len(times), self.leg_count, 4))
        for leg, curve in enumerate(self._footholds):
            for k in range(4):
                out[:, leg, k] = np.interp(times, curve[:, 0], curve[:, 1 + k])
        return out

    @cached_property
    def _footholds(self) -> list[Array]:
        """Time, place and heading of each foot at the ends of its contacts, (2 contacts, 5)."""
        out = []
        for leg in range(self.leg_count):
            steps = [s.footstep for s in self.sketch.steps if s.footstep.leg == leg]
            places = np.column_stack(
                [[f.position for f in steps], np.unwrap([f.yaw for f in steps])]
            )
            times = np.array([(f.strike, f.lift) for f in steps]).ravel()
            out.append(np.column_stack([times, places.repeat(2, axis=0)]))
        return out


def _make_plane_rotation(angle: Array) -> Array:
    """Return rotations of the plane. (...,) [rad] -> (..., 2, 2)."""
    cosine = np.cos(angle)
    sine = np.sin(angle)
    return np.stack([np.stack([cosine, -sine], -1), np.stack([sine, cosine], -1)], -2)


def _rotate(rotation: Array, vectors: Array) -> Array:
    """Return rotated vectors. (..., k, k), (..., k) -> (..., k)."""
    return np.asarray((rotation @ vectors[..., None])[..., 0])


def _locate_heights(cart: Array, turn: Array) -> Array:
    """Return the places around the cart. (w, s, 2), (w, s, 2, 2) -> (w, s, 4, 2) [m]."""
    return np.asarray(cart[..., None, :] + HEIGHT_DISTANCE * HEIGHT_DIRECTIONS @ turn)


def _fit_planes(cart: Array, turn: Array, heights: Array) -> PendulumPlanes:
    """Return the planes that lie closest to the heights around the cart."""
    w = len(cart)
    places = _locate_heights(cart, turn).reshape(w, -1, 2)
    flat = heights.reshape(w, -1)
    middle = np.concatenate([places.mean(1), flat.mean(1, keepdims=True)], 1)
    offset = places - middle[:, None, :2]
    matrix = np.swapaxes(offset, 1, 2) @ offset + PLANE_STIFFNESS * flat.shape[1] * np.eye(2)
    moment = np.swapaxes(offset, 1, 2) @ (flat - middle[:, 2:])[..., None]
    return PendulumPlanes(middle, np.linalg.solve(matrix, moment)[..., 0])
