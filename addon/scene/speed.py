"""Speed along the path, and the limits of a walking humanoid."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.body_size import BodySize
from ...core.character.character import Character
from ...core.clip import QuadrupedStyle, Style, load_builtin_quadruped_style, load_builtin_style
from ...core.engine.base import DriveSpeeds, EngineInfo, SpeedRange
from ...core.engine.centroidal.hurdles import compute_max_hurdle_height
from ...core.errors import TaskError
from ...core.geometry.units import STANDARD_GRAVITY
from ...core.task import Pace, Path, Wait
from ..settings.motion import MotionSettings
from ..units import read_unit_scale
from .path import has_marker_path
from .presence import find_present
from .style import StyleChoice

Array = NDArray[np.float64]

# Points of the path among which the nearest one to a place is searched: 2.5 cm apart on 10 m
PATH_SAMPLE_COUNT = 400

# Least speed of a driven body that is to run, as a multiple of the natural speed of its style:
# it matters for a style that cannot run.
FAST_SPEED_FACTOR = 1.4


@dataclass(frozen=True)
class SpeedShares:
    """Shares of a speed along a path: increasing stations [m], (n,), and the shares there, (n,)."""

    stations: Array
    shares: Array


def read_pace(settings: MotionSettings, scene: bpy.types.Scene, path: Path, fps: float) -> Pace:
    """Return how the speed varies along the path; a curve radius of 1 stands for the full speed.

    Args:
        path: path as it was read from the curve [m].

    Raises:
        TaskError: a wait lies outside the frames of the scene.
    """
    seconds = (scene.frame_end - scene.frame_start) / fps
    uses_radius = (
        settings.radius_speed
        and find_present(settings.path, scene) is not None
        and not has_marker_path(settings)
    )
    shares = (
        _read_radius_shares(settings.path, scene, path)
        if uses_radius
        else SpeedShares(np.zeros(1), np.ones(1))
    )
    return Pace(
        seconds,
        shares.stations,
        shares.shares,
        tuple(_read_wait(wait, scene, fps) for wait in settings.waits),
    )


def _read_wait(wait: bpy.types.PropertyGroup, scene: bpy.types.Scene, fps: float) -> Wait:
    if not scene.frame_start <= wait.frame < scene.frame_end:
        raise TaskError(
            f"There is a wait at frame {wait.frame}; it must begin between the scene's first "
            f"frame, {scene.frame_start}, and the one before its last, {scene.frame_end - 1}."
        )
    return Wait((wait.frame - scene.frame_start) / fps, wait.frames / fps)


def _read_radius_shares(curve: bpy.types.Object, scene: bpy.types.Scene, path: Path) -> SpeedShares:
    """Return the radii of the control points of a curve as shares of the speed."""
    spline = max(curve.data.splines, key=lambda s: max(len(s.bezier_points), len(s.points)))
    points = list(spline.bezier_points) or list(spline.points)
    positions = np.array([curve.matrix_world @ p.co.to_3d() for p in points])[
        :, :2
    ] * read_unit_scale(scene)
    distances = np.linspace(0.0, path.length, PATH_SAMPLE_COUNT)
    path_points = path.position_at(distances)  # (PATH_SAMPLE_COUNT, 2)
    stations = []
    nearest_index = 0
    # search only ahead of the previous point: a path may cross itself
    for position in positions:
        nearest_index += int(
            np.argmin(np.linalg.norm(path_points[nearest_index:] - position, axis=1))
        )
        stations.append(distances[nearest_index])
    is_increasing = np.append(True, np.diff(stations) > 0)
    radii = np.array([p.radius for p in points])
    return SpeedShares(np.array(stations)[is_increasing], radii[is_increasing])


@dataclass(frozen=True)
class WalkLimits:
    """What limits the speed and the steps of a walking humanoid.

    Args:
        leg_length: [m].
        path: path over the ground.
        style: style of the walk or run.
        gravity: [m/s^2].
    """

    leg_length: float
    path: Path
    style: StyleChoice
    gravity: float

    @property
    def resolved_style(self) -> Style:
        """The style with mixed styles and knobs applied."""
        return self.style.resolved

    def compute_natural_speed(self) -> float:
        """Return the preferred speed of the style on these legs [m/s], by its Froude number."""
        return compute_natural_speed(self.leg_length, self.resolved_style, self.gravity)

    def compute_leap_speed(self) -> float:
        """Return the natural speed of a run if the style can run, else of a walk [m/s]."""
        can_run = self.resolved_style.cycles[-1].duty < 0.5
        return compute_natural_speed(
            self.leg_length, load_builtin_style("run" if can_run else "walk"), self.gravity
        )

    def compute_drive_speeds(self) -> DriveSpeeds:
        """Return the speeds at which the body is driven in its style."""
        natural_speed = self.compute_natural_speed()
        speed_range = SpeedRange.from_leg_length(self.leg_length, self.gravity)
        fast_speed = max(self.compute_leap_speed(), FAST_SPEED_FACTOR * natural_speed)
        return DriveSpeeds(speed_range.slowest, natural_speed, min(fast_speed, speed_range.fastest))

    def is_walk_at(self, speed: float) -> bool:
        """Return whether a foot is always on the ground at a speed [m/s]."""
        return self.resolved_style.cycle_at(
            speed / float(np.sqrt(self.gravity * self.leg_length))
        ).is_walk

    def compute_max_step_height(self, speed: float) -> float:
        """Return the height [m] of the highest hurdle that can be passed at a speed [m/s]."""
        return compute_max_hurdle_height(self.resolved_style, speed, self.leg_length, self.gravity)

    def compute_max_leap_height(self) -> float:
        """Return the height of the highest hurdle that a run could leap over [m]."""
        run = load_builtin_style("run")
        return compute_max_hurdle_height(
            run,
            compute_natural_speed(self.leg_length, run, self.gravity),
            self.leg_length,
            self.gravity,
        )


def choose_natural_speed(
    engine: EngineInfo, character: Character, style: Style, gravity: float
) -> float:
    """Return the speed [m/s] at which an engine moves a character best.

    It is that of the engine, if its controller prefers one, and else that of the style.
    """
    if engine.compute_natural_speed is None:
        return compute_natural_speed(character.leg_length, style, gravity)
    return engine.compute_natural_speed(BodySize.from_character(character), gravity)


def compute_default_gait_speed(earth_speed: float, gravity: float, style: QuadrupedStyle) -> float:
    """Return the natural speed of a body that moves by gaits [m/s], by the Froude number that it
    has on Earth.

    Args:
        earth_speed: natural speed on Earth [m/s].
        gravity: [m/s^2].
        style: style of a quadruped, which scales the speed; Natural for other bodies.
    """
    ratio = style.preferred_speed / load_builtin_quadruped_style("natural").preferred_speed
    return ratio * earth_speed * float(np.sqrt(gravity / STANDARD_GRAVITY))


def compute_natural_speed(leg_length: float, style: Style, gravity: float) -> float:
    """Return the preferred speed [m/s] of a style on legs of a length [m], by its Froude number."""
    return style.preferred_speed * float(np.sqrt(gravity * leg_length))
