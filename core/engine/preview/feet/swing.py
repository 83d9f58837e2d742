"""Swing of a foot to its planned foothold, around the stance leg and over the ground between."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....simulate import BodyState, SimulatedBody, SwingTarget
from ....simulate.swinging import evaluate_bump
from ....slip.body import SlipBody
from ....slip.command import StepGoal
from ....slip.preview import Preview, PreviewLanding
from ....slip.state import FootPose
from ..phases.phase_machine import PhaseMachine
from .clearance import compute_clearance_deficit, compute_swing_height

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SwingLimits:
    """Horizontal motion of a swing.

    Attributes:
        early_arrival: time before the landing at which the foot is above its foothold [s].
        max_acceleration: largest horizontal acceleration [m/s^2].
    """

    early_arrival: float
    max_acceleration: float


# tuned: 95 of 96 pushes were caught with the limit of a walk, 80 of 96 without it
WALK_LIMITS = SwingLimits(early_arrival=0.06, max_acceleration=100.0)
# On rough ground a foot may have to rise first, and is late then.
ROUGH_LIMITS = SwingLimits(early_arrival=0.06, max_acceleration=250.0)
RUN_LIMITS = SwingLimits(early_arrival=0.03, max_acceleration=70.0)
# A hop has only the time of its flight. tuned: with the limit of a run its foot slid as it landed
HOP_LIMITS = SwingLimits(early_arrival=0.03, max_acceleration=140.0)


@dataclass(frozen=True)
class SwingParameters:
    """Course and end of a swing."""

    # Part of the distance between two footholds from which, and up to as much before its end, the
    # stance foot is passed [1]; nearer to its ends a swing begins or ends beside that foot.
    min_passing_share: float = 0.1
    # Largest lateral offset of a swing [m]. guarded by: test_passing.py
    max_lateral_offset: float = 0.2
    # Distance from the stance foot in a walk, relative to half the distance of the hips [1], so
    # that feet pass each other as far apart as the hips are.
    walk_passing_ratio: float = 2.0
    # The same in a run [1]. tuned: on straight swings shins entered each other by 9 to 10 cm in
    # turns and after pushes; test_passing.py
    run_passing_ratio: float = 1.3
    # Angle of the toes below the sole of a runner that lands on rough ground [rad]. tuned: the heel
    # landed first, and the rest of the sole slapped with 10 body weights
    landing_toe_angle: float = 0.04
    # Speed with which a foot can come down in a walk [m/s].
    walk_sink_speed: float = 1.2
    # The same in a run [m/s].
    run_sink_speed: float = 1.5
    # The same on rough ground [m/s]. tuned: up a slope the foot waited above its foothold, and the
    # body fell aside
    rough_sink_speed: float = 2.0


SWING = SwingParameters()


def compute_swing_offset(
    side: int, start: Array, target: Array, stance_place: Array, min_distance: float
) -> float:
    """Return the lateral offset of the middle of a swing, positive to the left [m].

    In a turn a straight swing would lead one leg through the other.

    Args:
        side: side of the swing foot, 1 left, -1 right.
        start, target: (3,) footholds of the swing [m].
        stance_place: (3,) stance foot [m].
        min_distance: least distance at which the stance foot is passed [m].
    """
    displacement = (target - start)[:2]
    stance_offset = (stance_place - start)[:2]
    length = float(np.hypot(displacement[0], displacement[1]))
    share = float(stance_offset @ displacement) / max(length**2, 1e-9)
    if not SWING.min_passing_share < share < 1 - SWING.min_passing_share:
        return 0.0
    cross = float(displacement[1] * stance_offset[0] - displacement[0] * stance_offset[1])
    deficit = min_distance - side * cross / length
    # Part of the duration after which 3 s^2 - 2 s^3 of the distance is covered.
    passing_time_share = 0.5 - np.sin(np.arcsin(1 - 2 * share) / 3)
    offset_ratio = float(evaluate_bump(passing_time_share, 1.0).value)
    return side * min(max(deficit, 0.0) / offset_ratio, SWING.max_lateral_offset)


@dataclass(frozen=True)
class SwingPlanner:
    """Makes the targets of swings.

    Attributes:
        body: simulated body.
        slip_body: parameters of the same body for previews.
    """

    body: SimulatedBody
    slip_body: SlipBody

    def make_target(
        self,
        machine: PhaseMachine,
        landing: PreviewLanding,
        now: BodyState,
        step_goal: StepGoal,
        preview_age: float,
        time: float,
    ) -> SwingTarget:
        """Return the target of the swing foot.

        Args:
            landing: planned landing.
            step_goal: goal with the current gait of the body.
            preview_age: time since the landing was planned [s].
            time: time of the simulation [s].
        """
        foot = machine.find_next_foot(step_goal)
        place = landing.place
        normals = self.body.compute_normals(np.stack([place, machine.lift_place]))
        has_edges = step_goal.foothold_distance is not None
        toe, heel = (float(length) for length in self.slip_body.foot_extent[:2])
        height = compute_swing_height(
            step_goal.ground_height, machine.lift_place, place, toe, heel, has_edges
        )
        # Without edges the swing itself clears the slope.
        edge_height = step_goal.ground_height if has_edges else None
        clearance_deficit = compute_clearance_deficit(
            edge_height,
            now.sole_points[foot],
            now.foot_frames.place[foot],
            velocity=now.foot_frames.velocity[foot, :3],
            place=place,
        )
        limits = _choose_limits(step_goal)
        is_rough = step_goal.ground_height is not None
        return SwingTarget(
            foot,
            place,
            heading=landing.heading,
            normal=normals[0],
            remaining_time=landing.time - preview_age,
            elapsed_time=time - machine.lift_time,
            lift_place=machine.lift_place,
            apex=height.apex,
            early_arrival=limits.early_arrival,
            max_acceleration=limits.max_acceleration,
            height_deficit=clearance_deficit,
            lift_normal=normals[1],
            # On rough ground a foot that were forced down would come down across edges.
            is_committed=not is_rough and not step_goal.has_flight,
            sink_start=height.sink_share,
            lateral_offset=self._compute_lateral_offset(machine, foot, place, now, step_goal),
            toe_hang=SWING.landing_toe_angle if step_goal.has_flight and is_rough else 0.0,
            needs_clearance=is_rough and not step_goal.has_flight,
        )

    def _compute_lateral_offset(
        self,
        machine: PhaseMachine,
        foot: int,
        place: Array,
        now: BodyState,
        step_goal: StepGoal,
    ) -> float:
        """Return the lateral offset of a swing around the stance leg [m].

        Args:
            foot: swing foot, 0 left, 1 right.
            place: (3,) its foothold [m].
            step_goal: goal with the current gait of the body.
        """
        if machine.support != "single":
            return 0.0
        ratio = SWING.run_passing_ratio if step_goal.has_flight else SWING.walk_passing_ratio
        return compute_swing_offset(
            1 - 2 * foot,
            machine.lift_place,
            place,
            stance_place=now.foot_frames.place[machine.stance_foot],
            min_distance=ratio * float(self.slip_body.hip_offset[1]),
        )


def compute_min_landing_time(
    phase_machine: PhaseMachine,
    step_goal: StepGoal,
    feet: tuple[FootPose, FootPose],
    preview: Preview | None,
) -> float:
    """Return the shortest time in which the swing foot can come down to the ground [s].

    Args:
        step_goal: goal with the current gait of the body.
        feet: left and right foot.
        preview: last preview, whose foothold counts on rough ground; None where there is none.
    """
    foot = phase_machine.find_next_foot(step_goal)
    ground = phase_machine.ground_heights[foot]
    sink_speed = SWING.run_sink_speed if step_goal.has_flight else SWING.walk_sink_speed
    if step_goal.ground_height is not None and preview is not None and preview.landing is not None:
        # The ground has another height there than where the foot stood.
        ground = preview.landing.place[2]
        sink_speed = max(sink_speed, SWING.rough_sink_speed)
    return max(float(feet[foot].place[2] - ground), 0.0) / sink_speed


def _choose_limits(step_goal: StepGoal) -> SwingLimits:
    """Return the limits of the horizontal motion of a swing."""
    if step_goal.gait == "run":
        return RUN_LIMITS
    if step_goal.gait == "hop":
        return HOP_LIMITS
    return WALK_LIMITS if step_goal.ground_height is None else ROUGH_LIMITS
