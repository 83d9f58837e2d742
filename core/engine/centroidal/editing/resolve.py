"""A stretch of a motion solved again, with what surrounds it left as it is."""

from __future__ import annotations

import math
from dataclasses import replace

from ....errors import TaskError
from ....motion import Footstep, Motion
from ....motion.splice import splice_motion
from ....task import PinnedStep, Task
from ... import generate
from ...base import LIVE_ENGINE_NAME, Progress
from ...shared.checks import is_on_forbidden_ground
from .window_solver import solve_window

# s at either end of the stretch over which the old motion goes over into the new one
BLEND_TIME = 0.35
MIN_STRETCH_TIME = 1.0  # s of a stretch
STRETCH_MARGIN_TIME = 0.1  # s more at either end of a stretch that is found for changed footsteps
CONTACT_TOLERANCE = 0.02  # s and m between the middles of contacts that are one
MIN_STANDING_CONTACT_TIME = 1.5  # s that a foot is down, from which on the body stands on it
SETTLING_TIME = 0.35  # s after its strike, at which a body that steps there to stand is over it
MAX_STRIKE_DELAY = 0.06  # s by which the swings beside it may have put off a footstep that was kept


def make_pinned_step(step: Footstep) -> PinnedStep:
    """A footstep of a motion as one that is kept, to the instant;
    to move it in time, let its contact go.

    A foot that the body stands on has no middle that tells when it steps there:
    one that it begins on has the time 0.
    """
    x, y = step.position[:2]
    time = (
        step.time
        if step.lift - step.strike < MIN_STANDING_CONTACT_TIME
        else step.strike + SETTLING_TIME
        if step.strike >= 0
        else 0.0
    )
    return PinnedStep(
        "L" if step.leg == 0 else "R",
        time,
        (float(x), float(y)),
        heading=step.yaw,
        contact_times=(step.strike, step.flat, step.heel_off, step.lift),
    )


def resolve_stretch(
    task: Task,
    motion: Motion,
    begin: float,
    end: float,
    progress: Progress = lambda stage, share: None,
) -> Motion:
    """Solve a stretch of a motion again, for a task that has changed within it.

    All footsteps that reach out of the stretch, or nearly, are kept; every frame outside of it
    stays as it was, and places and velocities join.

    Args:
        task: what the motion was made of, with what is to be otherwise:
            kept footsteps, pushes, speeds.
        motion: the motion so far.
        begin, end: of the stretch, s; it is best to leave a step before and after what is changed.

    Raises:
        TaskError: the stretch is too short or lies outside of the clip, kept footsteps lie outside
            of the stretch, or the motion was driven, or simulated, and not planned from a task.
    """
    if motion.report.engine == LIVE_ENGINE_NAME:
        raise TaskError(
            "This motion was driven live, and no task makes it again; so no stretch of it can be "
            "solved anew. Drive it once more, or generate a motion along a path."
        )
    if motion.report.engine != "centroidal":
        raise TaskError(
            f"This motion is of the engine {motion.report.engine!r}, whose body finds its steps "
            "as it goes; so no stretch of it can be solved anew. Generate it with the engine "
            "'centroidal' to change its footsteps."
        )
    if not 0 <= begin < end <= task.seconds + 1e-6 or end - begin < MIN_STRETCH_TIME:
        raise TaskError(
            f"The stretch from {begin:g} to {end:g} s cannot be solved again; it must lie within "
            f"the clip's {task.seconds:g} s and be at least {MIN_STRETCH_TIME:g} s long."
        )

    def is_free(strike: float, lift: float) -> bool:
        return (begin <= 0 or strike >= begin + BLEND_TIME) and (
            end >= task.seconds or lift <= end - BLEND_TIME
        )

    requested = [k for k in task.pinned_steps if begin <= k.time <= end]
    surrounding = [
        f
        for f in motion.footsteps
        if f.lift > 0
        and (
            not is_free(f.strike, f.lift)
            or (
                f.lift - f.strike > MIN_STANDING_CONTACT_TIME
                and requested
                and not any(_is_replaced_by_pin(k, f) for k in requested)
            )
        )
    ]
    preserved = [make_pinned_step(f) for f in surrounding]
    moved_steps = [k for k in task.pinned_steps if not any(_is_same_step(k, f) for f in preserved)]
    for k in moved_steps:
        if not begin + BLEND_TIME <= k.time <= end - BLEND_TIME and not (
            begin <= 0 or end >= task.seconds
        ):
            raise TaskError(
                f"The kept footstep at {k.time:g} s is too near to an end of the stretch from "
                f"{begin:g} to {end:g} s, or outside of it; make the stretch longer, or let the "
                "footstep go."
            )
    changed_task = replace(
        task,
        pinned_steps=_order_pinned_steps(
            (*moved_steps, *preserved),
            [f for f in motion.footsteps if f not in surrounding],
            moved_steps,
        ),
    )
    new_motion = solve_window(changed_task, motion, begin, end=end, progress=progress)
    if new_motion is None:
        new_motion = generate(changed_task, progress)
    result = splice_motion(motion, new_motion, begin, end=end, blend=BLEND_TIME)
    return replace(result, footsteps=tuple(_restore_step(f, surrounding) for f in result.footsteps))


