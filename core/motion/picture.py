"""One picture of a motion: its course, a strip of frames, forces of the ground, footprints."""
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionError
from .canvas import blank_figure, plain, quantise
from .course_camera import HUMAN_LEG, Height, leg_length
from .ground_drawing import draw_ground_from_above
from .motion import Motion
from .panorama import draw_panorama, frames_apart, panorama_frame
from .strip import BETWEEN_ROWS, SEAM, draw_strip, lay_out, strip_axes
from .view import MIDDLE, RUNG, colour_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

WIDTH = 13.8  # [inch] of the picture
MARGINS = (0.62, 0.07)  # [inch] on the left and on the right
TOP = 0.28  # [inch] above the strip
PLOT = 1.05  # [inch] height of the forces and of the footprints
PLOT_GAP = 0.34  # [inch] below each of them, for its numbers
ROW = 1.5  # [inch] height that a row of the strip should have
TALLEST_ROW = 2.6  # [inch]
TALLEST_PANORAMA = 2.9  # [inch]
FEWEST_IN_PANORAMA = 4  # bodies; fewer say nothing that the strip does not
FEWEST = 8  # frames of a strip, for long bodies
MOST = 12  # and for upright ones
SPAN = 1.6  # [s] that a strip shows, at leg lengths near a human's
COLOURS = 96  # of a quantised picture


def save_picture(
    motion: Motion, path: Path, height: Height, begin: float | None = None, end: float | None = None
) -> None:
    """Draw a motion into a picture file.

    Args:
        height: of the ground at places (n, 2).
        begin, end: the part that the strip shows, s; a stride and a half in the middle unless told.

    Raises:
        MotionError: matplotlib is not installed, or the picture's ending names no kind of picture.
    """
    blank_figure(path, 1.0, 1.0, MotionError)  # says what is wrong before anything is laid out
    room = WIDTH - sum(MARGINS)
    layout = lay_out(motion, _frames(motion, begin, end, MOST), height)
    count = int(np.clip(round(room / (ROW * layout.width / layout.heights[0])), FEWEST, MOST))
    if count < MOST:
        layout = lay_out(motion, _frames(motion, begin, end, count), height)
    scale = (room - (count - 1) * SEAM) / count / layout.width  # [inch/m]
    scale = min(scale, TALLEST_ROW / max(layout.heights))
    layout = layout.widened((room - (count - 1) * SEAM) / count / scale)
    wide = panorama_frame(motion, layout)
    panorama = min(room * (wide.high - wide.low) / (wide.right - wide.left), TALLEST_PANORAMA)
    wide = wide.widened((wide.high - wide.low) * room / panorama)
    # a body that hardly travels would stand in its own light
    above = (
        panorama + BETWEEN_ROWS
        if len(frames_apart(motion, layout, wide)) >= FEWEST_IN_PANORAMA
        else 0.0
    )
    strip = scale * sum(layout.heights) + BETWEEN_ROWS * len(layout.looks)
    total = TOP + above + strip + 2 * (PLOT + PLOT_GAP)
    figure = blank_figure(path, WIDTH, total, MotionError)

    def place(left: float, top: float, width: float, tall: float) -> Axes:
        """Return axes at a place from the picture's upper left corner [inch]."""
        return figure.add_axes(
            (left / WIDTH, 1.0 - (top + tall) / total, width / WIDTH, tall / total)
        )

    if above:
        draw_panorama(place(MARGINS[0], 0.06, room, panorama), motion, layout, wide, height)
    draw_strip(
        motion, strip_axes(figure, layout, scale, left=MARGINS[0], top=TOP + above), layout, height
    )
    top = TOP + above + strip
    _draw_forces(place(MARGINS[0], top, room, PLOT), motion)
    _draw_footprints(place(MARGINS[0], top + PLOT + PLOT_GAP, room, PLOT), motion, height)
    figure.savefig(path)
    if path.suffix.lower() == ".png":
        quantise(path, COLOURS)


