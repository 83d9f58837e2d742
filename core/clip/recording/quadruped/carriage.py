"""How a body on four legs of a recording carries trunk, neck, head and tail along a stride, in the terms of a style."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....geometry import so3
from ...style.quadruped_style import CURVES
from .poses import Poses

Array = NDArray[np.float64]

SAMPLES = 24              # of a curve over a stride
TIP = 0.75                # of a tail's swing that its tip goes, seen from its base: of one joint all, of many half


def carriage_seen(poses: Poses, rest: Poses) -> dict[str, Array]:
    """The curves of a style over one stride, each (SAMPLES,) in degrees; NaN for what the body does not have.

    Args:
        poses: over the stride at SAMPLES moments.
        rest: how it stands. (1, ...).
    """
    pelvis, chest = _pitch(poses.pelvis), _pitch(poses.chest)
    out = {name: np.full(SAMPLES, np.nan) for name in CURVES}
    out["trunk"], out["spine"] = pelvis, pelvis - chest
    if poses.neck.shape[1]:
        raised = rise_of(poses.neck, poses.chest, 1.0) - rise_of(rest.neck, rest.chest, 1.0)
        out["neck"] = so3.wrapped(raised)
        out["head"] = _pitch(poses.head)
    if poses.tail.shape[1] > 1:
        out |= _tail(poses, rest)
    return {name: np.degrees(curve) for name, curve in out.items()}


def rise_of(chain: Array, base: Array, ahead: float) -> Array:
    """How steeply a chain of joints (n, k, 3) rises as seen from what carries it, turned by (n, 3, 3); rad. (n,)."""
    line = (np.swapaxes(base, -1, -2) @ (chain[:, -1] - chain[:, 0])[..., None])[..., 0]
    return np.asarray(so3.angle(line[:, 2], ahead * line[:, 0]))


def _pitch(turned: Array) -> Array:
    """By how much the nose of a part is raised, rad. (n, 3, 3) -> (n,)."""
    return np.arcsin(np.clip(turned[:, 2, 0], -1, 1))


def _tail(poses: Poses, rest: Poses) -> dict[str, Array]:
    """How a tail is raised and swings, by the line to its tip. That of two joints which share a swing moves by less than the swing;
    how it is carried on the whole is the same all along."""
    lift = so3.wrapped(rise_of(poses.tail, poses.pelvis, -1.0) - rise_of(rest.tail, rest.pelvis, -1.0))
    line = (np.swapaxes(poses.pelvis, -1, -2) @ (poses.tail[:, -1] - poses.tail[:, 0])[..., None])[..., 0]
    aside = np.arcsin(np.clip(line[:, 1] / np.maximum(np.linalg.norm(line, axis=1), 1e-9), -1, 1))
    return {name: curve.mean() + (curve - curve.mean()) / TIP for name, curve in (("tail", lift), ("tail_swing", aside))}
