"""Joint angles of an actor over one cycle, with the conventions of `pose/pose.py`.

Angles are computed from the positions of joints wherever these suffice, so rest poses need no
alignment. Only the orientations of pelvis, chest, head and feet come from their bones. The mean of
these orientations is set by positions, and by the feet in contact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from ..style.style import CURVES
from .actor import Actor, Arms
from .contacts import Feet

Array = NDArray[np.float64]

CYCLE_SAMPLES = 100  # Number of samples of a cycle
MIRRORED_CURVES = ("pelvis_turn", "pelvis_list", "chest_turn", "chest_list")


@dataclass(frozen=True)
class ArmTurnPrior:
    """Prior for the turn of the upper arm about its axis, which a straight elbow leaves open."""

    turn: float = float(np.radians(12))  # Turn of a straight arm [rad]
    # Bend of the elbow at which prior and observation have the same weight [rad].
    elbow_bend: float = float(np.radians(10))

    @property
    def weight(self) -> float:
        """Weight of the prior, as the sine of the bend of the elbow."""
        return float(np.sin(self.elbow_bend))


ARM_TURN_PRIOR = ArmTurnPrior()


@dataclass(frozen=True)
class YawPitchRoll:
    """Angles of n orientations.

    Args:
        yaw: (n,) turn about the vertical, to the left [rad].
        pitch: (n,) forward tilt [rad].
        roll: (n,) turn about the forward axis, left side up [rad].
    """

    yaw: Array
    pitch: Array
    roll: Array


@dataclass(frozen=True)
class _CycleSampler:
    """Linear interpolation at `CYCLE_SAMPLES` + 1 times of a cycle.

    Args:
        low: (samples,) frame before each time.
        share: (samples,) position of each time between that frame and the next.
    """

    low: NDArray[np.int_]
    share: Array

    @staticmethod
    def from_frames(begin: float, end: float) -> _CycleSampler:
        """Return the sampler of a cycle between two frames."""
        frames = np.linspace(begin, end, CYCLE_SAMPLES + 1)
        low = np.clip(np.floor(frames).astype(int), 0, None)
        return _CycleSampler(low, frames - low)

    def interpolate(self, values: Array) -> Array:
        """Return values at the samples, (n, ...) -> (samples, ...)."""
        high = np.minimum(self.low + 1, len(values) - 1)
        weight = self.share.reshape(-1, *[1] * (values.ndim - 1))
        return np.asarray(
            (1 - weight) * values[np.minimum(self.low, len(values) - 1)] + weight * values[high]
        )

    def interpolate_points(self, points: Array, to_heading: Array) -> Array:
        """Return vectors at the samples, turned by `to_heading`, (n, ..., 3)."""
        return np.asarray(np.einsum("nij,n...j->n...i", to_heading, self.interpolate(points)))

    def interpolate_axes(self, axes: Array, to_heading: Array) -> Array:
        """Return axes at the samples, turned by `to_heading`, (n, 3, 3)."""
        return np.asarray(to_heading @ self.interpolate(axes))


def compute_cycle_angles(
    actor: Actor, feet: Feet, begin: float, end: float, heading: Array, strikes: tuple[float, float]
) -> Array:
    """Return the closed curves of both sides over a cycle, (2, len(CURVES), CYCLE_SAMPLES) [rad].

    The curves of each side start at the strike of its foot. Those of pelvis and chest are given
    for each foot as if it were the left one. Curves of missing arms are NaN. The mean tilt of the
    pelvis is 0, since a clip does not show where the pelvis is upright.

    Args:
        begin: first frame of the cycle.
        end: last frame of the cycle.
        heading: (CYCLE_SAMPLES + 1,) heading of the body [rad].
        strikes: share of the cycle at which the left and the right foot strike.
    """
    sampler = _CycleSampler.from_frames(begin, end)
    to_heading = so3.rotation_about("z", -heading)
    hips, knees, ankles = (
        sampler.interpolate_points(points, to_heading)
        for points in (actor.hips, actor.knees, actor.ankles)
    )
    curves = {name: np.full((2, CYCLE_SAMPLES + 1), np.nan) for name in CURVES}
    thigh = _compute_directions(hips, knees)
    shin = _compute_directions(knees, ankles)
    foot_pitch = sampler.interpolate(feet.pitch).T
    curves["thigh"] = so3.atan2(thigh[..., 0], -thigh[..., 2]).T
    # The sign of the bend is that of the lateral axis, but its size is the full angle, so that a
    # leg that swings outward bends as much.
    knee_bend = np.arccos(np.clip((thigh * shin).sum(-1), -1, 1)).T
    curves["knee"] = np.where(np.cross(thigh, shin)[..., 1].T >= 0, knee_bend, -knee_bend)
    curves["ankle"] = foot_pitch - curves["thigh"] + curves["knee"]
    curves |= _compute_upper_body_curves(actor, sampler, to_heading, hips)
    if actor.skull is not None:
        curves |= _compute_head_curves(sampler.interpolate_axes(actor.skull, to_heading))
    return np.stack([_align_to_strike(curves, side, strikes[side]) for side in (0, 1)])


def compute_mean_angles(actor: Actor, begin: float, end: float) -> dict[str, Array]:
    """Return the mean angles of pelvis, chest and arms over a span of frames, (2,) each [rad].

    Angles are relative to the heading of the hips, with the signs of each side as in the curves of
    a style. Those of the arms are left out if there are none.
    """
    sampler = _CycleSampler.from_frames(begin, end)
    hip_line = sampler.interpolate(actor.hips[:, 0] - actor.hips[:, 1])
    to_heading = so3.rotation_about("z", -so3.atan2(-hip_line[:, 0], hip_line[:, 1]))
    side_curves = _compute_upper_body_curves(
        actor, sampler, to_heading, sampler.interpolate_points(actor.hips, to_heading)
    )
    return {
        name: np.unwrap(curves, axis=1).mean(1) * [1.0, -1.0 if name in MIRRORED_CURVES else 1.0]
        for name, curves in side_curves.items()
    }


def _compute_upper_body_curves(
    actor: Actor, sampler: _CycleSampler, to_heading: Array, hips: Array
) -> dict[str, Array]:
    """Return the curves of pelvis, chest and arms at the samples, (2, n) each [rad].

    Both rows of pelvis and chest are equal.
    """
    curves: dict[str, Array] = {}
    pelvis = _compute_orientation(sampler.interpolate_axes(actor.pelvis, to_heading), hips, None)
    if actor.shoulders is not None:
        upper_joints = sampler.interpolate_points(actor.shoulders, to_heading)
        trunk_top = upper_joints.mean(1)
    else:
        upper_joints = hips
        trunk_top = sampler.interpolate_points(actor.neck, to_heading)
    chest = _compute_orientation(
        sampler.interpolate_axes(actor.chest, to_heading), upper_joints, trunk_top - hips.mean(1)
    )
    chest = chest @ so3.rotation_about("y", -actor.lean)
    for part, orientation, lean in (
        ("pelvis", pelvis, "pelvis_tilt"),
        ("chest", chest, "chest_lean"),
    ):
        angles = _decompose_orientation(orientation)
        curves[f"{part}_turn"] = np.stack([-angles.yaw] * 2)
        curves[f"{part}_list"] = np.stack([angles.roll] * 2)
        curves[lean] = np.stack([angles.pitch] * 2)
    if actor.arms is not None:
        arms = Arms(
            *(
                sampler.interpolate_points(points, to_heading)
                for points in (actor.arms.shoulders, actor.arms.elbows, actor.arms.wrists)
            )
        )
        curves |= _compute_arm_curves(arms, so3.yaw_from_matrix(chest))
    return curves


def _compute_head_curves(head_axes: Array) -> dict[str, Array]:
    """Return turn, nod and list of a head relative to its mean orientation, (2, n) each [rad].

    The mean orientation is assumed to face forward. Both rows are equal.

    Args:
        head_axes: (n, 3, 3) axes of the head relative to the heading.
    """
    u, _, v = np.linalg.svd(head_axes[:-1].mean(0))
    angles = _decompose_orientation(head_axes @ (u @ v).T)
    return {
        name: np.stack([values, values])
        for name, values in (
            ("head_turn", angles.yaw),
            ("head_nod", angles.pitch),
            ("head_list", angles.roll),
        )
    }


def _compute_directions(start: Array, end: Array) -> Array:
    """Return unit vectors from points to other points, (..., 3)."""
    direction = end - start
    return direction / np.maximum(np.linalg.norm(direction, axis=-1, keepdims=True), 1e-9)


def _compute_orientation(bone_axes: Array, limb_joints: Array, long_axis: Array | None) -> Array:
    """Return the orientation of a body part relative to the heading, (n, 3, 3).

    Changes come from the axes of its bone, the mean from the positions of joints.

    Args:
        bone_axes: (n, 3, 3) axes of the bone.
        limb_joints: (n, 2, 3) joints of the left and the right limb attached to the part.
        long_axis: (n, 3) vector along the part; None for a mean without lean.
    """
    lateral = (limb_joints[:-1, 0] - limb_joints[:-1, 1]).mean(0)
    yaw = np.arctan2(-lateral[0], lateral[1])
    roll = np.arctan2(lateral[2], np.linalg.norm(lateral[:2]))
    lean = 0.0
    if long_axis is not None:
        along = so3.rotation_about("z", -yaw) @ long_axis[:-1].mean(0)
        lean = float(np.arctan2(along[0], along[2]))
    mean = (
        so3.rotation_about("z", yaw) @ so3.rotation_about("y", lean) @ so3.rotation_about("x", roll)
    )
    u, _, v = np.linalg.svd(bone_axes[:-1].mean(0))
    return np.asarray(bone_axes @ (u @ v).T @ mean)


def _decompose_orientation(orientation: Array) -> YawPitchRoll:
    """Return the angles of orientations, (n, 3, 3)."""
    return YawPitchRoll(
        so3.yaw_from_matrix(orientation),
        np.arcsin(np.clip(-orientation[..., 2, 0], -1, 1)),
        so3.atan2(orientation[..., 2, 1], orientation[..., 2, 2]),
    )


def _compute_arm_curves(arms: Arms, chest_yaw: Array) -> dict[str, Array]:
    """Return the curves of the arms, (2, n) each [rad].

    They are relative to a frame that has half the yaw of the chest.

    Args:
        arms: joints over n samples relative to the heading.
        chest_yaw: (n,) yaw of the chest [rad].
    """
    arm_base = so3.rotation_about("z", -0.5 * chest_yaw)
    upper_arm, forearm = (
        np.einsum("nij,nsj->nsi", arm_base, _compute_directions(a, b))
        for a, b in ((arms.shoulders, arms.elbows), (arms.elbows, arms.wrists))
    )
    side_sign = np.array([1.0, -1.0])
    abduction = side_sign * so3.atan2(upper_arm[..., 1], -upper_arm[..., 2])
    arm = np.arcsin(np.clip(upper_arm[..., 0], -1, 1))
    # (n, 2, 3, 3)
    arm_frame = so3.rotation_about("x", side_sign * abduction) @ so3.rotation_about("y", -arm)
    forearm_local = (np.swapaxes(arm_frame, -1, -2) @ forearm[..., None])[..., 0]
    elbow = np.arctan2(np.linalg.norm(forearm_local[..., :2], axis=-1), -forearm_local[..., 2])
    prior = ARM_TURN_PRIOR
    turn = so3.atan2(
        -side_sign * forearm_local[..., 1] + prior.weight * np.sin(prior.turn),
        forearm_local[..., 0] + prior.weight * np.cos(prior.turn),
    )
    return {"arm": arm.T, "arm_out": abduction.T, "arm_turn": turn.T, "elbow": elbow.T}


def _align_to_strike(curves: dict[str, Array], side: int, strike: float) -> Array:
    """Return the closed curves of one side from the strike of its foot, (CURVES, CYCLE_SAMPLES).

    The step between the end of the cycle and its start is distributed over the cycle.
    """
    rows = np.zeros((len(CURVES), CYCLE_SAMPLES))
    phases = (strike + np.arange(CYCLE_SAMPLES) / CYCLE_SAMPLES) % 1.0
    for k, name in enumerate(CURVES):
        curve = (
            np.unwrap(curves[name][side])
            if np.isfinite(curves[name][side]).all()
            else curves[name][side]
        )
        closed = curve - (curve[-1] - curve[0]) * (
            np.arange(CYCLE_SAMPLES + 1) / CYCLE_SAMPLES - 0.5
        )
        sign = -1.0 if side == 1 and name in MIRRORED_CURVES else 1.0
        rows[k] = sign * np.interp(phases, np.arange(CYCLE_SAMPLES + 1) / CYCLE_SAMPLES, closed)
    return rows
