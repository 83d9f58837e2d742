"""What a robot's links look like and where they touch the ground."""
from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..link import Shape
from .tree import RobotTree

Array = NDArray[np.float64]

SPHERE, CAPSULE, CYLINDER, BOX, ELLIPSOID = (int(getattr(mujoco.mjtGeom, f"mjGEOM_{name}"))
                                             for name in ("SPHERE", "CAPSULE", "CYLINDER", "BOX", "ELLIPSOID"))
LOW, LONG = 0.03, 0.10         # lengths of the leg: how near the lowest a point is part of the sole, how long a sole is at least
THIN = 0.06                    # radius of a stick that stands for a link of which no solid is known, by its length


@dataclass(frozen=True)
class Ending:
    """Where a limb ends: its lowest points (k, 3), which differ in height where it is not flat, and how round it is there."""

    points: Array
    radius: float
    known: bool                # whether the file tells its shape

    @property
    def lowest(self) -> Array:
        """The lowest point. (3,)."""
        return self.points[int(np.argmin(self.points[:, 2]))]


def ending(tree: RobotTree, link: int) -> Ending:
    """The end of a limb, in the robot's axes and present pose."""
    points, radii = [], []
    for geom in tree.geoms(link):
        own, radius = _lowest_points(tree, geom)
        points.append(own)
        radii += [radius] * len(own)
    if points:
        every = np.concatenate(points)
        return Ending(every, radii[int(np.argmin(every[:, 2]))], True)
    start, mover = tree.joint_place(link), tree.movers[link]
    frames = tree.place(tree.data.xpos[list(mover.bodies)])
    far = frames[int(np.argmax(np.linalg.norm(frames - start, axis=1)))]
    if np.linalg.norm(far - start) < 1e-3:
        far = tree.guessed_end(link)
    return Ending(far[None], 0.0, False)


def _lowest_points(tree: RobotTree, geom: int) -> tuple[Array, float]:
    """Points of a solid that may touch level ground (k, 3), and its radius there."""
    model = tree.model
    size, kind = model.geom_size[geom], model.geom_type[geom]
    at = tree.place(tree.data.geom_xpos[geom])
    axes = tree.directions(tree.data.geom_xmat[geom].reshape(3, 3))
    down = np.array([0.0, 0.0, -1.0])
    if kind == BOX:
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        return at + corners * size @ axes.T, 0.0
    if kind in (CAPSULE, CYLINDER):
        ends = at + np.array([-1.0, 1.0])[:, None] * size[1] * axes[:, 2]
        across = down if kind == CAPSULE else _across(axes[:, 2], down)
        return ends + size[0] * across, float(size[0])
    radii = size if kind == ELLIPSOID else np.full(3, size[0])
    local = axes.T @ down
    return (at + axes @ (radii**2 * local / np.linalg.norm(radii * local)))[None], float(radii.min())


def _across(axis: Array, down: Array) -> Array:
    """The direction on a cylinder's rim that goes down most."""
    out = down - axis * (axis @ down)
    length = float(np.linalg.norm(out))
    return out / length if length > 1e-6 else np.zeros(3)


def sole_of(end: Ending, leg: float) -> tuple[Array, Array] | None:
    """Rear and front of a sole at its lowest height, each (3,); None for an end that is a point or a ball."""
    low = float(end.points[:, 2].min())
    flat = end.points[end.points[:, 2] < low + LOW * leg]
    rear, front = float(flat[:, 0].min()), float(flat[:, 0].max())
    if front - rear < LONG * leg:
        return None
    middle = 0.5 * float(flat[:, 1].min() + flat[:, 1].max())
    return np.array([rear, middle, low]), np.array([front, middle, low])


def shapes_of(tree: RobotTree, link: int, ends: list[Array]) -> tuple[Shape, ...]:
    """A link's solids in its frame; a stick to each of the places where it ends if the file tells none.

    Boxes and ellipsoids are turned about their longest axis so that they lie level; only their looks depend on it.
    """
    origin = tree.joint_place(link)
    found = [_shape(tree, geom, origin) for geom in tree.geoms(link)]
    if found:
        return tuple(found)
    sticks = [end - origin for end in ends if np.linalg.norm(end - origin) > 1e-3]
    if not sticks:
        r = 0.05 * float(np.linalg.norm(tree.inertia(link)[1] - origin)) + 0.01
        return (Shape("ellipsoid", (0.0, 0.0, -r), (0.0, 0.0, r), (r, r)),)
    return tuple(Shape("capsule", (0.0, 0.0, 0.0), _triple(v), (THIN * float(np.linalg.norm(v)),) * 2) for v in sticks)


def _shape(tree: RobotTree, geom: int, origin: Array) -> Shape:
    size, kind = tree.model.geom_size[geom], tree.model.geom_type[geom]
    at = tree.place(tree.data.geom_xpos[geom]) - origin
    axes = tree.directions(tree.data.geom_xmat[geom].reshape(3, 3))
    if kind in (CAPSULE, CYLINDER):
        half = (size[1] + (0.5 * size[0] if kind == CAPSULE else 0.0)) * axes[:, 2]
        return Shape("capsule", _triple(at - half), _triple(at + half), (float(size[0]), float(size[0])))
    radii = np.full(3, size[0]) if kind == SPHERE else size
    longest = int(np.argmax(radii))
    half, others = radii[longest] * axes[:, longest], [k for k in range(3) if k != longest]
    sideways = max(others, key=lambda k: abs(axes[1, k]))
    across = next(k for k in others if k != sideways)
    return Shape("box" if kind == BOX else "ellipsoid", _triple(at - half), _triple(at + half),
                 (float(radii[sideways]), float(radii[across])))


def _triple(v: Array) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])
