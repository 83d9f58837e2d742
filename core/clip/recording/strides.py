"""The strides of an actor: which of them could be taken for its gait, and how clean each is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...geometry import so3
from .actor import FPS, POSITION_FIELDS, Actor
from .angles import CYCLE_SAMPLES
from .contacts import Feet

Array = NDArray[np.float64]

STRIDE_TIME_RANGE = (0.35, 2.6)  # s that two steps of a walk or run take
OTHER_STRIKE_RANGE = (0.3, 0.7)  # share of the cycle at which the other foot strikes
MIN_SPEED = 0.08  # sqrt(g l)
MAX_DIRECTION_ERROR = np.radians(35)  # between where the body looks and where it goes
MAX_TURN = np.radians(50)  # within a cycle
MAX_CLOSURE_ERROR = 0.25  # leg lengths that joints are off at most where the cycle closes
# how far off a cycle may be before it is as bad as one that is off by as much of the others
CLOSURE_ERROR_SCALE = 0.04
SPEED_CHANGE_SCALE = 0.08
TURN_SCALE = np.radians(10)
RISE_SCALE = 0.05
LOOP_TOLERANCE = 0.06  # leg lengths within which the last pose is the first one again
FACING_SMOOTHING_TIME = 0.1  # s, over which the facing is evened out at the ends of a cycle


@dataclass(frozen=True)
class Stride:
    """A stretch from one strike of a foot to its next, frames; and how unclean it is."""

    side: int
    begin: int
    end: int
    other_strike: int
    heading: Array  # (SAMPLES + 1,) rad
    badness: float


def find_strides(actor: Actor, feet: Feet) -> tuple[list[Stride], str]:
    """All strides that could be taken, and why none is there."""
    strides = []
    reason = "no foot comes down twice"
    facing = _compute_facing(actor)
    hip_center = gaussian_filter1d(actor.hips.mean(1), 0.05 * FPS, axis=0, mode="nearest")
    unit_speed = actor.unit_speed
    for side in (0, 1):
        strikes = [round(s.strike * FPS) for s in feet.side_contacts(side) if s.strike * FPS > 1]
        others = np.array([round(s.strike * FPS) for s in feet.side_contacts(1 - side)])
        for a, b in pairwise(strikes):
            other_strikes = others[
                (others > a + OTHER_STRIKE_RANGE[0] * (b - a))
                & (others < a + OTHER_STRIKE_RANGE[1] * (b - a))
            ]
            displacement = (hip_center[b] - hip_center[a])[:2]
            speed = float(np.linalg.norm(displacement)) * FPS / (b - a)
            turn = float(facing[b] - facing[a])
            direction_error = abs(
                so3.wrap_angle(
                    np.arctan2(displacement[1], displacement[0]) - float(facing[a:b].mean())
                )
            )
            if (
                len(other_strikes) == 1
                and not STRIDE_TIME_RANGE[0] <= (b - a) / FPS <= STRIDE_TIME_RANGE[1]
            ):
                reason = (
                    f"a stride takes {(b - a) / FPS:.1f} s, which may be for another frame rate"
                )
            elif len(other_strikes) != 1:
                reason = "its feet do not come down in turn, as in a walk or a run"
            elif speed < MIN_SPEED * unit_speed:
                reason = "it does not go anywhere"
            elif direction_error > MAX_DIRECTION_ERROR:
                reason = "it goes backward or sideways"
            elif abs(turn) > MAX_TURN:
                reason = "it turns all the time"
            else:
                heading = np.arctan2(displacement[1], displacement[0]) + turn * (
                    np.arange(CYCLE_SAMPLES + 1) / CYCLE_SAMPLES - 0.5
                )
                badness, closure_error = _compute_badness(actor, facing, hip_center, a=a, b=b)
                if closure_error > MAX_CLOSURE_ERROR:
                    reason = "no stride ends as it began"
                    continue
                strides.append(
                    Stride(
                        side,
                        a,
                        b,
                        other_strike=int(other_strikes[0]),
                        heading=heading,
                        badness=badness,
                    )
                )
    return strides, reason


def _compute_facing(actor: Actor) -> Array:
    """Which way the hips look, rad, without jumps. (n,)."""
    hip_line = gaussian_filter1d(
        actor.hips[:, 0] - actor.hips[:, 1], FACING_SMOOTHING_TIME * FPS, axis=0, mode="nearest"
    )
    return np.unwrap(so3.atan2(-hip_line[:, 0], hip_line[:, 1]))


def _compute_badness(
    actor: Actor, facing: Array, hip_center: Array, a: int, b: int
) -> tuple[float, float]:
    """How far a stride is from steady, straight and closed; and the last alone, leg lengths."""
    leg_length = actor.leg_length
    closure_error = _compute_pose_distance(actor, facing, a, b) / leg_length
    half = (a + b) // 2
    first_speed, second_speed = (
        float(np.linalg.norm((hip_center[k] - hip_center[j])[:2])) / (k - j)
        for j, k in ((a, half), (half, b))
    )
    change = abs(first_speed - second_speed) / (first_speed + second_speed) * 2
    rise = abs(hip_center[b, 2] - hip_center[a, 2]) / leg_length
    return closure_error / CLOSURE_ERROR_SCALE + change / SPEED_CHANGE_SCALE + abs(
        float(facing[b] - facing[a])
    ) / TURN_SCALE + rise / RISE_SCALE, closure_error


def _compute_pose_distance(actor: Actor, facing: Array, a: int, b: int) -> float:
    """How far joints of two frames are from each other, as the body sees them:
    the root of the mean square, m.
    """
    points = [
        getattr(actor, name)
        for name in ("knees", "ankles", "elbows", "wrists")
        if getattr(actor, name) is not None
    ]
    poses = []
    for k in (a, b):
        c = np.cos(facing[k])
        s = np.sin(facing[k])
        offsets = np.concatenate([p[k] for p in points]) - actor.hips[k].mean(0)
        poses.append(offsets @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]))
    return float(np.sqrt(((poses[0] - poses[1]) ** 2).sum(1).mean()))


def unroll_loop(actor: Actor) -> Actor | None:
    """A clip that ends as it begins, three times over; None where it does not."""
    if (
        _compute_pose_distance(actor, _compute_facing(actor), 0, actor.frames - 1)
        > LOOP_TOLERANCE * actor.leg_length
    ):
        return None
    displacement = (actor.hips[-1] - actor.hips[0]).mean(0)

    def repeat(values: Array | None, travels: bool) -> Array | None:
        if values is None:
            return None
        return np.concatenate([values[:-1] + k * displacement * travels for k in range(3)])

    names = (*POSITION_FIELDS, "pelvis", "chest", "feet", "skull")
    repeated: dict[str, Any] = {
        name: repeat(getattr(actor, name), name in POSITION_FIELDS) for name in names
    }
    return replace(actor, **repeated)
