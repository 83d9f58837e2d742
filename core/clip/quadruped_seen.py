"""How a body on four legs of a recording carries trunk, neck, head and tail along a stride, in the terms of a style."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .carriage import LATER
from .quadruped import CURVES
from .quadruped_poses import Poses
from .style import HARMONICS

Array = NDArray[np.float64]

SAMPLES = 24              # of a curve over a stride
LINKS = 2                 # of a tail at most, that other bodies have as well
FAINTEST = 0.4            # share of a swing that comes through a tail whose bones follow each other, that is believed


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
        out["neck"] = _wrapped(raised)
        out["head"] = _pitch(poses.head)
    if poses.tail.shape[1] > 1:
        out |= _tail(poses, rest)
    return {name: np.degrees(curve) for name, curve in out.items()}


def rise_of(chain: Array, base: Array, ahead: float) -> Array:
    """How steeply a chain of joints (n, k, 3) rises as seen from what carries it, turned by (n, 3, 3); rad. (n,)."""
    line = (np.swapaxes(base, -1, -2) @ (chain[:, -1] - chain[:, 0])[..., None])[..., 0]
    return np.asarray(np.arctan2(line[:, 2], ahead * line[:, 0]))


def _pitch(turned: Array) -> Array:
    """By how much the nose of a part is raised, rad. (n, 3, 3) -> (n,)."""
    return np.arcsin(np.clip(turned[:, 2, 0], -1, 1))


def _wrapped(angles: Array) -> Array:
    return np.asarray((angles + np.pi) % (2 * np.pi) - np.pi)


def _tail(poses: Poses, rest: Poses) -> dict[str, Array]:
    """How a tail is raised and swings, at its first joint: the others come after it, and so its tip moves later and by less."""
    lift = _wrapped(rise_of(poses.tail, poses.pelvis, -1.0) - rise_of(rest.tail, rest.pelvis, -1.0))
    line = (np.swapaxes(poses.pelvis, -1, -2) @ (poses.tail[:, -1] - poses.tail[:, 0])[..., None])[..., 0]
    aside = np.arcsin(np.clip(line[:, 1] / np.maximum(np.linalg.norm(line, axis=1), 1e-9), -1, 1))
    count = min(poses.tail.shape[1] - 1, LINKS)
    beyond = np.arange(count, 0, -1) / count**2                 # what each joint's share of a turn moves the tip by
    comes = (beyond * np.exp(-2j * np.pi * LATER * np.outer(np.arange(HARMONICS + 1), np.arange(count)))).sum(1)
    comes *= np.maximum(FAINTEST * abs(comes[0]), np.abs(comes)) / np.maximum(np.abs(comes), 1e-9)

    def at_first(curve: Array) -> Array:
        waves = np.fft.rfft(curve)
        waves[1:HARMONICS + 1] /= comes[1:]              # how it is carried on the whole is the same all along
        waves[HARMONICS + 1:] = 0
        return np.asarray(np.fft.irfft(waves, len(curve)))

    return {"tail": at_first(lift), "tail_swing": at_first(aside)}
