"""The course that a body of any number of legs is to take:
the pendulum's way, over the ground that its feet stand on.

Upward it does as its weight and legs that push as a sine each would have it: level in a walk, a
bounce in a trot, and where no foot is down a parabola. A trunk follows the ground under its feet,
and leans into turns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import cumulative_trapezoid
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from ...clip.style.quadruped_defaults import compute_bounce_share
from ...geometry import so3
from ...motion.footstep import Footstep
from ...plan.reference import SAMPLE_INTERVAL, PlanReference
from ...plan.result import PlanSample
from ..course.course import Course
from ..course.style_phase import StylePhase
from ..gait.gait_law import FroudeGaitLaw
from .shoulders import LimbRoots

Array = NDArray[np.float64]

LATERAL_LEAN_SHARE = 0.6  # of the pendulum's lean to the side that the body takes on
LEAN_SMOOTHING = 0.15  # s over which the lean is smoothed
# of a stride over which heights and inclinations of the ground are smoothed
GROUND_SMOOTHING = 0.25
BANK_SHARE = 0.5  # of the ground's inclination to the side, that the body follows
SWAY_SHARE = 0.4  # of the way to the feet that carry it, seen from behind
# shares of a stride that feet are down, from where on it sways, and wholly
SWAY_DUTY_RANGE = (0.4, 0.6)
SWAY_SMOOTHING = 0.08  # strides over which that is smoothed
# of its reach that a leg is bent to at most, for feet that come down far away
MIN_REACH_SHARE = 0.7
LOWERING_WINDOW = 0.5  # strides around a reach within which the body stays low
DRIFT_SMOOTHING = 0.4  # strides over which what is no bounce is taken out of the vertical course


@dataclass(frozen=True)
class StandingGeometry:
    """How a body stands: all in its own frame, m."""

    limb_roots: LimbRoots  # against the centre of mass
    foot_offsets: Array  # (legs, 3) where they stand, against it
    leg_reach: Array  # (legs,) from the hip to the ground
    com_height: float  # over the feet


def plan_stride_reference(
    course: Course,
    footsteps: list[Footstep],
    geometry: StandingGeometry,
    gravity: float,
    law: FroudeGaitLaw,
    style_phase: StylePhase,
) -> PlanReference:
    """Centre of mass, heading and tilt to follow."""
    legs = len(geometry.foot_offsets)
    time = np.arange(course.time[0], course.time[-1], SAMPLE_INTERVAL)
    yaw = np.interp(time, course.time, course.facing)
    stride_time = compute_typical_stride_time(course, law)
    level, pitch, roll = _fit_ground_plane(footsteps, geometry.foot_offsets, time, stride_time)
    com = np.empty((len(time), 3))
    forward = np.stack([np.cos(yaw), np.sin(yaw)], -1)
    left = np.stack([-forward[:, 1], forward[:, 0]], -1)
    com[:, :2] = (
        course.pendulum.sample(time, "com")
        + _compute_sway(footsteps, geometry.foot_offsets[:, 1], time, stride_time)[:, None] * left
    )
    style = style_phase.style
    style_weight = style_phase.style_weight_at(time)
    bounce = 1 + style_weight * (style.bounce - 1)
    com[:, 2] = (
        geometry.com_height
        + level
        + bounce * _compute_bounce(footsteps, legs, time, stride_time=stride_time, gravity=gravity)
    )
    com[:, 2] -= style_weight * style.crouch * law.body.hip_height
    com[:, 2] -= _compute_lowering(
        footsteps,
        geometry,
        time,
        com=com,
        rotation=so3.rotation_about("z", yaw),
        stride_time=stride_time,
    )
    lean = course.pendulum.sample(time, "com") - course.pendulum.sample(time, "cart")
    lean = (
        LATERAL_LEAN_SHARE
        * gaussian_filter1d(lean, LEAN_SMOOTHING / SAMPLE_INTERVAL, axis=0, mode="nearest")
        / geometry.com_height
    )
    # a long body leans to the side alone
    if np.ptp(geometry.limb_roots.standing_offsets[:, 0]) > 0:
        lean = (lean * left).sum(1)[:, None] * left
    nose_up = pitch + style_phase.trunk_pitch_at(time)
    return PlanReference(
        time,
        com,
        yaw,
        lean=lean - nose_up[:, None] * forward - roll[:, None] * left,
        gravity=gravity,
    )


def compute_typical_stride_time(course: Course, law: FroudeGaitLaw) -> float:
    """How long a stride takes, s."""
    return float(np.median(law.compute_stride_time(course.speed)))


def _fit_ground_plane(
    footsteps: list[Footstep], foot_offsets: Array, time: Array, stride_time: float
) -> tuple[Array, Array, Array]:
    """Height of the plane under the feet, and how it rises forward and to the left. Each (n,)."""
    # (n, legs)
    heights = np.stack(
        [_interpolate_ground_height(footsteps, leg, time) for leg in range(len(foot_offsets))], -1
    )
    is_long = np.ptp(foot_offsets[:, 0]) > 1e-3
    columns = np.stack(
        [np.ones(len(foot_offsets)), foot_offsets[:, 0] * is_long, foot_offsets[:, 1] * is_long], -1
    )
    plane = heights @ np.linalg.pinv(columns).T  # (n, 3)
    plane = gaussian_filter1d(
        plane, GROUND_SMOOTHING * stride_time / SAMPLE_INTERVAL, axis=0, mode="nearest"
    )
    return plane[:, 0], plane[:, 1], BANK_SHARE * plane[:, 2]


def _interpolate_ground_height(footsteps: list[Footstep], leg: int, time: Array) -> Array:
    """Height of the ground that a leg stands on, and between two stands on its way from
    one to the other. (n,).
    """
    knots: list[tuple[float, float]] = []
    for f in sorted((f for f in footsteps if f.leg == leg), key=lambda f: f.strike):
        for moment in (f.strike, f.lift):
            if not knots or moment > knots[-1][0] + 1e-3:
                knots.append((moment, float(f.position[2])))
    knot_times, knot_heights = np.array(knots).T
    return np.asarray(
        PchipInterpolator(knot_times, knot_heights)(np.clip(time, knot_times[0], knot_times[-1]))
    )


def _compute_sway(
    footsteps: list[Footstep], sides: Array, time: Array, stride_time: float
) -> Array:
    """How far to the left the body goes towards the feet that carry it. (n,)."""
    total_load = np.full(len(time), 1e-3)
    load_moment = np.zeros(len(time))
    for f in footsteps:
        share = np.clip((time - f.strike) / (f.lift - f.strike), 0, 1)
        load = (
            np.sin(np.pi * share)
            if f.lift - f.strike < 2 * stride_time
            else 1.0 * ((share > 0) & (share < 1))
        )
        total_load = total_load + load
        load_moment = load_moment + load * sides[f.leg]
    duty = _compute_duty(footsteps, len(sides), time, stride_time)
    share = np.clip((duty - SWAY_DUTY_RANGE[0]) / (SWAY_DUTY_RANGE[1] - SWAY_DUTY_RANGE[0]), 0, 1)
    return np.asarray(
        SWAY_SHARE
        * share
        * gaussian_filter1d(
            load_moment / total_load, SWAY_SMOOTHING * stride_time / SAMPLE_INTERVAL, mode="nearest"
        )
    )


def _compute_duty(footsteps: list[Footstep], legs: int, time: Array, stride_time: float) -> Array:
    """Share of the legs that are down, over about a stride. (n,)."""
    down = np.zeros(len(time))
    for f in footsteps:
        down += (time > f.strike) & (time < f.lift)
    return np.asarray(
        gaussian_filter1d(down / legs, 0.5 * stride_time / SAMPLE_INTERVAL, mode="nearest")
    )


def _compute_bounce(
    footsteps: list[Footstep], legs: int, time: Array, stride_time: float, gravity: float
) -> Array:
    """What the centre of mass rises and falls by under legs that push as a sine each, the same
    impulse each stride. (n,).
    """
    push_force = np.zeros(len(time))
    bounce_share = compute_bounce_share(_compute_duty(footsteps, legs, time, stride_time))
    for f in footsteps:
        inside = (time > f.strike) & (time < f.lift)
        contact_time = f.lift - f.strike
        if contact_time < 2 * stride_time:
            push_force[inside] += (
                np.sin(np.pi * (time[inside] - f.strike) / contact_time)
                * 0.5
                * np.pi
                * stride_time
                / (legs * contact_time)
            )
        else:  # a foot that stands bears its share
            push_force[inside] += 1.0 / legs
    # the weight, over a stride
    push_force /= np.maximum(
        gaussian_filter1d(
            push_force, DRIFT_SMOOTHING * stride_time / SAMPLE_INTERVAL, mode="nearest"
        ),
        0.1,
    )
    acceleration = gravity * _remove_drift(push_force - 1.0, stride_time)
    speed = _remove_drift(
        cumulative_trapezoid(acceleration, dx=SAMPLE_INTERVAL, initial=0), stride_time
    )
    return np.asarray(
        bounce_share
        * _remove_drift(cumulative_trapezoid(speed, dx=SAMPLE_INTERVAL, initial=0), stride_time)
    )


def lower_reference(
    reference: PlanReference,
    footsteps: list[Footstep],
    plan_sample: PlanSample,
    geometry: StandingGeometry,
    stride_time: float,
) -> PlanReference:
    """The reference lowered where a plan that followed it, pitched and shifted as it was,
    is out of its feet's reach.

    Args:
        plan_sample: the plan at the reference's times, as far as it reaches.
    """
    lowering = _compute_lowering(
        footsteps,
        geometry,
        plan_sample.time,
        com=plan_sample.com,
        rotation=plan_sample.rotation,
        stride_time=stride_time,
    )
    com = reference.com.copy()
    com[: len(lowering), 2] -= lowering
    com[len(lowering) :, 2] -= lowering[-1]
    return replace(reference, com=com)


def _compute_lowering(
    footsteps: list[Footstep],
    geometry: StandingGeometry,
    time: Array,
    com: Array,
    rotation: Array,
    stride_time: float,
) -> Array:
    """How much lower the body must ride for its legs to reach the ground where they
    come down and leave. (n,).
    """
    lowering = np.zeros(len(time))
    root_offsets = geometry.limb_roots.sample(time)
    for f in footsteps:
        for moment in (f.strike, f.lift):
            k = int(round((moment - time[0]) / SAMPLE_INTERVAL))
            if not 0 <= k < len(time):
                continue
            x, y, z = rotation[k] @ root_offsets[k, f.leg]
            horizontal_distance = float(np.hypot(*(f.position[:2] - com[k, :2] - [x, y])))
            reach = geometry.leg_reach[f.leg]
            max_height = (
                float(f.position[2])
                + float(
                    np.sqrt(max(reach**2 - horizontal_distance**2, (MIN_REACH_SHARE * reach) ** 2))
                )
                - z
            )
            lowering[k] = max(lowering[k], com[k, 2] - max_height)
    peak_lowering = maximum_filter1d(
        lowering, int(LOWERING_WINDOW * stride_time / SAMPLE_INTERVAL) | 1, mode="nearest"
    )
    return np.asarray(
        gaussian_filter1d(
            peak_lowering, 0.25 * LOWERING_WINDOW * stride_time / SAMPLE_INTERVAL, mode="nearest"
        )
    )


def _remove_drift(values: Array, stride_time: float) -> Array:
    return np.asarray(
        values
        - gaussian_filter1d(values, DRIFT_SMOOTHING * stride_time / SAMPLE_INTERVAL, mode="nearest")
    )
