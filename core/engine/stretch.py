"""A stretch of a clip solved alone: it goes on from where the motion was, and knows from it what a first pass would show.

The sketch is the whole clip's, so that the course is the same; plan and full body are made for the stretch and what it takes
before and after. The plan begins with the body where the motion had it, with its momentum and the forces under its feet. How
the inertia changes and what momentum the limbs have is taken from the motion as well, in place of a pass of its own.
"""
from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from .. import so3
from ..character.model import KinematicModel
from ..character.posed import poses_from
from ..errors import MotionError
from ..fullbody.solve import Before
from ..motion import Footstep, Motion, Report
from ..plan.body import Carried, ForceCurve
from ..plan.horizon import State
from ..plan.memory import SAMPLES
from ..plan.result import Plan
from ..sketch.reference import lowered, plan_reference
from ..sketch.sketch import Sketch
from ..task import Task
from .centroidal import RUN_UP, Clock, Work
from .figure import Figure, people_style, stands_like_people
from .following import Follower
from .known import Found, Frame, body_in_motion
from .pushing import felt
from .record import record_motion
from .run_up import RunUp, with_run_up
from .scaling import Scale, body_of, to_human_scale
from .wishing import make_wish, styled

Array = NDArray[np.float64]
Progress = Callable[[str, float], None]

SETTLING = 1.0        # s before the stretch from which on it is planned
ONWARD = 0.4          # s after the stretch to which the body is solved
SWING_AHEAD = 0.7     # s after that to which it is planned, for swings that have begun
FORGOTTEN = 5.0       # s after which a push is forgotten
AROUND = 4.0          # s before and after what is planned, for which footsteps count
SAME = 1e-3           # s, m and rad by which contacts that are one may differ


def solved_alone(task: Task, motion: Motion, begin: float, end: float, progress: Progress) -> Motion | None:
    """The motion with a stretch of it solved anew, and all else as it was; None where it cannot be solved alone.

    The frames of the stretch do not join the others yet.

    Args:
        task: with all footsteps of the motion that are to stay among those that it keeps.
        begin, end: of the stretch, s.
    """
    begun = time.perf_counter()
    character = body_of(task)
    if not stands_like_people(character) or task.jumps or task.bars is not None or begin < SETTLING:
        return None
    at_scale, character, scale = to_human_scale(task, character)
    longer, run_up = with_run_up(at_scale, RUN_UP)
    figure = Figure.of(character, people_style(task, character))
    if tuple(motion.link_names) != character.link_names() or motion.frames != task.frames:
        raise MotionError("The motion is not one of this task: its links or its number of frames are others.")
    span = _Span.of(longer, run_up, begin / scale.time, end / scale.time)
    if any(p.time < span.until and p.end > span.start - FORGOTTEN for p in longer.pushes):
        return None
    work = Work(longer, figure, Clock())
    with work.clock.stage("sketch"):
        drawn = work.draw()
    progress("sketch", 0.2)
    before = _Before.of(figure, motion, scale, run_up, longer.fps)
    drawn = before.exactly(_around(drawn, span))
    found = _Stretch(work, drawn, before, span).solved(progress)
    work.clock.seconds["total"] = time.perf_counter() - begun
    told = run_up.told(found)
    told = scale.enlarge(replace(told, report=replace(told.report, clip_seconds=at_scale.seconds)))
    return _into(motion, told, span.first - run_up.frames)


@dataclass(frozen=True)
class _Span:
    """What is planned and solved, s and frames of the task with its run-up."""

    start: float              # from where the plan goes
    first: int                # the first frame that is solved
    last: int                 # one more than the last one
    until: float              # to where the plan goes

    @staticmethod
    def of(task: Task, run_up: RunUp, begin: float, end: float) -> _Span:
        """For a stretch of the clip, s at human scale."""
        first = int(begin * task.fps) + 1 + run_up.frames
        last = min(int((end + ONWARD) * task.fps) + run_up.frames, task.frames)
        return _Span((first - int(SETTLING * task.fps)) / task.fps, first, last, last / task.fps + SWING_AHEAD)


def _around(drawn: Sketch, span: _Span) -> Sketch:
    """A sketch with the footsteps that matter to a span."""
    steps = tuple(s for s in drawn.steps if s.footstep.lift > span.start - AROUND and s.footstep.strike < span.until + AROUND)
    return replace(drawn, steps=steps)


