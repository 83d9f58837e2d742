"""The first step of a body that stands: which foot, and how soon."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ....slip.gauss_newton import GaussNewton
from ....slip.problem import PreviewProblem
from ....slip.schedule import COP, T1
from ..goal import walking

Array = NDArray[np.float64]

SHIFTS = (0.05, 0.2, 0.4)         # s on both feet with which the search begins
ITERATIONS = 25


def first_step(left: PreviewProblem, right: PreviewProblem) -> tuple[int, Array, float]:
    """Number of the foot that carries the first step, the parameters (24,) to begin with and their cost.

    Args:
        left, right: the same problem with either foot as the one that stays.
    """
    found = []
    for stance, problem in enumerate((left, right)):
        if problem.wish.gait == "stand":
            problem = replace(problem, wish=walking(problem.wish))
        starts = np.tile(problem.guess, (len(SHIFTS), 1))
        starts[:, T1] = SHIFTS
        starts[:, COP.start + 1] = 0.0                    # the weight is in the middle between both feet
        found += [(s.cost, stance, s.controls) for s in GaussNewton(ITERATIONS).solve_all(problem, starts)]
    cost, stance, controls = min(found, key=lambda entry: entry[0])
    return stance, controls, cost
