"""Sketch of bodies with any number of legs: course, footfalls of the gait, and their places.

Source: Kwon et al. 2020, section 4 and appendix G. Feet touch the ground below the hips.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....character.character import Character
from ....character.reach import compute_leg_reaches
from ....clip.lookup import resolve_quadruped_style
from ....clip.pose.carriage import compute_mean_pose
from ....clip.style.quadruped_style import QuadrupedStyle
from ....errors import TaskError
from ....plan.reference import PlanReference
from ....sketch.course.course import Course, plan_course
from ....sketch.course.pendulum import CartPendulum
from ....sketch.course.style_phase import StylePhase
from ....sketch.footsteps.footfalls import FootfallPlan, plan_footfalls
from ....sketch.gait.gait import StyleGaitLaw
from ....sketch.gait.gait_body import StrideCenters, build_gait_body, locate_foot_holds
from ....sketch.gait.gait_law import FroudeGaitLaw
from ....sketch.reference.shoulders import LimbRoots
from ....sketch.reference.stride_reference import (
    StandingGeometry,
    compute_typical_stride_time,
    plan_stride_reference,
)
from ....sketch.sketch import Sketch, check_ground_along_path
from ....task import Task
from ..body import PlannedBody
from .stride_steps import FootfallPlacement, PlannedFootsteps, plan_steps

Array = NDArray[np.float64]

# Function of a course and its pendulum that returns another course
CourseChange = Callable[[Course, CartPendulum], Course]


@dataclass(frozen=True)
class StrideSketchParameters:
    """Tuned numbers of the sketch of strides."""

    # Time of the course after the end of the clip [s]. tuned: halved, pops of a dog are 24 degrees
    # instead of 22; doubled, nothing changes
    course_tail: float = 2.6
    # Time of footfalls after the end of the clip [s]. Half or twice moves a dog by 2 cm or makes
    # its pops a degree larger (docs/dev/parameters.csv)
    footfall_tail: float = 1.8
    # Largest speed v / sqrt(g h), with the height h of the hips. Horses and dogs reach 4 to 5 at
    # full gallop.
    max_speed: float = 6.0
    # Share of its reach that a leg uses at least. tuned: doubled, feet of a dog drift by 4.4 mm
    min_reach_share: float = 0.92
    # Share of the reach beyond that of the standing body that a leg uses. tuned: doubled, pops of a
    # dog are 27 degrees instead of 22
    extra_reach_share: float = 0.4
    # Time before a strike from which a push no longer changes its place [s]
    landing_commit_time: float = 0.08
    # Time step of the pendulum [s]. Kwon et al. 2020, section 8
    pendulum_time_step: float = 1 / 30


STRIDE_SKETCH = StrideSketchParameters()


@dataclass(frozen=True)
class StrideSketch:
    """Sketch of strides with what follows from it.

    Args:
        sketch: the sketch.
        reference: reference of the plan.
        footfall_plan: footfalls of the gait.
        geometry: how the body stands; its `leg_reach` is the reach that legs use.
        leg_reach: distance from hip to foot of the straight leg [m], shape (legs,).
        stride_time: typical time of a stride [s].
        style_phase: style over time.
    """

    sketch: Sketch
    reference: PlanReference
    footfall_plan: FootfallPlan
    geometry: StandingGeometry
    leg_reach: Array
    stride_time: float
    style_phase: StylePhase


def sketch_strides(
    task: Task,
    planned_body: PlannedBody,
    change_course: CourseChange | None = None,
    planned: PlannedFootsteps | None = None,
) -> StrideSketch:
    """Return course, footfalls and footsteps of a body of any number of legs.

    Args:
        task: task at human scale.
        planned_body: the body.
        change_course: changes the course, as a push does; None to keep it.
        planned: footsteps of which the first ones are kept; None for new ones.

    Raises:
        TaskError: The speed is beyond the legs, the body has no gait of the requested name, or
            the task requests what only humanoids can do.
        TerrainError: The path leaves the terrain.
        PlanningError: A foot has no ground.
    """
    character = planned_body.character
    model = planned_body.model
    _check_supported(task, character)
    quadruped_style = resolve_quadruped_style(task.recipe, character)
    law = _make_gait_law(task, character, quadruped_style)
    pendulum = CartPendulum(
        planned_body.com_height,
        planned_body.gyration,
        task.gravity,
        STRIDE_SKETCH.pendulum_time_step,
    )
    course = _plan_course(task, pendulum, character.leg_length, change_course)
    footfall_plan = _plan_clip_footfalls(task, law, course)
    gait_law = StyleGaitLaw.from_style(planned_body.style, character, task.gravity)
    com = model.compute_link_poses(compute_mean_pose(model, quadruped_style)[None]).com[0]
    leg_reach = np.array(compute_leg_reaches(character))
    centers = StrideCenters.from_character(
        character, _compute_used_reach(character, leg_reach), com
    )
    placement = FootfallPlacement(task, character, course, centers=centers)
    steps = plan_steps(placement, footfall_plan, gait_law, planned=planned)
    footsteps = [s.footstep for s in steps]
    stride_time = compute_typical_stride_time(course, law)
    style_phase = StylePhase.from_course(
        quadruped_style,
        course,
        footsteps,
        reference_leg=_find_reference_leg(law),
        law=law,
        stride_time=stride_time,
    )
    geometry = _measure_standing(planned_body, style_phase, com, leg_reach=leg_reach)
    return StrideSketch(
        Sketch(course, steps, task.seconds, gait_law, pendulum, task.path),
        plan_stride_reference(
            course, footsteps, geometry, gravity=task.gravity, law=law, style_phase=style_phase
        ),
        footfall_plan,
        geometry,
        leg_reach,
        stride_time,
        style_phase,
    )


def _measure_standing(
    planned_body: PlannedBody, style_phase: StylePhase, com: Array, leg_reach: Array
) -> StandingGeometry:
    """Return how a body stands.

    Args:
        planned_body: the body.
        style_phase: style over time.
        com: center of mass in the mean pose of the style [m], shape (3,).
        leg_reach: distance from hip to foot of the straight leg [m], shape (legs,).
    """
    character = planned_body.character
    return StandingGeometry(
        LimbRoots.from_style(planned_body.model, style_phase, com),
        character.neutral_foot_positions - com,
        locate_foot_holds(character) - character.neutral_foot_positions,
        _compute_used_reach(character, leg_reach),
        _compute_com_height(planned_body, com),
    )


def _plan_course(
    task: Task, pendulum: CartPendulum, leg_length: float, change: CourseChange | None
) -> Course:
    """Return the course of a task, changed by a function if there is one.

    Raises:
        TerrainError: The path leaves the terrain.
    """
    course = plan_course(task, pendulum, leg_length, task.seconds + STRIDE_SKETCH.course_tail)
    if change is not None:
        course = change(course, pendulum)
    check_ground_along_path(task, course, leg_length)
    return course


def _plan_clip_footfalls(task: Task, law: FroudeGaitLaw, course: Course) -> FootfallPlan:
    """Return the footfalls along a course, up to some time after the end of the clip."""
    is_planned = course.time <= task.seconds + STRIDE_SKETCH.footfall_tail
    return plan_footfalls(
        law, course.time[is_planned], course.distance[is_planned], task.start == "standing"
    )


def _compute_com_height(planned_body: PlannedBody, com: Array) -> float:
    """Return the height of the center of mass above the feet in the mean pose of the style [m].

    Args:
        planned_body: the body.
        com: center of mass in that pose [m], shape (3,).
    """
    model = planned_body.model
    neutral_com = model.compute_link_poses(model.neutral[None]).com[0]
    return planned_body.com_height + float(com[2] - neutral_com[2])


def _make_gait_law(task: Task, character: Character, style: QuadrupedStyle) -> FroudeGaitLaw:
    """Return the gaits of the body by speed, in a style.

    Raises:
        TaskError: The speed is beyond the legs, or there is no gait of the requested name.
    """
    law = FroudeGaitLaw(
        build_gait_body(character),
        task.gravity,
        _choose_gait_name(task, style),
        duty=style.duty,
        stride_rate_factor=style.quick,
        allows_early_lift=style.gait is not None,
        phases=style.phases,
    )
    if task.speed.max_speed > STRIDE_SKETCH.max_speed * law.unit_speed:
        raise TaskError(
            f"The speed is {task.units.to_user_speed(task.speed.max_speed):g} m/s; with hips "
            f"{task.units.to_user_length(law.body.hip_height):.2f} m high {character.name} can go "
            f"at most {task.units.to_user_speed(STRIDE_SKETCH.max_speed * law.unit_speed):.1f} m/s."
        )
    return law


def _find_reference_leg(law: FroudeGaitLaw) -> int:
    """Return the leg from which phases of the style count."""
    body = law.body
    return min(range(len(body.legs)), key=lambda k: (body.leg_rows[k], body.on_leading_side[k]))


def _compute_used_reach(character: Character, leg_reach: Array) -> Array:
    """Return the distance from hip to the end of the leg that legs use [m], (legs,).

    Args:
        leg_reach: distance from hip to foot of the straight leg [m], shape (legs,).
    """
    standing_reach = np.linalg.norm(locate_foot_holds(character) - character.hip_positions, axis=1)
    return np.maximum(
        standing_reach + STRIDE_SKETCH.extra_reach_share * (leg_reach - standing_reach),
        STRIDE_SKETCH.min_reach_share * leg_reach,
    )


def _choose_gait_name(task: Task, style: QuadrupedStyle) -> str | None:
    """Return the gait of the style or of the task; None if it follows from the speed.

    Raises:
        TaskError: Style and task name different gaits.
    """
    if style.gait is not None and task.gait not in (None, style.gait):
        raise TaskError(
            f"The gait of the style {style.name!r} is {style.gait!r}, and the requested gait is "
            f"{task.gait!r}; leave out the gait, or choose another style."
        )
    return style.gait if task.gait is None else task.gait


def _check_supported(task: Task, character: Character) -> None:
    """Refuse what only humanoids can do.

    Raises:
        TaskError: The task requests it.
    """
    requests = {
        "hurdles": task.hurdles,
        "stepping stones": task.stepping_stones is not None,
        "pinned footsteps": task.pinned_steps,
        "first and last poses": task.first_pose or task.last_pose,
        "jumps": task.jumps,
        "bars": task.monkey_bars is not None,
        "strides of a given length": task.stride_length is not None,
        "gaze targets": task.gaze is not None,
        "key poses": task.key_poses,
        "changed step widths": (task.step_width_factor.values != 1.0).any(),
        "treads on the forefoot": task.tread == "forefoot",
        "turns against the path": task.facing_offset.values.any() or task.has_path_facing,
    }
    for name, is_requested in requests.items():
        if is_requested:
            raise TaskError(
                f"{character.name} has {len(character.legs)} legs and is not built like a human: "
                f"{name} are not supported for it. Remove them from the task."
            )