@dataclass(frozen=True)
class _Before:
    """A motion as it was, at human scale and with the times of a task with its run-up."""

    figure: Figure
    times: Array              # (n,)
    poses: Array              # (n, nq)
    com: Array                # (n, 3) planned
    reference: Array          # (n, 3, 3) of the pelvis
    force: Array              # (n, limbs, 2, 3) body weights, at heel and ball
    footsteps: tuple[Footstep, ...]

    @staticmethod
    def of(figure: Figure, motion: Motion, scale: Scale, run_up: RunUp, fps: float) -> _Before:
        """Read a motion of this body."""
        a, b, model = scale.length, scale.time, figure.model
        poses = poses_from(model, motion.link_origin[:, 0] / a, so3.quat_to_matrix(motion.link_orientation))
        legs = len(figure.character.legs)
        force = motion.contact_force.reshape(motion.frames, -1, 3, 3)[:, :legs, :2]
        weight = figure.character.mass * float(np.linalg.norm(motion.gravity))
        steps = tuple(replace(f, strike=f.strike / b + run_up.seconds, flat=f.flat / b + run_up.seconds,
                              heel_off=f.heel_off / b + run_up.seconds, lift=f.lift / b + run_up.seconds, position=f.position / a)
                      for f in motion.footsteps)
        return _Before(figure, (np.arange(motion.frames) + run_up.frames) / fps, poses, motion.planned_com / a,
                       so3.quat_to_matrix(motion.reference_orientation[:, 0]), force / weight, steps)

    def exactly(self, drawn: Sketch) -> Sketch:
        """A sketch whose kept footsteps are those of the motion, where they are the same."""
        out = []
        for s in drawn.steps:
            same = next((f for f in self.footsteps if s.footstep.kept and s.fixed and f.leg == s.footstep.leg
                         and abs(f.time - s.footstep.time) < SAME and abs(f.yaw - s.footstep.yaw) < SAME
                         and np.abs((f.position - s.footstep.position)[:2]).max() < SAME), None)
            out.append(s if same is None else replace(s, footstep=replace(same, kept=True)))
        return replace(drawn, steps=tuple(out))

    def turns(self, work: Work, drawn: Sketch) -> Array:
        """How the plan had the body turned: what its reference was turned by, against the style's pose. (n, 3, 3)."""
        pose = styled(self.figure.model, drawn, tuple(s.footstep for s in drawn.steps), self.figure.style, self.times,
                      work.task.stride is None, work.task.hurdles, work.passages)
        return self.reference @ np.swapaxes(so3.quat_to_matrix(pose[:, 3:7]), 1, 2)

    def part(self, begin: float, end: float) -> _Before:
        """The frames within a time."""
        own = (self.times >= begin - 1e-6) & (self.times <= end + 1e-6)
        return replace(self, times=self.times[own], poses=self.poses[own], com=self.com[own], reference=self.reference[own],
                       force=self.force[own])

    def carried(self, start: float, drawn: Sketch, turns: Array, weight: float) -> Carried:
        """The body at one of the frames, as a plan takes it over."""
        k = int(np.argmin(np.abs(self.times - start)))
        place = CubicSpline(self.times, self.com)
        near = slice(max(k - 2, 0), k + 3)
        momentum = _momentum(self.figure.model, self.poses[near], self.times[near])
        state = State(self.com[k], place(self.times[k], 1), turns[k], momentum(self.times[k]) / weight)
        forces = {}
        for number, f in enumerate(s.footstep for s in drawn.steps):
            if not f.strike < start < f.lift:
                continue
            for point, finish in ((0, f.heel_off), (1, f.lift)):
                if start < finish:
                    moments = np.linspace(start, finish, SAMPLES)
                    values = [np.interp(moments, self.times, self.force[:, f.leg, point, axis]) for axis in range(3)]
                    forces[number, point] = ForceCurve(moments, np.stack(values, -1))
        return Carried(start, state, forces)


