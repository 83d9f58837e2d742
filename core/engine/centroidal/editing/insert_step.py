"""Footsteps taken out and put in, those around them spread anew over the same way and time.

Feet take turns, so that one step less, or more, is none: the foot before and the foot after would be the same. Two are taken out
or put in, and the steps around are kept where they then are. Six steps take the way of eight, and eight that of six, which legs
still can at a walk's and at a run's own speed.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ....errors import TaskError
from ....geometry import so3
from ....motion import Footstep, Motion
from ....task import KeptStep, Task
from .resolve import kept_step

Array = NDArray[np.float64]

MANY, FEW = 8, 6      # steps between two that stay, of which one takes the other's place


def taken_out(task: Task, motion: Motion, step: Footstep) -> Task:
    """The task with a footstep of its motion, and one of the other foot beside it, taken out: the neighbours merge.

    The steps around are kept, farther apart; footsteps of the user's own among them are spread with them.

    Raises:
        TaskError: the motion does not have the footstep, feet do not take turns there, or it is too near to an end of the clip.
    """
    around = _around(motion, task, _number(motion, step), MANY, "taken out")
    return _with(task, around, _spread(around, FEW))


def put_in(task: Task, motion: Motion, side: str, time: float, place: tuple[float, float], turn: float | None = None) -> Task:
    """The task with a footstep put in, and one of the other foot beside it.

    Args:
        side, time, place, turn: as those of a `KeptStep`.

    Raises:
        TaskError: feet do not take turns there, or it is too near to an end of the clip.
    """
    near = int(np.argmin([abs(f.time - time) for f in motion.footsteps])) if motion.footsteps else 0
    ways = [(around, k) for first in range(-1, 2) for around in [_around(motion, task, near, FEW, "put in", first)]
            for k in range(1, MANY) if "LR"[(around[0].leg + k) % 2] == side and around[0].time < time < around[-1].time]
    if not ways:
        raise TaskError(f"There is no room for a footstep at {time:.2f} s.")
    around, k = min(ways, key=lambda way: abs(np.log(_haste(way[0], way[1], time))))
    steps = _spread(around, MANY, (k, _index(around, time)))
    steps[k - 1] = replace(steps[k - 1], time=time, place=place, turn=steps[k - 1].turn if turn is None else turn)
    return _with(task, around, steps)


def _index(around: Sequence[Footstep], time: float) -> float:
    """Where a time lies among footsteps, counted from the first."""
    return float(np.interp(time, [f.time for f in around], np.arange(len(around))))


def _haste(around: Sequence[Footstep], number: int, time: float) -> float:
    """How much longer steps take before the one of a number than after it, where that is at a time; a ratio."""
    at = _index(around, time)
    return (at / number) / ((len(around) - 1 - at) / (MANY - number))


def _number(motion: Motion, step: Footstep) -> int:
    found = [k for k, f in enumerate(motion.footsteps) if f.leg == step.leg and abs(f.time - step.time) < 1e-6]
    if not found:
        raise TaskError(f"The motion has no footstep of that foot at {step.time:.2f} s.")
    return found[0]


def _around(motion: Motion, task: Task, number: int, count: int, what: str, later: int = 0) -> list[Footstep]:
    """So many footsteps and the one before them, a given one as near to their middle, or to one so much later, as may be.

    Raises:
        TaskError: there are not so many, or feet do not take turns among them.
    """
    within = [k for k, f in enumerate(motion.footsteps) if f.strike > 0 and f.lift < task.seconds]
    time = motion.footsteps[number].time if motion.footsteps else 0.0
    if number not in within[1:-1] or len(within) <= count:
        raise TaskError(f"The footstep at {time:.2f} s cannot be {what}: it needs {count - 1} others around it within the clip, "
                        "and is too near to an end.")
    first = min(max(number + later - count // 2, within[0]), within[-1] - count)
    around = list(motion.footsteps[first:first + count + 1])
    strides = np.diff([f.time for f in around])
    if any(a.leg == b.leg for a, b in pairwise(around)) or any(f.leg > 1 for f in around) or strides.max() > 2 * strides.min():
        raise TaskError(f"The footstep at {time:.2f} s cannot be {what}: the feet around it do not take turns evenly.")
    return around


def _spread(around: Sequence[Footstep], count: int, through: tuple[int, float] | None = None) -> list[KeptStep]:
    """So many steps in place of those between the first and the last, along the same way. (count - 1).

    Args:
        through: a step, and where among the old ones it is to be; None for all of them spread evenly.
    """
    knots = np.array([(0, 0.0), *([through] if through else []), (count, len(around) - 1.0)])
    middle = np.array([f.position[:2] for f in around])
    line = middle.copy()
    line[1:-1] = 0.5 * middle[1:-1] + 0.25 * (middle[:-2] + middle[2:])                    # half-way between the feet
    line[0], line[-1] = 0.5 * (middle[0] + middle[1]), 0.5 * (middle[-1] + middle[-2])
    along = np.gradient(line, axis=0)
    heading = np.unwrap(so3.angle(along[:, 1], along[:, 0]))
    line[0] -= 0.5 * along[0]
    line[-1] += 0.5 * along[-1]
    left = np.stack([-np.sin(heading), np.cos(heading)], -1)
    beside, yaw = ((middle - line) * left).sum(1), np.unwrap([f.yaw for f in around]) - heading
    moments, legs, old = np.array([f.time for f in around]), np.array([f.leg for f in around]), np.arange(len(around))
    out = []
    for k in range(1, count):
        leg, at = int((legs[0] + k) % 2), float(np.interp(k, *knots.T))
        own = legs == leg
        angle = float(np.interp(at, old, heading))
        place = np.array([np.interp(at, old, line[:, axis]) for axis in range(2)])
        place += float(np.interp(at, old[own], beside[own])) * np.array([-np.sin(angle), np.cos(angle)])
        out.append(KeptStep("L" if leg == 0 else "R", float(np.interp(at, old, moments)), (float(place[0]), float(place[1])),
                            angle + float(np.interp(at, old[own], yaw[own])), follows=k > 1))
    return out


def _with(task: Task, around: Sequence[Footstep], steps: list[KeptStep]) -> Task:
    """The task with steps kept between the first and the last of others."""
    begin, end = around[0].time, around[-1].time
    ends = [replace(kept_step(f), contact=None, follows=f is around[-1]) for f in (around[0], around[-1])]     # as long as it takes
    return replace(task, kept=(*(k for k in task.kept if not begin - 1e-3 < k.time < end + 1e-3), ends[0],
                               *(replace(k, follows=True) for k in steps), ends[1]))
