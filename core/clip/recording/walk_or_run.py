"""Whether a stride is one of a walk or of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .actor import FPS, Actor
from .clip_names import read_gait_from_name
from .strides import Stride
from .treadmill import TREADMILL

Array = NDArray[np.float64]


@dataclass(frozen=True)
class WalkOrRunParameters:
    """Evidence for a walk and against a run, each about 1 where it is strong.

    The duty alone decides nothing near 0.5, where it is as uncertain as the contacts.
    """

    # Difference of the duty from 0.5 [share of the cycle], about that of two frames at 60/s by
    # which contacts may be off
    duty_scale: float = 0.04
    # Largest evidence of the duty, so that contacts that are wrong do not outweigh all others
    max_duty_evidence: float = 3.0
    gait_change_speed: float = 0.65  # Speed at which people change from walk to run [sqrt(g l)]
    # Difference from that speed [sqrt(g l)]; people seldom walk at more than 0.9, or run at less
    # than 0.4
    speed_scale: float = 0.25
    # Weight of hips that are highest, or lowest, over the standing foot, in which the gaits differ
    # at all speeds
    rise_weight: float = 1.5
    # Clips that stay in place: their feet slide unevenly, so that contacts are too short. The duty
    # has this weight, and few frames with both feet above the floor are evidence for a walk. Many
    # of them are none for a run, as the floor of such clips is uncertain; tuned: the walk of the
    # rig CesiumMan, whose feet rise in stance, was a run, test_actions_of_rigs_are_analyzed.
    in_place_duty_weight: float = 0.5
    # Weight of the name of such a clip, which its author gave; tuned: the walk of a Godot demo
    # has flights of two thirds of the stride and evidence of -1.6.
    in_place_name_weight: float = 3.0
    # Weight of the name of any other clip: that of `min_evidence`, so that it decides in doubt
    name_weight: float = 0.8
    flight_weight: float = 2.0  # Weight of such frames
    # Share of such frames from which on they are no evidence; a walk has 0 to 0.05.
    max_flight_share: float = 0.12
    # Height of a foot over the floor [leg lengths], above `TreadmillParameters.max_standing_height`
    min_flight_height: float = 0.04
    min_rise: float = 0.008  # Rise of the hips below which a clip has lost it [leg lengths]
    # Evidence of both signs below which the gait is doubtful, tuned: a brisk walk at 2.2 m/s has 1.
    min_evidence: float = 0.8


WALK_OR_RUN = WalkOrRunParameters()


def weigh_walk(
    actor: Actor,
    stride: Stride,
    duty: float,
    *,
    contact_times: Sequence[float],
    is_in_place: bool,
) -> float:
    """Return the evidence for a walk, which is negative for a run; see `WalkOrRunParameters`.

    Args:
        duty: share of the cycle for which a foot is on the ground.
        contact_times: middles of the contacts of the stride [s].
        is_in_place: whether the clip stays in place.
    """
    hips = actor.hips.mean(1)
    displacement = hips[stride.end] - hips[stride.begin]
    speed = float(np.linalg.norm(displacement[:2])) / (stride.end - stride.begin) * FPS
    duty_evidence = np.clip(
        (duty - 0.5) / WALK_OR_RUN.duty_scale,
        -WALK_OR_RUN.max_duty_evidence,
        WALK_OR_RUN.max_duty_evidence,
    )
    speed_evidence = np.clip(
        (WALK_OR_RUN.gait_change_speed - speed / actor.unit_speed) / WALK_OR_RUN.speed_scale,
        -1.0,
        1.0,
    )
    rise = _compute_rise_over_feet(actor, stride, contact_times)
    evidence = speed_evidence + WALK_OR_RUN.rise_weight * rise
    name_evidence = read_gait_from_name(actor.name)
    if not is_in_place:
        return float(evidence + duty_evidence + WALK_OR_RUN.name_weight * name_evidence)
    flight_evidence = max(
        1 - _compute_flight_share(actor, stride) / WALK_OR_RUN.max_flight_share, 0.0
    )
    return float(
        evidence
        + WALK_OR_RUN.in_place_duty_weight * duty_evidence
        + WALK_OR_RUN.flight_weight * flight_evidence
        + WALK_OR_RUN.in_place_name_weight * name_evidence
    )


def _compute_flight_share(actor: Actor, stride: Stride) -> float:
    """Return the share of a stride on a level floor in which both feet are above it."""
    points = np.concatenate([actor.ankles, actor.balls], axis=1)[..., 2]
    height = points - np.quantile(points, TREADMILL.floor_quantile, axis=0)
    is_flight = height.min(1) > WALK_OR_RUN.min_flight_height * actor.leg_length
    return float(is_flight[stride.begin : stride.end].mean())


def _compute_rise_over_feet(actor: Actor, stride: Stride, contact_times: Sequence[float]) -> float:
    """Return where in the contacts the hips are high, from -1 to 1.

    It is 1 if they are highest over the standing foot, as in a walk, and -1 if they are lowest, as
    in a run. It is 0 if they keep their height.
    """
    height = actor.hips[stride.begin : stride.end + 1].mean(1)[:, 2]
    height = height - np.linspace(height[0], height[-1], len(height))
    if np.ptp(height) < WALK_OR_RUN.min_rise * actor.leg_length:
        return 0.0
    middles = np.array(contact_times) * FPS - stride.begin
    frames = np.clip(np.round(middles).astype(int), 0, len(height) - 1)
    return float(np.clip(2 * (height[frames].mean() - height.mean()) / np.ptp(height), -1.0, 1.0))


def doubt_gait(evidence: float) -> tuple[str, ...]:
    """Return the doubt that a gait is the other one, if the evidence for a walk is weak."""
    if abs(evidence) >= WALK_OR_RUN.min_evidence:
        return ()
    return (f"it may be a {'run' if evidence > 0 else 'walk'} as well",)
