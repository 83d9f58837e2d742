"""Joint angles of an actor over one cycle, in the conventions in which `pose.py` applies them.

Taken from where joints are, not from how a file's bones are turned, wherever that is enough: rest
poses then need no aligning. Only pelvis, chest and feet turn as their bones do, about what
positions say of their mean, and of feet that stand.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from ..style.style import CURVES
from .actor import Actor
from .contacts import Feet

Array = NDArray[np.float64]

CYCLE_SAMPLES = 100  # of a cycle
# of the upper arm about itself, where a straight elbow does not tell it
DEFAULT_ARM_TURN = np.radians(12)
# of the elbow, at which that counts as much as what is seen
PRIOR_ELBOW_BEND = np.sin(np.radians(10))
MIRRORED_CURVES = ("pelvis_turn", "pelvis_list", "chest_turn", "chest_list")


def compute_cycle_angles(
    actor: Actor, feet: Feet, begin: float, end: float, heading: Array, strikes: tuple[float, float]
) -> Array:
    """Curves of both sides, each from the strike of its own foot, closed into a loop. (2,
    len(CURVES), SAMPLES), rad.

    NaN where the actor has no arms.

    Args:
        begin, end: frames.
        heading: (SAMPLES + 1,) rad.
        strikes: share of the cycle at which the left and the right foot strike.

    Those of pelvis and chest are told for either foot as if it were the left one. The mean tilt of
    the pelvis is 0: where it is upright nothing in a clip says.
    """
    sample = _make_sampler(begin, end)
    to_heading = so3.rotation_about("z", -heading)
    joints = {
        name: sample(to_heading, getattr(actor, name)) for name in ("hips", "knees", "ankles")
    }
    curves = {name: np.full((2, CYCLE_SAMPLES + 1), np.nan) for name in CURVES}
    thigh = _compute_directions(joints["hips"], joints["knees"])
    shin = _compute_directions(joints["knees"], joints["ankles"])
    foot_pitch = sample(None, feet.pitch).T
    curves["thigh"] = so3.atan2(thigh[..., 0], -thigh[..., 2]).T
    # which way it bends is told across the thigh, so that a leg that swings outward bends no less
    knee_bend = np.arccos(np.clip((thigh * shin).sum(-1), -1, 1)).T
    curves["knee"] = np.where(np.cross(thigh, shin)[..., 1].T >= 0, knee_bend, -knee_bend)
    curves["ankle"] = foot_pitch - curves["thigh"] + curves["knee"]
    curves |= _compute_upper_body_curves(actor, sample, to_heading, joints["hips"])
    if actor.skull is not None:
        curves |= _compute_head_curves(sample(to_heading, actor.skull, True))
    return np.stack([_align_to_strike(curves, side, strikes[side]) for side in (0, 1)])


def compute_mean_angles(actor: Actor, begin: float, end: float) -> dict[str, Array]:
    """What pelvis, chest and arms keep to on the mean of a stretch of frames, against where the
    hips face. (2,) each, rad.

    Arms are told where there are any; signs are those of each side, as in a style's curves.
    """
    sample = _make_sampler(begin, end)
    hip_line = sample(None, actor.hips[:, 0] - actor.hips[:, 1])
    to_heading = so3.rotation_about("z", -so3.atan2(-hip_line[:, 0], hip_line[:, 1]))
    side_curves = _compute_upper_body_curves(
        actor, sample, to_heading, sample(to_heading, actor.hips)
    )
    return {
        name: np.unwrap(curves, axis=1).mean(1) * [1.0, -1.0 if name in MIRRORED_CURVES else 1.0]
        for name, curves in side_curves.items()
    }


def _compute_upper_body_curves(
    actor: Actor, sample: Callable[..., Array], to_heading: Array, hips: Array
) -> dict[str, Array]:
    """Curves of pelvis, chest and arms at samples. Each (2, n), those of pelvis
    and chest twice the same.
    """
    curves: dict[str, Array] = {}
    pelvis = _compute_orientation(sample(to_heading, actor.pelvis, True), hips, None)
    if actor.shoulders is not None:
        shoulders = sample(to_heading, actor.shoulders)
        chest = _compute_orientation(
            sample(to_heading, actor.chest, True), shoulders, shoulders.mean(1) - hips.mean(1)
        )
    else:
        chest = _compute_orientation(
            sample(to_heading, actor.chest, True),
            hips,
            sample(to_heading, actor.neck) - hips.mean(1),
        )
    chest = chest @ so3.rotation_about("y", -actor.lean)
    for part, orientation, lean in (
        ("pelvis", pelvis, "pelvis_tilt"),
        ("chest", chest, "chest_lean"),
    ):
        yaw, tilt, roll = _decompose_orientation(orientation)
        curves[f"{part}_turn"], curves[f"{part}_list"], curves[lean] = (
            np.stack([v, v]) for v in (-yaw, roll, tilt)
        )
    if actor.arms is not None:
        shoulders, elbows, wrists = (sample(to_heading, points) for points in actor.arms)
        curves |= _compute_arm_curves(shoulders, elbows, wrists, so3.yaw_from_matrix(chest))
    return curves


def _compute_head_curves(head_axes: Array) -> dict[str, Array]:
    """Return how a head turns, nods and tilts about the way that it looks on the mean, which is
    ahead. Each (2, n) twice the same.

    Args:
        head_axes: (n, 3, 3) the head's axes against the heading, whichever way they lie.
    """
    u, _, v = np.linalg.svd(head_axes[:-1].mean(0))
    yaw, nod, roll = _decompose_orientation(head_axes @ (u @ v).T)
    return {
        name: np.stack([values, values])
        for name, values in (("head_turn", yaw), ("head_nod", nod), ("head_list", roll))
    }


def _make_sampler(begin: float, end: float) -> Callable[..., Array]:
    frames = np.linspace(begin, end, CYCLE_SAMPLES + 1)
    low = np.clip(np.floor(frames).astype(int), 0, None)
    share = frames - low

    def sample(to_heading: Array | None, values: Array, is_rotation: bool = False) -> Array:
        """Values at the samples of the cycle, turned into its heading."""
        high = np.minimum(low + 1, len(values) - 1)
        weight = share.reshape(-1, *[1] * (values.ndim - 1))
        sampled = (1 - weight) * values[np.minimum(low, len(values) - 1)] + weight * values[high]
        if to_heading is None:
            return np.asarray(sampled)
        return np.asarray(
            to_heading @ sampled
            if is_rotation
            else np.einsum("nij,n...j->n...i", to_heading, sampled)
        )

    return sample


def _compute_directions(start: Array, end: Array) -> Array:
    """Directions of length 1 from points to others. (..., 3)."""
    direction = end - start
    return direction / np.maximum(np.linalg.norm(direction, axis=-1, keepdims=True), 1e-9)


def _compute_orientation(bone_axes: Array, limb_joints: Array, long_axis: Array | None) -> Array:
    """How a part of the body is turned against the heading: as its bone turns, about a mean that
    positions tell. (n, 3, 3).

    Args:
        bone_axes: (n, 3, 3) the bone's axes.
        limb_joints: (n, 2, 3) joints of the left and the right limb that hang on it.
        long_axis: (n, 3) along the part, None to leave it upright.
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


