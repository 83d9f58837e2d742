"""Conversion of tasks to human scale and to a finer frame rate, and of motions back.

Motions of bodies of the same shape are similar when lengths scale with the leg length l and times
with sqrt(l / g) (Froude similarity). Every task is therefore converted to a leg length of 0.93 m
and a gravity of 9.81 m/s^2, for which the constants of the engines were tuned, and its motion is
converted back. A mouse, a giant and a walk on the moon use the same constants.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...character.character import Character
from ...character.scaled import scale_character
from ...geometry.units import HUMAN_LEG_LENGTH, STANDARD_GRAVITY
from ...motion import Footstep, Motion, Report
from ...motion.motion import Solid
from ...task import Task

# Leg length [m] and gravity [m/s^2] for which the constants of the engines were tuned.
REFERENCE_LEG_LENGTH = HUMAN_LEG_LENGTH
REFERENCE_GRAVITY = STANDARD_GRAVITY
# Frame rate at human scale below which motions are solved at a multiple of the rate [1/s]: at 4
# frames a second feet drifted by 20 cm.
MIN_SOLVED_FPS = 12.0


@dataclass(frozen=True)
class Scale:
    """Units of the human scale.

    Args:
        length: unit of length [m].
        time: unit of time [s].
    """

    length: float
    time: float

    def to_task_scale(self, motion: Motion) -> Motion:
        """Return a motion at human scale in the units of the task."""
        length = self.length
        time = self.time
        if length == 1 and time == 1:
            return motion
        force = length / time**2
        vertices = None if motion.terrain_vertices is None else motion.terrain_vertices * length
        return replace(
            motion,
            fps=motion.fps / time,
            gravity=motion.gravity * length / time**2,
            link_inertia=motion.link_inertia * length**2,
            link_position=motion.link_position * length,
            contact_position=motion.contact_position * length,
            contact_force=motion.contact_force * force,
            push_force=motion.push_force * force,
            push_point=motion.push_point * length,
            push_moment=motion.push_moment * force * length,
            planned_com=motion.planned_com * length,
            goal_velocity=motion.goal_velocity * length / time,
            terrain_vertices=vertices,
            link_origin=motion.link_origin * length,
            path=motion.path * length,
            rungs=motion.rungs * length,
            hurdles=motion.hurdles * length,
            hurdle_depth=motion.hurdle_depth * length,
            **self._convert_surface(motion),
            footsteps=tuple(self._convert_footstep(step) for step in motion.footsteps),
            solids=tuple(
                Solid(s.link, s.start * length, s.end * length, s.radius * length)
                for s in motion.solids
            ),
            report=self._convert_report(motion.report),
        )

    def _convert_surface(self, motion: Motion) -> dict[str, Any]:
        """Return the fields of the moving ground."""
        if motion.surface_line is None or motion.surface_width is None:
            return {}
        return {
            "surface_line": motion.surface_line * self.length,
            "surface_width": motion.surface_width * self.length,
        }

    def _convert_footstep(self, step: Footstep) -> Footstep:
        return replace(
            step,
            strike=step.strike * self.time,
            flat=step.flat * self.time,
            heel_off=step.heel_off * self.time,
            lift=step.lift * self.time,
            position=step.position * self.length,
        )

    def _convert_report(self, report: Report) -> Report:
        violations = tuple(
            replace(v, begin=v.begin * self.time, end=v.end * self.time) for v in report.violations
        )
        return replace(report, clip_seconds=report.clip_seconds * self.time, violations=violations)


@dataclass(frozen=True)
class HumanScaleTask:
    """A task and its character at human scale.

    Args:
        task: in units of `scale`, with the reference gravity.
        character: of the reference leg length.
        scale: back to the original task.
    """

    task: Task
    character: Character
    scale: Scale


def to_human_scale(task: Task, character: Character) -> HumanScaleTask:
    """Return a task and its character at human scale."""
    length = character.leg_length / REFERENCE_LEG_LENGTH
    time = float(np.sqrt(length * REFERENCE_GRAVITY / task.gravity))
    if abs(length - 1) < 1e-9 and abs(time - 1) < 1e-9:
        return HumanScaleTask(task, character, Scale(1.0, 1.0))
    return HumanScaleTask(
        replace(task.in_units(length, time), gravity=REFERENCE_GRAVITY),
        scale_character(character, 1 / length),
        Scale(length, time),
    )


def count_solved_frames(fps: float, time_scale: float) -> int:
    """Return the number of frames that are solved for each frame of a task.

    Poses are solved, and contacts judged, with the velocities between frames. These state nothing
    about a foot that lands and leaves the ground from one frame to the next.

    Args:
        fps: frame rate of the task [1/s].
        time_scale: duration of a movement of the body, as a multiple of that of a human body.
    """
    return max(1, int(np.ceil(MIN_SOLVED_FPS / (fps * time_scale))))


def with_fine_frames(task: Task, count: int) -> Task:
    """Return a task with several frames in place of each, the last one included."""
    if count == 1:
        return task
    return replace(task, fps=count * task.fps, seconds=(task.frames - 1) / task.fps)


def with_task_frames(motion: Motion, count: int) -> Motion:
    """Return a motion with one of several solved frames."""
    if count == 1:
        return motion
    return replace(motion.take_frames(slice(None, None, count)), fps=motion.fps / count)
