"""Footsteps taken out and put in, those around them spread anew over the same way and time.

Feet take turns, so that one step less, or more, is none: the foot before and the foot after would
be the same. Two are taken out or put in, and the steps around are kept where they then are. Six
steps take the way of eight, and eight that of six, which legs still can at a walk's and at a run's
own speed.
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
from ....task import PinnedStep, Task
from .resolve import make_pinned_step

Array = NDArray[np.float64]

# steps between two that stay, of which one takes the other's place
DENSE_STEP_COUNT = 8
SPARSE_STEP_COUNT = 6


def remove_step(task: Task, motion: Motion, step: Footstep) -> Task:
    """The task with a footstep of its motion, and one of the other foot beside it,
    taken out: the neighbours merge.

    The steps around are kept, farther apart; footsteps of the user's own among
    them are spread with them.

    Raises:
        TaskError: the motion does not have the footstep, feet do not take turns there, or it is too
            near to an end of the clip.
    """
    neighbors = _find_neighbors(
        motion, task, _find_index(motion, step), count=DENSE_STEP_COUNT, action="taken out"
    )
    return _with_pinned_steps(task, neighbors, _respace_steps(neighbors, SPARSE_STEP_COUNT))


def insert_step(
    task: Task,
    motion: Motion,
    side: str,
    time: float,
    place: tuple[float, float],
    turn: float | None = None,
) -> Task:
    """The task with a footstep put in, and one of the other foot beside it.

    Args:
        side, time, place, turn: as those of a `PinnedStep`.

    Raises:
        TaskError: feet do not take turns there, or it is too near to an end of the clip.
    """
    nearest = (
        int(np.argmin([abs(f.time - time) for f in motion.footsteps])) if motion.footsteps else 0
    )
    candidates = [
        (neighbors, k)
        for shift in range(-1, 2)
        for neighbors in [
            _find_neighbors(
                motion, task, nearest, count=SPARSE_STEP_COUNT, action="put in", shift=shift
            )
        ]
        for k in range(1, DENSE_STEP_COUNT)
        if "LR"[(neighbors[0].leg + k) % 2] == side
        and neighbors[0].time < time < neighbors[-1].time
    ]
    if not candidates:
        raise TaskError(f"There is no room for a footstep at {time:.2f} s.")
    neighbors, k = min(
        candidates,
        key=lambda candidate: abs(
            np.log(_compute_step_time_ratio(candidate[0], candidate[1], time))
        ),
    )
    steps = _respace_steps(
        neighbors, DENSE_STEP_COUNT, (k, _find_fractional_index(neighbors, time))
    )
    steps[k - 1] = replace(
        steps[k - 1],
        time=time,
        position=place,
        heading=steps[k - 1].heading if turn is None else turn,
    )
    return _with_pinned_steps(task, neighbors, steps)


def _find_fractional_index(neighbors: Sequence[Footstep], time: float) -> float:
    """Where a time lies among footsteps, counted from the first."""
    return float(np.interp(time, [f.time for f in neighbors], np.arange(len(neighbors))))


def _compute_step_time_ratio(neighbors: Sequence[Footstep], index: int, time: float) -> float:
    """How much longer steps take before the one of a number than after it,
    where that is at a time; a ratio.
    """
    fractional_index = _find_fractional_index(neighbors, time)
    return (fractional_index / index) / (
        (len(neighbors) - 1 - fractional_index) / (DENSE_STEP_COUNT - index)
    )


def _find_index(motion: Motion, step: Footstep) -> int:
    matches = [
        k
        for k, f in enumerate(motion.footsteps)
        if f.leg == step.leg and abs(f.time - step.time) < 1e-6
    ]
    if not matches:
        raise TaskError(f"The motion has no footstep of that foot at {step.time:.2f} s.")
    return matches[0]


def _find_neighbors(
    motion: Motion, task: Task, index: int, count: int, action: str, shift: int = 0
) -> list[Footstep]:
    """So many footsteps and the one before them, a given one as near to their middle,
    or to one so much later, as may be.

    Raises:
        TaskError: there are not so many, or feet do not take turns among them.
    """
    inside_clip = [
        k for k, f in enumerate(motion.footsteps) if f.strike > 0 and f.lift < task.seconds
    ]
    time = motion.footsteps[index].time if motion.footsteps else 0.0
    if index not in inside_clip[1:-1] or len(inside_clip) <= count:
        raise TaskError(
            f"The footstep at {time:.2f} s cannot be {action}: it needs {count - 1} others around "
            "it within the clip, and is too near to an end."
        )
    first_index = min(max(index + shift - count // 2, inside_clip[0]), inside_clip[-1] - count)
    neighbors = list(motion.footsteps[first_index : first_index + count + 1])
    step_times = np.diff([f.time for f in neighbors])
    if (
        any(a.leg == b.leg for a, b in pairwise(neighbors))
        or any(f.leg > 1 for f in neighbors)
        or step_times.max() > 2 * step_times.min()
    ):
        raise TaskError(
            f"The footstep at {time:.2f} s cannot be {action}: the feet around it do not take "
            "turns evenly."
        )
    return neighbors


def _respace_steps(
    neighbors: Sequence[Footstep], count: int, fixed: tuple[int, float] | None = None
) -> list[PinnedStep]:
    """So many steps in place of those between the first and the last,
    along the same way. (count - 1).

    Args:
        fixed: a step, and where among the old ones it is to be; None for all of them spread evenly.
    """
    knots = np.array([(0, 0.0), *([fixed] if fixed else []), (count, len(neighbors) - 1.0)])
    positions = np.array([f.position[:2] for f in neighbors])
    center_line = positions.copy()
    # half-way between the feet
    center_line[1:-1] = 0.5 * positions[1:-1] + 0.25 * (positions[:-2] + positions[2:])
    center_line[0] = 0.5 * (positions[0] + positions[1])
    center_line[-1] = 0.5 * (positions[-1] + positions[-2])
    tangents = np.gradient(center_line, axis=0)
    heading = np.unwrap(so3.atan2(tangents[:, 1], tangents[:, 0]))
    center_line[0] -= 0.5 * tangents[0]
    center_line[-1] += 0.5 * tangents[-1]
    left = np.stack([-np.sin(heading), np.cos(heading)], -1)
    lateral_offsets = ((positions - center_line) * left).sum(1)
    yaw = np.unwrap([f.yaw for f in neighbors]) - heading
    times = np.array([f.time for f in neighbors])
    legs = np.array([f.leg for f in neighbors])
    old_indices = np.arange(len(neighbors))
    out = []
    for k in range(1, count):
        leg = int((legs[0] + k) % 2)
        old_index = float(np.interp(k, *knots.T))
        same_leg = legs == leg
        angle = float(np.interp(old_index, old_indices, heading))
        place = np.array(
            [np.interp(old_index, old_indices, center_line[:, axis]) for axis in range(2)]
        )
        place += float(
            np.interp(old_index, old_indices[same_leg], lateral_offsets[same_leg])
        ) * np.array([-np.sin(angle), np.cos(angle)])
        out.append(
            PinnedStep(
                "L" if leg == 0 else "R",
                float(np.interp(old_index, old_indices, times)),
                (float(place[0]), float(place[1])),
                angle + float(np.interp(old_index, old_indices[same_leg], yaw[same_leg])),
                follows_previous=k > 1,
            )
        )
    return out


def _with_pinned_steps(task: Task, neighbors: Sequence[Footstep], steps: list[PinnedStep]) -> Task:
    """The task with steps kept between the first and the last of others."""
    begin = neighbors[0].time
    end = neighbors[-1].time
    # as long as it takes
    end_steps = [
        replace(make_pinned_step(f), contact_times=None, follows_previous=f is neighbors[-1])
        for f in (neighbors[0], neighbors[-1])
    ]
    return replace(
        task,
        pinned_steps=(
            *(k for k in task.pinned_steps if not begin - 1e-3 < k.time < end + 1e-3),
            end_steps[0],
            *(replace(k, follows_previous=True) for k in steps),
            end_steps[1],
        ),
    )
