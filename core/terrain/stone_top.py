"""Where feet may tread on one stone, of any shape."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import TerrainError
from .mesh import MeshGround

Array = NDArray[np.float64]

GRID = 25             # samples along each side of a stone
ROUNDS = 12           # of reweighting
WAYS = 20             # corners of a top
STEPS = 24            # samples from the middle of a top to its rim
LEVEL = 0.045         # leg lengths that a stone's surface may be off its top's plane
UNDERFOOT = 0.10      # leg lengths around the middle that a foot feels
LEAST = 0.035         # leg lengths from its middle to its rim, that a top needs
WIDE = 0.7            # leg lengths from side to side, from which on a stone has several places for feet
APART = 0.25          # leg lengths between those places
INSET = 0.13          # leg lengths from them to the rim
STEEPEST = 40.0       # degrees


@dataclass(frozen=True)
class StoneTop:
    """What carries feet, and where they go.

    A small stone has one place, and a plane lies on its highest points there, as a sole does; a wide one is as it is.
    """

    ground: MeshGround
    places: Array         # (n, 2) m
    outline: Array        # (k, 2) points around it, m


def stone_top(vertices: Array, triangles: NDArray[np.int64], leg_length: float) -> StoneTop:
    """The top of a stone's mesh for a body with legs of a length. (v, 3) m, (t, 3).

    Raises:
        TerrainError: it has no face to stand on, its top is too small for a foot or too steep.
    """
    ground = MeshGround(vertices, triangles)
    low, high = ground.vertices[ground.triangles].reshape(-1, 3).min(0), ground.vertices[ground.triangles].reshape(-1, 3).max(0)
    axes = [np.linspace(low[k], high[k], GRID + 2)[1:-1] for k in range(2)]
    xy = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 2)
    z = ground.height(xy)
    xy, z = xy[np.isfinite(z)], z[np.isfinite(z)]
    if len(xy) < 3:
        raise TerrainError("it has no face that can be stood on from above")
    if (high - low)[:2].max() > WIDE * leg_length:
        return _wide(ground, xy, leg_length)
    return _small(ground, xy, z, leg_length)


def _plane(xy: Array, z: Array) -> Array:
    """Height, and rise along x and y, of the plane that most points are on: least absolute deviations. (3,)."""
    known, weight = np.column_stack([np.ones(len(xy)), xy - xy.mean(0)]), np.ones(len(xy))
    for _ in range(ROUNDS):
        plane = np.linalg.lstsq(weight[:, None] * known, weight * z, rcond=None)[0]
        weight = 1 / np.sqrt(np.abs(z - known @ plane) + 1e-4 * (np.ptp(z) + 1e-9))
    return np.array([plane[0] - plane[1:] @ xy.mean(0), *plane[1:]])


def _on(plane: Array, xy: Array) -> Array:
    return np.asarray(plane[0] + xy @ plane[1:])


def _small(ground: MeshGround, xy: Array, z: Array, leg: float) -> StoneTop:
    above = z - _on(_plane(xy, z), xy)
    middle = xy[above >= np.median(above) - 0.01 * LEVEL * leg].mean(0)       # of a slab its own, of a boulder its crown's
    ring = np.exp(2j * np.pi * np.arange(WAYS) / WAYS)
    ways = np.stack([ring.real, ring.imag], -1)                               # (w, 2)
    felt = middle + UNDERFOOT * leg * np.concatenate([np.zeros((1, 2)), 0.35 * ways, 0.7 * ways, ways])
    height = ground.height(felt)
    felt, height = felt[np.isfinite(height)], height[np.isfinite(height)]
    if len(felt) < 3:
        raise TerrainError("its top is too small for a foot")
    plane = _plane(felt, height)
    plane[0] += float((height - _on(plane, felt)).max())
    steep = float(np.degrees(np.arctan(np.linalg.norm(plane[1:]))))
    if steep > STEEPEST:
        raise TerrainError(f"its top is inclined by {steep:.0f} degrees; a foot can stand on {STEEPEST:.0f} at most")
    far = np.linspace(0, 0.5 * WIDE * leg, STEPS)
    rays = middle + far[:, None, None] * ways                                 # (s, w, 2)
    off = np.abs(ground.height(rays) - _on(plane, rays.reshape(-1, 2)).reshape(STEPS, WAYS))
    reached = np.cumprod(off <= LEVEL * leg, axis=0).sum(0)                   # (w,) samples from the middle; nan is off
    if reached.min() < 1 or np.median(far[np.maximum(reached - 1, 0)]) < LEAST * leg:
        raise TerrainError(f"its top is too small for a foot, which needs about {2 * LEAST * leg:.2g} m from side to side")
    rim = middle + far[reached - 1, None] * ways                              # (w, 2)
    corners = np.concatenate([middle[None], rim])
    a = 1 + np.arange(WAYS)
    faces = np.stack([np.zeros(WAYS, int), a, 1 + a % WAYS], -1)
    return StoneTop(MeshGround(np.column_stack([corners, _on(plane, corners)]), faces), middle[None], rim)


def _wide(ground: MeshGround, xy: Array, leg: float) -> StoneTop:
    low, high = xy.min(0), xy.max(0)
    count = np.maximum(((high - low) / (APART * leg)).astype(int), 1)
    axes = [low[k] + (np.arange(count[k]) + 0.5) * (high[k] - low[k]) / count[k] for k in range(2)]
    places = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 2)
    ring = np.exp(0.25j * np.pi * np.arange(8))
    around = places[:, None] + INSET * leg * np.stack([ring.real, ring.imag], -1)          # (n, 8, 2)
    own, rim = ground.height(places), ground.height(around)
    good = np.isfinite(own) & (np.abs(rim - own[:, None]) < INSET * leg * np.tan(np.radians(STEEPEST))).all(1)
    if not good.any():
        raise TerrainError("no part of its top is level and wide enough for a foot")
    return StoneTop(ground, places[good], ground.vertices[np.unique(ground.triangles), :2])
