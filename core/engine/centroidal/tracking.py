"""Third level of the pipeline: solve the full body that follows its targets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import LinkPoses
from ...fullbody.arm_avoidance import separate_arms
from ...fullbody.leg_avoidance import separate_solved_legs
from ...fullbody.objective import PreviousFrame
from ...fullbody.solve import BodyProblem, IterationLimits, solve_body
from ...fullbody.targets import BodyTargets
from .modes.base import LocomotionMode

Array = NDArray[np.float64]
ShareCallback = Callable[[float], None]


@dataclass(frozen=True)
class PoseTrackingParameters:
    """How the full body is solved in one kind of pass.

    Args:
        max_iterations: largest number of Gauss-Newton steps.
        tolerance: change of a step at which the pass ends, root mean square over frames and
            joints [rad] or [m].
        momentum_weight: weight of the angular momentum; None for that of the mode.
        iterations_before_avoidance: number of the steps before limbs that intersect are moved
            apart; None if they are not moved apart.
        is_upright: whether poses are rotated like the reference instead of like the plan.
        meets_contacts: whether the contacts of the poses are met exactly.
    """

    max_iterations: int
    tolerance: float = 1e-3
    momentum_weight: float | None = None
    iterations_before_avoidance: int | None = None
    is_upright: bool = False
    meets_contacts: bool = True


# The first pass only shows how limbs move. Its plan does not know their momentum.
FIRST_PASS = PoseTrackingParameters(
    max_iterations=8,
    tolerance=6e-3,
    momentum_weight=0.01,
    is_upright=True,
    meets_contacts=False,
)
# Later passes follow a plan that knows the momentum of the limbs.
FOLLOWING_PASS = PoseTrackingParameters(max_iterations=8, iterations_before_avoidance=2)
# A live session has a single pass, whose plan does not know the momentum of the limbs.
LIVE_PASS = PoseTrackingParameters(max_iterations=4, momentum_weight=0.01)


@dataclass(frozen=True)
class TrackedMotion:
    """Targets, with limbs moved apart, and the poses that follow them, shape (n, nq)."""

    targets: BodyTargets
    poses: Array


@dataclass(frozen=True)
class FullBodyTracker:
    """Solver of the full body in one pass.

    Args:
        mode: mode of locomotion.
        parameters: how the body is solved.
        dt: time between frames [s].
    """

    mode: LocomotionMode
    parameters: PoseTrackingParameters
    dt: float

    def solve(
        self,
        targets: BodyTargets,
        offsets: Array | None,
        progress: ShareCallback,
        previous_frame: PreviousFrame | None = None,
    ) -> TrackedMotion:
        """Return poses that follow n frames of targets.

        Args:
            targets: targets.
            offsets: deviation of an earlier pass from its reference poses, shape (n, nv).
            progress: called with the share done.
            previous_frame: the frame before the first one.
        """
        model = self.mode.planned_body.model
        iterations = self.parameters.max_iterations
        early_iterations = self.parameters.iterations_before_avoidance
        if early_iterations is None or offsets is None or not self.mode.avoids_limb_collisions:
            initial_poses = self.mode.compute_initial_poses(targets, offsets)
            done = 0.0 if early_iterations is None else 1 / 3
        else:
            styled = model.compute_link_poses(targets.reference)
            targets = self._separate_limbs(
                targets, styled, model.integrate(targets.reference, offsets)
            )
            initial_poses = self._iterate(
                targets,
                self.mode.compute_initial_poses(targets, offsets),
                IterationLimits(early_iterations, self.parameters.tolerance, meets_contacts=False),
                lambda share: progress(share / 3),
                previous_frame,
            )
            targets = self._separate_limbs(targets, styled, initial_poses)
            iterations -= early_iterations
            done = 1 / 3
        poses = self._iterate(
            targets,
            initial_poses,
            IterationLimits(iterations, self.parameters.tolerance, self.parameters.meets_contacts),
            lambda share: progress(done + (1 - done) * share),
            previous_frame,
        )
        return TrackedMotion(targets, poses)

    def _iterate(
        self,
        targets: BodyTargets,
        initial_poses: Array,
        limits: IterationLimits,
        progress: ShareCallback,
        previous_frame: PreviousFrame | None,
    ) -> Array:
        weights = self.mode.body_weights
        if self.parameters.momentum_weight is not None:
            weights = replace(weights, momentum=self.parameters.momentum_weight)
        return solve_body(
            BodyProblem(self.mode.planned_body.model, targets, weights, previous_frame),
            initial_poses,
            limits,
            progress,
        ).poses

    def _separate_limbs(self, targets: BodyTargets, styled: LinkPoses, poses: Array) -> BodyTargets:
        """Return targets whose limbs avoid the intersections in the given poses.

        Args:
            targets: targets of n frames.
            styled: links in the poses of the style.
            poses: poses of the body, shape (n, nq).
        """
        model = self.mode.planned_body.model
        placed = model.compute_link_poses(poses)
        return replace(
            targets,
            reference=separate_arms(model, styled, targets.reference, placed, dt=self.dt),
            feet=separate_solved_legs(model, targets.feet, placed, self.dt),
        )
