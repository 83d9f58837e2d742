"""What the user did to footsteps in the scene, as footsteps that a task keeps."""
from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.engine.fewer_steps import fewer_steps
from ..core.engine.retouch import kept_step
from ..core.motion import Footstep
from ..core.task import KeptStep
from .planned import Planned
from .steps import NEAR, is_kept, place_of, shown_steps, steps_of

Array = NDArray[np.float64]

MOVED = 1e-3              # m, and rad, from which on a footstep was moved
RETIMED = 0.02            # frames


@dataclass(frozen=True)
class Edits:
    """What was done.

    Args:
        kept: all footsteps that the motion shall keep from now on: pinned before, and those that were moved.
        left, gone: how many of the planned footsteps are there still, and how many were deleted.
        mark: that tells these edits from others; empty where there are none.
    """

    kept: tuple[KeptStep, ...] = ()
    left: int = 0
    gone: int = 0
    mark: str = ""

    def __bool__(self) -> bool:
        return bool(self.mark)


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
    """What was done to the footsteps of an armature since they were planned.

    Footsteps that were deleted are taken from the motion by strides, since feet take turns: the footsteps around them are
    spread over the room that there is, and kept so. One that was pinned is only let go.
    """
    steps = shown_steps(planned.motion)
    first, added = _sorted_out(_seen(armature, planned), len(steps))
    kept: list[KeptStep] = []
    marks: list[str] = []
    for number, seen in first.items():
        change = seen.moved or seen.retimed
        if change or seen.pinned:
            kept.append(_kept(seen, steps[number - 1], change))
        if change or seen.pinned != seen.thing.footfall_step.planned_kept:
            marks.append(seen.mark())
    for seen in added:
        time = planned.time_at(seen.thing.footfall_step.frame) if seen.thing.footfall_step.number < 0 else _time_there(seen, steps)
        wished = seen.wished(time)
        kept = [*(k for k in kept if not _instead(wished, k)), wished]
        marks.append(seen.mark())
    gone = [k for k in range(len(steps)) if k + 1 not in first]
    marks += [f"gone {k}" for k in gone]
    told = "\n".join([armature.footfall_steps.stamp, *sorted(marks)])
    mark = hashlib.blake2b(told.encode(), digest_size=12).hexdigest() if marks else ""
    held = {k for k, step in enumerate(steps) if is_kept(step, planned.task.kept)}
    spread = fewer_steps(steps, [k for k in gone if k not in held], held - set(gone))
    return Edits(tuple(sorted([*kept, *_others(spread, kept)], key=lambda k: k.time)), len(first), len(gone), mark)


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


def _others(spread: Sequence[KeptStep], kept: Sequence[KeptStep]) -> list[KeptStep]:
    """Those that are none of the kept ones."""
    return [s for s in spread if not any(s.side == k.side and abs(s.time - k.time) < NEAR for k in kept)]


def _heading(place: Array) -> float:
    return float(np.arctan2(place[1, 0], place[0, 0]))
