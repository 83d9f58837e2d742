"""Joining of consecutive parts of a motion, and replacement of an interval of a motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionError
from ..geometry import so3
from ..geometry.curves import smootherstep
from .footstep import Footstep
from .motion import Motion
from .violations import merge_violations

# Greatest difference of the strikes of a contact in two parts [s]
MAX_STRIKE_DIFFERENCE = 0.05

Array = NDArray[np.float64]

# Arrays of a motion with a row for each frame, by the method of blending
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
    """Join consecutive parts of a motion, each of which begins a frame after the last one ends.

    The times of all footsteps are since the first frame of the first part. A contact in several
    parts is taken from the last of them, since each part plans future contacts again. Contacts that
    begin after the end are dropped. Notes of all parts are kept, each once.

    Raises:
        MotionError: there are no parts, or they differ in body or frame rate.
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
        notes=tuple(dict.fromkeys(chain.from_iterable(p.report.notes for p in parts))),
        violations=merge_violations(chain.from_iterable(p.report.violations for p in parts)),
    )
    return replace(last, **arrays, footsteps=_merge_footsteps(parts), report=report)


def cut_first_frames(motion: Motion, frames: int) -> Motion:
    """Return the first frames of a motion.

    Raises:
        MotionError: the number of frames is not between 1 and that of the motion.
    """
    if not 0 < frames <= motion.frames:
        raise MotionError(
            f"A motion of {motion.frames} frames has no first {frames}; the number must be 1 to "
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
    """Return the contacts of all parts, each once, in the order of their beginnings."""
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
        # this part may have moved contacts that had not begun when the last part ended
        dropped = {k for k, old in enumerate(merged) if old.strike >= begin and k not in replaced}
        merged = [
            old for k, old in enumerate(merged) if k not in replaced and k not in dropped
        ] + part_footsteps
        begin = end
    return tuple(sorted(merged, key=lambda f: (f.strike, f.leg)))


def _is_same_contact(a: Footstep, b: Footstep) -> bool:
    return a.leg == b.leg and abs(a.strike - b.strike) < MAX_STRIKE_DIFFERENCE


def splice_motion(old: Motion, new: Motion, begin: float, end: float, blend: float) -> Motion:
    """Replace an interval of a motion by that of another motion.

    Frames outside of the interval do not change. Inside, the motions are blended within `blend` of
    either end, with continuous positions, velocities and accelerations. The motions must be similar
    there, or bones separate. At an end outside of the motion nothing is blended.

    Args:
        begin: of the interval [s].
        end: of the interval [s].
        blend: duration of the blend [s].

    Raises:
        MotionError: the motions differ in body, length or frame rate.
    """
    if old.link_names != new.link_names or old.frames != new.frames or old.fps != new.fps:
        raise MotionError(
            f"A motion of {new.frames} frames and {len(new.link_names)} links cannot go into one "
            f"of {old.frames} frames and {len(old.link_names)} links; they must be of the same "
            "body, length and frame rate."
        )
    times = np.arange(old.frames) / old.fps
    fade_in = np.ones(old.frames) if begin <= 0 else _fade((times - begin) / blend)
    fade_out = np.ones(old.frames) if end >= times[-1] else _fade((end - times) / blend)
    arrays = _blend_arrays(old, new, np.minimum(fade_in, fade_out))
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


def _blend_arrays(old: Motion, new: Motion, share: Array) -> dict[str, Any]:
    """Return the blended arrays of two motions.

    Args:
        share: (n,) of the new motion.
    """
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
    return arrays


def _fade(share: Array) -> Array:
    """Return a smooth curve from 0 at a share of 0 to 1 at a share of 1, constant beyond."""
    return smootherstep(np.clip(share, 0, 1))


def _broadcast_share(share: Array, like: NDArray[Any]) -> Array:
    return share.reshape((-1,) + (1,) * (like.ndim - 1))


def _blend_rotations(a: Array, b: Array, share: Array) -> Array:
    """Return the geodesic interpolation of quaternions (n, k, 4) at shares (n,)."""
    if not a.size:
        return a
    rotation_vector = so3.quat_log(so3.quat_multiply(so3.quat_conjugate(a), b))
    return so3.quat_multiply(
        a, so3.quat_exp(_broadcast_share(share, rotation_vector) * rotation_vector)
    )
