"""What a robot's links look like and where they touch the ground."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..link import LinkShape
from .tree import RobotTree

Array = NDArray[np.float64]

SPHERE, CAPSULE, CYLINDER, BOX, ELLIPSOID = (
    int(getattr(mujoco.mjtGeom, f"mjGEOM_{name}"))
    for name in ("SPHERE", "CAPSULE", "CYLINDER", "BOX", "ELLIPSOID")
)

# lengths of the leg: how near the lowest a point is part of the sole, how long a sole is at least
SOLE_HEIGHT_BAND = 0.03
MIN_SOLE_LENGTH = 0.10

# radius of a stick that stands for a link of which no solid is known, by its length
STICK_RADIUS = 0.06


@dataclass(frozen=True)
class LimbEnd:
    """Where a limb ends: its lowest points (k, 3), which differ in height where it is not flat,
    and how round it is there.
    """

    points: Array
    radius: float
    has_shape: bool  # whether the file tells its shape

    @property
    def lowest(self) -> Array:
        """The lowest point. (3,)."""
        return self.points[int(np.argmin(self.points[:, 2]))]


def find_limb_end(tree: RobotTree, link: int) -> LimbEnd:
    """The end of a limb, in the robot's axes and present pose."""
    points = []
    radii = []
    for geom in tree.list_geoms(link):
        geom_points, radius = _lowest_points(tree, geom)
        points.append(geom_points)
        radii += [radius] * len(geom_points)
    if points:
        all_points = np.concatenate(points)
        return LimbEnd(all_points, radii[int(np.argmin(all_points[:, 2]))], True)
    start = tree.joint_position(link)
    mover = tree.moving_links[link]
    frames = tree.transform_points(tree.data.xpos[list(mover.bodies)])
    farthest = frames[int(np.argmax(np.linalg.norm(frames - start, axis=1)))]
    if np.linalg.norm(farthest - start) < 1e-3:
        farthest = tree.guess_link_end(link)
    return LimbEnd(farthest[None], 0.0, False)


def _lowest_points(tree: RobotTree, geom: int) -> tuple[Array, float]:
    """Points of a solid that may touch level ground (k, 3), and its radius there."""
    model = tree.model
    size = model.geom_size[geom]
    kind = model.geom_type[geom]
    center = tree.transform_points(tree.data.geom_xpos[geom])
    axes = tree.transform_directions(tree.data.geom_xmat[geom].reshape(3, 3))
    down = np.array([0.0, 0.0, -1.0])
    if kind == BOX:
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        return center + corners * size @ axes.T, 0.0
    if kind in (CAPSULE, CYLINDER):
        ends = center + np.array([-1.0, 1.0])[:, None] * size[1] * axes[:, 2]
        rim_direction = down if kind == CAPSULE else _lowest_rim_direction(axes[:, 2], down)
        return ends + size[0] * rim_direction, float(size[0])
    radii = size if kind == ELLIPSOID else np.full(3, size[0])
    local = axes.T @ down
    return (center + axes @ (radii**2 * local / np.linalg.norm(radii * local)))[None], float(
        radii.min()
    )


def _lowest_rim_direction(axis: Array, down: Array) -> Array:
    """The direction on a cylinder's rim that goes down most."""
    out = down - axis * (axis @ down)
    length = float(np.linalg.norm(out))
    return out / length if length > 1e-6 else np.zeros(3)


@dataclass(frozen=True)
class SoleLine:
    """The line from the rear to the front of a flat sole, in the robot's axes.

    Args:
        rear: (3,) [m].
        front: (3,) [m].
    """

    rear: Array
    front: Array


def find_flat_sole(end: LimbEnd, leg_length: float) -> SoleLine | None:
    """Return the line of a sole at the height of its lowest point.

    None for an end that is a point or a sphere.
    """
    lowest = float(end.points[:, 2].min())
    flat = end.points[end.points[:, 2] < lowest + SOLE_HEIGHT_BAND * leg_length]
    rear = float(flat[:, 0].min())
    front = float(flat[:, 0].max())
    if front - rear < MIN_SOLE_LENGTH * leg_length:
        return None
    middle = 0.5 * float(flat[:, 1].min() + flat[:, 1].max())
    return SoleLine(np.array([rear, middle, lowest]), np.array([front, middle, lowest]))


def make_shapes(tree: RobotTree, link: int, ends: list[Array]) -> tuple[LinkShape, ...]:
    """A link's solids in its frame; a stick to each of the places where it ends
    if the file tells none.

    Boxes and ellipsoids are turned about their longest axis so that they lie level;
    only their looks depend on it.
    """
    origin = tree.joint_position(link)
    shapes = [_make_shape(tree, geom, origin) for geom in tree.list_geoms(link)]
    if shapes:
        return tuple(shapes)
    sticks = [end - origin for end in ends if np.linalg.norm(end - origin) > 1e-3]
    if not sticks:
        r = 0.05 * float(np.linalg.norm(tree.compute_mass_properties(link).center - origin)) + 0.01
        return (LinkShape("ellipsoid", (0.0, 0.0, -r), (0.0, 0.0, r), (r, r)),)
    return tuple(
        LinkShape(
            "capsule",
            (0.0, 0.0, 0.0),
            _to_triple(v),
            (STICK_RADIUS * float(np.linalg.norm(v)),) * 2,
        )
        for v in sticks
    )


def _make_shape(tree: RobotTree, geom: int, origin: Array) -> LinkShape:
    size = tree.model.geom_size[geom]
    kind = tree.model.geom_type[geom]
    center = tree.transform_points(tree.data.geom_xpos[geom]) - origin
    axes = tree.transform_directions(tree.data.geom_xmat[geom].reshape(3, 3))
    if kind in (CAPSULE, CYLINDER):
        half = (size[1] + (0.5 * size[0] if kind == CAPSULE else 0.0)) * axes[:, 2]
        return LinkShape(
            "capsule",
            _to_triple(center - half),
            _to_triple(center + half),
            (float(size[0]), float(size[0])),
        )
    radii = np.full(3, size[0]) if kind == SPHERE else size
    longest = int(np.argmax(radii))
    half = radii[longest] * axes[:, longest]
    others = [k for k in range(3) if k != longest]
    width_axis = max(others, key=lambda k: abs(axes[1, k]))
    depth_axis = next(k for k in others if k != width_axis)
    return LinkShape(
        "box" if kind == BOX else "ellipsoid",
        _to_triple(center - half),
        _to_triple(center + half),
        (float(radii[width_axis]), float(radii[depth_axis])),
    )


def _to_triple(v: Array) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])
