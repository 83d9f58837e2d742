"""Level 1 as a whole: a task's course and the footsteps along it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..character.character import Character
from ..clip.style.style import Style
from ..errors import TaskError, TerrainError
from ..task import Path, Task
from .course.course import Course, plan_course
from .course.offset_path import OffsetPath
from .course.pendulum import CartPendulum
from .course.push_response import StateChange, redirect_after_push
from .footsteps.stepper import Stepper
from .footsteps.timing import PlannedStep
from .gait.gait import StyleGaitLaw
from .stones.stone_steps import build_stone_steps, choose_stones, fit_path_through_stones
from .stones.stones import PathPlaces

Array = NDArray[np.float64]

MAX_SPEED = 3.4  # v / sqrt(g l); a sprinter at 10 m/s on legs of 0.9 m
PLAN_TAIL = 2.6  # s planned past the end of the clip
LANDING_COMMIT_TIME = 0.06  # s before its strike, from which on a foot cannot go elsewhere
PUSH_HOLD_TIME = 0.16  # s after a push, for which no other foot can carry the body
STEERING_HORIZON = 1.7  # s of footsteps ahead of a body that is steered
MAX_GAP = 4.5  # leg lengths without ground that a path may lead over


@dataclass(frozen=True)
class Sketch:
    """Course and steps, a little past the end of the clip."""

    course: Course
    steps: tuple[PlannedStep, ...]
    duration: float
    gait_law: StyleGaitLaw
    pendulum: CartPendulum
    path: Path  # that the course follows: the task's own, or the line through the stones stepped on
    # strides are as long as the speed makes them; else poses follow the strides
    has_natural_strides: bool = True


def sketch_walk(
    task: Task, character: Character, style: Style, com_height: float, gyration: float
) -> Sketch:
    """Plan the pendulum's way and the footsteps of a whole clip.

    Args:
        com_height: of the standing body above its soles, m.
        gyration: its radius of gyration about a horizontal axis, m.

    Raises:
        TaskError: the speed is beyond the legs.
        TerrainError: the path leaves the terrain.
    """
    law = StyleGaitLaw.from_style(style, character, task.gravity)
    if task.speed.max_speed > MAX_SPEED * law.unit_speed:
        raise TaskError(
            f"The speed is {task.units.to_user_speed(task.speed.max_speed):g} m/s; with legs "
            f"{task.units.to_user_length(law.leg_length):.2f} m long {character.name} can go at "
            f"most {task.units.to_user_speed(MAX_SPEED * law.unit_speed):.1f} m/s."
        )
    pendulum = CartPendulum(com_height, gyration, task.gravity, 1 / 30)
    stone_contacts = (
        []
        if task.stepping_stones is None
        else choose_stones(task, task.stepping_stones, character, law)
    )
    if stone_contacts and style.cycle_at(style.preferred_speed).is_hop:
        raise TaskError(
            f"The style {style.name} lands on both feet at once, and a stone carries one foot; "
            "choose a style that walks or runs."
        )
    offset_path = (
        fit_path_through_stones(task.path, stone_contacts, pendulum, task.gravity)
        if stone_contacts
        else None
    )
    task = task if offset_path is None else _follow_offset_path(task, offset_path)
    course = plan_course(task, pendulum, law.leg_length, task.seconds + PLAN_TAIL)
    _check_ground_along_path(task, course, law.leg_length)
    steps = (
        []
        if offset_path is None
        else build_stone_steps(
            task, stone_contacts, offset_path, course=course, character=character, law=law
        )
    )
    return Sketch(
        course,
        Stepper(task, character, law, course=course, steps=steps).plan_steps(
            task.seconds + 0.6 * PLAN_TAIL
        ),
        task.seconds,
        gait_law=law,
        pendulum=pendulum,
        path=task.path,
        has_natural_strides=task.stride_length is None,
    )


def resketch_after_push(
    old_sketch: Sketch,
    task: Task,
    character: Character,
    change: StateChange,
) -> Sketch:
    """A sketch drawn anew from a time on, for a body that is elsewhere and moves
    otherwise than the pendulum did.

    Footsteps down by then, or about to be, stay; the others are searched again.

    Args:
        position_change: (2,) from where the pendulum was to where the body is, m.
        velocity_change: (2,) the same of the velocity, m/s.
        later_velocity_gain: gives the velocity (n, 2), m/s, that will have come on
            top of that at times (n,).
    """
    task = replace(task, path=old_sketch.path)
    course = redirect_after_push(
        old_sketch.course,
        task,
        old_sketch.pendulum,
        change,
        hold_time=PUSH_HOLD_TIME,
    )
    past_steps = [
        s for s in old_sketch.steps if s.footstep.strike < change.time + LANDING_COMMIT_TIME
    ]
    stepper = Stepper(
        task,
        character,
        old_sketch.gait_law,
        course=course,
        steps=past_steps,
        past_until=change.time,
        pendulum=old_sketch.pendulum,
    )
    steps = stepper.plan_steps(task.seconds + 0.6 * PLAN_TAIL)
    return replace(old_sketch, course=stepper.course, steps=steps)


def _follow_offset_path(task: Task, offset_path: OffsetPath) -> Task:
    """A task whose body is led along a line beside its path;
    it faces as it would at the nearest places of the path.
    """
    if task.facing is None:
        return replace(task, path=offset_path.path)
    facing_places = task.path.position_at(task.facing.stations)
    return replace(
        task,
        path=offset_path.path,
        facing=task.facing.with_stations(
            PathPlaces.from_positions(
                facing_places, offset_path.path, np.zeros(len(facing_places))
            ).station
        ),
    )


def _check_ground_along_path(task: Task, course: Course, leg_length: float) -> None:
    """Refuse a path that leaves the ground for longer than a leap."""
    max_gap = MAX_GAP * leg_length
    end = course.distance[course.time <= task.seconds][-1]
    distance = np.arange(0.0, end + max_gap + 0.2, 0.1)
    has_ground = np.isfinite(task.ground.sample_heights(task.path.position_at(distance)))
    # m since there was ground
    gap_length = distance - np.maximum.accumulate(np.where(has_ground, distance, -np.inf))
    is_off_terrain = (gap_length > max_gap) & ~(distance - gap_length > end)
    if is_off_terrain.any():
        k = int(np.argmax(is_off_terrain))
        exit_distance = distance[k] - gap_length[k] if np.isfinite(gap_length[k]) else 0.0
        exit_place = task.path.position_at(exit_distance)
        raise TerrainError(
            f"The path leaves the terrain after {exit_distance:.2f} m, at ({exit_place[0]:.2f}, "
            f"{exit_place[1]:.2f}), for longer than a leap. Keep it on the terrain, or make the "
            "terrain larger."
        )


def resketch_with_task(
    old_sketch: Sketch, task: Task, character: Character, now: float, com: Array, velocity: Array
) -> Sketch:
    """A sketch that goes on from now with another task; its path begins where the cart is,
    its times are since now.

    Args:
        old_sketch: what was done until now; of its footsteps those that are
            down, or about to be, stay.
        com, velocity: (2,) of the pendulum now, m and m/s.
    """
    law = old_sketch.gait_law
    pendulum = old_sketch.pendulum
    course = plan_course(task, pendulum, law.leg_length, task.seconds + 0.3)
    course = redirect_after_push(
        course,
        task,
        pendulum,
        StateChange(0.0, com - course.pendulum.com[0], velocity - course.pendulum.velocity[0]),
    )
    course = replace(
        course,
        velocity_deviation=None,
        time=course.time + now,
        pendulum=replace(course.pendulum, time=course.time + now),
    )
    past_steps = [s for s in old_sketch.steps if s.footstep.strike < now + LANDING_COMMIT_TIME]
    stepper = Stepper(task, character, law, course=course, steps=past_steps, past_until=now)
    return Sketch(
        course,
        stepper.plan_steps(now + STEERING_HORIZON),
        task.seconds,
        gait_law=law,
        pendulum=pendulum,
        path=task.path,
        has_natural_strides=task.stride_length is None,
    )
