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

from ..course.progress import PathProgress
from ..gait.gait_law import FroudeGaitLaw
from .strides import StrideSequence, find_reference_leg, plan_strides

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FootfallParameters:
    """How footfalls follow each other."""

    # Least duration of a swing, as a share of the usual one. tuned: doubled, a dog's plan diverges
    min_swing_share: float = 0.8
    # Speed below which a body counts as standing at the first time, v / sqrt(g h).
    min_moving_speed: float = 0.02
    # Distance of a standing foot from its hip within which it needs no step [hip heights].
    stance_tolerance: float = 0.06


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
                            s.mid_contact_times[:, find_reference_leg(s.rhythms[0])],
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
    """Return the footfalls of a body with a given motion along its path.

    They include the last one of each foot before that motion.

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
        sequence = plan_strides(
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
    """Return the footfalls of two spans.

    Feet that stood before the second one lift in time for their first step.
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
