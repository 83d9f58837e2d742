"""The default engine: sketch, centroidal plan, momentum-mapped full body, the last two in two passes.

Source: Kwon et al. 2020, with the two passes of our own: the first pass shows what momentum the limbs have and how the
inertia changes, which the paper holds constant; the second plans with both and follows the plan closely.
"""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, filtfilt

from ..clip import builtin_style
from ..fullbody.apart import legs_apart
from ..fullbody.arms_apart import arms_apart
from ..fullbody.solve import solve_body
from ..fullbody.weights import BodyWeights
from ..fullbody.wish import Wish
from ..motion import Motion, Report
from ..plan.body import Body, Carried
from ..plan.external import ExternalForce
from ..plan.planner import Planner
from ..plan.result import Plan
from ..sketch.jumping import Jumping, draw_jumps
from ..sketch.reference import plan_reference
from ..sketch.sketch import Sketch, sketch
from ..task import Task
from .acting import act
from .chapters import Chapter, Chapters, Storyteller
from .ends import Ends
from .figure import Figure, Known
from .hurdling import told_touches
from .pushing import felt, told_falls
from .record import record_motion
from .run_up import with_run_up
from .scaling import body_of, to_human_scale
from .wishing import make_wish

Array = NDArray[np.float64]
Progress = Callable[[str, float], None]

RUN_UP = 1.5          # s before the clip, over which the plan settles
SWING_AHEAD = 0.7     # s that the feet's ways are drawn past the clip's end, for swings that have begun
TAIL = 1.2            # s planned past the clip's end, so that the end knows what comes
STEPS = 8             # Gauss-Newton steps of a pass over the full body at most
ROUGH = 2             # of them in the second pass before it is looked at where limbs go through each other
SMOOTH_HZ = 10.0      # limbs' momentum is smoothed above this before the plan takes it as given


@dataclass
class _Clock:
    seconds: dict[str, float] = field(default_factory=lambda: {"sketch": 0.0, "plan": 0.0, "fullbody": 0.0, "simulate": 0.0})

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        begin = time.perf_counter()
        yield
        self.seconds[name] += time.perf_counter() - begin


def generate(task: Task, progress: Progress = lambda stage, share: None) -> Motion:
    """Generate a task's motion.

    Args:
        progress: told 'sketch', 'plan' or 'full body' and the share done of all; may raise to stop the work.
    """
    clock = _Clock()
    begin = time.perf_counter()
    asked, character = task, body_of(task)
    task, character, scale = to_human_scale(task, character)
    style = builtin_style(task.style)
    task, run_up = with_run_up(task, RUN_UP)
    work = _Work(task, Figure.of(character, style), clock)
    with clock.stage("sketch"):
        drawn = work.draw()
    progress("sketch", 0.1)
    first, first_poses = work.first_pass(drawn, lambda share: progress("plan", 0.1 + 0.4 * share))
    plan, wish, poses = work.second_pass(first, first_poses, lambda share: progress("full body", 0.5 + 0.45 * share))
    clock.seconds["total"] = time.perf_counter() - begin
    report = Report(task.name, "centroidal", character.name, task.seed, task.seconds, clock.seconds,
                    (*character.notes, *drawn.course.notes))
    motion = record_motion(task, work.figure.model, work.chapters.last.drawn, plan, wish, poses, work.external, report)
    progress("full body", 1.0)
    falls = told_falls(task, motion.report.eased, run_up.seconds, scale.time)
    motion = scale.enlarge(run_up.cut(motion))
    notes = motion.report.notes + falls + told_touches(motion, asked.hurdles, asked.ground)
    return replace(motion, report=replace(motion.report, notes=notes))


