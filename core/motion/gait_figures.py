"""Gait analysis of a motion: strides, ground reaction forces, and joint angles over the cycle.

Angles are clinical: flexion and dorsiflexion are positive, each link is measured against its
parent, and the angles of the standing body are zero [deg].
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .motion import Motion

Array = NDArray[np.float64]

CYCLE_PERCENT = np.arange(101.0)  # Points of curves over a stride or contact [%]
MIN_CONTACT_TIME = 0.08  # Shortest contact and shortest swing of a stride [s]


@dataclass(frozen=True)
class StrideFrames:
    """The complete strides of one leg.

    Args:
        begin: (k,) frames of the strikes.
        lift: (k,) first frames of the swings.
        end: (k,) frames of the next strikes.
    """

    begin: NDArray[np.int64]
    lift: NDArray[np.int64]
    end: NDArray[np.int64]


@dataclass(frozen=True)
class MeanStride:
    """Means over all strides of a motion.

    Args:
        speed: [m/s].
        cadence: [steps/min].
        step_length: [m].
        contact_time: [s].
        double_support: share of the stride with all feet down.
        com_rise: vertical excursion of the center of mass within a stride [m].
    """

    speed: float
    cadence: float
    step_length: float
    contact_time: float
    double_support: float
    com_rise: float


@dataclass(frozen=True)
class ForcePeaks:
    """The two peaks of the vertical force under a foot in a walk, and the trough [body weight]."""

    first: float
    trough: float
    second: float


def list_limbs(motion: Motion) -> tuple[str, ...]:
    """Return the limbs with contact points, in the order of the points."""
    return tuple(dict.fromkeys(motion.contact_limb))


def find_limb_contacts(motion: Motion) -> NDArray[np.bool_]:
    """Return whether each limb is on the ground (n, limbs)."""
    limb_points = [
        np.array([name == limb for name in motion.contact_limb]) for limb in list_limbs(motion)
    ]
    return np.stack([motion.contact_active[:, k].any(1) for k in limb_points], -1)


def compute_limb_forces(motion: Motion) -> Array:
    """Return the ground reaction force of each limb (n, limbs, 3) [body weight]."""
    limb_points = [
        np.array([name == limb for name in motion.contact_limb]) for limb in list_limbs(motion)
    ]
    return np.stack([motion.contact_force[:, k].sum(1) for k in limb_points], 1) / _compute_weight(
        motion
    )


def find_leg_strides(motion: Motion, limb: int) -> StrideFrames:
    """Return the strides of a limb from strike to strike."""
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


def compute_gait_parameters(motion: Motion) -> MeanStride:
    """Return the mean gait parameters."""
    limb_strides = [find_leg_strides(motion, k) for k in range(len(list_limbs(motion)))]
    begin, lift, end = (
        np.concatenate([getattr(s, name) for s in limb_strides])
        for name in ("begin", "lift", "end")
    )
    com = motion.com
    double_support = find_limb_contacts(motion).all(1)
    duration = float((end - begin).mean()) / motion.fps
    length = float(np.linalg.norm(com[end, :2] - com[begin, :2], axis=1).mean())
    return MeanStride(
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
    """Return the mean vertical force of a limb over its contact (101,) [body weight]."""
    s = find_leg_strides(motion, limb)
    return _compute_mean_curve(compute_limb_forces(motion)[:, limb, 2], s.begin - 1, s.lift)


def find_force_peaks(motion: Motion, limb: int) -> ForcePeaks:
    """Return the peaks and the trough of the mean vertical force of a limb."""
    curve = compute_force_curve(motion, limb)
    first = int(np.argmax(curve[:50]))
    second = 50 + int(np.argmax(curve[50:]))
    return ForcePeaks(
        float(curve[first]), float(curve[first : second + 1].min()), float(curve[second])
    )


def compute_wasted_force(motion: Motion) -> Array:
    """Return the horizontal force of the points of each foot that cancels out (n, limbs).

    In body weights.
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
    """Return the flexion of hip, knee and ankle, and of the thigh from the vertical (n,) [deg].

    The links thigh, shin and foot of a limb have consecutive indices.
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
    """Return the mean joint angles over the strides of a limb, (101,) each [deg]."""
    s = find_leg_strides(motion, limb)
    return {
        name: _compute_mean_curve(angle, s.begin, s.end)
        for name, angle in compute_joint_angles(motion, limb).items()
    }


def measure_pitch_range(motion: Motion, link: str) -> float:
    """Return the mean range of the pitch of a link within a stride [deg]."""
    rotation = so3.quat_to_matrix(motion.link_orientation[:, motion.link_names.index(link)])
    pitch = -_compute_flexion(so3.rotation_about("z", so3.yaw_from_matrix(rotation)), rotation)
    s = find_leg_strides(motion, 0)
    return float(np.mean([np.ptp(pitch[a:b]) for a, b in zip(s.begin, s.end, strict=True)]))


def _compute_flexion(above: Array, below: Array) -> Array:
    """Return the forward rotation of a link in the sagittal plane of its parent (n,) [deg].

    Args:
        above: (n, 3, 3) orientation of the parent.
        below: (n, 3, 3) orientation of the link.
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
