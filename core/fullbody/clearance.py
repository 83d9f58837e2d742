"""Swinging feet kept above the ground."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..character.character import Foot
from ..geometry import so3
from ..terrain import Ground

Array = NDArray[np.float64]

STEP = 0.03           # m that a swing would pass through the ground, from which on it has an edge in its way
GRAZED = 0.03         # share of the swing at either end in which that does not count
TIP_FROM = 0.3        # share of the swing before which the toe tip need not clear: the knee would be pulled up for it


def raise_over(ground: Ground, foot: Foot, origin: Array, rotation: Array, bend: Array, u: Array, clear: float,
               behind: float = 0.0) -> Array:
    """Height to add to a swing so that the sole clears the ground. (n,).

    First the convex hull of the heights under the path (Wu and Popovic 2010, appendix A.3), which carries the foot over
    what lies between its two places in one arch; then what is still missing, as one smooth bump.

    Args:
        origin, rotation, bend: (n, ...) of the foot in the swing.
        u: (n,) share of the swing.
        clear: height to keep in the middle, m; it tapers to nothing at both ends.
        behind: length behind the heel that is to clear the ground too, m.
    """
    return raise_above(*ground_under(ground, foot, origin, rotation, bend, behind), u, clear)


def ground_under(ground: Ground, foot: Foot, origin: Array, rotation: Array, bend: Array,
                 behind: float = 0.0) -> tuple[Array, Array, Array]:
    """Points of the sole (n, 3, 3), the ground's heights under them (n, 3) and under the foot's origin (n,); as `raise_over`."""
    points = sole_points(foot, origin, rotation, bend)
    heights = ground.height(np.concatenate([points[..., :2], origin[:, None, :2]], 1))
    under, heights = heights[:, 3], np.where(np.isfinite(heights[:, :3]), heights[:, :3], -np.inf)
    if behind:
        rear = ground.height(points[:, 0, :2] - behind * rotation[:, :2, 0])
        heights[:, 0] = np.fmax(heights[:, 0], rear)
    return points, heights, under


def raise_above(points: Array, heights: Array, under: Array, u: Array, clear: float) -> Array:
    """What `raise_over` gives for what `ground_under` found. (n,)."""
    lift = _hull_lift(u, np.where(np.isfinite(under), under, np.nanmin(under) if np.isfinite(under).any() else 0.0))
    need = clear * np.minimum(1.0, np.minimum(u, 1 - u) / 0.3)
    gap = points[..., 2] - heights + lift[:, None] - need[:, None]
    shape = (4 * u * (1 - u)) ** 2
    early = u < TIP_FROM
    gap[early & (heights[:, 2] < points[0, 1, 2] + STEP), 2] = np.inf         # no edge in front of the toes
    over = np.where(np.minimum(u, 1 - u) > GRAZED, np.maximum(-gap.min(1), 0.0), 0.0)
    if over.max(initial=0.0) > STEP:                       # an edge in the way: up before it, and down behind it
        lift = lift + _rounded(_majorant(u, over), u)
        gap += (_rounded(_majorant(u, over), u))[:, None]
    gap[early, 2] = np.inf
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
    if not above.any():
        return above
    return _majorant(u, above) * np.minimum(1.0, np.minimum(u, 1 - u) / 0.15)


def _majorant(u: Array, values: Array) -> Array:
    """The least concave curve over values. (n,), (n,) -> (n,)."""
    hull = [0]
    for k in range(1, len(u)):
        while len(hull) > 1:
            i, j = hull[-2], hull[-1]
            if (values[j] - values[i]) * (u[k] - u[i]) <= (values[k] - values[i]) * (u[j] - u[i]):
                hull.pop()
            else:
                break
        hull.append(k)
    return np.interp(u, u[hull], values[hull])


def _rounded(lift: Array, u: Array) -> Array:
    """A lift without corners that begins and ends at nothing. (n,)."""
    step = (u[-1] - u[0]) / max(len(u) - 1, 1)
    smooth = gaussian_filter1d(lift, 0.06 / max(step, 1e-6), mode="nearest")
    edge = np.clip(np.minimum(u, 1 - u) / 0.12, 0, 1)
    return smooth * edge**2 * (3 - 2 * edge)
