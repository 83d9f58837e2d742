"""Footsteps along a course, one searched after the other."""
from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...geometry import so3
from ...motion.footstep import Footstep
from ...task import KeptStep, Task
from ..course.course import ROLLING_ASIDE, Course
from ..course.pendulum import Pendulum
from ..course.push_response import stood_elsewhere
from ..gait.gait import Gait, GaitLaw
from ..placement.footholds import footing
from ..placement.forbidden import set_down_beside
from ..placement.forefoot import Footprint, ball_from_middle, stand
from ..placement.leg_crossing import set_beside, uncrossed
from .both_feet import HopProblem
from .cost import Contact, FootstepProblem
from .pinned import asked_on, lead_to_kept
from .search import search
from .timing import Step, heel_up, released, standing_first

Array = NDArray[np.float64]

RESTING = 0.12              # v / sqrt(g l) below which feet go where the body will rest rather than where the cart is
STAND_WITHIN = 0.06         # leg lengths: a foot this near to where it should stand needs no step
STAND_TURNED = np.radians(25)
STARTS_BEYOND = 0.05        # leg lengths that the cart moves before a standing body takes a step
RECOVERING = 0.97           # of the speed at which a style goes over to running, that steps after a push keep up with
HURRY = 1.6                 # share of a step's time that it is shorter by, after a push, for each sqrt(g l) of speed that it gave
HASTIEST = 0.65             # share of its usual time that a step takes then at least
UNNOTICED = 0.03            # m that a kept foot may be off its place before the body goes along
SOONEST = 0.16              # s after something happened, that a foot can come down elsewhere
BEYOND = 0.02               # m past the capture point that a foot is set down, as in a walk
FLAT = 0.05                 # share of a contact at either end, within which a foot that does not roll comes down and leaves
LOWERED = 0.25              # share of a contact by whose end a heel is down at the latest, of feet that land on their toes
TOES_FIRST = 0.1            # cosine of the angle between the way and the facing, beyond which feet that go backward land on them
CLIMB = 0.5                 # leg lengths that the ground may rise or fall from one foot to the next


