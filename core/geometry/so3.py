"""Rotations in batches of any leading shape, and derivatives of the logarithm.

Quaternions are unit quaternions (w, x, y, z), rotation vectors are in radians, and matrices act on
columns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import Rotation

Array = NDArray[np.float64]

# Linear map from a vector to its cross-product matrix, row by row. The transpose maps a matrix to
# twice the vector of its antisymmetric part.
_HAT = np.array(
    [[0, 0, 0, 0, 0, -1, 0, 1, 0], [0, 0, 1, 0, 0, 0, -1, 0, 0], [0, -1, 0, 1, 0, 0, 0, 0, 0]],
    float,
)


def _outer_product_map() -> Array:
    """Return the linear map from the matrix of a quaternion q to 4 q q' - 1. (9, 16)."""
    table = np.zeros((3, 3, 4, 4))
    for k, signs in enumerate(((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))):
        table[range(3), range(3), k, k] = signs
    for k, (i, j) in enumerate(((2, 1), (0, 2), (1, 0))):
        for (row, column), sign in (((i, j), 1), ((j, i), -1)):
            table[row, column, 0, 1 + k] = table[row, column, 1 + k, 0] = sign
            table[row, column, 1 + i, 1 + j] = table[row, column, 1 + j, 1 + i] = 1
    return table.reshape(9, 16)


_OUTER_PRODUCT_MAP = _outer_product_map()


def hat(v: ArrayLike) -> Array:
    """Return cross-product matrices: `hat(a) @ b == cross(a, b)`. (..., 3) -> (..., 3, 3)."""
    v = np.asarray(v, float)
    return (v.reshape(-1, 3) @ _HAT).reshape(v.shape + (3,))


def exp(v: ArrayLike) -> Array:
    """Return rotation matrices of rotation vectors. (..., 3) -> (..., 3, 3)."""
    v = np.asarray(v, float)
    flat = v.reshape(-1, 3)
    square = (flat * flat).sum(1, keepdims=True)
    half = np.maximum(0.5 * np.sqrt(square), 1e-9)
    ratio = np.sin(half) / half
    b = 0.5 * ratio * ratio  # (1 - cos t) / t^2
    # 1 + sin t / t K + b K^2, with K^2 = v v' - t^2
    out = ((ratio * np.cos(half)) * flat) @ _HAT
    out[:, ::4] = 1 - b * square
    out.reshape(-1, 3, 3)[:] += (b * flat)[:, :, None] * flat[:, None]
    return out.reshape(v.shape + (3,))


def log(m: ArrayLike) -> Array:
    """Return rotation vectors of angle at most pi of rotation matrices. (..., 3, 3) -> (..., 3).

    Small angles, as between consecutive frames, are computed without SciPy, whose checks of its
    input take as long as the algebra of a whole plan.
    """
    m = np.asarray(m, float)
    flat = m.reshape(-1, 9)
    if flat.size and flat[:, ::4].sum(1).min() > 2.8:  # All cosines exceed 0.9.
        axis = flat @ (0.5 * _HAT.T)
        sine = np.clip(np.sqrt((axis * axis).sum(1, keepdims=True)), 1e-7, 1.0)
        return (axis * (np.arcsin(sine) / sine)).reshape(m.shape[:-1])
    return Rotation.from_matrix(m.reshape(-1, 3, 3)).as_rotvec().reshape(m.shape[:-1])


def right_jacobian_inverse(v: ArrayLike) -> Array:
    """Return the derivative of `log(exp(v) exp(d))` with respect to d at d = 0.

    (..., 3) -> (..., 3, 3).
    """
    v = np.asarray(v, float)
    angle = np.linalg.norm(v, axis=-1)
    safe = np.maximum(angle, 1e-4)
    # 1/t^2 - (1 + cos t) / (2 t sin t) tends to 1/12
    c = np.where(
        angle < 1e-4, 1 / 12, 1 / safe**2 - (1 + np.cos(safe)) / (2 * safe * np.sin(safe))
    )[..., None, None]
    k = hat(v)
    return np.eye(3) + 0.5 * k + c * (k @ k)


def rotation_about(axis: str, angle: ArrayLike) -> Array:
    """Return rotation matrices about the axis 'x', 'y' or 'z'. (...,) [rad] -> (..., 3, 3)."""
    k = "xyz".index(axis)
    i = (k + 1) % 3
    j = (k + 2) % 3
    out = np.zeros(np.shape(angle) + (3, 3))
    out[..., k, k] = 1.0
    out[..., i, i] = out[..., j, j] = np.cos(angle)
    out[..., j, i] = sine = np.sin(angle)
    out[..., i, j] = -sine
    return out


