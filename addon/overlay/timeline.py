"""Forces and contacts over time as a strip in the 3D view and in timelines."""

from __future__ import annotations

from dataclasses import dataclass

import blf
import gpu
import numpy as np

from ...core.motion.violations import VIOLATION_REASONS
from .gpu import (
    Rectangle,
    alpha_blending,
    create_batch,
    draw_lines,
    draw_rectangle,
    draw_triangles,
    fit_to_rectangle,
)
from .physics import VIOLATION_COLORS, Color, PhysicsDisplay, describe_limb
from .strip_meshes import (
    TEXT_COLOR,
    build_areas,
    build_bars,
    build_curves,
    build_marks,
    build_total,
)

# By eye: dark, so that colored curves stand out.
BACKGROUND_COLOR: Color = (0.09, 0.09, 0.10)


@dataclass(frozen=True)
class StripSizes:
    """Sizes at an interface scale of 1 [pixels].

    By eye: text at the size of Blender's interface, 11 points, and what its lines and the limbs of
    a body on two legs need. Widths below which something is left out are those of its texts.
    """

    row_height: float = 13.0  # row of one limb
    graph_height: float = 62.0
    header_height: float = 17.0  # line of text above the graph
    marks_height: float = 4.0  # row with violations and pushes
    gap: float = 6.0
    label_width: float = 92.0  # column with the names of the limbs
    min_labeled_width: float = 420.0  # panel width below which the names are left out
    min_panel_width: float = 160.0  # panel width below which nothing is drawn
    scroll_bar_height: float = 22.0  # scroll bar of a timeline
    min_row_height: float = 2.0  # row height below which a timeline shows nothing
    timeline_row_height: float = 9.75  # greatest row height in a timeline
    font_size: float = 11.0
    grid_label_offset: float = 32.0  # from a label of the grid to the graph
    text_gap: float = 14.0  # between two texts of a line


SIZES = StripSizes()

# Upper end of the graph, relative to the greatest force, so that no curve touches the frame.
HEADROOM = 1.12
# Lowest upper end of the graph [body weights]: the line of one body weight is always within.
MIN_GRAPH_FORCE = 1.25
MAX_GRID_LINES = 3  # grid lines above zero


@dataclass(frozen=True)
class StripArea:
    """Free part of a region."""

    left: float  # [pixels]
    right: float  # [pixels]
    bottom: float  # [pixels]
    scale: float  # interface scale


@dataclass(frozen=True)
class _PanelLayout:
    """Rectangles of a panel in the 3D view."""

    background: Rectangle
    rows: Rectangle  # contacts; without height if they are not shown
    marks: Rectangle
    graph: Rectangle
    readout_bottom: float  # lower edge of the text above the graph [pixels]
    cursor_height: float  # [pixels]
    label_width: float  # 0 if the panel is too narrow for names [pixels]


