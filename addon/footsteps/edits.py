"""Edits of footsteps in the scene, as pinned footsteps of a task."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.engine.centroidal.editing.insert_step import insert_step, remove_step
from ...core.engine.centroidal.editing.pinned_steps import make_pinned_step
from ...core.errors import TaskError
from ...core.motion import Footstep, Motion
from ...core.task import PinnedStep, Task
from ..bake.stored_plan import StoredPlan
from ..scene.owners import read_world_matrix
from .objects import MIN_STEP_INTERVAL, is_pinned_step, list_shown_steps, list_step_objects

Array = NDArray[np.float64]

# Greatest displacement [m] and turn [rad] of an unmoved footstep: above the rounding of Blender's
# matrices in single precision, even far from the origin, and below what a user sees.
MOVE_TOLERANCE = 1e-3
RETIME_TOLERANCE = 0.02  # greatest shift of a footstep at an unchanged time [frames]


@dataclass(frozen=True)
class StepEdits:
    """Edits of the footsteps of one armature.

    Args:
        pinned: planned footsteps that were pinned or moved, all of which the motion must keep.
        added: added footsteps, which the motion must keep.
        deleted: deleted footsteps that had not been pinned.
        mark: digest that identifies the edits; empty without edits.
    """

    pinned: tuple[PinnedStep, ...] = ()
    added: tuple[PinnedStep, ...] = ()
    deleted: tuple[Footstep, ...] = ()
    mark: str = ""

    def __bool__(self) -> bool:
        return bool(self.mark)

    def apply_to(self, original: Task, motion: Motion) -> Task:
        """Return a task with the edits.

        The feet alternate, so footsteps are inserted and removed in pairs, that is, by strides.

        Args:
            original: task of the motion.
            motion: motion before the edits.

        Raises:
            TaskError: a footstep cannot be removed.
        """
        task = self._remove_deleted(replace(original, pinned_steps=self.pinned), motion)
        for added_step in self.added:
            task = _add_step(task, motion, added_step)
        return replace(task, pinned_steps=tuple(sorted(task.pinned_steps, key=lambda k: k.time)))

    def _remove_deleted(self, task: Task, motion: Motion) -> Task:
        steps = list_shown_steps(motion)
        numbers = [k for k, step in enumerate(steps) if any(step is g for g in self.deleted)]
        if numbers and (len(numbers) > 2 or numbers[-1] - numbers[0] > 1):
            raise TaskError(
                "Footsteps of more than one stride were deleted at once. Restore them with Undo "
                "and delete them one by one."
            )
        if numbers:
            task = remove_step(task, motion, self.deleted[0])
            if not set(self.pinned) <= set(task.pinned_steps):
                raise TaskError(
                    "The footsteps around the deleted one cannot be moved apart, because one of "
                    "them is pinned. Unpin it, or restore the deleted one with Undo."
                )
        return task


def _add_step(task: Task, motion: Motion, added_step: PinnedStep) -> Task:
    """Return a task with an added footstep.

    If no contact of the foot is at that time, a stride is inserted. If there is no room for a
    stride, the footstep replaces a planned one.
    """
    replaced = [k for k in task.pinned_steps if _replaces(added_step, k)]
    is_in_contact = any(
        f.leg == "LR".index(added_step.side) and f.strike < added_step.time < f.lift
        for f in list_shown_steps(motion)
    )
    if not replaced and not is_in_contact:
        with suppress(TaskError):
            extended = insert_step(
                task,
                motion,
                added_step.side,
                time=added_step.time,
                place=added_step.position,
                turn=added_step.heading,
            )
            if set(task.pinned_steps) <= set(extended.pinned_steps):
                return extended
    kept_steps = (k for k in task.pinned_steps if k not in replaced)
    return replace(task, pinned_steps=(*kept_steps, added_step))


@dataclass(frozen=True)
class _EditedStep:
    """A footstep in the scene and its planned state."""

    obj: bpy.types.Object
    matrix: Array  # transform in the world of the motion, (4, 4) [m]
    planned_matrix: Array  # planned transform, (4, 4) [m]
    stored_plan: StoredPlan

    @property
    def is_moved(self) -> bool:
        """Whether the footstep was moved horizontally or turned about the vertical axis.

        Its height does not count, because it follows from the ground.
        """
        heading_change = _compute_heading(self.matrix) - _compute_heading(self.planned_matrix)
        return bool(
            np.hypot(*(self.matrix - self.planned_matrix)[:2, 3]) > MOVE_TOLERANCE
            or abs(np.arctan2(np.sin(heading_change), np.cos(heading_change))) > MOVE_TOLERANCE
        )

    @property
    def is_retimed(self) -> bool:
        """Whether the time of the footstep was changed."""
        step_settings = self.obj.footfall_step
        return abs(step_settings.frame - step_settings.planned_frame) > RETIME_TOLERANCE

    @property
    def is_pinned(self) -> bool:
        """Whether the footstep is pinned."""
        return bool(self.obj.footfall_step.kept)

    def to_pinned_step(
        self, time: float, contact: tuple[float, float, float, float] | None = None
    ) -> PinnedStep:
        """Return the pinned footstep at this place.

        Args:
            time: middle of the contact [s].
            contact: times of strike, flat, heel-off and lift [s]; None to plan them.
        """
        x, y = self.matrix[:2, 3]
        return PinnedStep(
            "LR"[self.obj.footfall_step.leg],
            time,
            (float(x), float(y)),
            heading=_compute_heading(self.matrix),
            contact_times=contact,
        )

    def describe(self) -> str:
        """Return a text that changes with every edit."""
        step_settings = self.obj.footfall_step
        x, y = self.matrix[:2, 3]
        return (
            f"{step_settings.number} {step_settings.leg} {x:.4f} {y:.4f} "
            f"{_compute_heading(self.matrix):.4f} {step_settings.frame:.2f} {step_settings.kept}"
        )


def read_edits(armature: bpy.types.Object, stored_plan: StoredPlan) -> StepEdits:
    """Return the edits of an armature's footsteps since they were planned.

    Deleting a pinned footstep only unpins it.
    """
    steps = list_shown_steps(stored_plan.motion)
    sorted_steps = _split_planned_and_added(_read_edited_steps(armature, stored_plan), len(steps))
    pinned: list[PinnedStep] = []
    added: list[PinnedStep] = []
    marks: list[str] = []
    for number, edited_step in sorted_steps.planned.items():
        is_changed = edited_step.is_moved or edited_step.is_retimed
        if is_changed or edited_step.is_pinned:
            pinned.append(_make_pinned_step(edited_step, steps[number - 1], is_changed))
        if is_changed or edited_step.is_pinned != edited_step.obj.footfall_step.planned_kept:
            marks.append(edited_step.describe())
    for edited_step in sorted_steps.added:
        time = (
            stored_plan.time_at(edited_step.obj.footfall_step.frame)
            if edited_step.obj.footfall_step.number < 0
            else _find_passing_time(edited_step, steps)
        )
        added.append(edited_step.to_pinned_step(time))
        marks.append(edited_step.describe())
    deleted = [step for k, step in enumerate(steps) if k + 1 not in sorted_steps.planned]
    marks += [f"gone {step.leg} {step.time:.3f}" for step in deleted]
    digest_text = "\n".join([armature.footfall_steps.stamp, *sorted(marks)])
    mark = hashlib.blake2b(digest_text.encode(), digest_size=12).hexdigest() if marks else ""
    return StepEdits(
        tuple(pinned),
        tuple(added),
        tuple(step for step in deleted if not is_pinned_step(step, stored_plan.task.pinned_steps)),
        mark,
    )


def _read_edited_steps(armature: bpy.types.Object, stored_plan: StoredPlan) -> list[_EditedStep]:
    to_motion = np.linalg.inv(np.array(armature.footfall_steps.matrix).reshape(4, 4))
    return [
        _EditedStep(
            o,
            to_motion @ read_world_matrix(o),
            to_motion @ np.array(o.footfall_step.planned_place).reshape(4, 4),
            stored_plan,
        )
        for o in list_step_objects(armature)
    ]


@dataclass(frozen=True)
class _SortedSteps:
    """Footsteps in the scene by origin."""

    planned: dict[int, _EditedStep]  # by number, counted from 1, in ascending order
    added: list[_EditedStep]


def _split_planned_and_added(edited_steps: list[_EditedStep], count: int) -> _SortedSteps:
    """Separate planned footsteps from added ones.

    Of several copies with the same number, the one that moved least is the planned one.

    Args:
        edited_steps: footsteps in the scene.
        count: number of planned footsteps.
    """
    planned_by_number: dict[int, _EditedStep] = {}
    added = []
    for edited_step in sorted(
        edited_steps,
        key=lambda s: (float(np.linalg.norm((s.matrix - s.planned_matrix)[:2, 3])), s.obj.name),
    ):
        number = edited_step.obj.footfall_step.number
        if 1 <= number <= count and number not in planned_by_number:
            planned_by_number[number] = edited_step
        else:
            added.append(edited_step)
    return _SortedSteps(dict(sorted(planned_by_number.items())), added)


def _make_pinned_step(edited_step: _EditedStep, step: Footstep, is_changed: bool) -> PinnedStep:
    """Return the pinned footstep for a planned one.

    Args:
        edited_step: footstep in the scene.
        step: footstep of the motion.
        is_changed: whether it was moved or retimed.
    """
    if not is_changed:
        previous = [
            k for k in edited_step.stored_plan.task.pinned_steps if is_pinned_step(step, (k,))
        ]
        return previous[0] if previous else make_pinned_step(step)
    if edited_step.is_retimed:
        return edited_step.to_pinned_step(
            edited_step.stored_plan.time_at(edited_step.obj.footfall_step.frame)
        )
    return edited_step.to_pinned_step(step.time, (step.strike, step.flat, step.heel_off, step.lift))


def _replaces(new: PinnedStep, old: PinnedStep) -> bool:
    """Return whether an added footstep replaces a pinned one.

    It does if both are contacts of the same foot at the same time.
    """
    strike, *_, lift = old.contact_times or (
        old.time - MIN_STEP_INTERVAL,
        old.time + MIN_STEP_INTERVAL,
    )
    return new.side == old.side and strike < new.time < lift


def _find_passing_time(edited_step: _EditedStep, steps: Sequence[Footstep]) -> float:
    """Return the time at which the body passes a copied footstep [s].

    The time is interpolated along the line through the midpoints between successive footsteps.
    """
    positions = np.array([s.position[:2] for s in steps])
    middles = 0.5 * (positions[1:] + positions[:-1])
    times = np.array([0.5 * (a.time + b.time) for a, b in pairwise(steps)])
    position = edited_step.matrix[:2, 3]
    best = (np.inf, edited_step.stored_plan.time_at(edited_step.obj.footfall_step.frame))
    for k, (a, b) in enumerate(pairwise(middles)):
        share = float(
            np.clip((position - a) @ (b - a) / max(float((b - a) @ (b - a)), 1e-12), 0, 1)
        )
        distance = float(np.linalg.norm(a + share * (b - a) - position))
        best = min(best, (distance, times[k] + share * (times[k + 1] - times[k])))
    return best[1]


def _compute_heading(matrix: Array) -> float:
    return float(np.arctan2(matrix[1, 0], matrix[0, 0]))
