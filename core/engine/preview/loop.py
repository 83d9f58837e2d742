"""One simulated body from instant to instant: state, preview, reference, torques, physics (Mordatch et al. 2010, figure 2)."""
from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from ...geometry.planar import near
from ...simulate import CATCHING, Body, Controller, Physics, Reading, Reference
from ...slip.command import StepWish
from ...slip.planner import PreviewPlanner
from ...slip.preview import Preview, Sample
from ...slip.problem import PreviewProblem
from ...slip.schedule import T1, Floor
from ...slip.state import PlacedFoot
from ...slip.weights import SlipWeights
from ...terrain import Flat
from .feet.free_leg import free_foot
from .feet.heel_off import heel_rises, is_on_ball
from .feet.swing import lands_in, swung
from .goal import walking
from .instant import Clock, Instant, slip_of
from .maneuvers.base import Maneuver
from .phases.double_support import Haste
from .phases.first_step import first_step
from .phases.gait_change import GaitChange
from .phases.phase_machine import SWAYS, Stepping
from .phases.standing import is_balanced

Array = NDArray[np.float64]

FOLLOW = 100.0        # 1/s^2, stiffness with which the centre of mass follows a preview that was made earlier
TURN_FOLLOW = 100.0   # of the heading, the same
SPINS = 9.0           # rad/s^2 that a preview can hardly ask for more of
SPUN = 2.5            # rad/s that a walk never turns with on purpose
ASKEW = 0.3           # rad off its heading, from where on a walk on rough ground is turned back
LOOK = 0.5            # of what the heading still lacks that chest and head look ahead by, and
LOOKS = 0.5           # rad of that at most
ROLLS = 0.08          # s that a walk is to be on both feet at least, unless it hurries
LEVEL = 0.99          # upward part of the normals of ground on which the weight goes over to the other foot in an instant
LIMP = 0.003          # of the weight, Nms: how much the joints of a body that has fallen resist
OLDEST = 1.0          # s that a preview is followed at most
OVERDUE = 0.02        # s that it is followed at least where its phase should be over and no contact has come
STANDS_ON = 0.2       # s, the same of a body that stands
RIGHT = 0.1           # s on both feet before it matters how far these are apart
SETTLES = 0.35        # m/s at which a body that is to stand may leave off stepping


