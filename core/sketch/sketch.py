"""Level 1 as a whole: a task's course and the footsteps along it."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..character.character import Character
from ..clip.style.style import Style
from ..errors import TaskError, TerrainError
from ..task import Path, Task
from .course.course import Course, plan_course
from .course.offset_path import Line
from .course.pendulum import Pendulum
from .course.push_response import diverted
from .footsteps.stepper import Stepper
from .footsteps.stone_steps import line_through, stone_steps, stone_treads
from .footsteps.stones import Places
from .footsteps.timing import Step
from .gait.gait import GaitLaw

Array = NDArray[np.float64]

FASTEST = 3.4               # v / sqrt(g l); a sprinter at 10 m/s on legs of 0.9 m
TAIL = 2.6                  # s planned past the end of the clip
LANDING = 0.06              # s before its strike, from which on a foot cannot go elsewhere
HELD = 0.16                 # s after a push, for which no other foot can carry the body
STEERED = 1.7               # s of footsteps ahead of a body that is steered
WIDEST_GAP = 4.5            # leg lengths without ground that a path may lead over


@dataclass(frozen=True)
class Sketch:
    """Course and steps, a little past the end of the clip."""

    course: Course
    steps: tuple[Step, ...]
    duration: float
    law: GaitLaw
    pendulum: Pendulum
    path: Path                # that the course follows: the task's own, or the line through the stones stepped on
    natural: bool = True      # strides are as long as the speed makes them; else poses follow the strides


def sketch(task: Task, character: Character, style: Style, com_height: float, gyration: float) -> Sketch:
    """Plan the pendulum's way and the footsteps of a whole clip.

    Args:
        com_height: of the standing body above its soles, m.
        gyration: its radius of gyration about a horizontal axis, m.

    Raises:
        TaskError: the speed is beyond the legs.
        TerrainError: the path leaves the terrain.
    """
    law = GaitLaw.of(style, character, task.gravity)
    if task.speed.top > FASTEST * law.unit_speed:
        raise TaskError(f"The speed is {task.speed.top:g} m/s; with legs {law.leg_length:.2f} m long {character.name} can be "
                        f"asked for at most {FASTEST * law.unit_speed:.1f} m/s.")
    pendulum = Pendulum(com_height, gyration, task.gravity, 1 / 30)
    treads = [] if task.stones is None else stone_treads(task, task.stones, character, law)
    if treads and style.at(style.preferred).together:
        raise TaskError(f"The style {style.name} lands on both feet at once, and a stone carries one foot; choose a style that "
                        "walks or runs.")
    line = line_through(task.path, treads, pendulum, task.gravity) if treads else None
    task = task if line is None else _along(task, line)
    course = plan_course(task, pendulum, law.leg_length, task.seconds + TAIL)
    _stay_on_ground(task, course, law.leg_length)
    steps = [] if line is None else stone_steps(task, treads, line, course, character, law)
    return Sketch(course, Stepper(task, character, law, course, steps).walk(task.seconds + 0.6 * TAIL), task.seconds, law,
                  pendulum, task.path, task.stride is None)


def redraw(drawn: Sketch, task: Task, character: Character, time: float, moved: Array, pushed: Array,
           shoved: Callable[[Array], Array]) -> Sketch:
    """A sketch drawn anew from a time on, for a body that is elsewhere and moves otherwise than the pendulum did.

    Footsteps down by then, or about to be, stay; the others are searched again.

    Args:
        moved: (2,) from where the pendulum was to where the body is, m.
        pushed: (2,) the same of the velocity, m/s.
        shoved: gives the velocity (n, 2), m/s, that will have come on top of that at times (n,).
    """
    task = replace(task, path=drawn.path)
    course = diverted(drawn.course, task, drawn.pendulum, time, moved, pushed, HELD, shoved)
    kept = [s for s in drawn.steps if s.footstep.strike < time + LANDING]
    stepper = Stepper(task, character, drawn.law, course, kept, time, drawn.pendulum)
    steps = stepper.walk(task.seconds + 0.6 * TAIL)
    return replace(drawn, course=stepper.course, steps=steps)


def _along(task: Task, line: Line) -> Task:
    """A task whose body is led along a line beside its path; it faces as it would at the nearest places of the path."""
    if task.facing is None:
        return replace(task, path=line.path)
    places = task.path.position(task.facing.stations)
    return replace(task, path=line.path, facing=task.facing.moved(Places.of(places, line.path, np.zeros(len(places))).station))


def _stay_on_ground(task: Task, course: Course, leg_length: float) -> None:
    """Refuse a path that leaves the ground for longer than a leap."""
    widest = WIDEST_GAP * leg_length
    end = course.distance[course.time <= task.seconds][-1]
    distance = np.arange(0.0, end + widest + 0.2, 0.1)
    there = np.isfinite(task.ground.height(task.path.position(distance)))
    since = distance - np.maximum.accumulate(np.where(there, distance, -np.inf))         # m since there was ground
    lost = (since > widest) & ~(distance - since > end)
    if lost.any():
        k = int(np.argmax(lost))
        off = distance[k] - since[k] if np.isfinite(since[k]) else 0.0
        at = task.path.position(off)
        raise TerrainError(f"The path leaves the terrain after {off:.2f} m, at ({at[0]:.2f}, {at[1]:.2f}), for longer than a "
                           "leap. Keep it on the terrain, or make the terrain larger.")


def steer(drawn: Sketch, task: Task, character: Character, now: float, com: Array, velocity: Array) -> Sketch:
    """A sketch that goes on from now with another task; its path begins where the cart is, its times are since now.

    Args:
        drawn: what was done until now; of its footsteps those that are down, or about to be, stay.
        com, velocity: (2,) of the pendulum now, m and m/s.
    """
    law, pendulum = drawn.law, drawn.pendulum
    course = plan_course(task, pendulum, law.leg_length, task.seconds + 0.3)
    moved, pushed = com - course.pendulum.com[0], velocity - course.pendulum.velocity[0]
    course = diverted(course, task, pendulum, 0.0, moved, pushed)
    course = replace(course, off=None, time=course.time + now, pendulum=replace(course.pendulum, time=course.time + now))
    kept = [s for s in drawn.steps if s.footstep.strike < now + LANDING]
    stepper = Stepper(task, character, law, course, kept, now)
    return Sketch(course, stepper.walk(now + STEERED), task.seconds, law, pendulum, task.path, task.stride is None)
