"""What a motion is worth in figures, from its arrays alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .motion import Motion

Array = NDArray[np.float64]

# s, half the time over which momenta are compared with the impulses of the forces
IMPULSE_HALF_SPAN = 0.025
MIN_BEARING_FORCE = 0.02  # body weights on a point below which its friction says nothing


@dataclass(frozen=True)
class Measures:
    """Figures of a motion; lengths in m, in the order in which they are told."""

    drift_m: float  # farthest that a resting point strays from its place
    penetration_m: float  # deepest that a point of a sole is under the ground
    float_m: float  # 95th percentile of the distance between resting points and the ground
    momentum_residual: float  # rms of what the forces do not explain of the momentum, body weights
    angular_residual: float  # the same about the centre of mass, body weights times leg length
    friction: float  # 99th percentile of tangential over normal force
    pop_deg: float  # largest change of a link's turn from one frame to the next, degrees
    style_deg: float  # rms angle between pelvis, trunk, head, arms and their style
    # the same of thighs and shins, as the report has it; nan of a motion without a style
    legs_deg: float
    speed_error: float  # mean velocity against what was asked, as a share of it
    relaxed: float  # share of frames where something had to give way


def measure(motion: Motion, height: Callable[[Array], Array]) -> Measures:
    """Measure a motion.

    Args:
        height: of the ground at places (n, 2), nan where there is none.
    """
    gap = motion.contact_position[..., 2] - height(
        motion.contact_position[..., :2].reshape(-1, 2)
    ).reshape(motion.contact_active.shape)
    resting_gaps = np.abs(gap[motion.contact_active & ~motion.grips & np.isfinite(gap)])
    turns = so3.quat_log(
        so3.quat_multiply(
            motion.link_orientation[1:], so3.quat_conjugate(motion.link_orientation[:-1])
        )
    )
    linear, angular = _compute_residuals(motion, turns)
    pops = np.linalg.norm(np.diff(turns, axis=0), axis=-1)
    return Measures(
        _measure_drift(motion),
        float(max(np.nanmax(-gap), 0.0)),
        _compute_percentile(resting_gaps, 95),
        momentum_residual=linear,
        angular_residual=angular,
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
        is_active = motion.contact_active[:, k].astype(int)
        edges = np.flatnonzero(np.diff(np.concatenate([[0], is_active, [0]])))
        for begin, end in zip(edges[::2], edges[1::2], strict=True):
            place = motion.contact_position[begin:end, k]
            worst = max(worst, float(np.linalg.norm(place - place.mean(0), axis=1).max()))
    return worst


def _compute_residuals(motion: Motion, turns: Array) -> tuple[float, float]:
    """Momentum gained against impulse received, between frames a short span apart; `turns`
    (n - 1, l, 3) from frame to frame.
    """
    dt = 1 / motion.fps
    mass = float(motion.link_mass.sum())
    span_frames = max(1, round(IMPULSE_HALF_SPAN / dt))
    if motion.frames < 2 * span_frames + 2:
        return 0.0, 0.0
    com = motion.com
    force = motion.contact_force.sum(1) + motion.push_force + mass * motion.gravity
    torque = (
        np.cross(motion.contact_position - com[:, None], motion.contact_force).sum(1)
        + np.cross(motion.push_point - com, motion.push_force)
        + motion.push_moment
    )
    # In the middle between two frames differences of poses are velocities to second order.
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
        impulse = np.cumsum(0.5 * (loads[1:] + loads[:-1]) * dt, axis=0)
        impulse = 0.5 * (impulse[1:] + impulse[:-1])  # at half frames 1.5, 2.5, ...
        error = (momenta[1 + span_frames :] - momenta[1:-span_frames]) - (
            impulse[span_frames:] - impulse[:-span_frames]
        )
        # averaged over the span once more, as a triangle of weights,
        # so that a frame's jitter does not count as force
        window = np.ones(span_frames) / span_frames
        error = np.stack([np.convolve(error[:, k], window, "valid") for k in range(3)], -1) / span
        return float(np.sqrt((error**2).sum(-1).mean()))

    return compute_residual(mass * velocity, force) / weight, compute_residual(momentum, torque) / (
        weight * height
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
    """Return the root mean square angle between some links and the style's pose of them [deg]."""
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
