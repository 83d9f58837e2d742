"""Poses of a body on four legs as the body itself sees them: legs, trunk, neck, head and tail from the joints of a recording."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ....character.recognition.anatomy import Anatomy, LegBones
from ....geometry import so3
from ..bvh import Recording

Array = NDArray[np.float64]
Soles = tuple[tuple[tuple[int, Array], ...], ...]
"""For each leg joints and points that stand, (m, 3) in the joint's axes as it rests."""

TURNS = ("pelvis", "chest", "head")      # of poses, what is turned and not placed
SOLE = 0.03               # of the hips' height over the lowest point of a foot, within which it is sole
POINTS = 24               # of a joint's sole at most
EVENED = 0.25             # s over which the body's own way is evened out
FACED = 0.1               # s over which its facing is
LEVEL = 0.25              # of the hips' height by which feet of a pose that stands are apart in height at most
STANDS = 0.6              # of its bones' length that a leg of such a pose is high at least


@dataclass(frozen=True)
class Poses:
    """A body over time, left hind, right hind, left fore, right fore; x ahead, y left, z up, its own way taken out.

    Args:
        tops: hips and shoulders. (n, 4, 3).
        feet: middles of the soles. (n, 4, 3).
        lows: heights of their lowest points. (n, 4).
        pelvis, chest: turned against how they rest. (n, 3, 3).
        neck: joints from its base to the head, k = 0 where there is none. (n, k, 3).
        head: turned against how it rests; the chest where there is none. (n, 3, 3).
        tail: joints from the body to its tip. (n, k, 3).
    """

    tops: Array
    feet: Array
    lows: Array
    pelvis: Array
    chest: Array
    neck: Array
    head: Array
    tail: Array

    def of(self, change: Callable[[str, Array], Array]) -> Poses:
        """The same with each of the arrays changed, told its name."""
        return Poses(**{f.name: change(f.name, getattr(self, f.name)) for f in fields(Poses)})

    def scaled(self, scale: float) -> Poses:
        """In another unit."""
        return self.of(lambda name, values: values if name in TURNS else scale * values)


