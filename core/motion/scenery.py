"""What is around a body in a picture: hurdles, rungs, pushes, marks on the ground."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from ..geometry import so3
from .body_drawing import EDGE, capsule_outline, solid_ends
from .course_camera import leg_length
from .ground_drawing import Height, Mark, Window
from .motion import Motion
from .view import HURDLE, PUSH, RUNG, View, colour_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

BAR_RADIUS = 0.022  # of hurdles and rungs, over the leg's length
POST_RADIUS = 0.016
BEHIND = 2.0  # order of drawing: behind the body, which is at 3, and before it
BEFORE = 4.0
SHADOW = np.array([0.36, 0.41, 0.33])
SHADOW_COVER = 0.55
PATH = np.array([0.97, 0.95, 0.86])
PATH_WIDTH = 0.03  # half of it, over the leg's length
PRINT_COVER = 0.75
PRINT_RADIUS = 0.045
ROOM_BEFORE = (
    2.0  # how far a thing may stand before the cut through the ground, over the ground's reach
)
PUSH_LENGTH = 0.7  # of an arrow, over the leg's length


def draw_hurdles(
    ax: Axes, motion: Motion, height: Height, view: View, window: Window, body: Array
) -> None:
    """Draw hurdles as bars on posts or as boxes; what is nearer than the body (3,) is over it."""
    size = leg_length(motion)
    limit = float((body - view.centre) @ view.toward)
    for ends, depth in zip(motion.hurdles, motion.hurdle_depth, strict=True):
        if not _is_on_ground(ends.mean(0), view, window):
            continue
        foot = ends.copy()
        foot[:, 2] = np.nan_to_num(height(ends[:, :2]), nan=float(ends[:, 2].min()))
        if depth > 0:
            _draw_box(ax, view, ends, foot, depth, limit)
            continue
        for post in zip(ends, foot, strict=True):
            _draw_rod(ax, view, np.array(post), POST_RADIUS * size, RUNG, limit)
        _draw_rod(ax, view, ends, BAR_RADIUS * size, HURDLE, limit)


def draw_rungs(ax: Axes, motion: Motion, view: View, window: Window) -> None:
    """Draw bars overhead in a window and the rails that join them, behind the body."""
    size = leg_length(motion)
    for side in (0, 1) if len(motion.rungs) else ():
        flat, _ = view.project(motion.rungs[:, side])
        ax.plot(*flat.T, color=RUNG, linewidth=1.0, alpha=0.5, zorder=BEHIND)
    for ends in motion.rungs:
        if _is_on_ground(ends.mean(0), view, window):
            _draw_rod(ax, view, ends, BAR_RADIUS * size, RUNG, np.inf)


def draw_push(ax: Axes, motion: Motion, frame: int, view: View) -> None:
    """Draw an arrow to where a push acts, as it acts."""
    force = motion.push_force[frame]
    strength = float(np.linalg.norm(force))
    if strength < 1e-6:
        return
    tail = motion.push_point[frame] - PUSH_LENGTH * leg_length(motion) * force / strength
    flat, _ = view.project(np.stack([tail, motion.push_point[frame]]))
    ax.annotate(
        "",
        flat[1],
        flat[0],
        zorder=BEFORE + 1,
        annotation_clip=False,
        arrowprops={
            "arrowstyle": "-|>",
            "color": PUSH,
            "linewidth": 1.6,
            "shrinkA": 0,
            "shrinkB": 0,
        },
    )


def path_marks(motion: Motion) -> list[Mark]:
    """Return the path as a line on the ground."""
    radius = PATH_WIDTH * leg_length(motion)
    ends = np.stack([motion.path[:-1], motion.path[1:]], 1)
    return [Mark(ends, np.full(len(ends), radius), PATH, 1.0)]


def footprint_marks(motion: Motion, until: float) -> list[Mark]:
    """Return the prints of all soles that have been set down until a time [s]."""
    from matplotlib.colors import to_rgb

    radius = PRINT_RADIUS * leg_length(motion)
    limbs = list(dict.fromkeys(motion.contact_limb))
    marks = []
    for step in motion.footsteps:
        frame = min(round(step.time * motion.fps), motion.frames - 1)
        if step.grip or step.strike > until or frame < 0:
            continue
        # corners of soles, such as heel.L, say nothing that their middle lines do not
        points = [
            k
            for k, limb in enumerate(motion.contact_limb)
            if limb == limbs[step.leg] and "." not in motion.contact_names[k].split("/")[1]
        ]
        sole = (
            motion.contact_position[frame, points, :2]
            if step.lift <= motion.frames / motion.fps
            else step.position[None, :2]
        )
        colour = np.array(to_rgb(colour_of(limbs[step.leg])))
        marks.append(Mark(sole[None, [0, -1]], np.array([radius]), colour, PRINT_COVER))
    return marks


def shadow_marks(motion: Motion, frame: int) -> list[Mark]:
    """Return the shadow of a frame's body under a light straight above."""
    rotation = so3.quat_to_matrix(motion.link_orientation[frame])
    ends = np.array(
        [solid_ends(motion, frame, solid, rotation)[:, :2] for solid in motion.solids]
    ).reshape(-1, 2, 2)
    return [Mark(ends, np.array([solid.radius for solid in motion.solids]), SHADOW, SHADOW_COVER)]


def _is_on_ground(place: Array, view: View, window: Window) -> bool:
    """Return whether the block of ground that a window shows reaches under or over a place (3,)."""
    away = float((place[:2] - view.centre[:2]) @ [np.cos(view.azimuth), np.sin(view.azimuth)])
    return -window.far <= away <= ROOM_BEFORE * window.near


def _draw_rod(ax: Axes, view: View, ends: Array, radius: float, colour: str, limit: float) -> None:
    """Draw a capsule; over the body where it is nearer than a limit."""
    from matplotlib.patches import Polygon

    flat, near = view.project(ends)
    ax.add_patch(
        Polygon(
            capsule_outline(flat, radius),
            closed=True,
            facecolor=colour,
            edgecolor=EDGE,
            linewidth=0.5,
            zorder=BEFORE if near.mean() > limit else BEHIND,
        )
    )


def _draw_box(ax: Axes, view: View, ends: Array, foot: Array, depth: float, limit: float) -> None:
    """Draw the outline of a box under a bar."""
    from matplotlib.patches import Polygon

    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    ahead = 0.5 * depth * np.array([-along[1], along[0], 0.0])
    corners = np.array([place + sign * ahead for place in (*ends, *foot) for sign in (-1, 1)])
    flat, near = view.project(corners)
    ax.add_patch(
        Polygon(
            flat[ConvexHull(flat).vertices],
            closed=True,
            facecolor=HURDLE,
            edgecolor=EDGE,
            linewidth=0.5,
            zorder=BEFORE if near.mean() > limit else BEHIND,
        )
    )
