"""What the user did to footsteps in the scene, as footsteps that a task keeps."""
from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.engine.centroidal.editing.insert_step import put_in, taken_out
from ...core.engine.centroidal.editing.resolve import kept_step
from ...core.errors import TaskError
from ...core.motion import Footstep, Motion
from ...core.task import KeptStep, Task
from ..bake.stored_plan import Planned
from ..scene.owners import place_of
from .objects import NEAR, is_kept, shown_steps, steps_of

Array = NDArray[np.float64]

MOVED = 1e-3              # m, and rad, from which on a footstep was moved
RETIMED = 0.02            # frames


@dataclass(frozen=True)
class Edits:
    """What was done.

    Args:
        kept: the planned footsteps that the motion shall keep from now on: pinned before, and those that were moved.
        added: others that it shall keep.
        gone: those that were deleted and had not been pinned.
        mark: that tells these edits from others; empty where there are none.
    """

    kept: tuple[KeptStep, ...] = ()
    added: tuple[KeptStep, ...] = ()
    gone: tuple[Footstep, ...] = ()
    mark: str = ""

    def __bool__(self) -> bool:
        return bool(self.mark)

    def task(self, before: Task, motion: Motion) -> Task:
        """The task with all of it: feet take turns, so that footsteps are taken out and put in by strides.

        Raises:
            TaskError: that cannot be done there; the message says why.
        """
        task = replace(before, kept=self.kept)
        steps = shown_steps(motion)
        numbers = [k for k, step in enumerate(steps) if any(step is g for g in self.gone)]
        if numbers and (len(numbers) > 2 or numbers[-1] - numbers[0] > 1):
            raise TaskError("More than two footsteps in a row were deleted. Bring them back with Undo, and delete them one by one.")
        if numbers:
            task = taken_out(task, motion, self.gone[0])
            if not set(self.kept) <= set(task.kept):
                raise TaskError("A footstep that is pinned is among those that would be set farther apart. Unpin it first, or "
                                "bring the deleted one back with Undo.")
        for new in self.added:
            instead = [k for k in task.kept if _instead(new, k)]
            if not instead and not any(f.leg == "LR".index(new.side) and f.strike < new.time < f.lift for f in steps):
                with suppress(TaskError):      # where there is no room for a stride more, it takes the place of another step
                    more = put_in(task, motion, new.side, new.time, new.place, new.turn)
                    if set(task.kept) <= set(more.kept):
                        task = more
                        continue
            task = replace(task, kept=(*(k for k in task.kept if k not in instead), new))
        return replace(task, kept=tuple(sorted(task.kept, key=lambda k: k.time)))


@dataclass(frozen=True)
class _Seen:
    """A footstep as it is in the scene, against how it was planned."""

    thing: bpy.types.Object
    place: Array              # (4, 4) in the motion's world, m
    was: Array                # (4, 4)
    planned: Planned

    @property
    def moved(self) -> bool:
        """Whether it stands elsewhere or is turned, seen from above: what lies on the ground has no height of its own."""
        turn = _heading(self.place) - _heading(self.was)
        return bool(np.hypot(*(self.place - self.was)[:2, 3]) > MOVED or abs(np.arctan2(np.sin(turn), np.cos(turn))) > MOVED)

    @property
    def retimed(self) -> bool:
        told = self.thing.footfall_step
        return abs(told.frame - told.planned_frame) > RETIMED

    @property
    def pinned(self) -> bool:
        return bool(self.thing.footfall_step.kept)

    def wished(self, time: float, contact: tuple[float, float, float, float] | None = None) -> KeptStep:
        """The footstep that it asks for."""
        x, y = self.place[:2, 3]
        return KeptStep("LR"[self.thing.footfall_step.leg], time, (float(x), float(y)), _heading(self.place), contact)

    def mark(self) -> str:
        """What tells it from the same in another place."""
        told = self.thing.footfall_step
        x, y = self.place[:2, 3]
        return f"{told.number} {told.leg} {x:.4f} {y:.4f} {_heading(self.place):.4f} {told.frame:.2f} {told.kept}"


