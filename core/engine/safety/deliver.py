"""Generate motions that can be delivered: judge them; remedy or refuse those that are broken."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...errors import MotionError, PlanningError
from ...motion import Motion
from ...task import Push, Task
from ..base import EngineInfo, Progress
from ..features import FEATURES
from ..shared.character import load_task_character
from ..shared.passable_ground import check_passable_ground
from ..shared.scaling import (
    REFERENCE_GRAVITY,
    count_solved_frames,
    to_human_scale,
    with_fine_frames,
    with_task_frames,
)
from .attempt import BrokenMotion, SoundMotion
from .fall import find_throwing_push, list_fall_starts, make_fall
from .judge import Flaw, MotionBounds, Verdict, judge_motion
from .remedies import REMEDIES
from .task_limits import check_pushes, fit_speed

CHANGE_ADVICE = (
    "Move the changed footsteps nearer to where they were, or make the changed pushes weaker."
)


@dataclass(frozen=True)
class Delivery:
    """A motion that can be delivered, and its task.

    Attributes:
        task: the task that was requested, or one with lower demands whose motion this is. Fields
            that were not changed are the same objects.
    """

    motion: Motion
    task: Task


def generate_sound_motion(task: Task, engine: EngineInfo, progress: Progress) -> Delivery:
    """Return a motion within the bounds of the judge.

    A simulated motion obeys physics whatever happens to it; it only has to be finite. Any other
    that breaks the bounds is replaced by a fall where a push threw the body, else by the motion of
    a task with lower demands; the report's notes say which. So they do where the engine cannot hold
    the speed of the task.

    Raises:
        MotionError: no remedy helped; the message names the fields of the task at fault.
        TaskError: a push throws the body away.
        PlanningError: there is ground on the path that no legs can follow, or on which feet slip.
    """
    fitted = fit_speed(task, engine)
    if fitted is not None:
        delivery = _deliver_fitted(fitted.task, engine, progress)
        return replace(delivery, motion=_add_notes(delivery.motion, fitted.note))
    return _deliver_fitted(task, engine, progress)


def _deliver_fitted(task: Task, engine: EngineInfo, progress: Progress) -> Delivery:
    """Return a motion within the bounds of the judge, of a task whose speed the engine can hold."""
    character = load_task_character(task)
    check_pushes(task, character.mass, find_fall_bounds(task).push_speed)
    if not (engine.is_simulated or task.jumps or task.monkey_bars):
        check_passable_ground(task, character.leg_length, engine.friction_share)
    scale = to_human_scale(task, character).scale
    frame_count = count_solved_frames(task.fps, scale.time)
    planner = _Planner(engine, find_bounds(task, engine), _make_rising(progress))
    fine_task = with_fine_frames(task, frame_count)
    fine = _generate_fine_motion(planner, fine_task)
    delivered_task = task
    if fine.task is not fine_task:
        delivered_task = replace(fine.task, fps=task.fps, seconds=task.seconds)
    return Delivery(with_task_frames(fine.motion, frame_count), delivered_task)


def _generate_fine_motion(planner: _Planner, task: Task) -> Delivery:
    """Return a motion within the bounds of the judge, at a frame rate that can be judged."""
    attempt = planner.attempt(task)
    if isinstance(attempt, SoundMotion):
        return Delivery(attempt.motion, task)
    fallen = _let_fall(planner, attempt)
    if fallen is not None:
        return Delivery(fallen, task)
    reason = attempt.verdict.breaking[0].describe()
    for remedy in REMEDIES:
        for remedied in remedy(attempt):
            motion = _find_motion(planner, planner.attempt(remedied.task))
            if motion is not None:
                motion = _add_notes(motion, f"{remedied.note}: otherwise, {reason}")
                return Delivery(motion, remedied.task)
    raise MotionError(_word_refusal(task, attempt.verdict))


def _find_motion(planner: _Planner, attempt: SoundMotion | BrokenMotion) -> Motion | None:
    """Return the motion of an attempt, or that of a body which a push threw down; else None."""
    return attempt.motion if isinstance(attempt, SoundMotion) else _let_fall(planner, attempt)


def check_solved_stretch(task: Task, motion: Motion, begin: float, end: float) -> None:
    """Refuse a motion that is broken in the stretch that was solved again.

    At frame rates too low to be judged, only numbers that are not finite are refused.

    Args:
        begin: start of the stretch [s].
        end: end of the stretch [s].

    Raises:
        MotionError: the stretch is broken.
    """
    scale = to_human_scale(task, load_task_character(task)).scale
    first = max(0, int(begin * motion.fps))
    stretch = motion.take_frames(slice(first, int(end * motion.fps) + 2))
    bounds = MotionBounds().scale(load_task_character(task).leg_length, task.gravity)
    verdict = judge_motion(stretch, task.ground, bounds)
    if count_solved_frames(task.fps, scale.time) > 1:
        verdict = verdict.select("finite")
    if not verdict.is_deliverable:
        flaw = verdict.breaking[0]
        flaw = replace(flaw, time=flaw.time + first / motion.fps)
        raise MotionError(
            f"With these changes the body cannot move: {flaw.describe()}. {CHANGE_ADVICE}"
        )


@dataclass(frozen=True)
class _Planner:
    """An engine whose motions are judged."""

    engine: EngineInfo
    bounds: MotionBounds
    progress: Progress

    def generate(self, task: Task) -> Motion:
        """Return the motion of a task, unjudged."""
        return self.engine.load()(task, self.progress)

    def attempt(self, task: Task) -> SoundMotion | BrokenMotion:
        """Return the motion of a task as the judge finds it."""
        try:
            motion = self.generate(task)
        except PlanningError as error:
            flaw = Flaw("plan", error.time, np.nan, is_breaking=True, detail=error.message)
            return BrokenMotion(task, None, Verdict((flaw,)), error.place)
        verdict = judge_motion(motion, task.ground, self.bounds)
        if verdict.is_deliverable or (self.engine.is_simulated and verdict.is_finite):
            return SoundMotion(with_blemishes(motion, verdict))
        return BrokenMotion(task, motion, verdict)


def _let_fall(planner: _Planner, broken: BrokenMotion) -> Motion | None:
    """Return the motion of a body that a push threw down; None without such a push."""
    push = find_throwing_push(broken.task, broken.time)
    if push is None or planner.engine.is_simulated:
        return None
    bounds = find_fall_bounds(broken.task)
    for start in list_fall_starts(broken, push, planner.attempt):
        fallen = make_fall(broken.task, start)
        if judge_motion(fallen, broken.task.ground, bounds).is_deliverable:
            return _with_fall_note(fallen, push)
    return None


def find_bounds(task: Task, engine: EngineInfo) -> MotionBounds:
    """Return the bounds of motions of a task's body by an engine."""
    leg_length = load_task_character(task).leg_length
    bounds = MotionBounds.for_simulation() if engine.is_simulated else MotionBounds()
    return bounds.scale(leg_length, task.gravity)


