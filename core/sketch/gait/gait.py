"""Gait of a styled biped at a speed, scaled to the body."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...clip.style.style import Cycle, Style

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GaitAdjustments:
    """How a gait deviates from that of its style."""

    sideways_shortening: float = 0.55  # Share by which strides sideways are shorter and quicker.
    backward_shortening: float = 0.4  # Share by which strides backward are shorter and quicker.
    # Additional half width of the gait sideways, as a share of the stride length.
    sideways_width_gain: float = 0.25
    sideways_toe_out_reduction: float = 0.5  # Share by which toe-out is less sideways.
    # Shortest stride time for a requested stride length, as a share of the usual one.
    min_stride_time_ratio: float = 0.55
    # Longest stride time for a requested stride length, as a multiple of the usual one.
    max_stride_time_ratio: float = 1.6
    # Slope of the ground above which steps are shorter, rise over run. tuned: doubled, feet on
    # stairs enter the ground by 7.5 mm
    steep_slope: float = 0.2
    # Share by which steps are shorter, per slope beyond it. tuned: halved, feet on stairs enter the
    # ground by 7.7 mm
    shortening_per_slope: float = 1.0
    # Slope beyond it up to which steps become shorter, rise over run.
    max_excess_slope: float = 0.6
    # Largest inward offset of the feet from the hips, for wide bodies on short legs [leg lengths].
    max_inward_offset: float = 0.25
    # Speed below which steps become shorter but not slower, v / sqrt(g l).
    min_cadence_speed: float = 0.15


ADJUSTMENTS = GaitAdjustments()


@dataclass(frozen=True)
class Gait:
    """Stride and contact at one speed.

    Args:
        cycle: cycle of the style.
        stride_time: duration of a stride [s].
        stride_length: length of a stride [m].
        contact_time: duration of a contact [s].
        backward_offset: distance of a foot behind the body in the middle of its contact [m].
        half_width: lateral distance of a foot from the middle line [m].
        sway_amplitude: lateral amplitude of the center of mass [m].
        toe_out: outward turn of a foot [rad].
        step_time_ratio: duration of the steps, as a share of the usual one.
    """

    cycle: Cycle
    stride_time: float
    stride_length: float
    contact_time: float
    backward_offset: float
    half_width: float
    sway_amplitude: float
    toe_out: float
    step_time_ratio: float = 1.0

    @property
    def step_time_shares(self) -> Array:
        """Shares of the stride time that the steps onto the left and the right foot take. (2,)."""
        return 0.5 + self.cycle.right_later * np.array([-1.0, 1.0])

    def for_side(self, side: int) -> Gait:
        """Return the gait with the contact of one foot; 1 for the left, -1 for the right."""
        cycle = self.cycle.for_side(side)
        return (
            self
            if cycle is self.cycle
            else replace(self, cycle=cycle, contact_time=cycle.duty * self.stride_time)
        )

    def with_facing_offset(self, angle: float) -> Gait:
        """Return the gait of a body that faces away from its direction of travel by an angle [rad].

        Its steps are shorter and quicker. Sideways, the feet part and close again instead of
        crossing.
        """
        sideways = abs(float(np.sin(angle)))
        backward = max(-float(np.cos(angle)), 0.0)
        if sideways + backward < 1e-9:
            return self
        shortened = self.with_step_time_ratio(
            1
            - ADJUSTMENTS.sideways_shortening * sideways**2
            - ADJUSTMENTS.backward_shortening * backward**2
        )
        half_width = (
            shortened.half_width
            + ADJUSTMENTS.sideways_width_gain
            * shortened.stride_length
            * sideways
            * (not self.cycle.is_hop)
        )
        return replace(
            shortened,
            half_width=half_width,
            step_time_ratio=self.step_time_ratio,
            backward_offset=shortened.backward_offset * float(np.cos(angle)),
            toe_out=shortened.toe_out * (1 - ADJUSTMENTS.sideways_toe_out_reduction * sideways),
        )

    @property
    def is_walk(self) -> bool:
        """Whether a foot is always on the ground."""
        return self.cycle.is_walk

    @property
    def landing_time(self) -> float:
        """Time from one landing to the next, of one foot or of both [s]."""
        return self.stride_time if self.cycle.is_hop else 0.5 * self.stride_time

    def with_step_time_ratio(self, ratio: float) -> Gait:
        """Return the gait at the same speed with steps that take a share of their time."""
        return replace(
            self,
            stride_time=ratio * self.stride_time,
            stride_length=ratio * self.stride_length,
            contact_time=ratio * self.contact_time,
            step_time_ratio=ratio,
        )


@dataclass(frozen=True)
class _StrideTable:
    """Strides of a style by speed.

    Args:
        stride_lengths: (n,) [leg lengths].
        speeds: (n,) v / sqrt(g l).
    """

    stride_lengths: Array
    speeds: Array


@dataclass(frozen=True)
class StyleGaitLaw:
    """A style scaled to a body and a gravity by the leg length (Froude number).

    Args:
        style: the style.
        leg_length: leg length [m].
        hip_half_width: lateral distance of a hip from the middle [m].
        gravity: gravitational acceleration [m/s^2].
    """

    style: Style
    leg_length: float
    hip_half_width: float
    gravity: float

    @classmethod
    def from_style(cls, style: Style, character: Character, gravity: float) -> StyleGaitLaw:
        """Return the law of a style for a character."""
        return cls(style, character.leg_length, character.hip_half_width, gravity)

    @property
    def unit_speed(self) -> float:
        """Speed at Froude number 1 [m/s]."""
        return float(np.sqrt(self.gravity * self.leg_length))

    @cached_property
    def standing_gait(self) -> Gait:
        """The gait at speed 0."""
        return self.gait_at(0.0)

    def gait_at(
        self,
        speed: float,
        cadence_speed: float | None = None,
        stride_length: float | None = None,
        width_factor: float = 1.0,
        slope: float = 0.0,
    ) -> Gait:
        """Return the gait at a speed [m/s].

        Args:
            cadence_speed: speed that sets the duration of the steps [m/s]; by default the speed
                itself.
            stride_length: requested length of two steps [m]; their duration follows from it within
                the limits of the legs.
            width_factor: multiple of the width of the style.
            slope: slope of the ground, rise over run; steps on steep ground are shorter and
                quicker.
        """
        relative_speed = (
            max(
                speed if cadence_speed is None else cadence_speed,
                ADJUSTMENTS.min_cadence_speed * self.unit_speed,
            )
            / self.unit_speed
        )
        cycle = self.style.cycle_at(relative_speed)
        stride_time = cycle.stride * self.leg_length / (relative_speed * self.unit_speed)
        if stride_length is None:
            stride_time *= 1 - ADJUSTMENTS.shortening_per_slope * min(
                max(slope - ADJUSTMENTS.steep_slope, 0.0), ADJUSTMENTS.max_excess_slope
            )
        if stride_length is not None and speed > ADJUSTMENTS.min_cadence_speed * self.unit_speed:
            # The cycle is that of the speed at which this length is natural; only the stride time
            # follows from the speed
            matching_cycle = self.style.cycle_at(
                self._natural_speed(stride_length / self.leg_length)
            )
            # Long steps alone do not turn a walk into a run
            cycle = replace(matching_cycle, duty=max(matching_cycle.duty, cycle.duty))
            stride_time *= float(
                np.clip(
                    stride_length / (stride_time * speed),
                    ADJUSTMENTS.min_stride_time_ratio,
                    ADJUSTMENTS.max_stride_time_ratio,
                )
            )
        # Feet are less far behind in steps that are short for their cadence
        length_ratio = min(max(speed, 0.0) / (relative_speed * self.unit_speed), 1.0)
        half_width = max(
            cycle.width * self.hip_half_width,
            self.hip_half_width - ADJUSTMENTS.max_inward_offset * self.leg_length,
        )
        return Gait(
            cycle,
            stride_time,
            stride_time * speed,
            cycle.duty * stride_time,
            backward_offset=length_ratio * cycle.behind * self.leg_length,
            half_width=width_factor * half_width,
            sway_amplitude=width_factor * cycle.sway * self.leg_length,
            toe_out=float(np.radians(cycle.toe_out)),
        )

    def _natural_speed(self, stride_length: float) -> float:
        """Return the speed v / sqrt(g l) with a given natural stride length [leg lengths]."""
        table = self._stride_table
        return float(np.interp(stride_length, table.stride_lengths, table.speeds))

    @cached_property
    def _stride_table(self) -> _StrideTable:
        speeds = np.linspace(0.02, 1.5 * self.style.cycles[-1].speed, 80)
        lengths = np.array([self.style.cycle_at(float(v)).stride for v in speeds])
        return _StrideTable(lengths, speeds)
