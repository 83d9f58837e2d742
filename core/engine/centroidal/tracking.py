"""The full body as it follows a wish: from poses to begin with to those that fulfil it,
limbs kept apart on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...fullbody.arm_avoidance import separate_arms
from ...fullbody.initial_pose import compute_initial_poses
from ...fullbody.leg_avoidance import separate_solved_legs
from ...fullbody.leg_ik import solve_leg_ik
from ...fullbody.solve import PreviousFrame, solve_body
from ...fullbody.targets import BodyTargets
from ...fullbody.weights import STEPPING_BODY_WEIGHTS, BodyWeights
from .modes.base import LocomotionMode
from .modes.striding import Striding

Array = NDArray[np.float64]
ShareCallback = Callable[[float], None]

MAX_ITERATIONS = 8  # Gauss-Newton steps of a pass over the full body at most
# of them in a later pass before it is looked at where limbs go through each other
ITERATIONS_BEFORE_AVOIDANCE = 2
FIRST_PASS_TOLERANCE = 3e-3  # rad, change of a step at which the first pass's body is done


@dataclass(frozen=True)
class TrackedMotion:
    """A wish, with limbs led apart where they met, and the poses that fulfil it. (n, nq)."""

    targets: BodyTargets
    poses: Array


@dataclass(frozen=True)
class FullBodyTracker:
    """Solves for one body.

    Args:
        mode: the sketch, where it is not of people's steps.
        dt: s between frames of what is followed closely.
    """

    model: KinematicModel
    mode: LocomotionMode | None
    dt: float

    def solve_first_pass(self, targets: BodyTargets, progress: ShareCallback) -> TrackedMotion:
        """Poses that only lean on their momentum."""
        weights = replace(self._choose_weights(), momentum=0.01)
        return TrackedMotion(
            targets,
            solve_body(
                self.model,
                targets,
                weights,
                initial_poses=self._make_initial_poses(targets),
                steps=MAX_ITERATIONS,
                tolerance=FIRST_PASS_TOLERANCE,
                progress=progress,
            ).poses,
        )

    def refine(
        self,
        targets: BodyTargets,
        offsets: Array,
        progress: ShareCallback,
        previous_frame: PreviousFrame | None = None,
    ) -> TrackedMotion:
        """Poses that follow, begun with what they were off another wish in
        an earlier pass. (n, nv).

        Args:
            previous_frame: what they go on from.
        """
        iterations = MAX_ITERATIONS
        if self.mode is not None and not self.mode.needs_limb_avoidance:
            initial_poses = self._make_initial_poses(targets, offsets)
        else:
            targets = self._avoid_collisions(
                targets, self.model.integrate(targets.reference, offsets)
            )
            initial_poses = solve_body(
                self.model,
                targets,
                self._choose_weights(),
                initial_poses=self._make_initial_poses(targets, offsets),
                steps=ITERATIONS_BEFORE_AVOIDANCE,
                progress=lambda share: progress(share / 3),
                previous=previous_frame,
            ).poses
            targets = self._avoid_collisions(targets, initial_poses)
            iterations = MAX_ITERATIONS - ITERATIONS_BEFORE_AVOIDANCE
        return TrackedMotion(
            targets,
            solve_body(
                self.model,
                targets,
                self._choose_weights(),
                initial_poses=initial_poses,
                steps=iterations,
                progress=lambda share: progress((1 + 2 * share) / 3),
                previous=previous_frame,
            ).poses,
        )

    def _choose_weights(self) -> BodyWeights:
        return STEPPING_BODY_WEIGHTS if self.mode is None else self.mode.body_weights(BodyWeights())

    def _make_initial_poses(self, targets: BodyTargets, offsets: Array | None = None) -> Array:
        """Poses to solve from: feet in their places, the rest as far off its
        own as another pass was.
        """
        if not isinstance(self.mode, Striding):
            return compute_initial_poses(self.model, targets, offsets)
        if offsets is None:
            return targets.reference
        return solve_leg_ik(
            self.model, self.model.integrate(targets.reference, offsets), targets.com, targets.feet
        )

    def _avoid_collisions(self, targets: BodyTargets, poses: Array) -> BodyTargets:
        """A wish whose limbs do not go through what they met in poses (n, nq)."""
        placed = self.model.compute_link_poses(poses)
        return replace(
            targets,
            reference=separate_arms(self.model, targets.reference, placed, self.dt),
            feet=separate_solved_legs(self.model, targets.feet, placed, self.dt),
        )
