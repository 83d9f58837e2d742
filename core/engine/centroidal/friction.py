"""Share of the friction of the ground that the plan uses."""

from __future__ import annotations

from ...plan.weights import PYRAMID_SHARE

# Share within the friction cone; the rest is a margin for the full body.
FRICTION_SHARE = 0.6
# Share that the plan can use in every direction: its cones are pyramids.
USABLE_FRICTION_SHARE = FRICTION_SHARE * PYRAMID_SHARE
