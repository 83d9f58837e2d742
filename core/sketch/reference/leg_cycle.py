"""The legs of a body over the cycles of a style."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...character.kinematic_model import KinematicModel
from ...clip.pose.pose import compute_style_poses
from ...clip.style.style import Cycle, Style
from ...fullbody.roll import (
    RISE_SHARES,
    FootRoll,
    build_roll_curve,
    compute_heel_rise,
    compute_roll_share,
    measure_pitch,
)
from ...motion.footstep import Footstep
from .height_fit import compute_knee_sensitivity, compute_load_share

Array = NDArray[np.float64]

PHASE_COUNT = 40  # Phases of a cycle at which poses are measured


MAX_LEG_EXTENSION = 0.9992  # Largest used length of a leg, as a share of its full length


@dataclass(frozen=True)
class LegSamples:
    """One leg over a cycle, at p phases.

    Args:
        length: (p,) distance from hip to ankle [m].
        upright: (p,) vertical part of that distance [m].
        com_height: (p,) height of the center of mass over the ankle [m].
        pitch: (p,) pitch of the foot [rad].
    """

    length: Array
    upright: Array
    com_height: Array
    pitch: Array


@dataclass(frozen=True)
class StyleSamples:
    """All legs over the cycles of a style, at k keys and p phases.

    Args:
        hip: (k, p, legs, 3) hip joints relative to the center of mass [m].
        length: (k, p, legs) distance from hip to ankle [m].
        upright: (k, p, legs) vertical part of that distance [m].
        com_height: (k, p, legs) height of the center of mass over the ankles [m].
        pitch: (k, p, legs) pitch of the feet [rad].
    """

    hip: Array
    length: Array
    upright: Array
    com_height: Array
    pitch: Array

    @classmethod
    def from_style(cls, model: KinematicModel, style: Style) -> StyleSamples:
        """Return the samples of a style on a body."""
        character = model.character
        keys = style.keys
        sides = np.array([leg.side for leg in character.legs])
        phase = np.tile(np.arange(PHASE_COUNT) / PHASE_COUNT, len(keys))
        cycle_index = np.repeat(np.arange(len(keys)), PHASE_COUNT)
        curves = style.curves_at(keys)[cycle_index]
        right_delay = style.right_delay_at(keys)[cycle_index]
        toe_out = np.radians([cycle.toe_out for cycle in (style.standing, *style.cycles)])[
            cycle_index
        ]
        # (n, legs)
        phases = phase[:, None] - np.where(sides > 0, 0.0, 0.5 + right_delay[:, None])
        placed = model.compute_link_poses(
            compute_style_poses(model, curves, toe_out, phases=phases, right_delay=right_delay)
        )
        hip = placed.origin[:, [leg.links[0] for leg in character.legs]]
        ankle = placed.origin[:, [foot.link for foot in character.feet]]
        pitch = np.stack(
            [
                compute_roll_share(foot) * measure_pitch(placed.rotation[:, foot.link])
                for foot in character.feet
            ],
            -1,
        )
        shape = (len(keys), PHASE_COUNT, len(sides))
        return cls(
            (hip - placed.com[:, None]).reshape((*shape, 3)),
            np.linalg.norm(hip - ankle, axis=2).reshape(shape),
            (hip - ankle)[..., 2].reshape(shape),
            com_height=(placed.com[:, None] - ankle)[..., 2].reshape(shape),
            pitch=pitch.reshape(shape),
        )

    def sample_leg(self, key: int, leg: int, lowering: float) -> LegSamples:
        """Return one leg at one key, with the body lowered [m]."""
        return LegSamples(
            self.length[key, :, leg],
            self.upright[key, :, leg],
            self.com_height[key, :, leg] - lowering,
            self.pitch[key, :, leg],
        )


@dataclass(frozen=True)
class _PitchCurve:
    """Pitch of a foot over its cycle.

    Args:
        pitch: (p,) pitch by phase of the left foot [rad].
        contact_start: phase at which the contact of this foot begins.
    """

    pitch: Array
    contact_start: float

    def value_at(self, share: float) -> float:
        """Return the pitch a share of the cycle after the strike [rad]."""
        grid = np.arange(PHASE_COUNT + 1) / PHASE_COUNT
        closed_pitch = np.append(self.pitch, self.pitch[0])
        return float(np.interp((self.contact_start + share) % 1.0, grid, closed_pitch))

    def decline_at(self, share: float) -> float:
        """Return the rate at which the pitch declines there [rad per cycle]."""
        step = 1 / PHASE_COUNT
        return (self.value_at(share - step) - self.value_at(share + step)) * 0.5 * PHASE_COUNT


def _measure_roll(cycle: Cycle, curve: _PitchCurve) -> FootRoll:
    """Return the roll of a foot over its contact."""
    duty = cycle.duty
    heel_off = cycle.heel_off * duty
    rise_phases = [heel_off + part * (duty - heel_off) for part in RISE_SHARES]
    rise = compute_heel_rise(
        -curve.value_at(duty),
        [-curve.value_at(part) for part in rise_phases],
        [curve.decline_at(part) for part in rise_phases],
        duty - heel_off,
    )
    return FootRoll(
        max(curve.value_at(0.0), 0.0), max(-curve.value_at(duty), 0.0), curve.decline_at(duty), rise
    )


@dataclass(frozen=True)
class LegCycle:
    """One leg over the cycle of the left foot, at p phases.

    Args:
        contact_start: phase at which its contact begins.
        duty: share of the cycle for which its foot is down.
        height: (p,) height of the center of mass over the ground under the foot [m].
        max_height: (p,) that height with the leg straight [m].
        knee_sensitivity: (p,) knee rotation per lowering of the body [rad/m].
        roll: roll of its foot.
    """

    contact_start: float
    duty: float
    height: Array
    max_height: Array
    knee_sensitivity: Array
    roll: FootRoll

    @staticmethod
    def from_samples(
        cycle: Cycle, foot: Foot, contact_start: float, samples: LegSamples, straight: float
    ) -> LegCycle:
        """Return the cycle of a leg from its samples.

        Args:
            contact_start: phase at which its contact begins.
            straight: length of the straight leg from hip to ankle [m].
        """
        roll = _measure_roll(cycle, _PitchCurve(samples.pitch, contact_start))
        contact = Footstep(
            0,
            0.0,
            cycle.flat * cycle.duty,
            heel_off=cycle.heel_off * cycle.duty,
            lift=cycle.duty,
            position=np.zeros(3),
            rotation=np.eye(3),
        )
        phase = np.arange(PHASE_COUNT) / PHASE_COUNT
        ground_pitch = (
            build_roll_curve(contact, roll)(np.mod(phase - contact_start, 1.0))
            if cycle.speed > 0
            else np.zeros(PHASE_COUNT)
        )
        height = samples.com_height + compute_ankle_height(foot, ground_pitch)
        length = samples.length
        upright = samples.upright
        max_upright = np.sqrt(
            np.maximum(
                (MAX_LEG_EXTENSION * straight) ** 2 - (length**2 - upright**2), 0.25 * straight**2
            )
        )
        return LegCycle(
            contact_start,
            cycle.duty,
            height,
            max_height=height + max_upright - upright,
            knee_sensitivity=compute_knee_sensitivity(length, straight),
            roll=roll,
        )

    def compute_load_shares(self, handover: float) -> Array:
        """Return the share of the weight that the foot carries. (p,)."""
        elapsed = np.mod(np.arange(PHASE_COUNT) / PHASE_COUNT - self.contact_start, 1.0)
        return compute_load_share(elapsed, self.duty - elapsed, handover)


def compute_ankle_height(foot: Foot, pitch: Array) -> Array:
    """Return the height of the origin of a foot that rolls over heel or toes. (n,) -> (n,) [m].

    Args:
        pitch: (n,) pitch of the foot, positive on the heel [rad].
    """
    sine = np.sin(pitch)
    cosine = np.cos(pitch)
    on_heel = -(sine * foot.heel[0] + cosine * foot.heel[2])
    on_ball = foot.pivot[2] - foot.ball[2] - (sine * foot.pivot[0] + cosine * foot.pivot[2])
    return np.where(pitch >= 0, on_heel, on_ball)