def _decompose_orientation(m: Array) -> tuple[Array, Array, Array]:
    """Yaw, tilt forward and roll of attitudes. (n, 3, 3) -> three (n,)."""
    return (
        so3.yaw_from_matrix(m),
        np.arcsin(np.clip(-m[..., 2, 0], -1, 1)),
        so3.atan2(m[..., 2, 1], m[..., 2, 2]),
    )


def _compute_arm_curves(
    shoulders: Array, elbows: Array, wrists: Array, chest_yaw: Array
) -> dict[str, Array]:
    """Curves of the arms against the half-turned chest. Each (2, n)."""
    arm_base = so3.rotation_about("z", -0.5 * chest_yaw)
    upper_arm, forearm = (
        np.einsum("nij,nsj->nsi", arm_base, _compute_directions(a, b))
        for a, b in ((shoulders, elbows), (elbows, wrists))
    )
    side_sign = np.array([1.0, -1.0])
    abduction = side_sign * so3.atan2(upper_arm[..., 1], -upper_arm[..., 2])
    arm = np.arcsin(np.clip(upper_arm[..., 0], -1, 1))
    # (n, 2, 3, 3)
    arm_frame = so3.rotation_about("x", side_sign * abduction) @ so3.rotation_about("y", -arm)
    forearm_local = (np.swapaxes(arm_frame, -1, -2) @ forearm[..., None])[..., 0]
    elbow = np.arctan2(np.linalg.norm(forearm_local[..., :2], axis=-1), -forearm_local[..., 2])
    turn = so3.atan2(
        -side_sign * forearm_local[..., 1] + PRIOR_ELBOW_BEND * np.sin(DEFAULT_ARM_TURN),
        forearm_local[..., 0] + PRIOR_ELBOW_BEND * np.cos(DEFAULT_ARM_TURN),
    )
    return {"arm": arm.T, "arm_out": abduction.T, "arm_turn": turn.T, "elbow": elbow.T}


def _align_to_strike(curves: dict[str, Array], side: int, strike: float) -> Array:
    """Curves of one side from its own strike, without the step at which the cycle's end meets its
    begin. (CURVES, SAMPLES).
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
