"""Whether the legs of a clip are unlike each other,
as those of somebody who limps, or differ by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..style.style import CURVES, LEG_CURVES
from .actor import FPS, Actor
from .angles import compute_cycle_angles
from .contacts import Feet, FootContact
from .strides import Stride

Array = NDArray[np.float64]

# badness of a stride beyond which its sides tell nothing: it turns, climbs, or gets faster
MAX_STRIDE_BADNESS = 6.0
# What the sides of healthy people differ by in some stride or other: the stance, when it comes,
# both as shares of the cycle, how low the hips ride over it, leg lengths, and the angles of the
# legs, degrees. Five recordings of such people come to 0.3 to 0.7 of this taken together, the
# shelf's limp to 1.3: from 1 on the legs count as unlike.
NORMAL_DIFFERENCES = (0.04, 0.03, 0.02, 6.0)
MIN_REPORTED_DIFFERENCE = 0.02  # share of the cycle from which on a shorter stance is worth a word
# times its standard error, as strides differ among each other, that a difference must be
MIN_SIGNIFICANCE = 2.0


@dataclass(frozen=True)
class Asymmetry:
    """By how much the right side of a clip differs from its left one.

    Args:
        contact_excess: that the right foot is on the ground, share of the cycle.
        contact_delay: that its contact comes, against half-way between the left
            foot's, share of the cycle.
        hip_drop: that the hips ride over it, leg lengths.
    """

    contact_excess: float
    contact_delay: float
    hip_drop: float

    @property
    def summary(self) -> str:
        """In words, for users."""
        if abs(self.contact_excess) < MIN_REPORTED_DIFFERENCE:
            return "its legs differ by more than chance, and each keeps its own"
        side, other = ("right", "left") if self.contact_excess < 0 else ("left", "right")
        return (
            f"it limps: the {side} foot is on the ground for {100 * abs(self.contact_excess):.0f} "
            f"% of the stride less than the {other} one; each leg keeps its own"
        )


def detect_asymmetry(actor: Actor, feet: Feet, strides: Sequence[Stride]) -> Asymmetry | None:
    """How the sides differ; None where they do not by more than healthy people's, or not more than
    strides among each other.
    """
    differences = [
        difference
        for stride in strides
        if stride.badness < MAX_STRIDE_BADNESS
        and (difference := _compute_difference(actor, feet, stride)) is not None
    ]
    if not differences:
        return None
    numbers = np.array([difference[0] for difference in differences])
    curves = np.stack([difference[1] for difference in differences])
    normalized = np.concatenate(
        [
            numbers / NORMAL_DIFFERENCES[:3],
            curves / (NORMAL_DIFFERENCES[3] * np.sqrt(curves.shape[1])),
        ],
        axis=1,
    ) / np.sqrt(len(NORMAL_DIFFERENCES))
    mean = normalized.mean(0)
    magnitude = float(np.linalg.norm(mean))
    error = 0.0
    if len(normalized) > 1:
        spread = np.square(normalized - mean).sum() / (len(normalized) - 1)
        # those of left and right overlap by half
        error = float(np.sqrt(spread / max(0.5 * len(normalized), 1.0)))
    if magnitude < 1 or magnitude < MIN_SIGNIFICANCE * error:
        return None
    return Asymmetry(*(float(v) for v in numbers.mean(0)))


def _compute_difference(
    actor: Actor, feet: Feet, stride: Stride
) -> tuple[tuple[float, float, float], Array] | None:
    """Longer, later and lower of one stride, and the right leg's curves less the left
    one's, degrees, in a row.

    None where one of its contacts is not wholly in the clip.
    """
    stride_time = (stride.end - stride.begin) / FPS
    nearby_contacts = [
        s
        for s in feet.contacts
        if s.is_complete
        and abs(s.strike * FPS - 0.5 * (stride.begin + stride.end)) < 0.6 * stride_time * FPS
    ]
    strike_frames = (
        (stride.begin, stride.other_strike)
        if stride.side == 0
        else (stride.other_strike, stride.begin)
    )
    side_contacts = [[s for s in nearby_contacts if s.side == side] for side in (0, 1)]
    stride_contacts = [
        next(
            (s for s in side_contacts[side] if abs(s.strike * FPS - strike_frames[side]) < 2), None
        )
        for side in (0, 1)
    ]
    if stride_contacts[0] is None or stride_contacts[1] is None:
        return None
    left, right = (
        (float(np.mean([s.lift - s.strike for s in steps])) / stride_time)
        for steps in side_contacts
    )
    contact_delay = (stride_contacts[1].time - stride_contacts[0].time) / stride_time % 1.0 - 0.5
    hip_heights = [
        float(np.mean([measure_hip_height(actor, s) for s in steps])) for steps in side_contacts
    ]
    strikes = [(b - stride.begin) / (stride.end - stride.begin) for b in strike_frames]
    curves = np.degrees(
        compute_cycle_angles(
            actor,
            feet,
            stride.begin,
            end=stride.end,
            heading=stride.heading,
            strikes=(strikes[0], strikes[1]),
        )
    )
    leg_rows = [CURVES.index(name) for name in LEG_CURVES]
    return (right - left, contact_delay, (hip_heights[0] - hip_heights[1]) / actor.leg_length), (
        curves[1, leg_rows] - curves[0, leg_rows]
    ).ravel()


def measure_hip_height(actor: Actor, contact: FootContact) -> float:
    """How high the hip rides over the ankle in the middle of a contact, m."""
    k = min(round(contact.time * FPS), actor.frames - 1)
    return float((actor.hips - actor.ankles)[k, contact.side, 2])
