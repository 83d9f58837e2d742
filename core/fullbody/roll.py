"""How a foot that stands rolls from heel to toe, or from its ball to its heel: its pitch over the contact.

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

LONG_FOOT = 0.30                # m, at human scale: feet that are longer are lifted higher, and far longer ones roll less
LONG_ROLL = 1.5                 # of that length, from which on they do
RISEN = (0.4, 0.7)              # shares of the time in which a heel rises, at which a style tells how far it is
LEAST_RISE = np.radians(6)      # of a heel as its foot leaves, below which how it rises is not told
SETTLING = 0.3                  # share of a contact of ball and toes alone, over which the heel sinks to where it is held
SLAP = 1.3                      # times the mean rate at which a foot comes down flat, that it begins with
POISED = np.radians(8)          # that it is higher as the ball comes down
SLOPE_RATE = np.radians(150)     # a second, by which it may have to come down faster for a slope
REACHED = 0.98                 # of its length that a leg is stretched to at most as its foot leaves
MOST_FARTHER = np.radians(25)   # that a heel is raised for that beyond what the style has
STEEPEST_RISE = 1.8             # times the slope on either side of a moment, that a heel rises with there at most
STEEPEST_STRIKE, STEEPEST_TOE_OFF = np.radians(30), np.radians(75)


def pitched(rest: Array, pitch: Array) -> Array:
    """Rotations of a foot pitched against its rest, toes up positive. (..., 3, 3), (...,) -> (..., 3, 3)."""
    return rest @ so3.about("y", -np.asarray(pitch))


def drawn_pitch(rotation: Array) -> Array:
    """Return the pitch of a foot as it is turned in a body that faces along x, toes up positive. (n, 3, 3) -> (n,) rad."""
    forward = rotation[..., 0]
    return np.asarray(so3.angle(forward[..., 2], forward[..., 0]))


def roll_share(foot: Foot) -> float:
    """Return how much of a style's pitch a foot has: one far longer than a person's rolls less."""
    return min(1.0, LONG_ROLL * LONG_FOOT / float(foot.tip[0] - foot.heel[0]))


@dataclass(frozen=True)
class Roll:
    """Pitch on the heel (toes up) and on the ball (toes down), and its rate on the latter where the foot leaves from it; rad and
    rad/s, all positive.

    `rise` tells how the heel rises on the way to `push`: at each of `RISEN` of the time that takes, the share of `push`, and its
    rate in shares over that time.
    """

    heel: float
    push: float
    rate: float
    rise: tuple[tuple[float, float], ...] = ()


def steeper_on_heel(f: Footstep) -> float:
    """By how much more a foot on its heel is pitched against a slope than on level ground, rad: against the level it is the same,
    as far as it has the time to come down that much farther."""
    return min(-f.slope, SLOPE_RATE * (f.lift - f.heel_off if f.toes_first else f.flat - f.strike))


def rolls(footsteps: list[Footstep], foot: Foot, times: Array, curve: CubicSpline, hip: Array, leg: float) -> list[Roll]:
    """How each foot lands and leaves: as the style's foot does at those moments, by its curve of place and pitch.

    Contacts that begin before or end after the times known take it from the nearest one that does not. A heel is raised farther
    where the leg would not reach the ball otherwise.

    Args:
        curve: of place and pitch, (n, 4) at times.
        hip: (n, 3) places of the hip joint at times.
        leg: length of the leg from hip to the foot's origin, m.
    """
    def nearest(values: Array, moments: Array) -> Array:
        known = np.flatnonzero((moments >= times[0]) & (moments <= times[-1]))
        if not known.size:
            return np.zeros(len(values))
        return values[np.clip(np.arange(len(values)), known[0], known[-1])]

    onto_heel = np.array([f.lift if f.toes_first else f.strike for f in footsteps])
    onto_ball = np.array([f.strike if f.toes_first else f.lift for f in footsteps])
    slope = np.array([f.slope for f in footsteps])
    steeper = np.array([steeper_on_heel(f) for f in footsteps])
    heel = np.clip(nearest(curve(onto_heel)[:, 3], onto_heel) + steeper, 0.0, STEEPEST_STRIKE)
    push = np.clip(nearest(-curve(onto_ball)[:, 3], onto_ball) + np.maximum(slope, 0.0), 0.0, STEEPEST_TOE_OFF)
    hips = np.stack([np.interp(onto_ball, times, hip[:, axis]) for axis in range(3)], -1)
    reached = [p if f.toes_first else _reaching(f, foot, at, REACHED * leg, float(p))
               for f, at, p in zip(footsteps, hips, push, strict=True)]
    push = nearest(np.array(reached), onto_ball)
    rate = nearest(-curve(onto_ball, 1)[:, 3], onto_ball)
    begin = np.array([f.lift if f.toes_first else f.heel_off for f in footsteps])
    middles = [begin + share * (onto_ball - begin) for share in RISEN]
    values = [nearest(-curve(at)[:, 3], onto_ball) for at in middles]
    rates = [nearest(-curve(at, 1)[:, 3], onto_ball) for at in middles]
    ends = nearest(-curve(onto_ball)[:, 3], onto_ball)
    rises = [heel_rise(float(ends[k]), [float(v[k]) for v in values], [float(r[k]) for r in rates], float(onto_ball[k] - begin[k]))
             for k in range(len(footsteps))]
    return [Roll(float(a), float(b), float(c), rise) for a, b, c, rise in zip(heel, push, rate, rises, strict=True)]


def heel_rise(push: float, values: list[float], rates: list[float], span: float) -> tuple[tuple[float, float], ...]:
    """Return `Roll.rise` from the pitches, toes down, and their rates that a style has at `RISEN`, rad and rad/s.

    Args:
        push: pitch as the foot leaves.
        span: time in which the heel rises, s.
    """
    if push < LEAST_RISE:
        return ()
    out, ends = [], (0.0, *RISEN, 1.0)
    risen = [0.0, *(float(np.clip(value / push, 0.0, share)) for share, value in zip(RISEN, values, strict=True)), 1.0]
    for k, rate in enumerate(rates, start=1):
        # no faster than on either side, so that no heel sinks into the ground before it rises
        slopes = [(risen[j + 1] - risen[j]) / (ends[j + 1] - ends[j]) for j in (k - 1, k)]
        out.append((risen[k], float(np.clip(rate * span / push, 0.0, STEEPEST_RISE * max(min(slopes), 0.0)))))
    return tuple(out)


def _reaching(f: Footstep, foot: Foot, hip: Array, leg: float, push: float) -> float:
    """The pitch on the ball, rad and toes down, of at least `push`, from which a leg reaches up to its hip (3,)."""
    tried = push + np.linspace(0.0, max(min(STEEPEST_TOE_OFF - push, MOST_FARTHER), 0.0), 25)
    away = f.position + f.rotation @ (foot.pivot - foot.centre) - pitched(f.rotation, -tried) @ foot.pivot - hip
    return float(tried[np.argmax(np.append(np.linalg.norm(away[:-1], axis=1) <= leg, True))])


def rolling(f: Footstep, roll: Roll) -> Quintic:
    """Pitch over a contact of the whole foot."""
    flat = max(f.flat, f.strike + 0.02)
    leave = max(f.heel_off, flat + 0.01)
    lift = max(f.lift, leave + 0.02)
    if f.toes_first:
        lowering, rising = SLAP * roll.push / (flat - f.strike), SLAP * roll.heel / (lift - leave)
        return Quintic([f.strike, flat, leave, lift],
                       [[-roll.push, lowering, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [roll.heel, rising, 0.0]])
    slap = -SLAP * roll.heel / (flat - f.strike)
    span = lift - leave
    rate = float(np.clip(roll.rate, 1.2 * roll.push / span, 3.0 * roll.push / span))
    middle = [[-roll.push * value, -roll.push * speed / span, 0.0] for value, speed in roll.rise]
    risen = RISEN[:len(middle)]
    return Quintic([f.strike, flat, leave, *(leave + share * span for share in risen), lift],
                   [[roll.heel, slap, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], *middle, [-roll.push, -rate, 0.0]])


def on_ball(f: Footstep, raised: float, roll: Roll) -> Quintic:
    """Pitch over a contact of ball and toes alone: the heel sinks to where it is held, and rises again to the lift."""
    leave, lift = f.heel_off, max(f.lift, f.heel_off + 0.02)
    settled = min(f.strike + SETTLING * (f.lift - f.strike), leave - 0.01)
    push = max(roll.push, raised + POISED)
    sinking = SLAP * POISED / (settled - f.strike)
    rate = float(np.clip(roll.rate, 1.2 * (push - raised) / (lift - leave), 3.0 * (push - raised) / (lift - leave)))
    return Quintic([f.strike, settled, leave, lift], [[-raised - POISED, sinking, 0.0], [-raised, 0.0, 0.0], [-raised, 0.0, 0.0],
                                                      [-push, -rate, 0.0]])
