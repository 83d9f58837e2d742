"""States of a body, and their vectors in the frames of the pendulum of a sketch.

Source: Kwon et al. 2020, appendix F. A frame is upright: the lean of the pendulum is a separate
input. Poses are changes from the neutral pose, in the frames of the joints.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...geometry import so3

Array = NDArray[np.float64]

# Entries of a vector before those of the feet: center of mass, velocity, rotation and spin
CENTROIDAL_COUNT = 12


@dataclass(frozen=True)
class PendulumFrames:
    """Frames at n times: the place of the pendulum's mass, and the heading of the course.

    Args:
        origin: shape (n, 3) [m].
        yaw: shape (n,) [rad].
        footholds: places of the sketch from which those of the feet count, shape (n, legs, 3) [m].
    """

    origin: Array
    yaw: Array
    footholds: Array

    def make_rotation(self) -> Array:
        """Return the rotations from the frames to the world, shape (n, 3, 3)."""
        return so3.rotation_about("z", self.yaw)

    def make_quaternion(self) -> Array:
        """Return the rotations from the frames to the world, shape (n, 4)."""
        zero = np.zeros_like(self.yaw)
        return np.stack([np.cos(0.5 * self.yaw), zero, zero, np.sin(0.5 * self.yaw)], -1)


@dataclass(frozen=True)
class BodyStates:
    """States of a body at n times, in the world.

    Args:
        com: center of mass [m], shape (n, 3).
        velocity: its velocity [m/s], shape (n, 3).
        rotation: rotation of the body as a whole, shape (n, 3, 3).
        spin: its angular velocity [rad/s], shape (n, 3).
        feet: middles of the soles [m], shape (n, legs, 3).
        poses: poses, shape (n, nq).
    """

    com: Array
    velocity: Array
    rotation: Array
    spin: Array
    feet: Array
    poses: Array

    def select(self, part: slice) -> BodyStates:
        """Return the states at a part of the times."""
        return BodyStates(**{f.name: getattr(self, f.name)[part] for f in fields(self)})

    def append(self, other: BodyStates) -> BodyStates:
        """Return these states and those at later times."""
        return BodyStates(
            **{
                f.name: np.concatenate([getattr(self, f.name), getattr(other, f.name)])
                for f in fields(self)
            }
        )


@dataclass(frozen=True)
class StateVectors:
    """Conversion of states to vectors and back.

    Args:
        model: the body.
    """

    model: KinematicModel

    @property
    def leg_count(self) -> int:
        """Number of legs."""
        return len(self.model.character.legs)

    @property
    def size(self) -> int:
        """Number of entries of a vector."""
        return CENTROIDAL_COUNT + 3 * self.leg_count + self.model.nv

    @property
    def heights(self) -> NDArray[np.int64]:
        """Indices of the entries that are heights over the frame."""
        return np.array([2, CENTROIDAL_COUNT + 3 * self.leg_count + 2])

    def encode(self, states: BodyStates, frames: PendulumFrames) -> Array:
        """Return the vectors of n states, shape (n, size)."""
        n = len(states.com)
        to_frame = np.swapaxes(frames.make_rotation(), 1, 2)
        origin = frames.origin[:, None]
        offsets = np.concatenate(
            [
                states.com[:, None] - origin,
                states.feet - frames.footholds,
                states.poses[:, None, :3] - origin,
            ],
            1,
        )
        local = offsets @ np.swapaxes(to_frame, 1, 2)
        poses = states.poses.copy()
        poses[:, :3] = local[:, -1]
        poses[:, 3:7] = so3.quat_multiply(
            so3.quat_conjugate(frames.make_quaternion()), poses[:, 3:7]
        )
        neutral = np.broadcast_to(self.model.neutral, poses.shape)
        return np.concatenate(
            [
                local[:, 0],
                (to_frame @ states.velocity[..., None])[..., 0],
                so3.log(to_frame @ states.rotation),
                (to_frame @ states.spin[..., None])[..., 0],
                local[:, 1:-1].reshape(n, -1),
                self.model.difference(neutral, poses),
            ],
            1,
        )

    def decode(self, vectors: Array, frames: PendulumFrames) -> BodyStates:
        """Return the states of n vectors, shape (n, size)."""
        n = len(vectors)
        to_world = frames.make_rotation()
        centroidal, feet, change = np.split(
            vectors, [CENTROIDAL_COUNT, CENTROIDAL_COUNT + 3 * self.leg_count], axis=1
        )
        poses = self.model.integrate(np.tile(self.model.neutral, (n, 1)), change)
        points = np.concatenate(
            [centroidal[:, None, :3], feet.reshape(n, -1, 3), poses[:, None, :3]], 1
        )
        origin = frames.origin[:, None]
        placed = points @ np.swapaxes(to_world, 1, 2) + np.concatenate(
            [origin, frames.footholds, origin], 1
        )
        poses[:, :3] = placed[:, -1]
        poses[:, 3:7] = so3.quat_multiply(frames.make_quaternion(), poses[:, 3:7])
        return BodyStates(
            placed[:, 0],
            (to_world @ centroidal[:, 3:6, None])[..., 0],
            to_world @ so3.exp(centroidal[:, 6:9]),
            spin=(to_world @ centroidal[:, 9:12, None])[..., 0],
            feet=placed[:, 1:-1],
            poses=poses,
        )
