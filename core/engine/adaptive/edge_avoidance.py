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
        farthest_ahead: farthest place that is tried ahead and behind, in lengths of the foot; that
            of the paper, which tries no other ones.
        farthest_aside: the same to either side, in widths of the foot: where an edge runs along the
            middle of the sole, a foot that is moved so is `margin` off it.
        tried: number of places that are tried in each direction.
        margin: distance beside the sole up to which an edge counts: feet land up to that far from
            their targets [m].
        shift_cost: height that a shift of the target by 1 m must level [m]. Tuned: without it
            feet are moved by a step over unevenness that they would not feel.
        min_slope: steepest ground below the sole from which it counts as an edge, without unit. It
            is more than on any field of 0-0.4 m, so walks on these are as without edge avoidance.
        body_share: share of the offset that the upper body does, too; a parameter of the search in
            the paper.
        samples: number of places along the sole at which the ground is sampled, 2.5 cm apart on a
            sole of 0.3 m.
        rows: the same across it, 3 cm apart.
    """

    farthest_ahead: float = 0.75
    farthest_aside: float = 0.75
    tried: int = 7
    margin: float = 0.02
    shift_cost: float = 0.1
    min_slope: float = 0.7
    body_share: float = 0.5
    samples: int = 13
    rows: int = 5


EDGES = EdgeParameters()


def find_edge_offset(
    ground: EndlessField, sole: Sole, target: Array, facing: float, direction: float
) -> Array:
    """Return the offset (2,) [m] by which a foot steps beside an edge; 0 where there is none.

    Args:
        target: (2,) place of the ankle [m].
        facing: direction of the toes [rad].
        direction: heading of the movement, along and across which the other places are [rad].
    """
    along = np.linspace(sole.heel, sole.tip, EDGES.samples)
    half_width = sole.half_width + EDGES.margin
    across = np.linspace(-half_width, half_width, EDGES.rows)
    points = _combine(along, across, facing).reshape(EDGES.samples, EDGES.rows, 2)
    if _measure_slope(ground, target + points, (along, across)) < EDGES.min_slope:
        return np.zeros(2)
    shares = np.linspace(-1.0, 1.0, EDGES.tried)
    offsets = _combine(
        EDGES.farthest_ahead * sole.length * shares,
        EDGES.farthest_aside * 2.0 * sole.half_width * shares,
        direction,
    )
    places = target + offsets[:, None] + points.reshape(1, -1, 2)
    heights = ground.sample(places[..., 0], places[..., 1])
    unevenness = np.ptp(heights, axis=1) + EDGES.shift_cost * np.hypot(*offsets.T)
    return np.asarray(offsets[np.argmin(unevenness)])


def _combine(ahead: Array, aside: Array, heading: float) -> Array:
    """Return all places (n, 2) that are some distances ahead and to the left [m]."""
    x, y = np.meshgrid(ahead, aside, indexing="ij")
    c = np.cos(heading)
    s = np.sin(heading)
    return np.column_stack([c * x.ravel() - s * y.ravel(), s * x.ravel() + c * y.ravel()])


def _measure_slope(ground: EndlessField, points: Array, axes: tuple[Array, Array]) -> float:
    """Return the steepest slope of the ground below a sole.

    Args:
        points: (n, m, 2) places along and across the sole [m].
        axes: (n,) and (m,) their distances along and across [m].
    """
    heights = ground.sample(points[..., 0], points[..., 1])
    slopes = (
        np.abs(np.diff(heights, axis=k)).max() / (axis[1] - axis[0]) for k, axis in enumerate(axes)
    )
    return float(max(slopes))
