"""Interface of the preview's solvers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .problem import PreviewProblem

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PreviewSolution:
    """Solution of a preview."""

    controls: Array  # (24,) parameters
    cost: float
    evaluations: int  # number of candidates evaluated


class PreviewSolver(Protocol):
    """Minimizer of a preview's cost."""

    def solve(self, problem: PreviewProblem, start: Array) -> PreviewSolution:
        """Minimize the cost from parameters `start` (24,), which may violate their bounds."""
        ...
