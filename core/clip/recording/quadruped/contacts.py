"""Contacts of a four-legged body, its speed over the ground, and its most regular stride."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ....errors import ClipError
from ....geometry.spans import find_spans
from ..strides import STRIDE
from ..treadmill import TREADMILL
from .actor import QuadrupedActor

Array = NDArray[np.float64]
FrameSpans = list[tuple[int, int]]
"""First frame of each span and the frame after its last, in order of time."""

FOOT_NAMES = ("left hind", "right hind", "left fore", "right fore")


@dataclass(frozen=True)
class QuadrupedContactParameters:
    """Detection of contacts and strides of a four-legged body with the hip height h."""

    # Height over the lowest one of a foot up to which a foot may be in contact [hip heights]: 2 to
    # 3 cm on a dog, whose paw turns over its toes.
    max_standing_height: float = 0.05
    # Smallest backward speed of a foot in contact in the frame of the body, as a share of the speed
    # of the body. It is 1 of feet that stay in place; feet of animators slide.
    min_sweep_ratio: float = 0.35
    # The same height at the ends of a contact, which may start and end softly.
    edge_standing_height: float = 0.08
    # The same speed there: a foot that comes down or leaves is slower against the body.
    edge_sweep_ratio: float = 0.1
    # Standard deviation of the filter on positions before speeds are computed [s], a frame and a
    # half at 120 a second. Numerical: differences of rounded positions are noise.
    speed_smoothing_time: float = 0.012
    min_speed: float = 0.05  # Lowest speed [sqrt(g h)]
    # Longest time within a contact in which a low foot may be too slow [sqrt(h / g)], a tenth of
    # the stride of a walk.
    max_contact_gap: float = 0.4
    # Shortest contact [sqrt(h / g)]; in a gallop those of horses and dogs take 0.3 and more
    min_contact_time: float = 0.15
    # Largest distance between the poses at the start and the end of a stride [hip heights].
    max_closure_error: float = 0.3


QUADRUPED_CONTACT = QuadrupedContactParameters()


@dataclass(frozen=True)
class QuadrupedStride:
    """A stride from one touch-down of the left hind foot to its next.

    Args:
        begin: first frame.
        end: last frame.
        strikes: (4,) first frame of the contact of each foot that begins within the stride.
        lifts: (4,) frame after the last of that contact.
        contacts: all contacts of each foot.
        speed: speed of the body [m/s].
        in_place: whether the clip stays in place, so that the speed comes from the feet.
    """

    begin: int
    end: int
    strikes: Array
    lifts: Array
    contacts: tuple[FrameSpans, ...]
    speed: float
    in_place: bool


@dataclass(frozen=True)
class _TravelSpeed:
    """Speed of a body over a whole clip.

    Args:
        speed: speed [m/s].
        in_place: whether the clip stays in place, so that the speed comes from the feet.
    """

    speed: float
    in_place: bool


@dataclass(frozen=True)
class _Candidate:
    """A stride that may represent the gait.

    Args:
        stride: the stride.
        closure_error: distance between the poses at its start and end [hip heights].
        is_repeated: whether it starts in the second or third period of a loop.
    """

    stride: QuadrupedStride
    closure_error: float
    is_repeated: bool

    @property
    def cost(self) -> float:
        """Measure by which the best stride is chosen.

        In a loop, strides of later periods are preferred, which have whole contacts on both sides.
        """
        return self.closure_error - (0.01 if self.is_repeated else 0.0)


def find_cleanest_stride(actor: QuadrupedActor) -> QuadrupedStride:
    """Return the stride whose end is most similar to its start.

    Raises:
        ClipError: there is no stride; the message states the reason.
    """
    travel = _compute_travel_speed(actor)
    contacts = tuple(_find_contacts(actor, leg, travel.speed) for leg in range(4))
    hind_strikes = [a for a, _ in contacts[0] if a > 0]
    candidates: list[_Candidate] = []
    reason = "the left hind foot does not come down twice"
    for begin, end in pairwise(hind_strikes):
        candidate = _make_candidate(actor, travel, contacts, begin=begin, end=end)
        if isinstance(candidate, _Candidate):
            candidates.append(candidate)
        else:
            reason = candidate
    if not candidates:
        raise ClipError(
            f"The clip {actor.name} has no whole stride on four legs: {reason}. Show at least two "
            "steps with each foot, straight ahead, or one stride as a loop."
        )
    return min(candidates, key=lambda candidate: candidate.cost).stride


def _make_candidate(
    actor: QuadrupedActor,
    travel: _TravelSpeed,
    contacts: tuple[FrameSpans, ...],
    begin: int,
    end: int,
) -> _Candidate | str:
    """Return the stride between two strikes of the left hind foot, or why it is not one."""
    last = len(actor.forward_speed) - 1
    stride_contacts = [
        [(s, e) for s, e in spans if begin <= s < end and s > 0 and e < last] for spans in contacts
    ]
    for foot, spans in zip(FOOT_NAMES, stride_contacts, strict=True):
        if len(spans) != 1:
            return f"the {foot} foot comes down {len(spans)} times in a stride"
    if abs(actor.facing[end] - actor.facing[begin]) > STRIDE.max_turn:
        return "the body turns all the time"
    speed = travel.speed if travel.in_place else float(actor.forward_speed[begin:end].mean())
    lateral_speed = actor.lateral_speed[begin:end].mean()
    if not travel.in_place and abs(np.arctan2(lateral_speed, speed)) > STRIDE.max_direction_error:
        return "the body moves backward or sideways"
    closure_error = _compute_closure_error(actor, begin, end)
    if closure_error > QUADRUPED_CONTACT.max_closure_error:
        return "no stride ends as it began"
    strikes, lifts = np.array([spans[0] for spans in stride_contacts], float).T
    stride = QuadrupedStride(
        begin,
        end,
        strikes,
        lifts=lifts,
        contacts=contacts,
        speed=_compute_sweep_speed(actor, strikes, lifts) if travel.in_place else speed,
        in_place=travel.in_place,
    )
    return _Candidate(
        stride, closure_error, is_repeated=bool(actor.loop_frames) and begin >= actor.loop_frames
    )


def _compute_foot_heights(actor: QuadrupedActor) -> Array:
    """Return the height of each foot over its lowest position, (n, 4) [m]."""
    lows = actor.poses.sole_heights
    return np.asarray(lows - np.quantile(lows, TREADMILL.floor_quantile, axis=0))


def _compute_swing_speeds(actor: QuadrupedActor) -> Array:
    """Return the forward speed of each foot in the frame of the body, (n, 4) [m/s]."""
    x = gaussian_filter1d(
        actor.poses.feet[..., 0],
        QUADRUPED_CONTACT.speed_smoothing_time / actor.dt,
        axis=0,
        mode="nearest",
    )
    return np.asarray(np.gradient(x, actor.dt, axis=0))


def _compute_travel_speed(actor: QuadrupedActor) -> _TravelSpeed:
    """Return the speed of the body.

    Raises:
        ClipError: the body stays where it is, or moves backward.
    """
    is_low = _compute_foot_heights(actor) < QUADRUPED_CONTACT.max_standing_height * actor.hip_height
    swing_speeds = _compute_swing_speeds(actor)
    is_swept = is_low & (swing_speeds < 0)
    sweep_speed = -float(np.median(swing_speeds[is_swept])) if is_swept.any() else 0.0
    body_speed = float(np.hypot(actor.forward_speed.mean(), actor.lateral_speed.mean()))
    min_speed = QUADRUPED_CONTACT.min_speed * actor.unit_speed
    if body_speed > max(TREADMILL.max_drift_ratio * sweep_speed, min_speed):
        return _TravelSpeed(body_speed, in_place=False)
    if sweep_speed < min_speed:
        raise ClipError(
            f"The clip {actor.name} shows a body on four legs that does not travel: its feet move "
            f"by {sweep_speed:.2f} m/s at most while they stand. Footfall learns from walks, trots "
            "and gallops."
        )
    if np.median(swing_speeds[is_low]) > 0:
        raise ClipError(
            f"The clip {actor.name} shows a body on four legs that moves backward. Footfall learns "
            "from gaits ahead."
        )
    return _TravelSpeed(sweep_speed, in_place=True)


def _find_contacts(actor: QuadrupedActor, leg: int, speed: float) -> FrameSpans:
    """Return the spans in which a foot is low and moves backward in the frame of the body.

    Args:
        speed: speed of the body [m/s].
    """
    foot_height = _compute_foot_heights(actor)[:, leg] / actor.hip_height
    swing_ratio = _compute_swing_speeds(actor)[:, leg] / speed
    is_low = foot_height < QUADRUPED_CONTACT.edge_standing_height
    can_extend = is_low & (swing_ratio < -QUADRUPED_CONTACT.edge_sweep_ratio)
    is_down = (foot_height < QUADRUPED_CONTACT.max_standing_height) & (
        swing_ratio < -QUADRUPED_CONTACT.min_sweep_ratio
    )
    spans: FrameSpans = []
    for down in find_spans(is_down):
        a, b = down.start, down.stop
        while a > 0 and can_extend[a - 1]:
            a -= 1
        while b < len(can_extend) and can_extend[b]:
            b += 1
        if (
            spans
            and a - spans[-1][1] <= QUADRUPED_CONTACT.max_contact_gap * actor.unit_time / actor.dt
            and is_low[spans[-1][1] : a].all()
        ):
            spans[-1] = (spans[-1][0], max(b, spans[-1][1]))
        else:
            spans.append((a, b))
    min_time = QUADRUPED_CONTACT.min_contact_time * actor.unit_time
    return [(a, b) for a, b in spans if (b - a) * actor.dt >= min_time]


def _compute_sweep_speed(actor: QuadrupedActor, strikes: Array, lifts: Array) -> float:
    """Return the mean backward speed of the feet of a stride in contact [m/s].

    It is the speed at which the body would travel over them.
    """
    x = actor.poses.feet[..., 0]
    sweeps = [
        x[int(a), leg] - x[int(b) - 1, leg]
        for leg, (a, b) in enumerate(zip(strikes, lifts, strict=True))
    ]
    return float(np.sum(sweeps) / (np.sum(lifts - strikes - 1) * actor.dt))


def _compute_closure_error(actor: QuadrupedActor, a: int, b: int) -> float:
    """Return the RMS distance between leg joints at the start and end of a stride [hip heights]."""
    differences = np.concatenate([v[b] - v[a] for v in (actor.poses.leg_roots, actor.poses.feet)])
    return float(np.sqrt((differences**2).sum(1).mean()) / actor.hip_height)
