"""Phase and weight of a four-legged style along a course."""

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

# Time over which the style weight is smoothed [strides], about that of a swing
WEIGHT_SMOOTHING_STRIDES = 0.3


@dataclass(frozen=True)
class StylePhase:
    """A four-legged style, sampled at n equally spaced times.

    Args:
        time: (n,) [s].
        cycles: (n,) elapsed cycles of the reference leg, an integer at each of its strikes.
        style_weight: (n,) weight of the style, 0 when standing and 1 at its preferred speed.
    """

    style: QuadrupedStyle
    time: Array
    cycles: Array
    style_weight: Array

    @staticmethod
    def from_course(
        style: QuadrupedStyle,
        course: Course,
        footsteps: list[Footstep],
        reference_leg: int,
        law: FroudeGaitLaw,
        stride_time: float,
    ) -> StylePhase:
        """Return the style along a course.

        Args:
            reference_leg: leg from which phases count.
            law: gait law, which scales the preferred speed.
            stride_time: typical duration of a stride [s].
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
        """Return the phase of the cycle of the reference leg, 0 at a strike. (n,) -> (n,)."""
        return np.asarray(np.interp(times, self.time, self.cycles) % 1.0)

    def style_weight_at(self, times: Array) -> Array:
        """Return the weight of the style. (n,) -> (n,)."""
        return np.asarray(np.interp(times, self.time, self.style_weight))

    def trunk_pitch_at(self, times: Array) -> Array:
        """Return the upward pitch of the front of the trunk. (n,) -> (n,) [rad]."""
        return np.asarray(
            self.style_weight_at(times) * self.style.curve_at("trunk", self.phase_at(times))
        )
