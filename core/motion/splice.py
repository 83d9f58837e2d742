"""Parts of a motion that follow each other, made one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionError
from ..geometry import so3
from .easing import merge_violations
from .footstep import Footstep
from .motion import Motion

MAX_STRIKE_DIFFERENCE = 0.05  # s between the strikes of contacts that are one, told of by two parts

Array = NDArray[np.float64]

ROTATION_ARRAYS = ("link_orientation", "reference_orientation", "toe_orientation")
VECTOR_ARRAYS = (
    "link_position",
    "link_origin",
    "contact_position",
    "contact_force",
    "push_force",
    "push_point",
    "push_moment",
    "planned_com",
    "goal_velocity",
)
FLAG_ARRAYS = ("contact_active", "relaxed")


def join_parts(parts: Sequence[Motion]) -> Motion:
    """Parts of one body, each beginning a frame after the one before it ends, as one motion.

    Their footsteps' times are since the first part's first frame. A contact that several parts tell
    of is as the last of them has it, since a part plans anew what is not yet down; none that begins
    after the end is kept.

    Raises:
        MotionError: there is none, or they are not of one body and frame rate.
    """
    if not parts:
        raise MotionError("There is no part of a motion to join.")
    first = parts[0]
    last = parts[-1]
    if any(p.link_names != first.link_names or p.fps != first.fps for p in parts):
        raise MotionError(
            "Parts of different bodies or frame rates cannot be joined; they must come from one "
            "session."
        )
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(p, name) for p in parts])
        for name in (*ROTATION_ARRAYS, *VECTOR_ARRAYS, *FLAG_ARRAYS)
    }
    arrays |= {name: so3.quat_unwrap(arrays[name]) for name in ROTATION_ARRAYS}
    seconds = {
        stage: sum(p.report.seconds.get(stage, 0.0) for p in parts) for stage in last.report.seconds
    }
    frames = sum(p.frames for p in parts)
    report = replace(
        last.report,
        clip_seconds=frames / last.fps,
        seconds=seconds,
        violations=merge_violations(chain.from_iterable(p.report.violations for p in parts)),
    )
    return replace(last, **arrays, footsteps=_merge_footsteps(parts), report=report)


def cut_first_frames(motion: Motion, frames: int) -> Motion:
    """A motion's first frames alone.

    Raises:
        MotionError: it does not have as many, or none are asked for.
    """
    if not 0 < frames <= motion.frames:
        raise MotionError(
            f"A motion of {motion.frames} frames has no first {frames}; ask for 1 to "
            f"{motion.frames}."
        )
    end = (frames - 1) / motion.fps
    arrays: dict[str, Any] = {
        name: getattr(motion, name)[:frames]
        for name in (*ROTATION_ARRAYS, *VECTOR_ARRAYS, *FLAG_ARRAYS)
    }
    violations = tuple(
        replace(e, end=min(e.end, end)) for e in motion.report.violations if e.begin <= end
    )
    return replace(
        motion,
        **arrays,
        footsteps=tuple(f for f in motion.footsteps if f.strike <= end),
        report=replace(motion.report, clip_seconds=frames / motion.fps, violations=violations),
    )


def _merge_footsteps(parts: Sequence[Motion]) -> tuple[Footstep, ...]:
    """Each contact once, by when it begins."""
    merged: list[Footstep] = []
    begin = 0.0
    for part in parts:
        end = begin + part.frames / part.fps
        part_footsteps = [f for f in part.footsteps if f.strike < end]
        replaced = [
            k
            for k, old in enumerate(merged)
            if any(_is_same_contact(old, f) for f in part_footsteps)
        ]
        # one that was about to begin when the part before ended may have been put elsewhere since
        dropped = {k for k, old in enumerate(merged) if old.strike >= begin and k not in replaced}
        merged = [
            old for k, old in enumerate(merged) if k not in replaced and k not in dropped
        ] + part_footsteps
        begin = end
    return tuple(sorted(merged, key=lambda f: (f.strike, f.leg)))


def _is_same_contact(a: Footstep, b: Footstep) -> bool:
    return a.leg == b.leg and abs(a.strike - b.strike) < MAX_STRIKE_DIFFERENCE


def splice_motion(old: Motion, new: Motion, begin: float, end: float, blend: float) -> Motion:
    """The old motion with a stretch of the new one.

    Outside of it every frame stays as it was, to the bit. Inside, the motions go over into each
    other within `blend` seconds of either end, with the same places, velocities and accelerations
    at the ends; for bones to stay together there both must be nearly the same. An end that lies
    outside of the clip is none.

    Raises:
        MotionError: the motions are not of the same body and length.
    """
    if old.link_names != new.link_names or old.frames != new.frames or old.fps != new.fps:
        raise MotionError(
            f"A motion of {new.frames} frames and {len(new.link_names)} links cannot go into one "
            f"of {old.frames} frames and {len(old.link_names)} links; they must be of the same "
            "body, length and frame rate."
        )
    times = np.arange(old.frames) / old.fps
    fade_in = np.ones(old.frames) if begin <= 0 else _smootherstep((times - begin) / blend)
    fade_out = np.ones(old.frames) if end >= times[-1] else _smootherstep((end - times) / blend)
    share = np.minimum(fade_in, fade_out)  # (n,)
    arrays: dict[str, Any] = {}
    for name in (*ROTATION_ARRAYS, *VECTOR_ARRAYS, *FLAG_ARRAYS):
        a = getattr(old, name)
        b = getattr(new, name)
        if name in FLAG_ARRAYS:
            blended = np.where(_broadcast_share(share, a) > 0.5, b, a)
        elif name in ROTATION_ARRAYS:
            blended = _blend_rotations(a, b, share)
        else:
            blended = a + _broadcast_share(share, a) * (b - a)
        arrays[name] = np.where(
            _broadcast_share(share, a) == 0,
            a,
            np.where(_broadcast_share(share, a) == 1, b, blended),
        )
    first = -np.inf if begin <= 0 else begin
    last = np.inf if end >= times[-1] else end
    footsteps = sorted(
        [
            *(f for f in old.footsteps if not first <= f.time <= last),
            *(f for f in new.footsteps if first <= f.time <= last),
        ],
        key=lambda f: f.time,
    )
    violations = merge_violations(
        [
            *(e for e in old.report.violations if e.end < begin or e.begin > end),
            *(e for e in new.report.violations if e.end >= begin and e.begin <= end),
        ]
    )
    return replace(
        new, **arrays, footsteps=tuple(footsteps), report=replace(new.report, violations=violations)
    )


def _smootherstep(u: Array) -> Array:
    u = np.clip(u, 0, 1)
    return u**3 * (10 - 15 * u + 6 * u * u)


def _broadcast_share(share: Array, like: NDArray[Any]) -> Array:
    return share.reshape((-1,) + (1,) * (like.ndim - 1))


def _blend_rotations(a: Array, b: Array, share: Array) -> Array:
    """From quaternions to others, by shares. (n, k, 4), (n, k, 4), (n,)."""
    if not a.size:
        return a
    rotation_vector = so3.quat_log(so3.quat_multiply(so3.quat_conjugate(a), b))
    return so3.quat_multiply(
        a, so3.quat_exp(_broadcast_share(share, rotation_vector) * rotation_vector)
    )
