"""Notes about footsteps on forbidden ground and touched hurdles, and clearance over hurdles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...fullbody.clearance import HurdleBar
from ...geometry import so3
from ...motion import Footstep, Motion
from ...task import ForbiddenArea, Hurdle, Task
from ...task.hurdle import BAR_RADIUS
from ...terrain import Ground

Array = NDArray[np.float64]

# Clearance between a hurdle's bar and the sole that passes over it [m].
SOLE_CLEARANCE = 0.06
# Distance before and behind a bar within which soles keep this clearance [m].
CLEARANCE_DEPTH = 0.20
# Distance past the ends of a bar within which soles keep this clearance [m].
CLEARANCE_PAST_ENDS = 0.1


def is_on_forbidden_ground(step: Footstep, forbidden: tuple[ForbiddenArea, ...]) -> bool:
    """Return whether the midpoint of a footstep is on forbidden ground."""
    return any(bool(area.contains(np.asarray(step.position[:2]))) for area in forbidden)


def make_forbidden_ground_notes(task: Task, motion: Motion) -> tuple[str, ...]:
    """Return a note if footsteps stand on forbidden ground for lack of another foothold."""
    trespassing = [
        f
        for f in motion.footsteps
        if not f.pinned
        and 0 <= f.time <= task.seconds
        and is_on_forbidden_ground(f, task.forbidden_areas)
    ]
    if not trespassing:
        return ()
    times = ", ".join(f"{f.time:.2f}" for f in trespassing[:3]) + (
        ", …" if len(trespassing) > 3 else ""
    )
    return (
        f"{len(trespassing)} footstep{'s stand' if len(trespassing) > 1 else ' stands'} on "
        f"forbidden ground, at {times} s: no other place was within reach; make it smaller or "
        "lead the path around it",
    )


def make_clearance_bars(hurdles: Sequence[Hurdle], ground: Ground) -> list[HurdleBar]:
    """Return the hurdles as bars that swinging feet clear."""
    return [_make_bar(h, compute_bar_height(h, ground)) for h in hurdles]


def compute_bar_height(hurdle: Hurdle, ground: Ground) -> float:
    """Return the height of a bar's axis [m], above any ground under its midpoint."""
    level = float(ground.sample_heights(0.5 * (np.asarray(hurdle.start) + np.asarray(hurdle.end))))
    return hurdle.height + (level if np.isfinite(level) else 0.0)


def make_hurdle_notes(motion: Motion, hurdles: Sequence[Hurdle], ground: Ground) -> tuple[str, ...]:
    """Return a note for each hurdle that a part of the body touches.

    Args:
        hurdles, ground: in the units of the motion.
    """
    center = motion.link_position
    rotation = so3.quat_to_matrix(motion.link_orientation)
    out = []
    for hurdle in hurdles:
        bar_level = compute_bar_height(hurdle, ground)
        touched = np.zeros(motion.frames, bool)
        for s in motion.solids:
            p, q = (center[:, s.link] + rotation[:, s.link] @ end for end in (s.start, s.end))
            points = p[:, None] + np.linspace(0, 1, 12)[:, None] * (q - p)[:, None]  # (n, 12, 3)
            offsets = hurdle.measure_offsets(points[..., :2])
            depth_outside = np.maximum(np.abs(offsets.across) - 0.5 * hurdle.depth, 0.0)
            touched |= (
                np.sqrt(depth_outside**2 + offsets.past_end**2 + (points[..., 2] - bar_level) ** 2)
                < s.radius
            ).any(1)
        if touched.any():
            x, y = 0.5 * (np.asarray(hurdle.start) + np.asarray(hurdle.end))
            out.append(
                f"the body touches the hurdle at ({x:.2f}, {y:.2f}) at "
                f"{np.argmax(touched) / motion.fps:.2f} s. Let it run faster, make the hurdle "
                "lower, or give it more room before and behind it"
            )
    return tuple(out)


def _make_bar(hurdle: Hurdle, height: float) -> HurdleBar:
    def is_near(xy: Array) -> NDArray[np.bool_]:
        offsets = hurdle.measure_offsets(xy)
        return (np.abs(offsets.across) < CLEARANCE_DEPTH + 0.5 * hurdle.depth) & (
            offsets.past_end < CLEARANCE_PAST_ENDS
        )

    return HurdleBar(is_near, height + BAR_RADIUS + SOLE_CLEARANCE)
