"""Momentum of many poses at once as linear maps of the velocity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Position of each entry of a symmetric matrix in MuJoCo's order xx, yy, zz, xy, xz, yz
SYMMETRIC_INDEX = np.array([[0, 3, 4], [3, 1, 5], [4, 5, 2]])


@dataclass(frozen=True)
class SpatialQuantities:
    """Quantities of n poses from MuJoCo, all about the center of mass of the body, world axes.

    Args:
        com: (n, 3) center of mass of the body [m].
        rotation_axes: (n, 3, nv) angular velocity by each degree of freedom.
        translation_axes: (n, 3, nv) linear velocity by each, of a point at the center of mass.
        inertias: (n, bodies, 10) `cinert` of each body: rotational inertia in the order of
            `SYMMETRIC_INDEX` [kg m^2], mass times offset [kg m], mass [kg].
        position: (n, bodies, 3) origins of the bodies [m].
        rotation: (n, bodies, 3, 3) body to world.
    """

    com: Array
    rotation_axes: Array
    translation_axes: Array
    inertias: Array
    position: Array
    rotation: Array


@dataclass(frozen=True)
class MomentumMaps:
    """Maps of the velocity to linear [kg m/s] and angular momentum [kg m^2/s], (n, 3, nv) each."""

    linear: Array
    angular: Array


@dataclass(frozen=True)
class PlacementDynamics:
    """Center of mass and feet of n poses as linear maps of the velocity.

    Args:
        com: (n, 3) center of mass [m].
        com_jacobian: (n, 3, nv) velocity to velocity of the center of mass.
        foot_origin: (n, f, 3) joints of the feet [m].
        foot_rotation: (n, f, 3, 3) foot to world.
        foot_jacobian: (n, f, 6, nv) velocity to linear, then angular velocity of a foot at its
            origin, world axes.
    """

    com: Array
    com_jacobian: Array
    foot_origin: Array
    foot_rotation: Array
    foot_jacobian: Array


def compute_momentum_maps(spatial: SpatialQuantities, dof_bodies: Array) -> MomentumMaps:
    """Return the momentum of each degree of freedom at unit velocity.

    It is the momentum of the composite body that a degree of freedom moves.

    Args:
        dof_bodies: (nv, bodies) 1 where a degree of freedom moves a body, else 0.
    """
    composite = dof_bodies @ spatial.inertias  # (n, nv, 10)
    rotational_inertia = np.swapaxes(composite[..., :6], 1, 2)
    mass_moment = np.swapaxes(composite[..., 6:9], 1, 2)
    mass = composite[:, None, :, 9]
    return MomentumMaps(
        mass * spatial.translation_axes - cross_columns(mass_moment, spatial.rotation_axes),
        _multiply_symmetric(rotational_inertia, spatial.rotation_axes)
        + cross_columns(mass_moment, spatial.translation_axes),
    )


def cross_columns(a: Array, b: Array) -> Array:
    """Return cross products along the second to last axis of arrays (..., 3, k)."""
    x = a[..., 0, :]
    y = a[..., 1, :]
    z = a[..., 2, :]
    u = b[..., 0, :]
    v = b[..., 1, :]
    w = b[..., 2, :]
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], -2)


def _multiply_symmetric(m: Array, b: Array) -> Array:
    """Return symmetric matrices times vectors (n, 3, k).

    Args:
        m: (n, 6, k) entries xx, yy, zz, xy, xz, yz of the matrices.
        b: (n, 3, k) vectors.
    """
    u = b[:, 0]
    v = b[:, 1]
    w = b[:, 2]
    return np.stack(
        [
            m[:, 0] * u + m[:, 3] * v + m[:, 4] * w,
            m[:, 3] * u + m[:, 1] * v + m[:, 5] * w,
            m[:, 4] * u + m[:, 5] * v + m[:, 2] * w,
        ],
        1,
    )
