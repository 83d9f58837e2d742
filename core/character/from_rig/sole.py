"""Measurement of the sole of a foot from its skin, or from its bones where it has no skin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from ...geometry import so3
from ..character import Foot

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SoleMeasureParameters:
    """Thresholds for the measurement of a sole.

    Tuned: on rigs of other authors and metarigs of Rigify, 25 in all; what half or twice of a
    number changes on them is named. Insets, quantiles and bands move the soles of 2 to 13 of them.

    Args:
        min_normal_cosine: least cosine between the normal of a sole and the direction of the shin,
            50 degrees. With none, the sole of gdquest_mannequiny, whose rest pose leans, is 4 cm
            long instead of 29.
        min_level_cosine: least cosine between the normal of a sole and the vertical for which the
            sole counts as level at rest, 25 degrees. Halved, that of gdquest_mannequiny counts as
            level and is 4 cm long.
        min_level_share: least length of a sole that counts as level [length of its flat part].
            Without it a foot of bodies that rest in the middle of a stride sinks by 6 to 7 % of the
            stature; test_sole guards it.
        min_ball_share: least distance of a toe joint from the rear of the sole [sole length].
            Halved, feet of four rigs bend at joints in the middle of the foot.
        min_bare_ball_share: the same for feet without skin, whose length is that of the bones.
            vrm_addon_basic_armature comes to 0.58.
        max_ball_share: greatest such distance; longer toes drag as they straighten. Halved, toes of
            epic_ThirdPersonRun and of human metarigs have no joint.
        max_toe_skin_gap: greatest distance from the toe joint to the beginning of its skin
            [sole length]. Doubled, one of the feet of vrm_cryptovoxels has toes and the other not.
        inner_quantile: share of the points of a broad sole that are on the inner side of the line
            that it bears on. It moves the soles of quaternius_Character_HumanoidRig and
            raylib_greenman.
        min_skin_points: least number of points of the skin that show the extent of a foot, those
            of a flat sole. With 12, feet of a few large faces were taken for those without skin
            and sank by 4 cm (Goblin).
        min_direction_points: least number of points of skin or bones that show the direction of a
            foot. Halved, the feet of human metarigs, which have no skin, change.
        heel_inset, tip_inset: distances of heel and tip from the ends of skin, which are rounded
            [sole length].
        lowest_quantile: share of the skin that may be below the sole: single points of a mesh.
        side_quantile: share of the points of a sole that may be beyond each of its sides, as the
            round edges of shoes are.
        min_ankle_height: least height of the ankle above the sole [leg length].
        height_band, height_band_of_foot: greatest height of points of the sole above the lowest
            one [leg length], [length of the foot]; the second is for legs shorter than their feet.
        min_length: length below which a sole is a point or an edge, on which no body stands [leg
            length].
        usual_front, usual_ball: distances from the ankle to the tip of a foot and to the joint of
            its toes where skin shows none, those of people [leg length].
        usual_rear: distance of the heel behind the ankle then [distance of the tip].
    """

    min_normal_cosine: float = float(np.cos(np.radians(50)))
    min_level_cosine: float = float(np.cos(np.radians(25)))
    min_level_share: float = 0.5
    min_ball_share: float = 0.62
    min_bare_ball_share: float = 0.55
    max_ball_share: float = 0.90
    max_toe_skin_gap: float = 0.12
    inner_quantile: float = 0.15
    min_skin_points: int = 4
    min_direction_points: int = 12
    heel_inset: float = 0.02
    tip_inset: float = 0.015
    lowest_quantile: float = 0.01
    side_quantile: float = 0.05
    min_ankle_height: float = 0.02
    height_band: float = 0.02
    height_band_of_foot: float = 0.04
    min_length: float = 0.02
    usual_front: float = 0.20
    usual_ball: float = 0.12
    usual_rear: float = 0.25


SOLE = SoleMeasureParameters()


@dataclass(frozen=True)
class FootGeometry:
    """A foot at rest, in axes with z up.

    Args:
        ankle: (3,) position of the ankle [m].
        shin: (3,) vector from knee to ankle [m].
        toe: (3,) position of the toe joint; None without one [m].
        skin: (m, 3) skin of foot and toes; may be empty [m].
        bone_ends: (k, 3) heads and tails of the bones of the foot below the ankle [m].
        toe_skin: (k, 3) skin that follows mainly the toe; may be empty [m].
    """

    ankle: Array
    shin: Array
    toe: Array | None
    skin: Array
    bone_ends: Array
    toe_skin: Array

    @property
    def has_skin(self) -> bool:
        """Whether there is enough skin to show the shape of the foot."""
        return len(self.skin) >= SOLE.min_skin_points

    @property
    def points(self) -> Array:
        """Skin, or the ends of the bones where there is not enough skin (k, 3) [m]."""
        if self.has_skin:
            return self.skin
        toe = [self.toe[None]] if self.toe is not None else []
        return np.concatenate([self.bone_ends, self.ankle[None], *toe])


@dataclass(frozen=True)
class MeasuredSole:
    """A foot on level ground.

    All points are relative to the ankle, in the frame in which the sole is level and points
    along x [m]; see `Foot`.

    Args:
        rest_to_flat: (3, 3) from the axes of the rest pose to this frame.
    """

    rest_to_flat: Array
    heel: Array
    ball: Array
    tip: Array
    pivot: Array
    has_toe: bool
    half_width: float

    def make_foot(self, link: int) -> Foot:
        """Return the foot in the frame of a link, which is that of the sole."""
        return Foot(
            link,
            self.heel,
            self.ball,
            tip=self.tip,
            pivot=self.pivot,
            has_toe=self.has_toe,
            half_width=self.half_width,
        )


@dataclass(frozen=True)
class _SoleExtent:
    """Extent of a sole in its frame, from the ankle [m].

    Args:
        rest_to_flat: (3, 3) from the axes of the rest pose to this frame.
        rear: x of the rear end.
        front: x of the front end.
        middle: y of the line from heel to tip.
        height: z of the sole.
        half_width: distance from the ankle to the nearer side; 0 where no skin shows it.
    """

    rest_to_flat: Array
    rear: float
    front: float
    middle: float
    height: float
    half_width: float

    @property
    def length(self) -> float:
        return self.front - self.rear

    def at(self, x: float) -> Array:
        """Return the point of the sole at a position x (3,)."""
        return np.array([x, self.middle, self.height])


def measure_sole(
    foot: FootGeometry, body_forward: Array, leg_length: float, inner_side: int = 0
) -> MeasuredSole:
    """Measure the sole of a foot.

    Args:
        body_forward: (3,) direction in which the body faces.
        leg_length: from hip to ankle [m].
        inner_side: side, +1 left, on which a broad sole bears the body, which would topple over
            a line in the middle of the sole; 0 for the middle.
    """
    level = np.array([0.0, 0.0, -1.0])
    normal = level
    if foot.has_skin:
        normal = _find_sole_normal(foot.skin, foot.shin / np.linalg.norm(foot.shin))
    sole = _measure_extent(foot, body_forward, normal, leg_length=leg_length, inner_side=inner_side)
    if -normal[2] > SOLE.min_level_cosine:
        level_sole = _measure_extent(
            foot, body_forward, level, leg_length=leg_length, inner_side=inner_side
        )
        # a foot in the middle of a stride touches the ground with its heel or its toes
        if level_sole.length > SOLE.min_level_share * sole.length:
            sole = level_sole
    rest_to_flat = sole.rest_to_flat
    heel = sole.at(sole.rear + SOLE.heel_inset * sole.length)
    tip = sole.at(sole.front - SOLE.tip_inset * sole.length)
    toe_position = rest_to_flat @ (foot.toe - foot.ankle) if foot.toe is not None else None
    has_toe = toe_position is not None and _is_toe_usable(foot, toe_position, sole, rest_to_flat)
    if toe_position is not None and has_toe:
        ball = sole.at(toe_position[0])
        pivot = np.array([toe_position[0], sole.middle, max(float(toe_position[2]), sole.height)])
    else:
        if not foot.has_skin:
            tip[0] = sole.front  # the front of skin is rounded, the end of a bone is not
        ball = tip.copy()  # a foot without a toe joint rolls over its tip
        pivot = ball.copy()
    return MeasuredSole(
        rest_to_flat,
        heel,
        ball,
        tip=tip,
        pivot=pivot,
        has_toe=has_toe,
        half_width=sole.half_width,
    )


def _measure_extent(
    foot: FootGeometry, body_forward: Array, down: Array, leg_length: float, inner_side: int
) -> _SoleExtent:
    """Return the extent of a sole whose outward normal is `down` (3,)."""
    forward = _find_foot_direction(foot, body_forward, down)
    rest_to_flat = np.stack([forward, np.cross(-down, forward), -down])  # rows: x, y, z
    points = (foot.points - foot.ankle) @ rest_to_flat.T
    lowest = (
        float(np.quantile(points[:, 2], SOLE.lowest_quantile))
        if foot.has_skin
        else float(points[:, 2].min())
    )
    # keep the ankle above the ground
    lowest = min(lowest, -SOLE.min_ankle_height * leg_length)
    # the second term is for legs that are shorter than their feet
    height_band = max(
        SOLE.height_band * leg_length, SOLE.height_band_of_foot * float(np.ptp(points[:, 0]))
    )
    # all skin may be above the ankle
    bottom = max(lowest, float(points[:, 2].min()))
    sole_points = points[points[:, 2] < bottom + height_band] if foot.has_skin else points
    rear = float(sole_points[:, 0].min())
    front = float(sole_points[:, 0].max())
    # a body cannot stand on a sole that is a point or an edge
    if not foot.has_skin or front - rear < SOLE.min_length * leg_length:
        front = max(front, (SOLE.usual_front if foot.toe is None else SOLE.usual_ball) * leg_length)
        rear = min(rear, -SOLE.usual_rear * front)
    middle = float(np.median(sole_points[:, 1])) if foot.has_skin else 0.0
    if foot.has_skin and inner_side:
        quantile = 0.5 + inner_side * (0.5 - SOLE.inner_quantile)
        middle = float(np.quantile(sole_points[:, 1], quantile))
    half_width = _measure_half_width(sole_points) if foot.has_skin else 0.0
    return _SoleExtent(
        rest_to_flat, rear, front, middle=middle, height=lowest, half_width=half_width
    )


def _measure_half_width(points: Array) -> float:
    """Return the distance from the ankle to the nearer side of a sole with points (n, 3) [m]."""
    right, left = np.quantile(points[:, 1], [SOLE.side_quantile, 1.0 - SOLE.side_quantile])
    return max(float(min(left, -right)), 0.0)


def _is_toe_usable(
    foot: FootGeometry, toe_position: Array, sole: _SoleExtent, rest_to_flat: Array
) -> bool:
    """Return whether the foot can roll over its toe joint.

    Skin that bends only far ahead of the joint would be pressed into the ground.
    """
    share = (toe_position[0] - sole.rear) / sole.length
    min_share = SOLE.min_ball_share if foot.has_skin else SOLE.min_bare_ball_share
    if not min_share < share < SOLE.max_ball_share:
        return False
    if not len(foot.toe_skin):
        return True
    skin_start = float(np.quantile((foot.toe_skin - foot.ankle) @ rest_to_flat.T[:, 0], 0.1))
    return bool(skin_start - toe_position[0] < SOLE.max_toe_skin_gap * sole.length)


def _find_sole_normal(skin: Array, shin: Array) -> Array:
    """Return the outward normal of the sole (3,).

    It is the normal of the largest flat part of the convex hull whose normal is near the direction
    of the shin (3,); the vertical without one.
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
    # area of all faces with a similar normal
    similar_area = (normal @ normal.T > np.cos(np.radians(12))) @ area
    similar_area = np.where(along > SOLE.min_normal_cosine, similar_area, 0.0)
    if not similar_area.any():
        return np.array([0.0, 0.0, -1.0])
    is_similar = normal @ normal[int(np.argmax(similar_area))] > np.cos(np.radians(12))
    mean = (normal[is_similar] * area[is_similar, None]).sum(0)
    mean /= np.linalg.norm(mean)
    return np.asarray(mean)


def _find_foot_direction(foot: FootGeometry, body_forward: Array, down: Array) -> Array:
    """Return the direction of the foot in the plane of its sole (3,): its principal axis."""
    points = foot.points
    ankle = foot.ankle
    toe = foot.toe
    guess = (toe - ankle) if toe is not None else points.mean(0) - ankle
    direction = guess - down * (guess @ down)
    if np.linalg.norm(direction) <= 0.2 * np.linalg.norm(np.ptp(points, axis=0)) and toe is None:
        direction = body_forward - down * (body_forward @ down)
    direction /= np.linalg.norm(direction)
    if len(points) >= SOLE.min_direction_points:
        deviations = points - points.mean(0)
        deviations = deviations - np.outer(deviations @ down, down)
        axis = np.linalg.svd(deviations, full_matrices=False)[2][0]
        axis *= np.sign(axis @ direction) or 1.0
        if axis @ direction > np.cos(np.radians(30)):
            direction = axis
    return direction


def rotation_to_down(direction: Array) -> Array:
    """Return the smallest rotation that turns a direction (3,) straight down (3, 3)."""
    return so3.rotation_between(direction, np.array([0.0, 0.0, -1.0]))
