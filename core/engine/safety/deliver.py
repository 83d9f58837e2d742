"""Generate motions that can be delivered: judge them; remedy or refuse those that are broken."""

from __future__ import annotations

from dataclasses import replace

from ...errors import MotionError
from ...motion import Motion
from ...task import Push, Task
from ..base import EngineInfo, Progress
from ..features import FEATURES
from ..shared.character import load_task_character
from .fall import find_throwing_push, list_fall_starts, make_fall
from .judge import MotionBounds, Verdict, judge_motion
from .remedies import REMEDIES, BrokenMotion


def generate_sound_motion(task: Task, engine: EngineInfo, progress: Progress) -> Motion:
    """Return a motion within the bounds of the judge.

    A simulated motion obeys physics whatever happens to it; it only has to be finite. Any other
    that breaks the bounds is replaced by a fall where a push threw the body, else by the motion of
    a task that asks for less; the report's notes say which.

    Raises:
        MotionError: no remedy helped; the message names the fields of the task at fault.
    """
    generate = engine.load()
    rising = _make_rising(progress)
    motion = generate(task, rising)
    bounds = _find_bounds(task, engine)
    verdict = judge_motion(motion, task.ground, bounds)
    if verdict.is_deliverable or (engine.is_simulated and verdict.is_finite):
        return _with_blemishes(motion, verdict)
    broken = BrokenMotion(task, motion, verdict)
    push = find_throwing_push(task, broken.time)
    if push is not None and not engine.is_simulated:
        for start in list_fall_starts(
            task, motion, push, broken.time, generate=lambda other: generate(other, rising)
        ):
            fallen = make_fall(task, start)
            if judge_motion(fallen, task.ground, bounds).is_deliverable:
                return _with_fall_note(fallen, push)
    for remedy in REMEDIES:
        for remedied in remedy(broken):
            candidate = generate(remedied.task, rising)
            if judge_motion(candidate, task.ground, bounds).is_deliverable:
                return _add_notes(
                    candidate, f"{remedied.note}: otherwise, {verdict.breaking[0].describe()}"
                )
    raise MotionError(_word_refusal(task, verdict))


def _find_bounds(task: Task, engine: EngineInfo) -> MotionBounds:
    leg_length = load_task_character(task).leg_length
    bounds = MotionBounds.for_simulation() if engine.is_simulated else MotionBounds()
    return bounds.scale(leg_length, task.gravity)


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


def _with_blemishes(motion: Motion, verdict: Verdict) -> Motion:
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
        f"No motion was found for this task: {verdict.breaking[0].describe()}, and neither a lower "
        f"speed nor a shorter path helped. Ask for less of: {fields}."
    )
