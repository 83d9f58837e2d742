"""How the body rises and falls with its flights: parabolas, the springs between them, and
gathering for a first one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..footsteps.timing import PlannedStep, StepGroup, group_steps

Array = NDArray[np.float64]

# of the force in a run's contact that goes with the square of a sine instead of the sine
SQUARED_SINE_SHARE = 0.15
MIN_FLIGHT_TIME = 0.015  # s without a foot on the ground from which on the body is taken to fly
# s in which a body that stands sinks and pushes off with both feet,
# and stands up after it landed on both
STAND_TRANSITION_TIME = 0.6


def interpolate_cosine(knots: Array, values: Array, time: Array) -> Array:
    """Through knots in any order along half cosines, level at each;
    of knots at one moment the first counts.
    """
    order = np.argsort(knots, kind="stable")
    order = order[np.concatenate([[True], np.diff(knots[order]) > 1e-3])]
    knots = knots[order]
    values = values[order]
    k = np.clip(np.searchsorted(knots, time, side="right") - 1, 0, len(knots) - 2)
    u = np.clip((time - knots[k]) / (knots[k + 1] - knots[k]), 0, 1)
    return values[k] + (values[k + 1] - values[k]) * 0.5 * (1 - np.cos(np.pi * u))


def compute_mid_support_time(step: PlannedStep) -> float:
    """Middle of the part of a contact in which its foot carries the body alone or first."""
    f = step.footstep
    return min(f.time, f.strike + 0.5 * step.gait.contact_time) if step.is_standing else f.time


def compute_vertical_offset(
    steps: tuple[PlannedStep, ...],
    time: Array,
    gravity: float,
    drop_at_step: Callable[[PlannedStep], float],
) -> Array:
    """Return the height against that of a walk: parabola in flight, spring between flights,
    gathering for a first one. (n,).

    Args:
        drop_at_step: gives of a step by how much feet leave it for a flight higher
            than they land from it, m.
    """
    height = np.zeros(len(time))
    groups = group_steps(steps)
    flights = [_Flight.from_groups(a, b, gravity, drop_at_step) for a, b in pairwise(groups)]
    for f in flights:
        if f.end - f.begin > MIN_FLIGHT_TIME:
            inside = (time > f.begin) & (time < f.end)
            u = (time[inside] - f.begin) / (f.end - f.begin)
            height[inside] += 0.5 * gravity * (f.end - f.begin) ** 2 * u * (1 - u) + f.drop * (
                0.5 - u
            )
    no_flight = _Flight(0.0, 0.0, 0.0, 0.0)
    for k, (group, before, after) in enumerate(
        zip(groups, [no_flight, *flights], [*flights, no_flight], strict=True)
    ):
        departure_speed = 0.5 * (before.speed + after.speed)
        contact_time = group.lift - group.strike
        if group.steps[0].is_standing:
            height += _compute_stand_height(group, time, before, after=after, gravity=gravity)
        elif (
            0 < k < len(groups) - 1
            and contact_time > 0
            and departure_speed > 0.25 * gravity * MIN_FLIGHT_TIME
        ):
            inside = (time > group.strike) & (time < group.lift)
            u = (time[inside] - group.strike) / contact_time
            height[inside] += _compute_spring_height(
                u, contact_time, departure_speed, gravity
            ) + _compute_drop_correction(u, contact_time, before, after)
    return height


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
    def from_groups(
        a: StepGroup, b: StepGroup, gravity: float, drop_at_step: Callable[[PlannedStep], float]
    ) -> _Flight:
        """The flight between two landings."""
        duration = max(b.strike - a.lift, 0.0)
        mean_drop = (
            0.5 * (drop_at_step(a.steps[0]) + drop_at_step(b.steps[0]))
            if duration > MIN_FLIGHT_TIME
            else 0.0
        )
        return _Flight(a.lift, b.strike, mean_drop, 0.5 * gravity * duration)

    @property
    def drop_speed(self) -> float:
        """By how much its drop makes it slower at its begin and faster at its end, m/s."""
        return self.drop / (self.end - self.begin) if self.drop else 0.0


def compute_run_contact_height(
    u: Array, contact_time: float, flight_time: float, drop: float, gravity: float
) -> Array:
    """Return the height over a contact between two like flights. (n,).

    Args:
        u: (n,) share of the contact.
        contact_time, flight_time: how long they last, s.
        drop: by how much the body leaves higher than it lands, m.
    """
    before = _Flight(0.0, flight_time, drop, 0.5 * gravity * flight_time)
    return _compute_spring_height(
        u, contact_time, before.speed, gravity
    ) + _compute_drop_correction(u, contact_time, before, before)


def _compute_stand_height(
    group: StepGroup, time: Array, before: _Flight, after: _Flight, gravity: float
) -> Array:
    """Height over a stand: it gives way to a landing and stands up again,
    and sinks before a push-off. (n,).
    """
    height = np.zeros(len(time))
    transition_time = min(STAND_TRANSITION_TIME, 0.5 * (group.lift - group.strike))
    for f, end_speed, end_height, u in (
        (
            before,
            before.speed + before.drop_speed,
            -0.5 * before.drop,
            1 - (time - group.strike) / transition_time,
        ),
        (
            after,
            after.speed - after.drop_speed,
            0.5 * after.drop,
            1 - (group.lift - time) / transition_time,
        ),
    ):
        inside = (u > 0) & (u < 1) & (f.speed > 0)
        v = u[inside]
        # the quintic from rest to a place at a speed, in free fall there
        height[inside] += v**3 * (
            end_height * (10 - 15 * v + 6 * v * v)
            + end_speed * transition_time * (-4 + 7 * v - 3 * v * v)
            - 0.5 * gravity * transition_time**2 * (1 - v) ** 2
        )
    return height


def _compute_drop_correction(u: Array, duration: float, before: _Flight, after: _Flight) -> Array:
    """What a contact adds to its spring where the body leaves it higher than it came: a quintic, no
    forces at its ends. (n,).
    """
    low = -0.5 * before.drop
    high = 0.5 * after.drop
    rise_blend = u**3 * (10 - 15 * u + 6 * u * u)
    end_slope = u**3 * (-4 + 7 * u - 3 * u * u)
    start_slope = u - u**3 * (6 - 8 * u + 3 * u * u)
    return np.asarray(
        low
        + (high - low) * rise_blend
        - duration * (before.drop_speed * start_slope + after.drop_speed * end_slope)
    )


def _compute_spring_height(
    u: Array, duration: float, departure_speed: float, gravity: float
) -> Array:
    """Height over a contact that a body comes to and leaves with a speed:
    a force between a sine and its square.

    People's peaks are a little sharper than a sine: 2.5 body weights at 3 m/s.

    Args:
        u: (n,) share of the contact.
        departure_speed: speed at its begin downward, at its end upward, m/s.
    """
    # the mean force takes the weight and turns the speed round;
    # sine and squared sine have means of 2 / pi and 1 / 2
    peak_force = (gravity + 2 * departure_speed / duration) / (
        SQUARED_SINE_SHARE * 0.5 + (1 - SQUARED_SINE_SHARE) * 2 / np.pi
    )
    sine_value = np.sin(np.pi * u)
    sine_integral = u / np.pi - sine_value / np.pi**2
    squared_integral = 0.25 * u**2 - 0.25 * sine_value**2 / np.pi**2
    ballistic_drop = departure_speed * u / duration + 0.5 * gravity * u**2
    return duration**2 * (
        peak_force
        * (SQUARED_SINE_SHARE * squared_integral + (1 - SQUARED_SINE_SHARE) * sine_integral)
        - ballistic_drop
    )
