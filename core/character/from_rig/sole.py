"""The sole of a foot, from the skin that follows it, or from its bones where there is no skin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from ...geometry import so3

Array = NDArray[np.float64]

# a sole's normal is taken to be no further from the shin's direction
MIN_SOLE_NORMAL_COSINE = np.cos(np.radians(50))
MIN_LEVEL_COSINE = np.cos(np.radians(25))  # a sole this level at rest stands on level ground
MIN_BALL_SHARE = 0.62  # share of the sole's length where a toe joint makes sense
MAX_BALL_SHARE = 0.90  # longer toes drag as they unbend
MAX_TOE_SKIN_GAP = 0.12  # of the sole's length: how far ahead of the toe's joint its skin may begin
INNER_QUANTILE = 0.15  # of a broad sole's points are further in than where it is borne on
MIN_SKIN_POINTS = 12  # points that tell a foot's shape; fewer only tell where it ends


@dataclass(frozen=True)
class MeasuredSole:
    """A foot turned flat. All points relative to the ankle, in the frame in which the sole is
    level and points along x.
    """

    rest_to_flat: Array  # (3, 3) from the rest pose's axes to that frame
    heel: Array  # (3,)
    ball: Array
    tip: Array
    pivot: Array
    has_toe: bool


def measure_sole(
    ankle: Array,
    shin: Array,
    body_forward: Array,
    toe: Array | None,
    skin: Array,
    bone_ends: Array,
    leg_length: float,
    toe_skin: Array | None = None,
    inner_side: int = 0,
) -> MeasuredSole:
    """Measure a foot.

    Args:
        ankle: (3,) place of the ankle at rest, all in axes with z up.
        shin: (3,) direction from knee to ankle at rest.
        body_forward: (3,) direction in which the body faces.
        toe: (3,) place of the toe joint, None where there is none.
        skin: (m, 3) points of the foot's and toes' skin at rest; may be empty.
        bone_ends: (k, 3) heads and tails of the foot's bones below the ankle.
        leg_length: length from hip to ankle, m.
        toe_skin: (k, 3) points of the skin that follow the toe most.
        inner_side: side, +1 left, of a broad sole that is to be borne on: one in its middle would
            topple the body; 0 for the middle.
    """
    down = np.array([0.0, 0.0, -1.0])
    has_skin = len(skin) >= MIN_SKIN_POINTS
    if has_skin:
        down = _find_sole_normal(skin, shin / np.linalg.norm(shin))
    points = (
        skin
        if has_skin
        else np.concatenate([bone_ends, ankle[None]] + ([toe[None]] if toe is not None else []))
    )
    forward = _find_foot_direction(points, ankle, toe, body_forward=body_forward, down=down)
    rest_to_flat = np.stack([forward, np.cross(-down, forward), -down])  # rows: x, y, z
    flat_points = (points - ankle) @ rest_to_flat.T
    lowest = (
        float(np.quantile(flat_points[:, 2], 0.01)) if has_skin else float(flat_points[:, 2].min())
    )
    # an ankle in the ground would make a foot without height
    lowest = min(lowest, -0.02 * leg_length)
    # legs may be shorter than their feet
    height_band = max(0.02 * leg_length, 0.04 * float(np.ptp(flat_points[:, 0])))
    sole_points = flat_points[flat_points[:, 2] < lowest + height_band] if has_skin else flat_points
    rear = float(sole_points[:, 0].min())
    front = float(sole_points[:, 0].max())
    # a point or an edge is no sole that could be stood on
    if not has_skin or front - rear < 0.02 * leg_length:
        rear, front = _extend_bony_foot(rear, front, toe is not None, leg_length)
    length = front - rear
    middle = float(np.median(sole_points[:, 1])) if has_skin else 0.0
    if has_skin and inner_side:
        middle = float(np.quantile(sole_points[:, 1], 0.5 + inner_side * (0.5 - INNER_QUANTILE)))
    toe_position = rest_to_flat @ (toe - ankle) if toe is not None else None
    has_toe = (
        toe_position is not None
        and MIN_BALL_SHARE < (toe_position[0] - rear) / length < MAX_BALL_SHARE
    )
    if toe_position is not None and toe_skin is not None and len(toe_skin):
        # skin that bends only far ahead of the joint would be pressed into the ground by a
        # foot that rolls over it
        toe_skin_start = float(np.quantile((toe_skin - ankle) @ rest_to_flat.T[:, 0], 0.1))
        has_toe = has_toe and toe_skin_start - toe_position[0] < MAX_TOE_SKIN_GAP * length
    heel = np.array([rear + 0.02 * length, middle, lowest])
    tip = np.array([front - 0.015 * length, middle, lowest])
    if toe_position is not None and has_toe:
        ball = np.array([toe_position[0], middle, lowest])
        pivot = np.array([toe_position[0], middle, max(float(toe_position[2]), lowest)])
    else:
        if not has_skin:
            tip[0] = front  # skin is rounded at its end, a bone's end is where it is
        ball = tip.copy()  # a foot in one piece rolls over its very tip
        pivot = ball.copy()
    return MeasuredSole(rest_to_flat, heel, ball, tip=tip, pivot=pivot, has_toe=bool(has_toe))


def _extend_bony_foot(
    rear: float, front: float, has_toe: bool, leg_length: float
) -> tuple[float, float]:
    """A foot's ends where only bones tell: at least a tenth of the leg ahead of the
    ankle, and a heel behind it.
    """
    front = max(front, 0.12 * leg_length) if has_toe else max(front, 0.20 * leg_length)
    return min(rear, -0.25 * front), front


def _find_sole_normal(skin: Array, shin: Array) -> Array:
    """Outward normal of the sole: of the largest flat part of the hull that looks along the
    shin; level if it nearly is.
    """
    try:
        hull = ConvexHull(skin)
    except QhullError:
        return np.array([0.0, 0.0, -1.0])
    corners = skin[hull.simplices]  # (f, 3, 3)
    area = 0.5 * np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    normal = hull.equations[:, :3]
    along = normal @ shin
    # area that looks the same way
    similar_area = (normal @ normal.T > np.cos(np.radians(12))) @ area
    similar_area = np.where(along > MIN_SOLE_NORMAL_COSINE, similar_area, 0.0)
    if not similar_area.any():
        return np.array([0.0, 0.0, -1.0])
    is_similar = normal @ normal[int(np.argmax(similar_area))] > np.cos(np.radians(12))
    mean = (normal[is_similar] * area[is_similar, None]).sum(0)
    mean /= np.linalg.norm(mean)
    return np.array([0.0, 0.0, -1.0]) if -mean[2] > MIN_LEVEL_COSINE else mean


def _find_foot_direction(
    points: Array, ankle: Array, toe: Array | None, body_forward: Array, down: Array
) -> Array:
    """Direction of the foot in the plane of its sole: the long axis of what is seen of it,
    turned to where it points.
    """
    guess = (toe - ankle) if toe is not None else points.mean(0) - ankle
    direction = guess - down * (guess @ down)
    if np.linalg.norm(direction) <= 0.2 * np.linalg.norm(np.ptp(points, axis=0)) and toe is None:
        direction = body_forward - down * (body_forward @ down)
    direction /= np.linalg.norm(direction)
    if len(points) >= MIN_SKIN_POINTS:
        deviations = points - points.mean(0)
        deviations = deviations - np.outer(deviations @ down, down)
        axis = np.linalg.svd(deviations, full_matrices=False)[2][0]
        axis *= np.sign(axis @ direction) or 1.0
        if axis @ direction > np.cos(np.radians(30)):
            direction = axis
    return direction


def rotation_to_down(direction: Array) -> Array:
    """The smallest rotation that turns a limb's segment straight down. (3, 3)."""
    return so3.rotation_between(direction, np.array([0.0, 0.0, -1.0]))
