"""A motion as a gait laboratory would see it: strides, the force under each foot, joint angles over the cycle.

All from the motion's arrays alone. Angles are the clinical ones, in degrees: flexion and toes up positive, each link against
the one above it, zero where the body stands at rest.
"""
from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .motion import Motion

Array = NDArray[np.float64]

PERCENT = np.arange(101.0)     # of a stride or a contact, at which curves are told
SHORTEST = 0.08                # s; what is shorter is no contact and no swing
BEARS = 0.02                   # body weights under a foot from which on a force plate would see it


@dataclass(frozen=True)
class Strides:
    """The whole strides of one leg within the clip, in frames."""

    begin: NDArray[np.int64]       # (k,) strikes
    lift: NDArray[np.int64]        # (k,) first frames in the air
    end: NDArray[np.int64]         # (k,) next strikes


@dataclass(frozen=True)
class Steps:
    """Means over all strides of a clip."""

    speed: float              # m/s
    cadence: float            # steps a minute
    step_length: float        # m
    contact: float            # s that a foot is down
    double_support: float     # share of the stride with both feet down
    rise: float               # of the centre of mass within a stride, lowest to highest, m


@dataclass(frozen=True)
class Humps:
    """Landmarks of the vertical force under one foot in a walk, body weights."""

    first: float
    trough: float
    second: float


def limbs(motion: Motion) -> tuple[str, ...]:
    """The limbs that stand on the ground, in the order of their contact points."""
    return tuple(dict.fromkeys(motion.contact_limb))


def contacts(motion: Motion) -> NDArray[np.bool_]:
    """Whether each limb is on the ground. (n, limbs)."""
    own = [np.array([name == limb for name in motion.contact_limb]) for limb in limbs(motion)]
    return np.stack([motion.contact_active[:, k].any(1) for k in own], -1)


def forces(motion: Motion) -> Array:
    """Force under each limb as a plate under it would measure it, body weights. (n, limbs, 3)."""
    own = [np.array([name == limb for name in motion.contact_limb]) for limb in limbs(motion)]
    return np.stack([motion.contact_force[:, k].sum(1) for k in own], 1) / _weight(motion)


def strides(motion: Motion, limb: int) -> Strides:
    """Strides of a limb from strike to strike."""
    down = contacts(motion)[:, limb].astype(int)
    edges = np.diff(down)
    strikes, lifts = np.flatnonzero(edges > 0) + 1, np.flatnonzero(edges < 0) + 1
    least = SHORTEST * motion.fps
    found = [(a, lifts[np.searchsorted(lifts, a)], b) for a, b in pairwise(strikes)]
    kept = np.array([s for s in found if s[1] - s[0] >= least and s[2] - s[1] >= least], np.int64).reshape(-1, 3)
    return Strides(*kept.T)


def steps(motion: Motion) -> Steps:
    """Speed, cadence and the like."""
    own = [strides(motion, k) for k in range(len(limbs(motion)))]
    begin, lift, end = (np.concatenate([getattr(s, name) for s in own]) for name in ("begin", "lift", "end"))
    com, both = motion.com, contacts(motion).all(1)
    duration = float((end - begin).mean()) / motion.fps
    length = float(np.linalg.norm(com[end, :2] - com[begin, :2], axis=1).mean())
    return Steps(length / duration, 120 / duration, 0.5 * length, float((lift - begin).mean()) / motion.fps,
                 float(np.mean([both[a:b].mean() for a, b in zip(begin, end, strict=True)])),
                 float(np.mean([np.ptp(com[a:b, 2]) for a, b in zip(begin, end, strict=True)])))


def force_curve(motion: Motion, limb: int) -> Array:
    """Mean vertical force under a limb over its contact, body weights. (101,)."""
    s = strides(motion, limb)
    return _mean_curve(forces(motion)[:, limb, 2], s.begin - 1, s.lift)


def humps(motion: Motion, limb: int) -> Humps:
    """The two peaks of the force in a walk, and the trough between them."""
    curve = force_curve(motion, limb)
    first, second = int(np.argmax(curve[:50])), 50 + int(np.argmax(curve[50:]))
    return Humps(float(curve[first]), float(curve[first:second + 1].min()), float(curve[second]))


def waste(motion: Motion) -> Array:
    """Horizontal force that the points of one foot spend against each other, body weights. (n, limbs)."""
    out = []
    for limb in limbs(motion):
        own = motion.contact_force[:, [name == limb for name in motion.contact_limb], :2]
        out.append(np.linalg.norm(own, axis=-1).sum(1) - np.linalg.norm(own.sum(1), axis=-1))
    return np.stack(out, -1) / _weight(motion)


def joint_angles(motion: Motion, limb: int) -> dict[str, Array]:
    """Flexion of hip, knee and ankle and the thigh against the vertical, degrees. Each (n,).

    A limb's links stand next to each other: thigh, shin, foot.
    """
    name = next(c for c, own in zip(motion.contact_names, motion.contact_limb, strict=True) if own == limbs(motion)[limb])
    foot = motion.link_names.index(name.split("/")[0])
    pelvis, thigh, shin, foot_ = (so3.quat_to_matrix(motion.link_orientation[:, k]) for k in (0, foot - 2, foot - 1, foot))
    level = so3.about("z", so3.yaw_of(pelvis))
    return {"hip": _flexion(pelvis, thigh), "thigh": _flexion(level, thigh), "knee": -_flexion(thigh, shin),
            "ankle": _flexion(shin, foot_)}


def joint_curves(motion: Motion, limb: int) -> dict[str, Array]:
    """Mean of the joint angles over the strides of a limb, from strike to strike. Each (101,)."""
    s = strides(motion, limb)
    return {name: _mean_curve(angle, s.begin, s.end) for name, angle in joint_angles(motion, limb).items()}


def pitch_range(motion: Motion, link: str) -> float:
    """How far a link pitches to and fro within a stride, degrees."""
    turned = so3.quat_to_matrix(motion.link_orientation[:, motion.link_names.index(link)])
    pitch = -_flexion(so3.about("z", so3.yaw_of(turned)), turned)
    s = strides(motion, 0)
    return float(np.mean([np.ptp(pitch[a:b]) for a, b in zip(s.begin, s.end, strict=True)]))


def _flexion(above: Array, below: Array) -> Array:
    """Turn of a link forward against the one above it, in that one's sagittal plane, degrees. (n, 3, 3) -> (n,)."""
    up = np.swapaxes(above, -1, -2) @ below[..., 2:]
    return np.degrees(so3.angle(-up[..., 0, 0], up[..., 2, 0]))


def _mean_curve(values: Array, begin: NDArray[np.int64], end: NDArray[np.int64]) -> Array:
    frames = np.arange(len(values))
    return np.mean([np.interp(a + (b - a) * PERCENT / 100, frames, values) for a, b in zip(begin, end, strict=True)], axis=0)


def _weight(motion: Motion) -> float:
    return float(motion.link_mass.sum() * np.linalg.norm(motion.gravity))
