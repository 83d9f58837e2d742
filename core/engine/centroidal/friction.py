"""Friction of the ground that the plan uses."""

from __future__ import annotations

from ...plan.weights import PYRAMID_SHARE

# Share within the friction cone that plans use on any ground; the rest is a margin for the full
# body and keeps movements calm.
FRICTION_SHARE = 0.6
# Share on slippery ground, up to the coefficient of 0.6 that plans use where friction is 1. The
# full body needs only a hundredth of its weight as a margin. tuned: with 0.6 bodies that ran into
# corners and were pushed on a friction of 0.2 to 0.3 broke, test_drive.py, test_deliver.py
SLIPPERY_FRICTION_SHARE = 0.8
# Share that the plan can use in every direction on any ground: its cones are pyramids.
USABLE_FRICTION_SHARE = FRICTION_SHARE * PYRAMID_SHARE


def compute_planned_friction(friction: float) -> float:
    """Return the coefficient of friction that plans use on ground with a coefficient."""
    return max(FRICTION_SHARE * friction, min(SLIPPERY_FRICTION_SHARE * friction, FRICTION_SHARE))