class PhysicsStrip:
    """Forces and contacts of a plan; its meshes are created when it is first drawn."""

    def __init__(self, physics: PhysicsDisplay) -> None:
        self.physics = physics
        loaded_limbs = {span.limb for span in physics.contact_spans}
        self.limb_rows = [k for k in range(len(physics.limbs)) if k in loaded_limbs]
        greatest_force = float(np.max(physics.vertical_force.sum(1), initial=0.0))
        self.max_force = max(HEADROOM * greatest_force, MIN_GRAPH_FORCE)  # [body weights]
        # Forces with a grid line [body weights].
        interval = max(1, -(-int(self.max_force) // MAX_GRID_LINES))
        self.grid_levels = range(0, int(self.max_force) + 1, interval)
        self._batches: dict[str, gpu.types.GPUBatch | None] = {}

    def draw_panel(
        self, area: StripArea, k: int | None, shows_graph: bool, shows_contacts: bool
    ) -> None:
        """Draw a panel at the lower edge of a region, unless the region is too narrow.

        Args:
            area: free part of the region.
            k: frame of the motion; None outside the motion.
            shows_graph: whether the panel contains the graph of forces.
            shows_contacts: whether the panel contains the contacts.
        """
        layout = self._lay_out(area, shows_graph, shows_contacts)
        if layout is None:
            return
        u = area.scale
        self._create_batches()
        with alpha_blending():
            draw_rectangle(layout.background, BACKGROUND_COLOR, 0.78)
            if shows_contacts:
                self._draw_rows(layout.rows, layout.label_width, u)
            with fit_to_rectangle(layout.marks, self.physics.frame_count):
                draw_triangles(self._batches["marks"])
            if shows_graph:
                self._draw_graph(layout.graph, layout.label_width, u)
                if k is not None:
                    self._draw_readout(layout, k, u)
            if k is not None:
                self._draw_cursor(layout, k, u)

    def _lay_out(
        self, area: StripArea, shows_graph: bool, shows_contacts: bool
    ) -> _PanelLayout | None:
        """Return the layout of a panel; None if the area is too narrow."""
        u = area.scale
        gap = SIZES.gap * u
        width = area.right - area.left - 2 * SIZES.gap * u
        if width < SIZES.min_panel_width * u:
            return None
        label_width = SIZES.label_width * u if width > SIZES.min_labeled_width * u else 0.0
        rows_height = u * SIZES.row_height * len(self.limb_rows) if shows_contacts else 0.0
        graph_height = u * SIZES.graph_height if shows_graph else 0.0
        header_height = u * SIZES.header_height if shows_graph else 0.0
        extra_height = u * (SIZES.marks_height + SIZES.gap)
        height = rows_height + graph_height + header_height + extra_height
        left = area.left + gap + label_width
        bottom = area.bottom + gap
        rows = Rectangle(left, bottom + gap, width - label_width - gap, rows_height)
        marks = Rectangle(
            left, rows.bottom + rows_height + 0.25 * gap, rows.width, SIZES.marks_height * u
        )
        graph = Rectangle(left, marks.bottom + marks.height + 0.5 * gap, rows.width, graph_height)
        return _PanelLayout(
            background=Rectangle(area.left + gap, bottom, width, height + 2 * gap),
            rows=rows,
            marks=marks,
            graph=graph,
            readout_bottom=graph.bottom + graph.height + 0.3 * gap,
            cursor_height=rows_height + graph_height + extra_height,
            label_width=label_width,
        )

    def draw_timeline(
        self, begin: float, end: float, available_height: float, scale: float
    ) -> None:
        """Draw the contacts at the lower edge of a timeline, unless it is too low.

        Args:
            begin: left end of the first frame [pixels].
            end: right end of the last frame [pixels].
            available_height: height of the region below its ruler [pixels].
            scale: interface scale.
        """
        row_count = len(self.limb_rows)
        marks_height = SIZES.marks_height * scale
        height = min(SIZES.timeline_row_height * scale * row_count, available_height - marks_height)
        # Above the scroll bar if there is room.
        bottom = min(SIZES.scroll_bar_height * scale, available_height - height - marks_height)
        if height < SIZES.min_row_height * scale * row_count:
            return
        width = end - begin
        frame_count = self.physics.frame_count
        self._create_batches()
        with alpha_blending():
            background = Rectangle(begin, bottom, width, height + marks_height + scale)
            draw_rectangle(background, BACKGROUND_COLOR, 0.85)
            with fit_to_rectangle(Rectangle(begin, bottom, width, height), frame_count, row_count):
                draw_triangles(self._batches["bars"])
            marks = Rectangle(begin, bottom + height, width, marks_height)
            with fit_to_rectangle(marks, frame_count):
                draw_triangles(self._batches["marks"])

    def _draw_rows(self, rect: Rectangle, label_width: float, u: float) -> None:
        """Draw the contacts, with names if there is room for labels."""
        row_height = SIZES.row_height * u
        for j, limb in enumerate(self.limb_rows):
            bottom = rect.bottom + (len(self.limb_rows) - 1 - j) * SIZES.row_height * u
            if label_width:
                _draw_text(
                    describe_limb(self.physics.limbs[limb]).capitalize(),
                    rect.left - label_width + SIZES.gap * u,
                    bottom + 0.22 * row_height,
                    color=self.physics.limb_colors[limb],
                    scale=u,
                )
        with fit_to_rectangle(rect, self.physics.frame_count, len(self.limb_rows)):
            draw_triangles(self._batches["bars"])

    def _draw_graph(self, rect: Rectangle, label_width: float, u: float) -> None:
        """Draw the forces, with labels of the grid if there is room for labels."""
        for level in self.grid_levels[1:] if label_width else ():
            level_y = rect.bottom + rect.height * level / self.max_force
            _draw_text(
                f"{level} bw",
                rect.left - SIZES.grid_label_offset * u,
                level_y - 0.33 * SIZES.font_size * u,
                color=TEXT_COLOR,
                scale=u,
                opacity=0.55,
            )
        with fit_to_rectangle(rect, self.physics.frame_count, self.max_force):
            draw_triangles(self._batches["areas"])
            draw_lines(self._batches["total"], 1.0 * u)
            draw_lines(self._batches["curves"], 1.6 * u)

    def _draw_readout(self, layout: _PanelLayout, k: int, u: float) -> None:
        """Draw the forces of a frame as text, and the violation in the frame."""
        physics = self.physics
        left = layout.graph.left
        width = layout.graph.width
        bottom = layout.readout_bottom
        total_text = f"Force {physics.vertical_force[k].sum():.2f} body weights"
        gap = SIZES.text_gap * u
        text_end = _draw_text(total_text, left, bottom, TEXT_COLOR, u) + gap
        for limb in self.limb_rows:
            force = physics.vertical_force[k, limb]
            if force > 0 and text_end < left + 0.6 * width:
                limb_text = f"{describe_limb(physics.limbs[limb])} {force:.2f}"
                color = physics.limb_colors[limb]
                text_end = _draw_text(limb_text, text_end, bottom, color=color, scale=u) + gap
        violation = physics.find_violation(k)
        if violation is None:
            return
        blf.size(0, SIZES.font_size * u)
        violation_text = f"Violation: {VIOLATION_REASONS[violation.reason].problem}"
        start = left + width - blf.dimensions(0, violation_text)[0]
        if start > text_end:
            color = VIOLATION_COLORS[violation.reason]
            _draw_text(violation_text, start, bottom, color=color, scale=u)

    def _draw_cursor(self, layout: _PanelLayout, k: int, u: float) -> None:
        """Draw a vertical line at a frame."""
        rows = layout.rows
        x = rows.left + rows.width * (k + 0.5) / self.physics.frame_count
        line = Rectangle(x - 0.75 * u, rows.bottom, 1.5 * u, layout.cursor_height)
        draw_rectangle(line, TEXT_COLOR, 0.9)

    def _create_batches(self) -> None:
        """Create the meshes, unless they exist.

        Their axes are frames and rows, or frames and body weights.
        """
        if self._batches:
            return
        self._batches = {
            "areas": create_batch(build_areas(self.physics, self.limb_rows), "TRIS"),
            "curves": create_batch(build_curves(self.physics, self.limb_rows), "LINES"),
            "total": create_batch(build_total(self.physics, self.grid_levels), "LINES"),
            "bars": create_batch(build_bars(self.physics, self.limb_rows), "TRIS"),
            "marks": create_batch(build_marks(self.physics), "TRIS"),
        }


def _draw_text(
    text: str, left: float, bottom: float, color: Color, scale: float, opacity: float = 1.0
) -> float:
    """Draw a line of text and return its right end [pixels]."""
    blf.size(0, SIZES.font_size * scale)
    blf.color(0, *color, opacity)
    blf.position(0, left, bottom, 0)
    blf.draw(0, text)
    gpu.state.blend_set("ALPHA")  # drawing text switches blending off
    return left + float(blf.dimensions(0, text)[0])