@dataclass
class Stepper:
    """Walks along a course, one searched footstep after the other."""

    task: Task
    character: Character
    law: GaitLaw
    course: Course
    steps: list[Step] = field(default_factory=list)
    now: float = -np.inf            # what lies before has happened
    pendulum: Pendulum | None = None      # of a body that was pushed, whose course goes with where its feet come down

    def __post_init__(self) -> None:
        if self.steps and self.course.off is not None and self.steps[-1].time > self.now:
            last = self.steps[-1]
            time = last.footstep.strike + 0.5 * self._gait(self.now).contact_time
            self.steps[-1] = replace(last, time=float(np.clip(time, self.now, last.time)))
        self._follow(self.course)
        self._sides = np.array([leg.side for leg in self.character.legs])
        self._start_level = float(self.task.ground.height(self.task.path.points[0]))
        self._footing = footing(self.task, self.course, self.character.feet[0], self.law.leg_length, CLIMB * self.law.leg_length)

    def _follow(self, course: Course) -> None:
        path = course.pendulum
        force = np.concatenate([[0.0], np.cumsum((path.force**2).sum(1) * (path.time[1] - path.time[0]))])
        self.course, self._effort = course, force[:-1]
        self._rests = bool(course.speed.min() < RESTING * self.law.unit_speed)      # somewhere

    def walk(self, until: float) -> tuple[Step, ...]:
        """All steps up to a time."""
        if not self.steps:
            self._begin()
        while self.steps[-1].time < until:
            wait = self._wait()
            if wait == np.inf and asked_on(self.task.kept, self.steps[-1].time):
                wait = 0.0                                  # there are steps yet that were asked for
            if wait:
                self._stand(wait)
            if wait == np.inf:
                break
            self._take()
        steps = released(self.steps, len(self._sides), self.law.leg_length, until, self.now)
        balls = [float((foot.ball - foot.centre)[0]) for foot in self.character.feet]
        steps = tuple(heel_up(s, lambda t: self.course.pendulum.at(t, "com"), balls[s.footstep.leg], self.now) for s in steps)
        return tuple(standing_first(s, 0.0) for s in steps) if self.task.start == "standing" else steps

    def _begin(self) -> None:
        """The two steps before the clip: the left foot is under the body at time 0, or both are where it stands."""
        stood = self.task.start == "standing"
        gait = self.law.at(0.0) if stood else self._gait(0.0)
        for leg, time in ((1, 0.0 if gait.cycle.together else -gait.shares[0] * gait.stride_time), (0, 0.0)):
            line, heading = self._sample(np.array([0.0 if stood else time]))
            stands = next((k for k in self.task.kept if k.time <= 0 and k.sign == self._sides[leg]), None)
            self._add(leg, time, line[0], float(heading[0]), gait, stands)

    def _gait(self, time: float) -> Gait:
        """The gait of the step after a time: as long as the speed there makes it, as quick as the speeds around it."""
        course = self.course
        ahead = np.interp(time + np.array([0.2, 0.6]), course.time, course.onward)
        around = time + np.linspace(-1.2, 1.0, 9)
        usual, pace = (float(np.interp(around, course.time, values).max()) for values in (course.speed, course.pace))
        if usual < (change := RECOVERING * self.law.style.change * self.law.unit_speed):
            pace = min(pace, change)                        # a walk that was pushed stays a walk
        stride = self.task.stride
        gait = self.law.at(float(ahead.mean()), pace=pace,
                           stride=None if stride is None else float(stride.at(time + 0.4)),
                           width=float(self.task.width.at(time + 0.4)),
                           slope=float(np.interp(time + 0.4, self.course.time, self.course.slope)))
        gait = gait.turned(float(course.turned_at(time + 0.4)))
        if course.off is None:
            return gait
        off = float(np.interp(time + np.linspace(0.0, 0.6, 7), course.time, course.off).max()) / self.law.unit_speed
        wished = max(1 - HURRY * off, HASTIEST) * self.law.at(usual).stride_time
        return gait.hurried(min(wished / gait.stride_time, 1.0))

    def _sample(self, times: Array) -> tuple[Array, Array]:
        """The middle line's place and heading: the cart's, and where the body comes to rest the place it rests over."""
        course = self.course
        line = course.pendulum.at(times, "cart")
        if self._rests:
            slow = np.clip(np.interp(times, course.time, course.speed) / (RESTING * self.law.unit_speed), 0, 1)[..., None]
            target = self.task.path.position(np.interp(times, course.time, course.distance))
            line = slow * line + (1 - slow) * target
        since = times - course.time[0]
        if np.min(since) < 0:                               # before the clip the body came straight on
            line = np.where((since < 0)[..., None], course.pendulum.cart[0] + since[..., None] * course.goal[0], line)
        return line, np.interp(times, course.time, course.facing)

    def _take(self) -> None:
        gait = self._gait(self.steps[-1].time)
        if gait.cycle.together:
            self._hop(gait)
            return
        last = tuple(Contact(s.footstep.leg, s.time, self._carrying(s.footstep)) for s in self.steps[-2:])
        problem = FootstepProblem(
            last=(last[0], last[1]), sample=self._sample, effort=lambda t: np.interp(t, self.course.time, self._effort),
            stride_time=gait.stride_time, stride_length=gait.stride_length, offsets=self._sides * gait.width, behind=gait.behind,
            footing=self._footing, count=4 if self._footing is None else 7, shares=gait.shares,
            turned=self.course.turned_at if self.course.turned.any() else None)
        leg, soonest = int(problem.legs[0]), self.now + SOONEST + 0.5 * gait.contact_time
        lead = lead_to_kept(self.task.kept, last[1].time, int(self._sides[leg]), 0.5 * gait.stride_time,
                            self.steps[-1].footstep.kept)
        time = float(search(problem)[0]) if lead is None else lead.time
        if lead is None and self.course.off is not None and gait.haste < 1:
            time = min(time, last[1].time + 0.5 * gait.stride_time)      # a body that was pushed does not wait for room
        time = max(time, soonest)
        line, heading = self._sample(np.array([time]))
        self._add(leg, time, line[0], float(heading[0]), gait, lead.kept if lead is not None and lead.time >= soonest else None)

    def _hop(self, gait: Gait) -> None:
        """Both feet come down at once, to both sides of the middle line."""
        last, middle = self.steps[-1], 0.5 * (self._carrying(self.steps[-1].footstep) + self._carrying(self.steps[-2].footstep))
        problem = HopProblem(last.time, middle, self._sample, lambda t: np.interp(t, self.course.time, self._effort), gait,
                             self._footing)
        lead = lead_to_kept(self.task.kept, last.time, None, gait.stride_time, last.footstep.kept)
        time = max(problem.time() if lead is None else lead.time, self.now + SOONEST + 0.5 * gait.contact_time)
        line, heading = self._sample(np.array([time]))
        asked = [] if lead is None or lead.kept is None or lead.time < time else [
            k for k in self.task.kept if abs(k.time - lead.time) < 0.5 * gait.contact_time]
        for leg in (self.steps[-2].footstep.leg, last.footstep.leg):
            own = next((k for k in asked if k.sign == self._sides[leg]), None)
            self._add(leg, time, line[0], float(heading[0]), gait, own)

    def _add(self, leg: int, time: float, line: Array, heading: float, gait: Gait, kept: KeptStep | None = None) -> None:
        side = self._sides[leg]
        gait = gait.of_side(int(side))
        usual = _beside(line, heading, side, gait)
        place = usual if kept is None else np.array(kept.place)
        if kept is not None and kept.turn is not None:
            heading = kept.turn - side * gait.toe_out
        if kept is None and self.steps and self.steps[-1].footstep.leg != leg:
            place = set_beside(self.character, leg, place, heading + side * gait.toe_out, heading, self.steps[-1].footstep,
                               self._footing)
            if self.pendulum is not None:
                place = place + self._farther(self.pendulum, time - 0.5 * gait.contact_time, place, heading, int(side))
                place = uncrossed(place, heading, int(side), self.steps[-1].footstep)
                self._lean(time, place - usual, heading, gait)
        if kept is None:
            other = self.steps[-1].footstep if self.steps and self.steps[-1].footstep.leg != leg else None
            place = set_down_beside(self.task, self.character.feet[leg], place, heading + side * gait.toe_out, heading, int(side),
                                    other, self.law.leg_length)
        level = float(self.steps[-1].footstep.position[2]) if self.steps else self._start_level
        foot, yaw = self.character.feet[leg], heading + side * gait.toe_out
        stood = stand(self.task.ground, foot, Footprint(place, heading, side * gait.toe_out, int(side)), level,
                      self.task.tread == "forefoot", None if kept is None else place + ball_from_middle(foot, yaw))
        strike, contact, cycle = time - 0.5 * gait.contact_time, gait.contact_time, gait.cycle
        onward = float(np.cos(self.course.turned_at(time)))
        comes, leaves = (cycle.flat, 1 - cycle.heel_off) if onward > 0 else (min(1 - cycle.heel_off, LOWERED), cycle.flat)
        roll = ROLLING_ASIDE + (1 - ROLLING_ASIDE) * onward**2
        flat = strike if stood.raised is not None else strike + max(roll * comes, FLAT) * contact
        times = (strike, flat, strike + min(1 - roll * leaves, 1 - FLAT) * contact, strike + contact)
        fixed = kept is not None and kept.contact is not None
        footstep = Footstep(leg, *(kept.contact if kept and kept.contact else times), stood.position, stood.rotation,
                            kept=kept is not None, raised=stood.raised, toes_first=onward < -TOES_FIRST and stood.raised is None)
        aside = place - usual if self.pendulum is None else np.zeros(2)
        aside *= max(1 - UNNOTICED / max(float(np.linalg.norm(aside)), 1e-9), 0.0)
        self.steps.append(Step(footstep, time, gait, aside=(float(aside[0]), float(aside[1])), fixed=fixed,
                               catching=time > self.now and self.course.off is not None))

    def _farther(self, pendulum: Pendulum, strike: float, place: Array, heading: float, side: int) -> Array:
        """How much farther out a foot is set down, so that the body does not fall across it: to the capture point. (2,).

        Source: Pratt et al. 2006; the next foot could follow the body there only across this one.
        """
        left, path, at = np.array([-np.sin(heading), np.cos(heading)]), self.course.pendulum, np.array(strike)
        capture = path.at(at, "com") + path.at(at, "velocity") / pendulum.rate
        return side * max(side * float((capture - place) @ left) + BEYOND, 0.0) * left

    def _lean(self, middle: float, aside: Array, heading: float, gait: Gait) -> None:
        """Go on with a body that stands otherwise than its course has it."""
        if self.pendulum is not None and np.linalg.norm(aside) > UNNOTICED:
            strike = middle - 0.5 * gait.contact_time
            self._follow(stood_elsewhere(self.course, self.task, self.pendulum, strike, middle, aside, heading))

    def _carrying(self, f: Footstep) -> Array:
        """Middle of what stands of a foot: of its sole, or of its ball. (2,)."""
        middle: Array = f.position[:2]
        return middle if f.raised is None else middle + ball_from_middle(self.character.feet[f.leg], f.yaw)

    def _wait(self) -> float:
        """How long to stand before the next step: 0 to go on, infinity to stand for good.

        The body stands when both feet are about where a standing body has them, and when the place to be over stays where it
        is for more than a step.
        """
        law, course, last, other = self.law, self.course, self.steps[-1], self.steps[-2].footstep
        starts = self.task.start == "standing" and len(self.steps) == 2         # both feet carry it until it goes
        step = last.gait.landing_time
        soon = np.array([last.time + step])
        line, heading = self._sample(soon)
        still = law.at(0.0)
        for f in (f for f in (other, last.footstep) if not (f.kept or starts)):
            side = self._sides[f.leg]
            away = np.linalg.norm(_beside(line[0], float(heading[0]), side, still) - self._carrying(f))
            turned = abs(so3.wrapped(heading[0] + side * still.toe_out - f.yaw))
            if away > STAND_WITHIN * law.leg_length or turned > STAND_TURNED:
                return 0.0
        since = last.time if starts else soon[0]
        here = float(np.interp(since, course.time, course.distance))
        leaving = (course.time > since) & (course.distance - here > STARTS_BEYOND * law.leg_length)
        if not leaving.any():
            return np.inf
        wait = float(course.time[np.argmax(leaving)]) - last.time
        return wait if starts or wait > 1.5 * step else 0.0

    def _stand(self, wait: float) -> None:
        for k in (-1, -2):
            s = self.steps[k]
            self.steps[k] = replace(s, time=s.time + wait, standing=True)


def _beside(line: Array, heading: float, side: int, gait: Gait) -> Array:
    """Where a foot stands for a place of the middle line: the foot offset of appendix C.1."""
    ahead = np.array([np.cos(heading), np.sin(heading)])
    return line + side * gait.width * np.array([-ahead[1], ahead[0]]) - gait.behind * ahead
