"""A strip of frames: the figure from the side, from the front and in perspective. Needs matplotlib."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .. import so3
from .motion import Motion

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]
Height = Callable[[Array], Array]

LEFT, RIGHT, MIDDLE, GROUND, RUNG = "#2f6db3", "#cf5a2b", "#9b9b98", "#7f9a6b", "#6b5b4a"
SLIM = 0.72           # width of a picture for its height
PAIR = 2              # of soles
VIEWS = (("side", -90.0, 4.0), ("front", 0.0, 4.0), ("perspective", -50.0, 18.0))    # name, azimuth and elevation in degrees


@dataclass(frozen=True)
class View:
    """An orthographic look at a place: azimuth against the body's heading, -90 from its right side."""

    centre: Array             # (3,)
    azimuth: float            # rad, from the world's x axis to the viewer
    elevation: float          # rad

    def project(self, points: Array) -> tuple[Array, Array]:
        """Picture coordinates (..., 2) and nearness (...,) of places (..., 3)."""
        ca, sa, ce, se = np.cos(self.azimuth), np.sin(self.azimuth), np.cos(self.elevation), np.sin(self.elevation)
        toward = np.array([ca * ce, sa * ce, se])
        right = np.array([-sa, ca, 0.0])
        up = np.cross(toward, right)
        d = points - self.centre
        return np.stack([d @ right, d @ up], -1), d @ toward


def draw_strip(motion: Motion, axes: NDArray[np.object_], frames: NDArray[np.int64], height: Height) -> None:
    """Draw chosen frames: one row a view, one column a frame.

    Args:
        axes: (views, frames) of matplotlib axes.
        frames: (k,) frame numbers.
        height: of the ground at places (n, 2).
    """
    tall = float(np.percentile(motion.link_position[..., 2].max(1) - motion.contact_position[..., 2].min(1), 95)) * 1.25
    if sum(name.endswith("/heel") for name in motion.contact_names) != PAIR:      # other bodies may be longer than tall
        away = motion.link_position[frames][..., :2] - motion.com[frames][:, None, :2]
        tall = max(tall, 2.2 * float(np.linalg.norm(away, axis=-1).max()) / SLIM)
    width = SLIM * tall
    for row, (name, azimuth, elevation) in enumerate(VIEWS):
        for column, k in enumerate(frames):
            ax: Axes = axes[row, column]
            heading = _heading(motion, int(k))
            low = float(min(motion.contact_position[k, :, 2].min(), motion.link_position[k, :, 2].min()))      # also upside down
            centre = np.array([*motion.com[k, :2], low + 0.45 * tall])
            view = View(centre, heading + np.radians(azimuth), np.radians(elevation))
            _draw_ground(ax, height, view, centre, width, heading)
            _draw_rungs(ax, motion, view, width)
            draw_figure(ax, motion, int(k), view)
            ax.set_xlim(-0.5 * width, 0.5 * width)
            ax.set_ylim(-0.52 * tall, 0.52 * tall)
            ax.set_aspect("equal")
            ax.axis("off")
            if row == 0:
                ax.set_title(f"{k / motion.fps:.2f} s", fontsize=7, pad=1)
        axes[row, 0].text(0.0, 0.98, name, transform=axes[row, 0].transAxes, fontsize=7, va="top", color="#555555")


def _heading(motion: Motion, k: int) -> float:
    """Where the body faces; under bars the way across the nearest of them, as its pelvis turns to and fro."""
    if len(motion.rungs):
        ends = motion.rungs[np.argmin(np.linalg.norm(motion.rungs.mean(1)[:, :2] - motion.com[k, :2], axis=1))]
        return float(np.arctan2(*(ends[1] - ends[0])[1::-1]) - 0.5 * np.pi)
    return float(so3.yaw_of(so3.quat_to_matrix(motion.link_orientation[k, 0])))


def draw_figure(ax: Axes, motion: Motion, k: int, view: View) -> None:
    """One frame's body: a capsule for each solid, feet as their sole points, nearest last."""
    from matplotlib.patches import Polygon

    rotation = so3.quat_to_matrix(motion.link_orientation[k])
    parts = []
    feet = {name.split("/")[0] for name in motion.contact_names if name.endswith("/heel")}
    for solid in motion.solids:
        name = motion.link_names[solid.link]
        if name in feet:
            continue
        ends = motion.link_position[k, solid.link] + np.stack([solid.start, solid.end]) @ rotation[solid.link].T
        flat, near = view.project(ends)
        parts.append((float(near.mean()), _capsule(flat, solid.radius), _colour(name)))
    for name in sorted(feet):
        flat, near = view.project(_foot_outline(motion, k, name))
        parts.append((float(near.mean()), flat, _colour(name)))
    for _, outline, colour in sorted(parts, key=lambda part: part[0]):
        ax.add_patch(Polygon(outline, closed=True, facecolor=colour, edgecolor="#333333", linewidth=0.5, joinstyle="round"))


def _foot_outline(motion: Motion, k: int, name: str) -> Array:
    """A foot seen from its side as a shoe: ankle, heel, ball, tip. (5, 3)."""
    own = [motion.contact_names.index(f"{name}/{point}") for point in ("heel", "ball", "tip")]
    heel, ball, tip = motion.contact_position[k, own]
    link = motion.link_names.index(name)
    ankle = motion.link_origin[k, link]
    up = so3.quat_to_matrix(motion.link_orientation[k, link])[:, 2]
    thick = 0.25 * float(np.linalg.norm(ankle - heel))
    return np.stack([heel, ball, tip, tip + thick * 0.6 * up, ball + 1.6 * thick * up, ankle + 0.5 * thick * up,
                     heel + 1.6 * thick * up])


def _capsule(ends: Array, radius: float, corners: int = 9) -> Array:
    """Outline of a capsule in the picture. (2 corners, 2)."""
    a, b = ends
    angle = np.arctan2(*(b - a)[::-1]) if np.linalg.norm(b - a) > 1e-9 else 0.0
    half = np.linspace(-np.pi / 2, np.pi / 2, corners)
    rim = [end + radius * np.stack([np.cos(turn + half), np.sin(turn + half)], -1)
           for end, turn in ((b, angle), (a, angle + np.pi))]
    return np.concatenate(rim)


def _colour(name: str) -> str:
    return LEFT if name.endswith(".L") else RIGHT if name.endswith(".R") else MIDDLE


def _draw_rungs(ax: Axes, motion: Motion, view: View, width: float) -> None:
    """Bars overhead that are near."""
    for ends in motion.rungs:
        flat, _ = view.project(ends)
        if np.linalg.norm(ends.mean(0)[:2] - view.centre[:2]) < width:
            ax.plot(*flat.T, color=RUNG, linewidth=2.2, solid_capstyle="round", zorder=0.5)


def _draw_ground(ax: Axes, height: Height, view: View, centre: Array, width: float, heading: float) -> None:
    """Lines over the ground around the body, along and across its heading."""
    span = np.linspace(-0.5, 0.5, 31) * width
    ca, sa = np.cos(heading), np.sin(heading)
    for offset in np.linspace(-0.35, 0.35, 5) * width:
        for along in (True, False):
            x, y = (span, np.full(31, offset)) if along else (np.full(31, offset), span)
            xy = centre[:2] + np.stack([ca * x - sa * y, sa * x + ca * y], -1)
            z = height(xy)
            flat, _ = view.project(np.column_stack([xy, z]))
            ax.plot(*flat.T, color=GROUND, linewidth=0.5, zorder=0)
