"""What a controller needs to know of a body at one instant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .arms import ArmProximity

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FrameKinematics:
    """k places on the body's links and how they move, world axes.

    Velocity and acceleration are linear and then angular; the acceleration is
    `jacobian @ qdd + drift`.
    """

    place: Array  # (k, 3)
    rotation: Array  # (k, 3, 3)
    velocity: Array  # (k, 6)
    jacobian: Array  # (k, 6, nv)
    drift: Array  # (k, 6)


@dataclass(frozen=True)
class BodyState:
    """The body at one instant, world axes and SI units.

    The centre of mass accelerates with `com_jacobian @ qdd + com_drift`, the angular momentum about
    it changes with `angular_map @ qdd + angular_drift`; both without any constraint: it is the
    ground's forces that make them so. `mass_matrix @ qdd + bias` are the generalized forces.
    """

    pose: Array  # (nq,)
    velocity: Array  # (nv,)
    com: Array  # (3,)
    com_velocity: Array  # (3,)
    com_jacobian: Array  # (3, nv)
    com_drift: Array  # (3,)
    angular_momentum: Array  # (3,) about the centre of mass
    angular_map: Array  # (3, nv)
    angular_drift: Array  # (3,)
    heading: float  # rad, of the pelvis
    heading_rate: float  # rad/s
    mass_matrix: Array  # (nv, nv)
    bias: Array  # (nv,)
    # pelvis: the middle between the hip joints; chest and head; feet: middles of soles
    frames: FrameKinematics
    foot_frames: FrameKinematics  # of these the legs'
    normals: Array  # (legs, 3) of the ground below them
    sole_points: tuple[Array, ...]  # per leg (points, 3) of its sole, in the model's order
    sole_point_jacobians: tuple[Array, ...]  # per leg (points, 3, nv)
    sole_point_drifts: tuple[Array, ...]  # per leg (points, 3)
    arm_proximity: ArmProximity | None  # what they are near to
