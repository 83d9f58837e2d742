"""Which phases a preview has and where its parameters are: section 4.4, equations 2, 12, 15 and 16, figure 4."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .body import SlipBody
from .command import StepWish
from .state import SlipState

Array = NDArray[np.float64]

# the 23 parameters of the paper, and one more: either step has an angular acceleration of its own, which keeps headings calm
SIZE = 24
T1, T2, T34, T5, T6 = range(5)            # durations; only one of phases 3 and 4 is ever there
TURN_A, TURN_B = 5, 6                     # angular accelerations, rad/s^2
FOOT = slice(7, 9)                        # where foot B comes down, from the centre of mass, in the heading's frame, m
COP = slice(9, 19)                        # five knots, bilinear coordinates of the base of support in -1 to 1
REST = slice(19, 24)                      # five knots of the spring's rest length, as accelerations at standing height

SCALE = np.array([0.1] * 5 + [2.0] * 2 + [0.1] * 2 + [1.0] * 10 + [3.0] * 5)      # of a change that matters

Kind = Literal["double", "single", "flight"]
Base = Literal["both", "A", "B"]


@dataclass(frozen=True)
class PhaseSlot:
    """One phase of a schedule: which parameters are its own.

    `ends` are the bases in which the centre of pressure begins and ends, `knots` the numbers of both knots; `feet` those that
    stand: A, the old place O of foot B, or the new one B.
    """

    number: int               # in figure 4
    kind: Kind
    duration: int             # index of T
    turn: int = TURN_A        # index of the angular acceleration
    knots: tuple[int, int] = (0, 0)
    ends: tuple[Base, Base] = ("A", "A")
    feet: str = ""

    @property
    def trailing(self) -> str:
        """The foot that is to leave the ground after this phase."""
        return "O" if self.number == 1 else "A"

    @property
    def first_step(self) -> bool:
        """Whether it belongs to the step that foot A carries."""
        return self.number <= 3


DOUBLE = PhaseSlot(1, "double", T1, TURN_A, (0, 1), ("both", "A"), "AO")
STAND = PhaseSlot(1, "double", T1, TURN_A, (0, 1), ("both", "both"), "AO")
SINGLE = PhaseSlot(2, "single", T2, TURN_A, (1, 2), ("A", "A"), "A")
FLIGHT = PhaseSlot(3, "flight", T34, TURN_A)
EXCHANGE = PhaseSlot(4, "double", T34, TURN_B, (2, 3), ("A", "B"), "AB")
SECOND = PhaseSlot(5, "single", T5, TURN_B, (3, 4), ("B", "B"), "B")
LAST_FLIGHT = PhaseSlot(6, "flight", T6, TURN_B)

LONGEST = (0.5, 0.8, 0.4, 0.9, 0.4)       # s of T1, T2, T3 or T4, T5, T6
STANDS = 0.6          # s that a standing body looks ahead
SWING = 0.15          # s that a swing takes at least
FALLS = 0.8           # s that a flight may still last
REACH = 0.5           # of the leg's length, equation 28
BALL = 0.5            # of a sole's half length, from where ahead a foot that leaves for a flight pushes off
ROLLS = 1.0           # the same of a walk whose heels rise,
TIP = 1.0, 1.5        # and from where to where a foot carries whose heel has risen
SLOWEST, FLIGHTS = 1.0, (0.1, 0.3)         # m/s and s, of what a search begins with
PULL = 5.0            # m/s^2 by which the spring may be weaker than the weight
PUSH = 20.0           # m/s^2 by which it may be stronger


def schedule(state: SlipState, wish: StepWish) -> tuple[PhaseSlot, ...]:
    """Phases from where the body is: the first is the one it is in."""
    if wish.gait == "stand" and state.support == "double":
        return (STAND,)
    if wish.flies:
        ahead: tuple[PhaseSlot, ...] = (SINGLE, FLIGHT, SECOND, LAST_FLIGHT)
    else:
        ahead = (SINGLE, EXCHANGE, SECOND)
    if state.support == "double":
        return (DOUBLE, *ahead)
    if state.support == "flight":
        return (FLIGHT, SECOND, LAST_FLIGHT) if wish.flies else (FLIGHT, SECOND)
    return ahead


@dataclass(frozen=True)
class Floor:
    """Least times in s that phases still take, from what feet can do: of phase 1, 2, 3 and 4; and the longest of phase 1."""

    double: float = 0.0
    single: float = 0.0
    flight: float = 0.0
    exchange: float = 0.0
    latest: float = np.inf


def bounds(state: SlipState, wish: StepWish, body: SlipBody, floor: Floor) -> tuple[Array, Array]:
    """Least and greatest parameters; those of phases that are not there are fixed. Each (24,)."""
    low, high = np.full(SIZE, -1.0), np.full(SIZE, 1.0)
    low[:5], high[:5] = 0.0, LONGEST
    low[T5] = 0.05
    slots = schedule(state, wish)
    if state.support == "double":
        low[T2] = SWING
    low[T2] = max(low[T2], floor.single)
    high[T2] = max(high[T2], low[T2])
    high[T1] = min(high[T1], floor.latest)
    low[T1] = min(floor.double, high[T1])
    if wish.flies:
        high[T34] = 0.6
    if wish.flies or wish.rolls:
        # of the second and the last knot: both feet push off
        low[[COP.start + 4, COP.start + 8]] = BALL if wish.flies else ROLLS
    if state.on_ball and state.support != "flight":
        knots = [COP.start] if state.support == "double" else [COP.start + 2, COP.start + 4]
        low[knots], high[knots] = TIP
    if not wish.flies and state.support != "flight":
        low[T34] = floor.exchange
    if state.support == "flight":
        low[T34], high[T34] = floor.flight, FALLS
    if slots == (STAND,):
        low[T1] = high[T1] = STANDS
    used = {slot.duration for slot in slots}
    for k in set(range(5)) - used:
        low[k] = high[k] = 0.0
    low[TURN_A], high[TURN_A] = -10.0, 10.0
    low[TURN_B], high[TURN_B] = -8.0, 8.0
    low[FOOT], high[FOOT] = -REACH * body.leg, REACH * body.leg                     # eq. 28
    low[REST], high[REST] = -PULL, PUSH
    return low, high


def guess(state: SlipState, wish: StepWish) -> Array:
    """Parameters to begin a search with. (24,)."""
    u = np.zeros(SIZE)
    u[:5] = (0.02, 0.25, 0.12, 0.25, 0.12) if wish.flies else (0.1, 0.8 * wish.seconds, 0.1, 0.8 * wish.seconds, 0.0)
    if state.support == "single":
        u[T2] = max(u[T2] - state.elapsed, 0.1)
    if state.support == "flight":
        u[T34] = 0.1
    u[FOOT] = np.clip(0.35 * wish.length, 0.0, 0.3), 0.1 * wish.side_next(state.side)
    if wish.steps is not None and state.support == "single":
        # to where the foot is to be, as fast as the body is
        way = np.array([np.cos(wish.direction), np.sin(wish.direction)])
        speed = max(float(state.velocity[:2] @ way), SLOWEST)
        lasts = (float((wish.steps.place - state.com[:2]) @ way) - u[FOOT.start]) / speed
        u[T34] = np.clip(lasts - u[T2], *FLIGHTS)
        u[T2] = max(lasts - u[T34], 0.1)
    return u


def advanced(u: Array, slot: PhaseSlot, seconds: float) -> Array:
    """Parameters for the same plan later, still in its first phase. (24,)."""
    out, share = u.copy(), min(seconds / max(u[slot.duration], 1e-6), 1.0)
    out[slot.duration] *= 1 - share
    if slot.kind != "flight":
        first, last = slot.knots
        cop, rest = out[COP].reshape(5, 2), out[REST]
        if slot.ends[0] == slot.ends[1]:
            cop[first] += share * (cop[last] - cop[first])
        rest[first] += share * (rest[last] - rest[first])
    return out


def exchanged(u: Array, wish: StepWish, lands_double: bool) -> Array:
    """Parameters for the next step from those of the last one, once foot B is down and has become A. (24,)."""
    out, cop, rest = u.copy(), u[COP].reshape(5, 2), u[REST]
    out[T1] = u[T34] if lands_double else 0.0
    out[T2], out[T34], out[T5], out[T6] = u[T5], u[T34], u[T5], u[T6]
    if wish.flies:
        out[T34] = u[T6]
    else:
        out[T5] = 0.8 * wish.seconds
    out[TURN_A] = u[TURN_B]
    other = 1.0, wish.side_next(1.0)          # mirrored, where it is the other foot that comes down
    out[FOOT] = u[FOOT] * other
    mirrored = cop[3:5] * other
    first = np.array([[0.0, 1.0]]) if lands_double else cop[3:4]                    # the weight is still on the old foot
    out[COP] = np.concatenate([first, cop[3:5], mirrored]).ravel()
    out[REST] = rest[2], rest[3], rest[4], rest[3], rest[4]
    return out
