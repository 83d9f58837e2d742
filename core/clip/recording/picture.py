"""Picture of the analysis of a clip: its most regular stride, all contacts, and the curves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...errors import ClipError
from ...motion.canvas import create_figure, simplify_axes
from ...motion.view import LEFT_COLOR, MIDDLE_COLOR, RIGHT_COLOR, View
from ..style.shelf import load_builtin_style
from ..style.style import CURVES, curve_at
from .actor import FPS, Actor
from .bvh import Recording
from .contacts import find_feet
from .corrections import NO_CORRECTIONS, ClipCorrections
from .find_actor import find_actor
from .gait_analysis import GaitAnalysis
from .treadmill import undo_treadmill

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

FRAME_COUNT = 12  # Number of poses of the stride in the picture, as many as stand side by side
PLOTTED_CURVES = ("thigh", "knee", "ankle", "pelvis_turn", "pelvis_list", "arm", "elbow")
# Label, side and whether it is the heel, of each row of contacts.
CONTACT_LANES = (
    ("L heel", 0, True),
    ("L ball", 0, False),
    ("R heel", 1, True),
    ("R ball", 1, False),
)


def save_clip_picture(
    recording: Recording,
    analysis: GaitAnalysis,
    path: Path,
    corrections: ClipCorrections = NO_CORRECTIONS,
) -> None:
    """Write a picture of a clip to a file.

    Args:
        corrections: those with which the clip was analyzed.

    Raises:
        ClipError: matplotlib is not installed, or the suffix of the file is not a picture format.
    """
    figure = create_figure(path, FRAME_COUNT * 1.15, 7.4, ClipError)
    grid = figure.add_gridspec(
        4,
        1,
        height_ratios=(2, 2, 1.1, 1.6),
        left=0.05,
        right=0.995,
        top=0.96,
        bottom=0.06,
        hspace=0.22,
    )
    body = find_actor(recording, corrections.up_axis, corrections.find_feet(recording))
    if corrections.exchanges_sides:
        body = body.swap_sides()
    actor = undo_treadmill(body).actor
    for row, azimuth in enumerate((-90.0, 0.0)):
        row_grid = grid[row].subgridspec(1, FRAME_COUNT, wspace=0)
        _draw_stride(
            [figure.add_subplot(row_grid[k]) for k in range(FRAME_COUNT)], actor, analysis, azimuth
        )
    _draw_contacts(figure.add_subplot(grid[2]), analysis, (recording.frames - 1) / recording.fps)
    row_grid = grid[3].subgridspec(1, len(PLOTTED_CURVES), wspace=0.3)
    for k, name in enumerate(PLOTTED_CURVES):
        _draw_curve(figure.add_subplot(row_grid[k]), analysis, name)
    figure.savefig(path)


def _draw_stride(axes: list[Axes], actor: Actor, analysis: GaitAnalysis, azimuth: float) -> None:
    """Draw the poses of the stride as lines; a stride past the end of a loop starts again."""
    feet = find_feet(actor)
    begin, end = (round((t - actor.skipped_time) * FPS) for t in (analysis.begin, analysis.end))
    frames = np.linspace(begin, end, FRAME_COUNT).astype(int) % actor.frames
    body_height = 1.95 * analysis.leg_length
    for ax, k in zip(axes, frames, strict=True):
        hip_line = (actor.hips[:, 0] - actor.hips[:, 1])[max(k - 20, 0) : k + 20].mean(0)
        heading = float(np.arctan2(-hip_line[0], hip_line[1]))
        floor = float(feet.heels[k, :, 2].min())
        view = View(
            np.array([*actor.hips[k].mean(0)[:2], floor + 0.46 * body_height]),
            heading + np.radians(azimuth),
            np.radians(4.0),
        )
        for bone in _list_bones(actor, feet.heels, k):
            ax.plot(
                *view.project(bone.points).coordinates.T,
                color=bone.color,
                linewidth=bone.width,
                solid_capstyle="round",
                solid_joinstyle="round",
            )
        ax.axhline(-0.46 * body_height, color="#bbbbbb", linewidth=0.5, zorder=0)
        ax.set_xlim(-0.33 * body_height, 0.33 * body_height)
        ax.set_ylim(-0.49 * body_height, 0.5 * body_height)
        ax.set_aspect("equal")
        ax.axis("off")
        ax.set_title(f"{k / FPS + actor.skipped_time:.2f} s" if azimuth else "", fontsize=7, pad=1)


@dataclass(frozen=True)
class _Bone:
    """A polyline of a pose.

    Args:
        points: (m, 3) points [m].
        color: color of the line.
        width: width of the line [pt].
    """

    points: Array
    color: str
    width: float


def _list_bones(actor: Actor, heels: Array, k: int) -> list[_Bone]:
    """Return the lines of a frame, those on the far side first."""
    arms: list[_Bone] = []
    shoulders: list[_Bone] = []
    if actor.arms is not None:
        joints = (actor.arms.shoulders, actor.arms.elbows, actor.arms.wrists)
        shoulders = [_Bone(actor.arms.shoulders[k], MIDDLE_COLOR, 3.5)]
        arms = [
            _Bone(np.stack([joint[k, side] for joint in joints]), color, 2.5)
            for side, color in ((0, LEFT_COLOR), (1, RIGHT_COLOR))
        ]
    hip_center = actor.hips[k].mean(0)
    trunk_top = actor.shoulders[k].mean(0) if actor.shoulders is not None else actor.neck[k]
    head = [actor.head[k]] if actor.head is not None else []
    return [
        *arms[:1],
        *_list_leg_bones(actor, heels, k, side=0),
        *shoulders,
        _Bone(actor.hips[k], MIDDLE_COLOR, 4.0),
        _Bone(np.stack([hip_center, trunk_top, *head]), MIDDLE_COLOR, 4.5),
        *_list_leg_bones(actor, heels, k, side=1),
        *arms[1:],
    ]


def _list_leg_bones(actor: Actor, heels: Array, k: int, side: int) -> list[_Bone]:
    """Return the lines of a leg and its foot."""
    color = (LEFT_COLOR, RIGHT_COLOR)[side]
    ankle = actor.ankles[k, side]
    return [
        _Bone(np.stack([actor.hips[k, side], actor.knees[k, side], ankle]), color, 3.5),
        _Bone(np.stack([ankle, heels[k, side], actor.balls[k, side], ankle]), color, 2.0),
    ]


def _draw_contacts(ax: Axes, analysis: GaitAnalysis, seconds: float) -> None:
    """Draw the contacts of heels and balls; the analyzed stride is shaded."""
    for lane, (_, side, heel) in enumerate(CONTACT_LANES):
        spans = [
            (s.strike, s.heel_off) if heel else (s.flat, s.lift)
            for s in analysis.contacts
            if s.side == side
        ]
        ax.broken_barh(
            [(a, b - a) for a, b in spans],
            (len(CONTACT_LANES) - lane - 0.8, 0.6),
            color=(LEFT_COLOR, RIGHT_COLOR)[side],
        )
    ax.axvspan(analysis.begin, analysis.end, color="#eeeeee", zorder=0)
    ax.set_yticks(
        [len(CONTACT_LANES) - k - 0.5 for k in range(len(CONTACT_LANES))],
        [name for name, *_ in CONTACT_LANES],
        fontsize=7,
    )
    ax.set_xlim(0, seconds)
    ax.set_xlabel("s", fontsize=7, labelpad=-2)
    simplify_axes(ax)


def _draw_curve(ax: Axes, analysis: GaitAnalysis, name: str) -> None:
    """Draw a curve of both sides over the cycle, and that of the built-in gait in gray."""
    k = CURVES.index(name)
    samples = analysis.curves.shape[-1]
    builtin_curves = (
        load_builtin_style(analysis.gait).cycle_at(analysis.speed / analysis.unit_speed).curves
    )
    phase = np.arange(samples) / samples
    ax.plot(
        100 * phase,
        np.degrees(curve_at(builtin_curves[None], name, phase)),
        color=MIDDLE_COLOR,
        linewidth=1,
        linestyle=":",
    )
    for side_curve, color in zip(analysis.curves[:, k], (LEFT_COLOR, RIGHT_COLOR), strict=True):
        ax.plot(100 * phase, side_curve, color=color, linewidth=1)
    ax.set_title(name.replace("_", " ") + ", degrees", fontsize=7, pad=2)
    simplify_axes(ax)
