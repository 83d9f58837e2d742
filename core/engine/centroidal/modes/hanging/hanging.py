"""Swinging from bar to bar, hand over hand.

Source: Kwon et al. 2020, section 7.2: the planner is given a rough reference and a contact plan in
which hands are contacts that pull.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from .....character.character import Character, is_humanoid
from .....fullbody.foot_path import FootPath, FootSupport
from .....fullbody.targets import BodyTargets
from .....fullbody.weights import BodyWeights
from .....geometry import so3
from .....plan.body import CentroidalBody
from .....plan.pacing import HangPacing
from .....plan.reference import SAMPLE_INTERVAL
from .....plan.result import Plan
from .....plan.weights import PlanLimits, PlanWeights
from .....task import Task
from ...body import PlannedBody
from ...limb_momentum import PriorMotion
from ...segments import Segment, Segments
from ..base import LimbRoots, LocomotionMode
from .hang_sketch import HANG, HangSketch, sketch_bars
from .poses import compute_shoulder_offsets, place_hanging_poses, plan_hand_paths

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HangingParameters:
    """Tuned numbers of plan and poses of a hanging body."""

    # Standard deviation of the filter of pose changes by an earlier pass [s]. tuned: halved or
    # doubled, pops of a body on bars are 2 degrees instead of 0.7
    pose_smoothing: float = 0.04
    # Time before the end of an earlier pass in which its poses change to the sketched ones [s].
    # Half or twice moves a body on bars by at most 5 mm
    blend_out_time: float = 0.3
    # Time between divisions of the plan of the last hold, and from its begin to the first one [s].
    # Half or twice moves a body on bars by 1 to 2 cm (docs/dev/parameters.csv)
    last_hold_interval: float = 0.5


HANGING = HangingParameters()


@dataclass(frozen=True)
class Hanging(LocomotionMode):
    """A body that swings below bars.

    Args:
        sketched: the sketch with what follows from it, at the m moments of its reference.
        hanging_poses: poses in the frame of the plan, arms stretched upward, shape (m, nq).
        shoulder_offsets: shoulders of the h arms that hold, relative to the center of mass,
            world axes [m], shape (m, h, 3).
    """

    # The body has nothing to lean on: momentum of the limbs and rotation converge alternately.
    pass_count: ClassVar[int] = 3
    avoids_limb_collisions: ClassVar[bool] = False

    sketched: HangSketch
    hanging_poses: Array
    shoulder_offsets: Array

    @classmethod
    def accepts(cls, task: Task, character: Character) -> bool:
        """Return whether there are bars for a humanoid."""
        return task.monkey_bars is not None and is_humanoid(character)

    @classmethod
    def from_task(cls, task: Task, planned_body: PlannedBody) -> Hanging:
        """Return the swings of a task.

        Raises:
            CharacterError: The body has no hands.
            TaskError: A rung is out of reach, or so low that feet would touch the ground.
        """
        assert task.monkey_bars is not None
        sketched = sketch_bars(task, task.monkey_bars, planned_body)
        return Hanging(
            planned_body,
            Segments((Segment.from_sketch(sketched.sketch, sketched.reference),)),
            sketched,
            sketched.hanging_poses,
            sketched.shoulder_offsets,
        )

    @property
    def pacing(self) -> HangPacing:
        """One plan takes over from another in the middle of each swing."""
        overlaps = self.sketched.holds.overlaps
        middles = 0.5 * (overlaps[1:, 0] + overlaps[:-1, 1])
        end = float(self.sketched.reference.time[-1])
        last_begin = float(overlaps[-1, 0]) + HANGING.last_hold_interval
        return HangPacing(
            cut_times=(
                *(float(t) for t in middles),
                *np.arange(last_begin, end + 1.0, HANGING.last_hold_interval),
            )
        )

    @property
    def plan_weights(self) -> PlanWeights:
        """Weights that follow the reference: a hanging body has no footsteps to correct it."""
        return replace(
            PlanWeights(),
            com=(10.0, 10.0, 100.0),
            velocity=(1.0, 1.0, 3.0),
            horizontal_factor=1.0,
            slack_square=5e3,
            slack_linear=5.0,
        )

    @property
    def body_weights(self) -> BodyWeights:
        """Weights by which legs hang as in the pose."""
        return replace(
            BodyWeights(),
            momentum=3.0,
            leak=1.0,
            leg=0.6,
            knee=0.6,
            leg_twist=0.6,
            ankle=0.6,
            ankle_roll=0.6,
            arm=0.3,
        )

    @property
    def limb_roots(self) -> LimbRoots:
        """Arms begin at the shoulders."""
        return self._locate_shoulders

    def limit_plan(self, limits: PlanLimits) -> PlanLimits:
        """Return limits with the length of the arms."""
        reach = HANG.max_arm_extension * self.sketched.arm_reach
        return replace(limits, landing_reach=reach, leaving_reach=reach)

    def make_rigid_body(self, gravity: float) -> CentroidalBody:
        """Return the body of the first pass, with the inertia of a hanging body."""
        return replace(super().make_rigid_body(gravity), inertia=self._sample_inertia)

    def updated(self, plan: Plan, prior: PriorMotion) -> Hanging:
        """Return the mode with the poses and the shoulders of an earlier pass."""
        model = self.planned_body.model
        times = prior.times
        time = self.sketched.reference.time
        new_offsets = compute_shoulder_offsets(model, model.compute_link_poses(prior.poses))
        shoulder_offsets = np.stack(
            [
                [np.interp(time, times, values) for values in offsets.T]
                for offsets in new_offsets.swapaxes(0, 1)
            ]
        ).transpose(2, 0, 1)
        values = prior.poses.copy()
        values[:, :3] = 0.0
        values[:, 3:7] = so3.quat_multiply(
            so3.quat_conjugate(so3.quat_from_matrix(prior.frame.rotation)), values[:, 3:7]
        )
        pose_change = gaussian_filter1d(
            model.difference(self._sample_poses(times), values),
            HANGING.pose_smoothing / (times[1] - times[0]),
            axis=0,
        )
        pose_change = CubicSpline(times, pose_change)(np.clip(time, times[0], times[-1]))
        blend = np.clip((times[-1] - time) / HANGING.blend_out_time, 0, 1)
        blend = blend * blend * (3 - 2 * blend)
        return replace(
            self,
            shoulder_offsets=shoulder_offsets,
            hanging_poses=model.integrate(self.hanging_poses, blend[:, None] * pose_change),
        )

    def compute_targets(
        self, plan: Plan, times: Array, rotation: Array | None = None
    ) -> BodyTargets:
        """Return targets of the full body at n times: it hangs along the plan, hands hold and
        reach.
        """
        model = self.planned_body.model
        sample = plan.sample(times)
        hands = plan_hand_paths(model, self.sketched.holds, times)
        pose = place_hanging_poses(
            model,
            self._sample_poses(times),
            sample.rotation if rotation is None else rotation,
            com=sample.com,
            grips=np.stack([h.place for h in hands], 1),
        )
        placed = model.compute_link_poses(pose)
        feet = tuple(
            _make_free_foot_path(placed.origin[:, foot.link], placed.rotation[:, foot.link])
            for foot in model.character.feet
        )
        return BodyTargets(
            times, sample.com, sample.momentum, reference=pose, feet=feet, hands=hands
        )

    def _sample_inertia(self, times: Array) -> Array:
        """Return the inertia in the frame of the body [kg m^2], shape (n, 3, 3)."""
        inertia = self.sketched.inertia
        return inertia[np.clip(np.round(times / SAMPLE_INTERVAL).astype(int), 0, len(inertia) - 1)]

    def _locate_shoulders(self, limbs: NDArray[np.int64], times: Array) -> Array:
        """Return shoulders of s limbs that hold, relative to the center of mass at n times [m],
        shape (s, n, 3), world axes.
        """
        time = self.sketched.reference.time
        offsets = [
            self.shoulder_offsets[:, int(limb) - len(self.planned_body.character.legs)]
            for limb in limbs
        ]
        return np.stack(
            [
                np.stack([np.interp(times, time, offset[:, axis]) for axis in range(3)], -1)
                for offset in offsets
            ]
        )

    def _sample_poses(self, times: Array) -> Array:
        """Return the hanging poses at n times, shape (n, nq)."""
        t = np.clip(times, 0.0, self.sketched.reference.time[-1])
        return self.planned_body.model.integrate(
            np.tile(self.hanging_poses[0], (len(times), 1)), self._pose_changes(t)
        )

    @cached_property
    def _pose_changes(self) -> CubicSpline:
        first = np.tile(self.hanging_poses[0], (len(self.hanging_poses), 1))
        changes = self.planned_body.model.difference(first, self.hanging_poses)
        return CubicSpline(self.sketched.reference.time, changes)


def _make_free_foot_path(origin: Array, rotation: Array) -> FootPath:
    """Return the path of a foot that moves as in the pose."""
    n = len(origin)
    return FootPath(
        np.full(n, int(FootSupport.FREE)),
        rotation,
        origin,
        rest_rotation=rotation,
        heel=np.zeros((n, 3)),
        pivot=np.zeros((n, 3)),
        toe_bend=np.zeros(n),
        firmness=np.zeros(n),
    )
