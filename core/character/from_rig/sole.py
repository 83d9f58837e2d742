"""The sole of a foot, from the skin that follows it, or from its bones where there is no skin."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from ...geometry import so3

Array = NDArray[np.float64]

UPRIGHT = np.cos(np.radians(50))       # a sole's normal is taken to be no further from the shin's direction
LEVEL = np.cos(np.radians(25))         # a sole this level at rest stands on level ground
BALL_FROM, BALL_TO = 0.62, 0.90        # share of the sole's length where a toe joint makes sense; longer toes drag as they unbend
LATE = 0.12                            # of the sole's length: how far ahead of the toe's joint its skin may begin
INNER = 0.15           # of a broad sole's points are further in than where it is borne on
ENOUGH = 12                            # points that tell a foot's shape; fewer only tell where it ends


@dataclass(frozen=True)
class Sole:
    """A foot turned flat. All points relative to the ankle, in the frame in which the sole is level and points along x."""

    flatten: Array            # (3, 3) from the rest pose's axes to that frame
    heel: Array               # (3,)
    ball: Array
    tip: Array
    pivot: Array
    has_toe: bool


def find_sole(ankle: Array, shin: Array, ahead: Array, toe: Array | None, skin: Array, ends: Array, leg: float,
              toe_skin: Array | None = None, inward: int = 0) -> Sole:
    """Measure a foot.

    Args:
        ankle: (3,) place of the ankle at rest, all in axes with z up.
        shin: (3,) direction from knee to ankle at rest.
        ahead: (3,) direction in which the body faces.
        toe: (3,) place of the toe joint, None where there is none.
        skin: (m, 3) points of the foot's and toes' skin at rest; may be empty.
        ends: (k, 3) heads and tails of the foot's bones below the ankle.
        leg: length from hip to ankle, m.
        toe_skin: (k, 3) points of the skin that follow the toe most.
        inward: side, +1 left, of a broad sole that is to be borne on: one in its middle would topple the body; 0 for the middle.
    """
    down = np.array([0.0, 0.0, -1.0])
    has_skin = len(skin) >= ENOUGH
    if has_skin:
        down = _sole_normal(skin, shin / np.linalg.norm(shin))
    points = skin if has_skin else np.concatenate([ends, ankle[None]] + ([toe[None]] if toe is not None else []))
    forward = _forward(points, ankle, toe, ahead, down)
    flatten = np.stack([forward, np.cross(-down, forward), -down])                         # rows: x, y, z
    local = (points - ankle) @ flatten.T
    low = float(np.quantile(local[:, 2], 0.01)) if has_skin else float(local[:, 2].min())
    low = min(low, -0.02 * leg)                                  # an ankle in the ground would make a foot without height
    band = max(0.02 * leg, 0.04 * float(np.ptp(local[:, 0])))              # legs may be shorter than their feet
    on_sole = local[local[:, 2] < low + band] if has_skin else local
    rear, front = float(on_sole[:, 0].min()), float(on_sole[:, 0].max())
    if not has_skin or front - rear < 0.02 * leg:                          # a point or an edge is no sole that could be stood on
        rear, front = _plausible_length(rear, front, toe is not None, leg)
    length = front - rear
    middle = float(np.median(on_sole[:, 1])) if has_skin else 0.0
    if has_skin and inward:
        middle = float(np.quantile(on_sole[:, 1], 0.5 + inward * (0.5 - INNER)))
    toe_at = flatten @ (toe - ankle) if toe is not None else None
    has_toe = toe_at is not None and BALL_FROM < (toe_at[0] - rear) / length < BALL_TO
    if toe_at is not None and toe_skin is not None and len(toe_skin):
        # skin that bends only far ahead of the joint would be pressed into the ground by a foot that rolls over it
        begins = float(np.quantile((toe_skin - ankle) @ flatten.T[:, 0], 0.1))
        has_toe = has_toe and begins - toe_at[0] < LATE * length
    heel = np.array([rear + 0.02 * length, middle, low])
    tip = np.array([front - 0.015 * length, middle, low])
    if toe_at is not None and has_toe:
        ball = np.array([toe_at[0], middle, low])
        pivot = np.array([toe_at[0], middle, max(float(toe_at[2]), low)])
    else:
        if not has_skin:
            tip[0] = front         # skin is rounded at its end, a bone's end is where it is
        ball = tip.copy()          # a foot in one piece rolls over its very tip
        pivot = ball.copy()
    return Sole(flatten, heel, ball, tip, pivot, bool(has_toe))


def _plausible_length(rear: float, front: float, has_toe: bool, leg: float) -> tuple[float, float]:
    """A foot's ends where only bones tell: at least a tenth of the leg ahead of the ankle, and a heel behind it."""
    front = max(front, 0.12 * leg) if has_toe else max(front, 0.20 * leg)
    return min(rear, -0.25 * front), front


def _sole_normal(skin: Array, shin: Array) -> Array:
    """Outward normal of the sole: of the largest flat part of the hull that looks along the shin; level if it nearly is."""
    try:
        hull = ConvexHull(skin)
    except QhullError:
        return np.array([0.0, 0.0, -1.0])
    corners = skin[hull.simplices]                                                         # (f, 3, 3)
    area = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    normal = hull.equations[:, :3]
    along = normal @ shin
    alike = (normal @ normal.T > np.cos(np.radians(12))) @ area                            # area that looks the same way
    alike = np.where(along > UPRIGHT, alike, 0.0)
    if not alike.any():
        return np.array([0.0, 0.0, -1.0])
    near = normal @ normal[int(np.argmax(alike))] > np.cos(np.radians(12))
    mean = (normal[near] * area[near, None]).sum(0)
    mean /= np.linalg.norm(mean)
    return np.array([0.0, 0.0, -1.0]) if -mean[2] > LEVEL else mean


def _forward(points: Array, ankle: Array, toe: Array | None, ahead: Array, down: Array) -> Array:
    """Direction of the foot in the plane of its sole: the long axis of what is seen of it, turned to where it points."""
    guess = (toe - ankle) if toe is not None else points.mean(0) - ankle
    flat = guess - down * (guess @ down)
    if np.linalg.norm(flat) <= 0.2 * np.linalg.norm(np.ptp(points, axis=0)) and toe is None:
        flat = ahead - down * (ahead @ down)
    flat /= np.linalg.norm(flat)
    if len(points) >= ENOUGH:
        spread = points - points.mean(0)
        spread = spread - np.outer(spread @ down, down)
        axis = np.linalg.svd(spread, full_matrices=False)[2][0]
        axis *= np.sign(axis @ flat) or 1.0
        if axis @ flat > np.cos(np.radians(30)):
            flat = axis
    return flat


def straight(direction: Array) -> Array:
    """The smallest rotation that turns a limb's segment straight down. (3, 3)."""
    return so3.between(direction, np.array([0.0, 0.0, -1.0]))
