"""Footholds at a high step or a drop across the path: before it, or past it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....slip.command import FootholdDistance, HeightFunction
from ....task import Path
from .slope import SLOPE

Array = NDArray[np.float64]


@dataclass(frozen=True)
class EdgeParameters:
    """Which footholds an edge excludes."""

    # Least height of a drop [m].
    min_drop: float = 0.06
    # Distance before a rise from which the next foot comes down past it [m].
    # tuned: the preview set the foot down beside the other one, again and again
    rise_distance: float = 0.5
    # The same before a drop [m]. tuned: down stairs heels struck the last edge
    drop_distance: float = 0.32
    # Distance before a drop up to which the next foot comes down before it [m].
    # tuned: stepping down from there the body was left behind, and fell inward
    max_approach_distance: float = 0.5
    # Distance past an edge at which a foot comes down at least [m].
    landing_margin: float = 0.14
    # Difference of height above which the ground ends [m].
    max_height_change: float = 500.0
    # Height that stands for no ground [m].
    missing_height: float = -1e3


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
    heights = np.nan_to_num(ground_height(places), nan=EDGES.missing_height)
    height_changes = np.diff(heights)
    heading = float(path.heading_at(station))
    forward = np.array([np.cos(heading), np.sin(heading)])
    middles = 0.5 * (places[1:] + places[:-1])
    distances = (middles - stance_place[:2]) @ forward
    is_high_step = np.abs(height_changes) > SLOPE.high_step_height
    is_drop_ahead = (height_changes < -EDGES.min_drop) & (distances > 0)
    ground_continues = np.abs(height_changes) < EDGES.max_height_change
    is_edge = (is_high_step | is_drop_ahead) & ground_continues
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

    if edge.distance <= (EDGES.drop_distance if edge.is_drop else EDGES.rise_distance):
        return measure_past_edge
    is_low_drop = edge.is_drop and edge.rise > -SLOPE.high_step_height
    if is_low_drop and edge.distance <= EDGES.max_approach_distance:
        return measure_before_edge
    return foothold_distance
