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

DEPTH = 1.0           # m that solids reach below their lowest top, so that nothing passes through in one step
CELL = 0.02           # m between heights of a ground that is no sum of convex pieces
MOST_CELLS = 4_000_000
FLAT = 0.002          # m by which a piece may miss its convex hull and still be taken for it
PIT = 3.0             # m below the lowest ground, where there is none


def add_terrain(spec: mujoco.MjSpec, ground: Ground, **contact: object) -> bool:
    """Add a ground to a model: a plane, a height field, or one convex solid for each piece of a mesh that is convex from above.

    Returns whether it is a height field.

    Args:
        contact: settings of all its geoms.

    Raises:
        TerrainError: it is too large to be sampled finely enough for feet.
    """
    mesh = ground.mesh()
    if mesh is None:
        spec.worldbody.add_geom(name="ground", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], **contact)
        return False
    if isinstance(ground, HeightField):
        _add_heights(spec, ground, contact)
        return True
    tops = [_convex_top(piece) for piece in _pieces(*mesh)]
    if any(top is None for top in tops):
        _add_heights(spec, _sampled(ground, mesh[0]), contact)
        return True
    for k, top in enumerate(tops):
        assert top is not None
        _add_convex(spec, f"ground{k}", top, contact)
    return False


def _pieces(vertices: Array, triangles: NDArray[np.int64]) -> list[Array]:
    """Corners (t, 3, 3) of the triangles of each piece of a mesh that hangs together by places, not by vertices alone."""
    places, same = np.unique(np.round(vertices, 6), axis=0, return_inverse=True)
    corner = same.reshape(-1)[triangles]
    one, other = np.concatenate([corner[:, :2], corner[:, 1:]]).T
    links = coo_matrix((np.ones(len(one)), (one, other)), shape=(len(places), len(places)))
    _, piece = connected_components(links, directed=False)
    return [vertices[triangles[piece[corner[:, 0]] == k]] for k in np.unique(piece[corner[:, 0]])]


def _convex_top(corners: Array) -> Array | None:
    """Vertices of what can be stood on of a piece (t, 3, 3), where this is a part of a convex solid seen from above."""
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    up = corners[np.abs(across[:, 2]) > 1e-3 * np.linalg.norm(across, axis=1)]
    if not len(up):
        return np.zeros((0, 3))
    top = np.unique(np.round(up.reshape(-1, 3), 6), axis=0)
    seen = top[:, :2]
    try:
        area = ConvexHull(seen).volume
    except QhullError:
        return None
    e1, e2 = up[:, 1] - up[:, 0], up[:, 2] - up[:, 0]
    covered = 0.5 * np.abs(e1[:, 0] * e2[:, 1] - e1[:, 1] * e2[:, 0])
    # the upper side alone, or upper and lower side of a closed solid
    highest = _upper_side(up)
    if abs(covered[highest].sum() - area) > 1e-3 * area:
        return None
    top = np.unique(np.round(up[highest].reshape(-1, 3), 6), axis=0)
    return top if _is_convex_from_above(top, up[highest]) else None


def _upper_side(corners: Array) -> NDArray[np.bool_]:
    """Which triangles (t, 3, 3) have none of their piece above their middle. Pieces here have at most two sides."""
    middle = corners.mean(1)
    same = np.linalg.norm(middle[:, None, :2] - middle[None, :, :2], axis=2) < 1e-4
    level = middle[:, 2]
    above = same & (level[None, :] > level[:, None] + 1e-4)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2]
    return ~above.any(1) if not (normal > 0).all() else np.ones(len(corners), bool)


def _is_convex_from_above(top: Array, corners: Array) -> bool:
    """Whether the surface is nowhere below its convex hull's upper side: every triangle's plane has all vertices below it."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal *= np.sign(normal[:, 2:])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    over = (top[None] - corners[:, :1]) @ normal[..., None]                                # (t, v, 1)
    return bool(over.max() < FLAT)


def _add_convex(spec: mujoco.MjSpec, name: str, top: Array, contact: dict[str, object]) -> None:
    if not len(top):
        return
    below = np.column_stack([top[:, :2], np.full(len(top), top[:, 2].min() - DEPTH)])
    spec.add_mesh(name=name, uservert=np.concatenate([top, below]).ravel())
    spec.worldbody.add_geom(name=name, type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name, **contact)


def _sampled(ground: Ground, vertices: Array) -> HeightField:
    """A ground as heights on a fine grid; where there is none, a pit."""
    low, high = vertices[:, :2].min(0), vertices[:, :2].max(0)
    count = np.ceil((high - low) / CELL).astype(int) + 1
    if count.prod() > MOST_CELLS:
        raise TerrainError(f"The terrain is {high[0] - low[0]:.0f} m by {high[1] - low[1]:.0f} m; a simulation needs its heights "
                           f"every {CELL * 100:.0f} cm, so it can be {np.sqrt(MOST_CELLS) * CELL:.0f} m square at most.")
    x, y = (low[k] + CELL * np.arange(count[k]) for k in range(2))
    heights = ground.height(np.stack(np.meshgrid(x, y, indexing="ij"), -1))
    return HeightField(np.where(np.isfinite(heights), heights, np.nanmin(heights) - PIT), low, CELL)


def _add_heights(spec: mujoco.MjSpec, field: HeightField, contact: dict[str, object]) -> None:
    nx, ny = field.heights.shape
    low, high = float(field.heights.min()), float(field.heights.max())
    half = 0.5 * field.spacing * np.array([nx - 1, ny - 1])
    # MuJoCo keeps heights as shares of the largest one, a row for each y
    share = (field.heights.T - low) / max(high - low, 1e-6)
    spec.add_hfield(name="ground", nrow=ny, ncol=nx, size=[*half, max(high - low, 1e-6), DEPTH], userdata=share.ravel())
    spec.worldbody.add_geom(name="ground", type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname="ground",
                            pos=[*(field.origin + half), low], **contact)
