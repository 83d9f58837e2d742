"""Knobs: changes that an animator can make to any style.

Each knob is continuous, changes nothing at its default, and has a unit that fits bodies of any
size. The length of a stride always equals the product of speed and stride time, whatever the step
length and the cadence.
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

# Number of samples at which curves are changed. Numerical: the sixth harmonic, the last of a curve,
# has more than six of them in a period, so that their largest value is nearly that of the curve.
CURVE_SAMPLES = 40
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
# Shares of the knob `knee_lift` that are added to the joints in the middle of a swing.
KNEE_LIFT_SHARES = {"thigh": 1.0, "knee": 0.5, "ankle": 0.2}


@dataclass(frozen=True)
class KnobParameters:
    """Effects of knobs on a style, and limits of the result."""

    # Shortest stride, as a multiple of that of the style. The lower ends of step length and cadence
    # together come to 0.56 on a human stride of 1.5 leg lengths.
    min_stride_ratio: float = 0.6
    # Longest stride, likewise; the upper ends come to 1.6.
    max_stride_ratio: float = 1.5
    # Largest distance from hip to ankle, as a share of the length of the leg: a knee of 9 degrees,
    # so that the square root of its bend does not jump.
    max_leg_extension: float = 0.997
    # Tilt of the pelvis, as a share of the lean of the chest; people lean from hips and spine
    pelvis_lean_share: float = 0.4
    # Lean per hip drop of a crouch, which puts the hips behind the feet and so bends the ankles
    # less [degrees per leg length].
    lean_per_hip_drop: float = 110.0
    # Relative advance of the lift of the heel per hip drop of a crouch, which limits the bend of
    # the ankles to 40 degrees [1 per leg length].
    heel_off_advance: float = 2.0
    # Delay of the lift of the heel of feet that do not roll [share of the contact]: from half of
    # it, where heels of walks lift, to somewhat before the latest one below.
    heel_off_delay: float = 0.25
    # Latest lift of the heel after that delay [share of the contact], so that the foot still leaves
    # the ground over its toes.
    max_heel_off: float = 0.85
    # Largest deviation of an arm from its mean that a knob can cause [rad], the backward range of
    # human shoulders.
    max_arm_swing: float = float(np.radians(60))
    # Smallest bend of an elbow [rad]; human ones do not bend backward
    min_elbow_bend: float = float(np.radians(5))
    # Smallest mean outward angle of the arms [rad], where they touch the body.
    min_arm_spread: float = float(np.radians(-4))
    # Largest one [rad]: level arms.
    max_arm_spread: float = float(np.radians(92))
    # Largest inward turn of the feet [degrees], within that of human hips.
    min_toe_out: float = -20.0
    # Largest outward turn [degrees], likewise.
    max_toe_out: float = 40.0


KNOB = KnobParameters()


def _define_knob(
    default: float, minimum: float, maximum: float, unit: str, description: str
) -> Any:
    """Return the dataclass field of a knob with its range, unit and tooltip."""
    return field(
        default=default,
        metadata={"least": minimum, "most": maximum, "unit": unit, "about": description},
    )


@dataclass(frozen=True)
class Knobs:
    """Values of all knobs.

    Raises:
        TaskError: a knob is out of its range.
    """

    step_length: float = _define_knob(
        0.0,
        -0.2,
        0.15,
        unit="legs",
        description=(
            "Leg lengths by which each step is longer. At a given speed longer steps are slower; "
            "at its natural speed the style is faster with them"
        ),
    )
    step_width: float = _define_knob(
        0.0,
        -0.6,
        0.45,
        unit="hips",
        description="Hip widths by which the feet are farther apart; below 0 closer together",
    )
    cadence: float = _define_knob(
        1.0,
        0.75,
        1.3,
        unit="times",
        description=(
            "Steps per minute, as a multiple. At a given speed quicker steps are shorter; at "
            "its natural speed the style is faster with them"
        ),
    )
    bounce: float = _define_knob(
        1.0, 0.0, 1.8, unit="times", description="Rise and fall of the body; in a run, its flight"
    )
    sway: float = _define_knob(
        1.0, 0.0, 2.0, unit="times", description="How far body and hips move from side to side"
    )
    lean: float = _define_knob(
        0.0, -18.0, 18.0, unit="degrees", description="Upper body forward; below 0 back"
    )
    crouch: float = _define_knob(
        0.0,
        -0.015,
        0.16,
        unit="legs",
        description="Leg lengths by which the hips are lower, with bent knees and a slight lean",
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
        0.0, -25.0, 35.0, unit="degrees", description="Head lowered; below 0 raised"
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
        """Return the knobs that are not at their defaults, by name."""
        defaults = Knobs()
        return {
            name: value for name, value in asdict(self).items() if value != getattr(defaults, name)
        }


def apply_knobs(style: Style, knobs: Knobs) -> Style:
    """Return a style changed by knobs."""
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
            KNOB.min_stride_ratio,
            KNOB.max_stride_ratio,
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
    """Return a cycle with strides of another length.

    Its motion is that of the speed at which the style has strides of this length.
    """
    if not (knobs.step_length or knobs.cadence != 1):
        return cycle
    stride_ratio = (cycle.stride + 2 * knobs.step_length) / (cycle.stride * knobs.cadence)
    stride = cycle.stride * float(
        np.clip(stride_ratio, KNOB.min_stride_ratio, KNOB.max_stride_ratio)
    )
    speeds = cycle.speed * np.linspace(0.3, 2.5, 60)
    speeds = speeds[(speeds >= style.change_speed) == (cycle.speed >= style.change_speed)]
    natural_cycle = style.cycle_at(
        float(np.interp(stride, [style.cycle_at(float(v)).stride for v in speeds], speeds))
    )
    # The duty is kept, so that a longer step does not turn a walk into a run.
    return replace(natural_cycle, speed=cycle.speed, stride=stride, duty=cycle.duty)


def _pose_cycle(cycle: Cycle, knobs: Knobs, is_moving: bool) -> Cycle:
    """Return a cycle whose curves and numbers are changed by knobs.

    Args:
        is_moving: whether the body moves; a standing body does not lift its knees.
    """
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
    add_angle(knobs.lean, chest_lean=1.0, pelvis_tilt=KNOB.pelvis_lean_share)
    add_angle(KNOB.lean_per_hip_drop * max(knobs.crouch, 0.0), chest_lean=1.0, pelvis_tilt=1.0)
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
    """Change the curves of a leg in place so that its foot keeps its pose under shifted hips.

    Args:
        table: (len(ROWS), HARMONICS + 1) Fourier coefficients, changed in place.
        rows: rows of thigh, knee and ankle.
        down: downward shift of the hips [leg lengths].
        back: backward shift of the hips [leg lengths].
    """
    phase = np.arange(CURVE_SAMPLES) / CURVE_SAMPLES
    thigh, knee, ankle = (evaluate_harmonics(phase) @ table[rows].T).real.T
    # Thigh and shin are assumed to be half a leg length each.
    ankle_ahead = 0.5 * (np.sin(thigh) + np.sin(thigh - knee)) + back
    ankle_below = 0.5 * (np.cos(thigh) + np.cos(thigh - knee)) - down
    new_knee = 2 * np.arccos(
        np.minimum(
            np.hypot(ankle_ahead, ankle_below),
            np.maximum(KNOB.max_leg_extension, np.cos(0.5 * knee)),
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
    """Scale the swing of arms and elbows in place, within the range of the joints."""
    for row in find_rows("arm"):
        max_gain = KNOB.max_arm_swing / _measure_amplitude(table[row])
        table[row, 1:] *= min(knobs.arm_swing, max(1.0, max_gain))
    for row in find_rows("elbow"):
        bend_range = table[row, 0].real - KNOB.min_elbow_bend
        max_gain = bend_range / _measure_amplitude(table[row])
        table[row, 1:] *= min(knobs.arm_swing, max(1.0, max_gain))


def _measure_amplitude(row: Coefficients) -> float:
    """Return the largest deviation of a curve from its mean, at least 1e-6 [rad]."""
    spectrum = np.concatenate([[0.0], 0.5 * CURVE_SAMPLES * row[1:]])
    return max(np.abs(np.fft.irfft(spectrum, CURVE_SAMPLES)).max(), 1e-6)


def _make_swing_bump(duty: float) -> Coefficients:
    """Return a curve that is 1 degree in mid-swing and 0 in the stance, (HARMONICS + 1,)."""
    phase = np.arange(CURVE_SAMPLES) / CURVE_SAMPLES
    swing_phase = np.clip((phase - duty) / (1 - duty), 0, 1)
    return fit_fourier(np.sin(np.pi * swing_phase) ** 2)


def _scale_numbers(cycle: Cycle, knobs: Knobs) -> Cycle:
    """Return a cycle whose numbers are changed by knobs."""
    width = max(cycle.width + knobs.step_width, 0.0)
    duty = cycle.duty
    if not cycle.is_walk:  # The rise of a run grows with the square of its flight time.
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
            cycle.heel_off + KNOB.heel_off_delay * max(1 - roll, 0.0),
            max(KNOB.max_heel_off, cycle.heel_off),
        )
        * (1 - KNOB.heel_off_advance * max(knobs.crouch, 0.0)),
    )


def _clip_to_limits(cycle: Cycle) -> Cycle:
    """Return a cycle within the range of the joints.

    The knobs of a style file and those of a task add up, so each alone does not ensure it.
    """
    table = cycle.curves.copy()
    for row in (CURVES.index("arm_out"), ROWS.index("arm_out.R")):
        table[row, 0] = np.clip(table[row, 0].real, KNOB.min_arm_spread, KNOB.max_arm_spread)
    toe_out = float(np.clip(cycle.toe_out, KNOB.min_toe_out, KNOB.max_toe_out))
    return replace(cycle, curves=table, toe_out=toe_out)
