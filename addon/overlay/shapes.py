"""Triangles and lines of what the overlay draws, with a colour a corner. No GPU here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.motion.easing import VIOLATION_REASONS
from .physics import COM_COLOR, VIOLATION_COLORS, Color, FootContactLine, PhysicsDisplay

Array = NDArray[np.float64]

CIRCLE_SEGMENTS = 12  # corners of what is round

# length and radius of an arrow's head, of the body's size
ARROW_HEAD_LENGTH = 0.085
ARROW_HEAD_RADIUS = 0.028

RING_RADIUS = 0.022  # radius of the ring below the centre of mass, of the body's size
SOLE_HALF_WIDTH = 0.17  # half a sole's width, of its length
POINT_FOOT_RADIUS = 0.03  # radius of a foot without one, of the body's size
GROUND_CLEARANCE = 0.006  # of the body's size by which what lies on the ground is above it
SUPPORT_COLOR: Color = (0.55, 0.95, 0.60)
LIGHT_DIRECTION = np.array([0.4, -0.5, 0.77])


@dataclass(frozen=True)
class ColoredMesh:
    """Corners, `per` of them a triangle (3) or a line (2), and their colours with opacity."""

    points: NDArray[np.float32]  # (k, 3)
    colors: NDArray[np.float32]  # (k, 4)

    @staticmethod
    def from_parts(parts: list[tuple[Array, Array]]) -> ColoredMesh:
        """Of points (…, 3) and colours that fit them, (…, 4) or (4,)."""
        points = [np.asarray(p, np.float32).reshape(-1, 3) for p, _ in parts]
        colors = [np.broadcast_to(c, (*np.shape(p)[:-1], 4)).reshape(-1, 4) for p, c in parts]
        return ColoredMesh(
            np.concatenate([np.zeros((0, 3), np.float32), *points]),
            np.concatenate([np.zeros((0, 4)), *colors]).astype(np.float32),
        )

    def __len__(self) -> int:
        return len(self.points)


def to_rgba(color: Color, opacity: float = 1.0) -> Array:
    """A colour with opacity. (4,)."""
    return np.array([*color, opacity])


def make_segments(points: Array) -> Array:
    """The lines from each point to the next. (k, d) -> (2 (k - 1), d)."""
    endpoints: Array = np.repeat(points, 2, axis=0)[1:-1]
    return endpoints


def make_loop(points: Array) -> Array:
    """The same, and back to the first. (k, d) -> (2 k, d)."""
    return make_segments(np.concatenate([points, points[:1]]))


def triangulate_fan(points: Array) -> Array:
    """Triangles that fill a convex polygon. (k, 3) -> (3 (k - 2), 3)."""
    k = np.arange(1, max(len(points) - 1, 1))
    corners: Array = points[np.stack([np.zeros_like(k), k, k + 1], -1).ravel()]
    return corners


def build_com_path(physics: PhysicsDisplay) -> ColoredMesh:
    """The way of the centre of mass, in the colour of what gave way."""
    reason_colors = np.array(
        [to_rgba(VIOLATION_COLORS[reason]) for reason in VIOLATION_REASONS] + [to_rgba(COM_COLOR)]
    )
    return ColoredMesh.from_parts(
        [(make_segments(physics.com), make_segments(reason_colors[physics.violation_index]))]
    )


def build_ground_path(physics: PhysicsDisplay) -> ColoredMesh:
    """Its way over the ground below."""
    raised = physics.com_ground_projection + (0, 0, GROUND_CLEARANCE * physics.com_height)
    return ColoredMesh.from_parts([(make_segments(raised), to_rgba(COM_COLOR, 0.45))])


def build_footprints(physics: PhysicsDisplay) -> tuple[ColoredMesh, ColoredMesh]:
    """Soles where they stand, as triangles, and their outlines as lines."""
    outlines = [
        (
            _build_sole_outline(foot_contact, physics.com_height),
            physics.limb_colors[foot_contact.limb],
        )
        for foot_contact in physics.foot_contacts
    ]
    return (
        ColoredMesh.from_parts([(triangulate_fan(o), to_rgba(c, 0.22)) for o, c in outlines]),
        ColoredMesh.from_parts([(make_loop(o), to_rgba(c, 0.75)) for o, c in outlines]),
    )


def _build_sole_outline(foot_contact: FootContactLine, com_height: float) -> Array:
    """A shoe's: narrow at the heel and wide at the ball;
    a circle of a foot without a sole. (k, 3).
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
        SOLE_HALF_WIDTH
        * length
        * (0.82 + 0.36 * length_share)
        * np.sign(np.sin(angles))
        * np.abs(np.sin(angles)) ** 0.6
    )
    outline: Array = (
        origin + (-0.06 + 1.12 * length_share)[:, None] * heel_to_tip + half_widths[:, None] * left
    )
    return outline


def build_support(physics: PhysicsDisplay, k: int) -> tuple[ColoredMesh, ColoredMesh]:
    """The polygon of a frame, filled and as an outline."""
    corners = physics.compute_support_polygon(k) + (0, 0, GROUND_CLEARANCE * physics.com_height)
    if len(corners) < 2:
        return ColoredMesh.from_parts([]), ColoredMesh.from_parts([])
    return ColoredMesh.from_parts(
        [(triangulate_fan(corners), to_rgba(SUPPORT_COLOR, 0.28))]
    ), ColoredMesh.from_parts([(make_loop(corners), to_rgba(SUPPORT_COLOR, 0.9))])


def build_arrow_head(color: Color) -> ColoredMesh:
    """A cone of height 1 whose tip is at the origin and points along z."""
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
            (side_triangles, np.repeat(side_colors[:, None], 3, axis=1)),
            (
                np.stack([rim[1:], rim[:-1], base_center], 1),
                np.array([*(0.6 * np.array(color)), 1.0]),
            ),
        ]
    )


def build_moment_arc(color: Color) -> ColoredMesh:
    """Three quarters of a circle of radius 1 about z, from x on, and a piece of its axis."""
    angles = np.linspace(0, 1.5 * np.pi, 3 * CIRCLE_SEGMENTS + 1)
    circle_points = np.column_stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)])
    return ColoredMesh.from_parts(
        [
            (make_segments(circle_points), to_rgba(color)),
            (np.array([(0, 0, -0.4), (0, 0, 0.4)], float), to_rgba(color, 0.6)),
        ]
    )


def build_arrow_shaft(color: Color) -> ColoredMesh:
    """A line from the origin to 1 along z: an arrow's shaft."""
    return ColoredMesh.from_parts([(np.array([(0, 0, 0), (0, 0, 1)], float), to_rgba(color))])


def build_drop_line() -> ColoredMesh:
    """A line of length 1 down to the origin, and a ring of radius 1 there."""
    angles = np.linspace(0, 2 * np.pi, 2 * CIRCLE_SEGMENTS + 1)
    ring = np.column_stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)])
    line = np.array([(0, 0, 1), (0, 0, 0)], float)
    return ColoredMesh.from_parts(
        [
            (line, np.array([to_rgba(COM_COLOR, 0.7), to_rgba(COM_COLOR, 0.35)])),
            (make_segments(ring), to_rgba(COM_COLOR, 0.95)),
        ]
    )
