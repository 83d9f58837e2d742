"""The body that the centroidal engine plans for: a character with its style."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character, is_humanoid
from ...character.kinematic_model import KinematicModel
from ...clip import Style, load_builtin_style, load_recipe
from ...clip.pose.balance import balance_style
from ...plan.body import CentroidalBody
from ...sketch.reference.leg_course import LegCourse, measure_leg_course
from ...task import Task

Array = NDArray[np.float64]


def choose_style(task: Task, character: Character) -> Style:
    """Return the style of a humanoid; for other bodies the natural style.

    Bodies of other builds have styles of a different kind. They take from the natural style only
    how to stand.
    """
    return load_recipe(task.recipe) if is_humanoid(character) else load_builtin_style("natural")


@dataclass(frozen=True)
class PlannedBody:
    """A character at human scale, its model, and quantities that follow from both.

    Args:
        character: character at human scale.
        model: its kinematic model.
        style: style, balanced for the character if that is a humanoid.
        com_height: height of the center of mass of the standing body [m].
        inertia: inertia of the neutral pose about its center of mass [kg m^2], shape (3, 3).
        gyration: radius of gyration about a lateral axis [m].
    """

    character: Character
    model: KinematicModel
    style: Style
    com_height: float
    inertia: Array
    gyration: float

    @staticmethod
    def from_character(character: Character, style: Style) -> PlannedBody:
        """Measure a character."""
        model = KinematicModel(character)
        if is_humanoid(character):
            style = balance_style(model, style)
        neutral = model.compute_centroidal_dynamics(model.neutral[None])
        inertia = neutral.inertia[0]
        return PlannedBody(
            character,
            model,
            style,
            com_height=float(neutral.com[0, 2] + character.root_height),
            inertia=inertia,
            gyration=float(np.sqrt(inertia[1, 1] / character.mass)),
        )

    @cached_property
    def leg_course(self) -> LegCourse:
        """Leg lengths of the style of a humanoid."""
        return measure_leg_course(self.model, self.style)

    @property
    def limb_count(self) -> int:
        """Number of limbs that can have contacts: legs, then arms with hands."""
        return len(self.character.legs) + len(self.character.hands)

    @property
    def foot_points(self) -> Array:
        """Heel and ball of each foot relative to the center of its sole, in the frame of the sole
        [m], shape (limbs, 2, 3); zero for hands.
        """
        return np.stack(
            [
                [foot.heel - foot.sole_center, foot.ball - foot.sole_center]
                for foot in self.character.feet
            ]
            + [np.zeros((2, 3))] * len(self.character.hands)
        )

    def make_rigid_body(self, gravity: float) -> CentroidalBody:
        """Return the body as if it kept its neutral pose. Gravity in [m/s^2]."""
        return CentroidalBody(
            self.character.mass,
            gravity,
            lambda t: np.broadcast_to(self.inertia, (len(t), 3, 3)),
            lambda t: np.zeros((len(t), 3)),
        )
