"""What the user wants of the steps, as residuals: section 5.1, equations 19-23,
and turns that stay calm.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from .body import SlipBody
from .command import StepGoal
from .phases import ComplexArray, FlightPhase
from .rollout import BodyInstant, SampledRollout
from .schedule import TURN_A, TURN_B
from .state import SlipState
from .weights import SlipWeights

Array = NDArray[np.float64]

FLIGHT_SHARE = 0.38  # of a run's step that is flight
SPEED_MARGIN = 0.08  # m/s that a run may be faster than its steps are to be
MAX_FALL_SPEED = 0.8  # m/s that it may fall with when the preview ends, and
MAX_HEIGHT_LOSS = 0.06  # m that it may then be below the height of standing


def compute_goal_residuals(
    state: SlipState,
    goal: StepGoal,
    body: SlipBody,
    w: SlipWeights,
    rollout: SampledRollout,
    u: Array,
) -> list[Array]:
    """Each (n, k), to be squared and summed."""
    turn = sqrt(w.heading_acceleration) * u[:, [TURN_A, TURN_B]]
    heading = sqrt(w.heading) * (rollout.end.heading - goal.heading)  # eq. 21
    residuals = [turn, heading, sqrt(w.heading_rate) * rollout.end.heading_rate]
    n = len(u)
    if rollout.touchdown is None:
        return residuals
    touchdown = rollout.touchdown
    residuals += [
        _broadcast_column(sqrt(w.landing_heading) * (touchdown.heading - goal.heading), n),
        _broadcast_column(sqrt(w.heading_rate) * touchdown.heading_rate, n),
    ]
    first_step_phases = [k for k, slot in enumerate(rollout.slots) if slot.is_first_step]
    second_step_phases = [k for k, slot in enumerate(rollout.slots) if not slot.is_first_step]
    step_durations = np.stack(
        [
            state.elapsed + rollout.duration[:, first_step_phases].sum(1),
            rollout.duration[:, second_step_phases].sum(1),
        ],
        -1,
    )
    extensions = _compute_step_extensions(goal, body)
    time_weight = sqrt(w.run_step_time if goal.has_flight else w.step_time)
    residuals.append(time_weight * (step_durations - goal.step_time - extensions))  # eq. 19
    first_length, second_length = (
        goal.uneven_steps.body_advances
        if goal.uneven_steps is not None
        else ((1 + extensions[0] / goal.step_time) * goal.step_length, goal.step_length)
    )
    residuals += [
        _compute_length_residuals(
            goal, w, touchdown.place.horizontal - complex(*state.step_origin), first_length
        ),
        _compute_length_residuals(
            goal, w, rollout.end.place.horizontal - touchdown.place.horizontal, second_length
        ),
    ]
    if goal.uneven_steps is not None:
        place_error = (
            rollout.feet["B"].horizontal - complex(*goal.uneven_steps.foot_place)
        ) * np.exp(-1j * goal.direction)
        residuals.append(sqrt(w.gap_place) * place_error.real)
    if goal.leap_height is not None and state.support != "flight":
        residuals += [
            _compute_leap_residual(goal.leap_height, w, phase)
            for phase in rollout.phases[:3]
            if isinstance(phase, FlightPhase)
        ][:1]
    if goal.hop_height is not None and state.support != "flight":
        residuals += [
            _compute_hop_residual(goal.hop_height, w, phase)
            for phase in rollout.phases[:3]
            if isinstance(phase, FlightPhase)
        ][:1]
    if goal.has_flight:
        whole_flights = [
            k
            for k, slot in enumerate(rollout.slots)
            if slot.kind == "flight" and (k > 0 or state.support != "flight")
        ]
        flight_times = [
            FLIGHT_SHARE * goal.step_time + extensions[0 if rollout.slots[k].is_first_step else 1]
            for k in whole_flights
        ]
        residuals.append(sqrt(w.flight) * (rollout.duration[:, whole_flights] - flight_times))
        residuals.append(_compute_arrival_residuals(body, w, rollout.end, rollout.feet["B"].height))
        residuals += [
            _broadcast_column(_compute_speed_residual(goal, w, instant), n)
            for instant in (touchdown, rollout.end)
        ]
    return residuals


def _broadcast_column(values: Array, n: int) -> Array:
    return np.broadcast_to(values, (n, 1))


def _compute_step_extensions(goal: StepGoal, body: SlipBody) -> tuple[float, float]:
    """s that either step lasts, and flies, longer than an ordinary one."""
    if goal.leap_height is not None:
        return max(
            2 * float(np.sqrt(2 * goal.leap_height / body.gravity)) - FLIGHT_SHARE * goal.step_time,
            0.0,
        ), 0.0
    return goal.uneven_steps.extra_times if goal.uneven_steps is not None else (0.0, 0.0)


def _compute_length_residuals(
    goal: StepGoal, w: SlipWeights, displacement: ComplexArray, length: float
) -> Array:
    """Equation 20, and across the direction of travel nothing. (n, 1) -> (n, 2)."""
    displacement_along = displacement * np.exp(-1j * goal.direction)
    return np.concatenate(
        [
            sqrt(w.step_length) * (displacement_along.real - length),
            sqrt(w.lateral_step) * displacement_along.imag,
        ],
        -1,
    )


def _compute_speed_residual(goal: StepGoal, w: SlipWeights, instant: BodyInstant) -> Array:
    """What a run is too fast, (n, 1): steps of the right length may each end faster than they
    began, until legs are too short.
    """
    velocity_along = instant.velocity.horizontal * np.exp(-1j * goal.direction)
    return np.asarray(
        sqrt(w.excess_speed)
        * np.maximum(velocity_along.real - goal.step_length / goal.step_time - SPEED_MARGIN, 0.0)
    )


def _compute_leap_residual(height: float, w: SlipWeights, flight: FlightPhase) -> Array:
    """How far the apex is from a height above the take-off:
    equation 22 without the fall of 23. (n, 1).
    """
    rising_speed = np.maximum(flight.start_velocity.vertical, 0.0)
    return sqrt(w.hop) * (rising_speed**2 / (2 * flight.gravity) - height)


def _compute_hop_residual(height: float, w: SlipWeights, flight: FlightPhase) -> Array:
    """Equations 22 and 23. (n, 1)."""
    take_off_speed = flight.start_velocity.vertical
    end = flight.duration
    apex_time = np.clip(take_off_speed / flight.gravity, 0.0, end)
    apex = take_off_speed * apex_time - 0.5 * flight.gravity * apex_time**2  # above the start
    end_height = take_off_speed * end - 0.5 * flight.gravity * end**2
    rise = np.maximum(apex, np.minimum(apex - end_height, apex + height))  # a deep fall is no hop
    return sqrt(w.hop) * (rise - height)


def _compute_arrival_residuals(
    body: SlipBody, w: SlipWeights, final: BodyInstant, ground: Array
) -> Array:
    """A last flight that can be landed from: without it the optimum is to fall. (n, 2)."""
    height_loss = np.maximum(ground + body.com_height - MAX_HEIGHT_LOSS - final.place.vertical, 0.0)
    excess_speed = np.maximum(-final.velocity.vertical - MAX_FALL_SPEED, 0.0)
    return sqrt(w.arrival) * np.concatenate([height_loss, 0.2 * excess_speed], -1)
