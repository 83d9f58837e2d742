"""The reference trajectory of a biped: the pendulum with the sway, bounce and flight that the gait
adds.

Source: Kwon et al. 2020, appendix D.4, for the horizontal course; the vertical course is an
addition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter1d

from ...character.character import Foot
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
from .leg_course import LegCourse
from .leg_cycle import MAX_LEG_EXTENSION
from .style_keys import compute_body_phases, compute_step_key, compute_style_keys
from .vertical import (
    compute_mid_support_time,
    compute_vertical_offset,
    interpolate_cosine,
    interpolate_steps,
)

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ReferenceParameters:
    """How the reference follows from pendulum and footsteps. Effects: docs/dev/parameters.csv."""

    lean_share: float = 0.7  # Share of the lean of the pendulum that the body takes.
    lean_smoothing: float = 0.15  # Duration over which the lean is smoothed [s].
    # Share of the displacement of a pinned footstep that the body follows during the steps before
    # and after it.
    neighbor_offset_share: float = 0.25
    pinned_offset_share: float = 0.5  # Share that it follows during the step itself.


@dataclass(frozen=True)
class ReferenceHeightParameters:
    """How the height of the reference is fitted to the legs."""

    max_rise: float = 0.04  # Largest upward correction [leg lengths], to a straight leg.
    max_lowering: float = 0.25  # Largest downward correction [leg lengths].
    # Largest correction that one leg requests for the knees of its style [leg lengths]; on stairs
    # and in turns, each leg would request a different height.
    max_style_correction: float = 0.035
    # Squared knee rotation that weighs as much as a squared acceleration of the body [rad^2 /
    # (m/s^2)^2]. tuned: halved, pops of a run are 8.7 degrees instead of 7.6
    acceleration_weight: float = 0.15
    smoothing: float = 0.03  # Duration over which the correction is smoothed [s].
    # Time between the samples at which legs are measured [s]. tuned: doubled, pops of a run are
    # 10 degrees instead of 7.6
    time_step: float = 0.02
    # Distance of the first plan of the rigid body from its reference that the next plan is not
    # expected to repeat [m].
    plan_offset_tolerance: float = 0.025
    min_handover_time: float = 0.06  # Shortest duration of the weight shift to a foot [s].


REFERENCE = ReferenceParameters()
REFERENCE_HEIGHT = ReferenceHeightParameters()


def plan_reference(
    sketch: Sketch, leg_course: LegCourse, com_height: float, gravity: float
) -> PlanReference:
    """Return center of mass, heading and lean to follow, from a sketch.

    The body sways over the foot that carries it. Its height over the feet is that of the legs in
    the style. Without a foot on the ground it follows a parabola, and between flights a spring that
    launches it at the speed of the parabola. It is lower where the next foot would be out of reach.

    Args:
        com_height: height of the center of mass of the standing body [m].
        gravity: gravitational acceleration [m/s^2].
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
        steps, time, gravity, lambda s: leg_course.drop_at(compute_step_key(sketch, s))
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
    """Return the lean of the body along x and y. (n,) -> (n, 2) [rad]."""
    pendulum = sketch.course.pendulum
    lean = pendulum.sample(time, "com") - pendulum.sample(time, "cart")
    return np.asarray(
        REFERENCE.lean_share
        * gaussian_filter1d(
            lean, REFERENCE.lean_smoothing / SAMPLE_INTERVAL, axis=0, mode="nearest"
        )
        / com_height
    )


ComSampler = Callable[[Array], Array]
"""Returns the center of mass (n, 3) at times (n,)."""


