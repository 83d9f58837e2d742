"""A sketch of jumps: no pendulum makes it. Where both feet stand when, and the course
that the body is to take.

Source: Kwon et al. 2020, section 7.2: a centroidal course in three parts, the middle one rebuilt as
the parabola of the jump's height and turned evenly in the air. Theirs is cut from a captured jump;
ours is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BPoly

from ....character.kinematic_model import KinematicModel
from ....clip.pose.pose_sequence import KeyPoses, PoseSequence
from ....errors import TaskError, TerrainError
from ....motion.footstep import Footstep
from ....plan.pacing import JumpPacing, StandTiming
from ....plan.reference import SAMPLE_INTERVAL, PlanReference
from ....sketch.placement.foot_pose import GroundedFootPose
from ....sketch.placement.sole import place_foot
from ....sketch.sketch import Sketch
from ....task import Task
from ....task.units import TaskUnits
from ..body import PlannedBody
from .as_sketch import sketch_from_reference
from .jump_timing import JUMP_POSES, JumpTiming

Array = NDArray[np.float64]

# s that the body stands before and after
STAND_BEFORE_CLIP = 2.0
STAND_AFTER_LANDING = 10.0

JUMP_CUTOFF_MARGIN = 1.3  # s past the clip's end from which on jumps are left out
# share of the landing after which heels come down, balls being down from its begin
HEEL_DOWN_SHARE = 0.5
HEEL_OFF_SHARE = 0.45  # share of the push-off over which the heels leave
STANDING_SEGMENT_TIME = 1.0  # s of a plan that only stands
# weight of the way along the ground: a body that jumps has no next step to put things right
COURSE_WEIGHT = 10.0
NODE_SPACING = 0.03  # s
FORCE_COEFFICIENTS = 4  # of a force window: their windows are short where forces change
# times the greatest height of the centre of mass over a foot that it can be away from it
MAX_COM_REACH_RATIO = 1.06
MAX_SPIN_RATIO = 1.3  # times the fastest spin of the reference, that the plan reckons with
FOOT_SHIFT_WEIGHT = 100.0  # times as much as for a step does it cost to put down a foot elsewhere
FORCE_LIMIT = 100.0  # body weights a point
FLIP_RECOVERY_TIME = 0.25  # s from the bottom of a flip's landing until the body is over its feet
STANCE_WIDTH_RATIO = 1.15  # half hip widths that feet stand from the middle


@dataclass(frozen=True)
class JumpStance:
    """Where the body stands: under its centre of mass."""

    position: Array  # (2,)
    facing: float
    sole_poses: tuple[GroundedFootPose, ...]  # of each foot

    @property
    def ground_height(self) -> float:
        """Height of the ground, m."""
        return float(np.mean([pose.position[2] for pose in self.sole_poses]))


@dataclass(frozen=True)
class JumpSketch:
    """Sketch of a task of jumps, with what follows from it at the m moments of the reference.

    Args:
        sketch: the sketch.
        reference: reference of the plan.
        timings: timing of each jump.
        pose_sequence: poses over time.
        pacing: how the clip is divided into plans.
        inertia: inertia of the poses [kg m^2], shape (m, 3, 3).
    """

    sketch: Sketch
    reference: PlanReference
    timings: tuple[JumpTiming, ...]
    pose_sequence: PoseSequence
    pacing: JumpPacing
    inertia: Array


def sketch_jumps(task: Task, planned_body: PlannedBody) -> JumpSketch:
    """Sketch, course and poses of a task of jumps.

    Raises:
        TaskError: jumps follow each other too soon, or one is too low for the
            ground that it is to reach.
        TerrainError: a jump lands where there is no ground.
    """
    model = planned_body.model
    key_poses = KeyPoses.from_style(model, planned_body.style, JUMP_POSES)
    jumps = sorted(
        (j for j in task.jumps if j.time < task.seconds + JUMP_CUTOFF_MARGIN), key=lambda j: j.time
    )
    if not jumps:
        first_time = task.units.to_user_time(min(j.time for j in task.jumps))
        raise TaskError(
            f"The clip ends at {task.units.to_user_time(task.seconds):g} s, before the first jump "
            f"at {first_time:g} s; make the clip longer, or the jump earlier."
        )
    distances = np.cumsum([0.0, *(j.distance for j in jumps)])
    turns = np.cumsum([0.0, *(j.turn for j in jumps)])
    stances = [
        _plan_stance(task, model, key_poses, distance=float(s), turn=float(t))
        for s, t in zip(distances, turns, strict=True)
    ]
    timings = [
        JumpTiming.from_jump(
            j,
            key_poses,
            task.gravity,
            height_change=b.ground_height - a.ground_height,
            units=task.units,
        )
        for j, (a, b) in zip(jumps, pairwise(stances), strict=True)
    ]
    _check_timing(timings, task.units)
    end = max(
        task.seconds + 2 * JUMP_CUTOFF_MARGIN, timings[-1].stand_time + 1.0 if timings else 0.0
    )
    leg_keys, body_keys = (
        zip(*(timing.build_keys(key_poses) for timing in timings), strict=True)
        if timings
        else ((), ())
    )
    keys = [
        (
            (0.0, key_poses.mix()),
            *(key for timing in group for key in timing),
            (end, key_poses.mix()),
        )
        for group in (leg_keys, body_keys)
    ]
    pose_sequence = PoseSequence(key_poses, (keys[0], keys[1]), end)
    time = np.arange(0.0, end, SAMPLE_INTERVAL)
    inertia = model.compute_centroidal_dynamics(pose_sequence.sample(time)).inertia
    reference = _build_reference(
        time, timings, stances, inertia=inertia, gravity=task.gravity, key_poses=key_poses
    )
    sketch = sketch_from_reference(
        task,
        planned_body,
        reference,
        _build_footsteps(timings, stances),
        com_height=key_poses.compute_com_height(key_poses.mix()),
    )
    return JumpSketch(
        sketch,
        reference,
        tuple(timings),
        pose_sequence=pose_sequence,
        pacing=_build_pacing(timings, end),
        inertia=inertia,
    )


def _plan_stance(
    task: Task, model: KinematicModel, key_poses: KeyPoses, distance: float, turn: float
) -> JumpStance:
    position = task.path.position_at(distance)
    facing = float(task.path.heading_at(distance + 1e-3)) + turn
    forward = np.array([np.cos(facing), np.sin(facing)])
    left = np.array([-np.sin(facing), np.cos(facing)])
    sole_poses = []
    for limb, foot in zip(model.character.legs, model.character.feet, strict=True):
        foot_place = (
            position
            + key_poses.measure_sole_offset() * forward
            + limb.side * STANCE_WIDTH_RATIO * model.character.hip_half_width * left
        )
        if not np.isfinite(task.ground.sample_heights(foot_place)):
            raise TerrainError(
                f"A jump comes down at ({task.units.to_user_length(foot_place[0]):.2f}, "
                f"{task.units.to_user_length(foot_place[1]):.2f}), where there is no ground. "
                "Change its reach, the path or the terrain."
            )
        sole_poses.append(place_foot(task.ground, foot, foot_place, yaw=facing, level=0.0))
    return JumpStance(position, facing, tuple(sole_poses))


def _check_timing(timings: list[JumpTiming], units: TaskUnits) -> None:
    """Refuse jumps that leave no time to crouch for them; `units` are those of timings."""
    available_time = 0.0
    for timing in timings:
        if timing.dip_start < available_time - 1e-6:
            earliest_lift = timing.lift + available_time - timing.dip_start
            raise TaskError(
                f"The jump at {units.to_user_time(timing.lift):g} s comes too soon: it can take "
                f"off at {units.to_user_time(earliest_lift):.2f} s at the earliest, when the body "
                "has stood up and crouched again."
            )
        available_time = timing.stand_time


def _build_reference(
    time: Array,
    timings: list[JumpTiming],
    stances: list[JumpStance],
    inertia: Array,
    gravity: float,
    key_poses: KeyPoses,
) -> PlanReference:
    """The course of the centre of mass, heading and flips."""
    com = np.tile(
        [
            *stances[0].position,
            stances[0].ground_height + key_poses.compute_com_height(key_poses.mix()),
        ],
        (len(time), 1),
    )
    yaw = np.full(len(time), stances[0].facing)
    pitch = np.zeros(len(time))
    for timing, (a, b) in zip(timings, pairwise(stances), strict=True):
        knots = timing.build_knots((a.ground_height, b.ground_height), gravity)
        moments = np.array([t for t, _ in knots])
        during = (time >= timing.dip_start) & (time < timing.stand_time)
        afterward = time >= timing.stand_time
        com[during, 2] = BPoly.from_derivatives(moments, [v for _, v in knots])(time[during])
        com[afterward, 2] = knots[-1][1][0]
        progress = _compute_progress(time, timing, timing.ramp_up_time, timing.ramp_down_time)
        com[:, :2] += progress[:, None] * (b.position - a.position)
        yaw += progress * (b.facing - a.facing)
        if timing.jump.flips:
            # in the air the angular momentum stays: a body turns as fast as it is folded
            pitch_change = (
                2
                * np.pi
                * timing.jump.flips
                * _compute_progress(
                    time,
                    timing,
                    timing.lift - timing.dip_bottom,
                    ramp_down=timing.landing_bottom - timing.strike,
                    rate_factor=1 / inertia[:, 1, 1],
                )
            )
            pitch += pitch_change
            forward = np.stack([np.cos(yaw), np.sin(yaw)], -1)
            com[:, :2] += _compute_flip_offset(time, timing, pitch_change)[:, None] * forward
    return PlanReference(
        time,
        com,
        yaw,
        lean=np.zeros((len(time), 2)),
        gravity=gravity,
        pitch=pitch if any(j.jump.flips for j in timings) else None,
    )


def _compute_progress(
    time: Array,
    timing: JumpTiming,
    ramp_up: float,
    ramp_down: float,
    rate_factor: Array | float = 1.0,
) -> Array:
    """How much of a way is done: a rate taken up before the lift,
    kept in the air and given up after the strike. (n,).

    Args:
        ramp_up, ramp_down: time in which it is taken up and given up, s.
        rate_factor: (n,) how fast a kept momentum carries on.
    """

    def ramp(u: Array) -> Array:
        u = np.clip(u, 0, 1)
        return u * u * (3 - 2 * u)

    rate = (
        rate_factor
        * ramp(1 - (timing.lift - time) / ramp_up)
        * ramp(1 - (time - timing.strike) / ramp_down)
    )
    progress = np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]))])
    return progress / progress[-1]


def _compute_flip_offset(time: Array, timing: JumpTiming, pitch: Array) -> Array:
    """How far the centre of mass is in front of where it would be for a body
    that does not turn. (n,) m.

    A body that flips forward leaves its feet behind it as it takes off,
    and has them in front as it lands.

    Args:
        pitch: (n,) forward, rad.
    """
    take_off_offset = timing.com_heights[2] * np.sin(np.interp(timing.lift, time, pitch))
    landing_offset = timing.com_heights[3] * np.sin(
        np.interp(timing.strike, time, pitch) - pitch[-1]
    )
    rate = (landing_offset - take_off_offset) / timing.flight_time
    knots = [
        (timing.dip_start, [0.0] * 3),
        (timing.lift, [take_off_offset, rate, 0.0]),
        (timing.strike, [landing_offset, rate, 0.0]),
        (timing.landing_bottom + FLIP_RECOVERY_TIME, [0.0] * 3),
    ]
    curve = BPoly.from_derivatives([t for t, _ in knots], [v for _, v in knots])
    return np.where(
        (time > knots[0][0]) & (time < knots[-1][0]),
        curve(np.clip(time, knots[0][0], knots[-1][0])),
        0.0,
    )


def _build_footsteps(timings: list[JumpTiming], stances: list[JumpStance]) -> list[Footstep]:
    """Both feet of each stand."""
    footsteps = []
    for k, stance in enumerate(stances):
        strike = timings[k - 1].strike if k else -STAND_BEFORE_CLIP
        lift = (
            timings[k].lift
            if k < len(timings)
            else strike + STAND_AFTER_LANDING + STAND_BEFORE_CLIP
        )
        flat_time = (
            strike + max(HEEL_DOWN_SHARE * (timings[k - 1].landing_bottom - strike), 0.02)
            if k
            else strike
        )
        roll_time = (
            HEEL_OFF_SHARE * (timings[k].lift - timings[k].dip_bottom) if k < len(timings) else 0.1
        )
        for leg, pose in enumerate(stance.sole_poses):
            footsteps.append(
                Footstep(
                    leg,
                    flat_time,
                    strike,
                    heel_off=lift - max(roll_time, 0.02),
                    lift=lift,
                    position=pose.position,
                    rotation=pose.rotation,
                )
            )
    return footsteps


def _build_pacing(timings: list[JumpTiming], end: float) -> JumpPacing:
    stand_starts = [0.0, *(timing.stand_time for timing in timings)]
    stand_ends = [*(timing.dip_start for timing in timings), end + 2.0]
    cuts: list[float] = []
    for a, b in zip(stand_starts, stand_ends, strict=True):
        segment_count = int(np.ceil((b - a) / STANDING_SEGMENT_TIME - 1e-9))
        cuts += (
            [a + 0.5 * (b - a)]
            if segment_count < 2
            else list(np.linspace(a, b, segment_count + 1)[1:-1])
        )
    strikes = [-STAND_BEFORE_CLIP, *(timing.strike for timing in timings)]
    landing_times = [1.0, *(p.landing_bottom - p.strike for p in timings)]
    push_off_times = [*(p.lift - p.dip_bottom for p in timings), 1.0]
    shortest_contact = min([*landing_times, *push_off_times])
    return JumpPacing(
        min(NODE_SPACING, max(shortest_contact / 6, 0.012)),
        has_reference_force=True,
        coefficient_count=FORCE_COEFFICIENTS,
        cut_times=tuple(cuts),
        stand_timings=tuple(
            StandTiming(*timing)
            for timing in zip(strikes, landing_times, push_off_times, strict=True)
        ),
    )