@dataclass
class _Work:
    """One task at human scale on its way through the levels."""

    task: Task
    figure: Figure
    clock: _Clock
    chapters: Chapters = field(init=False)
    external: tuple[ExternalForce, ...] = ()
    jumping: Jumping | None = None

    def __post_init__(self) -> None:
        self.ends = Ends.of(self.task, self.figure.model)
        self.task = self.ends.begun(self.task)

    def draw(self) -> Sketch:
        """Level 1."""
        figure = self.figure
        if self.task.jumps:
            self.jumping = draw_jumps(self.task, figure.model, figure.style)
            return self.jumping.drawn
        drawn = sketch(self.task, figure.character, figure.style, figure.com_height, figure.gyration)
        if self.ends.last is None:
            return drawn
        self.task = self.ends.arriving(self.task, drawn)
        return sketch(self.task, figure.character, figure.style, figure.com_height, figure.gyration)

    def first_pass(self, drawn: Sketch, progress: Callable[[float], None]) -> tuple[Plan, tuple[Array, Array]]:
        """A plan for a rigid body, and poses that only lean on its momentum; past the clip's end."""
        figure, model = self.figure, self.figure.model
        body = figure.rigid(self.task.gravity)
        if self.jumping is not None:
            reference, body = self.jumping.reference, replace(body, inertia=self.jumping.inertia_at)
        else:
            reference = plan_reference(drawn, figure.reaches, figure.com_height, self.task.gravity)
            reference = self.ends.led(reference, self.task.seconds)
        external = felt(self.task, model, lambda t: reference.at(t).rotation)
        with self.clock.stage("plan"):
            teller = self._storyteller(body, external, {})
            plan, self.chapters = teller.first(drawn, reference, lambda share: progress(0.5 * share))
        with self.clock.stage("fullbody"):
            times = np.arange(self.task.frames + int(TAIL * self.task.fps)) / self.task.fps
            wish = self._wish(plan, times, upright=True)
            weights = BodyWeights(momentum=0.01)
            found = solve_body(model, wish, weights, wish.reference, STEPS, progress=lambda share: progress(0.5 + 0.5 * share))
        return plan, (times, found.poses)

    def second_pass(self, first: Plan, poses: tuple[Array, Array],
                    progress: Callable[[float], None]) -> tuple[Plan, Wish, Array]:
        """The plan again with the inertia and the limbs' momentum that the first pass had, and poses that follow it."""
        times, found = poses
        with self.clock.stage("fullbody"):
            body = self._body_in_motion(times, found)
            if self.jumping is None:
                lowered = self.chapters.lowered_after(first, self.figure.reaches)
                self.chapters = lowered.led(lambda reference: self.ends.led(reference, self.task.seconds))
        self.external = felt(self.task, self.figure.model, lambda t: self.chapters.at(t).rotation, times, found)
        with self.clock.stage("plan"):
            plan = self._storyteller(body, self.external, first.known).again(self.chapters, lambda share: progress(0.4 * share))
        with self.clock.stage("fullbody"):
            ahead = np.arange(self.task.frames + int(SWING_AHEAD * self.task.fps)) / self.task.fps
            wish = self._wish(plan, ahead, upright=False).cut(0, self.task.frames)
            start = found[:self.task.frames]
            wish = self._kept_clear(wish, start)
            rough = solve_body(self.figure.model, wish, BodyWeights(), start, ROUGH,
                               progress=lambda share: progress(0.4 + 0.2 * share))
            wish = self._kept_clear(wish, rough.poses)
            moved = solve_body(self.figure.model, wish, BodyWeights(), rough.poses, STEPS - ROUGH,
                               progress=lambda share: progress(0.6 + 0.4 * share))
        return plan, wish, self.ends.joined(self.figure.model, moved.poses, wish.time, self.task.seconds)

    def _wish(self, plan: Plan, times: Array, upright: bool) -> Wish:
        model, wished = self.figure.model, self.chapters.at(times) if upright else None
        if self.jumping is not None:
            return act(model, self.jumping, plan, self.task.ground, times, wished)
        wish = make_wish(model, self.chapters.last.drawn, plan, self.figure.style, self.task.ground, times, wished,
                         natural=self.task.stride is None, earlier=self.chapters.earlier, pushes=self.task.pushes,
                         hurdles=self.task.hurdles)
        return replace(wish, reference=self.ends.posed(model, wish.reference, times, self.task.seconds))

    def _kept_clear(self, wish: Wish, poses: Array) -> Wish:
        """A wish whose limbs do not go through what they met in poses (n, nq)."""
        model, dt = self.figure.model, 1 / self.task.fps
        placed = model.place(poses)
        return replace(wish, reference=arms_apart(model, wish.reference, placed, dt), feet=legs_apart(model, wish.feet, placed, dt))

    def _storyteller(self, body: Body, external: tuple[ExternalForce, ...], known: Known) -> Storyteller:
        def planner(chapter: Chapter, carried: Carried | None) -> Planner:
            made = self.figure.planner(self.task, body, chapter.reference, chapter.footsteps, carried, external, known)
            if self.jumping is None:
                return made
            return replace(made, limits=self.jumping.limits(made.limits), weights=self.jumping.weights(made.weights),
                           pacing=self.jumping.pacing)

        return Storyteller(self.task, self.figure, planner, self.task.seconds + TAIL)

    def _body_in_motion(self, times: Array, poses: Array) -> Body:
        """Inertia in the plan's frame and momentum of the limbs against it, over time, from poses."""
        c = self.figure.model.centroidal(poses)
        dt = times[1] - times[0]
        step = self.figure.model.difference(poses[:-1], poses[1:]) / dt
        middle = 0.5 * (c.angular_map[1:] + c.angular_map[:-1])
        momentum = (middle @ step[..., None])[..., 0]                                       # (n - 1, 3) at half frames
        frame = self.chapters.at(times).rotation
        inertia = np.swapaxes(frame, 1, 2) @ c.inertia @ frame
        half = 0.5 * (times[1:] + times[:-1])
        carried = (0.5 * (c.inertia[1:] + c.inertia[:-1]) @ self.chapters.at(half).spin[..., None])[..., 0]
        own = _smoothed(momentum - carried, 1 / dt)
        return Body(self.figure.character.mass, self.task.gravity, _over_time(times, inertia), _over_time(half, own))


def _smoothed(values: Array, fps: float) -> Array:
    cut = min(SMOOTH_HZ / (0.5 * fps), 0.8)
    return filtfilt(*butter(2, cut), values, axis=0)


def _over_time(times: Array, values: Array) -> Callable[[Array], Array]:
    """Linear interpolation of rows; the last row holds on. (n,) -> (n, ...)."""
    def at(t: Array) -> Array:
        u = np.clip((t - times[0]) / (times[1] - times[0]), 0, len(times) - 1.000001)
        k = u.astype(int)
        share = (u - k).reshape((-1,) + (1,) * (values.ndim - 1))
        return values[k] * (1 - share) + values[k + 1] * share
    return at
