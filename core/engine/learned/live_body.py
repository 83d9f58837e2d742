"""Full body of a half cycle that continues a motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ...character.kinematic_model import LinkPoses
from ...fullbody.foot_path import FootPath
from ...fullbody.retarget_swing import retarget_swing
from ...geometry.curves import fade_offset
from ...motion import Footstep
from ...sketch.sketch import SKETCH
from ..centroidal.modes.live_walking import FootHistory, join_paths
from .ballistics import BALLISTICS, Surroundings, obey_gravity
from .body_motion import BODY_MOTION, BodyMover
from .predict import FADE_TIME
from .pushes import sum_forces
from .states import BodyStates

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PastMotion:
    """What the next half cycle needs of those before it.

    Args:
        first_frame: frame at which the states begin.
        states: predicted states in the frames from `first_frame` on.
        com_curve: center of mass over time.
        feet: paths of the feet.
        poses: poses of the last frames that were emitted, shape (m, nq).
    """

    first_frame: int
    states: BodyStates
    com_curve: CubicSpline
    feet: FootHistory
    poses: Array


@dataclass(frozen=True)
class LiveBodyMover(BodyMover):
    """Computation of exact contacts and forces of a half cycle.

    Args:
        begin: begin of the half cycle [s].
        past: the half cycles before it; None for the first one.
    """

    begin: float = 0.0
    past: PastMotion | None = None

    def _sample_states(self, times: Array) -> BodyStates:
        """Return the states: those of the past, then the predicted ones."""
        if self.past is None:
            return super()._sample_states(times)
        frame = int(round(times[0] * self.task.fps)) - self.past.first_frame
        kept = self.past.states.select(slice(frame, frame + int((times < self.begin).sum())))
        return kept.append(super()._sample_states(times[times >= self.begin]))

    @property
    def _past_poses(self) -> Array | None:
        return None if self.past is None else self.past.poses

    def _is_placed(self, footstep: Footstep) -> bool:
        return self.past is not None and footstep.strike < self.begin + SKETCH.landing_commit_time

    def _make_com_curve(self, times: Array) -> CubicSpline:
        """Return the center of mass over time, which continues that of the past."""
        if self.past is None:
            return super()._make_com_curve(times)
        end = times[-1] + BODY_MOTION.com_margin
        step = BALLISTICS.time_step
        before = np.arange(int(np.ceil((self.begin - times[0]) / step)), 0, -1)
        past_grid = self.begin - step * before
        count = int(np.ceil((end - self.begin) / step)) + 1
        later_grid: Array = np.asarray(self.begin + step * np.arange(count), np.float64)
        grid = np.concatenate([past_grid, later_grid])
        past_com = self.past.com_curve(past_grid)
        com = obey_gravity(
            np.concatenate([past_com, self.prediction.sample_com(later_grid)]),
            grid,
            self._footsteps,
            Surroundings(self._friction, self.task.gravity, sum_forces(self._pushes(), grid)),
        )[len(past_grid) :]
        offset = self.past.com_curve(self.begin) - com[0]
        later_rate = (4 * com[1] - 3 * com[0] - com[2]) / (2 * step)
        rate = self.past.com_curve(self.begin, 1) - later_rate
        u = np.clip((later_grid - self.begin) / FADE_TIME, 0, 1)[:, None]
        com += fade_offset(u, offset, FADE_TIME * rate)
        return CubicSpline(grid, np.concatenate([past_com, com]))

    def _build_foot_paths(
        self, placed: LinkPoses, times: Array, rotation: Array
    ) -> tuple[FootPath, ...]:
        """Return the paths of the feet; those in the air continue their paths."""
        feet = super()._build_foot_paths(placed, times, rotation)
        if self.past is None:
            return feet
        history = self.past.feet
        skipped = int(round(times[0] * self.task.fps)) - history.first_frame
        return tuple(
            retarget_swing(join_paths(old, new, skipped), new, times, self.begin)
            for old, new in zip(history.paths, feet, strict=True)
        )
