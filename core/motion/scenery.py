"""Drawing of hurdles, rungs, pushes and marks on the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from ..geometry import so3
from .body_drawing import EDGE_COLOR, compute_capsule_outline, compute_solid_ends
from .course_camera import estimate_leg_length
from .ground_drawing import GroundMark, GroundWindow, HeightFunction
from .motion import Motion
from .surface import MovingSurface
from .view import HURDLE_COLOR, PUSH_COLOR, RUNG_COLOR, View, select_side_color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

# Sizes, colors and opacities by eye, in leg lengths so that pictures of a mouse and of a giant look
# alike.
BAR_RADIUS = 0.022  # Radius of the bars of hurdles and rungs [leg length]
POST_RADIUS = 0.016  # Radius of the posts of hurdles [leg length]
BEHIND_ZORDER = 2.0  # Drawing order behind the body, which is at 3
FRONT_ZORDER = 4.0  # Drawing order in front of the body
SHADOW_COLOR = np.array([0.36, 0.41, 0.33])
SHADOW_OPACITY = 0.55
PATH_COLOR = np.array([0.97, 0.95, 0.86])
PATH_HALF_WIDTH = 0.03  # Half width of the path [leg length]
LINK_LINE_COLOR = np.array([0.45, 0.50, 0.40])
LINK_LINE_RADIUS = 0.008  # Half width of the line between two links of a bridge [leg length]
# Shortest links between which there are lines [leg length]; columns of spongy ground are narrower
MIN_LINK_LENGTH = 0.1
FOOTPRINT_OPACITY = 0.75
FOOTPRINT_RADIUS = 0.045  # Half width of a footprint [leg length]
# Greatest distance of an object in front of the body [extent of the ground toward the viewer];
# farther ones would fill the picture.
MAX_FRONT_DISTANCE = 2.0
PUSH_ARROW_LENGTH = 0.7  # Length of the arrow of a push [leg length]


def draw_hurdles(
    ax: Axes, motion: Motion, height: HeightFunction, view: View, window: GroundWindow, body: Array
) -> None:
    """Draw hurdles as bars on posts or as boxes, in front of the body (3,) if they are nearer."""
    size = estimate_leg_length(motion)
    body_nearness = float((body - view.center) @ view.toward)
    for ends, depth in zip(motion.hurdles, motion.hurdle_depth, strict=True):
        if not _is_on_ground(ends.mean(0), view, window):
            continue
        base = ends.copy()
        base[:, 2] = np.nan_to_num(height(ends[:, :2]), nan=float(ends[:, 2].min()))
        if depth > 0:
            _draw_box(ax, view, ends, base=base, depth=depth, body_nearness=body_nearness)
            continue
        for post in zip(ends, base, strict=True):
            _draw_rod(
                ax,
                view,
                np.array(post),
                radius=POST_RADIUS * size,
                color=RUNG_COLOR,
                body_nearness=body_nearness,
            )
        _draw_rod(
            ax,
            view,
            ends,
            radius=BAR_RADIUS * size,
            color=HURDLE_COLOR,
            body_nearness=body_nearness,
        )


def draw_rungs(ax: Axes, motion: Motion, view: View, window: GroundWindow) -> None:
    """Draw overhead bars in a window and the rails that join them, behind the body."""
    size = estimate_leg_length(motion)
    for side in (0, 1) if len(motion.rungs) else ():
        projected = view.project(motion.rungs[:, side]).coordinates
        ax.plot(*projected.T, color=RUNG_COLOR, linewidth=1.0, alpha=0.5, zorder=BEHIND_ZORDER)
    for ends in motion.rungs:
        if _is_on_ground(ends.mean(0), view, window):
            _draw_rod(
                ax, view, ends, radius=BAR_RADIUS * size, color=RUNG_COLOR, body_nearness=np.inf
            )


def draw_push(ax: Axes, motion: Motion, frame: int, view: View) -> None:
    """Draw an arrow for the push in a frame, if there is one."""
    force = motion.push_force[frame]
    magnitude = float(np.linalg.norm(force))
    if magnitude < 1e-6:
        return
    tail = (
        motion.push_point[frame]
        - PUSH_ARROW_LENGTH * estimate_leg_length(motion) * force / magnitude
    )
    projected = view.project(np.stack([tail, motion.push_point[frame]])).coordinates
    ax.annotate(
        "",
        projected[1],
        projected[0],
        zorder=FRONT_ZORDER + 1,
        annotation_clip=False,
        arrowprops={
            "arrowstyle": "-|>",
            "color": PUSH_COLOR,
            "linewidth": 1.6,
            "shrinkA": 0,
            "shrinkB": 0,
        },
    )


def build_path_marks(motion: Motion) -> list[GroundMark]:
    """Return the path as marks on the ground."""
    radius = PATH_HALF_WIDTH * estimate_leg_length(motion)
    ends = np.stack([motion.path[:-1], motion.path[1:]], 1)
    return [GroundMark(ends, np.full(len(ends), radius), PATH_COLOR, 1.0)]


def build_link_marks(motion: Motion, frame: int) -> list[GroundMark]:
    """Return the joints between the links of a bridge in a frame as marks across it."""
    surface = MovingSurface.from_motion(motion)
    if surface is None or surface.spacing < MIN_LINK_LENGTH * estimate_leg_length(motion):
        return []
    middle = surface.line[frame, :, :2]
    across = 0.5 * surface.width * surface.left
    radius = LINK_LINE_RADIUS * estimate_leg_length(motion)
    ends = np.stack([middle - across, middle + across], 1)
    return [GroundMark(ends, np.full(len(ends), radius), LINK_LINE_COLOR, 1.0)]


def build_footprint_marks(motion: Motion, end_time: float) -> list[GroundMark]:
    """Return the footprints of all footsteps that strike up to a time [s]."""
    from matplotlib.colors import to_rgb

    radius = FOOTPRINT_RADIUS * estimate_leg_length(motion)
    limbs = list(dict.fromkeys(motion.contact_limb))
    marks = []
    for step in motion.footsteps:
        frame = min(round(step.time * motion.fps), motion.frames - 1)
        if step.grip or step.strike > end_time or frame < 0:
            continue
        # draw the middle line of a sole, without its corners, such as heel.L
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
        color = np.array(to_rgb(select_side_color(limbs[step.leg])))
        marks.append(GroundMark(sole[None, [0, -1]], np.array([radius]), color, FOOTPRINT_OPACITY))
    return marks


def build_shadow_marks(motion: Motion, frame: int) -> list[GroundMark]:
    """Return the shadow of the body in a frame under a vertical light."""
    rotation = so3.quat_to_matrix(motion.link_orientation[frame])
    ends = np.array(
        [compute_solid_ends(motion, frame, solid, rotation)[:, :2] for solid in motion.solids]
    ).reshape(-1, 2, 2)
    return [
        GroundMark(
            ends, np.array([solid.radius for solid in motion.solids]), SHADOW_COLOR, SHADOW_OPACITY
        )
    ]


def _is_on_ground(place: Array, view: View, window: GroundWindow) -> bool:
    """Return whether a point (3,) is above or near the block of ground of a window."""
    distance = float((place[:2] - view.center[:2]) @ [np.cos(view.azimuth), np.sin(view.azimuth)])
    return -window.far <= distance <= MAX_FRONT_DISTANCE * window.near


def _draw_rod(
    ax: Axes, view: View, ends: Array, radius: float, color: str, body_nearness: float
) -> None:
    """Draw a capsule, in front of the body if it is nearer."""
    from matplotlib.patches import Polygon

    projected = view.project(ends)
    ax.add_patch(
        Polygon(
            compute_capsule_outline(projected.coordinates, radius),
            closed=True,
            facecolor=color,
            edgecolor=EDGE_COLOR,
            linewidth=0.5,
            zorder=FRONT_ZORDER if projected.nearness.mean() > body_nearness else BEHIND_ZORDER,
        )
    )


def _draw_box(
    ax: Axes, view: View, ends: Array, base: Array, depth: float, body_nearness: float
) -> None:
    """Draw the outline of a box under a bar."""
    from matplotlib.patches import Polygon

    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    ahead = 0.5 * depth * np.array([-along[1], along[0], 0.0])
    corners = np.array([place + sign * ahead for place in (*ends, *base) for sign in (-1, 1)])
    projected = view.project(corners)
    ax.add_patch(
        Polygon(
            projected.coordinates[ConvexHull(projected.coordinates).vertices],
            closed=True,
            facecolor=HURDLE_COLOR,
            edgecolor=EDGE_COLOR,
            linewidth=0.5,
            zorder=FRONT_ZORDER if projected.nearness.mean() > body_nearness else BEHIND_ZORDER,
        )
    )
