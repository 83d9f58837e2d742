"""What was previewed, to be asked at any time: equation 17 for one candidate."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .phases import Phase, Plane, Stance, turned
from .rollout import March
from .schedule import PhaseSlot

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """The preview at an instant."""

    com: Array                # (3,)
    velocity: Array           # (3,)
    acceleration: Array       # (3,)
    heading: float
    turning: float            # rad/s
    turn: float               # rad/s^2
    cop: Array | None         # (2,) of the centre of pressure; None in flight


@dataclass(frozen=True)
class Landing:
    """Where and when foot B comes down."""

    place: Array              # (3,) of the middle of its sole
    heading: float
    time: float               # s from the beginning


@dataclass(frozen=True)
class Preview:
    """Phases one after the other from where the body is, and the parameters (24,) that they follow from."""

    controls: Array
    slots: tuple[PhaseSlot, ...]
    phases: tuple[Phase, ...]
    headings: tuple[tuple[float, float, float], ...]      # heading, rate and acceleration at the beginning of each phase
    landing: Landing | None
    gravity: float

    @classmethod
    def of(cls, out: March, u: Array, gravity: float) -> Preview:
        """The one candidate of a march."""
        phases = tuple(phase.of(0) for phase in out.phases)
        turns = [float(u[slot.turn]) if slot.kind != "flight" else 0.0 for slot in out.slots]
        headings = tuple((float(np.reshape(s.heading, ())), float(np.reshape(s.turning, ())), a)
                         for s, a in zip(out.starts, turns, strict=True))
        landing = None
        if out.touchdown is not None:
            before = sum(float(d) for d, s in zip(out.duration[0], out.slots, strict=True) if s.first_step)
            foot = out.feet["B"]
            landing = Landing(_space(foot.plane[0, 0], foot.up[0, 0]), float(np.reshape(out.touchdown.heading, ())), before)
        return cls(u, out.slots, phases, headings, landing, gravity)

    def duration(self, k: int) -> float:
        """Length of a phase, s."""
        return float(self.phases[k].duration)

    @property
    def seconds(self) -> float:
        """Length of all of it."""
        return sum(self.duration(k) for k in range(len(self.phases)))

    def at(self, t: float) -> Sample:
        """The preview at `t` s from its beginning; past its end what it ends with."""
        for k in range(len(self.phases)):
            if t <= self.duration(k) or k == len(self.phases) - 1:
                return self.within(k, min(t, self.duration(k)))
            t -= self.duration(k)
        raise AssertionError("a preview has phases")

    def within(self, k: int, t: float) -> Sample:
        """Phase k, `t` s from its own beginning."""
        phase, when, cop = self.phases[k], np.asarray(t), None
        place, velocity, acceleration = (_space(*part) for part in phase.at(when))
        if isinstance(phase, Stance):
            # along the spring: what the full body can do, and in the mean what equation 6 plans
            cop = _space(phase.cop_at(when), phase.ground)[:2]
            push, height = max(acceleration[2] + self.gravity, 0.0), max(float(place[2] - phase.ground), 0.3)
            acceleration[:2] = push / height * (place[:2] - cop)
        begin, rate, turn = self.headings[k]
        heading, turning = turned(np.asarray(begin), np.asarray(rate), turn, when)
        return Sample(place, velocity, acceleration, float(heading), float(turning), turn, cop)


def _space(plane: Plane, up: Array) -> Array:
    """(3,) from a place along the ground and its height."""
    return np.array([plane.real, plane.imag, up], float)
