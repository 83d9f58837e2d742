"""Forces on a simulated body that are no torques of muscles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PushForce:
    """Force on the center of the upper body.

    Args:
        begin, end: [s] of the simulation.
        force: (3,) [N].
    """

    begin: float
    end: float
    force: Array


@dataclass(frozen=True)
class ExternalForces:
    """Forces that are no torques of muscles.

    Args:
        helper_limit: largest helper force and torque (equation 7) [N], [N m].
        pushes: on the upper body.
    """

    helper_limit: float = 0.0
    pushes: tuple[PushForce, ...] = ()
