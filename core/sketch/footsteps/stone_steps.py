"""A sketch the other way round: the stones first, then the pendulum along the line through them (appendix C.6)."""
from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...motion.footstep import Footstep
from ...task import Path, Stones, Task
from ..course.course import Course
from ..course.offset_path import Line, lead
from ..course.pendulum import Pendulum
from ..gait.gait import Gait, GaitLaw
from ..placement.sole import forbidden_ground, place_foot
from .cost import Contact, FootstepProblem
from .genetic import Whole
from .stones import ASIDE, FEWEST, TOO_FAR, Places, StoneProblem, middle, next_stones
from .timing import Step

Array = NDArray[np.float64]

LOOKED_AT = 3.6       # usual steps ahead, up to which stones are looked at
RUNNING = 2.2         # times as far as in a walk, that feet of a run may be apart
LONGEST, SHORTEST = 1.35, 0.75      # of the gait's contact time, that a contact may last where steps are out of time
FREE = 4              # places to choose from for each usual step where the ground is free
SLOW = 0.25           # v / sqrt(g l), below which stones are chosen as at this speed


@dataclass(frozen=True)
class Tread:
    """One foot on a stone."""

    leg: int
    xy: Array             # (2,)
    heading: float        # of the body there
    middle: Array         # (2,) of the middle line
    time: float           # at a constant speed


@dataclass
class _Walker:
    """Chooses stones until there are none ahead; before the first one steps are as on free ground."""

    task: Task
    stones: Stones
    character: Character
    law: GaitLaw
    treads: list[Tread] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._sides = np.array([leg.side for leg in self.character.legs])
        self._rng = np.random.default_rng(self.task.seed)
        own = Places.of(self.stones.places, self.task.path, np.zeros(len(self.stones.places)))
        # a foot's own place is between heel and ball; the whole sole with its tip is to lie in the middle of a stone
        foot = self.character.feet[0]
        back = 0.5 * float(foot.heel[0] + foot.tip[0]) - float(foot.centre[0])
        near = (np.abs(own.beside) < ASIDE * self.law.leg_length) & (own.station > 0)
        xy = (own.xy - back * np.stack([np.cos(own.heading), np.sin(own.heading)], -1))[near]
        first, last = (own.station[near].min(), own.station[near].max()) if near.any() else (0.0, -1.0)
        self._end = last
        places = np.concatenate([self._free(0.0, first), xy, self._free(last, last + 4 * self._step(self._gait(0.0)))])
        height = self.task.ground.height(places) if len(places) else np.empty(0)
        self._places = Places.of(places, self.task.path, height)[np.flatnonzero(np.isfinite(height))]

    def _gait(self, time: float) -> Gait:
        return self.law.at(max(float(self.task.speed.at(time)), SLOW * self.law.unit_speed))

    def _step(self, gait: Gait) -> float:
        return 0.5 * gait.stride_length

    def _free(self, begin: float, end: float) -> Array:
        """Where either foot could tread on free ground between two places of the path. (n, 2)."""
        gait = self._gait(0.0)
        station = np.repeat(np.arange(begin + 0.5 * self._step(gait), end, self._step(gait) / FREE), len(self._sides))
        side = np.resize(self._sides, len(station))
        heading = self.task.path.heading(station)
        left = np.stack([-np.sin(heading), np.cos(heading)], -1)
        xy = self.task.path.position(station) + (side * gait.width)[:, None] * left
        return xy[~forbidden_ground(self.task.floor, self.character.feet[0], xy, heading)] if len(xy) else xy

    def walk(self) -> list[Tread]:
        """All treads; the first two are those before the clip."""
        gait, heading = self._gait(0.0), float(self.task.path.heading(0.0))
        for leg, time, back in ((1, -0.5 * gait.stride_time, self._step(gait)), (0, 0.0, 0.0)):
            line = self.task.path.position(-back)
            own = middle(np.zeros(2), np.array(heading), float(self._sides[leg]), gait)
            self.treads.append(Tread(leg, line - own, heading, line, time))
        self._height = float(self.task.ground.height(self.treads[-1].xy))
        known: NDArray[np.int64] | None = None
        while (chosen := self._choose(known)) is not None:
            k = int(chosen[0])
            if self._places.station[k] > self._end:
                break
            known = chosen[1:]
        return self.treads

    def _choose(self, known: Whole | None) -> Whole | None:
        """Tread on the best next stone. Returns the stones chosen, numbers of all places; None at the end."""
        last, gait = self.treads[-1], self._gait(self.treads[-1].time)
        station = float(Places.of(last.middle[None], self.task.path, np.zeros(1)).station[0])
        step, walks = self._step(gait), gait.walks
        trodden = np.array([np.abs(self._places.xy - t.xy).max(1) < 1e-9 for t in self.treads[2:]])
        free = ~trodden.any(0) if len(trodden) else np.ones(len(self._places.xy), bool)
        ahead = self._places.station - station
        near = np.flatnonzero(free & (ahead > FEWEST * step) & (ahead < LOOKED_AT * step + 0.5 * self.law.leg_length))
        if not len(near):
            near = np.flatnonzero(free & (ahead > FEWEST * step))[:1]
        if not len(near):
            return None
        speed = max(float(self.task.speed.at(last.time)), SLOW * self.law.unit_speed)
        contacts = tuple(Contact(t.leg, t.time, t.xy) for t in self.treads[-2:])
        nothing = FootstepProblem(
            last=(contacts[0], contacts[1]), sample=lambda t: (np.zeros((*np.shape(t), 2)), np.zeros(np.shape(t))),
            effort=np.zeros_like, stride_time=gait.stride_time, stride_length=gait.stride_length,
            offsets=self._sides * gait.width, behind=gait.behind, count=3)
        far = TOO_FAR * self.law.leg_length * (1.0 if walks else RUNNING)
        problem = StoneProblem(nothing, self._places[near], last.middle, last.middle - self.treads[-2].middle, self._height,
                               self._sides, gait, speed, far)
        chosen = next_stones(problem, self._rng, self._again(known, near, min(3, len(near))))
        k, leg = int(near[chosen[0]]), contacts[0].leg
        if self._places.station[k] <= self._end:
            self.treads.append(Tread(leg, self._places.xy[k], float(self._places.heading[k]), problem.middles(chosen[None])[0, 0],
                                     float(problem.times(chosen[None])[0, 0])))
            self._height = float(self._places.height[k])
        return near[chosen]

    def _again(self, known: Whole | None, near: Whole, genes: int) -> Whole | None:
        """What was planned a step ago, with every stone that could follow."""
        if known is None or genes != len(known) + 1 or not np.isin(known, near).all():
            return None
        kept = np.searchsorted(near, known)
        rest = np.setdiff1d(np.arange(len(near)), kept)
        return np.concatenate([np.tile(kept, (len(rest), 1)), rest[:, None]], 1)


