"""Goal objectives as residuals: section 5.1, equations 19-23, and calm turns."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True)
class RunParameters:
    """Goals of a run that the paper does not have."""

    # Share of a step's time that is flight, that of a duty of 0.31, which a human run at 3 m/s has
    flight_share: float = 0.38
    # [m/s] by which a run may exceed the mean speed of its steps. tuned: without a limit runs
    # accelerate until the legs are too short
    speed_margin: float = 0.08
    # [m/s] vertical speed at the end of a preview. Without this and the next bound the optimum
    # falls out of the preview
    max_fall_speed: float = 0.8
    # [m] by which the CoM may be below its standing height at the end of a preview, that of the
    # middle of a human run's stance
    max_height_loss: float = 0.06
    # Weight of the excess vertical speed [m/s] against the missing height [m]: the time [s] in
    # which a landing leg stops it
    fall_speed_factor: float = 0.2


RUN = RunParameters()


def compute_goal_residuals(
    state: SlipState,
    goal: StepGoal,
    body: SlipBody,
    w: SlipWeights,
    rollout: SampledRollout,
    u: Array,
) -> list[Array]:
    """Compute the residuals of the goals; their squares are summed.

    Args:
        state: state at the start.
        goal: goals of the steps.
        body: parameters of the model.
        w: weights.
        rollout: simulation of n candidates.
        u: (n, 24) parameters.

    Returns:
        Arrays (n, k).
    """
    residuals = [
        sqrt(w.heading_acceleration) * u[:, [TURN_A, TURN_B]],
        sqrt(w.heading) * (rollout.end.heading - goal.heading),  # eq. 21
        sqrt(w.heading_rate) * rollout.end.heading_rate,
    ]
    if rollout.touchdown is None:
        return residuals
    n = len(u)
    touchdown = rollout.touchdown
    extensions = _compute_step_extensions(goal, body)
    residuals += [
        _broadcast_column(sqrt(w.landing_heading) * (touchdown.heading - goal.heading), n),
        _broadcast_column(sqrt(w.heading_rate) * touchdown.heading_rate, n),
        _compute_time_residuals(state, goal, w, rollout, extensions),
        *_compute_step_residuals(state, goal, w, rollout, extensions),
    ]
    if state.support != "flight":
        residuals += _compute_rise_residuals(goal, w, rollout)
    if goal.has_flight:
        residuals += [
            _compute_flight_residuals(state, goal, w, rollout, extensions),
            _compute_arrival_residuals(body, w, rollout.end, rollout.feet["B"].height),
            *(
                _broadcast_column(_compute_speed_residual(goal, w, instant), n)
                for instant in (touchdown, rollout.end)
            ),
        ]
    return residuals


def _broadcast_column(values: Array, n: int) -> Array:
    return values if values.shape == (n, 1) else np.full((n, 1), values)


def _compute_step_extensions(goal: StepGoal, body: SlipBody) -> tuple[float, float]:
    """Return by how much each step and its flight are longer than an ordinary one [s]."""
    if goal.leap_height is not None:
        leap_time = 2 * float(np.sqrt(2 * goal.leap_height / body.gravity))
        return max(leap_time - RUN.flight_share * goal.step_time, 0.0), 0.0
    return goal.uneven_steps.extra_times if goal.uneven_steps is not None else (0.0, 0.0)


def _compute_time_residuals(
    state: SlipState,
    goal: StepGoal,
    w: SlipWeights,
    rollout: SampledRollout,
    extensions: tuple[float, float],
) -> Array:
    """Compute the errors of both steps' times, equation 19. (n, 2)."""
    first_step_phases = [k for k, slot in enumerate(rollout.slots) if slot.is_first_step]
    second_step_phases = [k for k, slot in enumerate(rollout.slots) if not slot.is_first_step]
    step_durations = np.stack(
        [
            state.elapsed + rollout.duration[:, first_step_phases].sum(1),
            rollout.duration[:, second_step_phases].sum(1),
        ],
        -1,
    )
    weight = sqrt(w.run_step_time if goal.has_flight else w.step_time)
    return np.asarray(weight * (step_durations - goal.step_time - extensions))


def _compute_step_residuals(
    state: SlipState,
    goal: StepGoal,
    w: SlipWeights,
    rollout: SampledRollout,
    extensions: tuple[float, float],
) -> list[Array]:
    """Compute the errors of both steps' lengths, and of foot B in front of a gap."""
    assert rollout.touchdown is not None
    touchdown_place = rollout.touchdown.place.horizontal
    first_length, second_length = (
        goal.uneven_steps.body_advances
        if goal.uneven_steps is not None
        else ((1 + extensions[0] / goal.step_time) * goal.step_length, goal.step_length)
    )
    residuals = [
        _compute_length_residuals(
            goal, w, touchdown_place - complex(*state.step_origin), first_length
        ),
        _compute_length_residuals(
            goal, w, rollout.end.place.horizontal - touchdown_place, second_length
        ),
    ]
    if goal.uneven_steps is not None:
        place_error = (
            rollout.feet["B"].horizontal - complex(*goal.uneven_steps.foot_place)
        ) * np.exp(-1j * goal.direction)
        residuals.append(sqrt(w.gap_place) * place_error.real)
    return residuals


