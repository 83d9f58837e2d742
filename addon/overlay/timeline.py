"""Forces and contacts over time, flat: at the lower edge of the 3D view,
and along the time of a timeline.
"""

from __future__ import annotations

from dataclasses import dataclass

import blf
import gpu
import numpy as np
from numpy.typing import NDArray

from ...core.motion.easing import VIOLATION_REASONS
from .gpu import (
    Rectangle,
    alpha_blending,
    create_batch,
    draw_lines,
    draw_rectangle,
    draw_triangles,
    fit_to_rectangle,
)
from .physics import PUSH_COLOR, VIOLATION_COLORS, Color, ContactSpan, PhysicsDisplay, describe_limb
from .shapes import ColoredMesh, make_segments, to_rgba

Array = NDArray[np.float64]

BACKGROUND_COLOR: Color = (0.09, 0.09, 0.10)
TEXT_COLOR: Color = (0.92, 0.92, 0.92)

# heights in pixels of an interface of scale 1
ROW_HEIGHT = 13.0
GRAPH_HEIGHT = 62.0
HEADER_HEIGHT = 17.0
MARKS_HEIGHT = 4.0
GAP = 6.0

LABEL_WIDTH = 92.0  # room for names
MIN_LABELED_WIDTH = 420.0  # width below which they are left out
MIN_PANEL_WIDTH = 160.0  # least width

# of a timeline's scroll bar; of a row there
SCROLL_BAR_HEIGHT = 22.0
MIN_ROW_HEIGHT = 2.0

FONT_SIZE = 11.0
# of a row's height
PART_BANDS = {
    "heel": (0.06, 0.46),
    "ball": (0.54, 0.94),
    "point": (0.12, 0.88),
    "grip": (0.12, 0.88),
}
PART_BRIGHTNESS = {"heel": 0.75, "ball": 1.0, "point": 1.0, "grip": 0.6}  # of a limb's colour
HEADROOM = 1.12


@dataclass(frozen=True)
class StripArea:
    """Where there is room in a region, pixels: from `left` to `right`, above `bottom`;
    `scale` is the interface's.
    """

    left: float
    right: float
    bottom: float
    scale: float


