"""A collection of meshes as hurdles to leap over."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import TaskError
from ...core.task import Hurdle, Path
from ...core.terrain import Ground, find_narrowest_box
from .meshes import SceneMesh, read_scene_meshes
from .speed import WalkLimits

Array = NDArray[np.float64]

# of its height over the ground, from which on a hurdle counts for where it is and how deep
UPPER_PART_HEIGHT = 0.5
# width by length, from which on a box counts as a hurdle across the path whichever way it is turned
SQUARE_RATIO = 0.7
MIN_HURDLE_LENGTH = 0.1  # leg lengths, of a hurdle
MIN_HURDLE_HEIGHT = 0.01  # leg lengths
SEARCH_DISTANCE = 10.0  # leg lengths past the path's end in which hurdles are looked for
# cosine of the angle between path and hurdle, above which it lies along the path
LENGTHWISE_COSINE = np.cos(np.radians(30))


@dataclass(frozen=True)
class SceneHurdles:
    """Hurdles with the names of their objects, and which of them the path crosses."""

    hurdles: tuple[Hurdle, ...]
    names: tuple[str, ...]
    is_crossed: tuple[bool, ...]

    @property
    def max_height(self) -> float:
        """Height of the tallest one that the path crosses, m; 0 where it crosses none."""
        return max(
            (
                h.height
                for h, is_crossed in zip(self.hurdles, self.is_crossed, strict=True)
                if is_crossed
            ),
            default=0.0,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know."""
        return (
            ()
            if any(self.is_crossed) or not self.hurdles
            else ("the path crosses none of the hurdles",)
        )

    def check_heights(self, walk_limits: WalkLimits, speed: float) -> None:
        """Refuse a hurdle in the way that cannot be passed over at a speed in m/s.

        Raises:
            TaskError: with the hurdle's name, how high it may be, and what to change.
        """
        step_limit = walk_limits.compute_max_step_height(speed)
        leap_limit = walk_limits.compute_max_leap_height()
        for hurdle, name, is_crossed in zip(self.hurdles, self.names, self.is_crossed, strict=True):
            if is_crossed and hurdle.height > leap_limit:
                raise TaskError(
                    f"The hurdle {name!r} is {hurdle.height:.2f} m high; with legs "
                    f"{walk_limits.leg_length:.2f} m long at most {leap_limit:.2f} m can be leapt "
                    "over. Make it lower, or lead the path past it."
                )
            if is_crossed and hurdle.height > step_limit:
                raise TaskError(
                    f"The hurdle {name!r} is {hurdle.height:.2f} m high; a walk can step over "
                    f"{step_limit:.2f} m at most. Let the character run (style Natural with "
                    "Natural Speed, or style Run), or make the hurdle lower."
                )


def read_hurdles(
    collection: bpy.types.ID | None, scene: bpy.types.Scene, ground: Ground, walk_limits: WalkLimits
) -> SceneHurdles:
    """The hurdles of a collection: each visible mesh is one, as high as its highest point.

    Raises:
        TaskError: there is none, or one that cannot be leapt over whatever the
            speed; the message names it.
    """
    if collection is None:
        return SceneHurdles((), (), ())
    shapes = read_scene_meshes(collection, scene, "hurdles", TaskError)
    hurdles = [_read_hurdle(shape, ground, walk_limits) for shape in shapes]
    is_crossed = [
        _is_crossed(h, shape.name, walk_limits) for h, shape in zip(hurdles, shapes, strict=True)
    ]
    return SceneHurdles(tuple(hurdles), tuple(shape.name for shape in shapes), tuple(is_crossed))


def _read_hurdle(shape: SceneMesh, ground: Ground, walk_limits: WalkLimits) -> Hurdle:
    top = float(shape.vertices[:, 2].max())
    ground_height = float(ground.sample_heights(shape.vertices[:, :2].mean(0)))
    level = ground_height if np.isfinite(ground_height) else 0.0
    height = top - level
    if height < MIN_HURDLE_HEIGHT * walk_limits.leg_length:
        raise TaskError(
            f"The hurdle {shape.name!r} ends {abs(height):.2f} m "
            f"{'below' if height < 0 else 'above'} the ground under it. Move it up, or take it "
            "out of the collection."
        )
    box = find_narrowest_box(_find_corners_above(shape, level + UPPER_PART_HEIGHT * height)[:, :2])
    if box.width > SQUARE_RATIO * box.length and _measure_path_alignment(
        box.direction, box.center, walk_limits.path
    ) > np.sqrt(0.5):
        box = box.swap_sides()
    if box.length < MIN_HURDLE_LENGTH * walk_limits.leg_length:
        raise TaskError(
            f"The hurdle {shape.name!r} is only {box.length:.2f} m long; make it at least "
            f"{MIN_HURDLE_LENGTH * walk_limits.leg_length:.2f} m."
        )
    (ax, ay), (bx, by) = box.ends
    return Hurdle((ax, ay), (bx, by), height, box.width)


def _find_corners_above(shape: SceneMesh, level: float) -> Array:
    """Corners of what of a mesh's edges is above a level. (n, 3)."""
    a = shape.vertices[shape.edges[:, 0]]
    b = shape.vertices[shape.edges[:, 1]]
    crosses_level = (a[:, 2] > level) != (b[:, 2] > level)
    share = (level - a[crosses_level, 2]) / (b[crosses_level, 2] - a[crosses_level, 2])
    return np.concatenate(
        [
            shape.vertices[shape.vertices[:, 2] >= level],
            a[crosses_level] + share[:, None] * (b - a)[crosses_level],
        ]
    )


def _measure_path_alignment(direction: Array, place: Array, path: Path) -> float:
    """How much a direction is that of the path near a place: 1 along it, 0 across."""
    stations = np.linspace(0.0, path.length, 400)
    heading = float(
        path.heading_at(stations[((path.position_at(stations) - place) ** 2).sum(1).argmin()])
    )
    return abs(float(direction @ [np.cos(heading), np.sin(heading)]))


def _is_crossed(hurdle: Hurdle, name: str, walk_limits: WalkLimits) -> bool:
    """Whether the path leads over a hurdle; refuses one that lies along it."""
    step = 0.02 * walk_limits.leg_length
    line = walk_limits.path.position_at(
        np.arange(0.0, walk_limits.path.length + SEARCH_DISTANCE * walk_limits.leg_length, step)
    )
    across, past_end = hurdle.measure_offsets(line)
    if not ((np.abs(across) <= 0.5 * hurdle.depth + step) & (past_end <= step)).any():
        return False
    bar_direction = (np.asarray(hurdle.end) - hurdle.start) / np.linalg.norm(
        np.asarray(hurdle.end) - hurdle.start
    )
    if (
        _measure_path_alignment(
            bar_direction, 0.5 * (np.asarray(hurdle.start) + hurdle.end), walk_limits.path
        )
        > LENGTHWISE_COSINE
    ):
        raise TaskError(
            f"The hurdle {name!r} lies along the path instead of across it. Turn it, or move it "
            "aside."
        )
    return True
