"""One Gauss-Newton step over a whole window of frames, with contacts as exact equality constraints.

Each frame's change x is written x = Q u with the orthogonal Q of its contact rows (C^T = Q R): the first entries of u follow
from the contacts, the rest are free. What remains is block tridiagonal, symmetric and positive definite, and is solved by a
banded Cholesky factorisation.
"""
from __future__ import annotations

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from .objective import Expansion

Array = NDArray[np.float64]

LEAST_PIVOT = 1e-4    # of R: a contact that the joints cannot move along is not forced


def solve_window(e: Expansion) -> Array:
    """The change of all frames that minimises the expanded cost and meets the contacts. (n, nv)."""
    n, _, nv = e.rows.shape
    basis, fixed = _contact_basis(e)
    bound = np.arange(nv) < e.count[:, None]                                                # (n, nv)
    free = ~bound
    turned = np.swapaxes(basis, 1, 2)
    diagonal = turned @ e.diagonal @ basis
    coupling = turned[1:] @ e.coupling @ basis[:-1]
    gradient = (turned @ e.gradient[..., None])[..., 0]
    right = -gradient - (diagonal @ fixed[..., None])[..., 0]
    right[1:] -= (coupling @ fixed[:-1, :, None])[..., 0]
    right[:-1] -= (np.swapaxes(coupling, 1, 2) @ fixed[1:, :, None])[..., 0]
    right = np.where(bound, 0.0, right)
    diagonal *= free[:, :, None] & free[:, None, :]
    k, i = np.nonzero(bound)
    diagonal[k, i, i] = 1.0
    coupling *= free[1:, :, None] & free[:-1, None, :]
    solution = scipy.linalg.solveh_banded(_banded(diagonal, coupling), right.ravel(), lower=True, overwrite_ab=True,
                                          check_finite=False).reshape(n, nv)
    return (basis @ (solution + fixed)[..., None])[..., 0]


def _contact_basis(e: Expansion) -> tuple[Array, Array]:
    """Orthogonal basis of each frame and the part of its change that the contacts fix. (n, nv, nv), (n, nv)."""
    n, _, nv = e.rows.shape
    basis, fixed = np.tile(np.eye(nv), (n, 1, 1)), np.zeros((n, nv))
    for m in np.unique(e.count):
        if m == 0:
            continue
        own = np.flatnonzero(e.count == m)
        q, r = np.linalg.qr(np.swapaxes(e.rows[own, :m], 1, 2), mode="complete")
        square = np.swapaxes(r[:, :m], 1, 2)                                                # lower, (k, m, m)
        pivot = np.einsum("kii->ki", square)
        weak = np.abs(pivot) < LEAST_PIVOT
        square[weak] = 0.0
        kk, ii = np.nonzero(weak)
        square[kk, ii, ii] = 1.0
        error = np.where(weak, 0.0, e.error[own, :m])
        basis[own] = q
        fixed[own, :m] = -np.linalg.solve(square, error[..., None])[..., 0]
    return basis, fixed


def _banded(diagonal: Array, coupling: Array) -> Array:
    """LAPACK's lower band storage of a block tridiagonal matrix. (2 nv, n nv)."""
    n, nv, _ = diagonal.shape
    band = np.zeros((2 * nv, n, nv))
    i, j = np.tril_indices(nv)
    band[i - j, :, j] = diagonal[:, i, j].T
    i, j = (a.ravel() for a in np.indices((nv, nv)))
    band[nv + i - j, :-1, j] = coupling[:, i, j].T
    return band.reshape(2 * nv, n * nv)
