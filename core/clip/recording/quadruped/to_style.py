"""Style of a clip of a four-legged body, in multiples and shares that fit bodies of any build."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...style.quadruped_defaults import predict_bounce, predict_foot_lift
from ...style.quadruped_style import CURVES, NUMBER_RANGES, PREFERRED_SPEED_RANGE, QuadrupedStyle
from ...style.style import fit_fourier
from .gait_analysis import QuadrupedGaitAnalysis

Array = NDArray[np.float64]

# Gait under which a gait without rules of its footfalls is kept, by the name of the latter.
GAIT_ALIASES = {"diagonal walk": "walk", "diagonal amble": "amble"}


@dataclass(frozen=True)
class QuadrupedClipParameters:
    """Limits of the numbers and curves that are taken from a clip."""

    # Angle of a neck or tail to the horizontal below which its carriage is not expressed as a
    # share of that angle [degrees]; a share of a small angle would be of any size.
    min_rise: float = 10.0
    # Usual bounce below which the ratio to it is undefined [hip heights], likewise.
    min_bounce: float = 0.01
    # Range of the multiple of the bounce. Legs that are extended as the body rises reach no higher
    # than usual.
    min_bounce_ratio: float = 0.3
    max_bounce_ratio: float = 1.0
    max_curve_angle: float = 80.0  # Largest angle of a curve, which its file accepts [degrees]
    # Smallest range or mean of a curve [degrees], which is not visible without it
    min_curve_amplitude: float = 0.25


QUADRUPED_CLIP = QuadrupedClipParameters()


@dataclass(frozen=True)
class _LevelShare:
    """A curve split into a share of the angle to the horizontal and a remainder.

    Args:
        share: share of the angle from the rest pose to the horizontal.
        samples: (n,) remainder [degrees].
    """

    share: float
    samples: Array


def build_quadruped_clip_style(analysis: QuadrupedGaitAnalysis) -> QuadrupedStyle:
    """Return the style of a clip of a four-legged body."""
    speed = analysis.speed / analysis.unit_speed
    numbers = _compute_numbers(analysis)
    curves: dict[str, Any] = {}
    for name in CURVES:
        samples = analysis.curves[name]
        if not np.isfinite(samples).all():
            continue
        if name in ("neck", "tail"):
            level = _split_level_share(
                samples, analysis.neck_rise if name == "neck" else analysis.tail_rise
            )
            samples = level.samples
            numbers[f"{name}_level"] = level.share
        samples = np.clip(samples, -QUADRUPED_CLIP.max_curve_angle, QUADRUPED_CLIP.max_curve_angle)
        if max(np.ptp(samples), abs(samples.mean())) > QUADRUPED_CLIP.min_curve_amplitude:
            curves[name] = fit_fourier(samples)
    clipped_numbers: dict[str, Any] = {
        name: float(np.clip(value, *NUMBER_RANGES[name])) for name, value in numbers.items()
    }
    if not has_curve(analysis, "neck"):
        clipped_numbers.pop("head_steady")
    right_hind, left_fore, right_fore = (float(p) for p in analysis.phases[1:])
    return QuadrupedStyle(
        analysis.name,
        float(np.clip(speed, *PREFERRED_SPEED_RANGE)),
        GAIT_ALIASES.get(analysis.gait, analysis.gait),
        about=f"As {analysis.name} shows",
        sources=(f"the clip {analysis.name}",),
        phases=(right_hind, left_fore, right_fore),
        **clipped_numbers,
        **curves,
    )


def _compute_numbers(analysis: QuadrupedGaitAnalysis) -> dict[str, float]:
    """Return the numbers of the style, before they are clipped to their ranges."""
    return {
        "duty": analysis.duty,
        "quick": analysis.stride_rate_ratio,
        "crouch": analysis.crouch / analysis.hip_height,
        "bounce": _compute_bounce_ratio(analysis),
        "head_steady": 1.0,
        "tail_late": 0.0,
        "lift": analysis.lift
        / (
            float(predict_foot_lift(analysis.stride_length / analysis.hip_height))
            * analysis.hip_height
        ),
    }


def has_curve(analysis: QuadrupedGaitAnalysis, curve: str) -> bool:
    """Return whether the body of a clip has the part that a curve moves."""
    return bool(np.isfinite(analysis.curves[curve]).all())


def _compute_bounce_ratio(analysis: QuadrupedGaitAnalysis) -> float:
    """Return the bounce as a multiple of the usual one at the same phases and duty."""
    typical_bounce = predict_bounce(
        analysis.phases, analysis.duty, analysis.stride_time / analysis.unit_time
    )
    if typical_bounce < QUADRUPED_CLIP.min_bounce:
        return 1.0
    return float(
        np.clip(
            analysis.bounce / analysis.hip_height / typical_bounce,
            QUADRUPED_CLIP.min_bounce_ratio,
            QUADRUPED_CLIP.max_bounce_ratio,
        )
    )


def _split_level_share(samples: Array, rise: float) -> _LevelShare:
    """Return the mean of a curve as a share of the angle to the horizontal, and the remainder.

    A carriage nearer to the horizontal is expressed as a share, since that angle differs between
    bodies. A carriage farther from it is expressed in degrees.

    Args:
        samples: (n,) curve [degrees].
        rise: angle to the horizontal in the rest pose [degrees].
    """
    if abs(rise) < QUADRUPED_CLIP.min_rise:
        return _LevelShare(0.0, samples)
    share = -float(samples.mean()) / rise
    if share <= 0:
        return _LevelShare(0.0, samples)
    return _LevelShare(min(share, NUMBER_RANGES["neck_level"][1]), samples - samples.mean())
