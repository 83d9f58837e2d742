"""The reference trajectory of a body with any number of legs: the pendulum over the ground under
its feet.

The vertical motion is that of the weight on legs that each push with a sine: level in a walk, a
bounce in a trot, and a parabola without a foot on the ground. The trunk follows the ground under
the feet and leans into turns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import cumulative_trapezoid
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from ...clip.style.quadruped_defaults import compute_bounce_share
from ...geometry import so3
from ...motion.footstep import Footstep
from ...plan.reference import SAMPLE_INTERVAL, PlanReference
from ..course.course import Course
from ..course.style_phase import StylePhase
from ..gait.gait_law import FroudeGaitLaw
from .reference import REFERENCE
from .shoulders import LimbRoots

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StrideReferenceParameters:
    """How the reference follows from the pendulum and the footsteps.

    Effects of half and twice of each: docs/dev/parameters.csv.
    """

    lateral_lean_share: float = 0.6  # Share of the lean of the pendulum that the body takes.
    # Duration over which height and inclination of the ground are smoothed [strides].
    ground_smoothing: float = 0.25
    bank_share: float = 0.5  # Share of the lateral inclination of the ground that the body follows.
    # Share of the lateral distance to the loaded feet that the body covers.
    sway_share: float = 0.4
    # Duty factor below which the body does not sway. tuned: doubled, feet of a dog need a friction
    # of 0.23 instead of 0.14
    min_sway_duty: float = 0.4
    full_sway_duty: float = 0.6  # Duty factor above which it sways fully.
    sway_smoothing: float = 0.08  # Duration over which the sway is smoothed [strides].
    # Shortest distance from hip to foot, for feet far from the body, as a share of the reach.
    # tuned: doubled, feet of a dog need a friction of 0.22 instead of 0.14
    min_reach_share: float = 0.7
    # Duration around a strike or lift for which the body stays low [strides]. tuned: halved, forces
    # of a dog are off by 0.081 body weights instead of 0.03
    lowering_window: float = 0.5
    # Duration of the average that is removed from the bounce as drift [strides].
    drift_smoothing: float = 0.4


STRIDE_REFERENCE = StrideReferenceParameters()


@dataclass(frozen=True)
class StandingGeometry:
    """Geometry of the standing body, in the frame of the body.

    Args:
        limb_roots: hips and shoulders relative to the center of mass.
        foot_offsets: (legs, 3) feet relative to the center of mass [m].
        hold_offsets: (legs, 3) ends of the legs relative to the feet, as ankles to the middle of
            their soles [m].
        leg_reach: (legs,) distance from the hip to the end of the leg [m].
        com_height: height of the center of mass over the feet [m].
    """

    limb_roots: LimbRoots
    foot_offsets: Array
    hold_offsets: Array
    leg_reach: Array
    com_height: float

    def sample_reach_centers(self, times: Array) -> Array:
        """Return the centers of the spheres within which feet are in reach. (n, legs, 3) [m].

        They are relative to the center of mass, in the frame of the body at times (n,). A foot
        rests as a whole, and the end of the leg is as far from it as in the standing body.
        """
        return self.limb_roots.sample(times) - self.hold_offsets


@dataclass(frozen=True)
class _GroundPlane:
    """Plane under the feet at n times.

    Args:
        height: (n,) height under the body [m].
        forward_slope: (n,) rise over run forward.
        left_slope: (n,) rise over run to the left that the body follows.
    """

    height: Array
    forward_slope: Array
    left_slope: Array


def plan_stride_reference(
    course: Course,
    footsteps: list[Footstep],
    geometry: StandingGeometry,
    gravity: float,
    law: FroudeGaitLaw,
    style_phase: StylePhase,
) -> PlanReference:
    """Return center of mass, heading and lean to follow.

    Args:
        geometry: geometry of the standing body.
        gravity: gravitational acceleration [m/s^2].
        law: gait law of the body.
    """
    time = np.arange(course.time[0], course.time[-1], SAMPLE_INTERVAL)
    yaw = np.interp(time, course.time, course.facing)
    stride_time = compute_typical_stride_time(course, law)
    plane = _fit_ground_plane(footsteps, geometry.foot_offsets, time, stride_time)
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
        + plane.height
        + bounce
        * _compute_bounce(
            footsteps, len(geometry.foot_offsets), time, stride_time=stride_time, gravity=gravity
        )
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
    lean = _compute_lean(course, geometry, time, left)
    nose_up = plane.forward_slope + style_phase.trunk_pitch_at(time)
    return PlanReference(
        time,
        com,
        yaw,
        lean=lean - nose_up[:, None] * forward - plane.left_slope[:, None] * left,
        gravity=gravity,
    )


def _compute_lean(course: Course, geometry: StandingGeometry, time: Array, left: Array) -> Array:
    """Return the lean of the body along x and y. (n,) -> (n, 2) [rad].

    Args:
        left: (n, 2) unit vectors to the left of the body.
    """
    lean = course.pendulum.sample(time, "com") - course.pendulum.sample(time, "cart")
    lean = (
        STRIDE_REFERENCE.lateral_lean_share
        * gaussian_filter1d(
            lean, REFERENCE.lean_smoothing / SAMPLE_INTERVAL, axis=0, mode="nearest"
        )
        / geometry.com_height
    )
    # A long body leans to the side only
    if np.ptp(geometry.limb_roots.standing_offsets[:, 0]) > 0:
        lean = (lean * left).sum(1)[:, None] * left
    return np.asarray(lean)


def compute_typical_stride_time(course: Course, law: FroudeGaitLaw) -> float:
    """Return the median duration of a stride along a course [s]."""
    return float(np.median(law.compute_stride_time(course.speed)))


def _fit_ground_plane(
    footsteps: list[Footstep], foot_offsets: Array, time: Array, stride_time: float
) -> _GroundPlane:
    """Return the smoothed plane under the feet. (n,)."""
    heights = np.stack(  # (n, legs)
        [_interpolate_ground_height(footsteps, leg, time) for leg in range(len(foot_offsets))], -1
    )
    is_long = np.ptp(foot_offsets[:, 0]) > 1e-3
    columns = np.stack(
        [np.ones(len(foot_offsets)), foot_offsets[:, 0] * is_long, foot_offsets[:, 1] * is_long], -1
    )
    plane = heights @ np.linalg.pinv(columns).T  # (n, 3)
    plane = gaussian_filter1d(
        plane,
        STRIDE_REFERENCE.ground_smoothing * stride_time / SAMPLE_INTERVAL,
        axis=0,
        mode="nearest",
    )
    return _GroundPlane(plane[:, 0], plane[:, 1], STRIDE_REFERENCE.bank_share * plane[:, 2])


def _interpolate_ground_height(footsteps: list[Footstep], leg: int, time: Array) -> Array:
    """Return the height of the ground under one leg, interpolated between its contacts.

    (n,) -> (n,) [m].
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
    """Return the displacement of the body to the left, toward the feet that carry it.

    (n,) -> (n,) [m].

    Args:
        sides: (legs,) lateral offsets of the feet [m].
    """
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
    share = np.clip(
        (duty - STRIDE_REFERENCE.min_sway_duty)
        / (STRIDE_REFERENCE.full_sway_duty - STRIDE_REFERENCE.min_sway_duty),
        0,
        1,
    )
    return np.asarray(
        STRIDE_REFERENCE.sway_share
        * share
        * gaussian_filter1d(
            load_moment / total_load,
            STRIDE_REFERENCE.sway_smoothing * stride_time / SAMPLE_INTERVAL,
            mode="nearest",
        )
    )


