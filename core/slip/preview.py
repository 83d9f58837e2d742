"""Optimized motion of one preview, equation 17, evaluated at any time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .phases import (
    MIN_PENDULUM_HEIGHT,
    ComplexArray,
    HeadingState,
    Phase,
    StancePhase,
    integrate_heading,
)
from .rollout import PhaseRollout
from .schedule import PhaseSlot

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PreviewSample:
    """Preview at an instant."""

    com: Array  # (3,) [m]
    velocity: Array  # (3,) [m/s]
    acceleration: Array  # (3,) [m/s^2]
    heading: float  # [rad]
    heading_rate: float  # [rad/s]
    heading_acceleration: float  # [rad/s^2]
    cop: Array | None  # (2,) [m] center of pressure; None in flight


@dataclass(frozen=True)
class PreviewLanding:
    """Touchdown of foot B."""

    place: Array  # (3,) [m] center of the sole
    heading: float  # [rad]
    time: float  # [s] from the start of the preview


@dataclass(frozen=True)
class PhaseHeading:
    """Heading during a phase of constant angular acceleration."""

    start: HeadingState
    acceleration: float  # [rad/s^2]


@dataclass(frozen=True)
class Preview:
    """Phases from the current state on, and the parameters that produce them."""

    controls: Array  # (24,)
    slots: tuple[PhaseSlot, ...]
    phases: tuple[Phase, ...]
    headings: tuple[PhaseHeading, ...]  # of each phase
    landing: PreviewLanding | None  # None for a body that stands
    gravity: float  # [m/s^2]

    @classmethod
    def from_rollout(cls, rollout: PhaseRollout, u: Array, gravity: float) -> Preview:
        """Convert the simulation of a single candidate.

        Args:
            rollout: with n = 1.
            u: (24,) parameters.
            gravity: [m/s^2].
        """
        phases = tuple(phase.select_candidate(0) for phase in rollout.phases)
        heading_accelerations = [
            float(u[slot.acceleration_index]) if slot.kind != "flight" else 0.0
            for slot in rollout.slots
        ]
        headings = tuple(
            PhaseHeading(HeadingState(np.reshape(s.heading, ()), np.reshape(s.heading_rate, ())), a)
            for s, a in zip(rollout.starts, heading_accelerations, strict=True)
        )
        landing = None
        if rollout.touchdown is not None:
            landing_time = sum(
                float(d)
                for d, s in zip(rollout.duration[0], rollout.slots, strict=True)
                if s.is_first_step
            )
            foot = rollout.feet["B"]
            landing = PreviewLanding(
                _to_vector(foot.horizontal[0, 0], foot.height[0, 0]),
                float(np.reshape(rollout.touchdown.heading, ())),
                landing_time,
            )
        return cls(u, rollout.slots, phases, headings=headings, landing=landing, gravity=gravity)

    def get_phase_duration(self, k: int) -> float:
        """Return the duration of phase k [s]."""
        return float(self.phases[k].duration)

    @property
    def seconds(self) -> float:
        """Total duration [s]."""
        return sum(self.get_phase_duration(k) for k in range(len(self.phases)))

    def sample(self, t: float) -> PreviewSample:
        """Evaluate the preview at `t` [s] from its start, or at its end if `t` is later."""
        for k in range(len(self.phases)):
            if t <= self.get_phase_duration(k) or k == len(self.phases) - 1:
                return self.sample_phase(k, min(t, self.get_phase_duration(k)))
            t -= self.get_phase_duration(k)
        raise AssertionError("a preview has phases")

    def sample_phase(self, k: int, t: float) -> PreviewSample:
        """Evaluate phase k at `t` [s] from the start of the phase.

        In stance the horizontal acceleration is that of a force along the spring, (z'' + g) (x - p)
        / h, which the full body can realize; its mean over the phase is that of equation 6.
        """
        phase = self.phases[k]
        time = np.asarray(t)
        cop = None
        place, velocity, acceleration = (_to_vector(*part) for part in phase.evaluate(time))
        if isinstance(phase, StancePhase):
            cop = _to_vector(phase.cop_at(time), phase.ground_height)[:2]
            load = max(acceleration[2] + self.gravity, 0.0)
            height = max(float(place[2] - phase.ground_height), MIN_PENDULUM_HEIGHT)
            acceleration[:2] = load / height * (place[:2] - cop)
        phase_heading = self.headings[k]
        heading = integrate_heading(phase_heading.start, phase_heading.acceleration, time)
        return PreviewSample(
            place,
            velocity,
            acceleration,
            heading=float(heading.heading),
            heading_rate=float(heading.heading_rate),
            heading_acceleration=phase_heading.acceleration,
            cop=cop,
        )


def _to_vector(horizontal: ComplexArray, vertical: Array) -> Array:
    """Return (x, y, z). (3,)."""
    return np.array([horizontal.real, horizontal.imag, vertical], float)