class PhysicsStrip:
    """Forces and contacts of a plan on the GPU, made once."""

    def __init__(self, physics: PhysicsDisplay) -> None:
        """Nothing is made before it is drawn."""
        self.physics = physics
        loaded_limbs = {span.limb for span in physics.contact_spans}
        self.limb_rows = [k for k in range(len(physics.limbs)) if k in loaded_limbs]
        self.max_force = max(
            HEADROOM * float(np.max(physics.vertical_force.sum(1), initial=0.0)), 1.25
        )
        # body weights that have a line
        self.grid_levels = range(0, int(self.max_force) + 1, max(1, -(-int(self.max_force) // 3)))
        self._batches: dict[str, gpu.types.GPUBatch | None] = {}

    def draw_panel(
        self, area: StripArea, k: int | None, shows_graph: bool, shows_contacts: bool
    ) -> None:
        """Draw what is asked for at the lower edge of a region; nothing where it is too narrow.

        Args:
            k: the motion's frame; None outside of it.
        """
        u = area.scale
        width = area.right - area.left - 2 * GAP * u
        if width < MIN_PANEL_WIDTH * u:
            return
        label_width = LABEL_WIDTH * u if width > MIN_LABELED_WIDTH * u else 0.0
        heights = [
            u * ROW_HEIGHT * len(self.limb_rows) if shows_contacts else 0.0,
            u * GRAPH_HEIGHT if shows_graph else 0.0,
            u * HEADER_HEIGHT if shows_graph else 0.0,
        ]
        bottom = area.bottom + GAP * u
        inner_rect = (
            area.left + GAP * u + label_width,
            bottom + GAP * u,
            width - label_width - GAP * u,
            sum(heights) + u * (MARKS_HEIGHT + GAP),
        )
        self._create_batches()
        with alpha_blending():
            draw_rectangle(
                (area.left + GAP * u, bottom, width, inner_rect[3] + 2 * GAP * u),
                BACKGROUND_COLOR,
                0.78,
            )
            if shows_contacts:
                self._draw_rows((*inner_rect[:3], heights[0]), label_width, u)
            marks_rect = (
                inner_rect[0],
                inner_rect[1] + heights[0] + 0.25 * GAP * u,
                inner_rect[2],
                MARKS_HEIGHT * u,
            )
            with fit_to_rectangle(marks_rect, self.physics.frame_count):
                draw_triangles(self._batches["marks"])
            if shows_graph:
                graph_rect = (
                    inner_rect[0],
                    marks_rect[1] + marks_rect[3] + 0.5 * GAP * u,
                    inner_rect[2],
                    heights[1],
                )
                self._draw_graph(graph_rect, label_width, u)
                self._draw_readout(
                    (inner_rect[0], graph_rect[1] + graph_rect[3] + 0.3 * GAP * u),
                    inner_rect[2],
                    k,
                    u,
                )
            if k is not None:
                cursor_x = inner_rect[0] + inner_rect[2] * (k + 0.5) / self.physics.frame_count
                draw_rectangle(
                    (
                        cursor_x - 0.75 * u,
                        inner_rect[1],
                        1.5 * u,
                        heights[0] + heights[1] + u * (MARKS_HEIGHT + GAP),
                    ),
                    TEXT_COLOR,
                    0.9,
                )

    def draw_timeline(
        self, begin: float, end: float, available_height: float, scale: float
    ) -> None:
        """Draw contacts along an axis of time, at a region's lower edge;
        nothing where there is no room for them.

        Args:
            begin, end: pixels at which the first frame and the one after the last lie.
            available_height: pixels of the region below its ruler.
        """
        height = min(
            0.75 * ROW_HEIGHT * scale * len(self.limb_rows), available_height - MARKS_HEIGHT * scale
        )
        # above the scroll bar, where there is room
        bottom = min(SCROLL_BAR_HEIGHT * scale, available_height - height - MARKS_HEIGHT * scale)
        if height < MIN_ROW_HEIGHT * scale * len(self.limb_rows):
            return
        self._create_batches()
        with alpha_blending():
            draw_rectangle(
                (begin, bottom, end - begin, height + (MARKS_HEIGHT + 1) * scale),
                BACKGROUND_COLOR,
                0.85,
            )
            with fit_to_rectangle(
                (begin, bottom, end - begin, height), self.physics.frame_count, len(self.limb_rows)
            ):
                draw_triangles(self._batches["bars"])
            with fit_to_rectangle(
                (begin, bottom + height, end - begin, MARKS_HEIGHT * scale),
                self.physics.frame_count,
            ):
                draw_triangles(self._batches["marks"])

    def _draw_rows(self, rect: Rectangle, label_width: float, u: float) -> None:
        for j, limb in enumerate(self.limb_rows):
            bottom = rect[1] + (len(self.limb_rows) - 1 - j) * ROW_HEIGHT * u
            if label_width:
                name = describe_limb(self.physics.limbs[limb])
                _draw_text(
                    name.capitalize(),
                    rect[0] - label_width + GAP * u,
                    bottom + 0.22 * ROW_HEIGHT * u,
                    color=self.physics.limb_colors[limb],
                    scale=u,
                )
        with fit_to_rectangle(rect, self.physics.frame_count, len(self.limb_rows)):
            draw_triangles(self._batches["bars"])

    def _draw_graph(self, rect: Rectangle, label_width: float, u: float) -> None:
        for level in self.grid_levels[1:] if label_width else ():
            level_y = rect[1] + rect[3] * level / self.max_force
            _draw_text(
                f"{level} bw",
                rect[0] - 32 * u,
                level_y - 0.33 * FONT_SIZE * u,
                color=TEXT_COLOR,
                scale=u,
                opacity=0.55,
            )
        with fit_to_rectangle(rect, self.physics.frame_count, self.max_force):
            draw_triangles(self._batches["areas"])
            draw_lines(self._batches["total"], 1.0 * u)
            draw_lines(self._batches["curves"], 1.6 * u)

    def _draw_readout(
        self, position: tuple[float, float], width: float, k: int | None, u: float
    ) -> None:
        """Forces of the frame in words, and what gave way there."""
        if k is None:
            return
        physics = self.physics
        text_end = (
            _draw_text(
                f"Force {physics.vertical_force[k].sum():.2f} body weights",
                *position,
                TEXT_COLOR,
                u,
            )
            + 14 * u
        )
        for limb in self.limb_rows:
            if physics.vertical_force[k, limb] > 0 and text_end < position[0] + 0.6 * width:
                limb_text = (
                    f"{describe_limb(physics.limbs[limb])} {physics.vertical_force[k, limb]:.2f}"
                )
                text_end = (
                    _draw_text(
                        limb_text, text_end, position[1], color=physics.limb_colors[limb], scale=u
                    )
                    + 14 * u
                )
        violation = physics.find_violation(k)
        if violation is not None:
            blf.size(0, FONT_SIZE * u)
            violation_text = f"Gave way: {VIOLATION_REASONS[violation.reason][0]}"
            start = position[0] + width - blf.dimensions(0, violation_text)[0]
            if start > text_end:
                _draw_text(
                    violation_text,
                    start,
                    position[1],
                    color=VIOLATION_COLORS[violation.reason],
                    scale=u,
                )

    def _create_batches(self) -> None:
        """Bring everything to the GPU once; frames and limbs,
        or frames and body weights, are its axes.
        """
        if self._batches:
            return
        p = self.physics
        frame_centers = np.arange(p.frame_count) + 0.5
        areas = []
        curves = []
        for limb in self.limb_rows:
            curve = np.column_stack(
                [frame_centers, p.vertical_force[:, limb], np.zeros(p.frame_count)]
            )
            areas.append((_make_area(curve), to_rgba(p.limb_colors[limb], 0.22)))
            curves.append((make_segments(curve), to_rgba(p.limb_colors[limb])))
        total = np.column_stack([frame_centers, p.vertical_force.sum(1), np.zeros(p.frame_count)])
        level_lines = [
            (
                np.array([(0, level, 0), (p.frame_count, level, 0)], float),
                to_rgba(TEXT_COLOR, 0.14 if level else 0.3),
            )
            for level in self.grid_levels
        ]
        row_boxes = [
            (_make_box(0, p.frame_count, row + 0.06, row + 0.94), to_rgba(TEXT_COLOR, 0.05))
            for row in range(len(self.limb_rows))
        ]
        span_boxes = [
            (
                _make_box(span.begin, span.end + 1, *self._find_band(span)),
                to_rgba(_dim(p.limb_colors[span.limb], PART_BRIGHTNESS[span.part])),
            )
            for span in p.contact_spans
        ]
        self._batches = {
            "areas": create_batch(ColoredMesh.from_parts(areas), "TRIS"),
            "curves": create_batch(ColoredMesh.from_parts(curves), "LINES"),
            "total": create_batch(
                ColoredMesh.from_parts(
                    [*level_lines, (make_segments(total), to_rgba(TEXT_COLOR, 0.6))]
                ),
                "LINES",
            ),
            "bars": create_batch(ColoredMesh.from_parts([*row_boxes, *span_boxes]), "TRIS"),
            "marks": create_batch(_build_marks(p), "TRIS"),
        }

    def _find_band(self, span: ContactSpan) -> tuple[float, float]:
        row = len(self.limb_rows) - 1 - self.limb_rows.index(span.limb)
        low, high = PART_BANDS[span.part]
        return row + low, row + high


def _build_marks(physics: PhysicsDisplay) -> ColoredMesh:
    """When something gave way, and pushes."""
    parts = []
    for number, reason in enumerate(VIOLATION_REASONS):
        parts += [
            (_make_box(a, b, 0, 1), to_rgba(VIOLATION_COLORS[reason]))
            for a, b in _find_runs(physics.violation_index == number)
        ]
    is_pushed = np.any(physics.push, axis=1) | np.any(physics.push_moment, axis=1)
    return ColoredMesh.from_parts(
        [*parts, *((_make_box(a, b, 0, 1), to_rgba(PUSH_COLOR)) for a, b in _find_runs(is_pushed))]
    )


def _find_runs(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(np.int8), [0]])))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _make_box(left: float, right: float, low: float, high: float) -> Array:
    """Two triangles. (6, 3)."""
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
    """Triangles between a curve and the axis below. (k, 3) -> (6 (k - 1), 3)."""
    base = curve * (1, 0, 1)
    corners: Array = np.stack(
        [base[:-1], base[1:], curve[1:], base[:-1], curve[1:], curve[:-1]], 1
    ).reshape(-1, 3)
    return corners


def _dim(color: Color, brightness: float) -> Color:
    r, g, b = (brightness * x for x in color)
    return r, g, b


def _draw_text(
    text: str, left: float, bottom: float, color: Color, scale: float, opacity: float = 1.0
) -> float:
    """Write a line; returns where it ends, pixels."""
    blf.size(0, FONT_SIZE * scale)
    blf.color(0, *color, opacity)
    blf.position(0, left, bottom, 0)
    blf.draw(0, text)
    gpu.state.blend_set("ALPHA")  # which text ends
    return left + float(blf.dimensions(0, text)[0])
