"""How a foot that stands rolls from heel to toe, or from its ball to its heel:
its pitch over the contact.

Pitch is the angle of the foot against its resting place, toes up positive.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ..character.character import Foot
from ..geometry import so3
from ..geometry.quintic import Quintic
from ..motion.footstep import Footstep

Array = NDArray[np.float64]

# m, at human scale: feet that are longer are lifted higher, and far longer ones roll less
LONG_FOOT_LENGTH = 0.30
LONG_FOOT_FACTOR = 1.5  # of that length, from which on they do
# shares of the time in which a heel rises, at which a style tells how far it is
RISE_SHARES = (0.4, 0.7)
MIN_RISE = np.radians(6)  # of a heel as its foot leaves, below which how it rises is not told
# share of a contact of ball and toes alone, over which the heel sinks to where it is held
SETTLING_SHARE = 0.3
# times the mean rate at which a foot comes down flat, that it begins with
LANDING_RATE_FACTOR = 1.3
BALL_LANDING_PITCH = np.radians(8)  # that it is higher as the ball comes down
MAX_SLOPE_RATE = np.radians(150)  # a second, by which it may have to come down faster for a slope
MAX_LEG_STRETCH = 0.98  # of its length that a leg is stretched to at most as its foot leaves
MAX_EXTRA_PITCH = np.radians(25)  # that a heel is raised for that beyond what the style has
# times the slope on either side of a moment, that a heel rises with there at most
MAX_RISE_SLOPE = 1.8
MAX_STRIKE_PITCH = np.radians(30)
MAX_TOE_OFF_PITCH = np.radians(75)


def apply_pitch(rest: Array, pitch: Array) -> Array:
    """Rotations of a foot pitched against its rest, toes up positive.
    (..., 3, 3), (...,) -> (..., 3, 3).
    """
    return rest @ so3.rotation_about("y", -np.asarray(pitch))


def measure_pitch(rotation: Array) -> Array:
    """Return the pitch of a foot as it is turned in a body that faces along x,
    toes up positive. (n, 3, 3) -> (n,) rad.
    """
    forward = rotation[..., 0]
    return np.asarray(so3.atan2(forward[..., 2], forward[..., 0]))


def compute_roll_share(foot: Foot) -> float:
    """Return how much of a style's pitch a foot has: one far longer than a person's rolls less."""
    return min(1.0, LONG_FOOT_FACTOR * LONG_FOOT_LENGTH / float(foot.tip[0] - foot.heel[0]))


@dataclass(frozen=True)
class FootRoll:
    """Pitch on the heel (toes up) and on the ball (toes down), and its rate on the latter where the
    foot leaves from it; rad and rad/s, all positive.

    `rise` tells how the heel rises on the way to `push`: at each of `RISE_SHARES` of the time that
    takes, the share of `push`, and its rate in shares over that time.
    """

    heel: float
    push: float
    rate: float
    rise: tuple[tuple[float, float], ...] = ()


def compute_extra_heel_pitch(footstep: Footstep) -> float:
    """By how much more a foot on its heel is pitched against a slope than on level ground, rad:
    against the level it is the same, as far as it has the time to come down that much farther."""
    return min(
        -footstep.slope,
        MAX_SLOPE_RATE
        * (
            footstep.lift - footstep.heel_off
            if footstep.toes_first
            else footstep.flat - footstep.strike
        ),
    )


def compute_rolls(
    footsteps: list[Footstep],
    foot: Foot,
    times: Array,
    curve: CubicSpline,
    hip: Array,
    leg_length: float,
) -> list[FootRoll]:
    """How each foot lands and leaves: as the style's foot does at those moments,
    by its curve of place and pitch.

    Contacts that begin before or end after the times known take it from the nearest one that does
    not. A heel is raised farther where the leg would not reach the ball otherwise.

    Args:
        curve: of place and pitch, (n, 4) at times.
        hip: (n, 3) places of the hip joint at times.
        leg_length: length of the leg from hip to the foot's origin, m.
    """

    def fill_from_nearest(values: Array, moments: Array) -> Array:
        inside = np.flatnonzero((moments >= times[0]) & (moments <= times[-1]))
        if not inside.size:
            return np.zeros(len(values))
        return values[np.clip(np.arange(len(values)), inside[0], inside[-1])]

    heel_times = np.array([f.lift if f.toes_first else f.strike for f in footsteps])
    ball_times = np.array([f.strike if f.toes_first else f.lift for f in footsteps])
    slope = np.array([f.slope for f in footsteps])
    extra_heel_pitch = np.array([compute_extra_heel_pitch(f) for f in footsteps])
    heel = np.clip(
        fill_from_nearest(curve(heel_times)[:, 3], heel_times) + extra_heel_pitch,
        0.0,
        MAX_STRIKE_PITCH,
    )
    push = np.clip(
        fill_from_nearest(-curve(ball_times)[:, 3], ball_times) + np.maximum(slope, 0.0),
        0.0,
        MAX_TOE_OFF_PITCH,
    )
    hips = np.stack([np.interp(ball_times, times, hip[:, axis]) for axis in range(3)], -1)
    reaching_push = [
        p
        if f.toes_first
        else _find_reaching_pitch(
            f, foot, moments, leg_length=MAX_LEG_STRETCH * leg_length, push=float(p)
        )
        for f, moments, p in zip(footsteps, hips, push, strict=True)
    ]
    push = fill_from_nearest(np.array(reaching_push), ball_times)
    rate = fill_from_nearest(-curve(ball_times, 1)[:, 3], ball_times)
    begin = np.array([f.lift if f.toes_first else f.heel_off for f in footsteps])
    middles = [begin + share * (ball_times - begin) for share in RISE_SHARES]
    values = [fill_from_nearest(-curve(moments)[:, 3], ball_times) for moments in middles]
    rates = [fill_from_nearest(-curve(moments, 1)[:, 3], ball_times) for moments in middles]
    ends = fill_from_nearest(-curve(ball_times)[:, 3], ball_times)
    rises = [
        compute_heel_rise(
            float(ends[k]),
            [float(v[k]) for v in values],
            [float(r[k]) for r in rates],
            float(ball_times[k] - begin[k]),
        )
        for k in range(len(footsteps))
    ]
    return [
        FootRoll(float(a), float(b), float(c), rise)
        for a, b, c, rise in zip(heel, push, rate, rises, strict=True)
    ]


def compute_heel_rise(
    push: float, values: list[float], rates: list[float], span: float
) -> tuple[tuple[float, float], ...]:
    """Return `FootRoll.rise` from the pitches, toes down, and their rates that a style has at
    `RISE_SHARES`, rad and rad/s.

    Args:
        push: pitch as the foot leaves.
        span: time in which the heel rises, s.
    """
    if push < MIN_RISE:
        return ()
    rise = []
    ends = (0.0, *RISE_SHARES, 1.0)
    rise_shares = [
        0.0,
        *(
            float(np.clip(value / push, 0.0, share))
            for share, value in zip(RISE_SHARES, values, strict=True)
        ),
        1.0,
    ]
    for k, rate in enumerate(rates, start=1):
        # no faster than on either side, so that no heel sinks into the ground before it rises
        slopes = [
            (rise_shares[j + 1] - rise_shares[j]) / (ends[j + 1] - ends[j]) for j in (k - 1, k)
        ]
        rise.append(
            (
                rise_shares[k],
                float(np.clip(rate * span / push, 0.0, MAX_RISE_SLOPE * max(min(slopes), 0.0))),
            )
        )
    return tuple(rise)


def _find_reaching_pitch(
    footstep: Footstep, foot: Foot, hip: Array, leg_length: float, push: float
) -> float:
    """The pitch on the ball, rad and toes down, of at least `push`,
    from which a leg reaches up to its hip (3,).
    """
    candidates = push + np.linspace(
        0.0, max(min(MAX_TOE_OFF_PITCH - push, MAX_EXTRA_PITCH), 0.0), 25
    )
    offset = (
        footstep.position
        + footstep.rotation @ (foot.pivot - foot.sole_center)
        - apply_pitch(footstep.rotation, -candidates) @ foot.pivot
        - hip
    )
    return float(
        candidates[np.argmax(np.append(np.linalg.norm(offset[:-1], axis=1) <= leg_length, True))]
    )


def build_roll_curve(footstep: Footstep, roll: FootRoll) -> Quintic:
    """Pitch over a contact of the whole foot."""
    flat = max(footstep.flat, footstep.strike + 0.02)
    heel_off = max(footstep.heel_off, flat + 0.01)
    lift = max(footstep.lift, heel_off + 0.02)
    if footstep.toes_first:
        lowering = LANDING_RATE_FACTOR * roll.push / (flat - footstep.strike)
        rising = LANDING_RATE_FACTOR * roll.heel / (lift - heel_off)
        return Quintic(
            [footstep.strike, flat, heel_off, lift],
            [
                [-roll.push, lowering, 0.0],
                [0.0, 0.0, 0.0],
                [0.0, 0.0, 0.0],
                [roll.heel, rising, 0.0],
            ],
        )
    landing_rate = -LANDING_RATE_FACTOR * roll.heel / (flat - footstep.strike)
    span = lift - heel_off
    rate = float(np.clip(roll.rate, 1.2 * roll.push / span, 3.0 * roll.push / span))
    middle = [[-roll.push * value, -roll.push * speed / span, 0.0] for value, speed in roll.rise]
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
    """Pitch over a contact of ball and toes alone: the heel sinks to where it is held, and
    rises again to the lift.
    """
    heel_off = footstep.heel_off
    lift = max(footstep.lift, footstep.heel_off + 0.02)
    settle_time = min(
        footstep.strike + SETTLING_SHARE * (footstep.lift - footstep.strike), heel_off - 0.01
    )
    push = max(roll.push, raised + BALL_LANDING_PITCH)
    sink_rate = LANDING_RATE_FACTOR * BALL_LANDING_PITCH / (settle_time - footstep.strike)
    rate = float(
        np.clip(
            roll.rate,
            1.2 * (push - raised) / (lift - heel_off),
            3.0 * (push - raised) / (lift - heel_off),
        )
    )
    return Quintic(
        [footstep.strike, settle_time, heel_off, lift],
        [
            [-raised - BALL_LANDING_PITCH, sink_rate, 0.0],
            [-raised, 0.0, 0.0],
            [-raised, 0.0, 0.0],
            [-push, -rate, 0.0],
        ],
    )
