"""Vertical motion of a body with flights: parabolas, springs between them, and the push-off of a
standing body.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...geometry.curves import smootherstep
from ..footsteps.timing import PlannedStep, StepGroup, group_steps

Array = NDArray[np.float64]

# Share of the force in a contact of a run that follows a squared sine instead of a sine
SQUARED_SINE_SHARE = 0.15
# Time without a foot on the ground above which it is a flight [s]
MIN_FLIGHT_TIME = 0.015
# Time in which a standing body lowers itself for a push-off, or rises after a landing [s], that of
# people that squat at ease
STAND_TRANSITION_TIME = 0.6
# Shortest time for which a body that stands keeps what it interpolates between steps [s]
MIN_STANDING_TIME = 0.05


def interpolate_cosine(knots: Array, values: Array, time: Array) -> Array:
    """Return values interpolated along half cosines, level at each knot. (n,) -> (n,).

    Args:
        knots: (k,) times of the knots in any order; of simultaneous knots the first counts [s].
        values: (k,).
        time: (n,) [s].
    """
    order = np.argsort(knots, kind="stable")
    order = order[np.concatenate([[True], np.diff(knots[order]) > 1e-3])]
    knots = knots[order]
    values = values[order]
    k = np.clip(np.searchsorted(knots, time, side="right") - 1, 0, len(knots) - 2)
    u = np.clip((time - knots[k]) / (knots[k + 1] - knots[k]), 0, 1)
    return values[k] + (values[k + 1] - values[k]) * 0.5 * (1 - np.cos(np.pi * u))


def compute_mid_support_time(step: PlannedStep) -> float:
    """Return the middle of the time for which a foot carries the body alone or first [s]."""
    f = step.footstep
    return min(f.time, f.strike + 0.5 * step.gait.contact_time) if step.is_standing else f.time


def interpolate_steps(steps: Sequence[PlannedStep], values: Sequence[float], time: Array) -> Array:
    """Return values of steps, interpolated along half cosines between them. (n,) -> (n,).

    A body that stands on a foot keeps its value until shortly before the foot lifts, however long
    it stands.
    """
    knots = []
    knot_values = []
    for step, value in zip(steps, values, strict=True):
        knots.append(compute_mid_support_time(step))
        knot_values.append(value)
        if step.is_standing:
            end = step.footstep.lift - 0.5 * step.gait.contact_time
            knots.append(max(end, knots[-1] + MIN_STANDING_TIME))
            knot_values.append(value)
    return interpolate_cosine(np.array(knots), np.array(knot_values), time)


def compute_vertical_offset(
    steps: tuple[PlannedStep, ...],
    time: Array,
    gravity: float,
    drop_at_step: Callable[[PlannedStep], float],
) -> Array:
    """Return the height relative to that of a walk. (n,) -> (n,) [m].

    It is a parabola in flight, a spring between flights, and a push-off from standing before the
    first one.

    Args:
        time: (n,) [s].
        gravity: gravitational acceleration [m/s^2].
        drop_at_step: returns by how much the body is higher at the end of the contact of a step
            than at its begin [m].
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
    """A flight, or a change of support without one.

    Args:
        begin: [s].
        end: [s].
        drop: by how much the body lands lower than it left, relative to the ground [m].
        speed: upward speed at the begin and downward speed at the end, without the drop [m/s].
    """

    begin: float
    end: float
    drop: float
    speed: float

    @staticmethod
    def from_groups(
        a: StepGroup, b: StepGroup, gravity: float, drop_at_step: Callable[[PlannedStep], float]
    ) -> _Flight:
        """Return the flight between two supports."""
        duration = max(b.strike - a.lift, 0.0)
        mean_drop = (
            0.5 * (drop_at_step(a.steps[0]) + drop_at_step(b.steps[0]))
            if duration > MIN_FLIGHT_TIME
            else 0.0
        )
        return _Flight(a.lift, b.strike, mean_drop, 0.5 * gravity * duration)

    @property
    def drop_speed(self) -> float:
        """Reduction of the speed at the begin and its increase at the end due to the drop [m/s]."""
        return self.drop / (self.end - self.begin) if self.drop else 0.0


def compute_run_contact_height(
    u: Array, contact_time: float, flight_time: float, drop: float, gravity: float
) -> Array:
    """Return the height over a contact between two equal flights. (n,) -> (n,) [m].

    Args:
        u: (n,) share of the contact.
        contact_time: duration of the contact [s].
        flight_time: duration of each flight [s].
        drop: by how much the body leaves higher than it lands [m].
        gravity: gravitational acceleration [m/s^2].
    """
    before = _Flight(0.0, flight_time, drop, 0.5 * gravity * flight_time)
    return _compute_spring_height(
        u, contact_time, before.speed, gravity
    ) + _compute_drop_correction(u, contact_time, before, before)


def _compute_stand_height(
    group: StepGroup, time: Array, before: _Flight, after: _Flight, gravity: float
) -> Array:
    """Return the height over a stand. (n,) -> (n,) [m].

    The body yields to a landing and rises again, and lowers itself before a push-off.
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
        # Quintic from rest to a given height and speed with the acceleration of gravity
        height[inside] += v**3 * (
            end_height * (10 - 15 * v + 6 * v * v)
            + end_speed * transition_time * (-4 + 7 * v - 3 * v * v)
            - 0.5 * gravity * transition_time**2 * (1 - v) ** 2
        )
    return height


def _compute_drop_correction(u: Array, duration: float, before: _Flight, after: _Flight) -> Array:
    """Return the correction of the spring of a contact that the body leaves higher than it landed.

    (n,) -> (n,) [m].

    It is a quintic without a force at its ends.

    Args:
        u: (n,) share of the contact.
        duration: duration of the contact [s].
    """
    low = -0.5 * before.drop
    high = 0.5 * after.drop
    rise_blend = smootherstep(u)
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
    """Return the height over a contact that a body enters and leaves with the same speed.

    (n,) -> (n,) [m].

    The force is a mixture of a sine and a squared sine. The force peaks of humans are slightly
    sharper than a sine: 2.5 body weights at 3 m/s.

    Args:
        u: (n,) share of the contact.
        duration: duration of the contact [s].
        departure_speed: downward speed at its begin and upward speed at its end [m/s].
        gravity: gravitational acceleration [m/s^2].
    """
    # The mean force carries the weight and reverses the speed; the means of sine and squared sine
    # are 2 / pi and 1 / 2
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
