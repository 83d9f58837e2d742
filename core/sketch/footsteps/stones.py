"""Which stones to step on: the next three again and again,
by the same objectives as footsteps elsewhere.

Source: Kwon et al. 2020, appendix C.6, second scheme; times follow from a constant speed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...task import Path
from ..gait.gait import Gait
from .cost import SHORT_STEP_RATIO, WEIGHTS, FootstepProblem
from .genetic import IntArray, evolve_sequence

Array = NDArray[np.float64]

LOOKAHEAD_STONES = 3  # stones looked ahead
PATH_DEVIATION_WEIGHT = 5.0  # weight of a foot's way aside from where the path would have it, 1/m^2
VEER_WEIGHT = 40.0  # weight of a change of the way to the side from one step to the next, 1/m^2
STEP_LENGTH_WEIGHT = 15.0  # weight of a step too short or drawn out, of the logarithm squared
NARROW_STEP_WEIGHT = 60.0  # weight of a foot too close to the other one's line, 1/m^2
LONG_STEP_RATIO = 1.3  # of a step's usual length, above which it is drawn out
# leg lengths between two feet of a walk, above which hardly any step is worth it
MAX_WALK_REACH = 0.85
OVERREACH_WEIGHT = 800.0  # weight of what is beyond that, 1/m^2
MAX_PATH_DISTANCE = 1.6  # leg lengths from the path within which stones are looked at
MIN_ADVANCE_SHARE = 0.3  # of a step's usual length that a stone must be ahead to be looked at


@dataclass(frozen=True)
class PathPlaces:
    """Stones, and what the path says of them."""

    xy: Array  # (n, 2)
    station: Array  # (n,) along the path, m
    heading: Array  # (n,) of the path there
    height: Array  # (n,) of the ground
    lateral_offset: Array  # (n,) left of the path, m

    @staticmethod
    def from_positions(xy: Array, path: Path, height: Array) -> PathPlaces:
        """Places by their nearest points of a path, to a centimetre."""
        stations = np.arange(-5.0, path.length + 5.0, 0.05)
        path_points = path.position_at(stations)
        nearest = np.array(
            [int(((path_points - p) ** 2).sum(1).argmin()) for p in xy], dtype=np.int64
        )
        heading = path.heading_at(stations[nearest])
        forward = np.stack([np.cos(heading), np.sin(heading)], -1)
        offset = xy - path_points[nearest]
        return PathPlaces(
            xy,
            stations[nearest] + (offset * forward).sum(-1),
            heading,
            height=height,
            lateral_offset=forward[:, 0] * offset[:, 1] - forward[:, 1] * offset[:, 0],
        )

    def __getitem__(self, k: IntArray) -> PathPlaces:
        return PathPlaces(
            self.xy[k],
            self.station[k],
            self.heading[k],
            height=self.height[k],
            lateral_offset=self.lateral_offset[k],
        )


def compute_middle_line(xy: Array, heading: Array, side: Array | float, gait: Gait) -> Array:
    """The place of the middle line for a foot at a place:
    the foot offset of appendix C.1, backward. (..., 2).
    """
    forward = np.stack([np.cos(heading), np.sin(heading)], -1)
    left = np.stack([-forward[..., 1], forward[..., 0]], -1)
    return np.asarray(
        xy - (np.asarray(side) * gait.half_width)[..., None] * left + gait.backward_offset * forward
    )


@dataclass(frozen=True)
class StoneProblem:
    """What the next stones are judged by.

    Args:
        step_problem: the last two contacts and what is wished for; its course is not asked.
        places: stones to choose from.
        last_middle: (2,) of the middle line at the last contact.
        last_displacement: (2,) from the middle line's place at the contact before.
        last_height: of the ground there, m.
        sides: of each leg, +1 left.
        gait: that the speed asks for.
        speed: constant, m/s.
        max_reach: most between two feet, m.
    """

    step_problem: FootstepProblem
    places: PathPlaces
    last_middle: Array
    last_displacement: Array
    last_height: float
    sides: Array
    gait: Gait
    speed: float
    max_reach: float

    def compute_middles(self, chosen: IntArray) -> Array:
        """Of the middle line at the stones chosen. (n, genes) -> (n, genes, 2)."""
        return compute_middle_line(
            self.places.xy[chosen], self.places.heading[chosen], self._leg_sides(chosen), self.gait
        )

    def _leg_sides(self, chosen: IntArray) -> Array:
        return np.broadcast_to(self.sides[self.step_problem.legs[: chosen.shape[1]]], chosen.shape)

    def compute_times(self, chosen: IntArray) -> Array:
        """When the feet are there at a constant speed. (n, genes)."""
        line = np.concatenate(
            [np.broadcast_to(self.last_middle, (len(chosen), 1, 2)), self.compute_middles(chosen)],
            1,
        )
        return np.asarray(
            self.step_problem.last_contacts[1].time
            + np.cumsum(np.linalg.norm(np.diff(line, axis=1), axis=-1), 1) / self.speed
        )

    def compute_cost(self, chosen: IntArray) -> Array:
        """Objectives E1 to E5 of the steps, and how far they are from the path,
        out of time and out of reach. (n,).
        """
        n, gene_count = chosen.shape
        time = np.concatenate(
            [
                np.broadcast_to([c.time for c in self.step_problem.last_contacts], (n, 2)),
                self.compute_times(chosen),
            ],
            1,
        )
        xy = np.concatenate(
            [
                np.broadcast_to([c.position for c in self.step_problem.last_contacts], (n, 2, 2)),
                self.places.xy[chosen],
            ],
            1,
        )
        heading = self.places.heading[chosen]
        step_costs = [
            self.step_problem.compute_step_cost(
                k,
                (time[:, k], time[:, k + 1], time[:, k + 2]),
                (xy[:, k], xy[:, k + 1], xy[:, k + 2]),
                heading[:, k],
            )
            for k in range(gene_count)
        ]
        line = np.concatenate(
            [np.broadcast_to(self.last_middle, (n, 1, 2)), self.compute_middles(chosen)], 1
        )
        forward_advance = (
            np.diff(line, axis=1) * np.stack([np.cos(heading), np.sin(heading)], -1)
        ).sum(-1)
        # (n, genes) of a usual step
        length_ratio = np.maximum(forward_advance / (0.5 * self.gait.stride_length), 1e-3)
        length_error = np.maximum(np.log(SHORT_STEP_RATIO / length_ratio), 0.0) + np.maximum(
            np.log(length_ratio / LONG_STEP_RATIO), 0.0
        )
        overreach = np.maximum(
            np.linalg.norm(np.diff(xy[:, 1:], axis=1), axis=-1) - self.max_reach, 0.0
        )
        height = np.concatenate([np.full((n, 1), self.last_height), self.places.height[chosen]], 1)
        lateral_error = (
            self.places.lateral_offset[chosen] - self._leg_sides(chosen) * self.gait.half_width
        )
        displacements = np.concatenate(
            [np.broadcast_to(self.last_displacement, (n, 1, 2)), np.diff(line, axis=1)], 1
        )
        veer = np.diff(
            (displacements * np.stack([-np.sin(heading), np.cos(heading)], -1)[:, :1]).sum(-1),
            axis=1,
        )
        stone_costs = (
            STEP_LENGTH_WEIGHT * length_error**2
            + OVERREACH_WEIGHT * overreach**2
            + WEIGHTS["climb"] * np.diff(height, axis=1) ** 2
            + PATH_DEVIATION_WEIGHT * lateral_error**2
            + VEER_WEIGHT * veer**2
            + NARROW_STEP_WEIGHT * self._compute_narrowness(xy) ** 2
        )
        return np.asarray(np.sum(step_costs, axis=0) + stone_costs.sum(1))

    def _compute_narrowness(self, xy: Array) -> Array:
        """By how much each foot but the last is closer to the line between the other foot's places
        than usual. (n, genes).
        """
        before = xy[:, :-2]
        foot = xy[:, 1:-1]
        after = xy[:, 2:]
        line = after - before
        foot_vector = foot - before
        lateral_distance = (
            line[..., 0] * foot_vector[..., 1] - line[..., 1] * foot_vector[..., 0]
        ) / np.maximum(np.linalg.norm(line, axis=-1), 1e-6)
        foot_sides = self.sides[
            [self.step_problem.last_contacts[(k + 1) % 2].leg for k in range(xy.shape[1] - 2)]
        ]
        return np.asarray(np.maximum(2 * self.gait.half_width - foot_sides * lateral_distance, 0.0))


def choose_next_stones(
    problem: StoneProblem, rng: np.random.Generator, initial: IntArray | None = None
) -> IntArray:
    """The best next stones, three or as many as there are; numbers of `problem.places`."""
    count = len(problem.places.xy)
    return evolve_sequence(
        problem.compute_cost, count, min(LOOKAHEAD_STONES, count), rng=rng, initial=initial
    )
