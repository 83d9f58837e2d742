"""The stride that represents a clip: regular in itself and typical of the other ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from ..style.style import CURVES
from .actor import FPS
from .angles import compute_cycle_angles
from .clip_strides import ClipStrides
from .strides import STRIDE, Stride, compute_facing

Array = NDArray[np.float64]

COMPARED_CURVES = ("thigh", "knee", "arm", "elbow")


@dataclass(frozen=True)
class StrideChoiceParameters:
    """Choice of a stride, and limits from which on it is doubtful."""

    # Differences from a typical stride that weigh as much as an irregularity of 1. People's strides
    # of one walk differ by about as much; with half of one of the three another stride of
    # bvhtoolbox_walk01 is chosen.
    time_scale: float = 0.05  # In the logarithm of the time
    length_scale: float = 0.08  # In the logarithm of the length
    curve_scale: float = 3.0  # In the curves of thighs, knees and arms [degrees]
    # Difference that the strides of a steady human walk have among each other, one scale of each of
    # the three, which decides nothing.
    normal_difference: float = 3.0
    # Parts of the irregularity from which on each is a doubt, 1.2 to 2.5 of the scales of
    # `RecordedStrideParameters`.
    max_rise: float = 0.06  # Change of the height of the hips [leg lengths]
    max_turn: float = float(np.radians(12))
    max_speed_change: float = 0.2  # Relative difference of both halves
    # Angle between the facing of the hips and the path from which on a body walks askew [rad]
    max_facing_error: float = float(np.radians(15))


CHOICE = StrideChoiceParameters()


@dataclass(frozen=True)
class StrideChoice:
    """The stride that represents a clip.

    Args:
        stride: the stride.
        doubts: reasons for which it may not represent the gait, for users; empty if there are none.
    """

    stride: Stride
    doubts: tuple[str, ...]


def choose_stride(clip: ClipStrides) -> StrideChoice:
    """Return the most regular and most typical stride of a clip."""
    strides = clip.strides
    differences = _compare_strides(clip, strides)
    costs = [
        stride.irregularity + max(0.0, difference - CHOICE.normal_difference)
        for stride, difference in zip(strides, differences, strict=True)
    ]
    best = int(np.argmin(costs))
    return StrideChoice(strides[best], tuple(_list_doubts(clip, strides[best], differences[best])))


def _compare_strides(clip: ClipStrides, strides: Sequence[Stride]) -> Array:
    """Return how far each stride is from a typical one, (strides,).

    A typical stride has the medians of all strides, in which regular ones have a larger weight.
    Of two strides neither is typical.
    """
    if len(strides) < 3:
        return np.zeros(len(strides))
    weights = np.array([1 / (1 + stride.irregularity) for stride in strides])
    hips = clip.actor.hips.mean(1)[:, :2]
    times = np.array([stride.end - stride.begin for stride in strides], float)
    lengths = np.array([np.linalg.norm(hips[s.end] - hips[s.begin]) for s in strides])
    curves = np.stack([_compute_curves(clip, stride) for stride in strides])
    typical = np.stack(
        [_compute_weighted_median(column, weights) for column in curves.reshape(len(strides), -1).T]
    ).reshape(curves.shape[1:])
    curve_differences = np.sqrt(np.square(curves - typical).mean((1, 2)))
    return np.asarray(
        np.abs(np.log(times / _compute_weighted_median(times, weights))) / CHOICE.time_scale
        + np.abs(np.log(lengths / _compute_weighted_median(lengths, weights))) / CHOICE.length_scale
        + curve_differences / CHOICE.curve_scale
    )


def _compute_curves(clip: ClipStrides, stride: Stride) -> Array:
    """Return the compared curves of both sides from the strikes of their feet, (k, n) [degrees]."""
    strike = (stride.other_strike - stride.begin) / (stride.end - stride.begin)
    curves = compute_cycle_angles(
        clip.actor,
        clip.feet,
        stride.begin,
        end=stride.end,
        heading=stride.heading,
        strikes=(0.0, strike) if stride.side == 0 else (strike, 0.0),
    )
    rows = curves[:, [CURVES.index(name) for name in COMPARED_CURVES]]
    return np.degrees(np.nan_to_num(rows.reshape(-1, rows.shape[-1])))


def _compute_weighted_median(values: Array, weights: Array) -> float:
    order = np.argsort(values)
    cumulative = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(cumulative, 0.5 * cumulative[-1])])


def _list_doubts(clip: ClipStrides, stride: Stride, difference: float) -> list[str]:
    """Return why a stride may not represent the gait of a clip."""
    doubts = []
    causes = _list_irregularities(clip, stride)
    if stride.irregularity > STRIDE.max_steady_irregularity and not causes:
        causes = ["it does not end as it began"]
    if causes:
        doubts.append(f"the best stride is not regular: {', '.join(causes)}")
    if difference > STRIDE.max_steady_irregularity:
        doubts.append("its strides differ from one another")
    if clip.loop is None and len(clip.strides) == 1:
        doubts.append("it is the only whole stride")
    return doubts


def _list_irregularities(clip: ClipStrides, stride: Stride) -> list[str]:
    """Return what the body does in a stride beside its gait."""
    hips = clip.actor.hips.mean(1)
    begin = stride.begin
    end = stride.end
    middle = (begin + end) // 2
    first, second = (
        float(np.linalg.norm((hips[j] - hips[k])[:2])) / (j - k) * FPS
        for j, k in ((middle, begin), (end, middle))
    )
    change = 2 * (second - first) / max(first + second, 1e-9)
    turn = float(stride.heading[-1] - stride.heading[0])
    rise = float(hips[end, 2] - hips[begin, 2])
    facing = compute_facing(clip.actor)[begin:end]
    error = float(so3.wrap_angle(facing.mean() - stride.heading.mean()))
    causes = []
    if abs(error) > CHOICE.max_facing_error:
        side = "left" if error > 0 else "right"
        causes.append(f"the body faces {np.degrees(abs(error)):.0f} degrees {side} of its path")
    if abs(rise) > CHOICE.max_rise * clip.actor.leg_length:
        verb = "climbs" if rise > 0 else "sinks"
        causes.append(f"the body {verb} by {100 * abs(rise):.0f} cm")
    if abs(turn) > CHOICE.max_turn:
        side = "left" if turn > 0 else "right"
        causes.append(f"the body turns to the {side} by {np.degrees(abs(turn)):.0f} degrees")
    if abs(change) > CHOICE.max_speed_change:
        causes.append(f"the body gets {'faster' if change > 0 else 'slower'}")
    return causes
