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

from ....character.humanoid import stands_like_people
from ....character.kinematic_model import KinematicModel
from ....errors import MotionError
from ....fullbody.solve import Before
from ....motion import Motion, Report
from ....plan.body import Carried
from ....plan.result import Plan
from ....plan.warm_start import WindowKey
from ....sketch.reference.reference import fitted, plan_reference
from ....sketch.sketch import Sketch, sketch
from ....task import Task
from ...base import Clock
from ...shared.character import body_of
from ...shared.motion_writer import record_motion
from ...shared.scaling import to_human_scale
from ..body import Figure, people_style
from ..limb_momentum import Found, Frame, body_in_motion
from ..modes.walking import make_wish
from ..pipeline import RUN_UP, Work
from ..run_up import with_run_up
from ..tracking import Followed, Follower
from .initial_state import SETTLING, SWING_AHEAD, Past, Span

Array = NDArray[np.float64]
Progress = Callable[[str, float], None]

FAR = 0.08            # rad, root mean square over joints and frames, from which on what was known is known anew
FORGOTTEN = 5.0       # s after which a push is forgotten
AROUND = 4.0          # s before and after what is planned, for which footsteps count


def solved_alone(task: Task, motion: Motion, begin: float, end: float, progress: Progress) -> Motion | None:
    """The motion with a stretch of it solved anew, and all else as it was; None where it cannot be solved alone.

    The frames of the stretch do not join the others yet.

    Args:
        task: with all footsteps of the motion that are to stay among those that it keeps.
        begin, end: of the stretch, s.
    """
    begun = time.perf_counter()
    character = body_of(task)
    if not stands_like_people(character) or task.jumps or task.bars is not None:
        return None
    at_scale, character, scale = to_human_scale(task, character)
    longer, run_up = with_run_up(at_scale, RUN_UP)
    if begin / scale.time < SETTLING:
        return None
    figure = Figure.of(character, people_style(task, character))
    if tuple(motion.link_names) != character.link_names() or motion.frames != task.frames:
        raise MotionError("The motion is not one of this task: its links or its number of frames are others.")
    span = Span.of(longer, run_up, begin / scale.time, end / scale.time)
    if any(p.time < span.until and p.end > span.start - FORGOTTEN for p in longer.pushes):
        return None
    work = Work(longer, figure, Clock())
    with work.clock.stage("sketch"):
        drawn = _drawn(work, span)
    progress("sketch", 0.2)
    before = Past.of(figure, motion, scale, run_up, longer.fps, span)
    drawn = before.exactly(_around(drawn, span))
    found = _Stretch(work, drawn, before, span).solved(progress)
    work.clock.seconds["total"] = time.perf_counter() - begun
    told = run_up.told(found)
    told = scale.enlarge(replace(told, report=replace(told.report, clip_seconds=at_scale.seconds)))
    told = replace(told, report=replace(told.report, notes=motion.report.notes))
    return _into(motion, told, span.first - run_up.frames)


def _drawn(work: Work, span: Span) -> Sketch:
    """The clip's sketch as far as the span needs it; to its end where a pose waits there."""
    if work.ends.last is not None:
        return work.draw()
    figure, task = work.figure, replace(work.task, seconds=min(span.until + AROUND, work.task.seconds))
    return sketch(task, figure.character, figure.style, figure.com_height, figure.gyration)


def _around(drawn: Sketch, span: Span) -> Sketch:
    """A sketch with the footsteps that matter to a span."""
    steps = tuple(s for s in drawn.steps if s.footstep.lift > span.start - AROUND and s.footstep.strike < span.until + AROUND)
    return replace(drawn, steps=steps)


@dataclass(frozen=True)
class _Known:
    """What is known of the body before it is planned, at the times of what was before."""

    poses: Array              # (n, nq)
    turns: Array              # (n, 3, 3) of the body as a whole
    com: Array                # (n, 3) planned


