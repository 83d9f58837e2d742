"""One Gauss-Newton step over a whole window of frames, with contacts as exact equality constraints.

Each frame's change x is written x = Q u with the orthogonal Q of its contact rows (C^T = Q R): the first entries of u follow
from the contacts, the rest are free. What remains is block tridiagonal, symmetric and positive definite, and is solved by a
banded Cholesky factorisation.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpbsv

from ..errors import FootfallError
from .objective import Expansion

Array = NDArray[np.float64]

LEAST_PIVOT = 1e-4    # of R: a contact that the joints cannot move along is not forced


def solve_window(e: Expansion) -> Array:
    """The change of all frames that minimises the expanded cost and meets the contacts. (n, nv)."""
    n, _, nv = e.rows.shape
    basis, fixed, bound = _free_basis(e)
    band = np.zeros((n, nv, 2 * nv + 1))
    blocks = _below_diagonal(band)
    turned = np.swapaxes(basis, 1, 2)
    np.matmul(turned @ e.diagonal, basis, out=blocks[:, :, :nv])
    blocks[:, :, :nv] *= np.triu(np.ones((nv, nv)))
    np.matmul(turned[:-1] @ np.swapaxes(e.coupling, 1, 2), basis[1:], out=blocks[:-1, :, nv:])
    band[bound, 0] = 1.0                                       # what the contacts fix is no unknown
    slope = e.gradient + _times(e.diagonal, fixed)
    slope[1:] += _times(e.coupling, fixed[:-1])
    slope[:-1] += _times(np.swapaxes(e.coupling, 1, 2), fixed[1:])
    _, found, failed = dpbsv(band.reshape(n * nv, -1).T, -_times(turned, slope).ravel(), lower=1, overwrite_ab=1)
    if failed:
        raise FootfallError("The poses could not be solved for; this is a fault of Footfall and not of the task. "
                            "Save the task and report it.")
    return fixed + _times(basis, found.reshape(n, nv))


def _free_basis(e: Expansion) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Orthogonal basis of each frame, zero along what its contacts fix, the change that they fix, and which unknowns it
    leaves unused. (n, nv, nv), (n, nv), (n, nv).

    Contacts move along the root and the limbs that rest only, which makes their decomposition a small one.
    """
    n, _, nv = e.rows.shape
    basis, fixed = np.zeros((n, nv, nv)), np.zeros((n, nv))
    basis[:, np.arange(nv), np.arange(nv)] = 1.0
    bound = np.zeros((n, nv), bool)
    limbs = np.flatnonzero(e.rows.any((0, 1)))
    for m in np.unique(e.count):
        if m == 0:
            continue
        own = np.flatnonzero(e.count == m)
        q, r = np.linalg.qr(np.swapaxes(e.rows[own, :m][:, :, limbs], 1, 2), mode="complete")
        square = np.swapaxes(r[:, :m], 1, 2)                                                # lower, (k, m, m)
        pivot = np.einsum("kii->ki", square)
        weak = np.abs(pivot) < LEAST_PIVOT
        square[weak] = 0.0
        kk, ii = np.nonzero(weak)
        square[kk, ii, ii] = 1.0
        error = np.where(weak, 0.0, e.error[own, :m])
        fixed[np.ix_(own, limbs)] = -_times(q[:, :, :m], np.linalg.solve(square, error[..., None])[..., 0])
        q[:, :, :m] = 0.0
        basis[own[:, None, None], limbs[:, None], limbs] = q
        bound[np.ix_(own, limbs[:m])] = True
    return basis, fixed, bound


def _times(matrices: Array, vectors: Array) -> Array:
    """(n, i, j), (n, j) -> (n, i)."""
    return (matrices @ vectors[..., None])[..., 0]


def _below_diagonal(band: Array) -> Array:
    """A view of LAPACK's lower band storage (n, nv, 2 nv + 1): column j of each frame's diagonal block and of the coupling to
    the next frame below it, from the block's first row on. (n, nv, 2 nv).

    In the storage each column begins with its diagonal entry, so a step of one column and back up to the first row is a step
    of 2 nv numbers. What lies above the diagonal falls on the end of the column before and must be zero.
    """
    n, nv, _ = band.shape
    return band.reshape(n, -1)[:, :2 * nv * nv].reshape(n, nv, 2 * nv)