def find_fall_bounds(task: Task) -> MotionBounds:
    """Return the bounds of a body that falls."""
    # Pushes and the tone of joints move limbs as fast on the moon as on earth.
    gravity = max(task.gravity, REFERENCE_GRAVITY)
    bounds = MotionBounds().scale(load_task_character(task).leg_length, gravity)
    # The physics engine keeps solids out of the ground; beside a step they only seem to be in it.
    return replace(bounds, broken_penetration=np.inf)


def _make_rising(progress: Progress) -> Progress:
    """Return a progress whose share never falls, whatever is generated again."""
    reached = 0.0

    def report(stage: str, share: float) -> None:
        nonlocal reached
        reached = max(reached, share)
        progress(stage, reached)

    return report


def _with_fall_note(motion: Motion, push: Push) -> Motion:
    others = tuple(note for note in motion.report.notes if not note.startswith("the push at"))
    return replace(
        motion,
        report=replace(
            motion.report,
            notes=(
                *others,
                f"the push at {push.time:.2f} s is more than steps can catch: the body falls. Make "
                "it weaker, shorter or nearer to the center of mass",
            ),
        ),
    )


def with_blemishes(motion: Motion, verdict: Verdict) -> Motion:
    """Return a motion with its flaws in the notes of its report."""
    return (
        _add_notes(motion, *(flaw.describe() for flaw in verdict.flaws))
        if verdict.flaws
        else motion
    )


def _add_notes(motion: Motion, *notes: str) -> Motion:
    return replace(motion, report=replace(motion.report, notes=(*motion.report.notes, *notes)))


def _word_refusal(task: Task, verdict: Verdict) -> str:
    requested = [feature.name for feature in FEATURES.values() if feature.is_requested(task)]
    fields = ", ".join(["speed", "path", *requested])
    return (
        f"This task has no sound motion: {verdict.breaking[0].describe()}, and neither a lower "
        f"speed nor a shorter path helps. Reduce one of: {fields}."
    )
