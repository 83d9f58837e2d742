"""The preview itself: phases one after the other, equation 17, for many candidates at once."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import roots_legendre

from .body import SlipBody
from .command import StepWish
from .phases import Flight, Moving, Phase, Placed, Plane, stance, turned
from .schedule import COP, FOOT, REST, PhaseSlot
from .state import PlacedFoot, SlipState

Array = NDArray[np.float64]

_x, _w = roots_legendre(4)
NODES = np.append(0.5 * (_x + 1), 1.0)    # of each phase at which integrands are taken, and its end, as shares of it
SHARES = 0.5 * _w                         # of the phase that each node but the last stands for


@dataclass(frozen=True)
class Foot:
    """Where a foot stands, the same for all candidates or for each of n: (n, 1)."""

    plane: Plane              # place along the ground
    up: Array
    ahead: Plane              # unit vector of its heading
    side: float               # 1 left, -1 right
    speed: Plane | complex = 0j

    @classmethod
    def placed(cls, foot: PlacedFoot, side: float) -> Foot:
        """The same foot for all candidates."""
        return cls(_plane(foot.place), np.asarray(foot.place[2]), np.exp(1j * np.asarray(foot.heading)), side,
                   complex(*foot.velocity))

    def point(self, ahead: Array | float, aside: Array | float = 0.0) -> Plane:
        """A point of the foot, by its distances ahead and to the left of its middle."""
        return self.plane + self.ahead * (ahead + 1j * aside)


@dataclass(frozen=True)
class Moment:
    """The body at an instant of the preview."""

    place: Placed
    velocity: Placed
    heading: Array
    turning: Array


@dataclass(frozen=True)
class March:
    """n previews of p phases; what is a candidate's own is (n, 1)."""

    slots: tuple[PhaseSlot, ...]
    phases: tuple[Phase, ...]
    feet: dict[str, Foot]     # A, O and, where a foot comes down, B
    starts: tuple[Moment, ...]        # of each phase
    touchdown: Moment | None          # when foot B comes down; None of a body that stands
    end: Moment
    duration: Array           # (n, p)


@dataclass(frozen=True)
class Rollout(March):
    """The same with q nodes in each phase."""

    place: Placed             # (n, p, q) at the nodes
    acceleration: Placed      # (n, p, q)
    heading: Array            # (n, p, q)


def march(state: SlipState, wish: StepWish, body: SlipBody, slots: tuple[PhaseSlot, ...], u: Array) -> March:
    """Preview n candidates (n, 24) from phase to phase."""
    return _marched(state, wish, body, slots, u, NODES[-1:])[0]


def roll_out(state: SlipState, wish: StepWish, body: SlipBody, slots: tuple[PhaseSlot, ...], u: Array) -> Rollout:
    """Preview n candidates (n, 24), and tell how they go between the phases' ends."""
    found, moving, headings = _marched(state, wish, body, slots, u, NODES)
    shape = (len(u), len(slots), len(NODES))
    place, acceleration = (
        Placed(*(np.concatenate(parts, 1).reshape(shape) for parts in zip(*placed, strict=True)))
        for placed in zip(*((m.place, m.acceleration) for m in moving), strict=True))
    return Rollout(found.slots, found.phases, found.feet, found.starts, found.touchdown, found.end, found.duration,
                   place, acceleration, np.concatenate(headings, 1).reshape(shape))


def _marched(state: SlipState, wish: StepWish, body: SlipBody, slots: tuple[PhaseSlot, ...], u: Array,
             nodes: Array) -> tuple[March, list[Moving], list[Array]]:
    """Also the motion and the headings (n, q) of each phase at nodes, the last of which is its end."""
    feet = {"A": Foot.placed(state.standing, state.side), "O": Foot.placed(state.stepping, -state.side)}
    knots, rest = _knots(body, u)
    now = Moment(Placed(_plane(state.com), np.asarray(state.com[2])), Placed(_plane(state.velocity), np.asarray(state.velocity[2])),
                 np.asarray(state.heading), np.asarray(state.turning))
    touchdown, phases, starts, moving, headings = None, [], [], [], []
    for slot in slots:
        if touchdown is None and not slot.first_step:
            touchdown, feet["B"] = now, _set_down(state, wish, now, u)
        duration = u[:, slot.duration, None]
        push: Array | float = 0.0
        if slot.kind == "flight":
            phase: Phase = Flight(duration, now.place, now.velocity, body.gravity)
        else:
            first, last = slot.knots
            cop = tuple(_within(base, feet, body, knots[:, k, None]) for base, k in zip(slot.ends, slot.knots, strict=True))
            ground = sum(feet[foot].up for foot in slot.feet) / len(slot.feet)
            phase = stance(now.place, now.velocity, duration, (cop[0], cop[1]), (rest[:, first, None], rest[:, last, None]), ground,
                           body.spring, body.gravity, wish.flies)
            push = u[:, slot.turn, None]
        when = duration * nodes                                                             # (n, q)
        at, heading, turning = phase.at(when), *turned(now.heading, now.turning, push, when)
        phases.append(phase)
        starts.append(now)
        moving.append(at)
        headings.append(heading)
        now = Moment(_last(at.place), _last(at.velocity), heading[:, -1:].copy(), turning[:, -1:].copy())
    duration = u[:, [slot.duration for slot in slots]]
    return March(slots, tuple(phases), feet, tuple(starts), touchdown, now, duration), moving, headings


def _last(placed: Placed) -> Placed:
    """At the last node; copies, for numpy takes what lies behind a column for a part of it, and then rounds products otherwise."""
    return Placed(placed.plane[:, -1:].copy(), placed.up[:, -1:].copy())


def _plane(place: Array) -> Plane:
    return np.asarray(complex(place[0], place[1]))


def _knots(body: SlipBody, u: Array) -> tuple[Plane, Array]:
    """Bilinear coordinates of centres of pressure, along a sole in m and across as they are; rest lengths, m. Each (n, 5)."""
    cop = u[:, COP].reshape(-1, 5, 2)
    return body.sole[0] * cop[..., 0] + 1j * cop[..., 1], (u[:, REST] + body.gravity) / body.spring + body.height


def _set_down(state: SlipState, wish: StepWish, now: Moment, u: Array) -> Foot:
    """Foot B when it comes down, equation 16."""
    ahead, level = np.exp(1j * now.heading), state.standing.place[2] if state.level is None else state.level
    side = wish.side_next(state.side)
    at = now.place.plane + ahead * (u[:, FOOT.start, None] + 1j * u[:, FOOT.start + 1, None])
    if wish.height is None:
        return Foot(at, np.full(at.shape, level), ahead, side)
    height = wish.height(np.stack([at.real, at.imag], -1))
    return Foot(at, np.where(np.isfinite(height), height, level), ahead, side)      # where there is none, footing tells


def _within(base: str, feet: dict[str, Foot], body: SlipBody, knot: Plane) -> Plane:
    """Place of a centre of pressure from its coordinates: section 5.3.

    Between two feet the quadrilateral has the middle lines of both soles as sides, so that all of it carries.
    """
    if base != "both":
        return feet[base].point(knot.real, body.sole[1] * knot.imag)
    share = 0.5 * (knot.imag + 1)
    return np.asarray((1 - share) * feet["A"].point(knot.real) + share * feet["O"].point(knot.real), complex)