@dataclass(frozen=True)
class _Stretch:
    """Plan and full body of a span."""

    work: Work
    drawn: Sketch
    before: Past
    span: Span

    def solved(self, progress: Progress) -> Motion:
        """The frames of the span, in the times of the task with its run-up."""
        work, task, before = self.work, self.work.task, self.before
        known = _Known(before.poses, before.turns(task, self.drawn, work.passages), before.com)
        carried = before.carried(self.span.start, self.drawn, known.turns, work.figure.character.mass * task.gravity)
        plan = self._plan(known, carried, {})
        progress("plan", 0.4)
        done = self._body(plan, known)
        progress("full body", 0.6)
        own = self._own(done)
        if _far(work.figure.model, known.poses[own], done.poses):       # what the limbs were known to do they no longer do
            sample = plan.at(done.wish.time)
            known = _Known(*(np.concatenate([a[:own.start], b, a[own.stop:]]) for a, b in (
                (known.poses, done.poses), (known.turns, sample.rotation), (known.com, sample.com))))
            plan = self._plan(known, carried, plan.known)
            progress("plan", 0.8)
            done = self._body(plan, known)
        report = Report(task.name, "centroidal", work.figure.character.name, task.seed, task.seconds, work.clock.seconds)
        poses = work.ends.joined(work.figure.model, done.poses, done.wish.time, task.seconds)
        return record_motion(task, work.figure.model, self.drawn, plan, done.wish, poses, (), report)

    def _own(self, done: Followed) -> slice:
        """The solved frames among those of the motion as it was."""
        first = self.span.first - int(round(self.before.times[0] * self.work.task.fps))
        return slice(first, first + len(done.poses))

    def _plan(self, known: _Known, carried: Carried, shapes: dict[WindowKey, Array]) -> Plan:
        figure, drawn, task, times = self.work.figure, self.drawn, self.work.task, self.before.times
        with self.work.clock.stage("plan"):
            body = body_in_motion(figure.model, task.gravity, Found(times, known.poses, np.zeros(0)), Frame.of(times, known.turns))
            reference = plan_reference(drawn, figure.course, figure.com_height, task.gravity)
            reference = self.work.ends.led(reference, task.seconds)
            footsteps, place = [s.footstep for s in drawn.steps], CubicSpline(times, known.com)

            def there(moments: Array) -> Array:
                com = reference.at(moments).com
                within = (moments >= times[0]) & (moments <= times[-1])
                com[within] = place(moments[within])
                return com

            lower = fitted(reference, drawn, tuple(footsteps), figure.course, there)
            planner = figure.planner(task, body, lower, footsteps, carried, known=shapes)
            pieces = planner.plan(self.span.until, True)
        weight = figure.character.mass * task.gravity
        return Plan(pieces, tuple(planner.footsteps), weight, figure.limbs, planner.shapes)

    def _body(self, plan: Plan, known: _Known) -> Followed:
        """The full body of the span's frames, which goes on from the frame before them."""
        work, span, task, before = self.work, self.span, self.work.task, self.before
        model = work.figure.model
        with work.clock.stage("fullbody"):
            begin = int(round(span.start * task.fps))
            times = np.arange(begin, span.last + int(SWING_AHEAD * task.fps)) / task.fps
            wish = make_wish(model, self.drawn, plan, work.figure.style, task.ground, times, hurdles=task.hurdles,
                             narrow=task.tread == "forefoot", look=task.look, poses=work.passages)
            wish = replace(wish, reference=work.ends.posed(model, wish.reference, times, task.seconds))
            lead, ahead = wish.cut(0, span.first - begin), wish.cut(span.first - begin, span.last - begin)
            first = span.first - int(round(before.times[0] * task.fps))
            after = Before(before.poses[first - 1], lead.reference[-1], lead.momentum[-1])
            away = model.difference(ahead.reference, known.poses[first:first + len(ahead.time)])
            return Follower(model, None, 1 / task.fps).closely(ahead, away, lambda share: None, after)


def _far(model: KinematicModel, old: Array, new: Array) -> bool:
    """Whether joints are turned so far otherwise that another pass is worth it."""
    off = model.difference(old, new)[:, 6:]
    return bool(np.sqrt((off * off).mean()) > FAR)


def _into(old: Motion, new: Motion, first: int) -> Motion:
    """A motion with some of its frames, from one on, taken from another."""
    count = new.frames
    arrays: dict[str, Any] = {}
    for name, value in vars(old).items():
        if isinstance(value, np.ndarray) and value.ndim and name in PER_FRAME:
            part: NDArray[Any] = getattr(new, name)
            if name in TURNS:
                part = np.where((part * value[first:first + count]).sum(-1, keepdims=True) < 0, -part, part)
            arrays[name] = np.concatenate([value[:first], part, value[first + count:]])
    return replace(new, **arrays)


TURNS = ("link_orientation", "reference_orientation", "toe_orientation")
PER_FRAME = (*TURNS, "link_position", "link_origin", "contact_position", "contact_force", "contact_active", "push_force",
             "push_point", "push_moment", "planned_com", "goal_velocity", "relaxed")
