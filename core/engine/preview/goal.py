"""From a task to the wish for the next two steps, instant by instant."""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...geometry.planar import near
from ...slip.command import Footing, Gait, StepWish
from ...task import HOPS, Path, Task
from ...terrain import Flat
from .ground.gaps import Gaps, GapSight
from .ground.local_terrain import Sight, Surroundings
from .ground.stopping import stops_at, told_stop
from .refusing import refuse

Array = NDArray[np.float64]

LEAD, LEADS = 0.9, 0.7        # m ahead on the path that the body makes for at least, and s that it takes to there
SEEN = 1.5            # m of path, before and behind where it was last, among which it is looked for
SIDEWARD = 0.5        # rad that a step's direction may differ from the body's heading against its wish
TURN = 0.4            # rad that a heading is asked to change by the end of two steps: more and feet cross
STANDS = 0.15         # m/s, below which a body stands
RUNS, WALKS = 2.1, 1.9        # m/s from which it runs, and below which it walks again
STEP, CADENCE = 0.75, 1.25    # m of a step at that speed in m/s (table 1)
GROWS = 0.55          # power of the speed that a step's length grows with; what is left is its rate
MORE = 1.08           # of a walk's step length that is wished for: in the optimum the other objectives take about that
LONGEST = 0.8         # s of a step
BEGINS = 0.75         # m/s that a body is asked for that stands, and
FASTER, RUNS_FASTER = 0.4, 0.8    # by which one may be asked to go faster than it does: else a run that stumbled stays slow
BRAKES = 0.8          # m/s^2 with which a run becomes a walk before the path's end
AHEAD = np.linspace(-0.1, 1.1, 25)            # m of path whose heights tell how steep the ground is, and
BELOW = np.linspace(-0.3, 0.3, 13)            # m of it about the body: stairs end with the last foot on them
HIGHEST, SHORTEST = 0.17, 0.3                 # m that a step climbs or falls by on such ground, and its least length
LEDGE = 0.06          # m of a drop past which the other foot goes at once from one that stands near before it
TALL, CAREFUL = 0.22, (0.5, 0.75)             # m of a rise or drop that is taken in one step, whose length and duration in m and s
ACROSS = np.linspace(-0.4, 0.8, 61)           # m of path along which those are looked for
NEAR, BEHIND = (0.5, 0.32), 0.14              # m before a rise or a drop, where a foot stands near; past it, where the next is well
FARTHEST = 0.5        # m before a drop, from where on a step may go down past it that does not begin near it
LOWER = 0.07          # m that the ground ahead falls by where feet are left over their balls
FIRST = 0.7           # of its length, a first step out of standing there: a straight leg far ahead turns the body by half a radian
HASTE = 0.3           # power of its length that the duration of a step shrinks with there
STOPS, PASSED = 1.2, 0.3          # m before a wide gap in which it does not stop any more, and past it
RUN_STEP, RUN_SPEED, RUN_GROWS = 1.05, 2.625, 0.85
RUN_ASKS = (1.25, 0.97)       # what a run's steps are asked for, of what is wished: they come out shorter
HOP, HOP_ASKS = 0.42, (1.22, 1.05)             # s of a hop, and what it is asked for, of what is wished


@dataclass(frozen=True)
class Goal:
    """What is wished for now, and the velocity (3,) that this means."""

    wish: StepWish
    velocity: Array


