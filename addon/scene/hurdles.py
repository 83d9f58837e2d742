"""A collection of meshes as hurdles to leap over."""
from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import TaskError
from ...core.task import Hurdle, Path
from ...core.terrain import Ground, narrowest_box
from .meshes import Shape, read_shapes
from .speed import Walker

Array = NDArray[np.float64]

UPPER = 0.5           # of its height over the ground, from which on a hurdle counts for where it is and how deep
SQUARE = 0.7          # width by length, from which on a box counts as a hurdle across the path whichever way it is turned
SHORTEST = 0.1        # leg lengths, of a hurdle
LOWEST = 0.01         # leg lengths
AHEAD = 10.0          # leg lengths past the path's end in which hurdles are looked for
LENGTHWISE = np.cos(np.radians(30))      # cosine of the angle between path and hurdle, above which it lies along the path


@dataclass(frozen=True)
class Bars:
    """Hurdles with the names of their objects, and which of them the path crosses."""

    hurdles: tuple[Hurdle, ...]
    names: tuple[str, ...]
    crossed: tuple[bool, ...]

    @property
    def tallest(self) -> float:
        """Height of the tallest one that the path crosses, m; 0 where it crosses none."""
        return max((h.height for h, on in zip(self.hurdles, self.crossed, strict=True) if on), default=0.0)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know."""
        return () if any(self.crossed) or not self.hurdles else ("the path crosses none of the hurdles",)

    def refuse_too_high(self, walker: Walker, speed: float) -> None:
        """Refuse a hurdle in the way that cannot be passed over at a speed in m/s.

        Raises:
            TaskError: with the hurdle's name, how high it may be, and what to change.
        """
        most, leapt = walker.passes_over(speed), walker.leaps_over()
        for hurdle, name, on in zip(self.hurdles, self.names, self.crossed, strict=True):
            if on and hurdle.height > leapt:
                raise TaskError(f"The hurdle {name!r} is {hurdle.height:.2f} m high; with legs {walker.leg_length:.2f} m long at "
                                f"most {leapt:.2f} m can be leapt over. Make it lower, or lead the path past it.")
            if on and hurdle.height > most:
                raise TaskError(f"The hurdle {name!r} is {hurdle.height:.2f} m high; a walk can step over {most:.2f} m at most. "
                                "Let the character run (style Natural with Natural Speed, or style Run), or make the hurdle lower.")


def read_hurdles(collection: bpy.types.ID | None, scene: bpy.types.Scene, ground: Ground, walker: Walker) -> Bars:
    """The hurdles of a collection: each visible mesh is one, as high as its highest point.

    Raises:
        TaskError: there is none, or one that cannot be leapt over whatever the speed; the message names it.
    """
    if collection is None:
        return Bars((), (), ())
    shapes = read_shapes(collection, scene, "hurdles", TaskError)
    found = [_hurdle(shape, ground, walker) for shape in shapes]
    crossed = [_crossed(h, shape.name, walker) for h, shape in zip(found, shapes, strict=True)]
    return Bars(tuple(found), tuple(shape.name for shape in shapes), tuple(crossed))


def _hurdle(shape: Shape, ground: Ground, walker: Walker) -> Hurdle:
    top = float(shape.vertices[:, 2].max())
    under = float(ground.height(shape.vertices[:, :2].mean(0)))
    level = under if np.isfinite(under) else 0.0
    height = top - level
    if height < LOWEST * walker.leg_length:
        raise TaskError(f"The hurdle {shape.name!r} ends {abs(height):.2f} m {'below' if height < 0 else 'above'} the ground under "
                        "it. Move it up, or take it out of the collection.")
    box = narrowest_box(_above(shape, level + UPPER * height)[:, :2])
    if box.width > SQUARE * box.length and _onward(box.along, box.middle, walker.path) > np.sqrt(0.5):
        box = box.turned()
    if box.length < SHORTEST * walker.leg_length:
        raise TaskError(f"The hurdle {shape.name!r} is only {box.length:.2f} m long; make it at least "
                        f"{SHORTEST * walker.leg_length:.2f} m.")
    (ax, ay), (bx, by) = box.ends
    return Hurdle((ax, ay), (bx, by), height, box.width)


def _above(shape: Shape, level: float) -> Array:
    """Corners of what of a mesh's edges is above a level. (n, 3)."""
    a, b = shape.vertices[shape.edges[:, 0]], shape.vertices[shape.edges[:, 1]]
    over = (a[:, 2] > level) != (b[:, 2] > level)
    share = (level - a[over, 2]) / (b[over, 2] - a[over, 2])
    return np.concatenate([shape.vertices[shape.vertices[:, 2] >= level], a[over] + share[:, None] * (b - a)[over]])


def _onward(along: Array, at: Array, path: Path) -> float:
    """How much a direction is that of the path near a place: 1 along it, 0 across."""
    stations = np.linspace(0.0, path.length, 400)
    heading = float(path.heading(stations[((path.position(stations) - at) ** 2).sum(1).argmin()]))
    return abs(float(along @ [np.cos(heading), np.sin(heading)]))


def _crossed(hurdle: Hurdle, name: str, walker: Walker) -> bool:
    """Whether the path leads over a hurdle; refuses one that lies along it."""
    step = 0.02 * walker.leg_length
    line = walker.path.position(np.arange(0.0, walker.path.length + AHEAD * walker.leg_length, step))
    across, past = hurdle.beside(line)
    if not ((np.abs(across) <= 0.5 * hurdle.depth + step) & (past <= step)).any():
        return False
    along = (np.asarray(hurdle.end) - hurdle.start) / np.linalg.norm(np.asarray(hurdle.end) - hurdle.start)
    if _onward(along, 0.5 * (np.asarray(hurdle.start) + hurdle.end), walker.path) > LENGTHWISE:
        raise TaskError(f"The hurdle {name!r} lies along the path instead of across it. Turn it, or move it aside.")
    return True
