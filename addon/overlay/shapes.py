"""Triangles and lines of the overlay, with one color per corner; independent of the GPU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.motion.violations import VIOLATION_REASONS
from .physics import COM_COLOR, VIOLATION_COLORS, Color, FootContactLine, PhysicsDisplay

Array = NDArray[np.float64]

# Segments of the smallest circles, which are some pixels wide: their corners are not seen.
CIRCLE_SEGMENTS = 12

# Sizes relative to the height of the center of mass, so that marks look alike on a mouse and a
# giant; the sizes themselves are by eye.
ARROW_HEAD_LENGTH = 0.085
ARROW_HEAD_RADIUS = 0.028
RING_RADIUS = 0.022  # ring below the center of mass
POINT_FOOT_RADIUS = 0.03  # outline of a foot that touches the ground in a point
GROUND_CLEARANCE = 0.006  # height of flat shapes above the ground

# By eye: another color than those of the sides, `SIDE_COLORS`, and light that falls from above.
SUPPORT_COLOR: Color = (0.55, 0.95, 0.60)
LIGHT_DIRECTION = np.array([0.4, -0.5, 0.77])


@dataclass(frozen=True)
class SoleOutlineShape:
    """Outline of a footprint; lengths are relative to the distance from heel to tip.

    By eye: a footprint that is wider at the ball, and surrounds the sole that it marks.
    """

    # Half of the mean width.
    half_width: float = 0.17
    # Factor of the width at the heel, and its increase up to the tip.
    heel_width: float = 0.82
    width_increase: float = 0.36
    # Exponent of the rounding; below 1 the outline is fuller than an ellipse.
    rounding: float = 0.6
    # Start behind the heel, and total length.
    start: float = -0.06
    length: float = 1.12


SOLE = SoleOutlineShape()


@dataclass(frozen=True)
class ColoredPart:
    """Points of a mesh and their colors."""

    points: Array  # (..., 3)
    color: Array  # (..., 4) with one color per point, or (4,)


@dataclass(frozen=True)
class ColoredMesh:
    """Corners of triangles or lines, three or two each, and their colors with opacity."""

    points: NDArray[np.float32]  # (k, 3)
    colors: NDArray[np.float32]  # (k, 4)

    @staticmethod
    def from_parts(parts: Sequence[ColoredPart]) -> ColoredMesh:
        """Return a mesh of several parts."""
        points = [np.asarray(part.points, np.float32).reshape(-1, 3) for part in parts]
        colors = [
            np.broadcast_to(part.color, (*np.shape(part.points)[:-1], 4)).reshape(-1, 4)
            for part in parts
        ]
        return ColoredMesh(
            np.concatenate([np.zeros((0, 3), np.float32), *points]),
            np.concatenate([np.zeros((0, 4)), *colors]).astype(np.float32),
        )

    def __len__(self) -> int:
        return len(self.points)


@dataclass(frozen=True)
class FilledOutline:
    """Areas and their outlines."""

    area: ColoredMesh  # triangles
    outline: ColoredMesh  # lines


def to_rgba(color: Color, opacity: float = 1.0) -> Array:
    """Return a color with opacity, (4,)."""
    return np.array([*color, opacity])


def make_segments(points: Array) -> Array:
    """Return lines between successive points: (k, d) becomes (2 (k - 1), d)."""
    endpoints: Array = np.repeat(points, 2, axis=0)[1:-1]
    return endpoints


def make_loop(points: Array) -> Array:
    """Return lines around a closed polygon: (k, d) becomes (2 k, d)."""
    return make_segments(np.concatenate([points, points[:1]]))


def triangulate_fan(points: Array) -> Array:
    """Return triangles that fill a convex polygon: (k, 3) becomes (3 (k - 2), 3)."""
    k = np.arange(1, max(len(points) - 1, 1))
    corners: Array = points[np.stack([np.zeros_like(k), k, k + 1], -1).ravel()]
    return corners


def build_com_path(physics: PhysicsDisplay) -> ColoredMesh:
    """Return the trajectory of the center of mass, in the colors of the violations."""
    reason_colors = np.array(
        [to_rgba(VIOLATION_COLORS[reason]) for reason in VIOLATION_REASONS] + [to_rgba(COM_COLOR)]
    )
    return ColoredMesh.from_parts(
        [
            ColoredPart(
                make_segments(physics.com), make_segments(reason_colors[physics.violation_index])
            )
        ]
    )


def build_ground_path(physics: PhysicsDisplay) -> ColoredMesh:
    """Return the trajectory of the center of mass, projected onto the ground."""
    raised = physics.com_ground_projection + (0, 0, GROUND_CLEARANCE * physics.com_height)
    return ColoredMesh.from_parts([ColoredPart(make_segments(raised), to_rgba(COM_COLOR, 0.45))])


def build_footprints(physics: PhysicsDisplay) -> FilledOutline:
    """Return the footprints of a motion."""
    areas = []
    outlines = []
    for contact in physics.foot_contacts:
        corners = _build_sole_outline(contact, physics.com_height)
        color = physics.limb_colors[contact.limb]
        areas.append(ColoredPart(triangulate_fan(corners), to_rgba(color, 0.22)))
        outlines.append(ColoredPart(make_loop(corners), to_rgba(color, 0.75)))
    return FilledOutline(ColoredMesh.from_parts(areas), ColoredMesh.from_parts(outlines))


def _build_sole_outline(foot_contact: FootContactLine, com_height: float) -> Array:
    """Return the outline of a footprint, (k, 3) [m].

    It has the shape of a shoe, or is a circle if the foot touches the ground in a point.
    """
    heel_to_tip = foot_contact.tip - foot_contact.heel
    length = float(np.linalg.norm(heel_to_tip))
    forward = heel_to_tip / length if length > 1e-6 else np.cross(foot_contact.up, (0.0, 1.0, 0.0))
    left = np.cross(foot_contact.up, forward)
    left /= max(float(np.linalg.norm(left)), 1e-9)
    angles = np.linspace(0, 2 * np.pi, 2 * CIRCLE_SEGMENTS, endpoint=False)
    origin = foot_contact.heel + GROUND_CLEARANCE * com_height * foot_contact.up
    if length <= 1e-6:
        return origin + POINT_FOOT_RADIUS * com_height * (
            np.cos(angles)[:, None] * np.cross(left, foot_contact.up)
            + np.sin(angles)[:, None] * left
        )
    length_share = 0.5 - 0.5 * np.cos(angles)
    half_widths = (
        SOLE.half_width
        * length
        * (SOLE.heel_width + SOLE.width_increase * length_share)
        * np.sign(np.sin(angles))
        * np.abs(np.sin(angles)) ** SOLE.rounding
    )
    outline: Array = (
        origin
        + (SOLE.start + SOLE.length * length_share)[:, None] * heel_to_tip
        + half_widths[:, None] * left
    )
    return outline


def build_support(physics: PhysicsDisplay, k: int) -> FilledOutline:
    """Return the support polygon of a frame."""
    corners = physics.compute_support_polygon(k) + (0, 0, GROUND_CLEARANCE * physics.com_height)
    if len(corners) < 2:
        return FilledOutline(ColoredMesh.from_parts([]), ColoredMesh.from_parts([]))
    area = ColoredPart(triangulate_fan(corners), to_rgba(SUPPORT_COLOR, 0.28))
    outline = ColoredPart(make_loop(corners), to_rgba(SUPPORT_COLOR, 0.9))
    return FilledOutline(ColoredMesh.from_parts([area]), ColoredMesh.from_parts([outline]))


def build_arrow_head(color: Color) -> ColoredMesh:
    """Return a cone of height 1 that points along z, with its tip at the origin."""
    angles = np.linspace(0, 2 * np.pi, CIRCLE_SEGMENTS + 1)
    circle = np.column_stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)])
    rim = circle * (ARROW_HEAD_RADIUS / ARROW_HEAD_LENGTH) - (0, 0, 1)
    tip = np.zeros_like(rim[1:])
    base_center = np.zeros_like(rim[1:]) - (0, 0, 1)
    brightness = np.clip(0.82 + 0.18 * (0.5 * (circle[:-1] + circle[1:]) @ LIGHT_DIRECTION), 0, 1)
    side_colors = np.column_stack([brightness[:, None] * color, np.ones(CIRCLE_SEGMENTS)])
    side_triangles = np.stack([rim[:-1], rim[1:], tip], 1)  # (r, 3, 3)
    return ColoredMesh.from_parts(
        [
            ColoredPart(side_triangles, np.repeat(side_colors[:, None], 3, axis=1)),
            ColoredPart(
                np.stack([rim[1:], rim[:-1], base_center], 1),
                np.array([*(0.6 * np.array(color)), 1.0]),
            ),
        ]
    )


def build_moment_arc(color: Color) -> ColoredMesh:
    """Return three quarters of a unit circle about z, starting at x, and a part of its axis."""
    angles = np.linspace(0, 1.5 * np.pi, 3 * CIRCLE_SEGMENTS + 1)
    circle_points = np.column_stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)])
    return ColoredMesh.from_parts(
        [
            ColoredPart(make_segments(circle_points), to_rgba(color)),
            ColoredPart(np.array([(0, 0, -0.4), (0, 0, 0.4)], float), to_rgba(color, 0.6)),
        ]
    )


def build_arrow_shaft(color: Color) -> ColoredMesh:
    """Return the shaft of an arrow: a line from the origin to 1 on the z axis."""
    return ColoredMesh.from_parts(
        [ColoredPart(np.array([(0, 0, 0), (0, 0, 1)], float), to_rgba(color))]
    )


def build_drop_line() -> ColoredMesh:
    """Return a line from 1 on the z axis to the origin, and a unit circle around the origin."""
    angles = np.linspace(0, 2 * np.pi, 2 * CIRCLE_SEGMENTS + 1)
    ring = np.column_stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)])
    line = np.array([(0, 0, 1), (0, 0, 0)], float)
    return ColoredMesh.from_parts(
        [
            ColoredPart(line, np.array([to_rgba(COM_COLOR, 0.7), to_rgba(COM_COLOR, 0.35)])),
            ColoredPart(make_segments(ring), to_rgba(COM_COLOR, 0.95)),
        ]
    )
