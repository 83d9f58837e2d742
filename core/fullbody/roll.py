"""How a foot that stands rolls from heel to toe, or from its ball to its heel: its pitch over the contact.

Pitch is the angle of the foot against its resting place, toes up positive.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from .. import so3
from ..character.character import Foot
from ..motion.footstep import Footstep
from .quintic import Quintic

Array = NDArray[np.float64]

SETTLING = 0.3                  # share of a contact of ball and toes alone, over which the heel sinks to where it is held
SLAP = 1.3                      # times the mean rate at which a foot comes down flat, that it begins with
POISED = np.radians(8)          # that it is higher as the ball comes down
SLOPE_RATE = np.radians(150)     # a second, by which it may have to come down faster for a slope
REACHED = 0.98                 # of its length that a leg is stretched to at most as its foot leaves
MOST_FARTHER = np.radians(25)   # that a heel is raised for that beyond what the style has
STEEPEST_STRIKE, STEEPEST_TOE_OFF = np.radians(30), np.radians(75)


def pitched(rest: Array, pitch: Array) -> Array:
    """Rotations of a foot pitched against its rest, toes up positive. (..., 3, 3), (...,) -> (..., 3, 3)."""
    return rest @ so3.about("y", -np.asarray(pitch))


@dataclass(frozen=True)
class Roll:
    """Pitch on the heel (toes up) and on the ball (toes down), and its rate on the latter where the foot leaves from it; rad and
    rad/s, all positive."""

    heel: float
    push: float
    rate: float


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
    return [Roll(float(a), float(b), float(c)) for a, b, c in zip(heel, push, rate, strict=True)]


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
    rate = float(np.clip(roll.rate, 1.2 * roll.push / (lift - leave), 3.0 * roll.push / (lift - leave)))
    return Quintic([f.strike, flat, leave, lift],
                   [[roll.heel, slap, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [-roll.push, -rate, 0.0]])


def on_ball(f: Footstep, raised: float, roll: Roll) -> Quintic:
    """Pitch over a contact of ball and toes alone: the heel sinks to where it is held, and rises again to the lift."""
    leave, lift = f.heel_off, max(f.lift, f.heel_off + 0.02)
    settled = min(f.strike + SETTLING * (f.lift - f.strike), leave - 0.01)
    push = max(roll.push, raised + POISED)
    sinking = SLAP * POISED / (settled - f.strike)
    rate = float(np.clip(roll.rate, 1.2 * (push - raised) / (lift - leave), 3.0 * (push - raised) / (lift - leave)))
    return Quintic([f.strike, settled, leave, lift], [[-raised - POISED, sinking, 0.0], [-raised, 0.0, 0.0], [-raised, 0.0, 0.0],
                                                      [-push, -rate, 0.0]])
