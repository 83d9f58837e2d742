"""What a style's own legs make of a body over one cycle: how high it rides over its feet, and where its hips are.

People are highest over a nearly straight standing leg, and sink between two steps by as much as heel and toes leave over. That
follows from the angles of the legs and the roll of the feet, on a body of any proportions, so it is measured on the body itself.
"""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...character.kinematic_model import KinematicModel
from ...clip.pose.pose import style_poses
from ...clip.style.style import Cycle, Style
from ...fullbody.roll import RISEN, Roll, drawn_pitch, heel_rise, roll_share, rolling
from ...motion.footstep import Footstep
from .height_fit import StandingLeg, fit_height, knee_bend, weight_share
from .vertical import FLIGHT, run_contact

Array = NDArray[np.float64]

PHASES = 40           # of a cycle at which poses are measured
LEAST_SUPPORT = 0.04  # share of the cycle over which the weight goes from foot to foot at least
CALM = 0.02           # rad^2 of a knee for each (m/s^2)^2 of the body: 8 degrees weigh as much as a tenth of the weight
HARMONICS = 4         # of the height over a cycle: two of each step; a body does not change its force faster
STRAIGHTEST = 0.9992  # of its length that a leg is used to at most
GRAVITY = 9.81        # m/s^2, that bodies at human scale are under
# of its spring's depth, that a run leaves the ground higher than it lands at most: with more a sprint pushes with 4.8 body weights
# (humanoid-fast-run, tests/core/engine/test_engine.py)
DROP = 0.28
LARGEST_DROP = 0.12   # leg lengths, the same of hops


@dataclass(frozen=True)
class LegCourse:
    """The body over the cycle of the left foot, by keys of its style. Lengths in metres, pitches in radians.

    Args:
        keys: (k,) rising, of the style.
        height: (k, h) Fourier series of the centre of mass over the ground; of gaits with a flight, of a contact's two ends.
        drop: (k,) by how much it is higher as feet leave for a flight than as they land from it.
        hip: (k, p, legs, 3) hip joints against the centre of mass, forward, left and up.
        length: (k, p, legs) from hip to ankle.
        roll: (k, legs, r) pitch at the strike, toes up, at the lift, toes down, its rate there in cycles, and `Roll.rise`.
        lower: (k, legs) by how much a style has the body ride lower over a leg than that leg alone would.
        straight: of the legs, from hip to ankle.
        feet: of the legs.
    """

    keys: Array
    height: NDArray[np.complex128]
    drop: Array
    hip: Array
    length: Array
    roll: Array
    lower: Array
    straight: tuple[float, ...]
    feet: tuple[Foot, ...]

    def height_at(self, keys: Array, phases: Array) -> Array:
        """Return the height of the centre of mass. (n,), (n,) -> (n,)."""
        below, share = self._between(keys)
        terms = np.exp(2j * np.pi * phases[:, None] * np.arange(self.height.shape[1]))
        values = [(terms * self.height[k]).sum(1).real for k in (below, below + 1)]
        return np.asarray((1 - share) * values[0] + share * values[1])

    def drop_at(self, key: float) -> float:
        """Return by how much the body leaves a contact higher than it came."""
        return float(np.interp(key, self.keys, self.drop))

    def hip_at(self, leg: int, keys: Array, phases: Array) -> Array:
        """Return a hip's place against the centre of mass. (n,), (n,) -> (n, 3)."""
        return self._at(self.hip[:, :, leg], keys, phases)

    def length_at(self, leg: int, keys: Array, phases: Array) -> Array:
        """Return how far a leg reaches from hip to ankle. (n,), (n,) -> (n,)."""
        return self._at(self.length[:, :, leg], keys, phases)

    def roll_at(self, leg: int, key: float, stride_time: float) -> Roll:
        """Return how a foot lands and leaves, of a stride of some seconds."""
        heel, push, rate, *rise = (float(np.interp(key, self.keys, values)) for values in self.roll[:, leg].T)
        return Roll(heel, push, rate / stride_time, tuple(zip(rise[::2], rise[1::2], strict=True)) if any(rise) else ())

    def _at(self, table: Array, keys: Array, phases: Array) -> Array:
        """Return what lies between the entries of a table. (k, p, ...), (n,), (n,) -> (n, ...)."""
        on = np.mod(phases, 1.0) * PHASES
        left = np.minimum(on.astype(int), PHASES - 1)
        right = (left + 1) % PHASES
        below, share = self._between(keys)
        inner = (-1, *(1,) * (table.ndim - 2))
        share, part = share.reshape(inner), (on - left).reshape(inner)
        rows = [(1 - part) * table[k, left] + part * table[k, right] for k in (below, below + 1)]
        return np.asarray((1 - share) * rows[0] + share * rows[1])

    def _between(self, keys: Array) -> tuple[NDArray[np.int64], Array]:
        """Return the key before each, and the share of the way from there to the next one. (n,), (n,)."""
        below = np.clip(np.searchsorted(self.keys, keys, side="right") - 1, 0, len(self.keys) - 2)
        return below, np.clip((keys - self.keys[below]) / (self.keys[below + 1] - self.keys[below]), 0, 1)


