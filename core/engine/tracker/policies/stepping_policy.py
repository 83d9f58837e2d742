"""Choice of the next step over ground with gaps, by value iteration (Abe 2011, figure 8).

The state at a landing is the leg that stands, the length of the step that has ended, the rate of
the phase, and the place of the foot. An action is the length of the next step and its speed. What a
step does is the same everywhere along the path, so the transition function is computed once for a
walk; only the value function depends on the gaps.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..biped import PlanarBiped
from ..controller import CONTROL
from ..input_walk import StepSamples
from .reduced_dynamics import RearFoot, ReducedRun, ReducedStep
from .step_lengths import StepFamily

Array = NDArray[np.float64]


# Weights of a cell and its neighbors, as feet land up to a cell beside their places.
PLACE_WEIGHTS = np.array([0.25, 0.5, 0.25], np.float32)
# Slowest rate within a step, as a share of the least one after a landing: over its foot a body
# is slower than as it lands.
SLOWEST_SHARE = 0.5
# Number of steps after which the rate of a steady walk is settled.
SETTLING_STEPS = 20


@dataclass(frozen=True)
class SteppingPolicyParameters:
    """Grid, bounds and weights of the policy.

    Measured: with half or twice of `edge`, `rate_error`, `slide` and `slide_share` the walk of
    test_stepping.test_walk_crosses_gaps continues, and its risk stays below 0.003.

    Args:
        lengths, speeds, rates: numbers of lengths and speeds of a step, and of rates of the phase;
            the paper has as many, 100 pairs and 20 rates
        length_step: difference of successive lengths, as a factor of the input's.
        speed_step, least_speed: difference of successive speeds and the least one, as factors of
            the input's.
        max_length: longest step, as a share of the length of the leg. tuned: beyond it double
            support has no solution nearby, test_stepping.test_walk_crosses_random_gaps
        least_rate, most_rate: range of the rate of the phase after a landing [rad/s]; walks of 0.9
            to 1.5 m/s have 1.0 to 1.8.
        least_load: smallest vertical force of a step that is safe [body weights], twice that to
            which the controller bounds it (`CONTROL.least_load`).
        max_change: largest difference of the lengths of successive steps, as a factor of that of
            the input: five `length_step` and a bit of rounding.
        cell: length of a cell along the path [m]; the paper has 500 cells on its terrain, and so
            has a path of 10 m.
        edge: distance of the foot from an edge that is surely enough [m]; measured: places of
            landings are within 5 mm of the policy's in 9 of 10 steps.
        rate_error: standard deviation of the rate after a landing from the predicted one [rad/s];
            measured: less than 0.2 rms.
        slide: distance by which a foot may slide back in fast double support [m].
        slide_rates: rate of the phase from which on it may, and the rate from which on it does
            with the largest probability [rad/s]. tuned: random steps at rates of 1.5 rad/s and more
            slid in 1 of 30 cases, those at less than 1.4 in none
        slide_share: this probability.
        length_weight, change_weight, speed_weight, edge_weight: of the squared deviation of the
            length from the preferred one by `length_step`, of the change of length by it, of the
            deviation of the speed by `speed_step`, and of a distance from an edge below `edge`.
        failure: value of a step into a gap, and of a fall.
        max_risk: largest share of failure in the value of a walk that is tried.
    """

    lengths: int = 10
    speeds: int = 10
    rates: int = 20
    length_step: float = 0.06
    speed_step: float = 0.05
    least_speed: float = 0.65
    max_length: float = 0.88
    least_rate: float = 0.5
    most_rate: float = 2.2
    least_load: float = 0.1
    max_change: float = 0.31
    cell: float = 0.02
    edge: float = 0.05
    rate_error: float = 0.1
    slide: float = 0.05
    slide_rates: tuple[float, float] = (1.3, 1.6)
    slide_share: float = 0.1
    length_weight: float = 1.0
    change_weight: float = 0.5
    speed_weight: float = 0.3
    edge_weight: float = 20.0
    failure: float = 1e4
    max_risk: float = 0.25


STEPPING = SteppingPolicyParameters()


@dataclass(frozen=True)
class FootExtent:
    """Rear and front end of a resting foot, from its ankle along the path [m]."""

    rear: float
    front: float


@dataclass(frozen=True)
class StepTable:
    """Transition function of steps between all pairs of lengths at all speeds.

    Args:
        family: constraints of the steps.
        reduced: their equations; axes leg, length before, length, phase.
        rates: of the phase after a landing [rad/s], shape (r,).
        speeds: as factors of the input's, shape (k,).
        length: of the steps [m]; axes leg, length before, length.
        next_rate: rate after the next landing [rad/s]; axes leg, length before, length, rate,
            speed.
        is_safe: whether the step keeps its foot on the ground and ends; like `next_rate`.
    """

    family: StepFamily
    reduced: ReducedStep
    rates: Array
    speeds: Array
    length: Array
    next_rate: Array
    is_safe: NDArray[np.bool_]

    @staticmethod
    def from_samples(biped: PlanarBiped, samples: tuple[StepSamples, ...]) -> StepTable:
        """Return the transition function of the steps of a walk.

        Raises:
            TaskError: the leg that stands turns back in one of the steps.
        """
        factors = _choose_factors(biped, samples)
        family = StepFamily.from_samples(biped, samples, factors)
        count = len(factors)
        reduced = ReducedStep.stack(
            [
                ReducedStep.from_constraints(
                    biped, step, RearFoot.after(biped, family.steps[1 - leg][before][before])
                )
                for leg in (0, 1)
                for before in range(count)
                for step in family.steps[leg][before]
            ]
        ).reshape(2, count, count)
        rates: Array = np.linspace(STEPPING.least_rate, STEPPING.most_rate, STEPPING.rates)
        numbers = np.arange(STEPPING.speeds, dtype=float)
        speeds = np.asarray(STEPPING.least_speed + STEPPING.speed_step * numbers, float)
        run = reduced.integrate(0.5 * rates[:, None] ** 2, speeds[None])
        change = np.abs(factors[:, None] - factors)
        return StepTable(
            family,
            reduced,
            rates,
            speeds,
            np.array([[[s.length for s in row] for row in leg] for leg in family.steps]),
            np.sqrt(2 * run.zeta),
            is_safe=_check_steps(run) & (change <= STEPPING.max_change)[..., None, None],
        )

    def find_length(self, factor: float) -> int:
        """Return the index of the length closest to a factor of the input's."""
        return int(np.argmin(np.abs(self.family.factors - factor)))


