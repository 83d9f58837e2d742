"""The choice of stepping stones: the next three at each step, by the same objectives as other
footsteps.

Source: Kwon et al. 2020, appendix C.6, second scheme. Times follow from a constant speed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...task import Path
from ..footsteps.cost import SHORT_STEP_RATIO, WEIGHTS, FootstepProblem
from ..gait.gait import Gait
from .genetic import IntArray, evolve_sequence

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StoneParameters:
    """Choice of stepping stones.

    Effects of half and twice of each: docs/dev/parameters.csv.
    """

    # Stones that are planned ahead. tuned: with fewer, pops of steps are 6 degrees instead of 4;
    # doubled, forces are off by 0.026 body weights instead of 0.011
    lookahead: int = 3
    # Weight of the lateral distance of a foot from its place beside the path [1/m^2].
    path_deviation_weight: float = 5.0
    # Weight of a change of the lateral displacement from step to step [1/m^2]. tuned: halved, feet
    # need a friction of 0.53 instead of 0.44; doubled, pops of steps are 7.6 degrees instead of 4
    veer_weight: float = 40.0
    # Weight of the squared logarithm by which a step is too short or too long. tuned: doubled, pops
    # of steps are 6.5 degrees instead of 4
    step_length_weight: float = 15.0
    # Weight of the distance by which a foot is too close to the line of the other one [1/m^2].
    narrow_step_weight: float = 60.0
    # Length of a step above which it is too long, as a multiple of the usual one. tuned: halved,
    # pops of steps are 5.1 degrees instead of 4
    long_step_ratio: float = 1.3
    # Distance between the feet of a walk above which a step is hardly worthwhile [leg lengths].
    # tuned: halved, forces are off by 0.029 body weights instead of 0.011
    max_walk_reach: float = 0.85
    overreach_weight: float = 800.0  # Weight of the distance beyond it [1/m^2].
    # Distance from the path within which stones are considered [leg lengths]. tuned: halved, feet
    # need a friction of 0.6 instead of 0.44
    max_path_distance: float = 1.6
    # Distance past both ends of the path in which places are located [m], beyond any stone that a
    # step reaches.
    station_margin: float = 5.0
    # Distance between the points of the path that are searched for the nearest one [m]. Numerical:
    # small against a step.
    station_spacing: float = 0.05
    # Least distance of a stone ahead, as a share of the usual length of a step.
    min_advance: float = 0.3


STONES = StoneParameters()


@dataclass(frozen=True)
class PathPlaces:
    """Places and their positions relative to a path.

    Args:
        xy: (n, 2) [m].
        station: (n,) distances along the path [m].
        heading: (n,) headings of the path there [rad].
        height: (n,) heights of the ground [m].
        lateral_offset: (n,) distances to the left of the path [m].
    """

    xy: Array
    station: Array
    heading: Array
    height: Array
    lateral_offset: Array

    @staticmethod
    def from_positions(xy: Array, path: Path, height: Array) -> PathPlaces:
        """Return places with their nearest points of a path, to a centimeter.

        Args:
            xy: (n, 2) [m].
            height: (n,) heights of the ground [m].
        """
        stations = np.arange(
            -STONES.station_margin, path.length + STONES.station_margin, STONES.station_spacing
        )
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
    """Return the places of the middle line for feet at given places. (..., 2) -> (..., 2) [m].

    This is the inverse of the foot offset of Kwon et al. 2020, appendix C.1.

    Args:
        side: 1 for a left foot, -1 for a right one.
    """
    forward = np.stack([np.cos(heading), np.sin(heading)], -1)
    left = np.stack([-forward[..., 1], forward[..., 0]], -1)
    return np.asarray(
        xy - (np.asarray(side) * gait.half_width)[..., None] * left + gait.backward_offset * forward
    )


@dataclass(frozen=True)
class StoneProblem:
    """The problem of choosing the next stones.

    Args:
        step_problem: the last two contacts and the desired steps; its middle line is not used.
        places: stones to choose from.
        last_middle: (2,) place of the middle line at the last contact [m].
        last_displacement: (2,) from its place at the contact before [m].
        last_height: height of the ground there [m].
        sides: (legs,) 1 for a left leg, -1 for a right one.
        gait: gait at the desired speed.
        speed: constant speed [m/s].
        max_reach: largest distance between two feet [m].
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
        """Return the middle line at the chosen stones. (n, genes) -> (n, genes, 2) [m]."""
        return compute_middle_line(
            self.places.xy[chosen], self.places.heading[chosen], self._leg_sides(chosen), self.gait
        )

    def _leg_sides(self, chosen: IntArray) -> Array:
        return np.broadcast_to(self.sides[self.step_problem.legs[: chosen.shape[1]]], chosen.shape)

    def _locate_line(self, chosen: IntArray) -> Array:
        """Return the middle line from the last contact to the last stone. (n, genes + 1, 2)."""
        return np.concatenate(
            [np.broadcast_to(self.last_middle, (len(chosen), 1, 2)), self.compute_middles(chosen)],
            1,
        )

    def compute_times(self, chosen: IntArray) -> Array:
        """Return the times of the contacts at a constant speed. (n, genes) -> (n, genes) [s]."""
        line = self._locate_line(chosen)
        return np.asarray(
            self.step_problem.last_contacts[1].time
            + np.cumsum(np.linalg.norm(np.diff(line, axis=1), axis=-1), 1) / self.speed
        )

    def compute_cost(self, chosen: IntArray) -> Array:
        """Return the cost of sequences of stones. (n, genes) -> (n,).

        It is the sum of the objectives E1 to E5 of the steps and of costs of their distance from
        the path, their length, their reach and their height.
        """
        n, gene_count = chosen.shape
        past_contacts = self.step_problem.last_contacts
        time = np.concatenate(
            [np.broadcast_to([c.time for c in past_contacts], (n, 2)), self.compute_times(chosen)],
            1,
        )
        xy = np.concatenate(
            [
                np.broadcast_to([c.position for c in past_contacts], (n, 2, 2)),
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
        line = self._locate_line(chosen)
        height = np.concatenate([np.full((n, 1), self.last_height), self.places.height[chosen]], 1)
        lateral_error = (
            self.places.lateral_offset[chosen] - self._leg_sides(chosen) * self.gait.half_width
        )
        stone_costs = (
            STONES.step_length_weight * self._compute_length_error(line, heading) ** 2
            + STONES.overreach_weight * self._compute_overreach(xy) ** 2
            + WEIGHTS.height_change * np.diff(height, axis=1) ** 2
            + STONES.path_deviation_weight * lateral_error**2
            + STONES.veer_weight * self._compute_veer(line, heading) ** 2
            + STONES.narrow_step_weight * self._compute_narrowness(xy) ** 2
        )
        return np.asarray(np.sum(step_costs, axis=0) + stone_costs.sum(1))

    def _compute_length_error(self, line: Array, heading: Array) -> Array:
        """Return the logarithm by which each step is too short or too long. (n, genes)."""
        forward_advance = (
            np.diff(line, axis=1) * np.stack([np.cos(heading), np.sin(heading)], -1)
        ).sum(-1)
        length_ratio = np.maximum(forward_advance / (0.5 * self.gait.stride_length), 1e-3)
        return np.asarray(
            np.maximum(np.log(SHORT_STEP_RATIO / length_ratio), 0.0)
            + np.maximum(np.log(length_ratio / STONES.long_step_ratio), 0.0)
        )

    def _compute_overreach(self, xy: Array) -> Array:
        """Return by how much the feet of each step are too far apart. (n, genes) [m]."""
        return np.asarray(
            np.maximum(np.linalg.norm(np.diff(xy[:, 1:], axis=1), axis=-1) - self.max_reach, 0.0)
        )

    def _compute_veer(self, line: Array, heading: Array) -> Array:
        """Return the change of the lateral displacement from step to step. (n, genes) [m]."""
        displacements = np.concatenate(
            [
                np.broadcast_to(self.last_displacement, (len(line), 1, 2)),
                np.diff(line, axis=1),
            ],
            1,
        )
        left = np.stack([-np.sin(heading), np.cos(heading)], -1)[:, :1]
        return np.diff((displacements * left).sum(-1), axis=1)

    def _compute_narrowness(self, xy: Array) -> Array:
        """Return by how much each foot is too close to the line of the other one. (n, genes) [m].

        The line connects the places of the other foot before and after it; the last foot is
        excluded.
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
    """Return the best next stones, three or as many as there are, as indices of `problem.places`.

    Args:
        initial: (k, genes) sequences to begin with.
    """
    count = len(problem.places.xy)
    return evolve_sequence(
        problem.compute_cost, count, min(STONES.lookahead, count), rng=rng, initial=initial
    )
