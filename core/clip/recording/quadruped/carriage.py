"""Carriage of trunk, neck, head and tail of a recorded four-legged body over a stride."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....geometry import so3
from ...style.quadruped_style import CURVES
from .poses import QuadrupedPoses

Array = NDArray[np.float64]

STRIDE_SAMPLES = 24  # Number of samples of a curve over a stride
# Swing of the line from the base of a tail to its tip, as a share of the swing of the tail. It is 1
# with one joint and 0.5 with many.
TIP_SWING_RATIO = 0.75


def compute_carriage(poses: QuadrupedPoses, rest: QuadrupedPoses) -> dict[str, Array]:
    """Return the curves of a style over one stride, (STRIDE_SAMPLES,) each [degrees].

    Curves of missing body parts are NaN.

    Args:
        poses: poses at STRIDE_SAMPLES times of the stride.
        rest: rest pose, with one frame.
    """
    pelvis = _compute_pitch(poses.pelvis)
    chest = _compute_pitch(poses.chest)
    curves = {name: np.full(STRIDE_SAMPLES, np.nan) for name in CURVES}
    curves["trunk"] = pelvis
    curves["spine"] = pelvis - chest
    if poses.neck.shape[1]:
        neck_rise = compute_chain_rise(poses.neck, poses.chest, 1.0) - compute_chain_rise(
            rest.neck, rest.chest, 1.0
        )
        curves["neck"] = so3.wrap_angle(neck_rise)
        curves["head"] = _compute_pitch(poses.head)
    if poses.tail.shape[1] > 1:
        curves |= _compute_tail_curves(poses, rest)
    return {name: np.degrees(curve) for name, curve in curves.items()}


def compute_chain_rise(chain: Array, base: Array, direction: float) -> Array:
    """Return the angle between a chain of joints and the horizontal of its base, (n,) [rad].

    Args:
        chain: (n, k, 3) joints from the base to the tip.
        base: (n, 3, 3) orientation of the body part that carries the chain.
        direction: 1 for a chain that points forward, -1 for one that points backward.
    """
    line = (np.swapaxes(base, -1, -2) @ (chain[:, -1] - chain[:, 0])[..., None])[..., 0]
    return np.asarray(so3.atan2(line[:, 2], direction * line[:, 0]))


def _compute_pitch(rotation: Array) -> Array:
    """Return the pitch of orientations, nose up, (n, 3, 3) -> (n,) [rad]."""
    return np.arcsin(np.clip(rotation[:, 2, 0], -1, 1))


def _compute_tail_curves(poses: QuadrupedPoses, rest: QuadrupedPoses) -> dict[str, Array]:
    """Return lift and swing of a tail, (n,) each [rad].

    They come from the line to its tip, which moves by less than the tail because the joints share
    the motion. The mean needs no such correction.
    """
    lift = so3.wrap_angle(
        compute_chain_rise(poses.tail, poses.pelvis, -1.0)
        - compute_chain_rise(rest.tail, rest.pelvis, -1.0)
    )
    line = (np.swapaxes(poses.pelvis, -1, -2) @ (poses.tail[:, -1] - poses.tail[:, 0])[..., None])[
        ..., 0
    ]
    swing = np.arcsin(np.clip(line[:, 1] / np.maximum(np.linalg.norm(line, axis=1), 1e-9), -1, 1))
    return {
        name: curve.mean() + (curve - curve.mean()) / TIP_SWING_RATIO
        for name, curve in (("tail", lift), ("tail_swing", swing))
    }
