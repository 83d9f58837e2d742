"""The sketch: the course of a task and the footsteps along it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..character.character import Character
from ..clip.style.style import Style
from ..errors import TaskError, TerrainError
from ..motion import Footstep
from ..task import Path, Task
from .course.course import Course, plan_course
from .course.offset_path import OffsetPath
from .course.pendulum import CartPendulum
from .course.push_response import StateChange, redirect_after_push
from .footsteps.stepper import STEPS, Stepper
from .footsteps.timing import PlannedStep
from .gait.gait import StyleGaitLaw
from .stones.stone_contact import StoneContact
from .stones.stone_steps import build_stone_steps, choose_stones, fit_path_through_stones
from .stones.stones import PathPlaces

Array = NDArray[np.float64]

# Highest speed, v / sqrt(g l): a sprinter at 10 m/s with legs of 0.9 m
MAX_SPEED = 3.4


@dataclass(frozen=True)
class SketchParameters:
    """Horizons of sketches and reaction times.

    Effects of half and twice of each: docs/dev/parameters.csv.
    """

    # Time step of the pendulum [s]. tuned: halved, pops of a pushed body are 17 degrees instead of
    # 11; doubled, more so. Kwon et al. 2020, section 8
    time_step: float = 1 / 30
    tail: float = 2.6  # Duration of the course past the end of the clip [s].
    steps_tail_share: float = 0.6  # Share of that duration that footsteps cover.
    # Time before its strike from which the place of a footstep is final [s].
    landing_commit_time: float = 0.06
    steering_horizon: float = 1.7  # Duration of the footsteps ahead of a steered body [s].
    # Duration of the course of a steered body past the end of its task [s].
    steering_tail: float = 0.3
    max_gap: float = 4.5  # Longest part of a path without ground [leg lengths].


SKETCH = SketchParameters()


@dataclass(frozen=True)
class Sketch:
    """Course and footsteps, extending a little past the end of the clip.

    Args:
        course: course of the body.
        steps: footsteps in order.
        duration: duration of the clip [s].
        gait_law: gait law of the style.
        pendulum: pendulum of the body.
        path: path that the course follows: that of the task, or the line through its stepping
            stones.
        has_natural_strides: whether the speed sets the length of the strides; otherwise poses
            follow the requested lengths.
    """

    course: Course
    steps: tuple[PlannedStep, ...]
    duration: float
    gait_law: StyleGaitLaw
    pendulum: CartPendulum
    path: Path
    has_natural_strides: bool = True

    def with_footsteps(self, footsteps: Sequence[Footstep]) -> Sketch:
        """Return the sketch with other footsteps, one for each step."""
        pairs = zip(self.steps, footsteps, strict=True)
        return replace(self, steps=tuple(replace(step, footstep=f) for step, f in pairs))


def sketch_walk(
    task: Task, character: Character, style: Style, com_height: float, gyration: float
) -> Sketch:
    """Return the course and the footsteps of a whole clip.

    Args:
        com_height: height of the center of mass of the standing body over its soles [m].
        gyration: radius of gyration of the body about a horizontal axis [m].

    Raises:
        TaskError: the speed is too high for the legs, or the style hops onto stepping stones.
        TerrainError: the path leaves the terrain.
    """
    law = StyleGaitLaw.from_style(style, character, task.gravity)
    if task.speed.max_speed > MAX_SPEED * law.unit_speed:
        raise TaskError(
            f"The speed is {task.units.to_user_speed(task.speed.max_speed):g} m/s; with legs "
            f"{task.units.to_user_length(law.leg_length):.2f} m long {character.name} reaches at "
            f"most {task.units.to_user_speed(MAX_SPEED * law.unit_speed):.1f} m/s."
        )
    pendulum = CartPendulum(com_height, gyration, task.gravity, SKETCH.time_step)
    stone_contacts = _choose_stone_contacts(task, character, style, law)
    offset_path = (
        fit_path_through_stones(task.path, stone_contacts, pendulum, task.gravity)
        if stone_contacts
        else None
    )
    task = task if offset_path is None else _follow_offset_path(task, offset_path)
    course = plan_course(task, pendulum, law.leg_length, task.seconds + SKETCH.tail)
    check_ground_along_path(task, course, law.leg_length)
    steps = (
        []
        if offset_path is None
        else build_stone_steps(
            task, stone_contacts, offset_path, course=course, character=character, law=law
        )
    )
    stepper = Stepper(task, character, law, course=course, steps=steps)
    return Sketch(
        course,
        stepper.plan_steps(task.seconds + SKETCH.steps_tail_share * SKETCH.tail),
        task.seconds,
        gait_law=law,
        pendulum=pendulum,
        path=task.path,
        has_natural_strides=task.stride_length is None,
    )


def _choose_stone_contacts(
    task: Task, character: Character, style: Style, law: StyleGaitLaw
) -> list[StoneContact]:
    """Return the contacts on the stepping stones of a task, if it has any.

    Raises:
        TaskError: the style hops, and a stone carries one foot.
    """
    if task.stepping_stones is None:
        return []
    contacts = choose_stones(task, task.stepping_stones, character, law)
    if contacts and style.cycle_at(style.preferred_speed).is_hop:
        raise TaskError(
            f"The style {style.name} lands on both feet at once, and a stone carries one foot; "
            "choose a style that walks or runs."
        )
    return contacts


def resketch_after_push(
    old_sketch: Sketch,
    task: Task,
    character: Character,
    change: StateChange,
) -> Sketch:
    """Return the sketch of a body that has suddenly deviated from its course.

    Footsteps that are down, or about to be, stay; the others are planned again.

    Args:
        change: deviation of the body from the pendulum.
    """
    task = replace(task, path=old_sketch.path)
    course = redirect_after_push(
        old_sketch.course,
        task,
        old_sketch.pendulum,
        change,
        hold_time=STEPS.min_reaction_time,
    )
    past_steps = [
        s for s in old_sketch.steps if s.footstep.strike < change.time + SKETCH.landing_commit_time
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
    steps = stepper.plan_steps(task.seconds + SKETCH.steps_tail_share * SKETCH.tail)
    return replace(old_sketch, course=stepper.course, steps=steps)


def _follow_offset_path(task: Task, offset_path: OffsetPath) -> Task:
    """Return the task with a path beside its original one.

    The body faces as it would at the nearest places of the original path.
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


