"""Sketch of jumps: where both feet stand when, the reference of the plan, and the poses.

Source: Kwon et al. 2020, section 7.2: a centroidal reference in three parts, of which the middle
one is replaced by the parabola of the jump's height and rotates uniformly in flight. There the
reference is cut from a captured jump; here it is computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BPoly

from ....clip.pose.pose_sequence import KeyPoses, PoseSequence
from ....errors import TaskError
from ....plan.pacing import JumpPacing, StandTiming
from ....plan.reference import SAMPLE_INTERVAL, PlanReference
from ....sketch.sketch import Sketch
from ....task import Jump, Task
from ....task.units import TaskUnits
from ..body import PlannedBody
from .as_sketch import sketch_from_reference
from .jump_shape import JUMP_POSES
from .jump_stances import JUMP_STANCE, JumpStance, build_footsteps, plan_stances
from .jump_timing import JumpTiming

Array = NDArray[np.float64]


@dataclass(frozen=True)
class JumpSketchParameters:
    """Tuned numbers of the sketch of jumps."""

    # Time after the end of the clip from which on jumps are ignored [s]: the crouch of a later jump
    # is after the clip. Half or twice of this and the next two moves jumps by at most 3 mm
    cutoff_margin: float = 1.3
    # Time of the reference after the body stands again [s]. Half or twice: as above
    reference_tail: float = 1.0
    # Largest duration of a plan of a body that stands [s]. Half or twice: as above
    standing_plan_time: float = 1.0
    # Largest time between the nodes of a plan [s]. Half of it moves jumps by 2 cm, twice by nothing
    # (docs/dev/parameters.csv)
    node_spacing: float = 0.03
    # Nodes in the shortest contact. tuned: halved, pops of jumps are a degree larger
    nodes_per_contact: int = 6
    # Smallest time between nodes [s]. Numerical: half or twice changes no jump of
    # docs/dev/parameters.csv; it only limits the computing time of very short contacts
    min_node_spacing: float = 0.012
    # Coefficients of a force window; windows are short where forces change. tuned: halved, poses
    # are 5 degrees farther from the style
    force_coefficients: int = 4
    # Time from the bottom of the landing of a flip until the body is above its feet [s]
    flip_recovery_time: float = 0.25


JUMP_SKETCH = JumpSketchParameters()


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
    """Return sketch, reference and poses of a task of jumps.

    Raises:
        TaskError: Jumps follow each other too soon, or one is too low for the ground that it is
            to reach.
        TerrainError: A jump lands where there is no ground.
    """
    model = planned_body.model
    key_poses = KeyPoses.from_style(model, planned_body.style, JUMP_POSES)
    jumps = sorted(
        (j for j in task.jumps if j.time < task.seconds + JUMP_SKETCH.cutoff_margin),
        key=lambda j: j.time,
    )
    _check_first_jump(task, jumps)
    stances = plan_stances(task, model, key_poses, jumps)
    timings = _time_jumps(task, key_poses, jumps, stances)
    last_time = timings[-1].stand_time + JUMP_SKETCH.reference_tail
    end = max(task.seconds + 2 * JUMP_SKETCH.cutoff_margin, last_time)
    pose_sequence = _build_pose_sequence(timings, key_poses, end)
    time = np.arange(0.0, end, SAMPLE_INTERVAL)
    inertia = model.compute_centroidal_dynamics(pose_sequence.sample(time)).inertia
    standing_height = key_poses.compute_com_height(key_poses.mix())
    course = _JumpCourse(timings, stances, inertia, standing_height)
    reference = course.build_reference(time, task.gravity)
    sketch = sketch_from_reference(
        task,
        planned_body,
        reference,
        build_footsteps(timings, stances),
        com_height=standing_height,
    )
    return JumpSketch(
        sketch,
        reference,
        timings,
        pose_sequence=pose_sequence,
        pacing=_build_pacing(timings, end),
        inertia=inertia,
    )


def _check_first_jump(task: Task, jumps: Sequence[Jump]) -> None:
    """Refuse a clip that ends before its first jump.

    Args:
        task: the task.
        jumps: jumps of the task that are within the clip.

    Raises:
        TaskError: There are none.
    """
    if not jumps:
        first_time = task.units.to_user_time(min(j.time for j in task.jumps))
        raise TaskError(
            f"The clip ends at {task.units.to_user_time(task.seconds):g} s, before the first jump "
            f"at {first_time:g} s; make the clip longer, or the jump earlier."
        )


def _time_jumps(
    task: Task, key_poses: KeyPoses, jumps: Sequence[Jump], stances: Sequence[JumpStance]
) -> tuple[JumpTiming, ...]:
    """Return the timing of each jump.

    Raises:
        TaskError: Jumps follow each other too soon, or one is too low.
    """
    timings = tuple(
        JumpTiming.from_jump(
            jump,
            key_poses,
            task.gravity,
            height_change=after.ground_height - before.ground_height,
            units=task.units,
        )
        for jump, (before, after) in zip(jumps, pairwise(stances), strict=True)
    )
    _check_timing(timings, task.units)
    return timings


def _check_timing(timings: Sequence[JumpTiming], units: TaskUnits) -> None:
    """Refuse jumps that leave no time to crouch.

    Args:
        timings: timing of each jump.
        units: units of the timings.

    Raises:
        TaskError: There is such a jump.
    """
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


def _build_pose_sequence(
    timings: Sequence[JumpTiming], key_poses: KeyPoses, end: float
) -> PoseSequence:
    """Return the poses up to the time `end` [s]."""
    keys = [timing.build_keys(key_poses) for timing in timings]
    first = (0.0, key_poses.mix())
    last = (end, key_poses.mix())
    return PoseSequence(
        key_poses,
        (
            (first, *(key for k in keys for key in k.legs), last),
            (first, *(key for k in keys for key in k.body), last),
        ),
        end,
    )


@dataclass(frozen=True)
class _JumpCourse:
    """Course of the center of mass over jumps.

    Args:
        timings: timing of each jump.
        stances: where the body stands before, between and after them.
        inertia: inertia of the poses at the n times of the reference [kg m^2], shape (n, 3, 3).
        standing_height: height of the center of mass of the standing body [m].
    """

    timings: Sequence[JumpTiming]
    stances: Sequence[JumpStance]
    inertia: Array
    standing_height: float

    def build_reference(self, time: Array, gravity: float) -> PlanReference:
        """Return center of mass, heading and flips at n times [s]. Gravity in [m/s^2]."""
        first = self.stances[0]
        com = np.tile([*first.position, first.ground_height + self.standing_height], (len(time), 1))
        yaw = np.full(len(time), first.facing)
        pitch = np.zeros(len(time))
        for timing, (a, b) in zip(self.timings, pairwise(self.stances), strict=True):
            knots = timing.build_knots(a.ground_height, b.ground_height, gravity)
            during = (time >= timing.dip_start) & (time < timing.stand_time)
            curve = BPoly.from_derivatives(
                np.array([knot.time for knot in knots]), [knot.derivatives for knot in knots]
            )
            com[during, 2] = curve(time[during])
            com[time >= timing.stand_time, 2] = knots[-1].height
            progress = _compute_progress(time, timing, timing.ramp_up_time, timing.ramp_down_time)
            com[:, :2] += progress[:, None] * (b.position - a.position)
            yaw += progress * (b.facing - a.facing)
            if timing.jump.flips:
                pitch_change = self._compute_pitch_change(time, timing)
                pitch += pitch_change
                forward = np.stack([np.cos(yaw), np.sin(yaw)], -1)
                com[:, :2] += _compute_flip_offset(time, timing, pitch_change)[:, None] * forward
        return PlanReference(
            time,
            com,
            yaw,
            lean=np.zeros((len(time), 2)),
            gravity=gravity,
            pitch=pitch if any(t.jump.flips for t in self.timings) else None,
        )

    def _compute_pitch_change(self, time: Array, timing: JumpTiming) -> Array:
        """Return the forward rotation of a flip at n times [rad], shape (n,).

        The angular momentum is constant in flight: the body rotates the faster the more it is
        tucked.
        """
        progress = _compute_progress(
            time,
            timing,
            timing.lift - timing.dip_bottom,
            ramp_down=timing.landing_bottom - timing.strike,
            rate_factor=1 / self.inertia[:, 1, 1],
        )
        return 2 * np.pi * timing.jump.flips * progress


def _compute_progress(
    time: Array,
    timing: JumpTiming,
    ramp_up: float,
    ramp_down: float,
    rate_factor: Array | float = 1.0,
) -> Array:
    """Return the progress of a motion from 0 to 1, shape (n,).

    Its rate rises before the lift, is constant in flight but for `rate_factor`, and falls after
    the strike.

    Args:
        time: n times [s].
        timing: timing of the jump.
        ramp_up: time before the lift in which the rate rises [s].
        ramp_down: time after the strike in which it falls [s].
        rate_factor: factor of the rate, shape (n,).
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
    """Return the forward offset of the center of mass due to a flip [m], shape (n,).

    A body that flips forward has its feet behind it at the lift, and in front of it at the strike.

    Args:
        time: n times [s].
        timing: timing of the jump.
        pitch: forward rotation [rad], shape (n,).
    """
    take_off_offset = timing.shape.heights.lift * np.sin(np.interp(timing.lift, time, pitch))
    landing_offset = timing.shape.heights.strike * np.sin(
        np.interp(timing.strike, time, pitch) - pitch[-1]
    )
    rate = (landing_offset - take_off_offset) / timing.flight_time
    knots = [
        (timing.dip_start, [0.0] * 3),
        (timing.lift, [take_off_offset, rate, 0.0]),
        (timing.strike, [landing_offset, rate, 0.0]),
        (timing.landing_bottom + JUMP_SKETCH.flip_recovery_time, [0.0] * 3),
    ]
    curve = BPoly.from_derivatives([t for t, _ in knots], [v for _, v in knots])
    return np.where(
        (time > knots[0][0]) & (time < knots[-1][0]),
        curve(np.clip(time, knots[0][0], knots[-1][0])),
        0.0,
    )


