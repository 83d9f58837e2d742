"""The course that the body is to take: the pendulum's way with the sway,
the bounce and the flight that the gait adds.

Source: Kwon et al. 2020, appendix D.4; the vertical course is ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter1d

from ...character.character import Foot
from ...fullbody.phase import compute_leg_phases
from ...fullbody.roll import (
    apply_pitch,
    build_ball_roll_curve,
    build_roll_curve,
    compute_extra_heel_pitch,
)
from ...motion.footstep import Footstep
from ...plan.reference import SAMPLE_INTERVAL, PlanReference
from ..footsteps.timing import PlannedStep, group_steps
from ..sketch import Sketch
from .height_fit import StandingLeg, compute_knee_sensitivity, compute_load_share, fit_height
from .leg_course import MAX_LEG_EXTENSION, LegCourse
from .vertical import compute_mid_support_time, compute_vertical_offset, interpolate_cosine

Array = NDArray[np.float64]

LEAN_SHARE = 0.7  # of the pendulum's lean that the body takes on
LEAN_SMOOTHING = 0.15  # s over which the lean is smoothed
# of what a kept footstep is off its place, that the body goes along with before
# and after it, and over it
PINNED_OFFSET_SHARES = (0.25, 0.5)
SPEED_SMOOTHING = 0.12  # s over which the speed that poses are drawn for is smoothed
# leg lengths that the course is raised and lowered by at most
MAX_HEIGHT_CORRECTIONS = (0.04, 0.25)
# the same for the style's knees, that one leg counts for:
# on stairs and in turns each has another height
MAX_STYLE_CORRECTION = 0.035
# rad^2 of a knee for each (m/s^2)^2 by which the body is to go otherwise
FIT_ACCELERATION_WEIGHT = 0.15
FIT_SMOOTHING = 0.03  # s over which that is smoothed
FIT_TIME_STEP = 0.02  # s between moments at which legs are measured
# m that the first plan of a rigid body is off its reference where the next one need not be
PLAN_OFFSET_TOLERANCE = 0.025
MIN_HANDOVER_TIME = 0.06  # s in which the weight goes over to a foot at least


def plan_reference(
    sketch: Sketch, leg_course: LegCourse, com_height: float, gravity: float
) -> PlanReference:
    """Centre of mass, velocity and heading to follow, from a sketch.

    Sideways the body sways over the foot that carries it. Upward it rides over its feet as the
    style's own legs have it; where no foot is down it flies a parabola and sinks in between as a
    spring would that sends it off at the parabola's speed. Where the next foot could not be reached
    it rides lower.
    """
    course = sketch.course
    steps = sketch.steps
    time = np.arange(course.time[0], course.time[-1], SAMPLE_INTERVAL)
    com = np.empty((len(time), 3))
    com[:, :2] = course.pendulum.sample(time, "com")
    yaw = np.interp(time, course.time, course.facing)
    sway = _compute_sway(steps, time)
    com[:, :2] += sway[:, None] * np.stack([-np.sin(yaw), np.cos(yaw)], -1)
    com[:, :2] += _compute_pinned_offset(steps, time)
    footsteps = tuple(s.footstep for s in steps)
    com[:, 2] = leg_course.height_at(
        compute_style_keys(sketch, time), compute_body_phases(sketch, footsteps, time)
    )
    com[:, 2] += _compute_ground_height(steps, time) + compute_vertical_offset(
        steps, time, gravity, lambda s: leg_course.drop_at(_compute_step_key(sketch, s))
    )
    reference = PlanReference(
        time, com, yaw, lean=_compute_lean(sketch, time, com_height), gravity=gravity
    )
    return fit_reference_height(
        reference,
        sketch,
        footsteps,
        leg_course=leg_course,
        sample_com=lambda t: reference.sample(t).com,
    )


def _compute_lean(sketch: Sketch, time: Array, com_height: float) -> Array:
    """Return the lean of the body along the world's x and y. (n, 2) rad."""
    pendulum = sketch.course.pendulum
    lean = pendulum.sample(time, "com") - pendulum.sample(time, "cart")
    return np.asarray(
        LEAN_SHARE
        * gaussian_filter1d(lean, LEAN_SMOOTHING / SAMPLE_INTERVAL, axis=0, mode="nearest")
        / com_height
    )


ComSampler = Callable[[Array], Array]
"""Gives the centre of mass (n, 3) at times (n,)."""


