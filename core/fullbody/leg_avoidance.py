"""Swinging feet kept from the other leg: as their ways are drawn, and once more as the body was solved.

Ways are drawn for ankles. What shins, feet and knees then do, and how far a foot strays from its way in mid-swing, only the
solved body tells; its ways are led apart by what is missing and solved again.
"""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..character.capsule import Capsule, nearest
from ..character.character import Limb
from ..character.kinematic_model import KinematicModel, Placed
from .foot_path import FootPath, Hold

Array = NDArray[np.float64]

BESIDE = 0.30         # m before and behind the other foot within which a foot passes it
SOFTENED = 0.035      # s over which the way round is smoothed
CLEAR = 0.008         # m between solved legs that pass each other
MOST = 0.04           # m that a foot is led out after the body was solved
OVER = 2.2            # of what is missing, by which it is led out: solved legs follow their ways in part, and smoothing blunts them
CROSSED = 0.04        # m beyond the other foot, from where on a swing crosses over
FLATTEST = 0.5        # share of a way out that counts at least, where limbs lie before and behind each other
HIGHEST = 0.4         # share of the shin from the knee on, from where the ankle leads it out


def kept_apart(paths: list[FootPath], sides: list[int], heading: Array, apart: float, dt: float) -> list[FootPath]:
    """The ways of the feet, led outward round the other foot where they would pass it too near.

    Args:
        sides: of the feet, 1 left or -1 right.
        heading: (n,) of the body, rad.
        apart: least distance sideways between the feet's origins in passing, m.
        dt: time between two frames, s.
    """
    left = np.stack([-np.sin(heading), np.cos(heading)], -1)                              # (n, 2)
    ahead = np.stack([np.cos(heading), np.sin(heading)], -1)
    out = []
    for k, path in enumerate(paths):
        need = np.zeros(len(heading))
        for j, other in enumerate(paths):
            if sides[j] == sides[k]:
                continue
            away = path.origin[:, :2] - other.origin[:, :2]
            beside = sides[k] * (away * left).sum(1)
            along = np.abs((away * ahead).sum(1))
            near = np.clip(2 - 2 * along / BESIDE, 0, 1)
            low = np.clip(2 - np.abs(path.origin[:, 2] - other.origin[:, 2]) / apart / 3, 0, 1)
            need = np.maximum(need, np.maximum(apart - beside, 0.0) * near * low * (path.hold == Hold.SWING))
        if need.max() > 0:
            need = gaussian_filter1d(need, SOFTENED / dt, mode="nearest") * _within_swings(path)
            origin = path.origin.copy()
            origin[:, :2] += sides[k] * need[:, None] * left
            path = replace(path, origin=origin)
        out.append(path)
    return out


def legs_apart(model: KinematicModel, paths: tuple[FootPath, ...], placed: Placed, dt: float) -> tuple[FootPath, ...]:
    """The ways of the feet, led outward in their swings where the solved legs go through each other.

    Args:
        placed: the links in the poses that the ways led to, n frames.
        dt: time between two frames, s.
    """
    legs, shapes = model.character.legs, model.capsules
    left = placed.rotation[:, 0, :, 1] * np.array([1.0, 1.0, 0.0])
    left /= np.maximum(np.linalg.norm(left, axis=1, keepdims=True), 1e-9)                 # (n, 3)
    led = []
    for path, leg in zip(paths, legs, strict=True):
        need = np.zeros(len(left))
        for other, its in zip(legs, paths, strict=True):
            if other.side != leg.side:
                out = leg.side * left
                need = np.maximum(need, _between(leg, other, shapes, placed, out) * _uncrossed(path, its, out))
        need = np.minimum(need, MOST)
        if need.max() > 0:
            need = OVER * gaussian_filter1d(need, SOFTENED / dt, mode="nearest") * _within_swings(path)
            path = replace(path, origin=path.origin + leg.side * need[:, None] * left)
        led.append(path)
    return tuple(led)


def _between(leg: Limb, other: Limb, shapes: tuple[Capsule, ...], placed: Placed, out: Array) -> Array:
    """How far a leg's ankle must go out for its shin and foot to be clear of another leg. (n,)."""
    need = np.zeros(len(out))
    knee, ankle = placed.origin[:, leg.links[1]], placed.origin[:, leg.links[-1]]
    shin = ankle - knee
    for mine in (c for c in shapes if c.link in leg.links[1:]):
        segment = mine.at(placed.origin[:, mine.link], placed.rotation[:, mine.link])
        for its in (c for c in shapes if c.link in other.links):
            here, there = nearest(segment, its.at(placed.origin[:, its.link], placed.rotation[:, its.link]))
            away, clear = here - there, mine.radius + its.radius + CLEAR
            far = np.linalg.norm(away, axis=1)
            slope = np.maximum((away * out).sum(1) / np.maximum(far, 1e-9), FLATTEST)
            down = ((here - knee) * shin).sum(1) / np.maximum((shin * shin).sum(1), 1e-9)     # share of the shin
            need = np.maximum(need, (clear - far) / slope / np.clip(down, HIGHEST, 1.0))
    return need


def _swings(path: FootPath) -> list[slice]:
    swing = path.hold == Hold.SWING
    edges = np.flatnonzero(np.diff(np.concatenate([[0], swing.astype(np.int8), [0]])))
    return [slice(int(begin), int(end)) for begin, end in zip(edges[::2], edges[1::2], strict=True)]


def _within_swings(path: FootPath) -> Array:
    """1 in the middle of each swing, smoothly 0 at its ends and in contacts. (n,)."""
    out = np.zeros(len(path.hold))
    for on in _swings(path):
        n = on.stop - on.start
        u = np.clip(np.minimum(np.arange(1, n + 1), np.arange(n, 0, -1)) / (0.25 * (n + 1)), 0, 1)
        out[on] = u * u * u * (10 - 15 * u + 6 * u * u)
    return out


def _uncrossed(path: FootPath, other: FootPath, out: Array) -> Array:
    """1 in swings that begin and end on the foot's own side of the other one, 0 in those that cross over. (n,).

    A leg that is on its way across, as after a push, only comes later where it must be if it is led out.
    """
    beside = ((path.origin - other.origin) * out).sum(1)
    share = np.zeros(len(out))
    for on in _swings(path):
        share[on] = np.clip(1 + min(beside[on.start], beside[on.stop - 1]) / CROSSED, 0, 1)
    return share