def _choose_factors(biped: PlanarBiped, samples: tuple[StepSamples, ...]) -> Array:
    """Return lengths around that of the walk, as factors of it, ascending."""
    length = np.mean([biped.locate(s.coordinates[s.landing])[5].real for s in samples])
    longest = STEPPING.max_length * biped.side_view.leg_length / float(length)
    above = int(np.clip(np.floor((longest - 1) / STEPPING.length_step), 0, STEPPING.lengths // 2))
    numbers = np.arange(STEPPING.lengths) + above + 1 - STEPPING.lengths
    return np.asarray(1 + STEPPING.length_step * numbers, float)


def _check_steps(run: ReducedRun) -> NDArray[np.bool_]:
    rate = np.sqrt(2 * run.zeta)
    return np.asarray(
        (run.least > 0.5 * STEPPING.least_rate**2 * SLOWEST_SHARE**2)
        & (run.load > STEPPING.least_load)
        & (run.slip < CONTROL.friction)
        & (rate > STEPPING.least_rate)
        & (rate < STEPPING.most_rate)
    )


def _blur_rates(rates: Array) -> Array:
    """Return weights of the rates around each rate, which are in its column, shape (r, r)."""
    weight = np.exp(-0.5 * ((rates[:, None] - rates) / STEPPING.rate_error) ** 2)
    return np.asarray(weight / weight.sum(0))


def _find_slide_share(rate: Array) -> Array:
    """Return the probability that a foot slides back at rates of the phase [rad/s]."""
    slow, fast = STEPPING.slide_rates
    return np.asarray(STEPPING.slide_share * np.clip((rate - slow) / (fast - slow), 0.0, 1.0))


@dataclass(frozen=True)
class StepState:
    """State of a walk at a landing.

    Args:
        leg: index of the leg that stands.
        before: index of the length of the step that has ended.
        rate: of the phase [rad/s].
        place: of the ankle that stands, along the path [m].
    """

    leg: int
    before: int
    rate: float
    place: float


@dataclass(frozen=True)
class StepChoice:
    """Action of the policy.

    Args:
        length, speed: indices in the table.
        value: cost up to the goal; at least `SteppingPolicyParameters.failure` if there is no
            path to it.
    """

    length: int
    speed: int
    value: float


@dataclass(frozen=True)
class SteppingPolicy:
    """Policy for the gaps of a ground.

    Args:
        table: transition function.
        gaps: begin and end of each along the path [m], shape (g, 2).
        foot: extent of a resting foot.
        preferred: length of a step that costs nothing, as a factor of the input's.
        begin: of the first cell [m].
        value: cost up to the goal, at the last cell; axes cell, leg, length before, rate.
    """

    table: StepTable
    gaps: Array
    foot: FootExtent
    preferred: float
    begin: float
    value: Array

    @staticmethod
    def from_gaps(
        table: StepTable,
        gaps: Array,
        foot: FootExtent,
        span: tuple[float, float],
        preferred: float = 1.0,
    ) -> SteppingPolicy:
        """Return the policy that walks from the begin to the end of a span [m] over gaps."""
        begin, goal = span
        cells = int(np.ceil((goal - begin) / STEPPING.cell)) + 1
        policy = SteppingPolicy(table, gaps, foot, preferred, begin, np.zeros(0))
        return SteppingPolicy(table, gaps, foot, preferred, begin, policy._iterate(cells))

    def find_risk(self) -> float:
        """Return the share of failure in the value at the begin, for a steady walk."""
        table = self.table
        length = table.find_length(1.0)
        speed = int(np.argmin(np.abs(table.speeds - 1)))
        rate = float(table.rates.mean())
        for _ in range(SETTLING_STEPS):
            rate = float(np.interp(rate, table.rates, table.next_rate[0, length, length, :, speed]))
        values = [np.interp(rate, table.rates, row[length]) for row in self.value[0]]
        return float(np.max(values)) / STEPPING.failure

    def choose(self, state: StepState) -> StepChoice:
        """Return the best step at a landing."""
        table = self.table
        leg = state.leg
        place = (state.rate - table.rates[0]) / (table.rates[1] - table.rates[0])
        low = int(np.clip(np.floor(place), 0, len(table.rates) - 2))
        share = float(np.clip(place - low, 0.0, 1.0))
        rate = (1 - share) * table.next_rate[leg, state.before, :, low] + share * (
            table.next_rate[leg, state.before, :, low + 1]
        )  # (length, speed)
        nearest = low + round(share)
        landing = state.place + table.length[leg, state.before]
        later = self._interpolate(landing, 1 - leg, rate)
        slide = float(_find_slide_share(np.array(state.rate)))
        edges = (1 - slide) * self._weigh_edges(landing)
        edges += slide * self._weigh_edges(landing - STEPPING.slide)
        cost = self._step_cost[leg, state.before] + edges[:, None] + later
        cost = np.where(table.is_safe[leg, state.before, :, nearest], cost, cost + STEPPING.failure)
        best = int(np.argmin(cost))
        length, speed = divmod(best, len(table.speeds))
        return StepChoice(length, speed, float(cost.flat[best]))

    def _iterate(self, cells: int) -> Array:
        """Return the value function; one sweep from the goal back, since steps only advance."""
        table = self.table
        legs = 2
        count = len(table.family.factors)
        rates = len(table.rates)
        size = legs * count * rates
        place = (table.next_rate - table.rates[0]) / (table.rates[1] - table.rates[0])
        low = np.clip(place.astype(int), 0, rates - 2)
        share = np.clip(place - low, 0.0, 1.0).astype(np.float32)
        grid: tuple[NDArray[np.int64], ...] = np.indices(table.next_rate.shape, sparse=True)
        # Place of the value after the step among those of one cell.
        index = ((1 - grid[0]) * count + grid[2]) * rates + low
        advance = np.maximum(np.rint(table.length / STEPPING.cell).astype(int), 1)
        edges = self._weigh_edges_by_rate(cells)
        unsafe = np.where(table.is_safe, 0.0, STEPPING.failure)
        fixed = (self._step_cost[..., None, :] + unsafe).astype(np.float32)
        blur = _blur_rates(table.rates).astype(np.float32)
        sharp = np.zeros((cells, size), np.float32)
        value = np.zeros((cells, size), np.float32)
        for cell in range(cells - 2, -1, -1):
            landing = np.minimum(cell + advance, cells - 1)
            at = size * landing[..., None, None] + index
            later = value.reshape(-1)[at]
            later += share * (value.reshape(-1)[at + 1] - later)
            cost = fixed + edges[landing][..., None] + later
            best = np.minimum(cost.min((2, 4)), np.float32(STEPPING.failure))
            sharp[cell] = (best @ blur).reshape(-1)
            # Feet land a little beside where they are to; no step is shorter than two cells.
            weights = PLACE_WEIGHTS[: cells - cell]
            value[cell + 1] = weights @ sharp[cell : cell + 3] / weights.sum()
        value[0] = sharp[0]
        return value.reshape(cells, legs, count, rates).astype(np.float64)

    def _weigh_edges_by_rate(self, cells: int) -> NDArray[np.float32]:
        """Return the cost of feet in cells after steps that begin at rates, (cells, rates)."""
        places = np.asarray(self.begin + STEPPING.cell * np.arange(cells), float)
        slide = _find_slide_share(self.table.rates)
        edges: Array = (1 - slide) * self._weigh_edges(places)[:, None]
        edges += slide * self._weigh_edges(places - STEPPING.slide)[:, None]
        edges[-1] = 0.0  # The walk has reached its goal, wherever the foot lands behind it.
        return edges.astype(np.float32)

    @cached_property
    def _step_cost(self) -> Array:
        """Cost of a step by itself; axes leg, length before, length, speed."""
        table = self.table
        factors = table.family.factors
        off = (factors - self.preferred) / STEPPING.length_step
        change = (factors - factors[:, None]) / STEPPING.length_step
        speed = (table.speeds - 1) / STEPPING.speed_step
        step = STEPPING.length_weight * off**2 + STEPPING.change_weight * change**2
        cost = step[..., None] + STEPPING.speed_weight * speed**2
        return np.asarray(cost * table.length[..., None])

    def _weigh_edges(self, place: Array) -> Array:
        """Return the cost of feet with their ankles at places along the path [m]."""
        free = np.full(np.shape(place), np.inf)
        for begin, end in self.gaps:
            clear = np.maximum(begin - (place + self.foot.front), place + self.foot.rear - end)
            free = np.minimum(free, clear)
        near = np.maximum(1 - free / STEPPING.edge, 0.0)
        cost = STEPPING.edge_weight * near**2
        return np.asarray(np.where(free < 0, STEPPING.failure, cost))

    def _interpolate(self, place: Array, leg: int, rate: Array) -> Array:
        """Return values at landings.

        Args:
            place: of the landings by length [m], shape (m,).
            leg: index of the leg that stands then.
            rate: of the phase [rad/s], shape (m, k).
        """
        table = self.table
        cell = np.clip((place - self.begin) / STEPPING.cell, 0, len(self.value) - 1)
        rows = self.value[np.rint(cell).astype(int), leg, np.arange(len(place))]  # (m, r)
        return np.stack([np.interp(r, table.rates, row) for r, row in zip(rate, rows, strict=True)])
