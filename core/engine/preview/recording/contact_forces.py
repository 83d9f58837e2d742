"""Forces on the contact points of the soles by frame, from those at the instants of a simulation.

A frame is longer than an instant. The forces of a frame are means about it that explain the motion
of the center of mass, and only points that rest on the ground have any.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....simulate.model import TouchPoint
from .contacts import CONTACTS

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ContactForceParameters:
    """Which contact points rest in a frame. Loads are vertical forces in body weights [1].

    Their effects are tested in test_bearing.py.
    """

    # Time before and after a frame in which a load counts for it [frames]: more than half, so that
    # no load between two frames is lost, and less than one, the width of the averaged forces.
    load_window_ratio: float = 0.75
    # Height above which a point does not rest in the first frame of its contact [m], below
    # `max_contact_height`, as a foot that lands still moves.
    max_first_contact_height: float = 0.012
    # Sliding speed above which it does not [m/s].
    # tuned: the first frame of a foot that lands sliding was a slide of 0.07 m
    max_first_contact_speed: float = 1.0
    # Height above which a point of any load does not rest in that frame [m].
    # tuned: higher, points visibly move by 0.02 m; at 0.0155 the blow of a landing from a ledge of
    # 1 m came a frame late
    max_contact_height: float = 0.0185
    # Height above the lowest point of its sole up to which a point rests together with it [m].
    sole_height_tolerance: float = 0.0025
    # Load per height of the lowest point below which a whole sole does not rest [1/m].
    max_delayed_load_per_meter: float = 25.0
    # Load below which a whole sole does not rest where another foot does [1], that of a body that
    # stands on it alone.
    max_delayed_load: float = 1.0
    # Load below which a swing foot only brushes the ground [1], above the
    # `PhaseParameters.support_load` of a foot that may carry.
    max_brushing_load: float = 0.2


CONTACT_FORCES = ContactForceParameters()


@dataclass(frozen=True)
class FrameInstants:
    """Instants at which n frames lie, and two frames before them.

    Attributes:
        instants: (2 + n,) indices of the instants.
        instants_per_frame: instants from one frame to the next.
    """

    instants: NDArray[np.int64]
    instants_per_frame: int


@dataclass(frozen=True)
class SoleHistory:
    """Recorded loads of the soles.

    Attributes:
        forces: (instants, points, 3) forces on the contact points [N].
        planned_stance: (instants, legs) whether the feet were planned to stand.
    """

    forces: Array
    planned_stance: NDArray[np.bool_]


@dataclass(frozen=True)
class ContactPointMotion:
    """Motion of the contact points at n frames and two frames before them.

    Attributes:
        height: (2 + n, points) height above the ground [m].
        speed: (2 + n, points) sliding speed along the ground [m/s].
    """

    height: Array
    speed: Array


@dataclass(frozen=True)
class FrameForces:
    """Forces on the contact points in n frames.

    Attributes:
        forces: (n, points, 3) means about each frame [N]; zero where a point does not rest.
        resting: (n, points) whether the points rest on the ground.
    """

    forces: Array
    resting: NDArray[np.bool_]


def compute_frame_forces(
    history: SoleHistory,
    frames: FrameInstants,
    motion: ContactPointMotion,
    soles: tuple[tuple[TouchPoint, ...], ...],
    weight: float,
) -> FrameForces:
    """Return the mean forces about each frame on the points that rest in it.

    The force on other points is passed on so that the momentum is right: to the resting points of
    the same sole; without any, to those of other feet; and where no foot rests, to the next frame,
    since the blow before the first frame of a landing is a part of it. It is never passed to an
    earlier frame: the force after the last frame of a contact is small, and at the end of a live
    motion it is still unavailable.

    Args:
        soles: contact points of each foot.
        weight: weight of the body [N].
    """
    # (points, legs) 1 where a point belongs to a foot
    leg_of_point = np.repeat(np.eye(len(soles)), [len(sole) for sole in soles], axis=0)
    mean_force = average_over_frames(history.forces, frames.instants, frames.instants_per_frame)
    loaded = _find_loaded(history.forces[..., 2] / weight, frames)
    loaded &= ~_find_brushing(
        mean_force[..., 2] / weight,
        loaded,
        _find_loaded(history.planned_stance.astype(float), frames),
        leg_of_point,
    )
    resting = _find_resting(mean_force[..., 2] / weight, loaded, motion, leg_of_point=leg_of_point)
    resting_force = mean_force * resting[..., None]
    # (2 + n, legs, 3)
    remainder = np.einsum("npk,pl->nlk", mean_force - resting_force, leg_of_point)
    remainder = _redistribute(remainder, resting_force[..., 2] @ leg_of_point)
    # (2 + n, points) shares in the load of their sole
    share = resting_force[..., 2] / np.maximum(
        resting_force[..., 2] @ leg_of_point @ leg_of_point.T, 1e-9
    )
    resting_force += share[..., None] * np.einsum("nlk,pl->npk", remainder, leg_of_point)
    return FrameForces(resting_force[2:], resting[2:])


def average_over_frames(
    values: Array, instants: NDArray[np.int64], instants_per_frame: int
) -> Array:
    """Return means about each frame with triangular weights, (n, ...).

    The weights fall to zero at the frame before and at the frame after. The mean acceleration with
    these weights is the second difference of the positions at the frames, so mean forces explain
    the motion of the center of mass however short a blow is.

    Args:
        values: (instants, ...) values to average.
        instants: (n,) instants of the frames.
        instants_per_frame: instants from one frame to the next.
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


