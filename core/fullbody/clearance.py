"""Swinging feet kept above the ground."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import so3
from ..character.character import Foot
from ..terrain import Ground

Array = NDArray[np.float64]

TIP_FROM = 0.4        # share of the swing before which the toe tip need not clear: the knee would be pulled up for it


def raise_over(ground: Ground, foot: Foot, origin: Array, rotation: Array, bend: Array, u: Array, clear: float) -> Array:
    """Height to add to a swing so that the sole clears the ground. (n,).

    First the convex hull of the heights under the path (Wu and Popovic 2010, appendix A.3), which carries the foot over
    what lies between its two places in one arch; then what is still missing, as one smooth bump.

    Args:
        origin, rotation, bend: (n, ...) of the foot in the swing.
        u: (n,) share of the swing.
        clear: height to keep in the middle, m; it tapers to nothing at both ends.
    """
    points = sole_points(foot, origin, rotation, bend)                                     # (n, 3, 3)
    heights = ground.height(points[..., :2])
    heights = np.where(np.isfinite(heights), heights, -np.inf)
    under = ground.height(origin[:, :2])
    lift = _hull_lift(u, np.where(np.isfinite(under), under, np.nanmin(under) if np.isfinite(under).any() else 0.0))
    need = clear * np.minimum(1.0, np.minimum(u, 1 - u) / 0.3)
    gap = points[..., 2] - heights + lift[:, None] - need[:, None]
    gap[u < TIP_FROM, 2] = np.inf
    shape = (4 * u * (1 - u)) ** 2
    # close to its rests a foot may graze the ground: to clear it there would take a leap
    short = np.where(shape > 0.2, np.maximum(-gap.min(1), 0.0) / np.maximum(shape, 0.2), 0.0)
    return lift + shape * float(short.max(initial=0.0))


def sole_points(foot: Foot, origin: Array, rotation: Array, bend: Array) -> Array:
    """Heel, ball and tip; ball and tip ride on the toes, which are bent up by `bend` about the pivot. (n, 3, 3)."""
    heel = origin + rotation @ foot.heel
    pivot = origin + rotation @ foot.pivot
    toes = rotation @ so3.about("y", -bend)
    return np.stack([heel, pivot + toes @ (foot.ball - foot.pivot), pivot + toes @ (foot.tip - foot.pivot)], 1)


def _hull_lift(u: Array, under: Array) -> Array:
    """Height of the upper convex hull of the ground under a path over the straight line between its ends. (n,)."""
    above = under - (under[0] + (under[-1] - under[0]) * (u - u[0]) / max(u[-1] - u[0], 1e-9))
    hull = [0]
    for k in range(1, len(u)):
        while len(hull) > 1:
            i, j = hull[-2], hull[-1]
            if (above[j] - above[i]) * (u[k] - u[i]) <= (above[k] - above[i]) * (u[j] - u[i]):
                hull.pop()
            else:
                break
        hull.append(k)
    lift = np.interp(u, u[hull], above[hull])
    return lift * np.minimum(1.0, np.minimum(u, 1 - u) / 0.15)