def _compute_length_residuals(
    goal: StepGoal, w: SlipWeights, displacement: ComplexArray, length: float
) -> Array:
    """Compute the error of a step's length, equation 20, and its lateral part. (n, 1) -> (n, 2)."""
    displacement_along = displacement * np.exp(-1j * goal.direction)
    return np.concatenate(
        [
            sqrt(w.step_length) * (displacement_along.real - length),
            sqrt(w.lateral_step) * displacement_along.imag,
        ],
        -1,
    )


def _compute_rise_residuals(goal: StepGoal, w: SlipWeights, rollout: SampledRollout) -> list[Array]:
    """Compute the errors of the CoM's rise in the first flight, for a leap and for a hop."""
    flight = next((phase for phase in rollout.phases[:3] if isinstance(phase, FlightPhase)), None)
    residuals: list[Array] = []
    if flight is None:
        return residuals
    if goal.leap_height is not None:
        residuals.append(_compute_leap_residual(goal.leap_height, w, flight))
    if goal.hop_height is not None:
        residuals.append(_compute_hop_residual(goal.hop_height, w, flight))
    return residuals


def _compute_leap_residual(height: float, w: SlipWeights, flight: FlightPhase) -> Array:
    """Compare the apex above take-off with `height` [m]: equation 22 with h_start alone. (n, 1)."""
    rising_speed = np.maximum(flight.start_velocity.vertical, 0.0)
    return sqrt(w.hop) * (rising_speed**2 / (2 * flight.gravity) - height)


def _compute_hop_residual(height: float, w: SlipWeights, flight: FlightPhase) -> Array:
    """Compare the rise with `height` [m], equations 22 and 23. (n, 1).

    The height above the end counts up to `height` above that over the start, since a deep fall is
    no hop.
    """
    take_off_speed = flight.start_velocity.vertical
    end = flight.duration
    apex_time = np.clip(take_off_speed / flight.gravity, 0.0, end)
    apex = take_off_speed * apex_time - 0.5 * flight.gravity * apex_time**2  # above the start
    end_height = take_off_speed * end - 0.5 * flight.gravity * end**2
    rise = np.maximum(apex, np.minimum(apex - end_height, apex + height))
    return sqrt(w.hop) * (rise - height)


def _compute_flight_residuals(
    state: SlipState,
    goal: StepGoal,
    w: SlipWeights,
    rollout: SampledRollout,
    extensions: tuple[float, float],
) -> Array:
    """Compute the errors of the flight times that have not begun. (n, flights)."""
    whole_flights = [
        k
        for k, slot in enumerate(rollout.slots)
        if slot.kind == "flight" and (k > 0 or state.support != "flight")
    ]
    flight_times = [
        RUN.flight_share * goal.step_time + extensions[0 if rollout.slots[k].is_first_step else 1]
        for k in whole_flights
    ]
    return np.asarray(sqrt(w.flight) * (rollout.duration[:, whole_flights] - flight_times))


def _compute_speed_residual(goal: StepGoal, w: SlipWeights, instant: BodyInstant) -> Array:
    """Compute the excess of a run's speed over the mean speed of its steps. (n, 1).

    Without it steps of the right length may each end faster than they began, until the legs are too
    short.
    """
    velocity_along = instant.velocity.horizontal * np.exp(-1j * goal.direction)
    return np.asarray(
        sqrt(w.excess_speed)
        * np.maximum(
            velocity_along.real - goal.step_length / goal.step_time - RUN.speed_margin, 0.0
        )
    )


def _compute_arrival_residuals(
    body: SlipBody, w: SlipWeights, final: BodyInstant, ground: Array
) -> Array:
    """Compute missing height and excess vertical speed at the end of the last flight. (n, 2).

    Without them the optimum is to fall, since nothing after the preview counts.
    """
    height_loss = np.maximum(
        ground + body.com_height - RUN.max_height_loss - final.place.vertical, 0.0
    )
    excess_speed = np.maximum(-final.velocity.vertical - RUN.max_fall_speed, 0.0)
    return sqrt(w.arrival) * np.concatenate([height_loss, RUN.fall_speed_factor * excess_speed], -1)