def leg_course(model: KinematicModel, style: Style) -> LegCourse:
    """Measure a style's cycles on a body."""
    character = model.character
    cycles = (style.standing, *style.cycles)
    keys, sides = style.keys, np.array([leg.side for leg in character.legs])
    phase = np.tile(np.arange(PHASES) / PHASES, len(keys))
    each = np.repeat(np.arange(len(keys)), PHASES)
    curves, later = style.curves(keys)[each], style.later(keys)[each]
    toe_out = np.radians([cycle.toe_out for cycle in cycles])[each]
    phases = phase[:, None] - np.where(sides > 0, 0.0, 0.5 + later[:, None])              # (n, legs)
    placed = model.place(style_poses(model, curves, toe_out, phases, later))
    hip = placed.origin[:, [leg.links[0] for leg in character.legs]]
    ankle = placed.origin[:, [foot.link for foot in character.feet]]
    shape = (len(keys), PHASES, len(sides))
    length, upright = np.linalg.norm(hip - ankle, axis=2).reshape(shape), (hip - ankle)[..., 2].reshape(shape)
    above = (placed.com[:, None] - ankle)[..., 2].reshape(shape)                          # com over ankles
    pitch = np.stack([roll_share(foot) * drawn_pitch(placed.rotation[:, foot.link]) for foot in character.feet], -1).reshape(shape)
    hip = (hip - placed.com[:, None]).reshape((*shape, 3))
    straight = tuple(character.straight_leg_length(leg, foot) for leg, foot in zip(character.legs, character.feet, strict=True))
    height = np.zeros((len(keys), HARMONICS + 1), complex)
    drop, roll = np.zeros(len(keys)), np.empty((len(keys), len(sides), 3 + 2 * len(RISEN)))
    for k, cycle in enumerate(cycles):
        lag, unit = style.later(keys[k:k + 1])[0], character.leg_length
        legs = [_Leg.of(cycle.of_side(int(side)), character.feet[j], 0.0 if side > 0 else 0.5 + lag,
                        above[k, :, j] - unit * cycle.right_lower * (side < 0), pitch[k, :, j],
                        (length[k, :, j], upright[k, :, j], straight[j]))
                for j, side in enumerate(sides)]
        roll[k] = [_row(leg.roll) for leg in legs]
        if cycle.speed == 0:
            height[k, 0] = np.mean([leg.height.mean() for leg in legs])
        elif cycle.walks:
            height[k] = _series(_scaled(_carried(legs, cycle.stride / cycle.speed * np.sqrt(unit / GRAVITY)), cycle.rise))
        else:
            height[k, 0], drop[k] = _sprung(cycle, legs[0], unit)
    lower = np.outer([cycle.right_lower for cycle in cycles], sides < 0) * character.leg_length
    return LegCourse(keys, height, drop, hip, length, roll, lower, straight, character.feet)


@dataclass(frozen=True)
class _Leg:
    """One leg over the cycle of the left foot."""

    begin: float              # of its contact, share of the cycle
    duty: float
    height: Array             # (p,) of the centre of mass over the ground, where the foot stands
    highest: Array            # (p,) the same with the leg straight
    bend: Array               # (p,) of the knee for each m that the body sinks, rad/m
    roll: Roll

    @staticmethod
    def of(cycle: Cycle, foot: Foot, begin: float, above: Array, pitch: Array, reach: tuple[Array, Array, float]) -> _Leg:
        """From where a leg has the body over its ankle, and how its foot is pitched. (p,), (p,).

        Args:
            reach: of the leg its length, the upright part of it, and its length when straight. (p,), (p,), m.
        """
        phase, grid = np.arange(PHASES) / PHASES, np.arange(PHASES + 1) / PHASES
        around = np.append(pitch, pitch[0])

        def at(share: float) -> float:
            return float(np.interp((begin + share) % 1.0, grid, around))

        rate = (at(cycle.duty - 1 / PHASES) - at(cycle.duty + 1 / PHASES)) * 0.5 * PHASES
        roll = Roll(max(at(0.0), 0.0), max(-at(cycle.duty), 0.0), rate)
        begins = cycle.heel_off * cycle.duty
        risen = [begins + part * (cycle.duty - begins) for part in RISEN]
        slope = [(at(part - 1 / PHASES) - at(part + 1 / PHASES)) * 0.5 * PHASES for part in risen]
        rise = heel_rise(-at(cycle.duty), [-at(part) for part in risen], slope, cycle.duty - begins)
        roll = replace(roll, rise=rise)
        contact = Footstep(0, 0.0, cycle.flat * cycle.duty, cycle.heel_off * cycle.duty, cycle.duty, np.zeros(3), np.eye(3))
        stood = rolling(contact, roll)(np.mod(phase - begin, 1.0)) if cycle.speed > 0 else np.zeros(PHASES)
        height, (length, upright, straight) = above + ankle_height(foot, stood), reach
        most = np.sqrt(np.maximum((STRAIGHTEST * straight) ** 2 - (length**2 - upright**2), 0.25 * straight**2))
        return _Leg(begin, cycle.duty, height, height + most - upright, knee_bend(length, straight), roll)

    def share(self, support: float) -> Array:
        """Return how far the foot carries the body: 0 in the air, 1 alone. (p,)."""
        since = np.mod(np.arange(PHASES) / PHASES - self.begin, 1.0)
        return weight_share(since, self.duty - since, support)


