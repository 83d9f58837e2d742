"""Notes on what a motion touched or entered."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...fullbody.bar_clearance import Bar
from ...geometry import so3
from ...motion import Footstep, Motion
from ...task import Forbidden, Hurdle, Task
from ...task.hurdle import THICK
from ...terrain import Ground

Array = NDArray[np.float64]


def trespasses(step: Footstep, forbidden: tuple[Forbidden, ...]) -> bool:
    """Whether the middle of a footstep lies on forbidden ground."""
    return any(bool(area.holds(np.asarray(step.position[:2]))) for area in forbidden)


def told_trespassing(task: Task, motion: Motion) -> tuple[str, ...]:
    """A note where no other place was within a foot's reach."""
    found = [f for f in motion.footsteps if not f.kept and 0 <= f.time <= task.seconds and trespasses(f, task.forbidden)]
    if not found:
        return ()
    times = ", ".join(f"{f.time:.2f}" for f in found[:3]) + (", …" if len(found) > 3 else "")
    return (f"{len(found)} footstep{'s stand' if len(found) > 1 else ' stands'} on forbidden ground, at {times} s: no other place "
            "was within reach; make it smaller or lead the path around it",)

SPARE = 0.06          # m between a bar and the sole that passes over it
WIDE = 0.20           # m before and behind a bar, from where on soles are to be above it
BESIDE = 0.1          # m past its ends, the same


def bars_of(hurdles: Sequence[Hurdle], ground: Ground) -> list[Bar]:
    """What swinging feet are to clear."""
    return [_bar(h, bar_height(h, ground)) for h in hurdles]


def bar_height(hurdle: Hurdle, ground: Ground) -> float:
    """Height of a bar's middle line, m; the ground under its middle counts, where there is any."""
    level = float(ground.height(0.5 * (np.asarray(hurdle.start) + np.asarray(hurdle.end))))
    return hurdle.height + (level if np.isfinite(level) else 0.0)


def told_touches(motion: Motion, hurdles: Sequence[Hurdle], ground: Ground) -> tuple[str, ...]:
    """A note for each hurdle that some part of the body touches; lengths and times as the motion's."""
    centre, turn = motion.link_position, so3.quat_to_matrix(motion.link_orientation)
    out = []
    for hurdle in hurdles:
        top, touched = bar_height(hurdle, ground), np.zeros(motion.frames, bool)
        for s in motion.solids:
            p, q = (centre[:, s.link] + turn[:, s.link] @ end for end in (s.start, s.end))
            points = p[:, None] + np.linspace(0, 1, 12)[:, None] * (q - p)[:, None]                  # (n, 12, 3)
            across, past = hurdle.beside(points[..., :2])
            away = np.maximum(np.abs(across) - 0.5 * hurdle.depth, 0.0)
            touched |= (np.sqrt(away**2 + past**2 + (points[..., 2] - top) ** 2) < s.radius).any(1)
        if touched.any():
            x, y = 0.5 * (np.asarray(hurdle.start) + np.asarray(hurdle.end))
            out.append(f"the body touches the hurdle at ({x:.2f}, {y:.2f}) at {np.argmax(touched) / motion.fps:.2f} s. Let it run "
                       "faster, make the hurdle lower, or give it more room before and behind it")
    return tuple(out)


def _bar(hurdle: Hurdle, height: float) -> Bar:
    def near(xy: Array) -> NDArray[np.bool_]:
        across, past = hurdle.beside(xy)
        return (np.abs(across) < WIDE + 0.5 * hurdle.depth) & (past < BESIDE)

    return Bar(near, height + THICK + SPARE)
