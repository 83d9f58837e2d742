"""Footsteps that stand on forbidden ground for all that."""
from __future__ import annotations

import numpy as np

from ..motion import Footstep, Motion
from ..task import Forbidden, Task


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