def read_edits(armature: bpy.types.Object, planned: Planned) -> Edits:
    """What was done to the footsteps of an armature since they were planned. One that was pinned and deleted is only let go."""
    steps = shown_steps(planned.motion)
    first, others = _sorted_out(_seen(armature, planned), len(steps))
    kept: list[KeptStep] = []
    added: list[KeptStep] = []
    marks: list[str] = []
    for number, seen in first.items():
        change = seen.moved or seen.retimed
        if change or seen.pinned:
            kept.append(_kept(seen, steps[number - 1], change))
        if change or seen.pinned != seen.thing.footfall_step.planned_kept:
            marks.append(seen.mark())
    for seen in others:
        time = planned.time_at(seen.thing.footfall_step.frame) if seen.thing.footfall_step.number < 0 else _time_there(seen, steps)
        added.append(seen.wished(time))
        marks.append(seen.mark())
    gone = [step for k, step in enumerate(steps) if k + 1 not in first]
    marks += [f"gone {step.leg} {step.time:.3f}" for step in gone]
    told = "\n".join([armature.footfall_steps.stamp, *sorted(marks)])
    mark = hashlib.blake2b(told.encode(), digest_size=12).hexdigest() if marks else ""
    return Edits(tuple(kept), tuple(added), tuple(step for step in gone if not is_kept(step, planned.task.kept)), mark)


def _seen(armature: bpy.types.Object, planned: Planned) -> list[_Seen]:
    back = np.linalg.inv(np.array(armature.footfall_steps.matrix).reshape(4, 4))
    return [_Seen(o, back @ place_of(o), back @ np.array(o.footfall_step.planned_place).reshape(4, 4), planned)
            for o in steps_of(armature)]


def _sorted_out(seen: list[_Seen], count: int) -> tuple[dict[int, _Seen], list[_Seen]]:
    """Those that were planned, by their number, and those that were added. Of copies the one that moved least is the planned."""
    first: dict[int, _Seen] = {}
    added = []
    for one in sorted(seen, key=lambda s: (float(np.linalg.norm((s.place - s.was)[:2, 3])), s.thing.name)):
        number = one.thing.footfall_step.number
        if 1 <= number <= count and number not in first:
            first[number] = one
        else:
            added.append(one)
    return dict(sorted(first.items())), added


def _kept(seen: _Seen, step: Footstep, change: bool) -> KeptStep:
    if not change:
        before = [k for k in seen.planned.task.kept if is_kept(step, (k,))]
        return before[0] if before else kept_step(step)
    if seen.retimed:
        return seen.wished(seen.planned.time_at(seen.thing.footfall_step.frame))
    return seen.wished(step.time, (step.strike, step.flat, step.heel_off, step.lift))


def _instead(new: KeptStep, old: KeptStep) -> bool:
    """Whether a footstep that was added is made in place of another: a foot cannot stand in two places at once."""
    strike, *_, lift = old.contact or (old.time - NEAR, old.time + NEAR)
    return new.side == old.side and strike < new.time < lift


def _time_there(seen: _Seen, steps: Sequence[Footstep]) -> float:
    """When a copied footstep is passed by, s: between the two that it lies between along the way."""
    places = np.array([s.position[:2] for s in steps])
    middles, times = 0.5 * (places[1:] + places[:-1]), np.array([0.5 * (a.time + b.time) for a, b in pairwise(steps)])
    place, best = seen.place[:2, 3], (np.inf, seen.planned.time_at(seen.thing.footfall_step.frame))
    for k, (a, b) in enumerate(pairwise(middles)):
        share = float(np.clip((place - a) @ (b - a) / max(float((b - a) @ (b - a)), 1e-12), 0, 1))
        away = float(np.linalg.norm(a + share * (b - a) - place))
        best = min(best, (away, times[k] + share * (times[k + 1] - times[k])))
    return best[1]


def _heading(place: Array) -> float:
    return float(np.arctan2(place[1, 0], place[0, 0]))
