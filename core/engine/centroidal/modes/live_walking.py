"""Walking in a live session, with foot paths that continue those of the previous half cycle."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ....fullbody.foot_path import FootPath
from ....fullbody.retarget_swing import retarget_swing
from ....fullbody.targets import BodyTargets
from ....plan.result import Plan
from ....sketch.sketch import Sketch
from ....task import Task
from ..body import PlannedBody
from ..end_poses import EndPoses
from .walk_targets import WalkConditions
from .walking import Walking, make_walk_segments

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FootHistory:
    """Foot paths of the previous half cycle; `first_frame` is their first frame in the session."""

    paths: tuple[FootPath, ...]
    first_frame: int


@dataclass(frozen=True)
class LiveWalking(Walking):
    """One half cycle of a walk in a session.

    Args:
        feet: foot paths of the previous half cycle, if there is one.
        begin: begin of the half cycle [s].
    """

    feet: FootHistory | None
    begin: float

    @classmethod
    def from_sketch(
        cls,
        sketch: Sketch,
        task: Task,
        planned_body: PlannedBody,
        feet: FootHistory | None,
        begin: float,
    ) -> LiveWalking:
        """Return the half cycle of a sketch. Hurdles, pushes and key poses of the task are not
        part of it.
        """
        end_poses = EndPoses(None, None)
        return cls(
            planned_body,
            make_walk_segments(sketch, planned_body, task, end_poses),
            task,
            WalkConditions.without_events(task),
            end_poses,
            feet,
            begin,
        )

    def compute_targets(
        self, plan: Plan, times: Array, rotation: Array | None = None
    ) -> BodyTargets:
        """Return targets of the full body at n times, with feet that continue their paths."""
        targets = super().compute_targets(plan, times, rotation)
        if self.feet is None:
            return targets
        first_frame = int(round(times[0] * self.task.fps))
        skipped = first_frame - self.feet.first_frame
        feet = tuple(
            retarget_swing(join_paths(old, new, skipped), new, times, self.begin)
            for old, new in zip(self.feet.paths, targets.feet, strict=True)
        )
        return replace(targets, feet=feet)


def join_paths(old: FootPath, new: FootPath, skipped: int) -> FootPath:
    """Return the old path without its first frames, continued by the new one after its end."""
    overlap = min(len(old.support) - skipped, len(new.support))
    return old.slice_frames(slice(skipped, skipped + overlap)).append(
        new.slice_frames(slice(overlap, None))
    )
