"""A body that is steered while it goes: half a cycle at a time.

Source: the receding horizon of Kwon et al. 2020, section 5.1. What is baked is planned twice, the second time with the
momentum that the limbs had; here nothing can be planned twice, and the full body's leak keeps the difference small.
"""
from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...clip import style_of
from ...fullbody.foot_path import FootPath
from ...fullbody.initial_pose import stepped_in
from ...fullbody.retarget_swing import redirected
from ...fullbody.solve import Before, solve_body
from ...fullbody.weights import STEPPING
from ...motion import Motion, Report
from ...plan.body import Carried
from ...plan.external import ExternalForce
from ...plan.planner import Planner
from ...plan.result import Piece, Plan
from ...sketch.reference.reference import plan_reference
from ...sketch.sketch import Sketch, sketch, steer
from ...task import Path, Push, SpeedProfile, Task
from ..base import Wishes
from ..shared.character import body_of
from ..shared.disturbances import felt
from ..shared.motion_writer import record_motion
from ..shared.scaling import kept_at_scale, push_at_scale, to_human_scale
from .body import Figure
from .modes.walking import make_wish
from .segments import REACTION

Array = NDArray[np.float64]

HALF = 0.3            # s that a half cycle lasts at least
SEEN = 2.9            # s of the task that is drawn ahead
CHANGE = 0.5          # s over which the speed goes over to the one wished for
CORNER = 0.5          # s of way after which the path turns, since a turn begins before its corner
PAST = 0.9            # s behind now for which the feet's ways are drawn again
AHEAD = 0.45          # s ahead of what is given out, for swings that have begun
SETTLED = 0.2         # s solved ahead of what is given out
LIGHT = 0.01          # weight of the angular momentum: what limbs have of it is not known beforehand
PASSES = 4            # Gauss-Newton steps of the full body, at most
REMEMBERED = 6        # footsteps and pieces of the plan


