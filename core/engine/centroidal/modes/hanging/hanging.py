"""A sketch of a body that goes along bars hand over hand:
holds, the course below them, and how the body hangs.

Source: Kwon et al. 2020, section 7.2: a rough course and a plan of contacts are given to the
planner, hands being contacts that are pulled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from .....character.kinematic_model import KinematicModel, LinkPoses
from .....clip.pose.hanging import measure_arm_length
from .....fullbody.hand_path import HandPath, build_hand_path
from .....fullbody.weights import BodyWeights
from .....geometry import so3
from .....plan.body import CentroidalBody
from .....plan.pacing import HangPacing
from .....plan.reference import SAMPLE_INTERVAL, PlanReference
from .....plan.result import Plan
from .....plan.weights import PlanLimits, PlanWeights
from .....sketch.sketch import Sketch
from ..base import LocomotionMode
from .handholds import Handholds

Array = NDArray[np.float64]

# of a body that has nothing under it to lean on: its limbs and its turning are found by turns
PASS_COUNT = 3
MAX_ARM_EXTENSION = 0.99  # that an arm may be for the plan
POSE_SMOOTHING = 0.04  # s over which what known poses do besides is smoothed before it is taken on
# s before the end of known poses in which they go over into those that were drawn
BLEND_OUT_TIME = 0.3


@dataclass(frozen=True)
class Hanging(LocomotionMode):
    """Everything that takes the place of steps and style for a task with bars."""

    passes: ClassVar[int] = PASS_COUNT
    needs_limb_avoidance: ClassVar[bool] = False

    model: KinematicModel
    sketch: Sketch
    reference: PlanReference
    holds: Handholds
    # (n, nq) poses over the reference's moments, in the plan's frame, arms stretched up
    hanging_poses: Array
    inertia: Array  # (n, 3, 3) kg m^2, with arms where they hold and reach
    # (n, h, 3) of the arms that hold, against the centre of mass, world axes, m
    shoulder_offsets: Array
    arm_reach: float  # m from a shoulder to its grip

    @property
    def pacing(self) -> HangPacing:
        """Plans take over from each other in the middle of each swing."""
        middles = 0.5 * (self.holds.overlaps[1:, 0] + self.holds.overlaps[:-1, 1])
        end = float(self.reference.time[-1])
        return HangPacing(
            cut_times=(
                *(float(t) for t in middles),
                *np.arange(float(self.holds.overlaps[-1, 0]) + 0.5, end + 1.0, 0.5),
            )
        )

    def limits(self, default: PlanLimits) -> PlanLimits:
        """Arms are as long as they are."""
        return replace(
            default, reach=(MAX_ARM_EXTENSION * self.arm_reach, MAX_ARM_EXTENSION * self.arm_reach)
        )

    def plan_weights(self, default: PlanWeights) -> PlanWeights:
        """A body that hangs has no footsteps to put right: the course counts more."""
        return replace(
            default,
            com=(10.0, 10.0, 100.0),
            velocity=(1.0, 1.0, 3.0),
            horizontal_factor=1.0,
            slack=(5e3, 5.0),
        )

    def body_weights(self, default: BodyWeights) -> BodyWeights:
        """Legs are free to hang as the pose has it."""
        return replace(
            default,
            momentum=3.0,
            leak=1.0,
            leg=0.6,
            knee=0.6,
            leg_twist=0.6,
            ankle=0.6,
            ankle_roll=0.6,
            arm=0.3,
        )

    def inertia_at(self, times: Array) -> Array:
        """In the body's frame. (n,) -> (n, 3, 3)."""
        return self.inertia[
            np.clip(np.round(times / SAMPLE_INTERVAL).astype(int), 0, len(self.inertia) - 1)
        ]

    def updated(self, plan: Plan, times: Array, poses: Array, rotation: Array) -> Hanging:
        """The same for a body whose poses are known: it hangs as those have it, and its shoulders
        are where those have them.

        Args:
            times: (n,) rising.
            poses: (n, nq) in the world.
            rotation: (n, 3, 3) of the plan's frame that they were drawn in.
        """
        new_offsets = compute_shoulder_offsets(self.model, self.model.compute_link_poses(poses))
        time = self.reference.time
        shoulder_offsets = np.stack(
            [
                [np.interp(time, times, values) for values in offsets.T]
                for offsets in new_offsets.swapaxes(0, 1)
            ]
        ).transpose(2, 0, 1)
        values = poses.copy()
        values[:, :3] = 0.0
        values[:, 3:7] = so3.quat_multiply(
            so3.quat_conjugate(so3.quat_from_matrix(rotation)), values[:, 3:7]
        )
        pose_change = gaussian_filter1d(
            self.model.difference(self.poses_at(times), values),
            POSE_SMOOTHING / (times[1] - times[0]),
            axis=0,
        )
        pose_change = CubicSpline(times, pose_change)(np.clip(time, times[0], times[-1]))
        blend = np.clip((times[-1] - time) / BLEND_OUT_TIME, 0, 1)
        blend = blend * blend * (3 - 2 * blend)
        return replace(
            self,
            shoulder_offsets=shoulder_offsets,
            hanging_poses=self.model.integrate(self.hanging_poses, blend[:, None] * pose_change),
        )

    @property
    def roots(self) -> Callable[[NDArray[np.int64], Array], Array]:
        """Arms begin at their shoulders."""
        return lambda limbs, times: np.stack(
            [self.limb_root_at(int(limb), times) for limb in limbs]
        )

    def rigid_body(self, body: CentroidalBody) -> CentroidalBody:
        """With the inertia of a body that hangs."""
        return replace(body, inertia=self.inertia_at)

    def limb_root_at(self, limb: int, times: Array) -> Array:
        """Shoulder of a limb that holds against the centre of mass,
        world axes. (n,) -> (n, 3) m.
        """
        offsets = self.shoulder_offsets[:, limb - len(self.model.character.legs)]
        return np.stack(
            [np.interp(times, self.reference.time, offsets[:, axis]) for axis in range(3)], -1
        )

    def hand_paths(self, times: Array) -> tuple[HandPath, ...]:
        """The ways of the hands that can hold."""
        return plan_hand_paths(self.model, self.holds, times)

    def poses_at(self, times: Array) -> Array:
        """How the body hangs, in the plan's frame, arms stretched up. (n,) -> (n, nq)."""
        t = np.clip(times, 0.0, self.reference.time[-1])
        return self.model.integrate(
            np.tile(self.hanging_poses[0], (len(times), 1)), self._pose_changes(t)
        )

    @cached_property
    def _pose_changes(self) -> CubicSpline:
        first = np.tile(self.hanging_poses[0], (len(self.hanging_poses), 1))
        return CubicSpline(self.reference.time, self.model.difference(first, self.hanging_poses))


def plan_hand_paths(model: KinematicModel, holds: Handholds, times: Array) -> tuple[HandPath, ...]:
    legs = len(model.character.legs)
    arm_reach = measure_arm_length(model)
    return tuple(
        build_hand_path(times, [g for g in holds.grips if g.leg == legs + k], limb.side, arm_reach)
        for k, limb in enumerate(model.character.grasping_arms)
    )


def compute_shoulder_offsets(model: KinematicModel, placed: LinkPoses) -> Array:
    """Shoulders of the arms that hold against the centre of mass. (n, h, 3) m."""
    return np.stack(
        [placed.origin[:, limb.links[0]] - placed.com for limb in model.character.grasping_arms], 1
    )
