"""The first step of a body that stands: which foot, and how soon."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ....slip.gauss_newton import GaussNewton
from ....slip.problem import PreviewProblem
from ....slip.schedule import COP, T1
from ..goal import with_walk_gait

Array = NDArray[np.float64]

INITIAL_SHIFT_TIMES = (0.05, 0.2, 0.4)  # s on both feet with which the search begins
ITERATION_COUNT = 25


def find_first_step(left: PreviewProblem, right: PreviewProblem) -> tuple[int, Array, float]:
    """Number of the foot that carries the first step,
    the parameters (24,) to begin with and their cost.

    Args:
        left, right: the same problem with either foot as the one that stays.
    """
    candidates = []
    for stance_foot, problem in enumerate((left, right)):
        if problem.goal.gait == "stand":
            problem = replace(problem, goal=with_walk_gait(problem.goal))
        starts = np.tile(problem.initial_guess, (len(INITIAL_SHIFT_TIMES), 1))
        starts[:, T1] = INITIAL_SHIFT_TIMES
        starts[:, COP.start + 1] = 0.0  # the weight is in the middle between both feet
        candidates += [
            (s.cost, stance_foot, s.controls)
            for s in GaussNewton(ITERATION_COUNT).solve_all(problem, starts)
        ]
    cost, stance_foot, controls = min(candidates, key=lambda entry: entry[0])
    return stance_foot, controls, cost
