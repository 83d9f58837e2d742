"""Solids of human proportions, scaled by the leg length, which determine the masses of links."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..link import LinkShape, to_triple

Array = NDArray[np.float64]

# Radius of limb segments [leg length from hip to ankle, 0.85 m in the built-in humanoid], those of
# its solids
SEGMENT_RADII = {"thigh": 0.1035, "shin": 0.0576, "upper_arm": 0.0547, "forearm": 0.0424}


@dataclass(frozen=True)
class SolidProportions:
    """Sizes of feet, trunk and head [leg length], if not said otherwise.

    Source: the solids of the built-in humanoid, whose masses are human.
    """

    foot_half_width: float = 0.049
    foot_half_height: float = 0.026
    foot_rise: float = 0.025  # of the middle of a foot above the line of its sole
    pelvis_drop: float = 0.1  # of the lower end of the pelvis below the hips
    pelvis_overlap: float = 0.05  # of the pelvis with the trunk above it
    usual_spine: float = 0.15  # height of the spine above the hips where a body has none
    min_spine: float = 0.08
    pelvis_depth: float = 0.124  # half of it, as the next
    min_pelvis_width: float = 0.15
    pelvis_per_hips: float = 1.9  # [1] half the width by half the distance of the hips
    trunk_drop: float = 0.08  # of the lower end of a part of the trunk below its joint
    trunk_overlap: float = 0.03
    min_trunk: float = 0.05  # height of a part of the trunk
    trunk_depth: float = 0.132  # half of it, as the next
    min_trunk_width: float = 0.13
    trunk_per_hips: float = 1.6  # [1]
    trunk_per_shoulders: float = 0.9  # [1] half the width by half the distance of the shoulders
    neck_radius: float = 0.065
    skull_ahead: float = 0.02  # of the joint of the neck
    neck_share: float = 0.3  # [height of the head above the joint of the neck], as the next
    skull_bottom: float = 0.2
    skull_width: float = 0.34  # half of it
    skull_depth: float = 0.42  # half of it


SOLIDS = SolidProportions()


def make_limb_shape(role: str, start: Array, end: Array, leg_length: float) -> LinkShape:
    """Return the capsule of a limb segment, or the box of a foot."""
    if role == "foot":
        sole_offset = np.array([0.0, 0.0, SOLIDS.foot_rise * leg_length])
        return LinkShape(
            "box",
            to_triple(start + sole_offset),
            to_triple(end + sole_offset),
            (SOLIDS.foot_half_width * leg_length, SOLIDS.foot_half_height * leg_length),
        )
    radius = SEGMENT_RADII[role] * leg_length
    return LinkShape("capsule", to_triple(start), to_triple(end), (radius, radius))


def make_pelvis_shapes(
    hip_half_width: float, leg_length: float, spine: Array | None
) -> tuple[LinkShape, ...]:
    """Return an ellipsoid from below the hips to the spine."""
    top = float(spine[2]) if spine is not None else SOLIDS.usual_spine * leg_length
    top = max(top, SOLIDS.min_spine * leg_length) + SOLIDS.pelvis_overlap * leg_length
    lateral_radius = max(
        SOLIDS.pelvis_per_hips * hip_half_width, SOLIDS.min_pelvis_width * leg_length
    )
    return (
        LinkShape(
            "ellipsoid",
            (0.0, 0.0, -SOLIDS.pelvis_drop * leg_length),
            (0.0, 0.0, top),
            (lateral_radius, SOLIDS.pelvis_depth * leg_length),
        ),
    )


def make_trunk_shapes(
    end: Array, shoulders: list[Array], hip_half_width: float, leg_length: float
) -> tuple[LinkShape, ...]:
    """Return an ellipsoid along a part of the spine, wider at the shoulders."""
    top = max(float(end[2]), SOLIDS.min_trunk * leg_length)
    lateral_radius = max(
        SOLIDS.trunk_per_hips * hip_half_width, SOLIDS.min_trunk_width * leg_length
    )
    if shoulders:
        half_distance = float(np.mean([abs(s[1]) for s in shoulders]))
        lateral_radius = max(SOLIDS.trunk_per_shoulders * half_distance, lateral_radius)
        top = max(top, float(np.mean([s[2] for s in shoulders])))
    return (
        LinkShape(
            "ellipsoid",
            (0.0, 0.0, -SOLIDS.trunk_drop * leg_length),
            (0.0, 0.0, top + SOLIDS.trunk_overlap * leg_length),
            (lateral_radius, SOLIDS.trunk_depth * leg_length),
        ),
    )


def make_head_shapes(height: float, leg_length: float) -> tuple[LinkShape, ...]:
    """Return neck and skull up to a height above the neck joint."""
    neck = SOLIDS.neck_share * height
    neck_radius = SOLIDS.neck_radius * leg_length
    ahead = SOLIDS.skull_ahead * leg_length
    return (
        LinkShape("capsule", (0.0, 0.0, 0.0), (0.0, 0.0, neck), (neck_radius, neck_radius)),
        LinkShape(
            "ellipsoid",
            (ahead, 0.0, SOLIDS.skull_bottom * height),
            (ahead, 0.0, height),
            (SOLIDS.skull_width * height, SOLIDS.skull_depth * height),
        ),
    )


def make_bulk_shape(skin: Array) -> LinkShape:
    """Return an ellipsoid along z with the height, width and depth of skin (m, 3)."""
    low = skin.min(0)
    high = skin.max(0)
    x, y = (float(v) for v in 0.5 * (low + high)[:2])
    half_width, half_depth = (float(v) for v in 0.5 * (high - low)[1::-1])
    return LinkShape(
        "ellipsoid", (x, y, float(low[2])), (x, y, float(high[2])), (half_width, half_depth)
    )
