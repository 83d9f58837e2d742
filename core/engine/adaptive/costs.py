"""Cost of a walk (Wu and Popović 2010, section 8.1)."""

from __future__ import annotations

from dataclasses import dataclass

# Deviation, as its square, that the cost of tracking forgives (section 8.1)
TRACKING_TOLERANCE = 2.5e-3


@dataclass
class WalkCost:
    """Terms of the cost (equation 6) so far.

    Args:
        tracking: errors of the frames.
        deviation: of the center of mass at the ends of half-cycles.
        energy: squared torques relative to their limits.
    """

    tracking: float = 0.0
    deviation: float = 0.0
    energy: float = 0.0

    @property
    def total(self) -> float:
        """Sum of the terms."""
        return self.tracking + self.deviation + self.energy


@dataclass(frozen=True)
class CostWeights:
    """Weights of section 8.3."""

    deviation: float = 100.0
    energy: float = 0.08


COST_WEIGHTS = CostWeights()
