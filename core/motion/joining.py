"""Parts of a motion that follow each other, made one."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from .. import so3
from ..errors import MotionError
from .easing import joined
from .footstep import Footstep
from .motion import Motion
from .splice import FLAGS, PLACES, TURNS

SAME = 0.05           # s between the strikes of contacts that are one, told of by two parts


def joined_parts(parts: Sequence[Motion]) -> Motion:
    """Parts of one body, each beginning a frame after the one before it ends, as one motion.

    Their footsteps' times are since the first part's first frame. A contact that several parts tell of is as the last of
    them has it, since a part plans anew what is not yet down; none that begins after the end is kept.

    Raises:
        MotionError: there is none, or they are not of one body and frame rate.
    """
    if not parts:
        raise MotionError("There is no part of a motion to join.")
    first, last = parts[0], parts[-1]
    if any(p.link_names != first.link_names or p.fps != first.fps for p in parts):
        raise MotionError("Parts of different bodies or frame rates cannot be joined; they must come from one session.")
    arrays: dict[str, Any] = {name: np.concatenate([getattr(p, name) for p in parts]) for name in (*TURNS, *PLACES, *FLAGS)}
    arrays |= {name: so3.continuous(arrays[name]) for name in TURNS}
    seconds = {stage: sum(p.report.seconds.get(stage, 0.0) for p in parts) for stage in last.report.seconds}
    frames = sum(p.frames for p in parts)
    report = replace(last.report, clip_seconds=frames / last.fps, seconds=seconds,
                     eased=joined(chain.from_iterable(p.report.eased for p in parts)))
    return replace(last, **arrays, footsteps=_footsteps(parts), report=report)


def first_frames(motion: Motion, frames: int) -> Motion:
    """A motion's first frames alone.

    Raises:
        MotionError: it does not have as many, or none are asked for.
    """
    if not 0 < frames <= motion.frames:
        raise MotionError(f"A motion of {motion.frames} frames has no first {frames}; ask for 1 to {motion.frames}.")
    end = (frames - 1) / motion.fps
    cut: dict[str, Any] = {name: getattr(motion, name)[:frames] for name in (*TURNS, *PLACES, *FLAGS)}
    eased = tuple(replace(e, end=min(e.end, end)) for e in motion.report.eased if e.begin <= end)
    return replace(motion, **cut, footsteps=tuple(f for f in motion.footsteps if f.strike <= end),
                   report=replace(motion.report, clip_seconds=frames / motion.fps, eased=eased))


def _footsteps(parts: Sequence[Motion]) -> tuple[Footstep, ...]:
    """Each contact once, by when it begins."""
    out: list[Footstep] = []
    begin = 0.0
    for part in parts:
        end = begin + part.frames / part.fps
        told = [f for f in part.footsteps if f.strike < end]
        known = [k for k, old in enumerate(out) if any(_same(old, f) for f in told)]
        # one that was about to begin when the part before ended may have been put elsewhere since
        gone = {k for k, old in enumerate(out) if old.strike >= begin and k not in known}
        out = [old for k, old in enumerate(out) if k not in known and k not in gone] + told
        begin = end
    return tuple(sorted(out, key=lambda f: (f.strike, f.leg)))


def _same(a: Footstep, b: Footstep) -> bool:
    return a.leg == b.leg and abs(a.strike - b.strike) < SAME
