"""What takes the place of people's steps: jumps, bars, strides of other bodies. Each tells what it
needs otherwise than those.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ....fullbody.weights import BodyWeights
from ....plan.body import CentroidalBody
from ....plan.pacing import Pacing
from ....plan.reference import PlanReference
from ....plan.result import Plan
from ....plan.weights import PlanLimits, PlanWeights
from ....sketch.sketch import Sketch

Array = NDArray[np.float64]


class LocomotionMode:
    """A sketch that is not of people's steps; what is not told otherwise is as theirs."""

    sketch: Sketch
    reference: PlanReference
    passes: ClassVar[int] = 1  # over plan and full body after the first
    needs_limb_avoidance: ClassVar[bool] = True  # round each other, where they meet

    @property
    def pacing(self) -> Pacing:
        """Where one plan takes over from another."""
        return Pacing()

    @property
    def roots(self) -> Callable[[NDArray[np.int64], Array], Array] | None:
        """Where limbs (s,) begin against the centre of mass at times (n,), (s, n, 3) m;
        in that itself unless told.
        """
        return None

    def limits(self, default: PlanLimits) -> PlanLimits:
        """What forces and legs can do."""
        return default

    def plan_weights(self, default: PlanWeights) -> PlanWeights:
        """How much each wish of the plan counts."""
        return default

    def body_weights(self, default: BodyWeights) -> BodyWeights:
        """How much each wish of the full body counts."""
        return default

    def rigid_body(self, body: CentroidalBody) -> CentroidalBody:
        """The body that is planned for before its poses are known."""
        return body

    def updated(self, plan: Plan, times: Array, poses: Array, rotation: Array) -> Self:
        """The same once a pass has shown a plan, and poses (n, nq) at times
        (n,) in frames (n, 3, 3).
        """
        return self