def check_ground_along_path(task: Task, course: Course, leg_length: float) -> None:
    """Refuse a path with a gap in the ground that is longer than a leap.

    Raises:
        TerrainError: the path leaves the terrain.
    """
    max_gap = SKETCH.max_gap * leg_length
    end = course.distance[course.time <= task.seconds][-1]
    distance = np.arange(0.0, end + max_gap + 0.2, 0.1)
    has_ground = np.isfinite(task.ground.sample_heights(task.path.position_at(distance)))
    # Distance since the last ground along the path [m]
    gap_length = distance - np.maximum.accumulate(np.where(has_ground, distance, -np.inf))
    is_off_terrain = (gap_length > max_gap) & ~(distance - gap_length > end)
    if is_off_terrain.any():
        k = int(np.argmax(is_off_terrain))
        exit_distance = distance[k] - gap_length[k] if np.isfinite(gap_length[k]) else 0.0
        x, y = (task.units.to_user_length(c) for c in task.path.position_at(exit_distance))
        raise TerrainError(
            f"The path leaves the terrain at ({x:.2f}, {y:.2f}), for longer than a leap. Keep it "
            "on the terrain, or make the terrain larger."
        )


def resketch_with_task(
    old_sketch: Sketch, task: Task, character: Character, now: float, com: Array, velocity: Array
) -> Sketch:
    """Return the sketch of a body that continues with another task.

    The path of that task begins at the cart, and its times count from now.

    Args:
        old_sketch: previous sketch, whose footsteps stay if they are down or about to be.
        now: current time [s].
        com: (2,) current center of mass of the pendulum [m].
        velocity: (2,) its velocity [m/s].
    """
    law = old_sketch.gait_law
    pendulum = old_sketch.pendulum
    course = plan_course(task, pendulum, law.leg_length, task.seconds + SKETCH.steering_tail)
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
    past_steps = [
        s for s in old_sketch.steps if s.footstep.strike < now + SKETCH.landing_commit_time
    ]
    stepper = Stepper(task, character, law, course=course, steps=past_steps, past_until=now)
    return Sketch(
        course,
        stepper.plan_steps(now + SKETCH.steering_horizon),
        task.seconds,
        gait_law=law,
        pendulum=pendulum,
        path=task.path,
        has_natural_strides=task.stride_length is None,
    )
