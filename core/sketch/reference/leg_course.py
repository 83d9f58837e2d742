"""What a style's own legs make of a body over one cycle:
how high it rides over its feet, and where its hips are.

People are highest over a nearly straight standing leg, and sink between two steps by as much as
heel and toes leave over. That follows from the angles of the legs and the roll of the feet, on a
body of any proportions, so it is measured on the body itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...character.kinematic_model import KinematicModel
from ...clip.pose.pose import compute_style_poses
from ...clip.style.style import Cycle, Style
from ...fullbody.roll import (
    RISE_SHARES,
    FootRoll,
    build_roll_curve,
    compute_heel_rise,
    compute_roll_share,
    measure_pitch,
)
from ...motion.footstep import Footstep
from .height_fit import StandingLeg, compute_knee_sensitivity, compute_load_share, fit_height
from .vertical import MIN_FLIGHT_TIME, compute_run_contact_height

Array = NDArray[np.float64]

PHASE_COUNT = 40  # of a cycle at which poses are measured
# share of the cycle over which the weight goes from foot to foot at least
MIN_HANDOVER_SHARE = 0.04
# rad^2 of a knee for each (m/s^2)^2 of the body: 8 degrees weigh as much as a tenth of the weight
ACCELERATION_WEIGHT = 0.02
# of the height over a cycle: two of each step; a body does not change its force faster
HARMONIC_COUNT = 4
MAX_LEG_EXTENSION = 0.9992  # of its length that a leg is used to at most
STANDARD_GRAVITY = 9.81  # m/s^2, that bodies at human scale are under
# of its spring's depth, that a run leaves the ground higher than it lands at most: with more a
# sprint pushes with 4.8 body weights (humanoid-fast-run, tests/core/engine/test_engine.py)
MAX_DROP_SHARE = 0.28
MAX_HOP_DROP = 0.12  # leg lengths, the same of hops


@dataclass(frozen=True)
class LegCourse:
    """The body over the cycle of the left foot, by keys of its style.
    Lengths in metres, pitches in radians.

    Args:
        keys: (k,) rising, of the style.
        height_series: (k, h) Fourier series of the centre of mass over the ground; of gaits with a
            flight, of a contact's two ends.
        drop: (k,) by how much it is higher as feet leave for a flight than as they land from it.
        hip_table: (k, p, legs, 3) hip joints against the centre of mass, forward, left and up.
        length_table: (k, p, legs) from hip to ankle.
        roll_table: (k, legs, r) pitch at the strike, toes up, at the lift, toes down, its rate
            there in cycles, and `FootRoll.rise`.
        lowering: (k, legs) by how much a style has the body ride lower over a leg
            than that leg alone would.
        straight_lengths: of the legs, from hip to ankle.
        feet: of the legs.
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
        """Return the height of the centre of mass. (n,), (n,) -> (n,)."""
        below, share = self._locate_keys(keys)
        terms = np.exp(2j * np.pi * phases[:, None] * np.arange(self.height_series.shape[1]))
        values = [(terms * self.height_series[k]).sum(1).real for k in (below, below + 1)]
        return np.asarray((1 - share) * values[0] + share * values[1])

    def drop_at(self, key: float) -> float:
        """Return by how much the body leaves a contact higher than it came."""
        return float(np.interp(key, self.keys, self.drop))

    def hip_at(self, leg: int, keys: Array, phases: Array) -> Array:
        """Return a hip's place against the centre of mass. (n,), (n,) -> (n, 3)."""
        return self._interpolate(self.hip_table[:, :, leg], keys, phases)

    def length_at(self, leg: int, keys: Array, phases: Array) -> Array:
        """Return how far a leg reaches from hip to ankle. (n,), (n,) -> (n,)."""
        return self._interpolate(self.length_table[:, :, leg], keys, phases)

    def roll_at(self, leg: int, key: float, stride_time: float) -> FootRoll:
        """Return how a foot lands and leaves, of a stride of some seconds."""
        heel, push, rate, *rise = (
            float(np.interp(key, self.keys, values)) for values in self.roll_table[:, leg].T
        )
        return FootRoll(
            heel,
            push,
            rate / stride_time,
            tuple(zip(rise[::2], rise[1::2], strict=True)) if any(rise) else (),
        )

    def _interpolate(self, table: Array, keys: Array, phases: Array) -> Array:
        """Return what lies between the entries of a table. (k, p, ...), (n,), (n,) -> (n, ...)."""
        position = np.mod(phases, 1.0) * PHASE_COUNT
        left_index = np.minimum(position.astype(int), PHASE_COUNT - 1)
        right_index = (left_index + 1) % PHASE_COUNT
        below, share = self._locate_keys(keys)
        share_shape = (-1, *(1,) * (table.ndim - 2))
        share = share.reshape(share_shape)
        part = (position - left_index).reshape(share_shape)
        rows = [
            (1 - part) * table[k, left_index] + part * table[k, right_index]
            for k in (below, below + 1)
        ]
        return np.asarray((1 - share) * rows[0] + share * rows[1])

    def _locate_keys(self, keys: Array) -> tuple[NDArray[np.int64], Array]:
        """Return the key before each, and the share of the way from there to
        the next one. (n,), (n,).
        """
        below = np.clip(np.searchsorted(self.keys, keys, side="right") - 1, 0, len(self.keys) - 2)
        return below, np.clip(
            (keys - self.keys[below]) / (self.keys[below + 1] - self.keys[below]), 0, 1
        )