@dataclass
class PreviewLoop:
    """A body under control.

    Args:
        step: s from one look to the next.
        every: looks after which a new preview is made in any case; 0 for contacts only.
    """

    body: Body
    physics: Physics
    step: float = 1 / 250
    every: int = 1
    planner: PreviewPlanner = field(default_factory=PreviewPlanner)
    weights: SlipWeights = field(default_factory=SlipWeights)
    clock: Clock = field(default_factory=Clock)
    preview: Preview | None = None
    made: float = -np.inf             # s, when
    maneuver: Maneuver | None = None  # that is done in place of steps

    def __post_init__(self) -> None:
        self.controller = Controller(self.body)
        self._level = isinstance(self.body.ground, Flat)
        self.slip = slip_of(self.body)
        self.stepping = Stepping(self.step)
        self.state = self.physics.state
        self.reading = self.body.read(self.state)
        self.heading = self.reading.heading
        self._feet = self._placed()
        self._gait = GaitChange()
        self._haste = Haste()
        self._previewed: PreviewProblem | None = None
        self._wish = StepWish()           # what of the last one could be done as yet
        self._changed = False             # whether a phase begins with the next look

    def advance(self, wish: StepWish) -> Instant:
        """One step under a wish, whose gait is to stand where it is to stand. A body that has fallen lies as it falls."""
        begin = time.perf_counter()
        now = self.reading
        told = None if self.state.trouble else self._told(wish, now)
        planned = time.perf_counter()
        feasible, com, torques = False, now.com, -LIMP * self.body.weight * now.velocity[6:]
        stands = tuple(range(len(self.state.feet)))
        if told is not None:
            found = self.controller.torques(self.state, told[0], now)
            feasible, com, torques, stands = found.feasible, told[1], found.values, told[0].stance
        solved = time.perf_counter()
        before = self.state
        self.state = self.physics.step(torques, self.step)
        done = time.perf_counter()
        self.reading = self.body.read(self.state)
        self.heading += near(self.reading.heading - self.heading)
        self._feet = self._placed()
        if told is not None and self.maneuver is None:
            self._changed = self._notice()
        self.clock.plan += planned - begin
        self.clock.control += solved - planned + time.perf_counter() - done
        self.clock.physics += done - solved
        return Instant(before, now, com, feasible, stands)

    def _told(self, wish: StepWish, now: Reading) -> tuple[Reference, Array]:
        """What the body is to do now, and where its centre of mass is to be, (3,) m."""
        if self.maneuver is not None:
            reference = self.maneuver.reference(self.state, now)
            if reference is not None:
                return reference, now.com
            self._stand()
        wish = self._gait.of(wish, self.stepping, self.state.time)
        if self._gait.ended:
            self.planner.forget()
        self._wish, feet = wish, self._feet
        if self._begins(wish, now, feet) or self._is_old(wish):
            self._plan(wish, now, feet)
        sample = self._sample(now)
        reference = self._reference(wish, now, sample)
        if self.planner.alarmed and self._level and not wish.flies:
            reference = replace(reference, gains=CATCHING)
        return reference, sample.com

    def _stand(self) -> None:
        """A maneuver is over: the body stands on both feet."""
        self.stepping = Stepping(self.step, since=self.state.time, floor=self.reading.feet.place[:, 2].copy())
        self.maneuver, self.preview, self._previewed, self._gait = None, None, None, GaitChange()
        self.planner.forget()

    def _placed(self) -> tuple[PlacedFoot, PlacedFoot]:
        """Left and right, their headings near the pelvis's."""
        feet = self.reading.feet
        yaw = [float(so3.yaw_of(r)) for r in feet.rotation]
        left, right = (PlacedFoot(place.copy(), self.heading + near(y - self.heading), velocity[:2].copy())
                       for place, velocity, y in zip(feet.place, feet.velocity, yaw, strict=True))
        return left, right

    def _notice(self) -> bool:
        """See whether a phase is over. What is wished for next can then be what the foot needs that has come down."""
        stepping, time_ = self.stepping, self.state.time
        loads = np.array([foot.normal for foot in self.state.feet]) / self.body.weight
        changed = stepping.look(time_, loads, self.reading.com, self._feet, self.preview, time_ - self.made, self._wish)
        if stepping.missed:
            self.planner.forget()
        if stepping.landed and self._previewed is not None:
            self.planner.step_over(self._previewed, stepping.support == "double")
        return changed

    def _begins(self, wish: StepWish, now: Reading, feet: tuple[PlacedFoot, PlacedFoot]) -> bool:
        """Whether a phase begins now: one that was noticed, or a step of a body that has to leave its place or is to."""
        stepping, changed, self._changed = self.stepping, self._changed, False
        if stepping.support == "double" and stepping.standing and self._must_step(wish, now, feet):
            stance, controls, cost = first_step(self._problem(wish, now, feet, 0), self._problem(wish, now, feet, 1))
            stepping.set_off(self.state.time, now.com, stance)
            self.planner.adopt(controls, cost)
            return True
        if changed and stepping.support == "double" and wish.gait == "stand" and self._can_stand(wish, now, feet):
            stepping.stand()
            self.planner.forget()
        return changed

    def _must_step(self, wish: StepWish, now: Reading, feet: tuple[PlacedFoot, PlacedFoot]) -> bool:
        """Whether a body that stands has to leave its place, or is to."""
        if wish.gait != "stand" or (wish.projectile is not None and wish.projectile.passes(now.com) < wish.projectile.distance):
            return True
        return not self._is_balanced(wish, now, feet)

    def _is_balanced(self, wish: StepWish, now: Reading, feet: tuple[PlacedFoot, PlacedFoot]) -> bool:
        settled = self.state.time - self.stepping.since > RIGHT
        return is_balanced(self.slip, now, self.heading, feet, wish.heading, anyhow=not settled)

    def _can_stand(self, wish: StepWish, now: Reading, feet: tuple[PlacedFoot, PlacedFoot]) -> bool:
        return self._is_balanced(wish, now, feet) or float(np.linalg.norm(now.com_velocity[:2])) < SETTLES

    def _is_old(self, wish: StepWish) -> bool:
        """Whether the last preview is not to be followed any further."""
        age = self.state.time - self.made
        if self.preview is None or (self.every and age >= (self.every - 0.5) * self.step) or age > OLDEST:
            return True
        if self.stepping.standing:
            return age > STANDS_ON
        return age > max(self.preview.duration(0) + 0.5 * self.step, OVERDUE)

    def _problem(self, wish: StepWish, now: Reading, feet: tuple[PlacedFoot, PlacedFoot],
                 stance: int | None = None) -> PreviewProblem:
        s, planner = self.stepping, self.planner
        state = s.state(self.state.time, now.com, now.com_velocity, self.heading, now.heading_rate, feet)
        if wish.height is None and (s.support == "flight" or not wish.flies):
            # its heel up, a foot is higher than where the other one comes down
            state = replace(state, level=float(self.body.ground.height(now.com[:2])))
        if wish.rolls and s.support != "flight":
            state = replace(state, on_ball=is_on_ball(now, s.stance if s.support == "single" else 1 - s.stance))
        inside = self.state.time - s.since
        cost = planner.last_cost if self._level else planner.cost
        rolls = ROLLS if not wish.flies and self._haste.is_calm(cost, s.since, wish.height is not None) else 0.0
        floor = Floor(exchange=rolls)
        if stance is not None:
            state = replace(state, support="double", stance=stance, elapsed=-SWAYS, begun_at=now.com[:2])
        elif s.support == "single":
            low = 0.0 if wish.flies else max(0.02, lands_in(s, wish, feet, self.preview))
            floor = Floor(single=max(low, min(0.2, 0.25 - inside)), exchange=rolls)
        elif s.support == "double" and not s.standing and not s.first:
            floor = Floor(double=max(rolls - inside, 0.0), exchange=rolls)
        elif s.first and s.support == "double" and planner.controls is not None:
            # a first step is put off again and again unless it is due when it was
            left = planner.controls[T1] - (self.state.time - max(self.made, s.since))
            floor = Floor(exchange=rolls, latest=max(float(left), 0.0))
        elif s.support == "flight" and wish.flies:
            floor = Floor(flight=min(lands_in(s, wish, feet, self.preview), 0.2))
        return PreviewProblem(state, wish, self.slip, floor, self.weights)

    def _plan(self, wish: StepWish, now: Reading, feet: tuple[PlacedFoot, PlacedFoot]) -> None:
        if wish.gait == "stand" and not self.stepping.standing:
            wish = walking(wish)
        problem = self._problem(wish, now, feet)
        same = self._previewed is not None and self._previewed.slots[0] == problem.slots[0]
        since = self.state.time - self.made if self._previewed is not None else 0.0
        calm = self._level and not wish.flies and not self.stepping.standing
        self.preview = self.planner.plan(problem, since, same, calm)
        self.made, self._previewed = self.state.time, problem

    def _sample(self, now: Reading) -> Sample:
        """What the preview wants now; one that was made earlier is followed as a set point (section 7)."""
        assert self.preview is not None
        age, s = self.state.time - self.made, self.stepping
        late = s.support == "double" and not s.standing and bool(now.normals[:, 2].min() > LEVEL)
        if late and self.preview.duration(0) - age < self.step:
            return self.preview.within(1, 0.0)          # the weight has to be on the other foot now
        found = self.preview.within(0, min(age, self.preview.duration(0)))
        if age < 1e-9 or found.cop is None:
            return found
        push = found.acceleration + (FOLLOW * (found.com - now.com) + 2 * np.sqrt(FOLLOW) * (found.velocity - now.com_velocity))
        turn = TURN_FOLLOW * (found.heading - self.heading) + 2 * np.sqrt(TURN_FOLLOW) * (found.turning - now.heading_rate)
        return Sample(found.com, found.velocity, push, found.heading, found.turning, found.turn + turn, found.cop)

    def _reference(self, wish: StepWish, now: Reading, sample: Sample) -> Reference:
        s, preview = self.stepping, self.preview
        assert preview is not None
        off = near(wish.heading - self.heading)
        looks = self.heading + LOOK * min(max(off, -LOOKS), LOOKS)
        if s.support == "double":
            rolls = () if s.standing else (1 - s.stance,)
            return Reference(sample.acceleration, sample.turn, looks, (0, 1), None, rolls)
        swing = swung(self.body, self.slip, s, preview, now, wish, self.state.time - self.made, self.state.time)
        turn = sample.turn
        # the preview knows nothing of what swinging legs turn; a run, and who turns as fast as it can plan, has no time to learn
        if wish.flies or (wish.height is not None and abs(off) > ASKEW) or abs(turn) > SPINS or abs(now.heading_rate) > SPUN:
            turn = TURN_FOLLOW * off - 2 * np.sqrt(TURN_FOLLOW) * now.heading_rate
        hung = free_foot(self.body, now, s.stance, self.heading) if wish.gait == "hop" else ()
        if s.support == "flight":
            return Reference(None, turn, looks, (), swing, (), wish.flies, *hung)
        rolls = (s.stance,) if heel_rises(self.body, now, s.stance, self.heading, wish) else ()
        return Reference(sample.acceleration, turn, looks, (s.stance,), swing, rolls, wish.flies, *hung)
