"""What a planner is told of the body, and what one planner hands on to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .horizon import CentroidalState

Array = NDArray[np.float64]


@dataclass(frozen=True)
class CentroidalBody:
    """The body as functions of times (n,).

    `inertia` (n, 3, 3) in the frame that the plan turns, kg m^2;
    `limb_momentum` (n, 3) in world axes, kg m^2/s.
    """

    mass: float
    gravity: float
    inertia: Callable[[Array], Array]
    limb_momentum: Callable[[Array], Array]


@dataclass(frozen=True)
class ForceCurve:
    """The force of one point of one contact from now on, at equally spaced times until it ends."""

    times: Array  # (n,)
    values: Array  # (n, 3) body weights


@dataclass(frozen=True)
class PlanState:
    """A body under way: where it is, and the forces of the contacts that it stands
    on, by footstep and point.
    """

    time: float
    state: CentroidalState
    forces: dict[tuple[int, int], ForceCurve] = field(default_factory=dict)
