"""States of a walker that walks steadily."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .path_ground import PathGround
from .simulation import PlanarSimulation
from .walker import PlanarWalker
from .walker_state import WalkerState


@dataclass(frozen=True)
class SettlingParameters:
    """How a walk becomes steady.

    Args:
        run_up: time that is simulated before the first frame [s], two to three steps, in which the
            walk from the level start takes in the ground before the clip.
        seconds: least time of walking on level ground [s]: four to five strides, one more than
            there are `extra_gains`.
        most_seconds: time after which the walk is taken as it is [s].
        tolerance: error of the speed of two strides up to which the walk is steady, as a
            share. tuned: without, a clip of `march` was 6 % too fast,
            test_style.test_march_settles_to_its_speed
        extra_gains: multiples of the change of the policy's integral in the first strides that are
            added to it. tuned: without, the integral settles within 10 s, and a clip was 4 % too
            slow, test_style.test_walk_looks_like_its_input
    """

    run_up: float = 1.5
    seconds: float = 5.0
    most_seconds: float = 15.0
    tolerance: float = 0.03
    extra_gains: tuple[float, ...] = (3.0, 2.0, 1.0)


SETTLING = SettlingParameters()


def start_steady(walker: PlanarWalker, speed: float, lead: float, time: float = 0.0) -> WalkerState:
    """Return a state from which the walker reaches the start of its path after a time.

    Its walk has the speed of the input, as the integral of the policy has settled. If the walker
    falls meanwhile, the state is that of its first step.

    Args:
        walker: walker, whose ground is level before the start.
        speed: of the input walk [m/s].
        lead: time from the state to the start of the path [s].
        time: of the state [s].
    """
    friction = walker.simulation.friction
    level = replace(walker, simulation=PlanarSimulation(walker.biped, PathGround.level(), friction))
    first = level.start()
    state = last = first
    paces = (speed, speed)
    gains = iter(SETTLING.extra_gains)
    while state.time < SETTLING.seconds or not _is_steady(paces, speed, state.time):
        state = level.advance(state)
        if level.is_fallen(state):
            state = first
            paces = (speed, speed)
            break
        if state.steps > last.steps + 1:
            pace = float(state.q[0] - last.q[0]) / (state.time - last.time)
            paces = (paces[1], pace)
            change = next(gains, 0.0) * (state.integral - last.integral)
            last = state = replace(state, integral=state.integral + change)
    height = walker.simulation.ground.rest.locate(0.0).height
    q = state.q.copy()
    q[0] = -paces[1] * lead
    q[1] += height
    blend = state.blend and replace(state.blend, begin=state.blend.begin - state.time + time)
    surface = walker.simulation.ground.make_state()
    return replace(state, time=time, q=q, blend=blend, steps=0, surface=surface)


def _is_steady(paces: tuple[float, float], speed: float, time: float) -> bool:
    """Return whether a walk need not settle further at a time [s].

    Args:
        paces: speeds of the last two strides [m/s].
        speed: of the input walk [m/s].
        time: time of walking [s].
    """
    worst = max(abs(pace - speed) for pace in paces)
    return worst < SETTLING.tolerance * speed or time > SETTLING.most_seconds
