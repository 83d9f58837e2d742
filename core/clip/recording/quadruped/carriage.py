"""How a body on four legs of a recording carries trunk, neck, head and tail along a stride,
in the terms of a style.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....geometry import so3
from ...style.quadruped_style import CURVES
from .poses import QuadrupedPoses

Array = NDArray[np.float64]

STRIDE_SAMPLES = 24  # of a curve over a stride
# of a tail's swing that its tip goes, seen from its base: of one joint all, of many half
TIP_SWING_RATIO = 0.75


def compute_carriage(poses: QuadrupedPoses, rest: QuadrupedPoses) -> dict[str, Array]:
    """The curves of a style over one stride, each (SAMPLES,) in degrees;
    NaN for what the body does not have.

    Args:
        poses: over the stride at SAMPLES moments.
        rest: how it stands. (1, ...).
    """
    pelvis = _compute_pitch(poses.pelvis)
    chest = _compute_pitch(poses.chest)
    curves = {name: np.full(STRIDE_SAMPLES, np.nan) for name in CURVES}
    curves["trunk"], curves["spine"] = pelvis, pelvis - chest
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
    """How steeply a chain of joints (n, k, 3) rises as seen from what carries it,
    turned by (n, 3, 3); rad. (n,).
    """
    line = (np.swapaxes(base, -1, -2) @ (chain[:, -1] - chain[:, 0])[..., None])[..., 0]
    return np.asarray(so3.atan2(line[:, 2], direction * line[:, 0]))


def _compute_pitch(rotation: Array) -> Array:
    """By how much the nose of a part is raised, rad. (n, 3, 3) -> (n,)."""
    return np.arcsin(np.clip(rotation[:, 2, 0], -1, 1))


def _compute_tail_curves(poses: QuadrupedPoses, rest: QuadrupedPoses) -> dict[str, Array]:
    """How a tail is raised and swings, by the line to its tip. That of two joints which share a
    swing moves by less than the swing; how it is carried on the whole is the same all along."""
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
