"""How a foot in the air is to accelerate so that it comes down where and when it is to."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .reference import SwingTarget

Array = NDArray[np.float64]

SOONEST = 0.06        # s that it is given to get there at least
LAST = 0.06           # s at the end in which it only comes down
LANDING = (0.25, 0.6)            # m/s, its speed then at least and at most,
HASTE = 8.0           # m/s more for each m that it is still above its place: a foot that is late and high must not hover
OVER = 0.008          # m above its place at which the path before that ends
FOLLOW = 900.0        # 1/s^2, stiffness with which the height follows its path
FASTEST = 250.0       # m/s^2
SHORTEST = 0.1        # s, of a whole swing


def swing_acceleration(target: SwingTarget, place: Array, velocity: Array) -> Array:
    """Of the middle of a sole, m/s^2. Places and velocities (3,).

    Ahead by the cubic that ends at rest over the place, anew at every instant; upward along a path of its own time, since the
    foot must be high in its middle whatever happens ahead.
    """
    left = max(target.arrives - target.early, SOONEST)
    out = 6 * (target.place - place) / left**2 - 4 * velocity / left
    out[:2] *= min(1.0, target.hardest / max(float(np.hypot(out[0], out[1])), 1e-9))
    out[2] = _upward(target, float(place[2]), float(velocity[2]))
    return np.clip(out, -FASTEST, FASTEST)


def _upward(target: SwingTarget, height: float, speed: float) -> float:
    if target.arrives < LAST:
        gap = height - float(target.place[2])
        slowest, fastest = LANDING[0], LANDING[1] + HASTE * max(gap, 0.0)
        return 50.0 * (-float(np.clip(gap / max(target.arrives, 0.02), slowest, fastest)) - speed)
    whole = max(target.since + target.arrives, SHORTEST)
    share = min(target.since / whole, 1.0)
    low, high = float(target.left[2]), float(target.place[2]) + OVER
    rise, up = high - low, 16.0 * target.apex
    # 3 s^2 - 2 s^3 from place to place and 16 s^2 (1 - s)^2 above it, with their derivatives by s
    s, r = share, 1.0 - share
    wanted = low + rise * (3 * s * s - 2 * s**3) + up * s * s * r * r
    rate = (rise * 6 * s * r + up * 2 * s * r * (r - s)) / whole
    gain = (rise * 6 * (r - s) + up * 2 * (1 - 6 * s * r)) / whole**2
    return gain + FOLLOW * (wanted - height) + 2 * np.sqrt(FOLLOW) * (rate - speed)