def _frames(
    motion: Motion, begin: float | None, end: float | None, count: int
) -> NDArray[np.int64]:
    """Return the frames of a strip. (count,)."""
    length = (motion.frames - 1) / motion.fps
    span = min(SPAN * np.sqrt(leg_length(motion) / HUMAN_LEG), length)
    begin = 0.5 * (length - span) if begin is None else begin
    end = begin + span if end is None else end
    if not 0 <= begin < end:
        raise MotionError(
            f"There is nothing to show from {begin:g} s to {end:g} s; "
            f"the motion lasts {length:.2f} s."
        )
    return np.clip(
        np.round(np.linspace(begin, end, count) * motion.fps), 0, motion.frames - 1
    ).astype(int)


def _draw_forces(ax: Axes, motion: Motion) -> None:
    """Vertical force on each limb and in all, in body weights, over time."""
    time = np.arange(motion.frames) / motion.fps
    weight = motion.link_mass.sum() * np.linalg.norm(motion.gravity)
    for limb in dict.fromkeys(motion.contact_limb):
        own = [k for k, name in enumerate(motion.contact_limb) if name == limb]
        ax.plot(
            time,
            motion.contact_force[:, own, 2].sum(1) / weight,
            color=colour_of(limb),
            linewidth=1,
        )
    ax.plot(time, motion.contact_force[..., 2].sum(1) / weight, color=MIDDLE, linewidth=0.7)
    ax.set_ylabel("force, weights", fontsize=7)
    ax.set_xlabel("s", fontsize=7, labelpad=-2)
    ax.set_xlim(0, time[-1])
    plain(ax)


def _draw_footprints(ax: Axes, motion: Motion, height: Height) -> None:
    """Draw soles, path, centre of mass and ground seen from above."""
    places = np.concatenate([motion.com[:, None, :2], motion.contact_position[..., :2]], 1)
    low, high = places.min((0, 1)), places.max((0, 1))
    room = 0.2 * leg_length(motion)
    if len(motion.path):
        ax.plot(*motion.path.T, color="#bbbbbb", linewidth=3, zorder=0)
    ax.plot(*motion.com[:, :2].T, color=MIDDLE, linewidth=0.8)
    limbs = list(dict.fromkeys(motion.contact_limb))
    ax.plot(*motion.rungs.transpose(2, 1, 0)[:2], color=RUNG, linewidth=1.5, zorder=0.5)
    for step in motion.footsteps:
        if step.grip:
            ax.plot(*step.position[:2], "o", color=colour_of(limbs[step.leg]), markersize=4)
            continue
        # corners of soles, such as heel.L, say nothing that their middle lines do not
        own = [
            k
            for k, limb in enumerate(motion.contact_limb)
            if limb == limbs[step.leg] and "." not in motion.contact_names[k].split("/")[1]
        ]
        k = int(np.clip(round(step.time * motion.fps), 0, motion.frames - 1))
        if abs(step.time * motion.fps - k) <= 1:
            sole = motion.contact_position[k, own, :2]
            colour = colour_of(limbs[step.leg])
            if len(own) == 1:
                ax.plot(*sole.T, "o", color=colour, markersize=3)
            ax.plot(*sole.T, color=colour, linewidth=3.5, solid_capstyle="round")
    for ends in motion.hurdles:
        ax.plot(*ends[:, :2].T, color=RUNG, linewidth=1.5, zorder=0.5)
    _fit(ax, low - room, high + room)
    draw_ground_from_above(ax, height)
    ax.set_ylabel("from above, m", fontsize=7)
    plain(ax)


def _fit(ax: Axes, low: Array, high: Array) -> None:
    """Limits that hold a rectangle and keep both axes alike in the room that there is."""
    box = ax.get_window_extent()
    scale = max((high[0] - low[0]) / box.width, (high[1] - low[1]) / box.height)
    middle = 0.5 * (low + high)
    ax.set_xlim(middle[0] - 0.5 * scale * box.width, middle[0] + 0.5 * scale * box.width)
    ax.set_ylim(middle[1] - 0.5 * scale * box.height, middle[1] + 0.5 * scale * box.height)
