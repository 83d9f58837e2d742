"""Which points of the soles of a simulated body bear in a frame, and how much:
instants are shorter than frames.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....simulate.model import TouchPoint
from .contacts import MIN_POINT_LOAD

Array = NDArray[np.float64]

# of a frame's time to either side, in which a point that bears does so in the frame
LOAD_WINDOW_RATIO = 0.75

# m above the ground, or m/s along it, of a point still on its way in the first frame it bears in
MAX_FIRST_CONTACT_HEIGHT = 0.012
MAX_FIRST_CONTACT_SPEED = 1.0

# m above the ground of a point that waits whatever it bears:
# it would be seen to move by two centimetres
MAX_CONTACT_HEIGHT = 0.0185
# m that it may be higher than the lowest of its sole, to come down with it
SOLE_HEIGHT_TOLERANCE = 0.0025
# body weights for each m that it is above the ground, which a whole sole on its way bears at most
MAX_DELAYED_LOAD_PER_METER = 25.0
MAX_DELAYED_LOAD = 1.0  # body weights that it bears at most where another foot is down
MAX_BRUSHING_LOAD = 0.2  # body weights at most, with which a foot in the air brushes the ground


@dataclass(frozen=True)
class FrameForces:
    """Of the points of all soles, by frame."""

    forces: Array  # (n, points, 3) N, means about the frame
    resting: NDArray[np.bool_]  # (n, points), whether they bear


def compute_frame_forces(
    forces: Array,
    planned_stance: NDArray[np.bool_],
    frame_instants: NDArray[np.int64],
    instants_per_frame: int,
    height: Array,
    speed: Array,
    soles: tuple[tuple[TouchPoint, ...], ...],
    weight: float,
) -> FrameForces:
    """Means of forces about frames, on points that bear close to them,
    are on the ground and are to rest there.

    What other points have is given to those of the same sole that bear. Where none does, it is
    given to those of other feet, so that momentum is right, and where no foot is down, to those of
    the next frame: a blow just before a landing's own frame is a part of it. What the frame after a
    contact has is little, and not known yet where a live motion ends.

    Args:
        forces: (instants, points, 3) N.
        planned_stance: (instants, legs), whether feet were to stand.
        frame_instants: (2 + n,) instants of the frames, and of two frames before them.
        instants_per_frame: instants from frame to frame.
        height: (2 + n, points) m from the ground up.
        speed: (2 + n, points) m/s along the ground.
        weight: N, of the body.
    """
    # (points, legs), whose they are
    leg_of_point = np.repeat(np.eye(len(soles)), [len(sole) for sole in soles], axis=0)
    mean_force = average_over_frames(forces, frame_instants, instants_per_frame)
    loaded = _find_loaded(forces[..., 2] / weight, frame_instants, instants_per_frame)
    loaded &= ~_find_brushing(
        mean_force[..., 2] / weight,
        loaded,
        _find_loaded(planned_stance.astype(float), frame_instants, instants_per_frame),
        leg_of_point,
    )
    resting = _find_resting(
        mean_force[..., 2] / weight, loaded, height, speed=speed, leg_of_point=leg_of_point
    )
    resting_force = mean_force * resting[..., None]
    # (2 + n, legs, 3)
    remainder = np.einsum("npk,pl->nlk", mean_force - resting_force, leg_of_point)
    remainder = _redistribute(remainder, resting_force[..., 2] @ leg_of_point)
    # (2 + n, points) of their sole's
    share = resting_force[..., 2] / np.maximum(
        resting_force[..., 2] @ leg_of_point @ leg_of_point.T, 1e-9
    )
    resting_force += share[..., None] * np.einsum("nlk,pl->npk", remainder, leg_of_point)
    return FrameForces(resting_force[2:], resting[2:])


def _find_loaded(
    upward: Array, instants: NDArray[np.int64], instants_per_frame: int
) -> NDArray[np.bool_]:
    """Which points (instants, points) bear close to each frame,
    where upward forces are in body weights. (n, points).

    Likewise which feet are to stand close to it.
    """
    cumulative = np.concatenate([np.zeros((1, upward.shape[1])), np.cumsum(upward, axis=0)])
    half_window = round(LOAD_WINDOW_RATIO * instants_per_frame)
    low = np.clip(instants - half_window, 0, len(upward))
    high = np.clip(instants + half_window, 0, len(upward))
    return np.asarray(
        cumulative[high] - cumulative[low] > MIN_POINT_LOAD * np.maximum(high - low, 1)[:, None]
    )


def _find_brushing(
    upward: Array, loaded: NDArray[np.bool_], planned_stance: NDArray[np.bool_], leg_of_point: Array
) -> NDArray[np.bool_]:
    """Points (n, points) of feet in the air that brush the ground while another foot stands on it.

    Args:
        planned_stance: (n, legs), whether feet are to stand.
    """
    has_support = ((loaded @ leg_of_point > 0) & planned_stance).any(1, keepdims=True)
    return np.asarray(
        (~planned_stance & has_support & (upward @ leg_of_point < MAX_BRUSHING_LOAD))
        @ leg_of_point.T
        > 0
    )


def _redistribute(remainder: Array, upward: Array) -> Array:
    """Forces (n, legs, 3) that points have which do not bear: from frames in which none does to the
    next, then to feet that do.

    Args:
        upward: (n, legs) N, what those have that bear.
    """
    total = upward.sum(1)[:, None, None]
    remainder = remainder.copy()
    # one after the other: the next frame may hand it on as well
    for k in np.flatnonzero(total[:-1] == 0).tolist():
        remainder[k + 1] += remainder[k]
    unassigned = np.where((upward == 0)[..., None], remainder, 0.0)
    return np.asarray(
        remainder
        - unassigned
        + upward[..., None] / np.maximum(total, 1e-9) * unassigned.sum(1)[:, None]
    )


def _find_resting(
    upward: Array, loaded: NDArray[np.bool_], height: Array, speed: Array, leg_of_point: Array
) -> NDArray[np.bool_]:
    """The same without points that are still on their way in a contact's first frame: they would be
    seen to move while they rest.

    All of a sole wait at once only where it bears little, another foot is down, or it is too high:
    momentum is a frame late.
    """
    early = (
        ~loaded[:-1]
        & loaded[1:]
        & ((height > MAX_FIRST_CONTACT_HEIGHT) | (speed > MAX_FIRST_CONTACT_SPEED))[1:]
    )
    initial = loaded[1:] & ~early
    landed = initial @ leg_of_point > 0  # (n, legs)
    # (n, legs)
    lowest = np.stack(
        [np.where(loaded[1:] & of_leg, height[1:], np.inf).min(1) for of_leg in leg_of_point.T > 0],
        1,
    )
    light = (upward * loaded)[1:] @ leg_of_point < np.where(
        landed.any(1, keepdims=True), MAX_DELAYED_LOAD, MAX_DELAYED_LOAD_PER_METER * lowest
    )
    higher = height[1:] > lowest[:, leg_of_point.argmax(1)] + SOLE_HEIGHT_TOLERANCE
    # (n, points)
    delayed = ((landed | light) @ leg_of_point.T > 0) | higher | (height[1:] > MAX_CONTACT_HEIGHT)
    return np.concatenate([loaded[:1], initial | (early & ~delayed)])


def average_over_frames(
    values: Array, instants: NDArray[np.int64], instants_per_frame: int
) -> Array:
    """About each frame, weighted by a tent from the frame before to the one after,
    as far as there is any.

    The acceleration under that tent is the second difference of places at the frames: forces that
    are means like this explain how the centre of mass moves, however short a blow is against a
    frame.

    Args:
        values: (instants, ...).
        instants: (n,) instants of the frames.
        instants_per_frame: instants from frame to frame.
    """
    offsets = np.arange(-instants_per_frame, instants_per_frame)
    indices = instants[:, None] + offsets  # (n, instants about a frame)
    weights = np.where(
        (indices >= 0) & (indices < len(values)), instants_per_frame - np.abs(offsets + 0.5), 0.0
    )
    weights /= np.maximum(weights.sum(1, keepdims=True), 1e-9)
    return np.asarray(
        np.einsum("nk,nk...->n...", weights, values[np.clip(indices, 0, len(values) - 1)])
    )
