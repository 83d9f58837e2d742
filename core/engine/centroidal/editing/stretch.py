"""Stretches of a clip that are solved again."""

from __future__ import annotations

from dataclasses import dataclass

from ....errors import TaskError
from ....motion import Footstep, Motion
from ....task import Task
from ...shared.checks import is_on_forbidden_ground
from .pinned_steps import is_replaced_by_pin


@dataclass(frozen=True)
class StretchParameters:
    """Times of a stretch that is solved again."""

    # Time at each end of the stretch in which the existing motion blends into the new one [s], that
    # of a swing. Half or twice moves an edited stretch by 1 to 2 cm.
    blend_time: float = 0.35
    # Shortest stretch [s]: two steps, so that a foot comes down within it, and both blends
    min_time: float = 1.0
    # Time added at each end of a stretch around changed footsteps [s]
    margin_time: float = 0.1
    # Time before and after changed footsteps within which contacts belong to them [s]: a frame at
    # 50 a second
    contact_tolerance: float = 0.02


STRETCH = StretchParameters()


@dataclass(frozen=True)
class Stretch:
    """Part of a clip from `begin` to `end` [s]."""

    begin: float
    end: float

    def check(self, task: Task) -> None:
        """Refuse a stretch that is too short or outside of the clip of a task.

        Raises:
            TaskError: It is.
        """
        is_inside = 0 <= self.begin < self.end <= task.seconds + 1e-6
        if not is_inside or self.end - self.begin < STRETCH.min_time:
            raise TaskError(
                f"The stretch from {self.begin:g} to {self.end:g} s cannot be solved again; it "
                f"must lie within the clip's {task.seconds:g} s and be at least "
                f"{STRETCH.min_time:g} s long."
            )

    def is_open(self, task: Task) -> bool:
        """Return whether the stretch reaches an end of the clip of a task."""
        return self.begin <= 0 or self.end >= task.seconds

    def contains_contact(self, footstep: Footstep, task: Task) -> bool:
        """Return whether a contact lies between the blends at the ends of the stretch.

        There is no blend at an end of the clip.
        """
        return (self.begin <= 0 or footstep.strike >= self.begin + STRETCH.blend_time) and (
            self.end >= task.seconds or footstep.lift <= self.end - STRETCH.blend_time
        )


def find_affected_stretch(motion: Motion, task_before: Task, task_after: Task) -> Stretch:
    """Return the stretch to solve again after pinned footsteps or forbidden areas have changed.

    It reaches from the last lift of each foot before the changes to its first strike after them,
    so that both swings lie within it.

    Args:
        motion: motion of `task_before`.
        task_before: task before the changes.
        task_after: task after the changes.

    Raises:
        TaskError: Nothing has changed that affects a footstep.
    """
    times = _find_changed_times(motion, task_before, task_after)
    if not times:
        raise TaskError("No footstep has changed: there is nothing to solve again.")
    legs = range(2)
    first = min(times) - STRETCH.contact_tolerance
    last = max(times) + STRETCH.contact_tolerance
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
    begin = begin - STRETCH.blend_time - STRETCH.margin_time
    end = end + STRETCH.blend_time + STRETCH.margin_time
    if end - begin < STRETCH.min_time:
        begin, end = 0.5 * (begin + end - STRETCH.min_time), 0.5 * (begin + end + STRETCH.min_time)
    return Stretch(max(begin, 0.0), min(end, task_after.seconds))


def _find_changed_times(motion: Motion, task_before: Task, task_after: Task) -> list[float]:
    """Return the times of footsteps that have changed or lie on newly forbidden ground [s]."""
    pinned_before = set(task_before.pinned_steps)
    pinned_after = set(task_after.pinned_steps)
    times = [pinned.time for pinned in pinned_before ^ pinned_after]
    times += [
        f.time
        for pinned in pinned_after - pinned_before
        for f in motion.footsteps
        if is_replaced_by_pin(pinned, f)
    ]
    new_areas = tuple(
        area for area in task_after.forbidden_areas if area not in task_before.forbidden_areas
    )
    times += [
        f.time
        for f in motion.footsteps
        if is_on_forbidden_ground(f, new_areas) and 0 <= f.time <= task_after.seconds
    ]
    return times
