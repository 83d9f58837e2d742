"""Hurdles to leap over from a collection of meshes."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import TaskError
from ...core.task import Hurdle, Path
from ...core.terrain import Ground, find_narrowest_box
from .meshes import SceneMesh, read_scene_meshes
from .speed import PATH_SAMPLE_COUNT, WalkLimits

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HurdleMeshParameters:
    """How a mesh is read as a hurdle.

    Args:
        upper_part_height: height above which a mesh sets the position and depth of its hurdle, as a
            share of its height over the ground.
        square_ratio: ratio of width to length of a box above which it counts as nearly square, so
            that the side across the path is its bar.
        min_length: least length of a hurdle [leg lengths], the width of a foot: a shorter one is
            passed beside it.
        min_height: least height of a hurdle [leg lengths]. Lower ones are below the clearance of
            any step, and rounding of heights of the ground.
        search_distance: distance past the end of the path in which hurdles count [leg lengths]: a
            motion that is longer than its path continues straight on.
        lengthwise_cosine: cosine of the angle between path and bar above which a hurdle lies along
            the path.
        crossing_step: distance between the points of the path that are tested [leg lengths], a
            fifth of `min_length`, so that no hurdle lies between two of them.
    """

    upper_part_height: float = 0.5
    square_ratio: float = 0.7
    min_length: float = 0.1
    min_height: float = 0.01
    search_distance: float = 10.0
    lengthwise_cosine: float = float(np.cos(np.radians(30)))
    crossing_step: float = 0.02


HURDLE = HurdleMeshParameters()


@dataclass(frozen=True)
class SceneHurdles:
    """Hurdles of a scene.

    Args:
        hurdles: the hurdles.
        names: names of their objects.
        is_crossed: whether the path crosses each.
    """

    hurdles: tuple[Hurdle, ...]
    names: tuple[str, ...]
    is_crossed: tuple[bool, ...]

    @property
    def max_height(self) -> float:
        """Height of the highest hurdle that the path crosses [m]; 0 if it crosses none."""
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
        """Remarks for the user."""
        return (
            ()
            if any(self.is_crossed) or not self.hurdles
            else ("the path crosses none of the hurdles",)
        )

    def check_heights(self, walk_limits: WalkLimits, speed: float) -> None:
        """Refuse a hurdle on the path that is too high at a speed [m/s].

        Raises:
            TaskError: a hurdle is too high; the message has its name, the limit and what to change.
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
    """Return the hurdles of a collection: each visible mesh is one, as high as its highest point.

    Raises:
        TaskError: the collection has no mesh, or one that cannot be a hurdle; the message names it.
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
    if height < HURDLE.min_height * walk_limits.leg_length:
        raise TaskError(
            f"The hurdle {shape.name!r} ends {abs(height):.2f} m "
            f"{'below' if height < 0 else 'above'} the ground under it. Move it up, or take it "
            "out of the collection."
        )
    upper_corners = _find_corners_above(shape, level + HURDLE.upper_part_height * height)
    box = find_narrowest_box(upper_corners[:, :2])
    if box.width > HURDLE.square_ratio * box.length and _measure_path_alignment(
        box.direction, box.center, walk_limits.path
    ) > np.sqrt(0.5):
        box = box.swap_sides()
    min_length = HURDLE.min_length * walk_limits.leg_length
    if box.length < min_length:
        raise TaskError(
            f"The hurdle {shape.name!r} is only {box.length:.2f} m long; make it at least "
            f"{min_length:.2f} m."
        )
    (ax, ay) = box.start
    (bx, by) = box.end
    return Hurdle((ax, ay), (bx, by), height, box.width)


def _find_corners_above(shape: SceneMesh, level: float) -> Array:
    """Return the corners of the part of a mesh's wireframe above a level, (n, 3)."""
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
    """Return the absolute cosine between a direction and the path near a point: 1 along it, 0
    across.
    """
    stations = np.linspace(0.0, path.length, PATH_SAMPLE_COUNT)
    heading = float(
        path.heading_at(stations[((path.position_at(stations) - place) ** 2).sum(1).argmin()])
    )
    return abs(float(direction @ [np.cos(heading), np.sin(heading)]))


def _is_crossed(hurdle: Hurdle, name: str, walk_limits: WalkLimits) -> bool:
    """Return whether the path crosses a hurdle.

    Raises:
        TaskError: the hurdle lies along the path.
    """
    step = HURDLE.crossing_step * walk_limits.leg_length
    search_length = walk_limits.path.length + HURDLE.search_distance * walk_limits.leg_length
    line = walk_limits.path.position_at(np.arange(0.0, search_length, step))
    offsets = hurdle.measure_offsets(line)
    is_over_bar = np.abs(offsets.across) <= 0.5 * hurdle.depth + step
    if not (is_over_bar & (offsets.past_end <= step)).any():
        return False
    bar_direction = (np.asarray(hurdle.end) - hurdle.start) / np.linalg.norm(
        np.asarray(hurdle.end) - hurdle.start
    )
    if (
        _measure_path_alignment(
            bar_direction, 0.5 * (np.asarray(hurdle.start) + hurdle.end), walk_limits.path
        )
        > HURDLE.lengthwise_cosine
    ):
        raise TaskError(
            f"The hurdle {name!r} lies along the path instead of across it. Turn it, or move it "
            "aside."
        )
    return True
