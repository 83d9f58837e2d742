"""How the body rises and falls with its flights: parabolas, the springs between them, and gathering for a first one."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..footsteps.timing import Landing, Step, landings

Array = NDArray[np.float64]

SHARP = 0.15          # of the force in a run's contact that goes with the square of a sine instead of the sine
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


def rise(steps: tuple[Step, ...], time: Array, gravity: float, drop: Callable[[Step], float]) -> Array:
    """Return the height against that of a walk: parabola in flight, spring between flights, gathering for a first one. (n,).

    Args:
        drop: gives of a step by how much feet leave it for a flight higher than they land from it, m.
    """
    out = np.zeros(len(time))
    held = landings(steps)
    flights = [_Flight.between(a, b, gravity, drop) for a, b in pairwise(held)]
    for f in flights:
        if f.end - f.begin > FLIGHT:
            on = (time > f.begin) & (time < f.end)
            u = (time[on] - f.begin) / (f.end - f.begin)
            out[on] += 0.5 * gravity * (f.end - f.begin)**2 * u * (1 - u) + f.drop * (0.5 - u)
    nothing = _Flight(0.0, 0.0, 0.0, 0.0)
    for k, (landing, before, after) in enumerate(zip(held, [nothing, *flights], [*flights, nothing], strict=True)):
        depart, length = 0.5 * (before.speed + after.speed), landing.lift - landing.strike
        if landing.steps[0].standing:
            out += _gathering(landing, time, before, after, gravity)
        elif 0 < k < len(held) - 1 and length > 0 and depart > 0.25 * gravity * FLIGHT:
            on = (time > landing.strike) & (time < landing.lift)
            u = (time[on] - landing.strike) / length
            out[on] += _spring(u, length, depart, gravity) + _straightening(u, length, before, after)
    return out


@dataclass(frozen=True)
class _Flight:
    """A flight, or what takes its place where a foot is always down.

    Args:
        drop: how much lower the body lands than it left, against the ground there, m.
        speed: upward at its begin, and downward at its end, without the drop, m/s.
    """

    begin: float
    end: float
    drop: float
    speed: float

    @staticmethod
    def between(a: Landing, b: Landing, gravity: float, drop: Callable[[Step], float]) -> _Flight:
        """The flight between two landings."""
        lasts = max(b.strike - a.lift, 0.0)
        lower = 0.5 * (drop(a.steps[0]) + drop(b.steps[0])) if lasts > FLIGHT else 0.0
        return _Flight(a.lift, b.strike, lower, 0.5 * gravity * lasts)

    @property
    def falls(self) -> float:
        """By how much its drop makes it slower at its begin and faster at its end, m/s."""
        return self.drop / (self.end - self.begin) if self.drop else 0.0


def run_contact(u: Array, contact: float, flight: float, drop: float, gravity: float) -> Array:
    """Return the height over a contact between two like flights. (n,).

    Args:
        u: (n,) share of the contact.
        contact, flight: how long they last, s.
        drop: by how much the body leaves higher than it lands, m.
    """
    before = _Flight(0.0, flight, drop, 0.5 * gravity * flight)
    return _spring(u, contact, before.speed, gravity) + _straightening(u, contact, before, before)


def _gathering(landing: Landing, time: Array, before: _Flight, after: _Flight, gravity: float) -> Array:
    """Height over a stand: it gives way to a landing and stands up again, and sinks before a push-off. (n,)."""
    out = np.zeros(len(time))
    length = min(GATHERED, 0.5 * (landing.lift - landing.strike))
    for f, speed, place, u in ((before, before.speed + before.falls, -0.5 * before.drop, 1 - (time - landing.strike) / length),
                               (after, after.speed - after.falls, 0.5 * after.drop, 1 - (landing.lift - time) / length)):
        on = (u > 0) & (u < 1) & (f.speed > 0)
        v = u[on]
        # the quintic from rest to a place at a speed, in free fall there
        out[on] += v**3 * (place * (10 - 15 * v + 6 * v * v) + speed * length * (-4 + 7 * v - 3 * v * v)
                           - 0.5 * gravity * length**2 * (1 - v) ** 2)
    return out


def _straightening(u: Array, duration: float, before: _Flight, after: _Flight) -> Array:
    """What a contact adds to its spring where the body leaves it higher than it came: a quintic, no forces at its ends. (n,)."""
    low, high = -0.5 * before.drop, 0.5 * after.drop
    there = u**3 * (10 - 15 * u + 6 * u * u)
    leaves = u**3 * (-4 + 7 * u - 3 * u * u)
    comes = u - u**3 * (6 - 8 * u + 3 * u * u)
    return np.asarray(low + (high - low) * there - duration * (before.falls * comes + after.falls * leaves))


def _spring(u: Array, duration: float, depart: float, gravity: float) -> Array:
    """Height over a contact that a body comes to and leaves with a speed: a force between a sine and its square.

    People's peaks are a little sharper than a sine: 2.5 body weights at 3 m/s.

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
