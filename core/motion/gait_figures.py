"""A motion as a gait laboratory would see it: strides, the force under each foot,
joint angles over the cycle.

All from the motion's arrays alone. Angles are the clinical ones, in degrees: flexion and toes up
positive, each link against the one above it, zero where the body stands at rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .motion import Motion

Array = NDArray[np.float64]

CYCLE_PERCENT = np.arange(101.0)  # of a stride or a contact, at which curves are told
MIN_CONTACT_TIME = 0.08  # s; what is shorter is no contact and no swing
MIN_PLATE_FORCE = 0.02  # body weights under a foot from which on a force plate would see it


@dataclass(frozen=True)
class StrideFrames:
    """The whole strides of one leg within the clip, in frames."""

    begin: NDArray[np.int64]  # (k,) strikes
    lift: NDArray[np.int64]  # (k,) first frames in the air
    end: NDArray[np.int64]  # (k,) next strikes


@dataclass(frozen=True)
class GaitParameters:
    """Means over all strides of a clip."""

    speed: float  # m/s
    cadence: float  # steps a minute
    step_length: float  # m
    contact_time: float  # s that a foot is down
    double_support: float  # share of the stride with both feet down
    com_rise: float  # of the centre of mass within a stride, lowest to highest, m


@dataclass(frozen=True)
class ForcePeaks:
    """Landmarks of the vertical force under one foot in a walk, body weights."""

    first: float
    trough: float
    second: float


def list_limbs(motion: Motion) -> tuple[str, ...]:
    """The limbs that stand on the ground, in the order of their contact points."""
    return tuple(dict.fromkeys(motion.contact_limb))


def find_limb_contacts(motion: Motion) -> NDArray[np.bool_]:
    """Whether each limb is on the ground. (n, limbs)."""
    limb_points = [
        np.array([name == limb for name in motion.contact_limb]) for limb in list_limbs(motion)
    ]
    return np.stack([motion.contact_active[:, k].any(1) for k in limb_points], -1)


def compute_limb_forces(motion: Motion) -> Array:
    """Force under each limb as a plate under it would measure it, body weights. (n, limbs, 3)."""
    limb_points = [
        np.array([name == limb for name in motion.contact_limb]) for limb in list_limbs(motion)
    ]
    return np.stack([motion.contact_force[:, k].sum(1) for k in limb_points], 1) / _compute_weight(
        motion
    )


def find_leg_strides(motion: Motion, limb: int) -> StrideFrames:
    """Strides of a limb from strike to strike."""
    is_down = find_limb_contacts(motion)[:, limb].astype(int)
    edges = np.diff(is_down)
    strikes = np.flatnonzero(edges > 0) + 1
    lifts = np.flatnonzero(edges < 0) + 1
    min_frames = MIN_CONTACT_TIME * motion.fps
    candidates = [(a, lifts[np.searchsorted(lifts, a)], b) for a, b in pairwise(strikes)]
    valid = np.array(
        [s for s in candidates if s[1] - s[0] >= min_frames and s[2] - s[1] >= min_frames], np.int64
    ).reshape(-1, 3)
    return StrideFrames(*valid.T)


def compute_gait_parameters(motion: Motion) -> GaitParameters:
    """Speed, cadence and the like."""
    limb_strides = [find_leg_strides(motion, k) for k in range(len(list_limbs(motion)))]
    begin, lift, end = (
        np.concatenate([getattr(s, name) for s in limb_strides])
        for name in ("begin", "lift", "end")
    )
    com = motion.com
    double_support = find_limb_contacts(motion).all(1)
    duration = float((end - begin).mean()) / motion.fps
    length = float(np.linalg.norm(com[end, :2] - com[begin, :2], axis=1).mean())
    return GaitParameters(
        length / duration,
        120 / duration,
        0.5 * length,
        contact_time=float((lift - begin).mean()) / motion.fps,
        double_support=float(
            np.mean([double_support[a:b].mean() for a, b in zip(begin, end, strict=True)])
        ),
        com_rise=float(np.mean([np.ptp(com[a:b, 2]) for a, b in zip(begin, end, strict=True)])),
    )


def compute_force_curve(motion: Motion, limb: int) -> Array:
    """Mean vertical force under a limb over its contact, body weights. (101,)."""
    s = find_leg_strides(motion, limb)
    return _compute_mean_curve(compute_limb_forces(motion)[:, limb, 2], s.begin - 1, s.lift)


def find_force_peaks(motion: Motion, limb: int) -> ForcePeaks:
    """The two peaks of the force in a walk, and the trough between them."""
    curve = compute_force_curve(motion, limb)
    first = int(np.argmax(curve[:50]))
    second = 50 + int(np.argmax(curve[50:]))
    return ForcePeaks(
        float(curve[first]), float(curve[first : second + 1].min()), float(curve[second])
    )


def compute_wasted_force(motion: Motion) -> Array:
    """Horizontal force that the points of one foot spend against each other,
    body weights. (n, limbs).
    """
    wasted = []
    for limb in list_limbs(motion):
        limb_forces = motion.contact_force[:, [name == limb for name in motion.contact_limb], :2]
        wasted.append(
            np.linalg.norm(limb_forces, axis=-1).sum(1)
            - np.linalg.norm(limb_forces.sum(1), axis=-1)
        )
    return np.stack(wasted, -1) / _compute_weight(motion)


def compute_joint_angles(motion: Motion, limb: int) -> dict[str, Array]:
    """Flexion of hip, knee and ankle and the thigh against the vertical, degrees. Each (n,).

    A limb's links stand next to each other: thigh, shin, foot.
    """
    name = next(
        c
        for c, point_limb in zip(motion.contact_names, motion.contact_limb, strict=True)
        if point_limb == list_limbs(motion)[limb]
    )
    foot_link = motion.link_names.index(name.split("/")[0])
    pelvis, thigh, shin, foot_rotation = (
        so3.quat_to_matrix(motion.link_orientation[:, k])
        for k in (0, foot_link - 2, foot_link - 1, foot_link)
    )
    heading_rotation = so3.rotation_about("z", so3.yaw_from_matrix(pelvis))
    return {
        "hip": _compute_flexion(pelvis, thigh),
        "thigh": _compute_flexion(heading_rotation, thigh),
        "knee": -_compute_flexion(thigh, shin),
        "ankle": _compute_flexion(shin, foot_rotation),
    }


def compute_joint_curves(motion: Motion, limb: int) -> dict[str, Array]:
    """Mean of the joint angles over the strides of a limb, from strike to strike. Each (101,)."""
    s = find_leg_strides(motion, limb)
    return {
        name: _compute_mean_curve(angle, s.begin, s.end)
        for name, angle in compute_joint_angles(motion, limb).items()
    }


def measure_pitch_range(motion: Motion, link: str) -> float:
    """How far a link pitches to and fro within a stride, degrees."""
    rotation = so3.quat_to_matrix(motion.link_orientation[:, motion.link_names.index(link)])
    pitch = -_compute_flexion(so3.rotation_about("z", so3.yaw_from_matrix(rotation)), rotation)
    s = find_leg_strides(motion, 0)
    return float(np.mean([np.ptp(pitch[a:b]) for a, b in zip(s.begin, s.end, strict=True)]))


def _compute_flexion(above: Array, below: Array) -> Array:
    """Turn of a link forward against the one above it, in that one's sagittal plane,
    degrees. (n, 3, 3) -> (n,).
    """
    long_axis = np.swapaxes(above, -1, -2) @ below[..., 2:]
    return np.degrees(so3.atan2(-long_axis[..., 0, 0], long_axis[..., 2, 0]))


def _compute_mean_curve(values: Array, begin: NDArray[np.int64], end: NDArray[np.int64]) -> Array:
    frames = np.arange(len(values))
    return np.mean(
        [
            np.interp(a + (b - a) * CYCLE_PERCENT / 100, frames, values)
            for a, b in zip(begin, end, strict=True)
        ],
        axis=0,
    )


def _compute_weight(motion: Motion) -> float:
    return float(motion.link_mass.sum() * np.linalg.norm(motion.gravity))
