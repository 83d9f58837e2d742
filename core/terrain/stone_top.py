"""Where feet may tread on one stone, of any shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import TerrainError
from .mesh import MeshGround

Array = NDArray[np.float64]

SAMPLES_PER_SIDE = 25  # samples along each side of a stone
REWEIGHTING_ROUNDS = 12  # of reweighting
RIM_CORNERS = 20  # corners of a top
RAY_SAMPLES = 24  # samples from the middle of a top to its rim
MAX_PLANE_DEVIATION = 0.045  # leg lengths that a stone's surface may be off its top's plane
FOOT_RADIUS = 0.10  # leg lengths around the middle that a foot feels
MIN_TOP_RADIUS = 0.035  # leg lengths from its middle to its rim, that a top needs
# leg lengths from side to side, from which on a stone has several places for feet
WIDE_STONE_WIDTH = 0.7
FOOTHOLD_SPACING = 0.25  # leg lengths between those places
RIM_INSET = 0.13  # leg lengths from them to the rim
MAX_INCLINATION = 40.0  # degrees


@dataclass(frozen=True)
class StoneTop:
    """What carries feet, and where they go.

    A small stone has one place, and a plane lies on its highest points there, as a sole does;
    a wide one is as it is.
    """

    ground: MeshGround
    footholds: Array  # (n, 2) m
    outline: Array  # (k, 2) points around it, m


def find_stone_top(vertices: Array, triangles: NDArray[np.int64], leg_length: float) -> StoneTop:
    """The top of a stone's mesh for a body with legs of a length. (v, 3) m, (t, 3).

    Raises:
        TerrainError: it has no face to stand on, its top is too small for a foot or too steep.
    """
    ground = MeshGround(vertices, triangles)
    low = ground.vertices[ground.triangles].reshape(-1, 3).min(0)
    high = ground.vertices[ground.triangles].reshape(-1, 3).max(0)
    axes = [np.linspace(low[k], high[k], SAMPLES_PER_SIDE + 2)[1:-1] for k in range(2)]
    xy = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 2)
    z = ground.sample_heights(xy)
    xy = xy[np.isfinite(z)]
    z = z[np.isfinite(z)]
    if len(xy) < 3:
        raise TerrainError("it has no face that can be stood on from above")
    if (high - low)[:2].max() > WIDE_STONE_WIDTH * leg_length:
        return _wide_stone_top(ground, xy, leg_length)
    return _small_stone_top(ground, xy, z, leg_length)


def _fit_plane(xy: Array, z: Array) -> Array:
    """Height, and rise along x and y, of the plane that most points are on:
    least absolute deviations. (3,).
    """
    design = np.column_stack([np.ones(len(xy)), xy - xy.mean(0)])
    weight = np.ones(len(xy))
    for _ in range(REWEIGHTING_ROUNDS):
        plane = np.linalg.lstsq(weight[:, None] * design, weight * z, rcond=None)[0]
        weight = 1 / np.sqrt(np.abs(z - design @ plane) + 1e-4 * (np.ptp(z) + 1e-9))
    return np.array([plane[0] - plane[1:] @ xy.mean(0), *plane[1:]])


def _plane_heights(plane: Array, xy: Array) -> Array:
    return np.asarray(plane[0] + xy @ plane[1:])


def _small_stone_top(ground: MeshGround, xy: Array, z: Array, leg_length: float) -> StoneTop:
    deviation_above = z - _plane_heights(_fit_plane(xy, z), xy)
    # of a slab its own, of a boulder its crown's
    center = xy[
        deviation_above >= np.median(deviation_above) - 0.01 * MAX_PLANE_DEVIATION * leg_length
    ].mean(0)
    ring = np.exp(2j * np.pi * np.arange(RIM_CORNERS) / RIM_CORNERS)
    directions = np.stack([ring.real, ring.imag], -1)  # (w, 2)
    footprint = center + FOOT_RADIUS * leg_length * np.concatenate(
        [np.zeros((1, 2)), 0.35 * directions, 0.7 * directions, directions]
    )
    heights = ground.sample_heights(footprint)
    footprint = footprint[np.isfinite(heights)]
    heights = heights[np.isfinite(heights)]
    if len(footprint) < 3:
        raise TerrainError("its top is too small for a foot")
    plane = _fit_plane(footprint, heights)
    plane[0] += float((heights - _plane_heights(plane, footprint)).max())
    inclination = float(np.degrees(np.arctan(np.linalg.norm(plane[1:]))))
    if inclination > MAX_INCLINATION:
        raise TerrainError(
            f"its top is inclined by {inclination:.0f} degrees; a foot can stand on "
            f"{MAX_INCLINATION:.0f} at most"
        )
    distances = np.linspace(0, 0.5 * WIDE_STONE_WIDTH * leg_length, RAY_SAMPLES)
    rays = center + distances[:, None, None] * directions  # (s, w, 2)
    deviation = np.abs(
        ground.sample_heights(rays)
        - _plane_heights(plane, rays.reshape(-1, 2)).reshape(RAY_SAMPLES, RIM_CORNERS)
    )
    # (w,) samples from the middle; nan is off
    reached_samples = np.cumprod(deviation <= MAX_PLANE_DEVIATION * leg_length, axis=0).sum(0)
    if (
        reached_samples.min() < 1
        or np.median(distances[np.maximum(reached_samples - 1, 0)]) < MIN_TOP_RADIUS * leg_length
    ):
        raise TerrainError(
            "its top is too small for a foot, which needs about "
            f"{2 * MIN_TOP_RADIUS * leg_length:.2g} m from side to side"
        )
    rim = center + distances[reached_samples - 1, None] * directions  # (w, 2)
    corners = np.concatenate([center[None], rim])
    a = 1 + np.arange(RIM_CORNERS)
    faces = np.stack([np.zeros(RIM_CORNERS, int), a, 1 + a % RIM_CORNERS], -1)
    return StoneTop(
        MeshGround(np.column_stack([corners, _plane_heights(plane, corners)]), faces),
        center[None],
        rim,
    )


def _wide_stone_top(ground: MeshGround, xy: Array, leg_length: float) -> StoneTop:
    low = xy.min(0)
    high = xy.max(0)
    count = np.maximum(((high - low) / (FOOTHOLD_SPACING * leg_length)).astype(int), 1)
    axes = [low[k] + (np.arange(count[k]) + 0.5) * (high[k] - low[k]) / count[k] for k in range(2)]
    footholds = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 2)
    ring = np.exp(0.25j * np.pi * np.arange(8))
    # (n, 8, 2)
    around = footholds[:, None] + RIM_INSET * leg_length * np.stack([ring.real, ring.imag], -1)
    center_heights = ground.sample_heights(footholds)
    rim_heights = ground.sample_heights(around)
    is_usable = np.isfinite(center_heights) & (
        np.abs(rim_heights - center_heights[:, None])
        < RIM_INSET * leg_length * np.tan(np.radians(MAX_INCLINATION))
    ).all(1)
    if not is_usable.any():
        raise TerrainError("no part of its top is level and wide enough for a foot")
    return StoneTop(ground, footholds[is_usable], ground.vertices[np.unique(ground.triangles), :2])
