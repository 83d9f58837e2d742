"""Who acts in a recording: its limbs, found as a rig's are, in metres, upright, at one frame rate."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ...character.recognition.anatomy import Anatomy
from ...character.recognition.names import says
from ...character.recognition.recognize import recognise
from ...character.recognition.skeleton import Skeleton
from ...errors import CharacterError, ClipError
from .actor import FPS, Actor
from .bvh import Recording
from .units import UNITS, Lengths, unit_of

Array = NDArray[np.float64]

LEAST_FRAMES = 8
OF_PEOPLE = UNITS | {"CMU units": 0.05644}
LEGS = Lengths((0.6, 1.1), (0.15, 4.0), 0.9)        # of people, of children and giants too
ANKLE = (0.085, 0.15)     # of thigh and shin together: how high ankles are over the sole; joints say too little of that
JUMP = 0.15               # leg lengths between two frames that no body goes
STANDS = np.radians(12)   # of thighs and shins from the vertical in a pose that stands
LEANS = np.radians([-10, 6])     # that are believed of an upright stand
LEAN = np.radians(-4)     # of people's lines from hips to shoulders, where no pose is told in which they stand
STOOD = 25                # frames that recognition looks at at most, the most upright one first
UP = ("y", "z", "x")      # in this order where a clip lies about


def find_actor(recording: Recording) -> Actor:
    """The body in a recording.

    Raises:
        ClipError: too short, or nothing in it that walks on two legs.
    """
    up, turn, found = recognised(recording, PERSON)
    chain = [np.linalg.norm(recording.positions[:, a] - recording.positions[:, b], axis=-1)
             for leg in found.legs for a, b in ((leg.hip, leg.knee), (leg.knee, leg.ankle))]
    shank = 0.5 * sum(float(np.median(part)) for part in chain)
    begin = _first(recording, shank)
    places = recording.positions[begin:] @ turn.T
    low = [np.quantile(places[:, leg.ankle, 2], 0.1) - np.quantile(_lowest(recording, turn, leg.ankle)[begin:], 0.1)
           for leg in found.legs]
    length = shank + float(np.clip(np.mean(low), ANKLE[0] * shank, ANKLE[1] * shank))
    unit, scale = unit_of(length, LEGS, recording.known, OF_PEOPLE)
    return _actor(recording, found, turn, begin, scale, (length * scale, unit, up))


def _actor(recording: Recording, found: Anatomy, turn: Array, begin: int, scale: float, told: tuple[float, str, str]) -> Actor:
    def at(*joints: int) -> Array:
        return np.asarray(_resampled(recording.positions[begin:, list(joints)] @ turn.T * scale, recording.fps))

    def axes(*joints: int) -> Array:
        return orthogonal(_resampled(turn @ recording.rotations[begin:, list(joints)], recording.fps))

    legs, arms = found.legs, found.arms if len(found.arms) == 2 else ()
    chest = found.trunk[-1] if found.trunk else found.root
    limbs = {name: at(*(getattr(arm, bone) for arm in arms)) if arms else None
             for name, bone in (("shoulders", "shoulder"), ("elbows", "elbow"), ("wrists", "wrist"))}
    balls = np.stack([_resampled(_ball(recording, leg.ankle, leg.toe)[begin:] @ turn.T * scale, recording.fps) for leg in legs], 1)
    neck = at(found.neck)[:, 0] if found.neck is not None else at(chest)[:, 0]
    head = at(found.head)[:, 0] if found.head is not None else None
    return Actor(recording.name, at(*(leg.hip for leg in legs)), at(*(leg.knee for leg in legs)),
                 at(*(leg.ankle for leg in legs)), balls, **limbs, neck=neck, head=head, pelvis=axes(found.root)[:, 0],
                 chest=axes(chest)[:, 0], feet=axes(*(leg.ankle for leg in legs)),
                 lean=_usual_lean(recording, found, turn, begin), leg_length=told[0], unit=told[1], up=told[2],
                 skipped=begin / recording.fps, skull=None if found.head is None else axes(found.head)[:, 0])


@dataclass(frozen=True)
class Sought:
    """A kind of body that is looked for.

    Args:
        fits: whether a body is of that kind.
        nobody, learned: how users are told that none is there, and what would be one.
        least: how they are told what a clip needs.
        tall: whether it is about as high as it is long.
    """

    fits: Callable[[Anatomy], bool]
    nobody: str
    learned: str
    least: str
    tall: bool


def recognised(recording: Recording, sought: Sought) -> tuple[str, Array, Anatomy]:
    """Which axis is up, the rotation that brings it to z, and what the joints are.

    The rest pose of a BVH may be anything, even a heap, so poses of the clip itself are looked at.

    Raises:
        ClipError: too short, or no body of the kind is there.
    """
    if recording.frames < LEAST_FRAMES:
        raise ClipError(f"The clip {recording.name} has {recording.frames} frame{'s'[:recording.frames != 1]}; a gait needs "
                        f"{sought.least} at least.")
    known = recording.known
    if known is not None and known.anatomy is not None and sought.fits(known.anatomy):
        return "z", np.eye(3), known.anatomy
    spans = np.median(np.ptp(recording.positions, axis=1), axis=0)
    last = "nothing in it stands"
    order = sorted(UP, key=lambda a: -float(spans["xyz".index(a)])) if sought.tall else UP
    for axis in order if known is None else ("z",):
        turn = _upright(recording, axis) if known is None else np.eye(3)
        tall = np.ptp(recording.positions @ turn[2], axis=1)
        lies = sought.tall and known is None and spans["xyz".index(axis)] < 0.6 * spans.max()
        if lies or not tall.max() > 0:
            continue
        for pose in _tried(recording, tall):
            try:
                found = recognise(_posed(recording, turn, pose))
            except CharacterError as error:
                last = str(error)
                continue
            arms = [recording.joints[k] for leg in found.legs for k in leg.segments
                    if any(says(recording.joints[k], part) for part in ("upper_arm", "forearm", "hand"))]
            if sought.fits(found) and (not arms or not sought.tall):            # animals' fore legs may have names of arms
                return axis, turn, found
            last = f"what reaches the ground is {arms[0]!r}" if arms and sought.tall else _legs_told(found)
    raise ClipError(f"The clip {recording.name} shows {sought.nobody} ({last.rstrip('.')}); {sought.learned}.")


def _tried(recording: Recording, tall: Array) -> list[Array]:
    """Poses that recognition looks at, the tallest first, and their mean at last: legs may never be straight."""
    tried = np.unique(np.linspace(0, recording.frames - 1, STOOD).astype(int))
    poses = [recording.positions[k] for k in tried[np.argsort(-tall[tried])]]
    return [*poses, (recording.positions - recording.positions.mean(1, keepdims=True)).mean(0)]


def _legs_told(found: Anatomy) -> str:
    return "legs that bend both ways" if len(found.legs) == 2 else f"it goes on {len(found.legs)} legs"


def is_a_person(found: Anatomy) -> bool:
    """Whether a body stands on two legs of thigh and shin."""
    return found.upright and len(found.legs) == 2 and all(leg.hip != leg.knee != leg.ankle for leg in found.legs)


PERSON = Sought(is_a_person, "nobody with two legs of thigh and shin", "styles of people are learned from people's walks and runs",
                "a second of motion",
                tall=True)


def _upright(recording: Recording, axis: str) -> Array:
    """The rotation that brings an axis up, or down where feet would be above heads. (3, 3)."""
    order = {"z": [0, 1, 2], "y": [2, 0, 1], "x": [1, 2, 0]}[axis]
    turn = np.eye(3)[order]
    height = (recording.positions @ turn[2]).mean(0)
    feet = [k for k, name in enumerate(recording.joints) if says(name, "foot") or says(name, "toe")]
    heads = [k for k, name in enumerate(recording.joints) if says(name, "head") or says(name, "neck")]
    if feet and heads and np.mean(height[feet]) > np.mean(height[heads]):
        turn = turn * np.array([[-1.0], [1.0], [-1.0]])
    return turn


def _posed(recording: Recording, turn: Array, pose: Array) -> Skeleton:
    """Joints at places (j, 3) as a rig at rest."""
    heads = pose @ turn.T
    axes = turn @ recording.rotations[len(recording.rotations) // 2]
    tails = heads.copy()
    for k in range(len(heads)):
        below = [j for j, parent in enumerate(recording.parents) if parent == k]
        if below:
            tails[k] = heads[below].mean(0)
        elif k in recording.tips and recording.parents[k] >= 0:
            onward = heads[k] - heads[recording.parents[k]]
            tails[k] = heads[k] + onward / max(float(np.linalg.norm(onward)), 1e-9) * np.linalg.norm(recording.tips[k])
    size = max(float(np.ptp(heads[:, 2])), 1e-9)                  # recognition knows no unit, its tolerances like one metre
    return Skeleton(recording.joints, recording.parents, heads / size, tails / size, axes)


def _usual_lean(recording: Recording, found: Anatomy, turn: Array, begin: int) -> float:
    """Lean of an upright stand: of the pose that was left out at the begin, or of the rest pose where it stands."""
    rest = np.zeros_like(recording.offsets)
    for k, parent in enumerate(recording.parents):
        rest[k] = recording.offsets[k] + (rest[parent] if parent >= 0 else 0.0)
    for pose in ([recording.positions[0]] if begin else []) + [rest]:
        at = pose @ turn.T
        hips, knees, ankles = (np.mean([at[getattr(leg, part)] for leg in found.legs], axis=0) for part in ("hip", "knee", "ankle"))
        tops = [arm.shoulder for arm in found.arms] or ([found.neck] if found.neck is not None else [])
        across = at[found.legs[0].hip] - at[found.legs[1].hip]
        ahead = np.cross(across, [0.0, 0.0, 1.0])
        if not tops or np.linalg.norm(ahead) < 1e-9:
            continue
        ahead /= np.linalg.norm(ahead)
        lines = ((hips, knees), (knees, ankles), (at[tops].mean(0), hips))
        thigh, shin, trunk = (float(np.arctan2((a - b) @ ahead, (a - b)[2])) for a, b in lines)
        if max(abs(thigh), abs(shin)) < STANDS and abs(trunk) < 2 * STANDS:
            return float(np.clip(trunk, *LEANS))
    return float(LEAN)


def _lowest(recording: Recording, turn: Array, ankle: int) -> Array:
    """Height of the lowest point of a foot in every frame, file's unit. (n,)."""
    below = [ankle]
    for j, parent in enumerate(recording.parents):
        if parent in below:
            below.append(j)
    points = [recording.positions[:, below] @ turn[2]]
    for k in below:
        if k in recording.tips:
            tip = recording.positions[:, k] + recording.rotations[:, k] @ recording.tips[k]
            points.append((tip @ turn[2])[:, None])
    return np.asarray(np.concatenate(points, 1).min(1))


