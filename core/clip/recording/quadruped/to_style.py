"""A style for four legs from what a clip shows: all that is its own, as multiples and shares that
fit bodies of any build.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...style.quadruped_defaults import predict_bounce, predict_foot_lift
from ...style.quadruped_style import CURVES, NUMBER_RANGES, QuadrupedStyle
from ...style.style import fit_fourier
from .gait_analysis import QuadrupedGaitAnalysis

Array = NDArray[np.float64]

# gaits that bodies are held to by the name of another
GAIT_ALIASES = {"diagonal walk": "walk", "diagonal amble": "amble"}
MIN_RISE = 10.0  # degrees that a neck or tail rises at least for its way to level to say something
# hip heights below which a body goes level, and the multiple of its bounce says nothing
MIN_BOUNCE = 0.01
# multiples that are taken: legs that are stretched as the body rises reach no farther than usual
BOUNCE_RANGE = (0.3, 1.0)
MAX_CURVE_ANGLE = 80.0  # degrees of a curve, for its file to take it
MIN_CURVE_AMPLITUDE = 0.25  # degrees that a curve moves by at least, to be told


def build_quadruped_clip_style(analysis: QuadrupedGaitAnalysis) -> QuadrupedStyle:
    """The style that a clip of a body on four legs shows."""
    speed = analysis.speed / analysis.unit_speed
    numbers: dict[str, float] = {
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
    curves: dict[str, Any] = {}
    for name in CURVES:
        samples = analysis.curves[name]
        if not np.isfinite(samples).all():
            continue
        if name in ("neck", "tail"):
            level, samples = _split_level_share(
                samples, analysis.neck_rise if name == "neck" else analysis.tail_rise
            )
            numbers[f"{name}_level"] = level
        samples = np.clip(samples, -MAX_CURVE_ANGLE, MAX_CURVE_ANGLE)
        if np.ptp(samples) > MIN_CURVE_AMPLITUDE or abs(samples.mean()) > MIN_CURVE_AMPLITUDE:
            curves[name] = fit_fourier(samples)
    clipped_numbers: dict[str, Any] = {
        name: float(np.clip(value, *NUMBER_RANGES[name])) for name, value in numbers.items()
    }
    if not has_curve(analysis, "neck"):
        clipped_numbers.pop("head_steady")
    right_hind, left_fore, right_fore = (float(p) for p in analysis.phases[1:])
    return QuadrupedStyle(
        analysis.name,
        float(np.clip(speed, 0.05, 5.0)),
        GAIT_ALIASES.get(analysis.gait, analysis.gait),
        about=f"As {analysis.name} shows",
        sources=(f"the clip {analysis.name}",),
        phases=(right_hind, left_fore, right_fore),
        **clipped_numbers,
        **curves,
    )


def has_curve(analysis: QuadrupedGaitAnalysis, curve: str) -> bool:
    """Whether the body of a clip has what a curve tells of."""
    return bool(np.isfinite(analysis.curves[curve]).all())


def _compute_bounce_ratio(analysis: QuadrupedGaitAnalysis) -> float:
    typical_bounce = predict_bounce(
        analysis.phases, analysis.duty, analysis.stride_time / analysis.unit_time
    )
    if typical_bounce < MIN_BOUNCE:
        return 1.0
    return float(np.clip(analysis.bounce / analysis.hip_height / typical_bounce, *BOUNCE_RANGE))


def _split_level_share(samples: Array, rise: float) -> tuple[float, Array]:
    """The mean of a curve as a share of the way to level, and what is left of it.

    What is carried nearer to level is told so, as other bodies have less of a way to go, or more;
    what is carried the other way, by degrees.
    """
    if abs(rise) < MIN_RISE:
        return 0.0, samples
    share = -float(samples.mean()) / rise
    return (
        (min(share, NUMBER_RANGES["neck_level"][1]), samples - samples.mean())
        if share > 0
        else (0.0, samples)
    )
