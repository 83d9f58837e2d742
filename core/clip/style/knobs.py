"""Knobs: what an animator may turn on any style, and the style that comes of it.

Each knob is continuous, changes nothing where it is by default, and is told in units that fit
bodies of any size. Stride, time and speed stay one thing: a stride is as long as the speed makes it
in its time, whatever step length and cadence are asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

import numpy as np

from ...errors import TaskError
from .style import (
    CURVES,
    LIMB_CURVES,
    ROWS,
    Coefficients,
    Cycle,
    Style,
    evaluate_harmonics,
    fit_fourier,
)

# of a style's own, that knobs make of it
MIN_STRIDE_RATIO = 0.6
MAX_STRIDE_RATIO = 1.5

CURVE_SAMPLES = 40  # of a curve over a cycle, where it is worked on
MAX_LEG_EXTENSION = 0.997  # of its length that a leg is told to be at most
PELVIS_LEAN_SHARE = 0.4  # share of a lean that the pelvis takes part in
# degrees of lean for each leg length of a crouch: hips behind the feet spare the ankles
LEAN_PER_HIP_DROP = 110.0
# share by which heels leave sooner for each leg length of a crouch: ankles bend by 40 degrees
HEEL_OFF_ADVANCE = 2.0
# of a contact, by which the heel stays down longer where feet do not roll at all
HEEL_OFF_DELAY = 0.25
# shares of a knee's lift in the middle of a swing
KNEE_LIFT_SHARES = {"thigh": 1.0, "knee": 0.5, "ankle": 0.2}
TRUNK_CURVES = (
    "pelvis_turn",
    "pelvis_list",
    "pelvis_tilt",
    "chest_turn",
    "chest_list",
    "chest_lean",
    "head_turn",
    "head_nod",
    "head_list",
)
MAX_ARM_SWING = np.radians(60)  # of an arm to either side of its middle, that no knob goes beyond
MIN_ELBOW_BEND = np.radians(5)
ARM_SPREAD_RANGE = np.radians((-4, 92))
TOE_OUT_RANGE = (-20.0, 40.0)


def _define_knob(
    default: float, minimum: float, maximum: float, unit: str, description: str
) -> Any:
    return field(
        default=default,
        metadata={"least": minimum, "most": maximum, "unit": unit, "about": description},
    )


@dataclass(frozen=True)
class Knobs:
    """What is turned, each by so much.

    Raises:
        TaskError: a knob beyond its ends.
    """

    step_length: float = _define_knob(
        0.0,
        -0.2,
        0.15,
        unit="legs",
        description=(
            "Leg lengths that each step is longer. At a given speed longer steps are slower ones; "
            "at its natural speed the style goes faster with them"
        ),
    )
    step_width: float = _define_knob(
        0.0,
        -0.6,
        0.45,
        unit="hips",
        description="Hip widths that the feet tread farther apart; below 0 nearer together",
    )
    cadence: float = _define_knob(
        1.0,
        0.75,
        1.3,
        unit="times",
        description=(
            "Steps a minute, as a multiple. At a given speed quicker steps are shorter ones; at "
            "its natural speed the style goes faster with them"
        ),
    )
    bounce: float = _define_knob(
        1.0, 0.0, 1.8, unit="times", description="Rise and fall of the body; of a run its flight"
    )
    sway: float = _define_knob(
        1.0, 0.0, 2.0, unit="times", description="How far body and hips go from side to side"
    )
    lean: float = _define_knob(
        0.0, -18.0, 18.0, unit="degrees", description="Upper body forward; below 0 back"
    )
    crouch: float = _define_knob(
        0.0,
        -0.015,
        0.16,
        unit="legs",
        description="Leg lengths that the hips ride lower, knees bent and the back a little",
    )
    foot_roll: float = _define_knob(
        1.0,
        0.4,
        1.4,
        unit="times",
        description="How far feet roll from heel to toes; less puts them down flat",
    )
    toe_out: float = _define_knob(
        0.0, -15.0, 9.0, unit="degrees", description="Toes turned outward; below 0 inward"
    )
    knee_lift: float = _define_knob(
        0.0, 0.0, 32.0, unit="degrees", description="Thighs lifted higher in the middle of a swing"
    )
    arm_swing: float = _define_knob(1.0, 0.0, 2.0, unit="times", description="How far arms swing")
    arm_spread: float = _define_knob(
        0.0,
        -8.0,
        80.0,
        unit="degrees",
        description="Arms held out to the sides; below 0 close to the body",
    )
    head_turn: float = _define_knob(
        0.0,
        -60.0,
        60.0,
        unit="degrees",
        description="Head turned to the left; below 0 to the right",
    )
    head_nod: float = _define_knob(
        0.0, -25.0, 35.0, unit="degrees", description="Head bowed; below 0 raised"
    )
    stiffness: float = _define_knob(
        0.0,
        -0.5,
        1.0,
        unit="share",
        description=(
            "How little hips, chest and head turn with the steps; 1 not at all, below 0 more"
        ),
    )

    def __post_init__(self) -> None:
        for knob in fields(self):
            value = getattr(self, knob.name)
            minimum = knob.metadata["least"]
            maximum = knob.metadata["most"]
            if not minimum <= value <= maximum:
                raise TaskError(
                    f"The knob {knob.name} is {value:g}; it must be between {minimum:g} and "
                    f"{maximum:g} ({knob.metadata['unit']}, {knob.default:g} changes nothing)."
                )

    def list_changes(self) -> dict[str, float]:
        """Those that change something."""
        defaults = Knobs()
        return {
            name: value for name, value in asdict(self).items() if value != getattr(defaults, name)
        }


def apply_knobs(style: Style, knobs: Knobs) -> Style:
    """A style with its knobs turned."""
    if not knobs.list_changes():
        return style
    cycles = tuple(
        _clip_to_limits(_pose_cycle(_change_stride(style, cycle, knobs), knobs, True))
        for cycle in style.cycles
    )
    standing = _clip_to_limits(_pose_cycle(style.standing, knobs, False))
    natural_stride = style.cycle_at(style.preferred_speed).stride
    speed_ratio = (
        np.clip(
            (natural_stride + 2 * knobs.step_length) / natural_stride,
            MIN_STRIDE_RATIO,
            MAX_STRIDE_RATIO,
        )
        * knobs.cadence
    )
    return replace(
        style,
        cycles=cycles,
        custom_standing=standing,
        preferred_speed=float(style.preferred_speed * speed_ratio),
    )


def _change_stride(style: Style, cycle: Cycle, knobs: Knobs) -> Cycle:
    """A cycle with strides of another length: the motion of the speed at which
    such strides are natural.
    """
    if not (knobs.step_length or knobs.cadence != 1):
        return cycle
    stride_ratio = (cycle.stride + 2 * knobs.step_length) / (cycle.stride * knobs.cadence)
    stride = cycle.stride * float(np.clip(stride_ratio, MIN_STRIDE_RATIO, MAX_STRIDE_RATIO))
    speeds = cycle.speed * np.linspace(0.3, 2.5, 60)
    speeds = speeds[(speeds >= style.change_speed) == (cycle.speed >= style.change_speed)]
    natural_cycle = style.cycle_at(
        float(np.interp(stride, [style.cycle_at(float(v)).stride for v in speeds], speeds))
    )
    # a long step alone makes no walk a run, nor a short one a run a walk
    return replace(natural_cycle, speed=cycle.speed, stride=stride, duty=cycle.duty)


def _pose_cycle(cycle: Cycle, knobs: Knobs, is_moving: bool) -> Cycle:
    """A cycle whose poses and numbers are turned; a body that stands lifts no knees."""
    table = cycle.curves.copy()

    def find_rows(*names: str) -> list[int]:
        return [
            ROWS.index(row)
            for name in names
            for row in ((name, f"{name}.R") if name in LIMB_CURVES else (name,))
        ]

    def add_angle(angle: float, **shares: float) -> None:
        for name, share in shares.items():
            table[find_rows(name), 0] += share * np.radians(angle)

    _scale_arm_swing(table, knobs, find_rows)
    table[find_rows("pelvis_list", "chest_list"), 1:] *= knobs.sway
    table[find_rows(*TRUNK_CURVES, "elbow"), 1:] *= 1 - knobs.stiffness
    foot_pitch = table[find_rows("thigh")] - table[find_rows("knee")] + table[find_rows("ankle")]
    table[find_rows("ankle")] += (knobs.foot_roll - 1) * foot_pitch
    add_angle(knobs.lean, chest_lean=1.0, pelvis_tilt=PELVIS_LEAN_SHARE)
    add_angle(LEAN_PER_HIP_DROP * max(knobs.crouch, 0.0), chest_lean=1.0, pelvis_tilt=1.0)
    add_angle(knobs.arm_spread, arm_out=1.0)
    add_angle(knobs.head_turn, head_turn=1.0)
    add_angle(knobs.head_nod, head_nod=1.0)
    if knobs.crouch:
        for suffix in ("", ".R"):
            move_hips(
                table,
                [ROWS.index(name + suffix) for name in ("thigh", "knee", "ankle")],
                down=knobs.crouch,
            )
    if is_moving and knobs.knee_lift:
        for side, suffix in ((1, ""), (-1, ".R")):
            lift_curve = _make_swing_bump(cycle.for_side(side).duty) * knobs.knee_lift
            for name, share in KNEE_LIFT_SHARES.items():
                table[ROWS.index(name + suffix)] += share * lift_curve
    return _scale_numbers(replace(cycle, curves=table), knobs)


def move_hips(table: Coefficients, rows: list[int], down: float = 0.0, back: float = 0.0) -> None:
    """Bend and turn a leg so that its ankle stays where it was, and the foot as it was pitched,
    under hips that ride elsewhere.

    Args:
        rows: of thigh, knee and ankle.
        down, back: leg lengths.
    """
    phase = np.arange(CURVE_SAMPLES) / CURVE_SAMPLES
    thigh, knee, ankle = (evaluate_harmonics(phase) @ table[rows].T).real.T
    # thigh and shin of half a leg length each
    ankle_ahead = 0.5 * (np.sin(thigh) + np.sin(thigh - knee)) + back
    ankle_below = 0.5 * (np.cos(thigh) + np.cos(thigh - knee)) - down
    new_knee = 2 * np.arccos(
        np.minimum(
            np.hypot(ankle_ahead, ankle_below), np.maximum(MAX_LEG_EXTENSION, np.cos(0.5 * knee))
        )
    )
    new_thigh = np.arctan2(ankle_ahead, ankle_below) + 0.5 * new_knee
    for row, curve in zip(
        rows, (new_thigh, new_knee, ankle + (new_knee - knee) - (new_thigh - thigh)), strict=True
    ):
        table[row] = fit_fourier(np.degrees(curve))


def _scale_arm_swing(
    table: Coefficients, knobs: Knobs, find_rows: Callable[..., list[int]]
) -> None:
    for row in find_rows("arm"):
        amplitude = np.abs(np.fft.irfft(_compute_spectrum(table[row]), CURVE_SAMPLES)).max()
        table[row, 1:] *= min(knobs.arm_swing, max(1.0, MAX_ARM_SWING / max(amplitude, 1e-6)))
    for row in find_rows("elbow"):
        amplitude = np.abs(np.fft.irfft(_compute_spectrum(table[row]), CURVE_SAMPLES)).max()
        table[row, 1:] *= min(
            knobs.arm_swing, max(1.0, (table[row, 0].real - MIN_ELBOW_BEND) / max(amplitude, 1e-6))
        )


def _compute_spectrum(row: Coefficients) -> Coefficients:
    """A curve without its mean, as numpy's inverse takes it."""
    return np.concatenate([[0.0], 0.5 * CURVE_SAMPLES * row[1:]])


