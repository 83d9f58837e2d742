"""Paths of feet whose footsteps change while they are in the air."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ...fullbody.foot_path import FootPath
from ...fullbody.retarget_swing import retarget_swing
from ...motion import Footstep
from .segments import FootstepRevision

Array = NDArray[np.float64]


def build_revised_paths(
    build_paths: Callable[[tuple[Footstep, ...]], Sequence[FootPath]],
    revisions: tuple[FootstepRevision, ...],
    footsteps: tuple[Footstep, ...],
    times: Array,
) -> tuple[FootPath, ...]:
    """Return the path of each foot, which heads for each revision's footsteps until its end.

    Args:
        build_paths: builds the paths of all feet through footsteps.
        revisions: footsteps that were planned before, in order of time.
        footsteps: footsteps after the last revision.
        times: times of the paths [s], shape (n,).
    """
    plans = [*(revision.footsteps for revision in revisions), footsteps]
    paths = tuple(build_paths(plans[0]))
    for revision, later in zip(revisions, plans[1:], strict=True):
        paths = tuple(
            retarget_swing(old, new, times, revision.end)
            for old, new in zip(paths, build_paths(later), strict=True)
        )
    return paths
