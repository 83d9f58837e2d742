"""Targets of feet beside the edges of boxes and steps (Wu and Popović 2010, appendix A.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .biped import Sole
from .height_field import EndlessField

Array = NDArray[np.float64]


@dataclass(frozen=True)
class EdgeParameters:
    """When and how far a foot avoids an edge, for a body of the reference size.

    Args:
        step_share: distance of the two other places that are tried, in lengths of the foot; that
            of the paper.
        min_slope: steepest ground below the sole from which it counts as an edge, without unit. It
            is more than on any field of 0-0.4 m, so walks on these are as without edge avoidance.
        body_share: share of the offset that the upper body does, too; a parameter of the search in
            the paper.
        samples: number of places along the sole at which the ground is sampled, 2.5 cm apart on a
            sole of 0.3 m.
    """

    step_share: float = 0.75
    min_slope: float = 0.7
    body_share: float = 0.5
    samples: int = 13


EDGES = EdgeParameters()


def find_edge_offset(
    ground: EndlessField, sole: Sole, target: Array, facing: float, direction: float
) -> Array:
    """Return the offset (2,) [m] by which a foot steps beside an edge; 0 where there is none.

    Args:
        target: (2,) place of the ankle [m].
        facing: direction of the toes [rad].
        direction: heading of the movement, along which the other places are [rad].
    """
    along = np.linspace(sole.heel, sole.tip, EDGES.samples)
    toes = np.array([np.cos(facing), np.sin(facing)])
    ahead = EDGES.step_share * sole.length * np.array([np.cos(direction), np.sin(direction)])
    offsets = np.array([[0.0, 0.0], ahead, -ahead])
    places = target + offsets[:, None] + along[:, None] * toes
    heights = ground.sample(places[..., 0], places[..., 1])
    rise = heights[:, -1:] - heights[:, :1]
    chord = heights[:, :1] + rise * np.linspace(0.0, 1.0, EDGES.samples)
    gap = np.abs(heights - chord).max(1)
    steepest = np.abs(np.diff(heights[0])).max() * (EDGES.samples - 1) / sole.length
    if steepest < EDGES.min_slope:
        return np.zeros(2)
    best = int(np.argmin(np.abs(rise[:, 0]) + gap))
    return np.asarray(offsets[best])
