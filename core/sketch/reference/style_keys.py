"""Keys and phases of the style of a sketch over time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter1d

from ...errors import PlanningError
from ...motion.footstep import Footstep
from ..footsteps.timing import PlannedStep
from ..sketch import Sketch
from .vertical import interpolate_steps

Array = NDArray[np.float64]

# Duration over which the speed that selects the poses of the style is smoothed [s], so that poses
# do not jump as a body starts or stops. Half or twice of it moves a body that stops by 3 cm.
SPEED_SMOOTHING = 0.12


def compute_body_phases(sketch: Sketch, footsteps: tuple[Footstep, ...], times: Array) -> Array:
    """Return the phase of the cycle of the left foot, averaged over all legs. (n,) -> (n,)."""
    legs = sorted({f.leg for f in footsteps})
    phases = compute_leg_phases(
        footsteps, np.array([s.gait.cycle.duty for s in sketch.steps]), len(legs), times
    )
    right_delay = sketch.gait_law.style.right_delay_at(compute_style_keys(sketch, times))
    shift = np.stack([np.zeros(len(times)), 0.5 + right_delay], -1)[:, : len(legs)]
    return np.angle(np.exp(2j * np.pi * (phases + shift)).mean(1)) / (2 * np.pi)


def compute_style_keys(sketch: Sketch, times: Array) -> Array:
    """Return the keys of the style at times. (n,) -> (n,)."""
    course = sketch.course
    if sketch.has_natural_strides:
        smoothed_speed = gaussian_filter1d(
            course.speed,
            SPEED_SMOOTHING / (course.time[1] - course.time[0]),
            mode="nearest",
        )
        speed = np.interp(times, course.time, smoothed_speed) / sketch.gait_law.unit_speed
    else:
        speed = compute_cycle_speeds(sketch, times)
    return sketch.gait_law.style.find_keys(speed, compute_second_gait_share(sketch, times))


def compute_step_key(sketch: Sketch, step: PlannedStep) -> float:
    """Return the key of the style at the gait of a step."""
    cycle = step.gait.cycle
    style = sketch.gait_law.style
    return float(
        style.find_keys(
            np.array([cycle.speed]), np.array([float(cycle.speed >= style.change_speed)])
        )[0]
    )


def compute_second_gait_share(sketch: Sketch, times: Array) -> Array:
    """Return the share of the second gait of the style, 0 to 1, interpolated between steps.

    (n,) -> (n,).
    """
    change = sketch.gait_law.style.change_speed
    return interpolate_steps(
        sketch.steps, [float(s.gait.cycle.speed >= change) for s in sketch.steps], times
    )


def compute_cycle_speeds(sketch: Sketch, times: Array) -> Array:
    """Return the speeds v / sqrt(g l) of the cycles of the steps, interpolated between steps.

    (n,) -> (n,).
    """
    return interpolate_steps(sketch.steps, [s.gait.cycle.speed for s in sketch.steps], times)


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
