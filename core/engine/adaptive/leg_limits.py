"""Paths for legs that cannot become short, such as with frozen knees, or that bend backward."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .biped import Biped, Leg
from .biped_model import MODEL
from .paths import BodyPath, SwingFootPath

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LegLimitParameters:
    """When and how paths respect the shortest length of a leg.

    Args:
        least_share: shortest length of a leg, in whole lengths, from which its paths are adapted.
            Knees of people bend to 0.26.
        stretched_share: longest length to which the other leg is to stretch, in whole lengths: a
            knee of 20 degrees, away from the straight leg, at which it has no force.
        backward_lean: by which the shin of a leg whose knee bends backward leans while it swings:
            the foot of people points down then, beyond what the ankle of such a leg can turn [rad].
            Tuned: with 70 instead of 20 degrees left for the foot's pitch 1 of 6 bodies with
            inverted knees walked on, and feet slid,
            test_scenarios.test_inverted_knees_bend_backward.
    """

    least_share: float = 0.8
    stretched_share: float = 0.985
    backward_lean: float = float(np.radians(50.0))


LIMITS = LegLimitParameters()


class LegLimits:
    """Limits of the lengths of both legs from hip to ankle.

    Args:
        biped: the body.
    """

    def __init__(self, biped: Biped) -> None:
        self._hips = biped.hips
        self._longest = np.array([_measure_length(leg, 0.0) for leg in biped.legs])
        self._shortest = np.array([_measure_shortest(leg) for leg in biped.legs])

    def are_needed(self) -> bool:
        """Return whether a leg is so stiff that paths must respect it."""
        return bool((self._shortest > LIMITS.least_share * self._longest).any())

    def raise_body(
        self, body: BodyPath, foot: SwingFootPath, stance_ankle: Array, swing: int
    ) -> Array:
        """Return places of the upper body (n, 3) at which both legs have room below it [m].

        Args:
            body: planned path.
            foot: planned path of the swing foot.
            stance_ankle: (3,) [m].
            swing: foot that swings, 0 left, 1 right.
        """
        count = len(body.position)
        feet = np.empty((2, count, 3))
        feet[swing] = foot.ankle[np.minimum(np.arange(count), len(foot.ankle) - 1)]
        feet[1 - swing] = stance_ankle
        hips = np.einsum("nij,fj->fni", body.rotation, self._hips)
        legs = body.position + hips - feet  # from ankle to hip
        across = (legs[..., :2] ** 2).sum(2)
        least = np.sqrt(np.maximum(self._shortest[:, None] ** 2 - across, 0.0)) - legs[..., 2]
        stance = 1 - swing
        longest = LIMITS.stretched_share * self._longest[stance]
        room = np.sqrt(np.maximum(longest**2 - across[stance], 0.0)) - legs[stance, :, 2]
        lift = np.maximum(least[stance], np.minimum(least[swing], room))
        out = body.position.copy()
        out[:, 2] += np.maximum(lift, 0.0)
        return out


def find_max_swing_pitch(biped: Biped) -> float:
    """Return the largest pitch that is planned for a swinging foot [rad].

    Where knees bend forward the controller decides alone.
    """
    hinges = [leg.shin.hinges[0] for leg in biped.legs]
    if all(hinge.high >= -hinge.low for hinge in hinges):
        return float(np.inf)
    return MODEL.max_ankle_turn - LIMITS.backward_lean


def _measure_shortest(leg: Leg) -> float:
    """Return the distance from hip to ankle at the largest bend of the knee [m]."""
    hinge = leg.shin.hinges[0]
    return _measure_length(leg, max(abs(hinge.low), abs(hinge.high)))


def _measure_length(leg: Leg, bend: float) -> float:
    upper = float(np.linalg.norm(leg.shin.joint - leg.thigh.joint))
    lower = float(np.linalg.norm(leg.foot.joint - leg.shin.joint))
    return float(np.sqrt(upper**2 + lower**2 + 2.0 * upper * lower * np.cos(bend)))
