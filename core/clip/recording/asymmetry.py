"""Detection of a limp: legs that differ by more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from ..style.style import CURVES, LEG_CURVES
from .actor import FPS, Actor
from .angles import compute_cycle_angles
from .contacts import Feet, FootContact
from .strides import STRIDE, Stride, compute_facing

Array = NDArray[np.float64]


@dataclass(frozen=True)
class AsymmetryParameters:
    """Limits of the difference between the sides.

    The normal differences are those of single strides of healthy people. Taken together they are
    0.3 to 0.7 in five recordings of healthy people, at most 1.01 in 181 further ones where they are
    significant, and 1.3 in the built-in limp.
    """

    # Turn in a stride above which its sides are not compared: the outer leg has a longer path.
    max_turn: float = float(np.radians(10))
    # Change of height of the hips in a stride above which its sides are not compared [leg lengths],
    # 5 cm: one leg steps up or down.
    max_rise: float = 0.06
    # Largest angle between the facing of the hips and the path, above which its sides are not
    # compared [rad]: the legs of a body that walks askew cross.
    max_facing_error: float = float(np.radians(15))
    # Standard deviation of the difference in a single regular stride. It matters where few strides
    # show how much they differ.
    regular_deviation: float = 0.3
    # Growth of this deviation with the irregularity. Tuned: at a third,
    # cmu_131_01_start_walk_stop_m limps.
    irregular_deviation: float = 0.2
    # The four normal differences are tuned with the recordings named above: halved, the hips or the
    # angles of cmu_131_01_start_walk_stop_m limp; all doubled, the built-in limp has 0.65 and is
    # none.
    normal_contact_excess: float = 0.04  # Normal difference of the contact [share of the cycle]
    normal_contact_delay: float = 0.03  # Normal delay of the contact [share of the cycle]
    normal_hip_drop: float = 0.02  # Normal difference of the height of the hips [leg lengths]
    normal_angle: float = 6.0  # Normal RMS difference of the curves of the legs [degrees]
    # Smallest difference that counts, between those of healthy people and that of the built-in limp
    min_magnitude: float = 1.1
    # Smallest ratio of a difference to its standard error over strides, so that chance has more in
    # 1 of 20 clips.
    min_significance: float = 2.0
    # Least magnitude of contacts and hips in a clip with a single stride, as loops of games have,
    # without which unlike legs are the animator's hand.
    min_single_magnitude: float = 0.6
    # RMS difference of the leg curves half a stride apart below which the legs mirror each other
    # [degrees]: contacts that differ were then detected unlike. Tuned: 9.7 in the built-in limp, 3
    # to 7 in single strides of healthy people whose contacts differ as much.
    min_mirrored_angle: float = 7.5
    # Fewest strides of a clip that is no loop; what one stride shows is no habit.
    min_strides: int = 2


ASYMMETRY = AsymmetryParameters()


@dataclass(frozen=True)
class Asymmetry:
    """Difference of the right side of a clip from its left side.

    Args:
        contact_excess: additional duration of the contact of the right foot [share of the cycle].
        contact_delay: delay of that contact after the middle between contacts of the left foot
            [share of the cycle].
        hip_drop: additional drop of the hips over the right foot [leg lengths].
    """

    contact_excess: float
    contact_delay: float
    hip_drop: float

    @property
    def summary(self) -> str:
        """Description for users."""
        if abs(self.contact_excess) < 0.5 * ASYMMETRY.normal_contact_excess:
            return "its legs differ by more than chance, and each keeps its curves"
        side, other = ("right", "left") if self.contact_excess < 0 else ("left", "right")
        return (
            f"it limps: the {side} foot is on the ground for {100 * abs(self.contact_excess):.0f} "
            f"% of the stride less than the {other} one; each leg keeps its curves"
        )


@dataclass(frozen=True)
class _SideDifference:
    """Difference of the sides in one stride.

    Args:
        numbers: (3,) fields of `Asymmetry`.
        curves: (samples,) curves of the right leg minus those of the left leg [degrees].
        mirrored_curves: (samples,) the same half a stride apart [degrees].
    """

    numbers: Array
    curves: Array
    mirrored_curves: Array


def detect_asymmetry(
    actor: Actor, feet: Feet, strides: Sequence[Stride], distinct_count: float | None = None
) -> Asymmetry | None:
    """Return the difference between the sides.

    None is returned if the sides differ by no more than those of healthy people, or by no more than
    the strides differ among each other.

    Args:
        distinct_count: number of strides that are no copies of others; None if all are. Strides
            that start left and right overlap by half, so they count half.
    """
    evidence = _compare_sides(actor, feet, strides)
    if len(evidence) < (ASYMMETRY.min_strides if distinct_count is None else 1):
        return None
    mirrored_curves = np.mean([difference.mirrored_curves for difference, _ in evidence], axis=0)
    if float(np.sqrt(np.square(mirrored_curves).mean())) < ASYMMETRY.min_mirrored_angle:
        return None
    numbers = np.array([difference.numbers for difference, _ in evidence])
    curves = np.stack([difference.curves for difference, _ in evidence])
    stride_time = float(np.mean([stride.end - stride.begin for _, stride in evidence])) / FPS
    resolution = actor.sample_time / stride_time  # Differences of less than a frame are rounding.
    normal_numbers = (
        float(np.hypot(ASYMMETRY.normal_contact_excess, resolution)),
        float(np.hypot(ASYMMETRY.normal_contact_delay, resolution)),
        ASYMMETRY.normal_hip_drop,
    )
    normalized = np.concatenate(
        [numbers / normal_numbers, curves / (ASYMMETRY.normal_angle * np.sqrt(curves.shape[1]))],
        axis=1,
    ) / np.sqrt(len(normal_numbers) + 1)
    count = max(0.5 * len(normalized), 1.0) if distinct_count is None else distinct_count
    variance = _estimate_variance(normalized, [stride.irregularity for _, stride in evidence])
    mean = normalized.mean(0)
    magnitude = float(np.linalg.norm(mean))
    magnitude_of_numbers = float(np.linalg.norm(mean[: len(normal_numbers)]))
    is_drawn = distinct_count == 1.0 and magnitude_of_numbers < ASYMMETRY.min_single_magnitude
    error = float(np.sqrt(variance / count))
    if is_drawn or magnitude < max(ASYMMETRY.min_magnitude, ASYMMETRY.min_significance * error):
        return None
    contact_excess, contact_delay, hip_drop = (float(v) for v in numbers.mean(0))
    return Asymmetry(
        contact_excess if abs(contact_excess) > resolution else 0.0,
        contact_delay if abs(contact_delay) > resolution else 0.0,
        hip_drop,
    )


def _compare_sides(
    actor: Actor, feet: Feet, strides: Sequence[Stride]
) -> list[tuple[_SideDifference, Stride]]:
    """Return the differences of the sides in strides in which both legs have the same task."""
    facing = compute_facing(actor)
    return [
        (difference, stride)
        for stride in strides
        if stride.irregularity < STRIDE.max_steady_irregularity
        and _is_straight_and_level(actor, stride, facing)
        and (difference := _compute_difference(actor, feet, stride)) is not None
    ]


def _is_straight_and_level(actor: Actor, stride: Stride, facing: Array) -> bool:
    """Return whether both legs have the same task in a stride.

    Args:
        facing: (n,) facing of the hips [rad].
    """
    turn = float(stride.heading[-1] - stride.heading[0])
    rise = float((actor.hips[stride.end] - actor.hips[stride.begin])[:, 2].mean())
    error = float(so3.wrap_angle(facing[stride.begin : stride.end].mean() - stride.heading.mean()))
    return (
        abs(turn) < ASYMMETRY.max_turn
        and abs(rise) < ASYMMETRY.max_rise * actor.leg_length
        and abs(error) < ASYMMETRY.max_facing_error
    )


def _estimate_variance(normalized: Array, irregularities: Sequence[float]) -> float:
    """Return the variance of the normalized difference of single strides.

    It is that among the strides, at least that of strides of healthy people.

    Args:
        normalized: (strides, k) differences.
        irregularities: of the strides.
    """
    deviations = ASYMMETRY.regular_deviation + ASYMMETRY.irregular_deviation * np.array(
        irregularities
    )
    normal = float(np.square(deviations).mean())
    if len(normalized) < 2:
        return normal
    spread = float(np.square(normalized - normalized.mean(0)).sum()) / (len(normalized) - 1)
    return max(normal, spread)


def _compute_difference(actor: Actor, feet: Feet, stride: Stride) -> _SideDifference | None:
    """Return the difference of the sides in one stride.

    None is returned if one of its contacts is not completely in the clip.
    """
    stride_time = (stride.end - stride.begin) / FPS
    nearby_contacts = [
        s
        for s in feet.contacts
        if s.is_complete
        and abs(s.strike * FPS - 0.5 * (stride.begin + stride.end)) < 0.6 * stride_time * FPS
    ]
    side_contacts = [[s for s in nearby_contacts if s.side == side] for side in (0, 1)]
    strike_frames = (
        (stride.begin, stride.other_strike)
        if stride.side == 0
        else (stride.other_strike, stride.begin)
    )
    first, second = (
        next((s for s in contacts if abs(s.strike * FPS - frame) < 2), None)
        for contacts, frame in zip(side_contacts, strike_frames, strict=True)
    )
    if first is None or second is None:
        return None
    left, right = (
        (float(np.mean([s.lift - s.strike for s in contacts])) / stride_time)
        for contacts in side_contacts
    )
    contact_delay = (second.time - first.time) / stride_time % 1.0 - 0.5
    hip_heights = [
        float(np.mean([measure_hip_height(actor, s) for s in contacts]))
        for contacts in side_contacts
    ]
    hip_drop = (hip_heights[0] - hip_heights[1]) / actor.leg_length
    half = 0.5 * (stride.end - stride.begin)
    left_frame = strike_frames[0]
    right_frame = left_frame + (half if stride.side == 0 else -half)
    return _SideDifference(
        np.array([right - left, contact_delay, hip_drop]),
        _compare_leg_curves(actor, feet, stride, strike_frames),
        _compare_leg_curves(actor, feet, stride, (left_frame, right_frame)),
    )


def _compare_leg_curves(
    actor: Actor, feet: Feet, stride: Stride, strike_frames: tuple[float, float]
) -> Array:
    """Return the curves of the right leg minus those of the left leg, (samples,) [degrees]."""
    strikes = [(frame - stride.begin) / (stride.end - stride.begin) for frame in strike_frames]
    curves = np.degrees(
        compute_cycle_angles(
            actor,
            feet,
            stride.begin,
            end=stride.end,
            heading=stride.heading,
            strikes=(strikes[0], strikes[1]),
        )
    )
    leg_rows = [CURVES.index(name) for name in LEG_CURVES]
    return np.asarray((curves[1, leg_rows] - curves[0, leg_rows]).ravel())


def measure_hip_height(actor: Actor, contact: FootContact) -> float:
    """Return the height of the hip over the ankle in the middle of a contact [m]."""
    k = min(round(contact.time * FPS), actor.frames - 1)
    return float((actor.hips - actor.ankles)[k, contact.side, 2])
