"""Run a walker and record its states by the legs of the character."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from ...fullbody.foot_path import FootSupport
from .biped import CENTER, FOOT_1, FOOT_2, HEEL_1, HEEL_2, TOE_1, TOE_2, PlanarBiped
from .controller import Stance
from .simulation import SIMULATION
from .walker import RESTING_POINTS, PlanarWalker
from .walker_policy import POLICY
from .walker_state import TrunkPush, WalkerState

Array = NDArray[np.float64]

# Share of the last step that is done in a stand at its end, below 1 as no step follows.
LAST_SHARE = 1 - 1e-9

# Returns the walker of the step that begins in a state, with the constraints that it is to follow.
ChooseStep = Callable[[PlanarWalker, WalkerState], PlanarWalker]


def keep_step(walker: PlanarWalker, state: WalkerState) -> PlanarWalker:
    """Return the walker itself: all its steps follow the same walk."""
    return walker


@dataclass(frozen=True)
class WalkRecord:
    """States of a walker at n times.

    Args:
        time: [s], shape (n,).
        coordinates: of the planar biped with the legs in the order of the character, shape (n, 9).
        support: of each foot, values of `FootSupport`, shape (n, 2).
        com: center of mass, forward and up [m], shape (n, 2).
        cycle: number of steps done, with the share of the time of the present one as in the input
            walk, shape (n,).
        leg: index of the leg that stands, or is the front one, shape (n,).
        is_fallen: whether the record ends in a fall.
        surface: states of the ground, shape (n, s).
        sole_station: places of ground that moves under heel and ball of each foot, as the ground is
            at rest [m], shape (n, 2, 2).
    """

    time: Array
    coordinates: Array
    support: NDArray[np.int64]
    com: Array
    cycle: Array
    leg: NDArray[np.int64]
    is_fallen: bool
    surface: Array = field(default_factory=lambda: np.zeros((0, 0)))
    sole_station: Array = field(default_factory=lambda: np.zeros((0, 2, 2)))

    @staticmethod
    def join(parts: Sequence[WalkRecord]) -> WalkRecord:
        """Return consecutive records as one."""
        return WalkRecord(
            np.concatenate([part.time for part in parts]),
            np.concatenate([part.coordinates for part in parts]),
            np.concatenate([part.support for part in parts]),
            np.concatenate([part.com for part in parts]),
            cycle=np.concatenate([part.cycle for part in parts]),
            leg=np.concatenate([part.leg for part in parts]),
            is_fallen=parts[-1].is_fallen,
            surface=np.concatenate([part.surface for part in parts]),
            sole_station=np.concatenate([part.sole_station for part in parts]),
        )

    @cached_property
    def _curve(self) -> CubicSpline:
        return CubicSpline(self.time, self.coordinates)

    def interpolate(self, times: Array) -> Array:
        """Return the coordinates of the biped at times [s], (n,) -> (n, 9)."""
        return np.asarray(self._curve(times))

    def sample_cycle(self, times: Array, smoothing: float) -> Array:
        """Return the smoothed `cycle` at times [s], (n,) -> (n,).

        Args:
            times: [s], shape (n,).
            smoothing: deviation over which it is smoothed [s].
        """
        spread = smoothing / SIMULATION.time_step
        return np.interp(times, self.time, gaussian_filter1d(self.cycle, spread, mode="nearest"))

    def sample_surface(self, times: Array) -> Array:
        """Return states of the ground at times [s], (m,) -> (m, s)."""
        after = np.clip(np.searchsorted(self.time, times), 1, len(self.time) - 1)
        begin, end = self.time[after - 1], self.time[after]
        share = np.clip((times - begin) / (end - begin), 0.0, 1.0)[:, None]
        return np.asarray((1 - share) * self.surface[after - 1] + share * self.surface[after])

    @property
    def first_leg(self) -> int:
        """Leg that stands in step 0, after which the legs take turns."""
        return int(np.median((self.leg - np.floor(self.cycle)) % 2))


def record_walk(
    walker: PlanarWalker,
    start: WalkerState,
    seconds: float,
    list_pushes: Callable[[WalkerState], Sequence[TrunkPush]] = lambda state: (),
    progress: Callable[[float], None] = lambda share: None,
    choose_step: ChooseStep = keep_step,
) -> WalkRecord:
    """Return the states of a walker from its start on, until it falls.

    Args:
        walker: walker.
        start: its first state.
        seconds: time to simulate [s].
        list_pushes: pushes on the body in a state.
        progress: called with the share of the time that is done.
        choose_step: called at the start and at each landing.
    """
    state = start
    states: list[WalkerState] = []
    walkers = []
    while True:
        if not states or state.steps > states[-1].steps:
            chosen = choose_step(walker, state)
            state = state if chosen is walker else chosen.begin_step(state)
            walker = chosen
        states.append(state)
        walkers.append(walker)
        if state.time > seconds or walker.is_fallen(state):
            break
        if len(states) % 60 == 0:
            progress(min(state.time / seconds, 1.0))
        state = walker.advance(state, list_pushes(state))
    return collect_states(walkers, states)


def collect_states(walkers: list[PlanarWalker], states: list[WalkerState]) -> WalkRecord:
    """Return consecutive states as a record, each with the walker that is in it."""
    q = np.stack([s.q for s in states])
    leg = np.array([s.leg for s in states])
    biped = walkers[0].biped
    center = biped.locate(q, biped.points[[CENTER]])[:, 0]
    exchanged = leg == 1
    q[exchanged] = q[exchanged][:, [0, 1, 2, 6, 7, 8, 3, 4, 5]]
    support = np.full((len(states), 2), int(FootSupport.SWING))
    kinds = {
        Stance.HEEL: FootSupport.HEEL,
        Stance.FLAT: FootSupport.FLAT,
        Stance.TOES: FootSupport.BALL,
    }
    for k, s in enumerate(states):
        # A heel that still slides as it lands does not rest.
        if s.stance != Stance.HEEL or not _is_sliding(biped, s, HEEL_1):
            support[k, s.leg] = int(kinds[s.stance])
        if s.is_double:
            support[k, 1 - s.leg] = int(FootSupport.BALL)
    _add_feet_beside(walkers, states, support)
    for k in _find_resting_heels(biped, states):
        support[k, 1 - states[k].leg] = int(FootSupport.HEEL)
    return WalkRecord(
        np.array([s.time for s in states]),
        q,
        support,
        np.stack([center.real, center.imag], -1),
        cycle=_measure_cycle(walkers, states),
        leg=leg,
        is_fallen=walkers[-1].is_fallen(states[-1]),
        surface=np.stack([s.surface for s in states]),
        sole_station=_find_sole_stations(walkers, states),
    )


def _find_sole_stations(walkers: list[PlanarWalker], states: list[WalkerState]) -> Array:
    """Return the places of ground that moves under heel and ball of each foot, (n, 2, 2) [m]."""
    if not states[0].surface.size:
        return np.zeros((0, 2, 2))
    biped = walkers[0].biped
    ground = walkers[0].simulation.ground
    q = np.stack([s.q for s in states])
    heels = biped.locate(q, biped.points[[HEEL_1, HEEL_2]])
    toes = biped.locate(q, biped.points[[TOE_1, TOE_2]])
    turn = np.exp(1j * q[:, [2 + FOOT_1, 2 + FOOT_2]])
    balls = toes - 1j * turn * biped.side_view.toe_height
    places = np.stack([heels, balls], -1).real
    stations = [
        [ground.find_station(s.surface, float(x)) for x in on.ravel()]
        for s, on in zip(states, places, strict=True)
    ]
    out = np.array(stations).reshape(places.shape)
    exchanged = np.array([s.leg == 1 for s in states])
    out[exchanged] = out[exchanged][:, ::-1]
    return out


def _add_feet_beside(
    walkers: list[PlanarWalker], states: list[WalkerState], support: NDArray[np.int64]
) -> None:
    """Write contacts of feet beside the one that stands, in steps from and to a stand."""
    step = -1
    furthest = -np.inf
    for k, (walker, state) in enumerate(zip(walkers, states, strict=True)):
        stand = walker.find_constraints(state).stand
        if state.steps != step:
            step = state.steps
            furthest = -np.inf
        if stand is None or state.is_double:
            continue
        # A body that sways back lifts no foot that has come down.
        furthest = max(furthest, float(walker.measure_phase(state).value))
        if furthest < stand.heel_off or furthest >= stand.landing:
            support[k, 1 - state.leg] = int(FootSupport.FLAT)
        elif furthest < stand.lift:
            support[k, 1 - state.leg] = int(FootSupport.BALL)


def _find_resting_heels(biped: PlanarBiped, states: list[WalkerState]) -> list[int]:
    """Return the indices of states whose foot that lands bears weight without sliding any more.

    The walker waits until the whole foot is at rest, which on ground that yields takes 0.03 s.
    """
    out: list[int] = []
    is_sliding = False
    for k in reversed(range(len(states))):
        state = states[k]
        if state.is_double or not state.waited:
            is_sliding = False
            continue
        heel, toe = biped.locate(state.q, biped.points[[HEEL_2, TOE_2]])
        is_sliding |= _is_sliding(biped, state, HEEL_2)
        if not is_sliding and heel.imag < toe.imag - biped.side_view.toe_height:
            out.append(k)
    return out


def _is_sliding(biped: PlanarBiped, state: WalkerState, heel: int) -> bool:
    """Return whether a heel, a row of `PlanarBiped.points`, moves along the path."""
    jacobian = biped.move_points(state.q, state.v, biped.points[[heel]]).jacobian[0]
    return abs(float(jacobian[0] @ state.v)) > POLICY.rest_speed


def _measure_cycle(walkers: list[PlanarWalker], states: list[WalkerState]) -> Array:
    """Return the number of steps done, with the share of the present one, see `WalkRecord`."""
    phase = np.empty(len(states))
    for stance, resting in RESTING_POINTS.items():
        chosen = [k for k, s in enumerate(states) if s.stance == stance]
        if chosen:
            q, v = (np.stack([getattr(states[k], name) for k in chosen]) for name in ("q", "v"))
            rest = np.array([states[k].foot_rest for k in chosen])
            phase[chosen] = walkers[0].biped.measure_leg_angle(q, v, rest, resting).value
    out = []
    for walker, state, angle in zip(walkers, states, phase.tolist(), strict=True):
        gait = walker.find_constraints(state)
        share = float(np.interp(angle, gait.time_phase, gait.time_share))
        out.append(state.steps + (min(share, LAST_SHARE) if gait.ends_standing else share))
    return np.array(out)
