"""The full body as it follows a wish: from poses to begin with to those that fulfil it, limbs kept apart on the way."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...fullbody.arm_avoidance import arms_apart
from ...fullbody.initial_pose import stepped_in
from ...fullbody.leg_avoidance import legs_apart
from ...fullbody.leg_ik import legs_to
from ...fullbody.solve import Before, solve_body
from ...fullbody.targets import Wish
from ...fullbody.weights import STEPPING, BodyWeights
from .modes.base import OwnSketch
from .modes.striding import Striding

Array = NDArray[np.float64]
Told = Callable[[float], None]

STEPS = 8             # Gauss-Newton steps of a pass over the full body at most
ROUGH = 2             # of them in a later pass before it is looked at where limbs go through each other
ROUGHLY = 3e-3        # rad, change of a step at which the first pass's body is done


@dataclass(frozen=True)
class Followed:
    """A wish, with limbs led apart where they met, and the poses that fulfil it. (n, nq)."""

    wish: Wish
    poses: Array


@dataclass(frozen=True)
class Follower:
    """Solves for one body.

    Args:
        own: the sketch, where it is not of people's steps.
        dt: s between frames of what is followed closely.
    """

    model: KinematicModel
    own: OwnSketch | None
    dt: float

    def roughly(self, wish: Wish, told: Told) -> Followed:
        """Poses that only lean on their momentum."""
        weights = replace(self._weights(), momentum=0.01)
        return Followed(wish, solve_body(self.model, wish, weights, self._begun(wish), STEPS, ROUGHLY, progress=told).poses)

    def closely(self, wish: Wish, away: Array, told: Told, after: Before | None = None) -> Followed:
        """Poses that follow, begun with what they were off another wish in an earlier pass. (n, nv).

        Args:
            after: what they go on from.
        """
        steps = STEPS
        if self.own is not None and not self.own.limbs_are_led:
            start = self._begun(wish, away)
        else:
            wish = self._kept_clear(wish, self.model.integrate(wish.reference, away))
            start = solve_body(self.model, wish, self._weights(), self._begun(wish, away), ROUGH,
                               progress=lambda share: told(share / 3), after=after).poses
            wish, steps = self._kept_clear(wish, start), STEPS - ROUGH
        return Followed(wish, solve_body(self.model, wish, self._weights(), start, steps,
                                         progress=lambda share: told((1 + 2 * share) / 3), after=after).poses)

    def _weights(self) -> BodyWeights:
        return STEPPING if self.own is None else self.own.body_weights(BodyWeights())

    def _begun(self, wish: Wish, away: Array | None = None) -> Array:
        """Poses to solve from: feet in their places, the rest as far off its own as another pass was."""
        if not isinstance(self.own, Striding):
            return stepped_in(self.model, wish, away)
        if away is None:
            return wish.reference
        return legs_to(self.model, self.model.integrate(wish.reference, away), wish.com, wish.feet)

    def _kept_clear(self, wish: Wish, poses: Array) -> Wish:
        """A wish whose limbs do not go through what they met in poses (n, nq)."""
        placed = self.model.place(poses)
        return replace(wish, reference=arms_apart(self.model, wish.reference, placed, self.dt),
                       feet=legs_apart(self.model, wish.feet, placed, self.dt))
