"""Solve a stretch of a motion again, and leave the rest as it is."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ....errors import MotionError, TaskError
from ....motion import Footstep, Motion
from ....motion.splice import splice_motion
from ....task import PinnedStep, Task
from ... import deliver
from ...base import LIVE_ENGINE_NAME, Progress
from ...safety.deliver import CHANGE_ADVICE, check_solved_stretch
from ...safety.fall import GROUND_LIMB
from .pinned_steps import (
    PINS,
    is_replaced_by_pin,
    is_same_step,
    make_pinned_step,
    order_pinned_steps,
)
from .stretch import STRETCH, Stretch
from .window_solver import solve_window


def resolve_stretch(
    task: Task,
    motion: Motion,
    stretch: Stretch,
    progress: Progress = lambda stage, share: None,
) -> Motion:
    """Return a motion with a stretch of it solved again, for a task that has changed within it.

    Footsteps that reach out of the stretch, or nearly do, stay where they are. Every frame outside
    of the stretch is unchanged, and places and velocities are continuous at its ends.

    Args:
        task: task of the motion, with changes of pinned footsteps, pushes or speeds.
        motion: the existing motion.
        stretch: part of the clip to solve. It should include a step before and after the changes.
        progress: called with the stage and the share done.

    Raises:
        TaskError: The stretch is too short or outside of the clip, pinned footsteps are outside of
            the stretch, the motion was not planned from a task, or the body falls in it.
        MotionError: The new stretch is broken.
    """
    _check_engine(motion)
    stretch.check(task)
    edit = _StretchEdit.from_task(task, motion, stretch)
    edit.check_moved_steps(task, stretch)
    changed_task = replace(task, pinned_steps=edit.order_steps(motion))
    new_motion = solve_window(changed_task, motion, stretch, progress)
    if new_motion is None:
        new_motion = _generate_as_requested(changed_task, progress)
    result = splice_motion(
        motion, new_motion, stretch.begin, end=stretch.end, blend=STRETCH.blend_time
    )
    check_solved_stretch(task, result, stretch.begin, end=stretch.end)
    return replace(result, footsteps=tuple(edit.restore_step(f) for f in result.footsteps))


def _generate_as_requested(task: Task, progress: Progress) -> Motion:
    """Return the motion of a whole task.

    Raises:
        MotionError: Only a task with lower demands has a sound motion, or the body falls.
    """
    delivery = deliver(task, progress)
    if delivery.task is not task or GROUND_LIMB in delivery.motion.contact_limb:
        raise MotionError(
            f"With these changes the body cannot move: {delivery.motion.report.notes[-1]}. "
            f"{CHANGE_ADVICE}"
        )
    return delivery.motion


def _check_engine(motion: Motion) -> None:
    """Refuse motions that no task generates again frame by frame.

    Raises:
        TaskError: The motion was driven or simulated, or the body falls in it.
    """
    if motion.report.engine == LIVE_ENGINE_NAME:
        raise TaskError(
            "This motion was driven live, and no task generates it again: no stretch of it can be "
            "solved again. Drive it once more, or generate a motion along a path."
        )
    if motion.report.engine != "centroidal":
        raise TaskError(
            f"This motion is of the engine {motion.report.engine!r}, which chooses footsteps "
            "during the simulation: no stretch of it can be solved again. Generate it with the "
            "engine 'centroidal' to change its footsteps."
        )
    if GROUND_LIMB in motion.contact_limb:
        raise TaskError(
            "The body falls in this motion: no stretch of it can be solved again. Make the push "
            "weaker and generate the motion anew to change its footsteps."
        )


@dataclass(frozen=True)
class _StretchEdit:
    """Footsteps of a stretch that is solved again.

    Args:
        surrounding: footsteps of the motion that stay where they are.
        moved_steps: pinned footsteps of the task that differ from those.
    """

    surrounding: tuple[Footstep, ...]
    moved_steps: tuple[PinnedStep, ...]

    @staticmethod
    def from_task(task: Task, motion: Motion, stretch: Stretch) -> _StretchEdit:
        """Return the footsteps that stay, and those that a task pins at other places."""
        requested = [k for k in task.pinned_steps if stretch.begin <= k.time <= stretch.end]

        def stays(f: Footstep) -> bool:
            if not stretch.contains_contact(f, task):
                return True
            return (
                bool(requested)
                and f.lift - f.strike > PINS.min_standing_time
                and not any(is_replaced_by_pin(k, f) for k in requested)
            )

        surrounding = tuple(f for f in motion.footsteps if f.lift > 0 and stays(f))
        preserved = [make_pinned_step(f) for f in surrounding]
        return _StretchEdit(
            surrounding,
            tuple(k for k in task.pinned_steps if not any(is_same_step(k, f) for f in preserved)),
        )

    def check_moved_steps(self, task: Task, stretch: Stretch) -> None:
        """Refuse pinned footsteps outside of the stretch or within its blends.

        Raises:
            TaskError: There is such a footstep.
        """
        if stretch.is_open(task):
            return
        for k in self.moved_steps:
            blend = STRETCH.blend_time
            if not stretch.begin + blend <= k.time <= stretch.end - blend:
                raise TaskError(
                    f"The pinned footstep at {k.time:g} s is too near to an end of the stretch "
                    f"from {stretch.begin:g} to {stretch.end:g} s, or outside of it; make the "
                    "stretch longer, or release the footstep."
                )

    def order_steps(self, motion: Motion) -> tuple[PinnedStep, ...]:
        """Return all pinned footsteps of the task to solve, in order of time."""
        return order_pinned_steps(
            (*self.moved_steps, *(make_pinned_step(f) for f in self.surrounding)),
            [f for f in motion.footsteps if f not in self.surrounding],
            self.moved_steps,
        )

    def restore_step(self, step: Footstep) -> Footstep:
        """Return the surrounding footstep that a solved one repeats, or the solved one."""
        return next(
            (
                f
                for f in self.surrounding
                if f.leg == step.leg and abs(f.time - step.time) < STRETCH.contact_tolerance
            ),
            step,
        )