def _compute_duty(footsteps: list[Footstep], legs: int, time: Array, stride_time: float) -> Array:
    """Return the share of the legs that are down, averaged over about a stride. (n,) -> (n,)."""
    down = np.zeros(len(time))
    for f in footsteps:
        down += (time > f.strike) & (time < f.lift)
    return np.asarray(
        gaussian_filter1d(down / legs, 0.5 * stride_time / SAMPLE_INTERVAL, mode="nearest")
    )


def _compute_bounce(
    footsteps: list[Footstep], legs: int, time: Array, stride_time: float, gravity: float
) -> Array:
    """Return the vertical motion of the center of mass. (n,) -> (n,) [m].

    Each leg pushes with a sine and has the same impulse in each stride.
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
        else:  # a standing foot carries its share
            push_force[inside] += 1.0 / legs
    # The mean force over a stride is the weight
    push_force /= np.maximum(
        gaussian_filter1d(
            push_force,
            STRIDE_REFERENCE.drift_smoothing * stride_time / SAMPLE_INTERVAL,
            mode="nearest",
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


def _compute_lowering(
    footsteps: list[Footstep],
    geometry: StandingGeometry,
    time: Array,
    com: Array,
    rotation: Array,
    stride_time: float,
) -> Array:
    """Return by how much the body must be lower to reach the ground. (n,) [m].

    The feet must reach it at strike and lift.

    Args:
        com: (n, 3) center of mass [m].
        rotation: (n, 3, 3) rotation of the body.
    """
    lowering = np.zeros(len(time))
    root_offsets = geometry.sample_reach_centers(time)
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
                    np.sqrt(
                        max(
                            reach**2 - horizontal_distance**2,
                            (STRIDE_REFERENCE.min_reach_share * reach) ** 2,
                        )
                    )
                )
                - z
            )
            lowering[k] = max(lowering[k], com[k, 2] - max_height)
    peak_lowering = maximum_filter1d(
        lowering,
        int(STRIDE_REFERENCE.lowering_window * stride_time / SAMPLE_INTERVAL) | 1,
        mode="nearest",
    )
    return np.asarray(
        gaussian_filter1d(
            peak_lowering,
            0.25 * STRIDE_REFERENCE.lowering_window * stride_time / SAMPLE_INTERVAL,
            mode="nearest",
        )
    )


def _remove_drift(values: Array, stride_time: float) -> Array:
    """Return values without their average over part of a stride. (n,) -> (n,)."""
    return np.asarray(
        values
        - gaussian_filter1d(
            values, STRIDE_REFERENCE.drift_smoothing * stride_time / SAMPLE_INTERVAL, mode="nearest"
        )
    )
