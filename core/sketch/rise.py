"""How the body rises and falls over the ground that carries it: bounce of a walk, parabolas of flights, and what lies between."""
from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .timing import Landing, Step, landings

Array = NDArray[np.float64]

EARLY = 0.02          # share of a contact by which a walk is lowest and highest before the middles of its supports
SHARP = 0.4          # of the force in a run's contact that goes with the square of a sine instead of the sine
FLIGHT = 0.015        # s without a foot on the ground from which on the body is taken to fly
GATHERED = 0.6        # s in which a body that stands sinks and pushes off with both feet, and stands up after it landed on both


def eased(knots: Array, values: Array, time: Array) -> Array:
    """Through knots in any order along half cosines, level at each; of knots at one moment the first counts."""
    order = np.argsort(knots, kind="stable")
    order = order[np.concatenate([[True], np.diff(knots[order]) > 1e-3])]
    knots, values = knots[order], values[order]
    k = np.clip(np.searchsorted(knots, time, side="right") - 1, 0, len(knots) - 2)
    u = np.clip((time - knots[k]) / (knots[k + 1] - knots[k]), 0, 1)
    return values[k] + (values[k + 1] - values[k]) * 0.5 * (1 - np.cos(np.pi * u))


def middle(step: Step) -> float:
    """Middle of the part of a contact in which its foot carries the body alone or first."""
    f = step.footstep
    return min(f.time, f.strike + 0.5 * step.gait.contact_time) if step.standing else f.time


def rise(steps: tuple[Step, ...], time: Array, gravity: float) -> Array:
    """Bounce over the standing foot, parabola in flight, spring between flights, and gathering for a first one. (n,)."""
    out = np.zeros(len(time))
    knots, values = [], []
    held = landings(steps)
    for a, b in pairwise(landing.steps[0] for landing in held):
        amplitude = 0.5 * (a.gait.bounce + b.gait.bounce) * (not (a.standing or b.standing))
        early = EARLY * a.gait.contact_time
        knots += [middle(a) - early, 0.5 * (middle(a) + middle(b)) - early]
        values += [0.0 if a.standing else a.gait.bounce, -amplitude]
    out += eased(np.array(knots), np.array(values), time)
    gaps = np.array([(a.lift, b.strike) for a, b in pairwise(held)])
    flight = gaps[:, 1] - gaps[:, 0]
    for (begin, end), duration in zip(gaps, flight, strict=True):
        if duration > FLIGHT:
            on = (time > begin) & (time < end)
            out[on] += 0.5 * gravity * (time[on] - begin) * (end - time[on])
    speeds = 0.5 * gravity * np.maximum([0.0, *flight, 0.0], 0.0)                         # upward at the begin of each flight
    for k, (landing, before, after) in enumerate(zip(held, speeds[:-1], speeds[1:], strict=True)):
        depart = 0.5 * (before + after)
        if len(landing.steps) > 1 and landing.steps[0].standing:
            out += _gathering(landing, time, before, after, gravity)
        elif 0 < k < len(held) - 1 and landing.lift > landing.strike and depart > 0.25 * gravity * FLIGHT:
            on = (time > landing.strike) & (time < landing.lift)
            length = landing.lift - landing.strike
            out[on] += _spring((time[on] - landing.strike) / length, length, depart, gravity)
    return out


def _gathering(landing: Landing, time: Array, before: float, after: float, gravity: float) -> Array:
    """Height over a stand on both feet: it gives way to a landing and stands up again, and sinks before a push-off. (n,).

    Args:
        before, after: speed downward as it lands and upward as it leaves, m/s; 0 where no flight is.
    """
    out = np.zeros(len(time))
    length = min(GATHERED, 0.5 * (landing.lift - landing.strike))
    for speed, u in ((before, 1 - (time - landing.strike) / length), (after, 1 - (landing.lift - time) / length)):
        on = (u > 0) & (u < 1) & (speed > 0)
        v = u[on]
        # the quintic from rest to a place at this speed in free fall
        out[on] += speed * length * v**3 * (-4 + 7 * v - 3 * v * v) - 0.5 * gravity * length**2 * v**3 * (1 - v) ** 2
    return out


def _spring(u: Array, duration: float, depart: float, gravity: float) -> Array:
    """Height over a contact that a body comes to and leaves with a speed: a force between a sine and its square.

    People's peaks are that sharp: 2.5 body weights at 3 m/s, where a sine over the same contact would reach 2.2.

    Args:
        u: (n,) share of the contact.
        depart: speed at its begin downward, at its end upward, m/s.
    """
    # the mean force takes the weight and turns the speed round; sine and squared sine have means of 2 / pi and 1 / 2
    peak = (gravity + 2 * depart / duration) / (SHARP * 0.5 + (1 - SHARP) * 2 / np.pi)
    once = np.sin(np.pi * u)
    sine = u / np.pi - once / np.pi**2
    squared = 0.25 * u**2 - 0.25 * once**2 / np.pi**2
    fallen = depart * u / duration + 0.5 * gravity * u**2
    return duration**2 * (peak * (SHARP * squared + (1 - SHARP) * sine) - fallen)
