"""Solids of human proportions, scaled by the leg length, which determine the masses of links."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..link import LinkShape, to_triple

Array = NDArray[np.float64]

# Radius of limb segments [leg length from hip to ankle, 0.85 m in the built-in humanoid]
SEGMENT_RADII = {"thigh": 0.1035, "shin": 0.0576, "upper_arm": 0.0547, "forearm": 0.0424}


def make_limb_shape(role: str, start: Array, end: Array, leg_length: float) -> LinkShape:
    """Return the capsule of a limb segment, or the box of a foot."""
    if role == "foot":
        sole_offset = np.array([0.0, 0.0, 0.025 * leg_length])
        return LinkShape(
            "box",
            to_triple(start + sole_offset),
            to_triple(end + sole_offset),
            (0.049 * leg_length, 0.026 * leg_length),
        )
    radius = SEGMENT_RADII[role] * leg_length
    return LinkShape("capsule", to_triple(start), to_triple(end), (radius, radius))


def make_pelvis_shapes(
    hip_half_width: float, leg_length: float, spine: Array | None
) -> tuple[LinkShape, ...]:
    """Return an ellipsoid from below the hips to the spine."""
    top = float(spine[2]) if spine is not None else 0.15 * leg_length
    top = max(top, 0.08 * leg_length) + 0.05 * leg_length
    lateral_radius = max(1.9 * hip_half_width, 0.15 * leg_length)
    return (
        LinkShape(
            "ellipsoid",
            (0.0, 0.0, -0.1 * leg_length),
            (0.0, 0.0, top),
            (lateral_radius, 0.124 * leg_length),
        ),
    )


def make_trunk_shapes(
    end: Array, shoulders: list[Array], hip_half_width: float, leg_length: float
) -> tuple[LinkShape, ...]:
    """Return an ellipsoid along a part of the spine, wider at the shoulders."""
    top = max(float(end[2]), 0.05 * leg_length)
    lateral_radius = max(1.6 * hip_half_width, 0.13 * leg_length)
    if shoulders:
        lateral_radius = max(0.9 * float(np.mean([abs(s[1]) for s in shoulders])), lateral_radius)
        top = max(top, float(np.mean([s[2] for s in shoulders])))
    return (
        LinkShape(
            "ellipsoid",
            (0.0, 0.0, -0.08 * leg_length),
            (0.0, 0.0, top + 0.03 * leg_length),
            (lateral_radius, 0.132 * leg_length),
        ),
    )


def make_head_shapes(height: float, leg_length: float) -> tuple[LinkShape, ...]:
    """Return neck and skull up to a height above the neck joint."""
    neck = 0.3 * height
    return (
        LinkShape(
            "capsule", (0.0, 0.0, 0.0), (0.0, 0.0, neck), (0.065 * leg_length, 0.065 * leg_length)
        ),
        LinkShape(
            "ellipsoid",
            (0.02 * leg_length, 0.0, 0.2 * height),
            (0.02 * leg_length, 0.0, height),
            (0.34 * height, 0.42 * height),
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