def _find_loaded(loads: Array, frames: FrameInstants) -> NDArray[np.bool_]:
    """Return which of k columns have a mean load in a window about each frame, (2 + n, k).

    Args:
        loads: (instants, k) loads of points [body weights], or planned stance of feet as 0 and 1.
    """
    cumulative = np.concatenate([np.zeros((1, loads.shape[1])), np.cumsum(loads, axis=0)])
    half_window = round(CONTACT_FORCES.load_window_ratio * frames.instants_per_frame)
    low = np.clip(frames.instants - half_window, 0, len(loads))
    high = np.clip(frames.instants + half_window, 0, len(loads))
    return np.asarray(
        cumulative[high] - cumulative[low]
        > CONTACTS.min_point_load * np.maximum(high - low, 1)[:, None]
    )


def _find_brushing(
    loads: Array, loaded: NDArray[np.bool_], planned_stance: NDArray[np.bool_], leg_of_point: Array
) -> NDArray[np.bool_]:
    """Return which points belong to a swing foot that brushes the ground while another stands.

    Args:
        loads: (2 + n, points) loads [body weights].
        loaded: (2 + n, points) whether the points are loaded.
        planned_stance: (2 + n, legs) whether the feet were planned to stand.
        leg_of_point: (points, legs) 1 where a point belongs to a foot.

    Returns:
        (2 + n, points).
    """
    has_support = ((loaded @ leg_of_point > 0) & planned_stance).any(1, keepdims=True)
    is_light = loads @ leg_of_point < CONTACT_FORCES.max_brushing_load
    return np.asarray((~planned_stance & has_support & is_light) @ leg_of_point.T > 0)


def _find_resting(
    loads: Array, loaded: NDArray[np.bool_], motion: ContactPointMotion, leg_of_point: Array
) -> NDArray[np.bool_]:
    """Return which loaded points rest, (2 + n, points).

    A point that is still in motion in the first frame of its contact would be seen to move while it
    rests. It rests from the next frame on, if others of its sole have landed. Where none has, the
    lowest points rest at once, since the momentum would be a frame late, unless the load is small,
    another foot rests, or the sole is too high.

    Args:
        loads: (2 + n, points) loads [body weights].
        loaded: (2 + n, points) whether the points are loaded.
        leg_of_point: (points, legs) 1 where a point belongs to a foot.
    """
    height = motion.height[1:]
    is_moving = (height > CONTACT_FORCES.max_first_contact_height) | (
        motion.speed[1:] > CONTACT_FORCES.max_first_contact_speed
    )
    early = ~loaded[:-1] & loaded[1:] & is_moving
    initial = loaded[1:] & ~early
    landed = initial @ leg_of_point > 0  # (1 + n, legs)
    # (1 + n, legs) height of the lowest loaded point of each sole
    lowest = np.stack(
        [np.where(loaded[1:] & of_leg, height, np.inf).min(1) for of_leg in leg_of_point.T > 0], 1
    )
    light = (loads * loaded)[1:] @ leg_of_point < np.where(
        landed.any(1, keepdims=True),
        CONTACT_FORCES.max_delayed_load,
        CONTACT_FORCES.max_delayed_load_per_meter * lowest,
    )
    higher = height > lowest[:, leg_of_point.argmax(1)] + CONTACT_FORCES.sole_height_tolerance
    too_high = height > CONTACT_FORCES.max_contact_height
    delayed = ((landed | light) @ leg_of_point.T > 0) | higher | too_high  # (1 + n, points)
    return np.concatenate([loaded[:1], initial | (early & ~delayed)])


def _redistribute(remainder: Array, loads: Array) -> Array:
    """Return the forces that the resting points of each foot take over, (2 + n, legs, 3).

    Args:
        remainder: (2 + n, legs, 3) forces on points that do not rest [N].
        loads: (2 + n, legs) vertical forces on those that do [N].
    """
    total = loads.sum(1)[:, None, None]
    remainder = remainder.copy()
    # In sequence, since the next frame may pass the force on, too.
    for k in np.flatnonzero(total[:-1] == 0).tolist():
        remainder[k + 1] += remainder[k]
    unassigned = np.where((loads == 0)[..., None], remainder, 0.0)
    return np.asarray(
        remainder
        - unassigned
        + loads[..., None] / np.maximum(total, 1e-9) * unassigned.sum(1)[:, None]
    )
