"""Remove and insert footsteps, and distribute those around them over the same path and time.

Feet alternate: with one step more or less, two consecutive steps would be of the same foot.
Therefore two steps are removed or inserted, and the steps around them are pinned at their new
places. Six steps cover the path of eight, or eight that of six. Legs are capable of both at the
usual speeds of a walk and a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ....errors import TaskError
from ....geometry import so3
from ....motion import Footstep, Motion
from ....task import PinnedStep, Task
from .pinned_steps import make_pinned_step

Array = NDArray[np.float64]

# Number of steps between two pinned ones after a removal and before an insertion: three on either
# side, over which a step's time or length is spread so that each changes by a third or less
SPARSE_STEP_COUNT = 6
# Number of them before a removal and after an insertion: one more of each foot
DENSE_STEP_COUNT = SPARSE_STEP_COUNT + 2
# Largest time difference of footsteps that are the same [s]. Numerical: rounding, as the next
TIME_TOLERANCE = 1e-6
# Margin of the time between the two pinned footsteps [s]
PIN_TIME_MARGIN = 1e-3
# Largest ratio of the longest to the shortest step time of feet that alternate evenly: beyond, a
# step is missing or the body stands
MAX_STEP_TIME_RATIO = 2


def remove_step(task: Task, motion: Motion, step: Footstep) -> Task:
    """Return the task without a footstep of its motion and one of the other foot beside it.

    The steps around them are pinned with larger distances. Footsteps among them that the task pins
    move with them.

    Raises:
        TaskError: The motion does not have the footstep, feet do not alternate there, or it is too
            near to an end of the clip.
    """
    neighbors = _find_neighbors(
        motion, task, _find_index(motion, step), count=DENSE_STEP_COUNT, action="removed"
    )
    steps = _StepLine.from_footsteps(neighbors).respace(SPARSE_STEP_COUNT)
    return _with_pinned_steps(task, neighbors, steps)


def insert_step(
    task: Task,
    motion: Motion,
    side: str,
    time: float,
    place: tuple[float, float],
    turn: float | None = None,
) -> Task:
    """Return the task with another footstep, and one of the other foot beside it.

    Args:
        task: task of the motion.
        motion: the motion.
        side: "L" or "R".
        time: time of the footstep [s].
        place: position of the footstep [m].
        turn: heading of the footstep [rad]; None for that of the path.

    Raises:
        TaskError: Feet do not alternate there, or it is too near to an end of the clip.
    """
    insertion = min(
        _find_insertions(task, motion, side, time),
        key=lambda candidate: abs(np.log(candidate.compute_step_time_ratio(time))),
        default=None,
    )
    if insertion is None:
        raise TaskError(f"There is no room for a footstep at {time:.2f} s.")
    k = insertion.index
    line = _StepLine.from_footsteps(insertion.neighbors)
    steps = line.respace(DENSE_STEP_COUNT, (k, insertion.find_fractional_index(time)))
    steps[k - 1] = replace(
        steps[k - 1],
        time=time,
        position=place,
        heading=steps[k - 1].heading if turn is None else turn,
    )
    return _with_pinned_steps(task, insertion.neighbors, steps)


@dataclass(frozen=True)
class _Insertion:
    """A place for a new footstep.

    Args:
        neighbors: footsteps around it.
        index: index of the new footstep after the insertion, counted from the first neighbor.
    """

    neighbors: list[Footstep]
    index: int

    def find_fractional_index(self, time: float) -> float:
        """Return the position of a time [s] among the neighbors, counted from the first."""
        return float(
            np.interp(time, [f.time for f in self.neighbors], np.arange(len(self.neighbors)))
        )

    def compute_step_time_ratio(self, time: float) -> float:
        """Return the ratio of the step times before and after a new footstep at a time [s]."""
        fractional_index = self.find_fractional_index(time)
        return (fractional_index / self.index) / (
            (len(self.neighbors) - 1 - fractional_index) / (DENSE_STEP_COUNT - self.index)
        )


def _find_insertions(task: Task, motion: Motion, side: str, time: float) -> list[_Insertion]:
    """Return all places for a footstep of a side ("L" or "R") at a time [s].

    Raises:
        TaskError: Feet do not alternate there, or it is too near to an end of the clip.
    """
    nearest = (
        int(np.argmin([abs(f.time - time) for f in motion.footsteps])) if motion.footsteps else 0
    )
    out = []
    for shift in range(-1, 2):
        neighbors = _find_neighbors(
            motion, task, nearest, count=SPARSE_STEP_COUNT, action="inserted", shift=shift
        )
        out += [
            _Insertion(neighbors, k)
            for k in range(1, DENSE_STEP_COUNT)
            if "LR"[(neighbors[0].leg + k) % 2] == side
            and neighbors[0].time < time < neighbors[-1].time
        ]
    return out


def _find_index(motion: Motion, step: Footstep) -> int:
    """Return the index of a footstep of a motion.

    Raises:
        TaskError: The motion does not have the footstep.
    """
    matches = [
        k
        for k, f in enumerate(motion.footsteps)
        if f.leg == step.leg and abs(f.time - step.time) < TIME_TOLERANCE
    ]
    if not matches:
        raise TaskError(f"The motion has no footstep of that foot at {step.time:.2f} s.")
    return matches[0]


def _find_neighbors(
    motion: Motion, task: Task, index: int, count: int, action: str, shift: int = 0
) -> list[Footstep]:
    """Return `count` + 1 consecutive footsteps, with a given one as close as possible to their
    middle.

    Args:
        motion: the motion.
        task: its task.
        index: index of the given footstep.
        count: number of step lengths.
        action: what is done with the footstep, for messages.
        shift: number of footsteps by which all are later.

    Raises:
        TaskError: There are too few footsteps, or feet do not alternate among them.
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
        or step_times.max() > MAX_STEP_TIME_RATIO * step_times.min()
    ):
        raise TaskError(
            f"The footstep at {time:.2f} s cannot be {action}: the feet around it do not "
            "alternate evenly."
        )
    return neighbors


