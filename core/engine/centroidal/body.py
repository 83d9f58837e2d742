"""A body with its style, measured once: what the levels of the centroidal engine ask of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...character.humanoid import is_humanoid
from ...character.kinematic_model import KinematicModel
from ...clip import Style, load_builtin_style, load_recipe
from ...clip.pose.balance import balance_style
from ...motion import Footstep
from ...plan.body import CentroidalBody, PlanState
from ...plan.external import ExternalForce
from ...plan.planner import Planner
from ...plan.reference import PlanReference
from ...plan.weights import STEPPING_PLAN_WEIGHTS, PlanLimits, PlanWeights
from ...sketch.placement.shift_bounds import (
    compute_shift_bounds,
    compute_uncrossed_bounds,
    shift_footstep,
)
from ...sketch.reference.leg_course import LegCourse, measure_leg_course
from ...task import Task

Array = NDArray[np.float64]
WarmStart = dict[tuple[int, int, float], Array]

# heights of the standing body's centre of mass, its longest distance from a
# foot that lands, and leaves
REACH_RATIOS = (1.01, 1.12)
# the same of steps, whose course is drawn for their legs' length; with 1.12 legs that push off were
# cut short though they reached (hurdles, tests/core/engine/test_engine.py)
STEPPING_REACH_RATIOS = (1.06, 1.14)


def choose_style(task: Task, character: Character) -> Style:
    """The style of a body built like people; others have styles of their own, and of people's
    only how it is to stand.
    """
    return load_recipe(task.recipe) if is_humanoid(character) else load_builtin_style("natural")


@dataclass(frozen=True)
class PlannedBody:
    """A character at human scale, its model and what follows from both."""

    character: Character
    model: KinematicModel
    style: Style
    com_height: float  # m, of the standing body
    inertia: Array  # (3, 3) of the neutral pose, kg m^2
    gyration: float  # m, radius of gyration about a horizontal axis
    optional_leg_course: LegCourse | None  # of a body built like people

    @staticmethod
    def from_character(character: Character, style: Style) -> PlannedBody:
        """Measure a character."""
        model = KinematicModel(character)
        if is_humanoid(character):
            style = balance_style(model, style)
        neutral = model.compute_centroidal_dynamics(model.neutral[None])
        inertia = neutral.inertia[0]
        legs = measure_leg_course(model, style) if is_humanoid(character) else None
        return PlannedBody(
            character,
            model,
            style,
            com_height=float(neutral.com[0, 2] + character.root_height),
            inertia=inertia,
            gyration=float(np.sqrt(inertia[1, 1] / character.mass)),
            optional_leg_course=legs,
        )

    @property
    def leg_course(self) -> LegCourse:
        """What the style's legs make of a body that is built like people."""
        assert self.optional_leg_course is not None
        return self.optional_leg_course

    @property
    def limb_count(self) -> int:
        """Number of limbs that a plan can have contacts of: legs, then arms with hands."""
        return len(self.character.legs) + len(self.character.hands)

    def make_rigid_body(self, gravity: float) -> CentroidalBody:
        """The body as if it kept its neutral pose."""
        return CentroidalBody(
            self.character.mass,
            gravity,
            lambda t: np.broadcast_to(self.inertia, (len(t), 3, 3)),
            lambda t: np.zeros((len(t), 3)),
        )

    def make_planner(
        self,
        task: Task,
        body: CentroidalBody,
        reference: PlanReference,
        footsteps: list[Footstep],
        initial_state: PlanState | None,
        external_forces: tuple[ExternalForce, ...] = (),
        warm_start: WarmStart | None = None,
        catch_steps: frozenset[int] = frozenset(),
        bent_landings: frozenset[int] = frozenset(),
        has_human_steps: bool = True,
    ) -> Planner:
        """A planner for footsteps along a reference; arguments as the planner's own.

        Args:
            catch_steps: footsteps that catch a pushed body, which are not shifted so that the legs
                would go through each other.
            bent_landings: footsteps that a leg comes down on bent.
            has_human_steps: whether it steps as people do.
        """
        feet = self.character.feet
        foot_points = np.stack(
            [[foot.heel - foot.sole_center, foot.ball - foot.sole_center] for foot in feet]
            + [np.zeros((2, 3))] * len(self.character.hands)
        )
        landing_reach, leaving_reach = STEPPING_REACH_RATIOS if has_human_steps else REACH_RATIOS
        limits = PlanLimits(
            friction=0.6 * task.friction,
            reach=(landing_reach * self.com_height, leaving_reach * self.com_height),
        )

        def place_footstep(k: int, xy: Array) -> Footstep:
            return shift_footstep(task.allowed_ground, feet[footsteps[k].leg], footsteps[k], xy)

        def find_shift_bounds(k: int) -> Array | None:
            step = footsteps[k]
            bounds = compute_shift_bounds(
                task.allowed_ground, feet[step.leg], step, limits.max_shift
            )
            if k not in catch_steps:
                return bounds
            yaw = float(np.interp(step.strike, reference.time, reference.yaw))
            return compute_uncrossed_bounds(
                step,
                footsteps[k - 1],
                self.character.legs[step.leg].side,
                heading=yaw,
                bounds=bounds,
                max_shift=limits.max_shift,
            )

        return Planner(
            body,
            reference,
            footsteps,
            foot_points=foot_points,
            place_footstep=place_footstep,
            weights=STEPPING_PLAN_WEIGHTS if has_human_steps else PlanWeights(),
            limits=limits,
            warm_start={} if warm_start is None else warm_start,
            initial_state=initial_state,
            external_forces=external_forces,
            shift_bounds=find_shift_bounds,
            bent_landings=bent_landings,
        )