def _momentum(model: KinematicModel, poses: Array, times: Array) -> CubicSpline:
    """Angular momentum over time, kg m^2/s."""
    maps = model.centroidal(poses).angular_map
    step = model.difference(poses[:-1], poses[1:]) / np.diff(times)[:, None]
    return CubicSpline(0.5 * (times[1:] + times[:-1]), (0.5 * (maps[1:] + maps[:-1]) @ step[..., None])[..., 0])


@dataclass(frozen=True)
class _Stretch:
    """Plan and full body of a span."""

    work: Work
    drawn: Sketch
    before: _Before
    span: _Span

    def solved(self, progress: Progress) -> Motion:
        """The frames of the span, in the times of the task with its run-up."""
        work, figure, span, task = self.work, self.work.figure, self.span, self.work.task
        model, clock = figure.model, work.clock
        with clock.stage("plan"):
            plan, body_before = self._plan()
        progress("plan", 0.5)
        with clock.stage("fullbody"):
            lead = span.first - int(round(span.start * task.fps))
            times = (np.arange(span.first - lead, span.last + int(SWING_AHEAD * task.fps))) / task.fps
            wish = make_wish(model, self.drawn, plan, figure.style, task.ground, times, natural=task.stride is None,
                             hurdles=task.hurdles, narrow=task.tread == "forefoot", look=task.look, poses=work.passages)
            wish = replace(wish, reference=work.ends.posed(model, wish.reference, times, task.seconds))
            wish, k = wish.cut(lead - 1, lead + span.last - span.first), span.first - int(round(body_before.times[0] * task.fps))
            after = Before(body_before.poses[k - 1], wish.reference[0], wish.momentum[0])
            wish = wish.cut(1, len(wish.time))
            old = body_before.poses[k:k + len(wish.time)]
            away = model.difference(wish.reference, old)
            done = Follower(model, None, 1 / task.fps).closely(wish, away, lambda share: progress("full body", 0.5 + 0.5 * share),
                                                                after)
            poses = work.ends.joined(model, done.poses, wish.time, task.seconds)
        report = Report(task.name, "centroidal", figure.character.name, task.seed, task.seconds, clock.seconds,
                        (*figure.character.notes, *self.drawn.course.notes))
        return record_motion(task, model, self.drawn, plan, done.wish, poses, (), report)

    def _plan(self) -> tuple[Plan, _Before]:
        work, figure, span, drawn = self.work, self.work.figure, self.span, self.drawn
        task, model = work.task, figure.model
        before = self.before.part(span.start - 0.2, span.until)
        turns = before.turns(work, drawn)
        body = body_in_motion(model, task.gravity, Found(before.times, before.poses, np.zeros(0)), Frame.of(before.times, turns))
        reference = work.ends.led(plan_reference(drawn, figure.reaches, figure.com_height, task.gravity), task.seconds)
        footsteps = [s.footstep for s in drawn.steps]
        place = CubicSpline(before.times, before.com)

        def there(times: Array) -> Array:
            com = reference.at(times).com
            known = (times >= before.times[0]) & (times <= before.times[-1])
            com[known] = place(times[known])
            return com

        reference = lowered(reference, drawn, tuple(footsteps), figure.reaches, there)
        weight = figure.character.mass * task.gravity
        external = felt(task, model, lambda t: reference.at(t).rotation)
        planner = figure.planner(task, body, reference, footsteps, before.carried(span.start, drawn, turns, weight), external)
        pieces = planner.plan(span.until, True)
        return Plan(pieces, tuple(planner.footsteps), weight, figure.limbs, {}), before


def _into(old: Motion, new: Motion, first: int) -> Motion:
    """A motion with some of its frames, from one on, taken from another."""
    count, arrays = new.frames, {}
    for name, value in vars(old).items():
        if isinstance(value, np.ndarray) and value.ndim and name in PER_FRAME:
            part: NDArray[Any] = getattr(new, name)
            if name in TURNS:
                part = np.where((part * value[first:first + count]).sum(-1, keepdims=True) < 0, -part, part)
            arrays[name] = np.concatenate([value[:first], part, value[first + count:]])
    return replace(new, **arrays)


TURNS = ("link_orientation", "reference_orientation", "toe_orientation")
PER_FRAME = (*TURNS, "link_position", "link_origin", "contact_position", "contact_force", "contact_active", "push_force",
             "push_point", "planned_com", "goal_velocity", "relaxed")
