"""Which forces a contact can have: each set is convex and holds no force at all,
so that the plan always has a solution.

Source: Kwon et al. 2020, equations 11 and 12, for feet,
and section 7.2 for hands, which the bars pull.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .weights import PlanLimits

Array = NDArray[np.float64]


def build_force_faces(
    frames: Array, is_grip: NDArray[np.bool_], limits: PlanLimits
) -> tuple[Array, Array]:
    """Half-spaces F f <= b that the force f on the body at a contact lies in, body weights.

    A sole is pushed inside its friction cone. A hand that holds does not slip: it is pulled by what
    it holds within a wide cone about the upright, the one in which an arm hangs. Either cone is
    taken for the pyramid inside of it.

    Args:
        frames: (w, 3, 3) whose third columns are the cones' axes.
        is_grip: (w,) which contacts are hands that hold.

    Returns:
        F (w, 5, 3) and b (w, 5).
    """
    axis = frames[:, :, 2]
    slope = np.where(is_grip, limits.grip_cone_slope, limits.friction)[:, None] / np.sqrt(2)
    sides = [sign * frames[:, :, k] - slope * axis for k in (0, 1) for sign in (1, -1)]
    face_bounds = np.zeros((len(frames), 5))
    face_bounds[:, 4] = np.where(is_grip, limits.max_grip_force, limits.max_force)
    return np.stack([*sides, axis], 1), face_bounds
