"""Jumps from standing to standing, with poses of a style."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ....character.character import Character, is_humanoid
from ....clip.pose.pose_sequence import PoseSequence
from ....fullbody.flight_path import JumpPose, build_flight_path
from ....fullbody.hip_path import HipPath
from ....fullbody.targets import BodyTargets
from ....geometry import so3
from ....plan.body import CentroidalBody
from ....plan.pacing import JumpPacing
from ....plan.reference import SAMPLE_INTERVAL, PlanReference
from ....plan.result import Plan
from ....plan.weights import PlanLimits, PlanWeights
from ....task import Task
from ....terrain import Ground
from ..body import PlannedBody
from ..segments import Segment, Segments
from .base import LocomotionMode
from .jump_sketch import sketch_jumps
from .jump_timing import JumpTiming

Array = NDArray[np.float64]


@dataclass(frozen=True)
class JumpPlanParameters:
    """How the plan of jumps differs from that of steps.

    Effects of half and twice of each: docs/dev/parameters.csv.
    """

    # Weight of the reference along the ground, relative to that of steps. A body that jumps has
    # no next step to correct an error.
    reference_weight: float = 10.0
    # Weight of the velocity of the center of mass along the ground, as a share of the weight of its
    # place. tuned: doubled, pops of jumps are a degree larger
    velocity_share: float = 0.1
    # Weight of smooth forces, relative to that of steps. Forces of a jump change fast.
    smoothness_ratio: float = 0.1
    # Cost of shifting a footstep, relative to that of steps
    shift_weight_ratio: float = 100.0
    # Largest distance of the center of mass from a foot, in its largest height. tuned: halved,
    # forces are off by 0.026 body weights instead of 0.015
    com_reach_ratio: float = 1.06
    # Largest angular velocity, relative to the largest one of the reference
    max_spin_ratio: float = 1.3
    # Largest force at one point, in body weights: no limit in practice
    max_force: float = 100.0


JUMP_PLAN = JumpPlanParameters()


@dataclass(frozen=True)
class Jumping(LocomotionMode):
    """Jumps of a humanoid.

    Args:
        ground: ground that feet clear.
        reference: reference of the plan, at m moments.
        timings: timing of each jump.
        pose_sequence: poses over time.
        jump_pacing: how the clip is divided into plans.
        inertia: inertia of the poses at the moments of the reference [kg m^2], shape (m, 3, 3).
    """

    ground: Ground
    reference: PlanReference
    timings: tuple[JumpTiming, ...]
    pose_sequence: PoseSequence
    jump_pacing: JumpPacing
    inertia: Array

    @classmethod
    def accepts(cls, task: Task, character: Character) -> bool:
        """Return whether a humanoid is to jump."""
        return bool(task.jumps) and is_humanoid(character)

    @classmethod
    def from_task(cls, task: Task, planned_body: PlannedBody) -> Jumping:
        """Return the jumps of a task.

        Raises:
            TaskError: Jumps follow each other too soon, or one is too low for the ground that it
                is to reach.
            TerrainError: A jump lands where there is no ground.
        """
        sketch = sketch_jumps(task, planned_body)
        return Jumping(
            planned_body,
            Segments((Segment.from_sketch(sketch.sketch, sketch.reference),)),
            task.ground,
            sketch.reference,
            sketch.timings,
            sketch.pose_sequence,
            sketch.pacing,
            sketch.inertia,
        )

    @property
    def pacing(self) -> JumpPacing:
        """Each plan holds a whole jump."""
        return self.jump_pacing

    @property
    def plan_weights(self) -> PlanWeights:
        """Weights that follow the reference, which the task states, rather than save force."""
        default = PlanWeights()
        weight = JUMP_PLAN.reference_weight
        velocity_weight = JUMP_PLAN.velocity_share * weight
        return replace(
            default,
            coefficient=JUMP_PLAN.smoothness_ratio * default.coefficient,
            coefficient_difference=JUMP_PLAN.smoothness_ratio * default.coefficient_difference,
            com=(weight, weight, weight * default.com[2]),
            velocity=(velocity_weight, velocity_weight, weight * default.velocity[2]),
            shift=JUMP_PLAN.shift_weight_ratio * default.shift,
        )

    def limit_plan(self, limits: PlanLimits) -> PlanLimits:
        """Return limits of large forces (without equation 12 of the paper) and fast rotation."""
        max_spin = float(
            np.linalg.norm(self.reference.sample(self.reference.time).spin, axis=1).max()
        )
        max_height = max(timing.shape.heights.highest for timing in self.timings)
        reach = JUMP_PLAN.com_reach_ratio * max_height
        return replace(
            limits,
            landing_reach=reach,
            leaving_reach=reach,
            max_landing_bend=0.0,
            max_force=JUMP_PLAN.max_force,
            max_spin=max(limits.max_spin, JUMP_PLAN.max_spin_ratio * max_spin),
        )

    def make_rigid_body(self, gravity: float) -> CentroidalBody:
        """Return the body of the first pass, with the inertia of the poses."""
        return replace(super().make_rigid_body(gravity), inertia=self._sample_inertia)

    def _sample_inertia(self, times: Array) -> Array:
        """Return the inertia in the frame of the body [kg m^2], shape (n, 3, 3)."""
        k = np.clip(np.round(times / SAMPLE_INTERVAL).astype(int), 0, len(self.inertia) - 1)
        return self.inertia[k]

    def compute_targets(
        self, plan: Plan, times: Array, rotation: Array | None = None
    ) -> BodyTargets:
        """Return targets of the full body at n times: poses on the plan, and paths of the feet."""
        model = self.planned_body.model
        sample = plan.sample(times)
        rotation = sample.rotation if rotation is None else rotation
        pose = self.pose_sequence.sample(times)
        pose[:, 3:7] = so3.quat_multiply(so3.quat_from_matrix(rotation), pose[:, 3:7])
        placed = model.compute_link_poses(pose)
        pose[:, :3] = sample.com - placed.com
        feet = []
        for leg, (limb, foot) in enumerate(
            zip(model.character.legs, model.character.feet, strict=True)
        ):
            feet.append(
                build_flight_path(
                    [f for f in plan.footsteps if f.leg == leg],
                    foot,
                    JumpPose(
                        times,
                        placed.origin[:, foot.link] + pose[:, :3],
                        placed.rotation[:, foot.link],
                        body=rotation,
                    ),
                    HipPath(
                        times,
                        placed.origin[:, limb.links[0]] + pose[:, :3],
                        model.character.straight_leg_length(limb, foot),
                    ),
                    self.ground,
                )
            )
        return BodyTargets(times, sample.com, sample.momentum, reference=pose, feet=tuple(feet))
