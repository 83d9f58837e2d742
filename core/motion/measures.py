"""Quality measures of a motion, from its arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from ..geometry.spans import find_spans
from .motion import Motion
from .surface import list_strays, sample_contact_heights

Array = NDArray[np.float64]

# Half of the time over which changes of momentum are compared with impulses [s]
IMPULSE_HALF_SPAN = 0.025
# Least normal force at which friction is measured [body weight], that at both ends of a contact
# (`ForceParameters.least_load`); ratios of smaller ones are rounding
MIN_BEARING_FORCE = 0.02


@dataclass(frozen=True)
class Measures:
    """Quality measures, in the order in which they are shown.

    Args:
        drift_m: greatest distance of a resting point from its mean position [m].
        penetration_m: greatest depth of a point of a sole below the ground [m].
        float_m: 95th percentile of the distance between resting points and the ground [m].
        momentum_residual: root mean square rate of momentum that forces do not explain [body
            weight].
        angular_residual: the same of the angular momentum about the center of mass [body weight
            times height of the center of mass].
        friction: 99th percentile of the ratio of tangential to normal force.
        pop_deg: greatest change of a link's rotation per frame from one frame to the next [deg].
        style_deg: root mean square angle of pelvis, trunk, head and arms from the style [deg].
        legs_deg: the same of thighs and shins, as in the report; nan without a style [deg].
        speed_error: relative error of the mean velocity.
        relaxed: share of frames with a relaxed constraint.
    """

    drift_m: float
    penetration_m: float
    float_m: float
    momentum_residual: float
    angular_residual: float
    friction: float
    pop_deg: float
    style_deg: float
    legs_deg: float
    speed_error: float
    relaxed: float


@dataclass(frozen=True)
class _MomentumResiduals:
    """Residuals of linear and angular momentum; see `Measures`."""

    linear: float
    angular: float


def measure(motion: Motion, height: Callable[[Array], Array]) -> Measures:
    """Return the quality measures of a motion.

    Args:
        height: of the ground at rest at points (n, 2), nan where there is none [m].
    """
    gap = motion.contact_position[..., 2] - sample_contact_heights(motion, height)
    resting_gaps = np.abs(gap[motion.contact_active & ~motion.grips & np.isfinite(gap)])
    turns = so3.quat_log(
        so3.quat_multiply(
            motion.link_orientation[1:], so3.quat_conjugate(motion.link_orientation[:-1])
        )
    )
    residuals = _compute_residuals(motion, turns)
    pops = np.linalg.norm(np.diff(turns, axis=0), axis=-1)
    return Measures(
        _measure_drift(motion),
        float(max(np.nanmax(-gap), 0.0)),
        _compute_percentile(resting_gaps, 95),
        momentum_residual=residuals.linear,
        angular_residual=residuals.angular,
        friction=_measure_friction(motion),
        pop_deg=float(np.degrees(pops.max())) if pops.size else 0.0,
        style_deg=_measure_style(motion),
        legs_deg=np.nan if motion.report.legs_rms_deg is None else motion.report.legs_rms_deg,
        speed_error=_measure_speed_error(motion),
        relaxed=float(motion.relaxed.mean()),
    )


def _compute_percentile(values: Array, share: float) -> float:
    return float(np.percentile(values, share)) if values.size else 0.0


def _measure_drift(motion: Motion) -> float:
    worst = 0.0
    for k in range(motion.contact_active.shape[1]):
        for span in find_spans(motion.contact_active[:, k]):
            worst = max(worst, float(list_strays(motion, k, span.start, span.stop).max()))
    return worst


def _compute_residuals(motion: Motion, turns: Array) -> _MomentumResiduals:
    """Compare changes of momentum with impulses over a short time.

    Args:
        turns: (n - 1, l, 3) rotation vectors of the links from frame to frame [rad].
    """
    dt = 1 / motion.fps
    mass = float(motion.link_mass.sum())
    span_frames = max(1, round(IMPULSE_HALF_SPAN / dt))
    if motion.frames < 2 * span_frames + 2:
        return _MomentumResiduals(0.0, 0.0)
    com = motion.com
    force = motion.contact_force.sum(1) + motion.push_force + mass * motion.gravity
    torque = (
        np.cross(motion.contact_position - com[:, None], motion.contact_force).sum(1)
        + np.cross(motion.push_point - com, motion.push_force)
        + motion.push_moment
    )
    # differences of poses are velocities between two frames to second order
    velocity = np.diff(com, axis=0) / dt
    spin = turns / dt
    rotation = so3.quat_to_matrix(motion.link_orientation)
    inertia = rotation @ motion.link_inertia @ np.swapaxes(rotation, -1, -2)  # (n, l, 3, 3)
    link_offset = motion.link_position - com[:, None]
    spin_momentum = 0.5 * (inertia[1:] + inertia[:-1]) @ spin[..., None]
    orbital_momentum = motion.link_mass[:, None] * np.cross(
        0.5 * (link_offset[1:] + link_offset[:-1]), np.diff(link_offset, axis=0) / dt
    )
    momentum = (spin_momentum[..., 0] + orbital_momentum).sum(1)
    height = max(float(np.median(com[:, 2] - motion.contact_position[..., 2].min(1))), 1e-3)
    weight = mass * max(float(np.linalg.norm(motion.gravity)), 1e-9)

    def compute_residual(momenta: Array, loads: Array) -> float:
        span = span_frames * dt
        # loads are triangular means about frames, which sum to the changes between half frames
        impulse = np.cumsum(loads * dt, axis=0)
        error = (momenta[span_frames:] - momenta[:-span_frames]) - (
            impulse[span_frames:-1] - impulse[: -span_frames - 1]
        )
        # a second average over the span suppresses jitter between frames
        window = np.ones(span_frames) / span_frames
        error = np.stack([np.convolve(error[:, k], window, "valid") for k in range(3)], -1) / span
        return float(np.sqrt((error**2).sum(-1).mean()))

    return _MomentumResiduals(
        compute_residual(mass * velocity, force) / weight,
        compute_residual(momentum, torque) / (weight * height),
    )


def _measure_friction(motion: Motion) -> float:
    weight = motion.link_mass.sum() * np.linalg.norm(motion.gravity)
    force = motion.contact_force[motion.contact_active & ~motion.grips]
    is_bearing = force[:, 2] > MIN_BEARING_FORCE * weight
    return _compute_percentile(
        np.linalg.norm(force[is_bearing, :2], axis=1) / force[is_bearing, 2], 99
    )


def _measure_style(motion: Motion) -> float:
    return (
        compute_style_deviation(motion, np.flatnonzero(motion.style_links))
        if motion.style_links.any()
        else 0.0
    )


def compute_style_deviation(motion: Motion, links: NDArray[np.int64]) -> float:
    """Return the root mean square angle of links from the style [deg]."""
    solved = motion.link_orientation[:, links]
    styled = motion.reference_orientation[:, links]
    angles = np.linalg.norm(
        so3.quat_log(so3.quat_multiply(solved, so3.quat_conjugate(styled))), axis=-1
    )
    return float(np.degrees(np.sqrt((angles**2).mean())))


def _measure_speed_error(motion: Motion) -> float:
    mean_velocity = (motion.com[-1] - motion.com[0])[:2] * motion.fps / max(motion.frames - 1, 1)
    goal_velocity = motion.goal_velocity[:, :2].mean(0)
    return float(
        np.linalg.norm(mean_velocity - goal_velocity)
        / max(float(np.linalg.norm(goal_velocity)), 0.1)
    )
