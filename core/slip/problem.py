"""One preview to be optimised: equation 18."""
from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .body import SlipBody
from .command import StepWish
from .goals import goals
from .modelling import modelling
from .preview import Preview
from .rollout import march, roll_out
from .schedule import Floor, PhaseSlot, bounds, guess, schedule
from .state import SlipState
from .weights import SlipWeights

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PreviewProblem:
    """Least squares with bounds: every objective is a sum of squared residuals."""

    state: SlipState
    wish: StepWish
    body: SlipBody
    floor: Floor = field(default_factory=Floor)
    weights: SlipWeights = field(default_factory=SlipWeights)

    @cached_property
    def slots(self) -> tuple[PhaseSlot, ...]:
        """Phases that are there."""
        return schedule(self.state, self.wish)

    @cached_property
    def bounds(self) -> tuple[Array, Array]:
        """Least and greatest parameters, each (24,)."""
        return bounds(self.state, self.wish, self.body, self.floor)

    @property
    def guess(self) -> Array:
        """Parameters to begin with where nothing better is known. (24,)."""
        return self.inside(guess(self.state, self.wish))

    def inside(self, u: Array) -> Array:
        """Parameters brought inside the bounds. (..., 24)."""
        low, high = self.bounds
        return np.minimum(np.maximum(u, low), high)

    def residuals(self, u: Array) -> Array:
        """(n, 24) -> (n, r)."""
        out = roll_out(self.state, self.wish, self.body, self.slots, u)
        given = (self.state, self.wish, self.body, self.weights, out, u)
        return np.concatenate([*goals(*given), *modelling(*given)], 1)

    def cost(self, u: Array) -> Array:
        """(n, 24) -> (n,)."""
        r = self.residuals(u)
        return np.asarray(np.einsum("nr,nr->n", r, r))

    def preview(self, u: Array) -> Preview:
        """What comes of parameters (24,)."""
        return Preview.of(march(self.state, self.wish, self.body, self.slots, u[None]), u, self.body.gravity)
