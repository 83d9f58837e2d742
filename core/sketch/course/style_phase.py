"""A style for four legs along a course: where the body is in its stride, and how much of the style it has by its speed."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter1d

from ...clip.style.quadruped_style import QuadrupedStyle
from ...motion.footstep import Footstep
from ...plan.reference import DT
from ..gait.gait_law import RhythmLaw
from .course import Course

Array = NDArray[np.float64]

CALM = 0.3            # strides over which what the speed asks for is smoothed


@dataclass(frozen=True)
class Bearing:
    """A style, sampled over equally spaced moments."""

    style: QuadrupedStyle
    time: Array           # (n,) s
    turns: Array          # (n,) of the left hind foot's cycle, whole at its strikes
    share: Array          # (n,) of the style that the body has, 0 to 1

    @staticmethod
    def along(style: QuadrupedStyle, course: Course, footsteps: list[Footstep], leader: int, law: RhythmLaw,
              stride: float) -> Bearing:
        """The style along a course.

        Args:
            leader: the leg that phases count from.
            stride: s that a stride takes.
        """
        time = np.arange(course.time[0], course.time[-1], DT)
        going = np.clip(np.interp(time, course.time, course.speed) / (style.preferred * law.unit_speed), 0, 1)
        share = gaussian_filter1d(going * (2 - going), CALM * stride / DT, mode="nearest")
        strikes = np.array(sorted(f.strike for f in footsteps if f.leg == leader))
        moments = np.concatenate([[min(time[0], strikes[0]) - stride], strikes, [max(time[-1], strikes[-1]) + stride]])
        counted = np.arange(len(strikes), dtype=float)
        before, after = (strikes[0] - moments[0]) / stride, counted[-1] + (moments[-1] - strikes[-1]) / stride
        return Bearing(style, time, PchipInterpolator(moments, [-before, *counted, after])(time), share)

    def phase(self, times: Array) -> Array:
        """Of the left hind foot's cycle at times (n,), 0 at a strike. (n,)."""
        return np.asarray(np.interp(times, self.time, self.turns) % 1.0)

    def had(self, times: Array) -> Array:
        """How much of the style the body has at times (n,). (n,)."""
        return np.asarray(np.interp(times, self.time, self.share))

    def nose(self, times: Array) -> Array:
        """How far the trunk's nose is to be raised at times (n,), rad. (n,)."""
        return np.asarray(self.had(times) * self.style.curve_at("trunk", self.phase(times)))
