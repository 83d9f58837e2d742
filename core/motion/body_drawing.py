"""The body of one frame in a picture: capsules, shoes and a face. Needs matplotlib."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from ..geometry import so3
from .motion import Motion, Solid
from .view import View, colour_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

EDGE = "#2b2b2b"
SKIN = "#e3b891"
NOSE_SHADE = "#c98f63"
EYE = "#1d1d1d"
SOLES_OF_A_PAIR = 2
SHOE_WIDTH = 0.19  # half width over length
CORNERS = 9  # of each end of a capsule
# corners of a nose from the middle of the skull, ahead, aside and up, over the skull's radius
NOSE = np.array([(0.80, 0.0, 0.30), (1.42, 0.0, -0.20), (0.80, 0.24, -0.34), (0.80, -0.24, -0.34)])
EYES = np.array([(0.76, 0.44, 0.36), (0.76, -0.44, 0.36)])
MUZZLED_EYES = np.array([(0.15, 0.85, 0.45), (0.15, -0.85, 0.45)])  # on the sides of the head
EYE_SIZE = 0.13
NOSE_BEFORE = 0.3  # cosine to the viewer; a nose is drawn over the skull from there on, else behind


@dataclass(frozen=True)
class Part:
    """A polygon of the figure.

    Args:
        near: to the viewer, by which parts are drawn one over the other [m].
        outline: (k, 2) picture coordinates [m].
    """

    near: float
    outline: Array
    colour: str
    edge: str = EDGE


def draw_figure(ax: Axes, motion: Motion, frame: int, view: View) -> None:
    """Draw one frame's body: a capsule for each solid, shoes for feet, a face; the nearest last."""
    from matplotlib.patches import Polygon

    rotation = so3.quat_to_matrix(motion.link_orientation[frame])
    shod = _shod_feet(motion)
    parts: list[Part] = []
    for solids in _shapes(motion):
        name = motion.link_names[solids[0].link]
        if name in shod:
            continue
        places = [view.project(solid_ends(motion, frame, solid, rotation)) for solid in solids]
        outline = np.concatenate(
            [
                capsule_outline(flat, solid.radius)
                for (flat, _), solid in zip(places, solids, strict=True)
            ]
        )
        if len(solids) > 1:
            outline = outline[ConvexHull(outline).vertices]
        colour = SKIN if name == "head" and _has_human_head(motion) else colour_of(name)
        parts.append(Part(float(np.mean([near for _, near in places])), outline, colour))
    for name in shod:
        for corners in _shoe(motion, frame, name):
            flat, near = view.project(corners)
            parts.append(Part(float(near.mean()), flat[ConvexHull(flat).vertices], colour_of(name)))
    parts += face_parts(motion, frame, view)
    for part in sorted(parts, key=lambda part: part.near):
        ax.add_patch(
            Polygon(
                part.outline,
                closed=True,
                facecolor=part.colour,
                edgecolor=part.edge,
                linewidth=0.5,
                joinstyle="round",
                zorder=3,
            )
        )


def solid_ends(motion: Motion, frame: int, solid: Solid, rotation: Array) -> Array:
    """Return the ends of a solid in the world (2, 3) [m]; `rotation` is (links, 3, 3)."""
    return (
        motion.link_position[frame, solid.link]
        + np.stack([solid.start, solid.end]) @ rotation[solid.link].T
    )


def capsule_outline(ends: Array, radius: float) -> Array:
    """Return the outline of a capsule in the picture. (2 CORNERS, 2)."""
    start, end = ends
    along = end - start
    angle = np.arctan2(along[1], along[0]) if np.linalg.norm(along) > 1e-9 else 0.0
    half = np.linspace(-np.pi / 2, np.pi / 2, CORNERS)
    rim = [
        place + radius * np.stack([np.cos(turn + half), np.sin(turn + half)], -1)
        for place, turn in ((end, angle), (start, angle + np.pi))
    ]
    return np.concatenate(rim)


def body_extent(motion: Motion, frame: int, view: View) -> tuple[Array, Array]:
    """Return the lowest and the highest picture coordinates of a frame's body. (2,), (2,) [m]."""
    rotation = so3.quat_to_matrix(motion.link_orientation[frame])
    low = [view.project(motion.contact_position[frame])[0].min(0)]
    high = [view.project(motion.contact_position[frame])[0].max(0)]
    for solid in motion.solids:
        flat, _ = view.project(solid_ends(motion, frame, solid, rotation))
        low.append(flat.min(0) - solid.radius)
        high.append(flat.max(0) + solid.radius)
    return np.min(low, 0), np.max(high, 0)


def head_centres(motion: Motion) -> Array:
    """Return the middle of the head, or of the first link of a body without one. (n, 3) [m]."""
    return motion.link_position[
        :, motion.link_names.index("head") if "head" in motion.link_names else 0
    ]


