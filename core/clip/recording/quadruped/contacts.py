"""When the feet of a body on four legs stand, how fast it goes over them,
and which stride is its cleanest.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ....errors import ClipError
from .actor import QuadrupedActor

Array = NDArray[np.float64]
FrameSpans = list[tuple[int, int]]

FOOT_NAMES = ("left hind", "right hind", "left fore", "right fore")
FLOOR_QUANTILE = 0.03  # share of the frames in which a foot is at its lowest
MAX_STANDING_HEIGHT = 0.05  # hip heights over that up to which it stands
SPEED_SMOOTHING_TIME = 0.012  # s, of what speeds are taken from
# share of the body's speed that a foot which stands goes backward with, as the body sees it
MIN_SWEEP_RATIO = 0.35

# the same two at the ends of a contact, which may begin and end softly
EDGE_STANDING_HEIGHT = 0.08
EDGE_SWEEP_RATIO = 0.1

# of what its feet say, that a body of a clip that was made to stay in place goes by itself at most
MAX_DRIFT_RATIO = 0.3
MIN_SPEED = 0.05  # sqrt(g h)

# sqrt(h / g) within a contact that a low foot may be swept too slowly, and of a contact at least
MAX_CONTACT_GAP = 0.4
MIN_CONTACT_TIME = 0.15

MAX_DIRECTION_ERROR = np.radians(35)  # between where the body looks and where it goes
MAX_TURN = np.radians(50)  # within a stride
MAX_CLOSURE_ERROR = 0.3  # hip heights that joints are off at most where a stride closes


@dataclass(frozen=True)
class QuadrupedStride:
    """One stride, from a touch-down of the left hind foot to its next.

    Args:
        begin, end: frames.
        strikes, lifts: of each foot's contact that begins within the stride, frames. (4,).
        contacts: of each foot, all there are, frames.
        speed: m/s.
        in_place: whether the clip stays where it is, and its feet tell the speed.
    """

    begin: int
    end: int
    strikes: Array
    lifts: Array
    contacts: tuple[FrameSpans, ...]
    speed: float
    in_place: bool


def find_cleanest_stride(actor: QuadrupedActor) -> QuadrupedStride:
    """The cleanest stride.

    Raises:
        ClipError: there is none; the message says why.
    """
    speed, in_place = _compute_speed(actor)
    contacts = tuple(_find_contacts(actor, leg, speed) for leg in range(4))
    hind_strikes = [a for a, _ in contacts[0] if a > 0]
    candidates: list[tuple[float, QuadrupedStride]] = []
    reason = "the left hind foot does not come down twice"
    for a, b in pairwise(hind_strikes):
        stride_contacts = [
            [(s, e) for s, e in spans if a <= s < b and s > 0 and e < len(actor.forward_speed) - 1]
            for spans in contacts
        ]
        stride_speed = speed if in_place else float(actor.forward_speed[a:b].mean())
        closure_error = _compute_closure_error(actor, a, b)
        if any(len(spans) != 1 for spans in stride_contacts):
            leg = next(k for k in range(4) if len(stride_contacts[k]) != 1)
            reason = (
                f"the {FOOT_NAMES[leg]} foot comes down {len(stride_contacts[leg])} times in a "
                "stride"
            )
        elif abs(actor.facing[b] - actor.facing[a]) > MAX_TURN:
            reason = "it turns all the time"
        elif (
            not in_place
            and abs(np.arctan2(actor.lateral_speed[a:b].mean(), stride_speed)) > MAX_DIRECTION_ERROR
        ):
            reason = "it goes backward or sideways"
        elif closure_error > MAX_CLOSURE_ERROR:
            reason = "no stride ends as it began"
        else:
            strikes, lifts = np.array([spans[0] for spans in stride_contacts], float).T
            if in_place:
                stride_speed = _compute_sweep_speed(actor, strikes, lifts)
            # of a loop the one in the middle, which has whole contacts on both sides
            candidates.append(
                (
                    closure_error - (0.01 if actor.loop_frames and a >= actor.loop_frames else 0.0),
                    QuadrupedStride(
                        a,
                        b,
                        strikes,
                        lifts=lifts,
                        contacts=contacts,
                        speed=stride_speed,
                        in_place=in_place,
                    ),
                )
            )
    if not candidates:
        raise ClipError(
            f"The clip {actor.name} has no whole stride on four legs: {reason}. Show at least two "
            "steps with each foot, straight ahead, or one stride as a loop."
        )
    return min(candidates, key=lambda candidate: candidate[0])[1]


def _compute_foot_heights(actor: QuadrupedActor) -> Array:
    """How far each foot is over where it is at its lowest, m. (n, 4)."""
    lows = actor.poses.sole_heights
    return np.asarray(lows - np.quantile(lows, FLOOR_QUANTILE, axis=0))


def _compute_swing_speeds(actor: QuadrupedActor) -> Array:
    """How fast each foot goes forward as the body sees it, m/s. (n, 4)."""
    x = gaussian_filter1d(
        actor.poses.feet[..., 0], SPEED_SMOOTHING_TIME / actor.dt, axis=0, mode="nearest"
    )
    return np.asarray(np.gradient(x, actor.dt, axis=0))


def _compute_speed(actor: QuadrupedActor) -> tuple[float, bool]:
    """How fast the body goes, m/s, and whether only its feet tell so.

    Raises:
        ClipError: it goes nowhere, or backward.
    """
    is_low = _compute_foot_heights(actor) < MAX_STANDING_HEIGHT * actor.hip_height
    swing_speeds = _compute_swing_speeds(actor)
    is_swept = is_low & (swing_speeds < 0)
    sweep_speed = -float(np.median(swing_speeds[is_swept])) if is_swept.any() else 0.0
    body_speed = float(np.hypot(actor.forward_speed.mean(), actor.lateral_speed.mean()))
    min_speed = MIN_SPEED * actor.unit_speed
    if body_speed > max(MAX_DRIFT_RATIO * sweep_speed, min_speed):
        return body_speed, False
    if sweep_speed < min_speed:
        raise ClipError(
            f"The clip {actor.name} shows a body on four legs that goes nowhere: its feet move by "
            f"{sweep_speed:.2f} m/s at most while they stand. Footfall learns from walks, trots "
            "and gallops."
        )
    if np.median(swing_speeds[is_low]) > 0:
        raise ClipError(
            f"The clip {actor.name} shows a body on four legs that goes backward. Footfall learns "
            "from gaits ahead."
        )
    return sweep_speed, True


def _find_contacts(actor: QuadrupedActor, leg: int, speed: float) -> FrameSpans:
    """Frames in which a foot stands: low, and left behind by the body; from first to last."""
    foot_height = _compute_foot_heights(actor)[:, leg] / actor.hip_height
    swing_ratio = _compute_swing_speeds(actor)[:, leg] / speed
    is_low = foot_height < EDGE_STANDING_HEIGHT
    can_extend = (foot_height < EDGE_STANDING_HEIGHT) & (swing_ratio < -EDGE_SWEEP_RATIO)
    spans: FrameSpans = []
    for a, b in _find_runs((foot_height < MAX_STANDING_HEIGHT) & (swing_ratio < -MIN_SWEEP_RATIO)):
        while a > 0 and can_extend[a - 1]:
            a -= 1
        while b < len(can_extend) and can_extend[b]:
            b += 1
        if (
            spans
            and a - spans[-1][1] <= MAX_CONTACT_GAP * actor.unit_time / actor.dt
            and is_low[spans[-1][1] : a].all()
        ):
            spans[-1] = (spans[-1][0], max(b, spans[-1][1]))
        else:
            spans.append((a, b))
    return [(a, b) for a, b in spans if (b - a) * actor.dt >= MIN_CONTACT_TIME * actor.unit_time]


def _find_runs(mask: NDArray[np.bool_]) -> FrameSpans:
    """Frames from and up to which something holds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(int)))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def _compute_sweep_speed(actor: QuadrupedActor, strikes: Array, lifts: Array) -> float:
    """How fast the feet of a stride pass under the body while they stand, m/s:
    what it would go over them.
    """
    x = actor.poses.feet[..., 0]
    sweeps = [
        x[int(a), leg] - x[int(b) - 1, leg]
        for leg, (a, b) in enumerate(zip(strikes, lifts, strict=True))
    ]
    return float(np.sum(sweeps) / (np.sum(lifts - strikes - 1) * actor.dt))


def _compute_closure_error(actor: QuadrupedActor, a: int, b: int) -> float:
    """How far joints are off where a stride closes, the root of the mean square, hip heights."""
    differences = np.concatenate([v[b] - v[a] for v in (actor.poses.leg_roots, actor.poses.feet)])
    return float(np.sqrt((differences**2).sum(1).mean()) / actor.hip_height)
