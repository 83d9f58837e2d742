"""The preview itself: phases one after the other, equation 17, for many candidates at once."""
from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import roots_legendre

from .body import SlipBody
from .phases import Flight, Phase, Placed, Plane, Stance, stance, turned
from .schedule import COP, FOOT, REST, PhaseSlot
from .state import PlacedFoot, SlipState
from .wish import StepWish

Array = NDArray[np.float64]

_x, _w = roots_legendre(4)
NODES = np.append(0.5 * (_x + 1), 1.0)    # of each phase at which integrands are taken, and its end, as shares of it
SHARES = 0.5 * _w                         # of the phase that each node but the last stands for


@dataclass(frozen=True)
class Foot:
    """Where a foot stands, the same for all candidates or for each of n."""

    plane: Plane              # place along the ground
    up: Array
    ahead: Plane              # unit vector of its heading
    side: float               # 1 left, -1 right

    @classmethod
    def placed(cls, foot: PlacedFoot, side: float) -> Foot:
        """The same foot for all candidates."""
        return cls(_plane(foot.place), np.asarray(foot.place[2]), np.exp(1j * np.asarray(foot.heading)), side)

    def point(self, ahead: Array | float, aside: Array | float = 0.0) -> Plane:
        """A point of the foot, by its distances ahead and to the left of its middle."""
        return np.asarray(self.plane + self.ahead * (ahead + 1j * np.asarray(aside)), complex)


@dataclass(frozen=True)
class Moment:
    """The body at an instant of the preview."""

    place: Placed
    velocity: Placed
    heading: Array
    turning: Array


@dataclass(frozen=True)
class Rollout:
    """n previews of p phases with q nodes each."""

    slots: tuple[PhaseSlot, ...]
    phases: tuple[Phase, ...]
    feet: dict[str, Foot]     # A, O and, where a foot comes down, B
    starts: tuple[Moment, ...]        # of each phase
    touchdown: Moment | None          # when foot B comes down; None of a body that stands
    end: Moment
    duration: Array           # (n, p)
    place: Placed             # (n, p, q) at the nodes
    acceleration: Placed      # (n, p, q)
    heading: Array            # (n, p, q)


def roll_out(state: SlipState, wish: StepWish, body: SlipBody, slots: tuple[PhaseSlot, ...], u: Array) -> Rollout:
    """Preview n candidates (n, 24)."""
    feet = {"A": Foot.placed(state.standing, state.side), "O": Foot.placed(state.stepping, -state.side)}
    knots, rest = _knots(body, u)
    now = Moment(Placed(_plane(state.com), np.asarray(state.com[2])), Placed(_plane(state.velocity), np.asarray(state.velocity[2])),
                 np.asarray(state.heading), np.asarray(state.turning))
    touchdown, phases, starts = None, [], []
    for slot in slots:
        if touchdown is None and not slot.first_step:
            touchdown, feet["B"] = now, _set_down(state, wish, now, u)
        duration = u[:, slot.duration]
        if slot.kind == "flight":
            phase: Phase = Flight(duration, now.place, now.velocity, body.gravity)
        else:
            first, last = slot.knots
            cop = tuple(_within(base, feet, body, knots[:, k]) for base, k in zip(slot.ends, slot.knots, strict=True))
            ground = sum(feet[foot].up for foot in slot.feet) / len(slot.feet)
            phase = stance(now.place, now.velocity, duration, (cop[0], cop[1]), (rest[:, first], rest[:, last]), ground,
                           body.spring, body.gravity, wish.gait == "run")
        phases.append(phase)
        starts.append(now)
        push = u[:, slot.turn] if slot.kind != "flight" else 0.0
        now = Moment(phase.place(duration), phase.velocity(duration), *turned(now.heading, now.turning, push, duration))
    duration = u[:, [slot.duration for slot in slots]]
    return Rollout(slots, tuple(phases), feet, tuple(starts), touchdown, now, duration,
                   *_at_nodes(slots, phases, starts, duration, u))


