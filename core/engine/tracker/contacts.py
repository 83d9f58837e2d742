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
        sticking_rounds: largest number of linear systems that are solved before the iteration: two
            contacts part one after the other, and friction is shared out once.
        parting_speed: normal speed into the ground up to which a contact parts [m/s]. Numerical: in
            a time step it moves by less than a micrometer.
    """

    rounds: int = 60
    tolerance: float = 1e-4
    softness: float = 1e-6
    sticking_rounds: int = 4
    parting_speed: float = 1e-4


IMPULSES = ImpulseParameters()


def solve_impulses(response: Array, velocity: Array, friction: float) -> Array:
    """Return normal and tangential impulses of k contacts [N s], shape (2 k,).

    A contact that parts has none; one that holds stops, or slides within friction.

    Args:
        response: change of the velocity of each row per impulse, shape (2 k, 2 k).
        velocity: of the rows without impulses [m/s], shape (2 k,): normal, tangential, normal, ...
        friction: coefficient of friction.
    """
    sticking = _solve_sticking(response, velocity, friction)
    return _iterate(response, velocity, friction) if sticking is None else sticking


def _solve_sticking(response: Array, velocity: Array, friction: float) -> Array | None:
    """Return the impulses with which contacts stop or part; None where one slides."""
    rows = np.arange(len(velocity))
    softness = np.full(len(velocity), IMPULSES.softness)
    for _ in range(IMPULSES.sticking_rounds):
        matrix = response[rows[:, None], rows]
        matrix.flat[:: len(rows) + 1] *= 1 + softness[rows]
        solved = np.linalg.solve(matrix, -velocity[rows])
        normal = solved[0::2]
        if (normal < 0).any():
            rows = rows[np.repeat(normal >= 0, 2)]
        elif (np.abs(solved[1::2]) <= friction * normal).all():
            impulse = np.zeros(len(velocity))
            impulse[rows] = solved
            rate = velocity + response @ impulse
            return impulse if (rate[0::2] > -IMPULSES.parting_speed).all() else None
        else:
            # The points of a foot share its friction as they share its load.
            softness[rows[1::2]] = IMPULSES.softness * normal.mean() / (normal + 1e-12)
    return None


def _iterate(response: Array, velocity: Array, friction: float) -> Array:
    """Return impulses by projected Gauss-Seidel."""
    rows = response.tolist()
    start = velocity.tolist()
    impulse = [0.0] * len(start)
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
