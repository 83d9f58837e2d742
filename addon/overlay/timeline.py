"""Forces and contacts over time, flat: at the lower edge of the 3D view, and along the time of a timeline."""
from __future__ import annotations

from dataclasses import dataclass

import blf
import gpu
import numpy as np
from numpy.typing import NDArray

from ...core.motion.easing import REASONS
from .gpu import Rectangle, batch_of, blending, fill, rectangle, stretched, stroke
from .physics import EASED, PUSH, Bar, Colour, Physics, spoken_limb
from .shapes import Mesh, segments, shade

Array = NDArray[np.float64]

PAPER: Colour = (0.09, 0.09, 0.10)
INK: Colour = (0.92, 0.92, 0.92)
ROW, GRAPH, HEADER, MARKS, GAP = 13.0, 62.0, 17.0, 4.0, 6.0         # heights in pixels of an interface of scale 1
GUTTER, NARROW, SMALLEST = 92.0, 420.0, 160.0       # room for names; width below which they are left out; least width
BELOW, LEAST_ROW = 22.0, 2.0        # of a timeline's scroll bar; of a row there
LETTERS = 11.0
BANDS = {"heel": (0.06, 0.46), "ball": (0.54, 0.94), "point": (0.12, 0.88), "grip": (0.12, 0.88)}       # of a row's height
SHARES = {"heel": 0.75, "ball": 1.0, "point": 1.0, "grip": 0.6}      # of a limb's colour
HEADROOM = 1.12


@dataclass(frozen=True)
class Room:
    """Where there is room in a region, pixels: from `left` to `right`, above `bottom`; `scale` is the interface's."""

    left: float
    right: float
    bottom: float
    scale: float


