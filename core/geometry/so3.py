"""Rotations by the dozen: what SciPy's `Rotation` gives for one flat batch,
here for any leading shape, and derivatives.

Quaternions are unit and `w x y z`, rotation vectors in radians, matrices act on columns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import Rotation

Array = NDArray[np.float64]

# a cross-product matrix, row by row, is linear in the vector;
# the transpose takes the antisymmetric part, doubled
_HAT = np.array(
    [[0, 0, 0, 0, 0, -1, 0, 1, 0], [0, 0, 1, 0, 0, 0, -1, 0, 0], [0, -1, 0, 1, 0, 0, 0, 0, 0]],
    float,
)


def _outer_product_map() -> Array:
    """4 q q' - 1 of a quaternion q is linear in its matrix. (9, 16)."""
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
    """Cross-product matrices: `hat(a) @ b == cross(a, b)`. (..., 3) -> (..., 3, 3)."""
    v = np.asarray(v, float)
    return (v.reshape(-1, 3) @ _HAT).reshape(v.shape + (3,))


def exp(v: ArrayLike) -> Array:
    """Rotation matrices of rotation vectors. (..., 3) -> (..., 3, 3)."""
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
    """Rotation vectors, of angle at most pi, of rotation matrices. (..., 3, 3) -> (..., 3).

    Small angles, as between neighbours in time, take a short way:
    SciPy's checks cost as much as a whole plan's algebra.
    """
    m = np.asarray(m, float)
    flat = m.reshape(-1, 9)
    if flat.size and flat[:, ::4].sum(1).min() > 2.8:  # cosines beyond 0.9
        axis = flat @ (0.5 * _HAT.T)
        sine = np.clip(np.sqrt((axis * axis).sum(1, keepdims=True)), 1e-7, 1.0)
        return (axis * (np.arcsin(sine) / sine)).reshape(m.shape[:-1])
    return Rotation.from_matrix(m.reshape(-1, 3, 3)).as_rotvec().reshape(m.shape[:-1])


def right_jacobian_inverse(v: ArrayLike) -> Array:
    """Derivative of `log(exp(v) exp(d))` by d at d = 0. (..., 3) -> (..., 3, 3)."""
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
    """Rotation matrices about the axis 'x', 'y' or 'z'. (...,) -> (..., 3, 3)."""
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
    """The smallest rotation that turns direction a into direction b. (3,), (3,) -> (3, 3)."""
    start, end = (np.asarray(v, float) / np.linalg.norm(v) for v in (a, b))
    axis = np.cross(start, end)
    sine = np.linalg.norm(axis)
    if sine < 1e-9:  # the same way, or a half turn about any axis across
        axis = np.cross(start, np.eye(3)[np.argmin(np.abs(start))])
    return exp(axis / np.linalg.norm(axis) * np.arctan2(sine, start @ end))


def cumulative_products(rotations: Array) -> Array:
    """Identity, the first matrix, the second times the first, and so on.
    (n, 3, 3) -> (n + 1, 3, 3).
    """
    out = np.concatenate([np.eye(3)[None], rotations])
    span = 1
    while span < len(out):  # in each round products of twice as many
        out[span:] = out[span:] @ out[:-span]
        span *= 2
    return out


def yaw_from_matrix(m: Array) -> Array:
    """Heading of the first axis of rotation matrices, seen from above. (..., 3, 3) -> (...,)."""
    return atan2(m[..., 1, 0], m[..., 0, 0])


def atan2(y: ArrayLike, x: ArrayLike) -> Array:
    """Arc tangent of y / x in all four quadrants, of any shape, the same to the last bit wherever
    the numbers lie in memory.

    numpy's own takes what lies behind the last number of a column for a part of it; where the
    result is allocated there it computes one by one, and rounds otherwise.
    """
    return np.asarray(np.arctan2(np.array(y, order="C"), np.array(x, order="C")))


def wrap_angle(angles: ArrayLike) -> Array:
    """The same angles without whole turns, between -pi and pi. (...) -> (...)."""
    return np.asarray((np.asarray(angles) + np.pi) % (2 * np.pi) - np.pi)


def quat_multiply(a: Array, b: Array) -> Array:
    """Products, the right one applied first. (..., 4), (..., 4) -> (..., 4)."""
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
    """Inverses of unit quaternions. (..., 4) -> (..., 4)."""
    return np.asarray(q) * np.array([1.0, -1.0, -1.0, -1.0])


def quat_exp(v: ArrayLike) -> Array:
    """Unit quaternions of rotation vectors. (..., 3) -> (..., 4)."""
    v = np.asarray(v, float)
    half = 0.5 * np.sqrt((v * v).sum(-1, keepdims=True))
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * v], -1)


def quat_log(q: ArrayLike) -> Array:
    """Rotation vectors, of angle at most pi, of unit quaternions. (..., 4) -> (..., 3)."""
    q = np.asarray(q, float)
    sine = np.sqrt((q[..., 1:] * q[..., 1:]).sum(-1, keepdims=True))
    cosine = q[..., :1]
    safe = np.maximum(sine, 1e-12)
    # q and -q are the same rotation: the one with positive cosine has the smaller angle
    return (
        np.where(cosine < 0, -2.0, 2.0)
        * np.where(sine > 1e-12, np.arctan2(safe, np.abs(cosine)) / safe, 1.0)
        * q[..., 1:]
    )


def quat_from_matrix(m: ArrayLike) -> Array:
    """Unit quaternions of rotation matrices. (..., 3, 3) -> (..., 4)."""
    m = np.asarray(m, float)
    # 4 q q' of the quaternion: the row of its largest component is the quaternion up to its length
    square = np.eye(4) + (m.reshape(-1, 9) @ _OUTER_PRODUCT_MAP).reshape(-1, 4, 4)
    q = square[np.arange(len(square)), np.argmax(square.reshape(-1, 16)[:, ::5], 1)]
    return (q / np.sqrt((q * q).sum(1, keepdims=True))).reshape(m.shape[:-2] + (4,))


def quat_to_matrix(q: ArrayLike) -> Array:
    """Rotation matrices of unit quaternions. (..., 4) -> (..., 3, 3)."""
    q = np.asarray(q, float)
    return (
        Rotation.from_quat(q.reshape(-1, 4), scalar_first=True)
        .as_matrix()
        .reshape(q.shape[:-1] + (3, 3))
    )


def quat_unwrap(q: Array) -> Array:
    """The same rotations with signs chosen so that neighbours along axis 0 are close.
    (n, ..., 4) -> (n, ..., 4).
    """
    flip = np.where((q[1:] * q[:-1]).sum(-1) < 0, -1.0, 1.0)
    sign = np.concatenate([np.ones((1,) + flip.shape[1:]), np.cumprod(flip, axis=0)])
    return q * sign[..., None]
