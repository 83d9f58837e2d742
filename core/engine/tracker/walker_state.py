"""State of a simulated walker, and forces that act on its trunk."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .biped import TRUNK, PlanarBiped
from .blend import Blend
from .controller import Stance
from .ground_gaits import LEVEL, StepGround
from .ground_step import FIRM
from .side_view import ComplexArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class WalkerState:
    """State of a walker between two time steps.

    Args:
        time: [s].
        q, v: coordinates and rates, shape (9,).
        leg: index of leg 1 in the character.
        stance: what of foot 1 rests.
        is_double: whether the toes of leg 2 rest.
        foot_rest: pitch of foot 1 while it is flat, until then that of the foot before it [rad].
        blend: of the last transition.
        integral: integral of the error of the rate of the phase [rad].
        steps: number of landings.
        surface: state of the ground of the simulation, of which the walker does not know.
        ground: of the present step, as far as the walker knows it.
        slope_before: slope under the foot that stood before [rad].
        waited: number of time steps for which a foot that lands has been moving.
    """

    time: float
    q: Array
    v: Array
    leg: int
    stance: Stance
    is_double: bool
    foot_rest: float
    blend: Blend | None
    integral: float
    steps: int
    surface: Array = field(default_factory=lambda: FIRM)
    ground: StepGround = LEVEL
    slope_before: float = 0.0
    waited: int = 0


@dataclass(frozen=True)
class TrunkPush:
    """A force on a point of the body.

    Args:
        force: forward and up [N], shape (2,).
        point: as a row of `PlanarBiped.points`, shape (7,).
    """

    force: Array
    point: ComplexArray

    @staticmethod
    def on_trunk(biped: PlanarBiped, force: Array, place: complex | None = None) -> TrunkPush:
        """Return a push on the trunk, by default on its center of mass; place from the hip [m]."""
        point = np.zeros(7, complex)
        point[TRUNK] = biped.side_view.center[TRUNK] if place is None else place
        return TrunkPush(force, point)
