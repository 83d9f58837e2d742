"""Where and when the feet of an actor stand: contacts of heels and balls, told by how slow they are."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...geometry import so3
from .actor import FPS, POINTS, Actor

Array = NDArray[np.float64]
Spans = list[tuple[int, int]]

SMOOTH = 0.01             # s, of what speeds are taken from
BODY = 0.25               # s, over which the body's speed is evened out
HEEL_BACK = 0.35          # of the way from ankle to ball that the heel lies behind the ankle
BALL_AHEAD = 0.15         # leg lengths from ankle to ball in feet that tell nothing
FLATTEST = 0.06           # share of the frames, the stillest, in which feet are taken to lie flat
HELD_UP = 0.3             # leg lengths over the other foot from which on a slow foot is held up and not standing
SHORTEST = 0.07           # s of a contact
GAP = 0.06                # s within a contact in which its speed may be higher
SLIDES = 0.05             # sqrt(g l) that the lower foot goes backward with from which on a clip may be in place
FLOOR = 0.03              # share of the frames in which points of a foot are at their lowest
DOWN = 0.03               # leg lengths over that up to which they stand
EVENED = 0.03             # s, over which their slide is evened out
STAYS = 0.3               # of that speed that the body of such a clip goes at most

# speeds at which points count as standing, (share of sqrt(g l), share of the body's own speed); from labels set by eye
HEEL_STRIKE, HEEL_OFF = (0.30, 0.20), (0.06, 0.10)
BALL_DOWN, BALL_OFF = (0.03, 0.36), (0.18, 0.14)
# The same of feet that are pinned, as animators and solvers have them: they come to rest and set off gently, so that at these
# speeds they are still in the air, or again. Recorded ones strike hard, and none with markers is ever as still: sqrt(g l).
PINNED = 0.005            # that a flat foot moves at, at most; of pinned ones 0.0005, of recorded ones from 0.013 on
AT_REST, SETS_OFF = 0.15, 0.1
SHARP = (0.03, 0.04)      # the same of legs that are unlike: one that is spared goes down and up so gently that this would not show


@dataclass(frozen=True)
class Step:
    """One contact of a foot: heel down from `strike` to `heel_off`, ball from `flat` to `lift`; seconds of the actor's time.

    Args:
        side: 0 left, 1 right.
        whole: whether both its begin and its end are in the clip.
    """

    side: int
    strike: float
    flat: float
    heel_off: float
    lift: float
    whole: bool = True

    @property
    def time(self) -> float:
        """Its middle."""
        return 0.5 * (self.strike + self.lift)

    def later(self, seconds: float) -> Step:
        """The same with all times later."""
        return replace(self, **{name: getattr(self, name) + seconds for name in ("strike", "flat", "heel_off", "lift")})


@dataclass(frozen=True)
class Feet:
    """Feet of an actor over time.

    Args:
        heels, balls: (n, 2, 3).
        pitch: (n, 2) against lying flat, toes up positive, rad.
        heading: (n, 2) rad.
        steps: contacts by rising time of their middle.
    """

    heels: Array
    balls: Array
    pitch: Array
    heading: Array
    steps: tuple[Step, ...]

    def of(self, side: int) -> tuple[Step, ...]:
        """Contacts of one foot."""
        return tuple(s for s in self.steps if s.side == side)

    def phases(self, times: Array) -> Array:
        """Phase of each limb: 0 in the middle of a contact, 1 in the middle of its next, linear between (E). (n,) -> (n, 2).

        NaN before the first and after the last middle.
        """
        out = np.full((len(times), 2), np.nan)
        for side in (0, 1):
            middles = np.array([s.time for s in self.of(side)])
            if len(middles) > 1:
                out[:, side] = np.interp(times, middles, np.arange(len(middles)), np.nan, np.nan) % 1.0
        return out


def in_motion(actor: Actor) -> tuple[Actor, float]:
    """The actor as it goes over the ground, and the speed at which the clip has it stay in place, m/s; 0 where it goes by itself.

    In a clip that was made to stay in place the standing foot slides backward as fast as the body should go: not always evenly,
    so it is made to stand from frame to frame, and in flight the body goes on evenly.
    """
    slide = _slide(actor)
    speed = float(np.linalg.norm(slide.mean(0)))
    body = (actor.hips[-1] - actor.hips[0]).mean(0)[:2] * FPS / max(actor.frames - 1, 1)
    if speed < SLIDES * actor.unit_speed or np.linalg.norm(body) > STAYS * speed:
        return actor, 0.0
    shift = np.zeros((actor.frames, 3))
    shift[1:, :2] = -np.cumsum(0.5 * (slide[1:] + slide[:-1]), axis=0) / FPS
    points: dict[str, Any] = {name: value + shift.reshape(-1, *[1] * (value.ndim - 2), 3) for name in POINTS
                              if (value := getattr(actor, name)) is not None}
    return replace(actor, **points), speed


def _slide(actor: Actor) -> Array:
    """How the foot goes that stands, level; (n, 2) m/s. The one that is lowest, by its ankle or its ball."""
    points = np.concatenate([actor.ankles, actor.balls], axis=1)                                             # (n, 4, 3)
    level = np.gradient(points, 1 / FPS, axis=0)[..., :2]
    above = points[..., 2] - np.quantile(points[..., 2], FLOOR, axis=0)
    lowest = above.argmin(1)
    told = np.take_along_axis(level, lowest[:, None, None], 1)[:, 0]
    stands = above.min(1) < DOWN * actor.leg_length
    told = np.where((told @ np.median(told[stands], axis=0) > 0)[:, None], told, 0.0)       # a foot that is set down swings ahead
    frames = np.arange(actor.frames)
    told = np.stack([np.interp(frames, frames[stands], told[stands, k]) for k in (0, 1)], 1)
    return np.asarray(gaussian_filter1d(told, EVENED * FPS, axis=0, mode="nearest"))


def find_feet(actor: Actor, pinned: tuple[float, float] = (AT_REST, SETS_OFF)) -> Feet:
    """Heels, balls, and when they stand.

    Args:
        pinned: speeds at which feet that are pinned come to rest and set off, shares of sqrt(g l).
    """
    local = [_flat_foot(actor, side) for side in (0, 1)]
    placed = [[actor.ankles[:, side] + actor.feet[:, side] @ point for point in local[side][:2]] for side in (0, 1)]
    heels, balls = (np.stack([placed[side][k] for side in (0, 1)], 1) for k in (0, 1))
    ahead = np.stack([actor.feet[:, side] @ local[side][2] for side in (0, 1)], 1)                         # (n, 2, 3)
    pitch = so3.angle(ahead[..., 2], np.linalg.norm(ahead[..., :2], axis=-1))
    heading = np.unwrap(so3.angle(ahead[..., 1], ahead[..., 0]), axis=0)
    steps = [step for side in (0, 1) for step in _steps(actor, heels, balls, side, pinned)]
    return Feet(heels, balls, pitch, heading, tuple(sorted(steps, key=lambda s: s.time)))


def _flat_foot(actor: Actor, side: int) -> tuple[Array, Array, Array]:
    """Heel, ball and the way ahead in the foot's own axes, (3,) each, from the frames in which it is stillest.

    What a foot is like at rest in the file says nothing of how it lies on the ground; how it lies while it stands does.
    """
    still = _speed(actor.ankles[:, side]) + _speed(actor.balls[:, side]) + 0.2 * actor.leg_length * _turning(actor.feet[:, side])
    moving = still > 1e-4                                         # frames that are held say nothing
    count = max(4, int(FLATTEST * moving.sum()))
    flat = np.argsort(np.where(moving, still, np.inf))[:count]
    foot, ankle = actor.feet[flat, side], actor.ankles[flat, side]
    ahead = actor.balls[flat, side] - ankle
    told = np.linalg.norm(ahead[:, :2], axis=1) > 0.03 * actor.leg_length
    if not told.any():
        across = actor.hips[flat, 0] - actor.hips[flat, 1]
        ahead = np.cross(across, [0.0, 0.0, 1.0])
        ahead *= BALL_AHEAD * actor.leg_length / np.linalg.norm(ahead, axis=1, keepdims=True)
        ahead[:, 2] = -0.07 * actor.leg_length
    level = ahead * [1.0, 1.0, 0.0]
    heel = -HEEL_BACK * level + ahead * [0.0, 0.0, 1.0]

    def own(points: Array) -> Array:
        return np.asarray(np.median((np.swapaxes(foot, 1, 2) @ points[..., None])[..., 0], axis=0))

    way = own(level)
    return own(heel), own(ahead), way / np.linalg.norm(way)


def _speed(points: Array) -> Array:
    """(n, 3) -> (n,) m/s."""
    smooth = gaussian_filter1d(points, SMOOTH * FPS, axis=0, mode="nearest")
    return np.asarray(np.linalg.norm(np.gradient(smooth, 1 / FPS, axis=0), axis=-1))


def _turning(axes: Array) -> Array:
    """Rate at which axes turn. (n, 3, 3) -> (n,) rad/s."""
    return np.asarray(np.linalg.norm(np.gradient(axes, 1 / FPS, axis=0), axis=(1, 2)) / np.sqrt(2))


def _steps(actor: Actor, heels: Array, balls: Array, side: int, gentle: tuple[float, float]) -> list[Step]:
    """Contacts of one foot; `gentle` as `find_feet` has it."""
    u = actor.unit_speed
    at_rest, sets_off = u * gentle[0], u * gentle[1]
    pelvis = gaussian_filter1d(actor.hips.mean(1)[:, :2], BODY * FPS, axis=0, mode="nearest")
    body = np.linalg.norm(np.gradient(pelvis, 1 / FPS, axis=0), axis=-1)
    free = balls[:, side, 2] - np.minimum(balls[:, 1 - side, 2], heels[:, 1 - side, 2]) > HELD_UP * actor.leg_length

    def threshold(told: tuple[float, float]) -> Array:
        return told[0] * u + told[1] * body

    heel, ball = _speed(heels[:, side]), _speed(balls[:, side])
    pinned = _is_pinned(heel, ball, u)
    heel_spans = _spans(heel, threshold(HEEL_STRIKE), threshold(HEEL_OFF), threshold(HEEL_OFF), free)
    ball_spans = _spans(ball, threshold(BALL_DOWN), threshold(BALL_DOWN), threshold(BALL_OFF), free)
    out = []
    for begin, end in ball_spans:
        own = [span for span in heel_spans if span[0] <= end and span[1] >= begin - int(0.15 * FPS)]
        strike, off = (min(s[0] for s in own), max(s[1] for s in own)) if own else (begin, begin)
        strike, off = min(strike, begin), min(max(off, begin), end)
        whole = strike > 1 and end < actor.frames - 2
        if pinned:
            strike = min(_slow_from(heel, strike, off, at_rest), _slow_from(ball, begin, end, at_rest))
            end = len(ball) - 1 - _slow_from(ball[::-1], len(ball) - 1 - end, len(ball) - 1 - begin, sets_off)
            begin, off = max(begin, strike), min(off, end)
        out.append(Step(side, strike / FPS, begin / FPS, off / FPS, end / FPS, whole))
    return [s for k, s in enumerate(out) if k == 0 or s.strike > out[k - 1].lift - 1e-6]


def _is_pinned(heel: Array, ball: Array, unit_speed: float) -> bool:
    """Whether a foot that lies flat is as good as still. (n,), (n,)."""
    fastest = np.maximum(heel, ball) / unit_speed
    flat = fastest < HEEL_OFF[0]
    return bool(flat.any() and np.median(fastest[flat]) < PINNED)


def _slow_from(speed: Array, begin: int, end: int, limit: float) -> int:
    """The first frame from one to another at which a point is slower than a limit; the first of all where none is."""
    slow = np.flatnonzero(speed[begin:end + 1] < limit)
    return begin + int(slow[0]) if len(slow) else begin


def _spans(speed: Array, begins: Array, stays: Array, ends: Array, free: NDArray[np.bool_]) -> Spans:
    """Frames between which a point stands: where it is slow, back to where it came to be, on to where it is fast again."""
    slow = (speed < stays) & ~free
    edges = np.flatnonzero(np.diff(np.concatenate([[False], slow, [False]]).astype(int)))
    cores = [(int(a), int(b) - 1) for a, b in edges.reshape(-1, 2)]
    grown: Spans = []
    for a, b in cores:
        while a > 0 and speed[a - 1] < max(begins[a - 1], stays[a - 1]) and not free[a - 1]:
            a -= 1
        while b < len(speed) - 1 and speed[b + 1] < ends[b + 1] and not free[b + 1]:
            b += 1
        if grown and a - grown[-1][1] <= GAP * FPS:
            grown[-1] = (grown[-1][0], max(b, grown[-1][1]))
        else:
            grown.append((a, b))
    return [(a, b) for a, b in grown if b - a >= SHORTEST * FPS]