def _order_pinned_steps(
    pinned: tuple[PinnedStep, ...], free_steps: list[Footstep], moved_steps: list[PinnedStep]
) -> tuple[PinnedStep, ...]:
    """Kept footsteps in order of time, those marked that follow the one before:
    where no free one was between them.

    Args:
        free_steps: footsteps of the motion that are not kept.
        moved_steps: kept ones that it did not have there, in place of some of them.
    """
    free_times = [
        f.time for f in free_steps if not any(_is_replaced_by_pin(k, f) for k in moved_steps)
    ]
    ordered = sorted(pinned, key=lambda k: k.time)
    return tuple(
        replace(
            k,
            follows_previous=previous is not None
            and not any(previous.time < time < k.time for time in free_times),
        )
        for previous, k in zip([None, *ordered], ordered, strict=False)
    )


def _restore_step(step: Footstep, surrounding: list[Footstep]) -> Footstep:
    """A footstep, or the one of those that were only kept for the solving's sake."""
    return next(
        (
            f
            for f in surrounding
            if f.leg == step.leg and abs(f.time - step.time) < CONTACT_TOLERANCE
        ),
        step,
    )


def find_affected_stretch(
    motion: Motion, task_before: Task, task_after: Task
) -> tuple[float, float]:
    """The stretch to solve again where kept footsteps of a task were added, changed or taken away,
    or ground forbidden, s.

    It reaches from where the foot before was lifted to where it comes down after,
    so that both swings lie in it.

    Args:
        motion: that was made of `task_before`.

    Raises:
        TaskError: the footsteps are the same.
    """
    pinned_before = set(task_before.pinned_steps)
    pinned_after = set(task_after.pinned_steps)
    times = [k.time for k in pinned_before ^ pinned_after]
    times += [
        f.time
        for k in pinned_after - pinned_before
        for f in motion.footsteps
        if _is_replaced_by_pin(k, f)
    ]
    new_areas = tuple(
        area for area in task_after.forbidden_areas if area not in task_before.forbidden_areas
    )
    times += [
        f.time
        for f in motion.footsteps
        if is_on_forbidden_ground(f, new_areas) and 0 <= f.time <= task_after.seconds
    ]
    if not times:
        raise TaskError("No footstep was changed, so that there is nothing to solve again.")
    legs = range(2)
    first = min(times) - CONTACT_TOLERANCE
    last = max(times) + CONTACT_TOLERANCE
    begin = min(
        max((f.lift for f in motion.footsteps if f.leg == leg and f.lift < first), default=0.0)
        for leg in legs
    )
    end = max(
        min(
            (f.strike for f in motion.footsteps if f.leg == leg and f.strike > last),
            default=task_after.seconds,
        )
        for leg in legs
    )
    begin = begin - BLEND_TIME - STRETCH_MARGIN_TIME
    end = end + BLEND_TIME + STRETCH_MARGIN_TIME
    if end - begin < MIN_STRETCH_TIME:
        begin, end = 0.5 * (begin + end - MIN_STRETCH_TIME), 0.5 * (begin + end + MIN_STRETCH_TIME)
    return max(begin, 0.0), min(end, task_after.seconds)


def _is_replaced_by_pin(pinned: PinnedStep, footstep: Footstep) -> bool:
    """Whether a kept footstep is in place of one that a motion has."""
    return (
        pinned.side == ("L" if footstep.leg == 0 else "R")
        and footstep.strike < pinned.time < footstep.lift
    )


def _is_same_step(a: PinnedStep, b: PinnedStep) -> bool:
    return (
        a.side == b.side
        and abs(a.time - b.time) < MAX_STRIKE_DELAY
        and math.dist(a.position, b.position) < CONTACT_TOLERANCE
    )
