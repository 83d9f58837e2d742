"""Gaits of bodies with any number of legs, in a style of their kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ....character.character import Character, is_humanoid
from ....clip.pose.carriage import apply_carriage
from ....fullbody.foot_path import FootPath
from ....fullbody.hip_path import HipPath
from ....fullbody.leg_ik import solve_leg_ik
from ....fullbody.stride_path import build_stride_path
from ....fullbody.targets import BodyTargets
from ....fullbody.weights import STEPPING_BODY_WEIGHTS, BodyWeights
from ....geometry import so3
from ....motion.footstep import Footstep
from ....plan.pacing import PACING, Pacing, StridePacing
from ....plan.planner import Planner
from ....plan.reference import SAMPLE_INTERVAL
from ....plan.result import Plan
from ....plan.weights import PlanLimits, PlanWeights
from ....sketch.course.push_response import redirect_after_push
from ....task import Task
from ..body import PlannedBody
from ..limb_momentum import PriorMotion
from ..segments import Segment, Segments, build_revised_paths, predict_change
from .base import LimbRoots, LocomotionMode
from .stride_sketch import STRIDE_SKETCH, StrideSketch, sketch_strides
from .stride_steps import PlannedFootsteps

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LongBodyParameters:
    """How the plan of a body with legs in front of other legs is divided.

    Half or twice of each makes pops of a dog 1 to 2 degrees larger, or moves it by at most 4 cm
    (docs/dev/parameters.csv).
    """

    # Time by which legs can reach a contact before it begins [s]: half the spacing of nodes,
    # since fast legs come to their limits between two of them
    early_contact_time: float = 0.012
    # Nodes of the plan in one stride
    nodes_per_stride: int = 30
    # Largest time between nodes [s]
    max_node_spacing: float = 0.05
    # Shortest and longest time until the next plan takes over [s]. To begin a plan costs more
    # than to extend it.
    min_plan_time: float = 0.45
    max_plan_time: float = 0.9
    # Time that the plan extends beyond the take-over [s]
    lookahead: float = 0.5
    # Coefficients of the force of each contact. They are few, since many contacts share the load.
    force_coefficients: int = 4


LONG_BODY = LongBodyParameters()


@dataclass(frozen=True)
class Striding(LocomotionMode):
    """Gait of a body with any number of legs.

    Args:
        task: task at human scale.
        strides: the sketch with what follows from it.
        planned_rotation: rotation of the body in the plan of the last pass, at the moments of
            the reference, shape (n, 3, 3); None before.
    """

    avoids_limb_collisions: ClassVar[bool] = False
    accepts_gait: ClassVar[bool] = True

    task: Task
    strides: StrideSketch
    planned_rotation: Array | None = None

    @classmethod
    def accepts(cls, task: Task, character: Character) -> bool:
        """Return whether the body is of another build than a human."""
        return not is_humanoid(character)

    @classmethod
    def from_task(cls, task: Task, planned_body: PlannedBody) -> Striding:
        """Return the gait of a task.

        Raises:
            TaskError: The speed is beyond the legs, the body has no gait of the requested name,
                or the task requests what only humanoids can do.
        """
        return cls.from_strides(task, planned_body, sketch_strides(task, planned_body))

    @classmethod
    def from_strides(cls, task: Task, planned_body: PlannedBody, strides: StrideSketch) -> Striding:
        """Return the gait of a sketch."""
        return cls(
            planned_body,
            Segments((Segment.from_sketch(strides.sketch, strides.reference),)),
            task,
            strides,
        )

    @property
    def is_long(self) -> bool:
        """Whether the body has legs in front of other legs."""
        return bool(np.ptp(self.strides.geometry.limb_roots.standing_offsets[:, 0]) > 0)

    @property
    def pacing(self) -> Pacing:
        """Nodes of a long body are the coarser the slower its strides are."""
        if not self.is_long:
            return Pacing()
        spacing = self.strides.stride_time / LONG_BODY.nodes_per_stride
        return StridePacing(
            min(max(spacing, PACING.node_spacing), LONG_BODY.max_node_spacing),
            coefficient_count=LONG_BODY.force_coefficients,
            min_piece=LONG_BODY.min_plan_time,
            max_piece=LONG_BODY.max_plan_time,
            lookahead=LONG_BODY.lookahead,
        )

    @property
    def plan_weights(self) -> PlanWeights:
        """Weights by which a long body may pitch as its gait requires.

        A long body that is held level would have to step to other places.
        """
        default = PlanWeights()
        if not self.is_long:
            return default
        return replace(
            default, rotation=2.0, spin=0.2, end=replace(default.end, rotation=10.0, spin=1.0)
        )

    @property
    def body_weights(self) -> BodyWeights:
        """Weights by which the trunk is free to balance the momentum of heavy legs."""
        default = BodyWeights()
        return replace(
            default,
            momentum=3.0 if self.is_long else 1.0,
            pelvis=4.0,
            # The neck must follow the style instead of balancing momentum. tuned: with 6, the neck
            # of a horse that walked as a fox correlated with the fox's by 0.78 instead of 0.93
            head=20.0 if self.is_long else default.head,
            # tuned: with 0.03 for both, as in the default, its fore legs lagged and snapped forward
            leg=STEPPING_BODY_WEIGHTS.leg,
            knee=STEPPING_BODY_WEIGHTS.knee,
            swing_turn=200.0,
            # tuned: with 3, fore feet of that horse left their paths by 0.25 m at human scale; with
            # 30, gaits of ANYmal missed their bounds
            swing_along_middle=8.0,
            swing_height_middle=100.0,
        )

    def limit_plan(self, limits: PlanLimits) -> PlanLimits:
        """Return limits with the lengths of the legs from the hips on.

        Legs of long bodies, which may gallop, keep to them shortly before contact, too.
        """
        return replace(
            super().limit_plan(limits),
            limb_reach=tuple(self.strides.geometry.leg_reach),
            max_landing_bend=0.0,
            max_shift=0.1,
            reach_margin=LONG_BODY.early_contact_time if self.is_long else 0.0,
        )

    @property
    def limb_roots(self) -> LimbRoots:
        """Legs begin at the hips, as far before the feet as the feet are before the ankles."""
        return self._locate_reach_centers

    def _locate_reach_centers(self, limbs: NDArray[np.int64], times: Array) -> Array:
        """Return the centers of reach of s feet relative to the center of mass at n times [m].

        Returns shape (s, n, 3).
        """
        if self.planned_rotation is None:
            rotation = self.segments.sample_reference(times).rotation
        else:
            k = np.clip(
                np.round((times - self.strides.reference.time[0]) / SAMPLE_INTERVAL).astype(int),
                0,
                len(self.planned_rotation) - 1,
            )
            rotation = self.planned_rotation[k]
        root_offsets = self.strides.geometry.sample_reach_centers(times)[:, limbs]  # (n, s, 3)
        return np.swapaxes(
            root_offsets @ np.swapaxes(np.broadcast_to(rotation, (len(times), 3, 3)), 1, 2), 0, 1
        )

    def compute_targets(
        self, plan: Plan, times: Array, rotation: Array | None = None
    ) -> BodyTargets:
        """Return targets of the full body at n times: poses on the plan, legs at their feet."""
        model = self.planned_body.model
        sample = plan.sample(times)
        rotation = sample.rotation if rotation is None else rotation
        pose = np.tile(model.neutral, (len(times), 1))
        style_phase = self.strides.style_phase
        style_weight = style_phase.style_weight_at(times)
        apply_carriage(
            model,
            style_phase.style,
            pose,
            phase=style_phase.phase_at(times),
            share=style_weight,
            trunk_pitch=self._compute_nose_pitch(times, rotation),
        )
        pose[:, 3:7] = so3.quat_multiply(so3.quat_from_matrix(rotation), pose[:, 3:7])
        placed = model.compute_link_poses(pose)
        pose[:, :3] += sample.com - placed.com
        hip_offsets = self.strides.geometry.limb_roots.sample(times)
        hips = sample.com[:, None] + hip_offsets @ np.swapaxes(rotation, 1, 2)
        feet = build_revised_paths(
            lambda footsteps: self.build_foot_paths(footsteps, hips, times),
            self.segments.revisions,
            plan.footsteps,
            times=times,
        )
        reference = solve_leg_ik(model, pose, sample.com, feet)
        return BodyTargets(times, sample.com, sample.momentum, reference=reference, feet=feet)

    def build_foot_paths(
        self, footsteps: tuple[Footstep, ...], hips: Array, times: Array
    ) -> tuple[FootPath, ...]:
        """Return the paths of the feet through footsteps, within reach of the hips.

        Args:
            footsteps: footsteps of all legs.
            hips: hips at n times [m], shape (n, legs, 3).
            times: equally spaced times [s], shape (n,).
        """
        style_phase = self.strides.style_phase
        lift_factor = 1 + (style_phase.style.lift - 1) * style_phase.style_weight_at(times)
        return tuple(
            build_stride_path(
                [f for f in footsteps if f.leg == leg],
                foot,
                HipPath(times, hips[:, leg], float(self.strides.leg_reach[leg])),
                self.task.ground,
                lift_factor=lift_factor,
            )
            for leg, foot in enumerate(self.planned_body.character.feet)
        )

    def _compute_nose_pitch(self, times: Array, rotation: Array) -> Array:
        """Return the upward pitch of the nose relative to the ground [rad], shape (n,).

        Args:
            times: n times [s].
            rotation: rotation of the trunk, shape (n, 3, 3).
        """
        actual_pitch, reference_pitch = (
            np.arcsin(np.clip(r[:, 2, 0], -1, 1))
            for r in (rotation, self.segments.sample_reference(times).rotation)
        )
        style_pitch = self.strides.style_phase.trunk_pitch_at(times)
        return np.asarray(actual_pitch - reference_pitch + style_pitch)

    def compute_initial_poses(self, targets: BodyTargets, offsets: Array | None = None) -> Array:
        """Return poses from which the full body is solved, shape (n, nq)."""
        if offsets is None:
            return targets.reference
        model = self.planned_body.model
        poses = model.integrate(targets.reference, offsets)
        return solve_leg_ik(model, poses, targets.com, targets.feet)

    def updated(self, plan: Plan, prior: PriorMotion) -> Striding:
        """Return the gait of a body that pitches and rolls like the plan."""
        time = self.strides.reference.time
        return replace(
            self, planned_rotation=plan.sample(time[time < plan.pieces[-1].end]).rotation
        )

    def resketch_after_push(self, segment: Segment, planner: Planner) -> Segment:
        """Return the segment that begins where the planner now is, after a push.

        Feet touch the ground at the times of the gait, and where the body then is.
        """
        now = planner.current_state
        change = predict_change(segment, planner, self.task, self.planned_body.com_height)
        course = segment.sketch.course
        strides = sketch_strides(
            self.task,
            self.planned_body,
            lambda _, pendulum: redirect_after_push(course, self.task, pendulum, change),
            PlannedFootsteps(
                tuple(planner.footsteps), now.time + STRIDE_SKETCH.landing_commit_time
            ),
        )
        return Segment.from_sketch(strides.sketch, strides.reference, now.time)
