"""The default engine: sketch, centroidal plan, momentum-mapped full body, the last two in two passes.

Source: Kwon et al. 2020, with the two passes of our own: the first pass shows what momentum the limbs have and how the
inertia changes, which the paper holds constant; the second plans with both and follows the plan closely.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...character.humanoid import stands_like_people
from ...clip.pose.key_pose import Passage
from ...errors import TaskError
from ...fullbody.targets import Wish
from ...plan.body import Body, Carried
from ...plan.external import ExternalForce
from ...plan.planner import Planner
from ...plan.result import Plan
from ...sketch.reference.reference import plan_reference
from ...sketch.sketch import Sketch, sketch
from ...task import Task
from ..base import Clock
from ..shared.disturbances import felt
from .body import Figure, Known
from .end_poses import Ends
from .key_poses import struck
from .limb_momentum import Found, Frame, body_in_motion
from .modes.base import OwnSketch
from .modes.hanging.hanging import Swinging
from .modes.hanging.overhead import draw_bars
from .modes.hanging_targets import hang_along
from .modes.jumping import Jumping, draw_jumps
from .modes.jumping_targets import act
from .modes.striding import Striding, draw_strides
from .modes.striding_targets import stride_along
from .modes.walking import make_wish
from .segments import Chapter, Chapters, Storyteller
from .tracking import Follower

Array = NDArray[np.float64]
Progress = Callable[[str, float], None]

RUN_UP = 1.5          # s before the clip, over which the plan settles
SWING_AHEAD = 0.7     # s that the feet's ways are drawn past the clip's end, for swings that have begun
TAIL = 1.2            # s planned past the clip's end, so that the end knows what comes
KNOWN_PAST = 0.4      # s past the clip's end to which poses are known between them
HURRIED = 0.98        # share of its usual time, below which a step that follows a push is one that catches the body
ROUGH_FPS = 30        # frames/s of the first pass's body at most: what is taken from it is smoothed


@dataclass
class Work:
    """One task at human scale on its way through the levels."""

    task: Task
    figure: Figure
    clock: Clock
    chapters: Chapters = field(init=False)
    external: tuple[ExternalForce, ...] = ()
    own: OwnSketch | None = None      # a sketch that is not of people's steps

    def __post_init__(self) -> None:
        self.ends = Ends.of(self.task, self.figure.model)
        self.task = self.ends.begun(self.task)

    @cached_property
    def passages(self) -> list[Passage]:
        """Poses that are struck on the way."""
        return struck(self.figure.model, self.task.struck)

    def draw(self) -> Sketch:
        """Level 1."""
        figure = self.figure
        if not stands_like_people(figure.character):
            self.own = draw_strides(self.task, figure.model, figure.style, figure.com_height, figure.gyration)
            return self.own.drawn
        if self.task.gait is not None:
            raise TaskError(f"{figure.character.name} goes as its style has it; choose a style, such as \"walk\" or \"run\", and "
                            "leave out the gait.")
        if self.task.jumps:
            self.own = draw_jumps(self.task, figure.model, figure.style)
            return self.own.drawn
        if self.task.bars is not None:
            self.own = draw_bars(self.task, self.task.bars, figure.model, figure.style)
            return self.own.drawn
        drawn = sketch(self.task, figure.character, figure.style, figure.com_height, figure.gyration)
        if self.ends.last is None:
            return drawn
        self.task = self.ends.arriving(self.task, drawn)
        return sketch(self.task, figure.character, figure.style, figure.com_height, figure.gyration)

    def first_pass(self, drawn: Sketch, progress: Callable[[float], None]) -> tuple[Plan, Found]:
        """A plan for a rigid body, and poses that only lean on its momentum; past the clip's end."""
        figure, model = self.figure, self.figure.model
        body = figure.rigid(self.task.gravity)
        if self.own is not None:
            reference = self.own.reference
            body = self.own.rigid(body)
        else:
            reference = plan_reference(drawn, figure.course, figure.com_height, self.task.gravity)
            reference = self.ends.led(reference, self.task.seconds)
        external = felt(self.task, model, lambda t: reference.at(t).rotation)
        with self.clock.stage("plan"):
            teller = self._storyteller(body, external, {})
            plan, self.chapters = teller.first(drawn, reference, lambda share: progress(0.5 * share))
        with self.clock.stage("fullbody"):
            rate = self.task.fps / np.ceil(self.task.fps / ROUGH_FPS)
            times = np.arange(int((self.task.frames / self.task.fps + TAIL) * rate)) / rate
            wish = self._wish(plan, times, upright=True)
            poses = self._follower().roughly(wish, lambda share: progress(0.5 + 0.5 * share)).poses
        return plan, Found(times, poses, model.difference(wish.reference, poses))

    def second_pass(self, first: Plan, known: Found, progress: Callable[[float], None]) -> tuple[Plan, Wish, Array]:
        """The plan again with the inertia and the limbs' momentum that the first pass had, and poses that follow it.

        A body that hangs has nothing under it to lean on: what its limbs do and how it turns are found by turns.
        """
        times, plan = known.times, first
        frame = Frame(self.chapters.at(times).rotation, self.chapters.at(0.5 * (times[1:] + times[:-1])).spin)
        passes = 1 if self.own is None else self.own.passes
        for k in range(passes):
            done = k == passes - 1
            plan, wish, found = self._next_pass(plan, known, frame, 0.0 if done else KNOWN_PAST,
                                                lambda share, k=k: progress((k + share) / passes))      # type: ignore[misc]
            known = Found(wish.time, found, self.figure.model.difference(wish.reference, found))
            frame = Frame.of(wish.time, plan.at(wish.time).rotation)
        return plan, wish, found

    def _next_pass(self, before: Plan, known: Found, frame: Frame, past: float,
                   progress: Callable[[float], None]) -> tuple[Plan, Wish, Array]:
        """One more pass, with what the one before has shown; poses to `past` s after the clip's end.

        Args:
            frame: in which the known poses were drawn.
        """
        times, found = known.times, known.poses
        frames = self.task.frames + int(past * self.task.fps)
        with self.clock.stage("fullbody"):
            body = body_in_motion(self.figure.model, self.task.gravity, known, frame)
            if self.own is not None:
                self.own = self.own.told(before, times, found, frame.rotation)
            else:
                better = self.chapters.fitted_after(before, self.figure.course)
                self.chapters = better.led(lambda reference: self.ends.led(reference, self.task.seconds))
        self.external = felt(self.task, self.figure.model, lambda t: self.chapters.at(t).rotation, times, found)
        with self.clock.stage("plan"):
            plan = self._storyteller(body, self.external, before.known).again(self.chapters, lambda share: progress(0.4 * share))
        with self.clock.stage("fullbody"):
            ahead = np.arange(frames + int(SWING_AHEAD * self.task.fps)) / self.task.fps
            wish = self._wish(plan, ahead, upright=False).cut(0, frames)
            away = known.away_at(wish.time)
            done = self._follower().closely(wish, away, lambda share: progress(0.4 + 0.6 * share))
        return plan, done.wish, self.ends.joined(self.figure.model, done.poses, wish.time, self.task.seconds)

    def _follower(self) -> Follower:
        return Follower(self.figure.model, self.own, 1 / self.task.fps)

    def _wish(self, plan: Plan, times: Array, upright: bool) -> Wish:
        model, wished = self.figure.model, self.chapters.at(times) if upright else None
        if isinstance(self.own, Jumping):
            return act(model, self.own, plan, self.task.ground, times, wished)
        if isinstance(self.own, Striding):
            return stride_along(model, self.own, plan, self.task.ground, times, wished)
        if isinstance(self.own, Swinging):
            return hang_along(model, self.own, plan, times, wished)
        wish = make_wish(model, self.chapters.last.drawn, plan, self.figure.style, self.task.ground, times, wished,
                         earlier=self.chapters.earlier, pushes=self.task.pushes,
                         hurdles=self.task.hurdles, narrow=self.task.tread == "forefoot", look=self.task.look,
                         poses=self.passages)
        return replace(wish, reference=self.ends.posed(model, wish.reference, times, self.task.seconds))

    def _storyteller(self, body: Body, external: tuple[ExternalForce, ...], known: Known) -> Storyteller:
        def planner(chapter: Chapter, carried: Carried | None) -> Planner:
            catching = frozenset(k for k, s in enumerate(chapter.drawn.steps) if s.catching)
            bent = frozenset(k for k in catching if chapter.drawn.steps[k].gait.haste < HURRIED)
            made = self.figure.planner(self.task, body, chapter.reference, chapter.footsteps, carried, external, known, catching,
                                       bent, stepping=self.own is None)
            if self.own is None:
                return made
            return replace(made, limits=self.own.limits(made.limits), weights=self.own.weights(made.weights),
                           pacing=self.own.pacing, roots=self.own.roots)

        return Storyteller(self.task, self.figure, planner, self.task.seconds + TAIL)