@dataclass
class Session:
    """Goes on from where it is, whatever is wished for next.

    Args:
        task: body, ground, style, frame rate, gravity and friction; it begins at the path's first point, in its direction.

    Raises:
        TaskError: a style, body or speed that cannot be.
    """

    task: Task
    _planner: Planner | None = field(default=None, init=False)
    _pieces: list[Piece] = field(default_factory=list, init=False)
    _feet: tuple[FootPath, ...] = field(default=(), init=False)
    _given: int = field(default=0, init=False)                # frames given out
    _feet_from: int = field(default=0, init=False)            # the frame that `_feet` begin with
    _after: Before | None = field(default=None, init=False)
    _external: tuple[ExternalForce, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        self._task, character, self._scale = to_human_scale(self.task, body_of(self.task))
        self._figure = Figure.of(character, style_of(self.task.recipe))
        self._direction = float(self._task.path.heading(0.0))
        self._drawn: Sketch

    @property
    def time(self) -> float:
        """Until when it has gone, s."""
        return self._given / self.task.fps

    def branch(self) -> Session:
        """Another session that is where this one is; each goes on without the other."""
        other = copy.copy(self)
        if self._planner is not None:        # all else is replaced as a session goes on, and never changed
            other._planner = copy.copy(self._planner)
        return other

    def advance(self, wishes: Wishes) -> Motion:
        """The next half cycle: the frames after the last one given out, to about the middle of the next contact."""
        speed = wishes.speed * self._scale.time / self._scale.length
        self._task = replace(self._task, kept=tuple(kept_at_scale(k, self._scale) for k in wishes.kept))
        undergone: list[Piece] = []
        if self._planner is None:
            drawn, carried = self._begin(speed, wishes.direction), None
        else:
            if wishes.pushes:
                undergone.append(self._undergo(self._planner, wishes.pushes))
            drawn, carried = self._go_on(self._planner, speed, wishes.direction)
        now = carried.time if carried else 0.0
        figure, gravity = self._figure, self._task.gravity
        reference = plan_reference(drawn, figure.course, figure.com_height, gravity)
        planner = figure.planner(self._task, figure.rigid(gravity), reference, [s.footstep for s in drawn.steps], carried,
                                 self._external)
        pieces = [*undergone, *planner.plan(now + HALF, True)]
        shifted = zip(drawn.steps, planner.footsteps, strict=True)
        self._drawn = replace(drawn, steps=tuple(replace(s, footstep=f) for s, f in shifted))
        self._planner, self._pieces = planner, [*self._pieces, *pieces][-REMEMBERED:]
        return self._scale.enlarge(self._body(now, pieces[-1].end))

    def _begin(self, speed: float, direction: float) -> Sketch:
        task = self._ahead(self._task.path.points[0], speed, speed, direction)
        figure = self._figure
        return sketch(task, figure.character, figure.style, figure.com_height, figure.gyration)

    def _undergo(self, planner: Planner, pushes: tuple[Push, ...]) -> Piece:
        """The body goes on as planned while it is pushed."""
        now = planner.now.time
        pushed = replace(self._task, pushes=tuple(replace(push_at_scale(p, self._scale), time=now) for p in pushes))
        self._external = felt(pushed, self._figure.model, lambda t: planner.reference.at(t).rotation)
        planner.external = self._external
        return planner.undergo(now + REACTION)

    def _go_on(self, planner: Planner, speed: float, direction: float) -> tuple[Sketch, Carried]:
        """The sketch from now on, and the body as it now is; footsteps of long ago are forgotten."""
        now, course = planner.now, self._drawn.course
        pace = float(np.interp(now.time, course.time, course.speed))
        task = self._ahead(course.pendulum.at(np.array(now.time), "cart"), pace, speed, direction)
        gone = max(sum(f.strike < now.time for f in planner.footsteps) - REMEMBERED, 0)
        before = replace(self._drawn, steps=self._drawn.steps[gone:])
        moment = np.array([now.time])
        there, pendulum = planner.reference.at(moment), course.pendulum
        com = pendulum.at(moment, "com")[0] + (now.state.com - there.com[0])[:2]
        velocity = pendulum.at(moment, "velocity")[0] + (now.state.velocity - there.velocity[0])[:2]
        drawn = steer(before, task, self._figure.character, now.time, com, velocity)
        return drawn, replace(now, forces={(k - gone, point): curve for (k, point), curve in now.forces.items()})

    def _ahead(self, start: Array, pace: float, speed: float, direction: float) -> Task:
        """A task from a place on: on in the old direction as far as a turn needs to begin, then in the new one."""
        def on(angle: float, far: float) -> Array:
            return far * np.array([np.cos(angle), np.sin(angle)])

        corner = start + on(self._direction, max(CORNER * pace, 0.05))
        path = Path([start, corner, corner + on(direction, 2.0 + 2 * SEEN * max(pace, speed))])
        self._direction = direction
        profile = SpeedProfile([pace, speed], [0.0, CHANGE])
        return replace(self._task, path=path, speed=profile, seconds=SEEN, start="moving", stop_at_end=False, facing=None)

    def _body(self, now: float, until: float) -> Motion:
        """The full body from the frame after the last one given out."""
        fps, figure = self._task.fps, self._figure
        last = max(int(until * fps), self._given)
        first = max(self._given - int(PAST * fps), 0)
        times = np.arange(first, last + 1 + int(AHEAD * fps)) / fps
        plan = Plan(tuple(self._pieces), tuple(self._planner.footsteps) if self._planner else (),
                    figure.character.mass * self._task.gravity, figure.limbs, {})
        wish = make_wish(figure.model, self._drawn, plan, figure.style, self._task.ground, times,
                         narrow=self._task.tread == "forefoot", look=self._task.look)
        wish = replace(wish, feet=self._joined_feet(wish.feet, first, times, now))
        self._feet, self._feet_from = wish.feet, first
        ahead = wish.cut(self._given - first, last + 1 + int(SETTLED * fps) - first)
        start = stepped_in(figure.model, ahead)
        found = solve_body(figure.model, ahead, replace(STEPPING, momentum=LIGHT), start, PASSES, after=self._after)
        count = last + 1 - self._given
        given = ahead.cut(0, count)
        self._after = Before(found.poses[count - 1], given.reference[-1], given.momentum[-1])
        self._given = last + 1
        report = Report(self._task.name, "centroidal", figure.character.name, self._task.seed, count / fps, {})
        return record_motion(self._task, figure.model, self._drawn, plan, given, found.poses[:count], self._external, report)

    def _joined_feet(self, feet: tuple[FootPath, ...], first: int, times: Array, now: float) -> tuple[FootPath, ...]:
        """Feet that go on from where they were on the ways of the half cycle before."""
        if not self._feet:
            return feet
        out = []
        for old, new in zip(self._feet, feet, strict=True):
            lead = first - self._feet_from
            known = min(len(old.hold) - lead, len(times))
            same = FootPath(*(np.concatenate([getattr(old, name)[lead:lead + known], getattr(new, name)[known:]])
                              for name in FootPath.__dataclass_fields__))
            out.append(redirected(same, new, times, now))
        return tuple(out)
