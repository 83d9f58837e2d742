"""Feasible contact forces.

Each set is convex and contains the zero force, so a plan always has a feasible solution.

Source: Kwon et al. 2020, equations 11 and 12, for feet; section 8 (monkey bars) for hands, which
pull.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .weights import PlanLimits

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ForceFaces:
    """Half-spaces N f <= b of feasible contact forces f, per force window or coefficient."""

    normals: Array  # (k, 5, 3) N, dimensionless
    bounds: Array  # (k, 5) b [body weights]


def build_force_faces(frames: Array, is_grip: NDArray[np.bool_], limits: PlanLimits) -> ForceFaces:
    """Build the linearized friction cones (equation 11) and the force limits (equation 12).

    The force on a sole lies in its friction cone. A gripping hand does not slip; the force on it
    lies in a wide cone about the vertical, the range of directions of a hanging arm. Both cones are
    replaced by inscribed pyramids with four sides. The fifth face bounds the force along the axis.

    Args:
        frames: (w, 3, 3) whose third columns are the axes of the cones.
        is_grip: (w,) which contacts are gripping hands.
        limits: friction, slopes and largest forces.
    """
    axis = frames[:, :, 2]
    slope = np.where(is_grip, limits.grip_cone_slope, limits.friction)[:, None] / np.sqrt(2)
    sides = [sign * frames[:, :, k] - slope * axis for k in (0, 1) for sign in (1, -1)]
    face_bounds = np.zeros((len(frames), 5))
    face_bounds[:, 4] = np.where(is_grip, limits.max_grip_force, limits.max_force)
    return ForceFaces(np.stack([*sides, axis], 1), face_bounds)
