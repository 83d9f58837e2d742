"""A style for four legs from what a clip shows: all that is its own, as multiples and shares that fit bodies of any build."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...style.quadruped_defaults import usual_bounce, usual_lift
from ...style.quadruped_style import CURVES, NUMBERS, QuadrupedStyle
from ...style.style import fourier
from .gait_analysis import UnderstoodQuadruped

Array = NDArray[np.float64]

KEPT = {"diagonal walk": "walk", "diagonal amble": "amble"}      # gaits that bodies are held to by the name of another
LEAST_RISE = 10.0         # degrees that a neck or tail rises at least for its way to level to say something
LEAST_BOUNCE = 0.01       # hip heights below which a body goes level, and the multiple of its bounce says nothing
BOUNCES = (0.3, 1.0)      # multiples that are taken: legs that are stretched as the body rises reach no farther than usual
STEEPEST = 80.0           # degrees of a curve, for its file to take it
CALMEST = 0.25            # degrees that a curve moves by at least, to be told


def quadruped_shown(clip: UnderstoodQuadruped) -> QuadrupedStyle:
    """The style that a clip of a body on four legs shows."""
    speed = clip.speed / clip.unit_speed
    numbers: dict[str, float] = {
        "duty": clip.duty, "quick": clip.quick, "crouch": clip.crouch / clip.hip_height, "bounce": _bounce(clip),
        "head_steady": 1.0, "tail_late": 0.0,
        "lift": clip.lift / (float(usual_lift(clip.stride_length / clip.hip_height)) * clip.hip_height)}
    curves: dict[str, Any] = {}
    for name in CURVES:
        told = clip.curves[name]
        if not np.isfinite(told).all():
            continue
        if name in ("neck", "tail"):
            level, told = _to_level(told, clip.neck_rise if name == "neck" else clip.tail_rise)
            numbers[f"{name}_level"] = level
        told = np.clip(told, -STEEPEST, STEEPEST)
        if np.ptp(told) > CALMEST or abs(told.mean()) > CALMEST:
            curves[name] = fourier(told)
    sound: dict[str, Any] = {name: float(np.clip(value, *NUMBERS[name])) for name, value in numbers.items()}
    if not clip_has(clip, "neck"):
        sound.pop("head_steady")
    right_hind, left_fore, right_fore = (float(p) for p in clip.phases[1:])
    return QuadrupedStyle(clip.name, float(np.clip(speed, 0.05, 5.0)), KEPT.get(clip.gait, clip.gait), f"As {clip.name} shows",
                          (f"the clip {clip.name}",), phases=(right_hind, left_fore, right_fore), **sound, **curves)


def clip_has(clip: UnderstoodQuadruped, curve: str) -> bool:
    """Whether the body of a clip has what a curve tells of."""
    return bool(np.isfinite(clip.curves[curve]).all())


def _bounce(clip: UnderstoodQuadruped) -> float:
    usual = usual_bounce(clip.phases, clip.duty, clip.stride_time / clip.unit_time)
    if usual < LEAST_BOUNCE:
        return 1.0
    return float(np.clip(clip.bounce / clip.hip_height / usual, *BOUNCES))


def _to_level(told: Array, rise: float) -> tuple[float, Array]:
    """The mean of a curve as a share of the way to level, and what is left of it.

    What is carried nearer to level is told so, as other bodies have less of a way to go, or more; what is carried the other way, by
    degrees.
    """
    if abs(rise) < LEAST_RISE:
        return 0.0, told
    share = -float(told.mean()) / rise
    return (min(share, NUMBERS["neck_level"][1]), told - told.mean()) if share > 0 else (0.0, told)


