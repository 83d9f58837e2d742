"""Ground as solids of a MuJoCo model."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import ConvexHull, QhullError, cKDTree

from ..errors import TerrainError
from ..terrain import Ground, HeightField
from .soles import ContactParameters

Array = NDArray[np.float64]

# Depth of solids below the lowest point of their top, so nothing passes through in one step [m]
SOLID_DEPTH = 1.0
# Distance between heights of a ground that does not consist of convex pieces [m]
CELL_SIZE = 0.02
MAX_CELLS = 4_000_000  # Largest number of such heights
CONVEXITY_TOLERANCE = 0.002  # Largest distance between a convex piece and its convex hull [m]
# Horizontal distance up to which the centers of two triangles are in one column [m]
COLUMN_RADIUS = 1e-4
# Height difference above which triangles of one column are on different sides of a solid [m]
MIN_SIDE_DISTANCE = 1e-4
MAX_COMPARISONS = 2_000_000  # Largest number of pairs of plane and vertex compared at once
PIT_DEPTH = 3.0  # Depth below the lowest ground where ground is missing [m]
GROUND_COLLISION = {"contype": 1, "conaffinity": 2}  # Collision bits of the ground in MuJoCo


def add_terrain(spec: mujoco.MjSpec, ground: Ground, contact: ContactParameters) -> bool:
    """Add a ground to a model, and return whether it is a height field.

    The ground becomes a plane, a height field, or one convex solid for each piece of a mesh that is
    convex from above.

    Args:
        spec: model. Changed.
        ground: ground.
        contact: properties of contacts with it.

    Raises:
        TerrainError: the ground is too large to be sampled finely enough for feet.
    """
    settings: dict[str, object] = {
        "friction": contact.friction,
        "solref": contact.solref,
        "solimp": contact.solimp,
        **GROUND_COLLISION,
    }
    mesh = ground.to_mesh()
    if mesh is None:
        spec.worldbody.add_geom(
            name="ground", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], **settings
        )
        return False
    if isinstance(ground, HeightField):
        _add_heights(spec, ground, settings)
        return True
    tops = [_extract_convex_top(piece) for piece in _find_pieces(mesh.vertices, mesh.triangles)]
    if any(top is None for top in tops):
        _add_heights(spec, _sample_heights(ground, mesh.vertices), settings)
        return True
    for k, top in enumerate(tops):
        assert top is not None
        _add_convex(spec, f"ground{k}", top, settings)
    return False


def _find_pieces(vertices: Array, triangles: NDArray[np.int64]) -> list[Array]:
    """Return the corners (t, 3, 3) of the triangles of each connected piece of a mesh.

    Triangles are connected if corners have the same position, even if their vertices differ.

    Args:
        vertices: (v, 3) [m].
        triangles: (t, 3) indices of vertices.
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
    """Return the vertices of the upper side of a piece, or None if it is not convex from above.

    (t, 3, 3) -> (v, 3) [m].
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
    # A piece is an upper side alone, or the upper and lower side of a closed solid.
    is_upper = _find_upper_side(upward)
    if abs(covered_area[is_upper].sum() - area) > 1e-3 * area:
        return None
    top = np.unique(np.round(upward[is_upper].reshape(-1, 3), 6), axis=0)
    return top if _is_convex_from_above(top, upward[is_upper]) else None


def _find_upper_side(corners: Array) -> NDArray[np.bool_]:
    """Return which triangles of a piece have no other one above their center. (t, 3, 3) -> (t,).

    Pieces have at most two sides.
    """
    is_upper = np.ones(len(corners), bool)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2]
    if (normal > 0).all():
        return is_upper
    middle = corners.mean(1)
    pairs = cKDTree(middle[:, :2]).query_pairs(COLUMN_RADIUS, output_type="ndarray")
    first, second = np.concatenate([pairs, pairs[:, ::-1]]).T
    is_upper[first[middle[second, 2] > middle[first, 2] + MIN_SIDE_DISTANCE]] = False
    return is_upper


def _is_convex_from_above(top: Array, corners: Array) -> bool:
    """Return whether the surface is nowhere below the upper side of its convex hull.

    The plane of every triangle then has all vertices below it. Only extreme vertices are compared,
    which are few, and with some planes at a time: fine meshes have hundreds of thousands of
    triangles.

    Args:
        top: (v, 3) [m] vertices of the surface.
        corners: (t, 3, 3) [m] corners of its triangles.
    """
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal *= np.sign(normal[:, 2:])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    extreme = _find_extreme_points(top)
    planes_per_part = max(MAX_COMPARISONS // len(extreme), 1)
    for begin in range(0, len(corners), planes_per_part):
        part = slice(begin, begin + planes_per_part)
        excess = (extreme[None] - corners[part, :1]) @ normal[part, :, None]  # (t, v, 1)
        if excess.max() >= CONVEXITY_TOLERANCE:
            return False
    return True


def _find_extreme_points(points: Array) -> Array:
    """Return the vertices of the convex hull of points. (n, 3) -> (v, 3).

    Of points in a plane they are those of the hull seen from above.
    """
    try:
        return points[ConvexHull(points).vertices]
    except QhullError:
        return points[ConvexHull(points[:, :2]).vertices]


def _add_convex(spec: mujoco.MjSpec, name: str, top: Array, settings: dict[str, object]) -> None:
    """Add a convex solid with the vertices of its upper side (v, 3) [m] to a model."""
    if not len(top):
        return
    below = np.column_stack([top[:, :2], np.full(len(top), top[:, 2].min() - SOLID_DEPTH)])
    spec.add_mesh(name=name, uservert=np.concatenate([top, below]).ravel())
    spec.worldbody.add_geom(name=name, type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name, **settings)


def _sample_heights(ground: Ground, vertices: Array) -> HeightField:
    """Return a ground as heights on a fine grid, with a pit where ground is missing.

    Args:
        ground: ground.
        vertices: (v, 3) [m] of its mesh, which give its extent.
    """
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


def _add_heights(spec: mujoco.MjSpec, field: HeightField, settings: dict[str, object]) -> None:
    """Add a height field to a model."""
    nx, ny = field.heights.shape
    lowest = float(field.heights.min())
    highest = float(field.heights.max())
    half_size = 0.5 * field.spacing * np.array([nx - 1, ny - 1])
    # MuJoCo stores heights as shares of the largest one, in one row for each y.
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
        **settings,
    )
