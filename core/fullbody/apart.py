"""Swinging feet kept from the leg that stands."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from .foot_path import FootPath, Hold

Array = NDArray[np.float64]

BESIDE = 0.30         # m before and behind the other foot within which a foot passes it
SOFTENED = 0.035      # s over which the way round is smoothed


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


def _within_swings(path: FootPath) -> Array:
    """1 in the middle of each swing, smoothly 0 at its ends and in contacts. (n,)."""
    swing = path.hold == Hold.SWING
    edges = np.flatnonzero(np.diff(np.concatenate([[0], swing.astype(np.int8), [0]])))
    out = np.zeros(len(swing))
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        u = np.clip(np.minimum(np.arange(1, end - begin + 1), np.arange(end - begin, 0, -1)) / (0.25 * (end - begin + 1)), 0, 1)
        out[begin:end] = u * u * u * (10 - 15 * u + 6 * u * u)
    return out
