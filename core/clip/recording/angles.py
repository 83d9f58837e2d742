"""Joint angles of an actor over one cycle, in the conventions in which `pose.py` applies them.

Taken from where joints are, not from how a file's bones are turned, wherever that is enough: rest poses then need no
aligning. Only pelvis, chest and feet turn as their bones do, about what positions say of their mean, and of feet that stand.
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

SAMPLES = 100             # of a cycle
USUAL_TURN = np.radians(12)      # of the upper arm about itself, where a straight elbow does not tell it
UNSURE = np.sin(np.radians(10))  # of the elbow, at which that counts as much as what is seen
MIRRORED = ("pelvis_turn", "pelvis_list", "chest_turn", "chest_list")


def cycle_angles(actor: Actor, feet: Feet, begin: float, end: float, heading: Array, strikes: tuple[float, float]) -> Array:
    """Curves of both sides, each from the strike of its own foot, closed into a loop. (2, len(CURVES), SAMPLES), rad.

    NaN where the actor has no arms.

    Args:
        begin, end: frames.
        heading: (SAMPLES + 1,) rad.
        strikes: share of the cycle at which the left and the right foot strike.

    Those of pelvis and chest are told for either foot as if it were the left one. The mean tilt of the pelvis is 0: where
    it is upright nothing in a clip says.
    """
    sample = _sampler(begin, end)
    turn = so3.about("z", -heading)
    bones = {name: sample(turn, getattr(actor, name)) for name in ("hips", "knees", "ankles")}
    out = {name: np.full((2, SAMPLES + 1), np.nan) for name in CURVES}
    thigh, shin = _ways(bones["hips"], bones["knees"]), _ways(bones["knees"], bones["ankles"])
    pitch = sample(None, feet.pitch).T
    out["thigh"] = so3.angle(thigh[..., 0], -thigh[..., 2]).T
    # which way it bends is told across the thigh, so that a leg that swings outward bends no less
    bent = np.arccos(np.clip((thigh * shin).sum(-1), -1, 1)).T
    out["knee"] = np.where(np.cross(thigh, shin)[..., 1].T >= 0, bent, -bent)
    out["ankle"] = pitch - out["thigh"] + out["knee"]
    out |= _above(actor, sample, turn, bones["hips"])
    if actor.skull is not None:
        out |= _head(sample(turn, actor.skull, True))
    return np.stack([_own_cycle(out, side, strikes[side]) for side in (0, 1)])


def held_angles(actor: Actor, begin: float, end: float) -> dict[str, Array]:
    """What pelvis, chest and arms keep to on the mean of a stretch of frames, against where the hips face. (2,) each, rad.

    Arms are told where there are any; signs are those of each side, as in a style's curves.
    """
    sample = _sampler(begin, end)
    across = sample(None, actor.hips[:, 0] - actor.hips[:, 1])
    turn = so3.about("z", -so3.angle(-across[:, 0], across[:, 1]))
    told = _above(actor, sample, turn, sample(turn, actor.hips))
    return {name: np.unwrap(curves, axis=1).mean(1) * [1.0, -1.0 if name in MIRRORED else 1.0] for name, curves in told.items()}


def _above(actor: Actor, sample: Callable[..., Array], turn: Array, hips: Array) -> dict[str, Array]:
    """Curves of pelvis, chest and arms at samples. Each (2, n), those of pelvis and chest twice the same."""
    out: dict[str, Array] = {}
    pelvis = _attitude(sample(turn, actor.pelvis, True), hips, None)
    if actor.shoulders is not None:
        shoulders = sample(turn, actor.shoulders)
        chest = _attitude(sample(turn, actor.chest, True), shoulders, shoulders.mean(1) - hips.mean(1))
    else:
        chest = _attitude(sample(turn, actor.chest, True), hips, sample(turn, actor.neck) - hips.mean(1))
    chest = chest @ so3.about("y", -actor.lean)
    for part, told, lean in (("pelvis", pelvis, "pelvis_tilt"), ("chest", chest, "chest_lean")):
        yaw, tilt, raised = _turns(told)
        out[f"{part}_turn"], out[f"{part}_list"], out[lean] = (np.stack([v, v]) for v in (-yaw, raised, tilt))
    if actor.arms is not None:
        shoulders, elbows, wrists = (sample(turn, points) for points in actor.arms)
        out |= _arms(shoulders, elbows, wrists, so3.yaw_of(chest))
    return out


def _head(turned: Array) -> dict[str, Array]:
    """Return how a head turns, nods and tilts about the way that it looks on the mean, which is ahead. Each (2, n) twice the same.

    Args:
        turned: (n, 3, 3) the head's axes against the heading, whichever way they lie.
    """
    u, _, v = np.linalg.svd(turned[:-1].mean(0))
    yaw, nod, tilt = _turns(turned @ (u @ v).T)
    return {name: np.stack([values, values]) for name, values in (("head_turn", yaw), ("head_nod", nod), ("head_list", tilt))}


def _sampler(begin: float, end: float) -> Callable[..., Array]:
    frames = np.linspace(begin, end, SAMPLES + 1)
    low = np.clip(np.floor(frames).astype(int), 0, None)
    share = frames - low

    def sample(turn: Array | None, values: Array, matrices: bool = False) -> Array:
        """Values at the samples of the cycle, turned into its heading."""
        high = np.minimum(low + 1, len(values) - 1)
        part = share.reshape(-1, *[1] * (values.ndim - 1))
        there = (1 - part) * values[np.minimum(low, len(values) - 1)] + part * values[high]
        if turn is None:
            return np.asarray(there)
        return np.asarray(turn @ there if matrices else np.einsum("nij,n...j->n...i", turn, there))

    return sample


def _ways(a: Array, b: Array) -> Array:
    """Directions of length 1 from points to others. (..., 3)."""
    way = b - a
    return way / np.maximum(np.linalg.norm(way, axis=-1, keepdims=True), 1e-9)


def _attitude(turned: Array, pair: Array, up: Array | None) -> Array:
    """How a part of the body is turned against the heading: as its bone turns, about a mean that positions tell. (n, 3, 3).

    Args:
        turned: (n, 3, 3) the bone's axes.
        pair: (n, 2, 3) joints of the left and the right limb that hang on it.
        up: (n, 3) along the part, None to leave it upright.
    """
    across = (pair[:-1, 0] - pair[:-1, 1]).mean(0)
    yaw = np.arctan2(-across[0], across[1])
    raised = np.arctan2(across[2], np.linalg.norm(across[:2]))
    lean = 0.0
    if up is not None:
        along = so3.about("z", -yaw) @ up[:-1].mean(0)
        lean = float(np.arctan2(along[0], along[2]))
    mean = so3.about("z", yaw) @ so3.about("y", lean) @ so3.about("x", raised)
    u, _, v = np.linalg.svd(turned[:-1].mean(0))
    return np.asarray(turned @ (u @ v).T @ mean)


def _turns(m: Array) -> tuple[Array, Array, Array]:
    """Yaw, tilt forward and roll of attitudes. (n, 3, 3) -> three (n,)."""
    return so3.yaw_of(m), np.arcsin(np.clip(-m[..., 2, 0], -1, 1)), so3.angle(m[..., 2, 1], m[..., 2, 2])


def _arms(shoulders: Array, elbows: Array, wrists: Array, chest_yaw: Array) -> dict[str, Array]:
    """Curves of the arms against the half-turned chest. Each (2, n)."""
    carried = so3.about("z", -0.5 * chest_yaw)
    upper, fore = (np.einsum("nij,nsj->nsi", carried, _ways(a, b)) for a, b in ((shoulders, elbows), (elbows, wrists)))
    side = np.array([1.0, -1.0])
    out = side * so3.angle(upper[..., 1], -upper[..., 2])
    arm = np.arcsin(np.clip(upper[..., 0], -1, 1))
    frame = so3.about("x", side * out) @ so3.about("y", -arm)                                  # (n, 2, 3, 3)
    bent = (np.swapaxes(frame, -1, -2) @ fore[..., None])[..., 0]
    elbow = np.arctan2(np.linalg.norm(bent[..., :2], axis=-1), -bent[..., 2])
    turn = so3.angle(-side * bent[..., 1] + UNSURE * np.sin(USUAL_TURN), bent[..., 0] + UNSURE * np.cos(USUAL_TURN))
    return {"arm": arm.T, "arm_out": out.T, "arm_turn": turn.T, "elbow": elbow.T}


def _own_cycle(curves: dict[str, Array], side: int, strike: float) -> Array:
    """Curves of one side from its own strike, without the step at which the cycle's end meets its begin. (CURVES, SAMPLES)."""
    out = np.zeros((len(CURVES), SAMPLES))
    shares = (strike + np.arange(SAMPLES) / SAMPLES) % 1.0
    for k, name in enumerate(CURVES):
        curve = np.unwrap(curves[name][side]) if np.isfinite(curves[name][side]).all() else curves[name][side]
        closed = curve - (curve[-1] - curve[0]) * (np.arange(SAMPLES + 1) / SAMPLES - 0.5)
        sign = -1.0 if side == 1 and name in MIRRORED else 1.0
        out[k] = sign * np.interp(shares, np.arange(SAMPLES + 1) / SAMPLES, closed)
    return out