def fit_reference_height(
    reference: PlanReference,
    sketch: Sketch,
    footsteps: tuple[Footstep, ...],
    leg_course: LegCourse,
    sample_com: ComSampler,
) -> PlanReference:
    """Return the reference raised and lowered so that the legs of a body on it are
    as long as the style's.

    Args:
        footsteps: as a plan has shifted them.
        sample_com: where a body that follows the reference has its centre of mass.
    """
    time = reference.time
    moments = np.arange(time[0], time[-1], FIT_TIME_STEP)
    com_samples = reference.sample(moments).com
    plan_offset = sample_com(moments) - com_samples
    offset_size = np.maximum(np.linalg.norm(plan_offset, axis=1, keepdims=True), 1e-9)
    com_samples += plan_offset * np.maximum(1 - PLAN_OFFSET_TOLERANCE / offset_size, 0.0)
    style_state = (
        compute_style_keys(sketch, moments),
        compute_body_phases(sketch, footsteps, moments),
        np.interp(moments, time, reference.yaw),
    )
    roll_shares = sketch.course.roll_share_at(np.array([f.time for f in footsteps]))
    measured_legs = [
        _measure_standing_leg(
            step,
            f,
            leg_course,
            moments=moments,
            com=com_samples,
            style_state=style_state,
            roll_share=float(roll_share),
        )
        for step, f, roll_share in zip(sketch.steps, footsteps, roll_shares, strict=True)
    ]
    standing = [leg for leg in measured_legs if leg is not None]
    if not standing:
        return reference
    height_correction = fit_height(standing, len(moments), FIT_TIME_STEP, FIT_ACCELERATION_WEIGHT)
    height_correction = np.clip(
        height_correction,
        -MAX_HEIGHT_CORRECTIONS[1] * sketch.gait_law.leg_length,
        MAX_HEIGHT_CORRECTIONS[0] * sketch.gait_law.leg_length,
    )
    com = reference.com.copy()
    com[:, 2] += gaussian_filter1d(
        np.interp(time, moments, height_correction), FIT_SMOOTHING / SAMPLE_INTERVAL, mode="nearest"
    )
    return replace(reference, com=com)


def _measure_standing_leg(
    step: PlannedStep,
    footstep: Footstep,
    leg_course: LegCourse,
    moments: Array,
    com: Array,
    style_state: tuple[Array, Array, Array],
    roll_share: float,
) -> StandingLeg | None:
    """Return how a leg stands at those of the moments at which its foot is down;
    None where there are none.

    Args:
        style_state: keys and phases of the style, and headings, at the moments.
        roll_share: share of its style's pitch that the foot has.
    """
    indices = np.flatnonzero((moments >= footstep.strike) & (moments <= footstep.lift))
    if not indices.size:
        return None
    keys, phases, yaw = (values[indices] for values in style_state)
    t = moments[indices]
    foot = leg_course.feet[footstep.leg]
    roll = leg_course.roll_at(footstep.leg, float(keys[-1]), step.gait.stride_time)
    roll = replace(
        roll,
        heel=max(roll_share * roll.heel + compute_extra_heel_pitch(footstep), 0.0),
        push=roll_share * roll.push + max(footstep.slope, 0.0),
    )
    pitch = (
        build_roll_curve(footstep, roll)
        if footstep.heel_raise is None
        else build_ball_roll_curve(footstep, footstep.heel_raise, roll)
    )(t)
    ankle = compute_ankle_position(
        footstep, foot, pitch, t < 0.5 * (footstep.flat + footstep.heel_off)
    )
    hip = leg_course.hip_at(footstep.leg, keys, phases)
    cosine = np.cos(yaw)
    sine = np.sin(yaw)
    hip_offset = np.stack(
        [cosine * hip[:, 0] - sine * hip[:, 1], sine * hip[:, 0] + cosine * hip[:, 1]], -1
    )
    horizontal_distance = np.linalg.norm(com[indices, :2] + hip_offset - ankle[:, :2], axis=1)
    vertical_distance = com[indices, 2] + hip[:, 2] - ankle[:, 2]  # hip over ankle
    length = leg_course.length_at(footstep.leg, keys, phases)
    straight = MAX_LEG_EXTENSION * leg_course.straight_lengths[footstep.leg]
    desired_change, max_change = (
        np.sqrt(np.maximum(reach**2 - horizontal_distance**2, 0.25 * reach**2)) - vertical_distance
        for reach in (length, straight)
    )
    desired_change = desired_change - np.interp(
        keys, leg_course.keys, leg_course.lowering[:, footstep.leg]
    )
    desired_change = np.clip(
        desired_change,
        -MAX_STYLE_CORRECTION * leg_course.straight_lengths[footstep.leg],
        MAX_STYLE_CORRECTION * leg_course.straight_lengths[footstep.leg],
    )
    handover = max(0.5 * (step.gait.contact_time - 0.5 * step.gait.stride_time), MIN_HANDOVER_TIME)
    load_share = compute_load_share(t - footstep.strike, footstep.lift - t, 2 * handover)
    # a spring's course is its own: only where it lies as a whole is put right
    if not step.gait.is_walk:
        desired_change = np.full(
            len(desired_change),
            float((load_share * desired_change).sum() / max(load_share.sum(), 1e-9)),
        )
    return StandingLeg(
        indices,
        load_share,
        desired_change,
        max_height=max_change,
        knee_sensitivity=compute_knee_sensitivity(
            length, leg_course.straight_lengths[footstep.leg]
        ),
    )


def compute_ankle_position(
    footstep: Footstep, foot: Foot, pitch: Array, on_heel: NDArray[np.bool_]
) -> Array:
    """Return where the foot's origin is as it rolls over its heel or its
    toes. (n,), (n,) -> (n, 3).
    """
    on_heel = (on_heel != footstep.toes_first) & (footstep.heel_raise is None)
    rotation = apply_pitch(footstep.rotation, pitch)
    heel, pivot = (
        footstep.position + footstep.rotation @ (p - foot.sole_center) - rotation @ p
        for p in (foot.heel, foot.pivot)
    )
    return np.where(on_heel[:, None], heel, pivot)