def measure_leg_course(model: KinematicModel, style: Style) -> LegCourse:
    """Measure a style's cycles on a body."""
    character = model.character
    cycles = (style.standing, *style.cycles)
    keys = style.keys
    sides = np.array([leg.side for leg in character.legs])
    phase = np.tile(np.arange(PHASE_COUNT) / PHASE_COUNT, len(keys))
    cycle_index = np.repeat(np.arange(len(keys)), PHASE_COUNT)
    curves = style.curves_at(keys)[cycle_index]
    right_delay = style.right_delay_at(keys)[cycle_index]
    toe_out = np.radians([cycle.toe_out for cycle in cycles])[cycle_index]
    phases = phase[:, None] - np.where(sides > 0, 0.0, 0.5 + right_delay[:, None])  # (n, legs)
    placed = model.compute_link_poses(
        compute_style_poses(model, curves, toe_out, phases=phases, right_delay=right_delay)
    )
    hip = placed.origin[:, [leg.links[0] for leg in character.legs]]
    ankle = placed.origin[:, [foot.link for foot in character.feet]]
    shape = (len(keys), PHASE_COUNT, len(sides))
    length = np.linalg.norm(hip - ankle, axis=2).reshape(shape)
    upright = (hip - ankle)[..., 2].reshape(shape)
    com_height = (placed.com[:, None] - ankle)[..., 2].reshape(shape)  # com over ankles
    pitch = np.stack(
        [
            compute_roll_share(foot) * measure_pitch(placed.rotation[:, foot.link])
            for foot in character.feet
        ],
        -1,
    ).reshape(shape)
    hip = (hip - placed.com[:, None]).reshape((*shape, 3))
    straight_lengths = tuple(
        character.straight_leg_length(leg, foot)
        for leg, foot in zip(character.legs, character.feet, strict=True)
    )
    height = np.zeros((len(keys), HARMONIC_COUNT + 1), complex)
    drop = np.zeros(len(keys))
    roll = np.empty((len(keys), len(sides), 3 + 2 * len(RISE_SHARES)))
    for k, cycle in enumerate(cycles):
        cycle_delay = style.right_delay_at(keys[k : k + 1])[0]
        leg_length = character.leg_length
        legs = [
            _LegCycle.from_cycle(
                cycle.for_side(int(side)),
                character.feet[j],
                0.0 if side > 0 else 0.5 + cycle_delay,
                com_height=com_height[k, :, j] - leg_length * cycle.right_lower * (side < 0),
                pitch=pitch[k, :, j],
                leg_geometry=(length[k, :, j], upright[k, :, j], straight_lengths[j]),
            )
            for j, side in enumerate(sides)
        ]
        roll[k] = [_flatten_roll(leg.roll) for leg in legs]
        if cycle.speed == 0:
            height[k, 0] = np.mean([leg.height.mean() for leg in legs])
        elif cycle.is_walk:
            height[k] = _compute_series(
                _scale_rise(
                    _fit_cycle_height(
                        legs, cycle.stride / cycle.speed * np.sqrt(leg_length / STANDARD_GRAVITY)
                    ),
                    cycle.rise,
                )
            )
        else:
            height[k, 0], drop[k] = _fit_run_contact(cycle, legs[0], leg_length)
    lowering = np.outer([cycle.right_lower for cycle in cycles], sides < 0) * character.leg_length
    return LegCourse(
        keys,
        height,
        drop,
        hip_table=hip,
        length_table=length,
        roll_table=roll,
        lowering=lowering,
        straight_lengths=straight_lengths,
        feet=character.feet,
    )


