"""Bodies of any size planned at human scale.

Motions of bodies of the same shape are alike when lengths go with the leg length l and times with
sqrt(l / g) (Froude). So every task is brought to legs of 0.93 m and a gravity of 9.81 m/s^2, where
the engine's constants were tuned, and its motion is brought back. A mouse, a giant and a walk on
the moon need no constants of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...character.character import Character
from ...character.scaled import scale_character
from ...motion import Motion
from ...motion.motion import Solid
from ...task import Path, PinnedStep, Push, Task
from ...terrain import FlatGround, Ground

Array = NDArray[np.float64]

REFERENCE_LEG_LENGTH = 0.93  # m
REFERENCE_GRAVITY = 9.81  # m/s^2


@dataclass(frozen=True)
class Scale:
    """Metres and seconds of the task for one of the engine's."""

    length: float
    time: float

    def to_task_scale(self, motion: Motion) -> Motion:
        """A motion at human scale brought back to the task's own."""
        length = self.length
        time = self.time
        if length == 1 and time == 1:
            return motion
        force = length / time**2
        steps = tuple(
            replace(
                f,
                strike=f.strike * time,
                flat=f.flat * time,
                heel_off=f.heel_off * time,
                lift=f.lift * time,
                position=f.position * length,
            )
            for f in motion.footsteps
        )
        solids = tuple(
            Solid(s.link, s.start * length, s.end * length, s.radius * length)
            for s in motion.solids
        )
        violations = tuple(
            replace(e, begin=e.begin * time, end=e.end * time) for e in motion.report.violations
        )
        report = replace(
            motion.report, clip_seconds=motion.report.clip_seconds * time, violations=violations
        )
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
            footsteps=steps,
            solids=solids,
            report=report,
        )


class _ScaledGround:
    """A ground seen through a magnifying glass."""

    def __init__(self, ground: Ground, length: float) -> None:
        self._ground = ground
        self._length = length

    def sample_heights(self, xy: ArrayLike) -> Array:
        return self._ground.sample_heights(np.asarray(xy, float) * self._length) / self._length

    def to_mesh(self) -> tuple[Array, NDArray[np.int64]] | None:
        mesh = self._ground.to_mesh()
        return None if mesh is None else (mesh[0] / self._length, mesh[1])


def to_human_scale(task: Task, character: Character) -> tuple[Task, Character, Scale]:
    """A task and its character at human scale, and the way back."""
    length = character.leg_length / REFERENCE_LEG_LENGTH
    time = float(np.sqrt(length * REFERENCE_GRAVITY / task.gravity))
    if abs(length - 1) < 1e-9 and abs(time - 1) < 1e-9:
        return task, character, Scale(1.0, 1.0)
    ground = (
        task.ground if isinstance(task.ground, FlatGround) else _ScaledGround(task.ground, length)
    )
    stride = None if task.stride_length is None else task.stride_length.scaled(1 / length, 1 / time)
    facing = (
        None if task.facing is None else task.facing.with_stations(task.facing.stations / length)
    )
    scale = Scale(length, time)
    pushes = tuple(scale_push(p, scale) for p in task.pushes)
    scaled_task = replace(
        task,
        path=Path(task.path.points / length),
        ground=ground,
        seconds=task.seconds / time,
        fps=task.fps * time,
        gravity=REFERENCE_GRAVITY,
        speed=task.speed.scaled(time / length, 1 / time),
        stride_length=stride,
        step_width_factor=task.step_width_factor.scaled(1.0, 1 / time),
        facing_offset=task.facing_offset.scaled(1.0, 1 / time),
        facing=facing,
        pushes=pushes,
        projectiles=tuple(p.scaled(1 / length, 1 / time) for p in task.projectiles),
        pinned_steps=tuple(scale_pinned_step(k, scale) for k in task.pinned_steps),
        hurdles=tuple(h.scaled(1 / length) for h in task.hurdles),
        forbidden_areas=tuple(f.scaled(1 / length) for f in task.forbidden_areas),
        monkey_bars=None if task.monkey_bars is None else task.monkey_bars.scaled(1 / length),
        stepping_stones=None
        if task.stepping_stones is None
        else task.stepping_stones.scaled(1 / length),
        first_pose=None if task.first_pose is None else task.first_pose.scaled(1 / length),
        last_pose=None if task.last_pose is None else task.last_pose.scaled(1 / length),
        key_poses=tuple(s.scaled(1 / time) for s in task.key_poses),
        gaze=None if task.gaze is None else task.gaze.scaled(1 / length, 1 / time),
        jumps=tuple(
            replace(j, time=j.time / time, height=j.height / length, distance=j.distance / length)
            for j in task.jumps
        ),
    )
    return scaled_task, scale_character(character, 1 / length), scale


def scale_push(push: Push, scale: Scale) -> Push:
    """A push of the task's brought to human scale; masses stay."""
    x, y, z = (f * scale.time**2 / scale.length for f in push.force)
    a, b, c = (m * scale.time**2 / scale.length**2 for m in push.moment)
    return replace(
        push,
        time=push.time / scale.time,
        seconds=push.seconds / scale.time,
        force=(x, y, z),
        moment=(a, b, c),
    )


def scale_pinned_step(pinned: PinnedStep, scale: Scale) -> PinnedStep:
    """A kept footstep of the task's brought to human scale."""
    x, y = pinned.position
    return replace(
        pinned.with_times(lambda t: t / scale.time), position=(x / scale.length, y / scale.length)
    )
