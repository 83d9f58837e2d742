"""Triangles and lines of what the overlay draws, with a colour a corner. No GPU here."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.motion.easing import REASONS
from .physics import COM, EASED, Colour, Physics, Sole

Array = NDArray[np.float64]

ROUND = 12                # corners of what is round
HEAD, SLIM = 0.085, 0.028          # length and radius of an arrow's head, of the body's size
RING = 0.022              # radius of the ring below the centre of mass, of the body's size
SOLE, POINT = 0.17, 0.03  # half a sole's width, of its length; radius of a foot without one, of the body's size
LIFT = 0.006              # of the body's size by which what lies on the ground is above it
SUPPORT: Colour = (0.55, 0.95, 0.60)
LIGHT = np.array([0.4, -0.5, 0.77])


@dataclass(frozen=True)
class Mesh:
    """Corners, `per` of them a triangle (3) or a line (2), and their colours with opacity."""

    points: NDArray[np.float32]         # (k, 3)
    colours: NDArray[np.float32]        # (k, 4)

    @staticmethod
    def of(parts: list[tuple[Array, Array]]) -> Mesh:
        """Of points (…, 3) and colours that fit them, (…, 4) or (4,)."""
        points = [np.asarray(p, np.float32).reshape(-1, 3) for p, _ in parts]
        colours = [np.broadcast_to(c, (*np.shape(p)[:-1], 4)).reshape(-1, 4) for p, c in parts]
        return Mesh(np.concatenate([np.zeros((0, 3), np.float32), *points]),
                    np.concatenate([np.zeros((0, 4)), *colours]).astype(np.float32))

    def __len__(self) -> int:
        return len(self.points)


def shade(colour: Colour, opacity: float = 1.0) -> Array:
    """A colour with opacity. (4,)."""
    return np.array([*colour, opacity])


def segments(points: Array) -> Array:
    """The lines from each point to the next. (k, d) -> (2 (k - 1), d)."""
    out: Array = np.repeat(points, 2, axis=0)[1:-1]
    return out


def loop(points: Array) -> Array:
    """The same, and back to the first. (k, d) -> (2 k, d)."""
    return segments(np.concatenate([points, points[:1]]))


def fan(points: Array) -> Array:
    """Triangles that fill a convex polygon. (k, 3) -> (3 (k - 2), 3)."""
    k = np.arange(1, max(len(points) - 1, 1))
    out: Array = points[np.stack([np.zeros_like(k), k, k + 1], -1).ravel()]
    return out


def com_path(physics: Physics) -> Mesh:
    """The way of the centre of mass, in the colour of what gave way."""
    table = np.array([shade(EASED[reason]) for reason in REASONS] + [shade(COM)])
    return Mesh.of([(segments(physics.com), segments(table[physics.eased]))])


def ground_path(physics: Physics) -> Mesh:
    """Its way over the ground below."""
    raised = physics.below + (0, 0, LIFT * physics.size)
    return Mesh.of([(segments(raised), shade(COM, 0.45))])


def footprints(physics: Physics) -> tuple[Mesh, Mesh]:
    """Soles where they stand, as triangles, and their outlines as lines."""
    outlines = [(_sole_outline(sole, physics.size), physics.colours[sole.limb]) for sole in physics.soles]
    return (Mesh.of([(fan(o), shade(c, 0.22)) for o, c in outlines]), Mesh.of([(loop(o), shade(c, 0.75)) for o, c in outlines]))


def _sole_outline(sole: Sole, size: float) -> Array:
    """A shoe's: narrow at the heel and wide at the ball; a circle of a foot without a sole. (k, 3)."""
    way = sole.tip - sole.heel
    length = float(np.linalg.norm(way))
    ahead = way / length if length > 1e-6 else np.cross(sole.up, (0.0, 1.0, 0.0))
    left = np.cross(sole.up, ahead)
    left /= max(float(np.linalg.norm(left)), 1e-9)
    turn = np.linspace(0, 2 * np.pi, 2 * ROUND, endpoint=False)
    lifted = sole.heel + LIFT * size * sole.up
    if length <= 1e-6:
        return lifted + POINT * size * (np.cos(turn)[:, None] * np.cross(left, sole.up) + np.sin(turn)[:, None] * left)
    along = 0.5 - 0.5 * np.cos(turn)
    width = SOLE * length * (0.82 + 0.36 * along) * np.sign(np.sin(turn)) * np.abs(np.sin(turn)) ** 0.6
    out: Array = lifted + (-0.06 + 1.12 * along)[:, None] * way + width[:, None] * left
    return out


def support(physics: Physics, k: int) -> tuple[Mesh, Mesh]:
    """The polygon of a frame, filled and as an outline."""
    corners = physics.support(k) + (0, 0, LIFT * physics.size)
    if len(corners) < 2:
        return Mesh.of([]), Mesh.of([])
    return Mesh.of([(fan(corners), shade(SUPPORT, 0.28))]), Mesh.of([(loop(corners), shade(SUPPORT, 0.9))])


def arrow_head(colour: Colour) -> Mesh:
    """A cone of height 1 whose tip is at the origin and points along z."""
    turn = np.linspace(0, 2 * np.pi, ROUND + 1)
    out = np.column_stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)])
    rim = out * (SLIM / HEAD) - (0, 0, 1)
    tip, neck = np.zeros_like(rim[1:]), np.zeros_like(rim[1:]) - (0, 0, 1)
    lit = np.clip(0.82 + 0.18 * (0.5 * (out[:-1] + out[1:]) @ LIGHT), 0, 1)
    shaded = np.column_stack([lit[:, None] * colour, np.ones(ROUND)])
    sides = np.stack([rim[:-1], rim[1:], tip], 1)                                        # (r, 3, 3)
    return Mesh.of([(sides, np.repeat(shaded[:, None], 3, axis=1)),
                    (np.stack([rim[1:], rim[:-1], neck], 1), np.array([*(0.6 * np.array(colour)), 1.0]))])


def arc(colour: Colour) -> Mesh:
    """Three quarters of a circle of radius 1 about z, from x on, and a piece of its axis."""
    turn = np.linspace(0, 1.5 * np.pi, 3 * ROUND + 1)
    line = np.column_stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)])
    return Mesh.of([(segments(line), shade(colour)), (np.array([(0, 0, -0.4), (0, 0, 0.4)], float), shade(colour, 0.6))])


def upright(colour: Colour) -> Mesh:
    """A line from the origin to 1 along z: an arrow's shaft."""
    return Mesh.of([(np.array([(0, 0, 0), (0, 0, 1)], float), shade(colour))])


def drop_line() -> Mesh:
    """A line of length 1 down to the origin, and a ring of radius 1 there."""
    turn = np.linspace(0, 2 * np.pi, 2 * ROUND + 1)
    ring = np.column_stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)])
    line = np.array([(0, 0, 1), (0, 0, 0)], float)
    return Mesh.of([(line, np.array([shade(COM, 0.7), shade(COM, 0.35)])), (segments(ring), shade(COM, 0.95))])
