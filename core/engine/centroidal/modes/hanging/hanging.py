"""A sketch of a body that goes along bars hand over hand: holds, the course below them, and how the body hangs.

Source: Kwon et al. 2020, section 7.2: a rough course and a plan of contacts are given to the planner, hands being contacts that
are pulled.
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

from .....character.kinematic_model import KinematicModel, Placed
from .....clip.pose.hanging import arm_length
from .....fullbody.hand_path import HandPath, hand_path
from .....fullbody.weights import BodyWeights
from .....geometry import so3
from .....plan.body import Body
from .....plan.pacing import HangPacing
from .....plan.reference import DT, PlanReference
from .....plan.result import Plan
from .....plan.weights import PlanLimits, PlanWeights
from .....sketch.sketch import Sketch
from ..base import OwnSketch
from .handholds import Handholds

Array = NDArray[np.float64]

PASSES = 3                    # of a body that has nothing under it to lean on: its limbs and its turning are found by turns
STRAIGHTEST = 0.99            # that an arm may be for the plan
CALMED = 0.04                 # s over which what known poses do besides is smoothed before it is taken on
FORGOTTEN = 0.3               # s before the end of known poses in which they go over into those that were drawn


@dataclass(frozen=True)
class Swinging(OwnSketch):
    """Everything that takes the place of steps and style for a task with bars."""

    passes: ClassVar[int] = PASSES
    limbs_are_led: ClassVar[bool] = False

    model: KinematicModel
    drawn: Sketch
    reference: PlanReference
    holds: Handholds
    hung: Array           # (n, nq) poses over the reference's moments, in the plan's frame, arms stretched up
    inertia: Array        # (n, 3, 3) kg m^2, with arms where they hold and reach
    shoulders: Array      # (n, h, 3) of the arms that hold, against the centre of mass, world axes, m
    arm: float            # m from a shoulder to its grip

    @property
    def pacing(self) -> HangPacing:
        """Plans take over from each other in the middle of each swing."""
        middles = 0.5 * (self.holds.both[1:, 0] + self.holds.both[:-1, 1])
        end = float(self.reference.time[-1])
        return HangPacing(cuts=(*(float(t) for t in middles), *np.arange(float(self.holds.both[-1, 0]) + 0.5, end + 1.0, 0.5)))

    def limits(self, usual: PlanLimits) -> PlanLimits:
        """Arms are as long as they are."""
        return replace(usual, reach=(STRAIGHTEST * self.arm, STRAIGHTEST * self.arm))

    def weights(self, usual: PlanWeights) -> PlanWeights:
        """A body that hangs has no footsteps to put right: the course counts more."""
        return replace(usual, com=(10.0, 10.0, 100.0), velocity=(1.0, 1.0, 3.0), sideways=1.0, slack=(5e3, 5.0))

    def body_weights(self, usual: BodyWeights) -> BodyWeights:
        """Legs are free to hang as the pose has it."""
        return replace(usual, momentum=3.0, leak=1.0, leg=0.6, knee=0.6, leg_twist=0.6, ankle=0.6, ankle_roll=0.6, arm=0.3)

    def inertia_at(self, times: Array) -> Array:
        """In the body's frame. (n,) -> (n, 3, 3)."""
        return self.inertia[np.clip(np.round(times / DT).astype(int), 0, len(self.inertia) - 1)]

    def told(self, plan: Plan, times: Array, poses: Array, rotation: Array) -> Swinging:
        """The same for a body whose poses are known: it hangs as those have it, and its shoulders are where those have them.

        Args:
            times: (n,) rising.
            poses: (n, nq) in the world.
            rotation: (n, 3, 3) of the plan's frame that they were drawn in.
        """
        found = shoulders_of(self.model, self.model.place(poses))
        time = self.reference.time
        shoulders = np.stack([[np.interp(time, times, own) for own in arm.T] for arm in found.swapaxes(0, 1)]).transpose(2, 0, 1)
        own = poses.copy()
        own[:, :3] = 0.0
        own[:, 3:7] = so3.quat_multiply(so3.quat_conjugate(so3.quat_from_matrix(rotation)), own[:, 3:7])
        strayed = gaussian_filter1d(self.model.difference(self.poses_at(times), own), CALMED / (times[1] - times[0]), axis=0)
        strayed = CubicSpline(times, strayed)(np.clip(time, times[0], times[-1]))
        kept = np.clip((times[-1] - time) / FORGOTTEN, 0, 1)
        kept = kept * kept * (3 - 2 * kept)
        return replace(self, shoulders=shoulders, hung=self.model.integrate(self.hung, kept[:, None] * strayed))

    @property
    def roots(self) -> Callable[[NDArray[np.int64], Array], Array]:
        """Arms begin at their shoulders."""
        return lambda limbs, times: np.stack([self.root_at(int(limb), times) for limb in limbs])

    def rigid(self, body: Body) -> Body:
        """With the inertia of a body that hangs."""
        return replace(body, inertia=self.inertia_at)

    def root_at(self, limb: int, times: Array) -> Array:
        """Shoulder of a limb that holds against the centre of mass, world axes. (n,) -> (n, 3) m."""
        own = self.shoulders[:, limb - len(self.model.character.legs)]
        return np.stack([np.interp(times, self.reference.time, own[:, axis]) for axis in range(3)], -1)

    def hands(self, times: Array) -> tuple[HandPath, ...]:
        """The ways of the hands that can hold."""
        return hands_at(self.model, self.holds, times)

    def poses_at(self, times: Array) -> Array:
        """How the body hangs, in the plan's frame, arms stretched up. (n,) -> (n, nq)."""
        t = np.clip(times, 0.0, self.reference.time[-1])
        return self.model.integrate(np.tile(self.hung[0], (len(times), 1)), self._changes(t))

    @cached_property
    def _changes(self) -> CubicSpline:
        first = np.tile(self.hung[0], (len(self.hung), 1))
        return CubicSpline(self.reference.time, self.model.difference(first, self.hung))


def hands_at(model: KinematicModel, holds: Handholds, times: Array) -> tuple[HandPath, ...]:
    legs, arm = len(model.character.legs), arm_length(model)
    return tuple(hand_path(times, [g for g in holds.grips if g.leg == legs + k], limb.side, arm)
                 for k, limb in enumerate(model.character.holders))


def shoulders_of(model: KinematicModel, placed: Placed) -> Array:
    """Shoulders of the arms that hold against the centre of mass. (n, h, 3) m."""
    return np.stack([placed.origin[:, limb.links[0]] - placed.com for limb in model.character.holders], 1)
