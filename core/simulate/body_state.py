"""Kinematics and dynamics of a body at one instant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .arms import ArmProximity

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FrameKinematics:
    """Kinematics of k frames on the body's links, in world axes.

    Velocities and accelerations are linear, then angular. The acceleration of a frame is
    `jacobian @ qdd + drift` for generalized accelerations qdd.
    """

    place: Array  # (k, 3) [m]
    rotation: Array  # (k, 3, 3)
    velocity: Array  # (k, 6) [m/s, rad/s]
    jacobian: Array  # (k, 6, nv)
    drift: Array  # (k, 6) [m/s^2, rad/s^2]


@dataclass(frozen=True)
class BodyState:
    """State of the body, in world axes and SI units.

    For generalized accelerations qdd, without contacts and motors:

        CoM acceleration           com_jacobian @ qdd + com_drift
        rate of angular momentum   angular_map @ qdd + angular_drift
        generalized forces         mass_matrix @ qdd + bias
    """

    pose: Array  # (nq,)
    velocity: Array  # (nv,)
    com: Array  # (3,)
    com_velocity: Array  # (3,)
    com_jacobian: Array  # (3, nv)
    com_drift: Array  # (3,)
    angular_momentum: Array  # (3,) about the CoM
    angular_map: Array  # (3, nv)
    angular_drift: Array  # (3,)
    heading: float  # [rad] of the pelvis
    heading_rate: float  # [rad/s]
    mass_matrix: Array  # (nv, nv)
    bias: Array  # (nv,)
    # Pelvis (midpoint of the hips), chest, head, then feet (centers of the soles)
    frames: FrameKinematics
    foot_frames: FrameKinematics  # the feet of `frames`
    normals: Array  # (legs, 3) of the ground below the feet
    sole_points: tuple[Array, ...]  # per leg (points, 3) of the sole, in the model's order
    sole_point_jacobians: tuple[Array, ...]  # per leg (points, 3, nv)
    sole_point_drifts: tuple[Array, ...]  # per leg (points, 3)
    arm_proximity: ArmProximity | None  # None if no arm is near anything
