"""What every solver of a preview does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .problem import PreviewProblem

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PreviewSolution:
    """Parameters (24,), what they cost, and how many candidates were tried for them."""

    controls: Array
    cost: float
    evaluations: int


class PreviewSolver(Protocol):
    """Looks for the parameters of least cost."""

    def solve(self, problem: PreviewProblem, start: Array) -> PreviewSolution:
        """From parameters (24,) on, which may be out of bounds."""
        ...
