"""The ground as solids of a MuJoCo model."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import ConvexHull, QhullError

from ..errors import TerrainError
from ..terrain import Ground, HeightField

Array = NDArray[np.float64]

# m that solids reach below their lowest top, so that nothing passes through in one step
SOLID_DEPTH = 1.0
CELL_SIZE = 0.02  # m between heights of a ground that is no sum of convex pieces
MAX_CELLS = 4_000_000
CONVEXITY_TOLERANCE = 0.002  # m by which a piece may miss its convex hull and still be taken for it
PIT_DEPTH = 3.0  # m below the lowest ground, where there is none


def add_terrain(spec: mujoco.MjSpec, ground: Ground, **contact: object) -> bool:
    """Add a ground to a model: a plane, a height field, or one convex solid for each piece of a
    mesh that is convex from above.

    Returns whether it is a height field.

    Args:
        contact: settings of all its geoms.

    Raises:
        TerrainError: it is too large to be sampled finely enough for feet.
    """
    mesh = ground.to_mesh()
    if mesh is None:
        spec.worldbody.add_geom(
            name="ground", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], **contact
        )
        return False
    if isinstance(ground, HeightField):
        _add_heights(spec, ground, contact)
        return True
    tops = [_extract_convex_top(piece) for piece in _find_pieces(mesh.vertices, mesh.triangles)]
    if any(top is None for top in tops):
        _add_heights(spec, _sample_heights(ground, mesh.vertices), contact)
        return True
    for k, top in enumerate(tops):
        assert top is not None
        _add_convex(spec, f"ground{k}", top, contact)
    return False


def _find_pieces(vertices: Array, triangles: NDArray[np.int64]) -> list[Array]:
    """Corners (t, 3, 3) of the triangles of each piece of a mesh that hangs together by
    places, not by vertices alone.
    """
    places, place_index = np.unique(np.round(vertices, 6), axis=0, return_inverse=True)
    corner = place_index.reshape(-1)[triangles]
    first_corner, second_corner = np.concatenate([corner[:, :2], corner[:, 1:]]).T
    links = coo_matrix(
        (np.ones(len(first_corner)), (first_corner, second_corner)),
        shape=(len(places), len(places)),
    )
    _, piece = connected_components(links, directed=False)
    return [vertices[triangles[piece[corner[:, 0]] == k]] for k in np.unique(piece[corner[:, 0]])]


def _extract_convex_top(corners: Array) -> Array | None:
    """Vertices of what can be stood on of a piece (t, 3, 3),
    where this is a part of a convex solid seen from above.
    """
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    upward = corners[np.abs(normals[:, 2]) > 1e-3 * np.linalg.norm(normals, axis=1)]
    if not len(upward):
        return np.zeros((0, 3))
    top = np.unique(np.round(upward.reshape(-1, 3), 6), axis=0)
    top_plane = top[:, :2]
    try:
        area = ConvexHull(top_plane).volume
    except QhullError:
        return None
    e1 = upward[:, 1] - upward[:, 0]
    e2 = upward[:, 2] - upward[:, 0]
    covered_area = 0.5 * np.abs(e1[:, 0] * e2[:, 1] - e1[:, 1] * e2[:, 0])
    # the upper side alone, or upper and lower side of a closed solid
    is_upper = _find_upper_side(upward)
    if abs(covered_area[is_upper].sum() - area) > 1e-3 * area:
        return None
    top = np.unique(np.round(upward[is_upper].reshape(-1, 3), 6), axis=0)
    return top if _is_convex_from_above(top, upward[is_upper]) else None


def _find_upper_side(corners: Array) -> NDArray[np.bool_]:
    """Which triangles (t, 3, 3) have none of their piece above their middle.
    Pieces here have at most two sides.
    """
    middle = corners.mean(1)
    is_same_column = np.linalg.norm(middle[:, None, :2] - middle[None, :, :2], axis=2) < 1e-4
    height = middle[:, 2]
    is_above = is_same_column & (height[None, :] > height[:, None] + 1e-4)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2]
    return ~is_above.any(1) if not (normal > 0).all() else np.ones(len(corners), bool)


def _is_convex_from_above(top: Array, corners: Array) -> bool:
    """Whether the surface is nowhere below its convex hull's upper side:
    every triangle's plane has all vertices below it.
    """
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal *= np.sign(normal[:, 2:])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    excess = (top[None] - corners[:, :1]) @ normal[..., None]  # (t, v, 1)
    return bool(excess.max() < CONVEXITY_TOLERANCE)


def _add_convex(spec: mujoco.MjSpec, name: str, top: Array, contact: dict[str, object]) -> None:
    if not len(top):
        return
    below = np.column_stack([top[:, :2], np.full(len(top), top[:, 2].min() - SOLID_DEPTH)])
    spec.add_mesh(name=name, uservert=np.concatenate([top, below]).ravel())
    spec.worldbody.add_geom(name=name, type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name, **contact)


def _sample_heights(ground: Ground, vertices: Array) -> HeightField:
    """A ground as heights on a fine grid; where there is none, a pit."""
    lower = vertices[:, :2].min(0)
    upper = vertices[:, :2].max(0)
    count = np.ceil((upper - lower) / CELL_SIZE).astype(int) + 1
    if count.prod() > MAX_CELLS:
        raise TerrainError(
            f"The terrain is {upper[0] - lower[0]:.0f} m by {upper[1] - lower[1]:.0f} m; a "
            f"simulation needs its heights every {CELL_SIZE * 100:.0f} cm, so it can be "
            f"{np.sqrt(MAX_CELLS) * CELL_SIZE:.0f} m square at most."
        )
    x, y = (lower[k] + CELL_SIZE * np.arange(count[k]) for k in range(2))
    heights = ground.sample_heights(np.stack(np.meshgrid(x, y, indexing="ij"), -1))
    return HeightField(
        np.where(np.isfinite(heights), heights, np.nanmin(heights) - PIT_DEPTH), lower, CELL_SIZE
    )


def _add_heights(spec: mujoco.MjSpec, field: HeightField, contact: dict[str, object]) -> None:
    nx, ny = field.heights.shape
    lowest = float(field.heights.min())
    highest = float(field.heights.max())
    half_size = 0.5 * field.spacing * np.array([nx - 1, ny - 1])
    # MuJoCo keeps heights as shares of the largest one, a row for each y
    share = (field.heights.T - lowest) / max(highest - lowest, 1e-6)
    spec.add_hfield(
        name="ground",
        nrow=ny,
        ncol=nx,
        size=[*half_size, max(highest - lowest, 1e-6), SOLID_DEPTH],
        userdata=share.ravel(),
    )
    spec.worldbody.add_geom(
        name="ground",
        type=mujoco.mjtGeom.mjGEOM_HFIELD,
        hfieldname="ground",
        pos=[*(field.origin + half_size), lowest],
        **contact,
    )
