"""The first step of a standing body: which foot carries it, and how soon it begins."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ....slip.gauss_newton import GaussNewton
from ....slip.problem import PreviewProblem
from ....slip.schedule import COP, T1
from ..goal import with_walk_gait

Array = NDArray[np.float64]

# Durations of the weight shift from which the search starts [s].
INITIAL_SHIFT_TIMES = (0.05, 0.2, 0.4)
# Gauss-Newton iterations from each of them.
ITERATION_COUNT = 25


@dataclass(frozen=True)
class FirstStep:
    """Best first step.

    Attributes:
        stance_foot: foot that carries it, 0 left, 1 right.
        controls: (24,) parameters of its preview, as in `slip.schedule`.
        cost: cost of these parameters.
    """

    stance_foot: int
    controls: Array
    cost: float


def find_first_step(left: PreviewProblem, right: PreviewProblem) -> FirstStep:
    """Return the cheapest first step out of standing.

    Args:
        left, right: the same problem with the left and with the right foot as stance foot.
    """
    candidates = []
    for stance_foot, problem in enumerate((left, right)):
        if problem.goal.gait == "stand":
            problem = replace(problem, goal=with_walk_gait(problem.goal))
        starts = np.tile(problem.initial_guess, (len(INITIAL_SHIFT_TIMES), 1))
        starts[:, T1] = INITIAL_SHIFT_TIMES
        starts[:, COP.start + 1] = 0.0  # The center of pressure begins midway between the feet.
        candidates += [
            FirstStep(stance_foot, solution.controls, solution.cost)
            for solution in GaussNewton(ITERATION_COUNT).solve_all(problem, starts)
        ]
    return min(candidates, key=lambda candidate: candidate.cost)
