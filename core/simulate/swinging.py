"""How a foot in the air is to accelerate so that it comes down where and when it is to."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..geometry.curves import Share, smooth, within
from .reference import SwingTarget

Array = NDArray[np.float64]

SOONEST = 0.06        # s that it is given to get there at least
LAST = 0.06           # s at the end in which it only comes down
LANDING = (0.25, 1.3)            # m/s, its speed then at least and at most
OVER = 0.008          # m above its place at which the path before that ends
FOLLOW = 900.0        # 1/s^2, stiffness with which the height follows its path
STOPS, STOPPING = 0.06, 15.0     # m that a foot is too low, at which it goes no further ahead, and 1/s with which it stops
SCRAPES, PULLED = 0.015, 80.0    # m below its way, from where on a foot is too low; m/s^2 along the ground of one that is late
FASTEST = 250.0       # m/s^2
SHORTEST = 0.1        # s, of a whole swing
PEELS, LEVEL = 0.7, 0.6          # rad that a heel rises by at most as its foot leaves; share of the swing after which it is level
CLIMBS, SINKS = 0.7, 0.45        # of a swing's time: in which a foot rises to a higher place, after which it sinks to a lower one


def swing_acceleration(target: SwingTarget, place: Array, velocity: Array) -> Array:
    """Of the middle of a sole, m/s^2. Places and velocities (3,).

    Ahead by the cubic that ends at rest over the place, anew at every instant; upward along a path of its own time, since the
    foot must be high in its middle whatever happens ahead.
    """
    left = max(target.arrives - target.early, SOONEST)
    out = 6 * (target.place - place) / left**2 - 4 * velocity / left
    if target.bows:
        out[:2] += _bowed(target, place[:2], velocity[:2], out[:2], left)
    out[:2] *= min(1.0, target.hardest / max(float(np.hypot(out[0], out[1])), 1e-9))
    out[2] = _upward(target, float(place[2]), float(velocity[2]))
    if target.lacks > 0:               # up first, and no further ahead before that
        out[2] = max(out[2], FOLLOW * target.lacks - 2 * np.sqrt(FOLLOW) * velocity[2])
        out[:2] += min(target.lacks / STOPS, 1.0) * (-STOPPING * velocity[:2] - out[:2])
    return np.minimum(np.maximum(out, -FASTEST), FASTEST)


def _bowed(target: SwingTarget, place: Array, velocity: Array, straight: Array, left: float) -> Array:
    """What is to be added to an acceleration straight to the place, for a way that bows to one side. All (2,).

    Args:
        left: s until the foot is over its place.
    """
    way = target.place[:2] - target.left[:2]
    aside = np.array([-way[1], way[0]]) / max(float(np.hypot(way[0], way[1])), 1e-6)
    whole = target.since + left
    path = humped(np.float64(target.since / whole), target.bows)
    wanted = _followed(path, whole, float((place - target.left[:2]) @ aside), float(velocity @ aside))
    return np.asarray((wanted - straight @ aside) * aside)


def _upward(target: SwingTarget, height: float, speed: float) -> float:
    if target.arrives < LAST:
        gap = height - float(target.place[2])
        return 50.0 * (-min(max(gap / max(target.arrives, 0.02), LANDING[0]), LANDING[1]) - speed)
    return _followed(*_height(target), height, speed)


def _height(target: SwingTarget) -> tuple[tuple[Share, Share, Share], float]:
    """Of the way of a swing now, m, its first two derivatives by the share of its time, and s of that."""
    whole = max(target.since + target.arrives, SHORTEST)
    low, high = float(target.left[2]), float(target.place[2]) + OVER
    wanted, rate, gain = lifted(np.float64(min(target.since / whole, 1.0)), high - low, target.apex, target.sinks)
    return (low + wanted, rate, gain), whole


def drags(target: SwingTarget, height: float, pull: Array) -> bool:
    """Whether a foot that is late, and not to come down yet, is so far below its way that it may scrape along the ground.

    Args:
        pull: (2,) m/s^2 along the ground, with which it is to go on.
    """
    if target.arrives < LAST or float(np.hypot(pull[0], pull[1])) < PULLED:
        return False
    return float(_height(target)[0][0]) - height > SCRAPES


def _followed(path: tuple[Share, Share, Share], whole: float, at: float, speed: float) -> float:
    """Acceleration along a path, m/s^2.

    Args:
        path: where it is now, m, and its first two derivatives by the share of its time.
        whole: s of it.
        at, speed: of what follows it, m and m/s.
    """
    wanted, rate, gain = path
    return float(gain / whole**2 + FOLLOW * (wanted - at) + 2 * np.sqrt(FOLLOW) * (rate / whole - speed))


def lifted(share: Share, rise: float, apex: float, sinks: float = SINKS) -> tuple[Share, Share, Share]:
    """Height of a swing above where it began, m, and its first two derivatives by the share of its time that is over.

    A smooth step to the height of its end, and a hump of `apex` above it. A foot that is to come down higher is up early, one
    that is to come down lower goes down from the share `sinks` on: what is in its way lies between.
    """
    begin, lasts = (0.0, CLIMBS) if rise > 0 else (sinks, 1.0 - sinks)
    inside = (share > begin) & (share < begin + lasts)
    t = within((share - begin) / lasts)
    hump = humped(share, apex)
    # 3 t^2 - 2 t^3
    height = rise * smooth(t) + hump[0]
    rate = rise * 6 * t * (1 - t) / lasts + hump[1]
    gain = rise * np.where(inside, 6 - 12 * t, 0.0) / lasts**2 + hump[2]
    return height, rate, gain


def humped(share: Share, top: float) -> tuple[Share, Share, Share]:
    """From 0 up to a top in the middle and back, at rest at both ends, and the first two derivatives by the share."""
    s, r = share, 1.0 - share
    # 16 s^2 (1 - s)^2
    return 16 * top * (s * r) ** 2, 32 * top * s * r * (r - s), 32 * top * (1 - 6 * s * r)


def peeled(share: Share, risen: Share) -> Array:
    """rad that a foot's toes hang as it peels off the ground, by the share of its swing that is over.

    Args:
        risen: height of its middle above where it left, in distances from there to its toes.
    """
    most = PEELS * np.minimum(within(2 - 2 * share / LEVEL), within(2 - risen))
    return np.asarray(np.minimum(np.arcsin(within(risen)), most))


def gone(share: Array, early: float) -> Array:
    """About which part of its way along the ground a swing has behind it, by the share of its time that is over.

    Args:
        early: share of its time before its end, at which it is over its place.
    """
    return smooth(share / (1.0 - early))