def fit_reference_height(
    reference: PlanReference,
    sketch: Sketch,
    footsteps: tuple[Footstep, ...],
    leg_course: LegCourse,
    sample_com: ComSampler,
) -> PlanReference:
    """Return the reference with a corrected height, so that the legs have the lengths of the style.

    Args:
        footsteps: footsteps as the plan has shifted them.
        sample_com: returns the center of mass of a body that follows the reference.
    """
    time = reference.time
    moments = np.arange(time[0], time[-1], REFERENCE_HEIGHT.time_step)
    com_samples = reference.sample(moments).com
    plan_offset = sample_com(moments) - com_samples
    offset_size = np.maximum(np.linalg.norm(plan_offset, axis=1, keepdims=True), 1e-9)
    com_samples += plan_offset * np.maximum(
        1 - REFERENCE_HEIGHT.plan_offset_tolerance / offset_size, 0.0
    )
    samples = _BodySamples(
        moments,
        com_samples,
        compute_style_keys(sketch, moments),
        compute_body_phases(sketch, footsteps, moments),
        np.interp(moments, time, reference.yaw),
    )
    roll_shares = sketch.course.roll_share_at(np.array([f.time for f in footsteps]))
    measured_legs = [
        _measure_standing_leg(step, f, leg_course, samples, float(roll_share))
        for step, f, roll_share in zip(sketch.steps, footsteps, roll_shares, strict=True)
    ]
    standing = [leg for leg in measured_legs if leg is not None]
    if not standing:
        return reference
    height_correction = fit_height(
        standing, len(moments), REFERENCE_HEIGHT.time_step, REFERENCE_HEIGHT.acceleration_weight
    )
    height_correction = np.clip(
        height_correction,
        -REFERENCE_HEIGHT.max_lowering * sketch.gait_law.leg_length,
        REFERENCE_HEIGHT.max_rise * sketch.gait_law.leg_length,
    )
    com = reference.com.copy()
    com[:, 2] += gaussian_filter1d(
        np.interp(time, moments, height_correction),
        REFERENCE_HEIGHT.smoothing / SAMPLE_INTERVAL,
        mode="nearest",
    )
    return replace(reference, com=com)


@dataclass(frozen=True)
class _BodySamples:
    """State of the body at n times.

    Args:
        time: (n,) [s].
        com: (n, 3) center of mass [m].
        keys: (n,) keys of the style.
        phases: (n,) phases of the cycle of the left foot.
        yaw: (n,) headings [rad].
    """

    time: Array
    com: Array
    keys: Array
    phases: Array
    yaw: Array

    def select(self, indices: NDArray[np.int64]) -> _BodySamples:
        """Return the samples with some indices."""
        return _BodySamples(
            self.time[indices],
            self.com[indices],
            self.keys[indices],
            self.phases[indices],
            self.yaw[indices],
        )


@dataclass(frozen=True)
class _HipDistance:
    """Distance from an ankle to its hip at n times.

    Args:
        horizontal: (n,) [m].
        vertical: (n,) [m].
    """

    horizontal: Array
    vertical: Array

    def change_for_length(self, length: Array | float) -> Array:
        """Return by how much the hip must rise for the leg to have a length [m]. (n,) [m]."""
        vertical = np.sqrt(np.maximum(length**2 - self.horizontal**2, 0.25 * length**2))
        return np.asarray(vertical - self.vertical)


def _measure_standing_leg(
    step: PlannedStep,
    footstep: Footstep,
    leg_course: LegCourse,
    samples: _BodySamples,
    roll_share: float,
) -> StandingLeg | None:
    """Return a leg at those samples at which its foot is down; None if there are none.

    Args:
        roll_share: roll of the foot, as a share of that in its style.
    """
    indices = np.flatnonzero((samples.time >= footstep.strike) & (samples.time <= footstep.lift))
    if not indices.size:
        return None
    stance = samples.select(indices)
    leg = footstep.leg
    distance = _measure_hip_distance(
        footstep, leg_course, stance, _compute_pitch(step, footstep, leg_course, stance, roll_share)
    )
    length = leg_course.length_at(leg, stance.keys, stance.phases)
    straight = leg_course.straight_lengths[leg]
    desired_change = distance.change_for_length(length)
    desired_change = desired_change - np.interp(
        stance.keys, leg_course.keys, leg_course.lowering[:, leg]
    )
    max_correction = REFERENCE_HEIGHT.max_style_correction * straight
    desired_change = np.clip(desired_change, -max_correction, max_correction)
    handover = max(
        0.5 * (step.gait.contact_time - 0.5 * step.gait.stride_time),
        REFERENCE_HEIGHT.min_handover_time,
    )
    load_share = compute_load_share(
        stance.time - footstep.strike, footstep.lift - stance.time, 2 * handover
    )
    if not step.gait.is_walk:
        # The spring of a run keeps its shape and is only shifted as a whole
        mean_change = float((load_share * desired_change).sum() / max(load_share.sum(), 1e-9))
        desired_change = np.full(len(desired_change), mean_change)
    return StandingLeg(
        indices,
        load_share,
        desired_change,
        max_height=distance.change_for_length(MAX_LEG_EXTENSION * straight),
        knee_sensitivity=compute_knee_sensitivity(length, straight),
    )


