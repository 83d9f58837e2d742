"""A stretch of a motion solved again, with what surrounds it left as it is."""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from ....errors import TaskError
from ....motion import Footstep, Motion
from ....motion.splice import spliced
from ....task import KeptStep, Task
from ... import generate
from ...base import LIVE
from ...shared.checks import trespasses
from .window_solver import solved_alone

Progress = Callable[[str, float], None]

BLEND = 0.35          # s at either end of the stretch over which the old motion goes over into the new one
SHORTEST = 1.0        # s of a stretch
MARGIN = 0.1          # s more at either end of a stretch that is found for changed footsteps
SAME = 0.02           # s and m between the middles of contacts that are one
STANDS = 1.5          # s that a foot is down, from which on the body stands on it
SOON = 0.35           # s after its strike, at which a body that steps there to stand is over it
LATER = 0.06          # s by which the swings beside it may have put off a footstep that was kept


def kept_step(step: Footstep) -> KeptStep:
    """A footstep of a motion as one that is kept, to the instant; to move it in time, let its contact go.

    A foot that the body stands on has no middle that tells when it steps there: one that it begins on has the time 0.
    """
    x, y = step.position[:2]
    time = step.time if step.lift - step.strike < STANDS else step.strike + SOON if step.strike >= 0 else 0.0
    return KeptStep("L" if step.leg == 0 else "R", time, (float(x), float(y)), step.yaw,
                    (step.strike, step.flat, step.heel_off, step.lift))


def retouch(task: Task, motion: Motion, begin: float, end: float, progress: Progress = lambda stage, share: None) -> Motion:
    """Solve a stretch of a motion again, for a task that has changed within it.

    All footsteps that reach out of the stretch, or nearly, are kept; every frame outside of it stays as it was, and places
    and velocities join.

    Args:
        task: what the motion was made of, with what is to be otherwise: kept footsteps, pushes, speeds.
        motion: the motion so far.
        begin, end: of the stretch, s; it is best to leave a step before and after what is changed.

    Raises:
        TaskError: the stretch is too short or lies outside of the clip, kept footsteps lie outside of the stretch, or the
            motion was driven, or simulated, and not planned from a task.
    """
    if motion.report.engine == LIVE:
        raise TaskError("This motion was driven live, and no task makes it again; so no stretch of it can be solved anew. Drive "
                        "it once more, or generate a motion along a path.")
    if motion.report.engine != "centroidal":
        raise TaskError(f"This motion is of the engine {motion.report.engine!r}, whose body finds its steps as it goes; so no "
                        "stretch of it can be solved anew. Generate it with the engine 'centroidal' to change its footsteps.")
    if not 0 <= begin < end <= task.seconds + 1e-6 or end - begin < SHORTEST:
        raise TaskError(f"The stretch from {begin:g} to {end:g} s cannot be solved again; it must lie within the clip's "
                        f"{task.seconds:g} s and be at least {SHORTEST:g} s long.")
    def free(strike: float, lift: float) -> bool:
        return (begin <= 0 or strike >= begin + BLEND) and (end >= task.seconds or lift <= end - BLEND)

    asked = [k for k in task.kept if begin <= k.time <= end]
    around = [f for f in motion.footsteps if f.lift > 0 and (not free(f.strike, f.lift) or (
        f.lift - f.strike > STANDS and asked and not any(_overlap(k, f) for k in asked)))]
    stay = [kept_step(f) for f in around]
    moved = [k for k in task.kept if not any(_same(k, f) for f in stay)]
    for k in moved:
        if not begin + BLEND <= k.time <= end - BLEND and not (begin <= 0 or end >= task.seconds):
            raise TaskError(f"The kept footstep at {k.time:g} s is too near to an end of the stretch from {begin:g} to "
                            f"{end:g} s, or outside of it; make the stretch longer, or let the footstep go.")
    changed = replace(task, kept=_in_turn((*moved, *stay), [f for f in motion.footsteps if f not in around], moved))
    new = solved_alone(changed, motion, begin, end, progress)
    if new is None:
        new = generate(changed, progress)
    done = spliced(motion, new, begin, end, BLEND)
    return replace(done, footsteps=tuple(_as_it_was(f, around) for f in done.footsteps))


def _in_turn(kept: tuple[KeptStep, ...], free: list[Footstep], moved: list[KeptStep]) -> tuple[KeptStep, ...]:
    """Kept footsteps in order of time, those marked that follow the one before: where no free one was between them.

    Args:
        free: footsteps of the motion that are not kept.
        moved: kept ones that it did not have there, in place of some of them.
    """
    gone = [f.time for f in free if not any(_overlap(k, f) for k in moved)]
    order = sorted(kept, key=lambda k: k.time)
    return tuple(replace(k, follows=before is not None and not any(before.time < time < k.time for time in gone))
                 for before, k in zip([None, *order], order, strict=False))


def _as_it_was(step: Footstep, around: list[Footstep]) -> Footstep:
    """A footstep, or the one of those that were only kept for the solving's sake."""
    return next((f for f in around if f.leg == step.leg and abs(f.time - step.time) < SAME), step)


def stretch_of(motion: Motion, before: Task, after: Task) -> tuple[float, float]:
    """The stretch to solve again where kept footsteps of a task were added, changed or taken away, or ground forbidden, s.

    It reaches from where the foot before was lifted to where it comes down after, so that both swings lie in it.

    Args:
        motion: that was made of `before`.

    Raises:
        TaskError: the footsteps are the same.
    """
    was, now = set(before.kept), set(after.kept)
    times = [k.time for k in was ^ now]
    times += [f.time for k in now - was for f in motion.footsteps if _overlap(k, f)]
    fresh = tuple(area for area in after.forbidden if area not in before.forbidden)
    times += [f.time for f in motion.footsteps if trespasses(f, fresh) and 0 <= f.time <= after.seconds]
    if not times:
        raise TaskError("No footstep was changed, so that there is nothing to solve again.")
    legs = range(2)
    first, last = min(times) - SAME, max(times) + SAME
    begin = min(max((f.lift for f in motion.footsteps if f.leg == leg and f.lift < first), default=0.0) for leg in legs)
    end = max(min((f.strike for f in motion.footsteps if f.leg == leg and f.strike > last), default=after.seconds) for leg in legs)
    begin, end = begin - BLEND - MARGIN, end + BLEND + MARGIN
    if end - begin < SHORTEST:
        begin, end = 0.5 * (begin + end - SHORTEST), 0.5 * (begin + end + SHORTEST)
    return max(begin, 0.0), min(end, after.seconds)


def _overlap(k: KeptStep, f: Footstep) -> bool:
    """Whether a kept footstep is in place of one that a motion has."""
    return k.side == ("L" if f.leg == 0 else "R") and f.strike < k.time < f.lift


def _same(a: KeptStep, b: KeptStep) -> bool:
    return a.side == b.side and abs(a.time - b.time) < LATER and math.dist(a.place, b.place) < SAME
