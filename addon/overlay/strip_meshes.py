"""Meshes of the strip with forces and contacts over time.

Their axes are frames and rows, or frames and body weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.motion.violations import VIOLATION_REASONS
from .physics import PUSH_COLOR, VIOLATION_COLORS, Color, ContactSpan, PhysicsDisplay
from .shapes import ColoredMesh, ColoredPart, make_segments, to_rgba

Array = NDArray[np.float64]

# By eye: nearly white, on a dark background (`timeline.BACKGROUND_COLOR`).
TEXT_COLOR: Color = (0.92, 0.92, 0.92)

# Lower and upper edge of each part of a foot in a row; a row has the height 1.
PART_BANDS = {
    "heel": (0.06, 0.46),
    "ball": (0.54, 0.94),
    "point": (0.12, 0.88),
    "grip": (0.12, 0.88),
}
PART_BRIGHTNESS = {"heel": 0.75, "ball": 1.0, "point": 1.0, "grip": 0.6}  # factor of a limb's color


@dataclass(frozen=True)
class _FrameRun:
    """Successive frames, from `begin` up to but not including `end`."""

    begin: int
    end: int


@dataclass(frozen=True)
class _Band:
    """Vertical extent in units of rows."""

    low: float
    high: float


def _make_curve(force: Array) -> Array:
    """Return a force over time, (n,) [body weights], as a curve, (n, 3)."""
    frame_count = len(force)
    return np.column_stack([np.arange(frame_count) + 0.5, force, np.zeros(frame_count)])


def build_areas(physics: PhysicsDisplay, limb_rows: Sequence[int]) -> ColoredMesh:
    """Return the areas below the forces of the limbs."""
    return ColoredMesh.from_parts(
        [
            ColoredPart(
                _make_area(_make_curve(physics.vertical_force[:, limb])),
                to_rgba(physics.limb_colors[limb], 0.22),
            )
            for limb in limb_rows
        ]
    )


def build_curves(physics: PhysicsDisplay, limb_rows: Sequence[int]) -> ColoredMesh:
    """Return the forces of the limbs."""
    return ColoredMesh.from_parts(
        [
            ColoredPart(
                make_segments(_make_curve(physics.vertical_force[:, limb])),
                to_rgba(physics.limb_colors[limb]),
            )
            for limb in limb_rows
        ]
    )


def build_total(physics: PhysicsDisplay, grid_levels: Sequence[int]) -> ColoredMesh:
    """Return the grid lines and the sum of the forces."""
    parts = [
        ColoredPart(
            np.array([(0, level, 0), (physics.frame_count, level, 0)], float),
            to_rgba(TEXT_COLOR, 0.14 if level else 0.3),
        )
        for level in grid_levels
    ]
    total = make_segments(_make_curve(physics.vertical_force.sum(1)))
    return ColoredMesh.from_parts([*parts, ColoredPart(total, to_rgba(TEXT_COLOR, 0.6))])


def build_bars(physics: PhysicsDisplay, limb_rows: Sequence[int]) -> ColoredMesh:
    """Return the rows and the contacts in them."""
    row_color = to_rgba(TEXT_COLOR, 0.05)
    parts = [
        ColoredPart(_make_box(0, physics.frame_count, row + 0.06, row + 0.94), row_color)
        for row in range(len(limb_rows))
    ]
    for span in physics.contact_spans:
        band = _find_band(span, limb_rows)
        color = _dim(physics.limb_colors[span.limb], PART_BRIGHTNESS[span.part])
        box = _make_box(span.begin, span.end + 1, band.low, band.high)
        parts.append(ColoredPart(box, to_rgba(color)))
    return ColoredMesh.from_parts(parts)


def _find_band(span: ContactSpan, limb_rows: Sequence[int]) -> _Band:
    row = len(limb_rows) - 1 - limb_rows.index(span.limb)
    low, high = PART_BANDS[span.part]
    return _Band(row + low, row + high)


def build_marks(physics: PhysicsDisplay) -> ColoredMesh:
    """Return the marks of frames with violations and pushes."""
    parts = []
    for number, reason in enumerate(VIOLATION_REASONS):
        runs = _find_runs(physics.violation_index == number)
        parts += [_make_mark(run, VIOLATION_COLORS[reason]) for run in runs]
    is_pushed = np.any(physics.push, axis=1) | np.any(physics.push_moment, axis=1)
    parts += [_make_mark(run, PUSH_COLOR) for run in _find_runs(is_pushed)]
    return ColoredMesh.from_parts(parts)


def _make_mark(run: _FrameRun, color: Color) -> ColoredPart:
    return ColoredPart(_make_box(run.begin, run.end, 0, 1), to_rgba(color))


def _find_runs(mask: NDArray[np.bool_]) -> list[_FrameRun]:
    """Return the runs of frames in which a mask, (n,), is true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(np.int8), [0]])))
    return [_FrameRun(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _make_box(left: float, right: float, low: float, high: float) -> Array:
    """Return a rectangle as two triangles, (6, 3)."""
    return np.array(
        [
            (left, low, 0),
            (right, low, 0),
            (right, high, 0),
            (left, low, 0),
            (right, high, 0),
            (left, high, 0),
        ],
        float,
    )


def _make_area(curve: Array) -> Array:
    """Return triangles between a curve, (k, 3), and the axis below it, (6 (k - 1), 3)."""
    base = curve * (1, 0, 1)
    corners: Array = np.stack(
        [base[:-1], base[1:], curve[1:], base[:-1], curve[1:], curve[:-1]], 1
    ).reshape(-1, 3)
    return corners


def _dim(color: Color, brightness: float) -> Color:
    r, g, b = (brightness * x for x in color)
    return r, g, b