def _build_pacing(timings: Sequence[JumpTiming], end: float) -> JumpPacing:
    """Return how a clip up to the time `end` [s] is divided into plans: where the body stands."""
    stand_starts = [0.0, *(timing.stand_time for timing in timings)]
    stand_ends = [*(timing.dip_start for timing in timings), end + 2.0]
    cuts: list[float] = []
    for a, b in zip(stand_starts, stand_ends, strict=True):
        plan_count = int(np.ceil((b - a) / JUMP_SKETCH.standing_plan_time - 1e-9))
        cuts += (
            [a + 0.5 * (b - a)] if plan_count < 2 else list(np.linspace(a, b, plan_count + 1)[1:-1])
        )
    strikes = [-JUMP_STANCE.stand_before_clip, *(timing.strike for timing in timings)]
    landing_times = [1.0, *(t.landing_bottom - t.strike for t in timings)]
    push_off_times = [*(t.lift - t.dip_bottom for t in timings), 1.0]
    shortest_contact = min([*landing_times, *push_off_times])
    spacing = max(shortest_contact / JUMP_SKETCH.nodes_per_contact, JUMP_SKETCH.min_node_spacing)
    return JumpPacing(
        min(JUMP_SKETCH.node_spacing, spacing),
        has_reference_force=True,
        coefficient_count=JUMP_SKETCH.force_coefficients,
        cut_times=tuple(cuts),
        stand_timings=tuple(
            StandTiming(*timing)
            for timing in zip(strikes, landing_times, push_off_times, strict=True)
        ),
    )
