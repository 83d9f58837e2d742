"""Which points of the soles of a simulated body bear in a frame, and how much: instants are shorter than frames."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....simulate.model import TouchPoint
from .contacts import BEARS

Array = NDArray[np.float64]

NEAR = 0.75           # of a frame's time to either side, in which a point that bears does so in the frame
HIGH, FAST = 0.012, 1.0           # m above the ground, or m/s along it, of a point still on its way in the first frame it bears in
HIGHEST = 0.0185      # m above the ground of a point that waits whatever it bears: it would be seen to move by two centimetres
EVEN = 0.0025         # m that it may be higher than the lowest of its sole, to come down with it
LIGHT = 25.0          # body weights for each m that it is above the ground, which a whole sole on its way bears at most
OTHER = 1.0           # body weights that it bears at most where another foot is down
BRUSHES = 0.2         # body weights at most, with which a foot in the air brushes the ground


@dataclass(frozen=True)
class Bearing:
    """Of the points of all soles, by frame."""

    forces: Array                 # (n, points, 3) N, means about the frame
    points: NDArray[np.bool_]     # (n, points), whether they bear


def bearing(forces: Array, stands: NDArray[np.bool_], wide: NDArray[np.int64], every: int, above: Array, speed: Array,
            soles: tuple[tuple[TouchPoint, ...], ...], weight: float) -> Bearing:
    """Means of forces about frames, on points that bear close to them, are on the ground and are to rest there.

    What other points have is given to those of the same sole that bear. Where none does, it is given to those of other feet, so
    that momentum is right, and where no foot is down, to those of the next frame: a blow just before a landing's own frame is a
    part of it. What the frame after a contact has is little, and not known yet where a live motion ends.

    Args:
        forces: (instants, points, 3) N.
        stands: (instants, legs), whether feet were to stand.
        wide: (2 + n,) instants of the frames, and of two frames before them.
        every: instants from frame to frame.
        above: (2 + n, points) m from the ground up.
        speed: (2 + n, points) m/s along the ground.
        weight: N, of the body.
    """
    legs = np.repeat(np.eye(len(soles)), [len(sole) for sole in soles], axis=0)           # (points, legs), whose they are
    mean = means(forces, wide, every)
    bears = _near(forces[..., 2] / weight, wide, every)
    bears &= ~_brushes(mean[..., 2] / weight, bears, _near(stands.astype(float), wide, every), legs)
    down = _down(mean[..., 2] / weight, bears, above, speed, legs)
    own = mean * down[..., None]
    rest = np.einsum("npk,pl->nlk", mean - own, legs)                                     # (2 + n, legs, 3)
    rest = _handed_on(rest, own[..., 2] @ legs)
    share = own[..., 2] / np.maximum(own[..., 2] @ legs @ legs.T, 1e-9)                   # (2 + n, points) of their sole's
    own += share[..., None] * np.einsum("nlk,pl->npk", rest, legs)
    return Bearing(own[2:], down[2:])


def _near(upward: Array, at: NDArray[np.int64], every: int) -> NDArray[np.bool_]:
    """Which points (instants, points) bear close to each frame, where upward forces are in body weights. (n, points).

    Likewise which feet are to stand close to it.
    """
    run = np.concatenate([np.zeros((1, upward.shape[1])), np.cumsum(upward, axis=0)])
    near = round(NEAR * every)
    low, high = np.clip(at - near, 0, len(upward)), np.clip(at + near, 0, len(upward))
    return np.asarray(run[high] - run[low] > BEARS * np.maximum(high - low, 1)[:, None])


def _brushes(upward: Array, bears: NDArray[np.bool_], stands: NDArray[np.bool_], legs: Array) -> NDArray[np.bool_]:
    """Points (n, points) of feet in the air that brush the ground while another foot stands on it.

    Args:
        stands: (n, legs), whether feet are to stand.
    """
    held = ((bears @ legs > 0) & stands).any(1, keepdims=True)
    return np.asarray((~stands & held & (upward @ legs < BRUSHES)) @ legs.T > 0)


def _handed_on(rest: Array, upward: Array) -> Array:
    """Forces (n, legs, 3) that points have which do not bear: from frames in which none does to the next, then to feet that do.

    Args:
        upward: (n, legs) N, what those have that bear.
    """
    total = upward.sum(1)[:, None, None]
    rest = rest.copy()
    for k in np.flatnonzero(total[:-1] == 0).tolist():    # one after the other: the next frame may hand it on as well
        rest[k + 1] += rest[k]
    lost = np.where((upward == 0)[..., None], rest, 0.0)
    return np.asarray(rest - lost + upward[..., None] / np.maximum(total, 1e-9) * lost.sum(1)[:, None])


def _down(upward: Array, bears: NDArray[np.bool_], above: Array, speed: Array, legs: Array) -> NDArray[np.bool_]:
    """The same without points that are still on their way in a contact's first frame: they would be seen to move while they rest.

    All of a sole wait at once only where it bears little, another foot is down, or it is too high: momentum is a frame late.
    """
    early = ~bears[:-1] & bears[1:] & ((above > HIGH) | (speed > FAST))[1:]
    first = bears[1:] & ~early
    landed = first @ legs > 0                                                             # (n, legs)
    lowest = np.stack([np.where(bears[1:] & own, above[1:], np.inf).min(1) for own in legs.T > 0], 1)       # (n, legs)
    light = (upward * bears)[1:] @ legs < np.where(landed.any(1, keepdims=True), OTHER, LIGHT * lowest)
    higher = above[1:] > lowest[:, legs.argmax(1)] + EVEN
    waits = ((landed | light) @ legs.T > 0) | higher | (above[1:] > HIGHEST)              # (n, points)
    return np.concatenate([bears[:1], first | (early & ~waits)])


def means(values: Array, at: NDArray[np.int64], every: int) -> Array:
    """About each frame, weighted by a tent from the frame before to the one after, as far as there is any.

    The acceleration under that tent is the second difference of places at the frames: forces that are means like this
    explain how the centre of mass moves, however short a blow is against a frame.

    Args:
        values: (instants, ...).
        at: (n,) instants of the frames.
        every: instants from frame to frame.
    """
    near = np.arange(-every, every)
    which = at[:, None] + near                                                            # (n, instants about a frame)
    weight = np.where((which >= 0) & (which < len(values)), every - np.abs(near + 0.5), 0.0)
    weight /= np.maximum(weight.sum(1, keepdims=True), 1e-9)
    return np.asarray(np.einsum("nk,nk...->n...", weight, values[np.clip(which, 0, len(values) - 1)]))
