"""Swinging feet kept above the ground."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..character.character import Foot
from ..geometry import so3
from ..terrain import Ground

Array = NDArray[np.float64]

# m that a swing would pass through the ground, from which on it has an edge in its way
EDGE_HEIGHT = 0.03
GRAZE_SHARE = 0.03  # share of the swing at either end in which that does not count
# share of the swing before which the toe tip need not clear: the knee would be pulled up for it
TIP_CLEARANCE_START = 0.3


def compute_ground_lift(
    ground: Ground,
    foot: Foot,
    origin: Array,
    rotation: Array,
    bend: Array,
    u: Array,
    clearance: float,
    rear_length: float = 0.0,
) -> Array:
    """Height to add to a swing so that the sole clears the ground. (n,).

    First the convex hull of the heights under the path (Wu and Popovic 2010, appendix A.3), which
    carries the foot over what lies between its two places in one arch; then what is still missing,
    as one smooth bump.

    Args:
        origin, rotation, bend: (n, ...) of the foot in the swing.
        u: (n,) share of the swing.
        clearance: height to keep in the middle, m; it tapers to nothing at both ends.
        rear_length: length behind the heel that is to clear the ground too, m.
    """
    return compute_lift(
        *sample_ground(ground, foot, origin, rotation=rotation, bend=bend, rear_length=rear_length),
        u,
        clearance,
    )


def sample_ground(
    ground: Ground,
    foot: Foot,
    origin: Array,
    rotation: Array,
    bend: Array,
    rear_length: float = 0.0,
) -> tuple[Array, Array, Array]:
    """Points of the sole (n, 3, 3), the ground's heights under them (n, 3) and under the foot's
    origin (n,); as `compute_ground_lift`.
    """
    points = place_sole_points(foot, origin, rotation, bend)
    heights = ground.sample_heights(np.concatenate([points[..., :2], origin[:, None, :2]], 1))
    origin_height = heights[:, 3]
    heights = np.where(np.isfinite(heights[:, :3]), heights[:, :3], -np.inf)
    if rear_length:
        rear_height = ground.sample_heights(points[:, 0, :2] - rear_length * rotation[:, :2, 0])
        heights[:, 0] = np.fmax(heights[:, 0], rear_height)
    return points, heights, origin_height


def compute_lift(
    points: Array, heights: Array, origin_height: Array, u: Array, clearance: float
) -> Array:
    """What `compute_ground_lift` gives for what `sample_ground` found. (n,)."""
    lift = _compute_hull_lift(
        u,
        np.where(
            np.isfinite(origin_height),
            origin_height,
            np.nanmin(origin_height) if np.isfinite(origin_height).any() else 0.0,
        ),
    )
    required = clearance * np.minimum(1.0, np.minimum(u, 1 - u) / 0.3)
    spare_height = points[..., 2] - heights + lift[:, None] - required[:, None]
    bump = (4 * u * (1 - u)) ** 2
    before_tip_clearance = u < TIP_CLEARANCE_START
    # no edge in front of the toes
    spare_height[before_tip_clearance & (heights[:, 2] < points[0, 1, 2] + EDGE_HEIGHT), 2] = np.inf
    edge_deficit = np.where(
        np.minimum(u, 1 - u) > GRAZE_SHARE, np.maximum(-spare_height.min(1), 0.0), 0.0
    )
    # an edge in the way: up before it, and down behind it
    if edge_deficit.max(initial=0.0) > EDGE_HEIGHT:
        lift = lift + _smooth_lift(_compute_concave_majorant(u, edge_deficit), u)
        spare_height += (_smooth_lift(_compute_concave_majorant(u, edge_deficit), u))[:, None]
    spare_height[before_tip_clearance, 2] = np.inf
    # close to its rests a foot may graze the ground: to clear it there would take a leap
    deficit = np.where(
        bump > 0.2, np.maximum(-spare_height.min(1), 0.0) / np.maximum(bump, 0.2), 0.0
    )
    return lift + bump * float(deficit.max(initial=0.0))


def place_sole_points(foot: Foot, origin: Array, rotation: Array, bend: Array) -> Array:
    """Heel, ball and tip; ball and tip ride on the toes, which are bent up by `bend`
    about the pivot. (n, 3, 3).
    """
    heel = origin + rotation @ foot.heel
    pivot = origin + rotation @ foot.pivot
    toes = rotation @ so3.rotation_about("y", -bend)
    return np.stack(
        [heel, pivot + toes @ (foot.ball - foot.pivot), pivot + toes @ (foot.tip - foot.pivot)], 1
    )


def _compute_hull_lift(u: Array, ground_height: Array) -> Array:
    """Height of the upper convex hull of the ground under a path over the straight line
    between its ends. (n,).
    """
    above = ground_height - (
        ground_height[0]
        + (ground_height[-1] - ground_height[0]) * (u - u[0]) / max(u[-1] - u[0], 1e-9)
    )
    if not above.any():
        return above
    return _compute_concave_majorant(u, above) * np.minimum(1.0, np.minimum(u, 1 - u) / 0.15)


def _compute_concave_majorant(u: Array, values: Array) -> Array:
    """The least concave curve over values. (n,), (n,) -> (n,)."""
    hull = [0]
    for k in range(1, len(u)):
        while len(hull) > 1:
            i = hull[-2]
            j = hull[-1]
            if (values[j] - values[i]) * (u[k] - u[i]) <= (values[k] - values[i]) * (u[j] - u[i]):
                hull.pop()
            else:
                break
        hull.append(k)
    return np.interp(u, u[hull], values[hull])


def _smooth_lift(lift: Array, u: Array) -> Array:
    """A lift without corners that begins and ends at nothing. (n,)."""
    share_step = (u[-1] - u[0]) / max(len(u) - 1, 1)
    smooth = gaussian_filter1d(lift, 0.06 / max(share_step, 1e-6), mode="nearest")
    end_taper = np.clip(np.minimum(u, 1 - u) / 0.12, 0, 1)
    return smooth * end_taper**2 * (3 - 2 * end_taper)
