"""Contact forces of a time step: impulses at heels and toes, within friction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ImpulseParameters:
    """How contact impulses are solved.

    Args:
        rounds: largest number of rounds of the projected Gauss-Seidel iteration, the solver of the
            paper (Implementation Details).
        tolerance: change of an impulse at which it ends [N s]. Numerical: 0.004 % of the impulse
            of the weight in a time step, 2.9 N s for 70 kg.
        softness: added to the response of each row, as a share of it, without which the matrix is
            singular: the friction of the two points of a flat foot is redundant.
    """

    rounds: int = 60
    tolerance: float = 1e-4
    softness: float = 1e-6


IMPULSES = ImpulseParameters()


def solve_impulses(response: Array, velocity: Array, friction: float, guess: Array) -> Array:
    """Return normal and tangential impulses of k contacts [N s], shape (2 k,).

    A contact that parts has none; one that holds stops, or slides within friction.

    Args:
        response: change of the velocity of each row per impulse, shape (2 k, 2 k).
        velocity: of the rows without impulses [m/s], shape (2 k,): normal, tangential, normal, ...
        friction: coefficient of friction.
        guess: impulses to begin with, shape (2 k,).
    """
    sticking = _solve_sticking(response, velocity, friction)
    return _iterate(response, velocity, friction, guess) if sticking is None else sticking


def _solve_sticking(response: Array, velocity: Array, friction: float) -> Array | None:
    """Return the impulses with which all contacts stop; None if those are not possible."""
    soft = response + IMPULSES.softness * np.diag(np.diag(response))
    impulse = np.linalg.solve(soft, -velocity)
    normal = impulse[0::2]
    if (normal < 0).any() or (np.abs(impulse[1::2]) > friction * normal).any():
        return None
    return np.asarray(impulse)


def _iterate(response: Array, velocity: Array, friction: float, guess: Array) -> Array:
    """Return impulses by projected Gauss-Seidel."""
    rows = response.tolist()
    start = velocity.tolist()
    impulse = guess.tolist()
    divisors = [row[i] * (1 + IMPULSES.softness) + 1e-12 for i, row in enumerate(rows)]
    for _ in range(IMPULSES.rounds):
        largest = 0.0
        # Compared in place: calls of `min`, `max` and `abs` would take half of the time.
        for i, row in enumerate(rows):
            rate = start[i]
            for a, b in zip(row, impulse, strict=True):
                rate += a * b
            before = impulse[i]
            changed = before - rate / divisors[i]
            limit = friction * impulse[i - 1] if i % 2 else np.inf
            least = -limit if i % 2 else 0.0
            if changed > limit:
                changed = limit
            elif changed < least:
                changed = least
            impulse[i] = changed
            if changed - before > largest:
                largest = changed - before
            elif before - changed > largest:
                largest = before - changed
        if largest < IMPULSES.tolerance:
            break
    return np.array(impulse)
