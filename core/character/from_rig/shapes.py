"""Solids that give a rig's links their share of the mass: volumes of a human's build, scaled by the leg's length."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..link import Shape

Array = NDArray[np.float64]

# radius in lengths of the leg from hip to ankle (0.85 m in the built-in humanoid)
RADII = {"thigh": 0.1035, "shin": 0.0576, "upper_arm": 0.0547, "forearm": 0.0424}


def _at(v: Array) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])


def limb_shape(role: str, start: Array, end: Array, leg: float) -> Shape:
    """Capsule of an arm's or leg's segment, box of a foot."""
    if role == "foot":
        raised = np.array([0.0, 0.0, 0.025 * leg])
        return Shape("box", _at(start + raised), _at(end + raised), (0.049 * leg, 0.026 * leg))
    radius = RADII[role] * leg
    return Shape("capsule", _at(start), _at(end), (radius, radius))


def pelvis_shapes(half_width: float, leg: float, spine: Array | None) -> tuple[Shape, ...]:
    """Ellipsoid from below the hips to the spine."""
    top = float(spine[2]) if spine is not None else 0.15 * leg
    top = max(top, 0.08 * leg) + 0.05 * leg
    wide = max(1.9 * half_width, 0.15 * leg)
    return (Shape("ellipsoid", (0.0, 0.0, -0.1 * leg), (0.0, 0.0, top), (wide, 0.124 * leg)),)


def trunk_shapes(end: Array, shoulders: list[Array], half_width: float, leg: float) -> tuple[Shape, ...]:
    """Ellipsoid along a piece of the spine, wider where the arms hang."""
    high = max(float(end[2]), 0.05 * leg)
    wide = max(1.6 * half_width, 0.13 * leg)
    if shoulders:
        wide = max(0.9 * float(np.mean([abs(s[1]) for s in shoulders])), wide)
        high = max(high, float(np.mean([s[2] for s in shoulders])))
    return (Shape("ellipsoid", (0.0, 0.0, -0.08 * leg), (0.0, 0.0, high + 0.03 * leg), (wide, 0.132 * leg)),)


def head_shapes(height: float, leg: float) -> tuple[Shape, ...]:
    """Neck and skull up to a height above the neck's joint."""
    neck = 0.3 * height
    return (Shape("capsule", (0.0, 0.0, 0.0), (0.0, 0.0, neck), (0.065 * leg, 0.065 * leg)),
            Shape("ellipsoid", (0.02 * leg, 0.0, 0.2 * height), (0.02 * leg, 0.0, height), (0.34 * height, 0.42 * height)))


def bulk_shape(skin: Array) -> Shape:
    """Ellipsoid along z as high, wide and deep as skin (m, 3) around it."""
    low, high = skin.min(0), skin.max(0)
    x, y = (float(v) for v in 0.5 * (low + high)[:2])
    wide, deep = (float(v) for v in 0.5 * (high - low)[1::-1])
    return Shape("ellipsoid", (x, y, float(low[2])), (x, y, float(high[2])), (wide, deep))
