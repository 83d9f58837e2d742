"""Footholds on a single stone of any shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import TerrainError
from .mesh import MeshGround

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StoneTopParameters:
    """Sizes that decide where feet may stand on a stone. Lengths are in leg lengths."""

    # Number of samples of the surface along each side of a stone. Numerical: 2 cm of a stone of
    # half a meter.
    samples_per_side: int = 25
    # Number of rounds of the reweighted plane fit. Numerical.
    reweighting_rounds: int = 12
    # Number of corners of the outline of a small stone's top. Numerical: within 1 % of a circle.
    rim_corners: int = 20
    # Number of samples from the center of a small stone's top to its rim. Numerical.
    ray_samples: int = 24
    # Maximum distance of the surface from the plane of the top, 4 cm of human legs: a rounded top
    # still carries a foot in its middle.
    max_plane_deviation: float = 0.045
    # Radius around the foothold to whose highest points the plane is fitted, as a sole would rest.
    foot_radius: float = 0.10
    # Minimum distance from the center of a top to its rim (median of all directions): 3 cm of human
    # legs, on which the ball of a foot has its place.
    min_top_radius: float = 0.035
    # Minimum width of a stone with several footholds, about three `foothold_spacing`.
    wide_stone_width: float = 0.7
    # Distance of the footholds on a wide stone, that of human feet side by side.
    foothold_spacing: float = 0.25
    # Minimum distance of these footholds to the rim, half of a human foot.
    rim_inset: float = 0.13
    # Maximum inclination of a top [degrees]. Guarded by test_shapes.py
    max_inclination: float = 40.0


STONE = StoneTopParameters()


@dataclass(frozen=True)
class StoneTop:
    """The upper surface of a stone.

    A small stone has one foothold and a plane through its highest points there, as a sole would
    rest on it; a wide one keeps its surface.

    Args:
        ground: the surface.
        footholds: (n, 2) places for feet [m].
        outline: (k, 2) points around the surface [m].
    """

    ground: MeshGround
    footholds: Array
    outline: Array


def find_stone_top(vertices: Array, triangles: NDArray[np.int64], leg_length: float) -> StoneTop:
    """Return the top of a stone.

    Args:
        vertices: (v, 3) of the stone's mesh [m].
        triangles: (t, 3) indices of vertices.
        leg_length: of the body that steps on it [m].

    Raises:
        TerrainError: no face can be stood on, or the top is too small for a foot or too steep.
    """
    ground = MeshGround(vertices, triangles)
    low = ground.vertices[ground.triangles].reshape(-1, 3).min(0)
    high = ground.vertices[ground.triangles].reshape(-1, 3).max(0)
    axes = [np.linspace(low[k], high[k], STONE.samples_per_side + 2)[1:-1] for k in range(2)]
    xy = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 2)
    z = ground.sample_heights(xy)
    xy = xy[np.isfinite(z)]
    z = z[np.isfinite(z)]
    if len(xy) < 3:
        raise TerrainError("it has no face that can be stood on from above")
    if (high - low)[:2].max() > STONE.wide_stone_width * leg_length:
        return _wide_stone_top(ground, xy, leg_length)
    return _small_stone_top(ground, xy, z, leg_length)


def _fit_plane(xy: Array, z: Array) -> Array:
    """Fit a plane by least absolute deviations, so that it contains most points.

    Returns:
        (3,) height at the origin, and slopes along x and y.
    """
    design = np.column_stack([np.ones(len(xy)), xy - xy.mean(0)])
    weight = np.ones(len(xy))
    for _ in range(STONE.reweighting_rounds):
        plane = np.linalg.lstsq(weight[:, None] * design, weight * z, rcond=None)[0]
        weight = 1 / np.sqrt(np.abs(z - design @ plane) + 1e-4 * (np.ptp(z) + 1e-9))
    return np.array([plane[0] - plane[1:] @ xy.mean(0), *plane[1:]])


def _plane_heights(plane: Array, xy: Array) -> Array:
    return np.asarray(plane[0] + xy @ plane[1:])


def _small_stone_top(ground: MeshGround, xy: Array, z: Array, leg_length: float) -> StoneTop:
    """Return the top of a stone with one foothold: a plane around it."""
    center = _find_top_center(xy, z, leg_length)
    ring = np.exp(2j * np.pi * np.arange(STONE.rim_corners) / STONE.rim_corners)
    directions = np.stack([ring.real, ring.imag], -1)  # (w, 2)
    plane = _fit_top_plane(ground, center, directions, leg_length)
    rim = _find_rim(ground, plane, center, directions, leg_length)
    corners = np.concatenate([center[None], rim])
    a = 1 + np.arange(STONE.rim_corners)
    faces = np.stack([np.zeros(STONE.rim_corners, int), a, 1 + a % STONE.rim_corners], -1)
    return StoneTop(
        MeshGround(np.column_stack([corners, _plane_heights(plane, corners)]), faces),
        center[None],
        rim,
    )


def _find_top_center(xy: Array, z: Array, leg_length: float) -> Array:
    """Return the center of the upper half of the samples relative to their plane. (2,) [m].

    It is the center of a slab, and the crown of a boulder.
    """
    deviation_above = z - _plane_heights(_fit_plane(xy, z), xy)
    return np.asarray(
        xy[
            deviation_above
            >= np.median(deviation_above) - 0.01 * STONE.max_plane_deviation * leg_length
        ].mean(0)
    )


def _fit_top_plane(
    ground: MeshGround, center: Array, directions: Array, leg_length: float
) -> Array:
    """Return the plane through the highest points around a center, see `_fit_plane`. (3,).

    Raises:
        TerrainError: there is too little ground around it, or it is too steep.
    """
    footprint = center + STONE.foot_radius * leg_length * np.concatenate(
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
    if inclination > STONE.max_inclination:
        raise TerrainError(
            f"its top is inclined by {inclination:.0f} degrees; a foot can stand on at most "
            f"{STONE.max_inclination:.0f}"
        )
    return plane


def _find_rim(
    ground: MeshGround, plane: Array, center: Array, directions: Array, leg_length: float
) -> Array:
    """Return the farthest points along rays up to which the ground stays near a plane. (w, 2) [m].

    Raises:
        TerrainError: they are too near to the center for a foot.
    """
    distances = np.linspace(0, 0.5 * STONE.wide_stone_width * leg_length, STONE.ray_samples)
    rays = center + distances[:, None, None] * directions  # (s, w, 2)
    deviation = np.abs(
        ground.sample_heights(rays)
        - _plane_heights(plane, rays.reshape(-1, 2)).reshape(STONE.ray_samples, STONE.rim_corners)
    )
    # (w,) Number of samples from the center up to the rim; nan counts as off the plane.
    reached_samples = np.cumprod(deviation <= STONE.max_plane_deviation * leg_length, axis=0).sum(0)
    if (
        reached_samples.min() < 1
        or np.median(distances[np.maximum(reached_samples - 1, 0)])
        < STONE.min_top_radius * leg_length
    ):
        raise TerrainError(
            "its top is too small for a foot, which needs a width of about "
            f"{2 * STONE.min_top_radius * leg_length:.2g} m"
        )
    return np.asarray(center + distances[reached_samples - 1, None] * directions)


def _wide_stone_top(ground: MeshGround, xy: Array, leg_length: float) -> StoneTop:
    """Return the top of a stone with several footholds on a grid."""
    low = xy.min(0)
    high = xy.max(0)
    count = np.maximum(((high - low) / (STONE.foothold_spacing * leg_length)).astype(int), 1)
    axes = [low[k] + (np.arange(count[k]) + 0.5) * (high[k] - low[k]) / count[k] for k in range(2)]
    footholds = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 2)
    ring = np.exp(0.25j * np.pi * np.arange(8))
    # (n, 8, 2)
    around = footholds[:, None] + STONE.rim_inset * leg_length * np.stack(
        [ring.real, ring.imag], -1
    )
    center_heights = ground.sample_heights(footholds)
    rim_heights = ground.sample_heights(around)
    is_usable = np.isfinite(center_heights) & (
        np.abs(rim_heights - center_heights[:, None])
        < STONE.rim_inset * leg_length * np.tan(np.radians(STONE.max_inclination))
    ).all(1)
    if not is_usable.any():
        raise TerrainError("no part of its top is level and wide enough for a foot")
    return StoneTop(ground, footholds[is_usable], ground.vertices[np.unique(ground.triangles), :2])