def rotation_between(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the smallest rotation from direction a to direction b. (3,), (3,) -> (3, 3)."""
    start, end = (np.asarray(v, float) / np.linalg.norm(v) for v in (a, b))
    axis = np.cross(start, end)
    sine = np.linalg.norm(axis)
    if sine < 1e-9:  # Parallel: no turn. Antiparallel: a half turn about any normal axis.
        axis = np.cross(start, np.eye(3)[np.argmin(np.abs(start))])
    return exp(axis / np.linalg.norm(axis) * np.arctan2(sine, start @ end))


def rotations_between(a: Array, b: Array) -> Array:
    """Return the smallest rotations from directions a to directions b. (n, 3), (n, 3) -> (n, 3, 3).

    Antiparallel directions, for which any half turn would do, are not turned.
    """
    axis = np.cross(a, b)
    sine = np.linalg.norm(axis, axis=1)
    angle = atan2(sine, (a * b).sum(1))
    return exp(axis * (angle / np.maximum(sine, 1e-12))[:, None])


def cumulative_products(rotations: Array) -> Array:
    """Return the identity, the first matrix, the second times the first, and so on.

    (n, 3, 3) -> (n + 1, 3, 3).
    """
    out = np.concatenate([np.eye(3)[None], rotations])
    span = 1
    while span < len(out):  # Each round doubles the number of factors.
        out[span:] = out[span:] @ out[:-span]
        span *= 2
    return out


def yaw_from_matrix(m: Array) -> Array:
    """Return the heading of the first axis of rotation matrices. (..., 3, 3) -> (...,) [rad]."""
    return atan2(m[..., 1, 0], m[..., 0, 0])


def atan2(y: ArrayLike, x: ArrayLike) -> Array:
    """Return the arc tangent of y / x in all four quadrants, bit-identical for any memory layout.

    The result of `numpy.arctan2` depends on the layout: for a strided input next to its output it
    uses a scalar loop, which rounds differently from the vectorized one.
    """
    return np.asarray(np.arctan2(np.array(y, order="C"), np.array(x, order="C")))


def wrap_angle(angles: ArrayLike) -> Array:
    """Return angles in the range from -pi to pi. (...,) [rad] -> (...,) [rad]."""
    return np.asarray((np.asarray(angles) + np.pi) % (2 * np.pi) - np.pi)


def quat_multiply(a: Array, b: Array) -> Array:
    """Return products; the right factor is applied first. (..., 4), (..., 4) -> (..., 4)."""
    w1 = a[..., 0]
    x1 = a[..., 1]
    y1 = a[..., 2]
    z1 = a[..., 3]
    w2 = b[..., 0]
    x2 = b[..., 1]
    y2 = b[..., 2]
    z2 = b[..., 3]
    return np.stack(
        [
            w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2,
            w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2,
            w1 * y2 - x1 * z2 + y1 * w2 + z1 * x2,
            w1 * z2 + x1 * y2 - y1 * x2 + z1 * w2,
        ],
        -1,
    )


def quat_conjugate(q: Array) -> Array:
    """Return inverses of unit quaternions. (..., 4) -> (..., 4)."""
    return np.asarray(q) * np.array([1.0, -1.0, -1.0, -1.0])


def quat_exp(v: ArrayLike) -> Array:
    """Return unit quaternions of rotation vectors. (..., 3) -> (..., 4)."""
    v = np.asarray(v, float)
    half = 0.5 * np.sqrt((v * v).sum(-1, keepdims=True))
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * v], -1)


def quat_log(q: ArrayLike) -> Array:
    """Return rotation vectors of angle at most pi of unit quaternions. (..., 4) -> (..., 3)."""
    q = np.asarray(q, float)
    sine = np.sqrt((q[..., 1:] * q[..., 1:]).sum(-1, keepdims=True))
    cosine = q[..., :1]
    safe = np.maximum(sine, 1e-12)
    # q and -q are the same rotation; the one with a positive cosine has the smaller angle.
    return (
        np.where(cosine < 0, -2.0, 2.0)
        * np.where(sine > 1e-12, np.arctan2(safe, np.abs(cosine)) / safe, 1.0)
        * q[..., 1:]
    )


def quat_from_matrix(m: ArrayLike) -> Array:
    """Return unit quaternions of rotation matrices. (..., 3, 3) -> (..., 4)."""
    m = np.asarray(m, float)
    # The row of 4 q q' with the largest component of q is q up to its length.
    square = np.eye(4) + (m.reshape(-1, 9) @ _OUTER_PRODUCT_MAP).reshape(-1, 4, 4)
    q = square[np.arange(len(square)), np.argmax(square.reshape(-1, 16)[:, ::5], 1)]
    return (q / np.sqrt((q * q).sum(1, keepdims=True))).reshape(m.shape[:-2] + (4,))


def quat_to_matrix(q: ArrayLike) -> Array:
    """Return rotation matrices of unit quaternions. (..., 4) -> (..., 3, 3)."""
    q = np.asarray(q, float)
    return (
        Rotation.from_quat(q.reshape(-1, 4), scalar_first=True)
        .as_matrix()
        .reshape(q.shape[:-1] + (3, 3))
    )


def quat_unwrap(q: Array) -> Array:
    """Return the same rotations, with signs that keep consecutive quaternions (axis 0) close.

    (n, ..., 4) -> (n, ..., 4).
    """
    flip = np.where((q[1:] * q[:-1]).sum(-1) < 0, -1.0, 1.0)
    sign = np.concatenate([np.ones((1,) + flip.shape[1:]), np.cumprod(flip, axis=0)])
    return q * sign[..., None]
