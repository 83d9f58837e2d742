"""What the user wants of the steps, as residuals: section 5.1, equations 19-23, and turns that stay calm."""
from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from .body import SlipBody
from .command import StepWish
from .phases import Flight, Plane
from .rollout import Moment, Rollout
from .schedule import TURN_A, TURN_B
from .state import SlipState
from .weights import SlipWeights

Array = NDArray[np.float64]

FLIES = 0.38          # of a run's step that is flight
FASTER = 0.08         # m/s that a run may be faster than its steps are to be
FALLING = 0.8         # m/s that it may fall with when the preview ends, and
SUNK = 0.06           # m that it may then be below the height of standing


def goals(state: SlipState, wish: StepWish, body: SlipBody, w: SlipWeights, out: Rollout, u: Array) -> list[Array]:
    """Each (n, k), to be squared and summed."""
    turn = sqrt(w.turn) * u[:, [TURN_A, TURN_B]]
    heading = sqrt(w.heading) * (out.end.heading - wish.heading)                           # eq. 21
    found = [turn, heading, sqrt(w.spin) * out.end.turning]
    n = len(u)
    if out.touchdown is None:
        return found
    down = out.touchdown
    found += [_column(sqrt(w.landing) * (down.heading - wish.heading), n), _column(sqrt(w.spin) * down.turning, n)]
    first = [k for k, slot in enumerate(out.slots) if slot.first_step]
    later = [k for k, slot in enumerate(out.slots) if not slot.first_step]
    lasts = np.stack([state.elapsed + out.duration[:, first].sum(1), out.duration[:, later].sum(1)], -1)
    longer = _longer(wish, body)
    timed = sqrt(w.cadence if wish.flies else w.seconds)
    found.append(timed * (lasts - wish.seconds - longer))                   # eq. 19
    one, other = wish.steps.goes if wish.steps is not None else ((1 + longer[0] / wish.seconds) * wish.length, wish.length)
    found += [_length(wish, w, down.place.plane - complex(*state.origin), one),
              _length(wish, w, out.end.place.plane - down.place.plane, other)]
    if wish.steps is not None:
        off = (out.feet["B"].plane - complex(*wish.steps.place)) * np.exp(-1j * wish.direction)
        found.append(sqrt(w.paced) * off.real)
    if wish.leap is not None and state.support != "flight":
        found += [_leap(wish.leap, w, phase) for phase in out.phases[:3] if isinstance(phase, Flight)][:1]
    if wish.hop is not None and state.support != "flight":
        found += [_hop(wish.hop, w, phase) for phase in out.phases[:3] if isinstance(phase, Flight)][:1]
    if wish.flies:
        whole = [k for k, slot in enumerate(out.slots) if slot.kind == "flight" and (k > 0 or state.support != "flight")]
        flies = [FLIES * wish.seconds + longer[0 if out.slots[k].first_step else 1] for k in whole]
        found.append(sqrt(w.flight) * (out.duration[:, whole] - flies))
        found.append(_arrival(body, w, out.end, out.feet["B"].up))
        found += [_column(_pace(wish, w, moment), n) for moment in (down, out.end)]
    return found


def _column(values: Array, n: int) -> Array:
    return np.broadcast_to(values, (n, 1))


def _longer(wish: StepWish, body: SlipBody) -> tuple[float, float]:
    """s that either step lasts, and flies, longer than an ordinary one."""
    if wish.leap is not None:
        return max(2 * float(np.sqrt(2 * wish.leap / body.gravity)) - FLIES * wish.seconds, 0.0), 0.0
    return wish.steps.longer if wish.steps is not None else (0.0, 0.0)


def _length(wish: StepWish, w: SlipWeights, gone: Plane, length: float) -> Array:
    """Equation 20, and across the direction of travel nothing. (n, 1) -> (n, 2)."""
    along = gone * np.exp(-1j * wish.direction)
    return np.concatenate([sqrt(w.length) * (along.real - length), sqrt(w.aside) * along.imag], -1)


def _pace(wish: StepWish, w: SlipWeights, moment: Moment) -> Array:
    """What a run is too fast, (n, 1): steps of the right length may each end faster than they began, until legs are too short."""
    along = moment.velocity.plane * np.exp(-1j * wish.direction)
    return np.asarray(sqrt(w.pace) * np.maximum(along.real - wish.length / wish.seconds - FASTER, 0.0))


def _leap(height: float, w: SlipWeights, flight: Flight) -> Array:
    """How far the apex is from a height above the take-off: equation 22 without the fall of 23. (n, 1)."""
    rising = np.maximum(flight.speed.up, 0.0)
    return sqrt(w.hop) * (rising**2 / (2 * flight.gravity) - height)


def _hop(height: float, w: SlipWeights, flight: Flight) -> Array:
    """Equations 22 and 23. (n, 1)."""
    rising, end = flight.speed.up, flight.duration
    when = np.clip(rising / flight.gravity, 0.0, end)
    apex = rising * when - 0.5 * flight.gravity * when**2                           # above the start
    last = rising * end - 0.5 * flight.gravity * end**2
    rise = np.maximum(apex, np.minimum(apex - last, apex + height))                 # a deep fall is no hop
    return sqrt(w.hop) * (rise - height)


def _arrival(body: SlipBody, w: SlipWeights, end: Moment, ground: Array) -> Array:
    """A last flight that can be landed from: without it the optimum is to fall. (n, 2)."""
    low = np.maximum(ground + body.height - SUNK - end.place.up, 0.0)
    fast = np.maximum(-end.velocity.up - FALLING, 0.0)
    return sqrt(w.arrival) * np.concatenate([low, 0.2 * fast], -1)
