"""Rows of the least-squares problem that the objectives of a controller make up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ObjectiveRows:
    """Sum of squares: weight (maps @ qdd - targets)^2, and the same of single accelerations."""

    maps: Array  # (r, nv)
    targets: Array  # (r,)
    weight: Array  # (r,)
    acceleration_targets: Array  # (nv,)
    acceleration_weights: Array  # (nv,)


@dataclass(frozen=True)
class ObjectiveBlock:
    """Rows of one objective: maps @ qdd ~ targets."""

    maps: Array  # (r, nv)
    targets: Array  # (r,)
    weight: Array  # (r,)


@dataclass(frozen=True)
class RestRows:
    """Desired generalized accelerations."""

    targets: Array  # (nv,)
    weights: Array  # (nv,)