@dataclass(frozen=True)
class _LegCycle:
    """One leg over the cycle of the left foot."""

    contact_start: float  # of its contact, share of the cycle
    duty: float
    height: Array  # (p,) of the centre of mass over the ground, where the foot stands
    max_height: Array  # (p,) the same with the leg straight
    knee_sensitivity: Array  # (p,) of the knee for each m that the body sinks, rad/m
    roll: FootRoll

    @staticmethod
    def from_cycle(
        cycle: Cycle,
        foot: Foot,
        contact_start: float,
        com_height: Array,
        pitch: Array,
        leg_geometry: tuple[Array, Array, float],
    ) -> _LegCycle:
        """From where a leg has the body over its ankle, and how its foot is pitched. (p,), (p,).

        Args:
            leg_geometry: of the leg its length, the upright part of it, and its length when
                straight. (p,), (p,), m.
        """
        phase = np.arange(PHASE_COUNT) / PHASE_COUNT
        grid = np.arange(PHASE_COUNT + 1) / PHASE_COUNT
        closed_pitch = np.append(pitch, pitch[0])

        def pitch_at(share: float) -> float:
            return float(np.interp((contact_start + share) % 1.0, grid, closed_pitch))

        rate = (
            (pitch_at(cycle.duty - 1 / PHASE_COUNT) - pitch_at(cycle.duty + 1 / PHASE_COUNT))
            * 0.5
            * PHASE_COUNT
        )
        roll = FootRoll(max(pitch_at(0.0), 0.0), max(-pitch_at(cycle.duty), 0.0), rate)
        heel_off = cycle.heel_off * cycle.duty
        rise_phases = [heel_off + part * (cycle.duty - heel_off) for part in RISE_SHARES]
        rise_rates = [
            (pitch_at(part - 1 / PHASE_COUNT) - pitch_at(part + 1 / PHASE_COUNT))
            * 0.5
            * PHASE_COUNT
            for part in rise_phases
        ]
        rise = compute_heel_rise(
            -pitch_at(cycle.duty),
            [-pitch_at(part) for part in rise_phases],
            rise_rates,
            cycle.duty - heel_off,
        )
        roll = replace(roll, rise=rise)
        contact = Footstep(
            0,
            0.0,
            cycle.flat * cycle.duty,
            heel_off=cycle.heel_off * cycle.duty,
            lift=cycle.duty,
            position=np.zeros(3),
            rotation=np.eye(3),
        )
        ground_pitch = (
            build_roll_curve(contact, roll)(np.mod(phase - contact_start, 1.0))
            if cycle.speed > 0
            else np.zeros(PHASE_COUNT)
        )
        height = com_height + compute_ankle_height(foot, ground_pitch)
        length, upright, straight = leg_geometry
        max_upright = np.sqrt(
            np.maximum(
                (MAX_LEG_EXTENSION * straight) ** 2 - (length**2 - upright**2), 0.25 * straight**2
            )
        )
        return _LegCycle(
            contact_start,
            cycle.duty,
            height,
            max_height=height + max_upright - upright,
            knee_sensitivity=compute_knee_sensitivity(length, straight),
            roll=roll,
        )

    def compute_load_shares(self, handover: float) -> Array:
        """Return how far the foot carries the body: 0 in the air, 1 alone. (p,)."""
        elapsed = np.mod(np.arange(PHASE_COUNT) / PHASE_COUNT - self.contact_start, 1.0)
        return compute_load_share(elapsed, self.duty - elapsed, handover)