@dataclass(frozen=True)
class QuadrupedBody:
    """Which joints of a recording are what, and the rotation that brings its upward axis to z, (3, 3)."""

    recording: Recording
    found: Anatomy
    turn: Array

    @cached_property
    def rest(self) -> tuple[Array, Array]:
        """Joints as the recording has them at rest, and how they are turned: not at all. (1, j, 3), (1, j, 3, 3)."""
        r = self.recording
        at = np.zeros_like(r.offsets)
        for k, parent in enumerate(r.parents):
            at[k] = r.offsets[k] + (at[parent] if parent >= 0 else 0.0)
        return (at @ self.turn.T)[None], np.tile(np.eye(3), (1, len(r.joints), 1, 1))

    def stands(self, places: Array) -> bool:
        """Whether joints (j, 3) are those of a body that stands."""
        tops, ends, lengths = [], [], []
        for leg in self.found.legs:
            bones = places[list(leg.bones)]
            tops.append(bones[0, 2])
            ends.append(bones[-1, 2])
            lengths.append(np.linalg.norm(np.diff(bones, axis=0), axis=1).sum())
        rise = np.array(tops) - ends
        return bool((rise > STANDS * np.array(lengths)).all() and np.ptp(ends) < LEVEL * rise.mean())

    def soles(self, places: Array) -> Soles:
        """What each leg stands on, of joints (j, 3) at rest: the lowest part of its skin, or of its joints and their ends."""
        return tuple(self._sole(leg, places) for leg in self.found.legs)

    def _sole(self, leg: LegBones, places: Array) -> tuple[tuple[int, Array], ...]:
        r = self.recording
        own = [leg.ankle]
        own += [j for j in range(leg.ankle + 1, len(r.joints)) if _below(r.parents, j, leg.ankle)]
        skin = r.known.skin if r.known is not None else {}
        points = {j: skin[j] for j in own if j in skin}
        if not points:
            points = {j: np.array([np.zeros(3), *([r.tips[j] @ self.turn.T] if j in r.tips else [])]) for j in own}
        low = min(float((places[j] + p)[:, 2].min()) for j, p in points.items())
        band = low + SOLE * float(places[leg.hip, 2] - low)
        out = []
        for j, p in points.items():
            sole = p[(places[j] + p)[:, 2] <= band]
            if len(sole):
                out.append((j, sole[np.unique(np.linspace(0, len(sole) - 1, POINTS).astype(int))]))
        return tuple(out)

    def poses(self, places: Array, turns: Array, soles: Soles, fps: float) -> tuple[Poses, Array]:
        """The body as it sees itself, and its way: place along x and y and facing, (n, 3).

        Args:
            places: of all joints. (n, j, 3).
            turns: of all joints, against how they rest. (n, j, 3, 3).
        """
        found = self.found
        tops = places[:, [leg.hip for leg in found.legs]]
        line = evened((tops[:, 2:].mean(1) - tops[:, :2].mean(1))[:, :2], FACED * fps)
        facing = np.unwrap(so3.angle(line[:, 1], line[:, 0]))
        at = evened(tops.mean(1)[:, :2], EVENED * fps)
        back, here = so3.about("z", -facing), np.pad(at, ((0, 0), (0, 1)))

        def own(points: Array) -> Array:
            return np.asarray(np.einsum("nij,nkj->nki", back, points - here[:, None]))

        def turned(joint: int) -> Array:
            # told against the body that rests looking along x
            return np.asarray(back @ turns[:, joint] @ self._ahead)

        feet, lows = zip(*(_stood(places, turns, sole) for sole in soles), strict=True)
        neck, head = self._neck()
        chest = found.trunk[-1] if found.trunk else found.root
        tail, tip = self._tail(places, turns)
        points = np.concatenate([places[:, tail], tip[:, None]], axis=1) if tail else np.zeros((len(places), 0, 3))
        return Poses(own(tops), own(np.stack(feet, 1)), np.stack(lows, 1), turned(found.root), turned(chest), own(places[:, neck]),
                     turned(head if head is not None else chest), own(points)), np.concatenate([at, facing[:, None]], 1)

    @cached_property
    def _ahead(self) -> Array:
        """From a body that looks along x to how this one rests. (3, 3)."""
        places = self.rest[0][0]
        fore, hind = (places[[leg.hip for leg in self.found.legs if leg.row == row]].mean(0) for row in (1, 0))
        x, y, _ = fore - hind
        return np.asarray(so3.about("z", np.arctan2(y, x)))

    def _neck(self) -> tuple[list[int], int | None]:
        """Joints of the neck up to the head's, and the head."""
        found = self.found
        if found.neck is None:
            return [], None
        chain = [k for k in (found.neck_bones or (found.neck,)) if k != found.head]
        return ([*chain, found.head] if found.head is not None and chain else []), found.head

    def _tail(self, places: Array, turns: Array) -> tuple[list[int], Array]:
        """Joints of the tail from the body on, and its tip, (n, 3). Some rigs hang its bones on each other from the tip on."""
        found, r = self.found, self.recording
        if not found.tails:
            return [], np.zeros((len(places), 3))
        chain = list(found.tails[0])
        hips = places[0, [leg.hip for leg in found.legs if leg.row == 0]].mean(0)
        if np.linalg.norm(places[0, chain[0]] - hips) > np.linalg.norm(places[0, chain[-1]] - hips):
            chain = chain[::-1]
        end = chain[-1]
        if end in r.tips:
            return chain, places[:, end] + turns[:, end] @ (r.tips[end] @ self.turn.T)
        return (chain[:-1], places[:, end]) if len(chain) > 1 else ([], places[:, end])


def _below(parents: tuple[int, ...], joint: int, above: int) -> bool:
    while joint > above:
        joint = parents[joint]
    return joint == above


def _stood(places: Array, turns: Array, sole: tuple[tuple[int, Array], ...]) -> tuple[Array, Array]:
    """Middle of a sole and its lowest height. (n, 3), (n,)."""
    points = np.concatenate([places[:, None, j] + p @ np.swapaxes(turns[:, j], -1, -2) for j, p in sole], axis=1)
    return points.mean(1), points[..., 2].min(1)


def evened(values: Array, frames: float) -> Array:
    """Smoothed over time, going on at the ends as it does there. (n, k) -> (n, k)."""
    wide = min(int(3 * frames), len(values) - 1)
    if wide < 1:
        return values
    longer = np.pad(values, ((wide, wide), (0, 0)), mode="reflect", reflect_type="odd")
    return np.asarray(gaussian_filter1d(longer, frames, axis=0, mode="nearest")[wide:-wide])
