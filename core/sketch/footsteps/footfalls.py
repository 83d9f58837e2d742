"""Footfalls of any number of legs along a way: when each foot comes down,
where, and when it leaves.

The strides follow each other at the law's rate for the speed of the moment; lags and duty of each
stride are the law's with a limit on how much they change from one to the next, so that gaits blend;
the fit then sets all contacts right together. A body that stands has its feet square under its
hips, lifts them in the order of its gait and comes to stand so again.
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

MAX_LAG_CHANGE = 0.08  # strides that a leg's lag changes by from one stride to the next
MAX_DUTY_CHANGE = 0.06  # that the duty factor does
MIN_SWING_SHARE = 0.8  # of its usual time, that a foot is in the air in any case
MIN_MOVING_SPEED = 0.02  # v / sqrt(g h) below which a body counts as standing at the first moment
# hip heights that a foot may stand off its place under the hip without stepping again
STANCE_TOLERANCE = 0.06
# lag beyond which a leg of a body that sets off goes with the first one instead of a stride later
START_WRAP_LAG = 0.85


@dataclass(frozen=True)
class Footfall:
    """One contact of one foot.

    `touch_down` is -infinity where the foot stood from before, `lift_off` infinity where it stands
    for good. `body_distance` is the distance along the path of the body's middle when the foot's
    hip is over it, `foot_distance` that of the hip, and so of the foot. Strides are counted alike
    for all legs, and those before the first moment are negative.
    """

    leg: int
    stride_index: int
    touch_down: float  # s
    lift_off: float  # s
    body_distance: float  # m
    foot_distance: float  # m
    # s, at which the hip is over the foot; for feet that stand, some moment at which it is
    mid_contact_time: float

    @property
    def duration(self) -> float:
        """How long the foot is down, s."""
        return self.lift_off - self.touch_down


@dataclass(frozen=True)
class StrideSequence:
    """What each stride of a stretch of going was to be and became."""

    first_index: int  # number of the first one
    rhythms: tuple[Rhythm, ...]  # what the law says, within the limits of change
    mid_contact_times: Array  # (strides, legs) s, middles of the contacts
    start_time: float  # s, at which the body sets off
    end_time: float  # s, at which it stands again; infinity where it goes on

    @property
    def phases(self) -> Array:
        """Of each leg after the first one of the rear row, in strides,
        unwrapped. (strides - 1, legs).
        """
        reference_leg = _find_reference_leg(self.rhythms[0])
        return (
            self.mid_contact_times[:-1] - self.mid_contact_times[:-1, reference_leg, None]
        ) / np.diff(self.mid_contact_times[:, reference_leg])[:, None]

    @property
    def gait_names(self) -> tuple[str, ...]:
        """Of the gait of each stride as it became."""
        return tuple(
            name_gait(r.body, p % 1.0, r.duty)
            for r, p in zip(self.rhythms, self.phases, strict=False)
        )


@dataclass(frozen=True)
class FootfallPlan:
    """All footfalls, by touch-down, and the strides that they belong to."""

    footfalls: tuple[Footfall, ...]
    sequences: tuple[StrideSequence, ...]

    def leg_footfalls(self, leg: int) -> tuple[Footfall, ...]:
        """Those of one leg, in order."""
        return tuple(f for f in self.footfalls if f.leg == leg)

    def gait_at(self, time: float) -> str:
        """Name of the gait at a moment; "stand" before, between and after its stretches."""
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
    """The footfalls of a body that is at distances along its path at moments,
    and the one of each foot before those.

    Args:
        time: rising moments, s. (n,).
        distance: of the body's middle along the path, never falling, m. (n,).
        starts_standing: whether the body stood before the first moment. Otherwise it came straight
            on, and the first hind foot is under its hip at that moment.

    Raises:
        TaskError: moments that do not rise, or a way that goes back.
    """
    progress = PathProgress.from_distances(law, time, distance, starts_standing)
    is_moving = (
        not starts_standing
        and float(progress.sample(progress.begin, "speed")) > MIN_MOVING_SPEED * law.unit_speed
    )
    footfalls = [] if is_moving else _stand_square(law, progress)
    sequences: list[StrideSequence] = []
    for k, span in enumerate(progress.find_moving_spans(law)):
        next_index = 1 + max((f.stride_index for f in footfalls), default=0)
        sequence, duty = _plan_strides(
            law, progress, span, is_moving=k == 0 and is_moving, first_index=next_index
        )
        contacts = _plan_contacts(law, progress, sequence, duty)
        footfalls = _join_footfalls(footfalls, contacts, law, sequence)
        stride_count = 1 + max(f.stride_index for f in contacts) - sequence.first_index
        sequences.append(
            replace(
                sequence,
                rhythms=sequence.rhythms[:stride_count],
                mid_contact_times=sequence.mid_contact_times[:stride_count],
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
    """The leg that lags are counted from."""
    body = rhythm.body
    return min(range(len(body.legs)), key=lambda k: (body.leg_rows[k], body.on_leading_side[k]))


def _stand_square(law: FroudeGaitLaw, progress: PathProgress) -> list[Footfall]:
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


def _plan_strides(
    law: FroudeGaitLaw,
    progress: PathProgress,
    span: TimeSpan,
    is_moving: bool,
    first_index: int,
) -> tuple[StrideSequence, Array]:
    """The strides from a moment on until all feet can have come to stand after another one, and
    their contacts' duty factors.

    Args:
        span: when the body sets off, and when it stands again or infinity.
        is_moving: the body is under way and has its first hind foot under its hip at the start, in
            the middle of stride 0; otherwise it stands and lifts that foot then.
        first_index: of the first stride of a body that stands.
    """
    start = span.begin
    stop = span.end
    first_rhythm = law.rhythm_at(
        float(progress.sample(start, "speed")), float(progress.sample(start, "cadence_speed"))
    )
    wrapped_lags = first_rhythm.lags - np.floor(first_rhythm.lags + 1e-9)
    if is_moving:
        lead_in = 0.0
        low_index = -2
        base_index = -2
    else:
        wrapped_lags = np.where(wrapped_lags > START_WRAP_LAG, wrapped_lags - 1, wrapped_lags)
        # turns from lifting a foot to the middle of its contact: 1 + lead
        lead_in = -0.5 * first_rhythm.duty
        low_index = 1
        base_index = first_index
    stride_offset = float(progress.sample(start, "strides")) + lead_in
    high_index = (
        int(np.ceil(float(progress.sample(min(stop, progress.end), "strides")) - stride_offset)) + 2
    )
    stride_times = progress.time_after_strides(stride_offset + np.arange(low_index, high_index + 1))
    rhythms = _blend_rhythms(law, progress, stride_times, wrapped_lags - first_rhythm.lags)
    lags = np.stack([r.lags for r in rhythms])  # (strides, legs)
    initial_times = progress.time_after_strides(
        stride_offset + np.arange(low_index, high_index + 1)[:, None] + lags
    )
    desired_stride_times = law.compute_stride_time(
        progress.sample(0.5 * (initial_times[1:] + initial_times[:-1]), "cadence_speed")
    )
    anchored = np.zeros(initial_times.shape, bool)
    anchored[-low_index if is_moving else 0] = (
        np.arange(initial_times.shape[1]) == _find_reference_leg(first_rhythm)
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
        base_index, tuple(rhythms), fitted_times, start_time=start, end_time=stop
    ), contact_duty


def _blend_rhythms(
    law: FroudeGaitLaw, progress: PathProgress, times: Array, lag_offsets: Array
) -> list[Rhythm]:
    """What the law says at moments, changing by no more than feet can from one to the next.

    Args:
        lag_offsets: whole strides that each leg is counted off by. (legs,).
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
            change *= min(MAX_LAG_CHANGE / max(float(np.abs(change).max()), 1e-9), 1.0)
            duty = rhythms[-1].duty + float(
                np.clip(rhythm.duty - rhythms[-1].duty, -MAX_DUTY_CHANGE, MAX_DUTY_CHANGE)
            )
            rhythm = replace(rhythm, lags=rhythms[-1].lags + change, duty=duty)
        rhythms.append(rhythm)
    return rhythms


