"""Bodies of any size planned at human scale.

Motions of bodies of the same shape are alike when lengths go with the leg length l and times with sqrt(l / g) (Froude). So
every task is brought to legs of 0.93 m and a gravity of 9.81 m/s^2, where the engine's constants were tuned, and its motion
is brought back. A mouse, a giant and a walk on the moon need no constants of their own.
"""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...character.character import Character
from ...character.scaled import scaled
from ...motion import Motion
from ...motion.motion import Solid
from ...task import KeptStep, Path, Push, Task
from ...terrain import Flat, Ground

Array = NDArray[np.float64]

LEG = 0.93            # m
GRAVITY = 9.81        # m/s^2


@dataclass(frozen=True)
class Scale:
    """Metres and seconds of the task for one of the engine's."""

    length: float
    time: float

    def enlarge(self, motion: Motion) -> Motion:
        """A motion at human scale brought back to the task's own."""
        a, b = self.length, self.time
        if a == 1 and b == 1:
            return motion
        force = a / b**2
        steps = tuple(replace(f, strike=f.strike * b, flat=f.flat * b, heel_off=f.heel_off * b, lift=f.lift * b,
                              position=f.position * a) for f in motion.footsteps)
        solids = tuple(Solid(s.link, s.start * a, s.end * a, s.radius * a) for s in motion.solids)
        eased = tuple(replace(e, begin=e.begin * b, end=e.end * b) for e in motion.report.eased)
        report = replace(motion.report, clip_seconds=motion.report.clip_seconds * b, eased=eased)
        vertices = None if motion.terrain_vertices is None else motion.terrain_vertices * a
        return replace(motion, fps=motion.fps / b, gravity=motion.gravity * a / b**2, link_inertia=motion.link_inertia * a**2,
                       link_position=motion.link_position * a, contact_position=motion.contact_position * a,
                       contact_force=motion.contact_force * force, push_force=motion.push_force * force,
                       push_point=motion.push_point * a, push_moment=motion.push_moment * force * a,
                       planned_com=motion.planned_com * a, goal_velocity=motion.goal_velocity * a / b, terrain_vertices=vertices,
                       link_origin=motion.link_origin * a,
                       path=motion.path * a, rungs=motion.rungs * a, hurdles=motion.hurdles * a,
                       hurdle_depth=motion.hurdle_depth * a, footsteps=steps, solids=solids, report=report)


class _ScaledGround:
    """A ground seen through a magnifying glass."""

    def __init__(self, ground: Ground, length: float) -> None:
        self._ground, self._length = ground, length

    def height(self, xy: ArrayLike) -> Array:
        return self._ground.height(np.asarray(xy, float) * self._length) / self._length

    def mesh(self) -> tuple[Array, NDArray[np.int64]] | None:
        found = self._ground.mesh()
        return None if found is None else (found[0] / self._length, found[1])


def to_human_scale(task: Task, character: Character) -> tuple[Task, Character, Scale]:
    """A task and its character at human scale, and the way back."""
    length = character.leg_length / LEG
    time = float(np.sqrt(length * GRAVITY / task.gravity))
    if abs(length - 1) < 1e-9 and abs(time - 1) < 1e-9:
        return task, character, Scale(1.0, 1.0)
    ground = task.ground if isinstance(task.ground, Flat) else _ScaledGround(task.ground, length)
    stride = None if task.stride is None else task.stride.scaled(1 / length, 1 / time)
    facing = None if task.facing is None else task.facing.moved(task.facing.stations / length)
    scale = Scale(length, time)
    pushes = tuple(push_at_scale(p, scale) for p in task.pushes)
    shrunk = replace(task, path=Path(task.path.points / length), ground=ground, seconds=task.seconds / time,
                     fps=task.fps * time, gravity=GRAVITY, speed=task.speed.scaled(time / length, 1 / time), stride=stride,
                     width=task.width.scaled(1.0, 1 / time), turned=task.turned.scaled(1.0, 1 / time), facing=facing,
                     pushes=pushes, projectiles=tuple(p.scaled(1 / length, 1 / time) for p in task.projectiles),
                     kept=tuple(kept_at_scale(k, scale) for k in task.kept),
                     hurdles=tuple(h.scaled(1 / length) for h in task.hurdles),
                     forbidden=tuple(f.scaled(1 / length) for f in task.forbidden),
                     bars=None if task.bars is None else task.bars.scaled(1 / length),
                     stones=None if task.stones is None else task.stones.scaled(1 / length),
                     first=None if task.first is None else task.first.scaled(1 / length),
                     last=None if task.last is None else task.last.scaled(1 / length),
                     struck=tuple(s.scaled(1 / time) for s in task.struck),
                     look=None if task.look is None else task.look.scaled(1 / length, 1 / time),
                     jumps=tuple(replace(j, time=j.time / time, height=j.height / length, reach=j.reach / length)
                                 for j in task.jumps))
    return shrunk, scaled(character, 1 / length), scale


def push_at_scale(push: Push, scale: Scale) -> Push:
    """A push of the task's brought to human scale; masses stay."""
    x, y, z = (f * scale.time**2 / scale.length for f in push.force)
    a, b, c = (m * scale.time**2 / scale.length**2 for m in push.moment)
    return replace(push, time=push.time / scale.time, seconds=push.seconds / scale.time, force=(x, y, z), moment=(a, b, c))


def kept_at_scale(kept: KeptStep, scale: Scale) -> KeptStep:
    """A kept footstep of the task's brought to human scale."""
    x, y = kept.place
    return replace(kept.changed(lambda t: t / scale.time), place=(x / scale.length, y / scale.length))