class PhysicsStrip:
    """Forces and contacts of a plan on the GPU, made once."""

    def __init__(self, physics: Physics) -> None:
        """Nothing is made before it is drawn."""
        self.physics = physics
        bearing = {bar.limb for bar in physics.bars}
        self.rows = [k for k in range(len(physics.limbs)) if k in bearing]
        self.top = max(HEADROOM * float(np.max(physics.upward.sum(1), initial=0.0)), 1.25)
        self.levels = range(0, int(self.top) + 1, max(1, -(-int(self.top) // 3)))          # body weights that have a line
        self._batches: dict[str, gpu.types.GPUBatch | None] = {}

    def draw_panel(self, room: Room, k: int | None, graph: bool, contacts: bool) -> None:
        """Draw what is asked for at the lower edge of a region; nothing where it is too narrow.

        Args:
            k: the motion's frame; None outside of it.
        """
        u = room.scale
        width = room.right - room.left - 2 * GAP * u
        if width < SMALLEST * u:
            return
        gutter = GUTTER * u if width > NARROW * u else 0.0
        heights = [u * ROW * len(self.rows) if contacts else 0.0, u * GRAPH if graph else 0.0, u * HEADER if graph else 0.0]
        low = room.bottom + GAP * u
        inside = (room.left + GAP * u + gutter, low + GAP * u, width - gutter - GAP * u, sum(heights) + u * (MARKS + GAP))
        self._make()
        with blending():
            rectangle((room.left + GAP * u, low, width, inside[3] + 2 * GAP * u), PAPER, 0.78)
            if contacts:
                self._draw_rows((*inside[:3], heights[0]), gutter, u)
            marks = (inside[0], inside[1] + heights[0] + 0.25 * GAP * u, inside[2], MARKS * u)
            with stretched(marks, self.physics.frames):
                fill(self._batches["marks"])
            if graph:
                place = (inside[0], marks[1] + marks[3] + 0.5 * GAP * u, inside[2], heights[1])
                self._draw_graph(place, gutter, u)
                self._draw_figures((inside[0], place[1] + place[3] + 0.3 * GAP * u), inside[2], k, u)
            if k is not None:
                across = inside[0] + inside[2] * (k + 0.5) / self.physics.frames
                rectangle((across - 0.75 * u, inside[1], 1.5 * u, heights[0] + heights[1] + u * (MARKS + GAP)), INK, 0.9)

    def draw_along(self, begin: float, end: float, high: float, scale: float) -> None:
        """Draw contacts along an axis of time, at a region's lower edge; nothing where there is no room for them.

        Args:
            begin, end: pixels at which the first frame and the one after the last lie.
            high: pixels of the region below its ruler.
        """
        height = min(0.75 * ROW * scale * len(self.rows), high - MARKS * scale)
        bottom = min(BELOW * scale, high - height - MARKS * scale)            # above the scroll bar, where there is room
        if height < LEAST_ROW * scale * len(self.rows):
            return
        self._make()
        with blending():
            rectangle((begin, bottom, end - begin, height + (MARKS + 1) * scale), PAPER, 0.85)
            with stretched((begin, bottom, end - begin, height), self.physics.frames, len(self.rows)):
                fill(self._batches["bars"])
            with stretched((begin, bottom + height, end - begin, MARKS * scale), self.physics.frames):
                fill(self._batches["marks"])

    def _draw_rows(self, place: Rectangle, gutter: float, u: float) -> None:
        for j, limb in enumerate(self.rows):
            bottom = place[1] + (len(self.rows) - 1 - j) * ROW * u
            if gutter:
                name = spoken_limb(self.physics.limbs[limb])
                _write(name.capitalize(), place[0] - gutter + GAP * u, bottom + 0.22 * ROW * u, self.physics.colours[limb], u)
        with stretched(place, self.physics.frames, len(self.rows)):
            fill(self._batches["bars"])

    def _draw_graph(self, place: Rectangle, gutter: float, u: float) -> None:
        for level in self.levels[1:] if gutter else ():
            up = place[1] + place[3] * level / self.top
            _write(f"{level} bw", place[0] - 32 * u, up - 0.33 * LETTERS * u, INK, u, 0.55)
        with stretched(place, self.physics.frames, self.top):
            fill(self._batches["areas"])
            stroke(self._batches["total"], 1.0 * u)
            stroke(self._batches["curves"], 1.6 * u)

    def _draw_figures(self, at: tuple[float, float], width: float, k: int | None, u: float) -> None:
        """Forces of the frame in words, and what gave way there."""
        if k is None:
            return
        physics = self.physics
        along = _write(f"Force {physics.upward[k].sum():.2f} body weights", *at, INK, u) + 14 * u
        for limb in self.rows:
            if physics.upward[k, limb] > 0 and along < at[0] + 0.6 * width:
                words = f"{spoken_limb(physics.limbs[limb])} {physics.upward[k, limb]:.2f}"
                along = _write(words, along, at[1], physics.colours[limb], u) + 14 * u
        told = physics.told(k)
        if told is not None:
            blf.size(0, LETTERS * u)
            what = f"Gave way: {REASONS[told.reason][0]}"
            start = at[0] + width - blf.dimensions(0, what)[0]
            if start > along:
                _write(what, start, at[1], EASED[told.reason], u)

    def _make(self) -> None:
        """Bring everything to the GPU once; frames and limbs, or frames and body weights, are its axes."""
        if self._batches:
            return
        p = self.physics
        middle = np.arange(p.frames) + 0.5
        areas, curves = [], []
        for limb in self.rows:
            curve = np.column_stack([middle, p.upward[:, limb], np.zeros(p.frames)])
            areas.append((_area(curve), shade(p.colours[limb], 0.22)))
            curves.append((segments(curve), shade(p.colours[limb])))
        total = np.column_stack([middle, p.upward.sum(1), np.zeros(p.frames)])
        across = [(np.array([(0, level, 0), (p.frames, level, 0)], float), shade(INK, 0.14 if level else 0.3))
                  for level in self.levels]
        rows = [(_box(0, p.frames, row + 0.06, row + 0.94), shade(INK, 0.05)) for row in range(len(self.rows))]
        bars = [(_box(bar.begin, bar.end + 1, *self._band(bar)), shade(_dimmed(p.colours[bar.limb], SHARES[bar.part])))
                for bar in p.bars]
        self._batches = {"areas": batch_of(Mesh.of(areas), "TRIS"), "curves": batch_of(Mesh.of(curves), "LINES"),
                         "total": batch_of(Mesh.of([*across, (segments(total), shade(INK, 0.6))]), "LINES"),
                         "bars": batch_of(Mesh.of([*rows, *bars]), "TRIS"), "marks": batch_of(_marks(p), "TRIS")}

    def _band(self, bar: Bar) -> tuple[float, float]:
        row = len(self.rows) - 1 - self.rows.index(bar.limb)
        low, high = BANDS[bar.part]
        return row + low, row + high


def _marks(physics: Physics) -> Mesh:
    """When something gave way, and pushes."""
    parts = []
    for number, reason in enumerate(REASONS):
        parts += [(_box(a, b, 0, 1), shade(EASED[reason])) for a, b in _runs(physics.eased == number)]
    pushed = np.any(physics.push, axis=1) | np.any(physics.push_moment, axis=1)
    return Mesh.of([*parts, *((_box(a, b, 0, 1), shade(PUSH)) for a, b in _runs(pushed))])


def _runs(marked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], marked.astype(np.int8), [0]])))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _box(left: float, right: float, low: float, high: float) -> Array:
    """Two triangles. (6, 3)."""
    return np.array([(left, low, 0), (right, low, 0), (right, high, 0), (left, low, 0), (right, high, 0), (left, high, 0)], float)


def _area(curve: Array) -> Array:
    """Triangles between a curve and the axis below. (k, 3) -> (6 (k - 1), 3)."""
    foot = curve * (1, 0, 1)
    out: Array = np.stack([foot[:-1], foot[1:], curve[1:], foot[:-1], curve[1:], curve[:-1]], 1).reshape(-1, 3)
    return out


def _dimmed(colour: Colour, share: float) -> Colour:
    r, g, b = (share * x for x in colour)
    return r, g, b


def _write(text: str, left: float, bottom: float, colour: Colour, scale: float, opacity: float = 1.0) -> float:
    """Write a line; returns where it ends, pixels."""
    blf.size(0, LETTERS * scale)
    blf.color(0, *colour, opacity)
    blf.position(0, left, bottom, 0)
    blf.draw(0, text)
    gpu.state.blend_set("ALPHA")            # which text ends
    return left + float(blf.dimensions(0, text)[0])
