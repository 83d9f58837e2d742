"""Footfalls of any number of legs along a path: where and when each foot comes down and lifts.

Strides follow each other at the rate of the gait law for the current speed. Lags and duty of each
stride are those of the law, with a limit on their change from stride to stride, so that gaits
blend; a least-squares fit then adjusts all contacts together. A standing body has its feet under
its hips, lifts them in the order of its gait and comes to rest with them under its hips again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..course.progress import PathProgress, TimeSpan
from ..gait.gait_law import FroudeGaitLaw
from ..gait.gait_names import name_gait
from ..gait.rhythm import Rhythm
from .stride_fit import StrideProblem, fit_strides

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FootfallParameters:
    """How footfalls follow each other."""

    max_lag_change: float = 0.08  # Largest change of the lag of a leg per stride [strides].
    max_duty_change: float = 0.06  # Largest change of the duty factor per stride.
    min_swing_share: float = 0.8  # Least duration of a swing, as a share of the usual one.
    # Speed below which a body counts as standing at the first time, v / sqrt(g h).
    min_moving_speed: float = 0.02
    # Distance of a standing foot from its hip within which it needs no step [hip heights].
    stance_tolerance: float = 0.06
    # Lag above which a leg of a body that starts moving steps with the first leg instead of a
    # stride later.
    start_wrap_lag: float = 0.85


FOOTFALLS = FootfallParameters()


@dataclass(frozen=True)
class Footfall:
    """One contact of one foot.

    Args:
        leg: leg of the foot.
        stride_index: number of the stride, counted alike for all legs; negative before the first
            time.
        touch_down: [s]; minus infinity if the foot stands from the beginning.
        lift_off: [s]; infinity if the foot stands to the end.
        body_distance: distance of the middle of the body along the path when the hip is over the
            foot [m].
        foot_distance: distance of the foot along the path [m].
        mid_contact_time: time at which the hip is over the foot; one of these times for a standing
            foot [s].
    """

    leg: int
    stride_index: int
    touch_down: float
    lift_off: float
    body_distance: float
    foot_distance: float
    mid_contact_time: float

    @property
    def duration(self) -> float:
        """Duration of the contact [s]."""
        return self.lift_off - self.touch_down


@dataclass(frozen=True)
class StrideSequence:
    """The strides of one span of motion.

    Args:
        first_index: number of the first stride.
        rhythms: desired rhythm of each stride, within the limits of change.
        mid_contact_times: (strides, legs) middles of the contacts [s].
        duty: (strides, legs) share of the stride for which each foot is down.
        start_time: time at which the body starts moving [s].
        end_time: time at which it stands again [s]; infinity if it moves on past the end.
    """

    first_index: int
    rhythms: tuple[Rhythm, ...]
    mid_contact_times: Array
    duty: Array
    start_time: float
    end_time: float

    @property
    def phases(self) -> Array:
        """Lag of each leg after the first leg of the rear row, unwrapped. (strides - 1, legs)
        [strides].
        """
        reference_leg = _find_reference_leg(self.rhythms[0])
        return (
            self.mid_contact_times[:-1] - self.mid_contact_times[:-1, reference_leg, None]
        ) / np.diff(self.mid_contact_times[:, reference_leg])[:, None]

    @property
    def gait_names(self) -> tuple[str, ...]:
        """Names of the resulting gaits, one per stride."""
        return tuple(
            name_gait(r.body, p % 1.0, r.duty)
            for r, p in zip(self.rhythms, self.phases, strict=False)
        )


@dataclass(frozen=True)
class FootfallPlan:
    """All footfalls, ordered by touch-down, and their strides."""

    footfalls: tuple[Footfall, ...]
    sequences: tuple[StrideSequence, ...]

    def leg_footfalls(self, leg: int) -> tuple[Footfall, ...]:
        """Return the footfalls of one leg, in order."""
        return tuple(f for f in self.footfalls if f.leg == leg)

    def gait_at(self, time: float) -> str:
        """Return the name of the gait at a time [s]; "stand" outside of the spans of motion."""
        for s in self.sequences:
            if s.start_time <= time < s.end_time:
                k = (
                    int(
                        np.searchsorted(
                            s.mid_contact_times[:, _find_reference_leg(s.rhythms[0])],
                            time,
                            side="right",
                        )
                    )
                    - 1
                )
                return s.gait_names[int(np.clip(k, 0, len(s.gait_names) - 1))]
        return "stand"


def plan_footfalls(
    law: FroudeGaitLaw, time: ArrayLike, distance: ArrayLike, starts_standing: bool = False
) -> FootfallPlan:
    """Return the footfalls of a body with a given motion along its path, and the one of each foot
    before.

    Args:
        time: (n,) rising times [s].
        distance: (n,) distances of the middle of the body along the path, not decreasing [m].
        starts_standing: whether the body stood before the first time. Otherwise it moved at a
            constant speed, with the first hind foot under its hip at that time.

    Raises:
        TaskError: times that do not rise, or distances that decrease.
    """
    progress = PathProgress.from_distances(law, time, distance, starts_standing)
    is_moving = (
        not starts_standing
        and float(progress.sample(progress.begin, "speed"))
        > FOOTFALLS.min_moving_speed * law.unit_speed
    )
    footfalls = [] if is_moving else _stand_square(law, progress)
    sequences: list[StrideSequence] = []
    for k, span in enumerate(progress.find_moving_spans(law)):
        next_index = 1 + max((f.stride_index for f in footfalls), default=0)
        sequence = _plan_strides(
            law, progress, span, is_moving=k == 0 and is_moving, first_index=next_index
        )
        contacts = _plan_contacts(law, progress, sequence)
        footfalls = _join_footfalls(footfalls, contacts, law, sequence)
        stride_count = 1 + max(f.stride_index for f in contacts) - sequence.first_index
        sequences.append(
            replace(
                sequence,
                rhythms=sequence.rhythms[:stride_count],
                mid_contact_times=sequence.mid_contact_times[:stride_count],
                duty=sequence.duty[:stride_count],
            )
        )
    last_touch_downs = {
        f.leg: f.touch_down
        for f in sorted(footfalls, key=lambda f: f.touch_down)
        if f.lift_off < progress.begin
    }
    relevant = [
        f
        for f in footfalls
        if f.touch_down <= progress.end
        and (f.lift_off >= progress.begin or f.touch_down == last_touch_downs[f.leg])
    ]
    return FootfallPlan(
        tuple(sorted(relevant, key=lambda f: (f.touch_down, f.mid_contact_time, f.leg))),
        tuple(sequences),
    )


def _find_reference_leg(rhythm: Rhythm) -> int:
    """Return the leg from which lags count."""
    body = rhythm.body
    return min(range(len(body.legs)), key=lambda k: (body.leg_rows[k], body.on_leading_side[k]))


def _stand_square(law: FroudeGaitLaw, progress: PathProgress) -> list[Footfall]:
    """Return the contacts of a body that stands with its feet under its hips."""
    distance = float(progress.sample(progress.begin, "distance"))
    return [
        Footfall(
            leg,
            0,
            -np.inf,
            lift_off=np.inf,
            body_distance=distance,
            foot_distance=distance + float(hip_offset),
            mid_contact_time=progress.begin,
        )
        for leg, hip_offset in enumerate(law.body.hip_offsets)
    ]


@dataclass(frozen=True)
class _StrideRange:
    """Numbers of the strides in a span of motion.

    Args:
        low: number of the first stride, counted from the start of the span.
        high: number of the last one.
        first_index: number of the first one in the whole plan.
        offset: strides of the progress at which stride 0 has its reference contact.
        lag_offsets: (legs,) whole strides by which the lag of each leg is shifted.
    """

    low: int
    high: int
    first_index: int
    offset: float
    lag_offsets: Array

    @property
    def strides(self) -> Array:
        """Strides of the progress at which each stride has its reference contact. (n,)."""
        return np.asarray(self.offset + np.arange(self.low, self.high + 1), float)


def _number_strides(
    law: FroudeGaitLaw, progress: PathProgress, span: TimeSpan, is_moving: bool, first_index: int
) -> _StrideRange:
    """Return the strides until all feet can have come to rest; arguments of `_plan_strides`."""
    rhythm = _first_rhythm(law, progress, span)
    wrapped_lags = rhythm.lags - np.floor(rhythm.lags + 1e-9)
    if is_moving:
        lead_in = 0.0
        low = -2
        first_index = -2
    else:
        wrapped_lags = np.where(
            wrapped_lags > FOOTFALLS.start_wrap_lag, wrapped_lags - 1, wrapped_lags
        )
        # A foot lifts 1 + lead_in strides before the middle of its contact
        lead_in = -0.5 * rhythm.duty
        low = 1
    offset = float(progress.sample(span.begin, "strides")) + lead_in
    end_strides = float(progress.sample(min(span.end, progress.end), "strides"))
    high = int(np.ceil(end_strides - offset)) + 2
    return _StrideRange(low, high, first_index, offset, wrapped_lags - rhythm.lags)


def _first_rhythm(law: FroudeGaitLaw, progress: PathProgress, span: TimeSpan) -> Rhythm:
    """Return the rhythm at the start of a span."""
    return law.rhythm_at(
        float(progress.sample(span.begin, "speed")),
        float(progress.sample(span.begin, "cadence_speed")),
    )


def _plan_strides(
    law: FroudeGaitLaw,
    progress: PathProgress,
    span: TimeSpan,
    is_moving: bool,
    first_index: int,
) -> StrideSequence:
    """Return the strides of a span, until all feet can have come to rest one after another.

    Args:
        is_moving: whether the body is already moving and has its first hind foot under its hip at
            the start, in the middle of stride 0; otherwise it stands and lifts that foot then.
        first_index: number of the first stride of a body that stands.
    """
    numbers = _number_strides(law, progress, span, is_moving, first_index)
    rhythms = _blend_rhythms(
        law, progress, progress.time_after_strides(numbers.strides), numbers.lag_offsets
    )
    lags = np.stack([r.lags for r in rhythms])  # (strides, legs)
    initial_times = progress.time_after_strides(numbers.strides[:, None] + lags)
    desired_stride_times = law.compute_stride_time(
        progress.sample(0.5 * (initial_times[1:] + initial_times[:-1]), "cadence_speed")
    )
    anchored = np.zeros(initial_times.shape, bool)
    reference_leg = _find_reference_leg(_first_rhythm(law, progress, span))
    anchored[-numbers.low if is_moving else 0] = (
        np.arange(initial_times.shape[1]) == reference_leg
    ) | (not is_moving)
    fitted_times = fit_strides(
        StrideProblem(
            law.body,
            progress,
            initial_times,
            desired_lags=lags,
            desired_stride_times=desired_stride_times,
            anchored=anchored,
        )
    )
    duty = np.array([r.duty for r in rhythms])
    contact_duty = np.interp(
        np.arange(len(duty))[:, None] + lags - lags.min(1, keepdims=True),
        np.arange(len(duty)),
        duty,
    )
    return StrideSequence(
        numbers.first_index,
        tuple(rhythms),
        fitted_times,
        duty=contact_duty,
        start_time=span.begin,
        end_time=span.end,
    )


def _blend_rhythms(
    law: FroudeGaitLaw, progress: PathProgress, times: Array, lag_offsets: Array
) -> list[Rhythm]:
    """Return the rhythms at given times (n,), with limits on the change from one to the next.

    Args:
        lag_offsets: (legs,) whole strides by which the lag of each leg is shifted.
    """
    rhythms: list[Rhythm] = []
    for speed, cadence_speed in zip(
        progress.sample(times, "speed"), progress.sample(times, "cadence_speed"), strict=True
    ):
        rhythm = law.rhythm_at(
            float(speed), float(cadence_speed), rhythms[-1].passed_transitions if rhythms else ()
        )
        rhythm = replace(rhythm, lags=rhythm.lags + lag_offsets)
        if rhythms:
            change = rhythm.lags - rhythms[-1].lags
            change *= min(FOOTFALLS.max_lag_change / max(float(np.abs(change).max()), 1e-9), 1.0)
            duty = rhythms[-1].duty + float(
                np.clip(
                    rhythm.duty - rhythms[-1].duty,
                    -FOOTFALLS.max_duty_change,
                    FOOTFALLS.max_duty_change,
                )
            )
            rhythm = replace(rhythm, lags=rhythms[-1].lags + change, duty=duty)
        rhythms.append(rhythm)
    return rhythms


def _plan_contacts(
    law: FroudeGaitLaw, progress: PathProgress, sequence: StrideSequence
) -> list[Footfall]:
    """Return the contacts of a span; where it ends, the last foot of each leg is under its hip."""
    duty = sequence.duty
    stride_times = np.gradient(sequence.mid_contact_times, axis=0)  # (strides, legs) s
    body_distances = progress.sample(sequence.mid_contact_times, "distance")
    touch_downs = sequence.mid_contact_times - 0.5 * duty * stride_times
    lift_offs = sequence.mid_contact_times + 0.5 * duty * stride_times
    usual_swing = 0.5 * ((1 - duty) * stride_times)[:-1] + 0.5 * ((1 - duty) * stride_times)[1:]
    # Swings are too short where strides become much quicker or slower
    missing_swing = 0.5 * np.maximum(
        FOOTFALLS.min_swing_share * usual_swing - (touch_downs[1:] - lift_offs[:-1]), 0.0
    )
    lift_offs[:-1] -= missing_swing
    touch_downs[1:] += missing_swing
    rest_distance = (
        float(progress.sample(sequence.end_time, "distance"))
        if np.isfinite(sequence.end_time)
        else np.inf
    )
    last_contacts = np.full(len(law.body.legs), len(sequence.mid_contact_times) - 1)
    # The last contact of each leg is the first one at the place where the body rests
    if np.isfinite(rest_distance):
        last_contacts = np.argmax(
            body_distances > rest_distance - FOOTFALLS.stance_tolerance * law.body.hip_height,
            axis=0,
        )
    contacts = []
    for leg, hip_offset in enumerate(law.body.hip_offsets):
        for k in range(last_contacts[leg] + 1):
            stays = bool(k == last_contacts[leg] and np.isfinite(rest_distance))
            body_distance = rest_distance if stays else float(body_distances[k, leg])
            contacts.append(
                Footfall(
                    leg,
                    sequence.first_index + k,
                    float(touch_downs[k, leg]),
                    lift_off=np.inf if stays else float(lift_offs[k, leg]),
                    body_distance=body_distance,
                    foot_distance=body_distance + float(hip_offset),
                    mid_contact_time=float(sequence.mid_contact_times[k, leg]),
                )
            )
    return contacts


def _join_footfalls(
    before: list[Footfall], after: list[Footfall], law: FroudeGaitLaw, sequence: StrideSequence
) -> list[Footfall]:
    """Return the footfalls of two spans, with standing feet that lift in time for their first
    step.
    """
    joined = list(before)
    for k, foot in enumerate(joined):
        if foot.lift_off < np.inf:
            continue
        first = next(f for f in after if f.leg == foot.leg)
        if (
            first.lift_off == np.inf
            and abs(first.foot_distance - foot.foot_distance)
            < FOOTFALLS.stance_tolerance * law.body.hip_height
        ):
            after = [f for f in after if f is not first]  # the foot moves too little for a step
            continue
        swing = (1 - sequence.rhythms[0].duty) * float(
            sequence.mid_contact_times[1, foot.leg] - sequence.mid_contact_times[0, foot.leg]
        )
        joined[k] = replace(foot, lift_off=first.touch_down - swing)
    return joined + after