def _row(roll: Roll) -> list[float]:
    """Return the numbers of a roll in a row; one that says nothing of the heel's rise has a smooth one's."""
    rise = roll.rise or tuple((part**3 * (10 - 15 * part + 6 * part**2), 30 * part**2 * (1 - part) ** 2) for part in RISEN)
    return [roll.heel, roll.push, roll.rate, *(number for pair in rise for number in pair)]


def ankle_height(foot: Foot, pitch: Array) -> Array:
    """Return the height of the foot's origin over the ground that it rolls on, on its heel or over its toes. (n,) rad -> (n,) m."""
    sine, cosine = np.sin(pitch), np.cos(pitch)
    on_heel = -(sine * foot.heel[0] + cosine * foot.heel[2])
    on_ball = foot.pivot[2] - foot.ball[2] - (sine * foot.pivot[0] + cosine * foot.pivot[2])
    return np.where(pitch >= 0, on_heel, on_ball)


def _carried(legs: list[_Leg], stride_time: float) -> Array:
    """Return the height that legs which take over from each other give over a cycle of some seconds. (p,)."""
    support = max(sum(leg.duty for leg in legs) - 1.0, 2 * LEAST_SUPPORT) / 2
    cycles = np.arange(3)[:, None] * PHASES                           # the one in the middle has neighbours
    standing = []
    for leg in legs:
        since = np.mod(np.arange(PHASES) / PHASES - leg.begin, 1.0)
        on = np.flatnonzero(since <= leg.duty)
        share = leg.share(support)[on]
        standing.append(StandingLeg((cycles + on).ravel(), *(np.tile(values, 3) for values in (
            share, leg.height[on], leg.highest[on], leg.bend[on]))))
    return fit_height(standing, 3 * PHASES, stride_time / PHASES, CALM)[PHASES:2 * PHASES]


def _series(height: Array) -> NDArray[np.complex128]:
    """Return the Fourier series of a height over a cycle. (p,) -> (h,)."""
    series = np.fft.rfft(height)[:HARMONICS + 1] / len(height)
    series[1:] *= 2
    return series


def _scaled(height: Array, rise: float) -> Array:
    """Return a height that rises and falls by a multiple: more of it sinks lower, less of it stays low, as legs reach no higher."""
    fixed = height.max() if rise > 1 else height.min()
    return np.asarray(fixed + rise * (height - fixed))


def _sprung(cycle: Cycle, leg: _Leg, unit: float) -> tuple[float, float]:
    """Return the height at the ends of a contact between flights, and how much higher the body leaves it, that come nearest to
    what the leg has, m.

    Args:
        unit: leg length, m; times in units of sqrt(l / g).
    """
    stride = cycle.stride / cycle.speed
    contact, flight = leg.duty * stride, (cycle.grounded - leg.duty) * stride
    share = (np.arange(PHASES) / PHASES - leg.begin) / leg.duty
    on = (share > 0) & (share < 1)
    measured = leg.height[on] / unit
    still = run_contact(share[on], contact, flight, 0.0, 1.0)
    if flight <= FLIGHT * np.sqrt(GRAVITY / unit):
        return unit * float((measured - still).mean()), 0.0
    columns = np.stack([np.ones(on.sum()), run_contact(share[on], contact, flight, 1.0, 1.0) - still], 1)
    level, drop = np.linalg.lstsq(columns, measured - still, rcond=None)[0]
    drop = float(np.clip(drop, 0.0, LARGEST_DROP if cycle.together else -DROP * still.min()))
    level = float((measured - still - drop * columns[:, 1]).mean())
    return unit * level, unit * drop
