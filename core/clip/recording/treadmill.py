"""Clips in which the body stays in place, turned into motion over the ground."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from .actor import FPS, POSITION_FIELDS, Actor

Array = NDArray[np.float64]


@dataclass(frozen=True)
class TreadmillParameters:
    """Detection of clips in which the body stays in place. Speeds are in sqrt(g l)."""

    # Backward speed of the lower foot below which a clip is not in place, but stands: 0.15 m/s.
    min_speed: float = 0.05
    # Largest speed of the body in such a clip, as a share of the speed of the foot. It is 0 for a
    # loop in place and 1 for a body that travels.
    max_drift_ratio: float = 0.3
    # Share of the frames in which a point of a foot is on the floor; less than the contact of any
    # human gait, so that noise of a few frames does not set the floor.
    floor_quantile: float = 0.03
    # Height over the floor up to which a point of a foot is in contact [leg lengths], 3 cm.
    max_standing_height: float = 0.03
    # Standard deviation of the filter on the velocity of the foot [s], four frames at 120 a second,
    # since its mean carries the body on.
    slide_smoothing_time: float = 0.03


TREADMILL = TreadmillParameters()


@dataclass(frozen=True)
class TravelingActor:
    """An actor that travels over the ground.

    Args:
        actor: the body over time.
        treadmill_speed: speed that the clip had removed [m/s]; 0 if the body traveled by itself.
    """

    actor: Actor
    treadmill_speed: float


def undo_treadmill(actor: Actor) -> TravelingActor:
    """Return an actor that travels over the ground.

    In a clip that was made to stay in place, the standing foot slides backward as fast as the body
    should travel. The slide may be uneven, so the foot is held in place from frame to frame, and
    the velocity of the body is interpolated in flight.
    """
    slide = _compute_foot_slide(actor)
    speed = float(np.linalg.norm(slide.mean(0)))
    body_velocity = (actor.hips[-1] - actor.hips[0]).mean(0)[:2] * FPS / max(actor.frames - 1, 1)
    if (
        speed < TREADMILL.min_speed * actor.unit_speed
        or np.linalg.norm(body_velocity) > TREADMILL.max_drift_ratio * speed
    ):
        return TravelingActor(actor, 0.0)
    shift = np.zeros((actor.frames, 3))
    shift[1:, :2] = -np.cumsum(0.5 * (slide[1:] + slide[:-1]), axis=0) / FPS
    shifted_positions: dict[str, Any] = {
        name: value + shift.reshape(-1, *[1] * (value.ndim - 2), 3)
        for name in POSITION_FIELDS
        if (value := getattr(actor, name)) is not None
    }
    return TravelingActor(replace(actor, **shifted_positions), speed)


def _compute_foot_slide(actor: Actor) -> Array:
    """Return the horizontal velocity of the standing foot over time, (n, 2) [m/s].

    The standing foot is the one with the lowest ankle or ball.
    """
    points = np.concatenate([actor.ankles, actor.balls], axis=1)  # (n, 4, 3)
    horizontal_velocity = np.gradient(points, 1 / FPS, axis=0)[..., :2]
    height_above_floor = points[..., 2] - np.quantile(
        points[..., 2], TREADMILL.floor_quantile, axis=0
    )
    lowest = height_above_floor.argmin(1)
    slide = np.take_along_axis(horizontal_velocity, lowest[:, None, None], 1)[:, 0]
    is_standing = height_above_floor.min(1) < TREADMILL.max_standing_height * actor.leg_length
    # A foot that is about to land still swings forward.
    slide = np.where((slide @ np.median(slide[is_standing], axis=0) > 0)[:, None], slide, 0.0)
    frames = np.arange(actor.frames)
    slide = np.stack(
        [np.interp(frames, frames[is_standing], slide[is_standing, k]) for k in (0, 1)], 1
    )
    return np.asarray(
        gaussian_filter1d(slide, TREADMILL.slide_smoothing_time * FPS, axis=0, mode="nearest")
    )