def _ball(recording: Recording, ankle: int, toe: int | None) -> Array:
    """What a foot rolls over: its toes' joint, or its tip where it has none. (n, 3)."""
    if toe is not None:
        return recording.positions[:, toe]
    tip = recording.tips.get(ankle)
    return recording.positions[:, ankle] + (recording.rotations[:, ankle] @ tip if tip is not None else 0.0)


def _first(recording: Recording, leg: float) -> int:
    """The first frame after leaps that nobody does: a T-pose before the motion, or two."""
    steps = np.linalg.norm(np.diff(recording.positions, axis=0), axis=-1).max(1)
    early = steps[:max(LEAST_FRAMES, int(0.1 * recording.fps))]
    usual = np.quantile(steps, 0.95)
    leaps = np.flatnonzero((early > JUMP * leg) & (early > 2.5 * usual))
    return int(leaps[-1]) + 1 if len(leaps) and recording.frames - leaps[-1] > LEAST_FRAMES else 0


def _resampled(values: Array, fps: float) -> Array:
    """Values at `FPS`, by cubic splines. (n, ...) -> (m, ...)."""
    n = len(values)
    if abs(fps / FPS - 1) < 1e-3:
        return np.asarray(values)
    times = np.arange(int((n - 1) / fps * FPS + 1e-6) + 1) / FPS
    return np.asarray(CubicSpline(np.arange(n) / fps, values, axis=0)(times))


def orthogonal(axes: Array) -> Array:
    """The rotations nearest to matrices that are nearly ones. (..., 3, 3)."""
    u, _, v = np.linalg.svd(axes)
    return np.asarray(u @ v)
