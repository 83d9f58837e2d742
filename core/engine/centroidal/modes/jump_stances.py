"""Where and when the feet of a jumping body stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....character.kinematic_model import KinematicModel
from ....clip.pose.pose_sequence import KeyPoses
from ....errors import TerrainError
from ....motion.footstep import Footstep
from ....sketch.placement.sole import GroundedFootPose, place_foot
from ....task import Jump, Task
from .jump_timing import JumpTiming
from .stride_steps import END_STAND

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StanceParameters:
    """Tuned numbers of the stances between jumps."""

    # Time for which the body stands before the clip and after the last landing [s], as bodies on
    # many legs do
    stand_before_clip: float = END_STAND.stand_before_clip
    stand_after_landing: float = END_STAND.stand_after_clip
    # Time from the strike of the balls to that of the heels, as a share of the landing. tuned:
    # halved, pops of jumps are 12 degrees instead of 8.8
    heel_down_share: float = 0.5
    # Time from the lift of the heels to that of the balls, as a share of the push-off. tuned:
    # halved or doubled, pops of jumps are 15 degrees instead of 8.8
    heel_off_share: float = 0.45
    # Shortest of both times [s]. Half or twice changes no jump of docs/dev/parameters.csv, as the
    # next
    min_roll_time: float = 0.02
    # Time from the lift of the heels to that of the balls after the last landing [s]
    last_roll_time: float = 0.1
    # Distance of the feet from the middle, in half hip widths. tuned: doubled, poses are 12 degrees
    # farther from the style
    stance_width_ratio: float = 1.15


JUMP_STANCE = StanceParameters()


@dataclass(frozen=True)
class JumpStance:
    """Where the body stands: the place below its center of mass.

    Args:
        position: the place [m], shape (2,).
        facing: heading [rad].
        soles: the soles.
    """

    position: Array
    facing: float
    soles: tuple[GroundedFootPose, ...]

    @property
    def ground_height(self) -> float:
        """Mean height of the soles [m]."""
        return float(np.mean([sole.position[2] for sole in self.soles]))


def plan_stances(
    task: Task, model: KinematicModel, key_poses: KeyPoses, jumps: Sequence[Jump]
) -> list[JumpStance]:
    """Return where the body stands before, between and after jumps.

    Raises:
        TerrainError: There is no ground.
    """
    distances = np.cumsum([0.0, *(j.distance for j in jumps)])
    turns = np.cumsum([0.0, *(j.turn for j in jumps)])
    return [
        _plan_stance(task, model, key_poses, distance=float(s), turn=float(t))
        for s, t in zip(distances, turns, strict=True)
    ]


def _plan_stance(
    task: Task, model: KinematicModel, key_poses: KeyPoses, distance: float, turn: float
) -> JumpStance:
    """Return where the body stands after a distance along the path [m] and a turn [rad].

    Raises:
        TerrainError: There is no ground.
    """
    position = task.path.position_at(distance)
    facing = float(task.path.heading_at(distance + 1e-3)) + turn
    forward = np.array([np.cos(facing), np.sin(facing)])
    left = np.array([-np.sin(facing), np.cos(facing)])
    soles = []
    for limb, foot in zip(model.character.legs, model.character.feet, strict=True):
        foot_place = (
            position
            + key_poses.measure_sole_offset() * forward
            + limb.side * JUMP_STANCE.stance_width_ratio * model.character.hip_half_width * left
        )
        if not np.isfinite(task.ground.sample_heights(foot_place)):
            raise TerrainError(
                f"A jump lands at ({task.units.to_user_length(foot_place[0]):.2f}, "
                f"{task.units.to_user_length(foot_place[1]):.2f}), where there is no ground. "
                "Change its distance, the path or the terrain."
            )
        soles.append(place_foot(task.ground, foot, foot_place, yaw=facing, level=0.0))
    return JumpStance(position, facing, tuple(soles))


def build_footsteps(timings: Sequence[JumpTiming], stances: Sequence[JumpStance]) -> list[Footstep]:
    """Return the footsteps of both feet in each stance."""
    footsteps = []
    for k, stance in enumerate(stances):
        before = timings[k - 1] if k else None
        after = timings[k] if k < len(timings) else None
        strike = -JUMP_STANCE.stand_before_clip if before is None else before.strike
        flat_time = strike if before is None else strike + _compute_heel_down_time(before)
        if after is None:
            lift = strike + JUMP_STANCE.stand_after_landing + JUMP_STANCE.stand_before_clip
            roll_time = JUMP_STANCE.last_roll_time
        else:
            lift = after.lift
            roll_time = JUMP_STANCE.heel_off_share * (after.lift - after.dip_bottom)
        for leg, sole in enumerate(stance.soles):
            footsteps.append(
                Footstep(
                    leg,
                    flat_time,
                    strike,
                    heel_off=lift - max(roll_time, JUMP_STANCE.min_roll_time),
                    lift=lift,
                    position=sole.position,
                    rotation=sole.rotation,
                )
            )
    return footsteps


def _compute_heel_down_time(timing: JumpTiming) -> float:
    """Return the time from the strike of the balls to that of the heels [s]."""
    landing_time = timing.landing_bottom - timing.strike
    return max(JUMP_STANCE.heel_down_share * landing_time, JUMP_STANCE.min_roll_time)
