"""A body with its style, measured once: what the levels of the centroidal engine ask of it."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...character.humanoid import stands_like_people
from ...character.kinematic_model import KinematicModel
from ...clip import Style, builtin_style, style_of
from ...clip.pose.balance import balanced
from ...motion import Footstep
from ...plan.body import Body, Carried
from ...plan.external import ExternalForce
from ...plan.planner import Planner
from ...plan.reference import PlanReference
from ...plan.weights import STEPPING, PlanLimits, PlanWeights
from ...sketch.placement.shift_bounds import shift_room, shifted_step, uncrossed_room
from ...sketch.reference.leg_course import LegCourse, leg_course
from ...task import Task

Array = NDArray[np.float64]
Known = dict[tuple[int, int, float], Array]

REACH = (1.01, 1.12)  # heights of the standing body's centre of mass, its longest distance from a foot that lands, and leaves
# the same of steps, whose course is drawn for their legs' length; with 1.12 legs that push off were cut short though they reached
# (hurdles, tests/core/engine/test_engine.py)
STEPPING_REACH = (1.06, 1.14)


def people_style(task: Task, character: Character) -> Style:
    """The style of a body built like people; others have styles of their own, and of people's only how it is to stand."""
    return style_of(task.recipe) if stands_like_people(character) else builtin_style("natural")


@dataclass(frozen=True)
class Figure:
    """A character at human scale, its model and what follows from both."""

    character: Character
    model: KinematicModel
    style: Style
    com_height: float         # m, of the standing body
    inertia: Array            # (3, 3) of the neutral pose, kg m^2
    gyration: float           # m, radius of gyration about a horizontal axis
    legs: LegCourse | None    # of a body built like people

    @staticmethod
    def of(character: Character, style: Style) -> Figure:
        """Measure a character."""
        model = KinematicModel(character)
        if stands_like_people(character):
            style = balanced(model, style)
        neutral = model.centroidal(model.neutral[None])
        inertia = neutral.inertia[0]
        legs = leg_course(model, style) if stands_like_people(character) else None
        return Figure(character, model, style, float(neutral.com[0, 2] + character.root_height), inertia,
                      float(np.sqrt(inertia[1, 1] / character.mass)), legs)

    @property
    def course(self) -> LegCourse:
        """What the style's legs make of a body that is built like people."""
        assert self.legs is not None
        return self.legs

    @property
    def limbs(self) -> int:
        """Number of limbs that a plan can have contacts of: legs, then arms with hands."""
        return len(self.character.legs) + len(self.character.hands)

    def rigid(self, gravity: float) -> Body:
        """The body as if it kept its neutral pose."""
        return Body(self.character.mass, gravity, lambda t: np.broadcast_to(self.inertia, (len(t), 3, 3)),
                    lambda t: np.zeros((len(t), 3)))

    def planner(self, task: Task, body: Body, reference: PlanReference, footsteps: list[Footstep], carried: Carried | None,
                external: tuple[ExternalForce, ...] = (), known: Known | None = None,
                catching: frozenset[int] = frozenset(), bent: frozenset[int] = frozenset(), stepping: bool = True) -> Planner:
        """A planner for footsteps along a reference; arguments as the planner's own.

        Args:
            catching: footsteps that catch a pushed body, which are not shifted so that the legs would go through each other.
            bent: footsteps that a leg comes down on bent.
            stepping: whether it steps as people do.
        """
        feet = self.character.feet
        points = np.stack([[foot.heel - foot.centre, foot.ball - foot.centre] for foot in feet]
                          + [np.zeros((2, 3))] * len(self.character.hands))
        land, leave = STEPPING_REACH if stepping else REACH
        limits = PlanLimits(friction=0.6 * task.friction, reach=(land * self.com_height, leave * self.com_height))

        def put(k: int, xy: Array) -> Footstep:
            return shifted_step(task.floor, feet[footsteps[k].leg], footsteps[k], xy)

        def room(k: int) -> Array | None:
            step = footsteps[k]
            free = shift_room(task.floor, feet[step.leg], step, limits.shift)
            if k not in catching:
                return free
            yaw = float(np.interp(step.strike, reference.time, reference.yaw))
            return uncrossed_room(step, footsteps[k - 1], self.character.legs[step.leg].side, yaw, free, limits.shift)

        return Planner(body, reference, footsteps, points, put, STEPPING if stepping else PlanWeights(), limits,
                       known={} if known is None else known, carried=carried, external=external, room=room, bent=bent)