class Course:
    """The way of a task: where the body is on it, and what comes next.

    Args:
        footing: as `StepWish` has it.

    Raises:
        TaskError: the task asks for something that no preview knows.
    """

    def __init__(self, task: Task, footing: Footing | None = None) -> None:
        refuse(task)
        self.task, self.footing = task, footing
        self.height = None if isinstance(task.ground, Flat) else task.ground.height
        self.hops_on = HOPS.index(task.gait) if task.gait in HOPS else None           # leg
        self.gone = 0.0                   # m along the path; below 0 before its start
        self.runs = False
        self.ran_up: float | None = None          # s of the clip, when it first ran faster than asked for the sake of a gap
        self._sight, self._gaps = Sight(), GapSight()
        self._ends: tuple[Path, float] | None = None      # where it comes to stand on that path
        self._stopped = False             # whether it has begun to
        self._runs_up = False             # whether it runs up to a gap, or on past one

    def at(self, time: float, com: Array, heading: float, velocity: float = np.inf, foot: Array | None = None,
           sets_off: bool = False) -> Goal:
        """The goal at a time of the clip.

        Args:
            com: (3,) of the body.
            heading: rad, with any number of whole turns.
            velocity: m/s that the body goes by now; it is asked for little more.
            foot: (3,) on which it stands, so that the other one takes a high step at once where it is near.
            sets_off: whether its next step is the first one out of standing.
        """
        task, path = self.task, self.task.path
        self._find(com)
        along = float(path.heading(self.gone))
        around = Surroundings()
        if self.height is not None:
            around = self._sight.look(com[:2], along, self.height, self.footing)
        rough = not around.plain
        wished = self._speed(max(time, 0.0), rough)
        if self.ran_up is None and wished > float(task.speed.at(max(time, 0.0))):
            self.ran_up = max(time, 0.0)
        speed = min(wished, max(BEGINS, velocity + (RUNS_FASTER if self.runs else FASTER)))
        way = path.position(self.gone + max(LEAD, LEADS * speed)) - com[:2]
        direction = float(np.arctan2(way[1], way[0]))
        facing = float(path.heading(self.gone + 0.5 * LEAD)) + np.radians(float(task.turned.at(max(time, 0.0))))
        turn = float(np.clip(near(facing - heading), -TURN, TURN))
        # a body that goes ahead turns first and goes there then; one that is turned against its path goes where it does
        ahead = direction if task.turned.values.any() else heading + float(np.clip(near(direction - heading), -SIDEWARD, SIDEWARD))
        self.runs = speed > RUNS or (self.runs and (wished > WALKS or RUNS < velocity < np.inf))      # no walk is as fast
        gait: Gait = "stand" if speed < STANDS else "hop" if self.hops_on is not None else "run" if self.runs else "walk"
        length, seconds = self.step_at(speed, max(time, 0.0))
        descends = False
        if rough and length > 0:
            length, seconds, descends = self._on_rough(length, seconds)
            length *= FIRST if sets_off else 1.0
        height = self.height if rough else None
        footing = self.footing if self.height is None else None if around.free else self._past(foot)
        wish = StepWish(gait, length, seconds, ahead, heading + turn, None, height, footing, rolls=descends,
                        hops_on=self.hops_on or 0)
        return Goal(wish, wished * np.array([np.cos(along), np.sin(along), 0.0]))

    def _find(self, com: Array) -> None:
        """Nearest place of the path to the body, near where it was."""
        near = self.gone + np.linspace(-0.2, SEEN, 35)
        away = np.linalg.norm(self.task.path.position(near) - com[:2], axis=1)
        self.gone = float(near[np.argmin(away)])

    def told(self, metre: float, second: float) -> tuple[str, ...]:
        """Notes where it ran though it was to walk, and where it stopped elsewhere than at its path's end.

        Args:
            metre, second: of the clip, for one of the simulation's.
        """
        notes = []
        if self.ran_up is not None:
            notes.append(f"from {self.ran_up * second:.2f} s on it runs up to gaps that no walking step takes. Lead the path "
                         "around them, or make them narrower, if it is to walk")
        if self._stopped:
            notes += told_stop((self._end() - self.task.path.length) * metre)
        return tuple(notes)

    @property
    def speed_at_first(self) -> float:
        """With which the path begins, m/s."""
        return self._run_up(float(self.task.speed.at(0.0)), self._look_for_gaps(), False)

    def _speed(self, time: float, rough: bool) -> float:
        gaps = self._look_for_gaps()
        speed = self._run_up(float(self.task.speed.at(time)), gaps, rough)
        leaps = gaps.wide is not None and gaps.wide.begin - STOPS < self.gone < gaps.wide.end + PASSED
        if not self.task.stop_at_end or leaps:
            return speed
        left = self._end() - self.gone
        if gaps.wide is None or self.gone > gaps.wide.end:
            speed = min(speed, max(float(np.sqrt(2 * BRAKES * max(left, 0.0))), CADENCE))
        if left < 0.4 * speed + 0.1:
            self._stopped = True
            return 0.0
        return speed

    def _end(self) -> float:
        """m along the path, where the body comes to stand."""
        path = self.task.path
        if self._ends is None or self._ends[0] is not path:
            self._ends = path, stops_at(path, self.footing)
        return self._ends[1]

    def _look_for_gaps(self) -> Gaps:
        """Where steps may be of any length and lead ahead."""
        task = self.task
        if self.footing is None or self.hops_on is not None or task.stride is not None or task.turned.values.any():
            return Gaps()
        return self._gaps.look(task.path, self.gone, self.footing, self._end() if task.stop_at_end else np.inf)

    def _run_up(self, speed: float, gaps: Gaps, rough: bool) -> float:
        """That speed, or that of a run where a gap takes one: begun on good ground, and left off where none is near ahead."""
        if not STANDS < speed < RUN_SPEED:
            return speed
        asked = gaps.wide is not None and self.gone > gaps.wide.runs_from
        self._runs_up = (asked and not rough) or (self._runs_up and (asked or not gaps.is_clear))
        return RUN_SPEED if self._runs_up else speed

    def step_at(self, speed: float, time: float) -> tuple[float, float]:
        """Length and duration of a step at a speed, m and s."""
        if speed < STANDS:
            return 0.0, 0.6
        if self.task.stride is not None:
            length = 0.5 * float(self.task.stride.at(time))
            return length, float(np.clip(length / speed, 0.25, 1.0))
        if self.hops_on is not None:
            return HOP_ASKS[0] * speed * HOP, HOP_ASKS[1] * HOP
        if self.runs:
            seconds = RUN_STEP * (speed / RUN_SPEED) ** RUN_GROWS / speed
            return RUN_ASKS[0] * speed * seconds, RUN_ASKS[1] * seconds
        seconds = min(STEP * (speed / CADENCE) ** GROWS / speed, LONGEST)
        return MORE * speed * seconds, seconds

    def _past(self, foot: Array | None) -> Footing | None:
        """Where the next foot stands well: past a high step or any drop that the other one stands near before.

        Before a drop that the other one stands somewhat farther from it stands too: down and so far at once, the body would be
        left behind.
        """
        footing, path = self.footing, self.task.path
        if self.height is None or footing is None or foot is None:
            return footing
        along = self.gone + ACROSS
        places = path.position(along)
        changes = np.diff(np.nan_to_num(self.height(places), nan=-1e3))
        heading = float(path.heading(self.gone))
        ahead = np.array([np.cos(heading), np.sin(heading)])
        edges = 0.5 * (places[1:] + places[:-1])
        before = (edges - foot[:2]) @ ahead                                       # how far the foot stands before each
        steps = ((np.abs(changes) > TALL) | ((changes < -LEDGE) & (before > 0))) & (np.abs(changes) < 500)
        k = int(np.argmax(steps))
        if not steps[k]:
            return footing
        edge, left, falls = edges[k], float(before[k]), bool(changes[k] < 0)

        def past(places: Array, headings: Array) -> Array:
            lacks = BEHIND - (places - edge) @ ahead
            return np.where(lacks > 0, lacks, footing(places, headings))

        def short_of(places: Array, headings: Array) -> Array:
            return np.maximum((places - edge) @ ahead, footing(places, headings))

        if left <= NEAR[int(falls)]:
            return past
        return short_of if falls and changes[k] > -TALL and left <= FARTHEST else footing

    def _on_rough(self, length: float, seconds: float) -> tuple[float, float, bool]:
        """The same where the ground ahead climbs or falls, no higher than a body likes to step at once; and whether it falls."""
        assert self.height is not None
        ahead = self.height(self.task.path.position(self.gone + AHEAD))
        ahead = ahead[np.isfinite(ahead)]
        if not len(ahead):
            return length, seconds, False
        changes, descends = np.abs(np.diff(ahead)), bool(ahead[0] - ahead.min() > LOWER)
        climb = float(np.ptp(ahead)) / (AHEAD[-1] - AHEAD[0])
        if changes.max(initial=0.0) > TALL:
            return min(length, CAREFUL[0]), max(seconds, CAREFUL[1]), descends
        below = self.height(self.task.path.position(self.gone + BELOW))
        if np.isfinite(below).all() and np.abs(np.diff(below)).max() < TALL:
            climb = max(climb, float(np.ptp(below)) / (BELOW[-1] - BELOW[0]))
        most = max(HIGHEST / max(climb, 1e-6), SHORTEST)
        if length <= most:
            return length, seconds, descends
        return most, seconds * (most / length) ** HASTE, descends


def walking(wish: StepWish) -> StepWish:
    """A wish to stand, of a body that cannot as yet."""
    return replace(wish, gait="walk", length=0.0)
