"""Description of the body for the planner, and its state at a handover between planners."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .forces import PointKey
from .horizon import CentroidalState

Array = NDArray[np.float64]


@dataclass(frozen=True)
class CentroidalBody:
    """Mass properties of the centroidal model as functions of time.

    A single rigid body whose inertia changes with the pose of the limbs, plus the angular momentum
    of the limbs relative to it (Kwon et al. 2020, section 5.1).
    """

    mass: float  # [kg]
    gravity: float  # [m/s^2]
    inertia: Callable[[Array], Array]  # (n,) -> (n, 3, 3) [kg m^2] in the rotating body frame
    limb_momentum: Callable[[Array], Array]  # (n,) -> (n, 3) [kg m^2/s] in world axes


@dataclass(frozen=True)
class ForceCurve:
    """Planned force at one contact point, sampled at equal intervals until its last window ends."""

    times: Array  # (n,) [s]
    values: Array  # (n, 3) [body weights] in world axes


@dataclass(frozen=True)
class PlanState:
    """State of a body in motion, with the planned forces of its active contacts."""

    time: float  # [s]
    state: CentroidalState
    forces: dict[PointKey, ForceCurve] = field(default_factory=dict)
