"""Objectives of the next footsteps, whose places follow from their times.

Source: Kwon et al. 2020, section 4.2 and appendix C.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..placement.footholds import Footholds
from .foot_targets import LinePoints

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FootstepWeights:
    """Weights of the objectives E1 to E6 and of the costs among forbidden ground.

    Effects of half and twice of each: docs/dev/parameters.csv. E1 to E4 against each other shape
    turns, the last two stairs and hurdles.
    """

    stride_time: float = 2.0  # E1, time from a contact to the next one of its leg [1/s^2].
    # E2, time from a contact to the next one of the other leg [1/s^2]. tuned: halved, pops of a
    # sharp turn are 7.2 degrees instead of 3.7
    step_time: float = 2.0
    # E3 [1/m^2]. tuned: doubled, pops of a sharp turn are 7 degrees instead of 3.7
    stride_length: float = 1.0
    step_length: float = 1.0  # E4 [1/m^2].
    # E5, distance by which a foot has crossed the line of the other one [1/m^2].
    crossing: float = 20.0
    effort: float = 1.0  # E6, integral of the squared force on the cart, as a share of the weight.
    # Height difference between consecutive footsteps [1/m^2]. tuned: halved, pops of a body on
    # stairs are 10 degrees instead of 5.8
    height_change: float = 40.0
    # Squared logarithm by which a step is too short. tuned: doubled, pops of a body on stairs are
    # 10 degrees instead of 5.8
    short_step: float = 60.0


WEIGHTS = FootstepWeights()

# Duration or length of a step below which it is too short, as a share of the usual one
SHORT_STEP_RATIO = 0.85
# Largest change of the logarithm of the duration of a step
MAX_LOG_DURATION_CHANGE = 1.2


@dataclass(frozen=True)
class PastContact:
    """A contact that is already decided.

    If the body stood still on it, `time` excludes the wait: it is the middle that the contact would
    have had if the foot had come down later by the wait.

    Args:
        leg: leg of the foot.
        time: middle of the contact [s].
        position: (2,) place of the foot [m].
    """

    leg: int
    time: float
    position: Array


@dataclass(frozen=True)
class _WeightedError:
    """Error of a footstep whose weighted square is one of the objectives.

    Args:
        weight: weight of the squared error.
        error: array of errors.
    """

    weight: float
    error: Array


@dataclass(frozen=True)
class FootstepProblem:
    """The problem of choosing the times of the next footsteps.

    Legs alternate, and that of `last_contacts[0]` is next.

    Args:
        last_contacts: the latest contact of each of the two legs, earlier first.
        sample_line: returns the middle line at times (...,).
        cumulative_effort: returns the integral of the squared force on the cart up to times (...,).
        stride_time: desired duration of a stride [s].
        stride_length: desired length of a stride [m].
        lateral_offsets: (2,) of the foot of each leg to the left of the middle line [m].
        backward_offset: distance of a foot behind the sampled place [m].
        facing_offset: returns for times (...,) the angle from the direction of travel to the
            heading, positive to the left [rad]; None for zero.
        footholds: where feet may stand; None for everywhere.
        step_count: number of footsteps to plan: the next one, and those for which it must leave
            room.
        step_time_shares: (2,) share of a stride that the step onto each leg takes.
    """

    last_contacts: tuple[PastContact, PastContact]
    sample_line: Callable[[Array], LinePoints]
    cumulative_effort: Callable[[Array], Array]
    stride_time: float
    stride_length: float
    lateral_offsets: Array
    backward_offset: float
    facing_offset: Callable[[Array], Array] | None = None
    footholds: Footholds | None = None
    step_count: int = 4
    step_time_shares: Array = field(default_factory=lambda: np.array([0.5, 0.5]))

    @cached_property
    def legs(self) -> NDArray[np.int64]:
        """Leg of each planned footstep. (count,)."""
        return np.array([self.last_contacts[k % 2].leg for k in range(self.step_count)])

    def compute_times(self, x: Array) -> Array:
        """Return times from the logarithms of the durations of the steps.

        (n, count) -> (n, count) [s].

        The logarithms keep the order of the steps. Source: equations 7 and 8, appendix C.4.
        """
        durations = (
            self.step_time_shares[self.legs]
            * self.stride_time
            * np.exp(np.clip(x, -MAX_LOG_DURATION_CHANGE, MAX_LOG_DURATION_CHANGE))
        )
        return self.last_contacts[1].time + np.cumsum(durations, 1)

    def compute_places(self, times: Array, legs: NDArray[np.int64] | None = None) -> LinePoints:
        """Return the feet at times (..., count): the middle line with the foot offset (C.1).

        Args:
            legs: (count,) leg of each footstep; by default those of the problem.
        """
        line = self.sample_line(times)
        lateral_offset = self.lateral_offsets[self.legs if legs is None else legs]
        sine = np.sin(line.heading)
        cosine = np.cos(line.heading)
        place = line.position.copy()
        place[..., 0] -= lateral_offset * sine + self.backward_offset * cosine
        place[..., 1] += lateral_offset * cosine - self.backward_offset * sine
        return LinePoints(place, line.heading)

    def compute_cost(self, x: Array) -> Array:
        """Return the weighted sum of the objectives E1 to E6 of each candidate. (n, count) -> (n,).

        The sum contains a constant 1 for each of the two terms of E6.
        """
        return (self.compute_residuals(x) ** 2).sum(1)

    def compute_residuals(self, x: Array) -> Array:
        """Return the residuals whose squares `compute_cost` adds up.

        (n, count) -> (n, 5 count + 2).

        E1 to E5 are squares. E6 is not, so its residual is the root of 1 plus the objective.
        """
        n = len(x)
        new_times = self.compute_times(x)
        feet = self.compute_places(new_times)
        t = np.empty((n, 2 + self.step_count))
        p = np.empty((n, 2 + self.step_count, 2))
        t[:, :2] = [c.time for c in self.last_contacts]
        t[:, 2:] = new_times
        p[:, :2] = [c.position for c in self.last_contacts]
        p[:, 2:] = feet.position
        errors = self._compute_errors(
            np.arange(self.step_count),
            (t[:, :-2], t[:, 1:-1], t[:, 2:]),
            (p[:, :-2], p[:, 1:-1], p[:, 2:]),
            feet.heading,
        )
        effort_totals = self.cumulative_effort(t[:, [0, 1, -2, -1]])
        effort_residual = np.sqrt(
            np.maximum(1 + WEIGHTS.effort * (effort_totals[:, 2:] - effort_totals[:, :2]), 0.0)
        )
        return np.concatenate([*(np.sqrt(e.weight) * e.error for e in errors), effort_residual], 1)

    def compute_step_cost(
        self,
        k: NDArray[np.int64] | int,
        time: tuple[Array, Array, Array],
        place: tuple[Array, Array, Array],
        heading: Array,
    ) -> Array:
        """Return the weighted objectives E1 to E5 of footstep k. Arrays broadcast.

        Args:
            k: number of the footstep.
            time: times of the two contacts before it and of itself [s].
            place: their places (..., 2) [m].
            heading: heading of the footstep [rad].
        """
        *pairs, crossing = self._compute_errors(k, time, place, heading)
        squares = [e.weight * e.error**2 for e in pairs]
        # Terms of the same two contacts are added first: only the crossing depends on all three.
        cost = np.square(crossing.error, out=crossing.error)
        cost *= crossing.weight
        cost += squares[0] + squares[2]
        cost += squares[1] + squares[3]
        return cost

    def _compute_errors(
        self,
        k: NDArray[np.int64] | int,
        time: tuple[Array, Array, Array],
        place: tuple[Array, Array, Array],
        heading: Array,
    ) -> tuple[_WeightedError, ...]:
        """Return the errors whose squares are E1 to E5; arguments of `compute_step_cost`."""
        leg = self.legs[np.asarray(k)]
        share = self.step_time_shares[leg]
        facing_offset = (
            np.zeros_like(heading) if self.facing_offset is None else self.facing_offset(time[2])
        )
        direction_x = np.cos(heading - facing_offset)
        direction_y = np.sin(heading - facing_offset)
        stride = place[2] - place[0]
        step = place[2] - place[1]
        # If the body faces sideways, the lateral offset of the feet lies along the travel
        lateral_lead = (self.lateral_offsets[leg] - self.lateral_offsets[1 - leg]) * np.sin(
            -facing_offset
        )
        stride_forward, step_forward = (
            displacement[..., 0] * direction_x + displacement[..., 1] * direction_y
            for displacement in (stride, step)
        )
        stride_error = time[2] - time[0] - self.stride_time
        step_error = time[2] - time[1] - share * self.stride_time
        step_length_error = step_forward - lateral_lead - share * self.stride_length
        cosine = np.cos(facing_offset)
        # Backward, the left foot is to the right of the line along which the other one travels
        crossing = self._compute_crossing(k, place, cosine * np.abs(cosine))
        return (  # equations 1 to 5
            _WeightedError(WEIGHTS.stride_time, stride_error),
            _WeightedError(WEIGHTS.step_time, step_error),
            _WeightedError(WEIGHTS.stride_length, stride_forward - self.stride_length),
            _WeightedError(WEIGHTS.step_length, step_length_error),
            _WeightedError(WEIGHTS.crossing, crossing),
        )

    def compute_effort_cost(self, last_but_one: Array, last: Array) -> Array:
        """Return the objective E6 for the times of the last two contacts [s] (equation 6)."""
        previous_effort = self.cumulative_effort(
            np.array([c.time for c in self.last_contacts])
        ).sum()
        return WEIGHTS.effort * (
            self.cumulative_effort(last) + self.cumulative_effort(last_but_one) - previous_effort
        )

    def _compute_crossing(
        self,
        k: NDArray[np.int64] | int,
        place: tuple[Array, Array, Array],
        share: Array,
    ) -> Array:
        """Return how far the foot before footstep k has crossed the line of the other foot [m].

        The line connects the places of the other foot before and after it. The result is zero for a
        foot that was down before the first planned footstep.

        Args:
            share: share of the distance that counts, negative for a body that moves backward.
        """
        before, foot, after = place
        line = after - before
        foot_vector = foot - before
        side = np.sign(self.lateral_offsets[self.legs[np.asarray(k) - 1]]) * (np.asarray(k) > 0)
        line_length = np.maximum(np.hypot(line[..., 0], line[..., 1]), 1e-6)
        line = line * (side * share / line_length)[..., None]
        # Positive on the inner side of the line
        distance = np.asarray(line[..., 1] * foot_vector[..., 0])
        distance -= line[..., 0] * foot_vector[..., 1]
        return np.maximum(distance, 0.0, out=distance)

    def sample_heights(self, places: Array) -> Array:
        """Return the height of the ground. (..., 2) -> (...,) [m]."""
        return (
            np.zeros(places.shape[:-1]) if self.footholds is None else self.footholds.height(places)
        )

    def is_forbidden(self, places: Array, headings: Array) -> NDArray[np.bool_]:
        """Return where no foot may stand (equation 9). (n, 2), (n,) -> (n,)."""
        return (
            np.zeros(len(places), bool)
            if self.footholds is None
            else self.footholds.is_forbidden(places, headings)
        )

    def compute_penalty(self, places: Array, headings: Array) -> Array:
        """Return how unfavorable footholds are. (n, 2), (n,) -> (n,)."""
        return (
            np.zeros(len(places))
            if self.footholds is None
            else self.footholds.penalty(places, headings)
        )

    @property
    def max_height_change(self) -> float:
        """Largest height difference of the ground between consecutive footsteps [m]."""
        return np.inf if self.footholds is None else self.footholds.max_height_change

    def is_infeasible(self, times: Array) -> bool:
        """Return whether footsteps at times (count,) violate a constraint.

        They may not stand on forbidden or unfavorable ground or at too different heights.
        """
        if self.footholds is None:
            return False
        feet = self.compute_places(times)
        heights = self.sample_heights(
            np.concatenate([self.last_contacts[1].position[None], feet.position])
        )
        infeasible = (
            self.is_forbidden(feet.position, feet.heading)
            | (self.compute_penalty(feet.position, feet.heading) > 0)
            | (np.abs(np.diff(heights)) > self.max_height_change)
        )
        return bool(infeasible.any())
