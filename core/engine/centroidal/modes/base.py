"""Interface of modes of locomotion."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ....character.character import Character
from ....errors import TaskError
from ....fullbody.initial_pose import compute_initial_poses
from ....fullbody.targets import BodyTargets
from ....fullbody.weights import BodyWeights
from ....plan.body import CentroidalBody
from ....plan.pacing import Pacing
from ....plan.planner import Planner
from ....plan.result import Plan
from ....plan.weights import PlanLimits, PlanWeights
from ....task import Task
from ..body import PlannedBody
from ..limb_momentum import PriorMotion
from ..segments import Segment, Segments

Array = NDArray[np.float64]

LimbRoots = Callable[[NDArray[np.int64], Array], Array]

# Largest distance of the center of mass from a foot that lands and that leaves the ground, in
# heights of the center of mass of the standing body
REACH_RATIOS = (1.01, 1.12)


@dataclass(frozen=True)
class LocomotionMode(ABC):
    """Sketch of a task and what the plan and the full body need to know to follow it.

    Args:
        planned_body: the body at human scale.
        segments: sketch, reference and footsteps; one segment before the first pass.
    """

    # Number of passes over plan and full body after the first one
    pass_count: ClassVar[int] = 1
    # Whether limbs that would intersect are moved apart
    avoids_limb_collisions: ClassVar[bool] = True
    # Whether a task can name the gait; otherwise the gait follows from the style
    accepts_gait: ClassVar[bool] = False
    # Whether a window of a motion can be solved independently of the rest
    can_solve_window: ClassVar[bool] = False

    planned_body: PlannedBody
    segments: Segments

    @classmethod
    @abstractmethod
    def accepts(cls, task: Task, character: Character) -> bool:
        """Return whether the character moves in this mode in the task."""

    @classmethod
    @abstractmethod
    def from_task(cls, task: Task, planned_body: PlannedBody) -> Self:
        """Return the mode with the sketch of a task.

        Raises:
            TaskError: The task requests what the body cannot do in this mode.
        """

    @abstractmethod
    def compute_targets(
        self, plan: Plan, times: Array, rotation: Array | None = None
    ) -> BodyTargets:
        """Return targets of the full body at n times.

        Args:
            plan: plan to follow.
            times: equally spaced times [s], shape (n,).
            rotation: rotation of the body, shape (n, 3, 3); None for that of the plan.
        """

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the report, on what is not as the task has it."""
        return self.segments.last.sketch.course.notes

    @property
    def pacing(self) -> Pacing:
        """How the clip is divided into plans."""
        return Pacing()

    @property
    def plan_weights(self) -> PlanWeights:
        """Weights of the plan."""
        return PlanWeights()

    @property
    def body_weights(self) -> BodyWeights:
        """Weights of the full body."""
        return BodyWeights()

    @property
    def limb_roots(self) -> LimbRoots | None:
        """Where limbs begin, relative to the center of mass; None for the center of mass itself.

        The function takes s limbs and n times [s] and returns positions [m], shape (s, n, 3),
        world axes.
        """
        return None

    def limit_plan(self, limits: PlanLimits) -> PlanLimits:
        """Return the limits of the plan, with reach of the legs and others that the mode sets."""
        landing, leaving = REACH_RATIOS
        height = self.planned_body.com_height
        return replace(limits, landing_reach=landing * height, leaving_reach=leaving * height)

    def make_rigid_body(self, gravity: float) -> CentroidalBody:
        """Return the body of the first pass, whose limbs do not move. Gravity in [m/s^2]."""
        return self.planned_body.make_rigid_body(gravity)

    def compute_initial_poses(self, targets: BodyTargets, offsets: Array | None = None) -> Array:
        """Return poses from which the full body is solved, shape (n, nq).

        Args:
            targets: targets of n frames.
            offsets: deviation of an earlier pass from its reference poses, shape (n, nv).
        """
        return compute_initial_poses(self.planned_body.model, targets, offsets)

    def finish_poses(self, poses: Array, targets: BodyTargets) -> Array:
        """Return solved poses (n, nq) with what the mode corrects after the last pass."""
        return poses

    def with_segments(self, segments: Segments) -> Self:
        """Return the mode with other segments."""
        return replace(self, segments=segments)

    def updated(self, plan: Plan, prior: PriorMotion) -> Self:
        """Return the mode adapted to the plan and the poses of an earlier pass."""
        return self

    def resketch_after_push(self, segment: Segment, planner: Planner) -> Segment:
        """Return the segment that begins where the planner now is, after a push.

        Raises:
            TaskError: A body in this mode cannot be pushed.
        """
        raise TaskError("Only a body that walks or runs on two legs can be pushed.")
