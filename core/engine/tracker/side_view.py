"""A humanoid seen from the side: the segments of the planar biped.

Points of the plane are complex numbers, forward plus i times up. Pitches are counterclockwise, so a
thigh that swings forward, a trunk that leans back and toes that rise turn by positive angles. All
pitches are 0 in the neutral pose.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character, is_humanoid
from ...character.kinematic_model import KinematicModel
from ...errors import TaskError

Array = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]


@dataclass(frozen=True)
class SideView:
    """Proportions and masses of a body in the plane; both legs are alike.

    Segments are in the order trunk, thigh, shin, foot of leg 1, and thigh, shin, foot of leg 2. The
    trunk holds everything but the legs.

    Args:
        mass: of the 7 segments [kg], shape (7,).
        inertia: of the segments about their centers of mass [kg m^2], shape (7,).
        center: center of mass of each segment from its upper joint [m], shape (7,).
        thigh: from hip to knee [m].
        shin: from knee to ankle [m].
        heel: from ankle to the rear of the sole [m].
        toe: from ankle to the joint of the toes [m].
        toe_height: height of this joint above the ground while the toes rest [m].
    """

    mass: Array
    inertia: Array
    center: ComplexArray
    thigh: complex
    shin: complex
    heel: complex
    toe: complex
    toe_height: float

    @staticmethod
    def from_model(model: KinematicModel) -> SideView:
        """Return the side view of a humanoid in its neutral pose.

        Raises:
            TaskError: the body does not have two human legs.
        """
        character = model.character
        if not is_humanoid(character):
            raise TaskError(
                f"The engine 'tracker' moves bodies with two human legs only; {character.name!r} "
                "has others. Choose the engine 'centroidal'."
            )
        return _measure_body(character, model)

    @property
    def total_mass(self) -> float:
        """Mass of the body [kg]."""
        return float(self.mass.sum())

    @property
    def ankle_height(self) -> float:
        """Height of the ankle of a flat foot above the ground [m]."""
        return -self.heel.imag

    @property
    def leg_length(self) -> float:
        """Distance from hip to ankle of a straight leg [m]."""
        return abs(self.thigh) + abs(self.shin)


def _measure_body(character: Character, model: KinematicModel) -> SideView:
    placed = model.compute_link_poses(model.neutral[None])
    joints = placed.origin[0, :, 0] + 1j * placed.origin[0, :, 2]
    centers = placed.link_com[0, :, 0] + 1j * placed.link_com[0, :, 2]
    legs = np.array([leg.links for leg in character.legs])  # (2, 3)
    hip = joints[legs[:, 0]].mean()
    upper = np.setdiff1d(np.arange(len(character.links)), legs)
    leg_mass = model.link_mass[legs].mean(0)
    leg_inertia = model.link_inertia[legs, 1, 1].mean(0)
    leg_center = (centers[legs] - joints[legs]).mean(0)
    mass = float(model.link_mass[upper].sum())
    center = (model.link_mass[upper] * (centers[upper] - hip)).sum() / mass
    inertia = float(
        (
            model.link_inertia[upper, 1, 1]
            + model.link_mass[upper] * np.abs(centers[upper] - hip - center) ** 2
        ).sum()
    )
    foot = character.feet[0]
    knee, ankle = (joints[legs[:, k]] - joints[legs[:, k - 1]] for k in (1, 2))
    return SideView(
        np.concatenate([[mass], leg_mass, leg_mass]),
        np.concatenate([[inertia], leg_inertia, leg_inertia]),
        np.concatenate([[center], leg_center, leg_center]),
        thigh=complex(knee.mean()),
        shin=complex(ankle.mean()),
        heel=complex(foot.heel[0], foot.heel[2]),
        toe=complex(foot.pivot[0], foot.pivot[2]),
        toe_height=float(foot.pivot[2] - foot.heel[2]),
    )
