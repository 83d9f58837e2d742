"""A stretch of a motion solved again, with what surrounds it left as it is."""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from ..errors import TaskError
from ..motion import Footstep, Motion
from ..motion.splice import spliced
from ..task import KeptStep, Task
from . import generate
from .driving import LIVE

Progress = Callable[[str, float], None]

BLEND = 0.35          # s at either end of the stretch over which the old motion goes over into the new one
SHORTEST = 1.0        # s of a stretch
SAME = 0.02           # s and m between the middles of contacts that are one


def kept_step(step: Footstep) -> KeptStep:
    """A footstep of a motion as one that is kept, to the instant; to move it in time, let its contact go."""
    x, y = step.position[:2]
    return KeptStep("L" if step.leg == 0 else "R", step.time, (float(x), float(y)), step.yaw,
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
            motion was driven and not planned from a task.
    """
    if motion.report.engine == LIVE:
        raise TaskError("This motion was driven live, and no task makes it again; so no stretch of it can be solved anew. Drive "
                        "it once more, or generate a motion along a path.")
    if not 0 <= begin < end <= task.seconds + 1e-6 or end - begin < SHORTEST:
        raise TaskError(f"The stretch from {begin:g} to {end:g} s cannot be solved again; it must lie within the clip's "
                        f"{task.seconds:g} s and be at least {SHORTEST:g} s long.")
    def free(strike: float, lift: float) -> bool:
        return (begin <= 0 or strike >= begin + BLEND) and (end >= task.seconds or lift <= end - BLEND)

    around = [f for f in motion.footsteps if f.lift > 0 and not free(f.strike, f.lift)]
    stay = [kept_step(f) for f in around]
    moved = [k for k in task.kept if not any(_same(k, f) for f in stay)]
    for k in moved:
        if not begin + BLEND <= k.time <= end - BLEND and not (begin <= 0 or end >= task.seconds):
            raise TaskError(f"The kept footstep at {k.time:g} s is too near to an end of the stretch from {begin:g} to "
                            f"{end:g} s, or outside of it; make the stretch longer, or let the footstep go.")
    new = generate(replace(task, kept=(*moved, *stay)), progress)
    return spliced(motion, new, begin, end, BLEND)


def _same(a: KeptStep, b: KeptStep) -> bool:
    return a.side == b.side and abs(a.time - b.time) < SAME and math.dist(a.place, b.place) < SAME
