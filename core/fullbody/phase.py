"""Phase of each leg in its cycle."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator

from ..errors import PlanningError
from ..motion.footstep import Footstep

Array = NDArray[np.float64]


def compute_leg_phases(
    footsteps: tuple[Footstep, ...], duties: Array, leg_count: int, times: Array
) -> Array:
    """Return the phase of each leg at n times, shape (n, legs), modulo 1.

    The phase rises by one from a strike of a leg to its next strike. At the lift of a foot it
    equals the duty factor of the style, whatever the duration of the contact. So the foot of the
    reference pose leaves the ground at the same time as the planned foot.

    Source: Kwon et al. 2020, appendix E, with both ends of the contact instead of its middle.

    Args:
        footsteps: footsteps of all legs.
        duties: duty factor of the style at each footstep, shape (steps,).
        leg_count: number of legs.
        times: n times [s].

    Raises:
        PlanningError: two contacts of a foot overlap in time.
    """
    phases = np.empty((len(times), leg_count))
    for leg in range(leg_count):
        leg_steps = [(f, d) for f, d in zip(footsteps, duties, strict=True) if f.leg == leg]
        knots = np.array([t for f, _ in leg_steps for t in (f.strike, f.lift)])
        values = np.array(
            [k + share for k, (_, duty) in enumerate(leg_steps) for share in (0.0, duty)]
        )
        if (np.diff(knots) <= 0).any():
            first = int(np.argmax(np.diff(knots) <= 0))
            raise PlanningError("two contacts of one foot overlap in time", float(knots[first]))
        phases[:, leg] = PchipInterpolator(knots, values)(np.clip(times, knots[0], knots[-1])) % 1.0
    return phases
