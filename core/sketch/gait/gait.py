"""The numbers of a gait at a speed, in a body's own metres and seconds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...clip.style.style import Cycle, Style

Array = NDArray[np.float64]

# shares that strides are shorter by sidewards and backward
SIDEWAYS_SHORTENING = 0.55
BACKWARD_SHORTENING = 0.4

MIN_STRIDE_TIME_RATIO = 0.55  # of its usual time that a stride may be hurried to
MAX_STRIDE_TIME_RATIO = 1.6  # of its usual time that it may be drawn out to
STEEP_SLOPE = 0.2  # rise over run of the ground, from which on steps are made shorter
SHORTENING_PER_SLOPE = 1.0  # by which share, for each unit of the rise over run beyond that
# leg lengths that feet may stand further in than the hips, of bodies that are wide on short legs
MAX_INWARD_OFFSET = 0.25
MIN_CADENCE_SPEED = 0.15  # v / sqrt(g l) below which steps are no longer made slower, only shorter


@dataclass(frozen=True)
class Gait:
    """Stride and contact at one speed."""

    cycle: Cycle
    stride_time: float  # s
    stride_length: float  # m
    contact_time: float  # s
    backward_offset: float  # of a foot in mid-contact against the body, m
    half_width: float  # of a foot from the middle, m
    sway_amplitude: float  # amplitude of the centre of mass to the side, m
    toe_out: float  # rad
    step_time_ratio: float = 1.0  # share of the time that steps would take

    @property
    def step_time_shares(self) -> Array:
        """Shares of a stride's time that the steps onto the left and the right foot take. (2,)."""
        return 0.5 + self.cycle.right_later * np.array([-1.0, 1.0])

    def for_side(self, side: int) -> Gait:
        """The same with the contact that one side's foot has; 1 for the left, -1 for the right."""
        cycle = self.cycle.for_side(side)
        return (
            self
            if cycle is self.cycle
            else replace(self, cycle=cycle, contact_time=cycle.duty * self.stride_time)
        )

    def with_facing_offset(self, angle: float) -> Gait:
        """The gait of a body that faces away from its way by an angle, rad: in shorter and quicker
        steps, sidewards with feet that part and close again instead of crossing."""
        sideways = abs(float(np.sin(angle)))
        backward = max(-float(np.cos(angle)), 0.0)
        if sideways + backward < 1e-9:
            return self
        shortened = self.with_step_time_ratio(
            1 - SIDEWAYS_SHORTENING * sideways**2 - BACKWARD_SHORTENING * backward**2
        )
        half_width = shortened.half_width + 0.25 * shortened.stride_length * sideways * (
            not self.cycle.is_hop
        )
        return replace(
            shortened,
            half_width=half_width,
            step_time_ratio=self.step_time_ratio,
            backward_offset=shortened.backward_offset * float(np.cos(angle)),
            toe_out=shortened.toe_out * (1 - 0.5 * sideways),
        )

    @property
    def is_walk(self) -> bool:
        """Whether a foot is always on the ground."""
        return self.cycle.is_walk

    @property
    def landing_time(self) -> float:
        """Time from one landing to the next, of one foot or of both, s."""
        return self.stride_time if self.cycle.is_hop else 0.5 * self.stride_time

    def with_step_time_ratio(self, ratio: float) -> Gait:
        """The same at the same speed, with steps that take only a share of their time."""
        return replace(
            self,
            stride_time=ratio * self.stride_time,
            stride_length=ratio * self.stride_length,
            contact_time=ratio * self.contact_time,
            step_time_ratio=ratio,
        )


@dataclass(frozen=True)
class StyleGaitLaw:
    """A style scaled to a body and a gravity by its leg length (Froude)."""

    style: Style
    leg_length: float
    hip_half_width: float
    gravity: float

    @classmethod
    def from_style(cls, style: Style, character: Character, gravity: float) -> StyleGaitLaw:
        """The law of a style for a character."""
        return cls(style, character.leg_length, character.hip_half_width, gravity)

    @property
    def unit_speed(self) -> float:
        """Speed at Froude number 1, m/s."""
        return float(np.sqrt(self.gravity * self.leg_length))

    def gait_at(
        self,
        speed: float,
        cadence_speed: float | None = None,
        stride_length: float | None = None,
        width_factor: float = 1.0,
        slope: float = 0.0,
    ) -> Gait:
        """The gait at a speed in m/s.

        Args:
            cadence_speed: take steps in the time that they take at this
                speed, only of other length.
            stride_length: length of two steps that is asked for, m;
                how long they take follows, as far as legs can.
            width_factor: multiple of the style's own.
            slope: of the ground, rise over run; steps on steep ground are shorter and quicker.
        """
        relative_speed = (
            max(
                speed if cadence_speed is None else cadence_speed,
                MIN_CADENCE_SPEED * self.unit_speed,
            )
            / self.unit_speed
        )
        cycle = self.style.cycle_at(relative_speed)
        stride_time = cycle.stride * self.leg_length / (relative_speed * self.unit_speed)
        if stride_length is None:
            stride_time *= 1 - SHORTENING_PER_SLOPE * min(max(slope - STEEP_SLOPE, 0.0), 0.6)
        if stride_length is not None and speed > MIN_CADENCE_SPEED * self.unit_speed:
            # the motion of the speed at which such strides are natural,
            # in the time that they must take here
            matching_cycle = self.style.cycle_at(
                self._natural_speed(stride_length / self.leg_length)
            )
            # a long step alone makes no walk a run
            cycle = replace(matching_cycle, duty=max(matching_cycle.duty, cycle.duty))
            stride_time *= float(
                np.clip(
                    stride_length / (stride_time * speed),
                    MIN_STRIDE_TIME_RATIO,
                    MAX_STRIDE_TIME_RATIO,
                )
            )
        # steps shorter than their pace would have them lean the body less
        length_ratio = min(max(speed, 0.0) / (relative_speed * self.unit_speed), 1.0)
        half_width = max(
            cycle.width * self.hip_half_width,
            self.hip_half_width - MAX_INWARD_OFFSET * self.leg_length,
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
        """The speed v / sqrt(g l) whose natural stride it is, in leg lengths."""
        strides, speeds = self._stride_table
        return float(np.interp(stride_length, strides, speeds))

    @cached_property
    def _stride_table(self) -> tuple[Array, Array]:
        speeds = np.linspace(0.02, 1.5 * self.style.cycles[-1].speed, 80)
        return np.array([self.style.cycle_at(float(v)).stride for v in speeds]), speeds
