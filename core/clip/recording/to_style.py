"""Style of a clip: the clip at its speed, and an extrapolation to other speeds and gaits.

The difference between the clip and the built-in gait at the same speed characterizes the clip. It
is added to the built-in gait at every speed, scaled by the length of the strides there (Bruderlin
and Williams 1995, as used in section 8 of the paper). The mean posture is added unscaled. In the
gait that the clip does not show, only the posture above the legs is changed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...character.load import load_builtin
from ..pose.foot_sweep import measure_foot_sweep
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


@dataclass(frozen=True)
class ClipStyleParameters:
    """Extrapolation of a clip to other speeds."""

    # Speeds at which the style has cycles, as multiples of the speed of the clip, a third to a
    # fifth apart; between them cycles are interpolated.
    speed_multiples: tuple[float, ...] = (0.35, 0.55, 0.75, 1.0, 1.3, 1.65, 2.0)
    # RMS difference of the legs of a healthy person above which it is caused by uneven ground
    # [degrees], more than twice the normal one (`AsymmetryParameters.normal_angle`).
    uneven_ground_difference: float = 14.0
    # Smallest ratio between the speed of the clip and that of the change of gait, so that a body
    # that is a bit faster than the clip keeps its gait.
    gait_change_margin: float = 1.08
    # Difference between the last cycle of a walk and the change of gait [sqrt(g l)]. Numerical:
    # speeds of cycles must increase.
    gait_change_gap: float = 0.01
    # Share of the posture that is added to the other gait. People carry themselves alike in both,
    # but a run leaves less room for it.
    other_gait_posture_share: float = 0.6
    # Smallest factor of the difference, at short strides, which still show the person.
    min_gain: float = 0.25
    # Largest one, at long strides, which extrapolates: a difference of 20 degrees becomes 30.
    max_gain: float = 1.5
    # Largest delay of the contact of the right foot [share of the cycle]: four times the normal one
    # (`AsymmetryParameters.normal_contact_delay`), that of a strong limp.
    max_contact_delay: float = 0.12
    # Largest shortening of the stride on legs that reach less far than those of the clip, since the
    # cadence of a clip is seen, too: test_clip_styles.py holds its stride within 5 %.
    max_stride_reduction: float = 0.04
    # Smallest time between touch-down of the ball and lift of the heel [share of the contact], so
    # that a foot is flat for some frames.
    min_flat_share: float = 0.15


@dataclass(frozen=True)
class DetectionBias:
    """Excess of detected events over those requested from the built-in gaits.

    It was measured in generated motions. A heel is detected as raised only after it has risen.

    Args:
        heel_off: excess of the lift of the heel [share of the contact].
        flat: amount by which the ball is detected too early [share of the contact].
    """

    heel_off: float
    flat: float


CLIP_STYLE = ClipStyleParameters()
DETECTION_BIAS = {"walk": DetectionBias(0.2, 0.02), "run": DetectionBias(0.0, 0.04)}
CHEST_AND_ARM_ROWS = tuple(
    k for k, name in enumerate(ROWS) if name.startswith(("chest", "arm", "elbow"))
)
# Ranges of the numbers of a cycle that a body can follow.
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
# Ranges of the duty of a foot.
WALK_DUTY_RANGE = (0.53, 0.8)
RUN_DUTY_RANGE = (0.15, 0.47)


def build_clip_style(analysis: GaitAnalysis) -> Style:
    """Return the style of a clip, for speeds from standing to beyond twice its speed."""
    natural = load_builtin_style("natural")
    speed = analysis.speed / analysis.unit_speed
    is_walk = analysis.gait == "walk"
    base = load_builtin_style(analysis.gait)
    change_speed = (
        max(natural.change_speed, CLIP_STYLE.gait_change_margin * speed)
        if is_walk
        else min(natural.change_speed, speed / CLIP_STYLE.gait_change_margin)
    )
    builtin_cycle = base.cycle_at(speed)
    clip_cycle = _build_clip_cycle(analysis, builtin_cycle, speed)
    # A limping body lurches, so both feet sweep less than it moves: a fifth in the built-in limp
    if analysis.asymmetry is None:
        clip_cycle = _fit_to_legs(clip_cycle, is_walk)
    extrapolation = _Extrapolation(
        base,
        builtin_cycle,
        clip_cycle,
        change_speed=change_speed,
        is_walk=is_walk,
    )
    cycles = [*extrapolation.list_cycles(), *extrapolation.list_other_gait_cycles()]
    return Style(
        analysis.name,
        speed,
        (f"the clip {analysis.name}", *base.sources),
        cycles=_drop_duplicates(cycles),
        change_speed=change_speed,
    )


def _drop_duplicates(cycles: list[Cycle]) -> tuple[Cycle, ...]:
    """Return cycles in order of speed without those of almost equal speed."""
    distinct_cycles: list[Cycle] = []
    for cycle in sorted(cycles, key=lambda c: c.speed):
        if not distinct_cycles or cycle.speed > distinct_cycles[-1].speed + 1e-3:
            distinct_cycles.append(cycle)
    return tuple(distinct_cycles)


@dataclass(frozen=True)
class _Extrapolation:
    """Extrapolation of one cycle of a clip.

    Args:
        base: built-in style of the gait of the clip.
        builtin_cycle: its cycle at the speed of the clip.
        clip_cycle: cycle of the clip.
        change_speed: speed of the change of gait [sqrt(g l)].
        is_walk: whether the clip is a walk.
    """

    base: Style
    builtin_cycle: Cycle
    clip_cycle: Cycle
    change_speed: float
    is_walk: bool

    @property
    def _edge_speed(self) -> float:
        """Speed of the gait of the clip at the change of gait."""
        return self.change_speed - CLIP_STYLE.gait_change_gap if self.is_walk else self.change_speed

    def list_cycles(self) -> list[Cycle]:
        """Return the cycles of the gait of the clip."""
        speed = self.clip_cycle.speed
        cycles = [
            self.clip_cycle if m == 1.0 else self._transfer_difference(m * speed)
            for m in CLIP_STYLE.speed_multiples
            if (m * speed < self.change_speed) == self.is_walk
        ]
        return [*cycles, self._transfer_difference(self._edge_speed)]

    def list_other_gait_cycles(self) -> list[Cycle]:
        """Return the cycles of the other gait."""
        other_gait = load_builtin_style("run" if self.is_walk else "walk")
        speeds = [
            v
            for v in (c.speed for c in other_gait.cycles)
            if (v > self.change_speed) == self.is_walk
        ]
        speeds.append(
            self.change_speed if self.is_walk else self.change_speed - CLIP_STYLE.gait_change_gap
        )
        return [self._transfer_posture(other_gait.cycle_at(v), v) for v in speeds]

    def _transfer_difference(self, speed: float) -> Cycle:
        """Return the built-in gait at a speed with the difference of the clip."""
        target_cycle = self.base.cycle_at(speed)
        builtin_cycle = self.builtin_cycle
        clip_cycle = self.clip_cycle
        gain = float(
            np.clip(
                target_cycle.stride / builtin_cycle.stride,
                CLIP_STYLE.min_gain,
                CLIP_STYLE.max_gain,
            )
        )
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
        # The difference of the stride shrinks where strides are long, since legs reach no farther.
        stride = target_cycle.stride * (clip_cycle.stride / builtin_cycle.stride) ** min(
            1.0, 1 / gain**2
        )
        return _clip_to_limits(
            replace(target_cycle, speed=speed, stride=stride, curves=curves, **numbers),
            self.is_walk,
        )

    def _transfer_posture(self, target_cycle: Cycle, speed: float) -> Cycle:
        """Return a cycle of the other gait with the posture of chest and arms of the clip."""
        curves = target_cycle.curves.copy()
        rows = list(CHEST_AND_ARM_ROWS)
        curves[rows, 0] += (
            CLIP_STYLE.other_gait_posture_share
            * (self.clip_cycle.curves - self.builtin_cycle.curves)[rows, 0]
        )
        return replace(target_cycle, speed=speed, curves=curves)


def _build_clip_cycle(analysis: GaitAnalysis, builtin_cycle: Cycle, speed: float) -> Cycle:
    """Return the cycle of the clip.

    Args:
        builtin_cycle: cycle of the built-in gait at the same speed.
        speed: speed of the clip [sqrt(g l)].
    """
    leg_length = analysis.leg_length
    bias = DETECTION_BIAS[analysis.gait]
    numbers: dict[str, Any] = {
        "duty": analysis.duty,
        "heel_off": analysis.heel_off - bias.heel_off,
        "flat": analysis.flat + bias.flat,
        "strike_pitch": analysis.strike_pitch,
        "toe_off_pitch": analysis.toe_off_pitch,
        "sway": analysis.sway / leg_length,
        "behind": analysis.foot_offset / leg_length,
        "width": analysis.step_width / max(analysis.hip_width, 1e-6),
        "toe_out": analysis.toe_out,
    }
    if analysis.asymmetry is not None:
        # The duty of a cycle is that of the left foot.
        numbers |= {"duty": numbers["duty"] - 0.5 * analysis.asymmetry.contact_excess}
        # The hip drop is 0, since it follows from the curves of the legs.
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


def _fit_to_legs(cycle: Cycle, is_walk: bool) -> Cycle:
    """Return a cycle whose feet stand still on the built-in body, as those of built-in styles do.

    The built-in body has other proportions than the person of the clip. Its feet are as far behind
    its center of mass as its legs place them, and its stride is shortened toward the sweep of its
    legs; with the stride of the clip the hips of a brisk walk rode 3 % of the leg too low
    (test_clip_legs.py).
    """
    sweep = measure_foot_sweep(KinematicModel(load_builtin("humanoid")), cycle)
    stride_ratio = np.clip(sweep.stride / cycle.stride, 1 - CLIP_STYLE.max_stride_reduction, 1.0)
    return _clip_to_limits(
        replace(cycle, stride=float(stride_ratio) * cycle.stride, behind=sweep.behind), is_walk
    )


def _compute_coefficients(analysis: GaitAnalysis, builtin_cycle: Cycle) -> Coefficients:
    """Return the Fourier series of the curves, (len(ROWS), HARMONICS + 1).

    Limbs have separate curves, the trunk has the mean of both sides, and missing curves are those
    of the built-in gait.
    """

    def fit_series(name: str, row: Array) -> Coefficients:
        return fit_fourier(row) if np.isfinite(row).all() else builtin_cycle.get_curve(name)

    left, right = analysis.curves
    leg_rows = [CURVES.index(name) for name in ("thigh", "knee")]
    if (
        analysis.asymmetry is None
        and np.sqrt(np.mean((left[leg_rows] - right[leg_rows]) ** 2))
        > CLIP_STYLE.uneven_ground_difference
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


def _clip_to_limits(cycle: Cycle, is_walk: bool) -> Cycle:
    """Return a cycle whose numbers are in the ranges that a body can follow."""
    numbers: dict[str, Any] = {
        name: float(np.clip(getattr(cycle, name), *bounds))
        for name, bounds in NUMBER_LIMITS.items()
    }
    duty_range = WALK_DUTY_RANGE if is_walk else RUN_DUTY_RANGE
    numbers["duty"] = float(np.clip(numbers["duty"], *duty_range))
    numbers["flat"] = min(numbers["flat"], numbers["heel_off"] - CLIP_STYLE.min_flat_share)
    numbers["right_longer"] = (
        float(np.clip(numbers["duty"] + cycle.right_longer, *duty_range)) - numbers["duty"]
    )
    return replace(
        cycle,
        right_later=float(
            np.clip(cycle.right_later, -CLIP_STYLE.max_contact_delay, CLIP_STYLE.max_contact_delay)
        ),
        **numbers,
    )
