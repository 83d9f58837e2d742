"""Who goes on four legs in a recording: poses at an even rate, in metres, and how the body goes by itself."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ..character.anatomy import Anatomy
from ..errors import ClipError
from .actor import GRAVITY
from .bvh import Known, Recording
from .casting import LEAST_FRAMES, Sought, orthogonal, recognised
from .quadruped_poses import TURNS, Poses, QuadrupedBody

Array = NDArray[np.float64]

FPS = 120.0               # frames a second at least, that a recording is brought to
UNITS = {"m": 1.0, "cm": 0.01, "inches": 0.0254, "mm": 0.001, "dm": 0.1, "feet": 0.3048}
HIPS = (0.12, 1.8)        # m between which hips of animals are
ANY = (0.02, 6.0)         # m between which those of mice and giants are, where a unit is known
HIP = 0.6                 # m that hips are taken to have in a unit that nobody knows
LOOP = 0.08               # hip heights within which the last pose is the first one again


@dataclass(frozen=True)
class QuadrupedActor:
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

    @property
    def unit_speed(self) -> float:
        """Speed at Froude number 1, m/s."""
        return float(np.sqrt(GRAVITY * self.hip_height))

    @property
    def unit_time(self) -> float:
        """The time in which that speed goes one hip height, s."""
        return float(np.sqrt(self.hip_height / GRAVITY))


def goes_on_four(found: Anatomy) -> bool:
    """Whether a body has two pairs of legs, one before the other, and no arms."""
    return len(found.legs) == 4 and found.rows == 2 and not found.arms


QUADRUPED = Sought(goes_on_four, "nobody on four legs", "styles of bodies on four legs are learned from such bodies' walks, trots "
                   "and gallops", tall=False)


def find_quadruped(recording: Recording) -> QuadrupedActor:
    """The body on four legs in a recording.

    Raises:
        ClipError: too short, or nothing in it that goes on four legs.
    """
    if recording.frames < LEAST_FRAMES:
        raise ClipError(f"The clip {recording.name} has {recording.frames} frame{'s'[:recording.frames != 1]}; a gait needs a "
                        "whole stride at least.")
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
    unit, scale = _unit(height, recording.known)
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


def _unit(height: float, known: Known | None) -> tuple[str, float]:
    """The one that is known, if hips are as high in it as any animal's; otherwise one in which they are as high as usual."""
    if known is not None and ANY[0] <= height * known.metres <= ANY[1]:
        return "m" if known.metres == 1 else f"units of {known.metres:g} m", known.metres
    for name, metres in UNITS.items():
        if HIPS[0] <= height * metres <= HIPS[1]:
            return name, metres
    return "unknown units", HIP / height
