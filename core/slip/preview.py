"""What was previewed, to be asked at any time: equation 17 for one candidate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .phases import (
    MIN_PENDULUM_HEIGHT,
    ComplexArray,
    Phase,
    StancePhase,
    integrate_heading,
)
from .rollout import PhaseRollout
from .schedule import PhaseSlot

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PreviewSample:
    """The preview at an instant."""

    com: Array  # (3,)
    velocity: Array  # (3,)
    acceleration: Array  # (3,)
    heading: float
    heading_rate: float  # rad/s
    heading_acceleration: float  # rad/s^2
    cop: Array | None  # (2,) of the centre of pressure; None in flight


@dataclass(frozen=True)
class PreviewLanding:
    """Where and when foot B comes down."""

    place: Array  # (3,) of the middle of its sole
    heading: float
    time: float  # s from the beginning


@dataclass(frozen=True)
class Preview:
    """Phases one after the other from where the body is,
    and the parameters (24,) that they follow from.
    """

    controls: Array
    slots: tuple[PhaseSlot, ...]
    phases: tuple[Phase, ...]
    # heading, rate and acceleration at the beginning of each phase
    heading_states: tuple[tuple[float, float, float], ...]
    landing: PreviewLanding | None
    gravity: float

    @classmethod
    def from_rollout(cls, rollout: PhaseRollout, u: Array, gravity: float) -> Preview:
        """The one candidate of a march."""
        phases = tuple(phase.select_candidate(0) for phase in rollout.phases)
        heading_accelerations = [
            float(u[slot.acceleration_index]) if slot.kind != "flight" else 0.0
            for slot in rollout.slots
        ]
        heading_states = tuple(
            (float(np.reshape(s.heading, ())), float(np.reshape(s.heading_rate, ())), a)
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
        return cls(
            u,
            rollout.slots,
            phases,
            heading_states=heading_states,
            landing=landing,
            gravity=gravity,
        )

    def get_phase_duration(self, k: int) -> float:
        """Length of a phase, s."""
        return float(self.phases[k].duration)

    @property
    def seconds(self) -> float:
        """Length of all of it."""
        return sum(self.get_phase_duration(k) for k in range(len(self.phases)))

    def sample(self, t: float) -> PreviewSample:
        """The preview at `t` s from its beginning; past its end what it ends with."""
        for k in range(len(self.phases)):
            if t <= self.get_phase_duration(k) or k == len(self.phases) - 1:
                return self.sample_phase(k, min(t, self.get_phase_duration(k)))
            t -= self.get_phase_duration(k)
        raise AssertionError("a preview has phases")

    def sample_phase(self, k: int, t: float) -> PreviewSample:
        """Phase k, `t` s from its own beginning."""
        phase = self.phases[k]
        time = np.asarray(t)
        cop = None
        place, velocity, acceleration = (_to_vector(*part) for part in phase.evaluate(time))
        if isinstance(phase, StancePhase):
            # along the spring: what the full body can do, and in the mean what equation 6 plans
            cop = _to_vector(phase.cop_at(time), phase.ground_height)[:2]
            load = max(acceleration[2] + self.gravity, 0.0)
            height = max(float(place[2] - phase.ground_height), MIN_PENDULUM_HEIGHT)
            acceleration[:2] = load / height * (place[:2] - cop)
        start_heading, start_rate, heading_acceleration = self.heading_states[k]
        heading, heading_rate = integrate_heading(
            np.asarray(start_heading), np.asarray(start_rate), heading_acceleration, time
        )
        return PreviewSample(
            place,
            velocity,
            acceleration,
            heading=float(heading),
            heading_rate=float(heading_rate),
            heading_acceleration=heading_acceleration,
            cop=cop,
        )


def _to_vector(horizontal: ComplexArray, vertical: Array) -> Array:
    """(3,) from a place along the ground and its height."""
    return np.array([horizontal.real, horizontal.imag, vertical], float)