def face_parts(motion: Motion, frame: int, view: View) -> list[Part]:
    """Return a nose and the eyes that the viewer sees; nothing for a head without a front."""
    skull = _skull(motion)
    if skull is None:
        return []
    muzzled = _has_muzzle(motion, skull)
    if not muzzled and not _has_human_head(motion):
        return []
    link = skull.link
    rotation = so3.quat_to_matrix(motion.link_orientation[frame, link])
    middle = 0.5 * (skull.start + skull.end)
    size = skull.radius
    toward = view.toward @ rotation  # the viewer, as the head sees it
    parts = []
    for eye in MUZZLED_EYES if muzzled else EYES:
        if toward @ (eye * (1.0, 1.0, 0.0)) < 0.1:  # on the far side of the head
            continue
        flat, near = view.project(
            motion.link_position[frame, link] + rotation @ (middle + size * eye)
        )
        parts.append(
            Part(float(near) + size, capsule_outline(np.stack([flat, flat]), EYE_SIZE * size), EYE)
        )
    if not muzzled:
        flat, near = view.project(
            motion.link_position[frame, link] + (middle + size * NOSE) @ rotation.T
        )
        outline = flat[ConvexHull(flat).vertices]
        if toward[0] > NOSE_BEFORE:
            parts.append(Part(float(near.mean()) + size, outline, NOSE_SHADE, NOSE_SHADE))
        else:
            parts.append(Part(float(near.mean()) - size, outline, SKIN))
    return parts


def _shapes(motion: Motion) -> list[list[Solid]]:
    """Return the solids that are drawn as one: of a link of the trunk, of an animal's head."""
    shapes: list[list[Solid]] = []
    for solid in motion.solids:
        name = motion.link_names[solid.link]
        whole = not name.endswith((".L", ".R")) and not (name == "head" and _has_human_head(motion))
        if whole and shapes and shapes[-1][0].link == solid.link:
            shapes[-1].append(solid)
        else:
            shapes.append([solid])
    return shapes


def _shod_feet(motion: Motion) -> list[str]:
    """Return the links that are feet with a heel and a toe, where they come in pairs."""
    feet = sorted({name.split("/")[0] for name in motion.contact_names if name.endswith("/heel")})
    return feet if len(feet) >= SOLES_OF_A_PAIR else []


def _shoe(motion: Motion, frame: int, name: str) -> tuple[Array, Array]:
    """Return the corners of a shoe's body, from heel to ball, and of its toe. (k, 3) each [m]."""
    index = {
        point: motion.contact_names.index(f"{name}/{point}") for point in ("heel", "ball", "tip")
    }
    heel, ball, tip = (
        motion.contact_position[frame, index[point]] for point in ("heel", "ball", "tip")
    )
    link = motion.link_names.index(name)
    ankle = motion.link_origin[frame, link]
    turn = so3.quat_to_matrix(motion.link_orientation[frame, link])
    up = turn[:, 2]
    aside = SHOE_WIDTH * float(np.linalg.norm(ball - heel)) * turn[:, 1]
    thick = 0.25 * float(np.linalg.norm(ankle - heel))
    rear = [heel, ball, ball + 1.6 * thick * up, heel + 1.6 * thick * up]
    toe = [ball, ball + 1.6 * thick * up, tip, tip + 0.6 * thick * up]
    wide = [place + sign * aside for place in rear for sign in (-1, 1)]
    collar = [ankle + 0.5 * thick * up + 0.7 * sign * aside for sign in (-1, 1)]
    return np.array([*wide, *collar]), np.array(
        [place + 0.9 * sign * aside for place in toe for sign in (-1, 1)]
    )


def _skull(motion: Motion) -> Solid | None:
    """Return the thickest solid of the head."""
    solids = [solid for solid in motion.solids if motion.link_names[solid.link] == "head"]
    return max(solids, key=lambda solid: solid.radius, default=None)


def _has_muzzle(motion: Motion, skull: Solid) -> bool:
    """Return whether another solid of the head reaches ahead of the skull."""
    return any(
        _reach_ahead(solid) > _reach_ahead(skull)
        for solid in motion.solids
        if solid.link == skull.link
    )


def _has_human_head(motion: Motion) -> bool:
    """Return whether the skull stands, and nothing is before it."""
    skull = _skull(motion)
    if skull is None or _has_muzzle(motion, skull):
        return False
    along = np.abs(skull.end - skull.start)
    return bool(along[2] >= along[0])


def _reach_ahead(solid: Solid) -> float:
    """Return how far a solid reaches in front of its link's middle [m]."""
    return float(max(solid.start[0], solid.end[0])) + solid.radius
