"""Speed along the path, and the limits of a walking character."""
from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.clip import QuadrupedStyle, Style, builtin_style, quadruped_style
from ...core.engine.centroidal.hurdles import highest_bar
from ...core.errors import TaskError
from ...core.task import Pace, Path, Wait
from ..settings.motion import Wish
from ..units import unit_scale
from .path import goes_by_markers
from .style import Chosen

Array = NDArray[np.float64]

FINE = 400            # places of a path among which the one that is nearest to a point of the curve is sought


def read_pace(wish: Wish, scene: bpy.types.Scene, path: Path, fps: float) -> Pace:
    """How the speed goes over places and waits; all of it is where the curve has a radius of 1.

    Args:
        path: as it was read from the curve, in metres.

    Raises:
        TaskError: a wait lies outside of the scene's frames.
    """
    seconds = (scene.frame_end - scene.frame_start) / fps
    by_radius = wish.radius_speed and wish.path is not None and not goes_by_markers(wish)
    stations, shares = _shares(wish.path, scene, path) if by_radius else ([0.0], [1.0])
    return Pace(seconds, stations, shares, tuple(_wait(wait, scene, fps) for wait in wish.waits))


def _wait(wait: bpy.types.PropertyGroup, scene: bpy.types.Scene, fps: float) -> Wait:
    if not scene.frame_start <= wait.frame < scene.frame_end:
        raise TaskError(f"There is a wait at frame {wait.frame}; it must begin between the scene's first frame, "
                        f"{scene.frame_start}, and the one before its last, {scene.frame_end - 1}.")
    return Wait((wait.frame - scene.frame_start) / fps, wait.frames / fps)


def _shares(curve: bpy.types.Object, scene: bpy.types.Scene, path: Path) -> tuple[Array, Array]:
    """Radii of the curve's points by how far along the path they are. (n,), (n,)."""
    spline = max(curve.data.splines, key=lambda s: max(len(s.bezier_points), len(s.points)))
    points = list(spline.bezier_points) or list(spline.points)
    places = np.array([curve.matrix_world @ p.co.to_3d() for p in points])[:, :2] * unit_scale(scene)
    along = np.linspace(0.0, path.length, FINE)
    way = path.position(along)                                                             # (FINE, 2)
    stations, least = [], 0
    for place in places:          # one after the other, so that a path that crosses itself is told apart
        least += int(np.argmin(np.linalg.norm(way[least:] - place, axis=1)))
        stations.append(along[least])
    rises = np.append(True, np.diff(stations) > 0)
    return np.array(stations)[rises], np.array([p.radius for p in points])[rises]

EARTH = 9.81          # m/s^2


@dataclass(frozen=True)
class Walker:
    """Length of its legs in m, and what it was asked for; gravity in m/s^2."""

    leg_length: float
    path: Path
    style: Chosen
    gravity: float

    @property
    def manner(self) -> Style:
        """The style with all that is mixed in and turned."""
        return self.style.made

    def natural_speed(self) -> float:
        """Speed in m/s that the style goes at on such legs (Froude)."""
        return natural_speed(self.leg_length, self.manner, self.gravity)

    def leaping_speed(self) -> float:
        """The same of a run, for a style that can run; of a walk otherwise."""
        runs = self.manner.cycles[-1].duty < 0.5
        return natural_speed(self.leg_length, builtin_style("run" if runs else "walk"), self.gravity)

    def walks_at(self, speed: float) -> bool:
        """Whether a foot is always on the ground at a speed in m/s."""
        return self.manner.at(speed / float(np.sqrt(self.gravity * self.leg_length))).walks

    def passes_over(self, speed: float) -> float:
        """The highest hurdle that it can pass over at a speed in m/s, m."""
        return highest_bar(self.manner, speed, self.leg_length, self.gravity)

    def leaps_over(self) -> float:
        """The highest hurdle that it could leap over if it ran, m."""
        run = builtin_style("run")
        return highest_bar(run, natural_speed(self.leg_length, run, self.gravity), self.leg_length, self.gravity)


def own_speed(on_earth: float, gravity: float, style: QuadrupedStyle) -> float:
    """Speed in m/s that a body goes at of itself under a gravity in m/s^2, by the one that it has on earth (Froude).

    Args:
        style: of a body on four legs, which goes at a speed of its own; the natural one for others.
    """
    times = style.preferred / quadruped_style("natural").preferred
    return times * on_earth * float(np.sqrt(gravity / EARTH))


def natural_speed(leg_length: float, style: Style, gravity: float) -> float:
    """Speed in m/s that a style goes at on legs of a length (Froude)."""
    return style.preferred * float(np.sqrt(gravity * leg_length))
