"""Ranges of hinges in models of MuJoCo."""

from __future__ import annotations

# Least range [rad]: MuJoCo refuses hinges that cannot turn at all, such as a frozen knee, whose
# foot at the end of a shin of half a meter then moves by half a millimeter
MIN_HINGE_RANGE = 1e-3


def find_upper_limit(low: float, high: float) -> float:
    """Return the upper limit of a hinge in a model [rad], above the lower one.

    Args:
        low, high: limits of the character's hinge [rad].
    """
    return max(high, low + MIN_HINGE_RANGE)