def _make_swing_bump(duty: float) -> Coefficients:
    """A curve of 1 degree in the middle of the swing that is 0 in the stance. (HARMONICS + 1,)."""
    phase = np.arange(CURVE_SAMPLES) / CURVE_SAMPLES
    swing_phase = np.clip((phase - duty) / (1 - duty), 0, 1)
    return fit_fourier(np.sin(np.pi * swing_phase) ** 2)


def _scale_numbers(cycle: Cycle, knobs: Knobs) -> Cycle:
    width = max(cycle.width + knobs.step_width, 0.0)
    duty = cycle.duty
    if not cycle.is_walk:  # a run rises as the square of its flight
        duty = max(
            cycle.flight_limit_duty
            - (cycle.flight_limit_duty - duty) * float(np.sqrt(max(knobs.bounce, 0.25))),
            0.7 * duty,
        )
    roll = knobs.foot_roll
    return replace(
        cycle,
        width=width,
        duty=duty,
        rise=knobs.bounce * cycle.rise,
        toe_out=cycle.toe_out + knobs.toe_out,
        sway=knobs.sway * cycle.sway * max(width, 0.2) / max(cycle.width, 0.2),
        strike_pitch=roll * cycle.strike_pitch,
        toe_off_pitch=roll * cycle.toe_off_pitch,
        flat=cycle.flat * min(0.3 + 0.7 * roll, 1.0),
        heel_off=min(
            cycle.heel_off + HEEL_OFF_DELAY * max(1 - roll, 0.0), max(0.85, cycle.heel_off)
        )
        * (1 - HEEL_OFF_ADVANCE * max(knobs.crouch, 0.0)),
    )


def _clip_to_limits(cycle: Cycle) -> Cycle:
    """Knobs of a style's own and of a task add up: what bodies cannot is cut off."""
    table = cycle.curves.copy()
    for row in (CURVES.index("arm_out"), ROWS.index("arm_out.R")):
        table[row, 0] = np.clip(table[row, 0].real, *ARM_SPREAD_RANGE)
    return replace(cycle, curves=table, toe_out=float(np.clip(cycle.toe_out, *TOE_OUT_RANGE)))