def _compute_pitch(
    step: PlannedStep,
    footstep: Footstep,
    leg_course: LegCourse,
    stance: _BodySamples,
    roll_share: float,
) -> Array:
    """Return the pitch of a foot that is down. (n,) [rad]."""
    roll = leg_course.roll_at(footstep.leg, float(stance.keys[-1]), step.gait.stride_time)
    roll = replace(
        roll,
        heel=max(roll_share * roll.heel + compute_extra_heel_pitch(footstep), 0.0),
        push=roll_share * roll.push + max(footstep.slope, 0.0),
    )
    curve = (
        build_roll_curve(footstep, roll)
        if footstep.heel_raise is None
        else build_ball_roll_curve(footstep, footstep.heel_raise, roll)
    )
    return np.asarray(curve(stance.time))


def _measure_hip_distance(
    footstep: Footstep, leg_course: LegCourse, stance: _BodySamples, pitch: Array
) -> _HipDistance:
    """Return the distance from the ankle of a foot that is down to its hip. (n,)."""
    ankle = compute_ankle_position(
        footstep,
        leg_course.feet[footstep.leg],
        pitch,
        stance.time < 0.5 * (footstep.flat + footstep.heel_off),
    )
    hip = leg_course.hip_at(footstep.leg, stance.keys, stance.phases)
    cosine = np.cos(stance.yaw)
    sine = np.sin(stance.yaw)
    hip_offset = np.stack(
        [cosine * hip[:, 0] - sine * hip[:, 1], sine * hip[:, 0] + cosine * hip[:, 1]], -1
    )
    return _HipDistance(
        np.linalg.norm(stance.com[:, :2] + hip_offset - ankle[:, :2], axis=1),
        stance.com[:, 2] + hip[:, 2] - ankle[:, 2],
    )


def compute_ankle_position(
    footstep: Footstep, foot: Foot, pitch: Array, on_heel: NDArray[np.bool_]
) -> Array:
    """Return the position of the origin of a foot that rolls over its heel or its toes.

    (n,), (n,) -> (n, 3) [m].

    Args:
        pitch: (n,) pitch of the foot [rad].
        on_heel: (n,) whether it stands on its heel, for a foot that lands on its heel.
    """
    on_heel = (on_heel != footstep.toes_first) & (footstep.heel_raise is None)
    rotation = apply_pitch(footstep.rotation, pitch)
    heel, pivot = (
        footstep.position + footstep.rotation @ (p - foot.sole_center) - rotation @ p
        for p in (foot.heel, foot.pivot)
    )
    return np.where(on_heel[:, None], heel, pivot)


def _compute_sway(steps: tuple[PlannedStep, ...], time: Array) -> Array:
    """Return the lateral displacement of the body toward the foot that carries it.

    (n,) -> (n,) [m].
    """
    shifts = [
        0.0
        if s.is_standing or s.gait.cycle.is_hop
        else (1.0 if s.footstep.leg == 0 else -1.0) * s.gait.sway_amplitude
        for s in steps
    ]
    return interpolate_steps(steps, shifts, time)


def _compute_pinned_offset(steps: tuple[PlannedStep, ...], time: Array) -> Array:
    """Return the displacement of the body because of footsteps pinned beside their usual places.

    (n,) -> (n, 2) [m].
    """
    offsets = np.array([s.pinned_offset for s in steps])  # (k, 2)
    if not offsets.any():
        return np.zeros((len(time), 2))
    padded = np.concatenate([offsets[:1], offsets, offsets[-1:]])
    blended = (
        REFERENCE.neighbor_offset_share * padded[:-2]
        + REFERENCE.pinned_offset_share * offsets
        + REFERENCE.neighbor_offset_share * padded[2:]
    )
    knots = np.array([compute_mid_support_time(s) for s in steps])
    return np.stack([interpolate_cosine(knots, blended[:, axis], time) for axis in range(2)], -1)


def _compute_ground_height(steps: tuple[PlannedStep, ...], time: Array) -> Array:
    """Return the height of the ground that carries the body. (n,) -> (n,) [m].

    It is interpolated between footsteps without overshoot. Both feet carry a body that stands. The
    height is constant before the first step and after the last one.
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
