"""Contacts of the feet of an actor, detected by the low speed of heels and balls."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...geometry import so3
from ...geometry.spans import find_spans
from .actor import FPS, Actor
from .flat_foot import compute_speed, find_flat_foot

Array = NDArray[np.float64]
FrameSpans = list[tuple[int, int]]
"""First and last frame of each span, in order of time."""


@dataclass(frozen=True)
class SpeedLimit:
    """Speed below which a point of a foot may be in contact.

    Args:
        unit_share: constant part, as a share of the speed at Froude number 1.
        body_share: part that grows with the speed of the body, as a share of it.
    """

    unit_share: float
    body_share: float

    def evaluate(self, unit_speed: float, body_speed: Array) -> Array:
        """Return the limit at speeds of the body, (n,) [m/s]."""
        return np.asarray(self.unit_share * unit_speed + self.body_share * body_speed)


@dataclass(frozen=True)
class PinnedSpeeds:
    """Speeds at which pinned feet land and lift, as shares of the speed at Froude number 1.

    Args:
        rest: speed below which a foot has landed.
        departure: speed above which a foot has lifted.
    """

    rest: float
    departure: float


@dataclass(frozen=True)
class ContactDetectionParameters:
    """Detection of contacts. The unit of speed is that at Froude number 1, sqrt(g l).

    Limits of speed were set with labels of events that were set by eye (tests/data/contacts.csv).
    """

    # Standard deviation of the filter on the position of the body [s], half of a human step, so
    # that its speed does not rise and fall with the steps. Tuned: doubled, heels of cmu_02_03_run
    # rise after 65 % of its contacts instead of 54.
    body_smoothing_time: float = 0.25
    # Height over the other foot above which a slow foot is held up [leg lengths], 0.28 m. Tuned:
    # halved, a contact of cmu_03_01_uneven_terrain is off by 20 frames; test_clips.py.
    raised_foot_height: float = 0.3
    # Shortest contact [s], below the 0.08 s of sprinters. Tuned: doubled, a contact of
    # cmu_02_01_walk is missed; test_clips.py.
    min_contact_time: float = 0.07
    # Longest time within a contact in which the speed may be above the limit [s]. Tuned: doubled,
    # contacts of a turn and of a stop are joined.
    max_contact_gap: float = 0.06
    # Time before the contact of a ball in which the contact of its heel may end [s]: a human foot
    # is flat within 0.1 s. Tuned: doubled, hops of cmu_131_03_hop are strides.
    heel_lead_time: float = 0.15
    # Speed of the heel below which it strikes. Tuned: halved or doubled, an event of cmu_02_01_walk
    # is 2 frames off instead of 1.
    heel_strike: SpeedLimit = SpeedLimit(0.30, 0.20)
    # Speed of the heel above which it lifts. Tuned: halved or doubled, 89 or 79 % of the events of
    # cmu_02_01_walk are within 2 frames instead of all.
    heel_off: SpeedLimit = SpeedLimit(0.06, 0.10)
    # Speed of the ball below which it touches down. Tuned: halved or doubled, 95 or 74 % are.
    ball_down: SpeedLimit = SpeedLimit(0.03, 0.36)
    # Speed of the ball above which it lifts. Tuned: halved, 89 % are; doubled, 87 % of the events
    # of cmu_02_03_run are instead of 93 %.
    ball_off: SpeedLimit = SpeedLimit(0.18, 0.14)
    # Median speed of a flat foot below which it is pinned [sqrt(g l)]. It is 0.0005 for pinned
    # feet and at least 0.013 for feet recorded with markers. Tuned: doubled, the feet of
    # mblab_walking are pinned.
    pinned_foot_speed: float = 0.005


CONTACT = ContactDetectionParameters()
# Animators and solvers pin feet, which then come to rest and depart smoothly. At the speeds of
# recorded feet, which strike hard, pinned feet are still in the air.
PINNED_SPEEDS = PinnedSpeeds(rest=0.15, departure=0.1)
# The same for legs that differ. A leg that is spared lands and lifts so smoothly that its shorter
# contact would be missed with the speeds above.
LIMP_PINNED_SPEEDS = PinnedSpeeds(rest=0.03, departure=0.04)


@dataclass(frozen=True)
class FootContact:
    """One contact of a foot.

    The heel is down from `strike` to `heel_off` and the ball from `flat` to `lift`.

    Args:
        side: 0 for the left foot, 1 for the right foot.
        strike: time at which the foot strikes [s].
        flat: time at which the ball comes down [s].
        heel_off: time at which the heel lifts [s].
        lift: time at which the foot lifts [s].
        is_complete: whether both the start and the end of the contact are in the clip.
    """

    side: int
    strike: float
    flat: float
    heel_off: float
    lift: float
    is_complete: bool = True

    @property
    def time(self) -> float:
        """Middle of the contact [s]."""
        return 0.5 * (self.strike + self.lift)

    def shifted(self, seconds: float) -> FootContact:
        """Return the contact with all times shifted."""
        return replace(
            self,
            **{
                name: getattr(self, name) + seconds
                for name in ("strike", "flat", "heel_off", "lift")
            },
        )


@dataclass(frozen=True)
class Feet:
    """Feet of an actor over n frames, left side first.

    Args:
        heels: (n, 2, 3) positions [m].
        balls: (n, 2, 3) positions [m].
        pitch: (n, 2) pitch relative to lying flat, toes up positive [rad].
        heading: (n, 2) heading [rad].
        contacts: contacts in order of their middle.
    """

    heels: Array
    balls: Array
    pitch: Array
    heading: Array
    contacts: tuple[FootContact, ...]

    def side_contacts(self, side: int) -> tuple[FootContact, ...]:
        """Return the contacts of one foot."""
        return tuple(s for s in self.contacts if s.side == side)

    def compute_phases(self, times: Array) -> Array:
        """Return the phase of each leg at n times, (n, 2).

        The phase is 0 in the middle of a contact and 1 in the middle of the next one, linear in
        between. It is NaN before the first and after the last middle.
        """
        out = np.full((len(times), 2), np.nan)
        for side in (0, 1):
            middles = np.array([s.time for s in self.side_contacts(side)])
            if len(middles) > 1:
                out[:, side] = (
                    np.interp(times, middles, np.arange(len(middles)), np.nan, np.nan) % 1.0
                )
        return out


def find_feet(actor: Actor, pinned_speeds: PinnedSpeeds = PINNED_SPEEDS) -> Feet:
    """Return the feet of an actor with their contacts.

    Args:
        pinned_speeds: speeds at which pinned feet land and lift.
    """
    flat_feet = [find_flat_foot(actor, side) for side in (0, 1)]

    def locate(points: list[Array]) -> Array:
        return np.stack(
            [actor.ankles[:, side] + actor.feet[:, side] @ points[side] for side in (0, 1)], 1
        )

    heels = locate([foot.heel for foot in flat_feet])
    balls = locate([foot.ball for foot in flat_feet])
    # (n, 2, 3)
    forward = np.stack([actor.feet[:, side] @ flat_feet[side].forward for side in (0, 1)], 1)
    pitch = so3.atan2(forward[..., 2], np.linalg.norm(forward[..., :2], axis=-1))
    heading = np.unwrap(so3.atan2(forward[..., 1], forward[..., 0]), axis=0)
    contacts = [
        contact
        for side in (0, 1)
        for contact in _find_contacts(actor, heels, balls, side=side, pinned_speeds=pinned_speeds)
    ]
    return Feet(
        heels, balls, pitch, heading=heading, contacts=tuple(sorted(contacts, key=lambda s: s.time))
    )


@dataclass(frozen=True)
class _FootSpeeds:
    """Quantities over n frames that decide whether a foot is in contact.

    Args:
        heel: (n,) speed of the heel [m/s].
        ball: (n,) speed of the ball [m/s].
        body: (n,) horizontal speed of the body [m/s].
        is_raised: (n,) whether the foot is held up.
        unit_speed: speed at Froude number 1 [m/s].
    """

    heel: Array
    ball: Array
    body: Array
    is_raised: NDArray[np.bool_]
    unit_speed: float

    @staticmethod
    def measure(actor: Actor, heels: Array, balls: Array, side: int) -> _FootSpeeds:
        """Return the speeds of one foot of an actor."""
        pelvis = gaussian_filter1d(
            actor.hips.mean(1)[:, :2], CONTACT.body_smoothing_time * FPS, axis=0, mode="nearest"
        )
        is_raised = (
            balls[:, side, 2] - np.minimum(balls[:, 1 - side, 2], heels[:, 1 - side, 2])
            > CONTACT.raised_foot_height * actor.leg_length
        )
        return _FootSpeeds(
            compute_speed(heels[:, side]),
            compute_speed(balls[:, side]),
            np.linalg.norm(np.gradient(pelvis, 1 / FPS, axis=0), axis=-1),
            is_raised=is_raised,
            unit_speed=actor.unit_speed,
        )

    @property
    def is_pinned(self) -> bool:
        """Whether the foot hardly moves while it lies flat."""
        point_speed = np.maximum(self.heel, self.ball) / self.unit_speed
        is_flat = point_speed < CONTACT.heel_off.unit_share
        return bool(is_flat.any() and np.median(point_speed[is_flat]) < CONTACT.pinned_foot_speed)

    def find_heel_spans(self) -> FrameSpans:
        """Return the frames in which the heel is down."""
        return self._find_spans(self.heel, CONTACT.heel_strike, CONTACT.heel_off, CONTACT.heel_off)

    def find_ball_spans(self) -> FrameSpans:
        """Return the frames in which the ball is down."""
        return self._find_spans(self.ball, CONTACT.ball_down, CONTACT.ball_down, CONTACT.ball_off)

    def _find_spans(
        self, speed: Array, strike: SpeedLimit, stance: SpeedLimit, lift: SpeedLimit
    ) -> FrameSpans:
        strike_limit, stance_limit, lift_limit = (
            limit.evaluate(self.unit_speed, self.body) for limit in (strike, stance, lift)
        )
        return _find_stance_spans(
            speed,
            strike_limit,
            stance_limit,
            lift_limit=lift_limit,
            is_raised=self.is_raised,
        )


def _find_contacts(
    actor: Actor, heels: Array, balls: Array, side: int, pinned_speeds: PinnedSpeeds
) -> list[FootContact]:
    """Return the contacts of one foot in order of time, without overlaps."""
    speeds = _FootSpeeds.measure(actor, heels, balls, side)
    heel_spans = speeds.find_heel_spans()
    contacts = []
    for ball_span in speeds.find_ball_spans():
        frames = _join_spans(ball_span, heel_spans)
        is_complete = frames.strike > 1 and frames.lift < actor.frames - 2
        if speeds.is_pinned:
            frames = frames.trim_to_rest(speeds, pinned_speeds)
        contacts.append(
            FootContact(
                side,
                frames.strike / FPS,
                frames.flat / FPS,
                heel_off=frames.heel_off / FPS,
                lift=frames.lift / FPS,
                is_complete=is_complete,
            )
        )
    return [s for k, s in enumerate(contacts) if k == 0 or s.strike > contacts[k - 1].lift - 1e-6]


@dataclass(frozen=True)
class _ContactFrames:
    """Frames of the events of one contact; see `FootContact`."""

    strike: int
    flat: int
    heel_off: int
    lift: int

    def trim_to_rest(self, speeds: _FootSpeeds, pinned_speeds: PinnedSpeeds) -> _ContactFrames:
        """Return the part of the contact in which a pinned foot is at rest."""
        rest_speed = speeds.unit_speed * pinned_speeds.rest
        departure_speed = speeds.unit_speed * pinned_speeds.departure
        last = len(speeds.ball) - 1
        strike = min(
            _find_first_slow(speeds.heel, self.strike, self.heel_off, rest_speed),
            _find_first_slow(speeds.ball, self.flat, self.lift, rest_speed),
        )
        lift = last - _find_first_slow(
            speeds.ball[::-1], last - self.lift, last - self.flat, departure_speed
        )
        return _ContactFrames(
            strike, max(self.flat, strike), heel_off=min(self.heel_off, lift), lift=lift
        )


def _join_spans(ball_span: tuple[int, int], heel_spans: FrameSpans) -> _ContactFrames:
    """Return the contact of a ball with the contacts of the heel that overlap it."""
    begin, end = ball_span
    overlapping = [
        span
        for span in heel_spans
        if span[0] <= end and span[1] >= begin - int(CONTACT.heel_lead_time * FPS)
    ]
    strike, heel_off = (
        (min(s[0] for s in overlapping), max(s[1] for s in overlapping))
        if overlapping
        else (begin, begin)
    )
    return _ContactFrames(
        min(strike, begin), begin, heel_off=min(max(heel_off, begin), end), lift=end
    )


def _find_first_slow(speed: Array, begin: int, end: int, limit: float) -> int:
    """Return the first frame of a span in which a point is slower than a limit, else its start."""
    slow_frames = np.flatnonzero(speed[begin : end + 1] < limit)
    return begin + int(slow_frames[0]) if len(slow_frames) else begin


def _find_stance_spans(
    speed: Array,
    strike_limit: Array,
    stance_limit: Array,
    lift_limit: Array,
    is_raised: NDArray[np.bool_],
) -> FrameSpans:
    """Return the frames in which a point is in contact.

    A span begins as a run of frames below `stance_limit`. It is extended backward to the frame in
    which the point fell below `strike_limit` and forward to the one in which it exceeds
    `lift_limit`.
    """
    is_slow = (speed < stance_limit) & ~is_raised
    spans: FrameSpans = []
    for slow in find_spans(is_slow):
        a, b = slow.start, slow.stop - 1
        while (
            a > 0
            and speed[a - 1] < max(strike_limit[a - 1], stance_limit[a - 1])
            and not is_raised[a - 1]
        ):
            a -= 1
        while b < len(speed) - 1 and speed[b + 1] < lift_limit[b + 1] and not is_raised[b + 1]:
            b += 1
        if spans and a - spans[-1][1] <= CONTACT.max_contact_gap * FPS:
            spans[-1] = (spans[-1][0], max(b, spans[-1][1]))
        else:
            spans.append((a, b))
    return [(a, b) for a, b in spans if b - a >= CONTACT.min_contact_time * FPS]
