"""A style from what a clip shows: as it is at its own speed, and for other speeds what it does
otherwise than people usually do.

Bruderlin & Williams 1995, as the paper uses it (section 8): what makes the clip its own, its
difference from the built-in gait at the same speed, is added to the built-in gait at every speed,
the more the longer strides are there. Posture stays as it is. In the gait that the clip does not
show, only the posture above the legs is taken over.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..style.shelf import load_builtin_style
from ..style.style import (
    ASYMMETRY_NUMBERS,
    CURVES,
    HARMONICS,
    LEG_CURVES,
    LIMB_CURVES,
    OPTIONAL_CURVES,
    ROWS,
    Coefficients,
    Cycle,
    Style,
    build_table,
    fit_fourier,
)
from .gait_analysis import GaitAnalysis

Array = NDArray[np.float64]

# of the clip's speed that the style has cycles at
SPEED_MULTIPLES = (0.35, 0.55, 0.75, 1.0, 1.3, 1.65, 2.0)
# degrees that legs of somebody who does not limp differ by, from which on it is what they step on
UNEVEN_GROUND_DIFFERENCE = 14.0
GAIT_CHANGE_MARGIN = 1.08  # by which the change of gait keeps from the clip's own speed
OTHER_GAIT_POSTURE_SHARE = 0.6  # of the posture that the other gait takes over
GAIN_RANGE = (0.25, 1.5)  # of the difference at short and at long strides
CHEST_AND_ARM_ROWS = tuple(
    k for k, name in enumerate(ROWS) if name.startswith(("chest", "arm", "elbow"))
)
NUMBER_LIMITS = {
    "duty": (0.15, 0.8),
    "heel_off": (0.35, 0.92),
    "flat": (0.04, 0.3),
    "strike_pitch": (0.0, 38.0),
    "toe_off_pitch": (10.0, 75.0),
    "sway": (0.0, 0.08),
    "behind": (0.0, 0.16),
    "width": (0.15, 1.6),
    "toe_out": (-10.0, 35.0),
}
# What is seen in motions generated in the built-in gaits, less what these ask for: heel off (it is
# seen once the heel has risen), ball down.
DETECTION_BIAS = {"walk": (0.2, 0.02), "run": (0.0, 0.04)}

# shares of the cycle that a foot may be down
WALK_DUTY_RANGE = (0.53, 0.8)
RUN_DUTY_RANGE = (0.15, 0.47)

MAX_CONTACT_DELAY = 0.12  # share of the cycle that a right foot may be late or early


def build_clip_style(analysis: GaitAnalysis) -> Style:
    """The style that a clip shows, from standing to twice its speed and beyond."""
    natural = load_builtin_style("natural")
    speed = analysis.speed / analysis.unit_speed
    is_walk = analysis.gait == "walk"
    base = load_builtin_style(analysis.gait)
    change_speed = (
        max(natural.change_speed, GAIT_CHANGE_MARGIN * speed)
        if is_walk
        else min(natural.change_speed, speed / GAIT_CHANGE_MARGIN)
    )
    clip_cycle = _build_clip_cycle(analysis, base.cycle_at(speed), speed)
    builtin_cycle = base.cycle_at(speed)
    cycles = [
        clip_cycle
        if m == 1.0
        else _transfer_difference(
            base.cycle_at(m * speed), builtin_cycle, clip_cycle, speed=m * speed, is_walk=is_walk
        )
        for m in SPEED_MULTIPLES
        if (m * speed < change_speed) == is_walk
    ]
    if is_walk:
        cycles.append(
            _transfer_difference(
                base.cycle_at(change_speed - 0.01),
                builtin_cycle,
                clip_cycle,
                speed=change_speed - 0.01,
                is_walk=is_walk,
            )
        )
    else:
        cycles.append(
            _transfer_difference(
                base.cycle_at(change_speed),
                builtin_cycle,
                clip_cycle,
                speed=change_speed,
                is_walk=is_walk,
            )
        )
    other_gait = load_builtin_style("run" if is_walk else "walk")
    other_speeds = [
        v for v in (c.speed for c in other_gait.cycles) if (v > change_speed) == is_walk
    ]
    other_speeds.append(change_speed if is_walk else change_speed - 0.01)
    cycles += [
        _transfer_posture(other_gait.cycle_at(v), builtin_cycle, clip_cycle, v)
        for v in other_speeds
    ]
    distinct_cycles: list[Cycle] = []
    for cycle in sorted(cycles, key=lambda c: c.speed):
        if not distinct_cycles or cycle.speed > distinct_cycles[-1].speed + 1e-3:
            distinct_cycles.append(cycle)
    return Style(
        analysis.name,
        speed,
        (f"the clip {analysis.name}", *base.sources),
        cycles=tuple(distinct_cycles),
        change_speed=change_speed,
    )


def _build_clip_cycle(analysis: GaitAnalysis, builtin_cycle: Cycle, speed: float) -> Cycle:
    """The cycle as it is in the clip."""
    leg_length = analysis.leg_length
    heel_off_bias, flat_bias = DETECTION_BIAS[analysis.gait]
    numbers: dict[str, Any] = {
        "duty": analysis.duty,
        "heel_off": analysis.heel_off - heel_off_bias,
        "flat": analysis.flat + flat_bias,
        "strike_pitch": analysis.strike_pitch,
        "toe_off_pitch": analysis.toe_off_pitch,
        "sway": analysis.sway / leg_length,
        "behind": analysis.foot_offset / leg_length,
        "width": analysis.step_width / max(analysis.hip_width, 1e-6),
        "toe_out": analysis.toe_out,
    }
    if analysis.asymmetry is not None:  # a cycle's own numbers are those of the left foot
        numbers |= {"duty": numbers["duty"] - 0.5 * analysis.asymmetry.contact_excess}
        # how much lower the body rides over one leg follows from its curves
        numbers |= dict(
            zip(
                ASYMMETRY_NUMBERS,
                (analysis.asymmetry.contact_excess, analysis.asymmetry.contact_delay, 0.0),
                strict=True,
            )
        )
    cycle = replace(
        builtin_cycle,
        speed=speed,
        stride=analysis.stride_length / leg_length,
        curves=_compute_coefficients(analysis, builtin_cycle),
        **numbers,
    )
    return _clip_to_limits(cycle, analysis.gait == "walk")


def _compute_coefficients(analysis: GaitAnalysis, builtin_cycle: Cycle) -> Coefficients:
    """Fourier series: each limb's own, of the mean of both sides for the trunk,
    as usual for what is not told.
    """

    def fit_series(name: str, row: Array) -> Coefficients:
        return fit_fourier(row) if np.isfinite(row).all() else builtin_cycle.get_curve(name)

    left, right = analysis.curves
    leg_rows = [CURVES.index(name) for name in ("thigh", "knee")]
    if (
        analysis.asymmetry is None
        and np.sqrt(np.mean((left[leg_rows] - right[leg_rows]) ** 2)) > UNEVEN_GROUND_DIFFERENCE
    ):
        left = left.copy()
        right = right.copy()
        leg_rows = [CURVES.index(name) for name in LEG_CURVES]
        left[leg_rows] = right[leg_rows] = 0.5 * (left[leg_rows] + right[leg_rows])
    curves = {
        name: fit_series(
            name,
            left[k] if name in (*LIMB_CURVES, *OPTIONAL_CURVES) else 0.5 * (left[k] + right[k]),
        )
        for k, name in enumerate(CURVES)
    }
    curves |= {
        f"{name}.R": fit_series(name, right[k])
        for k, name in enumerate(CURVES)
        if name in LIMB_CURVES
    }
    curves["pelvis_tilt"] = curves["pelvis_tilt"] + builtin_cycle.get_curve("pelvis_tilt") * (
        np.arange(HARMONICS + 1) == 0
    )
    return build_table(curves)


def _transfer_difference(
    target_cycle: Cycle, builtin_cycle: Cycle, clip_cycle: Cycle, speed: float, is_walk: bool
) -> Cycle:
    """The built-in gait at another speed with the clip's difference."""
    gain = float(np.clip(target_cycle.stride / builtin_cycle.stride, *GAIN_RANGE))
    curves = target_cycle.curves.copy()
    difference = clip_cycle.curves - builtin_cycle.curves
    curves[:, 0] += difference[:, 0]
    curves[:, 1:] += gain * difference[:, 1:]
    numbers: dict[str, Any] = {
        name: getattr(target_cycle, name)
        + (gain if name == "sway" else 1.0)
        * (getattr(clip_cycle, name) - getattr(builtin_cycle, name))
        for name in NUMBER_LIMITS
    }
    numbers |= {name: getattr(clip_cycle, name) for name in ASYMMETRY_NUMBERS}
    # what strides are longer or shorter by is less where all strides are long,
    # as legs reach no farther
    stride = target_cycle.stride * (clip_cycle.stride / builtin_cycle.stride) ** min(
        1.0, 1 / gain**2
    )
    return _clip_to_limits(
        replace(target_cycle, speed=speed, stride=stride, curves=curves, **numbers), is_walk
    )


