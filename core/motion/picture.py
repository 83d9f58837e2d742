"""One picture of a motion: a strip of frames, the forces of the ground, and the footprints on the path."""
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionError
from .canvas import blank_figure, plain
from .motion import Motion
from .strip import LEFT, MIDDLE, RIGHT, RUNG, VIEWS, Height, draw_strip

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

FRAMES = 12            # of a strip
SPAN = 1.6             # s that a strip shows, at leg lengths near a human's


def save_picture(motion: Motion, path: Path, height: Height, begin: float | None = None, end: float | None = None) -> None:
    """Draw a motion into a picture file.

    Args:
        height: of the ground at places (n, 2).
        begin, end: the part that the strip shows, s; a stride and a half in the middle unless told.

    Raises:
        MotionError: matplotlib is not installed, or the picture's ending names no kind of picture.
    """
    figure = blank_figure(path, FRAMES * 1.15, 7.6, MotionError)
    rows = figure.add_gridspec(5, FRAMES, height_ratios=(2, 2, 2, 1.35, 1.35), left=0.045, right=0.995, top=0.965, bottom=0.06,
                               hspace=0.12, wspace=0)
    axes = np.array([[figure.add_subplot(rows[r, c]) for c in range(FRAMES)] for r in range(len(VIEWS))], object)
    draw_strip(motion, axes, _frames(motion, begin, end), height)
    _draw_forces(figure.add_subplot(rows[3, :]), motion)
    _draw_footprints(figure.add_subplot(rows[4, :]), motion)
    figure.savefig(path)


def _frames(motion: Motion, begin: float | None, end: float | None) -> NDArray[np.int64]:
    length = (motion.frames - 1) / motion.fps
    span = min(SPAN * np.sqrt(_leg(motion) / 0.93), length)
    begin = 0.5 * (length - span) if begin is None else begin
    end = begin + span if end is None else end
    if not 0 <= begin < end:
        raise MotionError(f"There is nothing to show from {begin:g} s to {end:g} s; the motion lasts {length:.2f} s.")
    return np.clip(np.round(np.linspace(begin, end, FRAMES) * motion.fps), 0, motion.frames - 1).astype(int)


def _leg(motion: Motion) -> float:
    return max(float(np.median(motion.com[:, 2] - motion.contact_position[..., 2].min(1))), 1e-3)


def _draw_forces(ax: Axes, motion: Motion) -> None:
    """Vertical force on each limb and in all, in body weights, over time."""
    time = np.arange(motion.frames) / motion.fps
    weight = motion.link_mass.sum() * np.linalg.norm(motion.gravity)
    for limb in dict.fromkeys(motion.contact_limb):
        own = [k for k, name in enumerate(motion.contact_limb) if name == limb]
        ax.plot(time, motion.contact_force[:, own, 2].sum(1) / weight, color=LEFT if limb.endswith(".L") else RIGHT, linewidth=1)
    ax.plot(time, motion.contact_force[..., 2].sum(1) / weight, color=MIDDLE, linewidth=0.7)
    ax.set_ylabel("force, weights", fontsize=7)
    ax.set_xlabel("s", fontsize=7, labelpad=-2)
    ax.set_xlim(0, time[-1])
    plain(ax)


def _draw_footprints(ax: Axes, motion: Motion) -> None:
    """Soles, path and centre of mass seen from above."""
    places = np.concatenate([motion.com[:, None, :2], motion.contact_position[..., :2]], 1)
    low, high = places.min((0, 1)), places.max((0, 1))
    room = 0.2 * _leg(motion)
    if len(motion.path):
        ax.plot(*motion.path.T, color="#bbbbbb", linewidth=3, zorder=0)
    ax.plot(*motion.com[:, :2].T, color=MIDDLE, linewidth=0.8)
    limbs = list(dict.fromkeys(motion.contact_limb))
    ax.plot(*motion.rungs.transpose(2, 1, 0)[:2], color=RUNG, linewidth=1.5, zorder=0.5)
    for step in motion.footsteps:
        if step.grip:
            ax.plot(*step.position[:2], "o", color=LEFT if limbs[step.leg].endswith(".L") else RIGHT, markersize=4)
            continue
        # corners of soles, such as heel.L, say nothing that their middle lines do not
        own = [k for k, limb in enumerate(motion.contact_limb)
               if limb == limbs[step.leg] and "." not in motion.contact_names[k].split("/")[1]]
        k = int(np.clip(round(step.time * motion.fps), 0, motion.frames - 1))
        if abs(step.time * motion.fps - k) <= 1:
            sole = motion.contact_position[k, own, :2]
            colour = LEFT if motion.contact_limb[own[0]].endswith(".L") else RIGHT
            if len(own) == 1:
                ax.plot(*sole.T, "o", color=colour, markersize=3)
            ax.plot(*sole.T, color=colour, linewidth=3.5, solid_capstyle="round")
    _fit(ax, low - room, high + room)
    ax.set_ylabel("from above, m", fontsize=7)
    plain(ax)


def _fit(ax: Axes, low: Array, high: Array) -> None:
    """Limits that hold a rectangle and keep both axes alike in the room that there is."""
    box = ax.get_window_extent()
    scale = max((high[0] - low[0]) / box.width, (high[1] - low[1]) / box.height)
    middle = 0.5 * (low + high)
    ax.set_xlim(middle[0] - 0.5 * scale * box.width, middle[0] + 0.5 * scale * box.width)
    ax.set_ylim(middle[1] - 0.5 * scale * box.height, middle[1] + 0.5 * scale * box.height)
