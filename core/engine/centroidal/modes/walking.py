"""Walking and running on two legs, in a style."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ....character.character import Character
from ....fullbody.targets import BodyTargets
from ....fullbody.weights import STEPPING_BODY_WEIGHTS, BodyWeights
from ....plan.planner import Planner
from ....plan.reference import PlanReference
from ....plan.result import Plan
from ....plan.weights import STEPPING_PLAN_WEIGHTS, PlanLimits, PlanWeights
from ....sketch.reference.reference import fit_reference_height, plan_reference
from ....sketch.sketch import Sketch, resketch_after_push, sketch_walk
from ....task import Task
from ..body import PlannedBody
from ..end_poses import EndPoses
from ..limb_momentum import PriorMotion
from ..segments import Segment, Segments, predict_change
from .base import LocomotionMode
from .walk_targets import WalkConditions, WalkPoser

Array = NDArray[np.float64]

# Largest distance of the center of mass from a foot that lands and that leaves the ground, in
# heights of the center of mass of the standing body.
# tuned: with 1.12 for both, legs that push off were cut short although they reached,
# tests/core/engine/test_engine.py (hurdles)
STEPPING_REACH_RATIOS = (1.06, 1.14)


@dataclass(frozen=True)
class SketchedTask:
    """A task with the footsteps of its end poses among its pinned footsteps, and its sketch."""

    task: Task
    sketch: Sketch


@dataclass(frozen=True)
class Walking(LocomotionMode):
    """A walk or run of a humanoid.

    Args:
        task: task at human scale, with the footsteps of its end poses.
        conditions: what changes the poses.
        end_poses: poses at the ends of the clip.
    """

    can_solve_window: ClassVar[bool] = True

    task: Task
    conditions: WalkConditions
    end_poses: EndPoses

    @classmethod
    def accepts(cls, task: Task, character: Character) -> bool:
        """Return True: a humanoid that does nothing else walks."""
        return True

    @classmethod
    def from_task(cls, task: Task, planned_body: PlannedBody) -> Walking:
        """Return the walk of a task.

        Raises:
            TaskError: The task requests what the body cannot do.
            TerrainError: The path leaves the terrain.
        """
        end_poses = EndPoses.from_task(task, planned_body.model)
        conditions = WalkConditions.from_task(task, planned_body.model)
        sketched = sketch_with_end_poses(task, planned_body, end_poses)
        return Walking(
            planned_body,
            make_walk_segments(sketched.sketch, planned_body, sketched.task, end_poses),
            sketched.task,
            conditions,
            end_poses,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the report, with those on poses at the ends of the clip."""
        return (*super().notes, *self.end_poses.notes)

    @property
    def plan_weights(self) -> PlanWeights:
        """Weights of bodies that step like humans."""
        return STEPPING_PLAN_WEIGHTS

    @property
    def body_weights(self) -> BodyWeights:
        """Weights of bodies that step like humans."""
        return STEPPING_BODY_WEIGHTS

    def limit_plan(self, limits: PlanLimits) -> PlanLimits:
        """Return the limits with the reach of legs whose reference suits their length."""
        landing, leaving = STEPPING_REACH_RATIOS
        height = self.planned_body.com_height
        return replace(limits, landing_reach=landing * height, leaving_reach=leaving * height)

    def compute_targets(
        self, plan: Plan, times: Array, rotation: Array | None = None
    ) -> BodyTargets:
        """Return targets of the full body at n times."""
        targets = self.poser.compute_targets(plan, times, rotation, self.segments.revisions)
        reference = self.end_poses.blend_poses(
            self.planned_body.model, targets.reference, times, self.task.seconds
        )
        return replace(targets, reference=reference)

    @property
    def poser(self) -> WalkPoser:
        """Computation of style poses and foot paths along the sketch."""
        return WalkPoser(self.planned_body, self.segments.last.sketch, self.conditions)

    def finish_poses(self, poses: Array, targets: BodyTargets) -> Array:
        """Return poses (n, nq) that meet the end poses exactly."""
        return self.end_poses.join_poses(self.planned_body.model, poses, targets, self.task.seconds)

    def updated(self, plan: Plan, prior: PriorMotion) -> Walking:
        """Return the walk with references whose heights suit the legs of a body on the plan."""
        refitted = self.segments.refit_references(plan, self.planned_body.leg_course)
        return self.with_segments(
            refitted.map_references(
                lambda reference: self.end_poses.blend_reference(reference, self.task.seconds)
            )
        )

    def fit_reference(self, sample_com: Callable[[Array], Array]) -> Walking:
        """Return the walk with a reference whose height suits the legs of a body.

        Args:
            sample_com: center of mass of the body, from times (n,) [s] to (n, 3) [m].
        """
        segment = self.segments.last
        reference = fit_reference_height(
            segment.reference,
            segment.sketch,
            segment.footsteps,
            leg_course=self.planned_body.leg_course,
            sample_com=sample_com,
        )
        return self.with_segments(Segments((replace(segment, reference=reference),)))

    def resketch_after_push(self, segment: Segment, planner: Planner) -> Segment:
        """Return the segment that begins where the planner now is, after a push."""
        planned_body = self.planned_body
        change = predict_change(segment, planner, self.task, planned_body.com_height)
        sketch = resketch_after_push(
            segment.sketch.with_footsteps(planner.footsteps),
            self.task,
            planned_body.character,
            change,
        )
        return Segment.from_sketch(
            sketch, plan_walk_reference(sketch, planned_body, self.task.gravity), change.time
        )


def plan_walk_reference(sketch: Sketch, planned_body: PlannedBody, gravity: float) -> PlanReference:
    """Return the reference of a sketch, in the heights of the style's legs. Gravity in [m/s^2]."""
    return plan_reference(sketch, planned_body.leg_course, planned_body.com_height, gravity)


def make_walk_segments(
    sketch: Sketch, planned_body: PlannedBody, task: Task, end_poses: EndPoses
) -> Segments:
    """Return the single segment of a walk before its first pass."""
    reference = plan_walk_reference(sketch, planned_body, task.gravity)
    reference = end_poses.blend_reference(reference, task.seconds)
    return Segments((Segment.from_sketch(sketch, reference),))


def sketch_with_end_poses(
    task: Task, planned_body: PlannedBody, end_poses: EndPoses
) -> SketchedTask:
    """Return the sketch of a walk whose feet stand where the end poses have them.

    Raises:
        TaskError: The speed is beyond the legs, or the body is not at rest in its last pose.
        TerrainError: The path leaves the terrain.
    """
    task = end_poses.with_start_feet(task)
    sketch = sketch_style_walk(task, planned_body)
    if end_poses.last is None:
        return SketchedTask(task, sketch)
    task = end_poses.with_end_feet(task, sketch)
    return SketchedTask(task, sketch_style_walk(task, planned_body))


def sketch_style_walk(task: Task, planned_body: PlannedBody) -> Sketch:
    """Return the sketch of a walk in the style of the body."""
    return sketch_walk(
        task,
        planned_body.character,
        planned_body.style,
        com_height=planned_body.com_height,
        gyration=planned_body.gyration,
    )
