"""Which phases a preview has and where its parameters are:
section 4.4, equations 2, 12, 15 and 16, figure 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .body import SlipBody
from .command import StepGoal
from .state import SlipState

Array = NDArray[np.float64]

# the 23 parameters of the paper, and one more: either step has an angular acceleration of its own,
# which keeps headings calm
PARAMETER_COUNT = 24
T1, T2, T34, T5, T6 = range(5)  # durations; only one of phases 3 and 4 is ever there

# angular accelerations, rad/s^2
TURN_A = 5
TURN_B = 6

FOOT = slice(7, 9)  # where foot B comes down, from the centre of mass, in the heading's frame, m
COP = slice(9, 19)  # five knots, bilinear coordinates of the base of support in -1 to 1
# five knots of the spring's rest length, as accelerations at standing height
REST_LENGTH = slice(19, 24)

# of a change that matters
PARAMETER_SCALE = np.array([0.1] * 5 + [2.0] * 2 + [0.1] * 2 + [1.0] * 10 + [3.0] * 5)

PhaseKind = Literal["double", "single", "flight"]
CopBase = Literal["both", "A", "B"]


@dataclass(frozen=True)
class PhaseSlot:
    """One phase of a schedule: which parameters are its own.

    `cop_bases` are the bases in which the centre of pressure begins and ends, `knot_indices` the
    numbers of both knots; `feet` those that stand: A, the old place O of foot B, or the new one B.
    """

    phase_number: int  # in figure 4
    kind: PhaseKind
    duration_index: int  # index of T
    acceleration_index: int = TURN_A  # index of the angular acceleration
    knot_indices: tuple[int, int] = (0, 0)
    cop_bases: tuple[CopBase, CopBase] = ("A", "A")
    feet: str = ""

    @property
    def trailing_foot(self) -> str:
        """The foot that is to leave the ground after this phase."""
        return "O" if self.phase_number == 1 else "A"

    @property
    def is_first_step(self) -> bool:
        """Whether it belongs to the step that foot A carries."""
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

MAX_DURATIONS = (0.5, 0.8, 0.4, 0.9, 0.4)  # s of T1, T2, T3 or T4, T5, T6
STAND_LOOKAHEAD = 0.6  # s that a standing body looks ahead
MIN_SWING_TIME = 0.15  # s that a swing takes at least
MAX_FALL_TIME = 0.8  # s that a flight may still last
FOOT_REACH = 0.5  # of the leg's length, equation 28
# of a sole's half length, from where ahead a foot that leaves for a flight pushes off
RUN_PUSH_OFF_POINT = 0.5
HEEL_RISE_POINT = 1.0  # the same of a walk whose heels rise,
TIP_RANGE = 1.0, 1.5  # and from where to where a foot carries whose heel has risen

# m/s and s, of what a search begins with
MIN_GUESS_SPEED = 1.0
GUESS_FLIGHT_RANGE = (0.1, 0.3)

MAX_SPRING_DEFICIT = 5.0  # m/s^2 by which the spring may be weaker than the weight
MAX_SPRING_EXCESS = 20.0  # m/s^2 by which it may be stronger


def build_schedule(state: SlipState, goal: StepGoal) -> tuple[PhaseSlot, ...]:
    """Phases from where the body is: the first is the one it is in."""
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


@dataclass(frozen=True)
class PhaseTimeLimits:
    """Least times in s that phases still take, from what feet can do: of phase 1, 2, 3 and 4;
    and the longest of phase 1.
    """

    min_double: float = 0.0
    min_single: float = 0.0
    min_flight: float = 0.0
    min_exchange: float = 0.0
    max_double: float = np.inf


def compute_bounds(
    state: SlipState, goal: StepGoal, body: SlipBody, time_limits: PhaseTimeLimits
) -> tuple[Array, Array]:
    """Least and greatest parameters; those of phases that are not there are fixed. Each (24,)."""
    lower = np.full(PARAMETER_COUNT, -1.0)
    upper = np.full(PARAMETER_COUNT, 1.0)
    lower[:5] = 0.0
    upper[:5] = MAX_DURATIONS
    lower[T5] = 0.05
    slots = build_schedule(state, goal)
    if state.support == "double":
        lower[T2] = MIN_SWING_TIME
    lower[T2] = max(lower[T2], time_limits.min_single)
    upper[T2] = max(upper[T2], lower[T2])
    upper[T1] = min(upper[T1], time_limits.max_double)
    lower[T1] = min(time_limits.min_double, upper[T1])
    if goal.has_flight:
        upper[T34] = 0.6
    if goal.has_flight or goal.allows_heel_rise:
        # of the second and the last knot: both feet push off
        lower[[COP.start + 4, COP.start + 8]] = (
            RUN_PUSH_OFF_POINT if goal.has_flight else HEEL_RISE_POINT
        )
    if state.is_on_ball and state.support != "flight":
        knots = [COP.start] if state.support == "double" else [COP.start + 2, COP.start + 4]
        lower[knots], upper[knots] = TIP_RANGE
    if not goal.has_flight and state.support != "flight":
        lower[T34] = time_limits.min_exchange
    if state.support == "flight":
        lower[T34] = time_limits.min_flight
        upper[T34] = MAX_FALL_TIME
    if slots == (STAND,):
        lower[T1] = upper[T1] = STAND_LOOKAHEAD
    used = {slot.duration_index for slot in slots}
    for k in set(range(5)) - used:
        lower[k] = upper[k] = 0.0
    lower[TURN_A] = -10.0
    upper[TURN_A] = 10.0
    lower[TURN_B] = -8.0
    upper[TURN_B] = 8.0
    lower[FOOT], upper[FOOT] = -FOOT_REACH * body.leg_length, FOOT_REACH * body.leg_length  # eq. 28
    lower[REST_LENGTH] = -MAX_SPRING_DEFICIT
    upper[REST_LENGTH] = MAX_SPRING_EXCESS
    return lower, upper


def guess_parameters(state: SlipState, goal: StepGoal) -> Array:
    """Parameters to begin a search with. (24,)."""
    u = np.zeros(PARAMETER_COUNT)
    u[:5] = (
        (0.02, 0.25, 0.12, 0.25, 0.12)
        if goal.has_flight
        else (0.1, 0.8 * goal.step_time, 0.1, 0.8 * goal.step_time, 0.0)
    )
    if state.support == "single":
        u[T2] = max(u[T2] - state.elapsed, 0.1)
    if state.support == "flight":
        u[T34] = 0.1
    u[FOOT] = np.clip(0.35 * goal.step_length, 0.0, 0.3), 0.1 * goal.compute_next_side(state.side)
    if goal.uneven_steps is not None and state.support == "single":
        # to where the foot is to be, as fast as the body is
        direction = np.array([np.cos(goal.direction), np.sin(goal.direction)])
        speed = max(float(state.velocity[:2] @ direction), MIN_GUESS_SPEED)
        time_to_foothold = (
            float((goal.uneven_steps.foot_place - state.com[:2]) @ direction) - u[FOOT.start]
        ) / speed
        u[T34] = np.clip(time_to_foothold - u[T2], *GUESS_FLIGHT_RANGE)
        u[T2] = max(time_to_foothold - u[T34], 0.1)
    return u


def advance_parameters(u: Array, slot: PhaseSlot, seconds: float) -> Array:
    """Parameters for the same plan later, still in its first phase. (24,)."""
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
    """Parameters for the next step from those of the last one,
    once foot B is down and has become A. (24,).
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
        parameters[T5] = 0.8 * goal.step_time
    parameters[TURN_A] = u[TURN_B]
    # mirrored, where it is the other foot that comes down
    mirror = 1.0, goal.compute_next_side(1.0)
    parameters[FOOT] = u[FOOT] * mirror
    mirrored = cop[3:5] * mirror
    # the weight is still on the old foot
    first_knot = np.array([[0.0, 1.0]]) if lands_double else cop[3:4]
    parameters[COP] = np.concatenate([first_knot, cop[3:5], mirrored]).ravel()
    parameters[REST_LENGTH] = rest[2], rest[3], rest[4], rest[3], rest[4]
    return parameters
