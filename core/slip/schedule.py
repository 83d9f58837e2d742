"""Schedule of phases (section 4.4, figure 4), and parameters (equations 2, 12, 15 and 16)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .body import SlipBody
from .command import StepGoal
from .state import SlipState

Array = NDArray[np.float64]

# The 23 parameters of the paper and one more: each step has an angular acceleration of its heading
PARAMETER_COUNT = 24

# Indices of the durations [s]; phases 3 and 4 exclude each other and share one
T1, T2, T34, T5, T6 = range(5)
# Indices of the parameters: angular accelerations of both steps [rad/s^2]
TURN_A = 5
TURN_B = 6
# Touchdown of foot B relative to the CoM, in the frame of the heading [m], equation 16
FOOT = slice(7, 9)
# Five knots of the CoP: bilinear coordinates in the support region, -1 to 1 (section 5.3)
COP = slice(9, 19)
# Five knots of the spring's rest length, as the acceleration it causes at standing height [m/s^2]
REST_LENGTH = slice(19, 24)

# Typical magnitude of a change of each parameter; searches are scaled by it
PARAMETER_SCALE = np.array([0.1] * 5 + [2.0] * 2 + [0.1] * 2 + [1.0] * 10 + [3.0] * 5)

PhaseKind = Literal["double", "single", "flight"]
CopBase = Literal["both", "A", "B"]


@dataclass(frozen=True)
class PhaseSlot:
    """One phase of a schedule, and the parameters that control it.

    Feet: A carries the first step, O is the place that the other foot leaves, B the one where it
    touches down.
    """

    phase_number: int  # in figure 4
    kind: PhaseKind
    duration_index: int  # index of the duration T
    acceleration_index: int = TURN_A  # index of the heading's angular acceleration
    knot_indices: tuple[int, int] = (0, 0)  # first and last knot of CoP and rest length
    # Support regions in which the CoP begins and ends
    cop_bases: tuple[CopBase, CopBase] = ("A", "A")
    feet: str = ""  # names of the feet on the ground

    @property
    def trailing_foot(self) -> str:
        """Foot that lifts off after this phase."""
        return "O" if self.phase_number == 1 else "A"

    @property
    def is_first_step(self) -> bool:
        """Whether the phase belongs to the step that foot A carries."""
        return self.phase_number <= 3


DOUBLE = PhaseSlot(
    1,
    "double",
    T1,
    acceleration_index=TURN_A,
    knot_indices=(0, 1),
    cop_bases=("both", "A"),
    feet="AO",
)
STAND = PhaseSlot(
    1,
    "double",
    T1,
    acceleration_index=TURN_A,
    knot_indices=(0, 1),
    cop_bases=("both", "both"),
    feet="AO",
)
SINGLE = PhaseSlot(
    2, "single", T2, acceleration_index=TURN_A, knot_indices=(1, 2), cop_bases=("A", "A"), feet="A"
)
FLIGHT = PhaseSlot(3, "flight", T34, TURN_A)
EXCHANGE = PhaseSlot(
    4,
    "double",
    T34,
    acceleration_index=TURN_B,
    knot_indices=(2, 3),
    cop_bases=("A", "B"),
    feet="AB",
)
SECOND = PhaseSlot(
    5, "single", T5, acceleration_index=TURN_B, knot_indices=(3, 4), cop_bases=("B", "B"), feet="B"
)
LAST_FLIGHT = PhaseSlot(6, "flight", T6, TURN_B)


@dataclass(frozen=True)
class ScheduleLimits:
    """Bounds of the parameters, apart from those that depend on the state."""

    # Upper bounds of the durations only keep a search from steps without end. The three of a walk
    # are above those of slow human steps, which take 1.1 s with 0.3 s of double support
    max_double_time: float = 0.5  # [s] T1, above the 0.3 s of slow human steps
    max_single_time: float = 0.8  # [s] T2, that of slow human steps
    max_exchange_time: float = 0.4  # [s] T4, above the 0.3 s of slow human steps
    # [s] T3 of a run: a leap of 0.44 m
    max_flight_time: float = 0.6
    # [s] T3 that remains in a flight: a fall of 3 m
    max_fall_time: float = 0.8
    # [s] T5. Numerical: a phase of no time has no accelerations
    min_second_time: float = 0.05
    max_second_time: float = 0.9  # [s] T5, without double support before it
    max_last_flight_time: float = 0.4  # [s] T6: a leap of 0.2 m
    # [s] T1 of a standing body, the step time of a walk in table 1
    stand_lookahead: float = 0.6
    # [s] T2 of a swing that has not begun, less than any human one
    min_swing_time: float = 0.15
    # [rad/s^2] angular acceleration in the first step: 52 degrees in a human step of 0.6 s, half of
    # which brakes
    max_turn_a: float = 10.0
    max_turn_b: float = 8.0  # [rad/s^2] in the second step, 41 degrees of a human step likewise
    # Largest distance of foot B from the CoM along each axis, as a share of the leg, equation 28
    foot_reach: float = 0.5
    # Rearmost CoP at lift-off, as a share of the half sole length ahead of its center: of a run
    run_push_off_point: float = 0.5
    # The same of a walk whose heels rise, and of a foot whose heel has risen: the front end of the
    # sole, at the ball
    ball_point: float = 1.0
    # Foremost CoP of a foot whose heel has risen, likewise: at the toes
    max_tip_point: float = 1.5
    # [m/s^2] by which the spring may be weaker than the weight: legs carry half of it at least
    max_spring_deficit: float = 5.0
    # [m/s^2] by which the spring may be stronger: three body weights, as in human runs
    max_spring_excess: float = 20.0


@dataclass(frozen=True)
class GuessParameters:
    """Initial guess of the durations [s] and of foot B [m].

    Numerical: the search changes it; flights of human runs take 0.1 to 0.2 s.
    """

    run_times: tuple[float, ...] = (0.02, 0.25, 0.12, 0.25, 0.12)  # T1 to T6
    double_time: float = 0.1  # T1 and T4 of a walk
    single_share: float = 0.8  # T2 and T5 of a walk, as a share of the time of a step
    min_single_time: float = 0.1  # T2 that is left
    foot_share: float = 0.35  # place of foot B ahead, as a share of the length of a step
    max_foot_ahead: float = 0.3
    foot_aside: float = 0.1  # place of foot B to its side
    # A step toward a foothold behind a gap
    min_speed: float = 1.0  # [m/s] of the body toward it
    min_flight_time: float = 0.1  # [s]
    max_flight_time: float = 0.3  # [s]


LIMITS = ScheduleLimits()
GUESS = GuessParameters()


@dataclass(frozen=True)
class ParameterBounds:
    """Bounds of the parameters. Those of absent phases are fixed."""

    lower: Array  # (24,)
    upper: Array  # (24,)

    @property
    def free_indices(self) -> NDArray[np.int64]:
        """Indices of the parameters that are not fixed. (f,)."""
        return np.flatnonzero(self.upper - self.lower > 1e-9)

    def clamp(self, u: Array) -> Array:
        """Clip parameters to the bounds. (..., 24) -> (..., 24)."""
        return np.minimum(np.maximum(u, self.lower), self.upper)


@dataclass(frozen=True)
class PhaseTimeLimits:
    """Limits of the phase durations [s] that depend on the state of the feet.

    The defaults are no limits, so that durations have those of equations 2 and 12 alone.
    """

    min_double: float = 0.0  # T1
    min_single: float = 0.0  # T2
    min_flight: float = 0.0  # T3
    min_exchange: float = 0.0  # T4
    max_double: float = np.inf  # T1


def build_schedule(state: SlipState, goal: StepGoal) -> tuple[PhaseSlot, ...]:
    """Return the phases of a preview, from the current one on."""
    if goal.gait == "stand" and state.support == "double":
        return (STAND,)
    if goal.has_flight:
        following: tuple[PhaseSlot, ...] = (SINGLE, FLIGHT, SECOND, LAST_FLIGHT)
    else:
        following = (SINGLE, EXCHANGE, SECOND)
    if state.support == "double":
        return (DOUBLE, *following)
    if state.support == "flight":
        return (FLIGHT, SECOND, LAST_FLIGHT) if goal.has_flight else (FLIGHT, SECOND)
    return following


def compute_bounds(
    state: SlipState, goal: StepGoal, body: SlipBody, time_limits: PhaseTimeLimits
) -> ParameterBounds:
    """Compute the bounds of the parameters (section 5.3)."""
    lower = np.full(PARAMETER_COUNT, -1.0)
    upper = np.full(PARAMETER_COUNT, 1.0)
    bounds = ParameterBounds(lower, upper)
    _bound_durations(bounds, state, goal, time_limits)
    _bound_cop(bounds, state, goal)
    lower[TURN_A] = -LIMITS.max_turn_a
    upper[TURN_A] = LIMITS.max_turn_a
    lower[TURN_B] = -LIMITS.max_turn_b
    upper[TURN_B] = LIMITS.max_turn_b
    upper[FOOT] = LIMITS.foot_reach * body.leg_length  # eq. 28
    lower[FOOT] = -LIMITS.foot_reach * body.leg_length
    lower[REST_LENGTH] = -LIMITS.max_spring_deficit
    upper[REST_LENGTH] = LIMITS.max_spring_excess
    return bounds


def _bound_durations(
    bounds: ParameterBounds, state: SlipState, goal: StepGoal, time_limits: PhaseTimeLimits
) -> None:
    """Set the bounds of the durations, in place."""
    lower = bounds.lower
    upper = bounds.upper
    lower[:5] = 0.0
    upper[:5] = (
        LIMITS.max_double_time,
        LIMITS.max_single_time,
        LIMITS.max_exchange_time,
        LIMITS.max_second_time,
        LIMITS.max_last_flight_time,
    )
    lower[T5] = LIMITS.min_second_time
    slots = build_schedule(state, goal)
    if state.support == "double":
        lower[T2] = LIMITS.min_swing_time
    lower[T2] = max(lower[T2], time_limits.min_single)
    upper[T2] = max(upper[T2], lower[T2])
    upper[T1] = min(upper[T1], time_limits.max_double)
    lower[T1] = min(time_limits.min_double, upper[T1])
    if state.support == "flight":
        lower[T34] = time_limits.min_flight
        upper[T34] = LIMITS.max_fall_time
    elif goal.has_flight:
        upper[T34] = LIMITS.max_flight_time
    else:
        lower[T34] = time_limits.min_exchange
    if slots == (STAND,):
        lower[T1] = upper[T1] = LIMITS.stand_lookahead
    used = {slot.duration_index for slot in slots}
    for k in set(range(5)) - used:
        lower[k] = upper[k] = 0.0


def _bound_cop(bounds: ParameterBounds, state: SlipState, goal: StepGoal) -> None:
    """Narrow the bounds of the CoP for feet whose heel rises or has risen, in place."""
    if goal.has_flight or goal.allows_heel_rise:
        # Third and fifth knot, at which the feet push off
        bounds.lower[[COP.start + 4, COP.start + 8]] = (
            LIMITS.run_push_off_point if goal.has_flight else LIMITS.ball_point
        )
    if state.is_on_ball and state.support != "flight":
        knots = [COP.start] if state.support == "double" else [COP.start + 2, COP.start + 4]
        bounds.lower[knots] = LIMITS.ball_point
        bounds.upper[knots] = LIMITS.max_tip_point


def guess_parameters(state: SlipState, goal: StepGoal) -> Array:
    """Return parameters from which a search can start. (24,)."""
    u = np.zeros(PARAMETER_COUNT)
    single_time = GUESS.single_share * goal.step_time
    u[:5] = (
        GUESS.run_times
        if goal.has_flight
        else (GUESS.double_time, single_time, GUESS.double_time, single_time, 0.0)
    )
    if state.support == "single":
        u[T2] = max(u[T2] - state.elapsed, GUESS.min_single_time)
    if state.support == "flight":
        u[T34] = GUESS.min_flight_time
    u[FOOT] = (
        np.clip(GUESS.foot_share * goal.step_length, 0.0, GUESS.max_foot_ahead),
        GUESS.foot_aside * goal.compute_next_side(state.side),
    )
    if goal.uneven_steps is not None and state.support == "single":
        # The time of the step is the distance to the foothold over the speed of the body
        direction = np.array([np.cos(goal.direction), np.sin(goal.direction)])
        speed = max(float(state.velocity[:2] @ direction), GUESS.min_speed)
        time_to_foothold = (
            float((goal.uneven_steps.foot_place - state.com[:2]) @ direction) - u[FOOT.start]
        ) / speed
        u[T34] = np.clip(time_to_foothold - u[T2], GUESS.min_flight_time, GUESS.max_flight_time)
        u[T2] = max(time_to_foothold - u[T34], GUESS.min_single_time)
    return u


def advance_parameters(u: Array, slot: PhaseSlot, seconds: float) -> Array:
    """Advance parameters in time within the first phase of a preview.

    Args:
        u: (24,).
        slot: the first phase.
        seconds: [s] that have elapsed.

    Returns:
        Parameters (24,) that produce the remaining motion.
    """
    parameters = u.copy()
    share = min(seconds / max(u[slot.duration_index], 1e-6), 1.0)
    parameters[slot.duration_index] *= 1 - share
    if slot.kind != "flight":
        first_knot, last_knot = slot.knot_indices
        cop = parameters[COP].reshape(5, 2)
        rest = parameters[REST_LENGTH]
        if slot.cop_bases[0] == slot.cop_bases[1]:
            cop[first_knot] += share * (cop[last_knot] - cop[first_knot])
        rest[first_knot] += share * (rest[last_knot] - rest[first_knot])
    return parameters


def exchange_parameters(u: Array, goal: StepGoal, lands_double: bool) -> Array:
    """Convert parameters at touchdown: foot B becomes foot A, and the second step the first.

    Args:
        u: (24,) of the previous step.
        goal: goals of the steps.
        lands_double: whether the touchdown begins a double support.

    Returns:
        Parameters (24,) of the next step. Its second step is guessed from its first.
    """
    parameters = u.copy()
    cop = u[COP].reshape(5, 2)
    rest = u[REST_LENGTH]
    parameters[T1] = u[T34] if lands_double else 0.0
    parameters[T2] = u[T5]
    parameters[T34] = u[T34]
    parameters[T5] = u[T5]
    parameters[T6] = u[T6]
    if goal.has_flight:
        parameters[T34] = u[T6]
    else:
        parameters[T5] = GUESS.single_share * goal.step_time
    parameters[TURN_A] = u[TURN_B]
    # The lateral direction is mirrored unless the same foot touches down again
    mirror = 1.0, goal.compute_next_side(1.0)
    parameters[FOOT] = u[FOOT] * mirror
    mirrored = cop[3:5] * mirror
    # In double support the weight is still on the old foot
    first_knot = np.array([[0.0, 1.0]]) if lands_double else cop[3:4]
    parameters[COP] = np.concatenate([first_knot, cop[3:5], mirrored]).ravel()
    parameters[REST_LENGTH] = rest[2], rest[3], rest[4], rest[3], rest[4]
    return parameters