def stone_treads(task: Task, stones: Stones, character: Character, law: GaitLaw) -> list[Tread]:
    """The stones that a body steps on, in order; the first two treads are those before the clip."""
    return _Walker(task, stones, character, law).walk()


def line_through(path: Path, treads: list[Tread], pendulum: Pendulum, gravity: float) -> Line:
    """The line that leads a body over treads, and on along the path behind them."""
    places, times = np.array([t.middle for t in treads[1:]]), np.array([t.time for t in treads[1:]])
    after = float(Places.of(places[-1:], path, np.zeros(1)).station[0])
    return lead(path, places, times, after, float(np.sqrt(gravity / pendulum.height)))


def stone_steps(task: Task, treads: list[Tread], line: Line, course: Course, character: Character,
                law: GaitLaw) -> list[Step]:
    """Steps at the moments when the body comes to their places along the line through them.

    Args:
        course: along the line.
    """
    time = np.interp(line.station, course.distance, course.time)
    time = np.maximum.accumulate(np.concatenate([[treads[0].time], time[line.station < course.distance[-1]]]))
    steps: list[Step] = []
    for k, (t, at) in enumerate(zip(treads, time, strict=False)):
        gait = law.at(float(np.interp(at, course.time, course.onward)), slope=float(np.interp(at, course.time, course.slope)))
        around = time[max(k - 1, 0):k + 2]
        stride = 2 * float(np.mean(np.diff(around))) if len(around) > 1 else gait.stride_time
        contact = gait.contact_time * float(np.clip(stride / gait.stride_time, SHORTEST, LONGEST))
        gait = replace(gait, contact_time=contact)
        side = float(character.legs[t.leg].side)
        heading = float(np.interp(at, course.time, course.facing))
        own = float(task.ground.height(t.xy))           # a small stone ends under the foot: what is missing goes on level
        before = float(steps[-1].footstep.position[2]) if steps else float(task.ground.height(task.path.points[0]))
        level = own if np.isfinite(own) else before
        position, rotation = place_foot(task.ground, character.feet[t.leg], t.xy, heading + side * gait.toe_out, level)
        strike, cycle = float(at) - 0.5 * contact, gait.cycle
        footstep = Footstep(t.leg, strike, strike + cycle.flat * contact, strike + cycle.heel_off * contact, strike + contact,
                            position, rotation, kept=True)
        steps.append(Step(footstep, float(at), gait))
    return steps
