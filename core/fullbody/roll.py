"""Roll of a foot over its contact, from heel to toes or from its ball to its heel.

Pitch is the angle of the foot relative to its place of rest, with toes up positive.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ..character.character import Foot
from ..geometry import so3
from ..geometry.curves import Quintic
from ..motion.footstep import Footstep
from .hip_path import HipPath

Array = NDArray[np.float64]

# Pitches among which the one is searched from which a leg reaches its hip
PITCH_CANDIDATES = 25
# Shares of the time in which a heel rises at which `FootRoll.rise` has its entries.
RISE_SHARES = (0.4, 0.7)


@dataclass(frozen=True)
class RollParameters:
    """Limits and shapes of the roll of a foot.

    Effects of half and twice of each: docs/dev/parameters.csv.
    """

    # Length of a foot, at human scale, above which feet are lifted higher [m]
    long_foot_length: float = 0.30
    # Multiple of that length above which feet roll less
    long_foot_factor: float = 1.5
    # Pitch of a heel at the lift below which its rise is not taken from the style [rad]
    min_rise: float = float(np.radians(6))
    # Time in which a heel sinks in a contact of ball and toes alone, as a share of the contact
    settling_share: float = 0.3
    # Initial rate of a foot that comes down flat, as a multiple of its mean rate. tuned: doubled,
    # pops of a run are 9.2 degrees instead of 7.6
    landing_rate_factor: float = 1.3
    # Pitch by which the heel is higher when the ball lands alone than afterwards [rad]
    ball_landing_pitch: float = float(np.radians(8))
    # Bounds of the pitch rate at the lift, as multiples of the mean rate
    min_lift_rate_factor: float = 1.2
    # tuned: with the lower one doubled, legs of a run are a degree farther from the style
    max_lift_rate_factor: float = 3.0
    # Rate at which a foot may come down faster because of a slope [rad/s]
    max_slope_rate: float = float(np.radians(150))
    # Largest length of a leg at the lift of its foot, in lengths of the straight leg. tuned:
    # halved, legs of a run are 4 degrees farther from the style; doubled, pops of a pushed body are
    # 19 degrees instead of 11
    max_leg_stretch: float = 0.98
    # Largest pitch by which a heel is higher than in the style because of that limit [rad]
    max_extra_pitch: float = float(np.radians(25))
    # Largest rate of the rise at an inner point, as a multiple of the slopes on both sides.
    # A higher rate would make the heel sink into the ground before it rises.
    max_rise_slope: float = 1.8
    # Largest pitch at a heel strike [rad]
    max_strike_pitch: float = float(np.radians(30))
    # Largest pitch at the lift [rad]. tuned: halved, pops of a body on stairs are 13 degrees
    # instead of 5.8
    max_toe_off_pitch: float = float(np.radians(75))
    # Shortest times for landing, standing flat and leaving [s]. Numerical: rates are divided by
    # them; only twice of the first changes a motion, a run by 1 cm
    min_landing_time: float = 0.02
    min_flat_time: float = 0.01
    min_leaving_time: float = 0.02


ROLL = RollParameters()


def apply_pitch(rest: Array, pitch: Array) -> Array:
    """Return rotations of a foot that is pitched relative to its rest, toes up positive.

    (..., 3, 3), (...,) [rad] -> (..., 3, 3).
    """
    return rest @ so3.rotation_about("y", -np.asarray(pitch))


def measure_pitch(rotation: Array) -> Array:
    """Return the pitch of a foot in a body that faces along x, toes up positive.

    (n, 3, 3) -> (n,) [rad].
    """
    forward = rotation[..., 0]
    return np.asarray(so3.atan2(forward[..., 2], forward[..., 0]))


def compute_roll_share(foot: Foot) -> float:
    """Return the share of a style's pitch that a foot has. A foot far longer than human has less.

    Larger shares would lift the heel of a long foot too high.
    """
    return min(
        1.0, ROLL.long_foot_factor * ROLL.long_foot_length / float(foot.tip[0] - foot.heel[0])
    )


@dataclass(frozen=True)
class RisePoint:
    """Point of the rise of a heel before the lift."""

    share: float  # Share of the pitch at the lift
    rate: float  # Rate of that share, per duration of the rise


@dataclass(frozen=True)
class FootRoll:
    """Pitches of a foot that lands on its heel and leaves from its ball. All are positive.

    A foot that lands on its toes has the values of the heel at its lift.
    """

    heel: float  # Pitch on the heel, toes up [rad]
    push: float  # Pitch on the ball, toes down [rad]
    rate: float  # Rate of the pitch on the ball at the lift [rad/s]
    rise: tuple[RisePoint, ...] = ()  # Rise of the heel at each of `RISE_SHARES`, or empty


def compute_extra_heel_pitch(footstep: Footstep) -> float:
    """Return the increase of the pitch on the heel due to the slope of the ground [rad].

    On a slope the foot has the same pitch relative to the horizontal as on level ground, as far as
    there is time to come down from the larger pitch.
    """
    return min(
        -footstep.slope,
        ROLL.max_slope_rate
        * (
            footstep.lift - footstep.heel_off
            if footstep.toes_first
            else footstep.flat - footstep.strike
        ),
    )


def compute_rolls(
    footsteps: list[Footstep], foot: Foot, curve: CubicSpline, hip: HipPath
) -> list[FootRoll]:
    """Return how a foot lands and leaves at each footstep, as in the style at those times.

    Contacts that begin or end outside the times of the style take the values of the nearest
    contact inside. A heel rises higher where the leg would otherwise not reach the ball.

    Args:
        footsteps: footsteps of this foot, in order.
        foot: shape of the foot.
        curve: origin [m] and pitch [rad] of the style's foot over time, 4 columns.
        hip: hip of the leg, with the times of the style.
    """
    times = hip.times
    heel_times = np.array([f.lift if f.toes_first else f.strike for f in footsteps])
    ball_times = np.array([f.strike if f.toes_first else f.lift for f in footsteps])
    begin = np.array([f.lift if f.toes_first else f.heel_off for f in footsteps])
    rise_times = [begin + share * (ball_times - begin) for share in RISE_SHARES]
    moments = np.concatenate([heel_times, ball_times, *rise_times])
    style_pitch = curve(moments)[:, 3].reshape(-1, len(footsteps))
    style_rate = curve(moments, 1)[:, 3].reshape(-1, len(footsteps))
    at_heel = _find_nearest(heel_times, times)
    at_ball = _find_nearest(ball_times, times)
    extra_heel_pitch = np.array([compute_extra_heel_pitch(f) for f in footsteps])
    heel = np.minimum(
        np.maximum(_take(style_pitch[0], at_heel) + extra_heel_pitch, 0.0), ROLL.max_strike_pitch
    )
    # Toes down positive
    style_push, *rises = _take(-style_pitch[1:], at_ball)
    rate, *rise_rates = _take(-style_rate[1:], at_ball)
    push = _take(_compute_pushes(footsteps, foot, style_push, hip, ball_times), at_ball)
    return [
        FootRoll(
            float(heel[k]),
            float(push[k]),
            float(rate[k]),
            compute_heel_rise(
                float(style_push[k]),
                [float(r[k]) for r in rises],
                [float(r[k]) for r in rise_rates],
                float(ball_times[k] - begin[k]),
            ),
        )
        for k in range(len(footsteps))
    ]


def _find_nearest(moments: Array, times: Array) -> NDArray[np.int64] | None:
    """Return for each moment itself if it is inside the times, else the nearest one that is.

    Args:
        moments: k increasing times [s].
        times: increasing times [s].

    Returns:
        Indices, shape (k,); None if no moment is inside.
    """
    inside = np.flatnonzero((moments >= times[0]) & (moments <= times[-1]))
    if not inside.size:
        return None
    return np.minimum(np.maximum(np.arange(len(moments)), inside[0]), inside[-1])


def _take(values: Array, nearest: NDArray[np.int64] | None) -> Array:
    """Return values at the nearest moments, zero if there are none. (..., k) -> (..., k)."""
    return np.zeros_like(values) if nearest is None else values[..., nearest]


def _compute_pushes(
    footsteps: list[Footstep], foot: Foot, style_push: Array, hip: HipPath, ball_times: Array
) -> Array:
    """Return the pitch on the ball of k footsteps, toes down positive [rad], shape (k,).

    Args:
        style_push: the same in the style [rad], shape (k,).
        ball_times: times of the strike or lift on the ball [s], shape (k,).
    """
    slope = np.array([f.slope for f in footsteps])
    push = np.minimum(np.maximum(style_push + np.maximum(slope, 0.0), 0.0), ROLL.max_toe_off_pitch)
    return np.array(
        [
            p
            if f.toes_first
            else find_reaching_pitch(
                f, foot, position, leg_length=ROLL.max_leg_stretch * hip.leg_length, push=float(p)
            )
            for f, position, p in zip(footsteps, hip.position_at(ball_times), push, strict=True)
        ]
    )


def compute_heel_rise(
    push: float, values: list[float], rates: list[float], span: float
) -> tuple[RisePoint, ...]:
    """Return `FootRoll.rise` from the pitches of a style, or nothing if its heel hardly rises.

    Args:
        push: pitch at the lift, toes down positive [rad].
        values: pitches at `RISE_SHARES`, toes down positive [rad].
        rates: their rates [rad/s].
        span: duration of the rise [s].
    """
    if push < ROLL.min_rise:
        return ()
    rise = []
    ends = (0.0, *RISE_SHARES, 1.0)
    rise_shares = [
        0.0,
        *(
            min(max(value / push, 0.0), share)
            for share, value in zip(RISE_SHARES, values, strict=True)
        ),
        1.0,
    ]
    for k, rate in enumerate(rates, start=1):
        slopes = [
            (rise_shares[j + 1] - rise_shares[j]) / (ends[j + 1] - ends[j]) for j in (k - 1, k)
        ]
        max_rate = ROLL.max_rise_slope * max(min(slopes), 0.0)
        rise.append(RisePoint(rise_shares[k], min(max(rate * span / push, 0.0), max_rate)))
    return tuple(rise)


def find_reaching_pitch(
    footstep: Footstep, foot: Foot, hip: Array, leg_length: float, push: float
) -> float:
    """Return the least pitch on the ball from which a leg reaches its hip, at least `push` [rad].

    Args:
        footstep: place of the foot.
        foot: shape of the foot.
        hip: position of the hip [m], shape (3,).
        leg_length: largest length of the leg [m].
        push: least pitch, toes down positive [rad].
    """
    rest = footstep.position + footstep.rotation @ (foot.pivot - foot.sole_center) - hip

    def reaches(pitch: Array) -> NDArray[np.bool_]:
        offset = rest - apply_pitch(footstep.rotation, -pitch) @ foot.pivot
        return np.asarray(np.sqrt((offset**2).sum(-1)) <= leg_length)

    if reaches(np.array([push]))[0]:
        return push
    candidates = push + np.linspace(
        0.0, max(min(ROLL.max_toe_off_pitch - push, ROLL.max_extra_pitch), 0.0), PITCH_CANDIDATES
    )
    return float(candidates[np.argmax(np.append(reaches(candidates[:-1]), True))])


def build_roll_curve(footstep: Footstep, roll: FootRoll) -> Quintic:
    """Return the pitch [rad] over a contact of the whole foot."""
    flat = max(footstep.flat, footstep.strike + ROLL.min_landing_time)
    heel_off = max(footstep.heel_off, flat + ROLL.min_flat_time)
    lift = max(footstep.lift, heel_off + ROLL.min_leaving_time)
    if footstep.toes_first:
        lowering = ROLL.landing_rate_factor * roll.push / (flat - footstep.strike)
        rising = ROLL.landing_rate_factor * roll.heel / (lift - heel_off)
        return Quintic(
            [footstep.strike, flat, heel_off, lift],
            [
                [-roll.push, lowering, 0.0],
                [0.0, 0.0, 0.0],
                [0.0, 0.0, 0.0],
                [roll.heel, rising, 0.0],
            ],
        )
    landing_rate = -ROLL.landing_rate_factor * roll.heel / (flat - footstep.strike)
    span = lift - heel_off
    rate = limit_lift_rate(roll.rate, roll.push, span)
    middle = [
        [-roll.push * point.share, -roll.push * point.rate / span, 0.0] for point in roll.rise
    ]
    rise_times = RISE_SHARES[: len(middle)]
    return Quintic(
        [footstep.strike, flat, heel_off, *(heel_off + share * span for share in rise_times), lift],
        [
            [roll.heel, landing_rate, 0.0],
            [0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0],
            *middle,
            [-roll.push, -rate, 0.0],
        ],
    )


def build_ball_roll_curve(footstep: Footstep, raised: float, roll: FootRoll) -> Quintic:
    """Return the pitch [rad] over a contact of ball and toes alone.

    The heel sinks to the angle at which it is held, and rises again before the lift.

    Args:
        footstep: times of the contact.
        raised: angle at which the heel is held [rad].
        roll: pitches of the foot.
    """
    heel_off = footstep.heel_off
    lift = max(footstep.lift, footstep.heel_off + ROLL.min_leaving_time)
    settle_time = min(
        footstep.strike + ROLL.settling_share * (footstep.lift - footstep.strike),
        heel_off - ROLL.min_flat_time,
    )
    push = max(roll.push, raised + ROLL.ball_landing_pitch)
    sink_rate = ROLL.landing_rate_factor * ROLL.ball_landing_pitch / (settle_time - footstep.strike)
    rate = limit_lift_rate(roll.rate, push - raised, lift - heel_off)
    return Quintic(
        [footstep.strike, settle_time, heel_off, lift],
        [
            [-raised - ROLL.ball_landing_pitch, sink_rate, 0.0],
            [-raised, 0.0, 0.0],
            [-raised, 0.0, 0.0],
            [-push, -rate, 0.0],
        ],
    )


def limit_lift_rate(rate: float, rise: float, span: float) -> float:
    """Return a pitch rate at the lift within bounds given by the mean rate [rad/s].

    Args:
        rate: pitch rate [rad/s].
        rise: pitch gained before the lift [rad].
        span: duration of the rise [s].
    """
    lowest = ROLL.min_lift_rate_factor * rise / span
    highest = ROLL.max_lift_rate_factor * rise / span
    return min(max(rate, lowest), highest)