def _transfer_posture(
    target_cycle: Cycle, builtin_cycle: Cycle, clip_cycle: Cycle, speed: float
) -> Cycle:
    """The other gait with what of the clip's posture goes along."""
    curves = target_cycle.curves.copy()
    rows = list(CHEST_AND_ARM_ROWS)
    curves[rows, 0] += (
        OTHER_GAIT_POSTURE_SHARE * (clip_cycle.curves - builtin_cycle.curves)[rows, 0]
    )
    return replace(target_cycle, speed=speed, curves=curves)


def _clip_to_limits(cycle: Cycle, is_walk: bool) -> Cycle:
    """The cycle within what bodies can do."""
    numbers: dict[str, Any] = {
        name: float(np.clip(getattr(cycle, name), *bounds))
        for name, bounds in NUMBER_LIMITS.items()
    }
    duty_range = WALK_DUTY_RANGE if is_walk else RUN_DUTY_RANGE
    numbers["duty"] = float(np.clip(numbers["duty"], *duty_range))
    numbers["flat"] = min(numbers["flat"], numbers["heel_off"] - 0.15)
    numbers["right_longer"] = (
        float(np.clip(numbers["duty"] + cycle.right_longer, *duty_range)) - numbers["duty"]
    )
    return replace(
        cycle,
        right_later=float(np.clip(cycle.right_later, -MAX_CONTACT_DELAY, MAX_CONTACT_DELAY)),
        **numbers,
    )
