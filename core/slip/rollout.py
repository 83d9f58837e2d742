"""The preview itself: phases one after the other, equation 17, for many candidates at once."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .body import SlipBody
from .phases import Flight, Phase, Stance, stance, turned
from .schedule import COP, FOOT, REST, PhaseSlot
from .state import PlacedFoot, SlipState
from .wish import StepWish

Array = NDArray[np.float64]

_x, _w = np.polynomial.legendre.leggauss(4)
NODES = np.append(0.5 * (_x + 1), 1.0)    # of each phase at which integrands are taken, and its end, as shares of it
SHARES = 0.5 * _w                         # of the phase that each node but the last stands for


@dataclass(frozen=True)
class Feet:
    """Where a foot stands, for n candidates."""

    place: Array              # (n, 3)
    cos: Array                # (n,) of its heading
    sin: Array
    side: float               # 1 left, -1 right

    @classmethod
    def placed(cls, foot: PlacedFoot, side: float, n: int) -> Feet:
        """The same foot for all candidates."""
        cos, sin = np.full(n, np.cos(foot.heading)), np.full(n, np.sin(foot.heading))
        return cls(np.broadcast_to(foot.place, (n, 3)), cos, sin, side)

    def point(self, ahead: Array, aside: Array) -> Array:
        """(n, 2) of a point of the foot."""
        return np.stack([self.place[:, 0] + self.cos * ahead - self.sin * aside,
                         self.place[:, 1] + self.sin * ahead + self.cos * aside], -1)


@dataclass(frozen=True)
class Moment:
    """The body at an instant of the preview, for n candidates."""

    com: Array                # (n, 3)
    velocity: Array           # (n, 3)
    heading: Array            # (n,)
    turning: Array            # (n,)


@dataclass(frozen=True)
class Rollout:
    """n previews of p phases with q nodes each."""

    slots: tuple[PhaseSlot, ...]
    phases: tuple[Phase, ...]
    feet: dict[str, Feet]     # A, O and, where a foot comes down, B
    starts: tuple[Moment, ...]        # of each phase
    touchdown: Moment | None          # when foot B comes down; None of a body that stands
    end: Moment
    duration: Array           # (n, p)
    com: Array                # (n, p, q, 3) at the nodes
    acceleration: Array       # (n, p, q, 3)
    heading: Array            # (n, p, q)


def roll_out(state: SlipState, wish: StepWish, body: SlipBody, slots: tuple[PhaseSlot, ...], u: Array) -> Rollout:
    """Preview n candidates (n, 24)."""
    n = len(u)
    feet = {"A": Feet.placed(state.standing, state.side, n), "O": Feet.placed(state.stepping, -state.side, n)}
    now = Moment(np.broadcast_to(state.com, (n, 3)), np.broadcast_to(state.velocity, (n, 3)),
                 np.full(n, state.heading), np.full(n, state.turning))
    touchdown, phases, starts = None, [], []
    for slot in slots:
        if touchdown is None and not slot.first_step:
            touchdown, feet["B"] = now, _set_down(state, wish, now, u)
        phase = _phase(slot, now, feet, body, wish.gait == "run", u)
        phases.append(phase)
        starts.append(now)
        place, velocity = phase.end()
        push = u[:, slot.turn] if isinstance(phase, Stance) else np.zeros(n)
        now = Moment(place, velocity, *turned(now.heading, now.turning, push, phase.duration))
    duration = u[:, [slot.duration for slot in slots]]
    return Rollout(slots, tuple(phases), feet, tuple(starts), touchdown, now, duration,
                   *_at_nodes(slots, phases, starts, duration, u))


def _set_down(state: SlipState, wish: StepWish, now: Moment, u: Array) -> Feet:
    """Foot B when it comes down, equation 16."""
    cos, sin, offset = np.cos(now.heading), np.sin(now.heading), u[:, FOOT]
    at = np.stack([now.com[:, 0] + cos * offset[:, 0] - sin * offset[:, 1],
                   now.com[:, 1] + sin * offset[:, 0] + cos * offset[:, 1], np.empty(len(u))], -1)
    height = wish.height(at[:, :2])
    at[:, 2] = np.where(np.isfinite(height), height, state.standing.place[2])      # where there is no ground, footing tells
    return Feet(at, cos, sin, -state.side)


def _phase(slot: PhaseSlot, now: Moment, feet: dict[str, Feet], body: SlipBody, coupled: bool, u: Array) -> Phase:
    duration = u[:, slot.duration]
    if slot.kind == "flight":
        return Flight(duration, now.com, now.velocity, body.gravity)
    knots, (first, last) = u[:, COP].reshape(-1, 5, 2), slot.knots
    cop = tuple(_within(base, feet, body, knots[:, k]) for base, k in zip(slot.ends, slot.knots, strict=True))
    lift = (u[:, REST] + body.gravity) / body.spring + body.height
    ground = np.mean([feet[foot].place[:, 2] for foot in slot.feet], axis=0)
    return stance(now.com, now.velocity, duration, (cop[0], cop[1]), (lift[:, first], lift[:, last]), ground, body.spring,
                  body.gravity, coupled)


def _within(base: str, feet: dict[str, Feet], body: SlipBody, knot: Array) -> Array:
    """(n, 2) place of a centre of pressure from its bilinear coordinates: section 5.3.

    Between two feet the quadrilateral has the middle lines of both soles as sides, so that all of it carries.
    """
    along, across = knot[:, 0] * body.sole[0], knot[:, 1]
    if base != "both":
        return feet[base].point(along, across * body.sole[1])
    share, none = 0.5 * (across[:, None] + 1), np.zeros(len(knot))
    return (1 - share) * feet["A"].point(along, none) + share * feet["O"].point(along, none)


def _at_nodes(slots: tuple[PhaseSlot, ...], phases: list[Phase], starts: list[Moment], duration: Array,
              u: Array) -> tuple[Array, Array, Array]:
    """Centre of mass, its acceleration and the heading at the nodes of all phases."""
    n, p, q = *duration.shape, len(NODES)
    com, acceleration = np.empty((n, p, q, 3)), np.empty((n, p, q, 3))
    t = duration[:, :, None] * NODES
    resting = [k for k, phase in enumerate(phases) if isinstance(phase, Stance)]
    if resting:
        together = _stacked([phase for phase in phases if isinstance(phase, Stance)])
        com[:, resting], _, acceleration[:, resting] = together.at(t[:, resting])
    for k, phase in enumerate(phases):
        if isinstance(phase, Flight):
            com[:, k], _, acceleration[:, k] = phase.at(t[:, k])
    heading, turning = (np.stack([getattr(s, name) for s in starts], 1)[..., None] for name in ("heading", "turning"))
    push = np.stack([u[:, s.turn] * (s.kind != "flight") for s in slots], 1)[..., None]
    return com, acceleration, turned(heading, turning, push, t)[0]


def _stacked(phases: list[Stance]) -> Stance:
    """Phases of n candidates each as one set of (n, phases)."""
    one = phases[0]
    names = ("duration", "beta1", "beta2", "growth", "cop", "cop_rate", "d1", "d2", "level", "climb", "ground")
    joined = {name: np.stack([getattr(phase, name) for phase in phases], 1) for name in names}
    return Stance(omega=one.omega, **joined)
