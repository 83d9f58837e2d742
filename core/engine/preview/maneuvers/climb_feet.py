"""Footholds and foot trajectories of a body that climbs a ledge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....geometry.curves import evaluate_step_path
from ....simulate import BodyState
from ....slip.body import PROPORTIONS
from ..feet.free_leg import FreeFootMotion
from .base import StageStart
from .ledge_crossing import CROSSING, LedgeCrossing, compute_side_sign

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ClimbFootParameters:
    """Where the feet of a climbing body come down."""

    # Distance beyond the edge at which feet come down [m]: their middle, so that heels are 5 cm
    # from it.
    landing_depth: float = 0.15
    # Half the distance between the feet [m], about that between human hips.
    stance_half_width: float = 0.09
    # Height above the ledge at which a foot passes its edge [m], above the `CLEARANCE.min_apex` of
    # swings, since toes hang.
    edge_clearance: float = 0.08
    # Depth below the ledge at which a foot's trajectory ends, so that it touches the ledge [m].
    press_depth: float = 0.02
    # Largest widening of a foothold [m].
    # guarded by: test_preview_ledges.py
    max_widening: float = 0.34
    # Distance of a widened foothold beyond the place to which the body falls, before the ledge [m],
    # so that the foot stops the body and it falls back to the other side.
    widening_margin_before: float = 0.07
    # The same on the ledge [m], where the body is to stay.
    widening_margin_beyond: float = 0.03


CLIMB_FEET = ClimbFootParameters()


@dataclass(frozen=True)
class ClimbFeet:
    """Footholds of one climb.

    Attributes:
        start: the body when the climb began; the footholds lie around its stance foot.
    """

    crossing: LedgeCrossing
    start: StageStart

    @property
    def center_offset(self) -> float:
        """Middle between both footholds, along the edge to the left of its point [m]."""
        crossing = self.crossing
        stance_offset = float(
            (self.start.feet[crossing.stance_foot, :2] - crossing.edge) @ crossing.axes[1]
        )
        return stance_offset - CLIMB_FEET.stance_half_width * compute_side_sign(
            crossing.stance_foot
        )

    def compute_landing_offset(self, leg: int) -> float:
        """Return the foothold of a leg along the edge, to the left of its point [m]."""
        return self.center_offset + CLIMB_FEET.stance_half_width * compute_side_sign(leg)

    def compute_gathering_place(self, time_left: float, now: BodyState) -> Array:
        """Return the foothold (3,) of the free foot beside the stance foot, before the ledge [m].

        Args:
            time_left: time until the foot comes down [s].
        """
        crossing = self.crossing
        leg = crossing.free_foot
        stance_place = now.foot_frames.place[crossing.stance_foot]
        level = float(stance_place[2])
        widening = self._compute_widening(
            leg, time_left, now, level, margin=CLIMB_FEET.widening_margin_before
        )
        aside = self.compute_landing_offset(leg) + compute_side_sign(leg) * widening
        ahead, _ = crossing.axes @ (stance_place[:2] - crossing.edge)
        return np.append(crossing.edge + np.array([ahead, aside]) @ crossing.axes, stance_place[2])

    def compute_step_up(
        self, leg: int, share: float, duration: float, now: BodyState, begin: Array
    ) -> FreeFootMotion:
        """Return the motion of a foot that steps onto the ledge.

        Args:
            share: part of its duration that is over [1].
            duration: duration of the step [s].
            begin: (3,) position at which the foot left the ground [m].
        """
        crossing = self.crossing
        end = self._compute_place_beyond(leg, max((1 - share) * duration, 0.0), now)
        top = crossing.height_beyond + CLIMB_FEET.edge_clearance
        difference_time = CROSSING.difference_time
        place, next_place = (
            evaluate_step_path(begin, end, top, s)
            for s in (share, share + difference_time / duration)
        )
        offsets = np.zeros((2, 3))
        velocities = np.zeros((2, 3))
        offsets[leg] = place - now.com
        velocities[leg] = (next_place - place) / difference_time - now.com_velocity
        return FreeFootMotion(offsets, velocities)

    def _compute_place_beyond(self, leg: int, time_left: float, now: BodyState) -> Array:
        """Return the foothold (3,) of a leg on the ledge [m]."""
        crossing = self.crossing
        aside = self.compute_landing_offset(leg)
        if leg == crossing.stance_foot:
            aside += compute_side_sign(leg) * self._compute_widening(
                leg,
                time_left,
                now,
                crossing.height_beyond,
                margin=CLIMB_FEET.widening_margin_beyond,
            )
        place = crossing.edge + np.array([CLIMB_FEET.landing_depth, aside]) @ crossing.axes
        return np.append(place, crossing.height_beyond - CLIMB_FEET.press_depth)

    def _compute_widening(
        self, leg: int, time_left: float, now: BodyState, level: float, margin: float
    ) -> float:
        """Return how much farther aside a foot has to come down to catch the body [m].

        Until then the body falls away from the inner edge of the foot that carries it.

        Args:
            time_left: time until the foot comes down [s].
            level: height of the ground that carries the body [m].
            margin: distance of the foothold beyond the place to which the body falls [m].
        """
        crossing = self.crossing
        side = compute_side_sign(leg)
        rate = crossing.compute_pendulum_rate(now, level)
        left = crossing.axes[1]
        support_edge = (
            float((now.foot_frames.place[1 - leg, :2] - crossing.edge) @ left)
            + side * PROPORTIONS.sole_half_width
        )
        capture_point = crossing.compute_capture_point(now, level)
        capture_offset = float((capture_point - crossing.edge) @ left)
        fall_distance = side * (
            support_edge
            + (capture_offset - support_edge) * float(np.exp(rate * time_left))
            - self.compute_landing_offset(leg)
        )
        return float(np.clip(fall_distance + margin, 0.0, CLIMB_FEET.max_widening))
