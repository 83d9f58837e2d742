"""The receding horizon: one plan a footstep, each taking over from the last where that one's next contact is at its middle.

Source: Kwon et al. 2020, section 5.1, in a condensed form. Forces are the only unknowns besides the footsteps' shifts, the
centre of mass is their exact double integral, so the equation of motion (10) holds at every instant and not only at keys.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..errors import FootfallError
from ..motion.easing import Easing
from ..motion.footstep import Footstep
from .body import Body, Carried
from .external import ExternalForce
from .gauss_newton import Solution, iterate
from .horizon import Horizon, Stance, State, turning
from .legs import overstepped
from .linearization import Base, Goal, reference_base
from .pacing import Pacing
from .reference import PlanReference
from .result import Piece
from .warm_start import Memory, WindowKey
from .weights import PlanLimits, PlanWeights

Array = NDArray[np.float64]

SMALL_STEP = 0.25        # body weights
SAME = 1e-9              # m by which the ground may take a footstep elsewhere before that counts
AT_ONCE = 0.02           # s within which two feet land at once
BENT = 2.0                # m/s, of a fall that has a leg come down as bent as one that catches a body must
EASED = 0.01              # m that a leg's limit is overstepped before a frame counts as relaxed

Replace = Callable[[int, Array], Footstep]
Room = Callable[[int], Array | None]
Roots = Callable[[NDArray[np.int64], Array], Array]


@dataclass
class Planner:
    """Plans a clip.

    Args:
        reference: the wished-for course.
        footsteps: from the sketch, in order of their middles.
        foot_points: heel and ball of each leg relative to the sole's middle, in the sole's frame, (limbs, 2, 3); 0 for hands.
        put: places footstep k anew with its middle over a place (2,).
        known: coefficients of an earlier pass, by footstep, point and begin of the window.
        carried: where the body is at the start; None to begin at time 0 on the wished-for course.
        external: pushes; a plan that begins before a push does not know of it.
        roots: where limbs (s,) begin against the centre of mass at times (n,), world axes, (s, n, 3); in that itself unless given.
        pacing: where one plan takes over from another, and how finely each is resolved.
        bent: footsteps onto which a leg is to come down bent, as if the body fell on it.
        room: the least and the most that footstep k may be shifted along x and y, (2, 2) m; None as far as the limits allow.
    """

    body: Body
    reference: PlanReference
    footsteps: list[Footstep]
    foot_points: Array
    put: Replace
    weights: PlanWeights
    limits: PlanLimits
    iterations: int = 4
    known: dict[WindowKey, Array] = field(default_factory=dict)
    carried: Carried | None = None
    external: tuple[ExternalForce, ...] = ()
    pacing: Pacing = field(default_factory=Pacing)
    room: Room = lambda k: None
    bent: frozenset[int] = frozenset()
    roots: Roots | None = None

    def __post_init__(self) -> None:
        self._room = cache(self.room)
        self._fallen = self._falls()
        self._windows = [self.pacing.windows(f) for f in self.footsteps]
        self._memory = Memory(self._windows, self.known, self.pacing.count)
        if self.carried is None:
            self._time, self._state = 0.0, self._first_state()
        else:
            self._time, self._state = self.carried.time, self.carried.state
            self._memory.adopt(self._time, self.carried.forces)

    def plan(self, until: float, shiftable: bool, progress: Callable[[float], None] = lambda share: None,
             exact: bool = False) -> tuple[Piece, ...]:
        """Plan on to at least `until`.

        Args:
            shiftable: whether footsteps may still be shifted.
            progress: told the share done after each piece.
            exact: plan to `until` itself, where something else takes over.
        """
        pieces: list[Piece] = []
        begin = self._time
        for start, end, horizon_end in self.pacing.pieces(self.footsteps, begin, until, exact):
            piece, self._state = self._piece(start, end, horizon_end, self._state, shiftable)
            pieces.append(piece)
            progress(min((end - begin) / max(until - begin, 1e-9), 1.0))
            self._time = end
        return tuple(pieces)

    def undergo(self, until: float) -> Piece:
        """Go on with the forces as they were planned, whatever happens to the body (Kwon et al. 2020, section 5.2)."""
        h = self._horizon(self._time, until, until, self._state, False, known=until)
        coefficients = self._memory.last(h)
        positions = np.stack([s.position for s in h.stances]) if h.stances else np.zeros((0, 3))
        out = turning(h, coefficients, positions)
        last = h.nodes - 1
        self._state = State(out.com[2 * last], out.velocity[2 * last], out.rotation[last], out.momentum[2 * last])
        self._time = until
        return Piece(h, until, coefficients, positions, out, ())

    @property
    def now(self) -> Carried:
        """The body where the last piece left it."""
        return Carried(self._time, self._state, self._memory.under_way(self._time, self.footsteps))

    @property
    def shapes(self) -> dict[WindowKey, Array]:
        """Coefficients for another pass to begin from."""
        return self._memory.shape

    def _falls(self) -> Array:
        """Speed at which the body comes down on each footstep out of a flight, m/s; on both of two that land at once."""
        strike = np.array([f.strike for f in self.footsteps])
        down = np.maximum.accumulate([f.lift for f in self.footsteps])
        flights = np.append(0.0, np.maximum(strike[1:] - down[:-1], 0.0))
        for k in range(1, len(flights)):
            if strike[k] - strike[k - 1] < AT_ONCE:
                flights[k] = max(flights[k], flights[k - 1])
        return np.asarray(0.5 * self.body.gravity * flights)

    def _first_state(self) -> State:
        zero = np.zeros(1)
        wished = self.reference.at(zero)
        rotation = wished.rotation[0]
        scale = self.body.mass * self.body.gravity
        inertia = rotation @ self.body.inertia(zero)[0] @ rotation.T
        momentum = inertia @ wished.spin[0] + self.body.limb_momentum(zero)[0]
        return State(wished.com[0], wished.velocity[0], rotation, momentum / scale)

    def _piece(self, start: float, end: float, horizon_end: float, state: State, shiftable: bool) -> tuple[Piece, State]:
        h = self._horizon(start, end, horizon_end, state, shiftable)
        last = int(round((end - start) / h.dt))
        found = self._solve(h, last)
        coefficients, positions, out = found.coefficients, found.positions, found.out
        if shiftable:
            # what is carried out are the footsteps as the ground takes them; those to come push only after the end
            self._commit(h, positions, end)
            h = replace(h, stances=tuple(self._stance(s.step, True) if s.free else s for s in h.stances))
            taken = np.stack([s.position for s in h.stances])
            if np.abs(taken - positions)[[s.begin <= end for s in h.stances]].max(initial=0.0) > SAME:
                out = h.roll_out(coefficients, taken, out.rotation)
            positions = taken
        self._memory.remember(h, coefficients)
        state = State(out.com[2 * last], out.velocity[2 * last], out.rotation[last], out.momentum[2 * last])
        eased = [Easing(s.begin, s.end, "arm" if s.grip else "reach")
                 for k, (s, e) in enumerate(zip(h.stances, found.slack, strict=True))
                 if e > EASED and (s.grip or overstepped(h, k, out, positions[k], self.limits) > EASED)]
        if found.turned:
            eased.append(Easing(start, end, "turn"))
        return Piece(h, end, coefficients, positions, out, tuple(eased)), state

    def _horizon(self, start: float, end: float, horizon_end: float, state: State, shiftable: bool,
                 known: float | None = None) -> Horizon:
        dt = (end - start) / np.ceil((end - start) / self.pacing.node - 1e-9)
        nodes = int(np.ceil((horizon_end - start) / dt)) + 1
        windows: list[tuple[float, float]] = []
        stance_of: list[int] = []
        point_of: list[int] = []
        stances: list[Stance] = []
        for k, own in self._memory.within(start + 1e-4, horizon_end - 1e-4):
            f = self.footsteps[k]
            windows += [(begin, finish) for _, begin, finish in own]
            stance_of += [len(stances)] * len(own)
            point_of += [point for point, _, _ in own]
            stances.append(self._stance(k, shiftable and not f.kept and f.strike > start + 1e-6))
        times = start + 0.5 * dt * np.arange(2 * nodes - 1)
        weight = self.body.mass * self.body.gravity
        roots = None if self.roots is None or not stances else self.roots(np.array([s.leg for s in stances]), times[::2])
        return Horizon(start, nodes, dt, tuple(stances), np.array(windows).reshape(-1, 2), np.array(stance_of, np.int64),
                       np.array(point_of, np.int64), state, self.body.inertia(times) / weight,
                       self.body.limb_momentum(times) / weight, self.body.gravity,
                       tuple(e for e in self.external if e.begin <= (start if known is None else known) + 1e-6 and e.end > start),
                       roots, self.pacing.count)

    def _stance(self, k: int, free: bool) -> Stance:
        f = self.footsteps[k]
        room = self._room(k) if free else None
        fallen = max(self._fallen[k], BENT * (k in self.bent)) if not f.grip else 0.0
        return Stance(k, f.leg, f.position, f.rotation, self.foot_points[f.leg] @ f.rotation.T,
                      free and (room is None or bool(np.ptp(room) > 0)), f.strike, f.lift, fallen, room, f.grip)

    def _solve(self, h: Horizon, last: int) -> Solution:
        """The best that can be had, by the first of three ways that works.

        First about what the plans so far suggest, if they do: mostly one step is enough. Then about the wished course with
        the weight borne straight up, which no guess of forces can mislead. Last only against spinning,
        where the program is convex and settled in one step: the body turns as it will, and the frames are marked.
        """
        wished = self.reference.at(h.times)
        goal = Goal(wished.com[::2], wished.velocity[::2], wished.force[::2], wished.rotation[::2], wished.spin[::2])
        kept, warm = self._memory.kept(h), self._memory.warm(h, goal, self.footsteps)
        found = self._iterated(h, warm, goal, kept, last, SMALL_STEP) if warm is not None else None
        if found is None:
            cold = reference_base(h, wished.com, goal.rotation, goal.spin, wished.spin[1::2],
                                  wished.force if self.pacing.forceful else None)
            found = self._iterated(h, cold, goal, kept, last, 0.0)
        if found is None:
            free = replace(self.weights, rotation=0.0, end=(*self.weights.end[:2], 0.0, self.weights.end[3]))
            found = iterate(h, cold, goal, free, self.limits, kept, last, np.inf, self.iterations)
            if found is None:
                raise FootfallError("The forces could not be planned; this is a fault of Footfall and not of the task. "
                                    "Save the task and report it.")
            found = replace(found, turned=True)
        return found

    def _iterated(self, h: Horizon, base: Base, goal: Goal, kept: tuple[Array, Array] | None, last: int,
                  small: float) -> Solution | None:
        return iterate(h, base, goal, self.weights, self.limits, kept, last, small, self.iterations)

    def _commit(self, h: Horizon, positions: Array, end: float) -> None:
        """Footsteps that land before the next plan keep their shift, put on the ground where that takes them."""
        for stance, position in zip(h.stances, positions, strict=True):
            if stance.free and stance.begin <= end:
                self.footsteps[stance.step] = self.put(stance.step, position[:2])
