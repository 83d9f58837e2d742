"""A style for four legs along a course: where the body is in its stride,
and how much of the style it has by its speed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter1d

from ...clip.style.quadruped_style import QuadrupedStyle
from ...motion.footstep import Footstep
from ...plan.reference import SAMPLE_INTERVAL
from ..gait.gait_law import FroudeGaitLaw
from .course import Course

Array = NDArray[np.float64]

WEIGHT_SMOOTHING_STRIDES = 0.3  # strides over which what the speed asks for is smoothed


@dataclass(frozen=True)
class StylePhase:
    """A style, sampled over equally spaced moments."""

    style: QuadrupedStyle
    time: Array  # (n,) s
    cycles: Array  # (n,) of the left hind foot's cycle, whole at its strikes
    style_weight: Array  # (n,) of the style that the body has, 0 to 1

    @staticmethod
    def from_course(
        style: QuadrupedStyle,
        course: Course,
        footsteps: list[Footstep],
        reference_leg: int,
        law: FroudeGaitLaw,
        stride_time: float,
    ) -> StylePhase:
        """The style along a course.

        Args:
            reference_leg: the leg that phases count from.
            stride_time: s that a stride takes.
        """
        time = np.arange(course.time[0], course.time[-1], SAMPLE_INTERVAL)
        speed_ratio = np.clip(
            np.interp(time, course.time, course.speed) / (style.preferred_speed * law.unit_speed),
            0,
            1,
        )
        style_weight = gaussian_filter1d(
            speed_ratio * (2 - speed_ratio),
            WEIGHT_SMOOTHING_STRIDES * stride_time / SAMPLE_INTERVAL,
            mode="nearest",
        )
        strikes = np.array(sorted(f.strike for f in footsteps if f.leg == reference_leg))
        knot_times = np.concatenate(
            [
                [min(time[0], strikes[0]) - stride_time],
                strikes,
                [max(time[-1], strikes[-1]) + stride_time],
            ]
        )
        cycle_counts = np.arange(len(strikes), dtype=float)
        cycles_before = (strikes[0] - knot_times[0]) / stride_time
        cycles_after = cycle_counts[-1] + (knot_times[-1] - strikes[-1]) / stride_time
        return StylePhase(
            style,
            time,
            PchipInterpolator(knot_times, [-cycles_before, *cycle_counts, cycles_after])(time),
            style_weight,
        )

    def phase_at(self, times: Array) -> Array:
        """Of the left hind foot's cycle at times (n,), 0 at a strike. (n,)."""
        return np.asarray(np.interp(times, self.time, self.cycles) % 1.0)

    def style_weight_at(self, times: Array) -> Array:
        """How much of the style the body has at times (n,). (n,)."""
        return np.asarray(np.interp(times, self.time, self.style_weight))

    def trunk_pitch_at(self, times: Array) -> Array:
        """How far the trunk's nose is to be raised at times (n,), rad. (n,)."""
        return np.asarray(
            self.style_weight_at(times) * self.style.curve_at("trunk", self.phase_at(times))
        )
