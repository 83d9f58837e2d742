"""Drawing of the body in one frame with matplotlib: capsules, shoes and a face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from ..geometry import so3
from .motion import Motion, Solid
from .view import View, select_side_color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

# Colors and sizes by eye.
EDGE_COLOR = "#2b2b2b"
SKIN_COLOR = "#e3b891"
NOSE_COLOR = "#c98f63"
EYE_COLOR = "#1d1d1d"
MIN_SHOE_COUNT = 2  # Least number of feet with heel and toe that are drawn as shoes
SHOE_WIDTH = 0.19  # Half width of a shoe [its length]
CAPSULE_CORNERS = 9  # Corners of each end of the outline of a capsule
# Corners of a nose from the middle of the skull: forward, left and up [radius of the skull]
NOSE_CORNERS = np.array(
    [(0.80, 0.0, 0.30), (1.42, 0.0, -0.20), (0.80, 0.24, -0.34), (0.80, -0.24, -0.34)]
)
# Eyes at the front of a head without a muzzle [radius of the skull]
EYE_POSITIONS = np.array([(0.76, 0.44, 0.36), (0.76, -0.44, 0.36)])
# Eyes on the sides of a head with a muzzle [radius of the skull]
MUZZLE_EYE_POSITIONS = np.array([(0.15, 0.85, 0.45), (0.15, -0.85, 0.45)])
EYE_SIZE = 0.13  # Radius of an eye [radius of the skull]
# Least cosine between the facing of the head and the viewer for a nose in front of the skull
NOSE_FRONT_COSINE = 0.3
# Width below which points are on a line, as those of a thin foot seen from its edge [m]
MIN_OUTLINE_WIDTH = 1e-6


@dataclass(frozen=True)
class BodyPolygon:
    """A polygon of the picture.

    Args:
        nearness: to the viewer; nearer polygons cover others [m].
        outline: (k, 2) picture coordinates [m].
    """

    nearness: float
    outline: Array
    color: str
    edge_color: str = EDGE_COLOR


def draw_figure(ax: Axes, motion: Motion, frame: int, view: View) -> None:
    """Draw the body in one frame: a capsule for each solid, shoes for feet, and a face."""
    from matplotlib.patches import Polygon

    parts = [
        *_build_solids(motion, frame, view),
        *_build_shoes(motion, frame, view),
        *build_face(motion, frame, view),
    ]
    for part in sorted(parts, key=lambda part: part.nearness):
        ax.add_patch(
            Polygon(
                part.outline,
                closed=True,
                facecolor=part.color,
                edgecolor=part.edge_color,
                linewidth=0.5,
                joinstyle="round",
                zorder=3,
            )
        )


def _build_solids(motion: Motion, frame: int, view: View) -> list[BodyPolygon]:
    """Return the outlines of all solids except those of shoes."""
    rotation = so3.quat_to_matrix(motion.link_orientation[frame])
    shoe_links = _find_shoe_links(motion)
    parts = []
    for solids in _group_solids(motion):
        name = motion.link_names[solids[0].link]
        if name in shoe_links:
            continue
        projections = [
            view.project(compute_solid_ends(motion, frame, solid, rotation)) for solid in solids
        ]
        outline = np.concatenate(
            [
                compute_capsule_outline(projected.coordinates, solid.radius)
                for projected, solid in zip(projections, solids, strict=True)
            ]
        )
        if len(solids) > 1:
            outline = compute_convex_outline(outline)
        is_skin = name == "head" and _has_human_head(motion)
        color = SKIN_COLOR if is_skin else select_side_color(name)
        nearness = float(np.mean([projected.nearness for projected in projections]))
        parts.append(BodyPolygon(nearness, outline, color))
    return parts


def _build_shoes(motion: Motion, frame: int, view: View) -> list[BodyPolygon]:
    """Return the outlines of all shoes."""
    parts = []
    for name in _find_shoe_links(motion):
        shoe = _build_shoe(motion, frame, name)
        for corners in (shoe.body, shoe.toe):
            projected = view.project(corners)
            parts.append(
                BodyPolygon(
                    float(projected.nearness.mean()),
                    compute_convex_outline(projected.coordinates),
                    select_side_color(name),
                )
            )
    return parts


def compute_convex_outline(points: Array) -> Array:
    """Return the corners of the convex hull of points (n, 2), or the ends of points on a line."""
    offsets = points - points.mean(0)
    _, sizes, directions = np.linalg.svd(offsets, full_matrices=False)
    if sizes[1] > MIN_OUTLINE_WIDTH:
        return points[ConvexHull(points).vertices]
    along = offsets @ directions[0]
    return points[[int(along.argmin()), int(along.argmax())]]


def compute_solid_ends(motion: Motion, frame: int, solid: Solid, rotation: Array) -> Array:
    """Return the ends of a solid in the world (2, 3) [m]; `rotation` is (links, 3, 3)."""
    return (
        motion.link_position[frame, solid.link]
        + np.stack([solid.start, solid.end]) @ rotation[solid.link].T
    )


def compute_capsule_outline(ends: Array, radius: float) -> Array:
    """Return the outline of a capsule in the picture (2 * CAPSULE_CORNERS, 2) [m]."""
    start, end = ends
    along = end - start
    angle = np.arctan2(along[1], along[0]) if np.linalg.norm(along) > 1e-9 else 0.0
    half = np.linspace(-np.pi / 2, np.pi / 2, CAPSULE_CORNERS)
    arcs = [
        center + radius * np.stack([np.cos(turn + half), np.sin(turn + half)], -1)
        for center, turn in ((end, angle), (start, angle + np.pi))
    ]
    return np.concatenate(arcs)


@dataclass(frozen=True)
class BodyExtent:
    """Bounding box of a body in a picture.

    Args:
        low: (2,) lowest coordinates [m].
        high: (2,) highest coordinates [m].
    """

    low: Array
    high: Array


def measure_body_extent(motion: Motion, frame: int, view: View) -> BodyExtent:
    """Return the bounding box of the body of one frame in the picture."""
    rotation = so3.quat_to_matrix(motion.link_orientation[frame])
    low = [view.project(motion.contact_position[frame]).coordinates.min(0)]
    high = [view.project(motion.contact_position[frame]).coordinates.max(0)]
    for solid in motion.solids:
        projected = view.project(compute_solid_ends(motion, frame, solid, rotation)).coordinates
        low.append(projected.min(0) - solid.radius)
        high.append(projected.max(0) + solid.radius)
    return BodyExtent(np.min(low, 0), np.max(high, 0))


def locate_head(motion: Motion) -> Array:
    """Return the center of mass of the head, or of the first link without a head (n, 3) [m]."""
    return motion.link_position[
        :, motion.link_names.index("head") if "head" in motion.link_names else 0
    ]


def build_face(motion: Motion, frame: int, view: View) -> list[BodyPolygon]:
    """Return nose and visible eyes; none for a head without a recognizable front."""
    skull = _find_skull(motion)
    if skull is None:
        return []
    has_muzzle = _has_muzzle(motion, skull)
    if not has_muzzle and not _has_human_head(motion):
        return []
    link = skull.link
    rotation = so3.quat_to_matrix(motion.link_orientation[frame, link])
    middle = 0.5 * (skull.start + skull.end)
    size = skull.radius
    toward = view.toward @ rotation  # direction to the viewer in the frame of the head
    parts = []
    for eye in MUZZLE_EYE_POSITIONS if has_muzzle else EYE_POSITIONS:
        if toward @ (eye * (1.0, 1.0, 0.0)) < 0.1:  # on the far side of the head
            continue
        projected = view.project(
            motion.link_position[frame, link] + rotation @ (middle + size * eye)
        )
        parts.append(
            BodyPolygon(
                float(projected.nearness) + size,
                compute_capsule_outline(np.stack([projected.coordinates] * 2), EYE_SIZE * size),
                EYE_COLOR,
            )
        )
    if not has_muzzle:
        projected = view.project(
            motion.link_position[frame, link] + (middle + size * NOSE_CORNERS) @ rotation.T
        )
        outline = projected.coordinates[ConvexHull(projected.coordinates).vertices]
        nearness = float(projected.nearness.mean())
        if toward[0] > NOSE_FRONT_COSINE:
            parts.append(BodyPolygon(nearness + size, outline, NOSE_COLOR, NOSE_COLOR))
        else:
            parts.append(BodyPolygon(nearness - size, outline, SKIN_COLOR))
    return parts


def _group_solids(motion: Motion) -> list[list[Solid]]:
    """Return the solids that are drawn as one, such as those of a link of the trunk."""
    shapes: list[list[Solid]] = []
    for solid in motion.solids:
        name = motion.link_names[solid.link]
        can_join = not name.endswith((".L", ".R")) and not (
            name == "head" and _has_human_head(motion)
        )
        if can_join and shapes and shapes[-1][0].link == solid.link:
            shapes[-1].append(solid)
        else:
            shapes.append([solid])
    return shapes


def _find_shoe_links(motion: Motion) -> list[str]:
    """Return the links of feet with a heel and a toe; none for a single foot."""
    feet = sorted({name.split("/")[0] for name in motion.contact_names if name.endswith("/heel")})
    return feet if len(feet) >= MIN_SHOE_COUNT else []


@dataclass(frozen=True)
class _ShoeCorners:
    """Corners of a shoe.

    Args:
        body: (k, 3) of the part from heel to ball [m].
        toe: (k, 3) of the part from ball to tip [m].
    """

    body: Array
    toe: Array


def _build_shoe(motion: Motion, frame: int, name: str) -> _ShoeCorners:
    """Return the corners of the shoe of a foot."""
    index = {
        point: motion.contact_names.index(f"{name}/{point}") for point in ("heel", "ball", "tip")
    }
    heel, ball, tip = (
        motion.contact_position[frame, index[point]] for point in ("heel", "ball", "tip")
    )
    link = motion.link_names.index(name)
    ankle = motion.link_origin[frame, link]
    rotation = so3.quat_to_matrix(motion.link_orientation[frame, link])
    up = rotation[:, 2]
    half_width = SHOE_WIDTH * float(np.linalg.norm(ball - heel)) * rotation[:, 1]
    thickness = 0.25 * float(np.linalg.norm(ankle - heel))
    sole_corners = [heel, ball, ball + 1.6 * thickness * up, heel + 1.6 * thickness * up]
    toe_corners = [ball, ball + 1.6 * thickness * up, tip, tip + 0.6 * thickness * up]
    body_corners = [corner + sign * half_width for corner in sole_corners for sign in (-1, 1)]
    collar = [ankle + 0.5 * thickness * up + 0.7 * sign * half_width for sign in (-1, 1)]
    toe = [corner + 0.9 * sign * half_width for corner in toe_corners for sign in (-1, 1)]
    return _ShoeCorners(np.array([*body_corners, *collar]), np.array(toe))


def _find_skull(motion: Motion) -> Solid | None:
    """Return the thickest solid of the head."""
    solids = [solid for solid in motion.solids if motion.link_names[solid.link] == "head"]
    return max(solids, key=lambda solid: solid.radius, default=None)


def _has_muzzle(motion: Motion, skull: Solid) -> bool:
    """Return whether another solid of the head reaches farther forward than the skull."""
    return any(
        _compute_forward_reach(solid) > _compute_forward_reach(skull)
        for solid in motion.solids
        if solid.link == skull.link
    )


def _has_human_head(motion: Motion) -> bool:
    """Return whether the skull is upright and the head has no muzzle."""
    skull = _find_skull(motion)
    if skull is None or _has_muzzle(motion, skull):
        return False
    along = np.abs(skull.end - skull.start)
    return bool(along[2] >= along[0])


def _compute_forward_reach(solid: Solid) -> float:
    """Return the forward reach of a solid from the center of mass of its link [m]."""
    return float(max(solid.start[0], solid.end[0])) + solid.radius