def _plane(place: Array) -> Plane:
    return np.asarray(complex(place[0], place[1]))


def _knots(body: SlipBody, u: Array) -> tuple[Plane, Array]:
    """Bilinear coordinates of centres of pressure, along a sole in m and across as they are; rest lengths, m. Each (n, 5)."""
    cop = u[:, COP].reshape(-1, 5, 2)
    return body.sole[0] * cop[..., 0] + 1j * cop[..., 1], (u[:, REST] + body.gravity) / body.spring + body.height


def _set_down(state: SlipState, wish: StepWish, now: Moment, u: Array) -> Foot:
    """Foot B when it comes down, equation 16."""
    ahead, level = np.exp(1j * now.heading), state.standing.place[2]
    at = now.place.plane + ahead * (u[:, FOOT.start] + 1j * u[:, FOOT.start + 1])
    if wish.height is None:
        return Foot(at, np.full(len(u), level), ahead, -state.side)
    height = wish.height(np.stack([at.real, at.imag], -1))
    return Foot(at, np.where(np.isfinite(height), height, level), ahead, -state.side)      # where there is none, footing tells


def _within(base: str, feet: dict[str, Foot], body: SlipBody, knot: Plane) -> Plane:
    """Place of a centre of pressure from its coordinates: section 5.3.

    Between two feet the quadrilateral has the middle lines of both soles as sides, so that all of it carries.
    """
    if base != "both":
        return feet[base].point(knot.real, body.sole[1] * knot.imag)
    share = 0.5 * (knot.imag + 1)
    return np.asarray((1 - share) * feet["A"].point(knot.real) + share * feet["O"].point(knot.real), complex)


def _at_nodes(slots: tuple[PhaseSlot, ...], phases: list[Phase], starts: list[Moment], duration: Array,
              u: Array) -> tuple[Placed, Placed, Array]:
    """Centre of mass, its acceleration and the heading at the nodes of all phases."""
    n, p, q = *duration.shape, len(NODES)
    place, acceleration = (Placed(np.empty((n, p, q), complex), np.empty((n, p, q))) for _ in range(2))
    t = duration[:, :, None] * NODES
    resting = [k for k, phase in enumerate(phases) if isinstance(phase, Stance)]
    flying = [k for k, phase in enumerate(phases) if isinstance(phase, Flight)]
    if resting:
        together, when = _stacked([phase for phase in phases if isinstance(phase, Stance)], n), t[:, resting]
        for out, found in ((place, together.place(when)), (acceleration, together.acceleration(when))):
            out.plane[:, resting], out.up[:, resting] = found
    for k in flying:
        phase = phases[k]
        assert isinstance(phase, Flight)
        wide = Flight(phase.duration[:, None], _wide(phase.begin), _wide(phase.speed), phase.gravity)
        for out, found in ((place, wide.place(t[:, k])), (acceleration, wide.acceleration(t[:, k]))):
            out.plane[:, k], out.up[:, k] = found
    begun, push = np.empty((2, n, p, 1)), np.empty((n, p, 1))
    for k, (slot, start) in enumerate(zip(slots, starts, strict=True)):
        begun[0, :, k, 0], begun[1, :, k, 0] = start.heading, start.turning
        push[:, k, 0] = u[:, slot.turn] if slot.kind != "flight" else 0.0
    return place, acceleration, turned(begun[0], begun[1], push, t)[0]


def _wide(placed: Placed) -> Placed:
    """With one axis more."""
    return Placed(placed.plane[..., None], placed.up[..., None])


def _stacked(phases: list[Stance], n: int) -> Stance:
    """Phases of n candidates each as one set of (n, phases, 1)."""
    joined: dict[str, NDArray[Any]] = {}
    for name in (f.name for f in fields(Stance) if f.name != "omega"):
        values = [getattr(phase, name) for phase in phases]
        joined[name] = np.empty((n, len(phases), 1), complex if np.iscomplexobj(values[0]) else float)
        for k, value in enumerate(values):
            joined[name][:, k, 0] = value
    return Stance(**joined, omega=phases[0].omega)
