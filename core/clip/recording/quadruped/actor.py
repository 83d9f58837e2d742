"""Who goes on four legs in a recording: poses at an even rate, in metres, and how the body goes by itself."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ....character.recognition.anatomy import Anatomy
from ..bvh import Recording
from ..find_actor import LEAST_FRAMES, Sought, orthogonal, recognised
from ..units import Lengths, OfHipHeight, unit_of
from .poses import TURNS, Poses, QuadrupedBody

Array = NDArray[np.float64]

FPS = 120.0               # frames a second at least, that a recording is brought to
HIPS = Lengths((0.12, 1.8), (0.02, 6.0), 0.6)       # how high those of animals are, of mice and giants too
LOOP = 0.08               # hip heights within which the last pose is the first one again


@dataclass(frozen=True)
class QuadrupedActor(OfHipHeight):
    """A body on four legs over time.

    Args:
        dt: s between two frames.
        poses: what it does, m.
        rest: how it stands. (1, ...).
        ahead, aside: how fast it goes forward and to the left by itself, m/s; 0 of a clip that stays in place. (n,).
        facing: rad. (n,).
        hip_height: of hips and shoulders over the soles as it stands, m.
        loop: frames after which all repeats, which is here three times over; 0 of what is no loop.
        notes: what was assumed, for users.
    """

    name: str
    dt: float
    poses: Poses
    rest: Poses
    ahead: Array
    aside: Array
    facing: Array
    hip_height: float
    loop: int
    notes: tuple[str, ...]


def goes_on_four(found: Anatomy) -> bool:
    """Whether a body has two pairs of legs, one before the other, and no arms."""
    return len(found.legs) == 4 and found.rows == 2 and not found.arms


QUADRUPED = Sought(goes_on_four, "nobody on four legs", "styles of bodies on four legs are learned from such bodies' walks, trots "
                   "and gallops", "a whole stride", tall=False)


def find_quadruped(recording: Recording) -> QuadrupedActor:
    """The body on four legs in a recording.

    Raises:
        ClipError: too short, or nothing in it that goes on four legs.
    """
    up, turn, found = recognised(recording, QUADRUPED)
    body = QuadrupedBody(recording, found, turn)
    places, turns = recording.positions @ turn.T, turn @ recording.rotations @ turn.T
    at, still = body.rest
    notes = []
    if not body.stands(at[0]):
        at, mean = places.mean(0, keepdims=True), orthogonal(turns.mean(0, keepdims=True))
        turns = turns @ np.swapaxes(mean, -1, -2)
        notes.append("its rest pose does not stand, so its carriage is told against the mean of the clip")
    soles = body.soles(at[0])
    rest, _ = body.poses(at, still, soles, recording.fps)
    height = float((rest.tops[0, :, 2] - rest.lows[0]).mean())
    unit, scale = unit_of(height, HIPS, recording.known)
    moving, way = body.poses(places, turns, soles, recording.fps)
    return _actor(recording, (moving.scaled(scale), rest.scaled(scale)), way * [scale, scale, 1.0], height * scale,
                  (f"lengths in {unit}, {up} up", *notes))


def _actor(recording: Recording, poses: tuple[Poses, Poses], way: Array, height: float, notes: tuple[str, ...]) -> QuadrupedActor:
    """At an even rate, a loop three times over; `way` tells where the body is and how it faces, (n, 3)."""
    moving, rest = poses
    seconds = (recording.frames - 1) / recording.fps
    count = max(int(np.ceil(seconds * FPS - 1e-6)), LEAST_FRAMES)
    dt, at, fine = seconds / count, np.linspace(0, 1, recording.frames), np.arange(count + 1) / count
    off = np.concatenate([v[-1] - v[0] for v in (moving.tops, moving.feet)])
    loops = bool(np.sqrt((off**2).sum(1).mean()) < LOOP * height)

    def brought(name: str, values: Array) -> Array:
        if not values.size:
            return np.zeros(((3 * loops or 1) * count + 1, *values.shape[1:]))
        if loops:
            once = CubicSpline(at, np.concatenate([values[:-1], values[:1]]), axis=0, bc_type="periodic")(fine)
            out = np.concatenate([once[:-1], once[:-1], once])
        else:
            out = CubicSpline(at, values, axis=0)(fine)
        return orthogonal(out) if name in TURNS else out

    told = moving.of(brought)
    if loops:                 # it goes on evenly from one time to the next, so its own way is a straight one
        frames = len(told.tops)
        speed, facing = np.tile((way[-1] - way[0])[:2] / seconds, (frames, 1)), np.full(frames, way[:, 2].mean())
    else:
        track = CubicSpline(at, way, axis=0)(fine)
        speed, facing = np.gradient(track[:, :2], dt, axis=0), track[:, 2]
    c, s = np.cos(facing), np.sin(facing)
    return QuadrupedActor(recording.name, dt, told, rest, c * speed[:, 0] + s * speed[:, 1], c * speed[:, 1] - s * speed[:, 0],
                          facing, height, count if loops else 0, notes)
