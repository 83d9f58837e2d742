"""One Gauss-Newton step over a whole window of frames, with contacts as exact equality constraints.

Each frame's change x is written x = Q u with the orthogonal Q of its contact rows (C^T = Q R): the
first entries of u follow from the contacts, the rest are free. What remains is block tridiagonal,
symmetric and positive definite, and is solved by a banded Cholesky factorisation.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpbsv

from ..errors import FootfallError
from .objective import CostExpansion

Array = NDArray[np.float64]

MIN_PIVOT = 1e-4  # of R: a contact that the joints cannot move along is not forced


def solve_window_step(expansion: CostExpansion) -> Array:
    """The change of all frames that minimises the expanded cost and meets the contacts. (n, nv)."""
    n, _, nv = expansion.rows.shape
    basis, fixed_change, is_fixed = _build_free_basis(expansion)
    band = np.zeros((n, nv, 2 * nv + 1))
    blocks = _view_below_diagonal(band)
    basis_transpose = np.swapaxes(basis, 1, 2)
    np.matmul(basis_transpose @ expansion.diagonal, basis, out=blocks[:, :, :nv])
    blocks[:, :, :nv] *= np.triu(np.ones((nv, nv)))
    np.matmul(
        basis_transpose[:-1] @ np.swapaxes(expansion.coupling, 1, 2),
        basis[1:],
        out=blocks[:-1, :, nv:],
    )
    band[is_fixed, 0] = 1.0  # what the contacts fix is no unknown
    slope = expansion.gradient + _multiply(expansion.diagonal, fixed_change)
    slope[1:] += _multiply(expansion.coupling, fixed_change[:-1])
    slope[:-1] += _multiply(np.swapaxes(expansion.coupling, 1, 2), fixed_change[1:])
    _, free_change, failed = dpbsv(
        band.reshape(n * nv, -1).T,
        -_multiply(basis_transpose, slope).ravel(),
        lower=1,
        overwrite_ab=1,
    )
    if failed:
        raise FootfallError(
            "The poses could not be solved for; this is a fault of Footfall and not of the task. "
            "Save the task and report it."
        )
    return fixed_change + _multiply(basis, free_change.reshape(n, nv))


def _build_free_basis(expansion: CostExpansion) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Orthogonal basis of each frame, zero along what its contacts fix, the change that they fix,
    and which unknowns it leaves unused. (n, nv, nv), (n, nv), (n, nv).

    Contacts move along the root and the limbs that rest only,
    which makes their decomposition a small one.
    """
    n, _, nv = expansion.rows.shape
    basis = np.zeros((n, nv, nv))
    fixed_change = np.zeros((n, nv))
    basis[:, np.arange(nv), np.arange(nv)] = 1.0
    is_fixed = np.zeros((n, nv), bool)
    limbs = np.flatnonzero(expansion.rows.any((0, 1)))
    for m in np.unique(expansion.count):
        if m == 0:
            continue
        frames = np.flatnonzero(expansion.count == m)
        q, r = np.linalg.qr(
            np.swapaxes(expansion.rows[frames, :m][:, :, limbs], 1, 2), mode="complete"
        )
        square = np.swapaxes(r[:, :m], 1, 2)  # lower, (k, m, m)
        pivot = np.einsum("kii->ki", square)
        is_weak = np.abs(pivot) < MIN_PIVOT
        square[is_weak] = 0.0
        weak_frames, weak_rows = np.nonzero(is_weak)
        square[weak_frames, weak_rows, weak_rows] = 1.0
        error = np.where(is_weak, 0.0, expansion.error[frames, :m])
        fixed_change[np.ix_(frames, limbs)] = -_multiply(
            q[:, :, :m], np.linalg.solve(square, error[..., None])[..., 0]
        )
        q[:, :, :m] = 0.0
        basis[frames[:, None, None], limbs[:, None], limbs] = q
        is_fixed[np.ix_(frames, limbs[:m])] = True
    return basis, fixed_change, is_fixed


def _multiply(matrices: Array, vectors: Array) -> Array:
    """(n, i, j), (n, j) -> (n, i)."""
    return (matrices @ vectors[..., None])[..., 0]


def _view_below_diagonal(band: Array) -> Array:
    """A view of LAPACK's lower band storage (n, nv, 2 nv + 1): column j of each frame's diagonal
    block and of the coupling to the next frame below it, from the block's first row on.
    (n, nv, 2 nv).

    In the storage each column begins with its diagonal entry, so a step of one column and back up
    to the first row is a step of 2 nv numbers. What lies above the diagonal falls on the end of the
    column before and must be zero.
    """
    n, nv, _ = band.shape
    return band.reshape(n, -1)[:, : 2 * nv * nv].reshape(n, nv, 2 * nv)
