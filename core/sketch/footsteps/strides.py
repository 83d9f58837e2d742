"""Strides of a body in one span of motion: rhythms that blend, with contacts fitted together."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...motion.footstep import TimeSpan
from ..course.progress import PathProgress
from ..gait.gait_law import FroudeGaitLaw
from ..gait.gait_names import name_gait
from ..gait.rhythm import Rhythm
from .stride_fit import StrideProblem, fit_strides

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StrideRhythmParameters:
    """How rhythms change from stride to stride."""

    # Largest change of the lag of a leg per stride [strides]. tuned: doubled, lags jump from stride
    # to stride; test_footfalls.test_gaits_follow_each_other_as_the_speed_changes_and_blend
    max_lag_change: float = 0.08
    # Largest change of the duty factor per stride. Half or twice moves a dog by 1 mm
    # (docs/dev/parameters.csv)
    max_duty_change: float = 0.06
    # Lag above which a leg of a body that starts moving steps with the first leg instead of a
    # stride later.
    start_wrap_lag: float = 0.85


STRIDES = StrideRhythmParameters()


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
        """Lag of each leg after the first leg of the rear row, unwrapped.

        (strides - 1, legs) [strides].
        """
        reference_leg = find_reference_leg(self.rhythms[0])
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


def find_reference_leg(rhythm: Rhythm) -> int:
    """Return the leg from which lags count."""
    body = rhythm.body
    return min(range(len(body.legs)), key=lambda k: (body.leg_rows[k], body.on_leading_side[k]))


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
    """Return the strides until all feet can have come to rest; arguments of `plan_strides`."""
    rhythm = _first_rhythm(law, progress, span)
    wrapped_lags = rhythm.lags - np.floor(rhythm.lags + 1e-9)
    if is_moving:
        lead_in = 0.0
        low = -2
        first_index = -2
    else:
        wrapped_lags = np.where(
            wrapped_lags > STRIDES.start_wrap_lag, wrapped_lags - 1, wrapped_lags
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


def plan_strides(
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
    reference_leg = find_reference_leg(_first_rhythm(law, progress, span))
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
            change *= min(STRIDES.max_lag_change / max(float(np.abs(change).max()), 1e-9), 1.0)
            duty = rhythms[-1].duty + float(
                np.clip(
                    rhythm.duty - rhythms[-1].duty,
                    -STRIDES.max_duty_change,
                    STRIDES.max_duty_change,
                )
            )
            rhythm = replace(rhythm, lags=rhythms[-1].lags + change, duty=duty)
        rhythms.append(rhythm)
    return rhythms
