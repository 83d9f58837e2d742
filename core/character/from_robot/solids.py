"""Solids of the links of a robot, and the ends of its limbs."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..link import LinkShape, to_triple
from .tree import RobotTree

Array = NDArray[np.float64]

# Types of MuJoCo's geoms
SPHERE, CAPSULE, CYLINDER, BOX, ELLIPSOID = (
    int(getattr(mujoco.mjtGeom, f"mjGEOM_{name}"))
    for name in ("SPHERE", "CAPSULE", "CYLINDER", "BOX", "ELLIPSOID")
)


@dataclass(frozen=True)
class EndParameters:
    """Parameters of the ends of limbs of a robot.

    Args:
        sole_height_band: greatest height of points of a sole above the lowest point [leg length],
            so that rounded edges of a sole belong to it.
        min_sole_length: least length of a sole; shorter ends are points [leg length]. Robots have
            round ends and boxes of less, on which they do not stand flat.
        stick_radius: radius of the capsule of a link without solids [its length].
    """

    sole_height_band: float = 0.03
    min_sole_length: float = 0.10
    stick_radius: float = 0.06


ENDS = EndParameters()


@dataclass(frozen=True)
class LimbEnd:
    """The end of a limb, in the robot's axes.

    Args:
        points: (k, 3) points that may touch level ground, of all heights [m].
        radius: of the solid at the lowest point [m].
        has_shape: whether the file has solids for the link.
    """

    points: Array
    radius: float
    has_shape: bool

    @property
    def lowest(self) -> Array:
        """Lowest point (3,) [m]."""
        return self.points[int(np.argmin(self.points[:, 2]))]


def find_limb_end(tree: RobotTree, link: int) -> LimbEnd:
    """Return the end of a limb in the current pose."""
    points = []
    radii = []
    for geom in tree.list_geoms(link):
        end = _lowest_points(tree, geom)
        points.append(end.points)
        radii += [end.radius] * len(end.points)
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


def _lowest_points(tree: RobotTree, geom: int) -> LimbEnd:
    """Return the points of a solid that may touch level ground."""
    model = tree.model
    size = model.geom_size[geom]
    kind = model.geom_type[geom]
    center = tree.transform_points(tree.data.geom_xpos[geom])
    axes = tree.transform_directions(tree.data.geom_xmat[geom].reshape(3, 3))
    down = np.array([0.0, 0.0, -1.0])
    if kind == BOX:
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        return LimbEnd(center + corners * size @ axes.T, 0.0, True)
    if kind in (CAPSULE, CYLINDER):
        ends = center + np.array([-1.0, 1.0])[:, None] * size[1] * axes[:, 2]
        rim_direction = down if kind == CAPSULE else _lowest_rim_direction(axes[:, 2], down)
        return LimbEnd(ends + size[0] * rim_direction, float(size[0]), True)
    radii = size if kind == ELLIPSOID else np.full(3, size[0])
    local = axes.T @ down
    lowest = center + axes @ (radii**2 * local / np.linalg.norm(radii * local))
    return LimbEnd(lowest[None], float(radii.min()), True)


def _lowest_rim_direction(axis: Array, down: Array) -> Array:
    """Return the radial direction of a cylinder that points farthest down (3,)."""
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
    flat = end.points[end.points[:, 2] < lowest + ENDS.sole_height_band * leg_length]
    rear = float(flat[:, 0].min())
    front = float(flat[:, 0].max())
    if front - rear < ENDS.min_sole_length * leg_length:
        return None
    middle = 0.5 * float(flat[:, 1].min() + flat[:, 1].max())
    return SoleLine(np.array([rear, middle, lowest]), np.array([front, middle, lowest]))


def make_shapes(tree: RobotTree, link: int, ends: list[Array]) -> tuple[LinkShape, ...]:
    """Return the solids of a link in its frame.

    A link without solids in the file gets a thin capsule to each of its ends. Boxes and ellipsoids
    are rotated about their longest axis to be level, which affects only how they look.

    Args:
        ends: (3,) positions of the ends of the link, in the robot's axes [m].
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
            to_triple(v),
            (ENDS.stick_radius * float(np.linalg.norm(v)),) * 2,
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
            to_triple(center - half),
            to_triple(center + half),
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
        to_triple(center - half),
        to_triple(center + half),
        (float(radii[width_axis]), float(radii[depth_axis])),
    )
