"""The ground along a straight path, as the planar biped meets it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .ground_step import FIRM, Contact, FixedStep, GroundPoint

Array = NDArray[np.float64]


# Distance between the heights of a ground that is sampled [m]: a thirtieth of a foot.
GROUND_STEP = 0.01
# Depth below the ground around it at which a gap has its floor [m].
GAP_DEPTH = 1.0
# Largest difference of heights of level ground [m]: on it a foot of 0.3 m turns by one degree, the
# spacing of the slopes for which steps are fitted (`GROUND_GAITS.angle`).
LEVEL_RISE = 0.005
# Slope from which on a rise or fall of the ground is a step, and the least height of a step [m].
STEP_SLOPE = 1.0
LEAST_STEP = 0.015


@dataclass(frozen=True)
class PathGround:
    """Heights at equal distances along a path, level beyond both ends.

    Args:
        begin: distance of the first height [m].
        step: distance between heights [m].
        heights: [m], shape (n,).
        gaps: begin and end of each gap [m], shape (g, 2).
    """

    begin: float
    step: float
    heights: Array
    gaps: Array = field(default_factory=lambda: np.zeros((0, 2)))

    @property
    def rest(self) -> PathGround:
        """The ground itself, as it does not move."""
        return self

    @property
    def is_fixed(self) -> bool:
        """True."""
        return True

    @property
    def is_foreseeable(self) -> bool:
        """True."""
        return True

    @property
    def is_level(self) -> bool:
        """Whether everything but the gaps has about one height."""
        is_solid = np.ones(len(self.heights), bool)
        for begin, end in (self.gaps - self.begin) / self.step:
            is_solid[round(begin) + 1 : round(end)] = False
        return bool(np.ptp(self.heights[is_solid]) <= LEVEL_RISE)

    def has_one_height(self, begin: float, end: float) -> bool:
        """Return whether all places between two distances along the path [m] are as high."""
        first = max(int(np.floor((begin - self.begin) / self.step)), 0)
        last = max(int(np.ceil((end - self.begin) / self.step)), 0)
        heights = self.heights[min(first, len(self.heights) - 1) : last + 1]
        return bool(heights.max() == heights.min())

    @property
    def steps(self) -> Array:
        """Begin and end of each step up or down [m], shape (s, 2); edges of gaps are none."""
        rise = np.diff(self.heights)
        for begin, end in (self.gaps - self.begin) / self.step:
            rise[round(begin) : round(end)] = 0.0
        is_steep = np.concatenate([[False], np.abs(rise) > STEP_SLOPE * self.step, [False]])
        edges = np.flatnonzero(np.diff(is_steep.astype(np.int8)))
        ends = edges.reshape(-1, 2)
        high = np.abs(np.diff(self.heights[ends], axis=1)[:, 0]) > LEAST_STEP
        return np.asarray(self.begin + self.step * ends[high], float)

    def make_state(self) -> Array:
        """Return the state, which is empty."""
        return FIRM

    def locate_surface(self, state: Array, distance: float) -> GroundPoint:
        """Return height [m] and slope of the ground at a distance along the path [m]."""
        return self.locate(distance)

    def find_station(self, state: Array, distance: float) -> float:
        """Return the distance, as nothing moves [m]."""
        return distance

    def trace_surface(self, states: Array) -> Array:
        """Return lines without points, as nothing moves. (n, 0) -> (n, 0, 2)."""
        return np.zeros((len(states), 0, 2))

    def begin_step(self, state: Array, contacts: Sequence[Contact], seconds: float) -> FixedStep:
        """Return a time step of a length [s] with contacts."""
        return FixedStep.from_contacts(contacts, seconds, state)

    @staticmethod
    def from_samples(begin: float, step: float, heights: Array) -> PathGround:
        """Return a ground from heights [m], shape (n,), which are NaN over gaps.

        A gap reaches from the last height before it to the first one after it.
        """
        is_solid = np.isfinite(heights)
        edges = np.diff(np.concatenate([[True], is_solid, [True]]).astype(np.int8))
        first = np.flatnonzero(edges < 0) - 1
        last = np.flatnonzero(edges > 0)
        index = np.arange(len(heights))
        filled = np.interp(index, index[is_solid], heights[is_solid]) - GAP_DEPTH * ~is_solid
        gaps = np.asarray(begin + step * np.stack([first, last], 1), float)
        return PathGround(begin, step, filled, gaps)

    @staticmethod
    def level() -> PathGround:
        """Return level ground at height 0."""
        return PathGround(0.0, 1.0, np.zeros(2))

    @staticmethod
    def slope(angle: float, begin: float = 1.0, length: float = 200.0) -> PathGround:
        """Return level ground that becomes a slope of an angle [rad] at a distance [m]."""
        return PathGround(begin, length, np.array([0.0, length * np.tan(angle)]))

    @staticmethod
    def stairs(rise: float, tread: float, begin: float = 1.5, count: int = 40) -> PathGround:
        """Return stairs of `count` treads; rise, tread and begin in [m]."""
        step = 0.005
        distance = np.arange(0.0, begin + (count + 20) * tread, step)
        index = np.clip(np.floor((distance - begin) / tread) + 1, 0, count)
        return PathGround(0.0, step, rise * index)

    def locate(self, distance: float) -> GroundPoint:
        """Return height [m] and slope of the ground at a distance along the path [m]."""
        place = (distance - self.begin) / self.step
        last = len(self.heights) - 1
        if place <= 0:
            return GroundPoint(float(self.heights[0]), 0.0)
        if place >= last:
            return GroundPoint(float(self.heights[-1]), 0.0)
        k = int(place)
        low = float(self.heights[k])
        high = float(self.heights[k + 1])
        return GroundPoint(low + (place - k) * (high - low), (high - low) / self.step)
