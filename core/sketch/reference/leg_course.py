"""The course of a body over the legs of its style: how high it is over its feet and where its hips
are.

Humans are highest over a nearly straight standing leg and lowest between two steps, depending on
how far heel and toes reach. This follows from the joint angles of the legs and the roll of the
feet, for any proportions, so it is measured on the body itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character, Foot
from ...character.kinematic_model import KinematicModel
from ...clip.style.style import Cycle, Style
from ...fullbody.roll import (
    RISE_SHARES,
    FootRoll,
    RisePoint,
)
from ...geometry.units import STANDARD_GRAVITY
from .height_fit import StandingLeg, fit_height
from .leg_cycle import PHASE_COUNT, LegCycle, StyleSamples
from .vertical import MIN_FLIGHT_TIME, compute_run_contact_height

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LegCourseParameters:
    """How the course of a body over its legs is measured and fitted."""

    # Shortest weight shift from foot to foot, as a share of the cycle.
    min_handover_share: float = 0.04
    # Squared knee rotation that weighs as much as a squared acceleration of the body
    # [rad^2 / (m/s^2)^2]: 5 degrees weigh as much as a tenth of the weight. tuned: with 0.02 people
    # at 1.1 m/s rose and fell by 3.4 cm, test_human.py
    acceleration_weight: float = 0.008
    # Harmonics of the height over a cycle: one per step, and those of limps. tuned: a second one
    # per step added 0.03 body weights to the peak in double support, test_human.py
    harmonic_count: int = 3
    # Largest difference of the heights at take-off and landing of a run, as a share of the
    # compression of its spring. Tuned: with more, a sprint pushes with 4.8 body weights
    # (humanoid-fast-run, tests/core/engine/test_engine.py).
    max_drop_share: float = 0.28
    max_hop_drop: float = 0.12  # The same difference of hops [leg lengths].


LEG_COURSE = LegCourseParameters()


@dataclass(frozen=True)
class _TablePosition:
    """Positions between the entries of a table.

    Args:
        index: (n,) entry before each position.
        share: (n,) share of the distance from it to the next entry.
    """

    index: NDArray[np.int64]
    share: Array


@dataclass(frozen=True)
class LegCourse:
    """The body over the cycle of the left foot, by keys of its style.

    Args:
        keys: (k,) rising keys of the style.
        height_series: (k, h) Fourier series of the height of the center of mass over the ground; of
            gaits with a flight only the height at the ends of a contact [m].
        drop: (k,) by how much the body leaves a contact before a flight higher than it landed [m].
        hip_table: (k, p, legs, 3) hip joints relative to the center of mass, forward, left and up
            [m].
        length_table: (k, p, legs) distances from hip to ankle [m].
        roll_table: (k, legs, r) pitch at the strike (toes up) and at the lift (toes down) [rad],
            its rate there [rad per cycle], and the entries of `FootRoll.rise`.
        lowering: (k, legs) by how much the style lowers the body over a leg, relative to the height
            of that leg alone [m].
        straight_lengths: (legs,) lengths of the straight legs from hip to ankle [m].
        feet: (legs,) feet of the legs.
    """

    keys: Array
    height_series: NDArray[np.complex128]
    drop: Array
    hip_table: Array
    length_table: Array
    roll_table: Array
    lowering: Array
    straight_lengths: tuple[float, ...]
    feet: tuple[Foot, ...]

    def height_at(self, keys: Array, phases: Array) -> Array:
        """Return the height of the center of mass. (n,), (n,) -> (n,) [m]."""
        position = self._locate_keys(keys)
        below = position.index
        share = position.share
        terms = np.exp(2j * np.pi * phases[:, None] * np.arange(self.height_series.shape[1]))
        values = [(terms * self.height_series[k]).sum(1).real for k in (below, below + 1)]
        return np.asarray((1 - share) * values[0] + share * values[1])

    def drop_at(self, key: float) -> float:
        """Return by how much the body leaves a contact higher than it landed [m]."""
        return float(np.interp(key, self.keys, self.drop))

    def hip_at(self, leg: int, keys: Array, phases: Array) -> Array:
        """Return the position of a hip relative to the center of mass. (n,), (n,) -> (n, 3) [m]."""
        return self._interpolate(self.hip_table[:, :, leg], keys, phases)

    def length_at(self, leg: int, keys: Array, phases: Array) -> Array:
        """Return the distance from hip to ankle of a leg. (n,), (n,) -> (n,) [m]."""
        return self._interpolate(self.length_table[:, :, leg], keys, phases)

    def roll_at(self, leg: int, key: float, stride_time: float) -> FootRoll:
        """Return how a foot lands and lifts.

        Args:
            stride_time: duration of a stride [s].
        """
        heel, push, rate, *rise = (
            float(np.interp(key, self.keys, values)) for values in self.roll_table[:, leg].T
        )
        return FootRoll(
            heel,
            push,
            rate / stride_time,
            tuple(map(RisePoint, rise[::2], rise[1::2])) if any(rise) else (),
        )

    def _interpolate(self, table: Array, keys: Array, phases: Array) -> Array:
        """Return a table interpolated over keys and phases. (k, p, ...), (n,), (n,) -> (n, ...)."""
        position = np.mod(phases, 1.0) * PHASE_COUNT
        left_index = np.minimum(position.astype(int), PHASE_COUNT - 1)
        right_index = (left_index + 1) % PHASE_COUNT
        key_position = self._locate_keys(keys)
        below = key_position.index
        share_shape = (-1, *(1,) * (table.ndim - 2))
        share = key_position.share.reshape(share_shape)
        part = (position - left_index).reshape(share_shape)
        rows = [
            (1 - part) * table[k, left_index] + part * table[k, right_index]
            for k in (below, below + 1)
        ]
        return np.asarray((1 - share) * rows[0] + share * rows[1])

    def _locate_keys(self, keys: Array) -> _TablePosition:
        """Return the positions of keys in the tables. (n,)."""
        below = np.clip(np.searchsorted(self.keys, keys, side="right") - 1, 0, len(self.keys) - 2)
        share = (keys - self.keys[below]) / (self.keys[below + 1] - self.keys[below])
        return _TablePosition(below, np.clip(share, 0, 1))


def measure_leg_course(model: KinematicModel, style: Style) -> LegCourse:
    """Return the course of a body over its legs in the cycles of a style."""
    character = model.character
    cycles = (style.standing, *style.cycles)
    samples = StyleSamples.from_style(model, style)
    sides = np.array([leg.side for leg in character.legs])
    legs_by_cycle = [
        _measure_legs(character, style, k, cycle, samples) for k, cycle in enumerate(cycles)
    ]
    heights = [
        _fit_cycle(cycle, legs, character.leg_length)
        for cycle, legs in zip(cycles, legs_by_cycle, strict=True)
    ]
    lowering = np.outer([cycle.right_lower for cycle in cycles], sides < 0) * character.leg_length
    return LegCourse(
        style.keys,
        np.stack([h.series for h in heights]),
        np.array([h.drop for h in heights]),
        hip_table=samples.hip,
        length_table=samples.length,
        roll_table=np.array([[_flatten_roll(leg.roll) for leg in legs] for legs in legs_by_cycle]),
        lowering=lowering,
        straight_lengths=_measure_straight_lengths(character),
        feet=character.feet,
    )


def _measure_straight_lengths(character: Character) -> tuple[float, ...]:
    """Return the length of each straight leg from hip to ankle [m]."""
    return tuple(
        character.straight_leg_length(leg, foot)
        for leg, foot in zip(character.legs, character.feet, strict=True)
    )


def _measure_legs(
    character: Character, style: Style, key: int, cycle: Cycle, samples: StyleSamples
) -> list[LegCycle]:
    """Return all legs over one cycle of a style."""
    right_delay = style.right_delay_at(style.keys[key : key + 1])[0]
    return [
        LegCycle.from_samples(
            cycle.for_side(leg.side),
            character.feet[j],
            0.0 if leg.side > 0 else 0.5 + right_delay,
            samples.sample_leg(key, j, character.leg_length * cycle.right_lower * (leg.side < 0)),
            straight,
        )
        for j, (leg, straight) in enumerate(
            zip(character.legs, _measure_straight_lengths(character), strict=True)
        )
    ]


@dataclass(frozen=True)
class _CycleHeight:
    """Height of the center of mass over a cycle.

    Args:
        series: (h,) Fourier series; of gaits with flights only the height at the ends of a contact.
        drop: by how much the body leaves a contact higher than it landed [m].
    """

    series: NDArray[np.complex128]
    drop: float = 0.0


def _fit_cycle(cycle: Cycle, legs: list[LegCycle], leg_length: float) -> _CycleHeight:
    """Return the height over one cycle."""
    if cycle.is_walk and cycle.speed != 0:
        stride_time = cycle.stride / cycle.speed * np.sqrt(leg_length / STANDARD_GRAVITY)
        return _CycleHeight(
            _compute_series(_scale_rise(_fit_cycle_height(legs, stride_time), cycle.rise))
        )
    series = np.zeros(LEG_COURSE.harmonic_count + 1, complex)
    if cycle.speed == 0:
        series[0] = np.mean([leg.height.mean() for leg in legs])
        return _CycleHeight(series)
    contact = _fit_run_contact(cycle, legs[0], leg_length)
    series[0] = contact.height
    return _CycleHeight(series, contact.drop)


def _flatten_roll(roll: FootRoll) -> list[float]:
    """Return the entries of a roll in a row; by default its rise is a smooth quintic."""
    rise = roll.rise or tuple(
        RisePoint(part**3 * (10 - 15 * part + 6 * part**2), 30 * part**2 * (1 - part) ** 2)
        for part in RISE_SHARES
    )
    return [
        roll.heel,
        roll.push,
        roll.rate,
        *(number for point in rise for number in (point.share, point.rate)),
    ]


def _fit_cycle_height(legs: list[LegCycle], stride_time: float) -> Array:
    """Return the height over a cycle with legs that carry the body alternately. (p,) [m].

    Args:
        stride_time: duration of the cycle [s].
    """
    handover = max(sum(leg.duty for leg in legs) - 1.0, 2 * LEG_COURSE.min_handover_share) / 2
    cycle_offsets = (
        np.arange(3)[:, None] * PHASE_COUNT
    )  # three cycles, so that the middle one has neighbors
    standing = []
    for leg in legs:
        elapsed = np.mod(np.arange(PHASE_COUNT) / PHASE_COUNT - leg.contact_start, 1.0)
        stance = np.flatnonzero(elapsed <= leg.duty)
        load_share = leg.compute_load_shares(handover)[stance]
        standing.append(
            StandingLeg(
                (cycle_offsets + stance).ravel(),
                *(
                    np.tile(values, 3)
                    for values in (
                        load_share,
                        leg.height[stance],
                        leg.max_height[stance],
                        leg.knee_sensitivity[stance],
                    )
                ),
            )
        )
    return fit_height(
        standing, 3 * PHASE_COUNT, stride_time / PHASE_COUNT, LEG_COURSE.acceleration_weight
    )[PHASE_COUNT : 2 * PHASE_COUNT]


def _compute_series(height: Array) -> NDArray[np.complex128]:
    """Return the Fourier series of a height over a cycle. (p,) -> (h,)."""
    series = np.fft.rfft(height)[: LEG_COURSE.harmonic_count + 1] / len(height)
    series[1:] *= 2
    return series


def _scale_rise(height: Array, rise: float) -> Array:
    """Return a height whose variation is scaled. (p,) -> (p,) [m].

    More variation lowers the minimum and less lowers the maximum, as the legs cannot be longer.
    """
    fixed_height = height.max() if rise > 1 else height.min()
    return np.asarray(fixed_height + rise * (height - fixed_height))


@dataclass(frozen=True)
class _RunContact:
    """Height of the center of mass over a contact between flights.

    Args:
        height: height at the ends of the contact, on average [m].
        drop: by how much the body leaves higher than it lands [m].
    """

    height: float
    drop: float


def _fit_run_contact(cycle: Cycle, leg: LegCycle, leg_length: float) -> _RunContact:
    """Return the contact between flights that fits the height over a leg best.

    Args:
        leg_length: leg length [m], which sets the unit of time sqrt(l / g) of the cycle.
    """
    stride = cycle.stride / cycle.speed
    contact = leg.duty * stride
    flight = (cycle.flight_limit_duty - leg.duty) * stride
    share = (np.arange(PHASE_COUNT) / PHASE_COUNT - leg.contact_start) / leg.duty
    inside = (share > 0) & (share < 1)
    measured = leg.height[inside] / leg_length
    no_drop_height = compute_run_contact_height(
        share[inside], contact, flight, drop=0.0, gravity=1.0
    )
    if flight <= MIN_FLIGHT_TIME * np.sqrt(STANDARD_GRAVITY / leg_length):
        return _RunContact(leg_length * float((measured - no_drop_height).mean()), 0.0)
    columns = np.stack(
        [
            np.ones(inside.sum()),
            compute_run_contact_height(share[inside], contact, flight, drop=1.0, gravity=1.0)
            - no_drop_height,
        ],
        1,
    )
    level, drop = np.linalg.lstsq(columns, measured - no_drop_height, rcond=None)[0]
    max_drop = (
        LEG_COURSE.max_hop_drop
        if cycle.is_hop
        else -LEG_COURSE.max_drop_share * no_drop_height.min()
    )
    drop = float(np.clip(drop, 0.0, max_drop))
    level = float((measured - no_drop_height - drop * columns[:, 1]).mean())
    return _RunContact(leg_length * level, leg_length * drop)
