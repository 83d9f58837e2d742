"""Footsteps of a body of any number of legs along its course."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ....character.character import Character
from ....errors import PlanningError
from ....motion.footstep import Footstep
from ....sketch.course.course import Course
from ....sketch.footsteps.footfalls import Footfall, FootfallPlan
from ....sketch.footsteps.timing import PlannedStep
from ....sketch.gait.gait import StyleGaitLaw
from ....sketch.gait.gait_body import StrideCenters
from ....sketch.placement.round_foot import place_foot_near
from ....task import Task

Array = NDArray[np.float64]


@dataclass(frozen=True)
class EndStandParameters:
    """How long feet stand at the ends of a clip."""

    # Time for which feet that stand at the begin of the clip stood before it [s], so that no plan
    # begins with their strike
    stand_before_clip: float = 2.0
    # Time for which feet that stand at the end of the clip stand after it [s], so that no plan
    # ends with their lift
    stand_after_clip: float = 10.0


END_STAND = EndStandParameters()


@dataclass(frozen=True)
class PlannedFootsteps:
    """Footsteps of an earlier sketch of the same strides, of which the first ones are kept.

    Args:
        footsteps: all of them, in the order of the sketch.
        until: time before which the strikes of those that are kept lie [s].
    """

    footsteps: tuple[Footstep, ...]
    until: float

    def replace_first(self, steps: tuple[PlannedStep, ...]) -> tuple[PlannedStep, ...]:
        """Return the steps of a sketch with the footsteps that are kept."""
        return tuple(
            replace(step, footstep=planned) if planned.strike < self.until else step
            for step, planned in zip(steps, self.footsteps, strict=True)
        )


@dataclass(frozen=True)
class FootfallPlacement:
    """Where and when feet of a body touch the ground along its course.

    Args:
        task: task.
        character: the body.
        course: course of the sketch.
        centers: places of the feet in the middle of their contacts.
    """

    task: Task
    character: Character
    course: Course
    centers: StrideCenters

    def limit_contact(self, footfall: Footfall) -> tuple[float, ...]:
        """Return begin and end of a contact [s], limited for feet that stand before or after the
        clip.
        """
        return (
            max(footfall.touch_down, -END_STAND.stand_before_clip),
            min(footfall.lift_off, self.task.seconds + END_STAND.stand_after_clip),
        )

    def place(self, footfall: Footfall) -> Footstep:
        """Return the footstep of a footfall.

        It lies below the hip when the body passes over it, or at the nearest foothold.
        """
        task = self.task
        course = self.course
        middle_line = self._locate_middle_line(footfall.mid_contact_time)
        facing = float(np.interp(footfall.mid_contact_time, course.time, course.facing))
        rotation = np.array([[np.cos(facing), -np.sin(facing)], [np.sin(facing), np.cos(facing)]])
        foot = self.character.feet[footfall.leg]
        begin, end = self.limit_contact(footfall)
        travel = self._locate_middle_line(end) - self._locate_middle_line(begin)
        center = self.centers.locate(footfall.leg, float(np.linalg.norm(travel)))
        pose = place_foot_near(
            task.allowed_ground,
            foot,
            middle_line + rotation @ center[:2],
            yaw=facing,
            level=float(task.ground.sample_heights(middle_line)),
            leg_length=self.character.leg_length,
        )
        return Footstep(
            footfall.leg,
            begin,
            begin,
            heel_off=end,
            lift=end,
            position=pose.position,
            rotation=pose.rotation,
            heel_raise=0.0 if foot.is_point else None,
        )

    def _locate_middle_line(self, time: float) -> Array:
        """Return the middle between the feet at a time [m], shape (2,)."""
        course = self.course
        path = course.pendulum
        clipped_time = np.clip(time, path.time[0], path.time[-1])
        position: Array = path.sample(np.array(clipped_time), "cart")
        velocity = course.target_velocity[0 if time < 0 else -1]
        return position + (time - clipped_time) * velocity


def plan_steps(
    placement: FootfallPlacement,
    footfall_plan: FootfallPlan,
    gait_law: StyleGaitLaw,
    planned: PlannedFootsteps | None,
) -> tuple[PlannedStep, ...]:
    """Return the steps of footfalls, in the order of the middles of their contacts.

    Args:
        planned: footsteps of which the first ones are kept; None for new ones.

    Raises:
        PlanningError: A foot has no ground.
    """
    spans = [(f, placement.limit_contact(f)) for f in footfall_plan.footfalls]
    standing_gait = gait_law.gait_at(0.0)
    steps = tuple(
        PlannedStep(
            placement.place(footfall), footfall.mid_contact_time, standing_gait, is_standing=True
        )
        for footfall, _ in sorted(spans, key=lambda pair: (sum(pair[1]), pair[0].leg))
    )
    steps = steps if planned is None else planned.replace_first(steps)
    _check_footholds([step.footstep for step in steps])
    return steps


def _check_footholds(footsteps: list[Footstep]) -> None:
    """Refuse footsteps over nothing.

    Raises:
        PlanningError: A foot has no ground near its target.
    """
    for footstep in sorted(footsteps, key=lambda f: f.strike):
        if not np.isfinite(footstep.position).all():
            raise PlanningError(
                "a foot has no ground that carries it",
                footstep.strike,
                (float(footstep.position[0]), float(footstep.position[1])),
            )
