"""Footholds at a high step or a drop across the path: before it, or past it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....slip.command import FootholdDistance, HeightFunction
from ....task import Path
from .foothold_field import FOOTHOLDS

Array = NDArray[np.float64]


@dataclass(frozen=True)
class EdgeParameters:
    """Which footholds an edge excludes."""

    # Least height of a drop [m].
    min_drop: float = 0.06
    # Distance of the stance foot before an edge up to which the edge restricts the footholds [m].
    # The next foot comes down past a rise. tuned: the preview set it down beside the other one,
    # again and again
    near_distance: float = 0.5
    # Distance up to which it comes down past a drop, too [m]. tuned: down stairs heels struck the
    # last edge; from farther away the body was left behind, and fell inward
    drop_distance: float = 0.32
    # Distance past an edge at which a foot comes down at least [m].
    landing_margin: float = 0.14


EDGES = EdgeParameters()

# Stations relative to the body at which edges are searched [m].
SEARCH_STATIONS = np.linspace(-0.4, 0.8, 61)


@dataclass(frozen=True)
class PathEdge:
    """First high step or drop along a path.

    Attributes:
        place: (2,) point of the edge on the path [m].
        forward: (2,) direction of the path.
        rise: change of height, negative at a drop [m].
        distance: distance of the stance foot before it [m].
    """

    place: Array
    forward: Array
    rise: float
    distance: float

    @property
    def is_drop(self) -> bool:
        """Whether the ground falls."""
        return self.rise < 0


def find_path_edge(
    path: Path, station: float, ground_height: HeightFunction, stance_place: Array
) -> PathEdge | None:
    """Return the first high step near a station, or the first drop ahead of the stance foot.

    Args:
        station: distance along the path [m].
        stance_place: (3,) stance foot [m].
    """
    places = path.position_at(station + SEARCH_STATIONS)
    # Next to missing ground the change of height is nan, which is no edge.
    height_changes = np.diff(ground_height(places))
    heading = float(path.heading_at(station))
    forward = np.array([np.cos(heading), np.sin(heading)])
    middles = 0.5 * (places[1:] + places[:-1])
    distances = (middles - stance_place[:2]) @ forward
    is_high_step = np.abs(height_changes) > FOOTHOLDS.high_step_height
    is_drop_ahead = (height_changes < -EDGES.min_drop) & (distances > 0)
    is_edge = is_high_step | is_drop_ahead
    k = int(np.argmax(is_edge))
    if not is_edge[k]:
        return None
    return PathEdge(middles[k], forward, float(height_changes[k]), float(distances[k]))


def restrict_footholds(edge: PathEdge, foothold_distance: FootholdDistance) -> FootholdDistance:
    """Return the footholds of the next foot at an edge.

    Where the stance foot is near the edge, they lie past it. Where it is somewhat farther from a
    low drop, they lie before it: down and so far at once, the body would be left behind.
    """

    def measure_past_edge(places: Array, headings: Array) -> Array:
        shortfall = EDGES.landing_margin - (places - edge.place) @ edge.forward
        return np.where(shortfall > 0, shortfall, foothold_distance(places, headings))

    def measure_before_edge(places: Array, headings: Array) -> Array:
        overshoot = (places - edge.place) @ edge.forward
        return np.maximum(overshoot, foothold_distance(places, headings))

    if edge.distance > EDGES.near_distance:
        return foothold_distance
    if not edge.is_drop or edge.distance <= EDGES.drop_distance:
        return measure_past_edge
    is_low = edge.rise > -FOOTHOLDS.high_step_height
    return measure_before_edge if is_low else foothold_distance
