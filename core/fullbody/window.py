"""One Gauss-Newton step over a whole window of frames, with contacts as exact equality constraints.

The change x of each frame is x = Q u with the orthogonal Q of its contact rows (C^T = Q R). The
first entries of u follow from the contacts, the others are free. The remaining system is block
tridiagonal, symmetric and positive definite. It is solved by a banded Cholesky factorization.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpbsv

from ..errors import PlanningError
from .objective import CostExpansion

Array = NDArray[np.float64]

# Smallest pivot of R. A contact along which the joints cannot move is not enforced.
MIN_PIVOT = 1e-4


def solve_window_step(expansion: CostExpansion, times: Array) -> Array:
    """Return the change of all frames that minimizes the cost and meets the contacts, (n, nv).

    Args:
        times: (n,) of the frames [s].

    Raises:
        PlanningError: the system is not positive definite from the frame of its time on.
    """
    n, _, nv = expansion.rows.shape
    free = _build_free_basis(expansion)
    basis = free.basis
    fixed_change = free.fixed_change
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
    band[free.is_fixed, 0] = 1.0  # Entries that the contacts determine are not unknowns.
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
        # LAPACK counts unknowns from 1; the first that fails is of the frame at fault.
        frame = min((abs(failed) - 1) // nv, n - 1)
        raise PlanningError("no poses of the body fulfill the plan", float(times[frame]))
    return fixed_change + _multiply(basis, free_change.reshape(n, nv))


@dataclass(frozen=True)
class _FreeBasis:
    """Changes of n frames that the contacts leave free, and those that they require."""

    basis: Array  # Orthogonal basis, with zero columns for the fixed unknowns, (n, nv, nv)
    fixed_change: Array  # Change that the contacts require, (n, nv)
    is_fixed: NDArray[np.bool_]  # Whether an unknown is determined by the contacts, (n, nv)


def _build_free_basis(expansion: CostExpansion) -> _FreeBasis:
    """Return the changes that the contacts leave free.

    Contacts depend on the root and the resting limbs only, which keeps the decomposition small.
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
        square = np.swapaxes(r[:, :m], 1, 2)  # Lower triangle, (k, m, m)
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
    return _FreeBasis(basis, fixed_change, is_fixed)


def _multiply(matrices: Array, vectors: Array) -> Array:
    """Return the products of n matrices and vectors. (n, i, j), (n, j) -> (n, i)."""
    return (matrices @ vectors[..., None])[..., 0]


def _view_below_diagonal(band: Array) -> Array:
    """Return a view of LAPACK's lower band storage as dense blocks, shape (n, nv, 2 nv).

    Entry j of a frame is column j of its diagonal block and of the coupling below it, from the
    first row of the block on. In the storage each column begins with its diagonal entry, so the
    first rows of two successive columns are 2 nv numbers apart. Entries above the diagonal fall on
    the end of the previous column and must be zero.

    Args:
        band: band storage, shape (n, nv, 2 nv + 1).
    """
    n, nv, _ = band.shape
    return band.reshape(n, -1)[:, : 2 * nv * nv].reshape(n, nv, 2 * nv)