def _plan_contacts(
    law: FroudeGaitLaw, progress: PathProgress, sequence: StrideSequence, duty: Array
) -> list[Footfall]:
    """The contacts of a stretch; where it ends, each foot's last one is square under its hip."""
    stride_times = np.gradient(sequence.mid_contact_times, axis=0)  # (strides, legs) s
    body_distances = progress.sample(sequence.mid_contact_times, "distance")
    touch_downs = sequence.mid_contact_times - 0.5 * duty * stride_times
    lift_offs = sequence.mid_contact_times + 0.5 * duty * stride_times
    usual_swing = 0.5 * ((1 - duty) * stride_times)[:-1] + 0.5 * ((1 - duty) * stride_times)[1:]
    # where strides become much quicker or slower
    missing_swing = 0.5 * np.maximum(
        MIN_SWING_SHARE * usual_swing - (touch_downs[1:] - lift_offs[:-1]), 0.0
    )
    lift_offs[:-1] -= missing_swing
    touch_downs[1:] += missing_swing
    rest_distance = (
        float(progress.sample(sequence.end_time, "distance"))
        if np.isfinite(sequence.end_time)
        else np.inf
    )
    last_contacts = np.full(len(law.body.legs), len(sequence.mid_contact_times) - 1)
    # turns do not end before every foot has come to where the body rests
    if np.isfinite(rest_distance):
        last_contacts = np.argmax(
            body_distances > rest_distance - STANCE_TOLERANCE * law.body.hip_height, axis=0
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
    """Feet that stood, lifted in time for their first step."""
    joined = list(before)
    for k, foot in enumerate(joined):
        if foot.lift_off < np.inf:
            continue
        first = next(f for f in after if f.leg == foot.leg)
        if (
            first.lift_off == np.inf
            and abs(first.foot_distance - foot.foot_distance)
            < STANCE_TOLERANCE * law.body.hip_height
        ):
            after = [f for f in after if f is not first]  # it moves too little for a step
            continue
        swing = (1 - sequence.rhythms[0].duty) * float(
            sequence.mid_contact_times[1, foot.leg] - sequence.mid_contact_times[0, foot.leg]
        )
        joined[k] = replace(foot, lift_off=first.touch_down - swing)
    return joined + after
