"""One picture of what was understood of a clip: its cleanest stride, all contacts, and the stride's curves."""
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...errors import ClipError
from ...motion.canvas import blank_figure, plain
from ...motion.view import LEFT, MIDDLE, RIGHT, View
from ..style.shelf import builtin_style
from ..style.style import CURVES, curve_at
from .actor import FPS, Actor
from .bvh import Recording
from .contacts import find_feet, in_motion
from .find_actor import find_actor
from .gait_analysis import Understood

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

FRAMES = 12               # of the strip
SHOWN = ("thigh", "knee", "ankle", "pelvis_turn", "pelvis_list", "arm", "elbow")
LANES = (("L heel", 0, True), ("L ball", 0, False), ("R heel", 1, True), ("R ball", 1, False))


def save_clip_picture(recording: Recording, told: Understood, path: Path) -> None:
    """Draw a clip into a picture file.

    Raises:
        ClipError: matplotlib is not installed, or the picture's ending names no kind of picture.
    """
    figure = blank_figure(path, FRAMES * 1.15, 7.4, ClipError)
    rows = figure.add_gridspec(4, 1, height_ratios=(2, 2, 1.1, 1.6), left=0.05, right=0.995, top=0.96, bottom=0.06, hspace=0.22)
    actor, _ = in_motion(find_actor(recording))
    for row, azimuth in enumerate((-90.0, 0.0)):
        inner = rows[row].subgridspec(1, FRAMES, wspace=0)
        _draw_stride([figure.add_subplot(inner[k]) for k in range(FRAMES)], actor, told, azimuth)
    _draw_contacts(figure.add_subplot(rows[2]), told, (recording.frames - 1) / recording.fps)
    inner = rows[3].subgridspec(1, len(SHOWN), wspace=0.3)
    for k, name in enumerate(SHOWN):
        _draw_curve(figure.add_subplot(inner[k]), told, name)
    figure.savefig(path)


def _draw_stride(axes: list[Axes], actor: Actor, told: Understood, azimuth: float) -> None:
    """The cycle from a side, bones as lines. Beyond a looped clip's end it begins again."""
    feet = find_feet(actor)
    begin, end = (round((t - actor.skipped) * FPS) for t in (told.begin, told.end))
    frames = np.linspace(begin, end, FRAMES).astype(int) % actor.frames
    tall = 1.95 * told.leg_length
    for ax, k in zip(axes, frames, strict=True):
        across = (actor.hips[:, 0] - actor.hips[:, 1])[max(k - 20, 0):k + 20].mean(0)
        heading = float(np.arctan2(-across[0], across[1]))
        low = float(feet.heels[k, :, 2].min())
        view = View(np.array([*actor.hips[k].mean(0)[:2], low + 0.46 * tall]), heading + np.radians(azimuth), np.radians(4.0))
        for bone, colour, wide in _bones(actor, feet.heels, k):
            flat, _ = view.project(bone)
            ax.plot(*flat.T, color=colour, linewidth=wide, solid_capstyle="round", solid_joinstyle="round")
        ax.axhline(-0.46 * tall, color="#bbbbbb", linewidth=0.5, zorder=0)
        ax.set_xlim(-0.33 * tall, 0.33 * tall)
        ax.set_ylim(-0.49 * tall, 0.5 * tall)
        ax.set_aspect("equal")
        ax.axis("off")
        ax.set_title(f"{k / FPS + actor.skipped:.2f} s" if azimuth else "", fontsize=7, pad=1)


def _bones(actor: Actor, heels: Array, k: int) -> list[tuple[Array, str, float]]:
    """Lines of a frame, (m, 3) each, with colour and width; what is on the far side comes first."""
    out = []
    for side, colour in ((0, LEFT), (1, RIGHT)):
        out.append((np.stack([actor.hips[k, side], actor.knees[k, side], actor.ankles[k, side]]), colour, 3.5))
        out.append((np.stack([actor.ankles[k, side], heels[k, side], actor.balls[k, side], actor.ankles[k, side]]), colour, 2.0))
    middle = actor.hips[k].mean(0)
    top = actor.shoulders[k].mean(0) if actor.shoulders is not None else actor.neck[k]
    out.insert(2, (np.stack([middle, top, *([actor.head[k]] if actor.head is not None else [])]), MIDDLE, 4.5))
    out.insert(2, (actor.hips[k], MIDDLE, 4.0))
    if actor.arms is not None:
        out.insert(2, (actor.arms[0][k], MIDDLE, 3.5))
        for side, colour in ((0, LEFT), (1, RIGHT)):
            arm = np.stack([joint[k, side] for joint in actor.arms])
            out.insert(0 if side == 0 else len(out), (arm, colour, 2.5))
    return out


def _draw_contacts(ax: Axes, told: Understood, seconds: float) -> None:
    """When which end of which foot stands; the cycle that was taken is shaded."""
    for lane, (_, side, heel) in enumerate(LANES):
        spans = [(s.strike, s.heel_off) if heel else (s.flat, s.lift) for s in told.steps if s.side == side]
        ax.broken_barh([(a, b - a) for a, b in spans], (len(LANES) - lane - 0.8, 0.6), color=(LEFT, RIGHT)[side])
    ax.axvspan(told.begin, told.end, color="#eeeeee", zorder=0)
    ax.set_yticks([len(LANES) - k - 0.5 for k in range(len(LANES))], [name for name, *_ in LANES], fontsize=7)
    ax.set_xlim(0, seconds)
    ax.set_xlabel("s", fontsize=7, labelpad=-2)
    plain(ax)


def _draw_curve(ax: Axes, told: Understood, name: str) -> None:
    """A curve of both sides over the cycle, the built-in gait's at that speed in grey."""
    k, samples = CURVES.index(name), told.curves.shape[-1]
    usual = builtin_style(told.gait).at(told.speed / told.unit_speed).curves
    phase = np.arange(samples) / samples
    ax.plot(100 * phase, np.degrees(curve_at(usual[None], name, phase)), color=MIDDLE, linewidth=1, linestyle=":")
    for own, colour in zip(told.curves[:, k], (LEFT, RIGHT), strict=True):
        ax.plot(100 * phase, own, color=colour, linewidth=1)
    ax.set_title(name.replace("_", " ") + ", degrees", fontsize=7, pad=2)
    plain(ax)
