"""What the next footsteps are judged by: places follow from their times by
sampling the cart's path.

Source: Kwon et al. 2020, section 4.2 and appendix C.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..placement.footholds import Footholds
from .middle_line import LinePoints

Array = NDArray[np.float64]

WEIGHTS = {
    "stride_time": 2.0,
    "step_time": 2.0,
    "stride_length": 1.0,
    "step_length": 1.0,
    "crossing": 20.0,
    "effort": 1.0,
    "climb": 40.0,
    "hurry": 60.0,
    "awkward": 1.0,
}
SHORT_STEP_RATIO = 0.85  # of a step's usual time, below which it is hurried
MAX_LOG_DURATION_CHANGE = 1.2  # largest change of a logarithm of a step's duration


@dataclass(frozen=True)
class PastContact:
    """A contact that is already decided. Where the body stood still on it, `time` leaves the wait
    out: it is the moment at which the contact's middle would have been, had the foot come down
    later by the wait.
    """

    leg: int
    time: float
    position: Array  # (2,)


@dataclass(frozen=True)
class FootstepProblem:
    """What the next footsteps are judged by. Legs tread in turn, the one of
    `last_contacts[0]` next.

    Args:
        last_contacts: the latest contact of each of the two legs, earlier first.
        sample_line: gives at times (...,) the middle line's place (..., 2) and heading (...,).
        cumulative_effort: gives at times the cart's squared force summed up to then (...,).
        stride_time, stride_length: wished for, s and m.
        lateral_offsets: (2,) of each leg's foot to the left of the middle line, m.
        backward_offset: by which feet stand behind the place sampled, m.
        facing_offset: gives at times (...,) by how much the heading is to the left of the way, rad.
        footholds: where feet may stand; None when they may everywhere.
        step_count: number of footsteps to look ahead.
        step_time_shares: (2,) of a stride that the step onto each leg takes.
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
        """Leg of each footstep searched for. (count,)."""
        return np.array([self.last_contacts[k % 2].leg for k in range(self.step_count)])

    def compute_times(self, x: Array) -> Array:
        """Times from logarithms of the steps' durations, so that their order holds
        (equations 7, 8, C.4). (n, count).
        """
        durations = (
            self.step_time_shares[self.legs]
            * self.stride_time
            * np.exp(np.clip(x, -MAX_LOG_DURATION_CHANGE, MAX_LOG_DURATION_CHANGE))
        )
        return self.last_contacts[1].time + np.cumsum(durations, 1)

    def compute_places(self, times: Array, legs: NDArray[np.int64] | None = None) -> LinePoints:
        """Places (..., count, 2) and headings (..., count) of the feet at times
        (..., count): the foot offset (C.1).
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
        """Weighted sum of the objectives E1 to E6 of each candidate,
        and of 1 for each E6. (n, count) -> (n,).
        """
        return (self.compute_residuals(x) ** 2).sum(1)

    def compute_residuals(self, x: Array) -> Array:
        """What `compute_cost` is the sum of the squares of: E1 to E5 are squares, E6 grows from 1
        on. (n, count) -> (n, 5 count + 2).
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
        terms = self._compute_terms(
            np.arange(self.step_count),
            (t[:, :-2], t[:, 1:-1], t[:, 2:]),
            (p[:, :-2], p[:, 1:-1], p[:, 2:]),
            feet.heading,
        )
        effort_totals = self.cumulative_effort(t[:, [0, 1, -2, -1]])
        effort_residual = np.sqrt(
            np.maximum(1 + WEIGHTS["effort"] * (effort_totals[:, 2:] - effort_totals[:, :2]), 0.0)
        )
        return np.concatenate(
            [*(np.sqrt(WEIGHTS[name]) * term for name, term in terms.items()), effort_residual], 1
        )

    def compute_step_cost(
        self,
        k: NDArray[np.int64] | int,
        time: tuple[Array, Array, Array],
        place: tuple[Array, Array, Array],
        heading: Array,
    ) -> Array:
        """Objectives E1 to E5 of footstep k, told by the two contacts before it and
        itself; arrays that broadcast.
        """
        return np.asarray(
            sum(
                WEIGHTS[name] * term**2
                for name, term in self._compute_terms(k, time, place, heading).items()
            )
        )

    def _compute_terms(
        self,
        k: NDArray[np.int64] | int,
        time: tuple[Array, Array, Array],
        place: tuple[Array, Array, Array],
        heading: Array,
    ) -> dict[str, Array]:
        """What E1 to E5 are the squares of, by name."""
        leg = self.legs[np.asarray(k)]
        share = self.step_time_shares[leg]
        facing_offset = (
            np.zeros_like(heading) if self.facing_offset is None else self.facing_offset(time[2])
        )
        direction_x = np.cos(heading - facing_offset)
        direction_y = np.sin(heading - facing_offset)
        stride = place[2] - place[0]
        step = place[2] - place[1]
        # a foot that is to the side is ahead
        lateral_lead = (self.lateral_offsets[leg] - self.lateral_offsets[1 - leg]) * np.sin(
            -facing_offset
        )
        stride_forward, step_forward = (
            displacement[..., 0] * direction_x + displacement[..., 1] * direction_y
            for displacement in (stride, step)
        )
        return {
            "stride_time": time[2] - time[0] - self.stride_time,  # equation 1
            "step_time": time[2] - time[1] - share * self.stride_time,  # equation 2
            "stride_length": stride_forward - self.stride_length,  # equation 3
            "step_length": step_forward - lateral_lead - share * self.stride_length,  # equation 4
            "crossing": self._compute_crossing(k, place) * np.cos(facing_offset) ** 2,
        }  # equation 5

    def compute_effort_cost(self, last_but_one: Array, last: Array) -> Array:
        """Objective E6 of the last two contacts' times (equation 6)."""
        previous_effort = self.cumulative_effort(
            np.array([c.time for c in self.last_contacts])
        ).sum()
        return WEIGHTS["effort"] * (
            self.cumulative_effort(last) + self.cumulative_effort(last_but_one) - previous_effort
        )

    def _compute_crossing(
        self, k: NDArray[np.int64] | int, place: tuple[Array, Array, Array]
    ) -> Array:
        """How far the foot before footstep k lies inward beyond the line between the other foot's
        places before and after it.

        A foot that was down before the first footstep lies where it lies.
        """
        before, foot, after = place
        line = after - before
        foot_vector = foot - before
        line_length = np.maximum(np.hypot(line[..., 0], line[..., 1]), 1e-6)
        # left is +
        signed_distance = (
            line[..., 0] * foot_vector[..., 1] - line[..., 1] * foot_vector[..., 0]
        ) / line_length
        side = np.sign(self.lateral_offsets[self.legs[np.asarray(k) - 1]]) * (np.asarray(k) > 0)
        return np.maximum(-side * signed_distance, 0.0)

    def sample_heights(self, places: Array) -> Array:
        """Of the ground at places (..., 2), m."""
        return (
            np.zeros(places.shape[:-1]) if self.footholds is None else self.footholds.height(places)
        )

    def is_forbidden(self, places: Array, headings: Array) -> NDArray[np.bool_]:
        """Where no foot may stand (equation 9). (n, 2), (n,) -> (n,)."""
        return (
            np.zeros(len(places), bool)
            if self.footholds is None
            else self.footholds.is_forbidden(places, headings)
        )

    def compute_penalty(self, places: Array, headings: Array) -> Array:
        """How much a foot had better not stand somewhere. (n, 2), (n,) -> (n,)."""
        return (
            np.zeros(len(places))
            if self.footholds is None
            else self.footholds.penalty(places, headings)
        )

    @property
    def max_height_change(self) -> float:
        """Most that the ground may rise or fall from one foot to the next, m."""
        return np.inf if self.footholds is None else self.footholds.max_height_change

    def is_infeasible(self, times: Array) -> bool:
        """Whether footsteps at times (count,) stand where none may,
        or too high above each other.
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