@dataclass(frozen=True)
class _StepLine:
    """Footsteps, n of them, relative to the line between the feet.

    Args:
        times: times of the footsteps [s], shape (n,).
        legs: legs of the footsteps, shape (n,).
        center_line: points of the line [m], shape (n, 2).
        heading: heading of the line [rad], shape (n,).
        lateral_offsets: distances of the footsteps to the left of the line [m], shape (n,).
        yaw: yaw of the footsteps relative to the line [rad], shape (n,).
    """

    times: Array
    legs: NDArray[np.int64]
    center_line: Array
    heading: Array
    lateral_offsets: Array
    yaw: Array

    @staticmethod
    def from_footsteps(footsteps: Sequence[Footstep]) -> _StepLine:
        """Return the line between footsteps of alternating feet."""
        positions = np.array([f.position[:2] for f in footsteps])
        center_line = positions.copy()
        center_line[1:-1] = 0.5 * positions[1:-1] + 0.25 * (positions[:-2] + positions[2:])
        center_line[0] = 0.5 * (positions[0] + positions[1])
        center_line[-1] = 0.5 * (positions[-1] + positions[-2])
        tangents = np.gradient(center_line, axis=0)
        heading = np.unwrap(so3.atan2(tangents[:, 1], tangents[:, 0]))
        center_line[0] -= 0.5 * tangents[0]
        center_line[-1] += 0.5 * tangents[-1]
        left = np.stack([-np.sin(heading), np.cos(heading)], -1)
        return _StepLine(
            np.array([f.time for f in footsteps]),
            np.array([f.leg for f in footsteps]),
            center_line,
            heading,
            ((positions - center_line) * left).sum(1),
            np.unwrap([f.yaw for f in footsteps]) - heading,
        )

    def respace(self, count: int, fixed: tuple[int, float] | None = None) -> list[PinnedStep]:
        """Return `count` - 1 steps in place of those between the first and the last footstep.

        Args:
            count: number of step lengths.
            fixed: a new step and its position among the old ones; None to space all evenly.
        """
        last = len(self.times) - 1.0
        knots = np.array([(0, 0.0), *([fixed] if fixed else []), (count, last)])
        return [
            self._make_step(int((self.legs[0] + k) % 2), float(np.interp(k, *knots.T)), k > 1)
            for k in range(1, count)
        ]

    def _make_step(self, leg: int, old_index: float, follows_previous: bool) -> PinnedStep:
        """Return a step of a leg at a position among the old footsteps."""
        indices = np.arange(len(self.times))
        same_leg = self.legs == leg
        angle = float(np.interp(old_index, indices, self.heading))
        offset = float(np.interp(old_index, indices[same_leg], self.lateral_offsets[same_leg]))
        yaw = float(np.interp(old_index, indices[same_leg], self.yaw[same_leg]))
        place = np.array(
            [np.interp(old_index, indices, self.center_line[:, axis]) for axis in range(2)]
        )
        place += offset * np.array([-np.sin(angle), np.cos(angle)])
        return PinnedStep(
            "L" if leg == 0 else "R",
            float(np.interp(old_index, indices, self.times)),
            (float(place[0]), float(place[1])),
            angle + yaw,
            follows_previous=follows_previous,
        )


def _with_pinned_steps(task: Task, neighbors: Sequence[Footstep], steps: list[PinnedStep]) -> Task:
    """Return the task with steps pinned between the first and the last of its neighbors."""
    begin = neighbors[0].time
    end = neighbors[-1].time
    # The contacts last as long as the new steps need.
    end_steps = [
        replace(make_pinned_step(f), contact_times=None, follows_previous=f is neighbors[-1])
        for f in (neighbors[0], neighbors[-1])
    ]
    return replace(
        task,
        pinned_steps=(
            *(
                k
                for k in task.pinned_steps
                if not begin - PIN_TIME_MARGIN < k.time < end + PIN_TIME_MARGIN
            ),
            end_steps[0],
            *(replace(k, follows_previous=True) for k in steps),
            end_steps[1],
        ),
    )
