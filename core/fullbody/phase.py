"""Where each leg is in its cycle."""

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
    """Phases that rise by one from each strike of a leg to its next. (n, legs).

    A foot's lift falls on its style's share of the stance, so that the reference pose lets go when
    the foot does, however long the contact was made. Source: Kwon et al. 2020, appendix E, with
    both ends of the contact in place of its middle.

    Args:
        duties: (steps,) the style's share of the cycle on the ground at each footstep.
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