def compute_body_phases(sketch: Sketch, footsteps: tuple[Footstep, ...], times: Array) -> Array:
    """Return where in the cycle of the left foot the body is, told by all legs. (n,)."""
    legs = sorted({f.leg for f in footsteps})
    phases = compute_leg_phases(
        footsteps, np.array([s.gait.cycle.duty for s in sketch.steps]), len(legs), times
    )
    right_delay = sketch.gait_law.style.right_delay_at(compute_style_keys(sketch, times))
    shift = np.stack([np.zeros(len(times)), 0.5 + right_delay], -1)[:, : len(legs)]
    return np.angle(np.exp(2j * np.pi * (phases + shift)).mean(1)) / (2 * np.pi)


def compute_style_keys(sketch: Sketch, times: Array) -> Array:
    """Return the keys of the style at times. (n,)."""
    course = sketch.course
    if sketch.has_natural_strides:
        smoothed_speed = gaussian_filter1d(
            course.speed, SPEED_SMOOTHING / (course.time[1] - course.time[0]), mode="nearest"
        )
        speed = np.interp(times, course.time, smoothed_speed) / sketch.gait_law.unit_speed
    else:
        speed = compute_cycle_speeds(sketch, times)
    return sketch.gait_law.style.find_keys(speed, compute_second_gait_share(sketch, times))


def _compute_step_key(sketch: Sketch, step: PlannedStep) -> float:
    """Return the key of the style that a step is taken in."""
    cycle = step.gait.cycle
    style = sketch.gait_law.style
    return float(
        style.find_keys(
            np.array([cycle.speed]), np.array([float(cycle.speed >= style.change_speed)])
        )[0]
    )


def compute_second_gait_share(sketch: Sketch, times: Array) -> Array:
    """How much the body is in the second gait of its style, 0 to 1,
    from one step to the next. (n,).
    """
    change = sketch.gait_law.style.change_speed
    return interpolate_cosine(
        np.array([s.footstep.time for s in sketch.steps]),
        np.array([float(s.gait.cycle.speed >= change) for s in sketch.steps]),
        times,
    )


def compute_cycle_speeds(sketch: Sketch, times: Array) -> Array:
    """Speeds v / sqrt(g l) of the cycles that the steps are taken in,
    from one step to the next. (n,).
    """
    return interpolate_cosine(
        np.array([s.footstep.time for s in sketch.steps]),
        np.array([s.gait.cycle.speed for s in sketch.steps]),
        times,
    )


def _compute_sway(steps: tuple[PlannedStep, ...], time: Array) -> Array:
    moments = []
    shifts = []
    for s in steps:
        side = 1.0 if s.footstep.leg == 0 else -1.0
        moments.append(compute_mid_support_time(s))
        shifts.append(0.0 if s.is_standing or s.gait.cycle.is_hop else side * s.gait.sway_amplitude)
        if s.is_standing:  # upright until shortly before its lift
            moments.append(max(s.footstep.lift - 0.5 * s.gait.contact_time, moments[-1] + 0.05))
            shifts.append(0.0)
    return interpolate_cosine(np.array(moments), np.array(shifts), time)


def _compute_pinned_offset(steps: tuple[PlannedStep, ...], time: Array) -> Array:
    """How far the body goes along with footsteps that are kept elsewhere
    than they would be. (n, 2).
    """
    offsets = np.array([s.pinned_offset for s in steps])  # (k, 2)
    if not offsets.any():
        return np.zeros((len(time), 2))
    padded = np.concatenate([offsets[:1], offsets, offsets[-1:]])
    blended = (
        PINNED_OFFSET_SHARES[0] * padded[:-2]
        + PINNED_OFFSET_SHARES[1] * offsets
        + PINNED_OFFSET_SHARES[0] * padded[2:]
    )
    knots = np.array([compute_mid_support_time(s) for s in steps])
    return np.stack([interpolate_cosine(knots, blended[:, axis], time) for axis in range(2)], -1)


def _compute_ground_height(steps: tuple[PlannedStep, ...], time: Array) -> Array:
    """Height of the ground that carries the body: through the footsteps' heights in
    order, without overshoot.

    A body that stands is carried by both feet. Before the first step and after the
    last one the height stays.
    """
    groups = group_steps(steps)
    knots = [compute_mid_support_time(landing.steps[0]) for landing in groups]
    heights = [landing.height for landing in groups]
    support_heights = [
        0.5 * (heights[k] + heights[max(k - 1, 0)])
        if landing.steps[0].is_standing and len(landing.steps) == 1
        else heights[k]
        for k, landing in enumerate(groups)
    ]
    knots = [knots[0] - 1.0, *knots, knots[-1] + 1.0]
    support_heights = [support_heights[0], *support_heights, support_heights[-1]]
    return PchipInterpolator(knots, support_heights)(np.clip(time, knots[0], knots[-1]))
