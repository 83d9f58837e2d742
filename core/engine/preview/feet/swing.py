"""How a foot in the air gets past the leg that stands, on whose side it is to stay."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....simulate import BodyState, SimulatedBody, SwingTarget
from ....simulate.swinging import evaluate_bump
from ....slip.body import SlipBody
from ....slip.command import StepGoal
from ....slip.preview import Preview
from ....slip.state import FootPose
from ..phases.phase_machine import PhaseMachine
from .clearance import compute_clearance_deficit, compute_swing_height

Array = NDArray[np.float64]

# shares of the way from where a foot left to where it comes down,
# between which it passes the other one
PASSING_SHARES = (0.1, 0.9)
MAX_SWING_OFFSET = 0.2  # m that the way bows at most

# s that a swing is over its place early, m/s^2 at most; over rough ground it may have to go up
# first, and is late then; a hop's has but its flight
WALK_SWING_LIMITS = (0.06, 100.0)
ROUGH_SWING_LIMITS = (0.06, 250.0)
FLYING_SWING_LIMITS = {"run": (0.03, 70.0), "hop": (0.03, 140.0)}

# half the hips' distance, so often that a foot passes the other one by, walking and running
WALK_PASSING_RATIO = 2.0
RUN_PASSING_RATIO = 1.3

# rad that toes hang as a runner's foot comes down on rough ground:
# its heel first, the rest of it slaps
LANDING_TOE_ANGLE = 0.04

# m/s, with which a foot can come down: walking, running, on rough ground
WALK_SINK_SPEED = 1.2
RUN_SINK_SPEED = 1.5
ROUGH_SINK_SPEED = 2.0


def compute_swing_offset(
    side: int, start: Array, target: Array, stance_place: Array, min_distance: float
) -> float:
    """How far to the left the middle of a foot's way is to bow, m: straight on, who turns has one
    leg pass through the other.

    Args:
        side: of the foot in the air, 1 left, -1 right.
        start, target: (3,) where it left the ground and where it is to come down.
        stance_place: (3,) where the other foot stands.
        min_distance: m from the other foot, that it is to pass by at least.
    """
    displacement = (target - start)[:2]
    stance_offset = (stance_place - start)[:2]
    length = float(np.hypot(displacement[0], displacement[1]))
    share = float(stance_offset @ displacement) / max(length**2, 1e-9)
    if not PASSING_SHARES[0] < share < PASSING_SHARES[1]:
        return 0.0
    deficit = (
        min_distance
        - side
        * float(displacement[1] * stance_offset[0] - displacement[0] * stance_offset[1])
        / length
    )
    # the share of its time after which 3 s^2 - 2 s^3 of the way are behind it, and how much of its
    # middle the bow has there
    passing_share = 0.5 - np.sin(np.arcsin(1 - 2 * share) / 3)
    return side * min(
        max(deficit, 0.0) / float(evaluate_bump(passing_share, 1.0)[0]), MAX_SWING_OFFSET
    )


def make_swing_target(
    body: SimulatedBody,
    slip_body: SlipBody,
    phase_machine: PhaseMachine,
    preview: Preview,
    now: BodyState,
    step_goal: StepGoal,
    preview_age: float,
    time: float,
) -> SwingTarget | None:
    """What the foot that does not stand is to do; None where it is not to come down.

    Args:
        preview_age: s since the preview was made.
        time: s, now.
    """
    if preview.landing is None or (step_goal.gait == "hop" and phase_machine.support != "flight"):
        return None
    foot = phase_machine.find_next_foot(step_goal)
    place = preview.landing.place
    normals = body.compute_normals(np.stack([place, phase_machine.lift_place]))
    toe, heel = (float(far) for far in slip_body.foot_extent[:2])
    apex, sink_share = compute_swing_height(
        step_goal.ground_height,
        phase_machine.lift_place,
        place,
        toe=toe,
        heel=heel,
        has_edges=step_goal.foothold_distance is not None,
    )
    # where there are none, a foot's path clears the slope
    edge_height = step_goal.ground_height if step_goal.foothold_distance is not None else None
    clearance_deficit = compute_clearance_deficit(
        edge_height,
        now.sole_points[foot],
        now.foot_frames.place[foot],
        velocity=now.foot_frames.velocity[foot, :3],
        place=place,
    )
    has_flight = step_goal.has_flight
    swing_limits = FLYING_SWING_LIMITS.get(
        step_goal.gait, WALK_SWING_LIMITS if step_goal.ground_height is None else ROUGH_SWING_LIMITS
    )
    # on rough ground a foot that is made to come down does so across edges
    is_committed = step_goal.ground_height is None and not has_flight
    lateral_offset = 0.0
    if phase_machine.support == "single":
        passing_distance = (RUN_PASSING_RATIO if has_flight else WALK_PASSING_RATIO) * float(
            slip_body.hip_offset[1]
        )
        lateral_offset = compute_swing_offset(
            1 - 2 * foot,
            phase_machine.lift_place,
            place,
            stance_place=now.foot_frames.place[phase_machine.stance_foot],
            min_distance=passing_distance,
        )
    return SwingTarget(
        foot,
        place,
        preview.landing.heading,
        normals[0],
        preview.landing.time - preview_age,
        time - phase_machine.lift_time,
        phase_machine.lift_place,
        apex,
        *swing_limits,
        clearance_deficit,
        normals[1],
        is_committed,
        sink_share,
        lateral_offset,
        LANDING_TOE_ANGLE if has_flight and step_goal.ground_height is not None else 0.0,
        needs_clearance=step_goal.ground_height is not None and not has_flight,
    )


def compute_min_landing_time(
    phase_machine: PhaseMachine,
    step_goal: StepGoal,
    feet: tuple[FootPose, FootPose],
    preview: Preview | None,
) -> float:
    """s that the swinging foot needs at least to come down to where it is to stand."""
    foot = phase_machine.find_next_foot(step_goal)
    ground = phase_machine.ground_heights[foot]
    sink_speed = RUN_SINK_SPEED if step_goal.has_flight else WALK_SINK_SPEED
    if step_goal.ground_height is not None and preview is not None and preview.landing is not None:
        # it is not as high there as where the foot stood
        ground = preview.landing.place[2]
        sink_speed = max(sink_speed, ROUGH_SINK_SPEED)
    return max(float(feet[foot].place[2] - ground), 0.0) / sink_speed