def _flatten_roll(roll: FootRoll) -> list[float]:
    """Return the numbers of a roll in a row; one that says nothing of the heel's
    rise has a smooth one's.
    """
    rise = roll.rise or tuple(
        (part**3 * (10 - 15 * part + 6 * part**2), 30 * part**2 * (1 - part) ** 2)
        for part in RISE_SHARES
    )
    return [roll.heel, roll.push, roll.rate, *(number for pair in rise for number in pair)]


def compute_ankle_height(foot: Foot, pitch: Array) -> Array:
    """Return the height of the foot's origin over the ground that it rolls on, on its heel or over
    its toes. (n,) rad -> (n,) m.
    """
    sine = np.sin(pitch)
    cosine = np.cos(pitch)
    on_heel = -(sine * foot.heel[0] + cosine * foot.heel[2])
    on_ball = foot.pivot[2] - foot.ball[2] - (sine * foot.pivot[0] + cosine * foot.pivot[2])
    return np.where(pitch >= 0, on_heel, on_ball)


def _fit_cycle_height(legs: list[_LegCycle], stride_time: float) -> Array:
    """Return the height that legs which take over from each other give over a
    cycle of some seconds. (p,).
    """
    handover = max(sum(leg.duty for leg in legs) - 1.0, 2 * MIN_HANDOVER_SHARE) / 2
    cycle_offsets = np.arange(3)[:, None] * PHASE_COUNT  # the one in the middle has neighbours
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
    return fit_height(standing, 3 * PHASE_COUNT, stride_time / PHASE_COUNT, ACCELERATION_WEIGHT)[
        PHASE_COUNT : 2 * PHASE_COUNT
    ]


def _compute_series(height: Array) -> NDArray[np.complex128]:
    """Return the Fourier series of a height over a cycle. (p,) -> (h,)."""
    series = np.fft.rfft(height)[: HARMONIC_COUNT + 1] / len(height)
    series[1:] *= 2
    return series


def _scale_rise(height: Array, rise: float) -> Array:
    """Return a height that rises and falls by a multiple: more of it sinks lower, less of it stays
    low, as legs reach no higher.
    """
    fixed_height = height.max() if rise > 1 else height.min()
    return np.asarray(fixed_height + rise * (height - fixed_height))


def _fit_run_contact(cycle: Cycle, leg: _LegCycle, leg_length: float) -> tuple[float, float]:
    """Return the height at the ends of a contact between flights, and how much higher the body
    leaves it, that come nearest to what the leg has, m.

    Args:
        leg_length: leg length, m; times in units of sqrt(l / g).
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
        return leg_length * float((measured - no_drop_height).mean()), 0.0
    columns = np.stack(
        [
            np.ones(inside.sum()),
            compute_run_contact_height(share[inside], contact, flight, drop=1.0, gravity=1.0)
            - no_drop_height,
        ],
        1,
    )
    level, drop = np.linalg.lstsq(columns, measured - no_drop_height, rcond=None)[0]
    drop = float(
        np.clip(drop, 0.0, MAX_HOP_DROP if cycle.is_hop else -MAX_DROP_SHARE * no_drop_height.min())
    )
    level = float((measured - no_drop_height - drop * columns[:, 1]).mean())
    return leg_length * level, leg_length * drop
