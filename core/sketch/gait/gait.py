"""The numbers of a gait at a speed, in a body's own metres and seconds."""
from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...clip.style.style import Cycle, Style

Array = NDArray[np.float64]

SIDESTEP, BACKWARD = 0.55, 0.4        # shares that strides are shorter by sidewards and backward
QUICKEST = 0.55       # of its usual time that a stride may be hurried to
LONGEST = 1.6         # of its usual time that it may be drawn out to
STEEP = 0.2           # rise over run of the ground, from which on steps are made shorter
SHORTER = 1.0         # by which share, for each unit of the rise over run beyond that
INWARD = 0.25         # leg lengths that feet may stand further in than the hips, of bodies that are wide on short legs
SLOWEST = 0.15        # v / sqrt(g l) below which steps are no longer made slower, only shorter


@dataclass(frozen=True)
class Gait:
    """Stride and contact at one speed."""

    cycle: Cycle
    stride_time: float        # s
    stride_length: float      # m
    contact_time: float       # s
    behind: float             # of a foot in mid-contact against the body, m
    width: float              # of a foot from the middle, m
    sway: float               # amplitude of the centre of mass to the side, m
    toe_out: float            # rad
    haste: float = 1.0        # share of the time that steps would take

    @property
    def shares(self) -> Array:
        """Shares of a stride's time that the steps onto the left and the right foot take. (2,)."""
        return 0.5 + self.cycle.right_later * np.array([-1.0, 1.0])

    def of_side(self, side: int) -> Gait:
        """The same with the contact that one side's foot has; 1 for the left, -1 for the right."""
        cycle = self.cycle.of_side(side)
        return self if cycle is self.cycle else replace(self, cycle=cycle, contact_time=cycle.duty * self.stride_time)

    def turned(self, angle: float) -> Gait:
        """The gait of a body that faces away from its way by an angle, rad: in shorter and quicker steps, sidewards with feet
        that part and close again instead of crossing."""
        aside, back = abs(float(np.sin(angle))), max(-float(np.cos(angle)), 0.0)
        if aside + back < 1e-9:
            return self
        shorter = self.hurried(1 - SIDESTEP * aside**2 - BACKWARD * back**2)
        width = shorter.width + 0.25 * shorter.stride_length * aside * (not self.cycle.together)
        return replace(shorter, width=width, haste=self.haste,
                       behind=shorter.behind * float(np.cos(angle)), toe_out=shorter.toe_out * (1 - 0.5 * aside))

    @property
    def walks(self) -> bool:
        """Whether a foot is always on the ground."""
        return self.cycle.walks

    @property
    def landing_time(self) -> float:
        """Time from one landing to the next, of one foot or of both, s."""
        return self.stride_time if self.cycle.together else 0.5 * self.stride_time

    def hurried(self, share: float) -> Gait:
        """The same at the same speed, with steps that take only a share of their time."""
        return replace(self, stride_time=share * self.stride_time, stride_length=share * self.stride_length,
                       contact_time=share * self.contact_time, haste=share)


@dataclass(frozen=True)
class GaitLaw:
    """A style scaled to a body and a gravity by its leg length (Froude)."""

    style: Style
    leg_length: float
    hip_half_width: float
    gravity: float

    @classmethod
    def of(cls, style: Style, character: Character, gravity: float) -> GaitLaw:
        """The law of a style for a character."""
        return cls(style, character.leg_length, character.hip_half_width, gravity)

    @property
    def unit_speed(self) -> float:
        """Speed at Froude number 1, m/s."""
        return float(np.sqrt(self.gravity * self.leg_length))

    def at(self, speed: float, pace: float | None = None, stride: float | None = None, width: float = 1.0,
           slope: float = 0.0) -> Gait:
        """The gait at a speed in m/s.

        Args:
            pace: take steps in the time that they take at this speed, only of other length.
            stride: length of two steps that is asked for, m; how long they take follows, as far as legs can.
            width: multiple of the style's own.
            slope: of the ground, rise over run; steps on steep ground are shorter and quicker.
        """
        paced = max(speed if pace is None else pace, SLOWEST * self.unit_speed) / self.unit_speed
        cycle = self.style.at(paced)
        stride_time = cycle.stride * self.leg_length / (paced * self.unit_speed)
        if stride is None:
            stride_time *= 1 - SHORTER * min(max(slope - STEEP, 0.0), 0.6)
        if stride is not None and speed > SLOWEST * self.unit_speed:
            # the motion of the speed at which such strides are natural, in the time that they must take here
            alike = self.style.at(self._speed_of(stride / self.leg_length))
            cycle = replace(alike, duty=max(alike.duty, cycle.duty))      # a long step alone makes no walk a run
            stride_time *= float(np.clip(stride / (stride_time * speed), QUICKEST, LONGEST))
        # steps shorter than their pace would have them lean the body less
        shortened = min(max(speed, 0.0) / (paced * self.unit_speed), 1.0)
        apart = max(cycle.width * self.hip_half_width, self.hip_half_width - INWARD * self.leg_length)
        return Gait(cycle, stride_time, stride_time * speed, cycle.duty * stride_time,
                    behind=shortened * cycle.behind * self.leg_length, width=width * apart,
                    sway=width * cycle.sway * self.leg_length, toe_out=float(np.radians(cycle.toe_out)))

    def _speed_of(self, stride: float) -> float:
        """The speed v / sqrt(g l) whose natural stride it is, in leg lengths."""
        strides, speeds = self._strides
        return float(np.interp(stride, strides, speeds))

    @cached_property
    def _strides(self) -> tuple[Array, Array]:
        speeds = np.linspace(0.02, 1.5 * self.style.cycles[-1].speed, 80)
        return np.array([self.style.at(float(v)).stride for v in speeds]), speeds
