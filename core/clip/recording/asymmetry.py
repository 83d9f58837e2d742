"""Whether the legs of a clip are unlike each other, as those of somebody who limps, or differ by chance."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..style.style import CURVES, LEGS
from .actor import FPS, Actor
from .angles import cycle_angles
from .contacts import Feet, Step
from .strides import Stride

Array = NDArray[np.float64]

CLEAN = 6.0               # badness of a stride beyond which its sides tell nothing: it turns, climbs, or gets faster
# What the sides of healthy people differ by in some stride or other: the stance, when it comes, both as shares of the cycle, how
# low the hips ride over it, leg lengths, and the angles of the legs, degrees. Five recordings of such people come to 0.3 to 0.7
# of this taken together, the shelf's limp to 1.3: from 1 on the legs count as unlike.
USUAL = (0.04, 0.03, 0.02, 6.0)
SEEN = 0.02               # share of the cycle from which on a shorter stance is worth a word
SURE = 2.0                # times its standard error, as strides differ among each other, that a difference must be


@dataclass(frozen=True)
class Sides:
    """By how much the right side of a clip differs from its left one.

    Args:
        longer: that the right foot is on the ground, share of the cycle.
        later: that its contact comes, against half-way between the left foot's, share of the cycle.
        lower: that the hips ride over it, leg lengths.
    """

    longer: float
    later: float
    lower: float

    @property
    def told(self) -> str:
        """In words, for users."""
        if abs(self.longer) < SEEN:
            return "its legs differ by more than chance, and each keeps its own"
        side, other = ("right", "left") if self.longer < 0 else ("left", "right")
        return (f"it limps: the {side} foot is on the ground for {100 * abs(self.longer):.0f} % of the stride less than the "
                f"{other} one; each leg keeps its own")


def unlike_sides(actor: Actor, feet: Feet, strides: Sequence[Stride]) -> Sides | None:
    """How the sides differ; None where they do not by more than healthy people's, or not more than strides among each other."""
    found = [told for stride in strides if stride.badness < CLEAN and (told := _difference(actor, feet, stride)) is not None]
    if not found:
        return None
    numbers, curves = np.array([told[0] for told in found]), np.stack([told[1] for told in found])
    each = np.concatenate([numbers / USUAL[:3], curves / (USUAL[3] * np.sqrt(curves.shape[1]))], axis=1) / np.sqrt(len(USUAL))
    mean = each.mean(0)
    differ = float(np.linalg.norm(mean))
    error = 0.0
    if len(each) > 1:
        spread = np.square(each - mean).sum() / (len(each) - 1)
        error = float(np.sqrt(spread / max(0.5 * len(each), 1.0)))          # those of left and right overlap by half
    if differ < 1 or differ < SURE * error:
        return None
    return Sides(*(float(v) for v in numbers.mean(0)))


def _difference(actor: Actor, feet: Feet, stride: Stride) -> tuple[tuple[float, float, float], Array] | None:
    """Longer, later and lower of one stride, and the right leg's curves less the left one's, degrees, in a row.

    None where one of its contacts is not wholly in the clip.
    """
    span = (stride.end - stride.begin) / FPS
    near = [s for s in feet.steps if s.whole and abs(s.strike * FPS - 0.5 * (stride.begin + stride.end)) < 0.6 * span * FPS]
    begins = (stride.begin, stride.other) if stride.side == 0 else (stride.other, stride.begin)
    own = [[s for s in near if s.side == side] for side in (0, 1)]
    at = [next((s for s in own[side] if abs(s.strike * FPS - begins[side]) < 2), None) for side in (0, 1)]
    if at[0] is None or at[1] is None:
        return None
    left, right = ((float(np.mean([s.lift - s.strike for s in steps])) / span) for steps in own)
    later = (at[1].time - at[0].time) / span % 1.0 - 0.5
    low = [float(np.mean([riding(actor, s) for s in steps])) for steps in own]
    strikes = [(b - stride.begin) / (stride.end - stride.begin) for b in begins]
    curves = np.degrees(cycle_angles(actor, feet, stride.begin, stride.end, stride.heading, (strikes[0], strikes[1])))
    legs = [CURVES.index(name) for name in LEGS]
    return (right - left, later, (low[0] - low[1]) / actor.leg_length), (curves[1, legs] - curves[0, legs]).ravel()


def riding(actor: Actor, step: Step) -> float:
    """How high the hip rides over the ankle in the middle of a contact, m."""
    k = min(round(step.time * FPS), actor.frames - 1)
    return float((actor.hips - actor.ankles)[k, step.side, 2])
