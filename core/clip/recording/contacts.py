"""Where and when the feet of an actor stand: contacts of heels and balls,
told by how slow they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...geometry import so3
from .actor import FPS, POSITION_FIELDS, Actor

Array = NDArray[np.float64]
FrameSpans = list[tuple[int, int]]

SPEED_SMOOTHING_TIME = 0.01  # s, of what speeds are taken from
BODY_SMOOTHING_TIME = 0.25  # s, over which the body's speed is evened out
HEEL_OFFSET_RATIO = 0.35  # of the way from ankle to ball that the heel lies behind the ankle
DEFAULT_BALL_DISTANCE = 0.15  # leg lengths from ankle to ball in feet that tell nothing
FLAT_FRAME_SHARE = 0.06  # share of the frames, the stillest, in which feet are taken to lie flat
# leg lengths over the other foot from which on a slow foot is held up and not standing
RAISED_FOOT_HEIGHT = 0.3
MIN_CONTACT_TIME = 0.07  # s of a contact
MAX_CONTACT_GAP = 0.06  # s within a contact in which its speed may be higher
# sqrt(g l) that the lower foot goes backward with from which on a clip may be in place
MIN_TREADMILL_SPEED = 0.05
FLOOR_QUANTILE = 0.03  # share of the frames in which points of a foot are at their lowest
MAX_STANDING_HEIGHT = 0.03  # leg lengths over that up to which they stand
SLIDE_SMOOTHING_TIME = 0.03  # s, over which their slide is evened out
MAX_DRIFT_RATIO = 0.3  # of that speed that the body of such a clip goes at most

# speeds at which points count as standing, (share of sqrt(g l), share of the body's own speed);
# from labels set by eye
HEEL_STRIKE_SPEED = (0.30, 0.20)
HEEL_OFF_SPEED = (0.06, 0.10)
BALL_DOWN_SPEED = (0.03, 0.36)
BALL_OFF_SPEED = (0.18, 0.14)
# The same of feet that are pinned, as animators and solvers have them: they come to rest and set
# off gently, so that at these speeds they are still in the air, or again. Recorded ones strike
# hard, and none with markers is ever as still: sqrt(g l).
# that a flat foot moves at, at most; of pinned ones 0.0005, of recorded ones from 0.013 on
PINNED_FOOT_SPEED = 0.005
REST_SPEED = 0.15
DEPARTURE_SPEED = 0.1
# the same of legs that are unlike: one that is spared goes down and up so gently
# that this would not show
LIMP_PINNED_SPEEDS = (0.03, 0.04)


@dataclass(frozen=True)
class FootContact:
    """One contact of a foot: heel down from `strike` to `heel_off`, ball from `flat` to `lift`;
    seconds of the actor's time.

    Args:
        side: 0 left, 1 right.
        is_complete: whether both its begin and its end are in the clip.
    """

    side: int
    strike: float
    flat: float
    heel_off: float
    lift: float
    is_complete: bool = True

    @property
    def time(self) -> float:
        """Its middle."""
        return 0.5 * (self.strike + self.lift)

    def shifted(self, seconds: float) -> FootContact:
        """The same with all times later."""
        return replace(
            self,
            **{
                name: getattr(self, name) + seconds
                for name in ("strike", "flat", "heel_off", "lift")
            },
        )


@dataclass(frozen=True)
class Feet:
    """Feet of an actor over time.

    Args:
        heels, balls: (n, 2, 3).
        pitch: (n, 2) against lying flat, toes up positive, rad.
        heading: (n, 2) rad.
        contacts: contacts by rising time of their middle.
    """

    heels: Array
    balls: Array
    pitch: Array
    heading: Array
    contacts: tuple[FootContact, ...]

    def side_contacts(self, side: int) -> tuple[FootContact, ...]:
        """Contacts of one foot."""
        return tuple(s for s in self.contacts if s.side == side)

    def compute_phases(self, times: Array) -> Array:
        """Phase of each limb: 0 in the middle of a contact, 1 in the middle of its next, linear
        between (E). (n,) -> (n, 2).

        NaN before the first and after the last middle.
        """
        out = np.full((len(times), 2), np.nan)
        for side in (0, 1):
            middles = np.array([s.time for s in self.side_contacts(side)])
            if len(middles) > 1:
                out[:, side] = (
                    np.interp(times, middles, np.arange(len(middles)), np.nan, np.nan) % 1.0
                )
        return out


def undo_treadmill(actor: Actor) -> tuple[Actor, float]:
    """The actor as it goes over the ground, and the speed at which the clip has it stay in place,
    m/s; 0 where it goes by itself.

    In a clip that was made to stay in place the standing foot slides backward as fast as the body
    should go: not always evenly, so it is made to stand from frame to frame, and in flight the body
    goes on evenly.
    """
    slide = _compute_foot_slide(actor)
    speed = float(np.linalg.norm(slide.mean(0)))
    body_velocity = (actor.hips[-1] - actor.hips[0]).mean(0)[:2] * FPS / max(actor.frames - 1, 1)
    if (
        speed < MIN_TREADMILL_SPEED * actor.unit_speed
        or np.linalg.norm(body_velocity) > MAX_DRIFT_RATIO * speed
    ):
        return actor, 0.0
    shift = np.zeros((actor.frames, 3))
    shift[1:, :2] = -np.cumsum(0.5 * (slide[1:] + slide[:-1]), axis=0) / FPS
    shifted_positions: dict[str, Any] = {
        name: value + shift.reshape(-1, *[1] * (value.ndim - 2), 3)
        for name in POSITION_FIELDS
        if (value := getattr(actor, name)) is not None
    }
    return replace(actor, **shifted_positions), speed


def _compute_foot_slide(actor: Actor) -> Array:
    """How the foot goes that stands, level; (n, 2) m/s.
    The one that is lowest, by its ankle or its ball.
    """
    points = np.concatenate([actor.ankles, actor.balls], axis=1)  # (n, 4, 3)
    horizontal_velocity = np.gradient(points, 1 / FPS, axis=0)[..., :2]
    height_above_floor = points[..., 2] - np.quantile(points[..., 2], FLOOR_QUANTILE, axis=0)
    lowest = height_above_floor.argmin(1)
    slide = np.take_along_axis(horizontal_velocity, lowest[:, None, None], 1)[:, 0]
    is_standing = height_above_floor.min(1) < MAX_STANDING_HEIGHT * actor.leg_length
    # a foot that is set down swings ahead
    slide = np.where((slide @ np.median(slide[is_standing], axis=0) > 0)[:, None], slide, 0.0)
    frames = np.arange(actor.frames)
    slide = np.stack(
        [np.interp(frames, frames[is_standing], slide[is_standing, k]) for k in (0, 1)], 1
    )
    return np.asarray(gaussian_filter1d(slide, SLIDE_SMOOTHING_TIME * FPS, axis=0, mode="nearest"))


def find_feet(
    actor: Actor, pinned_speeds: tuple[float, float] = (REST_SPEED, DEPARTURE_SPEED)
) -> Feet:
    """Heels, balls, and when they stand.

    Args:
        pinned_speeds: speeds at which feet that are pinned come to rest and set
            off, shares of sqrt(g l).
    """
    foot_points = [_find_flat_foot(actor, side) for side in (0, 1)]
    foot_positions = [
        [actor.ankles[:, side] + actor.feet[:, side] @ point for point in foot_points[side][:2]]
        for side in (0, 1)
    ]
    heels, balls = (np.stack([foot_positions[side][k] for side in (0, 1)], 1) for k in (0, 1))
    # (n, 2, 3)
    forward = np.stack([actor.feet[:, side] @ foot_points[side][2] for side in (0, 1)], 1)
    pitch = so3.atan2(forward[..., 2], np.linalg.norm(forward[..., :2], axis=-1))
    heading = np.unwrap(so3.atan2(forward[..., 1], forward[..., 0]), axis=0)
    contacts = [
        step
        for side in (0, 1)
        for step in _find_contacts(actor, heels, balls, side=side, pinned_speeds=pinned_speeds)
    ]
    return Feet(
        heels, balls, pitch, heading=heading, contacts=tuple(sorted(contacts, key=lambda s: s.time))
    )


def _find_flat_foot(actor: Actor, side: int) -> tuple[Array, Array, Array]:
    """Heel, ball and the way ahead in the foot's own axes, (3,) each,
    from the frames in which it is stillest.

    What a foot is like at rest in the file says nothing of how it lies on the ground;
    how it lies while it stands does.
    """
    motion_rate = (
        _compute_speed(actor.ankles[:, side])
        + _compute_speed(actor.balls[:, side])
        + 0.2 * actor.leg_length * _compute_turn_rate(actor.feet[:, side])
    )
    is_moving = motion_rate > 1e-4  # frames that are held say nothing
    count = max(4, int(FLAT_FRAME_SHARE * is_moving.sum()))
    flat_frames = np.argsort(np.where(is_moving, motion_rate, np.inf))[:count]
    foot_axes = actor.feet[flat_frames, side]
    ankle = actor.ankles[flat_frames, side]
    ankle_to_ball = actor.balls[flat_frames, side] - ankle
    has_direction = np.linalg.norm(ankle_to_ball[:, :2], axis=1) > 0.03 * actor.leg_length
    if not has_direction.any():
        lateral = actor.hips[flat_frames, 0] - actor.hips[flat_frames, 1]
        ankle_to_ball = np.cross(lateral, [0.0, 0.0, 1.0])
        ankle_to_ball *= (
            DEFAULT_BALL_DISTANCE
            * actor.leg_length
            / np.linalg.norm(ankle_to_ball, axis=1, keepdims=True)
        )
        ankle_to_ball[:, 2] = -0.07 * actor.leg_length
    horizontal = ankle_to_ball * [1.0, 1.0, 0.0]
    heel = -HEEL_OFFSET_RATIO * horizontal + ankle_to_ball * [0.0, 0.0, 1.0]

    def to_foot_frame(points: Array) -> Array:
        return np.asarray(
            np.median((np.swapaxes(foot_axes, 1, 2) @ points[..., None])[..., 0], axis=0)
        )

    forward = to_foot_frame(horizontal)
    return to_foot_frame(heel), to_foot_frame(ankle_to_ball), forward / np.linalg.norm(forward)


def _compute_speed(points: Array) -> Array:
    """(n, 3) -> (n,) m/s."""
    smooth = gaussian_filter1d(points, SPEED_SMOOTHING_TIME * FPS, axis=0, mode="nearest")
    return np.asarray(np.linalg.norm(np.gradient(smooth, 1 / FPS, axis=0), axis=-1))


def _compute_turn_rate(axes: Array) -> Array:
    """Rate at which axes turn. (n, 3, 3) -> (n,) rad/s."""
    return np.asarray(np.linalg.norm(np.gradient(axes, 1 / FPS, axis=0), axis=(1, 2)) / np.sqrt(2))


def _find_contacts(
    actor: Actor, heels: Array, balls: Array, side: int, pinned_speeds: tuple[float, float]
) -> list[FootContact]:
    """Contacts of one foot; `pinned_speeds` as `find_feet` has it."""
    unit_speed = actor.unit_speed
    rest_speed = unit_speed * pinned_speeds[0]
    departure_speed = unit_speed * pinned_speeds[1]
    pelvis = gaussian_filter1d(
        actor.hips.mean(1)[:, :2], BODY_SMOOTHING_TIME * FPS, axis=0, mode="nearest"
    )
    body_speed = np.linalg.norm(np.gradient(pelvis, 1 / FPS, axis=0), axis=-1)
    is_raised = (
        balls[:, side, 2] - np.minimum(balls[:, 1 - side, 2], heels[:, 1 - side, 2])
        > RAISED_FOOT_HEIGHT * actor.leg_length
    )

    def compute_limit(factors: tuple[float, float]) -> Array:
        return factors[0] * unit_speed + factors[1] * body_speed

    heel_speed = _compute_speed(heels[:, side])
    ball_speed = _compute_speed(balls[:, side])
    is_pinned = _is_pinned(heel_speed, ball_speed, unit_speed)
    heel_spans = _find_stance_spans(
        heel_speed,
        compute_limit(HEEL_STRIKE_SPEED),
        compute_limit(HEEL_OFF_SPEED),
        lift_limit=compute_limit(HEEL_OFF_SPEED),
        is_raised=is_raised,
    )
    ball_spans = _find_stance_spans(
        ball_speed,
        compute_limit(BALL_DOWN_SPEED),
        compute_limit(BALL_DOWN_SPEED),
        lift_limit=compute_limit(BALL_OFF_SPEED),
        is_raised=is_raised,
    )
    contacts = []
    for begin, end in ball_spans:
        overlapping = [
            span for span in heel_spans if span[0] <= end and span[1] >= begin - int(0.15 * FPS)
        ]
        strike, heel_off = (
            (min(s[0] for s in overlapping), max(s[1] for s in overlapping))
            if overlapping
            else (begin, begin)
        )
        strike = min(strike, begin)
        heel_off = min(max(heel_off, begin), end)
        is_complete = strike > 1 and end < actor.frames - 2
        if is_pinned:
            strike = min(
                _find_first_slow(heel_speed, strike, heel_off, rest_speed),
                _find_first_slow(ball_speed, begin, end, rest_speed),
            )
            end = (
                len(ball_speed)
                - 1
                - _find_first_slow(
                    ball_speed[::-1],
                    len(ball_speed) - 1 - end,
                    len(ball_speed) - 1 - begin,
                    departure_speed,
                )
            )
            begin = max(begin, strike)
            heel_off = min(heel_off, end)
        contacts.append(
            FootContact(
                side,
                strike / FPS,
                begin / FPS,
                heel_off=heel_off / FPS,
                lift=end / FPS,
                is_complete=is_complete,
            )
        )
    return [s for k, s in enumerate(contacts) if k == 0 or s.strike > contacts[k - 1].lift - 1e-6]


def _is_pinned(heel: Array, ball: Array, unit_speed: float) -> bool:
    """Whether a foot that lies flat is as good as still. (n,), (n,)."""
    point_speed = np.maximum(heel, ball) / unit_speed
    is_flat = point_speed < HEEL_OFF_SPEED[0]
    return bool(is_flat.any() and np.median(point_speed[is_flat]) < PINNED_FOOT_SPEED)


def _find_first_slow(speed: Array, begin: int, end: int, limit: float) -> int:
    """The first frame from one to another at which a point is slower than a limit;
    the first of all where none is.
    """
    slow_frames = np.flatnonzero(speed[begin : end + 1] < limit)
    return begin + int(slow_frames[0]) if len(slow_frames) else begin


def _find_stance_spans(
    speed: Array,
    strike_limit: Array,
    stance_limit: Array,
    lift_limit: Array,
    is_raised: NDArray[np.bool_],
) -> FrameSpans:
    """Frames between which a point stands: where it is slow, back to where it came to be, on to
    where it is fast again.
    """
    is_slow = (speed < stance_limit) & ~is_raised
    edges = np.flatnonzero(np.diff(np.concatenate([[False], is_slow, [False]]).astype(int)))
    cores = [(int(a), int(b) - 1) for a, b in edges.reshape(-1, 2)]
    spans: FrameSpans = []
    for a, b in cores:
        while (
            a > 0
            and speed[a - 1] < max(strike_limit[a - 1], stance_limit[a - 1])
            and not is_raised[a - 1]
        ):
            a -= 1
        while b < len(speed) - 1 and speed[b + 1] < lift_limit[b + 1] and not is_raised[b + 1]:
            b += 1
        if spans and a - spans[-1][1] <= MAX_CONTACT_GAP * FPS:
            spans[-1] = (spans[-1][0], max(b, spans[-1][1]))
        else:
            spans.append((a, b))
    return [(a, b) for a, b in spans if b - a >= MIN_CONTACT_TIME * FPS]
